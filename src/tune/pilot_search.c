/* The pilot search: see pilot_search.h. */
#include "tune/pilot_search.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "tune/rules.h"
#include "tune/split.h"

static const double omega_grid[] = ENT_OMEGAS, worth_shares[] = ENT_WORTH_SHARES;
static const size_t simpler_orders[] = ENT_SIMPLER_ORDERS;
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What paths are made with. */
typedef struct ent_pilot_setting {
  const bool *used; /* [inputs]; NULL: all */
  size_t view;
  double omega;
  const ent_target_transform *transform; /* NULL: none */
  ent_product_limits products;
} ent_pilot_setting;

/* How two settings are compared. */
typedef enum ent_pilot_criterion {
  ENT_PILOT_ERROR, /* by the error that paths minimise; if their transforms differ, by the mean square error */
  ENT_PILOT_TAIL   /* by the mean square error with the largest square counted once more */
} ent_pilot_criterion;

/* How good a setting is. */
typedef struct ent_pilot_result {
  double error;  /* the mean over the parts of what paths minimise */
  double mse;    /* the mean of mean square errors */
  double tail;   /* mse, with the largest square counted once more */
  size_t order;  /* inputs of the largest product */
  double *mses;  /* [parts] mean square errors */
  double *worth; /* [inputs] the gains of features, shared evenly among their inputs */
} ent_pilot_result;

/* What paths have cost so far. */
typedef struct ent_pilot_time {
  double deadline;
  double last_seconds, last_end; /* how long the last setting took, and when it ended */
  size_t paths;                  /* how many there were */
  double model_seconds;          /* what these paths would take in models */
} ent_pilot_time;

typedef struct ent_pilot {
  const ent_recipe *recipe;
  ent_search_result *result;
  size_t max_features;
  ent_split *splits; /* [parts] */
  size_t parts;
  ent_pilot_setting setting;   /* the best so far; what it borrows is kept by the caller */
  ent_pilot_result best, last; /* of the best setting so far, and of the last one */
  bool taken;                  /* the last setting became the best */
  ent_pilot_time time;
} ent_pilot;

static void pilot_clear(ent_pilot *pilot) {
  for (size_t p = 0; p < pilot->parts && pilot->splits != NULL; p++)
    ent_split_clear(&pilot->splits[p]);
  ent_delete(pilot->splits);
  ent_delete(pilot->best.mses);
  ent_delete(pilot->best.worth);
  ent_delete(pilot->last.mses);
  ent_delete(pilot->last.worth);
}

/* Small tables have several, so that all together have enough rows. */
size_t ent_pilot_parts(const ent_recipe *recipe) {
  const ent_trials *trials = recipe->trials;
  size_t wanted = (ENT_PILOT_ROWS - 1) / trials->train.rows + 1;
  size_t most = trials->valid != NULL ? 1 : trials->folds;
  if (recipe->options.pilot_parts > 0 && recipe->options.pilot_parts < most)
    most = recipe->options.pilot_parts;
  return wanted < most ? wanted : most;
}

double ent_pilot_deadline(const ent_trials *trials, double share) {
  double now = ent_seconds();
  return trials->deadline > 0 ? now + fmax(trials->deadline - now, 0) * share : 0;
}

double ent_pilot_following(const ent_trials *trials, size_t members) {
  double rows = (double)trials->train.rows;
  return (double)members * fmin(rows, ENT_SELECT_ROWS) / fmin(rows, ENT_PILOT_ROWS);
}

/* How long the next path may take. The time of the models that follow is guessed from the paths so far. */
static ent_path_time path_time(const ent_pilot *pilot) {
  const ent_pilot_time *time = &pilot->time;
  double end = pilot->recipe->trials->deadline, following = pilot->recipe->state.following;
  if (time->paths == 0)
    return (ent_path_time){time->deadline, end, ENT_MODEL_PATHS * following};
  return (ent_path_time){time->deadline, end - following * time->model_seconds / (double)time->paths, 0};
}

/* Counts a path. One that did not end by itself would go on in a model. */
static void count_path(ent_pilot *pilot, const ent_selection *path, double seconds) {
  pilot->time.model_seconds += seconds * (path->count < pilot->max_features ? 1 : ENT_MODEL_PATHS);
  pilot->time.paths++;
}

static entropic_status result_start(entropic_context *context, size_t parts, size_t inputs, ent_pilot_result *result) {
  *result = (ent_pilot_result){.error = INFINITY,
                               .mse = INFINITY,
                               .tail = INFINITY,
                               .mses = ent_new(context, parts, sizeof *result->mses),
                               .worth = ent_new(context, inputs, sizeof *result->worth)};
  return result->mses == NULL || result->worth == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* On failure the pilot has to be cleared as well. */
static entropic_status pilot_start(entropic_context *context, const ent_recipe *recipe, size_t max_features,
                                   ent_search_result *result, ent_pilot *pilot) {
  const ent_trials *trials = recipe->trials;
  *pilot = (ent_pilot){.recipe = recipe,
                       .result = result,
                       .max_features = max_features < ENT_PILOT_SIZE ? max_features : ENT_PILOT_SIZE,
                       .parts = ent_pilot_parts(recipe),
                       .time = {.deadline = ent_pilot_deadline(trials, ENT_PILOT_SHARE), .last_end = ent_seconds()}};
  pilot->splits = ent_new(context, pilot->parts, sizeof *pilot->splits);
  if (pilot->splits == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = result_start(context, pilot->parts, trials->inputs, &pilot->best);
  if (status != ENTROPIC_OK)
    return status;
  status = result_start(context, pilot->parts, trials->inputs, &pilot->last);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t p = 0; p < pilot->parts; p++) {
    pilot->best.mses[p] = INFINITY;
    status = ent_split_rows(context, trials, p, &pilot->splits[p]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Adds the worth of inputs, and finds the order of the largest product. */
static void add_selected(const ent_selection *selection, ent_pilot_result *result) {
  for (size_t i = 0; i < selection->count; i++) {
    const ent_candidate_group *group = &selection->candidates->groups[selection->selected[i].group];
    for (size_t t = 0; t < group->order; t++)
      result->worth[group->terms[t].input] += selection->selected[i].gain / (double)group->order;
    result->order = group->order > result->order ? group->order : result->order;
  }
}

/* Makes the paths of a setting on all parts, into pilot->last. After two parts or more it is dropped, and its errors are
 * infinite, if its mean square error is `hopeless` times that of the best setting. */
static entropic_status validate_setting(entropic_context *context, ent_pilot *pilot, const ent_pilot_setting *setting,
                                        double hopeless) {
  ent_recipe with = *pilot->recipe;
  ent_pilot_result *last = &pilot->last;
  ent_path_options options = {.view = setting->view,
                              .omega = setting->omega,
                              .products = setting->products,
                              .rows = ENT_PILOT_ROWS,
                              .validation_rows = ENT_PILOT_VALIDATION_ROWS,
                              .max_features = pilot->max_features,
                              .selection_loss = ENT_BY_SQUARES,
                              .transform = setting->transform};
  double sum = 0, mse_sum = 0, best_sum = 0, largest = 0, rows = 0;
  with.state.used = setting->used;
  last->order = 0;
  memset(last->worth, 0, with.trials->inputs * sizeof *last->worth);
  for (size_t p = 0; p < pilot->parts; p++) {
    ent_selection selection;
    double since = ent_seconds();
    options.time = path_time(pilot);
    entropic_status status = ent_split_select(context, &with, &pilot->splits[p], &options, pilot->result, &selection);
    if (status != ENTROPIC_OK)
      return status;
    count_path(pilot, &selection, ent_seconds() - since);
    const ent_select_step *step = ent_best_step(&selection, ENT_AS_GOOD);
    last->mses[p] = step->mse;
    sum += step->error;
    largest = fmax(largest, step->largest_square);
    rows += (double)selection.validation_rows;
    add_selected(&selection, last);
    ent_selection_clear(&selection);
    mse_sum += last->mses[p];
    best_sum += pilot->best.mses[p];
    if (p > 0 && mse_sum > hopeless * best_sum) {
      last->error = last->mse = last->tail = INFINITY;
      return ENTROPIC_OK;
    }
  }
  last->error = sum / (double)pilot->parts;
  last->mse = mse_sum / (double)pilot->parts;
  last->tail = last->mse + largest / rows;
  return ENTROPIC_OK;
}

/* Whether the last setting is below `part` of the best so far. */
static bool is_better(const ent_pilot *pilot, const ent_pilot_setting *setting, ent_pilot_criterion criterion,
                      double part) {
  if (criterion == ENT_PILOT_TAIL)
    return pilot->last.tail < part * pilot->best.tail;
  if (setting->transform != pilot->setting.transform)
    return pilot->last.mse < part * pilot->best.mse;
  return pilot->last.error < part * pilot->best.error;
}

/* Whether a setting would end too late, if it takes as long as the last one. */
static bool is_late(const ent_pilot *pilot) {
  ent_path_time time = path_time(pilot);
  double end = pilot->time.last_end + pilot->time.last_seconds;
  return time.deadline > 0 && end > time.deadline && !ent_path_may_extend(&time, end, pilot->time.last_seconds);
}

/* Tries a setting. It becomes the best if it is below `part` of the best so far. */
static entropic_status try_setting(entropic_context *context, ent_pilot *pilot, ent_pilot_setting setting,
                                   ent_pilot_criterion criterion, double part) {
  pilot->taken = false;
  if (is_late(pilot)) {
    pilot->result->hurried = true;
    return ENTROPIC_OK;
  }
  entropic_status status = validate_setting(context, pilot, &setting, criterion == ENT_PILOT_TAIL ? 1 : ENT_HOPELESS);
  if (status != ENTROPIC_OK)
    return status;
  if (is_better(pilot, &setting, criterion, part)) {
    ent_pilot_result former = pilot->best;
    pilot->best = pilot->last;
    pilot->last = former;
    pilot->setting = setting;
    pilot->taken = true;
  }
  pilot->time.last_seconds = ent_seconds() - pilot->time.last_end;
  pilot->time.last_end += pilot->time.last_seconds;
  return ENTROPIC_OK;
}

/* The best setting with another omega. */
static entropic_status try_omega(entropic_context *context, ent_pilot *pilot, double omega, double part) {
  ent_pilot_setting setting = pilot->setting;
  setting.omega = omega;
  return try_setting(context, pilot, setting, ENT_PILOT_ERROR, part);
}

/* The best setting with another view. */
static entropic_status try_view(entropic_context *context, ent_pilot *pilot, size_t view) {
  ent_pilot_setting setting = pilot->setting;
  setting.view = view;
  return try_setting(context, pilot, setting, ENT_PILOT_ERROR, 1);
}

/* First omega with the first view, from the largest down until two in a row were worse. Then the other views with that
 * omega, as long as the next is better. */
static entropic_status choose_kernel(entropic_context *context, ent_pilot *pilot) {
  const ent_recipe *recipe = pilot->recipe;
  bool given = recipe->options.omegas != NULL;
  const double *omegas = given ? recipe->options.omegas : omega_grid;
  size_t count = given ? 1 : COUNT(omega_grid), trials = count + recipe->view_count - 1, worse = 0;
  pilot->setting.omega = omegas[0];
  for (size_t i = 0; i < trials; i++) {
    ent_progress_at(context, "trying kernels", i, trials);
    entropic_status status =
        i < count ? try_omega(context, pilot, omegas[i], ENT_CLEARLY_BETTER) : try_view(context, pilot, i + 1 - count);
    if (status != ENTROPIC_OK)
      return status;
    if (i >= count && !pilot->taken)
      break;
    worse = i < count && !pilot->taken && pilot->last.error > ENT_UPHILL * pilot->best.error ? worse + 1 : 0;
    if (worse == 2)
      i = count - 1;
  }
  return ENTROPIC_OK;
}

/* The target transform of the rows that take part, and the skewness of their target. */
static entropic_status find_transform(entropic_context *context, const ent_trials *trials,
                                      ent_target_transform *transform, double *skewness) {
  ent_block rows = trials->train;
  double *weights = ent_new(context, rows.rows, sizeof *weights);
  if (weights == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows.rows; r++)
    weights[r] = ent_takes_part(trials, r) ? ent_weight(&rows, r) : 0;
  rows.weights = weights;
  *skewness = ent_target_transform_find(&rows, transform);
  ent_delete(weights);
  return ENTROPIC_OK;
}

/* The root of the target: from the first setting on, or tried if the target is skewed. */
static entropic_status choose_transform(entropic_context *context, ent_pilot *pilot, bool first) {
  const ent_recipe *recipe = pilot->recipe;
  ent_target_transform *transform = &pilot->result->transform;
  ent_root root = recipe->options.root;
  bool possible = recipe->trials->targets == 1 && !recipe->classes && root != ENT_ROOT_NEVER;
  if (!possible || first != (root == ENT_ROOT_ALWAYS))
    return ENTROPIC_OK;
  double skewness = 0;
  entropic_status status = find_transform(context, recipe->trials, transform, &skewness);
  if (status != ENTROPIC_OK)
    return status;
  if (first) {
    pilot->setting.transform = transform;
  } else if (skewness >= ENT_SKEWED) {
    ent_pilot_setting setting = pilot->setting;
    setting.transform = transform;
    ent_progress_at(context, "trying the root", 0, 1);
    status = try_setting(context, pilot, setting, ENT_PILOT_ERROR, 1);
  }
  if (pilot->setting.transform == NULL)
    *transform = (ent_target_transform){0};
  return status;
}

/* fewer[inputs]: the used inputs that are worth more than this share of all. Returns how many. */
static size_t find_worthy(const ent_pilot *pilot, const bool *used, double share, bool *fewer) {
  size_t inputs = pilot->recipe->trials->inputs, count = 0;
  double sum = 0;
  for (size_t d = 0; d < inputs; d++)
    sum += pilot->best.worth[d];
  for (size_t d = 0; d < inputs; d++) {
    fewer[d] = used[d] && pilot->best.worth[d] > share * sum;
    count += fewer[d];
  }
  return count;
}

/* Leaves out inputs that explained little, if that is as good. used[inputs] becomes those that stay, *left how many. */
static entropic_status choose_inputs(entropic_context *context, ent_pilot *pilot, bool *used, size_t *left) {
  const ent_trials *trials = pilot->recipe->trials;
  const size_t inputs = trials->inputs, shares = COUNT(worth_shares);
  bool *fewer = ent_new(context, inputs, sizeof *fewer);
  if (fewer == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  *left = inputs;
  for (size_t i = 0; i < inputs; i++)
    used[i] = true;
  for (size_t i = 0; i < shares; i++) {
    size_t count = find_worthy(pilot, used, worth_shares[i], fewer);
    if (count == 0 || count == *left)
      continue;
    ent_progress_at(context, "trying inputs", i, shares);
    ent_pilot_setting setting = pilot->setting;
    setting.used = fewer;
    status = try_setting(context, pilot, setting, ENT_PILOT_ERROR, ENT_AS_GOOD);
    if (status != ENTROPIC_OK)
      break;
    if (pilot->taken) {
      memcpy(used, fewer, inputs * sizeof *used);
      pilot->setting.used = used;
      *left = count;
    }
  }
  ent_delete(fewer);
  return status;
}

/* Inputs that explain nothing favour a small omega, as it leaves out their products. After they are left out, larger
 * omegas are tried again, as long as the next is better. */
static entropic_status retry_larger_omegas(entropic_context *context, ent_pilot *pilot) {
  size_t at = 0;
  while (omega_grid[at] > pilot->setting.omega)
    at++;
  pilot->taken = true;
  while (at > 0 && pilot->taken) {
    entropic_status status = try_omega(context, pilot, omega_grid[--at], 1);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Whether there are Legendre atoms that may be left out. */
static bool may_drop_smooth(const ent_recipe *recipe) {
  bool has = false;
  for (size_t i = 0; i < recipe->features->inputs; i++)
    has |= recipe->features->axes[i].smooth > 0;
  return has && !recipe->options.smooth_given;
}

/* Simpler products, which vary less between the rows: hats alone, then fewer inputs, as long as the next is better. Not
 * for classes: a class does not depend on how large a score is. */
static entropic_status choose_products(entropic_context *context, ent_pilot *pilot) {
  const ent_recipe *recipe = pilot->recipe;
  ent_pilot_setting setting = pilot->setting;
  ent_progress_at(context, "trying products", 0, 1);
  if (may_drop_smooth(recipe)) {
    setting.products.without_smooth = true;
    entropic_status status = try_setting(context, pilot, setting, ENT_PILOT_TAIL, ENT_MUCH_BETTER);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t i = 0; i < COUNT(simpler_orders) && recipe->features->design.max_order == 0; i++) {
    if (pilot->best.order <= simpler_orders[i] || (i > 0 && !pilot->taken))
      break;
    setting = pilot->setting;
    setting.products.max_order = simpler_orders[i];
    entropic_status status = try_setting(context, pilot, setting, ENT_PILOT_TAIL, ENT_MUCH_BETTER);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* All choices, one after the other. */
static entropic_status choose(entropic_context *context, ent_pilot *pilot, bool *used) {
  const ent_recipe *recipe = pilot->recipe;
  size_t left = 0;
  entropic_status status = choose_transform(context, pilot, true);
  if (status != ENTROPIC_OK)
    return status;
  status = choose_kernel(context, pilot);
  if (status != ENTROPIC_OK)
    return status;
  status = choose_transform(context, pilot, false);
  if (status != ENTROPIC_OK)
    return status;
  status = choose_inputs(context, pilot, used, &left);
  if (status != ENTROPIC_OK)
    return status;
  if (recipe->options.omegas == NULL && 2 * left <= recipe->trials->inputs) {
    status = retry_larger_omegas(context, pilot);
    if (status != ENTROPIC_OK)
      return status;
  }
  return recipe->classes ? ENTROPIC_OK : choose_products(context, pilot);
}

entropic_status ent_pilot_search(entropic_context *context, const ent_recipe *recipe, size_t max_features, size_t *view,
                                 ent_search_result *result, bool *used) {
  ent_pilot pilot;
  entropic_status status = pilot_start(context, recipe, max_features, result, &pilot);
  if (status != ENTROPIC_OK)
    goto done;
  status = choose(context, &pilot, used);
  if (status != ENTROPIC_OK)
    goto done;
  *view = pilot.setting.view;
  result->omega = pilot.setting.omega;
  result->products = pilot.setting.products;
done:
  pilot_clear(&pilot);
  return status;
}

/* The rehearsal: see pilot_search.h. */
#include "tune/pilot_search.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "tune/split.h"
#include "tune/rules.h"

static const double omega_grid[] = ENT_OMEGAS, worth_shares[] = ENT_WORTH_SHARES;
static const size_t simpler_orders[] = ENT_SIMPLER_ORDERS;
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* One way to go about it. */
typedef struct ent_pilot_setting {
  const bool *used; /* [inputs]; NULL: all */
  size_t view;
  double omega;
  const ent_target_transform *transform; /* what is learnt of the target; NULL: as it is */
  ent_reach reach;
} ent_pilot_setting;

/* How two ways are compared. */
typedef enum ent_yardstick {
  ENT_YARD_ERROR, /* by what paths go by, or, if that differs, in the units of the target */
  ENT_YARD_TAIL   /* in these units, and by the largest error once more */
} ent_yardstick;

/* What one way came to. */
typedef struct ent_pilot_result {
  double error;   /* the mean of what paths go by */
  double plain;   /* the mean of errors */
  double tail;    /* plain, with the largest square counted once more */
  size_t order;   /* of the largest product */
  double *errors; /* [parts] mean squares on each */
  double *worth;  /* [inputs] what features with this input explained, shared among their inputs */
} ent_pilot_result;

typedef struct ent_pilot {
  const ent_recipe *recipe;
  ent_found *found;
  size_t most; /* features */
  ent_split *splits;
  size_t parts;
  ent_pilot_result best, last;    /* the best way so far, and the one at hand */
  ent_pilot_setting learner;      /* the best one; what it uses is kept by the caller */
  bool taken;                     /* the one at hand became the best */
  double deadline, lasted, since; /* when to stop, how long the last trial took and when it ended */
  size_t walked;                  /* paths so far */
  double longer;                  /* seconds of models' paths in their place */
} ent_pilot;

static void pilot_clear(ent_pilot *r) {
  for (size_t p = 0; p < r->parts && r->splits != NULL; p++)
    ent_split_clear(&r->splits[p]);
  ent_delete(r->splits);
  ent_delete(r->best.errors);
  ent_delete(r->best.worth);
  ent_delete(r->last.errors);
  ent_delete(r->last.worth);
}

/* All do as long as their rows are few. */
size_t ent_pilot_parts(const ent_recipe *recipe) {
  const ent_trials *trials = recipe->trials;
  size_t wanted = (ENT_PILOT_ROWS - 1) / trials->train.rows + 1;
  size_t most = trials->valid != NULL ? 1 : trials->folds;
  if (recipe->pilot_parts > 0 && recipe->pilot_parts < most)
    most = recipe->pilot_parts;
  return wanted < most ? wanted : most;
}

double ent_pilot_deadline(const ent_trials *trials, double share) {
  double now = ent_seconds();
  return trials->deadline > 0 ? now + fmax(trials->deadline - now, 0) * share : 0;
}

double ent_pilot_rest(const ent_trials *trials, size_t members) {
  double rows = (double)trials->train.rows;
  return (double)members * fmin(rows, ENT_SELECT_ROWS) / fmin(rows, ENT_PILOT_ROWS);
}

/* What has to follow, judged by the paths so far. */
static ent_rest rest_of(const ent_pilot *r) {
  double end = r->recipe->trials->deadline, rest = r->recipe->rest;
  if (r->walked == 0)
    return (ent_rest){end, ENT_MODEL_PATHS * rest};
  return (ent_rest){end - rest * r->longer / (double)r->walked, 0};
}

/* Adds a path to those that `rest_of` judges by: one that did not end by itself will go on in a model. */
static void count_path(ent_pilot *r, const ent_selection *path, double seconds) {
  r->longer += seconds * (path->count < r->most ? 1 : ENT_MODEL_PATHS);
  r->walked++;
}

static entropic_status pilot_start(entropic_context *context, const ent_recipe *recipe, size_t most, ent_found *found,
                                   ent_pilot *r) {
  const ent_trials *trials = recipe->trials;
  *r = (ent_pilot){.recipe = recipe,
                   .found = found,
                   .most = most < ENT_PILOT_SIZE ? most : ENT_PILOT_SIZE,
                   .parts = ent_pilot_parts(recipe),
                   .deadline = ent_pilot_deadline(trials, ENT_PILOT_SHARE),
                   .since = ent_seconds()};
  r->splits = ent_new(context, r->parts, sizeof *r->splits);
  r->best = (ent_pilot_result){.error = INFINITY,
                               .plain = INFINITY,
                               .tail = INFINITY,
                               .errors = ent_new(context, r->parts, sizeof *r->best.errors),
                               .worth = ent_new(context, trials->inputs, sizeof *r->best.worth)};
  r->last = (ent_pilot_result){.errors = ent_new(context, r->parts, sizeof *r->last.errors),
                               .worth = ent_new(context, trials->inputs, sizeof *r->last.worth)};
  if (r->splits == NULL || r->best.errors == NULL || r->best.worth == NULL || r->last.errors == NULL ||
      r->last.worth == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t p = 0; p < r->parts; p++) {
    r->best.errors[p] = INFINITY;
    entropic_status status = ent_split_rows(context, trials, p, &r->splits[p]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* What inputs are worth, and the order of the largest product. */
static void add_selected(const ent_selection *selection, ent_pilot_result *tried) {
  for (size_t i = 0; i < selection->count; i++) {
    const ent_candidate_group *group = &selection->candidates->groups[selection->picks[i].group];
    for (size_t t = 0; t < group->order; t++)
      tried->worth[group->terms[t].input] += selection->picks[i].gain / (double)group->order;
    tried->order = group->order > tried->order ? group->order : tried->order;
  }
}

/* One way on all parts, into r->last. It is given up, and its errors are infinite, where after two parts or more its mean
 * square is `hopeless` times that of the best. */
static entropic_status try_parts(entropic_context *context, ent_pilot *r, const ent_pilot_setting *candidate,
                                 double hopeless) {
  ent_recipe with = *r->recipe;
  ent_pilot_result *last = &r->last;
  ent_path_options learner = {.view = candidate->view,
                              .omega = candidate->omega,
                              .reach = candidate->reach,
                              .rows = ENT_PILOT_ROWS,
                              .validation_rows = ENT_PILOT_VALIDATION_ROWS,
                              .most = r->most,
                              .selection_loss = ENT_BY_SQUARES,
                              .transform = candidate->transform,
                              .deadline = r->deadline};
  double sum = 0, plain_sum = 0, best_sum = 0, largest = 0, rows = 0;
  with.used = candidate->used;
  last->order = 0;
  memset(last->worth, 0, with.trials->inputs * sizeof *last->worth);
  for (size_t p = 0; p < r->parts; p++) {
    ent_selection selection;
    double since = ent_seconds();
    learner.rest = rest_of(r);
    entropic_status status = ent_split_select(context, &with, &r->splits[p], &learner, r->found, &selection);
    if (status != ENTROPIC_OK)
      return status;
    count_path(r, &selection, ent_seconds() - since);
    const ent_select_step *step = ent_best_step(&selection);
    last->errors[p] = step->plain;
    sum += step->error;
    largest = fmax(largest, step->largest);
    rows += (double)selection.validation_rows;
    add_selected(&selection, last);
    ent_selection_clear(&selection);
    plain_sum += last->errors[p];
    best_sum += r->best.errors[p];
    if (p > 0 && plain_sum > hopeless * best_sum) {
      last->error = last->plain = last->tail = INFINITY;
      return ENTROPIC_OK;
    }
  }
  last->error = sum / (double)r->parts;
  last->plain = plain_sum / (double)r->parts;
  last->tail = last->plain + largest / rows;
  return ENTROPIC_OK;
}

/* Whether what was tried last is below `part` of the best so far. */
static bool is_better(const ent_pilot *r, const ent_pilot_setting *candidate, ent_yardstick yardstick, double part) {
  if (yardstick == ENT_YARD_TAIL)
    return r->last.tail < part * r->best.tail;
  if (candidate->transform != r->learner.transform)
    return r->last.plain < part * r->best.plain;
  return r->last.error < part * r->best.error;
}

/* Tries one way; it is taken if its error is below `part` of the best so far. */
static entropic_status try_way(entropic_context *context, ent_pilot *r, ent_pilot_setting candidate,
                               ent_yardstick yardstick, double part) {
  r->taken = false;
  double after = r->since + r->lasted;
  ent_rest rest = rest_of(r);
  if (r->deadline > 0 && after > r->deadline && !ent_rest_fits(&rest, after, r->lasted)) {
    r->found->hurried = true;
    return ENTROPIC_OK;
  }
  entropic_status status = try_parts(context, r, &candidate, yardstick == ENT_YARD_TAIL ? 1 : ENT_HOPELESS);
  if (status != ENTROPIC_OK)
    return status;
  if (is_better(r, &candidate, yardstick, part)) {
    ent_pilot_result former = r->best;
    r->best = r->last;
    r->last = former;
    r->learner = candidate;
    r->taken = true;
  }
  r->lasted = ent_seconds() - r->since;
  r->since += r->lasted;
  return ENTROPIC_OK;
}

/* Another omega or another view, all else as in the best way. */
static entropic_status try_omega(entropic_context *context, ent_pilot *r, double omega, double part) {
  ent_pilot_setting candidate = r->learner;
  candidate.omega = omega;
  return try_way(context, r, candidate, ENT_YARD_ERROR, part);
}

static entropic_status try_view(entropic_context *context, ent_pilot *r, size_t view) {
  ent_pilot_setting candidate = r->learner;
  candidate.view = view;
  return try_way(context, r, candidate, ENT_YARD_ERROR, 1);
}

/* First omega, from the largest down until two in a row were worse, with the first view; then the other views with that
 * omega, as long as the next is better. */
static entropic_status try_kernels(entropic_context *context, ent_pilot *r) {
  const ent_recipe *recipe = r->recipe;
  const double *omegas = recipe->omegas == NULL ? omega_grid : recipe->omegas;
  size_t count = recipe->omegas == NULL ? COUNT(omega_grid) : 1, trials = count + recipe->view_count - 1;
  size_t worse = 0;
  entropic_status status = ENTROPIC_OK;
  r->learner.omega = omegas[0];
  for (size_t i = 0; i < trials && status == ENTROPIC_OK; i++) {
    ent_trials_tell(recipe->trials, "trying kernels", (double)i / (double)trials);
    status = i < count ? try_omega(context, r, omegas[i], ENT_CLEARLY_BETTER) : try_view(context, r, i + 1 - count);
    if (i >= count && !r->taken)
      break;
    worse = i < count && !r->taken && r->last.error > ENT_UPHILL * r->best.error ? worse + 1 : 0;
    if (worse == 2)
      i = count - 1;
  }
  return status;
}

/* The link of the rows that take part, and how skewed their target is. */
static entropic_status find_transform(entropic_context *context, const ent_trials *trials,
                                      ent_target_transform *transform, double *skew) {
  ent_block rows = trials->train;
  double *weights = ent_new(context, rows.rows, sizeof *weights);
  if (weights == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows.rows; r++)
    weights[r] = ent_takes_part(trials, r) ? ent_weight(&rows, r) : 0;
  rows.weights = weights;
  *skew = ent_target_transform_find(&rows, transform);
  ent_delete(weights);
  return ENTROPIC_OK;
}

/* The root of the target from the beginning, or, if it is skewed, in place of the target as it is. */
static entropic_status try_root(entropic_context *context, ent_pilot *r, bool first) {
  const ent_recipe *recipe = r->recipe;
  ent_target_transform *transform = &r->found->transform;
  bool possible = recipe->trials->targets == 1 && !recipe->classes && recipe->root != ENT_ROOT_NEVER;
  if (!possible || first != (recipe->root == ENT_ROOT_ALWAYS))
    return ENTROPIC_OK;
  double skew = 0;
  entropic_status status = find_transform(context, recipe->trials, transform, &skew);
  if (status != ENTROPIC_OK)
    return status;
  if (first) {
    r->learner.transform = transform;
  } else if (skew >= ENT_SKEWED) {
    ent_pilot_setting candidate = r->learner;
    candidate.transform = transform;
    ent_trials_tell(recipe->trials, "trying the root", 0);
    status = try_way(context, r, candidate, ENT_YARD_ERROR, 1);
  }
  if (r->learner.transform == NULL)
    *transform = (ent_target_transform){0};
  return status;
}

/* Leaves out inputs that explained little, as long as that is no worse. used[inputs] becomes those that stay, *left
 * how many they are. */
static entropic_status try_inputs(entropic_context *context, ent_pilot *r, bool *used, size_t *left) {
  const ent_trials *trials = r->recipe->trials;
  size_t inputs = trials->inputs;
  entropic_status status = ENTROPIC_OK;
  *left = inputs;
  bool *fewer = ent_new(context, inputs, sizeof *fewer);
  if (fewer == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < inputs; i++)
    used[i] = true;
  const size_t shares = COUNT(worth_shares);
  for (size_t i = 0; i < shares && status == ENTROPIC_OK; i++) {
    double sum = 0;
    size_t count = 0;
    for (size_t d = 0; d < inputs; d++)
      sum += r->best.worth[d];
    for (size_t d = 0; d < inputs; d++) {
      fewer[d] = used[d] && r->best.worth[d] > worth_shares[i] * sum;
      count += fewer[d];
    }
    if (count == 0 || count == *left)
      continue;
    ent_trials_tell(trials, "trying inputs", (double)i / (double)shares);
    ent_pilot_setting candidate = r->learner;
    candidate.used = fewer;
    status = try_way(context, r, candidate, ENT_YARD_ERROR, ENT_AS_GOOD);
    if (r->taken) {
      memcpy(used, fewer, inputs * sizeof *used);
      r->learner.used = used;
      *left = count;
    }
  }
  ent_delete(fewer);
  return status;
}

/* Inputs that explain nothing are a reason for a small omega, which keeps their products apart. Without them larger
 * ones are tried again, as long as the next is better. */
static entropic_status try_larger(entropic_context *context, ent_pilot *r) {
  entropic_status status = ENTROPIC_OK;
  size_t at = 0;
  while (omega_grid[at] > r->learner.omega)
    at++;
  r->taken = true;
  while (at > 0 && r->taken && status == ENTROPIC_OK)
    status = try_omega(context, r, omega_grid[--at], 1);
  return status;
}

/* Whether there are Legendre atoms that may be left out. */
static bool may_leave_smooth(const ent_recipe *recipe) {
  bool has = false;
  for (size_t i = 0; i < recipe->features->inputs; i++)
    has |= recipe->features->axes[i].smooth > 0;
  return has && !recipe->smooth_given;
}

/* Products that cannot go wild as far: hats alone, then fewer inputs in a product, as long as the next is better. Of
 * numbers: a class hardly minds how far off a score is. */
static entropic_status try_reaches(entropic_context *context, ent_pilot *r) {
  const ent_recipe *recipe = r->recipe;
  entropic_status status = ENTROPIC_OK;
  ent_pilot_setting candidate = r->learner;
  ent_trials_tell(recipe->trials, "trying products", 0);
  if (may_leave_smooth(recipe)) {
    candidate.reach.without_smooth = true;
    status = try_way(context, r, candidate, ENT_YARD_TAIL, ENT_MUCH_BETTER);
  }
  for (size_t i = 0; i < COUNT(simpler_orders) && recipe->features->design.max_order == 0; i++) {
    if (status != ENTROPIC_OK || r->best.order <= simpler_orders[i] || (i > 0 && !r->taken))
      break;
    candidate = r->learner;
    candidate.reach.max_order = simpler_orders[i];
    status = try_way(context, r, candidate, ENT_YARD_TAIL, ENT_MUCH_BETTER);
  }
  return status;
}

entropic_status ent_pilot_search(entropic_context *context, const ent_recipe *recipe, size_t most, size_t *view,
                                 ent_found *found, bool *used) {
  ent_pilot pilot;
  size_t left = 0;
  entropic_status status = pilot_start(context, recipe, most, found, &pilot);
  if (status == ENTROPIC_OK)
    status = try_root(context, &pilot, true);
  if (status == ENTROPIC_OK)
    status = try_kernels(context, &pilot);
  if (status == ENTROPIC_OK)
    status = try_root(context, &pilot, false);
  if (status == ENTROPIC_OK)
    status = try_inputs(context, &pilot, used, &left);
  if (status == ENTROPIC_OK && recipe->omegas == NULL && 2 * left <= recipe->trials->inputs)
    status = try_larger(context, &pilot);
  if (status == ENTROPIC_OK && !recipe->classes)
    status = try_reaches(context, &pilot);
  *view = pilot.learner.view;
  found->omega = pilot.learner.omega;
  found->reach = pilot.learner.reach;
  pilot_clear(&pilot);
  return status;
}

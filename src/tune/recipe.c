/* The recipe: see recipe.h. */
#include "tune/recipe.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "solve/ridge.h"
#include "tune/missingness_weights.h"
#include "tune/pilot_search.h"
#include "tune/pilot_setting.h"
#include "tune/rules.h"
#include "tune/split.h"

void ent_select_trim(entropic_axis_options *axis, size_t distinct) {
  axis->max_level = axis->max_level < ENT_SELECT_LEVEL ? axis->max_level : ENT_SELECT_LEVEL;
  if (distinct <= ENT_FEW_VALUES)
    axis->smooth = 0;
  if (distinct <= 2)
    axis->max_level = 0;
}

/* How many models are worth averaging. */
static size_t usual_members(const ent_recipe *recipe) {
  size_t rows = recipe->trials->train.rows;
  if (recipe->options.size > 0)
    return 1;
  if (!recipe->classes)
    return rows <= ENT_SMALL_TABLE ? 5 : 3;
  bool two = recipe->trials->targets == 1;
  return rows <= ENT_FEW_ROWS ? 5 : two && rows <= ENT_SOME_ROWS ? 3 : 1;
}

/* How many models are averaged. */
static size_t member_count(const ent_recipe *recipe) {
  size_t wanted = recipe->options.members > 0 ? recipe->options.members : usual_members(recipe);
  size_t most = recipe->trials->valid != NULL ? 1 : recipe->trials->folds;
  return wanted < most ? wanted : most;
}

/* The most features of a path: few rows do not bear many. */
static size_t max_features(size_t rows) {
  size_t some = rows < ENT_FEW_FEATURES ? (2 * rows < ENT_FEW_FEATURES ? 2 * rows : ENT_FEW_FEATURES) : rows;
  return some < ENT_MOST_FEATURES ? some : ENT_MOST_FEATURES;
}

/* The lambda of a member's weights. */
static double member_lambda(const ent_recipe *recipe, double lambda) {
  bool unchanged = recipe->options.lambda >= 0 || recipe->classes || member_count(recipe) == 1;
  return unchanged ? lambda : ENT_MEAN_LAMBDA * lambda;
}

/* The roots of all targets. */
static entropic_status take_roots(entropic_context *context, const ent_target_transform *transform,
                                  const ent_block *rows, double **roots) {
  *roots = ent_new(context, rows->rows, sizeof **roots);
  for (size_t r = 0; *roots != NULL && r < rows->rows; r++)
    (*roots)[r] = ent_target_transform_apply(transform, rows->y[r * rows->y_stride]);
  return *roots == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* Ridge from statistics. */
static entropic_status solve(entropic_context *context, const ent_statistics *statistics, double lambda,
                             double **weights, double **offsets) {
  ent_ridge *ridge = NULL;
  entropic_status status = ent_ridge_solve(context, statistics, &lambda, 1, ENT_METHOD_AUTO, &ridge);
  if (status != ENTROPIC_OK)
    return status;
  *weights = ridge->weights;
  *offsets = ridge->means;
  ridge->weights = ridge->means = NULL;
  ent_ridge_free(ridge);
  return ENTROPIC_OK;
}

/* Weights of a member from all rows that take part; final ones from all rows, if asked for. */
static entropic_status learn_weights(entropic_context *context, const ent_recipe *recipe, const ent_block *block,
                                     ent_statistics *statistics, ent_search_result *result, ent_member *member) {
  const ent_trials *trials = recipe->trials;
  ent_row_subset active, inactive = {0};
  entropic_status status = ent_trials_active_rows(context, trials, block, trials->targets, &active);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_trials_inactive_rows(context, trials, block, trials->targets, &inactive);
  if (status != ENTROPIC_OK)
    goto done;
  ent_rows rows = ent_rows_of_subset(&active), others = ent_rows_of_subset(&inactive);
  status = ent_statistics_collect(context, statistics, &member->lifting.map, &rows, ENT_GRADE_EXACT);
  if (status != ENTROPIC_OK)
    goto done;
  double start = ent_seconds();
  member->scores = trials->targets;
  status = solve(context, statistics, member->lambda, &member->weights, &member->offsets);
  result->seconds.solve += ent_seconds() - start;
  if (status != ENTROPIC_OK || !recipe->options.final)
    goto done;
  status = ent_statistics_collect(context, statistics, &member->lifting.map, &others, ENT_GRADE_EXACT);
  if (status != ENTROPIC_OK)
    goto done;
  start = ent_seconds();
  status = solve(context, statistics, member->lambda, &member->final_weights, &member->final_offsets);
  result->seconds.solve += ent_seconds() - start;
done:
  ent_row_subset_clear(&inactive);
  ent_row_subset_clear(&active);
  return status;
}

/* Weights of a member, from the rows of a view with the recipe's weights and target transform. */
static entropic_status refit(entropic_context *context, const ent_recipe *recipe, size_t view,
                             ent_search_result *result, ent_member *member) {
  const ent_trials *trials = recipe->trials;
  ent_block block = trials->train;
  ent_statistics *statistics = NULL;
  double *roots = NULL;
  entropic_status status = ENTROPIC_OK;
  block.x = recipe->views[view].x;
  block.scaler = recipe->views[view].scaler;
  block.columns = recipe->views[view].columns;
  if (recipe->state.weights != NULL)
    block.weights = recipe->state.weights;
  if (result->transform.sign != 0) {
    status = take_roots(context, &result->transform, &trials->train, &roots);
    if (status != ENTROPIC_OK)
      goto done;
    block.y = roots;
    block.y_stride = 1;
  }
  status = ent_statistics_create(context, member->lifting.map.features, trials->targets, NULL, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  status = learn_weights(context, recipe, &block, statistics, result, member);
  result->seconds.lift += statistics->lift_seconds;
  result->seconds.gram += statistics->gram_seconds;
done:
  ent_statistics_free(statistics);
  ent_delete(roots);
  return status;
}

/* Adds the errors of a path to the curve, and those of the step that was taken to the result. */
static void add_errors(const ent_selection *selection, size_t taken, ent_search_result *result) {
  size_t targets = result->curve.targets;
  const double *squares = selection->squares + taken * 2 * targets;
  ent_validation_errors *validation = &result->validation;
  validation->rows += selection->validation_rows;
  for (size_t k = 0; k < targets; k++) {
    validation->errors[k] += squares[k];
    validation->variances[k] += selection->validation_rows > 1 ? squares[targets + k] : NAN; /* of one row: unknown */
  }
  for (size_t i = 0; i < selection->step_count; i++)
    ent_curve_add(&result->curve, &(ent_curve_model){.features = selection->steps[i].features,
                                                     .lambda = selection->steps[i].lambda,
                                                     .squares = selection->squares + i * 2 * targets,
                                                     .variances = selection->squares + (i * 2 + 1) * targets,
                                                     .error_rate = selection->steps[i].error_rate,
                                                     .rows = selection->validation_rows});
}

/* What all members are made with. */
typedef struct ent_member_plan {
  const ent_recipe *recipe;
  size_t view, max_features;
  size_t wanted;                     /* members */
  ent_selection_loss selection_loss; /* ENT_BY_BETTER until the first member has chosen */
} ent_member_plan;

/* Takes the best step of a path as a member. `alone`: there is no time for other members. */
static entropic_status take_member(entropic_context *context, const ent_member_plan *plan,
                                   const ent_selection *selection, bool alone, ent_search_result *result,
                                   ent_member *member) {
  const ent_recipe *recipe = plan->recipe;
  bool given = recipe->options.size > 0;
  const ent_select_step *best =
      given ? &selection->steps[selection->step_count - 1] : ent_best_step(selection, ENT_AS_GOOD);
  member->lambda = alone ? best->lambda : member_lambda(recipe, best->lambda);
  result->lambda += member->lambda;
  result->transform.bias += best->bias;
  add_errors(selection, (size_t)(best - selection->steps), result);
  if (!given && selection->count == plan->max_features)
    result->largest = plan->max_features;
  entropic_status status = ent_selection_lifting(context, selection, best->features, &member->lifting);
  if (status != ENTROPIC_OK)
    return status;
  return refit(context, recipe, plan->view, result, member);
}

/* One member: its features are selected without one fold, its weights come from all rows. */
static entropic_status make_member(entropic_context *context, ent_member_plan *plan, size_t fold,
                                   ent_search_result *result, ent_member *member) {
  const ent_trials *trials = plan->recipe->trials;
  ent_split split;
  ent_selection selection = {0};
  entropic_status status = ent_split_rows(context, trials, fold, &split);
  if (status != ENTROPIC_OK)
    return status;
  ent_path_options options = {.view = plan->view,
                              .omega = result->omega,
                              .products = result->products,
                              .rows = ENT_SELECT_ROWS,
                              .validation_rows = ENT_SELECT_VALIDATION_ROWS,
                              .max_features = plan->max_features,
                              .selection_loss = plan->selection_loss,
                              .transform = result->transform.sign != 0 ? &result->transform : NULL,
                              .time = {.deadline = trials->deadline}};
  double start = ent_seconds();
  status = ent_split_select(context, plan->recipe, &split, &options, result, &selection);
  if (status != ENTROPIC_OK)
    goto done;
  bool alone = fold == 0 && ent_trials_late(trials, ent_seconds() - start);
  if (plan->selection_loss == ENT_BY_BETTER)
    plan->selection_loss = selection.selection_loss;
  status = take_member(context, plan, &selection, alone, result, member);
done:
  ent_selection_clear(&selection);
  ent_split_clear(&split);
  return status;
}

void ent_members_free(ent_member *members, size_t count) {
  for (size_t m = 0; members != NULL && m < count; m++)
    ent_member_clear(&members[m]);
  ent_delete(members);
}

/* Weights of rows with missing values. */
typedef struct ent_row_weights {
  double *train, *valid;
} ent_row_weights;

static void weights_clear(ent_row_weights *weights) {
  ent_delete(weights->train);
  ent_delete(weights->valid);
}

/* Lowers the weights of rows with missing values, if there are some. */
static entropic_status weight_rows(entropic_context *context, ent_recipe *recipe, size_t most,
                                   ent_search_result *result, ent_row_weights *weights) {
  const ent_trials *trials = recipe->trials;
  if (recipe->missing == NULL || recipe->classes)
    return ENTROPIC_OK;
  double *factors = ent_new(context, trials->inputs, sizeof *factors);
  if (factors == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_missingness_find(context, recipe, most, result, factors);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  weights->train = ent_new(context, trials->train.rows, sizeof *weights->train);
  weights->valid = ent_new(context, trials->valid == NULL ? 0 : trials->valid->rows, sizeof *weights->valid);
  if (weights->train == NULL || weights->valid == NULL)
    goto done;
  ent_missingness_weigh(recipe, factors, weights->train, weights->valid);
  recipe->state.weights = weights->train;
  recipe->state.valid_weights = trials->valid == NULL ? NULL : weights->valid;
  status = ENTROPIC_OK;
  result->missing = factors;
  factors = NULL;
done:
  ent_delete(factors);
  return status;
}

/* As many members as are wanted and there is time for, into list[plan->wanted]; *made becomes how many. */
static entropic_status make_members(entropic_context *context, ent_member_plan *plan, ent_search_result *result,
                                    ent_member *list, size_t *made) {
  const ent_trials *trials = plan->recipe->trials;
  double since = ent_seconds(), last = 0;
  for (*made = 0; *made < plan->wanted; ++*made) {
    if (*made > 0 && ent_trials_late(trials, last)) {
      result->hurried = true;
      break;
    }
    ent_progress_at(context, "selecting", *made, plan->wanted);
    entropic_status status = make_member(context, plan, *made, result, &list[*made]);
    if (status != ENTROPIC_OK)
      return status;
    last = ent_seconds() - since;
    since += last;
  }
  return ENTROPIC_OK;
}

/* From sums over the members to means. */
static void average(ent_search_result *result, size_t members) {
  double count = (double)members;
  result->lambda /= count;
  result->transform.bias /= count;
  result->validation.folds = members;
  for (size_t k = 0; k < result->curve.targets; k++) {
    result->validation.errors[k] /= count;
    result->validation.variances[k] /= count * count;
  }
}

/* An empty result. On failure it has to be cleared as well. */
static entropic_status result_start(entropic_context *context, size_t targets, ent_search_result *result) {
  *result = (ent_search_result){0};
  result->validation.errors = ent_new(context, targets, sizeof *result->validation.errors);
  result->validation.variances = ent_new(context, targets, sizeof *result->validation.variances);
  if (result->validation.errors == NULL || result->validation.variances == NULL)
    return ENTROPIC_NO_MEMORY;
  return ent_curve_start(context, targets, &result->curve);
}

entropic_status ent_recipe_follow(entropic_context *context, const ent_recipe *recipe, size_t *view,
                                  ent_search_result *result, ent_member **members, size_t *count) {
  const ent_trials *trials = recipe->trials;
  ent_recipe with = *recipe;
  ent_row_weights weights = {0};
  size_t most = recipe->options.size > 0 ? recipe->options.size : max_features(trials->train.rows);
  size_t wanted = member_count(recipe), made = 0;
  with.state.following = ent_pilot_following(trials, wanted);
  ent_member *list = ent_new(context, wanted, sizeof *list);
  bool *used = ent_new(context, trials->inputs, sizeof *used);
  entropic_status status = result_start(context, trials->targets, result);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  if (list == NULL || used == NULL)
    goto done;
  status = weight_rows(context, &with, most, result, &weights);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_pilot_search(context, &with, most, view, result, used);
  if (status != ENTROPIC_OK)
    goto done;
  with.state.used = used;
  ent_member_plan plan = {.recipe = &with,
                          .view = *view,
                          .max_features = most,
                          .wanted = wanted,
                          .selection_loss = recipe->options.selection_loss};
  status = make_members(context, &plan, result, list, &made);
  if (status != ENTROPIC_OK)
    goto done;
  average(result, made);
  *members = list;
  *count = made;
  list = NULL;
done:
  weights_clear(&weights);
  ent_delete(used);
  ent_members_free(list, wanted);
  if (status != ENTROPIC_OK)
    ent_search_result_clear(result);
  return status;
}

void ent_members_finish(ent_member *members, size_t count) {
  for (size_t m = 0; m < count; m++) {
    ent_member *member = &members[m];
    if (member->final_weights == NULL)
      continue;
    ent_delete(member->weights);
    ent_delete(member->offsets);
    member->weights = member->final_weights;
    member->offsets = member->final_offsets;
    member->final_weights = member->final_offsets = NULL;
  }
}

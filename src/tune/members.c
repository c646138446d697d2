/* Members: see members.h. */
#include "tune/members.h"

#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "solve/ridge.h"
#include "tune/leave_one_out.h"
#include "tune/pilot_setting.h"
#include "tune/rules.h"
#include "tune/split.h"

/* How many models are worth averaging. */
static size_t usual_members(const ent_recipe *recipe) {
  size_t rows = recipe->splits->train.rows;
  if (recipe->options.size > 0)
    return 1;
  if (!recipe->classes)
    return rows <= ENT_SMALL_TABLE ? 5 : 3;
  bool costly = (double)rows * (double)recipe->splits->targets > ENT_COSTLY_SCORES;
  return rows <= ENT_FEW_ROWS ? 5 : costly ? 1 : 3;
}

size_t ent_member_count(const ent_recipe *recipe) {
  size_t wanted = recipe->options.members > 0 ? recipe->options.members : usual_members(recipe);
  size_t most = recipe->splits->valid != NULL ? 1 : recipe->splits->folds;
  return wanted < most ? wanted : most;
}

/* The lambda of a member's weights. */
static double member_lambda(const ent_recipe *recipe, double lambda) {
  bool unchanged = recipe->options.lambda >= 0 || recipe->classes || ent_member_count(recipe) == 1;
  return unchanged ? lambda : ENT_MEAN_LAMBDA * lambda;
}

/* The roots of all targets. */
static entropic_status take_roots(entropic_context *context, const ent_link *link, const ent_block *rows,
                                  double **roots) {
  *roots = ent_new(context, rows->rows, sizeof **roots);
  for (size_t r = 0; *roots != NULL && r < rows->rows; r++)
    (*roots)[r] = ent_link_score(link, rows->y[r * rows->y_stride]);
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
                                     ent_statistics *statistics, ent_member *member) {
  const ent_validation_splits *splits = recipe->splits;
  ent_row_subset active, inactive = {0};
  entropic_status status = ent_splits_active_rows(context, splits, block, splits->targets, &active);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_splits_inactive_rows(context, splits, block, splits->targets, &inactive);
  if (status != ENTROPIC_OK)
    goto done;
  ent_rows rows = ent_rows_of_subset(&active), others = ent_rows_of_subset(&inactive);
  status = ent_statistics_collect(context, statistics, &member->lifting.map, &rows, ENT_GRADE_EXACT);
  if (status != ENTROPIC_OK)
    goto done;
  member->scores = splits->targets;
  status = solve(context, statistics, member->lambda, &member->weights, &member->offsets);
  if (status == ENTROPIC_OK && recipe->options.leave_one_out)
    status = ent_leave_one_out(context, splits, block, statistics, member);
  if (status != ENTROPIC_OK || !recipe->options.final)
    goto done;
  status = ent_statistics_collect(context, statistics, &member->lifting.map, &others, ENT_GRADE_EXACT);
  if (status != ENTROPIC_OK)
    goto done;
  status = solve(context, statistics, member->lambda, &member->final_weights, &member->final_offsets);
done:
  ent_row_subset_clear(&inactive);
  ent_row_subset_clear(&active);
  return status;
}

/* Weights of a member, from the rows of a view with the recipe's weights and link. */
static entropic_status refit(entropic_context *context, const ent_recipe *recipe, size_t view,
                             ent_search_result *result, ent_member *member) {
  const ent_validation_splits *splits = recipe->splits;
  ent_block block = splits->train;
  ent_statistics *statistics = NULL;
  double *roots = NULL, start = ent_seconds();
  entropic_status status = ENTROPIC_OK;
  block.x = recipe->views[view].x;
  block.scaler = recipe->views[view].scaler;
  block.columns = recipe->views[view].columns;
  if (recipe->state.weights != NULL)
    block.weights = recipe->state.weights;
  if (ent_link_has(&result->link, ENT_LINK_TRANSFORMS)) {
    status = take_roots(context, &result->link, &splits->train, &roots);
    if (status != ENTROPIC_OK)
      goto done;
    block.y = roots;
    block.y_stride = 1;
  }
  status = ent_statistics_create(context, member->lifting.map.features, splits->targets, NULL, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  status = learn_weights(context, recipe, &block, statistics, member);
  result->seconds.lift += statistics->lift_seconds;
  result->seconds.gram += statistics->gram_seconds;
  result->seconds.solve += ent_seconds() - start - statistics->lift_seconds - statistics->gram_seconds;
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

/* A member on its way: the path it comes from. */
typedef struct ent_member_path {
  ent_selection selection;
  size_t taken;              /* the step of the path */
  size_t *numbers;           /* of its validation rows */
  ent_search_result partial; /* its seconds, and whether it was stopped early */
  double seconds;            /* in all */
} ent_member_path;

/* All members share these. */
typedef struct ent_member_tasks {
  const ent_member_plan *plan;
  const ent_search_result *chosen;
  size_t first; /* the member of task 0 */
  ent_member_path *paths;
  ent_member *list;
} ent_member_tasks;

/* Takes the best step of a path as a member. `alone`: there is no time for other members. */
static entropic_status take_member(entropic_context *context, const ent_member_tasks *tasks, bool alone,
                                   ent_member_path *path, ent_member *member) {
  const ent_recipe *recipe = tasks->plan->recipe;
  const ent_selection *selection = &path->selection;
  const ent_select_step *best =
      recipe->options.size > 0 ? &selection->steps[selection->step_count - 1] : ent_best_step(selection, ENT_AS_GOOD);
  path->taken = (size_t)(best - selection->steps);
  member->lambda = alone ? best->lambda : member_lambda(recipe, best->lambda);
  entropic_status status = ent_selection_lifting(context, selection, best->features, &member->lifting);
  if (status != ENTROPIC_OK)
    return status;
  path->partial.link = tasks->chosen->link;
  return refit(context, recipe, tasks->plan->view, &path->partial, member);
}

/* Steps without a smaller error that end a path; 0: as usual. Outer validation asks for an error, not for a model. */
static size_t patience_of(const ent_recipe *recipe) {
  return recipe->options.brief && ent_pilot_is_scarce(recipe) ? ENT_SCARCE_PATIENCE : 0;
}

/* One member: its features are selected without one fold, its weights come from all rows. */
static entropic_status make_member(entropic_context *context, const ent_member_tasks *tasks, size_t fold) {
  const ent_member_plan *plan = tasks->plan;
  const ent_search_result *chosen = tasks->chosen;
  const ent_validation_splits *splits = plan->recipe->splits;
  ent_member_path *path = &tasks->paths[fold];
  ent_split split;
  double start = ent_seconds();
  entropic_status status = ent_split_rows(context, splits, fold, &split);
  if (status != ENTROPIC_OK)
    return status;
  ent_path_options options = {.view = plan->view,
                              .omega = chosen->omega,
                              .products = chosen->products,
                              .rows = ENT_SELECT_ROWS,
                              .validation_rows = ENT_SELECT_VALIDATION_ROWS,
                              .max_features = plan->max_features,
                              .patience = patience_of(plan->recipe),
                              .selection_loss = plan->selection_loss,
                              .link = ent_link_has(&chosen->link, ENT_LINK_TRANSFORMS) ? &chosen->link : NULL,
                              .time = {.deadline = splits->deadline}};
  status = ent_split_select(context, plan->recipe, &split, &options, &path->partial, &path->selection);
  if (status != ENTROPIC_OK)
    goto done;
  bool alone = fold == 0 && ent_splits_late(splits, ent_seconds() - start);
  status = take_member(context, tasks, alone, path, &tasks->list[fold]);
  path->seconds = ent_seconds() - start;
  path->numbers = split.validation;
  split.validation = NULL;
done:
  ent_split_clear(&split);
  return status;
}

static void path_clear(ent_member_path *path) {
  ent_selection_clear(&path->selection);
  ent_delete(path->numbers);
  path->numbers = NULL;
}

/* Adds the predictions of validation rows, where they are of numbers. */
static entropic_status add_predictions(entropic_context *context, const ent_member_plan *plan,
                                       const ent_member_path *path, ent_search_result *result) {
  const ent_validation_splits *splits = plan->recipe->splits;
  const ent_held_predictions own = {
      .rows = path->selection.validation_rows, .numbers = path->numbers, .predictions = path->selection.predictions};
  if (plan->recipe->classes || splits->train.rows > ENT_SMALL_TABLE)
    return ENTROPIC_OK;
  return ent_held_predictions_add(context, &own, splits->targets, &result->validation.held);
}

/* Adds what a member has found to the result, its seconds times `share`, and clears its path. */
static entropic_status add_member(entropic_context *context, const ent_member_plan *plan, ent_member_path *path,
                                  const ent_member *member, double share, ent_search_result *result) {
  const ent_selection *selection = &path->selection;
  result->lambda += member->lambda;
  result->link.bias += selection->steps[path->taken].bias;
  result->stopped_early |= path->partial.stopped_early;
  ent_search_seconds_add(&path->partial.seconds, share, &result->seconds);
  add_errors(selection, path->taken, result);
  if (plan->recipe->options.size == 0 && selection->count == plan->max_features)
    result->largest = plan->max_features;
  entropic_status status = add_predictions(context, plan, path, result);
  path_clear(path);
  return status;
}

static entropic_status member_task(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  const ent_member_tasks *tasks = shared;
  size_t fold = tasks->first + task;
  ent_progress_at(context, "selecting", fold, tasks->plan->wanted);
  return make_member(context, tasks, fold);
}

/* All members from number tasks->first on, spread over the threads. */
static entropic_status make_together(entropic_context *context, const ent_member_tasks *tasks,
                                     ent_search_result *result) {
  size_t first = tasks->first, wanted = tasks->plan->wanted;
  double start = ent_seconds(), sum = 0;
  ent_member_tasks own = *tasks;
  ent_search_result chosen = *result;
  own.chosen = &chosen;
  entropic_status status = ent_parallel_long(context, wanted - first, member_task, &own);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t m = first; m < wanted; m++)
    sum += own.paths[m].seconds;
  double share = sum > 0 ? (ent_seconds() - start) / sum : 1;
  for (size_t m = first; m < wanted; m++) {
    status = add_member(context, own.plan, &own.paths[m], &own.list[m], share, result);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* One member after the other, up to `end`, as long as there is time. */
static entropic_status make_in_turn(entropic_context *context, ent_member_plan *plan, const ent_member_tasks *tasks,
                                    size_t end, ent_search_result *result, size_t *made) {
  double last = 0;
  for (*made = 0; *made < end; ++*made) {
    double since = ent_seconds();
    if (*made > 0 && ent_splits_late(plan->recipe->splits, last)) {
      result->stopped_early = true;
      break;
    }
    ent_progress_at(context, "selecting", *made, plan->wanted);
    entropic_status status = make_member(context, tasks, *made);
    if (status != ENTROPIC_OK)
      return status;
    if (plan->selection_loss == ENT_BY_BETTER)
      plan->selection_loss = tasks->paths[*made].selection.selection_loss;
    status = add_member(context, plan, &tasks->paths[*made], &tasks->list[*made], 1, result);
    if (status != ENTROPIC_OK)
      return status;
    last = ent_seconds() - since;
  }
  return ENTROPIC_OK;
}

entropic_status ent_members_make(entropic_context *context, ent_member_plan *plan, ent_search_result *result,
                                 ent_member *list, size_t *made) {
  const ent_validation_splits *splits = plan->recipe->splits;
  bool together = splits->deadline == 0 && splits->train.rows <= ENT_SMALL_TABLE;
  size_t alone = !together ? plan->wanted : plan->selection_loss == ENT_BY_BETTER ? 1 : 0;
  ent_member_tasks tasks = {.plan = plan, .chosen = result, .first = alone, .list = list};
  *made = 0;
  tasks.paths = ent_new(context, plan->wanted, sizeof *tasks.paths);
  if (tasks.paths == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = make_in_turn(context, plan, &tasks, alone, result, made);
  if (status != ENTROPIC_OK || !together)
    goto done;
  status = make_together(context, &tasks, result);
  *made = plan->wanted;
done:
  for (size_t m = 0; m < plan->wanted; m++)
    path_clear(&tasks.paths[m]);
  ent_delete(tasks.paths);
  return status;
}

/* The recipe: see recipe.h. Its rules are in rules.h. */
#include "tune/recipe.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "tune/missingness_weights.h"
#include "tune/pilot_search.h"
#include "solve/ridge.h"
#include "tune/rules.h"
#include "tune/split.h"

void ent_select_trim(entropic_axis_options *axis, size_t distinct) {
  axis->max_level = axis->max_level < ENT_SELECT_LEVEL ? axis->max_level : ENT_SELECT_LEVEL;
  if (distinct <= ENT_FEW_VALUES)
    axis->smooth = 0;
  if (distinct <= 2)
    axis->max_level = 0;
}

/* How many models are worth averaging, if nobody says. */
static size_t usual_members(const ent_recipe *recipe) {
  size_t rows = recipe->trials->train.rows;
  if (recipe->size > 0)
    return 1;
  if (!recipe->classes)
    return rows <= ENT_SMALL_TABLE ? 5 : 3;
  bool two = recipe->trials->targets == 1;
  return rows <= ENT_FEW_ROWS ? 5 : two && rows <= ENT_SOME_ROWS ? 3 : 1;
}

/* How many models are averaged. */
static size_t member_count(const ent_recipe *recipe) {
  size_t wanted = recipe->members > 0 ? recipe->members : usual_members(recipe);
  size_t most = recipe->trials->valid != NULL ? 1 : recipe->trials->folds;
  return wanted < most ? wanted : most;
}

/* Where paths end, if they do not before: few rows do not bear many features. */
static size_t most_features(size_t rows) {
  size_t some = rows < ENT_FEW_FEATURES ? (2 * rows < ENT_FEW_FEATURES ? 2 * rows : ENT_FEW_FEATURES) : rows;
  return some < ENT_MOST_FEATURES ? some : ENT_MOST_FEATURES;
}

/* The lambda of a member's weights. */
static double member_lambda(const ent_recipe *recipe, double found) {
  bool as_found = recipe->lambda >= 0 || recipe->classes || member_count(recipe) == 1;
  return as_found ? found : ENT_MEAN_LAMBDA * found;
}

/* The roots of all targets. */
static entropic_status take_roots(entropic_context *context, const ent_target_transform *transform,
                                  const ent_block *rows, double **roots) {
  *roots = ent_new(context, rows->rows, sizeof **roots);
  for (size_t r = 0; *roots != NULL && r < rows->rows; r++)
    (*roots)[r] = ent_target_transform_apply(transform, rows->y[r * rows->y_stride]);
  return *roots == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* Weights of what the statistics are of, with the lambda of the member. */
static entropic_status solve(entropic_context *context, const ent_statistics *statistics, double lambda,
                             double **weights, double **offsets) {
  ent_ridge *ridge = NULL;
  entropic_status status = ent_ridge_solve(context, statistics, &lambda, 1, ENT_METHOD_AUTO, false, &ridge);
  if (status != ENTROPIC_OK)
    return status;
  *weights = ridge->weights;
  *offsets = ridge->means;
  ridge->weights = ridge->means = NULL;
  ent_ridge_free(ridge);
  return ENTROPIC_OK;
}

/* Weights of all rows that take part, with the features and the lambda of the member; then, if asked for, of all rows. */
static entropic_status learn_weights(entropic_context *context, const ent_recipe *recipe, const ent_block *block,
                                     ent_statistics *statistics, ent_found *found, ent_member *member) {
  const ent_trials *trials = recipe->trials;
  ent_all_rows all, rest;
  entropic_status status = ent_all_start(context, trials, block, trials->targets, &all);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_all_start_rest(context, trials, block, trials->targets, &rest);
  if (status != ENTROPIC_OK)
    goto done;
  ent_rows rows = ent_rows_of_all(&all), others = ent_rows_of_all(&rest);
  status = ent_statistics_collect(context, statistics, &member->lifting.map, &rows, ENT_PATH_AUTO);
  if (status != ENTROPIC_OK)
    goto done;
  double start = ent_seconds();
  member->scores = trials->targets;
  status = solve(context, statistics, member->lambda, &member->weights, &member->offsets);
  found->solve += ent_seconds() - start;
  if (status != ENTROPIC_OK || !recipe->final)
    goto done;
  status = ent_statistics_collect(context, statistics, &member->lifting.map, &others, ENT_PATH_AUTO);
  if (status != ENTROPIC_OK)
    goto done;
  start = ent_seconds();
  status = solve(context, statistics, member->lambda, &member->final_weights, &member->final_offsets);
  found->solve += ent_seconds() - start;
done:
  ent_all_clear(&rest);
  ent_all_clear(&all);
  return status;
}

/* The same of the view, with the weights of rows and the roots of targets as they are for the recipe. */
static entropic_status refit(entropic_context *context, const ent_recipe *recipe, size_t view, ent_found *found,
                             ent_member *member) {
  const ent_trials *trials = recipe->trials;
  ent_block block = trials->train;
  ent_statistics *statistics = NULL;
  double *roots = NULL;
  entropic_status status = ENTROPIC_OK;
  block.x = recipe->views[view].x;
  block.scaler = recipe->views[view].scaler;
  if (recipe->weights != NULL)
    block.weights = recipe->weights;
  if (found->transform.sign != 0) {
    status = take_roots(context, &found->transform, &trials->train, &roots);
    block.y = roots;
    block.y_stride = 1;
  }
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_statistics_create(context, member->lifting.map.features, trials->targets, NULL, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  status = learn_weights(context, recipe, &block, statistics, found, member);
  found->lift += statistics->lift_seconds;
  found->gram += statistics->gram_seconds;
done:
  ent_statistics_free(statistics);
  ent_delete(roots);
  return status;
}

/* The errors of one path, and of the model that was taken from it. */
static void add_errors(const ent_selection *selection, size_t taken, ent_found *found) {
  size_t targets = found->curve.targets;
  const double *squares = selection->squares + taken * 2 * targets;
  found->validation_rows += selection->validation_rows;
  for (size_t k = 0; k < targets; k++) {
    found->errors[k] += squares[k];
    found->variances[k] += selection->validation_rows > 1 ? squares[targets + k] : NAN; /* one row says nothing of it */
  }
  for (size_t i = 0; i < selection->step_count; i++)
    ent_curve_add(&found->curve, selection->steps[i].features, selection->steps[i].lambda,
                  selection->squares + i * 2 * targets, selection->steps[i].wrong);
}

/* One member: selected without one fold, learnt from all rows. What is to be found out about the chooser is, for those
 * that follow. */
static entropic_status make_member(entropic_context *context, const ent_recipe *recipe, size_t view, size_t fold,
                                   size_t most, ent_selection_loss *selection_loss, ent_found *found,
                                   ent_member *member) {
  ent_split split;
  ent_selection selection = {0};
  entropic_status status = ent_split_rows(context, recipe->trials, fold, &split);
  if (status != ENTROPIC_OK)
    return status;
  ent_path_options learner = {.view = view,
                              .omega = found->omega,
                              .reach = found->reach,
                              .rows = ENT_SELECT_ROWS,
                              .validation_rows = ENT_SELECT_VALIDATION_ROWS,
                              .most = most,
                              .selection_loss = *selection_loss,
                              .transform = found->transform.sign != 0 ? &found->transform : NULL,
                              .deadline = recipe->trials->deadline};
  double start = ent_seconds();
  status = ent_split_select(context, recipe, &split, &learner, found, &selection);
  if (status == ENTROPIC_OK) {
    bool alone = fold == 0 && ent_trials_late(recipe->trials, ent_seconds() - start); /* there is no time for others */
    *selection_loss = *selection_loss == ENT_BY_BETTER ? selection.selection_loss : *selection_loss;
    const ent_select_step *best =
        recipe->size > 0 ? &selection.steps[selection.step_count - 1] : ent_best_step(&selection);
    member->lambda = alone ? best->lambda : member_lambda(recipe, best->lambda);
    found->lambda += member->lambda;
    found->transform.bias += best->bias;
    add_errors(&selection, (size_t)(best - selection.steps), found);
    if (recipe->size == 0 && selection.count == most)
      found->largest = most;
    status = ent_selection_lifting(context, &selection, best->features, &member->lifting);
    if (status == ENTROPIC_OK)
      status = refit(context, recipe, view, found, member);
  }
  ent_selection_clear(&selection);
  ent_split_clear(&split);
  return status;
}

void ent_members_free(ent_member *members, size_t count) {
  for (size_t m = 0; members != NULL && m < count; m++)
    ent_member_clear(&members[m]);
  ent_delete(members);
}

/* Weights of rows while a recipe is followed. */
typedef struct ent_weighed {
  double *train, *valid;
} ent_weighed;

static void weighed_clear(ent_weighed *weighed) {
  ent_delete(weighed->train);
  ent_delete(weighed->valid);
}

/* Rows with missing values count less from here on, if there are some. */
static entropic_status weigh(entropic_context *context, ent_recipe *recipe, size_t most, ent_found *found,
                             ent_weighed *weighed) {
  const ent_trials *trials = recipe->trials;
  if (recipe->missing == NULL || recipe->classes)
    return ENTROPIC_OK;
  double *factors = ent_new(context, trials->inputs, sizeof *factors);
  entropic_status status =
      factors == NULL ? ENTROPIC_NO_MEMORY : ent_missingness_find(context, recipe, most, found, factors);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  weighed->train = ent_new(context, trials->train.rows, sizeof *weighed->train);
  weighed->valid = ent_new(context, trials->valid == NULL ? 0 : trials->valid->rows, sizeof *weighed->valid);
  if (weighed->train == NULL || weighed->valid == NULL)
    goto done;
  ent_missingness_weigh(recipe, factors, weighed->train, weighed->valid);
  recipe->weights = weighed->train;
  recipe->valid_weights = trials->valid == NULL ? NULL : weighed->valid;
  status = ENTROPIC_OK;
done:
  ent_delete(factors);
  return status;
}

/* As many members as are wanted and there is time for, into list[wanted]; *made is how many there are, on failure too. */
static entropic_status make_members(entropic_context *context, const ent_recipe *recipe, size_t view, size_t most,
                                    size_t wanted, ent_found *found, ent_member *list, size_t *made) {
  ent_selection_loss selection_loss = recipe->selection_loss;
  double since = ent_seconds(), last = 0;
  entropic_status status = ENTROPIC_OK;
  for (*made = 0; *made < wanted && status == ENTROPIC_OK; ++*made) {
    if (*made > 0 && ent_trials_late(recipe->trials, last)) {
      found->hurried = true;
      break;
    }
    ent_trials_tell(recipe->trials, "selecting", (double)*made / (double)wanted);
    status = make_member(context, recipe, view, *made, most, &selection_loss, found, &list[*made]);
    last = ent_seconds() - since;
    since += last;
  }
  return status;
}

/* From sums over the members to means. */
static void average(ent_found *found, size_t members) {
  double count = (double)members;
  found->lambda /= count;
  found->transform.bias /= count;
  found->parts = members;
  for (size_t k = 0; k < found->curve.targets; k++) {
    found->errors[k] /= count;
    found->variances[k] /= count * count;
  }
}

entropic_status ent_recipe_follow(entropic_context *context, const ent_recipe *recipe, size_t *view, ent_found *found,
                                  ent_member **members, size_t *count) {
  *found = (ent_found){0};
  ent_recipe with = *recipe;
  ent_weighed weighed = {0};
  size_t most = recipe->size > 0 ? recipe->size : most_features(recipe->trials->train.rows),
         targets = recipe->trials->targets, wanted = member_count(recipe), made = 0;
  with.rest = ent_pilot_rest(recipe->trials, wanted);
  ent_member *list = ent_new(context, wanted, sizeof *list);
  bool *used = ent_new(context, recipe->trials->inputs, sizeof *used);
  found->errors = ent_new(context, targets, sizeof *found->errors);
  found->variances = ent_new(context, targets, sizeof *found->variances);
  entropic_status status = ent_curve_start(context, targets, &found->curve);
  if (list == NULL || used == NULL || found->errors == NULL || found->variances == NULL)
    status = ENTROPIC_NO_MEMORY;
  if (status != ENTROPIC_OK)
    goto done;
  status = weigh(context, &with, most, found, &weighed);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_pilot_search(context, &with, most, view, found, used);
  if (status != ENTROPIC_OK)
    goto done;
  with.used = used;
  status = make_members(context, &with, *view, most, wanted, found, list, &made);
  if (status != ENTROPIC_OK)
    goto done;
  average(found, made);
  *members = list;
  *count = made;
  list = NULL;
done:
  weighed_clear(&weighed);
  ent_delete(used);
  ent_members_free(list, wanted);
  if (status != ENTROPIC_OK)
    ent_found_clear(found);
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

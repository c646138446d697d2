/* The recipe: see recipe.h. */
#include "tune/recipe.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "tune/members.h"
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

/* The most features of a path: few rows do not bear many. */
static size_t max_features(size_t rows) {
  size_t some = rows < ENT_FEW_FEATURES ? (2 * rows < ENT_FEW_FEATURES ? 2 * rows : ENT_FEW_FEATURES) : rows;
  return some < ENT_MOST_FEATURES ? some : ENT_MOST_FEATURES;
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
  const ent_validation_splits *splits = recipe->splits;
  if (recipe->missing == NULL || recipe->classes)
    return ENTROPIC_OK;
  double *factors = ent_new(context, ent_recipe_most_inputs(recipe), sizeof *factors);
  if (factors == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t d = splits->inputs; d < ent_recipe_most_inputs(recipe); d++)
    factors[d] = 1; /* what is offered is never missing */
  entropic_status status = ent_missingness_find(context, recipe, most, result, factors);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  weights->train = ent_new(context, splits->train.rows, sizeof *weights->train);
  weights->valid = ent_new(context, splits->valid == NULL ? 0 : splits->valid->rows, sizeof *weights->valid);
  if (weights->train == NULL || weights->valid == NULL)
    goto done;
  ent_missingness_weigh(recipe, factors, weights->train, weights->valid);
  recipe->state.weights = weights->train;
  recipe->state.valid_weights = splits->valid == NULL ? NULL : weights->valid;
  status = ENTROPIC_OK;
  result->missing = factors;
  factors = NULL;
done:
  ent_delete(factors);
  return status;
}

/* From sums over the members to means. */
static void average(ent_search_result *result, size_t members) {
  double count = (double)members;
  result->lambda /= count;
  result->link.bias /= count;
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

entropic_status ent_recipe_run(entropic_context *context, const ent_recipe *recipe, size_t *view,
                               ent_search_result *result, ent_member **members, size_t *count) {
  const ent_validation_splits *splits = recipe->splits;
  ent_recipe with = *recipe;
  ent_row_weights weights = {0};
  size_t most = recipe->options.size > 0 ? recipe->options.size : max_features(splits->train.rows);
  size_t wanted = ent_member_count(recipe), made = 0;
  with.state.following = ent_pilot_following(splits, wanted);
  ent_member *list = ent_new(context, wanted, sizeof *list);
  bool *used = ent_new(context, ent_recipe_most_inputs(recipe), sizeof *used);
  entropic_status status = result_start(context, splits->targets, result);
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
  if (result->wide) {
    ent_recipe_state state = with.state;
    with = *recipe->offer.recipe;
    with.state = state;
  }
  with.state.used = used;
  ent_member_plan plan = {.recipe = &with,
                          .view = *view,
                          .max_features = most,
                          .wanted = wanted,
                          .selection_loss = recipe->options.selection_loss};
  status = ent_members_make(context, &plan, result, list, &made);
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

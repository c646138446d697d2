/* The recipe's weights of rows with missing values: see missingness_weights.h and missingness.h. */
#include "tune/missingness_weights.h"

#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "tune/missingness.h"
#include "tune/pilot_setting.h"
#include "tune/rules.h"
#include "tune/split.h"

/* Validation rows with their squared residuals. */
typedef struct ent_validation_residuals {
  size_t rows;
  double *x; /* before scaling: NaN is missing */
  double *weights, *squares;
} ent_validation_residuals;

static void residuals_clear(ent_validation_residuals *residuals) {
  ent_delete(residuals->x);
  ent_delete(residuals->weights);
  ent_delete(residuals->squares);
}

static entropic_status residuals_start(entropic_context *context, size_t rows, size_t inputs,
                                       ent_validation_residuals *residuals) {
  *residuals = (ent_validation_residuals){.x = ent_new_matrix(context, rows, inputs, sizeof *residuals->x),
                                          .weights = ent_new(context, rows, sizeof *residuals->weights),
                                          .squares = ent_new(context, rows, sizeof *residuals->squares)};
  bool complete = residuals->x != NULL && residuals->weights != NULL && residuals->squares != NULL;
  return complete ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
}

/* Adds the validation rows of a path. */
static void add_rows(const ent_recipe *recipe, const ent_split *split, const ent_selection *selection,
                     ent_validation_residuals *residuals) {
  const ent_validation_splits *splits = recipe->splits;
  bool own = splits->valid != NULL;
  const ent_block *rows = own ? splits->valid : &splits->train;
  const ent_view *view = recipe->missing;
  size_t inputs = splits->inputs, targets = splits->targets;
  const ent_inputs from = {own ? view->valid_x : view->x, inputs, own ? view->valid_columns : view->columns};
  ent_inputs_gather(&from, inputs, split->validation, selection->validation_rows,
                    residuals->x + residuals->rows * inputs);
  for (size_t i = 0; i < selection->validation_rows; i++) {
    size_t row = split->validation[i], to = residuals->rows++;
    residuals->weights[to] = ent_weight(rows, row);
    residuals->squares[to] = 0;
    for (size_t k = 0; k < targets; k++) {
      double off = rows->y[row * rows->y_stride + k] - selection->predictions[i * targets + k];
      residuals->squares[to] += off * off / splits->scale[k];
    }
  }
}

/* One path, validated on part `part`. */
static entropic_status add_path(entropic_context *context, const ent_recipe *recipe, size_t part,
                                const ent_path_options *options, ent_search_result *result,
                                ent_validation_residuals *residuals) {
  ent_split split;
  ent_selection selection;
  entropic_status status = ent_split_rows(context, recipe->splits, part, &split);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_split_select(context, recipe, &split, options, result, &selection);
  if (status != ENTROPIC_OK)
    goto done;
  add_rows(recipe, &split, &selection, residuals);
  ent_selection_clear(&selection);
done:
  ent_split_clear(&split);
  return status;
}

entropic_status ent_missingness_find(entropic_context *context, const ent_recipe *recipe, size_t max_features,
                                     ent_search_result *result, double *factors) {
  const ent_validation_splits *splits = recipe->splits;
  size_t parts = ent_pilot_parts(recipe), inputs = splits->inputs;
  size_t outside = splits->valid == NULL ? splits->train.rows : splits->valid->rows;
  ent_path_options options = {
      .omega = recipe->options.omegas == NULL ? ENT_MISSINGNESS_OMEGA : recipe->options.omegas[0],
      .rows = ENT_PILOT_ROWS,
      .validation_rows = ENT_PILOT_VALIDATION_ROWS,
      .max_features = max_features < ENT_PILOT_SIZE ? max_features : ENT_PILOT_SIZE,
      .selection_loss = ENT_BY_SQUARES,
      .time = {.deadline = ent_pilot_deadline(splits, ENT_MISSINGNESS_SHARE),
               .last_deadline = splits->deadline,
               .following = ENT_MODEL_PATHS * recipe->state.following + (double)(parts * ENT_PILOT_SETTINGS)}};
  ent_validation_residuals residuals;
  entropic_status status = residuals_start(context, outside, inputs, &residuals);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t p = 0; p < parts; p++) {
    ent_progress_at(context, "weighting rows with missing values", p, parts);
    status = add_path(context, recipe, p, &options, result, &residuals);
    if (status != ENTROPIC_OK)
      goto done;
  }
  ent_block rows = {.rows = residuals.rows, .x = residuals.x, .x_stride = inputs, .weights = residuals.weights};
  status = ent_missingness_factors(context, &rows, inputs, residuals.squares, factors);
done:
  residuals_clear(&residuals);
  return status;
}

void ent_missingness_weigh(const ent_recipe *recipe, const double *factors, double *weights, double *valid_weights) {
  const ent_validation_splits *splits = recipe->splits;
  size_t inputs = splits->inputs;
  ent_block all = {.rows = splits->train.rows,
                   .x = recipe->missing->x,
                   .x_stride = inputs,
                   .columns = recipe->missing->columns,
                   .weights = splits->train.weights};
  ent_missingness_apply(&all, inputs, factors, weights);
  if (splits->valid == NULL)
    return;
  ent_block others = {.rows = splits->valid->rows,
                      .x = recipe->missing->valid_x,
                      .x_stride = inputs,
                      .columns = recipe->missing->valid_columns,
                      .weights = splits->valid->weights};
  ent_missingness_apply(&others, inputs, factors, valid_weights);
}

/* How much rows with gaps count: see missingness_weights.h and missingness.h. */
#include "tune/missingness_weights.h"

#include <string.h>

#include "base/memory.h"
#include "tune/pilot_search.h"
#include "tune/rules.h"
#include "tune/split.h"
#include "tune/missingness.h"

/* Rows that were tried on, and what was left of them. */
typedef struct ent_left {
  size_t rows;
  double *x; /* as they came: NaN is missing */
  double *weights, *squares;
} ent_left;

static void left_clear(ent_left *left) {
  ent_delete(left->x);
  ent_delete(left->weights);
  ent_delete(left->squares);
}

static entropic_status left_start(entropic_context *context, size_t rows, size_t inputs, ent_left *left) {
  *left = (ent_left){.x = ent_new_matrix(context, rows, inputs, sizeof *left->x),
                     .weights = ent_new(context, rows, sizeof *left->weights),
                     .squares = ent_new(context, rows, sizeof *left->squares)};
  return left->x == NULL || left->weights == NULL || left->squares == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* The rows that a path was tried on. */
static void add_rows(const ent_recipe *recipe, const ent_split *split, const ent_selection *selection, ent_left *left) {
  const ent_trials *trials = recipe->trials;
  bool own = trials->valid != NULL;
  const ent_block *rows = own ? trials->valid : &trials->train;
  const double *x = own ? recipe->missing->valid_x : recipe->missing->x;
  size_t inputs = trials->inputs, targets = trials->targets;
  for (size_t i = 0; i < selection->validation_rows; i++, left->rows++) {
    size_t row = split->out[i];
    memcpy(left->x + left->rows * inputs, x + row * inputs, inputs * sizeof *x);
    left->weights[left->rows] = ent_weight(rows, row);
    left->squares[left->rows] = 0;
    for (size_t k = 0; k < targets; k++) {
      double off = rows->y[row * rows->y_stride + k] - selection->tried[i * targets + k];
      left->squares[left->rows] += off * off / trials->scale[k];
    }
  }
}

/* One path, without part `part`. */
static entropic_status walk(entropic_context *context, const ent_recipe *recipe, size_t part, ent_path_options *learner,
                            ent_found *found, ent_left *left) {
  ent_split split;
  ent_selection selection = {0};
  entropic_status status = ent_split_rows(context, recipe->trials, part, &split);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_split_select(context, recipe, &split, learner, found, &selection);
  if (status == ENTROPIC_OK)
    add_rows(recipe, &split, &selection, left);
  ent_selection_clear(&selection);
  ent_split_clear(&split);
  return status;
}

entropic_status ent_missingness_find(entropic_context *context, const ent_recipe *recipe, size_t most, ent_found *found,
                                     double *factors) {
  const ent_trials *trials = recipe->trials;
  size_t parts = ent_pilot_parts(recipe), inputs = trials->inputs;
  size_t outside = trials->valid == NULL ? trials->train.rows : trials->valid->rows;
  ent_path_options learner = {
      .omega = recipe->omegas == NULL ? ENT_MISSINGNESS_OMEGA : recipe->omegas[0],
      .rows = ENT_PILOT_ROWS,
      .validation_rows = ENT_PILOT_VALIDATION_ROWS,
      .most = most < ENT_PILOT_SIZE ? most : ENT_PILOT_SIZE,
      .selection_loss = ENT_BY_SQUARES,
      .deadline = ent_pilot_deadline(trials, ENT_MISSINGNESS_SHARE),
      .rest = {trials->deadline, ENT_MODEL_PATHS * recipe->rest + (double)(parts * ENT_PILOT_TRIALS)}};
  ent_left left = {0};
  entropic_status status = left_start(context, outside, inputs, &left);
  for (size_t p = 0; p < parts && status == ENTROPIC_OK; p++) {
    ent_trials_tell(trials, "weighing rows with gaps", (double)p / (double)parts);
    status = walk(context, recipe, p, &learner, found, &left);
  }
  if (status == ENTROPIC_OK) {
    ent_block tried = {.rows = left.rows, .x = left.x, .x_stride = inputs, .weights = left.weights};
    status = ent_missingness_factors(context, &tried, inputs, left.squares, factors);
  }
  left_clear(&left);
  return status;
}

void ent_missingness_weigh(const ent_recipe *recipe, const double *factors, double *weights, double *valid_weights) {
  const ent_trials *trials = recipe->trials;
  size_t inputs = trials->inputs;
  ent_block all = {
      .rows = trials->train.rows, .x = recipe->missing->x, .x_stride = inputs, .weights = trials->train.weights};
  ent_missingness_apply(&all, inputs, factors, weights);
  if (trials->valid == NULL)
    return;
  ent_block others = {.rows = trials->valid->rows,
                      .x = recipe->missing->valid_x,
                      .x_stride = inputs,
                      .weights = trials->valid->weights};
  ent_missingness_apply(&others, inputs, factors, valid_weights);
}

/* Factors of missing inputs: see missingness.h.
 *
 * The factors are those of maximum likelihood if squared residuals had a gamma distribution, whose standard deviation is
 * proportional to its mean. For each input, over the rows where it is missing, the mean of the squared residuals over
 * their expectations is then 1. Given the other factors, that is a quotient of two sums, so the factors are updated in
 * turn. */
#include "tune/missingness.h"

#include <math.h>

#include "base/memory.h"
#include "solve/measure.h"

#define ROUNDS 30
#define PRIOR_ROWS 20.0 /* rows of average weight that a factor of 1 is worth a priori */

/* The product of the factors of a row's missing inputs. */
static double expected(const double *x, size_t inputs, const double *factors) {
  double product = 1;
  for (size_t i = 0; i < inputs; i++)
    if (isnan(x[i]))
      product *= factors[i];
  return product;
}

/* The rows, and the estimate so far. */
typedef struct ent_missingness_state {
  const ent_block *rows;
  const double *squares; /* squared residuals */
  double unit;           /* the expectation of a row without missing values */
  double prior;          /* the weight of the prior */
  double *products;      /* the product of factors of each row */
} ent_missingness_state;

/* Updates one factor, and the products it is in. */
static void update_factor(const ent_missingness_state *state, size_t input, double *factor) {
  const ent_block *rows = state->rows;
  double sum = state->prior, count = sum, former = *factor;
  for (size_t r = 0; r < rows->rows; r++) {
    if (!isnan(rows->x[r * rows->x_stride + input]))
      continue;
    sum += ent_weight(rows, r) * state->squares[r] / (state->unit * state->products[r]) * former;
    count += ent_weight(rows, r);
  }
  *factor = count > 0 ? fmax(sum / count, 1) : 1;
  for (size_t r = 0; r < rows->rows && *factor != former; r++)
    if (isnan(rows->x[r * rows->x_stride + input]))
      state->products[r] *= *factor / former;
}

entropic_status ent_missingness_factors(entropic_context *context, const ent_block *rows, size_t inputs,
                                        const double *squares, double *factors) {
  double weight = ent_weight_sum(rows);
  ent_missingness_state state = {.rows = rows,
                                 .squares = squares,
                                 .unit = 1,
                                 .prior = PRIOR_ROWS * weight / (double)rows->rows,
                                 .products = ent_new(context, rows->rows, sizeof *state.products)};
  if (state.products == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < inputs; i++)
    factors[i] = 1;
  for (int round = 0; round < ROUNDS && state.unit > 0; round++) {
    state.unit = 0;
    for (size_t r = 0; r < rows->rows; r++) {
      state.products[r] = expected(rows->x + r * rows->x_stride, inputs, factors);
      state.unit += ent_weight(rows, r) / weight * squares[r] / state.products[r];
    }
    for (size_t i = 0; i < inputs && state.unit > 0; i++)
      update_factor(&state, i, &factors[i]);
  }
  ent_delete(state.products);
  return ENTROPIC_OK;
}

/* The products of all rows whose inputs are columns, a column at a time: the factors in the same order. */
static void expect_columns(const ent_block *rows, size_t inputs, const double *factors, double *products) {
  const ent_inputs from = {rows->x, rows->x_stride, rows->columns};
  ent_inputs_cursor cursor;
  for (size_t r = 0; r < rows->rows; r++)
    products[r] = 1;
  for (size_t i = 0; i < inputs; i++) {
    ent_inputs_start(&from, i, rows->rows, &cursor);
    for (size_t r = 0; r < rows->rows; r++)
      if (isnan(ent_inputs_at(&cursor, r)))
        products[r] *= factors[i];
  }
}

void ent_missingness_apply(const ent_block *rows, size_t inputs, const double *factors, double *weights) {
  double sum = 0;
  if (rows->columns != NULL)
    expect_columns(rows, inputs, factors, weights);
  for (size_t r = 0; r < rows->rows; r++) {
    double product = rows->columns != NULL ? weights[r] : expected(rows->x + r * rows->x_stride, inputs, factors);
    weights[r] = ent_weight(rows, r) / product;
    sum += weights[r];
  }
  double scale = ent_weight_sum(rows) / sum;
  for (size_t r = 0; r < rows->rows; r++)
    weights[r] *= scale;
}

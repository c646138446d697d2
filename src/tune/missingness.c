/* How much rows with gaps count: see missingness.h.
 *
 * The factors are those of greatest likelihood if squares had a gamma distribution, whose deviation is in proportion to
 * its mean, as that of squares is: for each input, over the rows where it is missing, the mean of what is left over
 * what the factors say is 1. Given the others that is a quotient of two sums, so they take turns. */
#include "tune/missingness.h"

#include <math.h>

#include "base/memory.h"
#include "solve/measure.h"

#define ROUNDS 30
#define PRIOR_ROWS 20.0 /* of average weight, that say the factor is 1 */

/* What the factors make of a row. */
static double expected(const double *x, size_t inputs, const double *factors) {
  double product = 1;
  for (size_t i = 0; i < inputs; i++)
    if (isnan(x[i]))
      product *= factors[i];
  return product;
}

/* One factor, given what a row without gaps has left, the unit, and what the factors make of each row, which changes with
 * it. */
static void renew_factor(const ent_block *rows, const double *squares, size_t input, double unit, double prior,
                         double *factor, double *products) {
  double found = prior, count = prior, former = *factor;
  for (size_t r = 0; r < rows->rows; r++) {
    if (!isnan(rows->x[r * rows->x_stride + input]))
      continue;
    found += ent_weight(rows, r) * squares[r] / (unit * products[r]) * former;
    count += ent_weight(rows, r);
  }
  *factor = count > 0 ? fmax(found / count, 1) : 1;
  for (size_t r = 0; r < rows->rows && *factor != former; r++)
    if (isnan(rows->x[r * rows->x_stride + input]))
      products[r] *= *factor / former;
}

entropic_status ent_missingness_factors(entropic_context *context, const ent_block *rows, size_t inputs,
                                        const double *squares, double *factors) {
  double weight = ent_weight_sum(rows), prior = PRIOR_ROWS * weight / (double)rows->rows, unit = 1;
  double *products = ent_new(context, rows->rows, sizeof *products);
  if (products == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < inputs; i++)
    factors[i] = 1;
  for (int round = 0; round < ROUNDS && unit > 0; round++) {
    unit = 0;
    for (size_t r = 0; r < rows->rows; r++) {
      products[r] = expected(rows->x + r * rows->x_stride, inputs, factors);
      unit += ent_weight(rows, r) / weight * squares[r] / products[r];
    }
    for (size_t i = 0; i < inputs && unit > 0; i++)
      renew_factor(rows, squares, i, unit, prior, &factors[i], products);
  }
  ent_delete(products);
  return ENTROPIC_OK;
}

void ent_missingness_apply(const ent_block *rows, size_t inputs, const double *factors, double *weights) {
  double sum = 0;
  for (size_t r = 0; r < rows->rows; r++) {
    weights[r] = ent_weight(rows, r) / expected(rows->x + r * rows->x_stride, inputs, factors);
    sum += weights[r];
  }
  double scale = ent_weight_sum(rows) / sum;
  for (size_t r = 0; r < rows->rows; r++)
    weights[r] *= scale;
}

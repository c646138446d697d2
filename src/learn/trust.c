/* How much rows with gaps count: see trust.h.
 *
 * The factors are those of greatest likelihood if squares had a gamma distribution, whose deviation is in proportion to
 * its mean, as that of squares is: for each input, over the rows where it is missing, the mean of what is left over what
 * the factors say is 1. Given the others that is a quotient of two sums, so they take turns. */
#include "learn/trust.h"

#include <math.h>

#include "learn/measure.h"

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

/* One factor, given the others and what a row without gaps has left, the unit. */
static double next_factor(const ent_block *rows, size_t inputs, const double *squares, const double *factors,
                          size_t input, double unit, double prior) {
  double found = prior, count = prior;
  for (size_t r = 0; r < rows->rows; r++) {
    const double *x = rows->x + r * rows->x_stride;
    if (!isnan(x[input]))
      continue;
    found += ent_weight(rows, r) * squares[r] / (unit * expected(x, inputs, factors)) * factors[input];
    count += ent_weight(rows, r);
  }
  return count > 0 ? fmax(found / count, 1) : 1;
}

void ent_trust_find(const ent_block *rows, size_t inputs, const double *squares, double *factors) {
  double weight = ent_weight_sum(rows), prior = PRIOR_ROWS * weight / (double)rows->rows, unit = 1;
  for (size_t i = 0; i < inputs; i++)
    factors[i] = 1;
  for (int round = 0; round < ROUNDS && unit > 0; round++) {
    unit = 0;
    for (size_t r = 0; r < rows->rows; r++)
      unit += ent_weight(rows, r) / weight * squares[r] / expected(rows->x + r * rows->x_stride, inputs, factors);
    for (size_t i = 0; i < inputs && unit > 0; i++)
      factors[i] = next_factor(rows, inputs, squares, factors, i, unit, prior);
  }
}

void ent_trust_weigh(const ent_block *rows, size_t inputs, const double *factors, double *weights) {
  double sum = 0;
  for (size_t r = 0; r < rows->rows; r++) {
    weights[r] = ent_weight(rows, r) / expected(rows->x + r * rows->x_stride, inputs, factors);
    sum += weights[r];
  }
  double scale = ent_weight_sum(rows) / sum;
  for (size_t r = 0; r < rows->rows; r++)
    weights[r] *= scale;
}

/* Errors on outer validation rows with their standard errors, and gains of one form over another: see outer.h. */
#include <math.h>

#include "model/outer.h"

#define HARDLY 1e-3 /* of the loss: a smaller gain is none */

/* Adds a row to the variance of a weighted mean: its deviation times its share of the weight. */
static void add_deviation(const ent_outer *outer, size_t row, double off, double *variance) {
  *variance += off * off;
  if (outer->group_of != NULL)
    outer->group_sums[outer->group_of[row]] += off;
}

/* The variance by sums of groups, which are independent where rows are not; NaN if there is one group. Clears the
 * sums. */
static double group_variance(const ent_outer *outer) {
  double variance = 0, groups = 0;
  for (size_t r = 0; r < outer->rows; r++) {
    double *sum = &outer->group_sums[outer->group_of[r]];
    if (isnan(*sum))
      continue;
    variance += *sum * *sum;
    groups++;
    *sum = NAN; /* it is counted */
  }
  for (size_t r = 0; r < outer->rows; r++)
    outer->group_sums[outer->group_of[r]] = 0;
  return groups > 1 ? variance * groups / (groups - 1) : NAN;
}

double ent_outer_gain(const ent_outer *outer, ent_form a, ent_form b) {
  double weight = 0, mean = 0, variance = 0, loss = 0;
  for (size_t r = 0; r < outer->rows; r++)
    weight += outer->weights[r];
  for (size_t r = 0; r < outer->rows; r++) {
    mean += outer->weights[r] / weight * (outer->losses[a][r] - outer->losses[b][r]);
    loss += outer->weights[r] / weight * outer->losses[a][r];
  }
  if (!(mean > HARDLY * loss))
    return fmin(mean, 0);
  for (size_t r = 0; r < outer->rows; r++)
    add_deviation(outer, r, outer->weights[r] / weight * (outer->losses[a][r] - outer->losses[b][r] - mean), &variance);
  double by_groups = outer->group_of != NULL ? group_variance(outer) : NAN;
  variance = isnan(by_groups) ? variance : by_groups;
  return variance > 0 ? mean / sqrt(variance) : INFINITY;
}

ent_figures ent_outer_figures(const ent_fit *fit, const ent_outer *outer, ent_form form) {
  ent_figures figures = {.loss = NAN};
  double weight = 0;
  size_t targets = outer->targets;
  bool classes = fit->train->schema.classes > 0;
  /* Nadeau and Bengio's correction: weights vary with the training rows, which the runs share. */
  double shared = outer->taught > 0 ? (double)outer->rows / outer->taught : 0;
  for (size_t r = 0; r < outer->rows; r++)
    weight += outer->weights[r];
  for (size_t k = 0; k < targets; k++) {
    double mean = 0, variance = 0;
    for (size_t r = 0; r < outer->rows; r++)
      mean += outer->weights[r] * outer->errors[form][r * targets + k];
    mean /= weight;
    for (size_t r = 0; r < outer->rows; r++)
      add_deviation(outer, r, outer->weights[r] / weight * (outer->errors[form][r * targets + k] - mean), &variance);
    if (outer->group_of != NULL)
      variance = group_variance(outer);
    variance *= 1 + shared;
    if (classes) {
      figures.error = mean;
      figures.spread = sqrt(variance);
    } else {
      figures.error += ldexp(sqrt(mean), fit->unit[k]) / (double)targets;
      if (mean > 0)
        figures.spread += ldexp(sqrt(variance / mean) / 2, fit->unit[k]) / (double)targets;
    }
  }
  if (classes) {
    figures.loss = 0;
    for (size_t r = 0; r < outer->rows; r++)
      figures.loss += outer->weights[r] * outer->losses[form][r];
    figures.loss /= weight;
  }
  return figures;
}

/* Errors on outer validation rows with their standard errors, and gains of one form over another: see outer.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/outer.h"

#define HARDLY 1e-3            /* of the loss: a smaller gain is none */
#define HEAVIEST ((size_t)100) /* one row of so many is among the heaviest */

/* The variance by sums of groups, which are independent where rows are not; NaN if there is one group. */
static double group_variance(const ent_outer *outer) {
  double variance = 0, groups = 0;
  for (size_t r = 0; r < outer->rows; r++)
    outer->group_sums[outer->group_of[r]] += outer->deviations[r];
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

/* How many times larger the variance of a mean is for rows in order of time that depend on the one before: (1 + c)/(1 - c)
 * with c their correlation, whose estimate is made larger by its bias. */
static double serial_factor(const ent_outer *outer) {
  double squares = 0, products = 0, rows = (double)outer->rows;
  for (size_t i = 0; i < outer->rows; i++) {
    double of = outer->deviations[outer->order[i]];
    squares += of * of;
    products += i > 0 ? of * outer->deviations[outer->order[i - 1]] : 0;
  }
  double c = squares > 0 ? products / squares : 0;
  c = fmin(c + (1 + 3 * c) / rows, 1 - 1 / rows);
  return c > 0 ? (1 + c) / (1 - c) : 1;
}

/* The variance where a few rows have most of the weight: the deviations of those are small, as the mean is theirs. So it
 * is that of a row, by all rows, over the number of rows that the weights are worth. */
static double weighted_variance(const ent_outer *outer, double weight) {
  double squares = 0, concentration = 0;
  for (size_t r = 0; r < outer->rows; r++) {
    double share = outer->weights[r] / weight;
    squares += share > 0 ? outer->deviations[r] * outer->deviations[r] / share : 0;
    concentration += share * share;
  }
  return concentration < 1 ? concentration * squares / (1 - concentration) : NAN;
}

/* The variance of a weighted mean. outer->deviations has those of the rows times their shares of the weight. */
static double variance_of(const ent_outer *outer, double weight) {
  double variance = 0;
  bool uneven = false;
  for (size_t r = 0; r < outer->rows; r++) {
    variance += outer->deviations[r] * outer->deviations[r];
    uneven = uneven || outer->weights[r] != outer->weights[0];
  }
  if (uneven)
    variance = fmax(variance, weighted_variance(outer, weight));
  if (outer->group_of == NULL)
    return variance;
  double by_groups = group_variance(outer);
  return outer->order == NULL || isnan(by_groups) ? by_groups : fmax(by_groups, variance * serial_factor(outer));
}

static double weight_of(const ent_outer *outer) {
  double weight = 0;
  for (size_t r = 0; r < outer->rows; r++)
    weight += outer->weights[r];
  return weight;
}

double ent_outer_gain(const ent_outer *outer, ent_form a, ent_form b) {
  double weight = weight_of(outer), mean = 0, loss = 0, plain = 0;
  for (size_t r = 0; r < outer->rows; r++) {
    mean += outer->weights[r] / weight * (outer->losses[a][r] - outer->losses[b][r]);
    loss += outer->weights[r] / weight * outer->losses[a][r];
  }
  if (!(mean > HARDLY * loss))
    return fmin(mean, 0);
  for (size_t r = 0; r < outer->rows; r++) {
    outer->deviations[r] = outer->weights[r] / weight * (outer->losses[a][r] - outer->losses[b][r] - mean);
    plain += outer->deviations[r] * outer->deviations[r];
  }
  double variance = variance_of(outer, weight);
  variance = isnan(variance) ? plain : variance;
  return variance > 0 ? mean / sqrt(variance) : INFINITY;
}

/* The mean error of target k and its variance. */
static double mean_error(const ent_outer *outer, ent_form form, size_t k, double *variance) {
  double weight = weight_of(outer), mean = 0;
  const double *errors = outer->errors[form] + k;
  for (size_t r = 0; r < outer->rows; r++)
    mean += outer->weights[r] * errors[r * outer->targets];
  mean /= weight;
  for (size_t r = 0; r < outer->rows; r++)
    outer->deviations[r] = outer->weights[r] / weight * (errors[r * outer->targets] - mean);
  *variance = variance_of(outer, weight);
  return mean;
}

ent_figures ent_outer_figures(const ent_fit *fit, const ent_outer *outer, ent_form form) {
  ent_figures figures = {.loss = NAN};
  size_t targets = outer->targets;
  bool classes = ent_schema_has_classes(&fit->train->schema);
  /* Nadeau and Bengio's correction: weights vary with the training rows, which the runs share. */
  double shared = outer->mean_training_rows > 0 ? (double)outer->rows / outer->mean_training_rows : 0;
  for (size_t k = 0; k < targets; k++) {
    double variance, mean = mean_error(outer, form, k, &variance);
    variance *= 1 + shared;
    if (classes) {
      figures.error = mean;
      figures.spread = sqrt(variance);
    } else if (!(mean <= 0)) { /* differences between members may outweigh errors that are all but 0 */
      figures.error += ldexp(sqrt(mean), fit->unit[k]) / (double)targets;
      figures.spread += ldexp(sqrt(variance / mean) / 2, fit->unit[k]) / (double)targets;
    }
  }
  if (classes || ent_fit_has_own_loss(fit)) {
    double weight = weight_of(outer);
    figures.loss = 0;
    for (size_t r = 0; r < outer->rows; r++)
      figures.loss += outer->weights[r] * outer->losses[form][r];
    figures.loss /= weight;
    if (!classes)
      figures.loss = ldexp(figures.loss * fit->scale[0], 2 * fit->unit[0]);
  }
  return figures;
}

size_t ent_outer_reach(const ent_outer *outer, ent_form form) {
  const ent_beyond *beyond = &outer->beyond[form][ENT_BEYOND_OUTSIDE];
  size_t far = 0;
  memcpy(outer->reached, outer->weights, outer->rows * sizeof *outer->reached);
  for (size_t i = 0; i < beyond->rows && outer->goes_on[form] != NULL; i++) {
    const ent_beyond_row *row = &beyond->row[i];
    bool reached = true;
    for (size_t e = row->first; e < row->first + row->count; e++)
      reached = reached && !(outer->goes_on[form][beyond->inputs[e]] && beyond->distances[e] >= 1);
    if (!reached)
      outer->reached[row->at] = 0;
    far += !reached;
  }
  double left = 0;
  for (size_t r = 0; r < outer->rows; r++)
    left += outer->reached[r];
  if (far == 0 || left > 0)
    return far;
  memcpy(outer->reached, outer->weights, outer->rows * sizeof *outer->reached);
  return 0;
}

static int compare_errors(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left < right) - (left > right);
}

double ent_outer_heaviest(const ent_outer *outer, ent_form form, size_t *rows) {
  double sum = 0, heaviest = 0;
  *rows = (outer->rows + HEAVIEST - 1) / HEAVIEST;
  for (size_t r = 0; r < outer->rows; r++)
    sum += outer->deviations[r] = fmax(outer->weights[r] * outer->losses[form][r], 0);
  qsort(outer->deviations, outer->rows, sizeof *outer->deviations, compare_errors);
  for (size_t r = 0; r < *rows; r++)
    heaviest += outer->deviations[r];
  return sum > 0 ? heaviest / sum : 0;
}

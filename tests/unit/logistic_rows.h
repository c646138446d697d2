/* Rows with classes, and the logistic loss and its gradient from their definitions. */
#ifndef LOGISTIC_ROWS_H
#define LOGISTIC_ROWS_H

#include "unit/learning.h"

#include "solve/logistic.h"

/* Noisy classes by the sum of the inputs. */
static inline void set_classes(problem *p, size_t classes, double noise) {
  entropic_random random = entropic_random_start(21, classes);
  for (size_t r = 0; r < p->rows; r++) {
    double sum = noise * entropic_random_normal(&random);
    for (size_t i = 0; i < p->inputs; i++)
      sum += p->x[r * p->inputs + i] / (double)p->inputs;
    double label = floor(sum * (double)classes);
    p->y[r] = fmin(fmax(label, 0), (double)classes - 1);
  }
}

/* Probabilities from their definition. */
static inline void plain_probabilities(const problem *p, const ent_logistic *fit, size_t row,
                                       long double *probabilities) {
  long double sum = 0;
  for (size_t k = 0; k < fit->classes; k++) {
    long double score = 0;
    if (fit->scores > 1 || k == 1) {
      size_t s = fit->scores > 1 ? k : 0;
      score = (long double)plain_prediction(p, row, fit->offsets[s], fit->weights + s * p->features);
    }
    sum += probabilities[k] = expl(score);
  }
  for (size_t k = 0; k < fit->classes; k++)
    probabilities[k] /= sum;
}

/* Sums over all rows, from the definition: gradient[scores * (features + 1)] of the loss, the loss, the weights. */
typedef struct plain_sums {
  long double *gradient, loss, weight;
} plain_sums;

static inline plain_sums sum_plainly(const problem *p, const ent_logistic *fit) {
  size_t features = p->features;
  plain_sums sums = {.gradient = calloc(fit->scores * (features + 1), sizeof *sums.gradient)};
  long double probabilities[8];
  for (size_t r = 0; r < p->rows; r++) {
    plain_probabilities(p, fit, r, probabilities);
    size_t label = (size_t)p->y[r];
    sums.weight += (long double)p->weights[r];
    sums.loss -= p->weights[r] > 0 ? (long double)p->weights[r] * logl(probabilities[label]) : 0;
    for (size_t s = 0; s < fit->scores; s++) {
      size_t k = fit->scores > 1 ? s : 1;
      long double slope = (long double)p->weights[r] * (probabilities[k] - (label == k));
      for (size_t j = 0; j < features; j++)
        sums.gradient[s * (features + 1) + j] += slope * (long double)p->z[r * features + j];
      sums.gradient[s * (features + 1) + features] += slope;
    }
  }
  return sums;
}

/* Objective and largest element of the gradient, from the definition. */
static inline double plain_gradient(const problem *p, const ent_logistic *fit, double lambda, double *objective) {
  size_t features = p->features;
  plain_sums sums = sum_plainly(p, fit);
  long double penalty = 0;
  double most = 0;
  for (size_t s = 0; s < fit->scores; s++)
    for (size_t j = 0; j <= features; j++) {
      long double a = j < features ? (long double)fit->weights[s * features + j] : 0;
      penalty += a * a;
      long double slope = fabsl(sums.gradient[s * (features + 1) + j] / sums.weight + 2 * (long double)lambda * a);
      most = larger(most, (double)slope);
    }
  *objective = (double)(sums.loss / sums.weight + (long double)lambda * penalty);
  free(sums.gradient);
  return most;
}

#endif

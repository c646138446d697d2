/* Ridge on the features of a map, and on a kernel, from their definitions. */
#ifndef PLAIN_RIDGE_H
#define PLAIN_RIDGE_H

#include "unit/learning.h"

#include "baselines/baselines.h"

/* Learns one target from the first rows of x[(train + others) x inputs] and gives the scores of the others. */
static inline void plain_scores(const ent_map *map, const double *x, const double *y, size_t inputs, size_t train,
                                size_t others, double lambda, double *scores) {
  size_t n = map->features, rows = train + others;
  double *z = calloc(rows * n, sizeof *z), mean = 0;
  void *scratch = NULL;
  assert_int_equal(map->calls->scratch_create(NULL, map->self, &scratch), ENTROPIC_OK);
  assert_int_equal(map->calls->dense(NULL, map->self, scratch, x, rows, inputs, z, rows), ENTROPIC_OK);
  map->calls->scratch_free(scratch);
  long double *matrix = calloc(n * n, sizeof *matrix), *right = calloc(n, sizeof *right);
  for (size_t r = 0; r < train; r++)
    mean += y[r] / (double)train;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++)
      for (size_t r = 0; r < train; r++)
        matrix[i * n + j] += (long double)z[i * rows + r] * (long double)z[j * rows + r];
    matrix[i * n + i] += (long double)lambda * (long double)train;
    for (size_t r = 0; r < train; r++)
      right[i] += (long double)z[i * rows + r] * (long double)(y[r] - mean);
  }
  eliminate(matrix, right, n);
  for (size_t r = 0; r < others; r++) {
    scores[r] = mean;
    for (size_t i = 0; i < n; i++)
      scores[r] += (double)right[i] * z[i * rows + train + r];
  }
  free(z);
  free(matrix);
  free(right);
}

static inline double plain_kernel(ent_random_kernel kernel, double sigma, const double *x, const double *y,
                                  size_t inputs) {
  double sum = 0;
  for (size_t i = 0; i < inputs; i++)
    sum += kernel == ENT_RANDOM_GAUSS ? sigma * sigma * (x[i] - y[i]) * (x[i] - y[i]) / 2 : sigma * fabs(x[i] - y[i]);
  return exp(-sum);
}

/* What exact kernel ridge is of. */
typedef struct plain_kernel_ridge {
  ent_random_kernel kernel;
  double sigma, lambda;
  size_t inputs;
} plain_kernel_ridge;

/* As plain_scores, by the kernel itself. */
static inline void plain_kernel_scores(const plain_kernel_ridge *ridge, const double *x, const double *y, size_t train,
                                       size_t others, double *scores) {
  size_t inputs = ridge->inputs;
  long double *matrix = calloc(train * train, sizeof *matrix), *right = calloc(train, sizeof *right);
  double mean = 0;
  for (size_t r = 0; r < train; r++)
    mean += y[r] / (double)train;
  for (size_t i = 0; i < train; i++) {
    for (size_t j = 0; j < train; j++)
      matrix[i * train + j] =
          (long double)plain_kernel(ridge->kernel, ridge->sigma, x + i * inputs, x + j * inputs, inputs);
    matrix[i * train + i] += (long double)ridge->lambda * (long double)train;
    right[i] = (long double)(y[i] - mean);
  }
  eliminate(matrix, right, train);
  for (size_t r = 0; r < others; r++) {
    long double sum = 0;
    for (size_t i = 0; i < train; i++)
      sum += right[i] *
             (long double)plain_kernel(ridge->kernel, ridge->sigma, x + i * inputs, x + (train + r) * inputs, inputs);
    scores[r] = mean + (double)sum;
  }
  free(matrix);
  free(right);
}

#endif

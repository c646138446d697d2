/* Ridge on the features of a map, from its definition. */
#ifndef PLAIN_RIDGE_H
#define PLAIN_RIDGE_H

#include "unit/learning.h"

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

#endif

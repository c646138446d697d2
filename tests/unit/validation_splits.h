/* Training and validation rows, and explicit refits in long double to compare cross-validation with. */
#ifndef VALIDATION_SPLITS_H
#define VALIDATION_SPLITS_H

#include "unit/learning.h"

#include "tune/learner.h"
#include "tune/search.h"

/* Rows with folds, or with validation rows. Targets are a smooth function with noise. */
typedef struct ground {
  size_t rows, others, inputs, targets, folds;
  double *x, *y, *weights; /* of the training rows, then of the validation rows */
  double *z;               /* lifted, if lift_ground was called */
  size_t features;
  size_t *fold_of;
  double scale[16];
  ent_block valid;
  ent_validation_splits splits;
} ground;

typedef struct ground_options {
  size_t rows, others, inputs, targets, folds; /* others > 0: validation rows, no folds */
  bool weighted;
  uint64_t seed;
} ground_options;

/* The ground must stay where it is. */
static inline void ground_start(ground *g, ground_options o) {
  *g = (ground){.rows = o.rows, .others = o.others, .inputs = o.inputs, .targets = o.targets, .folds = o.folds};
  size_t all = o.rows + o.others;
  entropic_random random = entropic_random_start(o.seed, 99);
  g->x = calloc(all * o.inputs, sizeof *g->x);
  g->y = calloc(all * o.targets, sizeof *g->y);
  g->weights = calloc(all, sizeof *g->weights);
  g->fold_of = calloc(o.rows, sizeof *g->fold_of);
  for (size_t i = 0; i < all * o.inputs; i++)
    g->x[i] = entropic_random_uniform(&random);
  for (size_t r = 0; r < all; r++) {
    for (size_t t = 0; t < o.targets; t++)
      g->y[r * o.targets + t] = pow(30, (double)t) * (5 + smooth_target(g->x + r * o.inputs, o.inputs, t) +
                                                      0.3 * entropic_random_normal(&random));
    g->weights[r] = !o.weighted ? 1 : r % 9 == 4 ? 0 : 0.1 + 3 * entropic_random_uniform(&random);
    if (r < o.rows)
      g->fold_of[r] = r < o.folds ? r : (size_t)entropic_random_below(&random, o.folds == 0 ? 1 : o.folds);
  }
  for (size_t t = 0; t < o.targets; t++)
    g->scale[t] = 0.5 * pow(900, (double)t);
  ent_block block = {.rows = o.rows,
                     .x = g->x,
                     .x_stride = o.inputs,
                     .y = g->y,
                     .y_stride = o.targets,
                     .weights = o.weighted ? g->weights : NULL};
  g->valid = block;
  g->valid.rows = o.others;
  g->valid.x += o.rows * o.inputs;
  g->valid.y += o.rows * o.targets;
  g->valid.weights = o.weighted ? g->weights + o.rows : NULL;
  g->splits = (ent_validation_splits){.train = block,
                                      .inputs = o.inputs,
                                      .targets = o.targets,
                                      .valid = o.others > 0 ? &g->valid : NULL,
                                      .fold_of = g->fold_of,
                                      .folds = o.folds,
                                      .scale = g->scale,
                                      .seed = o.seed};
}

static inline void ground_stop(ground *g) {
  free(g->x);
  free(g->y);
  free(g->weights);
  free(g->z);
  free(g->fold_of);
}

static inline void ground_lift(ground *g, const entropic_lift *lift) {
  entropic_csr *csr = NULL;
  assert_int_equal(entropic_lift_csr(NULL, lift, g->x, g->rows + g->others, g->inputs, &csr), ENTROPIC_OK);
  free(g->z);
  g->features = csr->columns;
  g->z = calloc(csr->rows * csr->columns, sizeof *g->z);
  for (size_t r = 0; r < csr->rows; r++)
    for (size_t i = csr->starts[r]; i < csr->starts[r + 1]; i++)
      g->z[r * csr->columns + (size_t)csr->indices[i]] = csr->values[i];
  entropic_csr_free(csr);
}

static inline size_t ground_parts(const ground *g) {
  return g->others > 0 ? 1 : g->folds;
}

/* Whether a row is a validation row of a part, or a training row. */
static inline bool is_out(const ground *g, size_t part, size_t row) {
  return g->others > 0 ? row >= g->rows : g->fold_of[row] == part;
}

static inline bool is_in(const ground *g, size_t part, size_t row) {
  if (g->splits.forward && part != SIZE_MAX)
    return row < g->rows && g->fold_of[row] > part && g->fold_of[row] != ENT_NO_FOLD;
  return row < g->rows && (g->others > 0 || part == SIZE_MAX || g->fold_of[row] != part);
}

/* Ridge from its definition with the first features of z, on the training rows of a part (SIZE_MAX: of all rows):
 * a[features], returns m. */
static inline double refit(const ground *g, size_t part, size_t features, size_t target, double lambda, double *a) {
  bool *counted = calloc(g->rows + 1, sizeof *counted);
  for (size_t r = 0; r < g->rows; r++)
    counted[r] = is_in(g, part, r);
  double mean = solve_ridge_rows(&(ridge_rows){.rows = g->rows,
                                               .features = features,
                                               .z = g->z,
                                               .y = g->y + target,
                                               .weights = g->weights,
                                               .z_stride = g->features,
                                               .y_stride = g->targets,
                                               .counts = counted},
                                 lambda, a);
  free(counted);
  return mean;
}

/* The weighted mean squares on the first parts, each after a refit without it: errors[targets]. */
static inline void explicit_errors(const ground *g, size_t parts, size_t features, double lambda, double *errors) {
  double *a = calloc(features, sizeof *a);
  for (size_t t = 0; t < g->targets; t++) {
    long double sum = 0, weight = 0;
    for (size_t k = 0; k < parts; k++) {
      double mean = refit(g, k, features, t, lambda, a);
      for (size_t r = 0; r < g->rows + g->others; r++) {
        if (!is_out(g, k, r))
          continue;
        long double error = (long double)g->y[r * g->targets + t] - (long double)mean;
        for (size_t i = 0; i < features; i++)
          error -= (long double)a[i] * (long double)g->z[r * g->features + i];
        sum += (long double)g->weights[r] * error * error;
        weight += (long double)g->weights[r];
      }
    }
    errors[t] = (double)(sum / weight);
  }
  free(a);
}

/* Kernel ridge from its definition: (K W + lambda N) c = y - m has the solution that f = m + sum w c k needs. */
static inline void plain_kernel_ridge(const ground *g, const entropic_kernel *kernel, size_t target, double lambda,
                                      long double *c, long double *mean) {
  size_t n = g->rows;
  long double *matrix = calloc(n * n, sizeof *matrix), weight = 0;
  *mean = 0;
  for (size_t r = 0; r < n; r++) {
    weight += (long double)g->weights[r];
    *mean += (long double)g->weights[r] * (long double)g->y[r * g->targets + target];
  }
  *mean /= weight;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++)
      matrix[i * n + j] = (long double)g->weights[j] *
                          (long double)entropic_kernel_value(kernel, g->x + i * g->inputs, g->x + j * g->inputs);
    matrix[i * n + i] += (long double)lambda * weight;
    c[i] = (long double)g->y[i * g->targets + target] - *mean;
  }
  eliminate(matrix, c, n);
  for (size_t i = 0; i < n; i++)
    c[i] *= (long double)g->weights[i];
  free(matrix);
}

static inline void assert_relative(const double *actual, const double *expected, size_t count, double tolerance) {
  for (size_t i = 0; i < count; i++)
    assert_close(actual[i], expected[i], tolerance * fabs(expected[i]));
}

#endif

/* Small learning problems and what their solutions are compared with: plain loops in long double. */
#ifndef LEARNING_H
#define LEARNING_H

#include "unit/lifting.h"

#include "solve/ridge.h"
#include "lift/map.h"

/* Rows, targets and weights, a map, and the lifted rows. */
typedef struct problem {
  size_t rows, inputs, targets, features;
  double *x, *y, *weights; /* row after row */
  double *z;               /* row after row: rows x features */
  entropic_design *design;
  entropic_lift *lift;
  ent_map map;
  ent_memory_rows memory;
  ent_rows source;
} problem;

typedef enum problem_kind { ALL_ONE, WEIGHTED } problem_kind;

static inline void lift_plainly(problem *p) {
  size_t width = entropic_lift_nonzeros(p->lift), starts[2];
  int32_t *columns = calloc(width, sizeof *columns);
  double *values = calloc(width, sizeof *values);
  entropic_workspace *workspace = make_workspace(p->lift);
  for (size_t r = 0; r < p->rows; r++) {
    assert_int_equal(
        entropic_lift_sparse(NULL, p->lift, workspace, p->x + r * p->inputs, 1, p->inputs, starts, columns, values),
        ENTROPIC_OK);
    for (size_t i = 0; i < starts[1]; i++)
      p->z[r * p->features + (size_t)columns[i]] = values[i];
  }
  entropic_workspace_free(workspace);
  free(columns);
  free(values);
}

static inline double smooth_target(const double *x, size_t inputs, size_t target) {
  double sum = 0;
  for (size_t i = 0; i < inputs; i++)
    sum += sin(3 * x[i] + (double)target) + (i > 0 ? x[i] * x[i - 1] : 0);
  return sum;
}

/* Uniform inputs; targets are a smooth function with noise; some weights are 0. nonzeros > 0 asks for a design by
 * that. */
static inline problem problem_start(size_t rows, size_t inputs, size_t features, size_t nonzeros, size_t targets,
                                    problem_kind kind) {
  problem p = {.rows = rows, .inputs = inputs, .targets = targets};
  entropic_random random = entropic_random_start(11, rows);
  entropic_axis_options axis = ent_axis_options_default();
  entropic_kernel *kernel = make_kernel(&axis, 1, inputs);
  entropic_design_options options = ent_design_options_default();
  options.features = nonzeros > 0 ? 0 : features;
  options.nonzeros = nonzeros;
  p.design = make_design(kernel, &options);
  entropic_kernel_free(kernel);
  p.lift = make_lift(p.design, ENTROPIC_LIFT_CODE_BEST);
  p.features = entropic_lift_features(p.lift);
  p.map = ent_map_of_lift(p.lift);
  p.x = calloc(rows * inputs + 1, sizeof *p.x);
  p.y = calloc(rows * targets + 1, sizeof *p.y);
  p.weights = calloc(rows + 1, sizeof *p.weights);
  p.z = calloc(rows * p.features + 1, sizeof *p.z);
  for (size_t i = 0; i < rows * inputs; i++)
    p.x[i] = entropic_random_uniform(&random);
  for (size_t r = 0; r < rows; r++) {
    for (size_t t = 0; t < targets; t++)
      p.y[r * targets + t] = 5 + smooth_target(p.x + r * inputs, inputs, t) + 0.3 * entropic_random_normal(&random);
    p.weights[r] = kind == ALL_ONE ? 1 : r % 7 == 3 ? 0 : 2 * entropic_random_uniform(&random);
  }
  lift_plainly(&p);
  p.memory.all = (ent_block){.rows = rows,
                             .x = p.x,
                             .x_stride = inputs,
                             .y = p.y,
                             .y_stride = targets,
                             .weights = kind == ALL_ONE ? NULL : p.weights};
  p.memory.inputs = inputs;
  p.memory.targets = targets;
  return p;
}

/* The source of rows; the problem must stay where it is. */
static inline const ent_rows *rows_of(problem *p) {
  p->source = ent_rows_of_memory(&p->memory);
  return &p->source;
}

static inline void problem_stop(problem *p) {
  entropic_lift_free(p->lift);
  entropic_design_free(p->design);
  free(p->x);
  free(p->y);
  free(p->weights);
  free(p->z);
}

static inline ent_statistics *statistics_of(problem *p, int threads, ent_grade grade, const double *shift) {
  entropic_context *context = context_with(threads);
  ent_statistics *statistics = NULL;
  ASSERT_OK(context, ent_statistics_create(context, p->features, p->targets, shift, &statistics));
  ASSERT_OK(context, ent_statistics_collect(context, statistics, &p->map, rows_of(p), grade));
  entropic_context_free(context);
  return statistics;
}

/* Solves the n x n equations a x = b (row after row) for one right-hand side, in place; by elimination with pivots. */
static inline void eliminate(long double *a, long double *b, size_t n) {
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabsl(a[i * n + k]) > fabsl(a[best * n + k]))
        best = i;
    for (size_t j = 0; j < n; j++) {
      long double swap = a[k * n + j];
      a[k * n + j] = a[best * n + j];
      a[best * n + j] = swap;
    }
    long double swap = b[k];
    b[k] = b[best];
    b[best] = swap;
    for (size_t i = k + 1; i < n; i++) {
      long double factor = a[i * n + k] / a[k * n + k];
      for (size_t j = k; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; j++)
      b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
}

/* Training rows of a ridge regression with one target: the first `features` of their lifted values. */
typedef struct ridge_rows {
  size_t rows, features;
  const double *z, *y, *weights; /* z[row * z_stride + feature], y[row * y_stride], weights[row] */
  size_t z_stride, y_stride;
  const bool *counts; /* of each row: is it used? */
} ridge_rows;

/* Ridge from its definition: a[features], returns m. */
static inline double solve_ridge_rows(const ridge_rows *all, double lambda, double *a) {
  size_t n = all->features;
  long double *matrix = calloc(n * n, sizeof *matrix), *right = calloc(n, sizeof *right), weight = 0, mean = 0;
  for (size_t r = 0; r < all->rows; r++)
    if (all->counts[r]) {
      weight += (long double)all->weights[r];
      mean += (long double)all->weights[r] * (long double)all->y[r * all->y_stride];
    }
  mean /= weight;
  for (size_t r = 0; r < all->rows; r++) {
    const double *z = all->z + r * all->z_stride;
    for (size_t i = 0; i < n && all->counts[r]; i++) {
      long double w = (long double)all->weights[r] * (long double)z[i];
      right[i] += w * ((long double)all->y[r * all->y_stride] - mean);
      for (size_t j = 0; j < n; j++)
        matrix[i * n + j] += w * (long double)z[j];
    }
  }
  for (size_t i = 0; i < n; i++)
    matrix[i * n + i] += (long double)lambda * weight;
  eliminate(matrix, right, n);
  for (size_t i = 0; i < n; i++)
    a[i] = (double)right[i];
  free(matrix);
  free(right);
  return (double)mean;
}

/* Does a row count? */
typedef bool (*row_filter)(size_t row);

static inline bool every_row(size_t row) {
  (void)row;
  return true;
}

/* Ridge from its definition, on the rows that count; a[features], returns m. */
static inline double plain_ridge(const problem *p, size_t target, double lambda, row_filter counts, double *a) {
  bool *counted = calloc(p->rows + 1, sizeof *counted);
  for (size_t r = 0; r < p->rows; r++)
    counted[r] = counts(r);
  double mean = solve_ridge_rows(&(ridge_rows){.rows = p->rows,
                                               .features = p->features,
                                               .z = p->z,
                                               .y = p->y + target,
                                               .weights = p->weights,
                                               .z_stride = p->features,
                                               .y_stride = p->targets,
                                               .counts = counted},
                                 lambda, a);
  free(counted);
  return mean;
}

/* m + a.z of a row. */
static inline double plain_prediction(const problem *p, size_t row, double mean, const double *a) {
  long double sum = (long double)mean;
  for (size_t i = 0; i < p->features; i++)
    sum += (long double)a[i] * (long double)p->z[row * p->features + i];
  return (double)sum;
}

static inline double largest_difference(const double *a, const double *b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    most = larger(most, fabs(a[i] - b[i]));
  return most;
}

#endif

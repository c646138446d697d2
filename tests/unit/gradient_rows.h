/* Sums of the gradient of parts of a problem. */
#ifndef GRADIENT_ROWS_H
#define GRADIENT_ROWS_H

#include "unit/logistic_rows.h"

#include "base/memory.h"
#include "sums/gradient_sums.h"

/* Some rows of a problem, as a source; it points to its own members. */
typedef struct some_rows {
  ent_memory_rows memory;
  ent_rows source;
} some_rows;

static inline void some_rows_start(some_rows *some, const problem *p, size_t first, size_t count) {
  some->memory = p->memory;
  ent_block *all = &some->memory.all;
  all->rows = count;
  all->x += first * all->x_stride;
  all->y += first * all->y_stride;
  all->weights = all->weights == NULL ? NULL : all->weights + first;
  some->source = ent_rows_of_memory(&some->memory);
}

/* A fit with random weights. */
static inline ent_logistic *random_fit(const problem *p, size_t classes, double size, uint64_t seed) {
  entropic_random random = entropic_random_start(31, seed);
  ent_logistic *fit = ent_logistic_new(NULL, p->features, classes);
  assert_non_null(fit);
  for (size_t i = 0; i < fit->scores * p->features; i++)
    fit->weights[i] = size * entropic_random_normal(&random);
  for (size_t k = 0; k < fit->scores; k++)
    fit->offsets[k] = size * entropic_random_normal(&random);
  return fit;
}

static inline ent_linear linear_of(const ent_logistic *fit) {
  return (ent_linear){.weights = fit->weights, .offsets = fit->offsets, .count = fit->scores};
}

/* Weights of problems are below 2. */
#define WEIGHT_EXPONENT 1

static inline ent_gradient_sums *no_sums(const problem *p, size_t classes) {
  ent_gradient_sums *sums = NULL;
  assert_int_equal(ent_gradient_sums_create(NULL, &p->map, classes, WEIGHT_EXPONENT, &sums), ENTROPIC_OK);
  return sums;
}

/* The sums of rows first .. first + count - 1. */
static inline ent_gradient_sums *sums_of(const problem *p, const ent_logistic *at, size_t first, size_t count,
                                         int threads) {
  entropic_context *context = context_with(threads);
  ent_gradient_sums *sums = no_sums(p, at->classes);
  some_rows some;
  some_rows_start(&some, p, first, count);
  const ent_linear point = linear_of(at);
  ASSERT_OK(context, ent_gradient_sums_add_rows(context, sums, &p->map, &some.source, &point));
  entropic_context_free(context);
  return sums;
}

static inline unsigned char *bytes_of(const ent_gradient_sums *sums, size_t *count) {
  unsigned char *bytes = NULL;
  assert_int_equal(ent_gradient_sums_to_bytes(NULL, sums, &bytes, count), ENTROPIC_OK);
  return bytes;
}

static inline void assert_same_sums(const ent_gradient_sums *a, const ent_gradient_sums *b) {
  size_t a_count, b_count;
  unsigned char *of_a = bytes_of(a, &a_count), *of_b = bytes_of(b, &b_count);
  assert_int_equal(a_count, b_count);
  assert_memory_equal(of_a, of_b, a_count);
  ent_delete(of_a);
  ent_delete(of_b);
}

/* Another map for the problem: inputs may be missing, and every fifth is. */
static inline void make_missing(problem *p, size_t features) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.missing = true;
  entropic_kernel *kernel = make_kernel(&axis, 1, p->inputs);
  entropic_design_options options = ent_design_options_default();
  options.features = features;
  entropic_lift_free(p->lift);
  entropic_design_free(p->design);
  p->design = make_design(kernel, &options);
  entropic_kernel_free(kernel);
  p->lift = make_lift(p->design, ENTROPIC_LIFT_CODE_BEST);
  p->features = entropic_lift_features(p->lift);
  p->map = ent_map_of_lift(p->lift);
  for (size_t i = 0; i < p->rows * p->inputs; i += 5)
    p->x[i] = NAN;
  p->memory.all.missing = true;
  free(p->z);
  p->z = calloc(p->rows * p->features + 1, sizeof *p->z);
  lift_plainly(p);
}

#endif

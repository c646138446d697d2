/* Running out of memory in dense linear algebra: each call says so, leaks nothing, and works once there is memory
 * again. */
#include "unit/tests.h"

#include "base/dense.h"
#include "base/factor.h"
#include "fault/failing_malloc.h"

#define MOST ((size_t)500) /* rows: more than are factored at once */

/* A matrix and what is made of it. */
typedef struct setting {
  entropic_context *context;
  size_t n;
  const double *matrix;
  double *a, *b, *d, *e, *tau;
} setting;

static entropic_status make_rooms(void *argument) {
  setting *at = argument;
  ent_dense *dense = untouched();
  entropic_status status = ent_dense_create(at->context, 3, at->n, &dense);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, dense);
  ent_dense_free(dense);
  return ENTROPIC_OK;
}

/* The factor, and solutions for one right-hand side and for several. */
static entropic_status factor(void *argument) {
  setting *at = argument;
  bool positive = false;
  memcpy(at->a, at->matrix, at->n * at->n * sizeof *at->a);
  entropic_status status = ent_cholesky(at->context, at->a, at->n, &positive);
  if (status != ENTROPIC_OK) {
    assert_false(positive);
    return check_failed(status, at->context, untouched());
  }
  assert_true(positive);
  for (size_t count = 1; count <= 5; count += 4) {
    status = ent_cholesky_solve(at->context, at->a, at->n, at->b, count);
    if (status != ENTROPIC_OK)
      return check_failed(status, at->context, untouched());
  }
  return ENTROPIC_OK;
}

static entropic_status reduce(void *argument) {
  setting *at = argument;
  ent_tridiagonal t = {.n = at->n, .a = at->a, .d = at->d, .e = at->e, .tau = at->tau};
  memcpy(at->a, at->matrix, at->n * at->n * sizeof *at->a);
  entropic_status status = ent_tridiagonal_reduce(at->context, &t);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, untouched());
  for (int transpose = 0; transpose < 2; transpose++) {
    status = ent_tridiagonal_apply(at->context, &t, transpose, at->b, 5);
    if (status != ENTROPIC_OK)
      return check_failed(status, at->context, untouched());
  }
  return ENTROPIC_OK;
}

/* Each with one thread and with several, for small matrices and for one of several tiles. */
static void each_allocation_fails(fault_run run, long least) {
  static double matrix[MOST * MOST], a[MOST * MOST], b[5 * MOST], d[MOST], e[MOST], tau[MOST];
  static const size_t sizes[] = {1, 40, MOST};
  for (int threads = 1; threads <= 3; threads += 2)
    for (size_t i = 0; i < COUNT(sizes); i++) {
      size_t n = sizes[i];
      for (size_t k = 0; k < n * n; k++)
        matrix[k] = k % (n + 1) == 0 ? (double)n : 1 / (double)(1 + k % 7);
      for (size_t k = 0; k < 5 * n; k++)
        b[k] = 1;
      setting at = {
          .context = context_with(threads), .n = n, .matrix = matrix, .a = a, .b = b, .d = d, .e = e, .tau = tau};
      assert_true(expect_each_allocation_failure(run, &at) >= least);
      entropic_context_free(at.context);
    }
}

static void rooms(void **state) {
  (void)state;
  each_allocation_fails(make_rooms, 2);
}

static void factors(void **state) {
  (void)state;
  each_allocation_fails(factor, 6);
}

static void tridiagonal_forms(void **state) {
  (void)state;
  each_allocation_fails(reduce, 11);
}

static void nothing_to_free(void **state) {
  (void)state;
  ent_dense_free(NULL);
}

SUITE(dense_faults) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rooms),
      cmocka_unit_test(factors),
      cmocka_unit_test(tridiagonal_forms),
      cmocka_unit_test(nothing_to_free),
  };
  return cmocka_run_group_tests_name("dense_faults", tests, NULL, NULL);
}

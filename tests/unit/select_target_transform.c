/* Target transforms: which root suits a target, and its inverse. */
#include "unit/validation_splits.h"

#include "select/target_transform.h"
#include "solve/measure.h"

enum { ROWS = 400 };

/* Counts and the like: many small values, few large ones. */
static void fill(double *y, double *weights) {
  entropic_random random = entropic_random_start(3, 1);
  for (size_t r = 0; r < ROWS; r++) {
    y[r] = 5 - 3 * log(1 - entropic_random_uniform(&random));
    weights[r] = 0.5 + entropic_random_uniform(&random);
  }
}

static ent_block block_of(const double *y, const double *weights) {
  return (ent_block){.rows = ROWS, .y = y, .y_stride = 1, .weights = weights};
}

/* Skewness as the mean of cubes of what has mean 0 and variance 1. */
static double skewness(const double *y, const double *weights) {
  long double weight = 0, mean = 0, variance = 0, cubes = 0;
  for (size_t r = 0; r < ROWS; r++) {
    weight += weights[r];
    mean += weights[r] * (long double)y[r];
  }
  mean /= weight;
  for (size_t r = 0; r < ROWS; r++)
    variance += weights[r] * (y[r] - mean) * (y[r] - mean) / weight;
  for (size_t r = 0; r < ROWS; r++)
    cubes += weights[r] * powl((y[r] - mean) / sqrtl(variance), 3) / weight;
  return (double)cubes;
}

static void crowded_end(void **state) {
  (void)state;
  double y[ROWS], other[ROWS], weights[ROWS], least = INFINITY, most = -INFINITY;
  fill(y, weights);
  for (size_t r = 0; r < ROWS; r++) {
    least = fmin(least, y[r]);
    most = fmax(most, y[r]);
  }
  ent_target_transform transform;
  ent_block rows = block_of(y, weights);
  double skew = ent_target_transform_find(&rows, true, &transform);
  assert_true(fabs(skew - skewness(y, weights)) < 1e-12 * skew && skew > 1);
  /* Rounded outward: the end is the target of one row. */
  double origin = transform.origin;
  assert_true(transform.sign == 1 && transform.bias == 0);
  assert_true(origin < least && origin >= least - (most - least) / 256);
  /* Other units and the other sign: a power of 2, so that not a bit is lost. */
  for (size_t r = 0; r < ROWS; r++)
    other[r] = -8 * y[r];
  rows = block_of(other, weights);
  assert_true(fabs(ent_target_transform_find(&rows, true, &transform) - skew) < 1e-12 * skew);
  assert_true(transform.sign == -1 && transform.origin == -8 * origin);
  /* An end that ten rows share is the origin itself. */
  for (size_t r = 0; r < ROWS; r++)
    other[r] = r < 10 ? least : y[r];
  ent_target_transform_find(&rows, true, &transform);
  assert_true(transform.origin == least);
  for (size_t r = 0; r < ROWS; r++)
    other[r] = 3;
  assert_true(ent_target_transform_find(&rows, true, &transform) == 0);
}

static void there_and_back(void **state) {
  (void)state;
  double y[ROWS], weights[ROWS], roots[ROWS];
  fill(y, weights);
  for (double sign = -1; sign <= 1; sign += 2) {
    ent_target_transform transform;
    ent_block rows = block_of(y, weights);
    for (size_t r = 0; r < ROWS; r++)
      y[r] *= sign;
    ent_target_transform_find(&rows, true, &transform);
    assert_true(transform.sign == sign);
    for (size_t r = 0; r < ROWS; r++) {
      roots[r] = ent_target_transform_apply(&transform, y[r]);
      assert_true(fabs(roots[r] * roots[r] - fabs(y[r] - transform.origin)) < 1e-12);
    }
    ent_target_transform_invert(&transform, ROWS, roots);
    for (size_t r = 0; r < ROWS; r++)
      assert_true(fabs(roots[r] - y[r]) < 1e-12);
    assert_true(ent_target_transform_apply(&transform, transform.origin - sign) == 0); /* beyond the end */
    double below = -2;
    transform.bias = 0.5;
    ent_target_transform_invert(&transform, 1, &below);
    assert_true(fabs(below - (transform.origin + sign * 0.5)) < 1e-12);
    for (size_t r = 0; r < ROWS; r++)
      y[r] *= sign; /* as it was */
  }
  ent_target_transform none = {0};
  double same = -7.25;
  ent_target_transform_invert(&none, 1, &same);
  assert_true(same == -7.25);
}

/* With the retransformation bias, squares are right on average; it is never negative. */
static void rises(void **state) {
  (void)state;
  double y[ROWS], weights[ROWS], roots[ROWS], mean = 0, squares = 0, weight = 0;
  fill(y, weights);
  ent_target_transform transform;
  ent_block rows = block_of(y, weights);
  entropic_random random = entropic_random_start(4, 1);
  ent_target_transform_find(&rows, true, &transform);
  for (size_t r = 0; r < ROWS; r++)
    roots[r] = 0.7 * ent_target_transform_apply(&transform, y[r]) + 0.1 * entropic_random_normal(&random);
  transform.bias = ent_target_transform_bias(&transform, &rows, roots);
  assert_true(transform.bias > 0.5);
  ent_target_transform_invert(&transform, ROWS, roots);
  for (size_t r = 0; r < ROWS; r++) {
    mean += weights[r] * y[r];
    squares += weights[r] * roots[r];
    weight += weights[r];
  }
  assert_true(fabs(mean - squares) < 1e-12 * weight * mean);
  for (size_t r = 0; r < ROWS; r++)
    roots[r] = 100;
  assert_true(ent_target_transform_bias(&transform, &rows, roots) == 0);
}

SUITE(select_target_transform) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(crowded_end), cmocka_unit_test(there_and_back),
                                     cmocka_unit_test(rises)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

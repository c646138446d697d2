/* Roots of targets: which suits a target, and the way there and back. */
#include "unit/validation_splits.h"

#include "loss/root.h"

enum { ROWS = 400 };

/* Counts and the like: many small values, few large ones. */
static void fill(double *y, double *weights) {
  entropic_random random = entropic_random_start(3, 1);
  for (size_t r = 0; r < ROWS; r++) {
    y[r] = 5 - 3 * log(1 - entropic_random_uniform(&random));
    weights[r] = 0.5 + entropic_random_uniform(&random);
  }
}

static ent_link_targets targets_of(const double *y, const double *weights) {
  return (ent_link_targets){.rows = ROWS, .y = y, .stride = 1, .weights = weights};
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
  ent_link link;
  ent_link_targets rows = targets_of(y, weights);
  double skew = ent_root_find(&rows, true, &link);
  assert_true(fabs(skew - skewness(y, weights)) < 1e-12 * skew && skew > 1);
  /* Rounded outward: the end is the target of one row. */
  double origin = link.origin;
  assert_true(link.sign == 1 && link.bias == 0);
  assert_true(origin < least && origin >= least - (most - least) / 256);
  /* Other units and the other sign: a power of 2, so that not a bit is lost. */
  for (size_t r = 0; r < ROWS; r++)
    other[r] = -8 * y[r];
  rows = targets_of(other, weights);
  assert_true(fabs(ent_root_find(&rows, true, &link) - skew) < 1e-12 * skew);
  assert_true(link.sign == -1 && link.origin == -8 * origin);
  /* An end that ten rows share is the origin itself. */
  for (size_t r = 0; r < ROWS; r++)
    other[r] = r < 10 ? least : y[r];
  ent_root_find(&rows, true, &link);
  assert_true(link.origin == least);
  for (size_t r = 0; r < ROWS; r++)
    other[r] = 3;
  assert_true(ent_root_find(&rows, true, &link) == 0);
}

static void there_and_back(void **state) {
  (void)state;
  double y[ROWS], weights[ROWS], roots[ROWS];
  fill(y, weights);
  for (double sign = -1; sign <= 1; sign += 2) {
    ent_link link;
    ent_link_targets rows = targets_of(y, weights);
    for (size_t r = 0; r < ROWS; r++)
      y[r] *= sign;
    ent_root_find(&rows, true, &link);
    assert_true(link.sign == sign);
    for (size_t r = 0; r < ROWS; r++) {
      roots[r] = ent_link_score(&link, y[r]);
      assert_true(fabs(roots[r] * roots[r] - fabs(y[r] - link.origin)) < 1e-12);
    }
    ent_link_predict(&link, ROWS, roots);
    for (size_t r = 0; r < ROWS; r++)
      assert_true(fabs(roots[r] - y[r]) < 1e-12);
    assert_true(ent_link_score(&link, link.origin - sign) == 0); /* beyond the end */
    double below = -2;
    link.bias = 0.5;
    ent_link_predict(&link, 1, &below);
    assert_true(fabs(below - (link.origin + sign * 0.5)) < 1e-12);
    for (size_t r = 0; r < ROWS; r++)
      y[r] *= sign; /* as it was */
  }
  ent_link none = {0};
  double same = -7.25;
  ent_link_predict(&none, 1, &same);
  assert_true(same == -7.25);
}

/* With the retransformation bias, squares are right on average; it is never negative. */
static void rises(void **state) {
  (void)state;
  double y[ROWS], weights[ROWS], roots[ROWS], mean = 0, squares = 0, weight = 0;
  fill(y, weights);
  ent_link link;
  ent_link_targets rows = targets_of(y, weights);
  entropic_random random = entropic_random_start(4, 1);
  ent_root_find(&rows, true, &link);
  for (size_t r = 0; r < ROWS; r++)
    roots[r] = 0.7 * ent_link_score(&link, y[r]) + 0.1 * entropic_random_normal(&random);
  link.bias = ent_root_bias(&link, &rows, roots);
  assert_true(link.bias > 0.5);
  ent_link_predict(&link, ROWS, roots);
  for (size_t r = 0; r < ROWS; r++) {
    mean += weights[r] * y[r];
    squares += weights[r] * roots[r];
    weight += weights[r];
  }
  assert_true(fabs(mean - squares) < 1e-12 * weight * mean);
  for (size_t r = 0; r < ROWS; r++)
    roots[r] = 100;
  assert_true(ent_root_bias(&link, &rows, roots) == 0);
}

SUITE(loss_root) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(crowded_end), cmocka_unit_test(there_and_back),
                                     cmocka_unit_test(rises)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

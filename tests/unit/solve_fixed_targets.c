/* Targets in two columns of fixed-point statistics, and the doubles of some features. */
#include "unit/fixed_rows.h"

#include "sums/fixed_targets.h"
#include "unit/fixture.h"

enum { ROWS = 400, FEATURES = 7, TARGETS = 2 };

/* Both columns are within their scales, add up to the target to the last bit, and are whole multiples of their units. */
static void check_split(double target, double shift, int exponent) {
  double parts[ENT_FIXED_MOST_SLICES], off = target - shift;
  assert_true(ent_fixed_split(target, shift, exponent, 2, parts));
  int low = ent_fixed_slice_exponent(exponent, 1);
  assert_int_equal(low, exponent - 46);
  assert_true(fabs(parts[0]) <= ldexp(1, exponent) && fabs(parts[1]) <= ldexp(1, low));
  assert_true(ldexp(parts[0], 45 - exponent) == rint(ldexp(parts[0], 45 - exponent)));
  assert_true(parts[0] + parts[1] == off);
  assert_true((long double)parts[0] + parts[1] == (long double)off);
  if (fabs(off) >= ldexp(1, exponent - 38)) /* then all of it is a multiple of the lower unit */
    assert_true(ldexp(parts[1], 45 - low) == rint(ldexp(parts[1], 45 - low)));
}

static void splits(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(1, 1);
  for (size_t i = 0; i < 20000; i++) {
    int exponent = (int)entropic_random_below(&random, 200) - 100;
    double size = ldexp(entropic_random_uniform(&random), -(int)entropic_random_below(&random, 60));
    double sign = entropic_random_below(&random, 2) == 0 ? 1 : -1;
    check_split(ldexp(sign * size, exponent - 1), i % 3 == 0 ? ldexp(0.25, exponent) : 0, exponent);
  }
  check_split(8, 0, 3);
  check_split(-8, 0, 3);
  check_split(0, 0, 3);
}

static void beyond(void **state) {
  (void)state;
  double parts[2] = {7, 7};
  assert_false(ent_fixed_split(nextafter(8, 9), 0, 3, 2, parts));
  assert_false(ent_fixed_split(-9, 0, 3, 2, parts));
  assert_false(ent_fixed_split(NAN, 0, 3, 2, parts));
  assert_false(ent_fixed_split(INFINITY, 0, 3, 2, parts));
  assert_false(ent_fixed_split(1, -8, 3, 2, parts));
  assert_true(parts[0] == 7 && parts[1] == 7);
  assert_true(ent_fixed_split(-1, 0, 0, 1, parts));
  assert_true(parts[0] == -1 && parts[1] == 7);
}

/* Targets of which one has a value of 1e4 deviations: sums are those of long doubles, to the accuracy of the features. */
static void sums(void **state) {
  (void)state;
  double z[ROWS * FEATURES], x[ROWS], y[ROWS * TARGETS * 2], t[ROWS * TARGETS];
  static const int target_exponents[TARGETS] = {14, 1};
  static const double shift[TARGETS] = {0.5, -0.25};
  static const uint32_t some[] = {1, 4, 6};
  int exponents[FEATURES + 1 + 2 * TARGETS] = {0};
  entropic_random random = entropic_random_start(2, 1);
  for (size_t i = 0; i < ROWS * FEATURES; i++)
    z[i] = entropic_random_below(&random, 3) == 0 ? 0 : 2 * entropic_random_uniform(&random) - 1;
  for (size_t r = 0; r < ROWS; r++) {
    x[r] = (double)r;
    t[r * TARGETS] = r == 77 ? 1e4 : fmax(fmin(entropic_random_normal(&random), 4), -4);
    t[r * TARGETS + 1] = entropic_random_uniform(&random);
    for (size_t k = 0; k < TARGETS; k++)
      assert_true(ent_fixed_split(t[r * TARGETS + k], shift[k], target_exponents[k], 2, y + (r * TARGETS + k) * 2));
  }
  for (size_t k = 0; k < 2 * TARGETS; k++)
    exponents[FEATURES + 1 + k] = ent_fixed_slice_exponent(target_exponents[k / 2], k % 2);
  ent_fixed_shape shape = {
      .grade = ENT_GRADE_EXACT, .features = FEATURES, .targets = 2 * TARGETS, .exponents = exponents};
  ent_fixed *fixed = NULL;
  ent_statistics *s = NULL;
  table_map table = {.rows = ROWS, .features = FEATURES, .z = z};
  ent_map map = {.calls = &table_calls, .self = &table, .inputs = 1, .features = FEATURES, .nonzeros = FEATURES};
  ent_memory_rows memory = {.all = {.rows = ROWS, .x = x, .x_stride = 1, .y = y, .y_stride = 2 * TARGETS},
                            .inputs = 1,
                            .targets = 2 * TARGETS};
  ent_rows rows = ent_rows_of_memory(&memory);
  ASSERT_OK(context, ent_fixed_create(context, &shape, &fixed));
  ASSERT_OK(context, ent_fixed_collect(context, fixed, &map, &rows, NULL));
  ent_fixed_targets targets = {TARGETS, 2, target_exponents, shift};
  ASSERT_OK(context, ent_fixed_gather(context, fixed, &targets, some, COUNT(some), &s));
  assert_true(s->weight == ROWS && s->rows == ROWS && s->features == 3 && s->targets == TARGETS);
  for (size_t b = 0; b < s->size; b++)
    for (size_t a = 0; a <= b; a++) {
      long double sum = 0, size = 0;
      for (size_t r = 0; r < ROWS; r++) {
        long double value[2];
        const size_t column[2] = {a, b};
        for (size_t k = 0; k < 2; k++)
          value[k] = column[k] < 3    ? z[r * FEATURES + some[column[k]]]
                     : column[k] == 3 ? 1
                                      : (long double)t[r * TARGETS + column[k] - 4] - shift[column[k] - 4];
        sum += value[0] * value[1];
        size += fabsl(value[0] * value[1]);
      }
      assert_close(ent_product(s, a, b), sum, 1e-12 * (double)size);
      if (a >= 3) /* targets are exact, so their sums are correctly rounded but for the last additions */
        assert_close(ent_product(s, a, b), sum, 1e-15 * (double)size);
    }
  ent_statistics_free(s);
  targets.slices = 1;
  assert_int_equal(ent_fixed_gather(context, fixed, &targets, some, COUNT(some), &s), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "columns of targets");
  ent_fixed_free(fixed);
}

/* Sums that so many rows can have, and others. */
static void possible(void **state) {
  (void)state;
  int exponents[3] = {0};
  ent_fixed_shape shape = {.grade = ENT_GRADE_EXACT, .features = 1, .targets = 1, .exponents = exponents};
  ent_fixed *a = NULL, *b = NULL;
  ASSERT_OK(context, ent_fixed_create(context, &shape, &a));
  ASSERT_OK(context, ent_fixed_create(context, &shape, &b));
  assert_true(ent_fixed_possible(a, NULL) && ent_fixed_possible(a, b));
  ent_int128 product = (ent_int128)1 << 90;
  a->rows = 3;
  a->totals[1] = -3 * product;
  assert_true(ent_fixed_possible(a, NULL));
  a->totals[1]--;
  assert_false(ent_fixed_possible(a, NULL));
  a->totals[1] = 0;
  a->totals[2] = 3 * product + 1;
  assert_false(ent_fixed_possible(a, NULL));
  a->totals[2] = -1;
  assert_false(ent_fixed_possible(a, NULL));
  a->totals[2] = 2 * product;
  b->rows = 2;
  b->totals[2] = product;
  assert_true(ent_fixed_possible(a, b));
  b->totals[2] = 0; /* one row cannot have what is left */
  assert_false(ent_fixed_possible(a, b));
  b->totals[2] = 2 * product + 1;
  assert_false(ent_fixed_possible(a, b));
  b->rows = 4;
  assert_false(ent_fixed_possible(a, b));
  a->rows = b->rows = 1;
  a->totals[2] = b->totals[2] = 0;
  a->totals[1] = (ent_int128)1 << 126; /* differences beyond 128 bits */
  b->totals[1] = -(a->totals[1] + (a->totals[1] - 1)) - 1;
  assert_false(ent_fixed_possible(a, b));
  ent_fixed_free(a);
  ent_fixed_free(b);
}

SUITE(solve_fixed_targets) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(splits), cmocka_unit_test(beyond), cmocka_unit_test(sums),
                                     cmocka_unit_test(possible)};
  return cmocka_run_group_tests_name("solve_fixed_targets", tests, start, stop);
}

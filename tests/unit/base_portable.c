/* Logarithms and rounded figures that are the same on every processor. */
#include "unit/tests.h"

#include "base/portable.h"

/* The bits of results, written down: they must not change with the processor, the compiler or the C library. */
static void logarithms_are_the_same_everywhere(void **state) {
  (void)state;
  static const struct {
    double x, log2;
  } cases[] = {
      {3, 0x1.95c01a39fbd69p+0},     {0.1, -0x1.a934f0979a371p+1},     {0.7, -0x1.0776228967d14p-1},
      {1e300, 0x1.f24a09f1a8b89p+9}, {1e-310, -0x1.01730dabca5f6p+10}, {1.0000001, 0x1.35d0fea5fccb6p-23},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    if (!(ent_log2(cases[i].x) == cases[i].log2))
      fail_msg("log2(%a) is %a, expected %a", cases[i].x, ent_log2(cases[i].x), cases[i].log2);
}

static void logarithms_are_exact(void **state) {
  (void)state;
  for (int e = -1074; e <= 1023; e++)
    assert_true(ent_log2(ldexp(1, e)) == e);
  entropic_random random = entropic_random_start(1, 0);
  for (int i = 0; i < 100000; i++) {
    double x = ldexp(0.5 + 0.5 * entropic_random_uniform(&random), i % 41 - 20);
    long double exact = log2l((long double)x);
    assert_true(fabsl((long double)ent_log2(x) - exact) <= 0x1p-51L * fabsl(exact));
  }
  /* Near 1, where logarithms are small. */
  for (int i = 1; i < 53; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double x = 1 + sign * ldexp(1, -i);
      long double exact = log2l((long double)x);
      assert_true(fabsl((long double)ent_log2(x) - exact) <= 0x1p-51L * fabsl(exact));
    }
}

/* The same of log(1 + x). */
static void logarithms_near_1(void **state) {
  (void)state;
  static const struct {
    double x, log1p;
  } cases[] = {
      {0.10000000000000001, 0x1.8663f793c46c7p-4},     {1, 0x1.62e42fefa39efp-1},       {3, 0x1.62e42fefa39efp+0},
      {0.69999999999999996, 0x1.0fae81914a991p-1},     {20.25, 0x1.8736b3e74291cp+1},   {700.5, 0x1.a367f8a1bfec7p+2},
      {1.0000000000000001e-09, 0x1.12e0be801f1d9p-30}, {123.456, 0x1.34bba22cd5df5p+2},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    if (!(ent_log1p(cases[i].x) == cases[i].log1p))
      fail_msg("log1p(%a) is %a, expected %a", cases[i].x, ent_log1p(cases[i].x), cases[i].log1p);
  assert_true(ent_log1p(0) == 0);
  entropic_random random = entropic_random_start(3, 0);
  for (int i = 0; i < 200000; i++) {
    double share = entropic_random_uniform(&random), x = i % 2 ? 1000 * share : ldexp(share, i % 64 - 60);
    long double log = log1pl((long double)x);
    assert_true(fabsl((long double)ent_log1p(x) - log) <= 0x1p-51L * log);
  }
}

static void figures_are_rounded(void **state) {
  (void)state;
  static const struct {
    double value;
    int digits;
    double expected;
  } cases[] = {
      {1.23456789, 6, 1.23457},
      {-1.23456789, 6, -1.23457},
      {0.1234564999, 6, 0.123456},
      {1234565, 6, 1234570},
      {0.5, 1, 0.5},
      {0.25, 1, 0.3},
      {999999.6, 6, 1e6},
      {1e-320, 3, 1e-320},
      {123e-300, 6, 123e-300},
      {1.7976931348623157e308, 2, 1.7976931348623157e308}, /* 1.8e308 is no double */
      {1e22, 6, 1e22},
      {0, 6, 0},
      {HUGE_VAL, 6, HUGE_VAL},
      {-HUGE_VAL, 6, -HUGE_VAL},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    double rounded = ent_round_digits(cases[i].value, cases[i].digits);
    if (!(rounded == cases[i].expected))
      fail_msg("%.17g becomes %.17g, expected %.17g", cases[i].value, rounded, cases[i].expected);
  }
  assert_true(isnan(ent_round_digits(NAN, 6)));
  assert_true(signbit(ent_round_digits(-0.0, 6)));
}

/* Rounded numbers stay, and are what printf makes of the number, but for exact halves. */
static void rounding_is_that_of_decimals(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(2, 0);
  for (int i = 0; i < 100000; i++) {
    double value = ldexp(entropic_random_normal(&random), i % 201 - 100), expected;
    char text[64];
    snprintf(text, sizeof text, "%.5e", value);
    assert_int_equal(entropic_parse_double(text, strlen(text), &expected), ENTROPIC_OK);
    double rounded = ent_round_digits(value, 6);
    assert_true(rounded == expected);
    assert_true(ent_round_digits(rounded, 6) == rounded);
  }
}

SUITE(base_portable) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(logarithms_are_the_same_everywhere),
      cmocka_unit_test(logarithms_are_exact),
      cmocka_unit_test(logarithms_near_1),
      cmocka_unit_test(figures_are_rounded),
      cmocka_unit_test(rounding_is_that_of_decimals),
  };
  return cmocka_run_group_tests_name("base_portable", tests, NULL, NULL);
}

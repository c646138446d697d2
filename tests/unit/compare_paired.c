/* Paired differences by hand, and Student's quantiles against tables and integrals. */
#include "unit/tests.h"

#include "compare/paired.h"

/* Tables have 97.5 % to a dozen digits. */
static void quantiles_are_those_of_tables(void **state) {
  (void)state;
  static const struct {
    double p, freedom, t;
  } table[] = {{0.975, 1, 12.706204736174698},
               {0.975, 2, 4.3026527297494639},
               {0.975, 3, 3.1824463052837091},
               {0.975, 4, 2.7764451051977934},
               {0.975, 9, 2.2621571627982049},
               {0.975, 49, 2.0095752371292397},
               {0.95, 1, 6.3137515146750411},
               {0.95, 10, 1.8124611228107335},
               {0.995, 30, 2.7499956535672255},
               {0.75, 1, 1},
               {0.5, 5, 0}};
  for (size_t i = 0; i < COUNT(table); i++)
    assert_close(ent_student_quantile(table[i].p, table[i].freedom), table[i].t, 1e-10 * (1 + table[i].t));
  /* Of one and two degrees of freedom there are formulas. */
  const double pi = acos(-1);
  for (double p = 0.51; p < 0.999; p += 0.01) {
    double a = 2 * p - 1;
    assert_close(ent_student_quantile(p, 1), tan(pi * (p - 0.5)), 1e-11 * (1 + tan(pi * (p - 0.5))));
    assert_close(ent_student_quantile(p, 2), a * sqrt(2 / (1 - a * a)), 1e-11 * (1 + a * sqrt(2 / (1 - a * a))));
  }
}

/* The distribution function by Simpson's rule; the density is smooth and even. */
static long double student_share(long double t, long double freedom) {
  enum { STEPS = 20000 };
  long double h = t / STEPS, sum = 0;
  long double scale = expl(lgammal((freedom + 1) / 2) - lgammal(freedom / 2)) / sqrtl(freedom * acosl(-1));
  for (int i = 0; i <= STEPS; i++) {
    long double x = h * i;
    sum += (i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2) * powl(1 + x * x / freedom, -(freedom + 1) / 2);
  }
  return 0.5L + scale * sum * h / 3;
}

static void quantiles_are_those_of_the_integral(void **state) {
  (void)state;
  static const double shares[] = {0.51, 0.6, 0.9, 0.975, 0.999}, freedoms[] = {1, 2, 5, 9, 19, 49, 99, 999};
  for (size_t i = 0; i < COUNT(shares); i++)
    for (size_t k = 0; k < COUNT(freedoms); k++) {
      double t = ent_student_quantile(shares[i], freedoms[k]);
      assert_close(student_share(t, freedoms[k]), shares[i], shares[i] > 0.99 && k == 0 ? 1e-6 : 1e-11);
    }
  /* With many degrees of freedom it is the normal distribution. */
  assert_close(ent_student_quantile(0.975, 1e7), 1.959963984540054, 1e-6);
}

/* Four runs: differences -1, -2, 0 and -1. Their mean is -1, their variance 2/3. */
static void differences_by_hand(void **state) {
  (void)state;
  static const double ours[] = {3, 2, 5, 6}, theirs[] = {4, 4, 5, 7};
  const double t = 3.1824463052837091;
  const ent_paired pair = ent_paired_of(ours, theirs, 4, 0.25);
  assert_int_equal(pair.runs, 4);
  assert_close(pair.ratio, 16.0 / 20, 1e-15);
  assert_close(pair.difference, -1, 1e-15);
  assert_close(pair.low, -1 - t * sqrt(2.0 / 3 / 4), 1e-10);
  assert_close(pair.high, -1 + t * sqrt(2.0 / 3 / 4), 1e-10);
  /* As if there were two runs: 1/4 + 1/4. */
  assert_close(pair.wide_low, -1 - t * sqrt(2.0 / 3 / 2), 1e-10);
  assert_close(pair.wide_high, -1 + t * sqrt(2.0 / 3 / 2), 1e-10);
  assert_int_equal(pair.won, 3); /* and a tie, which is neither */
  assert_int_equal(pair.lost, 0);
  const ent_paired back = ent_paired_of(theirs, ours, 4, 0.25);
  assert_close(back.difference, 1, 1e-15);
  assert_close(back.low, -pair.high, 1e-15);
  assert_close(back.wide_high, -pair.wide_low, 1e-15);
  assert_int_equal(back.won, 0);
  assert_int_equal(back.lost, 3);
}

/* Runs that differ by the same amount have no spread. */
static void equal_differences_have_no_width(void **state) {
  (void)state;
  static const double ours[] = {1, 2, 3}, theirs[] = {1.5, 2.5, 3.5};
  const ent_paired pair = ent_paired_of(ours, theirs, 3, 1);
  assert_true(pair.difference == -0.5 && pair.low == -0.5 && pair.high == -0.5);
  assert_true(pair.wide_low == -0.5 && pair.wide_high == -0.5);
  const ent_paired same = ent_paired_of(ours, ours, 3, 1);
  assert_true(same.ratio == 1 && same.low == 0 && same.high == 0 && same.won == 0 && same.lost == 0);
}

/* Errors of targets in any units. */
static void units_do_not_matter(void **state) {
  (void)state;
  static const double ours[] = {3, 2, 5, 6}, theirs[] = {4, 4, 5, 7};
  const ent_paired plain = ent_paired_of(ours, theirs, 4, 0.25);
  for (int unit = -1000; unit <= 1000; unit += 100) {
    double first[4], second[4];
    for (size_t i = 0; i < 4; i++) {
      first[i] = ldexp(ours[i], unit);
      second[i] = ldexp(theirs[i], unit);
    }
    const ent_paired pair = ent_paired_of(first, second, 4, 0.25);
    assert_true(pair.ratio == plain.ratio && pair.difference == ldexp(plain.difference, unit));
    assert_true(pair.low == ldexp(plain.low, unit) && pair.high == ldexp(plain.high, unit));
    assert_true(pair.wide_low == ldexp(plain.wide_low, unit) && pair.wide_high == ldexp(plain.wide_high, unit));
  }
}

static void one_run_has_no_interval(void **state) {
  (void)state;
  static const double ours[] = {3}, theirs[] = {4};
  const ent_paired pair = ent_paired_of(ours, theirs, 1, 0.25);
  assert_true(pair.runs == 1 && pair.ratio == 0.75 && pair.difference == -1 && pair.won == 1 && pair.lost == 0);
  assert_true(isnan(pair.low) && isnan(pair.high) && isnan(pair.wide_low) && isnan(pair.wide_high));
}

SUITE(compare_paired) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantiles_are_those_of_tables), cmocka_unit_test(quantiles_are_those_of_the_integral),
      cmocka_unit_test(differences_by_hand),           cmocka_unit_test(equal_differences_have_no_width),
      cmocka_unit_test(one_run_has_no_interval),       cmocka_unit_test(units_do_not_matter),
  };
  return cmocka_run_group_tests_name("compare_paired", tests, NULL, NULL);
}

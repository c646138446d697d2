/* The rate experiment: one run again in plain loops, slopes and intervals of known lines, the bound, refusals. */
#include "unit/plain_ridge.h"

#include "lift/features.h"
#include "baselines/baselines.h"
#include "claims/rate.h"

enum { ROWS = 64, TEST_ROWS = 4096, CENTRES = 6, INPUTS = 2 };

/* The centred kernel, omega 2. */
static double kernel_at(const double *x, const double *y) {
  double k = 1;
  for (size_t d = 0; d < INPUTS; d++)
    k *= 1.5 - fabs(x[d] - y[d]);
  return k;
}

static double truth_at(const double *x) {
  entropic_random random = entropic_random_start(2020, INPUTS);
  double sum = 0;
  for (size_t j = 0; j < CENTRES; j++) {
    double centre[INPUTS];
    for (size_t d = 0; d < INPUTS; d++)
      centre[d] = entropic_random_uniform(&random);
    sum += (j % 2 == 0 ? 2 : -2) * kernel_at(centre, x);
  }
  return sum;
}

/* The risk of a map, from the definition. */
static double plain_risk(const ent_map *map, uint64_t seed) {
  static double x[(ROWS + TEST_ROWS) * INPUTS], y[ROWS], scores[TEST_ROWS];
  entropic_random train = entropic_random_start(seed, ROWS), test = entropic_random_start(seed, 99);
  double risk = 0;
  for (size_t r = 0; r < ROWS + TEST_ROWS; r++) {
    for (size_t d = 0; d < INPUTS; d++)
      x[r * INPUTS + d] = entropic_random_uniform(r < ROWS ? &train : &test);
    if (r < ROWS)
      y[r] = truth_at(x + r * INPUTS) + 0.5 * entropic_random_normal(&train);
  }
  plain_scores(map, x, y, INPUTS, ROWS, TEST_ROWS, 0.01 / sqrt(ROWS), scores);
  for (size_t r = 0; r < TEST_ROWS; r++)
    risk += pow(scores[r] - truth_at(x + (ROWS + r) * INPUTS), 2) / TEST_ROWS;
  return risk;
}

static void runs_are_ridge_regression(void **state) {
  (void)state;
  const ent_rate_options options = {.inputs = INPUTS, .first = 6, .last = 6, .runs = 2, .seed = 3};
  const size_t features[ENT_RATE_RULES] = {6, 7, 8, 6}; /* 2 64^(1/4) = 5.7, 4 64^(1/8) = 6.7 */
  ent_rate rates[ENT_RATE_RULES];
  assert_int_equal(ent_rate_measure(NULL, &options, rates), ENTROPIC_OK);
  entropic_axis_options axis[INPUTS] = {ent_axis_options_default(), ent_axis_options_default()};
  axis[0].omega = axis[1].omega = 2;
  const ent_features wanted = {.axes = axis, .inputs = INPUTS, .design = ent_design_options_default()};
  for (size_t rule = 0; rule < ENT_RATE_RULES; rule++) {
    assert_int_equal(rates[rule].rule, rule);
    assert_true(rates[rule].count == 1 && rates[rule].rows[0] == ROWS);
    assert_true(rates[rule].features[0] == (double)features[rule]);
    for (size_t run = 0; run < 2; run++) {
      ent_lifting lifting = {0};
      ent_random_map *random = NULL;
      ent_random_options random_options = ent_random_options_default();
      random_options.kernel = ENT_RANDOM_LAPLACE;
      random_options.sigma = 2;
      random_options.features = features[rule];
      random_options.seed = 3 + run;
      assert_int_equal(ent_features_make(NULL, &wanted, 0, features[rule], &lifting), ENTROPIC_OK);
      assert_int_equal(ent_random_create(NULL, &random_options, INPUTS, NULL, &random), ENTROPIC_OK);
      const ent_map map = rule == ENT_RATE_RANDOM ? ent_map_of_random(random) : lifting.map;
      double expected = plain_risk(&map, 3 + run);
      assert_close(rates[rule].risks[0][run], expected, 1e-9 * expected);
      ent_lifting_clear(&lifting);
      ent_random_free(random);
    }
  }
}

static void threads_give_the_same_bits(void **state) {
  (void)state;
  const ent_rate_options options = {.inputs = 3, .first = 4, .last = 9, .runs = 3, .seed = 1};
  static ent_rate rates[2][ENT_RATE_RULES];
  for (int i = 0; i < 2; i++) {
    entropic_context *context = context_with(i == 0 ? 1 : 4);
    ASSERT_OK(context, ent_rate_measure(context, &options, rates[i]));
    entropic_context_free(context);
  }
  assert_memory_equal(rates[0], rates[1], sizeof rates[0]);
}

/* Two lines of slopes -1 and -0.5: their mean, and Student's interval with one degree of freedom. */
static void slopes(void **state) {
  (void)state;
  ent_rate rate = {.inputs = 2, .count = 6, .runs = 2};
  for (size_t i = 0; i < 6; i++) {
    rate.rows[i] = pow(2, 8 + (double)i);
    rate.risks[i][0] = 3 / rate.rows[i];
    rate.risks[i][1] = i < 3 ? 5 / sqrt(rate.rows[i]) : 5 / sqrt(rate.rows[i]) * pow(2, -(double)(i - 3));
  }
  ent_rate_fit(&rate);
  for (size_t i = 0; i < 6; i++) {
    double a = rate.risks[i][0], b = rate.risks[i][1];
    assert_close(rate.risk[i], (a + b) / 2, 1e-15);
    assert_close(rate.spread[i], fabs(a - b) / 2, 1e-15);
  }
  assert_close(rate.late.slope, (-1 - 1.5) / 2, 1e-12);
  assert_close(rate.late.high - rate.late.slope, 12.7062047361747 * 0.25, 1e-11);
  assert_close(rate.late.slope - rate.late.low, 12.7062047361747 * 0.25, 1e-11);
  rate.runs = 1;
  ent_rate_fit(&rate);
  assert_close(rate.all.slope, -1, 1e-12);
  assert_true(isnan(rate.all.low) && isnan(rate.all.high) && isnan(rate.spread[0]));
  rate.count = 1;
  ent_rate_fit(&rate);
  assert_true(isnan(rate.all.slope) && isnan(rate.late.slope));
  rate.runs = ENT_RATE_RUNS;
  rate.count = 2;
  for (size_t run = 0; run < ENT_RATE_RUNS; run++) {
    rate.risks[0][run] = 1;
    rate.risks[1][run] = run % 2 == 0 ? 1 : 0.5; /* slopes 0 and -1, 16 and 15 of them */
  }
  ent_rate_fit(&rate);
  double mean = -15 / 31.0, error = sqrt((16 * mean * mean + 15 * (1 + mean) * (1 + mean)) / 30 / 31);
  assert_close(rate.all.slope, mean, 1e-12);
  assert_close(rate.all.high, mean + 2.0422724563012 * error, 1e-12);
}

/* M^-2 log^(3(D-1)) M + N^(-1/2): for one input 1.25 N^(-1/2), for five it grows at first. */
static void bounds(void **state) {
  (void)state;
  assert_close(ent_rate_bound(1, 10000), 0.0125, 1e-15);
  assert_close(ent_rate_bound(2, 10000), pow(log(20), 3) / 400 + 0.01, 1e-15);
  assert_true(ent_rate_bound(5, 1e6) > ent_rate_bound(5, 1e5));
  for (size_t inputs = 2; inputs <= 5; inputs++) {
    double from = ent_rate_bound_falls_from(inputs);
    assert_true(ent_rate_bound(inputs, 4 * from) < ent_rate_bound(inputs, from));
    assert_close(2 * pow(from, 0.25), exp(1.5 * (double)(inputs - 1)), 1e-9 * from);
  }
}

static void all_rates(void **state) {
  (void)state;
  static ent_rate rates[ENT_RATE_DIMENSIONS * ENT_RATE_RULES];
  assert_int_equal(ent_rates_measure(NULL, true, 50, 1, rates), ENTROPIC_OK);
  for (size_t i = 0; i < COUNT(rates); i++) {
    assert_int_equal(rates[i].inputs, ent_rate_inputs[i / ENT_RATE_RULES]);
    assert_int_equal(rates[i].rule, i % ENT_RATE_RULES);
    assert_true(rates[i].runs == 3 && rates[i].count == 7 && rates[i].rows[0] == 256);
    assert_true(rates[i].all.low < rates[i].all.slope && rates[i].all.slope < rates[i].all.high);
    assert_true(rates[i].features[0] == 8);
    assert_true(rates[i].bound[0] == rates[i].risk[0]);
  }
  assert_true(rates[ENT_RATE_FOURTH].all.slope <= -0.5);
}

static void refusals(void **state) {
  (void)state;
  static const ent_rate_options wrong[] = {
      {.inputs = 0, .first = 8, .last = 9, .runs = 1},  {.inputs = 9, .first = 8, .last = 9, .runs = 1},
      {.inputs = 1, .first = 3, .last = 9, .runs = 1},  {.inputs = 1, .first = 9, .last = 8, .runs = 1},
      {.inputs = 1, .first = 8, .last = 25, .runs = 1}, {.inputs = 1, .first = 4, .last = 20, .runs = 1},
      {.inputs = 1, .first = 8, .last = 9, .runs = 0},  {.inputs = 1, .first = 8, .last = 9, .runs = 32}};
  ent_rate rates[ENT_RATE_RULES];
  entropic_context *context = context_with(1);
  for (size_t i = 0; i < COUNT(wrong); i++) {
    assert_int_equal(ent_rate_measure(context, &wrong[i], rates), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "1 to 31 runs");
  }
  entropic_context_free(context);
}

SUITE(study_rate) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_are_ridge_regression),
      cmocka_unit_test(threads_give_the_same_bits),
      cmocka_unit_test(slopes),
      cmocka_unit_test(bounds),
      cmocka_unit_test(all_rates),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests_name("study_rate", tests, NULL, NULL);
}

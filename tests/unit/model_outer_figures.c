/* The figures of outer validation against sums by hand. */
#include "unit/fitting.h"

#include "fit/outer.h"

#include "unit/fixture.h"

/* Numbers of a small table of outer validation rows, drawn at random. */
enum { SCORED = 37, TARGETS = 2 };
typedef struct scored {
  double weights[SCORED], losses[ENT_FORMS][SCORED], errors[ENT_FORMS][SCORED * TARGETS], room[SCORED];
  ent_outer outer;
} scored;

#define TRAINED 60 /* training rows of the fits that these were scored with */
#define WIDER sqrt(1 + (double)SCORED / TRAINED)

static void scored_start(scored *j, size_t targets, bool classes) {
  entropic_random random = entropic_random_start(11, targets);
  j->outer =
      (ent_outer){.rows = SCORED, .targets = targets, .linear = true, .weights = j->weights, .deviations = j->room};
  for (size_t f = 0; f < ENT_FORMS; f++) {
    j->outer.losses[f] = j->losses[f];
    j->outer.errors[f] = j->errors[f];
  }
  j->outer.mean_training_rows = TRAINED;
  for (size_t r = 0; r < SCORED; r++) {
    j->weights[r] = r % 7 == 3 ? 0 : 0.1 + 2 * entropic_random_uniform(&random);
    for (size_t f = 0; f < ENT_FORMS; f++) {
      j->losses[f][r] = entropic_random_uniform(&random) + (f == ENT_FORM_FULL ? 0 : 0.5);
      for (size_t k = 0; k < targets; k++) {
        double drawn = entropic_random_uniform(&random);
        j->errors[f][r * targets + k] = classes ? drawn < 0.3 : 3 * drawn;
      }
    }
  }
}

/* The weighted mean of every `step`-th value, and the standard error of that mean: by the deviations of rows, or by the
 * variance of a row over the number of rows that the weights are worth, whichever is larger. */
static double mean_by_hand(const scored *j, const double *values, size_t step, double *deviation) {
  long double weight = 0, sum = 0, square = 0, variance = 0, squares = 0;
  for (size_t r = 0; r < SCORED; r++) {
    squares += (long double)j->weights[r] * (long double)j->weights[r];
    weight += (long double)j->weights[r];
    sum += (long double)j->weights[r] * (long double)values[r * step];
  }
  for (size_t r = 0; r < SCORED; r++) {
    long double off = (long double)j->weights[r] * ((long double)values[r * step] - sum / weight);
    square += off * off;
    variance += (long double)j->weights[r] * powl((long double)values[r * step] - sum / weight, 2) / weight;
  }
  long double worth = weight * weight / squares; /* Kish's number of rows */
  *deviation = (double)fmaxl(sqrtl(square) / weight, sqrtl(variance * worth / (worth - 1) / worth));
  return (double)(sum / weight);
}

static void figures_of_numbers(void **state) {
  (void)state;
  scored j;
  sheet s = sheet_start(40, 2, TARGETS, PLAIN, 1);
  for (size_t r = 0; r < s.rows; r++)
    sheet_y(&s, r)[1] *= 1e40; /* so that the units differ */
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options options = ent_fit_options_default();
  ent_fit fit;
  ASSERT_OK(context, ent_fit_prepare(context, data, NULL, &options, &fit));
  assert_int_not_equal(fit.unit[0], fit.unit[1]);
  scored_start(&j, TARGETS, false);
  for (size_t f = 0; f < ENT_FORMS; f++) {
    ent_figures found = ent_outer_figures(&fit, &j.outer, (ent_form)f);
    double error = 0, spread = 0;
    for (size_t k = 0; k < TARGETS; k++) {
      double deviation, mean = mean_by_hand(&j, j.errors[f] + k, TARGETS, &deviation);
      error += ldexp(sqrt(mean), fit.unit[k]) / TARGETS;
      spread += ldexp(deviation / (2 * sqrt(mean)), fit.unit[k]) / TARGETS; /* of the root, by its slope */
    }
    assert_close(found.error / error, 1, 1e-12);
    assert_close(found.spread / spread, WIDER, 1e-12);
    assert_true(isnan(found.loss));
  }
  memset(j.errors[0], 0, sizeof j.errors[0]);
  ent_figures perfect = ent_outer_figures(&fit, &j.outer, ENT_FORM_CONSTANT);
  assert_true(perfect.error == 0 && perfect.spread == 0);
  ent_fit_clear(&fit);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

static void figures_of_classes(void **state) {
  (void)state;
  scored j;
  sheet s = sheet_start(40, 2, 1, PLAIN, 1);
  sheet_classes(&s, 3);
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_CLASSIFICATION);
  ent_fit_options options = ent_fit_options_default();
  ent_fit fit;
  ASSERT_OK(context, ent_fit_prepare(context, data, NULL, &options, &fit));
  scored_start(&j, 1, true);
  for (size_t f = 0; f < ENT_FORMS; f++) {
    ent_figures found = ent_outer_figures(&fit, &j.outer, (ent_form)f);
    double deviation, unused;
    assert_close(found.error, mean_by_hand(&j, j.errors[f], 1, &deviation), 1e-14);
    assert_close(found.spread, WIDER * deviation, 1e-14);
    assert_close(found.loss, mean_by_hand(&j, j.losses[f], 1, &unused), 1e-14);
  }
  ent_fit_clear(&fit);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

static void gain_in_standard_errors(void **state) {
  (void)state;
  scored j;
  double differences[SCORED], deviation;
  scored_start(&j, 1, false);
  for (size_t r = 0; r < SCORED; r++)
    differences[r] = j.losses[ENT_FORM_CONSTANT][r] - j.losses[ENT_FORM_FULL][r];
  double mean = mean_by_hand(&j, differences, 1, &deviation);
  assert_true(mean > 0.2);
  assert_close(ent_outer_gain(&j.outer, ENT_FORM_CONSTANT, ENT_FORM_FULL), mean / deviation, 1e-12);
  assert_true(ent_outer_gain(&j.outer, ENT_FORM_FULL, ENT_FORM_CONSTANT) < 0); /* it is worse */
  for (size_t r = 0; r < SCORED; r++)
    j.losses[ENT_FORM_LINEAR][r] = j.losses[ENT_FORM_CONSTANT][r] * (1 - 1e-4);
  assert_true(ent_outer_gain(&j.outer, ENT_FORM_CONSTANT, ENT_FORM_LINEAR) <= 0); /* always better, but hardly */
  for (size_t r = 0; r < SCORED; r++) {
    j.losses[ENT_FORM_CONSTANT][r] = 1;
    j.losses[ENT_FORM_LINEAR][r] = 0.5;
  }
  assert_true(ent_outer_gain(&j.outer, ENT_FORM_CONSTANT, ENT_FORM_LINEAR) > 1e6); /* by as much in every row */
  assert_true(ent_outer_gain(&j.outer, ENT_FORM_CONSTANT, ENT_FORM_CONSTANT) <= 0);
}

/* One row has all but all of the weight: the standard error is that of one row, not of none. */
static void a_dominating_weight(void **state) {
  (void)state;
  scored j;
  sheet s = sheet_start(40, 2, 1, PLAIN, 1);
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options options = ent_fit_options_default();
  ent_fit fit;
  ASSERT_OK(context, ent_fit_prepare(context, data, NULL, &options, &fit));
  scored_start(&j, 1, false);
  j.outer.mean_training_rows = 0;
  for (size_t r = 0; r < SCORED; r++)
    j.weights[r] = r == 5 ? 1e9 : 1;
  double square = 0, at = j.errors[ENT_FORM_FULL][5];
  for (size_t r = 0; r < SCORED; r++)
    square += (j.errors[ENT_FORM_FULL][r] - at) * (j.errors[ENT_FORM_FULL][r] - at) / (2 * (SCORED - 1));
  ent_figures found = ent_outer_figures(&fit, &j.outer, ENT_FORM_FULL);
  assert_close(found.spread / ldexp(sqrt(square / at) / 2, fit.unit[0]), 1, 1e-6);
  ent_fit_clear(&fit);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

/* Rows in order of time of which each is like the one before: for longer than a batch. */
static void errors_that_go_on(void **state) {
  (void)state;
  enum { ROWS = 4000, DRAWS = 20 };
  static double times[ROWS], weights[ROWS], losses[2][ROWS], room[ROWS], sums[ROWS];
  static size_t group_of[ROWS];
  const double kept = 0.97;
  /* The variance of a row is 1/(1 - c^2), that of the mean (1 + c)/(1 - c) times that over the number of rows. */
  const double deviation = sqrt(1 / (1 - kept * kept) * (1 + kept) / (1 - kept) / ROWS);
  double found = 0;
  for (uint64_t draw = 0; draw < DRAWS; draw++) {
    entropic_random random = entropic_random_start(3, draw);
    double now = 0, mean = 0;
    ent_outer outer = {.rows = ROWS,
                       .targets = 1,
                       .weights = weights,
                       .times = times,
                       .group_of = group_of,
                       .group_sums = sums,
                       .deviations = room,
                       .losses = {losses[0], losses[1]}};
    for (size_t r = 0; r < ROWS; r++) {
      now = kept * now + entropic_random_normal(&random);
      times[r] = (double)r;
      weights[r] = 1;
      losses[0][r] = 20 + now;
      mean += losses[0][r] / ROWS;
    }
    ASSERT_OK(context, ent_outer_batch(context, &outer));
    found += mean / ent_outer_gain(&outer, ENT_FORM_CONSTANT, ENT_FORM_LINEAR) / DRAWS;
    ent_delete(outer.order);
  }
  assert_true(found / deviation > 0.85 && found / deviation < 1.15); /* batches alone: 0.7 */
}

/* 1 row of 100 is heaviest. */
static void heaviest_rows(void **state) {
  (void)state;
  enum { ROWS = 250 };
  double weights[ROWS], losses[ROWS], room[ROWS];
  ent_outer outer = {
      .rows = ROWS, .targets = 1, .weights = weights, .deviations = room, .losses = {[ENT_FORM_FULL] = losses}};
  size_t rows = 0;
  for (size_t r = 0; r < ROWS; r++) {
    weights[r] = 1;
    losses[r] = 1;
  }
  losses[17] = 100;
  losses[200] = 50;
  weights[90] = 30;
  assert_close(ent_outer_heaviest(&outer, ENT_FORM_FULL, &rows), 180.0 / (247 + 180), 1e-12);
  assert_int_equal(rows, 3);
  memset(losses, 0, sizeof losses);
  assert_true(ent_outer_heaviest(&outer, ENT_FORM_FULL, &rows) == 0);
}

/* Rows of a group rise and fall together: their deviations are summed before they are squared. */
static void groups_are_the_units(void **state) {
  (void)state;
  enum { GROUPS = 9 };
  scored j;
  size_t group_of[SCORED], one[SCORED] = {0};
  double room[GROUPS] = {0}, sums[GROUPS] = {0}, differences[SCORED], weight = 0, square = 0, deviation;
  scored_start(&j, 1, false);
  for (size_t r = 0; r < SCORED; r++) {
    group_of[r] = r % GROUPS;
    differences[r] = j.losses[ENT_FORM_CONSTANT][r] - j.losses[ENT_FORM_FULL][r];
    weight += j.weights[r];
  }
  double mean = mean_by_hand(&j, differences, 1, &deviation);
  for (size_t r = 0; r < SCORED; r++)
    sums[group_of[r]] += j.weights[r] * (differences[r] - mean) / weight;
  for (size_t g = 0; g < GROUPS; g++)
    square += sums[g] * sums[g] * GROUPS / (GROUPS - 1);
  j.outer.group_of = group_of;
  j.outer.group_sums = room;
  j.outer.groups = GROUPS;
  for (int again = 0; again < 2; again++)
    assert_close(ent_outer_gain(&j.outer, ENT_FORM_CONSTANT, ENT_FORM_FULL), mean / sqrt(square), 1e-12);
  j.outer.group_of = one; /* of which there is nothing to tell a spread by */
  double plain_deviation = 0;
  for (size_t r = 0; r < SCORED; r++)
    plain_deviation += pow(j.weights[r] * (differences[r] - mean) / weight, 2);
  plain_deviation = sqrt(plain_deviation);
  assert_close(ent_outer_gain(&j.outer, ENT_FORM_CONSTANT, ENT_FORM_FULL), mean / plain_deviation, 1e-12);
}

/* A time series in batches of consecutive rows: the order of rows does not matter, and rows of one time stay together. */
static void batches_of_time(void **state) {
  (void)state;
  enum { ROWS = 100, BATCHES = 10 };
  double times[ROWS];
  size_t group_of[ROWS];
  ent_outer outer = {.rows = ROWS, .times = times, .group_of = group_of};
  for (size_t r = 0; r < ROWS; r++)
    times[r] = (double)(r * 37 % ROWS);
  ASSERT_OK(context, ent_outer_batch(context, &outer));
  for (size_t r = 0; r < ROWS; r++)
    assert_int_equal(group_of[r], r * 37 % ROWS * BATCHES / ROWS);
  for (size_t r = 0; r < ROWS; r++)
    times[r] = r < 15 ? -1 : r < 85 ? 0 : (double)r;
  ASSERT_OK(context, ent_outer_batch(context, &outer));
  for (size_t r = 0; r < ROWS; r++)
    assert_int_equal(group_of[r], r < 15 ? 0 : r < 85 ? 1 : r * BATCHES / ROWS);
  outer.times = NULL;
  group_of[0] = 77;
  ASSERT_OK(context, ent_outer_batch(context, &outer));
  assert_int_equal(group_of[0], 77);
  ent_delete(outer.order);
}

/* Rows further outside than a line goes on have no part in the figures, unless no other row is left. */
static void rows_out_of_reach(void **state) {
  (void)state;
  scored j;
  double reached[SCORED];
  scored_start(&j, 1, false);
  ent_beyond_row row[] = {{.at = 4, .first = 0, .count = 1},
                          {.at = 5, .first = 1, .count = 2},
                          {.at = 6, .first = 3, .count = 1},
                          {.at = 8, .first = 4, .count = 1}};
  size_t inputs[] = {0, 1, 0, 1, 0};
  double distances[] = {1, 0.5, 1, 1, 0.99};
  bool goes_on[] = {true, false};
  ent_beyond *beyond = &j.outer.beyond[ENT_FORM_LINEAR][ENT_BEYOND_OUTSIDE];
  *beyond = (ent_beyond){.rows = 4, .entries = 5, .row = row, .inputs = inputs, .distances = distances};
  j.outer.reached = reached;
  assert_int_equal(ent_outer_reach(&j.outer, ENT_FORM_LINEAR), 0); /* no line goes on */
  j.outer.goes_on[ENT_FORM_LINEAR] = goes_on;
  assert_int_equal(ent_outer_reach(&j.outer, ENT_FORM_FULL), 0);
  assert_int_equal(ent_outer_reach(&j.outer, ENT_FORM_LINEAR), 2);
  for (size_t r = 0; r < SCORED; r++)
    assert_true(reached[r] == (r == 4 || r == 5 ? 0 : j.weights[r]));
  for (size_t r = 0; r < SCORED; r++)
    j.weights[r] = r == 4 || r == 5 ? 1 : 0;
  assert_int_equal(ent_outer_reach(&j.outer, ENT_FORM_LINEAR), 0);
  assert_memory_equal(reached, j.weights, sizeof reached);
}

SUITE(model_outer_figures) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(figures_of_numbers),      cmocka_unit_test(figures_of_classes),
                                     cmocka_unit_test(gain_in_standard_errors), cmocka_unit_test(groups_are_the_units),
                                     cmocka_unit_test(batches_of_time),         cmocka_unit_test(a_dominating_weight),
                                     cmocka_unit_test(errors_that_go_on),       cmocka_unit_test(heaviest_rows),
                                     cmocka_unit_test(rows_out_of_reach)};
  return cmocka_run_group_tests_name("model_outer_figures", tests, start, stop);
}

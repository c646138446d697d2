/* The figures of outer validation against sums by hand. */
#include "unit/fitting.h"

#include "model/outer.h"

#include "unit/fixture.h"

/* Numbers of a small table of outer validation rows, drawn at random. */
enum { SCORED = 37, TARGETS = 2 };
typedef struct scored {
  double weights[SCORED], losses[ENT_FORMS][SCORED], errors[ENT_FORMS][SCORED * TARGETS];
  ent_outer outer;
} scored;

#define TRAINED 60 /* training rows of the fits that these were scored with */
#define WIDER sqrt(1 + (double)SCORED / TRAINED)

static void scored_start(scored *j, size_t targets, bool classes) {
  entropic_random random = entropic_random_start(11, targets);
  j->outer = (ent_outer){.rows = SCORED, .targets = targets, .linear = true, .weights = j->weights};
  for (size_t f = 0; f < ENT_FORMS; f++) {
    j->outer.losses[f] = j->losses[f];
    j->outer.errors[f] = j->errors[f];
  }
  j->outer.taught = TRAINED;
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

/* The weighted mean of every `step`-th value, and the standard error of that mean. */
static double mean_by_hand(const scored *j, const double *values, size_t step, double *deviation) {
  long double weight = 0, sum = 0, square = 0;
  for (size_t r = 0; r < SCORED; r++) {
    weight += (long double)j->weights[r];
    sum += (long double)j->weights[r] * (long double)values[r * step];
  }
  for (size_t r = 0; r < SCORED; r++) {
    long double off = (long double)j->weights[r] * ((long double)values[r * step] - sum / weight);
    square += off * off;
  }
  *deviation = (double)(sqrtl(square) / weight);
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
  ent_figures perfect = ent_outer_figures(&fit, &j.outer, ENT_FORM_NOTHING);
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
    differences[r] = j.losses[ENT_FORM_NOTHING][r] - j.losses[ENT_FORM_FULL][r];
  double mean = mean_by_hand(&j, differences, 1, &deviation);
  assert_true(mean > 0.2);
  assert_close(ent_outer_gain(&j.outer, ENT_FORM_NOTHING, ENT_FORM_FULL), mean / deviation, 1e-12);
  assert_true(ent_outer_gain(&j.outer, ENT_FORM_FULL, ENT_FORM_NOTHING) < 0); /* it is worse */
  for (size_t r = 0; r < SCORED; r++)
    j.losses[ENT_FORM_LINEAR][r] = j.losses[ENT_FORM_NOTHING][r] * (1 - 1e-4);
  assert_true(ent_outer_gain(&j.outer, ENT_FORM_NOTHING, ENT_FORM_LINEAR) <= 0); /* always better, but hardly */
  for (size_t r = 0; r < SCORED; r++) {
    j.losses[ENT_FORM_NOTHING][r] = 1;
    j.losses[ENT_FORM_LINEAR][r] = 0.5;
  }
  assert_true(ent_outer_gain(&j.outer, ENT_FORM_NOTHING, ENT_FORM_LINEAR) > 1e6); /* by as much in every row */
  assert_true(ent_outer_gain(&j.outer, ENT_FORM_NOTHING, ENT_FORM_NOTHING) <= 0);
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
    differences[r] = j.losses[ENT_FORM_NOTHING][r] - j.losses[ENT_FORM_FULL][r];
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
    assert_close(ent_outer_gain(&j.outer, ENT_FORM_NOTHING, ENT_FORM_FULL), mean / sqrt(square), 1e-12);
  j.outer.group_of = one; /* of which there is nothing to tell a spread by */
  assert_close(ent_outer_gain(&j.outer, ENT_FORM_NOTHING, ENT_FORM_FULL), mean / deviation, 1e-12);
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
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(figures_of_numbers), cmocka_unit_test(figures_of_classes),
                                     cmocka_unit_test(gain_in_standard_errors), cmocka_unit_test(groups_are_the_units),
                                     cmocka_unit_test(batches_of_time)};
  return cmocka_run_group_tests_name("model_outer_figures", tests, start, stop);
}

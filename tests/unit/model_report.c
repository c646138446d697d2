/* What a fit reports: curves, mean squares and their variances, references on the same folds, budgets of seconds. */
#include "unit/fitting.h"

#include "select/curve.h"
#include "tune/folds.h"
#include "solve/measure.h"

#include "unit/fixture.h"

static void near(double found, double expected, double tolerance) {
  assert_true(fabs(found - expected) <= tolerance * fabs(expected));
}

static void curves_add_up(void **state) {
  (void)state;
  ent_curve curve;
  ASSERT_OK(context, ent_curve_start(context, 2, &curve));
  const ent_curve_model models[] = {
      {.features = 100, .lambda = 0.5, .squares = (double[]){1, 2}, .error_rate = 0.25, .rows = 4},
      {.features = 50, .lambda = 0.125, .squares = (double[]){4, 8}, .error_rate = 0.5, .rows = 1},
      {.features = 100, .lambda = 0.25, .squares = (double[]){16, 32}, .error_rate = 0.125, .rows = 7},
      {.features = 70, .squares = (double[]){5, 6}, .variances = (double[]){3, 4}, .error_rate = 0.5, .rows = 2},
      {.features = 70, .squares = (double[]){6, 5}, .variances = (double[]){5, 6}, .error_rate = 0.5, .rows = 2}};
  for (size_t i = 0; i < 3; i++)
    ent_curve_add(&curve, &models[i]);
  assert_int_equal(curve.count, 2);
  assert_int_equal(curve.steps[0].features, 50);
  assert_int_equal(curve.steps[1].features, 100);
  assert_int_equal(curve.steps[0].paths, 1);
  assert_int_equal(curve.steps[1].paths, 2);
  assert_true(curve.steps[1].lambda == 0.75 && curve.steps[1].error_rate == 0.375 && curve.steps[0].lambda == 0.125);
  assert_true(curve.squares[0] == 4 && curve.squares[1] == 8 && curve.squares[4] == 17 && curve.squares[5] == 34);
  assert_true(curve.steps[1].rate_variance == 0.25 * 0.75 / 4 + 0.125 * 0.875 / 7);
  assert_true(isnan(curve.steps[0].rate_variance)); /* of one row */
  assert_true(isnan(curve.squares[2]) && isnan(curve.squares[6]));
  ent_curve_add(&curve, &models[3]); /* between the two */
  ent_curve_add(&curve, &models[4]);
  assert_true(curve.steps[1].features == 70 && curve.steps[1].rate_variance == 0.25);
  for (size_t k = 0; k < 2; k++)
    assert_true(curve.squares[4 + k] == 11 && curve.squares[6 + k] == 8 + 2 * (double)k);
  assert_true(curve.squares[0] == 4 && curve.squares[8] == 17 && curve.squares[9] == 34);
  for (size_t i = 0; i < 2 * ENT_PATH_MOST; i++) /* what there is no room for is left out */
    ent_curve_add(&curve, &(ent_curve_model){.features = 1000 + i, .squares = (double[]){1, 1}});
  assert_int_equal(curve.count, ENT_PATH_MOST);
  assert_int_equal(curve.steps[ENT_PATH_MOST - 1].features, 1000 + ENT_PATH_MOST - 4);
  ent_curve_clear(&curve);
}

/* Three rows by hand: what is off is 1, -2 and 3, the weights are 2, 1 and 1. */
static void measures(void **state) {
  (void)state;
  const double y[] = {1, 10, 0, 10, 3, 10}, weights[] = {2, 1, 1}, scores[] = {0, 9, 2, 8, 0, 7};
  ent_block rows = {.rows = 3, .y = y, .y_stride = 2, .weights = weights};
  double squares[4];
  ent_measure(&rows, 2, scores, squares);
  double mean = (2 * 1 + 4 + 9) / 4.0;
  double variance = (4 * pow(1 - mean, 2) + pow(4 - mean, 2) + pow(9 - mean, 2)) / 16;
  near(squares[0], mean, 1e-14);
  near(squares[1], mean, 1e-14);
  near(squares[2], variance, 1e-14);
  near(squares[3], variance, 1e-14);
  near(ent_weight_sum(&rows), 4, 1e-15);
}

/* The folds that a fit of these rows has. */
static size_t *folds_of(const sheet *s, size_t classes, double *labels, size_t folds) {
  size_t *fold_of = calloc(s->rows, sizeof *fold_of), found = folds;
  for (size_t r = 0; r < s->rows && labels != NULL; r++)
    labels[r] = sheet_y(s, r)[0];
  ent_fold_options split = {.rows = s->rows, .labels = labels, .classes = classes};
  ASSERT_OK(context, ent_folds_deal(context, &split, 1, fold_of, &found));
  assert_int_equal(found, folds);
  return fold_of;
}

static void means_of_the_other_rows(void **state) {
  (void)state;
  sheet s = sheet_start(90, 3, 2, WITH_WEIGHTS, 5);
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options o = fixed_options(1e-3, 20);
  ent_fit_report report;
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, data, NULL, &o, &report, &model));
  size_t *fold_of = folds_of(&s, 0, NULL, 5);
  double expected = 0;
  for (size_t k = 0; k < 2; k++) {
    double sum = 0, weight = 0;
    for (size_t r = 0; r < s.rows; r++) {
      double mean = 0, others = 0, w = sheet_row(&s, r)[5];
      for (size_t q = 0; q < s.rows; q++)
        if (fold_of[q] != fold_of[r]) {
          mean += sheet_row(&s, q)[5] * sheet_y(&s, q)[k];
          others += sheet_row(&s, q)[5];
        }
      sum += w * pow(sheet_y(&s, r)[k] - mean / others, 2);
      weight += w;
    }
    expected += sqrt(sum / weight) / 2;
  }
  near(report.mean_error, expected, 1e-12);
  assert_true(report.linear_error > 0 && report.linear_error < report.mean_error);
  assert_true(report.error_spread > 0 && report.error_spread < ent_model_describe(model).validation_error / 2);
  assert_int_equal(report.members, 1);
  free(fold_of);
  entropic_model_free(model);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

static void the_most_frequent_class(void **state) {
  (void)state;
  sheet s = sheet_start(120, 2, 1, PLAIN, 6);
  sheet_classes(&s, 3);
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_CLASSIFICATION);
  ent_fit_options o = fixed_options(1e-3, 20);
  o.loss = ENTROPIC_LOSS_SQUARED;
  ent_fit_report report;
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, data, NULL, &o, &report, &model));
  double *labels = calloc(s.rows, sizeof *labels);
  size_t *fold_of = folds_of(&s, 3, labels, 5), wrong = 0;
  for (size_t r = 0; r < s.rows; r++) {
    size_t counts[3] = {0}, best = 0;
    for (size_t q = 0; q < s.rows; q++)
      counts[(size_t)labels[q]] += fold_of[q] != fold_of[r];
    for (size_t c = 1; c < 3; c++)
      best = counts[c] > counts[best] ? c : best;
    wrong += (size_t)labels[r] != best;
  }
  double share = ent_model_describe(model).validation_error;
  near(report.mean_error, (double)wrong / (double)s.rows, 1e-12);
  near(report.error_spread, sqrt(share * (1 - share) / (double)s.rows), 1e-12);
  assert_true(report.linear_error > 0 && report.linear_error < report.mean_error);
  free(labels);
  free(fold_of);
  entropic_model_free(model);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

/* A target that is a plane but for a large offset: the linear reference finds it. */
static void a_linear_target(void **state) {
  (void)state;
  sheet s = sheet_start(200, 3, 1, PLAIN, 7);
  for (size_t r = 0; r < s.rows; r++)
    sheet_y(&s, r)[0] = 1e6 + 300 * sheet_row(&s, r)[0] - 200 * sheet_row(&s, r)[2];
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options o = fixed_options(1e-3, 20);
  o.scaling = ENTROPIC_SCALING_NONE;
  ent_fit_report report;
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, data, NULL, &o, &report, &model));
  assert_true(report.mean_error > 50 && report.linear_error < 1e-2);
  entropic_model_free(model);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

/* Rows of one group cannot be held out, and nothing is known. */
static void nothing_held_out(void **state) {
  (void)state;
  sheet s = sheet_start(30, 2, 1, WITH_GROUPS, 8);
  for (size_t r = 0; r < s.rows; r++)
    sheet_row(&s, r)[s.columns - 1] = 1;
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options o = fixed_options(1e-3, 10);
  ent_fit_report report;
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, data, NULL, &o, &report, &model));
  assert_true(isnan(report.error_spread) && isnan(report.mean_error) && isnan(report.linear_error));
  assert_int_equal(report.path_count, 0);
  entropic_model_free(model);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

static void budgets(void **state) {
  (void)state;
  sheet s = sheet_start(quick_tests() ? 100 : 300, 3, 1, PLAIN, 9);
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options o = ent_fit_options_default();
  double *predicted[3];
  o.effort = ENT_EFFORT_FAST;
  for (size_t i = 0; i < 3; i++) {
    ent_fit_report report;
    entropic_model *model = NULL;
    o.seconds = (double[]){0, 1e9, 1e-9}[i];
    ASSERT_OK(context, ent_model_fit(context, data, NULL, &o, &report, &model));
    assert_int_equal(report.stopped_early, i == 2);
    assert_int_equal(report.members, i == 2 ? 1 : 5);
    assert_true(i == 2 ? report.path_count == 1 : report.path_count > 1);
    assert_int_equal(report.path[0].members, report.members);
    predicted[i] = predict_sheet(context, model, &s);
    entropic_model_free(model);
  }
  assert_memory_equal(predicted[0], predicted[1], s.rows * sizeof *predicted[0]);
  assert_memory_not_equal(predicted[0], predicted[2], s.rows * sizeof *predicted[0]);
  for (size_t i = 0; i < 3; i++)
    free(predicted[i]);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

static void pages_are_checked(void **state) {
  (void)state;
  entropic_report *report;
  assert_int_equal(entropic_report_create(context, &report), ENTROPIC_OK);
  assert_int_equal(entropic_fit_html(context, NULL, report, "title", "page.html"), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "model is NULL");
  entropic_report_free(report);
}

SUITE(model_report) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curves_add_up),
      cmocka_unit_test(measures),
      cmocka_unit_test(means_of_the_other_rows),
      cmocka_unit_test(the_most_frequent_class),
      cmocka_unit_test(a_linear_target),
      cmocka_unit_test(nothing_held_out),
      cmocka_unit_test(budgets),
      cmocka_unit_test(pages_are_checked),
  };
  return cmocka_run_group_tests(tests, start_two_threads, stop);
}

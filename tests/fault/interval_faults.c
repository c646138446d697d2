/* Intervals with each of their allocations failing in turn: NO_MEMORY, nothing leaked, no output touched. */
#include "unit/collecting.h"
#include "unit/outputs.h"

#include "fault/failing_malloc.h"
#include "fit/interval_factor.h"
#include "fit/interval_spread.h"
#include "model/intervals.h"

enum { ROWS = 120, CLASSES = 3, SOME = 9 };

static struct {
  entropic_context *context;
  sheet sheet, labelled;
  entropic_dataset *data;
  entropic_table *table;
  entropic_model *model, *classifier;
  ent_fit_options options;
} at;

static entropic_status failed(entropic_status status) {
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

static entropic_status intervals(void *argument) {
  (void)argument;
  double lower[SOME] = {7, 7}, upper[SOME] = {7, 7};
  entropic_status status =
      predict_intervals(at.context, at.model, 0.9, at.sheet.values, SOME, at.sheet.columns, lower, upper);
  assert_true((lower[0] == 7) == (status != ENTROPIC_OK) && (upper[1] == 7) == (status != ENTROPIC_OK));
  return failed(status);
}

static entropic_status deviations(void *argument) {
  (void)argument;
  double found[SOME] = {7, 7};
  entropic_status status = predict_deviations(at.context, at.model, at.sheet.values, SOME, at.sheet.columns, found);
  assert_true((found[0] == 7) == (status != ENTROPIC_OK));
  return failed(status);
}

static entropic_status sets(void *argument) {
  (void)argument;
  unsigned char found[SOME * CLASSES] = {7, 7, 7, 7, 7, 7};
  entropic_status status =
      predict_class_sets(at.context, at.classifier, 0.9, at.labelled.values, SOME, at.labelled.columns, found);
  assert_true((found[0] == 7) == (status != ENTROPIC_OK));
  return failed(status);
}

static entropic_status score(void *argument) {
  (void)argument;
  entropic_row_reader *reader = NULL;
  entropic_report *report = untouched();
  entropic_status status = entropic_row_reader_open_table(at.context, at.model, at.table, 1, &reader);
  if (status == ENTROPIC_OK)
    status = entropic_model_score_intervals(at.context, at.model, reader, 0.9, &report);
  entropic_row_reader_free(reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, report);
  entropic_report_free(report);
  return ENTROPIC_OK;
}

/* The spread of residuals that grow with an input, so that factors are found. */
static entropic_status spread(void *argument) {
  (void)argument;
  static double residuals[ROWS], weights[ROWS], scores[ROWS], spreads[ROWS];
  static size_t fold_of[ROWS], numbers[ROWS];
  for (size_t r = 0; r < ROWS; r++) {
    residuals[r] = sheet_row(&at.sheet, r)[1] > 0.5 ? 5 : 0.1;
    scores[r] = sheet_row(&at.sheet, r)[0];
    weights[r] = 1;
    fold_of[r] = r % ENT_SPREAD_FOLDS;
    numbers[r] = r;
  }
  ent_spread_rows rows = {.count = ROWS,
                          .residuals = residuals,
                          .weights = weights,
                          .fold_of = fold_of,
                          .scores = scores,
                          .model = at.model,
                          .data = at.data,
                          .numbers = numbers};
  ent_spread found;
  entropic_status status = ent_spread_find(at.context, &rows, &found, spreads);
  assert_true(status != ENTROPIC_OK || found.count > 0);
  return failed(status);
}

/* A fit makes intervals; a file has them. */
static entropic_status fit(void *argument) {
  (void)argument;
  entropic_model *made = untouched();
  entropic_status status = ent_model_fit(at.context, at.data, NULL, &at.options, NULL, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  assert_int_equal(ent_model_interval_rows(made), ROWS);
  entropic_model_free(made);
  return ENTROPIC_OK;
}

/* Of two members that left all rows out; and what a run keeps of such rows. */
static entropic_status factors(void *argument) {
  (void)argument;
  static double y[ROWS], held[ROWS], left_out[ROWS], *found;
  static size_t fold_of[ROWS], numbers[ROWS];
  for (size_t r = 0; r < ROWS; r++) {
    numbers[r] = r;
    fold_of[r] = r % 2;
    held[r] = 2;
    left_out[r] = 1;
  }
  ent_member members[2] = {{.left_out = left_out}, {.left_out = left_out}};
  ent_fit fit = {.train = at.data, .y = y, .fold_of = fold_of, .scores = 1};
  ent_fitted fitted = {.outcome = {.members = members,
                                   .member_count = 2,
                                   .held = {.rows = ROWS, .numbers = numbers, .predictions = held}},
                       .outer = {.targets = 1}};
  entropic_status status = ent_outer_keep_inner(at.context, &fit, &fitted.outcome, &fitted.outer);
  if (status != ENTROPIC_OK)
    return failed(status);
  assert_int_equal(fitted.outer.inner.rows, ROWS);
  found = untouched();
  status = ent_interval_factors(at.context, &fit, &fitted, &found);
  ent_held_predictions_clear(&fitted.outer.inner);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, found);
  assert_true(found[0] == 0.5);
  ent_delete(found);
  return ENTROPIC_OK;
}

static entropic_status load(void *argument) {
  const held_bytes *bytes = argument;
  entropic_model *made = untouched();
  entropic_status status = entropic_model_load_memory(at.context, bytes->bytes, bytes->count, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  assert_int_equal(ent_model_interval_rows(made), ROWS);
  entropic_model_free(made);
  return ENTROPIC_OK;
}

static void each_allocation(void **state) {
  (void)state;
  held_bytes bytes = bytes_of_model(at.context, at.model);
  assert_true(expect_each_allocation_failure(intervals, NULL) > 3);
  assert_true(expect_each_allocation_failure(deviations, NULL) > 3);
  assert_true(expect_each_allocation_failure(sets, NULL) > 3);
  assert_true(expect_each_allocation_failure(score, NULL) > 6);
  assert_true(expect_each_allocation_failure(spread, NULL) == 6);
  assert_true(expect_each_allocation_failure(load, &bytes) > 10);
  assert_true(expect_each_allocation_failure(fit, NULL) > 50);
  assert_true(expect_each_allocation_failure(factors, NULL) == 7);
  static double groups[ROWS];
  for (size_t r = 0; r < ROWS; r++)
    groups[r] = (double)(r - r % 4);
  at.data->groups = groups;
  assert_true(expect_each_allocation_failure(fit, NULL) > 50);
  at.data->groups = NULL;
  entropic_bytes_free(bytes.bytes);
}

static int start(void **state) {
  (void)state;
  at.context = context_with(1);
  at.sheet = sheet_start(ROWS, 2, 1, PLAIN, 1);
  at.labelled = sheet_start(ROWS, 2, 1, PLAIN, 2);
  sheet_classes(&at.labelled, CLASSES);
  at.options = fixed_options(ENT_LAMBDA_AUTO, 6);
  at.data = dataset_of(at.context, &at.sheet, ENTROPIC_TASK_REGRESSION);
  at.model = fit_sheet(at.context, &at.sheet, ENTROPIC_TASK_REGRESSION, &at.options);
  at.classifier = fit_sheet(at.context, &at.labelled, ENTROPIC_TASK_CLASSIFICATION, &at.options);
  at.table = table_of(at.context, &at.sheet);
  return 0;
}

static int stop(void **state) {
  (void)state;
  entropic_model_free(at.model);
  entropic_model_free(at.classifier);
  entropic_table_free(at.table);
  entropic_dataset_free(at.data);
  sheet_stop(&at.sheet);
  sheet_stop(&at.labelled);
  entropic_context_free(at.context);
  return 0;
}

SUITE(interval_faults) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation)};
  return cmocka_run_group_tests_name("interval_faults", tests, start, stop);
}

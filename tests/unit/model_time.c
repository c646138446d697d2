/* Time series: columns of time in data sets, and fits whose every figure comes from rows that earlier rows predict. */
#include "unit/fitting.h"

#include "fit/outer.h"

#include "unit/beyond.h"
#include "unit/fixture.h"

enum { ROWS = 120, PARTS = 5, LARGE = 5200 };

/* A data set of a sheet with one target, whose first input is the time; like another one, or NULL. */
static entropic_dataset *timed(const sheet *s, entropic_task task, const entropic_dataset *like) {
  static const char *const names[] = {"x1", "x2", "y1", "w"};
  const ent_roles roles = {.targets = "y1", .weights = s->weighted ? "w" : NULL, .time = "x1"};
  entropic_table *table = NULL;
  entropic_dataset *data = NULL;
  assert_int_equal(s->inputs, 2);
  ASSERT_OK(context, ent_table_create(context, s->values, s->rows, s->columns, s->columns, names, &roles, &table));
  if (like == NULL)
    ASSERT_OK(context, ent_dataset_create(context, table, task, &data));
  else
    ASSERT_OK(context, entropic_dataset_create_with_schema(context, table, like, &data));
  entropic_table_free(table);
  return data;
}

static entropic_model *fit_timed(const sheet *s, const ent_fit_options *options, ent_fit_report *report) {
  entropic_dataset *data = timed(s, ENTROPIC_TASK_REGRESSION, NULL);
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, data, NULL, options, report, &model));
  entropic_dataset_free(data);
  return model;
}

/* How many rows are earlier. */
static size_t rank_of(const sheet *s, size_t row) {
  size_t rank = 0;
  for (size_t r = 0; r < s->rows; r++)
    rank += sheet_row(s, r)[0] < sheet_row(s, row)[0];
  return rank;
}

/* The rows of ranks from .. to - 1, in the order of the sheet. */
static sheet rows_between(const sheet *s, size_t from, size_t to) {
  sheet some = *s;
  some.values = calloc((to - from) * s->columns, sizeof *some.values);
  some.rows = 0;
  for (size_t r = 0; r < s->rows; r++) {
    size_t rank = rank_of(s, r);
    if (rank >= from && rank < to)
      memcpy(sheet_row(&some, some.rows++), sheet_row(s, r), s->columns * sizeof *some.values);
  }
  assert_int_equal(some.rows, to - from);
  return some;
}

static double weight_of(const sheet *s, size_t row) {
  return s->weighted ? sheet_y(s, row)[1] : 1;
}

/* Sums over rows: of weights, of squares that a model leaves, and of those that the mean of other rows leaves. */
typedef struct sums {
  double weight, squares, of_mean;
} sums;

static void add_squares(const entropic_model *model, const sheet *in, const sheet *out, sums *to) {
  double *p = predict_sheet(context, model, out), sum = 0, weight = 0;
  for (size_t r = 0; r < in->rows; r++) {
    sum += weight_of(in, r) * sheet_y(in, r)[0];
    weight += weight_of(in, r);
  }
  for (size_t r = 0; r < out->rows; r++) {
    to->weight += weight_of(out, r);
    to->squares += weight_of(out, r) * pow(p[r] - sheet_y(out, r)[0], 2);
    to->of_mean += weight_of(out, r) * pow(sum / weight - sheet_y(out, r)[0], 2);
  }
  free(p);
}

/* The later half in equal blocks, each predicted by a fit of the rows before it. */
static sums blocks_by_hand(const sheet *s, size_t blocks, const ent_fit_options *options) {
  sums all = {0};
  for (size_t block = 0; block < blocks; block++) {
    size_t half = s->rows / 2, from = half + block * half / blocks;
    sheet in = rows_between(s, 0, from), out = rows_between(s, from, half + (block + 1) * half / blocks);
    entropic_model *model = fit_timed(&in, options, NULL);
    add_squares(model, &in, &out, &all);
    entropic_model_free(model);
    sheet_stop(&in);
    sheet_stop(&out);
  }
  return all;
}

static void check_figures(const entropic_model *model, const ent_fit_report *report, size_t blocks, size_t rows,
                          sums expected) {
  entropic_model_info info = ent_model_describe(model);
  double error = sqrt(expected.squares / expected.weight), mean = sqrt(expected.of_mean / expected.weight);
  assert_int_equal(info.validation, ENTROPIC_VALIDATION_FORWARD);
  assert_int_equal(info.folds, blocks);
  assert_int_equal(info.validation_rows, rows);
  assert_close(info.validation_error, error, 1e-5 * error);
  assert_close(report->mean_error, mean, 1e-9);
  assert_true(report->error_spread > 0 && report->error_spread < error);
}

/* Nothing is chosen from the data but lambda, if that; scaling knows nothing of the rows. */
static ent_fit_options plain_options(double lambda) {
  ent_fit_options options = fixed_options(lambda, 12);
  options.scaling = ENTROPIC_SCALING_NONE;
  return options;
}

static void nothing_to_choose(void **state) {
  (void)state;
  for (int with = PLAIN; with <= WITH_WEIGHTS; with++)
    for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_DUAL; solver++) {
      sheet s = sheet_start(ROWS, 2, 1, with, 3);
      ent_fit_options options = plain_options(1e-2);
      options.solver = (entropic_solver)solver;
      options.folds = 4;
      ent_fit_report report;
      entropic_model *model = fit_timed(&s, &options, &report);
      check_figures(model, &report, 4, ROWS / 2, blocks_by_hand(&s, 4, &options));
      entropic_model_free(model);
      sheet_stop(&s);
    }
}

/* What is chosen is chosen by earlier rows alone: the figures are those of fits that know no others. */
static void small_tables_equal_refits(void **state) {
  (void)state;
  for (int with = PLAIN; with <= WITH_WEIGHTS; with++) {
    sheet s = sheet_start(ROWS, 2, 1, with, 5);
    ent_fit_options options = plain_options(ENT_LAMBDA_AUTO);
    ent_fit_report report;
    entropic_model *model = fit_timed(&s, &options, &report);
    check_figures(model, &report, PARTS, ROWS / 2, blocks_by_hand(&s, PARTS, &options));
    entropic_model_free(model);
    sheet_stop(&s);
  }
}

/* The latest tenth is scored; then the weights come from all rows. */
static void large_tables(void **state) {
  (void)state;
  sheet s = sheet_start(LARGE, 2, 1, PLAIN, 6);
  sheet in = rows_between(&s, 0, LARGE - LARGE / 20), out = rows_between(&s, LARGE - LARGE / 20, LARGE);
  ent_fit_options options = plain_options(ENT_LAMBDA_AUTO);
  ent_fit_report report;
  sums scored = {0};
  entropic_model *model = fit_timed(&s, &options, &report), *before = fit_timed(&in, &options, NULL);
  add_squares(before, &in, &out, &scored);
  check_figures(model, &report, 1, LARGE / 20, scored);
  options.lambda = ent_model_describe(model).lambda;
  entropic_model *again = fit_timed(&s, &options, NULL);
  double *p = predict_sheet(context, model, &out), *q = predict_sheet(context, again, &out);
  for (size_t r = 0; r < out.rows; r++)
    assert_close(p[r], q[r], 1e-10);
  free(p);
  free(q);
  entropic_model_free(again);
  entropic_model_free(before);
  entropic_model_free(model);
  sheet_stop(&s);
  sheet_stop(&in);
  sheet_stop(&out);
}

/* The outer errors of a fit that selects features; *outer is to be cleared. */
static void outer_errors(const sheet *s, ent_outer *outer) {
  entropic_dataset *data = timed(s, ENTROPIC_TASK_REGRESSION, NULL);
  ent_fit_options options = ent_fit_options_default();
  ent_fit fit;
  ent_fitted fitted;
  ASSERT_OK(context, ent_fit_prepare(context, data, NULL, &options, &fit));
  ASSERT_OK(context, ent_outer_fit(context, &fit, &fitted));
  *outer = fitted.outer;
  fitted.outer = (ent_outer){0};
  ent_fitted_clear(&fitted);
  ent_fit_clear(&fit);
  entropic_dataset_free(data);
}

/* With features from the data: other targets in the latest block change nothing of what is said of blocks before it. */
static void later_targets_do_not_matter(void **state) {
  (void)state;
  enum { LATEST = ROWS / 2 / PARTS };
  sheet s = sheet_start(ROWS, 2, 1, PLAIN, 7);
  ent_outer before, after;
  outer_errors(&s, &before);
  double first = NAN, *last = NULL;
  for (size_t r = 0; r < ROWS; r++) { /* in a circle, so that units and scale stay */
    if (rank_of(&s, r) < ROWS - LATEST)
      continue;
    double value = sheet_y(&s, r)[0];
    if (last == NULL)
      first = value;
    else
      *last = value;
    last = sheet_y(&s, r);
  }
  *last = first;
  outer_errors(&s, &after);
  assert_int_equal(before.rows, ROWS / 2);
  assert_int_equal(before.parts_scored, PARTS);
  for (size_t f = 0; f <= ENT_FORM_REFERENCE; f++) {
    for (size_t r = LATEST; r < before.rows; r++) /* all rows together decide whether lines go on */
      assert_true(before.errors[f][r] == after.errors[f][r] || is_beyond(&before, f, r));
    assert_memory_not_equal(before.errors[f], after.errors[f], LATEST * sizeof(double));
  }
  ent_outer_clear(&before);
  ent_outer_clear(&after);
  sheet_stop(&s);
}

/* Of validation rows with time the later half scores. */
static void validation_rows(void **state) {
  (void)state;
  sheet s = sheet_start(40, 2, 1, PLAIN, 10), others = sheet_start(30, 2, 1, PLAIN, 11);
  sheet late = rows_between(&others, 15, 30);
  entropic_dataset *train = timed(&s, ENTROPIC_TASK_REGRESSION, NULL), *valid = timed(&others, 0, train);
  ent_fit_options options = plain_options(ENT_LAMBDA_AUTO);
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, train, valid, &options, NULL, &model));
  entropic_model_info info = ent_model_describe(model);
  assert_int_equal(info.validation, ENTROPIC_VALIDATION_ROWS);
  assert_int_equal(info.validation_rows, 15);
  double error = error_on(context, model, &late);
  assert_close(info.validation_error, error, FIGURE_ERROR * error);
  entropic_model_free(model);
  for (size_t r = 0; r < valid->rows; r++)
    valid->time[r] = 1; /* no halves by time: as without it */
  ASSERT_OK(context, ent_model_fit(context, train, valid, &options, NULL, &model));
  assert_int_equal(ent_model_describe(model).validation_rows, 15);
  entropic_model_free(model);
  entropic_dataset_free(train);
  entropic_dataset_free(valid);
  sheet_stop(&s);
  sheet_stop(&others);
  sheet_stop(&late);
}

/* Two times or groups in many rows: what is left of one of them cannot be split again, and nothing is scored. */
static void parts_that_leave_nothing_to_split(void **state) {
  (void)state;
  sheet s = sheet_start(LARGE, 2, 1, WITH_GROUPS, 12);
  for (size_t r = 0; r < s.rows; r++)
    sheet_row(&s, r)[s.columns - 1] = (double)(r % 2);
  for (int grouped = 0; grouped < 2; grouped++) {
    entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
    if (!grouped) { /* the same numbers as times */
      data->time = data->groups;
      data->groups = NULL;
    }
    ent_fit_options options = ent_fit_options_default();
    entropic_model *model = NULL;
    ASSERT_OK(context, ent_model_fit(context, data, NULL, &options, NULL, &model));
    assert_int_equal(ent_model_describe(model).validation, ENTROPIC_VALIDATION_NONE);
    assert_true(error_on(context, model, &s) < 0.12);
    entropic_model_free(model);
    entropic_dataset_free(data);
  }
  sheet_stop(&s);
}

static void one_time_for_all(void **state) {
  (void)state;
  sheet s = sheet_start(40, 2, 1, PLAIN, 13);
  entropic_dataset *data = timed(&s, ENTROPIC_TASK_REGRESSION, NULL);
  assert_true(ent_dataset_describe(data).timed && !ent_dataset_describe(data).one_time);
  entropic_dataset_free(data);
  for (size_t r = 0; r < s.rows; r++)
    sheet_row(&s, r)[0] = 2;
  data = timed(&s, ENTROPIC_TASK_REGRESSION, NULL);
  assert_true(ent_dataset_describe(data).one_time);
  ent_fit_options options = ent_fit_options_default();
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, data, NULL, &options, NULL, &model));
  assert_int_equal(ent_model_describe(model).validation, ENTROPIC_VALIDATION_NONE);
  entropic_model_free(model);
  options.select = ENTROPIC_SELECT_RESIDUAL;
  assert_int_equal(ent_model_fit(context, data, NULL, &options, NULL, &model), ENTROPIC_BAD_DATA);
  assert_message(context, "all rows are of one time, so none can be held out");
  entropic_dataset_free(data);
  sheet_stop(&s);
}

static void no_evidence(void **state) {
  (void)state;
  sheet s = sheet_start(ROWS, 2, 1, PLAIN, 14);
  ent_fit_options options = ent_fit_options_default();
  entropic_dataset *with = timed(&s, ENTROPIC_TASK_REGRESSION, NULL),
                   *without = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  const entropic_dataset *both[] = {without, with};
  for (size_t i = 0; i < COUNT(both); i++) {
    ent_fit fit;
    bool found;
    ASSERT_OK(context, ent_fit_prepare(context, both[i], NULL, &options, &fit));
    ASSERT_OK(context, ent_evidence(context, &fit, &found));
    assert_int_equal(found, i == 0);
    ent_fit_clear(&fit);
  }
  entropic_dataset_free(with);
  entropic_dataset_free(without);
  sheet_stop(&s);
}

static void refuse_roles(ent_roles roles, const char *message) {
  static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  static const char *const names[] = {"a", "b", "c", "y"};
  entropic_table *table = NULL;
  roles.targets = "y";
  assert_int_equal(ent_table_create(context, values, 2, 4, 4, names, &roles, &table), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, message);
}

static void roles_that_do_not_go_together(void **state) {
  (void)state;
  refuse_roles((ent_roles){.groups = "a", .time = "b"}, "groups and time cannot be combined");
  refuse_roles((ent_roles){.time = "y"}, "column y is the target and cannot be the time");
  refuse_roles((ent_roles){.weights = "a", .time = "a"}, "column a is the weight and cannot be the time");
  refuse_roles((ent_roles){.categorical = "a", .time = "a"}, "column a is categorical and cannot be the time");
  refuse_roles((ent_roles){.time = "a,b"}, "no column a,b");
}

/* An ignored column is read for its times, and is no input; a table that has none has no time. */
static void ignored_columns_tell_the_time(void **state) {
  (void)state;
  double values[30 * 3];
  static const char *const names[] = {"when", "a", "y"};
  ent_roles roles = {.targets = "y", .ignore = "when", .time = "when"};
  entropic_table *table = NULL, *other = NULL;
  entropic_dataset *data = NULL, *like = NULL;
  for (size_t i = 0; i < COUNT(values); i++)
    values[i] = (double)(i * i % 37);
  ASSERT_OK(context, ent_table_create(context, values, 30, 3, 3, names, &roles, &table));
  ASSERT_OK(context, ent_dataset_create(context, table, ENTROPIC_TASK_REGRESSION, &data));
  assert_int_equal(ent_dataset_describe(data).inputs, 1);
  for (size_t r = 0; r < 30; r++)
    assert_true(data->time[r] == values[3 * r]);
  roles.schema_of = &table->source->columns;
  ASSERT_OK(context, ent_table_create(context, values, 30, 2, 3, names + 1, &roles, &other));
  ASSERT_OK(context, entropic_dataset_create_with_schema(context, other, data, &like));
  assert_null(like->time);
  entropic_dataset_free(like);
  entropic_table_free(other);
  roles = (ent_roles){.targets = "y", .ignore = "a", .time = "a"};
  ASSERT_OK(context, ent_table_create(context, values, 30, 3, 3, names, &roles, &other));
  assert_int_equal(entropic_dataset_create_with_schema(context, other, data, &like), ENTROPIC_BAD_DATA);
  assert_message(context, "column a is an input and cannot be ignored");
  values[3 * 11] = NAN;
  entropic_table_free(other);
  roles.ignore = roles.time = "when";
  ASSERT_OK(context, ent_table_create(context, values, 30, 3, 3, names, &roles, &other));
  assert_int_equal(ent_dataset_create(context, other, ENTROPIC_TASK_REGRESSION, &like), ENTROPIC_BAD_DATA);
  assert_message(context, "row 12, column 1 (when): found '', expected a number or a date as the row's time");
  entropic_table_free(other);
  entropic_table_free(table);
  entropic_dataset_free(data);
}

SUITE(model_time) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_to_choose),
                                     cmocka_unit_test(small_tables_equal_refits),
                                     cmocka_unit_test(large_tables),
                                     cmocka_unit_test(later_targets_do_not_matter),
                                     cmocka_unit_test(validation_rows),
                                     cmocka_unit_test(parts_that_leave_nothing_to_split),
                                     cmocka_unit_test(one_time_for_all),
                                     cmocka_unit_test(no_evidence),
                                     cmocka_unit_test(roles_that_do_not_go_together),
                                     cmocka_unit_test(ignored_columns_tell_the_time)};
  return cmocka_run_group_tests_name("model_time", tests, start, stop);
}

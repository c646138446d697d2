/* Comparisons, rates and pages of them with every allocation failing once. */
#include "unit/fitting.h"

#include "fault/failing_malloc.h"
#include "study/boundary.h"
#include "compare/experiments.h"
#include "compare/holdout.h"
#include "claims/rate.h"
#include "study/sparse.h"
#include "study/study.h"
#include "compare/split_table.h"

typedef struct setting {
  entropic_context *context;
  entropic_dataset *dataset;
  entropic_comparison *comparison;
  ent_compare_options options;
} setting;

static setting at;
static const size_t sizes[] = {3};

static entropic_status compare(void *argument) {
  const setting *s = argument;
  entropic_comparison *comparison = untouched();
  entropic_status status = ent_compare(s->context, s->dataset, &s->options, &comparison);
  if (status != ENTROPIC_OK)
    return check_failed(status, s->context, comparison);
  entropic_comparison_free(comparison);
  return status;
}

/* One method alone. */
typedef struct method_run {
  entropic_context *context;
  const ent_evaluation *evaluation;
  ent_compare_method method;
  bool tuned;
} method_run;

static entropic_status run_method(void *argument) {
  const method_run *m = argument;
  ent_request request = {
      .method = m->method, .tuned = m->tuned, .features = m->method == ENT_COMPARE_EXACT ? 0 : sizes[0]};
  ent_performance p;
  return ent_evaluation_run(m->context, m->evaluation, &request, 1, &p);
}

/* Training for its time, also from lifted rows. */
static entropic_status time_method(void *argument) {
  const method_run *m = argument;
  bool exact = m->method == ENT_COMPARE_EXACT;
  ent_request request = {.method = m->method, .features = exact ? 0 : sizes[0]};
  const ent_choice choice = {.bandwidth = 1, .lambda = 1e-3};
  ent_durations durations;
  return ent_evaluation_time(m->context, m->evaluation, &request, &choice, 1, !exact, &durations);
}

/* Rows cut by all scalings, and a method tuned with each of them. */
static entropic_status tune_scalings(void *argument) {
  const ent_split_table *rows = argument;
  size_t numbers[30];
  ent_split_cut cut = {0};
  ent_evaluation *evaluation = NULL;
  ent_performance p;
  ent_request request = {.method = ENT_COMPARE_RKS, .tuned = true, .features = sizes[0]};
  for (size_t r = 0; r < rows->rows; r++)
    numbers[r] = r;
  const ent_split_numbers split = {.numbers = numbers, .train = 24, .test = rows->rows - 24};
  entropic_status status = ent_split_table_cut(at.context, rows, &split, ENTROPIC_SCALING_AUTO, &cut);
  if (status == ENTROPIC_OK)
    status = ent_evaluation_create(at.context, &cut.data, 1, &evaluation);
  if (status == ENTROPIC_OK)
    status = ent_evaluation_run(at.context, evaluation, &request, 1, &p);
  ent_evaluation_free(evaluation);
  ent_split_cut_clear(&cut);
  return status;
}

/* Rows held out, by class and by group; an evaluation with groups. */
static entropic_status hold_out(void *argument) {
  const ent_fold_options *split = argument;
  size_t numbers[30], train = 0;
  return ent_holdout(at.context, split, 0.2, 1, numbers, &train);
}

static entropic_status deal_groups(void *argument) {
  const ent_evaluation_data *data = argument;
  ent_evaluation *evaluation = NULL;
  double error;
  entropic_status status = ent_evaluation_create(at.context, data, 1, &evaluation);
  if (status == ENTROPIC_OK)
    status = ent_evaluation_constant(at.context, evaluation, &error);
  ent_evaluation_free(evaluation);
  return status;
}

static entropic_status draw(void *argument) {
  const setting *s = argument;
  const ent_study_names names = {.title = "faults", .target = "y", .date = "today", .command = "entropic compare"};
  return ent_comparison_html(s->context, s->comparison, &names, "faults.html");
}

/* A log that is made anew and gets more lines than it had room for; one that has lines. */
static entropic_status write_log(void *argument) {
  const char *path = argument;
  ent_run_log *log = untouched();
  remove(path);
  entropic_status status = ent_run_log_open(at.context, path, "faults", &log);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, log);
  for (uint64_t i = 0; status == ENTROPIC_OK && i < 100; i++) {
    const ent_logged_key key = {{.method = ENT_COMPARE_RKS, .features = sizes[0]}, i};
    status = i % 2 == 0 ? ent_run_log_add(at.context, log, &key, &(ent_performance){.error = 1})
                        : ent_run_log_add_time(at.context, log, &key, &(ent_logged_time){.others = 1});
  }
  ent_run_log_close(log);
  return status;
}

static entropic_status read_log(void *argument) {
  ent_run_log *log = untouched();
  entropic_status status = ent_run_log_open(at.context, argument, "faults", &log);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, log);
  ent_run_log_close(log);
  return status;
}

/* Two runs of a plan and times of them, all of it logged. */
static entropic_status run_plan(void *argument) {
  const ent_evaluation_data *data = argument;
  static const ent_request requests[] = {{.method = ENT_COMPARE_ENTROPY, .features = 3},
                                         {.method = ENT_COMPARE_RKS, .features = 3},
                                         {.method = ENT_COMPARE_EXACT}};
  ent_experiments all = {0};
  remove("faults.tsv");
  entropic_status status = ent_experiments_start(at.context, requests, COUNT(requests), 2, &all);
  if (status == ENTROPIC_OK)
    status = ent_run_log_open(at.context, "faults.tsv", "faults", &all.log);
  for (uint64_t seed = 1; status == ENTROPIC_OK && seed <= 2; seed++)
    status = ent_experiments_run(at.context, &all, data, seed);
  if (status == ENTROPIC_OK)
    status = ent_experiments_time(at.context, &all, data, 1, &(ent_timing){.rounds = 1, .given = true});
  ent_run_log_close(all.log);
  ent_experiments_clear(&all);
  return status;
}

static entropic_status start_plan(void *argument) {
  const ent_experiment_plan *plan = argument;
  entropic_comparison *comparison = untouched();
  entropic_status status = ent_comparison_start(at.context, plan, 2, &comparison);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, comparison);
  entropic_comparison_free(comparison);
  return status;
}

static entropic_status draw_fit(void *argument) {
  const entropic_model *model = argument;
  entropic_report *report;
  entropic_status status = entropic_report_create(at.context, &report);
  if (status != ENTROPIC_OK)
    return status;
  entropic_report_add_text(report, "command", "entropic fit faults.csv");
  entropic_report_add_integer(report, "members", 1);
  entropic_report_open_list(report, "path");
  for (uint64_t features = 5; features < 10; features += 4) {
    entropic_report_open_object(report, NULL);
    entropic_report_add_integer(report, "features", features);
    entropic_report_add_integer(report, "members", 1);
    entropic_report_add_number(report, "lambda", 1e-3);
    entropic_report_add_number(report, "error", 2);
    entropic_report_add_number(report, "standard_error", 0.5);
    entropic_report_close(report);
  }
  status = entropic_report_close(report);
  if (status == ENTROPIC_OK)
    status = entropic_fit_html(at.context, model, report, "faults", "faults.html");
  entropic_report_free(report);
  return status;
}

static entropic_status rate(void *argument) {
  const setting *s = argument;
  ent_rate result[ENT_RATE_RULES];
  const ent_rate_options options = {.inputs = 1, .first = 4, .last = 5, .runs = 2, .seed = 1};
  return ent_rate_measure(s->context, &options, result);
}

/* Both solvers, both functions. */
static entropic_status sparse(void *argument) {
  const setting *s = argument;
  static const ent_sparse_setting settings[] = {{ENT_SPARSE_ALIGNED, 2, 40, {20, 8}},
                                                {ENT_SPARSE_OBLIQUE, 2, 40, {8, 8}}};
  static ent_sparse result;
  const ent_sparse_options options = {.settings = settings,
                                      .count = COUNT(settings),
                                      .first = {8, 8},
                                      .tuning_rows = 30,
                                      .tuning_features = 6,
                                      .validation_rows = 20,
                                      .test_rows = 20,
                                      .growth_most = 20,
                                      .cholesky_most = 10,
                                      .tolerance = 1e-3,
                                      .seed = 1};
  return ent_sparse_run(s->context, &options, &result);
}

static entropic_status fit_boundary(void *argument) {
  const setting *s = argument;
  static const double x[] = {0, 0.25, 0.5, 0.75, 1}, truth[] = {1, 2, 1, 3, 2};
  double fitted[5];
  const ent_boundary_points points = {.x = x, .truth = truth, .rows = 5};
  return ent_boundary_fit(s->context, ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_FULL, 4, &points, fitted);
}

static int start(void **state) {
  (void)state;
  sheet rows = sheet_start(30, 2, 1, PLAIN, 1);
  at.context = context_with(1);
  at.options = ent_compare_options_default();
  at.options.features = sizes;
  at.options.feature_count = 1;
  at.options.runs = 1;
  at.dataset = dataset_of(at.context, &rows, ENTROPIC_TASK_REGRESSION);
  sheet_stop(&rows);
  ASSERT_OK(at.context, ent_compare(at.context, at.dataset, &at.options, &at.comparison)); /* OpenBLAS is ready */
  return 0;
}

static int stop(void **state) {
  (void)state;
  entropic_comparison_free(at.comparison);
  entropic_dataset_free(at.dataset);
  entropic_context_free(at.context);
  remove("faults.html");
  remove("faults.tsv");
  return 0;
}

static void comparisons(void **state) {
  (void)state;
  assert_true(expect_allocation_failures(compare, &at, 6007) > 10000);
}

enum { SPLIT_ROWS = 24, SPLIT_TEST = 6 };

static ent_evaluation_data small_split(void) {
  static double x[(SPLIT_ROWS + SPLIT_TEST) * 2], y[SPLIT_ROWS + SPLIT_TEST];
  for (size_t r = 0; r < COUNT(y); r++) {
    x[2 * r] = (double)(r * 7 % 30) / 30;
    x[2 * r + 1] = (double)(r * 11 % 30) / 30;
    y[r] = x[2 * r] * x[2 * r + 1];
  }
  return (ent_evaluation_data){.inputs = 2,
                               .targets = 1,
                               .rows = SPLIT_ROWS,
                               .test_rows = SPLIT_TEST,
                               .x = x,
                               .y = y,
                               .test_x = x + SPLIT_ROWS * 2,
                               .test_y = y + SPLIT_ROWS};
}

static void methods(void **state) {
  (void)state;
  const ent_evaluation_data data = small_split();
  ent_evaluation *evaluation = NULL;
  ASSERT_OK(at.context, ent_evaluation_create(at.context, &data, 1, &evaluation));
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
    method_run run = {.context = at.context, .evaluation = evaluation, .method = method};
    long step = method == ENT_COMPARE_RESIDUAL ? 11 : 1;
    assert_true(expect_allocation_failures(run_method, &run, step) > (method == ENT_COMPARE_EXACT ? 10 : 30));
    assert_true(expect_allocation_failures(time_method, &run, step) > (method == ENT_COMPARE_EXACT ? 3 : 15));
    run.tuned = true;
    assert_true(expect_allocation_failures(run_method, &run, 29 * step) > (method == ENT_COMPARE_EXACT ? 50 : 150));
  }
  ent_evaluation_free(evaluation);
}

static void logs(void **state) {
  (void)state;
  char path[] = "faults.tsv";
  assert_true(expect_each_allocation_failure(write_log, path) >= 5);
  assert_int_equal(write_log(path), ENTROPIC_OK);
  assert_true(expect_each_allocation_failure(read_log, path) >= 5);
  ent_evaluation_data data = small_split();
  assert_true(expect_each_allocation_failure(run_plan, &data) > 100);
}

static void plans(void **state) {
  (void)state;
  static const size_t large[] = {5, 6};
  ent_experiment_plan plan = {.sizes = sizes,
                              .size_count = 1,
                              .large = large,
                              .large_count = 2,
                              .large_runs = 1,
                              .budgets = sizes,
                              .budget_count = 1,
                              .exact_runs = 1};
  assert_true(expect_each_allocation_failure(start_plan, &plan) > 100);
}

static void scalings(void **state) {
  (void)state;
  ent_split_table rows;
  ASSERT_OK(at.context, ent_split_table_of_dataset(at.context, at.dataset, &rows));
  assert_true(expect_each_allocation_failure(tune_scalings, &rows) > 100);
  ent_split_table_clear(&rows);
}

static void splits(void **state) {
  (void)state;
  double labels[30], groups[30], x[30], y[30];
  for (size_t r = 0; r < COUNT(x); r++) {
    labels[r] = (double)(r % 3);
    groups[r] = (double)(r - r % 3);
    x[r] = y[r] = (double)r / 30;
  }
  ent_fold_options by_class = {.rows = 30, .labels = labels, .classes = 3}, by_group = by_class;
  by_group.groups = groups;
  ent_evaluation_data data = {.inputs = 1,
                              .targets = 1,
                              .rows = 24,
                              .test_rows = 6,
                              .x = x,
                              .y = y,
                              .test_x = x + 24,
                              .test_y = y + 24,
                              .groups = groups};
  assert_true(expect_each_allocation_failure(hold_out, &by_class) >= 4);
  assert_true(expect_each_allocation_failure(hold_out, &by_group) >= 8);
  assert_true(expect_each_allocation_failure(deal_groups, &data) >= 5);
}

/* Rows in groups: what is asked for before the first method runs. */
static void grouped_comparisons(void **state) {
  (void)state;
  sheet rows = sheet_start(40, 1, 1, WITH_GROUPS, 1);
  setting grouped = at;
  grouped.dataset = dataset_of(at.context, &rows, ENTROPIC_TASK_REGRESSION);
  sheet_stop(&rows);
  for (long i = 0; i < 400; i++) {
    failing_malloc_after(i);
    entropic_status status = compare(&grouped);
    failing_malloc_after(-1);
    assert_int_equal(status, ENTROPIC_NO_MEMORY);
  }
  entropic_dataset_free(grouped.dataset);
}

static void pages(void **state) {
  (void)state;
  assert_true(expect_each_allocation_failure(draw, &at) > 5);
  ent_fit_options options = fixed_options(1e-3, 6);
  sheet rows = sheet_start(30, 2, 1, PLAIN, 1);
  entropic_model *model = fit_sheet(at.context, &rows, ENTROPIC_TASK_REGRESSION, &options);
  assert_true(expect_each_allocation_failure(draw_fit, model) > 2);
  entropic_model_free(model);
  sheet_stop(&rows);
}

static void results_are_there_without_asking(void **state) {
  (void)state;
  entropic_method_result last = {.name = NULL};
  failing_malloc_after(0);
  size_t count = entropic_comparison_count(at.comparison);
  entropic_status status = entropic_comparison_get(at.context, at.comparison, count - 1, &last, sizeof last);
  entropic_method_result constant = {.name = NULL};
  const double *errors = NULL, *constant_errors = NULL;
  entropic_status got = entropic_comparison_errors(at.context, at.comparison, count - 1, &errors);
  entropic_status reference =
      entropic_comparison_constant(at.context, at.comparison, &constant, sizeof constant, &constant_errors);
  double load = entropic_comparison_load(at.comparison);
  long asked = failing_malloc_count();
  failing_malloc_after(-1);
  assert_int_equal(asked, 0);
  assert_int_equal(status, ENTROPIC_OK);
  assert_int_equal(got, ENTROPIC_OK);
  assert_int_equal(reference, ENTROPIC_OK);
  assert_non_null(last.name);
  assert_true(isnan(load) || load >= 0);
  assert_true(errors[0] == last.error && constant_errors[0] == constant.error && constant.runs == 1);
}

static void rates(void **state) {
  (void)state;
  assert_true(expect_each_allocation_failure(rate, &at) > 50);
}

static void sparse_features(void **state) {
  (void)state;
  assert_true(expect_allocation_failures(sparse, &at, 23) > 30);
}

static void boundaries(void **state) {
  (void)state;
  assert_true(expect_each_allocation_failure(fit_boundary, &at) > 10);
}

SUITE(study_faults) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comparisons),
      cmocka_unit_test(methods),
      cmocka_unit_test(logs),
      cmocka_unit_test(plans),
      cmocka_unit_test(scalings),
      cmocka_unit_test(splits),
      cmocka_unit_test(grouped_comparisons),
      cmocka_unit_test(pages),
      cmocka_unit_test(rates),
      cmocka_unit_test(sparse_features),
      cmocka_unit_test(boundaries),
      cmocka_unit_test(results_are_there_without_asking),
  };
  return cmocka_run_group_tests_name("study_faults", tests, start, stop);
}

/* Exports with each of their allocations failing in turn: NO_MEMORY, nothing leaked, no file left, no output touched. */
#include <unistd.h>

#include "unit/collecting.h"

#include "fault/failing_malloc.h"
#include "entropic/explain.h"
#include "model/intervals.h"

enum { ROWS = 24, INTERVAL_ROWS = 120 };

static struct {
  entropic_context *context;
  entropic_model *model, *series;
  entropic_model *intervals, *sets; /* of numbers and of classes */
  entropic_model *centres;
  entropic_parameters *parameters[3];
} at;

/* What is exported, and how. */
typedef struct exporting {
  const entropic_model *model;
  const entropic_parameters *parameters;
} exporting;

static entropic_status to_memory(void *argument) {
  const exporting *of = argument;
  unsigned char *bytes = untouched();
  size_t count = 17;
  entropic_status status = entropic_model_export_memory(at.context, of->model, of->parameters, &bytes, &count);
  if (status != ENTROPIC_OK) {
    assert_int_equal(count, 17);
    return check_failed(status, at.context, bytes);
  }
  assert_true(count > 1000);
  entropic_bytes_free(bytes);
  return ENTROPIC_OK;
}

static entropic_status to_file(void *argument) {
  const exporting *of = argument;
  entropic_status status = entropic_model_export(at.context, of->model, of->parameters, "exported");
  assert_int_equal(access("exported", F_OK), status == ENTROPIC_OK ? 0 : -1);
  unlink("exported");
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

static void each_allocation(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(at.parameters); i++) {
    exporting of = {at.model, at.parameters[i]};
    assert_true(expect_each_allocation_failure(to_memory, &of) > 30);
    assert_true(expect_each_allocation_failure(to_file, &of) > 30);
  }
  exporting of = {at.model, NULL};
  assert_true(expect_each_allocation_failure(to_memory, &of) > 30);
}

static void each_allocation_of_series(void **state) {
  (void)state;
  exporting of = {at.series, at.parameters[1]};
  assert_true(expect_each_allocation_failure(to_memory, &of) > 30);
}

static void each_allocation_of_intervals(void **state) {
  (void)state;
  assert_non_null(at.intervals->intervals);
  assert_non_null(at.sets->intervals);
  for (size_t i = 0; i < COUNT(at.parameters); i++) {
    exporting of = {at.intervals, at.parameters[i]};
    assert_true(expect_each_allocation_failure(to_memory, &of) > 50);
    of.model = at.sets;
    assert_true(expect_each_allocation_failure(to_memory, &of) > 50);
  }
}

static void each_allocation_of_centres(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(at.parameters); i++) {
    exporting of = {at.centres, at.parameters[i]};
    assert_true(expect_each_allocation_failure(to_memory, &of) > 40);
  }
}

static int start(void **state) {
  (void)state;
  static const char *const languages[] = {"c", "js", "json"};
  const collecting *c = collecting_named("missing");
  at.context = context_with(1);
  sheet s = collecting_sheet(c, ROWS, 1);
  ent_fit_options options = collecting_options(c);
  options.features = 12;
  at.model = fit_sheet(at.context, &s, c->task, &options);
  sheet_stop(&s);
  s = collecting_sheet(collecting_named("numbers"), ROWS, 1);
  options = collecting_options(collecting_named("numbers"));
  options.features = 12;
  options.axis.family = ENTROPIC_FAMILY_CUSTOM;
  options.axis.p_text = "1 + x";
  options.axis.q_text = "1";
  options.axis.max_level = 4;
  at.series = fit_sheet(at.context, &s, ENTROPIC_TASK_REGRESSION, &options);
  sheet_stop(&s);
  options = fixed_options(ENT_LAMBDA_AUTO, 6);
  s = sheet_start(INTERVAL_ROWS, 2, 1, PLAIN, 1);
  at.intervals = fit_sheet(at.context, &s, ENTROPIC_TASK_REGRESSION, &options);
  sheet_stop(&s);
  s = sheet_start(ROWS, 2, 1, PLAIN, 4);
  options = fixed_options(1e-3, 0);
  options.solver = ENTROPIC_SOLVER_EXACT;
  at.centres = fit_sheet(at.context, &s, ENTROPIC_TASK_REGRESSION, &options);
  sheet_stop(&s);
  options = fixed_options(ENT_LAMBDA_AUTO, 6);
  s = sheet_start(INTERVAL_ROWS, 2, 1, PLAIN, 2);
  sheet_classes(&s, 3);
  at.sets = fit_sheet(at.context, &s, ENTROPIC_TASK_CLASSIFICATION, &options);
  sheet_stop(&s);
  for (size_t i = 0; i < COUNT(languages); i++) {
    ASSERT_OK(at.context, entropic_parameters_create(at.context, ENTROPIC_PURPOSE_EXPORT, &at.parameters[i]));
    ASSERT_OK(at.context, entropic_parameters_set(at.context, at.parameters[i], "lang", languages[i]));
  }
  return 0;
}

static int stop(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(at.parameters); i++)
    entropic_parameters_free(at.parameters[i]);
  entropic_model_free(at.series);
  entropic_model_free(at.intervals);
  entropic_model_free(at.sets);
  entropic_model_free(at.centres);
  entropic_model_free(at.model);
  entropic_context_free(at.context);
  return 0;
}

SUITE(export_faults) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation), cmocka_unit_test(each_allocation_of_series),
                                     cmocka_unit_test(each_allocation_of_intervals),
                                     cmocka_unit_test(each_allocation_of_centres)};
  return cmocka_run_group_tests_name("export_faults", tests, start, stop);
}

/* Every call on statistics with each of its allocations failing in turn: NO_MEMORY, nothing leaked, no output touched, and
 * what was to be changed is as it was. */
#include "unit/collecting.h"
#include "unit/fixed_plain.h"

#include "fault/failing_malloc.h"
#include "model/intervals.h"
#include "model/member_effects.h"
#include "sums/fixed_targets.h"
#include "update/statistics_calls.h"

enum { ROWS = 24 };

typedef struct setting {
  entropic_context *context;
  sheet sheet, others;
  entropic_table *table; /* of the others */
  entropic_table *class_table;
  entropic_dataset *data;
  entropic_model *model;
  entropic_statistics *statistics;
  held_bytes model_bytes;
  char path[512];
} setting;

static setting at;

/* The model is still the one it was. */
static void check_model(void) {
  assert_int_equal(at.model->total_rows, ROWS);
  assert_int_equal(at.model->rows, ROWS);
  assert_true(at.model->totals->rows >= ROWS && !at.model->outdated);
}

static entropic_status create(void *argument) {
  (void)argument;
  entropic_statistics *made = untouched();
  entropic_status status = entropic_statistics_create(at.context, at.model, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  entropic_statistics_free(made);
  return ENTROPIC_OK;
}

static entropic_status copy(void *argument) {
  (void)argument;
  entropic_statistics *made = untouched();
  entropic_status status = entropic_statistics_of_model(at.context, at.model, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  assert_ptr_not_equal(entropic_statistics_design(made), at.model);
  entropic_statistics_free(made);
  return ENTROPIC_OK;
}

/* Rows in, and out again: the change itself is what may fail. */
static entropic_status change(bool forget) {
  entropic_row_reader *reader = untouched();
  entropic_report *report = untouched();
  entropic_status status = entropic_row_reader_open_table(at.context, at.model, at.table, 1, &reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, reader);
  status = forget ? entropic_model_forget(at.context, at.model, reader, &report)
                  : entropic_model_update(at.context, at.model, reader, &report);
  entropic_row_reader_free(reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, report);
  entropic_report_free(report);
  return ENTROPIC_OK;
}

static entropic_status update(void *argument) {
  (void)argument;
  entropic_status status = change(false);
  if (status != ENTROPIC_OK) {
    check_model();
    return status;
  }
  assert_int_equal(at.model->total_rows, 2 * ROWS);
  failing_malloc_after(-1);
  assert_int_equal(change(true), ENTROPIC_OK);
  check_model();
  return ENTROPIC_OK;
}

static entropic_status forget(void *argument) {
  (void)argument;
  entropic_status status = change(true);
  if (status != ENTROPIC_OK) {
    assert_int_equal(at.model->total_rows, 2 * ROWS);
    return status;
  }
  check_model();
  failing_malloc_after(-1);
  assert_int_equal(change(false), ENTROPIC_OK);
  return ENTROPIC_OK;
}

static entropic_status collect(void *argument) {
  (void)argument;
  entropic_row_reader *reader = untouched();
  entropic_report *report = untouched();
  entropic_status status = entropic_row_reader_open_table(at.context, at.model, at.table, 1, &reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, reader);
  uint64_t rows = at.statistics->design.model->total_rows;
  status = entropic_statistics_collect(at.context, at.statistics, reader, &report);
  entropic_row_reader_free(reader);
  if (status != ENTROPIC_OK) {
    assert_int_equal(at.statistics->design.model->total_rows, rows);
    return check_failed(status, at.context, report);
  }
  assert_int_equal(at.statistics->design.model->total_rows, rows + ROWS);
  entropic_report_free(report);
  return ENTROPIC_OK;
}

static entropic_status solve(void *argument) {
  entropic_parameters *set = argument;
  entropic_model *made = untouched();
  entropic_status status = entropic_statistics_solve(at.context, at.statistics, set, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  entropic_model_free(made);
  return ENTROPIC_OK;
}

static entropic_status save_and_load(void *argument) {
  (void)argument;
  entropic_statistics *made = untouched();
  entropic_status status = entropic_statistics_save(at.context, at.statistics, at.path);
  if (status == ENTROPIC_OK)
    status = entropic_statistics_load(at.context, at.path, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  entropic_statistics_free(made);
  return ENTROPIC_OK;
}

static entropic_status through_memory(void *argument) {
  (void)argument;
  entropic_statistics *made = untouched();
  unsigned char *bytes = untouched();
  size_t count = 0;
  entropic_status status = entropic_statistics_save_memory(at.context, at.statistics, &bytes, &count);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, bytes);
  status = entropic_statistics_load_memory(at.context, bytes, count, &made);
  entropic_bytes_free(bytes);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  entropic_statistics_free(made);
  return ENTROPIC_OK;
}

static entropic_status load_model(void *argument) {
  (void)argument;
  entropic_model *made = untouched();
  entropic_status status = entropic_model_load_memory(at.context, at.model_bytes.bytes, at.model_bytes.count, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  entropic_model_free(made);
  return ENTROPIC_OK;
}

/* What a fit does at its end. */
static entropic_status keep(void *argument) {
  (void)argument;
  entropic_model *made = at.model;
  ent_fixed *totals = made->totals;
  made->totals = NULL;
  entropic_status status = ent_model_keep_statistics(at.context, at.data, made);
  if (status == ENTROPIC_OK)
    assert_true(fixed_equal(made->totals, totals));
  ent_fixed_free(made->totals);
  made->totals = totals;
  made->total_rows = ROWS;
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

static entropic_status gather(void *argument) {
  (void)argument;
  ent_fixed_targets targets = ent_frozen_targets(at.model->frozen);
  ent_statistics *made = untouched();
  const ent_frozen_member *member = &at.model->frozen->members[0];
  entropic_status status =
      ent_fixed_gather(at.context, at.model->totals, &targets, member->features, member->count, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  ent_statistics_free(made);
  return ENTROPIC_OK;
}

/* Weights from rows alone, by every loss. */
static entropic_status refit_model(void *argument) {
  entropic_model *model = argument;
  entropic_row_reader *reader = untouched();
  entropic_report *report = untouched();
  double weight = model->main.weights[1];
  entropic_status status = entropic_row_reader_open_table(at.context, model, at.class_table, 1, &reader);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, reader);
  status = entropic_model_refit(at.context, model, reader, &report);
  entropic_row_reader_free(reader);
  if (status != ENTROPIC_OK) {
    assert_true(model->main.weights[1] == weight);
    return check_failed(status, at.context, report);
  }
  entropic_report_free(report);
  return ENTROPIC_OK;
}

static void each_refit(void **state) {
  (void)state;
  static const entropic_loss losses[] = {ENTROPIC_LOSS_SQUARED, ENTROPIC_LOSS_LOGISTIC, ENTROPIC_LOSS_HINGE};
  const collecting *c = collecting_named("four classes");
  sheet s = collecting_sheet(c, 40, 1);
  at.class_table = table_of(at.context, &s);
  for (size_t i = 0; i < COUNT(losses); i++) {
    ent_fit_options options = fixed_options(1e-2, 6);
    options.loss = losses[i];
    entropic_model *model = fit_sheet(at.context, &s, c->task, &options);
    assert_true(expect_each_allocation_failure(refit_model, model) > 15);
    entropic_model_free(model);
  }
  entropic_table_free(at.class_table);
  sheet_stop(&s);
}

/* The text of a design, and the design it describes. */
static entropic_status design_text(void *argument) {
  unsigned char *bytes = untouched();
  size_t count = 0;
  entropic_frozen_design *made = untouched();
  entropic_status status = entropic_frozen_design_make(at.context, argument, &bytes, &count);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, bytes);
  status = entropic_frozen_design_load_memory(at.context, bytes, count, &made);
  entropic_bytes_free(bytes);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  entropic_frozen_design_free(made);
  return ENTROPIC_OK;
}

static entropic_status design_file(void *argument) {
  entropic_frozen_design *made = untouched();
  entropic_status status = entropic_frozen_design_load(at.context, argument, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  entropic_frozen_design_free(made);
  return ENTROPIC_OK;
}

static void each_design(void **state) {
  static const char *const ranges = "a=0:1,b=u|v|w?,c=-1:1?";
  char list[512];
  snprintf(list, sizeof list, "%s", in_folder(state, "ranges"));
  FILE *file = fopen(list, "w");
  assert_non_null(file);
  fputs("# two\na=0:1\nb=u|v\n", file);
  fclose(file);
  for (int i = 0; i < 3; i++) {
    entropic_parameters *set = NULL;
    ASSERT_OK(at.context, entropic_parameters_create(at.context, ENTROPIC_PURPOSE_COLLECT, &set));
    ASSERT_OK(at.context, entropic_parameters_set(at.context, set, "ranges", i == 2 ? list : ranges));
    ASSERT_OK(at.context, entropic_parameters_set(at.context, set, "target", "y"));
    ASSERT_OK(at.context, i == 0 ? entropic_parameters_set(at.context, set, "target-range", "0:1")
                                 : entropic_parameters_set(at.context, set, "classes", "k,m,l"));
    ASSERT_OK(at.context, entropic_parameters_set(at.context, set, "features", "6"));
    assert_true(expect_each_allocation_failure(design_text, set) > 40);
    entropic_parameters_free(set);
  }
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/golden/columns.design", getenv("ENTROPIC_SOURCE"));
  assert_true(expect_each_allocation_failure(design_file, path) > 40);
}

/* These allocate nothing. */
static void without_memory(void) {
  entropic_statistics_info info;
  entropic_statistics *other = NULL;
  char receipt[ENTROPIC_RECEIPT_SIZE];
  ASSERT_OK(at.context, entropic_statistics_of_model(at.context, at.model, &other));
  failing_malloc_after(0);
  ASSERT_OK(at.context, entropic_statistics_merge(at.context, at.statistics, other));
  ASSERT_OK(at.context, entropic_statistics_subtract(at.context, at.statistics, other));
  ASSERT_OK(at.context, entropic_statistics_describe(at.context, other, &info, sizeof info));
  assert_true(entropic_model_statistics_bytes(at.model) > 0);
  ASSERT_OK(at.context, entropic_statistics_receipt(at.context, at.statistics, receipt));
  ASSERT_OK(at.context, entropic_model_receipt(at.context, at.model, receipt));
  assert_int_equal(failing_malloc_count(), 0);
  failing_malloc_after(-1);
  entropic_statistics_free(other);
}

static void each_allocation(void **state) {
  entropic_parameters *set = NULL;
  snprintf(at.path, sizeof at.path, "%s", in_folder(state, "stat"));
  ASSERT_OK(at.context, entropic_parameters_create(at.context, ENTROPIC_PURPOSE_SOLVE, &set));
  ASSERT_OK(at.context, entropic_parameters_set(at.context, set, "lambda", "auto"));
  assert_true(expect_each_allocation_failure(create, NULL) > 20);
  assert_true(expect_each_allocation_failure(copy, NULL) > 20);
  assert_true(expect_each_allocation_failure(collect, NULL) > 20);
  assert_true(expect_each_allocation_failure(solve, NULL) > 20);
  assert_true(expect_each_allocation_failure(solve, set) > 20);
  assert_true(expect_each_allocation_failure(save_and_load, NULL) > 20);
  assert_true(expect_each_allocation_failure(through_memory, NULL) > 20);
  assert_true(expect_each_allocation_failure(load_model, NULL) > 20);
  assert_true(expect_each_allocation_failure(keep, NULL) > 20);
  assert_true(expect_each_allocation_failure(gather, NULL) > 2);
  assert_true(expect_each_allocation_failure(update, NULL) > 20);
  assert_int_equal(change(false), ENTROPIC_OK);
  assert_true(expect_each_allocation_failure(forget, NULL) > 20);
  assert_int_equal(change(true), ENTROPIC_OK);
  check_model();
  without_memory();
  entropic_parameters_free(set);
}

static int start(void **state) {
  const collecting *c = collecting_named("missing");
  at = (setting){.context = context_with(1)};
  at.sheet = collecting_sheet(c, ROWS, 1);
  at.others = collecting_sheet(c, ROWS, 2);
  ent_fit_options options = collecting_options(c);
  options.features = 5;
  at.data = dataset_of(at.context, &at.sheet, c->task);
  ASSERT_OK(at.context, ent_model_fit(at.context, at.data, NULL, &options, NULL, &at.model));
  ent_model_drop_intervals(at.model); /* an update would, which is memory that it has not allocated */
  ent_model_drop_member_effects(at.model);
  at.table = table_of(at.context, &at.others);
  ASSERT_OK(at.context, entropic_statistics_of_model(at.context, at.model, &at.statistics));
  at.model_bytes = bytes_of_model(at.context, at.model);
  return make_folder(state);
}

static int stop(void **state) {
  entropic_bytes_free(at.model_bytes.bytes);
  entropic_statistics_free(at.statistics);
  entropic_model_free(at.model);
  entropic_table_free(at.table);
  entropic_dataset_free(at.data);
  sheet_stop(&at.sheet);
  sheet_stop(&at.others);
  entropic_context_free(at.context);
  return remove_folder(state);
}

SUITE(statistics_faults) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation), cmocka_unit_test(each_refit),
                                     cmocka_unit_test(each_design)};
  return cmocka_run_group_tests_name("statistics_faults", tests, start, stop);
}

/* Every long call, as something that can be run and cancelled. Each checks that a call that was cancelled has left its
 * outputs and the folder alone. */
#ifndef CANCELLING_H
#define CANCELLING_H

#include "unit/fitting.h"

#include <dirent.h>

/* What the calls work on. Made by long_start, with a context that no callback is set in. */
typedef struct long_setting {
  entropic_context *context; /* of the calls */
  void **folder;
  size_t rows;
  sheet numbers, classes;
  entropic_table *table;
  entropic_dataset *data, *class_data;
  entropic_model *exact, *kept;
  entropic_statistics *statistics; /* of the model that keeps them */
  entropic_kernel *kernel;
  entropic_lift *lift;
  size_t features; /* of the designs */
  char csv[200], saved[200];
  bool whole; /* fits choose everything; otherwise little */
} long_setting;

static char long_untouched;

/* After a failed call: an output argument is as it was. */
static inline entropic_status long_failed(const long_setting *at, entropic_status status, const void *output) {
  assert_ptr_equal(output, &long_untouched);
  if (status == ENTROPIC_CANCELLED)
    assert_message(at->context, "cancelled by the progress callback");
  return status;
}

static inline size_t long_files(const long_setting *at) {
  size_t count = 0;
  DIR *folder = opendir(in_folder(at->folder, "."));
  assert_non_null(folder);
  while (readdir(folder) != NULL)
    count++;
  closedir(folder);
  return count;
}

#define LONG_OUTPUT(type, name) type *name = (type *)(void *)&long_untouched

static inline entropic_status long_load(const long_setting *at) {
  LONG_OUTPUT(entropic_table, table);
  ent_read_options options = ent_read_options_default();
  options.roles.targets = "y1";
  entropic_status status = ent_table_load(at->context, at->csv, &options, &table);
  if (status != ENTROPIC_OK)
    return long_failed(at, status, table);
  assert_int_equal(entropic_table_rows(table), at->rows);
  entropic_table_free(table);
  return ENTROPIC_OK;
}

/* A source whose survey was cancelled can be surveyed again. */
static inline entropic_status long_survey(const long_setting *at) {
  ent_source *source = NULL;
  entropic_status status = ent_source_open(at->context, at->csv, NULL, &source);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_source_survey(at->context, source);
  if (status != ENTROPIC_OK) {
    entropic_context *other = context_with(1);
    assert_int_equal(source->rows, 0);
    ASSERT_OK(other, ent_source_survey(other, source));
    entropic_context_free(other);
  }
  assert_int_equal(source->rows, at->rows);
  ent_source_free(source);
  return status;
}

static inline entropic_status long_dataset(const long_setting *at) {
  LONG_OUTPUT(entropic_dataset, dataset);
  entropic_status status = ent_dataset_create(at->context, at->table, ENTROPIC_TASK_REGRESSION, &dataset);
  if (status != ENTROPIC_OK)
    return long_failed(at, status, dataset);
  entropic_dataset_free(dataset);
  dataset = (entropic_dataset *)(void *)&long_untouched;
  status = entropic_dataset_create_with_schema(at->context, at->table, at->data, &dataset);
  if (status != ENTROPIC_OK)
    return long_failed(at, status, dataset);
  entropic_dataset_free(dataset);
  return ENTROPIC_OK;
}

static inline entropic_status long_fit_with(const long_setting *at, bool classes, const ent_fit_options *options) {
  LONG_OUTPUT(entropic_model, model);
  ent_fit_report report = {.total = -1};
  entropic_status status =
      ent_model_fit(at->context, classes ? at->class_data : at->data, NULL, options, &report, &model);
  assert_true(status == ENTROPIC_OK ? report.total > 0 : report.total == -1);
  if (status != ENTROPIC_OK)
    return long_failed(at, status, model);
  entropic_model_free(model);
  return ENTROPIC_OK;
}

static inline ent_fit_options long_options(const long_setting *at) {
  ent_fit_options options = ent_fit_options_default();
  options.features = at->whole ? 40 : 12;
  options.axis.max_level = 4;
  return options;
}

static inline entropic_status long_fit(const long_setting *at) {
  ent_fit_options options = long_options(at);
  return long_fit_with(at, false, &options);
}

static inline entropic_status long_fit_classes(const long_setting *at) {
  ent_fit_options options = long_options(at);
  return long_fit_with(at, true, &options);
}

static inline entropic_status long_fit_hinge(const long_setting *at) {
  ent_fit_options options = long_options(at);
  options.loss = ENTROPIC_LOSS_HINGE;
  return long_fit_with(at, true, &options);
}

static inline entropic_status long_fit_exact(const long_setting *at) {
  ent_fit_options options = ent_fit_options_default();
  options.solver = ENTROPIC_SOLVER_EXACT;
  return long_fit_with(at, false, &options);
}

static inline entropic_status long_fit_dual(const long_setting *at) {
  ent_fit_options options = fixed_options(ENT_LAMBDA_AUTO, 2 * at->rows);
  options.solver = ENTROPIC_SOLVER_DUAL;
  return long_fit_with(at, false, &options);
}

static inline entropic_status long_fit_iterative(const long_setting *at) {
  ent_fit_options options = fixed_options(1e-6, at->whole ? 700 : 20);
  options.solver = ENTROPIC_SOLVER_ITERATIVE;
  return long_fit_with(at, false, &options);
}

static inline entropic_status long_compare(const long_setting *at) {
  static const size_t sizes[] = {10};
  LONG_OUTPUT(entropic_comparison, comparison);
  ent_compare_options options = ent_compare_options_default();
  options.features = sizes;
  options.feature_count = 1;
  options.runs = 1;
  entropic_status status = ent_compare(at->context, at->data, &options, &comparison);
  if (status != ENTROPIC_OK)
    return long_failed(at, status, comparison);
  entropic_comparison_free(comparison);
  return ENTROPIC_OK;
}

static inline entropic_status long_score(const long_setting *at) {
  entropic_row_reader *reader = NULL;
  ent_score_figures scores = {.rows = 7};
  entropic_data_warnings warnings = {1, 2, 3, 4, 5};
  entropic_status status = ent_row_reader_open(at->context, at->exact, at->csv, NULL, 1, &reader);
  if (status != ENTROPIC_OK)
    return status;
  status = model_score(at->context, at->exact, reader, &warnings, &scores);
  entropic_row_reader_free(reader);
  assert_int_equal(scores.rows, status == ENTROPIC_OK ? at->rows : 7);
  assert_true(status == ENTROPIC_OK || (warnings.outside == 1 && warnings.missing == 3));
  return status;
}

static inline entropic_status long_predict(const long_setting *at) {
  double *out = calloc(at->rows, sizeof *out);
  entropic_status status =
      entropic_model_predict(at->context, at->exact, at->numbers.values, at->rows, at->numbers.columns, out);
  bool touched = false;
  for (size_t r = 0; r < at->rows; r++)
    touched = touched || out[r] != 0;
  /* In a call of the test's own there is nothing between the work and the caller's array. */
  assert_true(status == ENTROPIC_OK ? touched : at->context->call != NULL || !touched);
  free(out);
  return status;
}

static inline entropic_status long_design(const long_setting *at) {
  LONG_OUTPUT(entropic_design, design);
  entropic_design_options options = ent_design_options_default();
  options.features = at->features;
  entropic_status status = ent_design_create(at->context, at->kernel, &options, &design);
  if (status != ENTROPIC_OK)
    return long_failed(at, status, design);
  entropic_design_free(design);
  return ENTROPIC_OK;
}

static inline entropic_status long_csr(const long_setting *at) {
  LONG_OUTPUT(entropic_csr, csr);
  entropic_status status =
      entropic_lift_csr(at->context, at->lift, at->numbers.values, at->rows, at->numbers.columns, &csr);
  if (status != ENTROPIC_OK)
    return long_failed(at, status, csr);
  entropic_csr_free(csr);
  return ENTROPIC_OK;
}

/* Rows in and, if that was not cancelled, out again: the model is the one it was. */
static inline entropic_status long_update(const long_setting *at) {
  entropic_row_reader *reader = NULL;
  LONG_OUTPUT(entropic_report, report);
  double weight = entropic_model_weights(at->kept, 0, NULL)[1];
  entropic_status status = ent_row_reader_open(at->context, at->kept, at->csv, NULL, 1, &reader);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_model_update(at->context, at->kept, reader, &report);
  entropic_row_reader_free(reader);
  assert_int_equal(at->kept->total_rows, status == ENTROPIC_OK ? 2 * at->rows : at->rows);
  if (status != ENTROPIC_OK) {
    assert_true(entropic_model_weights(at->kept, 0, NULL)[1] == weight);
    return long_failed(at, status, report);
  }
  entropic_report_free(report);
  entropic_context *other = context_with(1);
  ASSERT_OK(other, ent_row_reader_open(other, at->kept, at->csv, NULL, 1, &reader));
  ASSERT_OK(other, entropic_model_forget(other, at->kept, reader, NULL));
  entropic_row_reader_free(reader);
  entropic_context_free(other);
  assert_true(entropic_model_weights(at->kept, 0, NULL)[1] == weight);
  return ENTROPIC_OK;
}

static inline entropic_status long_solve(const long_setting *at) {
  LONG_OUTPUT(entropic_model, model);
  entropic_status status = entropic_statistics_solve(at->context, at->statistics, NULL, &model);
  if (status != ENTROPIC_OK)
    return long_failed(at, status, model);
  entropic_model_free(model);
  return ENTROPIC_OK;
}

static inline entropic_status long_save(const long_setting *at) {
  char path[220];
  size_t before = long_files(at);
  snprintf(path, sizeof path, "%s.again", at->saved);
  entropic_status status = entropic_model_save(at->context, at->exact, path);
  assert_int_equal(long_files(at), before + (status == ENTROPIC_OK));
  remove(path);
  return status;
}

static inline entropic_status long_open(const long_setting *at) {
  LONG_OUTPUT(entropic_model, model);
  entropic_status status = entropic_model_load(at->context, at->saved, &model);
  if (status != ENTROPIC_OK)
    return long_failed(at, status, model);
  entropic_model_free(model);
  return ENTROPIC_OK;
}

static const struct {
  const char *name;
  entropic_status (*run)(const long_setting *at);
} long_calls[] = {{"table_load", long_load},
                  {"source_survey", long_survey},
                  {"dataset_create", long_dataset},
                  {"fit", long_fit},
                  {"fit of classes", long_fit_classes},
                  {"fit with hinge loss", long_fit_hinge},
                  {"fit exact", long_fit_exact},
                  {"fit dual", long_fit_dual},
                  {"fit iterative", long_fit_iterative},
                  {"compare", long_compare},
                  {"model_score", long_score},
                  {"model_predict", long_predict},
                  {"design_create", long_design},
                  {"lift_csr", long_csr},
                  {"model_update", long_update},
                  {"statistics_solve", long_solve},
                  {"model_save", long_save},
                  {"model_load", long_open}};
enum { LONG_CALLS = sizeof long_calls / sizeof *long_calls };

static inline void long_write_csv(const long_setting *at) {
  FILE *file = fopen(at->csv, "w");
  assert_non_null(file);
  fputs("x1,x2,x3,y1\n", file);
  for (size_t r = 0; r < at->rows; r++) {
    const double *row = sheet_row(&at->numbers, r);
    fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", row[0], row[1], row[2], row[3]);
  }
  assert_int_equal(fclose(file), 0);
}

static inline void long_start(long_setting *at, void **folder, size_t rows, size_t features, bool whole) {
  *at =
      (long_setting){.context = context_with(1), .folder = folder, .rows = rows, .features = features, .whole = whole};
  snprintf(at->csv, sizeof at->csv, "%s", in_folder(folder, "rows.csv"));
  snprintf(at->saved, sizeof at->saved, "%s", in_folder(folder, "saved.entropic"));
  at->numbers = sheet_start(rows, 3, 1, PLAIN, 1);
  at->classes = sheet_start(rows, 3, 1, PLAIN, 2);
  sheet_classes(&at->classes, 2);
  at->table = table_of(at->context, &at->numbers);
  at->data = dataset_of(at->context, &at->numbers, ENTROPIC_TASK_REGRESSION);
  at->class_data = dataset_of(at->context, &at->classes, ENTROPIC_TASK_CLASSIFICATION);
  ent_fit_options options = fixed_options(1e-3, 0);
  options.solver = ENTROPIC_SOLVER_EXACT;
  ASSERT_OK(at->context, ent_model_fit(at->context, at->data, NULL, &options, NULL, &at->exact));
  ASSERT_OK(at->context, entropic_model_save(at->context, at->exact, at->saved));
  options = fixed_options(1e-3, whole ? 500 : 12);
  options.keep_statistics = true;
  ASSERT_OK(at->context, ent_model_fit(at->context, at->data, NULL, &options, NULL, &at->kept));
  ASSERT_OK(at->context, entropic_statistics_of_model(at->context, at->kept, &at->statistics));
  entropic_axis_options axis = ent_axis_options_default();
  entropic_design *design = NULL;
  entropic_design_options wanted = ent_design_options_default();
  wanted.features = 60;
  ASSERT_OK(at->context, ent_kernel_create(at->context, &axis, 1, 3, &at->kernel));
  ASSERT_OK(at->context, ent_design_create(at->context, at->kernel, &wanted, &design));
  ASSERT_OK(at->context, entropic_lift_create(at->context, design, &at->lift));
  entropic_design_free(design);
  long_write_csv(at);
}

static inline void long_stop(long_setting *at) {
  remove(at->csv);
  remove(at->saved);
  entropic_lift_free(at->lift);
  entropic_kernel_free(at->kernel);
  entropic_model_free(at->exact);
  entropic_model_free(at->kept);
  entropic_statistics_free(at->statistics);
  entropic_dataset_free(at->class_data);
  entropic_dataset_free(at->data);
  entropic_table_free(at->table);
  sheet_stop(&at->classes);
  sheet_stop(&at->numbers);
  entropic_context_free(at->context);
}

#endif

/* Learning in C: a table in memory, a model fitted to it, kept as bytes, loaded again, and used on new rows.
 *
 * The steps are those of `entropic fit` and `entropic predict`; parameters have the names of the command's options, and
 * the report the keys of its --json. A table from a file comes from entropic_table_load, a model's file from
 * entropic_model_save and entropic_model_load. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "entropic/entropic.h"

#include "friedman.h"

#define ROWS 800
#define NEW_ROWS 200

typedef struct handles {
  entropic_context *context;
  entropic_parameters *parameters;
  entropic_table *table;
  entropic_dataset *dataset;
  entropic_report *report;
  entropic_model *model, *loaded;
  double *values; /* inputs and y, row after row: the rows to learn from, then the new ones */
} handles;

/* What is not set is chosen by cross-validation; here the target is named, and the number of features given. */
static entropic_status choose(handles *h) {
  entropic_status status = entropic_parameters_create(h->context, ENTROPIC_PURPOSE_FIT, &h->parameters);
  if (status)
    return status;
  /* Columns without names are called x1, x2, ...; a number from 1 names one too. The last is the target. */
  status = entropic_parameters_set_integer(h->context, h->parameters, "target", COLUMNS);
  if (status)
    return status;
  return entropic_parameters_set(h->context, h->parameters, "features", "150");
}

static entropic_status learn(handles *h) {
  entropic_status status =
      entropic_table_create(h->context, h->values, ROWS, COLUMNS, COLUMNS, NULL, h->parameters, &h->table);
  if (status)
    return status;
  status = entropic_dataset_create(h->context, h->table, h->parameters, &h->dataset);
  if (status)
    return status;
  return entropic_fit(h->context, h->dataset, NULL, h->parameters, &h->report, &h->model);
}

/* There and back: the bytes are those of a model file, the same on every machine. */
static entropic_status keep(handles *h) {
  unsigned char *bytes = NULL;
  size_t count = 0;
  entropic_status status = entropic_model_save_memory(h->context, h->model, &bytes, &count);
  if (!status)
    status = entropic_model_load_memory(h->context, bytes, count, &h->loaded);
  entropic_bytes_free(bytes);
  return status;
}

/* The root of the mean square error on the new rows, which begin where the others end. */
static entropic_status try_it(handles *h, double *error) {
  const double *rows = h->values + ROWS * COLUMNS;
  double found[NEW_ROWS], sum = 0;
  entropic_status status = entropic_model_predict(h->context, h->loaded, rows, NEW_ROWS, COLUMNS, found);
  if (status)
    return status;
  for (size_t r = 0; r < NEW_ROWS; r++) {
    double difference = found[r] - rows[r * COLUMNS + COLUMNS - 1];
    sum += difference * difference;
  }
  *error = sqrt(sum / NEW_ROWS);
  return ENTROPIC_OK;
}

static entropic_status run(handles *h, double *error) {
  h->values = calloc((ROWS + NEW_ROWS) * COLUMNS, sizeof *h->values);
  if (!h->values)
    return ENTROPIC_NO_MEMORY;
  friedman_fill(h->values, ROWS + NEW_ROWS);
  entropic_status status = choose(h);
  if (status)
    return status;
  status = learn(h);
  if (status)
    return status;
  status = keep(h);
  return status ? status : try_it(h, error);
}

/* A report is one JSON text, from which values can be had by their paths. */
static void show(const entropic_report *report, double error) {
  double features = NAN, lambda = NAN, validated = NAN;
  char kernel[32];
  entropic_report_number(report, "features", &features);
  entropic_report_number(report, "lambda", &lambda);
  entropic_report_number(report, "validation.rmse", &validated);
  entropic_report_text(report, "kernel", kernel, sizeof kernel);
  printf("%.0f features of the kernel %s, lambda %g, cross-validated error %.3f, on new rows %.3f\n", features, kernel,
         lambda, validated, error);
}

int main(void) {
  handles h = {0};
  double error = NAN;
  if (entropic_context_create(&h.context))
    return EXIT_FAILURE;
  entropic_status status = run(&h, &error);
  if (status)
    fprintf(stderr, "learn: %s: %s\n", entropic_status_text(status), entropic_context_message(h.context));
  else
    show(h.report, error);
  entropic_model_free(h.loaded);
  entropic_model_free(h.model);
  entropic_report_free(h.report);
  entropic_dataset_free(h.dataset);
  entropic_table_free(h.table);
  entropic_parameters_free(h.parameters);
  free(h.values);
  entropic_context_free(h.context);
  return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Updating and forgetting in C: a model learns rows that come later, forgets them again, and a receipt proves it.
 *
 * The steps are those of `entropic fit --keep-statistics`, `update`, `forget` and `receipt`. Rows of a file come from
 * entropic_row_reader_open in the place of entropic_row_reader_open_table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entropic/entropic.h"

#include "friedman.h"

#define ROWS 400
#define LATER_ROWS 300

typedef struct handles {
  entropic_context *context;
  entropic_parameters *parameters;
  entropic_table *table, *later;
  entropic_dataset *dataset;
  entropic_model *model;
  double *values; /* inputs and y, row after row: the first rows, then those that come later */
} handles;

/* A model that keeps the statistics of its rows. */
static entropic_status learn(handles *h) {
  entropic_status status = entropic_parameters_create(h->context, ENTROPIC_PURPOSE_FIT, &h->parameters);
  if (!status)
    status = entropic_parameters_set_integer(h->context, h->parameters, "target", COLUMNS);
  if (!status)
    status = entropic_parameters_set(h->context, h->parameters, "features", "60");
  if (!status)
    status = entropic_parameters_set(h->context, h->parameters, "keep-statistics", "yes");
  if (!status)
    status = entropic_table_create(h->context, h->values, ROWS, COLUMNS, COLUMNS, NULL, h->parameters, &h->table);
  if (!status)
    status = entropic_table_create(h->context, h->values + ROWS * COLUMNS, LATER_ROWS, COLUMNS, COLUMNS, NULL,
                                   h->parameters, &h->later);
  if (!status)
    status = entropic_dataset_create(h->context, h->table, h->parameters, &h->dataset);
  if (!status)
    status = entropic_fit(h->context, h->dataset, NULL, h->parameters, NULL, &h->model);
  return status;
}

/* Adds the later rows to the model, or forgets them; the receipt is that of the statistics after it. */
static entropic_status change(handles *h, int forget, char *receipt) {
  entropic_row_reader *reader = NULL;
  entropic_status status = entropic_row_reader_open_table(h->context, h->model, h->later, 1, &reader);
  if (status)
    return status;
  status = forget ? entropic_model_forget(h->context, h->model, reader, NULL)
                  : entropic_model_update(h->context, h->model, reader, NULL);
  entropic_row_reader_free(reader);
  return status ? status : entropic_model_receipt(h->context, h->model, receipt);
}

static entropic_status run(handles *h) {
  char before[ENTROPIC_RECEIPT_SIZE], with[ENTROPIC_RECEIPT_SIZE], after[ENTROPIC_RECEIPT_SIZE];
  h->values = calloc((ROWS + LATER_ROWS) * COLUMNS, sizeof *h->values);
  if (!h->values)
    return ENTROPIC_NO_MEMORY;
  friedman_fill(h->values, ROWS + LATER_ROWS);
  entropic_status status = learn(h);
  if (!status)
    status = entropic_model_receipt(h->context, h->model, before);
  if (!status)
    status = change(h, 0, with);
  if (!status)
    status = change(h, 1, after);
  if (status)
    return status;
  printf("fitted     %.16s...\nupdated    %.16s...\nforgotten  %.16s...\n", before, with, after);
  printf("the statistics take %llu bytes\n", (unsigned long long)entropic_model_statistics_bytes(h->model));
  return strcmp(before, after) || !strcmp(before, with) ? ENTROPIC_BAD_DATA : ENTROPIC_OK;
}

int main(void) {
  handles h = {0};
  if (entropic_context_create(&h.context))
    return EXIT_FAILURE;
  entropic_status status = run(&h);
  if (status)
    fprintf(stderr, "forget: %s: %s\n", entropic_status_text(status), entropic_context_message(h.context));
  entropic_model_free(h.model);
  entropic_dataset_free(h.dataset);
  entropic_table_free(h.later);
  entropic_table_free(h.table);
  entropic_parameters_free(h.parameters);
  free(h.values);
  entropic_context_free(h.context);
  return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

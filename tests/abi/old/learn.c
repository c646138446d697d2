/* Learning in C: a table in memory, a model fitted to it, saved, loaded again, and used on new rows.
 *
 * The steps are those of `entropic fit` and `entropic predict`. A table from a file comes from ent_table_load. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "entropic/entropic.h"

#define ROWS 800
#define NEW_ROWS 200

typedef struct handles {
  entropic_context *context;
  entropic_table *table;
  entropic_dataset *dataset;
  entropic_model *model, *loaded;
  double *values; /* inputs and y, row after row: the rows to learn from, then the new ones */
} handles;

static entropic_status learn(handles *h, size_t columns) {
  /* Columns without names are called x1, x2, ...; the last is the target. */
  char target[24];
  snprintf(target, sizeof target, "%zu", columns);
  ent_roles roles = {.targets = target};
  entropic_status status =
      ent_table_create(h->context, h->values, ROWS, columns, columns, NULL, &roles, &h->table);
  if (status)
    return status;
  status = ent_dataset_create(h->context, h->table, ENTROPIC_TASK_AUTO, &h->dataset);
  if (status)
    return status;

  /* Everything left open is chosen by cross-validation; here only the number of features is given. */
  ent_fit_options options = ent_fit_options_default();
  options.features = 150;
  return ent_model_fit(h->context, h->dataset, NULL, &options, NULL, &h->model);
}

static entropic_status keep(handles *h, const char *path) {
  entropic_status status = entropic_model_save(h->context, h->model, path);
  return status ? status : entropic_model_load(h->context, path, &h->loaded);
}

/* The root of the mean square error on the new rows, which begin where the others end. */
static entropic_status try_it(handles *h, size_t columns, double *error) {
  const double *rows = h->values + ROWS * columns;
  double found[NEW_ROWS], sum = 0;
  entropic_status status = entropic_model_predict(h->context, h->loaded, rows, NEW_ROWS, columns, found);
  if (status)
    return status;
  for (size_t r = 0; r < NEW_ROWS; r++) {
    double difference = found[r] - rows[r * columns + columns - 1];
    sum += difference * difference;
  }
  *error = sqrt(sum / NEW_ROWS);
  return ENTROPIC_OK;
}

int main(void) {
  handles h = {0};
  int result = EXIT_FAILURE;
  double error = NAN;
  const entropic_generator *generator = entropic_generator_find("friedman1");
  if (!generator || entropic_context_create(&h.context))
    return EXIT_FAILURE;
  size_t columns = generator->inputs + 1;
  h.values = calloc((ROWS + NEW_ROWS) * columns, sizeof *h.values);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (h.values)
    status = entropic_generate(h.context, generator, 0, ROWS + NEW_ROWS, 1, 1, h.values);
  if (!status)
    status = learn(&h, columns);
  if (!status)
    status = keep(&h, "learn.entropic");
  if (!status)
    status = try_it(&h, columns, &error);
  if (status) {
    fprintf(stderr, "learn: %s: %s\n", entropic_status_text(status), entropic_context_message(h.context));
  } else {
    entropic_model_info info = ent_model_describe(h.loaded);
    printf("%zu features, lambda %g, cross-validated error %.3f, on new rows %.3f\n", info.features, info.lambda,
           info.validation_error, error);
    result = EXIT_SUCCESS;
  }
  remove("learn.entropic");
  entropic_model_free(h.loaded);
  entropic_model_free(h.model);
  entropic_dataset_free(h.dataset);
  entropic_table_free(h.table);
  free(h.values);
  entropic_context_free(h.context);
  return result;
}

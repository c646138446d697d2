/* Data from memory without copies: columns of a program's own structs are learnt from and predicted where they are.
 *
 * Each column says where its first value is, how far it is to the next, and what the values are. Nothing is copied, so the
 * measurements must stay as they are until the table and the data set are freed. A table of Arrow arrays comes from
 * entropic_table_from_arrow in the same way. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "entropic/entropic.h"

#define ROWS 2000

typedef struct measurement {
  int64_t taken;            /* seconds since 1970 */
  float temperature, power; /* power may be NaN: not measured */
  signed char machine;      /* a code; -1: not known */
  double wear;              /* what is to be learnt */
} measurement;

static const char *const machines[] = {"lathe", "mill", "press"};

static void measure(measurement *list) {
  for (int i = 0; i < ROWS; i++) {
    measurement *m = &list[i];
    m->taken = 1700000000 + 3600LL * i;
    m->temperature = 20 + 15 * sinf((float)(i * 7919 % ROWS) / 300);
    m->power = i % 20 == 7 ? NAN : (float)(i * 31 % 97) / 10;
    m->machine = (signed char)(i % 50 == 3 ? -1 : i % 3);
    m->wear = 0.02 * m->temperature + (i % 20 == 7 ? 0.1 : 0.03 * m->power) + 0.2 * (i % 3);
  }
}

/* A column that is a field of the measurements. */
#define FIELD(list, field, kind)                                                                                       \
  .size = sizeof(entropic_column_view), .name = #field, .values = &(list)->field, .stride = sizeof *(list),            \
  .element = kind

static entropic_status borrow(entropic_context *context, const measurement *list, const entropic_parameters *parameters,
                              entropic_table **table) {
  const entropic_column_view columns[] = {
      {FIELD(list, taken, ENTROPIC_ELEMENT_INT64), .date = ENTROPIC_DATE_SECONDS},
      {FIELD(list, temperature, ENTROPIC_ELEMENT_FLOAT32)},
      {FIELD(list, power, ENTROPIC_ELEMENT_FLOAT32)},
      {FIELD(list, machine, ENTROPIC_ELEMENT_INT8), .categories = 3, .category_names = machines},
      {FIELD(list, wear, ENTROPIC_ELEMENT_FLOAT64)},
  };
  return entropic_table_borrow(context, columns, 5, ROWS, parameters, table);
}

/* What is to be learnt, and how. */
static entropic_status choose(entropic_context *context, entropic_parameters **parameters) {
  static const char *const given[][2] = {{"target", "wear"}, {"ignore", "taken"}, {"features", "100"}};
  entropic_status status = entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, parameters);
  for (size_t i = 0; i < sizeof given / sizeof *given && !status; i++)
    status = entropic_parameters_set(context, *parameters, given[i][0], given[i][1]);
  return status;
}

int main(void) {
  entropic_context *context = NULL;
  entropic_table *table = NULL;
  entropic_dataset *dataset = NULL;
  entropic_model *model = NULL;
  entropic_row_reader *reader = NULL;
  entropic_parameters *parameters = NULL;
  entropic_report *report = NULL;
  double r2 = 0;
  measurement *list = calloc(ROWS, sizeof *list);
  entropic_status status = list == NULL ? ENTROPIC_NO_MEMORY : entropic_context_create(&context);
  if (status)
    goto done;
  measure(list);
  status = choose(context, &parameters);
  if (status)
    goto done;
  status = borrow(context, list, parameters, &table);
  if (status)
    goto done;
  status = entropic_dataset_create(context, table, parameters, &dataset);
  if (status)
    goto done;
  status = entropic_fit(context, dataset, NULL, parameters, NULL, &model);
  if (status)
    goto done;
  /* The rows of a table in the schema of a model: by name, codes as the model has them. */
  status = entropic_row_reader_open_table(context, model, table, 1, &reader);
  if (status)
    goto done;
  status = entropic_model_score(context, model, reader, &report);
  if (status)
    goto done;
  entropic_report_number(report, "r2", &r2);
  printf("%d rows, r2 %.3f\n", ROWS, r2);
done:
  if (status)
    fprintf(stderr, "%s\n", context == NULL ? "out of memory" : entropic_context_message(context));
  entropic_report_free(report);
  entropic_parameters_free(parameters);
  entropic_row_reader_free(reader);
  entropic_model_free(model);
  entropic_dataset_free(dataset);
  entropic_table_free(table);
  entropic_context_free(context);
  free(list);
  return status || !(r2 > 0.9);
}

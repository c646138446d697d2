/* The values of a data set, from a table whose columns and rows in use are known: see dataset.h. */
#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "model/dataset.h"

/* How a column of the table becomes one of the data set. */
typedef struct ent_fill_reading {
  size_t column;    /* ENT_NOWHERE: zeros */
  ent_names *names; /* of categories or classes; NULL: a number */
  double *recode;   /* the code of each text of the table */
} ent_fill_reading;

static void close_readings(ent_fill_reading *readings, size_t count) {
  for (size_t i = 0; readings != NULL && i < count; i++) {
    ent_names_free(readings[i].names);
    ent_delete(readings[i].recode);
  }
  ent_delete(readings);
}

static size_t find_text(const ent_names *names, const char *text, entropic_status *status) {
  size_t length = strlen(text), place = ent_names_find(names, text, length);
  double number;
  if (place < ent_names_count(names))
    return place;
  entropic_status parsed = entropic_parse_double(text, length, &number);
  if (parsed == ENTROPIC_NO_MEMORY)
    *status = parsed;
  return parsed == ENTROPIC_OK ? ent_names_find_number(names, number) : place;
}

/* A column of categories or classes. */
static entropic_status open_reading(entropic_context *context, const ent_layout *layout, size_t column,
                                    char *const *names, size_t count, ent_fill_reading *reading) {
  reading->column = column;
  if (count == 0)
    return ENTROPIC_OK;
  entropic_status status = ent_names_create(context, names, count, &reading->names);
  const ent_dictionary *texts = column == ENT_NOWHERE ? NULL : layout->columns->list[column].dictionary;
  size_t codes = ent_dictionary_size(texts);
  if (status != ENTROPIC_OK || texts == NULL)
    return status;
  reading->recode = ent_new(context, codes, sizeof *reading->recode);
  if (reading->recode == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t code = 0; code < codes; code++) {
    reading->recode[code] = (double)find_text(reading->names, ent_dictionary_text(texts, code), &status);
    if (status != ENTROPIC_OK)
      return ent_fail(context, status, "out of memory");
  }
  return ENTROPIC_OK;
}

static inline double read_value(const ent_layout *layout, const ent_fill_reading *reading, size_t row) {
  double value = reading->column == ENT_NOWHERE ? 0 : ent_layout_value(layout, row, reading->column);
  if (reading->names == NULL || isnan(value))
    return value;
  return reading->recode != NULL ? reading->recode[(size_t)value]
                                 : (double)ent_names_find_number(reading->names, value);
}

static entropic_status fill_inputs(entropic_context *context, const ent_layout *layout, entropic_dataset *dataset) {
  const ent_schema *schema = &dataset->schema;
  entropic_status status = ENTROPIC_OK;
  ent_fill_reading *readings = ent_new(context, schema->inputs, sizeof *readings);
  if (readings == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < schema->inputs; i++) {
    status = open_reading(context, layout, layout->input[i], schema->input[i].category, schema->input[i].categories,
                          &readings[i]);
    if (status != ENTROPIC_OK)
      goto done;
  }
  double *x = dataset->x;
  for (size_t row = 0; row < layout->rows; row++) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    for (size_t i = 0; i < schema->inputs; i++, x++) {
      *x = read_value(layout, &readings[i], row);
      dataset->missing += isnan(*x) != 0;
      dataset->unseen += readings[i].names != NULL && *x == (double)schema->input[i].categories;
    }
  }
done:
  close_readings(readings, schema->inputs);
  return status;
}

static entropic_status fill_target(entropic_context *context, const ent_layout *layout, size_t target,
                                   entropic_dataset *dataset) {
  const ent_schema *schema = &dataset->schema;
  ent_fill_reading *reading = ent_new(context, 1, sizeof *reading);
  if (reading == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status =
      open_reading(context, layout, layout->target[target], schema->class_name, schema->classes, reading);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t row = 0; row < layout->rows; row++) {
    double value = read_value(layout, reading, row);
    dataset->y[row * schema->targets + target] = value;
    dataset->flat = dataset->flat && value == dataset->y[target];
    if (schema->classes > 0 && !(value < (double)schema->classes)) {
      char expected[ENT_CLASSES_TEXT];
      ent_schema_expect_class(schema, expected);
      status = ent_layout_fail(context, layout, row, layout->target[target], expected);
      goto done;
    }
  }
done:
  close_readings(reading, 1);
  return status;
}

static entropic_status fill_targets(entropic_context *context, const ent_layout *layout, entropic_dataset *dataset) {
  dataset->flat = true;
  for (size_t i = 0; i < dataset->schema.targets; i++) {
    entropic_status status = fill_target(context, layout, i, dataset);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status fill_weights(entropic_context *context, const ent_layout *layout, entropic_dataset *dataset) {
  dataset->weights = ent_new(context, layout->rows, sizeof *dataset->weights);
  if (dataset->weights == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t row = 0; row < layout->rows; row++)
    dataset->weights[row] = ent_layout_value(layout, row, layout->weight);
  return ENTROPIC_OK;
}

/* Groups are numbered in the order in which they appear. */
static entropic_status fill_groups(entropic_context *context, const ent_layout *layout, entropic_dataset *dataset) {
  ent_dictionary *groups = NULL;
  dataset->groups = ent_new(context, layout->rows, sizeof *dataset->groups);
  if (dataset->groups == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_dictionary_create(context, &groups);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t row = 0; row < layout->rows; row++) {
    double value = ent_layout_value(layout, row, layout->group) + 0.0; /* so that -0 is 0 */
    uint32_t code = 0;
    bool is_new;
    status = isnan(value) ? ent_layout_fail(context, layout, row, layout->group, "a group")
                          : ent_dictionary_code(context, groups, (const char *)&value, sizeof value, &code, &is_new);
    if (status != ENTROPIC_OK)
      goto done;
    dataset->groups[row] = code;
  }
  dataset->group_count = ent_dictionary_size(groups);
done:
  ent_dictionary_free(groups);
  return status;
}

static entropic_status fill_time(entropic_context *context, const ent_layout *layout, entropic_dataset *dataset) {
  static const char expected[] = "a number or a date as the row's time";
  dataset->time = ent_new(context, layout->rows, sizeof *dataset->time);
  if (dataset->time == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_layout_refuse_text(context, layout, layout->time, expected);
  if (status != ENTROPIC_OK)
    return status;
  dataset->one_time = true;
  for (size_t row = 0; row < layout->rows; row++) {
    dataset->time[row] = ent_layout_value(layout, row, layout->time);
    if (!isfinite(dataset->time[row]))
      return ent_layout_fail(context, layout, row, layout->time, expected);
    dataset->one_time = dataset->one_time && dataset->time[row] == dataset->time[0];
  }
  return ENTROPIC_OK;
}

entropic_status ent_dataset_fill(entropic_context *context, const ent_layout *layout, entropic_dataset *dataset) {
  const ent_schema *schema = &dataset->schema;
  size_t rows = dataset->rows = layout->rows;
  /* Sizes fit: the table itself is as large, but for columns of zeros. */
  size_t cells;
  if (!ent_multiply(rows, schema->inputs, &cells))
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: %zu rows of %zu inputs", rows, schema->inputs);
  dataset->x = ent_new(context, cells, sizeof *dataset->x);
  dataset->y = ent_new(context, rows * schema->targets, sizeof *dataset->y);
  if (dataset->x == NULL || dataset->y == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = fill_inputs(context, layout, dataset);
  if (status != ENTROPIC_OK)
    return status;
  status = fill_targets(context, layout, dataset);
  if (status != ENTROPIC_OK)
    return status;
  if (layout->weight != ENT_NOWHERE)
    status = fill_weights(context, layout, dataset);
  if (status != ENTROPIC_OK)
    return status;
  if (layout->group != ENT_NOWHERE)
    status = fill_groups(context, layout, dataset);
  if (status != ENTROPIC_OK)
    return status;
  return layout->time == ENT_NOWHERE ? ENTROPIC_OK : fill_time(context, layout, dataset);
}

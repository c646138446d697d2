/* The values of a data set, from a table whose columns and rows in use are known: see layout.h. */
#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "dataset/layout.h"

#define COPIED_VALUES ((size_t)1 << 24) /* of a sample: 128 MB */

/* How a column of the table becomes one of the data set. */
typedef struct ent_fill_reading {
  size_t column;       /* ENT_NOWHERE: zeros */
  ent_input_column of; /* its view is not set */
} ent_fill_reading;

static void close_readings(ent_fill_reading *readings, size_t count) {
  for (size_t i = 0; readings != NULL && i < count; i++) {
    ent_names_free(readings[i].of.names);
    ent_delete(readings[i].of.recode);
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
  entropic_status status = ent_names_create(context, names, count, &reading->of.names);
  const ent_dictionary *texts = column == ENT_NOWHERE ? NULL : layout->columns->list[column].dictionary;
  size_t codes = ent_dictionary_size(texts);
  if (status != ENTROPIC_OK || texts == NULL)
    return status;
  reading->of.recode = ent_new(context, codes, sizeof *reading->of.recode);
  if (reading->of.recode == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t code = 0; code < codes; code++) {
    reading->of.recode[code] = (double)find_text(reading->of.names, ent_dictionary_text(texts, code), &status);
    if (status != ENTROPIC_OK)
      return ent_fail(context, status, "out of memory");
  }
  return ENTROPIC_OK;
}

/* The value of a row in use; the cursor is the column's. */
static inline double read_value(const ent_fill_reading *reading, ent_layout_cursor *cursor, size_t row) {
  return ent_input_value(&reading->of, reading->column == ENT_NOWHERE ? 0 : ent_layout_at(cursor, row));
}

/* Copies the inputs of a table that is stored row after row. */
static entropic_status copy_inputs(entropic_context *context, const ent_layout *layout,
                                   const ent_fill_reading *readings, entropic_dataset *dataset) {
  const ent_schema *schema = &dataset->schema;
  size_t columns = layout->columns->count;
  double *x = dataset->x;
  for (size_t row = 0; row < layout->rows; row++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    const double *from = layout->table->values + layout->row[row] * columns;
    for (size_t i = 0; i < schema->inputs; i++, x++) {
      *x = ent_input_value(&readings[i].of, readings[i].column == ENT_NOWHERE ? 0 : from[readings[i].column]);
      dataset->missing += isnan(*x) && !ent_part_is_made(schema->input[i].part);
      dataset->unseen += readings[i].of.names != NULL && *x == (double)schema->input[i].categories;
    }
  }
  return ENTROPIC_OK;
}

/* Whether inputs are copied. Those of a table that is stored column by column stay where they are, but a sample of its rows
 * is scattered over all of it, and is read many times. */
static bool copies_inputs(const ent_layout *layout, size_t inputs) {
  return layout->table->store == NULL || (layout->sampled && layout->rows <= COPIED_VALUES / inputs);
}

/* Copies the inputs of a table that is stored column by column. */
static entropic_status copy_columns(entropic_context *context, const ent_layout *layout,
                                    const ent_fill_reading *readings, entropic_dataset *dataset) {
  const ent_schema *schema = &dataset->schema;
  ent_layout_cursor cursor;
  for (size_t i = 0; i < schema->inputs; i++) {
    ent_layout_cursor_start(layout, readings[i].column, &cursor);
    for (size_t row = 0; row < layout->rows; row++) {
      entropic_status status = row % ENT_CURSOR_ROWS == 0 ? ent_poll(context) : ENTROPIC_OK;
      if (status != ENTROPIC_OK)
        return status;
      double value = read_value(&readings[i], &cursor, row);
      dataset->x[row * schema->inputs + i] = value;
      dataset->missing += isnan(value) && !ent_part_is_made(schema->input[i].part);
      dataset->unseen += readings[i].of.names != NULL && value == (double)schema->input[i].categories;
    }
  }
  return ENTROPIC_OK;
}

/* Which rows of the table are in use, unless all are. */
static entropic_status list_rows(entropic_context *context, const ent_layout *layout, ent_input_columns *columns) {
  if (layout->rows == layout->table->source->rows)
    return ENTROPIC_OK;
  columns->row = ent_new(context, layout->rows, sizeof *columns->row);
  if (columns->row == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(columns->row, layout->row, layout->rows * sizeof *columns->row);
  return ENTROPIC_OK;
}

/* Leaves the inputs where they are: the data set refers to columns of the table, and takes over what the readings have.
 */
static entropic_status link_inputs(entropic_context *context, const ent_layout *layout, ent_fill_reading *readings,
                                   entropic_dataset *dataset) {
  const ent_schema *schema = &dataset->schema;
  ent_column_store *store = layout->table->store;
  ent_input_columns *columns = dataset->columns = ent_new(context, 1, sizeof *columns);
  if (columns == NULL)
    return ENTROPIC_NO_MEMORY;
  columns->store = ent_column_store_share(store);
  entropic_status status = list_rows(context, layout, columns);
  if (status != ENTROPIC_OK)
    return status;
  columns->list = ent_new(context, schema->inputs, sizeof *columns->list);
  if (columns->list == NULL)
    return ENTROPIC_NO_MEMORY;
  columns->inputs = schema->inputs;
  for (size_t i = 0; i < schema->inputs; i++) {
    columns->list[i] = readings[i].of;
    columns->list[i].view = readings[i].column == ENT_NOWHERE ? NULL : store->numbers[readings[i].column];
    readings[i].of = (ent_input_column){0};
  }
  const ent_inputs inputs = ent_dataset_inputs(dataset);
  ent_inputs_cursor cursor;
  for (size_t i = 0; i < schema->inputs; i++) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    ent_inputs_start(&inputs, i, layout->rows, &cursor);
    for (size_t row = 0; row < layout->rows; row++) {
      double value = ent_inputs_at(&cursor, row);
      dataset->missing += isnan(value) && !ent_part_is_made(schema->input[i].part);
      dataset->unseen += columns->list[i].names != NULL && value == (double)schema->input[i].categories;
    }
  }
  return ENTROPIC_OK;
}

static entropic_status fill_inputs(entropic_context *context, const ent_layout *layout, entropic_dataset *dataset) {
  const ent_schema *schema = &dataset->schema;
  entropic_status status = ENTROPIC_OK;
  ent_fill_reading *readings = ent_new(context, schema->inputs, sizeof *readings);
  if (readings == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < schema->inputs; i++) {
    bool made = ent_part_is_made(schema->input[i].part);
    readings[i].of.part = schema->input[i].part;
    status = open_reading(context, layout, layout->input[i], schema->input[i].category,
                          made ? 0 : schema->input[i].categories, &readings[i]);
    if (status != ENTROPIC_OK)
      goto done;
  }
  if (layout->table->store == NULL)
    status = copy_inputs(context, layout, readings, dataset);
  else if (copies_inputs(layout, schema->inputs))
    status = copy_columns(context, layout, readings, dataset);
  else
    status = link_inputs(context, layout, readings, dataset);
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
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, layout->target[target], &cursor);
  for (size_t row = 0; row < layout->rows; row++) {
    double value = read_value(reading, &cursor, row);
    dataset->y[row * schema->targets + target] = value;
    dataset->constant_target = dataset->constant_target && value == dataset->y[target];
    if (ent_schema_has_classes(schema) && !(value < (double)schema->classes)) {
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
  dataset->constant_target = true;
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
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, layout->weight, &cursor);
  for (size_t row = 0; row < layout->rows; row++)
    dataset->weights[row] = ent_layout_at(&cursor, row);
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
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, layout->group, &cursor);
  for (size_t row = 0; row < layout->rows; row++) {
    double value = ent_layout_at(&cursor, row) + 0.0; /* so that -0 is 0 */
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
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, layout->time, &cursor);
  for (size_t row = 0; row < layout->rows; row++) {
    dataset->time[row] = ent_layout_at(&cursor, row);
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
  if (copies_inputs(layout, schema->inputs)) {
    dataset->x = ent_new(context, cells, sizeof *dataset->x);
    if (dataset->x == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  dataset->y = ent_new(context, rows * schema->targets, sizeof *dataset->y);
  if (dataset->y == NULL)
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

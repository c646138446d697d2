/* Data sets: a table made ready for training. See dataset.h. */
#include "dataset/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/threads.h"
#include "base/progress.h"

void entropic_dataset_free(entropic_dataset *dataset) {
  if (dataset == NULL)
    return;
  ent_schema_clear(&dataset->schema);
  ent_delete(dataset->x);
  ent_input_columns_free(dataset->columns);
  ent_delete(dataset->y);
  ent_delete(dataset->weights);
  ent_delete(dataset->groups);
  ent_delete(dataset->time);
  for (size_t i = 0; i < dataset->table_column_count; i++)
    ent_delete(dataset->table_columns[i].name);
  ent_delete(dataset->table_columns);
  for (size_t i = 0; i < dataset->dropped_count; i++) {
    ent_delete(dataset->dropped[i].name);
    ent_delete(dataset->dropped[i].original);
  }
  ent_delete(dataset->dropped);
  ent_notices_clear(&dataset->notices);
  ent_all_rows_free(dataset->all_rows);
  ent_delete(dataset);
}

entropic_dataset_info ent_dataset_describe(const entropic_dataset *dataset) {
  if (dataset == NULL)
    return (entropic_dataset_info){0};
  const ent_schema *schema = &dataset->schema;
  return (entropic_dataset_info){.task = schema->task,
                                 .task_found = dataset->task_found,
                                 .rows = dataset->rows,
                                 .inputs = schema->inputs,
                                 .targets = schema->targets,
                                 .classes = schema->classes,
                                 .without_target = dataset->without_target,
                                 .without_weight = dataset->without_weight,
                                 .missing = dataset->missing,
                                 .unseen = dataset->unseen,
                                 .dropped = dataset->dropped_count,
                                 .weighted = dataset->weights != NULL,
                                 .grouped = dataset->groups != NULL,
                                 .groups = dataset->group_count,
                                 .timed = dataset->time != NULL,
                                 .one_time = dataset->one_time,
                                 .constant_target = dataset->constant_target};
}

const char *entropic_dataset_dropped(const entropic_dataset *dataset, size_t index, entropic_column_type *why) {
  if (dataset == NULL || index >= dataset->dropped_count)
    return NULL;
  if (why != NULL)
    *why = dataset->dropped[index].why;
  return dataset->dropped[index].name;
}

const char *entropic_dataset_original(const entropic_dataset *dataset, size_t index) {
  return dataset == NULL || index >= dataset->dropped_count ? NULL : dataset->dropped[index].original;
}

const char *entropic_dataset_notice(const entropic_dataset *dataset, size_t index) {
  return dataset == NULL ? NULL : ent_notices_get(&dataset->notices, index);
}

/* LIBSVM text has its label in front; elsewhere a target has to be named. */
static entropic_status find_targets(entropic_context *context, ent_layout *layout) {
  const ent_columns *columns = layout->columns;
  for (size_t i = 0; i < columns->count; i++)
    if (columns->list[i].role == ENTROPIC_ROLE_TARGET)
      layout->target[layout->targets++] = i;
  if (layout->targets == 0 && layout->table->source->format == ENTROPIC_FORMAT_LIBSVM &&
      columns->list[0].role == ENTROPIC_ROLE_INPUT)
    layout->target[layout->targets++] = 0;
  if (layout->targets == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: no column has the role of a target, expected at least one",
                    columns->file);
  return ENTROPIC_OK;
}

/* Does a column have the same value in every row in use, or none in any? */
static bool is_constant(const ent_layout *layout, size_t column, bool *none) {
  const ent_column *of = &layout->columns->list[column];
  size_t rows = layout->table->source->rows;
  if (layout->rows == rows && !layout->sampled) { /* the table knows */
    *none = of->missing == rows;
    return of->type == ENTROPIC_COLUMN_TYPE_CONSTANT;
  }
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, column, &cursor);
  double first = ent_layout_at(&cursor, 0);
  *none = isnan(first);
  for (size_t row = 1; row < layout->rows; row++) {
    double value = ent_layout_at(&cursor, row);
    if (value != first && !(*none && isnan(value))) {
      *none = false;
      return false;
    }
  }
  return true;
}

static entropic_status drop_input(entropic_context *context, entropic_dataset *dataset, const char *name,
                                  entropic_column_type why, const char *original) {
  ent_dropped *dropped = &dataset->dropped[dataset->dropped_count++];
  dropped->why = why;
  dropped->name = ent_new_text(context, name, strlen(name));
  if (dropped->name != NULL && original != NULL)
    dropped->original = ent_new_text(context, original, strlen(original));
  return dropped->name == NULL || (original != NULL && dropped->original == NULL) ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* Of inputs that are the same in every row in use only the first is kept. */
static entropic_status drop_copies(entropic_context *context, ent_layout *layout, entropic_dataset *dataset) {
  size_t *original = ent_new(context, layout->inputs, sizeof *original), inputs = layout->inputs;
  if (original == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_layout_find_copies(context, layout, original);
  if (status != ENTROPIC_OK)
    goto done;
  layout->inputs = 0;
  for (size_t i = 0; i < inputs; i++) {
    const ent_column *list = layout->columns->list;
    size_t column = layout->input[i];
    if (original[i] == ENT_NOWHERE || list[column].kept) {
      layout->input[layout->inputs++] = column;
      continue;
    }
    status = drop_input(context, dataset, list[column].name, ENTROPIC_COLUMN_TYPE_COPY, list[original[i]].name);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(original);
  return status;
}

/* The first text in a column that is no number: it may be all that keeps the column from being one. */
static const char *find_text(const ent_layout *layout, const ent_column *column) {
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, (size_t)(column - layout->columns->list), &cursor);
  for (size_t row = 0; row < layout->rows && column->mode == ENT_MODE_TEXT; row++) {
    double code = ent_layout_at(&cursor, row);
    if (!isnan(code) && ent_dictionary_marked(column->dictionary, (uint32_t)code))
      return ent_dictionary_text(column->dictionary, (size_t)code);
  }
  return NULL;
}

/* All inputs are dropped; the message is about the first one. */
static entropic_status fail_without_inputs(entropic_context *context, const ent_layout *layout,
                                           const entropic_dataset *dataset) {
  const ent_column *column = layout->columns->list;
  const ent_dropped *first = &dataset->dropped[0];
  char shown[ENT_SHOW_SIZE], value[ENT_SHOW_SIZE], why[2 * ENT_SHOW_SIZE] = "constant";
  while (strcmp(column->name, first->name) != 0)
    column++;
  const char *text = find_text(layout, column);
  if (first->why == ENTROPIC_COLUMN_TYPE_IDENTIFIER && text != NULL)
    snprintf(why, sizeof why, "text ('%s') of nearly as many values as rows", ent_show(text, strlen(text), value));
  else if (first->why == ENTROPIC_COLUMN_TYPE_IDENTIFIER)
    strcpy(why, "an identifier");
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s: no input is left, all %zu are constant or identifiers; %s is %s",
                  layout->columns->file, dataset->dropped_count, ent_show(first->name, strlen(first->name), shown),
                  why);
}

/* Inputs that vary and are no identifiers. What the caller calls categorical or wants to keep is an input unless it has
 * no values. */
static entropic_status find_inputs(entropic_context *context, ent_layout *layout, entropic_dataset *dataset) {
  const ent_columns *columns = layout->columns;
  dataset->dropped = ent_new(context, columns->count, sizeof *dataset->dropped);
  if (dataset->dropped == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < columns->count; i++) {
    const ent_column *column = &columns->list[i];
    if (column->role != ENTROPIC_ROLE_INPUT || i == layout->target[0])
      continue;
    bool none, constant = is_constant(layout, i, &none), identifier = column->type == ENTROPIC_COLUMN_TYPE_IDENTIFIER;
    if (none || ((constant || identifier) && !column->declared && !column->kept)) {
      entropic_status status =
          drop_input(context, dataset, column->name,
                     constant ? ENTROPIC_COLUMN_TYPE_CONSTANT : ENTROPIC_COLUMN_TYPE_IDENTIFIER, NULL);
      if (status != ENTROPIC_OK)
        return status;
    } else {
      layout->input[layout->inputs++] = i;
    }
  }
  if (layout->inputs > 0)
    return drop_copies(context, layout, dataset);
  if (dataset->dropped_count == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s has no inputs, expected one column or more besides the target",
                    columns->file);
  if (layout->rows == 1)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: there is one row to learn from, of %zu; expected two or more",
                    columns->file, layout->table->source->rows);
  return fail_without_inputs(context, layout, dataset);
}

/* Names of targets and how they are written. */
static entropic_status describe_targets(entropic_context *context, const ent_layout *layout, ent_schema *schema) {
  schema->target = ent_new(context, layout->targets, sizeof *schema->target);
  if (schema->target == NULL)
    return ENTROPIC_NO_MEMORY;
  schema->targets = layout->targets;
  for (size_t i = 0; i < layout->targets; i++) {
    const ent_column *column = &layout->columns->list[layout->target[i]];
    schema->target[i] = ent_new_text(context, column->name, strlen(column->name));
    if (schema->target[i] == NULL)
      return ENTROPIC_NO_MEMORY;
    if (column->notation == ENT_NOTATION_PLAIN || column->mode == ENT_MODE_TEXT)
      continue;
    if (schema->target_notation == NULL)
      schema->target_notation = ent_new(context, layout->targets, 1);
    if (schema->target_notation == NULL)
      return ENTROPIC_NO_MEMORY;
    schema->target_notation[i] = (uint8_t)column->notation;
  }
  return ENTROPIC_OK;
}

/* Marks of missing values that the caller gave. */
static entropic_status keep_marks(entropic_context *context, const ent_columns *columns, ent_schema *schema) {
  if (columns->given_marks == NULL)
    return ENTROPIC_OK;
  schema->missing_marks = ent_new_text(context, columns->given_marks, strlen(columns->given_marks));
  return schema->missing_marks == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* The name of an input: that of its column, and of its part behind a colon. */
static char *name_input(entropic_context *context, const ent_layout *layout, size_t input) {
  const char *column = layout->columns->list[layout->input[input]].name, *part = ent_part_name(layout->part[input]);
  size_t length = strlen(column), more = ent_part_is_made(layout->part[input]) ? strlen(part) + 1 : 0;
  char *name = ent_new(context, length + more + 1, 1);
  if (name != NULL)
    memcpy(name, column, length);
  if (name != NULL && more > 0) {
    name[length] = ':';
    memcpy(name + length + 1, part, more - 1);
  }
  return name;
}

/* All weekdays, whether rows have them or not. */
static entropic_status name_weekdays(entropic_context *context, ent_input *input) {
  input->category = ent_new(context, ENT_WEEKDAYS, sizeof *input->category);
  if (input->category == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t day = 0; day < ENT_WEEKDAYS; day++) {
    input->category[day] = ent_new_text(context, ent_weekday_names[day], strlen(ent_weekday_names[day]));
    if (input->category[day] == NULL)
      return ENTROPIC_NO_MEMORY;
    input->categories++;
  }
  return ENTROPIC_OK;
}

/* What an input of a part has besides. */
static entropic_status describe_part(entropic_context *context, const ent_layout *layout, size_t number,
                                     ent_input *input) {
  const ent_column *column = &layout->columns->list[layout->input[number]];
  bool made = ent_part_is_made(layout->part[number]);
  input->part = layout->part[number];
  input->date = column->mode == ENT_MODE_DATE && !made;
  if (column->mode != ENT_MODE_TEXT && column->notation != ENT_NOTATION_DATE && !made)
    input->notation = column->notation;
  return input->part == ENT_PART_WEEKDAY ? name_weekdays(context, input) : ENTROPIC_OK;
}

/* Names of inputs, categories, and which inputs have missing values. */
static entropic_status describe_inputs(entropic_context *context, const ent_layout *layout, ent_schema *schema) {
  schema->input = ent_new(context, layout->inputs, sizeof *schema->input);
  if (schema->input == NULL)
    return ENTROPIC_NO_MEMORY;
  schema->inputs = layout->inputs;
  for (size_t i = 0; i < layout->inputs; i++) {
    const ent_column *column = &layout->columns->list[layout->input[i]];
    ent_input *input = &schema->input[i];
    input->name = name_input(context, layout, i);
    if (input->name == NULL)
      return ENTROPIC_NO_MEMORY;
    entropic_status status = describe_part(context, layout, i, input);
    if (status != ENTROPIC_OK)
      return status;
    ent_layout_cursor cursor;
    ent_layout_cursor_start(layout, layout->input[i], &cursor);
    input->missing = layout->sampled && column->missing > 0;
    for (size_t row = 0; column->missing > 0 && row < layout->rows && !input->missing; row++)
      input->missing = isnan(ent_layout_at(&cursor, row));
    if (column->mode != ENT_MODE_TEXT)
      continue;
    status = ent_layout_names(context, layout, layout->input[i], NULL, &input->category, &input->categories);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Remembers the columns of the table, whatever becomes of them. */
static entropic_status keep_columns(entropic_context *context, const entropic_table *table, entropic_dataset *dataset) {
  size_t count = table->source->columns.count;
  dataset->table_columns = ent_new(context, count, sizeof *dataset->table_columns);
  if (dataset->table_columns == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    entropic_column info;
    ent_columns_info(&table->source->columns, i, &info);
    char *name = ent_new_text(context, info.name, strlen(info.name));
    if (name == NULL)
      return ENTROPIC_NO_MEMORY;
    dataset->table_columns[dataset->table_column_count++] = (ent_dataset_column){name, info.role, info.type};
  }
  return ENTROPIC_OK;
}

static entropic_status create(entropic_context *context, ent_layout *layout, entropic_task task, size_t sample,
                              entropic_dataset *dataset) {
  entropic_status status = find_targets(context, layout);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_layout_find_rows(context, layout, sample, dataset);
  if (status != ENTROPIC_OK)
    return status;
  status = find_inputs(context, layout, dataset);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_layout_add_parts(context, layout, &dataset->notices);
  if (status != ENTROPIC_OK)
    return status;
  status = describe_targets(context, layout, &dataset->schema);
  if (status != ENTROPIC_OK)
    return status;
  status = keep_marks(context, layout->columns, &dataset->schema);
  if (status != ENTROPIC_OK)
    return status;
  status = describe_inputs(context, layout, &dataset->schema);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_layout_find_task(context, layout, task, dataset);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_dataset_fill(context, layout, dataset);
  if (status != ENTROPIC_OK || !layout->sampled || (layout->table->total > 0 && layout->table->remote == NULL))
    return status;
  return ent_all_rows_of_table(context, layout->table, layout->target, layout->targets, layout->weight,
                               &dataset->all_rows);
}

/* A data set that is being created. */
typedef struct ent_dataset_creation {
  const entropic_table *table;
  entropic_task task;
  size_t sample;
  entropic_dataset *dataset;
} ent_dataset_creation;

static entropic_status create_from_table(entropic_context *context, void *arguments) {
  ent_dataset_creation *creation = arguments;
  ent_layout layout;
  size_t most = creation->table->source->columns.count;
  entropic_status status = ent_layout_start(context, creation->table, most, most, &layout);
  if (status != ENTROPIC_OK)
    goto done;
  layout.inputs = layout.targets = 0;
  status = create(context, &layout, creation->task, creation->sample, creation->dataset);
  if (status != ENTROPIC_OK)
    goto done;
  status = keep_columns(context, creation->table, creation->dataset);
  if (status != ENTROPIC_OK)
    goto done;
  ent_layout_clear(&layout); /* the list of rows is as long as a column */
  status = ent_dataset_warn_sentinels(context, creation->dataset);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_dataset_warn_repeats(context, creation->dataset);
done:
  ent_layout_clear(&layout);
  return status;
}

entropic_status ent_dataset_create(entropic_context *context, const entropic_table *table, entropic_task task,
                                   entropic_dataset **dataset) {
  return ent_dataset_create_sampled(context, table, task, 0, dataset);
}

entropic_status ent_dataset_create_sampled(entropic_context *context, const entropic_table *table, entropic_task task,
                                           size_t sample, entropic_dataset **dataset) {
  if (table == NULL || dataset == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", table == NULL ? "table" : "dataset");
  if (task < ENTROPIC_TASK_AUTO || task > ENTROPIC_TASK_CLASSIFICATION)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "task is %d, expected an entropic_task", (int)task);
  ent_dataset_creation creation = {table, task, sample, ent_new(context, 1, sizeof *creation.dataset)};
  if (creation.dataset == NULL)
    return ENTROPIC_NO_MEMORY;
  double start = ent_seconds();
  entropic_status status = ent_call_run(context, "preparing rows", create_from_table, &creation);
  if (status != ENTROPIC_OK) {
    entropic_dataset_free(creation.dataset);
    return status;
  }
  creation.dataset->read_seconds = table->seconds + ent_seconds() - start;
  *dataset = creation.dataset;
  return ENTROPIC_OK;
}

/* Data sets with the schema of another one, from a table of which nothing is taken for granted: see layout.h. */
#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "base/threads.h"
#include "dataset/layout.h"

/* LIBSVM text leaves out zeros, so an input x9 may not show up at all. */
static bool is_left_out(const ent_layout *layout, const char *name) {
  return layout->table->source->format == ENTROPIC_FORMAT_LIBSVM && name[0] == 'x' && name[1] >= '1' &&
         name[1] <= '9' && strspn(name + 1, "0123456789") == strlen(name + 1);
}

/* Where the columns of a schema are looked for. */
typedef struct ent_column_search {
  const ent_schema *schema;
  const ent_layout *layout;
  const ent_dictionary *index; /* of the table's columns by name */
} ent_column_search;

static entropic_status find_column(entropic_context *context, const ent_column_search *search, const char *name,
                                   bool input, size_t *column) {
  const ent_layout *layout = search->layout;
  uint32_t code;
  size_t length = strlen(name);
  *column = ENT_NOWHERE;
  if (!ent_schema_find_column(search->index, name, layout->table->source->bytes == NULL, &code))
    return input && is_left_out(layout, name)
               ? ENTROPIC_OK
               : ent_schema_fail_column(context, search->schema, layout->columns,
                                        input ? ", which is an input" : ", which is the target", name);
  *column = code;
  const ent_column *found = &layout->columns->list[code];
  char shown[ENT_SHOW_SIZE];
  ent_show(name, length, shown);
  if (found->mode == ENT_MODE_SKIP || found->role == ENTROPIC_ROLE_IGNORED)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: column %s is %s and cannot be ignored", layout->columns->file,
                    shown, input ? "an input" : "the target");
  if (found->full)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s: column %s has too many categories (list it as categorical if that is what it is)",
                    layout->columns->file, shown);
  return ENTROPIC_OK;
}

static entropic_status find_columns(entropic_context *context, const ent_schema *schema, ent_layout *layout) {
  ent_dictionary *index = NULL;
  entropic_status status = ent_columns_index(context, layout->columns, &index);
  if (status != ENTROPIC_OK)
    return status;
  ent_column_search search = {schema, layout, index};
  for (size_t i = 0; i < schema->inputs; i++) {
    layout->part[i] = schema->input[i].part;
    if (ent_part_is_made(layout->part[i])) {
      layout->input[i] = layout->input[i - 1];
      continue;
    }
    status = find_column(context, &search, schema->input[i].name, true, &layout->input[i]);
    if (status != ENTROPIC_OK)
      goto done;
  }
  for (size_t i = 0; i < schema->targets; i++) {
    status = find_column(context, &search, schema->target[i], false, &layout->target[i]);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_dictionary_free(index);
  return status;
}

/* Refuses the first value there is. */
static entropic_status refuse_any(entropic_context *context, const ent_layout *layout, size_t column,
                                  const char *expected) {
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, column, &cursor);
  for (size_t row = 0; row < layout->rows; row++)
    if (!isnan(ent_layout_at(&cursor, row)))
      return ent_layout_fail(context, layout, row, column, expected);
  return ENTROPIC_OK;
}

/* Dates are text where there is text; numbers from elsewhere are days. */
static entropic_status check_input(entropic_context *context, const ent_input *input, const ent_layout *layout,
                                   size_t column) {
  ent_mode mode = layout->columns->list[column].mode;
  bool text = layout->table->source->format == ENTROPIC_FORMAT_TEXT;
  if (input->categories > 0)
    return mode != ENT_MODE_DATE ? ENTROPIC_OK
                                 : refuse_any(context, layout, column, "a category (list the column as categorical)");
  if (input->date)
    return mode == ENT_MODE_DATE || (mode == ENT_MODE_NUMBER && !text)
               ? ENTROPIC_OK
               : refuse_any(context, layout, column, "a date, as in the rows learnt from");
  return mode == ENT_MODE_DATE
             ? refuse_any(context, layout, column, "a number, as in the rows learnt from")
             : ent_layout_refuse_text(context, layout, column, "a number, as in the rows learnt from");
}

/* Refuses text where numbers are expected, and dates where they are not. */
static entropic_status check_columns(entropic_context *context, const ent_schema *schema, const ent_layout *layout) {
  for (size_t i = 0; i < schema->inputs; i++) {
    if (layout->input[i] == ENT_NOWHERE || ent_part_is_made(schema->input[i].part))
      continue;
    entropic_status status = check_input(context, &schema->input[i], layout, layout->input[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t i = 0; i < schema->targets && !ent_schema_has_classes(schema); i++) {
    entropic_status status =
        ent_layout_refuse_text(context, layout, layout->target[i], "a number, as in the rows learnt from");
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status create(entropic_context *context, const entropic_table *table, const ent_schema *schema,
                              ent_layout *layout, entropic_dataset *dataset) {
  entropic_status status = ent_schema_copy(context, schema, &dataset->schema);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_layout_start(context, table, schema->inputs, schema->targets, layout);
  if (status != ENTROPIC_OK)
    return status;
  status = find_columns(context, schema, layout);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_layout_find_rows(context, layout, 0, dataset);
  if (status != ENTROPIC_OK)
    return status;
  status = check_columns(context, schema, layout);
  if (status != ENTROPIC_OK)
    return status;
  return ent_dataset_fill(context, layout, dataset);
}

/* A data set that is being created. */
typedef struct ent_schema_creation {
  const entropic_table *table;
  const ent_schema *schema;
  entropic_dataset *dataset;
} ent_schema_creation;

static entropic_status create_from_table(entropic_context *context, void *arguments) {
  ent_schema_creation *creation = arguments;
  ent_layout layout = {0};
  entropic_status status = create(context, creation->table, creation->schema, &layout, creation->dataset);
  ent_layout_clear(&layout);
  return status;
}

entropic_status entropic_dataset_create_with_schema(entropic_context *context, const entropic_table *table,
                                                    const entropic_dataset *schema_of, entropic_dataset **dataset) {
  if (table == NULL || schema_of == NULL || dataset == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL",
                    table == NULL       ? "table"
                    : schema_of == NULL ? "schema_of"
                                        : "dataset");
  ent_schema_creation creation = {table, &schema_of->schema, ent_new(context, 1, sizeof *creation.dataset)};
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

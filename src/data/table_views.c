/* The columns of a table as views: see table.h. */
#include <string.h>

#include "data/table.h"

/* The texts of a column as a dictionary of names. */
static entropic_status list_names(entropic_context *context, const ent_column *column, ent_column_store *store,
                                  size_t index, ent_chunk *chunk) {
  size_t count = ent_dictionary_size(column->dictionary);
  const char **names = ent_new(context, count, sizeof *names);
  if (names == NULL)
    return ENTROPIC_NO_MEMORY;
  store->memory[index] = names;
  for (size_t i = 0; i < count; i++)
    names[i] = ent_dictionary_text(column->dictionary, i);
  return ent_column_store_names(context, store, names, count, chunk);
}

/* Adds the chunks of a spooled column, with the names of its texts. */
static entropic_status view_spooled(entropic_context *context, const ent_column_view *from, const ent_chunk *names,
                                    ent_column_view *view) {
  for (size_t i = 0; i < from->chunk_count; i++) {
    ent_chunk chunk = from->chunks[i];
    chunk.dictionary = names->dictionary;
    chunk.codes = names->codes;
    entropic_status status = ent_column_view_add(context, view, &chunk);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Codes of texts are doubles here: NaN is missing, and no other is out of range. */
static entropic_status view_column(entropic_context *context, const entropic_table *table, size_t index,
                                   ent_column_store *store) {
  const ent_column *column = &table->source->columns.list[index];
  size_t columns = table->source->columns.count;
  ent_chunk chunk = {.rows = table->source->rows, .stride = (ptrdiff_t)(columns * sizeof *table->values)};
  if (!table->spooled)
    chunk.values = (const unsigned char *)(table->values + index);
  ent_column_view *view = &store->views[index];
  *view = (ent_column_view){.element = table->spooled ? (int)ENT_ELEMENT_PACKED : (int)ENTROPIC_ELEMENT_FLOAT64};
  if (column->mode == ENT_MODE_SKIP)
    view->element = ENT_ELEMENT_NONE;
  if (column->mode == ENT_MODE_DATE)
    view->unit = ENT_UNIT_DATE;
  if (column->mode == ENT_MODE_TEXT) {
    view->coded = view->texts = view->no_negatives = true;
    entropic_status status = list_names(context, column, store, index, &chunk);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (table->spooled)
    return view_spooled(context, table->store->numbers[index], &chunk, view);
  return ent_column_view_add(context, view, &chunk);
}

/* The name of a column; "" if it is that of a column without one, which may then be found by its place. */
static const char *given_name(const ent_columns *columns, size_t column) {
  char made[ENTROPIC_NUMBER_SIZE + 1] = "x";
  entropic_format_double((double)(column + 1), made + 1);
  const char *name = columns->list[column].name;
  return strcmp(name, made) == 0 ? "" : name;
}

entropic_status ent_table_views(entropic_context *context, const entropic_table *table, ent_column_store **store) {
  const ent_columns *columns = &table->source->columns;
  ent_column_store *made = NULL;
  entropic_status status = ENTROPIC_OK;
  if (!table->spooled && table->store != NULL) {
    *store = ent_column_store_share(table->store);
    return ENTROPIC_OK;
  }
  status = ent_column_store_create(context, columns->count, &made);
  if (status != ENTROPIC_OK)
    return status;
  made->rows = table->source->rows;
  for (size_t i = 0; i < columns->count; i++) {
    status = ent_column_store_name(context, made, i, given_name(columns, i));
    if (status != ENTROPIC_OK)
      goto fail;
    status = view_column(context, table, i, made);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  *store = made;
  return ENTROPIC_OK;
fail:
  ent_column_store_free(made);
  return status;
}

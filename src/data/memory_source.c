/* Columns in memory as a source of rows: see memory_source.h. Numbers go straight to the blocks; texts, and what is to
 * be read as text, go through ent_columns_cell, as the cells of a text file do. */
#include "data/memory_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "columns/header.h"
#include "data/table.h"

typedef struct ent_memory_state {
  ent_column_store *store;
  size_t row;          /* of the store, the next one */
  ent_batches batches; /* where its rows come from; without functions: it has all */
  size_t *place;       /* [columns] the column of the store; NULL: the same */
  size_t before;       /* rows of former batches */
  double **kept;       /* [columns] where a survey keeps the values of a column; NULL: it does not */
} ent_memory_state;

static void free_memory(void *state) {
  ent_memory_state *memory = state;
  if (memory == NULL)
    return;
  for (size_t i = 0; memory->kept != NULL && i < memory->store->columns; i++)
    ent_delete(memory->kept[i]);
  ent_delete(memory->kept);
  ent_delete(memory->place);
  ent_column_store_free(memory->store);
  if (memory->batches.free != NULL)
    memory->batches.free(memory->batches.user);
  ent_delete(memory);
}

static const ent_column_view *view_of(const ent_memory_state *memory, size_t column) {
  return &memory->store->views[memory->place == NULL ? column : memory->place[column]];
}

/* The rows that are read at a time, of which a batch has more. */
static size_t block_rows(const ent_columns *columns) {
  return ENT_BLOCK_VALUES / columns->count + 1;
}

/* Starts to read batches, with the columns that are in use now. */
static entropic_status start_batches(entropic_context *context, ent_source *source) {
  ent_memory_state *memory = source->state;
  memory->before = memory->row = 0;
  ent_column_store_free(memory->store);
  memory->store = NULL;
  entropic_status status =
      memory->batches.start(context, memory->batches.user, &source->columns, memory->place, &memory->store);
  if (status != ENTROPIC_OK)
    return status;
  return memory->batches.next(context, memory->batches.user, memory->store, block_rows(&source->columns));
}

static entropic_status begin_memory(entropic_context *context, ent_source *source) {
  ent_memory_state *memory = source->state;
  memory->row = 0;
  return memory->before > 0 ? start_batches(context, source) : ENTROPIC_OK;
}

/* The rows of a block. */
typedef struct ent_memory_block {
  size_t first, rows;
  size_t number;  /* of the first of them, for messages */
  double *values; /* of the column, `stride` from row to row */
  size_t stride;
} ent_memory_block;

static entropic_status fail_code(entropic_context *context, const ent_columns *columns, const ent_column_cell *cell,
                                 size_t codes) {
  char expected[80];
  snprintf(expected, sizeof expected, "a code below %zu, the number of categories", codes);
  return ent_columns_fail(context, columns, cell, expected);
}

/* Booleans are true and false here; files that a model was fitted to may say True or TRUE. */
static void spell_boolean(const ent_column *column, const ent_column_view *view, ent_value_text *text) {
  static const char *const spellings[][2] = {{"False", "True"}, {"FALSE", "TRUE"}};
  if (view->element != ENT_ELEMENT_BIT && (view->element != ENTROPIC_ELEMENT_BOOL8 || view->coded))
    return;
  size_t count = column->known == NULL ? 0 : ent_names_count(column->known), yes = text->length == 4;
  for (size_t i = 0; i < 2 && count > 0 && ent_names_find(column->known, text->text, text->length) == count; i++)
    if (ent_names_find(column->known, spellings[i][yes], text->length) < count)
      text->text = spellings[i][yes];
}

/* Texts, without the blanks around them, as the reader of text files takes them. A known category may have them, which had
 * them in quotes. */
static entropic_status read_texts(entropic_context *context, ent_source *source, size_t column,
                                  const ent_memory_block *block) {
  const ent_column_view *view = view_of(source->state, column);
  const ent_names *known = source->columns.list[column].known;
  ent_value_text text;
  size_t at = 0;
  for (size_t i = 0; i < block->rows; i++) {
    size_t row = block->first + i;
    at = ent_column_view_find(view, row, at);
    const ent_chunk *chunk = &view->chunks[at];
    ent_text_found found = ent_column_view_text(view, chunk, row - chunk->first, &text);
    if (found == ENT_TEXT_FOUND)
      spell_boolean(&source->columns.list[column], view, &text);
    ent_column_cell cell = {column, block->number + i, text.text, text.length, '.'};
    if (found == ENT_TEXT_MISSING) {
      cell.text = "";
      cell.length = 0;
    }
    if (known == NULL)
      ent_cell_trim(&cell);
    if (found == ENT_TEXT_NO_CODE)
      return fail_code(context, &source->columns, &cell, chunk->codes);
    if (!view->texts && view->element <= ENTROPIC_ELEMENT_FLOAT16 && memchr(cell.text, 'i', cell.length) != NULL)
      return ent_columns_fail(context, &source->columns, &cell, "a finite number");
    if (memchr(cell.text, 0, cell.length) != NULL)
      return ent_columns_fail(context, &source->columns, &cell, "text without a NUL byte");
    entropic_status status = ent_columns_cell(context, &source->columns, &cell, &block->values[i * block->stride]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Numbers as they are; infinity is refused. */
static entropic_status read_numbers(entropic_context *context, ent_source *source, size_t column,
                                    const ent_memory_block *block) {
  const ent_column_view *view = view_of(source->state, column);
  ent_column_view read = *view;
  if (source->columns.list[column].notation >= ENT_NOTATION_UTC_DATE) /* as an older model learnt */
    read.ahead = 0;
  ent_column_view_read(&read, block->first, block->rows, block->values, block->stride);
  for (size_t i = 0; i < block->rows; i++) {
    double *value = &block->values[i * block->stride];
    if (!isinf(*value))
      continue;
    return ent_columns_number(context, &source->columns, column, block->number + i, *value, value);
  }
  return ENTROPIC_OK;
}

/* Has a column to be read as text although it holds numbers? Where the caller says that they are categories, where a
 * message may have to name a date, and where some numbers are marks of missing values. */
static bool is_read_as_text(const ent_columns *columns, size_t column, const ent_column_view *view) {
  const ent_column *of = &columns->list[column];
  if (view->texts || of->mode == ENT_MODE_TEXT || of->mode == ENT_MODE_WEIGHT || columns->number_marks > 0)
    return true;
  return view->unit == ENT_UNIT_DATE && of->mode != ENT_MODE_DATE;
}

static entropic_status read_column(entropic_context *context, ent_source *source, size_t column,
                                   const ent_memory_block *block) {
  const ent_memory_state *memory = source->state;
  entropic_status status = ENTROPIC_OK;
  if (source->columns.list[column].mode == ENT_MODE_SKIP)
    for (size_t i = 0; i < block->rows; i++)
      block->values[i * block->stride] = NAN;
  else if (is_read_as_text(&source->columns, column, view_of(memory, column)))
    status = read_texts(context, source, column, block);
  else
    status = read_numbers(context, source, column, block);
  if (status != ENTROPIC_OK || memory->kept == NULL || memory->kept[column] == NULL)
    return status;
  for (size_t i = 0; i < block->rows; i++)
    memory->kept[column][block->first + i] = block->values[i * block->stride];
  return ENTROPIC_OK;
}

static entropic_status read_memory(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                   size_t *rows) {
  ent_memory_state *memory = source->state;
  *rows = 0;
  if (memory->row == memory->store->rows && memory->row > 0 && memory->batches.next != NULL) {
    memory->before += memory->row;
    memory->row = 0;
    entropic_status status =
        memory->batches.next(context, memory->batches.user, memory->store, block_rows(&source->columns));
    if (status != ENTROPIC_OK)
      return status;
  }
  size_t left = memory->store->rows - memory->row;
  ent_memory_block block = {.first = memory->row,
                            .rows = left < capacity ? left : capacity,
                            .number = memory->before + memory->row + 1,
                            .stride = source->columns.count};
  for (size_t i = 0; i < source->columns.count; i++) {
    block.values = values + i;
    entropic_status status = read_column(context, source, i, &block);
    if (status != ENTROPIC_OK)
      return status;
  }
  memory->row += block.rows;
  *rows = block.rows;
  return ENTROPIC_OK;
}

static const ent_reader memory_reader = {NULL, begin_memory, read_memory, free_memory};

static entropic_status name_columns(entropic_context *context, const ent_column_store *store, ent_columns *columns) {
  for (size_t i = 0; i < store->columns; i++) {
    const char *name = store->names[i];
    if (name[0] == '\0')
      continue;
    entropic_status status = ent_columns_name(context, columns, i, name, strlen(name));
    if (status != ENTROPIC_OK)
      return status;
    columns->named = true;
  }
  return ent_header_make_unique(context, columns);
}

/* Dates and times are known to be some. Weights and groups are none, which is found out as it is in a file. */
static void set_notations(const ent_memory_state *memory, ent_columns *columns) {
  for (size_t i = 0; i < columns->count; i++) {
    ent_column *column = &columns->list[i];
    if (column->mode == ENT_MODE_SKIP)
      continue;
    const ent_column_view *view = view_of(memory, i);
    bool open =
        column->mode == ENT_MODE_NUMBER && column->role != ENTROPIC_ROLE_WEIGHT && column->role != ENTROPIC_ROLE_GROUP;
    if (open && view->unit == ENT_UNIT_DATE && !view->texts)
      ent_column_set_notation(column, ENT_NOTATION_DATE);
    if (open && view->unit == ENT_UNIT_CLOCK && !view->texts)
      ent_column_set_notation(column, ENT_NOTATION_CLOCK);
    if (column->mode == ENT_MODE_DATE)
      column->type = ENTROPIC_COLUMN_TYPE_DATE;
    column->zone_unknown = column->mode == ENT_MODE_DATE && view->zone_unknown;
  }
}

static bool has_texts(const ent_column_store *store) {
  for (size_t i = 0; i < store->columns; i++)
    if (store->views[i].texts)
      return true;
  return false;
}

/* The first batch, once it is known which columns are in use. */
static entropic_status open_batches(entropic_context *context, ent_source *source) {
  ent_memory_state *memory = source->state;
  memory->place = ent_new(context, source->columns.count, sizeof *memory->place);
  return memory->place == NULL ? ENTROPIC_NO_MEMORY : start_batches(context, source);
}

static entropic_status open_memory(entropic_context *context, const ent_memory_options *options, ent_source *source) {
  ent_columns *columns = &source->columns;
  ent_memory_state *memory = ent_new(context, 1, sizeof *memory);
  if (memory == NULL)
    return ENTROPIC_NO_MEMORY;
  memory->store = ent_column_store_share(options->store);
  if (options->batches != NULL)
    memory->batches = *options->batches;
  source->state = memory;
  source->reader = &memory_reader;
  source->fitted = options->fitting != NULL;
  columns->file = options->batches == NULL ? "the table" : options->batches->file;
  columns->numbers_only = options->numbers_only;
  columns->place = "row";
  columns->first = 1;
  columns->soft_marks = options->missing == NULL || options->missing[0] != '\0';
  entropic_status status = ent_columns_set_marks(context, columns, options->missing);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_columns_create(context, columns, options->store->columns);
  if (status != ENTROPIC_OK)
    return status;
  status = name_columns(context, options->store, columns);
  if (status != ENTROPIC_OK)
    return status;
  if (options->fitting != NULL) {
    status = options->fitting->fit(context, options->fitting->user, source);
    return status != ENTROPIC_OK || options->batches == NULL ? status : open_batches(context, source);
  }
  status = options->roles == NULL ? ENTROPIC_OK : ent_columns_set_roles(context, columns, options->roles);
  if (status != ENTROPIC_OK)
    return status;
  status = options->batches == NULL ? ENTROPIC_OK : open_batches(context, source);
  if (status != ENTROPIC_OK)
    return status;
  set_notations(memory, columns);
  bool guessed = has_texts(memory->store) && !columns->numbers_only;
  return guessed ? ent_source_guess_types(context, source) : ENTROPIC_OK;
}

entropic_status ent_source_open_columns(entropic_context *context, const ent_memory_options *options,
                                        ent_source *source) {
  entropic_status status = open_memory(context, options, source);
  if (status != ENTROPIC_OK && source->state == NULL && options->batches != NULL)
    options->batches->free(options->batches->user);
  return status;
}

entropic_status ent_source_of_columns(entropic_context *context, const ent_memory_options *options,
                                      ent_source **source) {
  ent_source *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_source_open_columns(context, options, made);
  if (status != ENTROPIC_OK) {
    ent_source_free(made);
    return status;
  }
  *source = made;
  return ENTROPIC_OK;
}

/* ---- As a table ---- */

/* A survey keeps the values of columns that are texts or read as such: reading them again would cost as much. */
static entropic_status keep_texts(entropic_context *context, ent_source *source) {
  ent_memory_state *memory = source->state;
  const ent_column_store *store = memory->store;
  memory->kept = ent_new(context, store->columns, sizeof *memory->kept);
  if (memory->kept == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < store->columns; i++) {
    if (source->columns.list[i].mode == ENT_MODE_SKIP || !is_read_as_text(&source->columns, i, &store->views[i]))
      continue;
    memory->kept[i] = ent_new(context, store->rows, sizeof *memory->kept[i]);
    if (memory->kept[i] == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  return ENTROPIC_OK;
}

/* Codes take half the room as integers. Where a message may have to say how a missing value was written, it is in the
 * NaN, and they stay doubles. */
static entropic_status pack_codes(entropic_context *context, const ent_column *column, size_t rows, double *values,
                                  int32_t **codes) {
  bool plain = column->role == ENTROPIC_ROLE_INPUT || column->role == ENTROPIC_ROLE_TARGET;
  *codes = NULL;
  if (column->mode != ENT_MODE_TEXT || !plain || column->time || ent_dictionary_size(column->dictionary) > INT32_MAX)
    return ENTROPIC_OK;
  *codes = ent_new(context, rows, sizeof **codes);
  if (*codes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < rows; i++)
    (*codes)[i] = isnan(values[i]) ? -1 : (int32_t)values[i];
  return ENTROPIC_OK;
}

/* What was kept becomes the store's. */
static entropic_status settle_column(entropic_context *context, ent_source *source, size_t column) {
  ent_memory_state *memory = source->state;
  ent_column_store *store = memory->store;
  int32_t *codes;
  if (source->columns.list[column].mode == ENT_MODE_SKIP)
    return ent_column_store_own(context, store, column, ENTROPIC_ELEMENT_FLOAT64, NULL);
  if (memory->kept[column] == NULL)
    return ENTROPIC_OK;
  entropic_status status =
      pack_codes(context, &source->columns.list[column], store->rows, memory->kept[column], &codes);
  if (status != ENTROPIC_OK)
    return status;
  if (codes == NULL) {
    status = ent_column_store_own(context, store, column, ENTROPIC_ELEMENT_FLOAT64, memory->kept[column]);
    if (status != ENTROPIC_OK)
      return status;
    memory->kept[column] = NULL;
    return ENTROPIC_OK;
  }
  status = ent_column_store_own(context, store, column, ENTROPIC_ELEMENT_INT32, codes);
  if (status != ENTROPIC_OK) {
    ent_delete(codes);
    return status;
  }
  ent_delete(memory->kept[column]);
  memory->kept[column] = NULL;
  return ENTROPIC_OK;
}

entropic_status ent_table_of_columns(entropic_context *context, ent_column_store *store, const ent_roles *roles,
                                     entropic_table **table) {
  const ent_memory_options options = {.store = store, .roles = roles};
  entropic_table *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->store = ent_column_store_share(store);
  entropic_status status = ent_source_of_columns(context, &options, &made->source);
  if (status != ENTROPIC_OK)
    goto fail;
  status = keep_texts(context, made->source);
  if (status != ENTROPIC_OK)
    goto fail;
  status = ent_source_survey(context, made->source);
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t i = 0; i < store->columns; i++) {
    status = settle_column(context, made->source, i);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  free_memory(made->source->state);
  made->source->state = NULL;
  made->source->reader = NULL;
  *table = made;
  return ENTROPIC_OK;
fail:
  entropic_table_free(made);
  return status;
}

/* Tables: all rows of a source in memory. See table.h. */
#include "data/table.h"

#include "base/threads.h"
#include "base/progress.h"
#include "data/spooling.h"

void entropic_table_free(entropic_table *table) {
  if (table == NULL || atomic_fetch_sub(&table->sharers, 1) > 0)
    return;
  ent_source_free(table->source);
  ent_delete(table->values);
  ent_column_store_free(table->store);
  ent_delete(table->number);
  if (table->remote != NULL)
    table->free_remote(table->remote);
  ent_delete(table);
}

entropic_table *ent_table_share(const entropic_table *table) {
  entropic_table *shared = (entropic_table *)(uintptr_t)table; /* how many share it is not part of its value */
  atomic_fetch_add(&shared->sharers, 1);
  return shared;
}

void ent_table_read(const entropic_table *table, size_t column, size_t first, size_t count, double *out) {
  size_t columns = table->source->columns.count;
  if (table->store != NULL) {
    ent_column_view_read(table->store->numbers[column], first, count, out, 1);
    return;
  }
  const double *from = table->values + first * columns + column;
  for (size_t i = 0; i < count; i++)
    out[i] = from[i * columns];
}

size_t entropic_table_rows(const entropic_table *table) {
  return table == NULL ? 0 : table->source->rows;
}

size_t entropic_table_columns(const entropic_table *table) {
  return table == NULL ? 0 : table->source->columns.count;
}

entropic_format entropic_table_format(const entropic_table *table) {
  return table == NULL ? ENTROPIC_FORMAT_AUTO : table->source->format;
}

size_t entropic_table_empty(const entropic_table *table) {
  return table == NULL ? 0 : table->source->empty;
}

const char *entropic_table_notice(const entropic_table *table, size_t index) {
  return table == NULL ? NULL : ent_source_notice(table->source, index);
}

const char *entropic_table_name(const entropic_table *table, size_t column) {
  return column >= entropic_table_columns(table) ? NULL : table->source->columns.list[column].name;
}

const char *entropic_table_category(const entropic_table *table, size_t column, size_t code) {
  return ent_source_category(table == NULL ? NULL : table->source, column, code);
}

const double *entropic_table_values(const entropic_table *table) {
  return table == NULL ? NULL : table->values;
}

/* How many rows a plain file will have in all, if the others are as long as those read. */
static size_t expected_rows(const ent_source *source, size_t rows) {
  const ent_bytes *bytes = source->bytes;
  if (bytes == NULL)
    return source->expected;
  if (bytes->size == 0 || rows == 0)
    return 0;
  double share = ent_bytes_share(bytes), expected = share <= 0 ? 0 : (double)rows / share * 1.02;
  return expected < 1e15 ? (size_t)expected : 0;
}

static entropic_status more_room(entropic_context *context, void *user, const ent_source *source, size_t rows,
                                 double **values, size_t *capacity) {
  entropic_table *table = user;
  size_t columns = source->columns.count, block = 16384 / columns + 1, wanted, needed;
  if (!ent_add(rows, block, &wanted) || !ent_multiply(wanted, columns, &needed))
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: the table has too many values");
  if (needed > table->capacity) {
    size_t guess = expected_rows(source, rows);
    if (guess > wanted && ent_multiply(guess, columns, &guess))
      needed = guess;
    if (!ent_reserve(context, &table->values, &table->capacity, needed, sizeof *table->values))
      return ENTROPIC_NO_MEMORY;
  }
  *values = table->values + rows * columns;
  *capacity = block;
  return ENTROPIC_OK;
}

static size_t spare_room(const void *user, const ent_source *source, size_t rows) {
  const entropic_table *table = user;
  return table->capacity / source->columns.count - rows;
}

ent_sink ent_table_sink(entropic_table *table) {
  return (ent_sink){more_room, table, spare_room};
}

/* A table that is being loaded. */
typedef struct ent_table_loading {
  const char *path;
  const ent_read_options *options;
  entropic_table *table;
  ent_spooling spooling; /* of a table that goes to disk */
} ent_table_loading;

static entropic_status load(entropic_context *context, void *arguments) {
  ent_table_loading *loading = arguments;
  entropic_table *table = loading->table;
  bool spools = loading->spooling.where.memory > 0;
  ent_sink sink = spools ? ent_spooling_sink(&loading->spooling) : ent_table_sink(table);
  entropic_status status = ent_source_open(context, loading->path, loading->options, &table->source);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_source_pass(context, table->source, &sink);
  if (status != ENTROPIC_OK)
    return status;
  if (spools) {
    status = ent_spooling_finish(context, &loading->spooling, table->source, &table->store);
    if (status != ENTROPIC_OK)
      return status;
    table->spooled = true;
  }
  ent_source_close(table->source);
  return ENTROPIC_OK;
}

entropic_status ent_table_load(entropic_context *context, const char *path, const ent_read_options *options,
                               entropic_table **table) {
  if (path == NULL || table == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", path == NULL ? "path" : "table");
  ent_table_loading loading = {.path = path, .options = options, .table = ent_new(context, 1, sizeof *loading.table)};
  if (loading.table == NULL)
    return ENTROPIC_NO_MEMORY;
  if (options != NULL)
    loading.spooling.where = (ent_spool_options){options->spool, options->memory};
  /* In a call of the caller's what is said of progress would outlive the spooling. */
  loading.spooling.stages = context != NULL && context->call == NULL;
  double start = ent_seconds();
  entropic_status status = ent_call_run(context, "reading", load, &loading);
  ent_spooling_clear(&loading.spooling);
  if (status != ENTROPIC_OK) {
    entropic_table_free(loading.table);
    return status;
  }
  loading.table->seconds = ent_seconds() - start;
  *table = loading.table;
  return ENTROPIC_OK;
}

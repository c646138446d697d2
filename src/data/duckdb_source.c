/* Rows of DuckDB as a source: see duckdb.h. */
#include <stdio.h>
#include <string.h>

#include "data/arrow.h"
#include "data/duckdb.h"
#include "data/memory_source.h"

typedef struct ent_duckdb_source {
  ent_duckdb *database;
  char *file;  /* what messages call it */
  char *from;  /* what columns are selected from; NULL: */
  char *query; /* as it was given: its columns are not changed */
  ent_duckdb_rows *rows;
  ent_arrow_type *types; /* of the columns of `rows` */
  size_t count;
} ent_duckdb_source;

static void end_rows(ent_duckdb_source *from) {
  ent_duckdb_end(from->rows);
  ent_delete(from->types);
  from->rows = NULL;
  from->types = NULL;
}

static void free_source(void *user) {
  ent_duckdb_source *from = user;
  if (from == NULL)
    return;
  end_rows(from);
  ent_duckdb_close(from->database);
  ent_delete(from->from);
  ent_delete(from->query);
  ent_delete(from->file);
  ent_delete(from);
}

/* ---- Batches ---- */

/* The query for the columns that are in use; one column at least, so that rows can be counted. */
static entropic_status select_columns(entropic_context *context, const ent_duckdb_source *from,
                                      const ent_columns *columns, size_t *place, ent_duckdb_text *query) {
  size_t used = 0;
  ent_duckdb_text_add(context, query, "SELECT ");
  for (size_t i = 0; i < columns->count; i++) {
    place[i] = columns->list[i].mode == ENT_MODE_SKIP ? SIZE_MAX : used;
    if (place[i] == SIZE_MAX)
      continue;
    ent_duckdb_text_add(context, query, used++ > 0 ? ", " : "");
    ent_duckdb_text_add(context, query, "#");
    char number[ENTROPIC_NUMBER_SIZE];
    entropic_format_double((double)(i + 1), number);
    ent_duckdb_text_add(context, query, number);
  }
  ent_duckdb_text_add(context, query, used == 0 ? "1 FROM " : " FROM ");
  ent_duckdb_text_add(context, query, from->from);
  return query->failed ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* A column in use must have a type that can be read. */
static entropic_status check_types(entropic_context *context, ent_duckdb_source *from, const ent_columns *columns,
                                   const size_t *place) {
  for (size_t i = 0; i < columns->count; i++) {
    if (columns->list[i].mode == ENT_MODE_SKIP)
      continue;
    const char *type = ent_duckdb_refused_type(from->rows, place[i]), *name = columns->list[i].name;
    char shown[ENT_SHOW_SIZE];
    if (type != NULL)
      return ent_fail(
          context, ENTROPIC_BAD_DATA,
          "%s, column %zu (%s): its type is %s, expected numbers, booleans, texts, dates or times; --ignore "
          "leaves it out",
          from->file, i + 1, ent_show(name, strlen(name), shown), type);
  }
  return ENTROPIC_OK;
}

/* A store of the columns in use, by their Arrow types. Columns that are read and not in use have none. */
static entropic_status make_store(entropic_context *context, ent_duckdb_source *from, const bool *in_use,
                                  const struct ArrowSchema *schema, ent_column_store **store) {
  entropic_status status = ent_column_store_create(context, from->count, store);
  if (status != ENTROPIC_OK)
    return status;
  from->types = ent_new(context, from->count, sizeof *from->types);
  if (from->types == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < from->count; i++) {
    status = ent_column_store_name_plain(context, *store, i, ent_duckdb_column_name(from->rows, i));
    if (status != ENTROPIC_OK)
      return status;
    from->types[i] = (ent_arrow_type){.kind.element = ENT_ELEMENT_NONE, .unread = true};
    if (in_use[i])
      status = ent_arrow_type_of(context, schema->children[i], i, &from->types[i]);
    if (status != ENTROPIC_OK)
      return status;
    (*store)->views[i] = from->types[i].kind;
  }
  return ENTROPIC_OK;
}

static entropic_status take_schema(entropic_context *context, ent_duckdb_source *from, const ent_columns *columns,
                                   const size_t *place, ent_column_store **store) {
  struct ArrowSchema schema = {0};
  from->count = ent_duckdb_columns(from->rows);
  bool *in_use = ent_new(context, from->count, sizeof *in_use);
  if (in_use == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < columns->count; i++)
    if (columns->list[i].mode != ENT_MODE_SKIP)
      in_use[place[i]] = true;
  entropic_status status = ent_duckdb_schema(context, from->rows, &schema);
  if (status != ENTROPIC_OK)
    goto done;
  if (schema.n_children != (int64_t)from->count || schema.children == NULL)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s: DuckDB gives a schema of other columns", from->file);
  else
    status = make_store(context, from, in_use, &schema, store);
done:
  if (schema.release != NULL)
    schema.release(&schema);
  ent_delete(in_use);
  return status;
}

static entropic_status start(entropic_context *context, void *user, const ent_columns *columns, size_t *place,
                             ent_column_store **store) {
  ent_duckdb_source *from = user;
  ent_duckdb_text query = {0};
  entropic_status status = ENTROPIC_OK;
  end_rows(from);
  if (from->query == NULL)
    status = select_columns(context, from, columns, place, &query);
  for (size_t i = 0; from->query != NULL && i < columns->count; i++)
    place[i] = i;
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_duckdb_start(context, from->database, from->query == NULL ? query.text : from->query, from->file,
                            &from->rows);
  if (status != ENTROPIC_OK)
    goto done;
  status = check_types(context, from, columns, place);
  if (status != ENTROPIC_OK)
    goto done;
  status = take_schema(context, from, columns, place, store);
done:
  ent_delete(query.text);
  return status;
}

/* Adds the next array to the store; *more is false at the end. */
static entropic_status add_array(entropic_context *context, ent_duckdb_source *from, ent_column_store *store,
                                 bool *more) {
  if (!ent_reserve(context, &store->arrays, &store->array_capacity, store->array_count + 1, sizeof *store->arrays))
    return ENTROPIC_NO_MEMORY;
  struct ArrowArray *array = &store->arrays[store->array_count];
  entropic_status status = ent_duckdb_next(context, from->rows, array);
  *more = array->release != NULL;
  store->array_count += *more;
  if (status != ENTROPIC_OK || !*more)
    return status;
  return ent_arrow_add(context, store, from->types, from->count, array);
}

static entropic_status next(entropic_context *context, void *user, ent_column_store *store, size_t least) {
  ent_column_store_empty(store);
  for (bool more = true; more && store->rows < least;) {
    entropic_status status = add_array(context, user, store, &more);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* ---- Opening ---- */

/* A store that has the names of all columns, and nothing else. */
static entropic_status describe(entropic_context *context, ent_duckdb_source *from, ent_column_store **store) {
  ent_duckdb_text query = {0};
  if (from->query == NULL) {
    ent_duckdb_text_add(context, &query, "SELECT * FROM ");
    ent_duckdb_text_add(context, &query, from->from);
    ent_duckdb_text_add(context, &query, " LIMIT 0");
  }
  entropic_status status = query.failed ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_duckdb_start(context, from->database, from->query == NULL ? query.text : from->query, from->file,
                            &from->rows);
  if (status != ENTROPIC_OK)
    goto done;
  size_t count = ent_duckdb_columns(from->rows);
  status = ent_column_store_create(context, count, store);
  for (size_t i = 0; status == ENTROPIC_OK && i < count; i++)
    status = ent_column_store_name_plain(context, *store, i, ent_duckdb_column_name(from->rows, i));
done:
  ent_delete(query.text);
  return status;
}

static entropic_status open_described(entropic_context *context, ent_duckdb_source *from,
                                      const ent_read_options *options, const ent_fitting *fitting, ent_source *source) {
  ent_column_store *store = NULL;
  source->name = ent_new_text(context, from->file, strlen(from->file));
  entropic_status status = source->name == NULL ? ENTROPIC_NO_MEMORY : describe(context, from, &store);
  const ent_batches batches = {start, next, free_source, from, source->name};
  if (status != ENTROPIC_OK) {
    ent_column_store_free(store);
    free_source(from);
    return status;
  }
  const ent_memory_options memory = {.store = store,
                                     .roles = &options->roles,
                                     .fitting = fitting,
                                     .missing = options->missing,
                                     .batches = &batches,
                                     .numbers_only = options->numbers_only != 0};
  status = ent_source_open_columns(context, &memory, source);
  ent_column_store_free(store);
  return status;
}

static entropic_status make(entropic_context *context, const char *file, ent_duckdb_source **from) {
  *from = ent_new(context, 1, sizeof **from);
  if (*from == NULL)
    return ENTROPIC_NO_MEMORY;
  (*from)->file = ent_new_text(context, file, strlen(file));
  return (*from)->file == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

static entropic_status open_files(entropic_context *context, const ent_files *files, ent_duckdb_source *from,
                                  size_t *rows) {
  bool database = files->kind == ENT_FILE_DATABASE;
  if (database && files->count > 1)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s are databases, expected a single one", files->label);
  entropic_status status = ent_duckdb_open(context, database ? files->path[0] : NULL, false, &from->database);
  if (status != ENTROPIC_OK)
    return status;
  return database ? ent_duckdb_only_table(context, from->database, files->label, &from->from)
                  : ent_parquet_check(context, from->database, files, &from->from, rows);
}

entropic_status ent_source_open_duckdb(entropic_context *context, const ent_files *files,
                                       const ent_read_options *options, const ent_fitting *fitting,
                                       ent_source *source) {
  ent_duckdb_source *from = NULL;
  entropic_status status = make(context, files->label, &from);
  if (status == ENTROPIC_OK)
    status = open_files(context, files, from, &source->expected);
  if (status != ENTROPIC_OK) {
    free_source(from);
    return status;
  }
  return open_described(context, from, options, fitting, source);
}

/* The database of a query. */
static entropic_status open_database(entropic_context *context, const char *path, ent_duckdb_source *from) {
  ent_files files = {0};
  if (strcmp(path, "-") == 0)
    return ent_duckdb_open(context, NULL, true, &from->database);
  entropic_status status = ent_files_find(context, path, &files);
  if (status == ENTROPIC_OK && (files.count > 1 || files.kind != ENT_FILE_DATABASE))
    status = ent_fail(context, ENTROPIC_BAD_DATA,
                      "an SQL query needs a DuckDB database, or - for none, and %s is not one: the query can name "
                      "files itself, as in SELECT * FROM '%s'",
                      files.label, files.path[0]);
  if (status == ENTROPIC_OK)
    status = ent_duckdb_open(context, files.path[0], true, &from->database);
  ent_files_clear(&files);
  return status;
}

entropic_status ent_source_open_query(entropic_context *context, const char *path, const ent_read_options *options,
                                      const ent_fitting *fitting, ent_source *source) {
  ent_duckdb_source *from = NULL;
  entropic_status status = make(context, "the SQL query", &from);
  if (status != ENTROPIC_OK)
    goto fail;
  from->query = ent_new_text(context, options->sql, strlen(options->sql));
  status = from->query == NULL ? ENTROPIC_NO_MEMORY : open_database(context, path, from);
  if (status != ENTROPIC_OK)
    goto fail;
  return open_described(context, from, options, fitting, source);
fail:
  free_source(from);
  return status;
}

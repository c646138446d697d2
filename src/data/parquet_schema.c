/* Schemas of Parquet files and tables of databases: see duckdb.h. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "data/arrow.h"
#include "data/duckdb.h"

#define ENT_CELLS 3

/* A row of a small query, as texts. Called for each; may keep nothing. */
typedef entropic_status (*ent_row_visit)(entropic_context *context, void *user, char *const cells[ENT_CELLS]);

typedef struct ent_small_query {
  ent_duckdb *database;
  const char *query; /* ENT_CELLS columns of texts */
  const char *what;
  ent_row_visit visit;
  void *user;
} ent_small_query;

static entropic_status visit_row(entropic_context *context, const ent_small_query *small, const ent_column_store *store,
                                 size_t row) {
  char *cells[ENT_CELLS] = {NULL};
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < ENT_CELLS; i++) {
    ent_value_text text = {.text = ""};
    size_t chunk = ent_column_view_find(&store->views[i], row, 0);
    const ent_chunk *of = &store->views[i].chunks[chunk];
    if (ent_column_view_text(&store->views[i], of, row - of->first, &text) != ENT_TEXT_FOUND)
      text.length = 0;
    cells[i] = ent_new_text(context, text.length == 0 ? "" : text.text, text.length);
    if (cells[i] == NULL)
      status = ENTROPIC_NO_MEMORY;
  }
  if (status == ENTROPIC_OK)
    status = small->visit(context, small->user, cells);
  for (size_t i = 0; i < ENT_CELLS; i++)
    ent_delete(cells[i]);
  return status;
}

/* One array of rows. */
static entropic_status visit_array(entropic_context *context, const ent_small_query *small,
                                   const struct ArrowSchema *schema, struct ArrowArray *array) {
  ent_arrow_type types[ENT_CELLS];
  ent_column_store *store = NULL;
  entropic_status status = ent_column_store_create(context, ENT_CELLS, &store);
  for (size_t i = 0; i < ENT_CELLS && status == ENTROPIC_OK; i++) {
    status = ent_arrow_type_of(context, schema->children[i], i, &types[i]);
    if (status != ENTROPIC_OK)
      break;
    store->views[i] = types[i].kind;
    status = ent_column_store_name(context, store, i, schema->children[i]->name);
  }
  if (status == ENTROPIC_OK)
    status = ent_arrow_add(context, store, types, ENT_CELLS, array);
  for (size_t row = 0; status == ENTROPIC_OK && row < store->rows; row++)
    status = visit_row(context, small, store, row);
  ent_column_store_free(store);
  return status;
}

static entropic_status run(entropic_context *context, const ent_small_query *small) {
  ent_duckdb_rows *rows = NULL;
  struct ArrowSchema schema = {0};
  struct ArrowArray array = {0};
  entropic_status status = ent_duckdb_start(context, small->database, small->query, small->what, &rows);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_duckdb_schema(context, rows, &schema);
  if (status != ENTROPIC_OK)
    goto done;
  if (schema.n_children != ENT_CELLS) {
    status = ent_fail(context, ENTROPIC_SYSTEM, "%s: DuckDB returned other columns than requested", small->what);
    goto done;
  }
  for (;;) {
    status = ent_duckdb_next(context, rows, &array);
    if (status != ENTROPIC_OK || array.release == NULL)
      break;
    status = visit_array(context, small, &schema, &array);
    array.release(&array);
    if (status != ENTROPIC_OK)
      break;
  }
done:
  if (schema.release != NULL)
    schema.release(&schema);
  ent_duckdb_end(rows);
  return status;
}

/* ---- Parquet files ---- */

typedef struct ent_parquet_column {
  char *name, *type;
} ent_parquet_column;

/* The columns of the first file, and where the one is that is compared with it. */
typedef struct ent_parquet_comparison {
  char *first, *file;
  ent_parquet_column *list;
  size_t count, capacity;
  size_t at; /* the next column of the file */
  size_t rows;
} ent_parquet_comparison;

static entropic_status fail_count(entropic_context *context, const ent_parquet_comparison *of) {
  char name[ENT_SHOW_SIZE];
  const ent_parquet_column *missing = &of->list[of->at];
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s: found %zu columns, expected the %zu of %s; column %zu (%s) is the first one missing", of->file,
                  of->at, of->count, of->first, of->at + 1, ent_show(missing->name, strlen(missing->name), name));
}

static entropic_status compare_column(entropic_context *context, ent_parquet_comparison *of, char *const cells[]) {
  char name[ENT_SHOW_SIZE], other[ENT_SHOW_SIZE];
  ent_show(cells[1], strlen(cells[1]), name);
  if (of->at == of->count)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s: found more columns than the %zu of %s; column %zu (%s) is too many", of->file, of->count,
                    of->first, of->at + 1, name);
  const ent_parquet_column *expected = &of->list[of->at++];
  if (strcmp(expected->name, cells[1]) != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s, column %zu: found '%s', expected '%s' as in %s: files of one table have the same columns in "
                    "the same order",
                    of->file, of->at, name, ent_show(expected->name, strlen(expected->name), other), of->first);
  if (strcmp(expected->type, cells[2]) != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, column %zu (%s): found the type %s, expected %s as in %s",
                    of->file, of->at, name, cells[2], expected->type, of->first);
  return ENTROPIC_OK;
}

static entropic_status keep_column(entropic_context *context, ent_parquet_comparison *of, char *const cells[]) {
  if (!ent_reserve(context, &of->list, &of->capacity, of->count + 1, sizeof *of->list))
    return ENTROPIC_NO_MEMORY;
  ent_parquet_column *column = &of->list[of->count];
  *column = (ent_parquet_column){ent_new_text(context, cells[1], strlen(cells[1])),
                                 ent_new_text(context, cells[2], strlen(cells[2]))};
  of->count++;
  return column->name == NULL || column->type == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* A column of a file, one after the other. */
static entropic_status see_column(entropic_context *context, void *user, char *const cells[ENT_CELLS]) {
  ent_parquet_comparison *of = user;
  bool same = of->file != NULL && strcmp(of->file, cells[0]) == 0;
  if (of->first == NULL) {
    of->first = ent_new_text(context, cells[0], strlen(cells[0]));
    if (of->first == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  if (!same && of->file != NULL && of->at < of->count && strcmp(of->file, of->first) != 0)
    return fail_count(context, of);
  if (!same) {
    ent_delete(of->file);
    of->file = ent_new_text(context, cells[0], strlen(cells[0]));
    of->at = 0;
    return of->file == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK; /* what comes first is the schema as a whole */
  }
  return strcmp(of->file, of->first) == 0 ? keep_column(context, of, cells) : compare_column(context, of, cells);
}

static entropic_status compare_files(entropic_context *context, ent_duckdb *database, const ent_files *files,
                                     const char *list) {
  ent_parquet_comparison of = {0};
  ent_duckdb_text query = {0};
  ent_duckdb_text_add(context, &query,
                      "SELECT file_name, name, concat_ws(' ', type, type_length, nullif(coalesce(logical_type, "
                      "converted_type), 'NULL'), num_children, precision, scale) FROM parquet_schema(");
  ent_duckdb_text_add(context, &query, list);
  ent_duckdb_text_add(context, &query, ") WHERE name IS NOT NULL");
  const ent_small_query small = {database, query.text, files->label, see_column, &of};
  entropic_status status = query.failed ? ENTROPIC_NO_MEMORY : run(context, &small);
  if (status == ENTROPIC_OK && of.file != NULL && strcmp(of.file, of.first) != 0 && of.at < of.count)
    status = fail_count(context, &of);
  for (size_t i = 0; i < of.count; i++) {
    ent_delete(of.list[i].name);
    ent_delete(of.list[i].type);
  }
  ent_delete(of.list);
  ent_delete(of.first);
  ent_delete(of.file);
  ent_delete(query.text);
  return status;
}

static entropic_status see_rows(entropic_context *context, void *user, char *const cells[ENT_CELLS]) {
  (void)context;
  double count = 0;
  if (entropic_parse_double(cells[0], strlen(cells[0]), &count) == ENTROPIC_OK && count > 0 && count < 1e15)
    *(size_t *)user = (size_t)count;
  return ENTROPIC_OK;
}

static entropic_status count_rows(entropic_context *context, ent_duckdb *database, const ent_files *files,
                                  const char *list, size_t *rows) {
  ent_duckdb_text query = {0};
  ent_duckdb_text_add(context, &query, "SELECT sum(num_rows)::BIGINT::VARCHAR, '', '' FROM parquet_file_metadata(");
  ent_duckdb_text_add(context, &query, list);
  ent_duckdb_text_add(context, &query, ")");
  const ent_small_query small = {database, query.text, files->label, see_rows, rows};
  entropic_status status = query.failed ? ENTROPIC_NO_MEMORY : run(context, &small);
  ent_delete(query.text);
  return status;
}

entropic_status ent_parquet_check(entropic_context *context, ent_duckdb *database, const ent_files *files, char **from,
                                  size_t *rows) {
  ent_duckdb_text list = {0}, table = {0};
  for (size_t i = 0; i < files->count; i++) {
    ent_duckdb_text_add(context, &list, i == 0 ? "[" : ", ");
    ent_duckdb_text_quote(context, &list, files->path[i], '\'');
  }
  ent_duckdb_text_add(context, &list, "]");
  entropic_status status = list.failed ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK && files->count > 1)
    status = compare_files(context, database, files, list.text);
  if (status == ENTROPIC_OK)
    status = count_rows(context, database, files, list.text, rows);
  if (status != ENTROPIC_OK)
    goto done;
  ent_duckdb_text_add(context, &table, "read_parquet(");
  ent_duckdb_text_add(context, &table, list.text);
  ent_duckdb_text_add(context, &table, ", binary_as_string = true, hive_partitioning = false)");
  status = table.failed ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  *from = table.failed ? NULL : table.text;
  if (table.failed)
    ent_delete(table.text);
done:
  ent_delete(list.text);
  return status;
}

/* ---- Databases ---- */

typedef struct ent_table_list {
  ent_duckdb_text only; /* the first one, quoted */
  ent_duckdb_text names;
  size_t count;
} ent_table_list;

static entropic_status see_table(entropic_context *context, void *user, char *const cells[ENT_CELLS]) {
  ent_table_list *list = user;
  if (list->count++ == 0) {
    ent_duckdb_text_quote(context, &list->only, cells[0], '"');
    ent_duckdb_text_add(context, &list->only, ".");
    ent_duckdb_text_quote(context, &list->only, cells[1], '"');
  }
  if (list->count <= 10) {
    ent_duckdb_text_add(context, &list->names, list->count > 1 ? ", " : "");
    ent_duckdb_text_add(context, &list->names, cells[1]);
  }
  return list->only.failed || list->names.failed ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

entropic_status ent_duckdb_only_table(entropic_context *context, ent_duckdb *database, const char *file, char **from) {
  ent_table_list list = {0};
  const ent_small_query small = {database,
                                 "SELECT table_schema, table_name, '' FROM information_schema.tables WHERE "
                                 "table_catalog = current_database() ORDER BY 1, 2",
                                 file, see_table, &list};
  entropic_status status = run(context, &small);
  if (status == ENTROPIC_OK && list.count != 1)
    status =
        ent_fail(context, ENTROPIC_BAD_DATA,
                 "%s is a DuckDB database of %zu tables%s%s%s, expected one table, or an SQL query (--sql 'SELECT * "
                 "FROM ...')",
                 file, list.count, list.count > 0 ? ": " : "", list.count > 0 ? list.names.text : "",
                 list.count > 10 ? ", ..." : "");
  ent_delete(list.names.text);
  if (status != ENTROPIC_OK)
    ent_delete(list.only.text);
  else
    *from = list.only.text;
  return status;
}

/* Text of queries: see duckdb.h. */

static void add_bytes(entropic_context *context, ent_duckdb_text *text, const char *more, size_t length) {
  if (text->failed)
    return;
  char *grown = ent_grow(context, text->text, &text->capacity, text->used + length + 1, 1);
  text->failed = grown == NULL;
  if (text->failed)
    return;
  text->text = grown;
  memcpy(grown + text->used, more, length);
  text->used += length;
  grown[text->used] = '\0';
}

void ent_duckdb_text_add(entropic_context *context, ent_duckdb_text *text, const char *more) {
  add_bytes(context, text, more, strlen(more));
}

void ent_duckdb_text_quote(entropic_context *context, ent_duckdb_text *text, const char *more, char quote) {
  add_bytes(context, text, &quote, 1);
  for (; *more != '\0'; more++)
    add_bytes(context, text, (const char[]){*more, quote}, *more == quote ? 2 : 1);
  add_bytes(context, text, &quote, 1);
}

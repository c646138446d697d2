/* Queries by DuckDB, whose library is looked for at run time: rows come as Arrow arrays, in the order of the files. */
#ifndef ENT_DATA_DUCKDB_H
#define ENT_DATA_DUCKDB_H

#include "base/memory.h"
#include "data/files.h"
#include "data/source.h"

typedef struct ent_duckdb ent_duckdb;           /* a database with a connection */
typedef struct ent_duckdb_rows ent_duckdb_rows; /* the rows of a query that is running */

/* Opens a database file for reading; NULL for none. SYSTEM, with what is needed, if there is no library. With `ordered`
 * the order of rows has to be the same each time whatever the query: it runs on one thread then. */
entropic_status ent_duckdb_open(entropic_context *context, const char *path, bool ordered, ent_duckdb **database);
void ent_duckdb_close(ent_duckdb *database);

/* Starts a query. `what` is what messages call it: borrowed as long as its rows. */
entropic_status ent_duckdb_start(entropic_context *context, ent_duckdb *database, const char *query, const char *what,
                                 ent_duckdb_rows **rows);
void ent_duckdb_end(ent_duckdb_rows *rows);

size_t ent_duckdb_columns(const ent_duckdb_rows *rows);
const char *ent_duckdb_column_name(ent_duckdb_rows *rows, size_t column);
/* The type of a column that has no numbers, texts or dates, such as LIST; NULL if it has. */
const char *ent_duckdb_refused_type(ent_duckdb_rows *rows, size_t column);
/* The schema of all columns; to be released. */
entropic_status ent_duckdb_schema(entropic_context *context, ent_duckdb_rows *rows, struct ArrowSchema *schema);
/* The next rows; array->release is NULL at the end. The call can be cancelled while it waits. */
entropic_status ent_duckdb_next(entropic_context *context, ent_duckdb_rows *rows, struct ArrowArray *array);

/* ---- Text of queries ---- */

typedef struct ent_duckdb_text {
  char *text; /* 0-terminated; to be deleted */
  size_t used, capacity;
  bool failed; /* out of memory: the rest is not there */
} ent_duckdb_text;

void ent_duckdb_text_add(entropic_context *context, ent_duckdb_text *text, const char *more);
/* In quotes, which are doubled where they stand within: ' for texts, " for names. */
void ent_duckdb_text_quote(entropic_context *context, ent_duckdb_text *text, const char *more, char quote);

/* ---- What is known of Parquet files and databases before their rows are read ---- */

/* What columns of the files are selected from, as SQL; *from is to be deleted. *rows is how many they have. BAD_DATA if they
 * do not have the same columns, with file, column, and what was expected. */
entropic_status ent_parquet_check(entropic_context *context, ent_duckdb *database, const ent_files *files, char **from,
                                  size_t *rows);
/* The same for the only table or view of a database. */
entropic_status ent_duckdb_only_table(entropic_context *context, ent_duckdb *database, const char *file, char **from);

/* ---- Parquet files, databases of DuckDB and results of SQL as sources ---- */

/* Opens Parquet files, or the only table of a database. Columns that are not in use are not read. The source is there and
 * without anything, and is to be freed also after a failure. */
entropic_status ent_source_open_duckdb(entropic_context *context, const ent_files *files,
                                       const ent_read_options *options, const ent_fitting *fitting, ent_source *source);
/* Opens the result of options->sql. The path is that of a database, or "-". */
entropic_status ent_source_open_query(entropic_context *context, const char *path, const ent_read_options *options,
                                      const ent_fitting *fitting, ent_source *source);

#endif

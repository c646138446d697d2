/* Queries by DuckDB, whose library is looked for at run time: rows come as Arrow arrays, in the order of the files. */
#ifndef ENT_DATA_DUCKDB_H
#define ENT_DATA_DUCKDB_H

#include "base/memory.h"

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

#endif

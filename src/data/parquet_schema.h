/* What is known of Parquet files and databases before their rows are read. */
#ifndef ENT_DATA_PARQUET_SCHEMA_H
#define ENT_DATA_PARQUET_SCHEMA_H

#include "data/duckdb.h"
#include "data/files.h"

/* What columns of the files are selected from, as SQL; *from is to be deleted. *rows is how many they have. BAD_DATA if they
 * do not have the same columns, with file, column, and what was expected. */
entropic_status ent_parquet_check(entropic_context *context, ent_duckdb *database, const ent_files *files, char **from,
                                  size_t *rows);
/* The same for the only table or view of a database. */
entropic_status ent_duckdb_only_table(entropic_context *context, ent_duckdb *database, const char *file, char **from);

#endif

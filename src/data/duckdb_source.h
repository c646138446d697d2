/* Parquet files, databases of DuckDB and results of SQL as sources. */
#ifndef ENT_DATA_DUCKDB_SOURCE_H
#define ENT_DATA_DUCKDB_SOURCE_H

#include "data/files.h"
#include "data/source.h"

/* Opens Parquet files, or the only table of a database. Columns that are not in use are not read. The source is there and
 * without anything, and is to be freed also after a failure. */
entropic_status ent_source_open_duckdb(entropic_context *context, const ent_files *files,
                                       const ent_read_options *options, const ent_fitting *fitting, ent_source *source);
/* Opens the result of options->sql. The path is that of a database, or "-". */
entropic_status ent_source_open_query(entropic_context *context, const char *path, const ent_read_options *options,
                                      const ent_fitting *fitting, ent_source *source);

#endif

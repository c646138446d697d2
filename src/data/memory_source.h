/* Columns in memory as a source of rows, with the types, roles and notices of a text file of the same table. */
#ifndef ENT_DATA_MEMORY_SOURCE_H
#define ENT_DATA_MEMORY_SOURCE_H

#include "data/column_store.h"
#include "data/source.h"

/* What a source is made from; roles and fitting may be NULL, as may missing: the usual marks. */
typedef struct ent_memory_options {
  ent_column_store *store; /* shared */
  const ent_roles *roles;
  const ent_fitting *fitting; /* roles do not count then */
  const char *missing;
} ent_memory_options;

entropic_status ent_source_of_columns(entropic_context *context, const ent_memory_options *options,
                                      entropic_source **source);
/* Columns first, first + 1, ... of a store are these from now on; the store has its rows already. On failure some of them
 * may be set. */
entropic_status ent_column_store_borrow(entropic_context *context, ent_column_store *store, size_t first,
                                        const entropic_column_view *columns, size_t count);
/* A table of all columns of a store, which is shared. The store's numbers are set. */
entropic_status ent_table_of_columns(entropic_context *context, ent_column_store *store, const ent_roles *roles,
                                     entropic_table **table);

#endif

/* Columns in memory as a source of rows, with the types, roles and notices of a text file of the same table. */
#ifndef ENT_DATA_MEMORY_SOURCE_H
#define ENT_DATA_MEMORY_SOURCE_H

#include "columns/column_store.h"
#include "data/source.h"

/* Rows that come in batches, of which one is in memory at a time. */
typedef struct ent_batches {
  /* Starts from the first row, with the columns that are not skipped: makes a store of these, with their types. place[i]
   * becomes the number of column i there. */
  entropic_status (*start)(entropic_context *context, void *user, const ent_columns *columns, size_t *place,
                           ent_column_store **store);
  /* Replaces the rows of the store by the next ones, at least `least` of them; fewer at the end. */
  entropic_status (*next)(entropic_context *context, void *user, ent_column_store *store, size_t least);
  void (*free)(void *user);
  void *user;
  const char *file; /* what they come from, for messages; lives as long as the source */
} ent_batches;

/* What a source is made from; roles and fitting may be NULL, as may missing: the usual marks. */
typedef struct ent_memory_options {
  ent_column_store *store; /* shared */
  const ent_roles *roles;
  const ent_fitting *fitting; /* roles do not count then */
  const char *missing;
  const ent_batches *batches; /* the store has names alone, and rows come from here; or NULL. Freed with the source */
  bool numbers_only;
} ent_memory_options;

entropic_status ent_source_of_columns(entropic_context *context, const ent_memory_options *options,
                                      ent_source **source);
/* The same for a source that is there and without anything; it is to be freed also after a failure. */
entropic_status ent_source_open_columns(entropic_context *context, const ent_memory_options *options,
                                        ent_source *source);
/* Columns first, first + 1, ... of a store are these from now on; the store has its rows already. On failure some of them
 * may be set. */
entropic_status ent_column_store_borrow(entropic_context *context, ent_column_store *store, size_t first,
                                        const entropic_column_view *columns, size_t count);
/* A table of all columns of a store, which is shared. The store's numbers are set. */
entropic_status ent_table_of_columns(entropic_context *context, ent_column_store *store, const ent_roles *roles,
                                     entropic_table **table);

#endif

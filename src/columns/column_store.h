/* Columns that a table does not own, with all that has to live as long: shared by the table, the data sets made from it
 * and the row readers opened on it. */
#ifndef ENT_COLUMNS_COLUMN_STORE_H
#define ENT_COLUMNS_COLUMN_STORE_H

#include <stdatomic.h>

#include "columns/column_view.h"

typedef struct ent_column_store {
  atomic_size_t users;
  size_t rows, columns;
  char **names;           /* [columns] "": none was given */
  ent_column_view *views; /* [columns] as they were handed over */
  /* [columns] the same as numbers: codes of texts, days of dates. Either the view itself or one of `own`. */
  const ent_column_view **numbers;
  ent_column_view *own; /* [columns] */
  void **memory;        /* [columns] what the own ones read; NULL: nothing */

  ent_column_view **dictionaries; /* that chunks refer to */
  size_t dictionary_count, dictionary_capacity;
  struct ArrowArray *arrays; /* released with the store */
  size_t array_count, array_capacity;
  struct ent_spool *spool; /* that packed columns are in; NULL: none */
} ent_column_store;

/* Makes a store of so many columns without rows, with one user. */
entropic_status ent_column_store_create(entropic_context *context, size_t columns, ent_column_store **store);
/* One more user, who also frees it. */
ent_column_store *ent_column_store_share(ent_column_store *store);
/* One user fewer; the last one frees. NULL is fine. */
void ent_column_store_free(ent_column_store *store);

entropic_status ent_column_store_name(entropic_context *context, ent_column_store *store, size_t column,
                                      const char *name);
/* The same without the blanks around the name, as the reader of text files takes it. */
entropic_status ent_column_store_name_plain(entropic_context *context, ent_column_store *store, size_t column,
                                            const char *name);
/* Drops all rows, with arrays and dictionaries; names and types of columns stay. */
void ent_column_store_empty(ent_column_store *store);
/* A new view that lives as long as the store. */
entropic_status ent_column_store_dictionary(entropic_context *context, ent_column_store *store,
                                            ent_column_view **dictionary);
/* The values of a chunk are codes of these names, which are borrowed. */
entropic_status ent_column_store_names(entropic_context *context, ent_column_store *store, const char *const *names,
                                       size_t count, ent_chunk *chunk);
/* A column is these values from now on, which become the store's: doubles, or codes where negative ones are missing;
 * NULL: none in any row. On failure they stay the caller's. */
entropic_status ent_column_store_own(entropic_context *context, ent_column_store *store, size_t column,
                                     entropic_element element, void *values);

#endif

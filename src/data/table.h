/* What a table is made of. */
#ifndef ENT_DATA_TABLE_H
#define ENT_DATA_TABLE_H

#include "data/column_store.h"
#include "data/source.h"

struct entropic_table {
  entropic_source *source; /* for its columns */
  double *values;
  size_t capacity;         /* of values */
  ent_column_store *store; /* in the place of values: columns that are not the table's own; NULL: there are values */
};

/* Reads rows first, first + 1, ... of a column, into out[count]. */
void ent_table_read(const entropic_table *table, size_t column, size_t first, size_t count, double *out);
/* A store whose views are the columns of a table, texts as texts. It borrows from the table. */
entropic_status ent_table_views(entropic_context *context, const entropic_table *table, ent_column_store **store);

#endif

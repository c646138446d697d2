/* What a table is made of. */
#ifndef ENT_DATA_TABLE_H
#define ENT_DATA_TABLE_H

#include <stdatomic.h>

#include "columns/column_store.h"
#include "data/source.h"

struct entropic_table {
  atomic_size_t sharers; /* besides its owner: data sets whose weights come from all of its rows */
  ent_source *source;    /* for its columns */
  double *values;
  size_t capacity;         /* of values */
  ent_column_store *store; /* in the place of values: columns that are not the table's own; NULL: there are values */
  bool spooled;            /* the store is a spool of the rows of a file: texts are codes of the source's columns */
  double seconds;          /* that reading it took */
  /* Rows that are a sample: the columns speak of all rows of the table that they are from. */
  uint64_t total;                   /* the rows there; 0: these are all */
  uint64_t *number;                 /* [rows] the number of each there, ascending; NULL: these are all */
  struct ent_remote_shards *remote; /* the shards that have all rows; NULL: there are none */
  void (*free_remote)(struct ent_remote_shards *remote);
};

/* One more owner, who frees it too. */
entropic_table *ent_table_share(const entropic_table *table);

/* The calls of the interface by options, and without sizes of structs. options and roles may be NULL. */
entropic_status ent_table_load(entropic_context *context, const char *path, const ent_read_options *options,
                               entropic_table **table);
entropic_status ent_table_create(entropic_context *context, const double *values, size_t rows, size_t columns,
                                 size_t stride, const char *const *names, const ent_roles *roles,
                                 entropic_table **table);

/* Where rows of a pass go that become those of the table. */
ent_sink ent_table_sink(entropic_table *table);
/* Reads rows first, first + 1, ... of a column, into out[count]. */
void ent_table_read(const entropic_table *table, size_t column, size_t first, size_t count, double *out);
/* A store whose views are the columns of a table, texts as texts. It borrows from the table. */
entropic_status ent_table_views(entropic_context *context, const entropic_table *table, ent_column_store **store);

entropic_status ent_table_borrow(entropic_context *context, const entropic_column_view *columns, size_t count,
                                 size_t rows, const ent_roles *roles, entropic_table **table);
entropic_status ent_table_borrow_matrix(entropic_context *context, const entropic_matrix_view *matrix,
                                        const ent_roles *roles, entropic_table **table);
/* more: columns beside those of the stream, or NULL. */
entropic_status ent_table_from_arrow(entropic_context *context, struct ArrowArrayStream *stream,
                                     const entropic_column_views *more, const ent_roles *roles, entropic_table **table);

#endif

/* What a table is made of. */
#ifndef ENT_DATA_TABLE_H
#define ENT_DATA_TABLE_H

#include "data/source.h"

struct entropic_table {
  entropic_source *source; /* for its columns */
  double *values;
  size_t capacity; /* of values */
  double seconds;  /* that reading it took */
};

/* The calls of the interface by options, and without sizes of structs. options and roles may be NULL. */
entropic_status ent_table_load(entropic_context *context, const char *path, const ent_read_options *options,
                               entropic_table **table);
/* A table of finite numbers and nothing else: the default options with numbers_only. */
entropic_status ent_table_read(entropic_context *context, const char *path, entropic_table **table);
entropic_status ent_table_create(entropic_context *context, const double *values, size_t rows, size_t columns,
                                 size_t stride, const char *const *names, const ent_roles *roles,
                                 entropic_table **table);
entropic_status ent_column_of_table(entropic_context *context, const entropic_table *table, size_t column,
                                    entropic_column *info);

#endif

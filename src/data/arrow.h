/* Arrow's columns: what the format strings of a schema say, and the arrays of a stream as chunks of columns. */
#ifndef ENT_DATA_ARROW_H
#define ENT_DATA_ARROW_H

#include "columns/column_store.h"

/* Lengths and offsets beyond this are no sizes of anything, and sums and products of them stay within 64 bits. */
#define ENT_ARROW_MOST (INT64_MAX / 64)

/* What a column is, from its schema. */
typedef struct ent_arrow_type {
  ent_column_view kind;    /* of its values; of a dictionary the codes'. Without chunks */
  ent_column_view entries; /* of a dictionary; if `kind` is coded */
  bool unread;             /* nobody reads it: it may be of any type, and has no values */
} ent_arrow_type;

/* Reads the schema of a column. BAD_DATA for types that are not read, with the column's name and format. */
entropic_status ent_arrow_type_of(entropic_context *context, const struct ArrowSchema *schema, size_t column,
                                  ent_arrow_type *type);

/* Adds the rows of an array of a stream, which the store keeps already, to its first columns, types[columns]. BAD_DATA
 * if it is malformed. */
entropic_status ent_arrow_add(entropic_context *context, ent_column_store *store, const ent_arrow_type *types,
                              size_t columns, const struct ArrowArray *array);

#endif

/* Rows selected by number out of rows in memory: as a source of rows, or copied all at once. */
#ifndef ENT_TUNE_ROW_SUBSET_H
#define ENT_TUNE_ROW_SUBSET_H

#include "sums/rows.h"

/* What there is to select from is borrowed. An empty subset is all zero. */
typedef struct ent_row_subset {
  ent_memory_rows from;  /* `from.at` counts the rows handed out; the scaled ones are those of the subset */
  const size_t *numbers; /* [count] which rows, in this order; NULL: all of them */
  size_t count;
  size_t *own_numbers; /* freed with the subset; or NULL */
  double *y, *weights; /* of the block at hand */
  size_t capacity;     /* rows of it */
} ent_row_subset;

/* A matrix in memory: `width` values of a row, rows `stride` values apart. */
typedef struct ent_matrix_rows {
  const double *values;
  size_t stride, width;
} ent_matrix_rows;

/* to[count x width]: the rows numbers[0 .. count), in this order. */
void ent_gather_rows(ent_matrix_rows from, const size_t *numbers, size_t count, double *to);

/* The subset as a source, which copies a block at a time. All rows are handed out without a copy. */
ent_rows ent_rows_of_subset(ent_row_subset *subset);
/* All rows as one block, which is valid until the subset is used again or cleared. */
entropic_status ent_row_subset_load(entropic_context *context, ent_row_subset *subset, ent_block *block);
/* Frees and empties. */
void ent_row_subset_clear(ent_row_subset *subset);

#endif

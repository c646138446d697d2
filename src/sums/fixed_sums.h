/* Sums of products of columns in fixed point, in the order of a layout, until they are added to statistics. */
#ifndef ENT_SUMS_FIXED_SUMS_H
#define ENT_SUMS_FIXED_SUMS_H

#include "sums/fixed_block.h"

/* Sums of so many rows stay below 2^63: the words of narrow codes are at most 2^23. */
#define ENT_FIXED_SUM_ROWS ((size_t)1 << 16)

typedef struct ent_fixed_sums {
  const ent_fixed_format *format;
  size_t count;         /* of sums in a plane */
  int64_t *planes;      /* products of the words of each plane; wide: low parts, in [0, 2^52), then high ones */
  int64_t *column_sums; /* [columns] of q; wide only */
  size_t rows;          /* since sums were 0, at most ENT_FIXED_SUM_ROWS */
  uint64_t weighted;    /* of them, with a weight above 0 */
  size_t merges;        /* since sums were 0 */
} ent_fixed_sums;

/* Sums of no rows; the format is borrowed. */
entropic_status ent_fixed_sums_create(entropic_context *context, const ent_fixed_format *format, ent_fixed_sums **sums);
void ent_fixed_sums_free(ent_fixed_sums *sums);

/* Adds the products of all pairs of columns of some finished blocks, on the context's threads. There must be room for the
 * rows. On failure, which is only by cancelling, the sums are undefined. */
entropic_status ent_fixed_sums_add(entropic_context *context, ent_fixed_sums *sums, ent_fixed_block *const *blocks,
                                   size_t count);

/* Adds the sums to statistics of the shape of the format, and sets them to 0. It cannot be cancelled, so that statistics
 * hold all rows or none; it takes some 10 ms for 2000 columns. */
void ent_fixed_sums_flush(ent_fixed_sums *sums, ent_fixed *fixed);

/* sum += other, both of one format. There must be room for the rows; at most ENT_FIXED_MOST_MERGES in a row, as low parts of
 * wide codes are not carried. */
#define ENT_FIXED_MOST_MERGES ((size_t)1000)
void ent_fixed_sums_merge(ent_fixed_sums *sum, const ent_fixed_sums *other);

/* Back to no rows. */
void ent_fixed_sums_clear(ent_fixed_sums *sums);

/* The total of two columns, in any order. Not of two known ones. */
ent_int128 ent_fixed_sums_total(const ent_fixed_sums *sums, size_t a, size_t b);

/* gram[b * ld + a] += the totals of all columns a <= b < count as doubles, each rounded once. Products of two known columns
 * are left out. */
entropic_status ent_fixed_sums_write(entropic_context *context, const ent_fixed_sums *sums, size_t count, double *gram,
                                     size_t ld);

#endif

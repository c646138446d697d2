/* Columns of a block of rows in the fewest bytes that give the same doubles again. */
#ifndef ENT_COLUMNS_PACKING_H
#define ENT_COLUMNS_PACKING_H

#include "columns/column_view.h"

/* A column of a block, packed. */
typedef struct ent_packed {
  unsigned char element; /* of a packed chunk */
  bool constant;         /* one value stands for all rows */
  bool none;             /* all are missing: there are no bytes */
  uint32_t valid;        /* where the bitmap of values that are there begins; 0: all are, or NaN says which are not */
  uint32_t bytes;        /* in all, a multiple of 8 */
} ent_packed;

#define ENT_PACKED_ROWS 65536 /* of a block at most */
/* The most bytes that so many rows can take. */
#define ENT_PACKED_MOST(rows) (8 * (rows) + ((rows) + 63) / 64 * 8)

/* Packs values[row * stride] for rows of one column into `to`, which has room for ENT_PACKED_MOST(rows). `cells`: NaNs
 * keep their bits; otherwise they are the same. */
ent_packed ent_pack(const double *values, size_t rows, size_t stride, bool cells, unsigned char *to);

#endif

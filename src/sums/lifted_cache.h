/* Lifted blocks that are kept from one pass to the next. Passes over them are bound by the bytes they read. So columns
 * that are mostly zero are kept as compressed rows, and the others densely. */
#ifndef ENT_SUMS_LIFTED_CACHE_H
#define ENT_SUMS_LIFTED_CACHE_H

#include "sums/lifted.h"

/* A kept block; all zero: not filled yet. */
typedef struct ent_lifted_cache {
  size_t dense_count;
  double *values;   /* rows x dense_count, then the values of the compressed rows */
  int32_t *columns; /* the features of the dense columns, then the columns of the compressed rows */
  size_t *starts;   /* [rows + 1] of the compressed rows */
} ent_lifted_cache;

void ent_lifted_cache_clear(ent_lifted_cache *kept);
bool ent_lifted_cache_is_filled(const ent_lifted_cache *kept);

/* Copies a block. Columns with fewer non-zeros than the share `rare` of the rows become compressed rows. On failure
 * *kept is all zero, as before. */
entropic_status ent_lifted_cache_fill(entropic_context *context, const ent_lifted *lifted, double rare,
                                      ent_lifted_cache *kept);

/* lifted->block and lifted->features are set already; the rest becomes that of the kept block, which is borrowed. */
void ent_lifted_cache_view(const ent_lifted_cache *kept, ent_lifted *lifted);

#endif

/* A block of lifted rows, and products with it. */
#ifndef ENT_SUMS_LIFTED_H
#define ENT_SUMS_LIFTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dense.h"
#include "sums/rows.h"

/* Some columns are dense, the others are in compressed rows. A block that was just lifted has one of both: z or starts
 * is NULL. A block that is kept from the pass before may have both. */
typedef struct ent_lifted {
  ent_block block;
  size_t features;
  const ent_dense *dense;
  const double *z;              /* rows x dense_count, columns ld apart; NULL: none */
  size_t ld, dense_count;       /* passes set dense_count; elsewhere a z has all features */
  const int32_t *dense_columns; /* the feature of each column of z, ascending; NULL: z has all features, in order */
  const size_t *starts;         /* compressed rows of the other columns: as entropic_lift_sparse; NULL: none */
  const int32_t *columns;
  const double *values;
} ent_lifted;

/* The feature of a column of z. */
static inline size_t ent_lifted_feature(const ent_lifted *lifted, size_t column) {
  return lifted->dense_columns == NULL ? column : (size_t)lifted->dense_columns[column];
}

/* Of blocks from passes. The bits of both are the same on every processor. A block is read once, however many columns
 * v or u has.
 *
 * out[rows x count] = Z v, with v[features x count], columns v_ld apart. */
void ent_lifted_multiply(const ent_lifted *lifted, const double *v, size_t v_ld, size_t count, double *out);
/* sum[features x count] += Z'u, with u[rows x count]; columns of sum are sum_ld apart. */
void ent_lifted_multiply_trans(const ent_lifted *lifted, const double *u, size_t count, double *sum, size_t sum_ld);

/* Lifted blocks that are kept from one pass to the next. Passes over them are bound by the bytes they read. So columns
 * that are mostly zero are kept as compressed rows, and the others densely. */

/* A kept block; all zero: not filled yet. */
typedef struct ent_lifted_cache {
  size_t dense_count;
  double *values;   /* rows x dense_count, then the values of the compressed rows */
  int32_t *columns; /* the features of the dense columns, then the columns of the compressed rows */
  size_t *starts;   /* [rows + 1] of the compressed rows */
} ent_lifted_cache;

void ent_lifted_cache_clear(ent_lifted_cache *cache);
bool ent_lifted_cache_is_filled(const ent_lifted_cache *cache);

/* Copies a block. Columns with fewer non-zeros than the share `rare` of the rows become compressed rows. On failure
 * *cache is all zero, as before. */
entropic_status ent_lifted_cache_fill(entropic_context *context, const ent_lifted *lifted, double rare,
                                      ent_lifted_cache *cache);

/* lifted->block and lifted->features are set already; the rest becomes that of the cached block, which is borrowed. */
void ent_lifted_cache_view(const ent_lifted_cache *cache, ent_lifted *lifted);

#endif

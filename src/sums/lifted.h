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

#endif

/* Passes over lifted rows that are not stored. A pass lifts small blocks, which stay in the cache, and hands each to a
 * task. Lifting rows again is mostly faster than reading lifted rows from memory.
 *
 * Blocks go round-robin to ENT_LANES lanes. The blocks of a lane are handed over in order, by one thread at a time. So
 * sums that are kept for each lane, and added up in the order of the lanes, have the same bits for any number of
 * threads. */
#ifndef ENT_SUMS_PASS_H
#define ENT_SUMS_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dense.h"
#include "lift/map.h"
#include "sums/rows.h"

/* A block of lifted rows, and products with it. */

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

#define ENT_LANES ((size_t)16)

typedef entropic_status (*ent_pass_task)(entropic_context *context, void *shared, size_t lane,
                                         const ent_lifted *lifted);

/* Work space for passes with one feature map, on the threads of the context. */
typedef struct ent_pass ent_pass;

/* The map is borrowed. */
entropic_status ent_pass_create(entropic_context *context, const ent_map *map, ent_pass **pass);
void ent_pass_free(ent_pass *pass);
/* The number of features, and the most rows of a lifted block. */
size_t ent_pass_features(const ent_pass *pass);
size_t ent_pass_block(const ent_pass *pass);

/* Promises, before the first pass, that every pass is over the same `rows` rows. Lifted rows are then kept from the
 * first pass on, unless they take too much memory. Compressed rows, and dense ones of many factors, are read faster than
 * they are lifted. Blocks are smaller then: see ent_pass_block. */
entropic_status ent_pass_keep(entropic_context *context, ent_pass *pass, size_t rows);

/* How rows are kept; for benchmarks and tests. */
typedef struct ent_pass_form {
  size_t block_rows; /* the most rows of a block; >= 1 */
  double rare;       /* columns below this share of non-zeros are kept as compressed rows; 0: none */
} ent_pass_form;

ent_pass_form ent_pass_form_default(void);
entropic_status ent_pass_keep_as(entropic_context *context, ent_pass *pass, size_t rows, ent_pass_form form);

/* One pass, from the first row to the last. */
entropic_status ent_pass_run(entropic_context *context, ent_pass *pass, const ent_rows *rows, ent_pass_task task,
                             void *shared);

/* sums[0 .. length) becomes the sum of all lanes, which lie `length` apart. */
void ent_pass_sum(double *sums, size_t length);

/* Linear models on lifted rows, all borrowed. */
typedef struct ent_linear {
  const double *weights; /* weights[i * features + feature] */
  const double *offsets; /* [count] */
  size_t count;
} ent_linear;

/* scores[row * count + i] = offsets[i] + weights_i . z(row). Of the rows only x is used. */
entropic_status ent_scores(entropic_context *context, const ent_map *map, const ent_block *rows,
                           const ent_linear *models, double *scores);
/* The same with the work space of a pass, for its map. Its rows must not be cached, unless they are these. */
entropic_status ent_pass_scores(entropic_context *context, ent_pass *pass, const ent_block *rows,
                                const ent_linear *models, double *scores);

/* Scratch memory of a feature map for several workers. */

/* The scratch of a worker, created when it is first used. scratch[workers] is NULL at first. */
entropic_status ent_scratch_get(entropic_context *context, const ent_map *map, void **scratch, int worker,
                                void **found);

/* Frees the scratch of all workers, and the array, which may be NULL. */
void ent_scratch_free(const ent_map *map, void **scratch, size_t workers);

#endif

/* Walking over lifted rows without keeping them: a pass lifts small blocks, which stay in the cache, and hands each
 * to a task. Lifting again costs less than reading lifted rows back from memory would.
 *
 * Blocks are dealt out to ENT_LANES lanes in turn. A lane's blocks are handed over in order, by one thread at a time,
 * so sums kept for each lane, and added up in the order of the lanes, have the same bits for any number of threads. */
#ifndef ENT_SOLVE_PASS_H
#define ENT_SOLVE_PASS_H

#include <stdbool.h>

#include "base/blas.h"
#include "solve/rows.h"
#include "lift/map.h"

#define ENT_LANES ((size_t)16)

/* A block of lifted rows, dense or compressed. */
typedef struct ent_lifted {
  ent_block block;
  size_t features;
  const ent_blas *blas;
  const double *z; /* dense: rows x features, columns ld apart; NULL if compressed */
  size_t ld;
  const size_t *starts; /* compressed: as entropic_lift_sparse */
  const int32_t *columns;
  const double *values;
} ent_lifted;

/* out[rows x count] = Z v, v[features x count] with columns v_ld apart. */
void ent_lifted_multiply(const ent_lifted *lifted, const double *v, size_t v_ld, size_t count, double *out);
/* sum[features x count, columns sum_ld apart] += Z'u, u[rows x count]. */
void ent_lifted_multiply_trans(const ent_lifted *lifted, const double *u, size_t count, double *sum, size_t sum_ld);

typedef entropic_status (*ent_pass_task)(entropic_context *context, void *shared, size_t lane,
                                         const ent_lifted *lifted);

/* Memory for passes over any rows with one map, for the threads of the context. */
typedef struct ent_pass ent_pass;

/* The map is borrowed. */
entropic_status ent_pass_create(entropic_context *context, const ent_map *map, ent_pass **pass);
void ent_pass_free(ent_pass *pass);
/* How many features its rows are lifted to, and the most rows a lifted block has. */
size_t ent_pass_features(const ent_pass *pass);
size_t ent_pass_block(const ent_pass *pass);

/* From now on every pass is over the same rows, so many: lifted ones are kept from the first pass on, unless they are too
 * many. Compressed rows, and dense ones of many factors, are read back faster than they are lifted. */
entropic_status ent_pass_keep(entropic_context *context, ent_pass *pass, size_t rows);

/* One pass, from the first row to the last. */
entropic_status ent_pass_run(entropic_context *context, ent_pass *pass, const ent_rows *rows, ent_pass_task task,
                             void *shared);

/* sums[0 .. length) becomes the sum of the lanes, which lie `length` apart from there on. */
void ent_pass_sum(double *sums, size_t length);

/* What models predict: scores[row * count + i] = offsets[i] + weights_i . z(row), weights[i * features + feature]. */
entropic_status ent_scores(entropic_context *context, const ent_map *map, const double *x, size_t rows, size_t stride,
                           const double *weights, const double *offsets, size_t count, double *scores);

#endif

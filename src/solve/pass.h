/* Passes over lifted rows that are not stored. A pass lifts small blocks, which stay in the cache, and hands each to a
 * task. Lifting rows again is mostly faster than reading lifted rows from memory.
 *
 * Blocks go round-robin to ENT_LANES lanes. The blocks of a lane are handed over in order, by one thread at a time. So
 * sums that are kept for each lane, and added up in the order of the lanes, have the same bits for any number of
 * threads. */
#ifndef ENT_SOLVE_PASS_H
#define ENT_SOLVE_PASS_H

#include <stdbool.h>

#include "base/dense.h"
#include "solve/rows.h"
#include "lift/map.h"

#define ENT_LANES ((size_t)16)

/* A block of lifted rows, dense or compressed. */
typedef struct ent_lifted {
  ent_block block;
  size_t features;
  const ent_dense *dense;
  const double *z; /* dense: rows x features, columns ld apart; NULL if compressed */
  size_t ld;
  const size_t *starts; /* compressed: as entropic_lift_sparse */
  const int32_t *columns;
  const double *values;
} ent_lifted;

/* The bits of both are the same on every processor.
 *
 * out[rows x count] = Z v, with v[features x count], columns v_ld apart. */
void ent_lifted_multiply(const ent_lifted *lifted, const double *v, size_t v_ld, size_t count, double *out);
/* sum[features x count] += Z'u, with u[rows x count]; columns of sum are sum_ld apart. */
void ent_lifted_multiply_trans(const ent_lifted *lifted, const double *u, size_t count, double *sum, size_t sum_ld);

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

/* Promises that every pass is over the same `rows` rows. Lifted rows are then cached in the first pass, unless they
 * take too much memory. Compressed rows, and dense ones of many factors, are read faster than they are lifted. */
entropic_status ent_pass_keep(entropic_context *context, ent_pass *pass, size_t rows);

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

#endif

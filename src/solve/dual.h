/* The dual of ridge regression: one unknown for each row. For more features than rows, and for kernels without
 * features.
 *
 * With K the kernel matrix, W the weights and N their sum, f = m + sum_i c_i k(., x_i), where c = W^(1/2) u and
 *     (W^(1/2) K W^(1/2) + lambda N I) u = W^(1/2) (y - m). */
#ifndef ENT_SOLVE_DUAL_H
#define ENT_SOLVE_DUAL_H

#include "sums/rows.h"
#include "solve/multi_shift.h"
#include "lift/map.h"

typedef struct ent_dual {
  size_t rows, inputs, targets, count; /* count lambdas */
  double *x;                           /* a copy of the rows: rows x inputs */
  double *coefficients;                /* c: coefficients[(lambda * targets + target) * rows + row] */
  double *means;                       /* m: [targets] */
  size_t features;                     /* of the map; 0 if there was none */
  double *weights; /* with a map, a = Z'c: weights[(lambda * targets + target) * features + feature] */
} ent_dual;

/* With the kernel z.z' of a feature map. The weights equal those of ent_ridge_solve. */
entropic_status ent_dual_of_map(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                const double *lambdas, size_t count, ent_dual **dual);

/* With the exact kernel, all of its levels. */
entropic_status ent_dual_of_kernel(entropic_context *context, const entropic_kernel *kernel, const ent_rows *rows,
                                   const double *lambdas, size_t count, ent_dual **dual);
void ent_dual_free(ent_dual *dual);

/* Predictions of a model of ent_dual_of_kernel, for lambda number `lambda`: out[row * targets + target]. Of the rows
 * only x is used. */
entropic_status ent_dual_predict(entropic_context *context, const ent_dual *dual, const entropic_kernel *kernel,
                                 size_t lambda, const ent_block *rows, double *out);

#endif

/* Ridge by the dual: equations in one unknown a row, for more features than rows and for kernels without features.
 *
 * With K the matrix of kernel values, W the weights and N their sum, f = m + sum_i c_i k(., x_i), where c = W^(1/2) u
 * and
 *     (W^(1/2) K W^(1/2) + lambda N I) u = W^(1/2) (y - m). */
#ifndef ENT_SOLVE_DUAL_H
#define ENT_SOLVE_DUAL_H

#include "solve/rows.h"
#include "solve/multi_shift.h"
#include "lift/map.h"

typedef struct ent_dual {
  size_t rows, inputs, targets, count; /* count lambdas */
  double *x;                           /* the rows, a copy: rows x inputs */
  double *coefficients;                /* c: coefficients[(lambda * targets + target) * rows + row] */
  double *means;                       /* m: [targets] */
  size_t features;                     /* of the map; 0 if there was none */
  double *weights; /* with a map, a = Z'c: weights[(lambda * targets + target) * features + feature] */
} ent_dual;

/* The kernel z.z' of a feature map: gives the weights that ent_ridge_solve would. */
entropic_status ent_dual_of_map(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                const double *lambdas, size_t count, ent_dual **dual);

/* The kernel itself, all of its levels. */
entropic_status ent_dual_of_kernel(entropic_context *context, const entropic_kernel *kernel, const ent_rows *rows,
                                   const double *lambdas, size_t count, ent_dual **dual);
void ent_dual_free(ent_dual *dual);

/* Predictions of a model made by ent_dual_of_kernel, for lambda number `lambda`: out[row * targets + target]. */
entropic_status ent_dual_predict(entropic_context *context, const ent_dual *dual, const entropic_kernel *kernel,
                                 size_t lambda, const double *x, size_t rows, size_t stride, double *out);

#endif

/* Exact kernel ridge regression with the kernels of random features: the ceiling of every map that approximates them.
 *
 * With K the kernel matrix of the training rows, W their weights, N the sum of these and m the weighted means of the
 * targets, f = m + sum_i c_i k(., x_i), where c = W^(1/2) u and
 *     (W^(1/2) K W^(1/2) + lambda N I) u = W^(1/2) (y - m),
 * as in dual.h. */
#ifndef ENT_SOLVE_EXACT_H
#define ENT_SOLVE_EXACT_H

#include "baselines/baselines.h"

#define ENT_EXACT_MOST_ROWS ((size_t)16384) /* of some weight; two matrices of 2 GB */

/* All borrowed. Inputs are in [0,1]; what lies outside counts as the nearer end. */
typedef struct ent_exact_ridge_task {
  ent_random_kernel kernel;
  double sigma; /* 1e-6 .. 1e6 */
  size_t inputs;
  ent_random_data data;  /* training rows with targets; those of weight 0 have no effect */
  const double *lambdas; /* [count], not negative */
  size_t count;
  const double *x; /* rows to predict: x[row * stride + input] */
  size_t rows, stride;
} ent_exact_ridge_task;

/* predictions[(lambda * rows + row) * data.targets + target], undefined after a failure. The same bits for any number of
 * threads. TOO_LARGE for more than ENT_EXACT_MOST_ROWS training rows of some weight; BAD_ARGUMENT for options and sizes,
 * BAD_DATA for values that are not finite and for weights that are negative or sum to 0. */
entropic_status ent_exact_ridge(entropic_context *context, const ent_exact_ridge_task *task, double *predictions);

#endif

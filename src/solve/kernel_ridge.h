/* Ridge regression with a kernel and all rows as centres, and what it says of each row without that row.
 *
 * With K the kernel matrix, W the weights of rows, m the weighted mean of the targets and r the ridge, f = m + sum_j c_j
 * k(., x_j), where (K + r W^-1) c = y - m. Without the rows B of a block, whose weights w sum up to w_B of N in all, the mean
 * is m - d with d = sum over B of w_i (y_i - m) / (N - w_B), and with A = (K + r W^-1)^-1 the residuals of the block are
 *     A_BB^-1 [ (A (y - m))_B + d (A 1)_B ],
 * so one factor gives what all rows are without their block. Rows that belong together have to leave together: copies of a
 * row would tell what it is. */
#ifndef ENT_SOLVE_KERNEL_RIDGE_H
#define ENT_SOLVE_KERNEL_RIDGE_H

#include <stdbool.h>

#include "axis/kernel.h"
#include "base/context.h"

/* All borrowed. */
typedef struct ent_kernel_rows {
  const double *x;       /* rows x inputs, scaled; NaN where a value is missing, as the kernel knows */
  const double *y;       /* rows x targets */
  const double *weights; /* above 0; NULL: all 1 */
  size_t rows, inputs, targets;
  const size_t *block_of; /* [rows] 0 .. rows - 1: which block each leaves with; NULL: each by itself */
} ent_kernel_rows;

/* The kernel matrix of some rows, which outlive it. */
typedef struct ent_kernel_ridge ent_kernel_ridge;
entropic_status ent_kernel_ridge_create(entropic_context *context, const entropic_kernel *kernel,
                                        const ent_kernel_rows *rows, ent_kernel_ridge **ridge);
void ent_kernel_ridge_free(ent_kernel_ridge *ridge);

/* What a ridge gives; arrays of the caller. */
typedef struct ent_kernel_solution {
  double *coefficients; /* [targets x rows] c; NULL: not asked for */
  double *means;        /* [targets] m */
  double *left_out;     /* [rows x targets] predictions of each row without its block; NULL: not asked for */
} ent_kernel_solution;

/* *positive is false, and the solution undefined, if K + r W^-1 has no Cholesky factor in doubles. With `last` the matrix is
 * used up, and no other ridge can be solved. */
entropic_status ent_kernel_ridge_solve(entropic_context *context, ent_kernel_ridge *ridge, double value, bool last,
                                       const ent_kernel_solution *solution, bool *positive);

/* values[count x rows]: kernel values of rows x[count x inputs] with all points[rows x inputs]. */
entropic_status ent_kernel_values(entropic_context *context, const entropic_kernel *kernel, const double *points,
                                  size_t rows, const double *x, size_t count, double *values);

#endif

/* Multi-shift solves: (A + shift I) x = b for one symmetric matrix A and many shifts, as ridge regression needs for a
 * list of lambdas. */
#ifndef ENT_SOLVE_MULTI_SHIFT_H
#define ENT_SOLVE_MULTI_SHIFT_H

#include <stdbool.h>

#include "base/context.h"

typedef enum ent_method {
  ENT_METHOD_AUTO = 0,       /* whichever is expected to be faster */
  ENT_METHOD_CHOLESKY = 1,   /* one Cholesky factor for each shift, in parallel */
  ENT_METHOD_EIGEN = 2,      /* one eigendecomposition for all shifts */
  ENT_METHOD_TRIDIAGONAL = 3 /* one tridiagonal reduction for all shifts */
} ent_method;

/* The equations; all borrowed. */
typedef struct ent_multi_shift {
  size_t n, ld;
  const double *a; /* n x n, columns ld apart, upper triangle; positive semidefinite up to rounding */
  size_t columns;
  const double *right; /* b: n x columns */
  size_t count;
  const double *shifts; /* count, not negative */
} ent_multi_shift;

/* solutions[(shift * columns + column) * n + i]. traces, if not NULL: [shift], the trace of A (A + shift I)^-1. If
 * A + shift I is not positive definite in doubles, x is the solution of least norm. */
entropic_status ent_multi_shift_solve(entropic_context *context, const ent_multi_shift *equations, ent_method method,
                                      double *solutions, double *traces);

/* The method that ENT_METHOD_AUTO stands for. */
ent_method ent_multi_shift_choice(size_t count, bool with_traces);

#endif

/* One symmetric matrix A, many multiples of the identity added to it: the equations (A + shift I) x = b, which ridge
 * has to solve for a list of lambdas. */
#ifndef ENT_SOLVE_MULTI_SHIFT_H
#define ENT_SOLVE_MULTI_SHIFT_H

#include <stdbool.h>

#include "base/context.h"

typedef enum ent_method {
  ENT_METHOD_AUTO = 0,       /* whichever is expected to be faster */
  ENT_METHOD_CHOLESKY = 1,   /* one factor for each shift, side by side on the threads */
  ENT_METHOD_EIGEN = 2,      /* one decomposition for all */
  ENT_METHOD_TRIDIAGONAL = 3 /* one tridiagonal matrix for all, whose equations are solved at once */
} ent_method;

/* The equations; all borrowed. */
typedef struct ent_multi_shift {
  size_t n, ld;
  const double *a; /* n x n, columns ld apart, upper triangle; no negative eigenvalues but by rounding */
  size_t columns;
  const double *right; /* b: n x columns */
  size_t count;
  const double *shifts; /* count, not negative */
} ent_multi_shift;

/* solutions[(shift * columns + column) * n + i]; traces, if not NULL: [shift], the trace of A (A + shift I)^-1. Where
 * A + shift I is not positive in doubles, x is the solution of least norm. */
entropic_status ent_multi_shift_solve(entropic_context *context, const ent_multi_shift *equations, ent_method method,
                                      double *solutions, double *traces);

/* Which method ENT_METHOD_AUTO takes. */
ent_method ent_multi_shift_choice(size_t n, size_t count, bool with_traces);

#endif

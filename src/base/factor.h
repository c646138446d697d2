/* Factors of symmetric positive matrices, column-major, of which the upper triangle counts. */
#ifndef ENT_BASE_FACTOR_H
#define ENT_BASE_FACTOR_H

#include <stdbool.h>

#include "base/blas.h"

/* a[n x n, ld n] = U'U; U replaces the upper triangle. Tiles side by side on the context's threads, the same bits for
 * any number of them. *positive tells whether there is such a U in doubles; if not, a is spoilt. */
entropic_status ent_cholesky(entropic_context *context, double *a, size_t n, bool *positive);

/* Solves U'U x = b for `count` right-hand sides b[n x count], in place. */
entropic_status ent_cholesky_solve(entropic_context *context, const double *u, size_t n, double *b, size_t count);

/* a[n x n] = Q diag(values) Q', values[n] ascending; Q replaces a, its columns are the vectors. On one thread. */
entropic_status ent_eigen(entropic_context *context, double *a, size_t n, double *values);

#endif

/* Factors of symmetric positive matrices, column-major, of which the upper triangle counts. */
#ifndef ENT_BASE_FACTOR_H
#define ENT_BASE_FACTOR_H

#include <stdbool.h>

#include "base/blas.h"

/* The upper triangle of a[n x n], columns ld apart, into the lower one, or if not `down` the other way round. */
void ent_mirror(double *a, size_t n, size_t ld, bool down);

/* a[n x n, ld n] = U'U; U replaces the upper triangle, what is below it is lost. Tiles side by side on the context's
 * threads, the same bits for any number of them. *positive tells whether there is such a U in doubles; if not, a is
 * spoilt. */
entropic_status ent_cholesky(entropic_context *context, double *a, size_t n, bool *positive);

/* Solves U'U x = b for `count` right-hand sides b[n x count], in place. */
entropic_status ent_cholesky_solve(entropic_context *context, const double *u, size_t n, double *b, size_t count);

/* a[n x n] = Q diag(values) Q', values[n] ascending; Q replaces a, its columns are the vectors. On one thread. */
entropic_status ent_eigen(entropic_context *context, double *a, size_t n, double *values);

/* a[n x n] = Q T Q' with T tridiagonal: diagonal[n], beside[n] (its first n - 1 are next to the diagonal). What Q is goes
 * to a and turns[n]. Costs as much as four to eight Cholesky factors, but with T every multiple of the identity can be
 * added. On one thread. */
entropic_status ent_tridiagonal(entropic_context *context, double *a, size_t n, double *diagonal, double *e,
                                double *tau);

/* b[n x count] becomes Q b, or Q'b if `back`. */
entropic_status ent_tridiagonal_turn(entropic_context *context, const double *a, size_t n, const double *tau, bool back,
                                     double *b, size_t count);

#endif

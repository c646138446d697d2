/* Factors of symmetric positive matrices, column-major, of which the upper triangle counts. */
#ifndef ENT_BASE_FACTOR_H
#define ENT_BASE_FACTOR_H

#include <stdbool.h>

#include "base/blas.h"

/* Copies the upper triangle of a[n x n], columns ld apart, onto the lower one; the lower onto the upper if not
 * `to_lower`. */
void ent_mirror(double *a, size_t n, size_t ld, bool to_lower);

/* a[n x n, ld n] = U'U. U replaces the upper triangle; what is below stays as it is. Tiles are computed in parallel on
 * the context's threads, with the same bits for any number of them and on every processor (dense.h). *positive: whether
 * there is such a U in doubles; if not, the upper triangle is undefined. */
entropic_status ent_cholesky(entropic_context *context, double *a, size_t n, bool *positive);

/* How many columns of `length` values each a dense multiplication takes, with a square matrix of that side, in about
 * 20 ms: so many are given to it between two polls. At least 64. */
size_t ent_columns_at_once(size_t length);

/* Solves U'U x = b for `count` right-hand sides b[n x count], in place; the same bits on every processor. */
entropic_status ent_cholesky_solve(entropic_context *context, const double *u, size_t n, double *b, size_t count);

/* a[n x n] = Q diag(values) Q', values[n] ascending; Q replaces a, its columns are the vectors. On one thread. */
entropic_status ent_eigen(entropic_context *context, double *a, size_t n, double *values);

/* A = Q T Q' with T tridiagonal and Q a product of Householder reflections, as LAPACK's dsytrd gives it, but with the
 * same bits on every processor. Memory of the caller. */
typedef struct ent_tridiagonal {
  size_t n;
  double *a;   /* n x n: first A, then with tau the reflections of Q */
  double *d;   /* [n] the diagonal of T */
  double *e;   /* [n] its off-diagonal, in the first n - 1 */
  double *tau; /* [n] */
} ent_tridiagonal;

/* Reduces A to T. Takes as long as four to eight Cholesky factors, but any multiple of the identity can be added to T.
 * On one thread. */
entropic_status ent_tridiagonal_reduce(entropic_context *context, ent_tridiagonal *t);

/* b[n x count] = Q b, or Q'b if `transpose`. */
entropic_status ent_tridiagonal_apply(entropic_context *context, const ent_tridiagonal *t, bool transpose, double *b,
                                      size_t count);

#endif

/* Multi-shift solves by one Cholesky factor for each shift, or by one decomposition A = Q T Q' for all of them, with T
 * tridiagonal or diagonal. Only eigenvalues separate noise from signal reliably. So if one of the other methods finds
 * that A + shift I is not safely positive definite, the eigendecomposition solves that shift. */
#include "solve/multi_shift.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "base/dense.h"
#include "base/factor.h"

/* Times in units of the time of a Cholesky factor, measured from 50 to 2000 rows. Tridiagonal reduction: 5.5 to 8. A
 * factor with the trace of its inverse: 4. Eigenvalues and vectors: 15. */
#define TRIDIAGONAL_COST 7.0
#define TRACE_COST 4.0

#define MOST_PARALLEL_ROWS 1500 /* of matrices that are factored in parallel, one on each thread */

typedef struct ent_solving {
  const ent_multi_shift *equations;
  double *solutions, *traces;
  bool *failed; /* [count] A + shift I is not positive definite in doubles */
  double *eigenvalues, *vectors;
  double *rotated; /* Q'b, Q the eigenvectors */
  ent_tridiagonal tridiagonal;
  double *reflected; /* Q'b, Q the reflections of the tridiagonal form */
  double noise;      /* tridiagonal: the largest value that an eigenvalue of 0 may have by rounding */
} ent_solving;

ent_method ent_multi_shift_choice(size_t count, bool with_traces) {
  double factors = (double)count * (with_traces ? TRACE_COST : 1);
  return factors <= TRIDIAGONAL_COST ? ENT_METHOD_CHOLESKY : ENT_METHOD_TRIDIAGONAL;
}

static double *new_square(entropic_context *context, size_t n) {
  size_t square;
  return ent_new(context, ent_multiply(n, n, &square) ? square : SIZE_MAX, sizeof(double));
}

static entropic_status copy_matrix(entropic_context *context, const ent_multi_shift *equations, double *a) {
  for (size_t j = 0; j < equations->n; j++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    memcpy(a + j * equations->n, equations->a + j * equations->ld, (j + 1) * sizeof *a);
  }
  return ENTROPIC_OK;
}

/* tr (U'U)^-1 is the sum of the squares of the elements of U^-1. */
static entropic_status inverse_trace(entropic_context *context, const double *u, size_t n, double *trace) {
  ent_dense *dense = NULL;
  entropic_status status = ent_dense_create(context, 1, n, &dense);
  if (status != ENTROPIC_OK)
    return status;
  double *inverse = new_square(context, n), sum = 0;
  status = ENTROPIC_NO_MEMORY;
  if (inverse == NULL)
    goto done;
  for (size_t i = 0; i < n; i++)
    inverse[i * n + i] = 1;
  for (size_t first = 0, stripe = ent_columns_at_once(n); first < n; first += stripe) {
    size_t left = n - first, columns = left < stripe ? left : stripe;
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    ent_dense_solve(dense, &(ent_triangle_task){.u = u,
                                                .n = first + columns, /* rows below are 0 */
                                                .u_ld = n,
                                                .b = inverse + first * n,
                                                .columns = columns,
                                                .ld = n});
  }
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i <= j; i++)
      sum += inverse[j * n + i] * inverse[j * n + i];
  *trace = sum;
done:
  ent_dense_free(dense);
  ent_delete(inverse);
  return status;
}

static entropic_status solve_by_cholesky(entropic_context *context, void *shared, size_t l, int worker) {
  (void)worker;
  ent_solving *s = shared;
  const ent_multi_shift *equations = s->equations;
  size_t n = equations->n, columns = equations->columns;
  double shift = equations->shifts[l], trace = 0, *x = s->solutions + l * columns * n;
  double *a = ent_new_raw(context, n, n, sizeof *a);
  if (a == NULL)
    return ENTROPIC_NO_MEMORY;
  bool positive = false;
  entropic_status status = copy_matrix(context, equations, a);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t j = 0; j < n; j++)
    a[j * n + j] += shift;
  status = ent_cholesky(context, a, n, &positive);
  s->failed[l] = !positive;
  if (status != ENTROPIC_OK || !positive)
    goto done;
  memcpy(x, equations->right, columns * n * sizeof *x);
  status = ent_cholesky_solve(context, a, n, x, columns);
  if (status != ENTROPIC_OK || s->traces == NULL)
    goto done;
  status = inverse_trace(context, a, n, &trace);
  if (status != ENTROPIC_OK)
    goto done;
  s->traces[l] = (double)n - shift * trace;
done:
  ent_delete(a);
  ent_progress_report(context, (double)(l + 1) / (double)equations->count);
  return status;
}

/* out[n x columns] = Q in, or Q'in, with Q the eigenvectors. */
static entropic_status multiply_vectors(entropic_context *context, const ent_solving *s, bool transpose,
                                        const double *in, double *out) {
  size_t n = s->equations->n, columns = s->equations->columns;
  ptrdiff_t ld = (ptrdiff_t)n;
  ent_dense *dense = NULL;
  entropic_status status = ent_dense_create(context, 1, SIZE_MAX, &dense);
  if (status != ENTROPIC_OK)
    return status;
  memset(out, 0, n * columns * sizeof *out);
  ent_dense_multiply(dense, &(ent_product_task){.rows = n,
                                                .columns = columns,
                                                .depth = n,
                                                .a = {s->vectors, transpose ? ld : 1, transpose ? 1 : ld, false},
                                                .b = {in, 1, ld, false},
                                                .c = out,
                                                .ld = n});
  ent_dense_free(dense);
  return ENTROPIC_OK;
}

static entropic_status decompose(entropic_context *context, ent_solving *s) {
  const ent_multi_shift *equations = s->equations;
  size_t n = equations->n, columns = equations->columns;
  s->vectors = new_square(context, n);
  s->eigenvalues = ent_new(context, n, sizeof *s->eigenvalues);
  s->rotated = ent_new(context, n * columns, sizeof *s->rotated);
  if (s->vectors == NULL || s->eigenvalues == NULL || s->rotated == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = copy_matrix(context, equations, s->vectors);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_eigen(context, s->vectors, n, s->eigenvalues);
  if (status != ENTROPIC_OK)
    return status;
  return multiply_vectors(context, s, true, equations->right, s->rotated);
}

static entropic_status solve_by_eigen(entropic_context *context, void *shared, size_t l, int worker) {
  (void)worker;
  ent_solving *s = shared;
  size_t n = s->equations->n, columns = s->equations->columns;
  double *scaled = ent_new(context, n * columns, sizeof *scaled);
  if (scaled == NULL)
    return ENTROPIC_NO_MEMORY;
  double shift = s->equations->shifts[l], trace = 0;
  double noise = s->eigenvalues[n - 1] * (double)n * DBL_EPSILON; /* an eigenvalue of 0, by rounding */
  for (size_t j = 0; j < n; j++) {
    double value = s->eigenvalues[j] > noise ? s->eigenvalues[j] : 0;
    double factor = value + shift > noise ? 1 / (value + shift) : 0;
    trace += value * factor;
    for (size_t c = 0; c < columns; c++)
      scaled[c * n + j] = factor * s->rotated[c * n + j];
  }
  entropic_status status = multiply_vectors(context, s, false, scaled, s->solutions + l * columns * n);
  if (s->traces != NULL)
    s->traces[l] = trace;
  ent_delete(scaled);
  return status;
}

/* An upper bound of the eigenvalues of T: the largest sum of absolute values in a row. */
static double largest_row_sum(const ent_tridiagonal *t) {
  double largest = 0;
  for (size_t i = 0; i < t->n; i++) {
    double sum = fabs(t->d[i]) + (i > 0 ? fabs(t->e[i - 1]) : 0) + (i + 1 < t->n ? fabs(t->e[i]) : 0);
    largest = sum <= largest ? largest : sum;
  }
  return largest;
}

static entropic_status reduce(entropic_context *context, ent_solving *s) {
  const ent_multi_shift *equations = s->equations;
  size_t n = equations->n, columns = equations->columns;
  ent_tridiagonal *t = &s->tridiagonal;
  t->n = n;
  t->a = new_square(context, n);
  t->d = ent_new(context, n, sizeof *t->d);
  t->e = ent_new(context, n, sizeof *t->e);
  t->tau = ent_new(context, n, sizeof *t->tau);
  s->reflected = ent_new_matrix(context, n, columns, sizeof *s->reflected);
  if (t->a == NULL || t->d == NULL || t->e == NULL || t->tau == NULL || s->reflected == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = copy_matrix(context, equations, t->a);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_tridiagonal_reduce(context, t);
  if (status != ENTROPIC_OK)
    return status;
  memcpy(s->reflected, equations->right, n * columns * sizeof *s->reflected);
  status = ent_tridiagonal_apply(context, t, true, s->reflected, columns);
  if (status != ENTROPIC_OK)
    return status;
  s->noise = largest_row_sum(t) * (double)n * DBL_EPSILON;
  return ENTROPIC_OK;
}

/* The pivots D of T + shift I = LDL', from the first row down; whether all are positive. */
static bool find_pivots(const ent_solving *s, double shift, double *pivots) {
  bool positive = true;
  for (size_t i = 0; i < s->equations->n; i++) {
    double below = i == 0 ? 0 : s->tridiagonal.e[i - 1] * s->tridiagonal.e[i - 1] / pivots[i - 1];
    pivots[i] = s->tridiagonal.d[i] + shift - below;
    positive = positive && pivots[i] > 0 && isfinite(pivots[i]);
  }
  return positive;
}

/* The trace of (T + shift I)^-1. With p and q the pivots from the first row down and from the last row up, its diagonal
 * is 1 / (p + q - d - shift). */
static double inverse_trace_of_pivots(const ent_solving *s, double shift, const double *pivots) {
  double trace = 0, from_below = 0;
  for (size_t i = s->equations->n; i-- > 0;) {
    double own = s->tridiagonal.d[i] + shift, rest = i + 1 < s->equations->n ? s->tridiagonal.e[i] : 0;
    from_below = own - (rest == 0 ? 0 : rest * rest / from_below);
    trace += 1 / (pivots[i] + from_below - own);
  }
  return trace;
}

/* (T + shift I) x = b, in place. */
static void solve_by_pivots(const ent_solving *s, const double *pivots, double *x) {
  size_t n = s->equations->n;
  for (size_t i = 1; i < n; i++)
    x[i] -= s->tridiagonal.e[i - 1] / pivots[i - 1] * x[i - 1];
  x[n - 1] /= pivots[n - 1];
  for (size_t i = n - 1; i-- > 0;)
    x[i] = (x[i] - s->tridiagonal.e[i] * x[i + 1]) / pivots[i];
}

static entropic_status solve_by_tridiagonal(entropic_context *context, void *shared, size_t l, int worker) {
  (void)worker;
  ent_solving *s = shared;
  size_t n = s->equations->n, columns = s->equations->columns;
  double shift = s->equations->shifts[l], *x = s->solutions + l * columns * n;
  double *pivots = ent_new(context, n, sizeof *pivots);
  if (pivots == NULL)
    return ENTROPIC_NO_MEMORY;
  /* All eigenvalues of T + shift I exceed the noise if those of T + (shift - noise) I are positive. */
  s->failed[l] = !find_pivots(s, shift - s->noise, pivots) || !find_pivots(s, shift, pivots);
  if (!s->failed[l]) {
    memcpy(x, s->reflected, n * columns * sizeof *x);
    for (size_t c = 0; c < columns; c++)
      solve_by_pivots(s, pivots, x + c * n);
    if (s->traces != NULL)
      s->traces[l] = (double)n - shift * inverse_trace_of_pivots(s, shift, pivots);
  }
  ent_delete(pivots);
  return ENTROPIC_OK;
}

/* x = Q y for the solutions y of all shifts; those that failed are set to 0. */
static entropic_status reflect_solutions(entropic_context *context, const ent_solving *s) {
  const ent_multi_shift *equations = s->equations;
  size_t values = equations->columns * equations->n;
  for (size_t l = 0; l < equations->count; l++)
    if (s->failed[l])
      memset(s->solutions + l * values, 0, values * sizeof *s->solutions);
  return ent_tridiagonal_apply(context, &s->tridiagonal, false, s->solutions, equations->count * equations->columns);
}

/* Solves the shifts that failed, if any, by the eigendecomposition. */
static entropic_status solve_failed(entropic_context *context, ent_solving *s) {
  for (size_t l = 0; l < s->equations->count; l++) {
    if (!s->failed[l])
      continue;
    entropic_status status = s->vectors == NULL ? decompose(context, s) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    status = solve_by_eigen(context, s, l, 0);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status solve_all_by_eigen(entropic_context *context, ent_solving *s) {
  entropic_status status = decompose(context, s);
  if (status != ENTROPIC_OK)
    return status;
  return ent_parallel(context, s->equations->count, solve_by_eigen, s);
}

static entropic_status solve_all_by_tridiagonal(entropic_context *context, ent_solving *s) {
  entropic_status status = reduce(context, s);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_parallel(context, s->equations->count, solve_by_tridiagonal, s);
  if (status != ENTROPIC_OK)
    return status;
  status = reflect_solutions(context, s);
  if (status != ENTROPIC_OK)
    return status;
  return solve_failed(context, s);
}

/* Small factors in parallel. Large ones, whose copies take memory, one after the other, each on all threads. */
static entropic_status solve_all_by_cholesky(entropic_context *context, ent_solving *s) {
  size_t count = s->equations->count;
  if (s->equations->n <= MOST_PARALLEL_ROWS) {
    entropic_status status = ent_parallel(context, count, solve_by_cholesky, s);
    return status != ENTROPIC_OK ? status : solve_failed(context, s);
  }
  for (size_t l = 0; l < count; l++) {
    entropic_status status = solve_by_cholesky(context, s, l, 0);
    if (status != ENTROPIC_OK)
      return status;
  }
  return solve_failed(context, s);
}

static entropic_status check_sizes(entropic_context *context, const ent_multi_shift *equations) {
  int size;
  entropic_status status = ent_blas_size(context, equations->n, &size);
  if (status != ENTROPIC_OK)
    return status;
  return ent_blas_size(context, equations->columns, &size);
}

static void solving_clear(ent_solving *s) {
  ent_delete(s->failed);
  ent_delete(s->eigenvalues);
  ent_delete(s->vectors);
  ent_delete(s->rotated);
  ent_delete(s->tridiagonal.a);
  ent_delete(s->tridiagonal.d);
  ent_delete(s->tridiagonal.e);
  ent_delete(s->tridiagonal.tau);
  ent_delete(s->reflected);
}

entropic_status ent_multi_shift_solve(entropic_context *context, const ent_multi_shift *equations, ent_method method,
                                      double *solutions, double *traces) {
  entropic_status status = check_sizes(context, equations);
  if (status != ENTROPIC_OK || equations->n == 0)
    return status;
  ent_solving s = {.equations = equations, .solutions = solutions, .traces = traces};
  s.failed = ent_new(context, equations->count, sizeof *s.failed);
  if (s.failed == NULL)
    return ENTROPIC_NO_MEMORY;
  if (method == ENT_METHOD_AUTO)
    method = ent_multi_shift_choice(equations->count, traces != NULL);
  if (method == ENT_METHOD_EIGEN)
    status = solve_all_by_eigen(context, &s);
  else if (method == ENT_METHOD_TRIDIAGONAL)
    status = solve_all_by_tridiagonal(context, &s);
  else
    status = solve_all_by_cholesky(context, &s);
  solving_clear(&s);
  return status;
}

/* Shifted equations: by one Cholesky factor for each shift, or by one eigendecomposition for all. */
#include "learn/shifted.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "base/factor.h"

/* Measured: the time of an eigendecomposition over that of a Cholesky factor (500 to 2000 rows), and of a factor with
 * the trace of its inverse over that of one without. */
#define EIGEN_COST 15.0
#define TRACE_COST 4.0

#define SIDE_BY_SIDE 2048

typedef struct ent_solving {
  const ent_shifted *equations;
  double *solutions, *traces;
  bool *failed;                           /* [count]: not positive */
  double *eigenvalues, *vectors, *turned; /* turned: Q'b */
} ent_solving;

ent_method ent_shifted_choice(size_t count, bool with_traces) {
  return (double)count * (with_traces ? TRACE_COST : 1) < EIGEN_COST ? ENT_METHOD_CHOLESKY : ENT_METHOD_EIGEN;
}

static double *new_square(entropic_context *context, size_t n) {
  size_t square;
  return ent_new(context, ent_multiply(n, n, &square) ? square : SIZE_MAX, sizeof(double));
}

static void copy_matrix(const ent_shifted *equations, double *a) {
  for (size_t j = 0; j < equations->n; j++)
    memcpy(a + j * equations->n, equations->a + j * equations->ld, (j + 1) * sizeof *a);
}

/* tr (U'U)^-1 is the sum of squares of U^-1. */
static entropic_status inverse_trace(entropic_context *context, const double *u, size_t n, double *trace) {
  const ent_blas *blas;
  entropic_status status = ent_blas_get(context, &blas);
  if (status != ENTROPIC_OK)
    return status;
  double *inverse = new_square(context, n), sum = 0;
  if (inverse == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    inverse[i * n + i] = 1;
  blas->dtrsm(ENT_COLUMNS, ENT_LEFT, ENT_UPPER, ENT_PLAIN, ENT_NON_UNIT, (int)n, (int)n, 1, u, (int)n, inverse, (int)n);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i <= j; i++)
      sum += inverse[j * n + i] * inverse[j * n + i];
  ent_delete(inverse);
  *trace = sum;
  return ENTROPIC_OK;
}

static entropic_status solve_by_cholesky(entropic_context *context, void *shared, size_t l, int worker) {
  (void)worker;
  ent_solving *s = shared;
  const ent_shifted *equations = s->equations;
  size_t n = equations->n, columns = equations->columns;
  double shift = equations->shifts[l], trace = 0, *x = s->solutions + l * columns * n;
  double *a = new_square(context, n);
  if (a == NULL)
    return ENTROPIC_NO_MEMORY;
  copy_matrix(equations, a);
  for (size_t j = 0; j < n; j++)
    a[j * n + j] += shift;
  bool positive = false;
  entropic_status status = ent_cholesky(context, a, n, &positive);
  s->failed[l] = !positive;
  if (status == ENTROPIC_OK && positive) {
    memcpy(x, equations->right, columns * n * sizeof *x);
    status = ent_cholesky_solve(context, a, n, x, columns);
    if (status == ENTROPIC_OK && s->traces != NULL)
      status = inverse_trace(context, a, n, &trace);
    if (status == ENTROPIC_OK && s->traces != NULL)
      s->traces[l] = (double)n - shift * trace;
  }
  ent_delete(a);
  ent_progress_tell(context, (double)(l + 1) / (double)equations->count);
  return status;
}

static entropic_status decompose(entropic_context *context, ent_solving *s) {
  const ent_shifted *equations = s->equations;
  size_t n = equations->n, columns = equations->columns;
  const ent_blas *blas;
  entropic_status status = ent_blas_get(context, &blas);
  if (status != ENTROPIC_OK)
    return status;
  s->vectors = new_square(context, n);
  s->eigenvalues = ent_new(context, n, sizeof *s->eigenvalues);
  s->turned = ent_new(context, n * columns, sizeof *s->turned);
  if (s->vectors == NULL || s->eigenvalues == NULL || s->turned == NULL)
    return ENTROPIC_NO_MEMORY;
  copy_matrix(equations, s->vectors);
  status = ent_eigen(context, s->vectors, n, s->eigenvalues);
  if (status == ENTROPIC_OK && columns > 0)
    blas->dgemm(ENT_COLUMNS, ENT_TURNED, ENT_PLAIN, (int)n, (int)columns, (int)n, 1, s->vectors, (int)n,
                equations->right, (int)n, 0, s->turned, (int)n);
  return status;
}

static entropic_status solve_by_eigen(entropic_context *context, void *shared, size_t l, int worker) {
  (void)worker;
  ent_solving *s = shared;
  size_t n = s->equations->n, columns = s->equations->columns;
  const ent_blas *blas;
  entropic_status status = ent_blas_get(context, &blas);
  if (status != ENTROPIC_OK)
    return status;
  double *scaled = ent_new(context, n * columns, sizeof *scaled);
  if (scaled == NULL)
    return ENTROPIC_NO_MEMORY;
  double shift = s->equations->shifts[l], trace = 0;
  double noise = s->eigenvalues[n - 1] * (double)n * DBL_EPSILON; /* what eigenvalues of 0 come out as */
  for (size_t j = 0; j < n; j++) {
    double value = s->eigenvalues[j] > noise ? s->eigenvalues[j] : 0;
    double factor = value + shift > noise ? 1 / (value + shift) : 0;
    trace += value * factor;
    for (size_t c = 0; c < columns; c++)
      scaled[c * n + j] = factor * s->turned[c * n + j];
  }
  if (columns > 0)
    blas->dgemm(ENT_COLUMNS, ENT_PLAIN, ENT_PLAIN, (int)n, (int)columns, (int)n, 1, s->vectors, (int)n, scaled, (int)n,
                0, s->solutions + l * columns * n, (int)n);
  if (s->traces != NULL)
    s->traces[l] = trace;
  ent_delete(scaled);
  return ENTROPIC_OK;
}

/* Those that Cholesky could not do, if any. */
static entropic_status solve_failed(entropic_context *context, ent_solving *s) {
  entropic_status status = ENTROPIC_OK;
  for (size_t l = 0; l < s->equations->count && status == ENTROPIC_OK; l++) {
    if (!s->failed[l])
      continue;
    if (s->vectors == NULL)
      status = decompose(context, s);
    if (status == ENTROPIC_OK)
      status = solve_by_eigen(context, s, l, 0);
  }
  return status;
}

entropic_status ent_shifted_solve(entropic_context *context, const ent_shifted *equations, ent_method method,
                                  double *solutions, double *traces) {
  int size;
  entropic_status status = ent_blas_size(context, equations->n, &size);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, equations->columns, &size);
  if (status != ENTROPIC_OK || equations->n == 0)
    return status;
  ent_solving s = {.equations = equations, .solutions = solutions, .traces = traces};
  s.failed = ent_new(context, equations->count, sizeof *s.failed);
  if (s.failed == NULL)
    return ENTROPIC_NO_MEMORY;
  if (method == ENT_METHOD_AUTO)
    method = ent_shifted_choice(equations->count, traces != NULL);
  if (method == ENT_METHOD_EIGEN) {
    status = decompose(context, &s);
    if (status == ENTROPIC_OK)
      status = ent_parallel(context, equations->count, solve_by_eigen, &s);
  } else {
    /* Small factors side by side; large ones, whose copies take memory, one after the other with the threads inside. */
    if (equations->n <= SIDE_BY_SIDE)
      status = ent_parallel(context, equations->count, solve_by_cholesky, &s);
    for (size_t l = 0; equations->n > SIDE_BY_SIDE && l < equations->count && status == ENTROPIC_OK; l++)
      status = solve_by_cholesky(context, &s, l, 0);
    if (status == ENTROPIC_OK)
      status = solve_failed(context, &s);
  }
  ent_delete(s.failed);
  ent_delete(s.eigenvalues);
  ent_delete(s.vectors);
  ent_delete(s.turned);
  return status;
}

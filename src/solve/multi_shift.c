/* Shifted equations: by one Cholesky factor for each shift, or by one decomposition for all: A = Q T Q' with T
 * tridiagonal, or diagonal. Eigenvalues tell best what is noise: where the others find too little above it, they decide. */
#include "solve/multi_shift.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "base/factor.h"

/* Measured over the time of a Cholesky factor: that of a tridiagonal matrix (4 up to 600 rows, 6 for 1000, 7 for 1500,
 * where it no longer fits into the cache; eigenvalues and vectors take 15), and that of a factor with the trace of its
 * inverse. */
#define TRIDIAGONAL_COST 4.0
#define TRIDIAGONAL_COST_MORE 2e-3 /* for each row */
#define TRACE_COST 4.0

/* Up to so many rows factors of several shifts are made at the same time; beyond it a factor takes all threads, and the
 * room of one. */
#define SIDE_BY_SIDE 1500

typedef struct ent_solving {
  const ent_multi_shift *equations;
  double *solutions, *traces;
  bool *failed;                                  /* [count]: not positive */
  double *eigenvalues, *vectors, *turned;        /* turned: Q'b */
  double *diagonal, *off_diagonal, *tau, *house; /* tridiagonal: T, and what Q is */
  double *reflected;                             /* Q'b of that Q */
  double noise;                                  /* what eigenvalues of 0 come out as, at most */
} ent_solving;

ent_method ent_multi_shift_choice(size_t n, size_t count, bool with_traces) {
  double factors = (double)count * (with_traces ? TRACE_COST : 1);
  return factors < TRIDIAGONAL_COST + TRIDIAGONAL_COST_MORE * (double)n ? ENT_METHOD_CHOLESKY : ENT_METHOD_TRIDIAGONAL;
}

static double *new_square(entropic_context *context, size_t n) {
  size_t square;
  return ent_new(context, ent_multiply(n, n, &square) ? square : SIZE_MAX, sizeof(double));
}

static void copy_matrix(const ent_multi_shift *equations, double *a) {
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
  const ent_multi_shift *equations = s->equations;
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
  const ent_multi_shift *equations = s->equations;
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
    blas->dgemm(ENT_COLUMNS, ENT_TRANSPOSE, ENT_PLAIN, (int)n, (int)columns, (int)n, 1, s->vectors, (int)n,
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

static entropic_status make_tridiagonal(entropic_context *context, ent_solving *s) {
  const ent_multi_shift *equations = s->equations;
  size_t n = equations->n, columns = equations->columns;
  s->house = new_square(context, n);
  s->diagonal = ent_new(context, n, sizeof *s->diagonal);
  s->off_diagonal = ent_new(context, n, sizeof *s->off_diagonal);
  s->tau = ent_new(context, n, sizeof *s->tau);
  s->reflected = ent_new_matrix(context, n, columns, sizeof *s->reflected);
  if (s->house == NULL || s->diagonal == NULL || s->off_diagonal == NULL || s->tau == NULL || s->reflected == NULL)
    return ENTROPIC_NO_MEMORY;
  copy_matrix(equations, s->house);
  entropic_status status = ent_tridiagonal(context, s->house, n, s->diagonal, s->off_diagonal, s->tau);
  memcpy(s->reflected, equations->right, n * columns * sizeof *s->reflected);
  if (status == ENTROPIC_OK)
    status = ent_tridiagonal_turn(context, s->house, n, s->tau, true, s->reflected, columns);
  double largest = 0; /* sum of sizes in a row of T: no eigenvalue is larger */
  for (size_t i = 0; i < n; i++) {
    double sum =
        fabs(s->diagonal[i]) + (i > 0 ? fabs(s->off_diagonal[i - 1]) : 0) + (i + 1 < n ? fabs(s->off_diagonal[i]) : 0);
    largest = sum <= largest ? largest : sum; /* NaN stays */
  }
  s->noise = largest * (double)n * DBL_EPSILON;
  return status;
}

/* The pivots of T + shift I = LDL', from the first row on; whether all are positive. */
static bool find_pivots(const ent_solving *s, double shift, double *pivots) {
  bool positive = true;
  for (size_t i = 0; i < s->equations->n; i++) {
    double below = i == 0 ? 0 : s->off_diagonal[i - 1] * s->off_diagonal[i - 1] / pivots[i - 1];
    pivots[i] = s->diagonal[i] + shift - below;
    positive = positive && pivots[i] > 0 && isfinite(pivots[i]);
  }
  return positive;
}

/* The trace of (T + shift I)^-1. Its diagonal is 1 / (pivot from above + pivot from below - what stands there). */
static double inverse_trace_of_pivots(const ent_solving *s, double shift, const double *pivots) {
  double trace = 0, from_below = 0;
  for (size_t i = s->equations->n; i-- > 0;) {
    double own = s->diagonal[i] + shift, rest = i + 1 < s->equations->n ? s->off_diagonal[i] : 0;
    from_below = own - (rest == 0 ? 0 : rest * rest / from_below);
    trace += 1 / (pivots[i] + from_below - own);
  }
  return trace;
}

/* (T + shift I) x = b, in place. */
static void solve_by_pivots(const ent_solving *s, const double *pivots, double *x) {
  size_t n = s->equations->n;
  for (size_t i = 1; i < n; i++)
    x[i] -= s->off_diagonal[i - 1] / pivots[i - 1] * x[i - 1];
  x[n - 1] /= pivots[n - 1];
  for (size_t i = n - 1; i-- > 0;)
    x[i] = (x[i] - s->off_diagonal[i] * x[i + 1]) / pivots[i];
}

static entropic_status solve_by_tridiagonal(entropic_context *context, void *shared, size_t l, int worker) {
  (void)worker;
  ent_solving *s = shared;
  size_t n = s->equations->n, columns = s->equations->columns;
  double shift = s->equations->shifts[l], *x = s->solutions + l * columns * n;
  double *pivots = ent_new(context, n, sizeof *pivots);
  if (pivots == NULL)
    return ENTROPIC_NO_MEMORY;
  /* All eigenvalues of T + shift I are above the noise if those of it less the noise are above 0. */
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

/* x = Q y for the solutions y of all shifts; what has failed is 0. */
static entropic_status turn_solutions(entropic_context *context, const ent_solving *s) {
  const ent_multi_shift *equations = s->equations;
  size_t values = equations->columns * equations->n;
  for (size_t l = 0; l < equations->count; l++)
    if (s->failed[l])
      memset(s->solutions + l * values, 0, values * sizeof *s->solutions);
  return ent_tridiagonal_turn(context, s->house, equations->n, s->tau, false, s->solutions,
                              equations->count * equations->columns);
}

/* Those that could not be done otherwise, if any. */
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

entropic_status ent_multi_shift_solve(entropic_context *context, const ent_multi_shift *equations, ent_method method,
                                      double *solutions, double *traces) {
  int size;
  const ent_blas *blas;
  entropic_status status = ent_blas_get(context, &blas); /* before there are threads: see blas.h */
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, equations->n, &size);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, equations->columns, &size);
  if (status != ENTROPIC_OK || equations->n == 0)
    return status;
  ent_solving s = {.equations = equations, .solutions = solutions, .traces = traces};
  s.failed = ent_new(context, equations->count, sizeof *s.failed);
  if (s.failed == NULL)
    return ENTROPIC_NO_MEMORY;
  if (method == ENT_METHOD_AUTO)
    method = ent_multi_shift_choice(equations->n, equations->count, traces != NULL);
  if (method == ENT_METHOD_EIGEN) {
    status = decompose(context, &s);
    if (status == ENTROPIC_OK)
      status = ent_parallel(context, equations->count, solve_by_eigen, &s);
  } else if (method == ENT_METHOD_TRIDIAGONAL) {
    status = make_tridiagonal(context, &s);
    if (status == ENTROPIC_OK)
      status = ent_parallel(context, equations->count, solve_by_tridiagonal, &s);
    if (status == ENTROPIC_OK)
      status = turn_solutions(context, &s);
    if (status == ENTROPIC_OK)
      status = solve_failed(context, &s);
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
  ent_delete(s.house);
  ent_delete(s.diagonal);
  ent_delete(s.off_diagonal);
  ent_delete(s.tau);
  ent_delete(s.reflected);
  return status;
}

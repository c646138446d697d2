/* Cholesky factors by tiles, with the same bits on every processor; eigenvalues and vectors by LAPACK. */
#include "base/factor.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/dense.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"

#define TILE ENT_DENSE_ROWS
#define ONE_TILE ((size_t)480)    /* up to this many rows are factored on one thread */
#define AT_ONCE ((size_t)1 << 29) /* multiplications between two polls */
#define LEAST_COLUMNS ((size_t)64)
#define FEW_ROWS ((size_t)128) /* eigenvalues of so many are found at once */
#define LEAST_PLAIN 1e-140 /* squares and sums of elements that are smaller, or larger than its inverse, are not safe */
#define MIRROR ((size_t)16) /* the tiles of ent_mirror: element by element, each would be a cache miss */

void ent_mirror(double *a, size_t n, size_t ld, bool to_lower) {
  for (size_t first = 0; first < n; first += MIRROR)
    for (size_t top = 0; top <= first; top += MIRROR)
      for (size_t j = first; j < first + MIRROR && j < n; j++)
        for (size_t i = top; i < top + MIRROR && i < j; i++) {
          double *upper = &a[j * ld + i], *lower = &a[i * ld + j];
          *(to_lower ? lower : upper) = *(to_lower ? upper : lower);
        }
}

size_t ent_columns_at_once(size_t length) {
  size_t columns = length == 0 ? SIZE_MAX : AT_ONCE / length / length;
  return columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns;
}

typedef struct ent_factoring {
  double *a;
  size_t n, step; /* step: the number of the current diagonal tile */
  size_t tiles;
  ent_dense *dense; /* for each worker */
} ent_factoring;

static size_t tile_size(const ent_factoring *f, size_t tile) {
  size_t left = f->n - tile * TILE;
  return left < TILE ? left : TILE;
}

static double *tile_at(const ent_factoring *f, size_t i, size_t j) {
  return f->a + j * TILE * f->n + i * TILE;
}

/* A tile right of the diagonal one: U_kj = U_kk'^-1 A_kj. */
static entropic_status solve_tile(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context;
  const ent_factoring *f = shared;
  size_t k = f->step, j = k + 1 + task;
  ent_dense_solve(&f->dense[worker], &(ent_triangle_task){.u = tile_at(f, k, k),
                                                          .n = tile_size(f, k),
                                                          .u_ld = f->n,
                                                          .b = tile_at(f, k, j),
                                                          .columns = tile_size(f, j),
                                                          .ld = f->n,
                                                          .transpose = true});
  return ENTROPIC_OK;
}

/* A tile of the trailing matrix: A_ij -= U_ki' U_kj. Tiles on and above the diagonal are numbered row by row. */
static entropic_status update_tile(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context;
  const ent_factoring *f = shared;
  size_t k = f->step, i = k + 1, row = f->tiles - k - 1;
  while (task >= row) {
    task -= row--;
    i++;
  }
  size_t j = i + task;
  ptrdiff_t ld = (ptrdiff_t)f->n;
  ent_dense_multiply(&f->dense[worker], &(ent_product_task){.rows = tile_size(f, i),
                                                            .columns = tile_size(f, j),
                                                            .depth = tile_size(f, k),
                                                            .a = {.at = tile_at(f, k, i), .row = ld, .column = 1},
                                                            .b = {.at = tile_at(f, k, j), .row = 1, .column = ld},
                                                            .c = tile_at(f, i, j),
                                                            .ld = f->n,
                                                            .subtract = true,
                                                            .upper = i == j});
  return ENTROPIC_OK;
}

static entropic_status factor_tiles(entropic_context *context, ent_factoring *f, bool *positive) {
  for (f->step = 0; f->step < f->tiles; f->step++) {
    *positive = ent_dense_factor(f->dense, tile_at(f, f->step, f->step), f->n, tile_size(f, f->step));
    if (!*positive)
      return ENTROPIC_OK;
    size_t right = f->tiles - f->step - 1;
    entropic_status status = ent_parallel(context, right, solve_tile, f);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_parallel(context, right * (right + 1) / 2, update_tile, f);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_cholesky(entropic_context *context, double *a, size_t n, bool *positive) {
  ent_factoring f = {.a = a, .n = n, .tiles = n / TILE + (n % TILE > 0)};
  size_t workers = n <= ONE_TILE ? 1 : (size_t)ent_workers(context, f.tiles * f.tiles);
  bool found = true;
  entropic_status status = ent_dense_create(context, workers, n, &f.dense);
  if (status != ENTROPIC_OK)
    return status;
  if (n <= ONE_TILE)
    found = ent_dense_factor(f.dense, a, n, n);
  else
    status = factor_tiles(context, &f, &found);
  ent_dense_free(f.dense);
  if (status != ENTROPIC_OK)
    return status;
  *positive = found;
  return ENTROPIC_OK;
}

entropic_status ent_cholesky_solve(entropic_context *context, const double *u, size_t n, double *b, size_t count) {
  ent_dense *dense = NULL;
  entropic_status status = ent_dense_create(context, 1, count < ENT_DENSE_FEW ? 0 : n, &dense);
  if (status != ENTROPIC_OK)
    return status;
  ent_triangle_task task = {.u = u, .n = n, .u_ld = n, .ld = n};
  size_t stripe = ent_columns_at_once(n);
  for (size_t first = 0; first < count; first += stripe) {
    task.b = b + first * n;
    task.columns = count - first < stripe ? count - first : stripe;
    for (int transpose = 1; transpose >= 0; transpose--) {
      status = ent_poll(context);
      if (status != ENTROPIC_OK)
        goto done;
      task.transpose = transpose;
      ent_dense_solve(dense, &task);
    }
  }
done:
  ent_dense_free(dense);
  return status;
}

/* OpenBLAS, and the two sizes of a matrix as it takes them. */
static entropic_status get_blas(entropic_context *context, size_t rows, size_t columns, const ent_blas **blas,
                                int sizes[2]) {
  entropic_status status = ent_blas_get(context, blas);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_blas_size(context, rows, &sizes[0]);
  if (status != ENTROPIC_OK)
    return status;
  return ent_blas_size(context, columns, &sizes[1]);
}

/* Divides the upper triangle by its largest element if squares would leave the range of doubles; returns that, or 1. */
static double scale_down(double *a, size_t n) {
  double most = 0;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i <= j; i++)
      most = fmax(most, fabs(a[j * n + i]));
  if (!(most > 0) || (most > LEAST_PLAIN && most < 1 / LEAST_PLAIN) || !isfinite(most))
    return 1;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i <= j; i++)
      a[j * n + i] /= most;
  return most;
}

static entropic_status fail_eigen(entropic_context *context, size_t n) {
  return ent_fail(context, ENTROPIC_BAD_DATA, "the eigenvalues of a %zu x %zu matrix could not be computed", n, n);
}

/* Few rows, by LAPACK. */
static entropic_status eigen_at_once(entropic_context *context, const ent_blas *blas, double *a, size_t n,
                                     double *values) {
  int size = (int)n, lwork = 1 + 6 * size + 2 * size * size, liwork = 3 + 5 * size, info = 0;
  double *work = ent_new(context, (size_t)lwork, sizeof *work);
  int *iwork = ent_new(context, (size_t)liwork, sizeof *iwork);
  if (work != NULL && iwork != NULL)
    blas->dsyevd("V", "U", &size, a, &size, values, work, &lwork, iwork, &liwork, &info, 1, 1);
  bool run = work != NULL && iwork != NULL;
  ent_delete(work);
  ent_delete(iwork);
  return !run ? ENTROPIC_NO_MEMORY : info != 0 ? fail_eigen(context, n) : ENTROPIC_OK;
}

/* Tridiagonal form, its eigenvectors by LAPACK, then their reflections. */
entropic_status ent_eigen(entropic_context *context, double *a, size_t n, double *values) {
  const ent_blas *blas;
  size_t square, work_size;
  if (!ent_multiply(n, n, &square) || !ent_add(square, 4 * n + 1, &work_size))
    work_size = SIZE_MAX; /* refused below: the work space must fit into an int as well */
  int sizes[2];
  entropic_status status = get_blas(context, n, work_size, &blas, sizes);
  if (status != ENTROPIC_OK || n == 0)
    return status;
  if (n <= FEW_ROWS)
    return eigen_at_once(context, blas, a, n, values);
  int size = sizes[0], lwork = sizes[1], liwork = 3 + 5 * size, info = 0;
  ent_tridiagonal t = {.n = n, .a = a, .d = values, .e = ent_new(context, n, sizeof *t.e)};
  double *vectors = ent_new(context, square, sizeof *vectors), *work = ent_new(context, work_size, sizeof *work);
  int *iwork = ent_new(context, (size_t)liwork, sizeof *iwork);
  t.tau = ent_new(context, n, sizeof *t.tau);
  status = ENTROPIC_NO_MEMORY;
  if (t.e == NULL || t.tau == NULL || vectors == NULL || work == NULL || iwork == NULL)
    goto done;
  double scale = scale_down(a, n);
  status = ent_tridiagonal_reduce(context, &t);
  if (status != ENTROPIC_OK)
    goto done;
  blas->dstedc("I", &size, values, t.e, vectors, &size, work, &lwork, iwork, &liwork, &info, 1);
  if (info != 0) {
    status = fail_eigen(context, n);
    goto done;
  }
  status = ent_tridiagonal_apply(context, &t, false, vectors, n);
  memcpy(a, vectors, square * sizeof *a);
  for (size_t i = 0; i < n; i++)
    values[i] *= scale;
done:
  ent_delete(t.e);
  ent_delete(t.tau);
  ent_delete(vectors);
  ent_delete(work);
  ent_delete(iwork);
  return status;
}

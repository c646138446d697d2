/* Cholesky by tiles; eigenvalues and tridiagonal matrices by LAPACK. */
#include "base/factor.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"

#define TILE ((size_t)256)
#define WHOLE ((size_t)512) /* up to so many rows in one piece: LAPACK does that faster than two tiles */

#define MIRROR ((size_t)16) /* by tiles, or every element would be a miss of the cache */

void ent_mirror(double *a, size_t n, size_t ld, bool down) {
  for (size_t first = 0; first < n; first += MIRROR)
    for (size_t top = 0; top <= first; top += MIRROR)
      for (size_t j = first; j < first + MIRROR && j < n; j++)
        for (size_t i = top; i < top + MIRROR && i < j; i++) {
          double *upper = &a[j * ld + i], *lower = &a[i * ld + j];
          *(down ? lower : upper) = *(down ? upper : lower);
        }
}

typedef struct ent_factoring {
  const ent_blas *blas;
  double *a;
  size_t n, step; /* the tile on the diagonal that is being worked on */
  size_t tile, tiles;
} ent_factoring;

static int tile_size(const ent_factoring *f, size_t tile) {
  size_t left = f->n - tile * f->tile;
  return (int)(left < f->tile ? left : f->tile);
}

static double *tile_at(const ent_factoring *f, size_t i, size_t j) {
  return f->a + j * f->tile * f->n + i * f->tile;
}

/* A tile right of the diagonal one: U_kj = U_kk'^-1 A_kj. */
static entropic_status divide_tile(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context, (void)worker;
  ent_factoring *f = shared;
  size_t k = f->step, j = k + 1 + task;
  f->blas->dtrsm(ENT_COLUMNS, ENT_LEFT, ENT_UPPER, ENT_TRANSPOSE, ENT_NON_UNIT, tile_size(f, k), tile_size(f, j), 1,
                 tile_at(f, k, k), (int)f->n, tile_at(f, k, j), (int)f->n);
  return ENTROPIC_OK;
}

/* A tile of what is left: A_ij -= U_ki' U_kj. Tiles are numbered row by row, all but the ones below the diagonal. */
static entropic_status subtract_tile(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context, (void)worker;
  ent_factoring *f = shared;
  size_t k = f->step, i = k + 1, row = f->tiles - k - 1;
  while (task >= row) {
    task -= row--;
    i++;
  }
  size_t j = i + task;
  if (i == j)
    f->blas->dsyrk(ENT_COLUMNS, ENT_UPPER, ENT_TRANSPOSE, tile_size(f, j), tile_size(f, k), -1, tile_at(f, k, j),
                   (int)f->n, 1, tile_at(f, j, j), (int)f->n);
  else
    f->blas->dgemm(ENT_COLUMNS, ENT_TRANSPOSE, ENT_PLAIN, tile_size(f, i), tile_size(f, j), tile_size(f, k), -1,
                   tile_at(f, k, i), (int)f->n, tile_at(f, k, j), (int)f->n, 1, tile_at(f, i, j), (int)f->n);
  return ENTROPIC_OK;
}

/* The tile on the diagonal; whether it is positive. OpenBLAS (0.3.21) finds the lower factor of 80 to 320 rows in six
 * tenths of the time of the upper one, so the tile is turned over for it and back. */
static bool factor_diagonal(const ent_factoring *f) {
  int size = tile_size(f, f->step), ld = (int)f->n, info = 0;
  double *tile = tile_at(f, f->step, f->step);
  ent_mirror(tile, (size_t)size, f->n, true);
  f->blas->dpotrf("L", &size, tile, &ld, &info, 1);
  ent_mirror(tile, (size_t)size, f->n, false);
  for (size_t i = 0; i < (size_t)size && info == 0; i++) /* NaN and infinity slip through comparisons inside */
    info = !isfinite(tile[i * f->n + i]);
  return info == 0;
}

entropic_status ent_cholesky(entropic_context *context, double *a, size_t n, bool *positive) {
  ent_factoring f = {.a = a, .n = n, .tile = n <= WHOLE ? WHOLE : TILE};
  f.tiles = n / f.tile + (n % f.tile > 0);
  int ld;
  entropic_status status = ent_blas_size(context, n, &ld);
  if (status == ENTROPIC_OK)
    status = ent_blas_get(context, &f.blas);
  bool good = true;
  for (size_t k = 0; k < f.tiles && good && status == ENTROPIC_OK; k++) {
    f.step = k;
    good = factor_diagonal(&f);
    size_t right = f.tiles - k - 1;
    if (good)
      status = ent_parallel(context, right, divide_tile, &f);
    if (good && status == ENTROPIC_OK)
      status = ent_parallel(context, right * (right + 1) / 2, subtract_tile, &f);
  }
  if (status == ENTROPIC_OK)
    *positive = good;
  return status;
}

entropic_status ent_cholesky_solve(entropic_context *context, const double *u, size_t n, double *b, size_t count) {
  const ent_blas *blas;
  int size, columns;
  entropic_status status = ent_blas_get(context, &blas);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, n, &size);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, count, &columns);
  if (status != ENTROPIC_OK || n == 0 || count == 0)
    return status;
  blas->dtrsm(ENT_COLUMNS, ENT_LEFT, ENT_UPPER, ENT_TRANSPOSE, ENT_NON_UNIT, size, columns, 1, u, size, b, size);
  blas->dtrsm(ENT_COLUMNS, ENT_LEFT, ENT_UPPER, ENT_PLAIN, ENT_NON_UNIT, size, columns, 1, u, size, b, size);
  return ENTROPIC_OK;
}

entropic_status ent_eigen(entropic_context *context, double *a, size_t n, double *values) {
  const ent_blas *blas;
  size_t square, work_size;
  int size, work_int = 0, iwork_size = 0, info = 0;
  entropic_status status = ent_blas_get(context, &blas);
  /* LAPACK counts its work, 1 + 6n + 2n^2, in the same integers. */
  if (status == ENTROPIC_OK && (!ent_multiply(n, n, &square) || !ent_multiply(square, 2, &work_size) ||
                                !ent_add(work_size, 6 * n + 1, &work_size)))
    work_size = SIZE_MAX;
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, work_size, &work_int);
  if (status != ENTROPIC_OK || n == 0)
    return status;
  size = (int)n;
  iwork_size = 3 + 5 * size;
  double *work = ent_new(context, work_size, sizeof *work);
  int *iwork = ent_new(context, (size_t)iwork_size, sizeof *iwork);
  status = ENTROPIC_NO_MEMORY;
  if (work != NULL && iwork != NULL) {
    blas->dsyevd("V", "U", &size, a, &size, values, work, &work_int, iwork, &iwork_size, &info, 1, 1);
    status = ENTROPIC_OK;
    if (info != 0)
      status = ent_fail(context, ENTROPIC_BAD_DATA, "the eigenvalues of a %zu x %zu matrix were not found", n, n);
  }
  ent_delete(work);
  ent_delete(iwork);
  return status;
}

/* Columns that LAPACK takes together; its own choice is 32. */
#define TURNED_TOGETHER ((size_t)64)

entropic_status ent_tridiagonal(entropic_context *context, double *a, size_t n, double *diagonal, double *e,
                                double *tau) {
  const ent_blas *blas;
  int size, work_size, info = 0;
  entropic_status status = ent_blas_get(context, &blas);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, n, &size);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, n * TURNED_TOGETHER, &work_size);
  if (status != ENTROPIC_OK || n == 0)
    return status;
  double *work = ent_new(context, n * TURNED_TOGETHER, sizeof *work);
  if (work == NULL)
    return ENTROPIC_NO_MEMORY;
  blas->dsytrd("U", &size, a, &size, diagonal, e, tau, work, &work_size, &info, 1);
  ent_delete(work);
  return ENTROPIC_OK;
}

entropic_status ent_tridiagonal_turn(entropic_context *context, const double *a, size_t n, const double *tau, bool back,
                                     double *b, size_t count) {
  const ent_blas *blas;
  size_t values;
  int size, columns, work_size, info = 0;
  if (!ent_multiply(count, TURNED_TOGETHER, &values) ||
      !ent_add(values, (TURNED_TOGETHER + 1) * TURNED_TOGETHER, &values))
    values = SIZE_MAX; /* refused below */
  entropic_status status = ent_blas_get(context, &blas);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, n, &size);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, count, &columns);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, values, &work_size);
  if (status != ENTROPIC_OK || n == 0 || count == 0)
    return status;
  double *work = ent_new(context, values, sizeof *work);
  if (work == NULL)
    return ENTROPIC_NO_MEMORY;
  blas->dormtr("L", "U", back ? "T" : "N", &size, &columns, a, &size, tau, b, &size, work, &work_size, &info, 1, 1, 1);
  ent_delete(work);
  return ENTROPIC_OK;
}

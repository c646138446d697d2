/* Times of our own dense linear algebra on one thread, compared with OpenBLAS, which fuses multiplications with
 * additions. Runs take turns, and the least time of each counts. It uses internal headers, as unit tests do.
 *
 *     bench-dense [SECONDS]     for each size and operation; 1 if not given */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/blas.h"
#include "base/dense.h"
#include "base/factor.h"
#include "base/memory.h"

#define STRIPE 128 /* right-hand sides */

static void need(const entropic_context *context, entropic_status status) {
  if (status == ENTROPIC_OK)
    return;
  fprintf(stderr, "bench-dense: %s\n", entropic_context_message(context));
  exit(EXIT_FAILURE);
}

/* Seconds of this thread on a processor, whatever else runs there. */
static double seconds_used(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What the library itself does not need of OpenBLAS. */
typedef void (*factor_call)(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_length);
typedef void (*column_call)(int order, int trans, int m, int n, double alpha, const double *a, int lda, const double *x,
                            int incx, double beta, double *y, int incy);

typedef struct dense_bench {
  entropic_context *context;
  const ent_blas *blas;
  factor_call dpotrf;
  column_call dgemv;
  ent_dense dense;
  size_t n, ld;
  double *a, *u, *b, *x, *work; /* a matrix, its factor, right-hand sides; copies */
} dense_bench;

static void factor_ours(dense_bench *at) {
  memcpy(at->work, at->a, at->n * at->n * sizeof *at->a);
  if (!ent_dense_factor(&at->dense, at->work, at->n, at->n))
    exit(EXIT_FAILURE);
}

/* Of the two triangles, the one that OpenBLAS is faster with. */
static void factor_blas(dense_bench *at) {
  int n = (int)at->n, info = 0;
  memcpy(at->work, at->a, at->n * at->n * sizeof *at->a);
  at->dpotrf("L", &n, at->work, &n, &info, 1);
}

static void solve_ours(dense_bench *at) {
  memcpy(at->x, at->b, at->n * STRIPE * sizeof *at->x);
  ent_dense_solve(
      &at->dense,
      &(ent_triangle_task){
          .u = at->u, .n = at->n, .u_ld = at->n, .b = at->x, .columns = STRIPE, .ld = at->n, .transpose = true});
}

static void solve_blas(dense_bench *at) {
  int n = (int)at->n;
  memcpy(at->x, at->b, at->n * STRIPE * sizeof *at->x);
  at->blas->dtrsm(ENT_COL_MAJOR, ENT_LEFT, ENT_UPPER, ENT_TRANS, ENT_NON_UNIT, n, STRIPE, 1, at->u, n, at->x, n);
}

static void multiply_ours(dense_bench *at) {
  ptrdiff_t ld = (ptrdiff_t)at->n;
  ent_dense_multiply(&at->dense, &(ent_product_task){.rows = at->n,
                                                     .columns = STRIPE,
                                                     .depth = at->n,
                                                     .a = {.at = at->a, .row = ld, .column = 1},
                                                     .b = {.at = at->b, .row = 1, .column = ld},
                                                     .c = at->x,
                                                     .ld = at->n});
}

static void multiply_blas(dense_bench *at) {
  int n = (int)at->n;
  at->blas->dgemm(ENT_COL_MAJOR, ENT_TRANS, ENT_NO_TRANS, n, STRIPE, n, 1, at->a, n, at->b, n, 1, at->x, n);
}

static void column_ours(dense_bench *at) {
  ptrdiff_t ld = (ptrdiff_t)at->n;
  ent_dense_multiply(&at->dense, &(ent_product_task){.rows = at->n,
                                                     .columns = 1,
                                                     .depth = at->n,
                                                     .a = {.at = at->a, .row = 1, .column = ld},
                                                     .b = {.at = at->b, .row = 1, .column = ld},
                                                     .c = at->x,
                                                     .ld = at->n});
}

static void column_blas(dense_bench *at) {
  int n = (int)at->n;
  at->dgemv(ENT_COL_MAJOR, ENT_NO_TRANS, n, n, 1, at->a, n, at->b, 1, 1, at->x, 1);
}

static void dots_ours(dense_bench *at) {
  ent_dense_dots(&at->dense, &(ent_dots_task){at->a, at->n, at->n, at->n, at->b, at->x});
}

static void dots_blas(dense_bench *at) {
  int n = (int)at->n;
  at->dgemv(ENT_COL_MAJOR, ENT_TRANS, n, n, 1, at->a, n, at->b, 1, 1, at->x, 1);
}

static void one_ours(dense_bench *at) {
  memcpy(at->x, at->b, at->n * sizeof *at->x);
  ent_triangle_task task = {.u = at->u, .n = at->n, .u_ld = at->n, .b = at->x, .columns = 1, .ld = at->n};
  task.transpose = true;
  ent_dense_solve(&at->dense, &task);
  task.transpose = false;
  ent_dense_solve(&at->dense, &task);
}

static void one_blas(dense_bench *at) {
  int n = (int)at->n;
  memcpy(at->x, at->b, at->n * sizeof *at->x);
  at->blas->dtrsm(ENT_COL_MAJOR, ENT_LEFT, ENT_UPPER, ENT_TRANS, ENT_NON_UNIT, n, 1, 1, at->u, n, at->x, n);
  at->blas->dtrsm(ENT_COL_MAJOR, ENT_LEFT, ENT_UPPER, ENT_NO_TRANS, ENT_NON_UNIT, n, 1, 1, at->u, n, at->x, n);
}

typedef struct dense_race {
  const char *name;
  void (*ours)(dense_bench *at);
  void (*blas)(dense_bench *at);
  double cubic, square; /* multiplications: cubic n^3 + square n^2 */
} dense_race;

static const dense_race races[] = {{"factor", factor_ours, factor_blas, 1.0 / 6, 0},
                                   {"solve 128", solve_ours, solve_blas, 0, STRIPE / 2.0},
                                   {"multiply 128", multiply_ours, multiply_blas, 0, STRIPE},
                                   {"both solves 1", one_ours, one_blas, 0, 1},
                                   {"multiply 1", column_ours, column_blas, 0, 1},
                                   {"transpose 1", dots_ours, dots_blas, 0, 1}};

static double time_of(void (*run)(dense_bench *at), dense_bench *at, size_t repeats) {
  double start = seconds_used();
  for (size_t i = 0; i < repeats; i++)
    run(at);
  return (seconds_used() - start) / (double)repeats;
}

static void race(const dense_race *race, dense_bench *at, double seconds) {
  const ent_dense_code *codes[ENT_DENSE_MOST_CODES];
  size_t count = ent_dense_codes(codes);
  double least[1 + ENT_DENSE_MOST_CODES], n = (double)at->n, work = race->cubic * n * n * n + race->square * n * n;
  size_t repeats = 1 + (size_t)(2e7 / work);
  for (size_t i = 0; i <= count; i++)
    least[i] = INFINITY;
  for (double end = seconds_used() + seconds; seconds_used() < end;) {
    least[0] = fmin(least[0], time_of(race->blas, at, repeats));
    for (size_t i = 0; i < count; i++) {
      at->dense.code = codes[i];
      least[1 + i] = fmin(least[1 + i], time_of(race->ours, at, repeats));
    }
  }
  printf("%-14s %5zu %10.1f", race->name, at->n, 2e-9 * work / least[0]);
  for (size_t i = 0; i < count; i++)
    printf(" %10.1f (%.2f)", 2e-9 * work / least[1 + i], least[0] / least[1 + i]);
  printf("\n");
}

static double *allocate(entropic_context *context, size_t rows, size_t columns) {
  double *memory = ent_new_matrix(context, rows, columns, sizeof *memory);
  if (memory == NULL)
    need(context, ENTROPIC_NO_MEMORY);
  return memory;
}

static void bench_start(dense_bench *at, size_t n) {
  entropic_random random = entropic_random_start(1, n);
  at->n = n;
  at->a = allocate(at->context, n, n);
  at->u = allocate(at->context, n, n);
  at->work = allocate(at->context, n, n);
  at->b = allocate(at->context, n, STRIPE);
  at->x = allocate(at->context, n, STRIPE);
  for (size_t i = 0; i < n * n; i++)
    at->a[i] = entropic_random_uniform(&random);
  for (size_t i = 0; i < n; i++)
    at->a[i * n + i] += (double)n;
  ent_mirror(at->a, n, n, true);
  for (size_t i = 0; i < n * STRIPE; i++)
    at->b[i] = entropic_random_uniform(&random);
  memcpy(at->u, at->a, n * n * sizeof *at->a);
  bool positive = false;
  need(at->context, ent_cholesky(at->context, at->u, n, &positive));
}

static void bench_stop(dense_bench *at) {
  ent_delete(at->a);
  ent_delete(at->u);
  ent_delete(at->work);
  ent_delete(at->b);
  ent_delete(at->x);
}

int main(int count, char **arguments) {
  static const size_t sizes[] = {50, 100, 200, 350, 600, 1000, 1024, 2000};
  double seconds = count > 1 ? strtod(arguments[1], NULL) : 1;
  dense_bench at = {.context = NULL};
  if (!(seconds > 0) || entropic_context_create(&at.context) != ENTROPIC_OK) {
    fprintf(stderr, "usage: bench-dense [SECONDS]\n");
    return EXIT_FAILURE;
  }
  need(at.context, entropic_context_set_threads(at.context, 1));
  need(at.context, ent_blas_get(at.context, &at.blas));
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
  *(void **)&at.dpotrf = library == NULL ? NULL : dlsym(library, "dpotrf_");
  *(void **)&at.dgemv = library == NULL ? NULL : dlsym(library, "cblas_dgemv");
  if (at.dpotrf == NULL || at.dgemv == NULL) {
    fprintf(stderr, "bench-dense: OpenBLAS has no dpotrf or dgemv\n");
    return EXIT_FAILURE;
  }
  ent_dense *dense = NULL;
  need(at.context, ent_dense_create(at.context, 1, SIZE_MAX, &dense));
  at.dense = *dense;
  printf("GF/s, and the speed as a share of that of OpenBLAS (%s)\n%-14s %5s %10s", at.blas->core, "", "n", "OpenBLAS");
  const ent_dense_code *codes[ENT_DENSE_MOST_CODES];
  for (size_t i = 0, all = ent_dense_codes(codes); i < all; i++)
    printf(" %10s       ", codes[i]->name);
  printf("\n");
  for (size_t r = 0; r < sizeof races / sizeof *races; r++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      bench_start(&at, sizes[i]);
      race(&races[r], &at, seconds);
      bench_stop(&at);
    }
  ent_dense_free(dense);
  dlclose(library);
  entropic_context_free(at.context);
  return EXIT_SUCCESS;
}

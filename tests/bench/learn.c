/* Times of collecting statistics and of solving, compared with plain OpenBLAS calls on the same numbers. It uses
 * internal headers, as unit tests do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "design/design.h"
#include "base/factor.h"
#include "solve/ridge.h"

#define REPEATS 3

static void stop(const char *message) {
  fprintf(stderr, "bench-learn: %s\n", message);
  exit(EXIT_FAILURE);
}

static void need(const entropic_context *context, entropic_status status) {
  if (status != ENTROPIC_OK)
    stop(entropic_context_message(context));
}

static void *allocate(size_t count) {
  double *memory = aligned_alloc(64, (count * sizeof(double) + 63) / 64 * 64);
  if (memory == NULL)
    stop("out of memory");
  return memory;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct lesson {
  entropic_context *context;
  entropic_lift *lift;
  ent_map map;
  ent_memory_rows memory;
  ent_rows rows;
  double *x, *y;
} lesson;

static void lesson_start(entropic_context *context, size_t rows, size_t inputs, size_t features, size_t nonzeros,
                         lesson *at) {
  entropic_axis_options axis = ent_axis_options_default();
  entropic_kernel *kernel;
  entropic_design *design;
  entropic_design_options options = ent_design_options_default();
  options.features = features;
  options.nonzeros = nonzeros;
  at->context = context;
  need(context, ent_kernel_create(context, &axis, 1, inputs, &kernel));
  need(context, ent_design_create(context, kernel, &options, &design));
  need(context, entropic_lift_create(context, design, &at->lift));
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  at->map = ent_map_of_lift(at->lift);
  at->x = allocate(rows * inputs);
  at->y = allocate(rows);
  entropic_random random = entropic_random_start(1, inputs);
  for (size_t i = 0; i < rows * inputs; i++)
    at->x[i] = entropic_random_uniform(&random);
  for (size_t r = 0; r < rows; r++) {
    at->y[r] = 0.1 * entropic_random_normal(&random);
    for (size_t i = 0; i < inputs; i++)
      at->y[r] += sin(3 * at->x[r * inputs + i]) * at->x[r * inputs + (i + 1) % inputs];
  }
  at->memory = (ent_memory_rows){
      .all = {.rows = rows, .x = at->x, .x_stride = inputs, .y = at->y, .y_stride = 1}, .inputs = inputs, .targets = 1};
  at->rows = ent_rows_of_memory(&at->memory);
}

static void lesson_stop(lesson *at) {
  entropic_lift_free(at->lift);
  free(at->x);
  free(at->y);
}

/* Seconds of one collection. */
static double collect(lesson *at, int threads, ent_grade grade) {
  double least = INFINITY;
  need(at->context, entropic_context_set_threads(at->context, threads));
  for (int i = 0; i < REPEATS; i++) {
    ent_statistics *statistics;
    need(at->context, ent_statistics_create(at->context, at->map.features, 1, NULL, &statistics));
    double start = seconds_now();
    need(at->context, ent_statistics_collect(at->context, statistics, &at->map, &at->rows, grade));
    least = fmin(least, seconds_now() - start);
    ent_statistics_free(statistics);
  }
  return least;
}

/* Seconds of one dsyrk on all lifted rows, which are in memory already. */
static double plain_dsyrk(const lesson *at, const ent_blas *blas) {
  size_t rows = at->memory.all.rows, features = at->map.features;
  double *z = allocate(rows * features), *gram = allocate(features * features), least = INFINITY;
  void *scratch = NULL;
  need(at->context, at->map.calls->scratch_create(at->context, at->map.self, &scratch));
  need(at->context, at->map.calls->dense(at->context, at->map.self, scratch, at->x, rows, at->map.inputs, z, rows));
  at->map.calls->scratch_free(scratch);
  for (int i = 0; i < REPEATS; i++) {
    double start = seconds_now();
    blas->dsyrk(ENT_COL_MAJOR, ENT_UPPER, ENT_TRANS, (int)features, (int)rows, 1, z, (int)rows, 0, gram, (int)features);
    least = fmin(least, seconds_now() - start);
  }
  free(z);
  free(gram);
  return least;
}

static void bench_dense(entropic_context *context, const ent_blas *blas) {
  static const size_t cases[][3] = {
      {100000, 10, 20}, {100000, 10, 100}, {50000, 10, 300}, {20000, 10, 1000}, {10000, 10, 3000}};
  printf("Statistics of dense rows, GF/s (a multiplication and an addition for each product of the upper triangle):\n"
         "%7s %6s | %8s | %9s %9s %9s %9s\n",
         "rows", "M", "dsyrk", "1 thread", "2 threads", "exact, 1", "exact, 2");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    lesson at;
    size_t rows = cases[i][0], features = cases[i][2];
    lesson_start(context, rows, cases[i][1], features, 0, &at);
    double work = 1e-9 * (double)rows * (double)features * (double)features;
    printf("%7zu %6zu | %8.1f |", rows, features, work / plain_dsyrk(&at, blas));
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++)
      printf(" %9.1f %9.1f", work / collect(&at, 1, (ent_grade)grade), work / collect(&at, 2, (ent_grade)grade));
    printf("\n");
    fflush(stdout);
    lesson_stop(&at);
  }
}

static void bench_sparse(entropic_context *context) {
  static const size_t cases[][2] = {{3, 50}, {3, 150}, {4, 200}, {6, 400}, {10, 600}};
  printf("\nStatistics of sparse rows, 20000 of them, one thread:\n%3s %6s %6s | %12s %12s\n", "D", "M", "nz/row",
         "order-free", "exact");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    lesson at;
    lesson_start(context, 20000, cases[i][0], 0, cases[i][1], &at);
    printf("%3zu %6zu %6zu | %10.4f s %10.4f s\n", cases[i][0], at.map.features, at.map.nonzeros,
           collect(&at, 1, ENT_GRADE_ORDER_FREE), collect(&at, 1, ENT_GRADE_EXACT));
    fflush(stdout);
    lesson_stop(&at);
  }
}

static void bench_solve(entropic_context *context) {
  static const size_t sizes[] = {250, 500, 1000, 2000, 3000};
  printf("\nSolving, seconds:\n%6s | %10s %10s %10s %12s | ratios\n", "M", "Cholesky", "2 threads", "eigen",
         "tridiagonal");
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    lesson at;
    ent_statistics *statistics;
    ent_ridge *ridge;
    static const double lambda = 1e-4;
    lesson_start(context, 2 * sizes[i], 10, sizes[i], 0, &at);
    need(context, ent_statistics_create(context, sizes[i], 1, NULL, &statistics));
    need(context, ent_statistics_collect(context, statistics, &at.map, &at.rows, ENT_GRADE_EXACT));
    static const ent_method methods[] = {ENT_METHOD_CHOLESKY, ENT_METHOD_CHOLESKY, ENT_METHOD_EIGEN,
                                         ENT_METHOD_TRIDIAGONAL};
    double seconds[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int how = 0; how < 4; how++)
      for (int repeat = 0; repeat < (how == 2 ? 1 : REPEATS); repeat++) {
        need(context, entropic_context_set_threads(context, how == 1 ? 2 : 1));
        double start = seconds_now();
        need(context, ent_ridge_solve(context, statistics, &lambda, 1, methods[how], &ridge));
        seconds[how] = fmin(seconds[how], seconds_now() - start);
        ent_ridge_free(ridge);
      }
    printf("%6zu | %10.4f %10.4f %10.4f %12.4f | %.1f, %.1f\n", sizes[i], seconds[0], seconds[1], seconds[2],
           seconds[3], seconds[2] / seconds[0], seconds[3] / seconds[0]);
    fflush(stdout);
    ent_statistics_free(statistics);
    lesson_stop(&at);
  }
}

int main(void) {
  entropic_context *context;
  const ent_blas *blas;
  if (entropic_context_create(&context) != ENTROPIC_OK)
    stop("out of memory");
  need(context, ent_blas_get(context, &blas));
  printf("OpenBLAS with its code for %s\n\n", blas->core);
  bench_dense(context, blas);
  bench_sparse(context);
  bench_solve(context);
  entropic_context_free(context);
  return EXIT_SUCCESS;
}

/* Times of fixed-point statistics on one thread, compared with dsyrk of OpenBLAS on the same rows as doubles. Columns are
 * as dense as features that selection finds on three tables, and as some others. It uses internal headers, as unit tests
 * do.
 *
 *     bench-fixed [PROFILE [CODE [FULL DENSE [BLOCK_ROWS]]]]
 *
 * One profile and one code by name, or `all`; other thresholds and blocks. The profile `lifts` stands for collections of
 * lifted rows, lifting included. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/blas.h"
#include "design/design.h"
#include "base/memory.h"
#include "sums/fixed_sums.h"

#define ROWS ((size_t)20000)
#define FEWEST_REPEATS 4
#define SECONDS 30.0 /* of a profile, unless that is fewer repeats */
#define SEGMENT ((size_t)128)
#define KINDS 8

/* So many columns of a density. */
typedef struct density_group {
  size_t columns;
  double density;
} density_group;

typedef struct density_profile {
  const char *name;
  density_group groups[KINDS];
} density_profile;

static const density_profile profiles[] = {
    {"sparse", /* 16,500 x 8, M = 1000 */
     {{60, 1 / 128.},
      {130, 1 / 64.},
      {210, 1 / 32.},
      {221, 1 / 16.},
      {162, 1 / 8.},
      {107, 1 / 4.},
      {64, 1 / 2.},
      {46, 1}}},
    {"medium", /* 12,000 x 26, M = 2000 */
     {{18, 1 / 128.},
      {121, 1 / 64.},
      {246, 1 / 32.},
      {460, 1 / 16.},
      {550, 1 / 8.},
      {317, 1 / 4.},
      {192, 1 / 2.},
      {96, 1}}},
    {"mostly-dense", {{20, 1 / 16.}, {66, 1 / 8.}, {252, 1 / 4.}, {616, 1 / 2.}, {1046, 1}}},
    {"five-percent", {{999, 0.05}, {1, 1}}},
    {"full", {{1000, 1}}}};

static void need(const entropic_context *context, entropic_status status) {
  if (status == ENTROPIC_OK)
    return;
  fprintf(stderr, "bench-fixed: %s\n", entropic_context_message(context));
  exit(EXIT_FAILURE);
}

/* Seconds of this thread on a processor, whatever else runs there. */
static double seconds_used(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *allocate(entropic_context *context, size_t rows, size_t columns, size_t size) {
  void *memory = ent_new_matrix(context, rows, columns, size);
  if (memory == NULL)
    need(context, ENTROPIC_NO_MEMORY);
  return memory;
}

/* Rows as doubles, columns ROWS apart, and the same compressed. */
typedef struct rows_of_profile {
  size_t columns;
  double *densities; /* [columns + 1], with the 1 */
  double *z;
  size_t *starts;
  int32_t *indices;
  double *values;
  bool dense;
} rows_of_profile;

static rows_of_profile make_rows(entropic_context *context, const density_profile *profile) {
  rows_of_profile at = {0};
  for (size_t i = 0; i < KINDS; i++)
    at.columns += profile->groups[i].columns;
  at.densities = allocate(context, at.columns + 1, 1, sizeof *at.densities);
  size_t column = 0, nonzeros = 0;
  for (size_t i = 0; i < KINDS; i++)
    for (size_t k = 0; k < profile->groups[i].columns; k++)
      at.densities[column++] = profile->groups[i].density;
  entropic_random random = entropic_random_start(1, 0);
  for (size_t j = at.columns; j-- > 1;) {
    size_t other = (size_t)(entropic_random_uniform(&random) * (double)(j + 1));
    double density = at.densities[j];
    at.densities[j] = at.densities[other];
    at.densities[other] = density;
  }
  at.densities[at.columns] = 1;
  at.z = allocate(context, ROWS, at.columns, sizeof *at.z);
  for (size_t j = 0; j < at.columns; j++)
    for (size_t r = 0; r < ROWS; r++)
      if (at.densities[j] == 1 || entropic_random_uniform(&random) < at.densities[j]) {
        /* Full columns have signs, as lines have; others not, as hats. */
        at.z[j * ROWS + r] =
            at.densities[j] == 1 ? 2 * entropic_random_uniform(&random) - 1 : entropic_random_uniform(&random);
        nonzeros++;
      }
  at.dense = nonzeros == ROWS * at.columns;
  at.starts = allocate(context, ROWS + 1, 1, sizeof *at.starts);
  at.indices = allocate(context, at.dense ? 0 : nonzeros, 1, sizeof *at.indices);
  at.values = allocate(context, at.dense ? 0 : nonzeros, 1, sizeof *at.values);
  for (size_t r = 0, n = 0; r < ROWS && !at.dense; at.starts[++r] = n)
    for (size_t j = 0; j < at.columns; j++)
      if (at.z[j * ROWS + r] != 0) {
        at.indices[n] = (int32_t)j;
        at.values[n++] = at.z[j * ROWS + r];
      }
  return at;
}

static void free_rows(rows_of_profile *at) {
  ent_delete(at->densities);
  ent_delete(at->z);
  ent_delete(at->starts);
  ent_delete(at->indices);
  ent_delete(at->values);
}

/* One grade by one code. */
typedef struct contestant {
  ent_fixed *fixed;
  ent_fixed_options options;
  double pack, multiply; /* least seconds */
  double total;
} contestant;

static ent_lifted segment_of(const rows_of_profile *at, size_t first, size_t rows) {
  ent_lifted lifted = {.block = {.first = first, .rows = rows}, .features = at->columns};
  if (at->dense) {
    lifted.z = at->z + first;
    lifted.ld = ROWS;
  } else {
    lifted.starts = at->starts + first;
    lifted.columns = at->indices;
    lifted.values = at->values;
  }
  return lifted;
}

static void run(entropic_context *context, const rows_of_profile *at, contestant *c) {
  ent_fixed_layout *layout;
  ent_fixed_format *format;
  ent_fixed_sums *sums;
  ent_fixed_block *block;
  double pack = 0, multiply = 0;
  need(context,
       ent_fixed_layout_create(context, &(ent_fixed_columns){.count = at->columns + 1, .densities = at->densities},
                               c->options.full, c->options.dense, &layout));
  need(context, ent_fixed_format_create(context, c->fixed, layout, &c->options, at->columns + 1, &format));
  need(context, ent_fixed_sums_create(context, format, &sums));
  need(context, ent_fixed_block_create(context, format, &block));
  for (size_t first = 0; first < ROWS; first += c->options.block_rows) {
    size_t end = first + c->options.block_rows < ROWS ? first + c->options.block_rows : ROWS;
    double start = seconds_used();
    ent_fixed_block_clear(block);
    for (size_t r = first; r < end; r += SEGMENT) {
      ent_lifted lifted = segment_of(at, r, end - r < SEGMENT ? end - r : SEGMENT);
      need(context, ent_fixed_block_add(context, block, &lifted));
    }
    ent_fixed_block_finish(block);
    double packed = seconds_used();
    need(context, ent_fixed_sums_add(context, sums, &block, 1));
    pack += packed - start;
    multiply += seconds_used() - packed;
  }
  double start = seconds_used();
  ent_fixed_sums_flush(sums, c->fixed);
  multiply += seconds_used() - start;
  c->pack = fmin(c->pack, pack);
  c->multiply = fmin(c->multiply, multiply);
  c->total = fmin(c->total, pack + multiply);
  ent_fixed_block_free(block);
  ent_fixed_sums_free(sums);
  ent_fixed_format_free(format);
  ent_fixed_layout_free(layout);
}

static double run_dsyrk(const ent_blas *blas, const rows_of_profile *at, double *gram) {
  double start = seconds_used();
  blas->dsyrk(ENT_COL_MAJOR, ENT_UPPER, ENT_TRANS, (int)at->columns, (int)ROWS, 1, at->z, (int)ROWS, 0, gram,
              (int)at->columns);
  return seconds_used() - start;
}

static void bench(entropic_context *context, const ent_blas *blas, const density_profile *profile, const char *code,
                  const ent_fixed_options *changed) {
  rows_of_profile at = make_rows(context, profile);
  double *gram = allocate(context, at.columns, at.columns, sizeof *gram), dsyrk = INFINITY;
  int *exponents = allocate(context, at.columns + 1, 1, sizeof *exponents); /* 2^0 */
  contestant all[2 * ENT_FIXED_MOST_CODES];
  size_t count = 0;
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    const ent_fixed_code *codes[ENT_FIXED_MOST_CODES];
    size_t fast = ent_fixed_codes((ent_grade)grade, codes);
    for (size_t i = 0; i < fast; i++) {
      if (strstr(codes[i]->name, "reference") != NULL ||
          (strcmp(code, "all") != 0 && strcmp(code, codes[i]->name) != 0))
        continue;
      contestant *c = &all[count++];
      *c = (contestant){.options = *changed, .pack = INFINITY, .multiply = INFINITY, .total = INFINITY};
      c->options.code = codes[i];
      ent_fixed_shape shape = {.grade = (ent_grade)grade, .features = at.columns, .exponents = exponents};
      need(context, ent_fixed_create(context, &shape, &c->fixed));
    }
  }
  double begin = seconds_used();
  for (int repeat = 0; repeat < FEWEST_REPEATS || seconds_used() - begin < SECONDS; repeat++) {
    dsyrk = fmin(dsyrk, run_dsyrk(blas, &at, gram));
    for (size_t i = 0; i < count; i++)
      run(context, &at, &all[i]);
  }
  double columns = (double)at.columns;
  printf("%s: %zu columns, dsyrk %.3f s, %.1f GF/s\n", profile->name, at.columns, dsyrk,
         1e-9 * (double)ROWS * columns * columns / dsyrk);
  for (size_t i = 0; i < count; i++) {
    printf("  %-10s %-14s %8.3f s, packing %5.3f s | %5.2f of dsyrk's speed, without packing %5.2f\n",
           all[i].fixed->grade == ENT_GRADE_EXACT ? "exact" : "order-free", all[i].options.code->name, all[i].total,
           all[i].pack, dsyrk / all[i].total, dsyrk / all[i].multiply);
    ent_fixed_free(all[i].fixed);
  }
  fflush(stdout);
  ent_delete(gram);
  ent_delete(exponents);
  free_rows(&at);
}

/* Least seconds of collecting all rows, lifting included. */
static double collect(entropic_context *context, const ent_map *map, const ent_rows *rows, ent_grade grade) {
  double least = INFINITY;
  for (int repeat = 0; repeat < FEWEST_REPEATS; repeat++) {
    ent_statistics *statistics = NULL;
    double start = seconds_used();
    need(context, ent_statistics_of_rows(context, map, rows, grade, &statistics));
    least = fmin(least, seconds_used() - start);
    ent_statistics_free(statistics);
  }
  return least;
}

/* Designs of some features, or of some non-zeros a row. */
static void bench_lifts(entropic_context *context) {
  static const struct {
    size_t inputs, features, nonzeros;
  } cases[] = {{8, 300, 0}, {8, 1000, 0}, {8, 2000, 0}, {3, 0, 150}, {6, 0, 400}};
  printf("\nCollected with lifting, seconds:\n%6s %6s %8s | %10s %8s\n", "inputs", "M", "nz/row", "order-free",
         "exact");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    entropic_axis_options axis = ent_axis_options_default();
    entropic_design_options options = ent_design_options_default();
    entropic_kernel *kernel;
    entropic_design *design;
    entropic_lift *lift;
    size_t inputs = cases[i].inputs;
    options.features = cases[i].features;
    options.nonzeros = cases[i].nonzeros;
    need(context, ent_kernel_create(context, &axis, 1, inputs, &kernel));
    need(context, ent_design_create(context, kernel, &options, &design));
    need(context, entropic_lift_create(context, design, &lift));
    double *x = allocate(context, ROWS, inputs, sizeof *x);
    entropic_random random = entropic_random_start(1, inputs);
    for (size_t k = 0; k < ROWS * inputs; k++)
      x[k] = entropic_random_uniform(&random);
    ent_map map = ent_map_of_lift(lift);
    ent_memory_rows memory = {
        .all = {.rows = ROWS, .x = x, .x_stride = inputs, .y = x, .y_stride = inputs}, .inputs = inputs, .targets = 1};
    ent_rows rows = ent_rows_of_memory(&memory);
    printf("%6zu %6zu %8zu | %10.3f %8.3f\n", inputs, map.features, map.nonzeros,
           collect(context, &map, &rows, ENT_GRADE_ORDER_FREE), collect(context, &map, &rows, ENT_GRADE_EXACT));
    fflush(stdout);
    entropic_lift_free(lift);
    entropic_design_free(design);
    entropic_kernel_free(kernel);
    ent_delete(x);
  }
}

int main(int argc, char **argv) {
  entropic_context *context;
  const ent_blas *blas;
  if (entropic_context_create(&context) != ENTROPIC_OK)
    return EXIT_FAILURE;
  need(context, entropic_context_set_threads(context, 1));
  need(context, ent_blas_get(context, &blas));
  const char *only = argc > 1 ? argv[1] : "all", *code = argc > 2 ? argv[2] : "all";
  ent_fixed_options options = ent_fixed_options_default(ENT_GRADE_ORDER_FREE);
  if (argc > 4) {
    options.full = atof(argv[3]);
    options.dense = atof(argv[4]);
  }
  if (argc > 5)
    options.block_rows = (size_t)atol(argv[5]);
  printf("%zu rows, one thread; OpenBLAS with its code for %s; panels from a density of %.4f on, tiles from %.2f on\n",
         ROWS, blas->core, options.dense, options.full);
  for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++)
    if (strcmp(only, "all") == 0 || strcmp(only, profiles[i].name) == 0)
      bench(context, blas, &profiles[i], code, &options);
  if (strcmp(only, "all") == 0 || strcmp(only, "lifts") == 0)
    bench_lifts(context);
  entropic_context_free(context);
  return EXIT_SUCCESS;
}

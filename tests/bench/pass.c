/* Times of passes over kept rows, as logistic fits take them: Z v and Z'u of one score or more, on one thread. Columns are as
 * dense as features that selection finds on some tables. For each size of a block and each share below which columns
 * are kept as compressed rows: milliseconds of a pass. It uses internal headers, as unit tests do.
 *
 *     bench-pass [PROFILE [SCORES]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "sums/pass.h"

#define ROWS ((size_t)8000)
#define REPEATS 9
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
    {"dense", /* 10,000 x 12, M = 1000 */
     {{13, 0.1}, {103, 0.19}, {123, 0.31}, {134, 0.44}, {175, 0.56}, {452, 1}}},
    {"classes", /* 32,561 x 14 with categories, M = 600 */
     {{287, 0.01}, {87, 0.023}, {86, 0.047}, {55, 0.09}, {19, 0.19}, {40, 0.4}, {26, 1}}},
    {"digits", /* 7,494 x 16, M = 2000 */
     {{250, 0.04}, {318, 0.09}, {374, 0.19}, {206, 0.31}, {150, 0.5}, {156, 0.75}, {546, 1}}},
};

static const size_t block_rows[] = {32, 64, 128, 256};
static const double shares[] = {0, 0.125, 0.25, 0.375, 0.5, 0.625};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void need(const entropic_context *context, entropic_status status) {
  if (status == ENTROPIC_OK)
    return;
  fprintf(stderr, "bench-pass: %s\n", entropic_context_message(context));
  exit(EXIT_FAILURE);
}

static void *allocate(entropic_context *context, size_t count) {
  double *memory = ent_new(context, count, sizeof *memory);
  if (memory == NULL)
    need(context, ENTROPIC_NO_MEMORY);
  return memory;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A map without lifting: the only input is the number of a row. */
static entropic_status no_scratch(entropic_context *context, const void *self, void **scratch) {
  (void)self;
  *scratch = ent_new(context, 1, 1);
  return *scratch == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

static double value_of(size_t row, size_t column, double density) {
  uint64_t mixed = (row * 2654435761U + column) * UINT64_C(0x9e3779b97f4a7c15);
  mixed = (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
  double uniform = ldexp((double)(mixed >> 11), -53);
  return uniform < density ? 1 + uniform : 0;
}

static entropic_status dense(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                             size_t stride, double *z, size_t ld) {
  const density_profile *profile = self;
  (void)context;
  (void)scratch;
  size_t column = 0;
  for (size_t kind = 0; kind < KINDS; kind++)
    for (size_t j = 0; j < profile->groups[kind].columns; j++, column++)
      for (size_t r = 0; r < rows; r++)
        z[column * ld + r] = value_of((size_t)x[r * stride], column, profile->groups[kind].density);
  return ENTROPIC_OK;
}

typedef struct products {
  double *v, *sums, *room; /* sums: for each lane; room: a block for each lane */
  size_t features, block, scores;
} products;

static entropic_status multiply(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  products *p = shared;
  double *u = p->room + lane * p->block * p->scores;
  ent_lifted_multiply(lifted, p->v, p->features, p->scores, u);
  ent_lifted_multiply_trans(lifted, u, p->scores, p->sums + lane * p->features * p->scores, p->features);
  return ENTROPIC_OK;
}

/* The least milliseconds of a pass. */
static double measure(entropic_context *context, const ent_map *map, const ent_rows *rows, size_t scores,
                      ent_pass_form form) {
  ent_pass *pass;
  need(context, ent_pass_create(context, map, &pass));
  need(context, ent_pass_keep_as(context, pass, ROWS, form));
  products p = {.features = map->features, .block = ent_pass_block(pass), .scores = scores};
  p.v = allocate(context, p.features * scores);
  p.sums = allocate(context, ENT_LANES * p.features * scores);
  p.room = allocate(context, ENT_LANES * p.block * scores);
  for (size_t j = 0; j < p.features * scores; j++)
    p.v[j] = 1 / (double)(j + 1);
  double least = INFINITY;
  for (int i = 0; i <= REPEATS; i++) { /* the first one lifts */
    double start = seconds_now();
    need(context, ent_pass_run(context, pass, rows, multiply, &p));
    least = i == 0 ? least : fmin(least, seconds_now() - start);
  }
  ent_delete(p.v);
  ent_delete(p.sums);
  ent_delete(p.room);
  ent_pass_free(pass);
  return 1e3 * least;
}

static void bench(entropic_context *context, const density_profile *profile, const ent_rows *rows, size_t scores) {
  static const ent_map_calls calls = {.scratch_create = no_scratch, .scratch_free = ent_delete, .dense = dense};
  ent_map map = {.calls = &calls, .self = profile, .inputs = 1};
  for (size_t kind = 0; kind < KINDS; kind++)
    map.features += profile->groups[kind].columns;
  map.nonzeros = map.features;
  printf("%s: %zu features\n%6s", profile->name, map.features, "rows");
  for (size_t i = 0; i < COUNT(shares); i++)
    printf(" %7.3f", shares[i]);
  for (size_t b = 0; b < COUNT(block_rows); b++) {
    printf("\n%6zu", block_rows[b]);
    for (size_t i = 0; i < COUNT(shares); i++) {
      printf(" %7.2f", measure(context, &map, rows, scores, (ent_pass_form){block_rows[b], shares[i]}));
      fflush(stdout);
    }
  }
  printf("\n");
}

int main(int argc, char **argv) {
  bool found = false;
  size_t scores = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  entropic_context *context;
  if (entropic_context_create(&context) != ENTROPIC_OK)
    return EXIT_FAILURE;
  need(context, entropic_context_set_threads(context, 1));
  double *x = allocate(context, ROWS);
  for (size_t r = 0; r < ROWS; r++)
    x[r] = (double)r;
  ent_memory_rows memory = {.all = {.rows = ROWS, .x = x, .x_stride = 1}, .inputs = 1};
  ent_rows rows = ent_rows_of_memory(&memory);
  printf("Milliseconds of a pass over %zu rows; below the share of non-zeros, columns are kept as compressed rows:\n",
         ROWS);
  for (size_t i = 0; i < COUNT(profiles); i++)
    if (argc < 2 || strcmp(argv[1], profiles[i].name) == 0) {
      bench(context, &profiles[i], &rows, scores > 0 ? scores : 1);
      found = true;
    }
  if (!found)
    fprintf(stderr, "bench-pass: no profile %s; expected dense, classes or digits\n", argv[1]);
  ent_delete(x);
  entropic_context_free(context);
  return found ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Rows with prescribed features, for tests of fixed-point statistics: a feature map that looks up a table. Its one input is
 * the number of the row. */
#ifndef FIXED_ROWS_H
#define FIXED_ROWS_H

#include "unit/fixed_plain.h"
#include "unit/reference.h"

#include "sums/fixed_sums.h"

typedef struct table_map {
  size_t rows, features;
  const double *z; /* z[row * features + feature] */
} table_map;

static inline entropic_status table_scratch(entropic_context *context, const void *self, void **scratch) {
  (void)context, (void)self;
  *scratch = malloc(1);
  return *scratch == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

static inline entropic_status table_dense(entropic_context *context, const void *self, void *scratch, const double *x,
                                          size_t rows, size_t stride, double *z, size_t ld) {
  (void)context, (void)scratch;
  const table_map *table = self;
  for (size_t r = 0; r < rows; r++)
    for (size_t j = 0; j < table->features; j++)
      z[j * ld + r] = table->z[(size_t)x[r * stride] % table->rows * table->features + j];
  return ENTROPIC_OK;
}

static inline entropic_status table_sparse(entropic_context *context, const void *self, void *scratch, const double *x,
                                           size_t rows, size_t stride, size_t *starts, int32_t *columns,
                                           double *values) {
  (void)context, (void)scratch;
  const table_map *table = self;
  size_t used = 0;
  starts[0] = 0;
  for (size_t r = 0; r < rows; r++) {
    const double *z = table->z + (size_t)x[r * stride] % table->rows * table->features;
    for (size_t j = 0; j < table->features; j++)
      if (z[j] != 0) {
        columns[used] = (int32_t)j;
        values[used++] = z[j];
      }
    starts[r + 1] = used;
  }
  return ENTROPIC_OK;
}

static inline void table_exponents(const void *self, int *exponents) {
  const table_map *table = self;
  for (size_t j = 0; j < table->features; j++) {
    double most = 0;
    for (size_t r = 0; r < table->rows; r++)
      most = fmax(most, fabs(table->z[r * table->features + j]));
    exponents[j] = ent_fixed_exponent(most);
  }
}

static const ent_map_calls table_calls = {.scratch_create = table_scratch,
                                          .scratch_free = free,
                                          .dense = table_dense,
                                          .sparse = table_sparse,
                                          .exponents = table_exponents};

/* Rows, and all that is collected from them. */
typedef struct fixed_rows {
  size_t rows, features, targets;
  double *x, *y, *weights, *z; /* row after row */
  int *exponents;
  double shift[2];
  table_map table;
  ent_map map; /* dense rows; see lift_compressed */
  ent_memory_rows memory;
  ent_rows source;
} fixed_rows;

/* Points to its own members, so it must stay where it is. `distinct` rows, which are repeated; feature j is not 0 with a
 * probability between 0 and 1, by turns, or all with `density` if that is not negative. */
static inline void fixed_rows_start(fixed_rows *p, size_t rows, size_t distinct, size_t features, size_t targets,
                                    double density) {
  static const double densities[] = {1, 0, 0.5, 0.01, 0.25, 0.9, 0.05, 1. / 16};
  entropic_random random = entropic_random_start(17, rows + features);
  *p = (fixed_rows){.rows = rows, .features = features, .targets = targets, .shift = {1.25, -3}};
  p->x = calloc(rows + 1, sizeof *p->x);
  p->y = calloc(rows * targets + 1, sizeof *p->y);
  p->weights = calloc(rows + 1, sizeof *p->weights);
  p->z = calloc(distinct * features + 1, sizeof *p->z);
  p->exponents = calloc(features + 1 + targets, sizeof *p->exponents);
  for (size_t j = 0; j < features; j++)
    p->exponents[j] = (int)(j % 5) - 2;
  p->exponents[features] = 1; /* weights up to 4 */
  for (size_t t = 0; t < targets; t++)
    p->exponents[features + 1 + t] = 5;
  for (size_t r = 0; r < distinct; r++)
    for (size_t j = 0; j < features; j++) {
      double chance = density >= 0 ? density : densities[j % COUNT(densities)];
      double value = entropic_random_uniform(&random), size = ldexp(0.5, p->exponents[j]);
      if (value < chance || chance == 1)
        p->z[r * features + j] =
            size * (j % 3 == 0 ? 2 * entropic_random_uniform(&random) - 1 : entropic_random_uniform(&random));
    }
  for (size_t r = 0; r < rows; r++) {
    p->x[r] = (double)r;
    p->weights[r] = r % 7 == 3 ? 0 : 4 * entropic_random_uniform(&random);
    for (size_t t = 0; t < targets; t++)
      p->y[r * targets + t] = 2 * entropic_random_normal(&random);
  }
  p->table = (table_map){.rows = distinct, .features = features, .z = p->z};
  p->map = (ent_map){.calls = &table_calls, .self = &p->table, .inputs = 1, .features = features, .nonzeros = features};
  p->memory = (ent_memory_rows){
      .all = {.rows = rows, .x = p->x, .x_stride = 1, .y = p->y, .y_stride = targets, .weights = p->weights},
      .inputs = 1,
      .targets = targets};
}

/* Says how many non-zeros a row has at most. If that is less than half, rows are lifted compressed. */
static inline void lift_compressed(fixed_rows *p) {
  p->map.nonzeros = 0;
  for (size_t r = 0; r < p->table.rows; r++) {
    size_t nonzeros = 0;
    for (size_t j = 0; j < p->features; j++)
      nonzeros += p->z[r * p->features + j] != 0;
    p->map.nonzeros = nonzeros > p->map.nonzeros ? nonzeros : p->map.nonzeros;
  }
}

static inline void fixed_rows_stop(fixed_rows *p) {
  free(p->x);
  free(p->y);
  free(p->weights);
  free(p->z);
  free(p->exponents);
}

/* Rows first .. first + count - 1 as dense lifted rows; z[count x features] is filled. */
static inline ent_lifted lifted_rows(const fixed_rows *p, size_t first, size_t count, double *z) {
  ent_lifted lifted = {.block = p->memory.all, .features = p->features, .z = z, .ld = count};
  lifted.block.first = first;
  lifted.block.rows = count;
  lifted.block.y = p->y + first * p->targets;
  lifted.block.weights = p->memory.all.weights == NULL ? NULL : p->weights + first;
  table_dense(NULL, &p->table, NULL, p->x + first, count, 1, z, count);
  return lifted;
}

static inline ent_fixed *no_fixed_rows(entropic_context *context, const fixed_rows *p, ent_grade grade) {
  ent_fixed *fixed = NULL;
  ent_fixed_shape shape = {
      .grade = grade, .features = p->features, .targets = p->targets, .exponents = p->exponents, .shift = p->shift};
  ASSERT_OK(context, ent_fixed_create(context, &shape, &fixed));
  return fixed;
}

/* Statistics of some rows from their definition. */
static inline ent_fixed *plain_fixed(entropic_context *context, const fixed_rows *p, ent_grade grade, size_t first,
                                     size_t count) {
  ent_fixed *fixed = no_fixed_rows(context, p, grade);
  double *z = calloc(count * p->features + 1, sizeof *z);
  ent_lifted lifted = lifted_rows(p, first, count, z);
  ASSERT_OK(context, fixed_add_plainly(context, fixed, &lifted));
  free(z);
  return fixed;
}

/* Statistics of all rows by a collection; NULL options: the default ones. */
static inline ent_fixed *collected(entropic_context *context, fixed_rows *p, ent_grade grade,
                                   const ent_fixed_options *options) {
  ent_fixed *fixed = no_fixed_rows(context, p, grade);
  p->source = ent_rows_of_memory(&p->memory);
  ASSERT_OK(context, ent_fixed_collect(context, fixed, &p->map, &p->source, options));
  return fixed;
}

static inline void assert_same_bytes(const ent_fixed *a, const ent_fixed *b) {
  assert_true(fixed_equal(a, b));
}

#endif

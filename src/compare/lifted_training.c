/* Training from lifted rows: see lifted_training.h. */
#include "compare/lifted_training.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "sums/statistics.h"

/* Lifted rows as a feature map of one input, the number of the row. They are kept as whoever multiplies them would want
 * them: row after row of all features, or compressed where most are zero. */
typedef struct ent_lifted_rows {
  size_t features;
  int *exponents; /* of the largest values */
  double *z;      /* rows x features; NULL where rows are compressed */
  size_t *starts; /* rows + 1; compressed rows, as entropic_lift_sparse has them */
  int32_t *columns;
  double *values;
} ent_lifted_rows;

static entropic_status scratch_create(entropic_context *context, const void *self, void **scratch) {
  (void)self;
  *scratch = ent_new(context, 1, 1);
  return *scratch == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

static void scratch_free(void *scratch) {
  ent_delete(scratch);
}

static entropic_status dense(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                             size_t stride, double *z, size_t ld) {
  const ent_lifted_rows *lifted = self;
  (void)context, (void)scratch;
  for (size_t j = 0; lifted->z == NULL && j < lifted->features; j++)
    memset(z + j * ld, 0, rows * sizeof *z);
  for (size_t r = 0; r < rows; r++) {
    size_t row = (size_t)x[r * stride];
    for (size_t j = 0; lifted->z != NULL && j < lifted->features; j++)
      z[j * ld + r] = lifted->z[row * lifted->features + j];
    for (size_t i = lifted->z != NULL ? 0 : lifted->starts[row]; lifted->z == NULL && i < lifted->starts[row + 1]; i++)
      z[(size_t)lifted->columns[i] * ld + r] = lifted->values[i];
  }
  return ENTROPIC_OK;
}

/* Asked for only where rows are compressed: map.nonzeros says so. */
static entropic_status sparse(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                              size_t stride, size_t *starts, int32_t *columns, double *values) {
  const ent_lifted_rows *lifted = self;
  size_t count = 0;
  (void)context, (void)scratch;
  for (size_t r = 0; r < rows; r++) {
    size_t row = (size_t)x[r * stride], from = lifted->starts[row], more = lifted->starts[row + 1] - from;
    starts[r] = count;
    memcpy(columns + count, lifted->columns + from, more * sizeof *columns);
    memcpy(values + count, lifted->values + from, more * sizeof *values);
    count += more;
  }
  starts[rows] = count;
  return ENTROPIC_OK;
}

static void exponents(const void *self, int *exponents) {
  const ent_lifted_rows *lifted = self;
  memcpy(exponents, lifted->exponents, lifted->features * sizeof *exponents);
}

static void describe(const void *self, char *text, size_t size) {
  const ent_lifted_rows *lifted = self;
  snprintf(text, size, "%zu features of lifted rows", lifted->features);
}

/* The exponents of powers of two above all values of each feature. */
static void find_exponents(size_t rows, ent_lifted_rows *lifted) {
  for (size_t j = 0; j < lifted->features; j++) {
    double most = 0;
    for (size_t r = 0; r < rows; r++)
      most = fmax(most, fabs(lifted->z[r * lifted->features + j]));
    lifted->exponents[j] = most > 0 ? ilogb(most) + 1 : 0;
  }
}

/* z[row * features + feature] becomes the lifted rows. */
static entropic_status lift_all(entropic_context *context, const ent_lifted_training *training, double *z) {
  enum { BLOCK = 256 };
  const ent_map *map = training->map;
  const ent_block *rows = training->rows;
  void *scratch = NULL;
  double *block = ent_new(context, BLOCK * map->features, sizeof *block);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (block == NULL)
    return status;
  status = map->calls->scratch_create(context, map->self, &scratch);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t first = 0; first < rows->rows; first += BLOCK) {
    size_t left = rows->rows - first, count = left < BLOCK ? left : BLOCK;
    status = map->calls->dense(context, map->self, scratch, rows->x + first * rows->x_stride, count, rows->x_stride,
                               block, BLOCK);
    if (status != ENTROPIC_OK)
      goto done;
    for (size_t r = 0; r < count; r++)
      for (size_t j = 0; j < map->features; j++)
        z[(first + r) * map->features + j] = block[j * BLOCK + r];
  }
done:
  if (scratch != NULL)
    map->calls->scratch_free(scratch);
  ent_delete(block);
  return status;
}

/* Compresses dense rows where that saves memory; *nonzeros becomes the most that a row has. */
static entropic_status compress(entropic_context *context, size_t rows, ent_lifted_rows *lifted, size_t *nonzeros) {
  size_t features = lifted->features, all = 0;
  *nonzeros = 0;
  for (size_t r = 0; r < rows; r++) {
    size_t found = 0;
    for (size_t j = 0; j < features; j++)
      found += lifted->z[r * features + j] != 0;
    all += found;
    *nonzeros = found > *nonzeros ? found : *nonzeros;
  }
  if (all * (sizeof *lifted->values + sizeof *lifted->columns) >= rows * features * sizeof *lifted->z) {
    *nonzeros = features;
    return ENTROPIC_OK;
  }
  lifted->starts = ent_new(context, rows + 1, sizeof *lifted->starts);
  lifted->columns = ent_new(context, all, sizeof *lifted->columns);
  lifted->values = ent_new(context, all, sizeof *lifted->values);
  if (lifted->starts == NULL || lifted->columns == NULL || lifted->values == NULL)
    return ENTROPIC_NO_MEMORY;
  all = 0;
  for (size_t i = 0; i < rows * features; i++) {
    if (i % features == 0)
      lifted->starts[i / features] = all;
    if (lifted->z[i] != 0) {
      lifted->columns[all] = (int32_t)(i % features);
      lifted->values[all++] = lifted->z[i];
    }
  }
  lifted->starts[rows] = all;
  ent_delete(lifted->z);
  lifted->z = NULL;
  return ENTROPIC_OK;
}

static void lifted_clear(ent_lifted_rows *lifted) {
  ent_delete(lifted->exponents);
  ent_delete(lifted->z);
  ent_delete(lifted->starts);
  ent_delete(lifted->columns);
  ent_delete(lifted->values);
}

entropic_status ent_lifted_training_time(entropic_context *context, const ent_lifted_training *training,
                                         ent_ridge **ridge, double *seconds) {
  static const ent_map_calls calls = {scratch_create, scratch_free, dense, sparse, exponents, describe};
  size_t features = training->map->features, rows = training->rows->rows, nonzeros;
  ent_statistics *statistics = NULL;
  ent_lifted_rows self = {.features = features,
                          .exponents = ent_new(context, features, sizeof *self.exponents),
                          .z = ent_new_matrix(context, rows, features, sizeof *self.z)};
  double *numbers = ent_new(context, rows, sizeof *numbers);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (self.z == NULL || self.exponents == NULL || numbers == NULL)
    goto done;
  for (size_t r = 0; r < rows; r++)
    numbers[r] = (double)r;
  status = lift_all(context, training, self.z);
  if (status != ENTROPIC_OK)
    goto done;
  find_exponents(rows, &self);
  status = compress(context, rows, &self, &nonzeros);
  if (status != ENTROPIC_OK)
    goto done;
  const ent_map map = {.calls = &calls, .self = &self, .inputs = 1, .features = features, .nonzeros = nonzeros};
  ent_memory_rows memory = {.all = *training->rows, .inputs = 1, .targets = training->targets};
  memory.all.x = numbers;
  memory.all.x_stride = 1;
  ent_rows source = ent_rows_of_memory(&memory);
  double start = ent_seconds();
  status = ent_statistics_of_rows(context, &map, &source, ENT_GRADE_EXACT, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, statistics, &training->lambda, 1, ENT_METHOD_CHOLESKY, ridge);
  *seconds = ent_seconds() - start;
done:
  ent_statistics_free(statistics);
  ent_delete(numbers);
  lifted_clear(&self);
  return status;
}

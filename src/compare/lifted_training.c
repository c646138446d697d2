/* Training from lifted rows: see lifted_training.h. */
#include "compare/lifted_training.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "solve/statistics.h"

/* Lifted rows as a feature map: row after row, each of all features. What "lifts" them is a transposition. */
typedef struct ent_lifted_rows {
  size_t features;
  int *exponents; /* of the largest values */
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
  for (size_t r = 0; r < rows; r++)
    for (size_t j = 0; j < lifted->features; j++)
      z[j * ld + r] = x[r * stride + j];
  return ENTROPIC_OK;
}

static entropic_status sparse(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                              size_t stride, size_t *starts, int32_t *columns, double *values) {
  const ent_lifted_rows *lifted = self;
  size_t count = 0;
  (void)context, (void)scratch;
  for (size_t r = 0; r < rows; r++) {
    starts[r] = count;
    for (size_t j = 0; j < lifted->features; j++)
      if (x[r * stride + j] != 0) {
        columns[count] = (int32_t)j;
        values[count++] = x[r * stride + j];
      }
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
static void find_exponents(const double *z, size_t rows, ent_lifted_rows *lifted) {
  for (size_t j = 0; j < lifted->features; j++) {
    double most = 0;
    for (size_t r = 0; r < rows; r++)
      most = fmax(most, fabs(z[r * lifted->features + j]));
    lifted->exponents[j] = most > 0 ? ilogb(most) + 1 : 0;
  }
}

/* z[row * features + feature] becomes the lifted rows; *nonzeros the most that a row has. */
static entropic_status lift_all(entropic_context *context, const ent_lifted_training *training, double *z,
                                size_t *nonzeros) {
  enum { BLOCK = 256 };
  const ent_map *map = training->map;
  const ent_block *rows = training->rows;
  void *scratch = NULL;
  double *block = ent_new(context, BLOCK * map->features, sizeof *block);
  entropic_status status = ENTROPIC_NO_MEMORY;
  *nonzeros = 0;
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
    for (size_t r = 0; r < count; r++) {
      size_t found = 0;
      double *row = z + (first + r) * map->features;
      for (size_t j = 0; j < map->features; j++) {
        row[j] = block[j * BLOCK + r];
        found += row[j] != 0;
      }
      *nonzeros = found > *nonzeros ? found : *nonzeros;
    }
  }
done:
  if (scratch != NULL)
    map->calls->scratch_free(scratch);
  ent_delete(block);
  return status;
}

entropic_status ent_lifted_training_time(entropic_context *context, const ent_lifted_training *training,
                                         ent_ridge **ridge, double *seconds) {
  static const ent_map_calls calls = {scratch_create, scratch_free, dense, sparse, exponents, describe};
  size_t features = training->map->features, nonzeros;
  ent_lifted_rows self = {features, ent_new(context, features, sizeof *self.exponents)};
  ent_statistics *statistics = NULL;
  double *z = ent_new_matrix(context, training->rows->rows, features, sizeof *z);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (z == NULL || self.exponents == NULL)
    goto done;
  status = lift_all(context, training, z, &nonzeros);
  if (status != ENTROPIC_OK)
    goto done;
  find_exponents(z, training->rows->rows, &self);
  const ent_map map = {.calls = &calls, .self = &self, .inputs = features, .features = features, .nonzeros = nonzeros};
  ent_memory_rows memory = {.all = *training->rows, .inputs = features, .targets = training->targets};
  memory.all.x = z;
  memory.all.x_stride = features;
  ent_rows rows = ent_rows_of_memory(&memory);
  double start = ent_seconds();
  status = ent_statistics_of_rows(context, &map, &rows, ENT_GRADE_EXACT, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, statistics, &training->lambda, 1, ENT_METHOD_CHOLESKY, ridge);
  *seconds = ent_seconds() - start;
done:
  ent_statistics_free(statistics);
  ent_delete(self.exponents);
  ent_delete(z);
  return status;
}

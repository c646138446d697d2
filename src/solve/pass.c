/* Passes over lifted rows: see pass.h. */
#include "solve/pass.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define BLOCK_VALUES ((size_t)1 << 18) /* of a lifted block: 2 MB, the size of a cache */
#define FEWEST_ROWS ((size_t)32)
#define MOST_ROWS ((size_t)512)

/* Compressed rows pay off when they are so many times shorter. */
#define SPARSE_COST ((size_t)8)

#define MOST_KEPT ((size_t)1 << 28) /* bytes of lifted rows that are kept: what a pass reads faster than it lifts */

/* A lifted block that is kept; values NULL: not yet. */
typedef struct ent_kept {
  double *values;
  int32_t *columns; /* compressed only, as what follows */
  size_t *starts;
} ent_kept;

struct ent_pass {
  const ent_map *map;
  const ent_blas *blas;
  bool dense;
  size_t block_rows, width;
  size_t workers;
  void **scratch;   /* one for each worker, as all that follows */
  double *values;   /* block_rows x width */
  int32_t *columns; /* compressed: block_rows x width */
  size_t *starts;   /* compressed: block_rows + 1 */
  ent_kept *kept;   /* blocks; NULL: none are kept */
  size_t kept_count;
  /* The pass at hand. */
  ent_block rows;
  ent_pass_task task;
  void *shared;
};

size_t ent_pass_features(const ent_pass *pass) {
  return pass->map->features;
}

size_t ent_pass_block(const ent_pass *pass) {
  return pass->block_rows;
}

void ent_pass_free(ent_pass *pass) {
  if (pass == NULL)
    return;
  for (size_t i = 0; pass->scratch != NULL && i < pass->workers; i++)
    if (pass->scratch[i] != NULL)
      pass->map->calls->scratch_free(pass->scratch[i]);
  for (size_t i = 0; pass->kept != NULL && i < pass->kept_count; i++) {
    ent_delete(pass->kept[i].values);
    ent_delete(pass->kept[i].columns);
    ent_delete(pass->kept[i].starts);
  }
  ent_delete(pass->kept);
  ent_delete(pass->scratch);
  ent_delete(pass->values);
  ent_delete(pass->columns);
  ent_delete(pass->starts);
  ent_delete(pass);
}

entropic_status ent_pass_create(entropic_context *context, const ent_map *map, ent_pass **pass) {
  int size;
  size_t values;
  const ent_blas *blas;
  entropic_status status = ent_blas_get(context, &blas);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, map->features, &size);
  if (status != ENTROPIC_OK)
    return status;
  ent_pass *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->map = map;
  made->blas = blas;
  made->dense = map->nonzeros >= map->features / SPARSE_COST;
  made->width = made->dense ? map->features : map->nonzeros;
  made->block_rows = BLOCK_VALUES / (made->width + 1) / FEWEST_ROWS * FEWEST_ROWS;
  made->block_rows = made->block_rows < FEWEST_ROWS ? FEWEST_ROWS : made->block_rows;
  made->block_rows = made->block_rows > MOST_ROWS ? MOST_ROWS : made->block_rows;
  made->workers = (size_t)ent_workers(context, ENT_LANES);
  if (!ent_multiply(made->workers * made->block_rows, made->width, &values))
    values = SIZE_MAX; /* refused below */
  made->scratch = ent_new(context, made->workers, sizeof *made->scratch);
  made->values = ent_new(context, values, sizeof *made->values);
  made->columns = ent_new(context, made->dense ? 0 : values, sizeof *made->columns);
  made->starts = ent_new(context, made->dense ? 0 : made->workers * (made->block_rows + 1), sizeof *made->starts);
  if (made->scratch == NULL || made->values == NULL || made->columns == NULL || made->starts == NULL) {
    ent_pass_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  *pass = made;
  return ENTROPIC_OK;
}

entropic_status ent_pass_keep(entropic_context *context, ent_pass *pass, size_t rows) {
  if (rows > MOST_KEPT / sizeof *pass->values / (pass->width + 1))
    return ENTROPIC_OK;
  pass->kept_count = rows / pass->block_rows + 1;
  pass->kept = ent_new(context, pass->kept_count, sizeof *pass->kept);
  return pass->kept == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

static entropic_status keep(entropic_context *context, const ent_lifted *lifted, ent_kept *kept) {
  size_t rows = lifted->block.rows;
  // One of the two is there. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
  size_t count = lifted->z != NULL ? rows * lifted->features : lifted->starts[rows];
  kept->columns = ent_new(context, lifted->z != NULL ? 0 : count, sizeof *kept->columns);
  kept->starts = ent_new(context, lifted->z != NULL ? 0 : rows + 1, sizeof *kept->starts);
  kept->values = kept->columns == NULL || kept->starts == NULL ? NULL : ent_new(context, count, sizeof *kept->values);
  if (kept->values == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t j = 0; j < lifted->features && lifted->z != NULL; j++)
    memcpy(kept->values + j * rows, lifted->z + j * lifted->ld, rows * sizeof *kept->values);
  if (lifted->z == NULL) {
    memcpy(kept->values, lifted->values, count * sizeof *kept->values);
    memcpy(kept->columns, lifted->columns, count * sizeof *kept->columns);
    memcpy(kept->starts, lifted->starts, (rows + 1) * sizeof *kept->starts);
  }
  return ENTROPIC_OK;
}

static entropic_status run_lane(entropic_context *context, void *shared, size_t lane, int worker) {
  ent_pass *pass = shared;
  const ent_map *map = pass->map;
  size_t first = lane * pass->block_rows, left = pass->rows.rows - first;
  ent_block block = pass->rows;
  block.first += first;
  block.rows = left < pass->block_rows ? left : pass->block_rows;
  block.x += first * block.x_stride;
  block.y = block.y == NULL ? NULL : block.y + first * block.y_stride;
  block.weights = block.weights == NULL ? NULL : block.weights + first;
  entropic_status status = ENTROPIC_OK;
  ent_kept *kept = pass->kept == NULL ? NULL : &pass->kept[block.first / pass->block_rows];
  if (kept != NULL && kept->values != NULL) {
    ent_lifted again = {.block = block, .features = map->features, .blas = pass->blas, .ld = block.rows};
    again.z = pass->dense ? kept->values : NULL;
    again.values = kept->values;
    again.columns = kept->columns;
    again.starts = kept->starts;
    return pass->task(context, pass->shared, lane, &again);
  }
  if (pass->scratch[worker] == NULL)
    status = map->calls->scratch_create(context, map->self, &pass->scratch[worker]);
  if (status != ENTROPIC_OK)
    return status;
  double *values = pass->values + (size_t)worker * pass->block_rows * pass->width;
  ent_lifted lifted = {.block = block, .features = map->features, .blas = pass->blas};
  if (pass->dense) {
    lifted.z = values;
    lifted.ld = pass->block_rows;
    status = map->calls->dense(context, map->self, pass->scratch[worker], block.x, block.rows, block.x_stride, values,
                               pass->block_rows);
  } else {
    int32_t *columns = pass->columns + (size_t)worker * pass->block_rows * pass->width;
    size_t *starts = pass->starts + (size_t)worker * (pass->block_rows + 1);
    lifted.starts = starts;
    lifted.columns = columns;
    lifted.values = values;
    status = map->calls->sparse(context, map->self, pass->scratch[worker], block.x, block.rows, block.x_stride, starts,
                                columns, values);
  }
  if (status == ENTROPIC_OK && kept != NULL)
    status = keep(context, &lifted, kept);
  return status == ENTROPIC_OK ? pass->task(context, pass->shared, lane, &lifted) : status;
}

entropic_status ent_pass_run(entropic_context *context, ent_pass *pass, const ent_rows *rows, ent_pass_task task,
                             void *shared) {
  if (rows->inputs != pass->map->inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rows of %zu inputs do not go with features of %zu", rows->inputs,
                    pass->map->inputs);
  pass->task = task;
  pass->shared = shared;
  entropic_status status = rows->rewind(context, rows->self);
  while (status == ENTROPIC_OK) {
    status = ent_rows_take(context, rows, ENT_LANES * pass->block_rows, &pass->rows);
    if (status != ENTROPIC_OK || pass->rows.rows == 0)
      break;
    status = ent_parallel(context, (pass->rows.rows + pass->block_rows - 1) / pass->block_rows, run_lane, pass);
  }
  return status;
}

void ent_pass_sum(double *sums, size_t length) {
  for (size_t lane = 1; lane < ENT_LANES; lane++)
    for (size_t i = 0; i < length; i++)
      sums[i] += sums[lane * length + i];
}

void ent_lifted_multiply(const ent_lifted *lifted, const double *v, size_t v_ld, size_t count, double *out) {
  size_t rows = lifted->block.rows;
  if (lifted->features == 0) { /* BLAS would leave `out` as it is */
    memset(out, 0, rows * count * sizeof *out);
  } else if (lifted->z != NULL && count == 1) {
    lifted->blas->dgemv(ENT_COL_MAJOR, ENT_NO_TRANS, (int)rows, (int)lifted->features, 1, lifted->z, (int)lifted->ld, v, 1,
                        0, out, 1);
  } else if (lifted->z != NULL) {
    lifted->blas->dgemm(ENT_COL_MAJOR, ENT_NO_TRANS, ENT_NO_TRANS, (int)rows, (int)count, (int)lifted->features, 1, lifted->z,
                        (int)lifted->ld, v, (int)v_ld, 0, out, (int)rows);
  } else {
    for (size_t k = 0; k < count; k++)
      for (size_t r = 0; r < rows; r++) {
        double sum = 0;
        for (size_t i = lifted->starts[r]; i < lifted->starts[r + 1]; i++)
          sum += lifted->values[i] * v[k * v_ld + (size_t)lifted->columns[i]];
        out[k * rows + r] = sum;
      }
  }
}

void ent_lifted_multiply_trans(const ent_lifted *lifted, const double *u, size_t count, double *sum, size_t sum_ld) {
  size_t rows = lifted->block.rows;
  if (lifted->features == 0)
    return;
  if (lifted->z != NULL && count == 1) {
    lifted->blas->dgemv(ENT_COL_MAJOR, ENT_TRANS, (int)rows, (int)lifted->features, 1, lifted->z, (int)lifted->ld, u,
                        1, 1, sum, 1);
  } else if (lifted->z != NULL) {
    lifted->blas->dgemm(ENT_COL_MAJOR, ENT_TRANS, ENT_NO_TRANS, (int)lifted->features, (int)count, (int)rows, 1,
                        lifted->z, (int)lifted->ld, u, (int)rows, 1, sum, (int)sum_ld);
  } else {
    for (size_t k = 0; k < count; k++)
      for (size_t r = 0; r < rows; r++)
        for (size_t i = lifted->starts[r]; i < lifted->starts[r + 1]; i++)
          sum[k * sum_ld + (size_t)lifted->columns[i]] += lifted->values[i] * u[k * rows + r];
  }
}

typedef struct ent_pass_scoring {
  const double *weights, *offsets;
  size_t count, length;
  double *scores;
  double *products; /* length for each lane */
} ent_pass_scoring;

static entropic_status score_block(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  ent_pass_scoring *s = shared;
  size_t rows = lifted->block.rows, count = s->count;
  double *products = s->products + lane * s->length, *scores = s->scores + lifted->block.first * count;
  ent_lifted_multiply(lifted, s->weights, lifted->features, count, products);
  for (size_t r = 0; r < rows; r++)
    for (size_t k = 0; k < count; k++)
      scores[r * count + k] = s->offsets[k] + products[k * rows + r];
  return ENTROPIC_OK;
}

entropic_status ent_scores(entropic_context *context, const ent_map *map, const double *x, size_t rows, size_t stride,
                           const double *weights, const double *offsets, size_t count, double *scores) {
  ent_memory_rows memory = {.all = {.rows = rows, .x = x, .x_stride = stride, .missing = map->missing},
                            .inputs = map->inputs};
  ent_rows source = ent_rows_of_memory(&memory);
  ent_pass_scoring s = {.weights = weights, .offsets = offsets, .count = count, .scores = scores};
  ent_pass *pass = NULL;
  int size;
  entropic_status status = ent_blas_size(context, count, &size);
  if (status == ENTROPIC_OK)
    status = ent_pass_create(context, map, &pass);
  if (status != ENTROPIC_OK)
    return status;
  s.length = pass->block_rows * count;
  s.products = ent_new(context, ENT_LANES * s.length, sizeof *s.products);
  status = s.products == NULL ? ENTROPIC_NO_MEMORY : ent_pass_run(context, pass, &source, score_block, &s);
  ent_delete(s.products);
  ent_pass_free(pass);
  return status;
}

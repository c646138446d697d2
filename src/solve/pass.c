/* Passes over lifted rows: see pass.h. */
#include "solve/pass.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "solve/scratch.h"

#define BLOCK_VALUES ((size_t)1 << 18) /* of a lifted block: 2 MB, the size of a cache */
#define FEWEST_ROWS ((size_t)32)
#define MOST_ROWS ((size_t)512)

/* Compressed rows are faster when they have this many times fewer values. */
#define SPARSE_COST ((size_t)8)

#define MOST_CACHED ((size_t)1 << 28) /* bytes of lifted rows: up to that many are read faster than they are lifted */

/* A cached block; values NULL: not filled yet. */
typedef struct ent_cached {
  double *values;
  int32_t *columns; /* compressed only */
  size_t *starts;   /* compressed only */
} ent_cached;

struct ent_pass {
  const ent_map *map;
  ent_dense *rooms; /* for each worker */
  bool dense;
  size_t block_rows, width;
  size_t workers;
  void **scratch;     /* for each worker, as are the next three */
  double *values;     /* block_rows x width */
  int32_t *columns;   /* compressed: block_rows x width */
  size_t *starts;     /* compressed: block_rows + 1 */
  ent_cached *cached; /* [cached_count] blocks; NULL: none are cached */
  size_t cached_count;
  /* The current pass. */
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
  for (size_t i = 0; pass->cached != NULL && i < pass->cached_count; i++) {
    ent_delete(pass->cached[i].values);
    ent_delete(pass->cached[i].columns);
    ent_delete(pass->cached[i].starts);
  }
  ent_delete(pass->cached);
  ent_scratch_free(pass->map, pass->scratch, pass->workers);
  ent_delete(pass->values);
  ent_delete(pass->columns);
  ent_delete(pass->starts);
  ent_dense_free(pass->rooms);
  ent_delete(pass);
}

entropic_status ent_pass_create(entropic_context *context, const ent_map *map, ent_pass **pass) {
  size_t values;
  ent_pass *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->map = map;
  made->dense = map->nonzeros >= map->features / SPARSE_COST;
  made->width = made->dense ? map->features : map->nonzeros;
  made->block_rows = BLOCK_VALUES / (made->width + 1) / FEWEST_ROWS * FEWEST_ROWS;
  made->block_rows = made->block_rows < FEWEST_ROWS ? FEWEST_ROWS : made->block_rows;
  made->block_rows = made->block_rows > MOST_ROWS ? MOST_ROWS : made->block_rows;
  made->workers = (size_t)ent_workers(context, ENT_LANES);
  if (!ent_multiply(made->workers * made->block_rows, made->width, &values))
    values = SIZE_MAX; /* refused below */
  made->scratch = ent_new(context, made->workers, sizeof *made->scratch);
  made->values = ent_new_raw(context, values, 1, sizeof *made->values);
  made->columns = ent_new_raw(context, made->dense ? 0 : values, 1, sizeof *made->columns);
  made->starts = ent_new(context, made->dense ? 0 : made->workers * (made->block_rows + 1), sizeof *made->starts);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made->scratch == NULL || made->values == NULL || made->columns == NULL || made->starts == NULL)
    goto fail;
  status = ent_dense_create(context, made->workers, SIZE_MAX, &made->rooms);
  if (status != ENTROPIC_OK)
    goto fail;
  *pass = made;
  return ENTROPIC_OK;
fail:
  ent_pass_free(made);
  return status;
}

entropic_status ent_pass_keep(entropic_context *context, ent_pass *pass, size_t rows) {
  if (rows > MOST_CACHED / sizeof *pass->values / (pass->width + 1))
    return ENTROPIC_OK;
  pass->cached_count = rows / pass->block_rows + 1;
  pass->cached = ent_new(context, pass->cached_count, sizeof *pass->cached);
  return pass->cached == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* Copies a lifted block into the cache. */
static entropic_status store(entropic_context *context, const ent_lifted *lifted, ent_cached *cached) {
  size_t rows = lifted->block.rows;
  // z or starts is there. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
  size_t count = lifted->z != NULL ? rows * lifted->features : lifted->starts[rows];
  cached->columns = ent_new(context, lifted->z != NULL ? 0 : count, sizeof *cached->columns);
  cached->starts = ent_new(context, lifted->z != NULL ? 0 : rows + 1, sizeof *cached->starts);
  cached->values =
      cached->columns == NULL || cached->starts == NULL ? NULL : ent_new(context, count, sizeof *cached->values);
  if (cached->values == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t j = 0; j < lifted->features && lifted->z != NULL; j++)
    memcpy(cached->values + j * rows, lifted->z + j * lifted->ld, rows * sizeof *cached->values);
  if (lifted->z == NULL) {
    memcpy(cached->values, lifted->values, count * sizeof *cached->values);
    memcpy(cached->columns, lifted->columns, count * sizeof *cached->columns);
    memcpy(cached->starts, lifted->starts, (rows + 1) * sizeof *cached->starts);
  }
  return ENTROPIC_OK;
}

/* The block of a lane: the rows of the current blocks are divided among the lanes. */
static ent_block block_of_lane(const ent_pass *pass, size_t lane) {
  size_t first = lane * pass->block_rows, left = pass->rows.rows - first;
  ent_block block = pass->rows;
  block.first += first;
  block.rows = left < pass->block_rows ? left : pass->block_rows;
  block.x += first * block.x_stride;
  block.y = block.y == NULL ? NULL : block.y + first * block.y_stride;
  block.weights = block.weights == NULL ? NULL : block.weights + first;
  return block;
}

/* Lifts lifted->block into the memory of the worker. */
static entropic_status lift_block(entropic_context *context, ent_pass *pass, int worker, ent_lifted *lifted) {
  const ent_map *map = pass->map;
  const ent_block *block = &lifted->block;
  void *scratch;
  entropic_status status = ent_scratch_get(context, map, pass->scratch, worker, &scratch);
  if (status != ENTROPIC_OK)
    return status;
  double *values = pass->values + (size_t)worker * pass->block_rows * pass->width;
  if (pass->dense) {
    lifted->z = values;
    lifted->ld = pass->block_rows;
    return map->calls->dense(context, map->self, scratch, block->x, block->rows, block->x_stride, values,
                             pass->block_rows);
  }
  int32_t *columns = pass->columns + (size_t)worker * pass->block_rows * pass->width;
  size_t *starts = pass->starts + (size_t)worker * (pass->block_rows + 1);
  lifted->starts = starts;
  lifted->columns = columns;
  lifted->values = values;
  return map->calls->sparse(context, map->self, scratch, block->x, block->rows, block->x_stride, starts, columns,
                            values);
}

static entropic_status run_lane(entropic_context *context, void *shared, size_t lane, int worker) {
  ent_pass *pass = shared;
  ent_lifted lifted = {
      .block = block_of_lane(pass, lane), .features = pass->map->features, .dense = &pass->rooms[worker]};
  ent_cached *cached = pass->cached == NULL ? NULL : &pass->cached[lifted.block.first / pass->block_rows];
  if (cached != NULL && cached->values != NULL) {
    lifted.z = pass->dense ? cached->values : NULL;
    lifted.ld = lifted.block.rows;
    lifted.values = cached->values;
    lifted.columns = cached->columns;
    lifted.starts = cached->starts;
    return pass->task(context, pass->shared, lane, &lifted);
  }
  entropic_status status = lift_block(context, pass, worker, &lifted);
  if (status != ENTROPIC_OK)
    return status;
  if (cached != NULL) {
    status = store(context, &lifted, cached);
    if (status != ENTROPIC_OK)
      return status;
  }
  return pass->task(context, pass->shared, lane, &lifted);
}

entropic_status ent_pass_run(entropic_context *context, ent_pass *pass, const ent_rows *rows, ent_pass_task task,
                             void *shared) {
  if (rows->inputs != pass->map->inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rows of %zu inputs do not go with features of %zu", rows->inputs,
                    pass->map->inputs);
  pass->task = task;
  pass->shared = shared;
  entropic_status status = rows->rewind(context, rows->self);
  if (status != ENTROPIC_OK)
    return status;
  for (;;) {
    status = ent_rows_take(context, rows, ENT_LANES * pass->block_rows, &pass->rows);
    if (status != ENTROPIC_OK || pass->rows.rows == 0)
      return status;
    status = ent_parallel(context, (pass->rows.rows + pass->block_rows - 1) / pass->block_rows, run_lane, pass);
    if (status != ENTROPIC_OK)
      return status;
  }
}

void ent_pass_sum(double *sums, size_t length) {
  for (size_t lane = 1; lane < ENT_LANES; lane++)
    for (size_t i = 0; i < length; i++)
      sums[i] += sums[lane * length + i];
}

void ent_lifted_multiply(const ent_lifted *lifted, const double *v, size_t v_ld, size_t count, double *out) {
  size_t rows = lifted->block.rows;
  if (lifted->z != NULL) {
    memset(out, 0, rows * count * sizeof *out);
    ent_dense_multiply(lifted->dense, &(ent_product_task){.rows = rows,
                                                          .columns = count,
                                                          .depth = lifted->features,
                                                          .a = {lifted->z, 1, (ptrdiff_t)lifted->ld, false},
                                                          .b = {v, 1, (ptrdiff_t)v_ld, false},
                                                          .c = out,
                                                          .ld = rows});
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
  if (lifted->z != NULL && count < ENT_DENSE_FEW) {
    for (size_t k = 0; k < count; k++)
      ent_dense_dots(lifted->dense, &(ent_dots_task){.a = lifted->z,
                                                     .ld = lifted->ld,
                                                     .rows = rows,
                                                     .columns = lifted->features,
                                                     .x = u + k * rows,
                                                     .out = sum + k * sum_ld});
  } else if (lifted->z != NULL) {
    ent_dense_multiply(lifted->dense, &(ent_product_task){.rows = lifted->features,
                                                          .columns = count,
                                                          .depth = rows,
                                                          .a = {lifted->z, (ptrdiff_t)lifted->ld, 1, false},
                                                          .b = {u, 1, (ptrdiff_t)rows, false},
                                                          .c = sum,
                                                          .ld = sum_ld});
  } else {
    for (size_t k = 0; k < count; k++)
      for (size_t r = 0; r < rows; r++)
        for (size_t i = lifted->starts[r]; i < lifted->starts[r + 1]; i++)
          sum[k * sum_ld + (size_t)lifted->columns[i]] += lifted->values[i] * u[k * rows + r];
  }
}

typedef struct ent_pass_scoring {
  const ent_linear *models;
  size_t length; /* the most products of a block */
  double *scores;
  double *products; /* length for each lane */
} ent_pass_scoring;

static entropic_status score_block(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  ent_pass_scoring *s = shared;
  size_t rows = lifted->block.rows, count = s->models->count;
  double *products = s->products + lane * s->length, *scores = s->scores + lifted->block.first * count;
  ent_lifted_multiply(lifted, s->models->weights, lifted->features, count, products);
  for (size_t r = 0; r < rows; r++)
    for (size_t k = 0; k < count; k++)
      scores[r * count + k] = s->models->offsets[k] + products[k * rows + r];
  return ENTROPIC_OK;
}

entropic_status ent_pass_scores(entropic_context *context, ent_pass *pass, const ent_block *rows,
                                const ent_linear *models, double *scores) {
  const ent_map *map = pass->map;
  ent_memory_rows memory = {
      .all = {.rows = rows->rows, .x = rows->x, .x_stride = rows->x_stride, .missing = map->missing},
      .inputs = map->inputs};
  ent_rows source = ent_rows_of_memory(&memory);
  ent_pass_scoring s = {.models = models, .scores = scores};
  s.length = pass->block_rows * models->count;
  s.products = ent_new_raw(context, ENT_LANES, s.length, sizeof *s.products);
  entropic_status status =
      s.products == NULL ? ENTROPIC_NO_MEMORY : ent_pass_run(context, pass, &source, score_block, &s);
  ent_delete(s.products);
  return status;
}

entropic_status ent_scores(entropic_context *context, const ent_map *map, const ent_block *rows,
                           const ent_linear *models, double *scores) {
  ent_pass *pass = NULL;
  entropic_status status = ent_pass_create(context, map, &pass);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_pass_scores(context, pass, rows, models, scores);
  ent_pass_free(pass);
  return status;
}

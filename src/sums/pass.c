/* Passes over lifted rows: see pass.h. */
#include "sums/pass.h"

#include "base/memory.h"
#include "base/threads.h"

#define BLOCK_VALUES ((size_t)1 << 18) /* of a lifted block: 2 MB, the size of a cache */
#define MOST_ROWS ((size_t)512)

/* Compressed rows are lifted and read faster when they have this many times fewer values. */
#define SPARSE_COST ((size_t)8)

#define MOST_KEPT ((size_t)1 << 28) /* bytes of lifted rows: up to that many are read faster than they are lifted */

/* Of kept blocks, measured by bench-pass. A product has the sums of so many rows in registers; so it reads a block of
 * them from its first byte to its last. Columns below this share of non-zeros are read faster as compressed rows. */
#define KEPT_ROWS ((size_t)64)
#define KEPT_RARE 0.375

struct ent_pass {
  const ent_map *map;
  ent_dense *rooms; /* for each worker */
  bool dense;
  size_t block_rows, width;
  size_t workers;
  void **scratch;         /* for each worker, as are the next three */
  double *values;         /* block_rows x width */
  int32_t *columns;       /* compressed: block_rows x width */
  size_t *starts;         /* compressed: block_rows + 1 */
  ent_lifted_cache *kept; /* [kept_count] blocks; NULL: none are kept */
  size_t kept_count;
  double rare;   /* as in ent_pass_form */
  bool all_kept; /* a whole pass has filled them: no inputs are needed any more */
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
  for (size_t i = 0; pass->kept != NULL && i < pass->kept_count; i++)
    ent_lifted_cache_clear(&pass->kept[i]);
  ent_delete(pass->kept);
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
  made->block_rows = BLOCK_VALUES / (made->width + 1) / KEPT_ROWS * KEPT_ROWS;
  made->block_rows = made->block_rows < KEPT_ROWS ? KEPT_ROWS : made->block_rows;
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

ent_pass_form ent_pass_form_default(void) {
  return (ent_pass_form){.block_rows = KEPT_ROWS, .rare = KEPT_RARE};
}

entropic_status ent_pass_keep_as(entropic_context *context, ent_pass *pass, size_t rows, ent_pass_form form) {
  if (rows > MOST_KEPT / sizeof *pass->values / (pass->width + 1))
    return ENTROPIC_OK;
  if (form.block_rows < pass->block_rows)
    pass->block_rows = form.block_rows;
  pass->rare = form.rare;
  pass->kept_count = rows / pass->block_rows + 1;
  pass->kept = ent_new(context, pass->kept_count, sizeof *pass->kept);
  return pass->kept == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

entropic_status ent_pass_keep(entropic_context *context, ent_pass *pass, size_t rows) {
  return ent_pass_keep_as(context, pass, rows, ent_pass_form_default());
}

/* A block of the current rows. */
static ent_block block_of_rows(const ent_pass *pass, size_t number) {
  size_t first = number * pass->block_rows, left = pass->rows.rows - first;
  ent_block block = pass->rows;
  block.first += first;
  block.rows = left < pass->block_rows ? left : pass->block_rows;
  block.x = block.x == NULL ? NULL : block.x + first * block.x_stride;
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
    lifted->dense_count = map->features;
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

/* Lifts a block, or finds it where it is kept, and hands it to the task. */
static entropic_status run_block(entropic_context *context, ent_pass *pass, size_t number, size_t lane, int worker) {
  ent_lifted lifted = {
      .block = block_of_rows(pass, number), .features = pass->map->features, .dense = &pass->rooms[worker]};
  ent_lifted_cache *kept = pass->kept == NULL ? NULL : &pass->kept[lifted.block.first / pass->block_rows];
  if (kept == NULL || !ent_lifted_cache_is_filled(kept)) {
    entropic_status status = lift_block(context, pass, worker, &lifted);
    if (status != ENTROPIC_OK)
      return status;
    if (kept != NULL)
      status = ent_lifted_cache_fill(context, &lifted, pass->rare, kept);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (kept != NULL)
    ent_lifted_cache_view(kept, &lifted);
  return pass->task(context, pass->shared, lane, &lifted);
}

/* The blocks of a lane, one after the other. */
static entropic_status run_lane(entropic_context *context, void *shared, size_t lane, int worker) {
  ent_pass *pass = shared;
  for (size_t number = lane; number * pass->block_rows < pass->rows.rows; number += ENT_LANES) {
    entropic_status status = run_block(context, pass, number, lane, worker);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* The next rows: as many blocks for each lane as make it worth to start the threads. */
static entropic_status take_rows(entropic_context *context, ent_pass *pass, const ent_rows *rows) {
  size_t blocks = pass->kept == NULL ? 1 : MOST_ROWS / pass->block_rows, most = ENT_LANES * blocks * pass->block_rows;
  return pass->all_kept ? ent_rows_take_targets(context, rows, most, &pass->rows)
                        : ent_rows_take(context, rows, most, &pass->rows);
}

entropic_status ent_pass_run(entropic_context *context, ent_pass *pass, const ent_rows *rows, ent_pass_task task,
                             void *shared) {
  if (rows->inputs != pass->map->inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rows of %zu inputs do not match features of %zu", rows->inputs,
                    pass->map->inputs);
  pass->task = task;
  pass->shared = shared;
  entropic_status status = rows->rewind(context, rows->self);
  if (status != ENTROPIC_OK)
    return status;
  for (;;) {
    status = take_rows(context, pass, rows);
    if (status != ENTROPIC_OK)
      return status;
    if (pass->rows.rows == 0)
      break;
    size_t blocks = (pass->rows.rows + pass->block_rows - 1) / pass->block_rows;
    status = ent_parallel(context, blocks < ENT_LANES ? blocks : ENT_LANES, run_lane, pass);
    if (status != ENTROPIC_OK)
      return status;
  }
  pass->all_kept = pass->kept != NULL;
  return ENTROPIC_OK;
}

void ent_pass_sum(double *sums, size_t length) {
  for (size_t lane = 1; lane < ENT_LANES; lane++)
    for (size_t i = 0; i < length; i++)
      sums[i] += sums[lane * length + i];
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

/* Scratch memory of a feature map: see pass.h. */

entropic_status ent_scratch_get(entropic_context *context, const ent_map *map, void **scratch, int worker,
                                void **found) {
  if (scratch[worker] == NULL) {
    entropic_status status = map->calls->scratch_create(context, map->self, &scratch[worker]);
    if (status != ENTROPIC_OK)
      return status;
  }
  *found = scratch[worker];
  return ENTROPIC_OK;
}

void ent_scratch_free(const ent_map *map, void **scratch, size_t workers) {
  for (size_t i = 0; scratch != NULL && i < workers; i++)
    if (scratch[i] != NULL)
      map->calls->scratch_free(scratch[i]);
  ent_delete(scratch);
}

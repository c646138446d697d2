/* Collecting rows into statistics.
 *
 * Rows come in blocks. First the rows of a block are lifted and scaled by the root of their weight, with a 1 and their
 * targets as further columns; segments of rows run in parallel. Then the block is added to the Gram matrix; tiles of
 * the matrix, or stripes of columns if rows are sparse, run in parallel.
 *
 * Segments, tiles and stripes depend on the numbers of features and targets alone, and each adds its rows in their
 * order. So the bits do not depend on the number of threads. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "base/blas.h"
#include "solve/products.h"
#include "solve/scratch.h"
#include "solve/statistics.h"

#define SEGMENT_ROWS ((size_t)256)
#define MOST_ROWS ((size_t)4096)
#define OWN_SIZE ((size_t)1024)         /* up to so many columns our own code is at least as fast as BLAS */
#define BLOCK_VALUES ((size_t)1 << 21)  /* of a block; it has at least two segments */
#define STRIPE_VALUES ((size_t)1 << 17) /* of a stripe, which should stay in the cache */

/* The time of a product of two non-zeros, over that of a multiplication and addition in a dense tile. Measured. */
#define SPARSE_COST 25.0

typedef struct ent_collector {
  const ent_map *map;
  const ent_products_code *code; /* dense: our own code; NULL: BLAS */
  const ent_blas *blas;
  size_t targets, size;
  size_t block_rows;
  size_t ld;   /* of z; not a power of two, or columns would share cache sets */
  size_t step; /* from a segment of z to the next */
  bool dense;
  size_t width; /* the most entries of a row */
  size_t tile;  /* columns of a tile or stripe */
  size_t workers;
  void **scratch;
  double *z;        /* dense: block_rows x size, columns ld apart; our code: one segment after the other */
  size_t *starts;   /* sparse: SEGMENT_ROWS + 1 for each segment, from its own first entry on */
  int32_t *columns; /* block_rows x width */
  double *values;
  size_t known;           /* products among the first `known` features are skipped */
  const ent_block *block; /* the current one */
  ent_statistics *statistics;
} ent_collector;

ent_gram_method ent_gram_method_choice(const ent_map *map, size_t targets) {
  double size = (double)(map->features + 1 + targets), width = (double)(map->nonzeros + 1 + targets);
  return SPARSE_COST * width * width < size * size ? ENT_GRAM_SPARSE : ENT_GRAM_DENSE;
}

static void collector_free(ent_collector *c) {
  ent_scratch_free(c->map, c->scratch, c->workers);
  ent_delete(c->z);
  ent_delete(c->starts);
  ent_delete(c->columns);
  ent_delete(c->values);
}

static size_t tile_width(const ent_collector *c) {
  if (c->code != NULL)
    return c->size <= 240 ? 60 : 120; /* multiples of the register tiles of every code */
  if (c->dense)
    return c->size <= 256 ? 64 : c->size <= 1024 ? 128 : 256;
  size_t width = STRIPE_VALUES / c->size;
  return width < 8 ? 8 : width;
}

/* The rows of a block: enough to keep the threads busy. On one thread our own code takes one segment at a time, which
 * stays in the cache. */
static size_t rows_of_block(const ent_collector *c, const entropic_context *context, const ent_rows *rows) {
  size_t block = BLOCK_VALUES / c->width / SEGMENT_ROWS * SEGMENT_ROWS, most = MOST_ROWS;
  if (rows->count > 0 && rows->count < most)
    most = (rows->count + SEGMENT_ROWS - 1) / SEGMENT_ROWS * SEGMENT_ROWS;
  block = block < 2 * SEGMENT_ROWS ? 2 * SEGMENT_ROWS : block;
  block = block > most ? most : block;
  return c->code != NULL && ent_workers(context, block / SEGMENT_ROWS) == 1 ? SEGMENT_ROWS : block;
}

static entropic_status collector_start(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                       ent_gram_method method, ent_collector *c) {
  size_t targets = rows->targets;
  *c = (ent_collector){.map = map, .targets = targets, .size = map->features + 1 + targets};
  int size;
  entropic_status status = ent_blas_size(context, c->size, &size);
  if (status != ENTROPIC_OK)
    return status;
  c->dense = (method == ENT_GRAM_AUTO ? ent_gram_method_choice(map, targets) : method) != ENT_GRAM_SPARSE;
  c->width = c->dense ? c->size : map->nonzeros + 1 + targets;
  c->code = c->dense && method != ENT_GRAM_BLAS && c->size <= OWN_SIZE ? ent_products_best() : NULL;
  c->tile = tile_width(c);
  c->block_rows = rows_of_block(c, context, rows);
  size_t segments = c->block_rows / SEGMENT_ROWS, values;
  c->workers = (size_t)ent_workers(context, segments);
  c->ld = (c->code == NULL ? c->block_rows : SEGMENT_ROWS) + 8;
  c->step = c->code == NULL ? SEGMENT_ROWS : c->ld * c->width;
  if (!ent_multiply(c->block_rows + 8 * segments, c->width, &values))
    values = SIZE_MAX; /* refused below */
  c->scratch = ent_new(context, c->workers, sizeof *c->scratch);
  c->z = ent_new(context, c->dense ? values : 0, sizeof *c->z);
  c->starts = ent_new(context, c->dense ? 0 : segments * (SEGMENT_ROWS + 1), sizeof *c->starts);
  c->columns = ent_new(context, c->dense ? 0 : values, sizeof *c->columns);
  c->values = ent_new(context, c->dense ? 0 : values, sizeof *c->values);
  status = ENTROPIC_NO_MEMORY;
  if (c->scratch == NULL || c->z == NULL || c->starts == NULL || c->columns == NULL || c->values == NULL)
    goto fail;
  status = c->dense ? ent_blas_get(context, &c->blas) : ENTROPIC_OK; /* before there are threads: see blas.h */
  if (status != ENTROPIC_OK)
    goto fail;
  return ENTROPIC_OK;
fail:
  collector_free(c);
  return status;
}

/* Rounds a number of rows up to a multiple of ENT_SUM_LANES. */
static size_t up_to_lanes(size_t rows) {
  return (rows + ENT_SUM_LANES - 1) / ENT_SUM_LANES * ENT_SUM_LANES;
}

/* Lifts a segment into dense columns; rows up to a multiple of ENT_SUM_LANES are zero. */
static entropic_status segment_dense(entropic_context *context, ent_collector *c, size_t first, size_t rows,
                                     void *scratch) {
  const ent_block *block = c->block;
  size_t ld = c->ld, features = c->map->features;
  double *z = c->z + first / SEGMENT_ROWS * c->step, roots[SEGMENT_ROWS];
  entropic_status status = c->map->calls->dense(context, c->map->self, scratch, block->x + first * block->x_stride,
                                                rows, block->x_stride, z, ld);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = 0; r < rows; r++)
    roots[r] = sqrt(ent_weight(block, first + r));
  for (size_t j = 0; block->weights != NULL && j < features; j++)
    for (size_t r = 0; r < rows; r++)
      z[j * ld + r] *= roots[r];
  memcpy(z + features * ld, roots, rows * sizeof *roots);
  for (size_t t = 0; t < c->targets; t++)
    for (size_t r = 0; r < rows; r++)
      z[(features + 1 + t) * ld + r] =
          roots[r] * (block->y[(first + r) * block->y_stride + t] - c->statistics->shift[t]);
  size_t empty = c->code == NULL ? 0 : up_to_lanes(rows) - rows;
  for (size_t j = 0; empty > 0 && j < c->size; j++)
    memset(z + j * ld + rows, 0, empty * sizeof *z);
  return ENTROPIC_OK;
}

/* Lifts a segment into compressed rows. Then it moves the rows apart, from the last one on, to insert the further
 * columns. */
static entropic_status segment_sparse(entropic_context *context, ent_collector *c, size_t first, size_t rows,
                                      void *scratch) {
  const ent_block *block = c->block;
  size_t *starts = c->starts + first / SEGMENT_ROWS * (SEGMENT_ROWS + 1), more = 1 + c->targets;
  int32_t *columns = c->columns + first * c->width, one = (int32_t)c->map->features;
  double *values = c->values + first * c->width;
  entropic_status status = c->map->calls->sparse(context, c->map->self, scratch, block->x + first * block->x_stride,
                                                 rows, block->x_stride, starts, columns, values);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = rows; r-- > 0;) {
    size_t from = starts[r], count = starts[r + 1] - from, to = from + r * more;
    double root = sqrt(ent_weight(block, first + r));
    memmove(columns + to, columns + from, count * sizeof *columns);
    memmove(values + to, values + from, count * sizeof *values);
    for (size_t i = 0; block->weights != NULL && i < count; i++)
      values[to + i] *= root;
    for (size_t t = 0; t < more; t++) {
      columns[to + count + t] = one + (int32_t)t;
      values[to + count + t] =
          t == 0 ? root : root * (block->y[(first + r) * block->y_stride + t - 1] - c->statistics->shift[t - 1]);
    }
  }
  for (size_t r = 0; r <= rows; r++)
    starts[r] += r * more;
  return ENTROPIC_OK;
}

static entropic_status lift_segment(entropic_context *context, void *shared, size_t segment, int worker) {
  ent_collector *c = shared;
  size_t first = segment * SEGMENT_ROWS, left = c->block->rows - first;
  size_t rows = left < SEGMENT_ROWS ? left : SEGMENT_ROWS;
  void *scratch;
  entropic_status status = ent_scratch_get(context, c->map, c->scratch, worker, &scratch);
  if (status != ENTROPIC_OK)
    return status;
  return c->dense ? segment_dense(context, c, first, rows, scratch) : segment_sparse(context, c, first, rows, scratch);
}

/* Adds the block to a tile of the Gram matrix by our own code, segment by segment. */
static void add_own_tile(ent_collector *c, size_t top, size_t rows, size_t left, size_t columns, double *out) {
  for (size_t first = 0; first < c->block->rows; first += SEGMENT_ROWS) {
    const double *z = c->z + first / SEGMENT_ROWS * c->step;
    size_t count = c->block->rows - first < SEGMENT_ROWS ? c->block->rows - first : SEGMENT_ROWS;
    c->code->add(z + top * c->ld, rows, z + left * c->ld, columns, c->ld, up_to_lanes(count), out, c->size);
  }
}

/* Adds the block to a tile. The tiles of the upper triangle are numbered column by column. */
static entropic_status add_tile(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context, (void)worker;
  ent_collector *c = shared;
  size_t j = (size_t)((sqrt(8.0 * (double)task + 1) - 1) / 2);
  while (j * (j + 1) / 2 > task)
    j--;
  while ((j + 1) * (j + 2) / 2 <= task)
    j++;
  size_t i = task - j * (j + 1) / 2, top = i * c->tile, left = j * c->tile;
  if (left + c->tile <= c->known)
    return ENTROPIC_OK;
  int rows = (int)(c->size - top < c->tile ? c->size - top : c->tile);
  int columns = (int)(c->size - left < c->tile ? c->size - left : c->tile);
  int ld = (int)c->ld, size = (int)c->size, count = (int)c->block->rows;
  double *out = c->statistics->gram + left * c->size + top;
  if (c->code != NULL)
    add_own_tile(c, top, (size_t)rows, left, (size_t)columns, out);
  else if (i == j)
    c->blas->dsyrk(ENT_COL_MAJOR, ENT_UPPER, ENT_TRANS, rows, count, 1, c->z + top * c->ld, ld, 1, out, size);
  else
    c->blas->dgemm(ENT_COL_MAJOR, ENT_TRANS, ENT_NO_TRANS, rows, columns, count, 1, c->z + top * c->ld, ld,
                   c->z + left * c->ld, ld, 1, out, size);
  return ENTROPIC_OK;
}

/* The first entry of a row in column `column` or later. */
static size_t first_at(const int32_t *columns, size_t count, size_t column) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((size_t)columns[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Adds the block to a stripe of columns, by products of non-zeros. */
static entropic_status add_stripe(entropic_context *context, void *shared, size_t stripe, int worker) {
  (void)context, (void)worker;
  ent_collector *c = shared;
  size_t first = stripe * c->tile, end = first + c->tile;
  if (end <= c->known)
    return ENTROPIC_OK;
  for (size_t r = 0; r < c->block->rows; r++) {
    size_t segment = r / SEGMENT_ROWS, place = segment * SEGMENT_ROWS * c->width;
    const size_t *starts = c->starts + segment * (SEGMENT_ROWS + 1) + r % SEGMENT_ROWS;
    const int32_t *columns = c->columns + place + starts[0];
    const double *values = c->values + place + starts[0];
    size_t count = starts[1] - starts[0];
    for (size_t j = first_at(columns, count, first); j < count && (size_t)columns[j] < end; j++) {
      double *out = c->statistics->gram + (size_t)columns[j] * c->size, value = values[j];
      for (size_t i = 0; i <= j; i++)
        out[columns[i]] += value * values[i];
    }
  }
  return ENTROPIC_OK;
}

/* Adds a block of at most block_rows rows. */
static entropic_status collector_add(entropic_context *context, ent_collector *c, ent_statistics *statistics,
                                     const ent_block *block) {
  c->block = block;
  c->statistics = statistics;
  double start = ent_seconds();
  entropic_status status = ent_parallel(context, (block->rows + SEGMENT_ROWS - 1) / SEGMENT_ROWS, lift_segment, c);
  if (status != ENTROPIC_OK)
    return status;
  double lifted = ent_seconds();
  size_t tiles = (c->size + c->tile - 1) / c->tile;
  status = c->dense ? ent_parallel(context, tiles * (tiles + 1) / 2, add_tile, c)
                    : ent_parallel(context, tiles, add_stripe, c);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = 0; r < block->rows; r++) {
    double weight = ent_weight(block, r);
    statistics->weight += weight;
    statistics->rows += weight > 0;
  }
  statistics->lift_seconds += lifted - start;
  statistics->gram_seconds += ent_seconds() - lifted;
  return ENTROPIC_OK;
}

static entropic_status check_shapes(entropic_context *context, const ent_statistics *statistics, const ent_map *map,
                                    const ent_rows *rows) {
  if (map->inputs != rows->inputs || map->features != statistics->features || rows->targets != statistics->targets)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "rows of %zu inputs and %zu targets, a map of %zu inputs and %zu features, statistics of %zu "
                    "features and %zu targets: they do not go together",
                    rows->inputs, rows->targets, map->inputs, map->features, statistics->features, statistics->targets);
  return ENTROPIC_OK;
}

static void report_rows(const entropic_context *context, const ent_rows *rows, size_t done) {
  if (rows->count > 0)
    ent_progress_report(context, (double)done / (double)rows->count);
}

entropic_status ent_statistics_collect(entropic_context *context, ent_statistics *statistics, const ent_map *map,
                                       const ent_rows *rows, ent_gram_method method) {
  return ent_statistics_extend(context, statistics, 0, map, rows, method);
}

entropic_status ent_statistics_of_rows(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                       ent_statistics **statistics) {
  ent_statistics *made = NULL;
  entropic_status status = ent_statistics_create(context, map->features, rows->targets, NULL, &made);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_statistics_collect(context, made, map, rows, ENT_GRAM_AUTO);
  if (status != ENTROPIC_OK)
    goto fail;
  *statistics = made;
  return ENTROPIC_OK;
fail:
  ent_statistics_free(made);
  return status;
}

entropic_status ent_statistics_extend(entropic_context *context, ent_statistics *statistics, size_t known,
                                      const ent_map *map, const ent_rows *rows, ent_gram_method method) {
  ent_collector collector;
  entropic_status status = check_shapes(context, statistics, map, rows);
  if (status != ENTROPIC_OK)
    return status;
  status = collector_start(context, map, rows, method, &collector);
  if (status != ENTROPIC_OK)
    return status;
  collector.known = known;
  status = rows->rewind(context, rows->self);
  if (status != ENTROPIC_OK)
    goto done;
  for (;;) {
    ent_block block;
    status = ent_rows_take(context, rows, collector.block_rows, &block);
    if (status != ENTROPIC_OK || block.rows == 0)
      goto done;
    status = collector_add(context, &collector, statistics, &block);
    if (status != ENTROPIC_OK)
      goto done;
    report_rows(context, rows, block.first + block.rows);
  }
done:
  collector_free(&collector);
  return status;
}

/* Rows of one fold, gathered until they fill a block. */
typedef struct ent_fold_buffer {
  size_t rows;
  double *x, *y, *weights;
} ent_fold_buffer;

/* Sorts rows by fold. */
typedef struct ent_fold_sorter {
  const ent_statistics_folds *folds;
  const ent_rows *rows;
  ent_collector collector;
  ent_fold_buffer *buffers; /* [folds] */
} ent_fold_sorter;

static void buffers_free(ent_fold_sorter *sorter) {
  for (size_t k = 0; sorter->buffers != NULL && k < sorter->folds->count; k++) {
    ent_delete(sorter->buffers[k].x);
    ent_delete(sorter->buffers[k].y);
    ent_delete(sorter->buffers[k].weights);
  }
  ent_delete(sorter->buffers);
}

/* On failure buffers_free releases what was allocated. */
static entropic_status buffers_create(entropic_context *context, ent_fold_sorter *sorter) {
  const ent_rows *rows = sorter->rows;
  size_t capacity = sorter->collector.block_rows;
  sorter->buffers = ent_new(context, sorter->folds->count, sizeof *sorter->buffers);
  if (sorter->buffers == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t k = 0; k < sorter->folds->count; k++) {
    ent_fold_buffer *buffer = &sorter->buffers[k];
    buffer->x = ent_new(context, capacity * rows->inputs, sizeof *buffer->x);
    buffer->y = ent_new(context, capacity * rows->targets, sizeof *buffer->y);
    buffer->weights = ent_new(context, capacity, sizeof *buffer->weights);
    if (buffer->x == NULL || buffer->y == NULL || buffer->weights == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  return ENTROPIC_OK;
}

/* Adds the gathered rows of fold k to its statistics. */
static entropic_status flush(entropic_context *context, ent_fold_sorter *sorter, size_t k) {
  ent_fold_buffer *buffer = &sorter->buffers[k];
  ent_block block = {.rows = buffer->rows,
                     .x = buffer->x,
                     .x_stride = sorter->rows->inputs,
                     .y = buffer->y,
                     .y_stride = sorter->rows->targets,
                     .weights = buffer->weights};
  buffer->rows = 0;
  return block.rows == 0 ? ENTROPIC_OK
                         : collector_add(context, &sorter->collector, sorter->folds->statistics[k], &block);
}

/* Copies the rows of a block to the buffers of their folds. */
static entropic_status sort_block(entropic_context *context, ent_fold_sorter *sorter, const ent_block *block) {
  const ent_rows *rows = sorter->rows;
  for (size_t r = 0; r < block->rows; r++) {
    size_t k = sorter->folds->fold(sorter->folds->user, block->first + r);
    if (k >= sorter->folds->count)
      continue;
    ent_fold_buffer *to = &sorter->buffers[k];
    memcpy(to->x + to->rows * rows->inputs, block->x + r * block->x_stride, rows->inputs * sizeof *to->x);
    memcpy(to->y + to->rows * rows->targets, block->y + r * block->y_stride, rows->targets * sizeof *to->y);
    to->weights[to->rows++] = ent_weight(block, r);
    if (to->rows < sorter->collector.block_rows)
      continue;
    entropic_status status = flush(context, sorter, k);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status sort_rows(entropic_context *context, ent_fold_sorter *sorter) {
  const ent_rows *rows = sorter->rows;
  entropic_status status = rows->rewind(context, rows->self);
  if (status != ENTROPIC_OK)
    return status;
  ent_block block = {.rows = 1};
  while (block.rows > 0) {
    status = ent_rows_take(context, rows, sorter->collector.block_rows, &block);
    if (status != ENTROPIC_OK)
      return status;
    status = sort_block(context, sorter, &block);
    if (status != ENTROPIC_OK)
      return status;
    report_rows(context, rows, block.first + block.rows);
  }
  for (size_t k = 0; k < sorter->folds->count; k++) {
    status = flush(context, sorter, k);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_statistics_collect_folds(entropic_context *context, const ent_statistics_folds *folds,
                                             const ent_map *map, const ent_rows *rows, ent_gram_method method) {
  entropic_status status;
  for (size_t k = 0; k < folds->count; k++) {
    status = check_shapes(context, folds->statistics[k], map, rows);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_fold_sorter sorter = {.folds = folds, .rows = rows};
  status = collector_start(context, map, rows, method, &sorter.collector);
  if (status != ENTROPIC_OK)
    return status;
  status = buffers_create(context, &sorter);
  if (status != ENTROPIC_OK)
    goto done;
  status = sort_rows(context, &sorter);
done:
  buffers_free(&sorter);
  collector_free(&sorter.collector);
  return status;
}

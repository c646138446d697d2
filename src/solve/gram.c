/* Rows into statistics.
 *
 * Rows come in blocks. Of each block first the rows are lifted, scaled by the root of their weight, and given a 1 and
 * their targets as further columns, segments of rows side by side on the threads; then every piece of the matrix of
 * products takes what the block adds to it, pieces side by side. Segments and pieces depend on the numbers of features
 * and targets alone, and each piece adds its segments, or with BLAS its blocks, in the order of the rows, so the bits do
 * not depend on the threads. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "base/blas.h"
#include "solve/products.h"
#include "solve/statistics.h"

#define SEGMENT_ROWS ((size_t)256)
#define MOST_ROWS ((size_t)4096)
#define OWN_SIZE ((size_t)1024)         /* up to so many columns our own code is as fast as BLAS, or faster */
#define BLOCK_VALUES ((size_t)1 << 21)  /* of a dense block, unless that is less than two segments */
#define STRIPE_VALUES ((size_t)1 << 17) /* of a stripe of the matrix, which should stay in the cache */

/* Measured: the time of one product of two non-zeros over that of one multiplication and addition of a dense tile. */
#define SPARSE_COST 25.0

typedef struct ent_collector {
  const ent_map *map;
  const ent_products_code *code; /* dense: of the products; NULL: BLAS */
  const ent_blas *blas;
  size_t targets, size;
  size_t block_rows;
  size_t ld;   /* of z: not a power of two, or columns would fight for the same places in the cache */
  size_t step; /* from a segment of z to the next */
  bool dense;
  size_t width; /* entries a row at most */
  size_t tile;  /* columns of a tile or stripe */
  size_t workers;
  void **scratch;
  double *z;        /* dense: block_rows x size, columns ld apart; our code: one segment after the other */
  size_t *starts;   /* sparse: SEGMENT_ROWS + 1 for each segment, from its own first entry on */
  int32_t *columns; /* block_rows x width */
  double *values;
  size_t known;           /* products among so many of the first features are not wanted */
  const ent_block *block; /* the one at hand */
  ent_statistics *statistics;
} ent_collector;

ent_gram_method ent_gram_method_choice(const ent_map *map, size_t targets) {
  double size = (double)(map->features + 1 + targets), width = (double)(map->nonzeros + 1 + targets);
  return SPARSE_COST * width * width < size * size ? ENT_GRAM_SPARSE : ENT_GRAM_DENSE;
}

static void collector_free(ent_collector *c) {
  for (size_t i = 0; c->scratch != NULL && i < c->workers; i++)
    if (c->scratch[i] != NULL)
      c->map->calls->scratch_free(c->scratch[i]);
  ent_delete(c->scratch);
  ent_delete(c->z);
  ent_delete(c->starts);
  ent_delete(c->columns);
  ent_delete(c->values);
}

static size_t tile_width(const ent_collector *c) {
  if (c->code != NULL)
    return c->size <= 240 ? 60 : 120; /* whole patches of every code */
  if (c->dense)
    return c->size <= 256 ? 64 : c->size <= 1024 ? 128 : 256;
  size_t width = STRIPE_VALUES / c->size;
  return width < 8 ? 8 : width;
}

/* Rows of a block: enough to keep the threads busy. Our code on one thread takes a segment at a time, which stays in the
 * cache. */
static size_t rows_of_block(const ent_collector *c, const entropic_context *context, const ent_rows *rows) {
  size_t block = BLOCK_VALUES / c->width / SEGMENT_ROWS * SEGMENT_ROWS, most = MOST_ROWS;
  if (rows->count > 0 && rows->count < most)
    most = (rows->count + SEGMENT_ROWS - 1) / SEGMENT_ROWS * SEGMENT_ROWS;
  block = block < 2 * SEGMENT_ROWS ? 2 * SEGMENT_ROWS : block;
  block = block > most ? most : block;
  return c->code != NULL && ent_workers(context, block / SEGMENT_ROWS) == 1 ? SEGMENT_ROWS : block;
}

static entropic_status collector_start(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                       ent_gram_method path, ent_collector *c) {
  size_t targets = rows->targets;
  *c = (ent_collector){.map = map, .targets = targets, .size = map->features + 1 + targets};
  int size;
  entropic_status status = ent_blas_size(context, c->size, &size);
  if (status != ENTROPIC_OK)
    return status;
  c->dense = (path == ENT_GRAM_AUTO ? ent_gram_method_choice(map, targets) : path) != ENT_GRAM_SPARSE;
  c->width = c->dense ? c->size : map->nonzeros + 1 + targets;
  c->code = c->dense && path != ENT_GRAM_BLAS && c->size <= OWN_SIZE ? ent_products_best() : NULL;
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
  if (c->scratch != NULL && c->z != NULL && c->starts != NULL && c->columns != NULL && c->values != NULL)
    status = c->dense ? ent_blas_get(context, &c->blas) : ENTROPIC_OK; /* what follows will need it: see blas.h */
  if (status != ENTROPIC_OK)
    collector_free(c);
  return status;
}

static size_t up_to_lanes(size_t rows) {
  return (rows + ENT_SUM_LANES - 1) / ENT_SUM_LANES * ENT_SUM_LANES;
}

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

/* Lifts into the place of the segment, then moves the rows apart, from the last on, to make room for the further
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
  if (c->scratch[worker] == NULL) {
    entropic_status status = c->map->calls->scratch_create(context, c->map->self, &c->scratch[worker]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return c->dense ? segment_dense(context, c, first, rows, c->scratch[worker])
                  : segment_sparse(context, c, first, rows, c->scratch[worker]);
}

/* A tile by our own code, segment by segment. */
static void add_own_tile(ent_collector *c, size_t top, size_t rows, size_t left, size_t columns, double *out) {
  for (size_t first = 0; first < c->block->rows; first += SEGMENT_ROWS) {
    const double *z = c->z + first / SEGMENT_ROWS * c->step;
    size_t count = c->block->rows - first < SEGMENT_ROWS ? c->block->rows - first : SEGMENT_ROWS;
    c->code->add(z + top * c->ld, rows, z + left * c->ld, columns, c->ld, up_to_lanes(count), out, c->size);
  }
}

/* Tiles are numbered column by column of the upper triangle. */
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

/* The first of the entries that is in column `column` or later. */
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
  size_t pieces = (c->size + c->tile - 1) / c->tile;
  status = c->dense ? ent_parallel(context, pieces * (pieces + 1) / 2, add_tile, c)
                    : ent_parallel(context, pieces, add_stripe, c);
  for (size_t r = 0; r < block->rows && status == ENTROPIC_OK; r++) {
    double weight = ent_weight(block, r);
    statistics->weight += weight;
    statistics->rows += weight > 0;
  }
  statistics->lift_seconds += lifted - start;
  statistics->gram_seconds += ent_seconds() - lifted;
  return status;
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

static void tell_rows(const entropic_context *context, const ent_rows *rows, size_t done) {
  if (rows->count > 0)
    ent_progress_report(context, (double)done / (double)rows->count);
}

entropic_status ent_statistics_collect(entropic_context *context, ent_statistics *statistics, const ent_map *map,
                                       const ent_rows *rows, ent_gram_method path) {
  return ent_statistics_extend(context, statistics, 0, map, rows, path);
}

entropic_status ent_statistics_extend(entropic_context *context, ent_statistics *statistics, size_t known,
                                      const ent_map *map, const ent_rows *rows, ent_gram_method path) {
  ent_collector collector;
  entropic_status status = check_shapes(context, statistics, map, rows);
  if (status == ENTROPIC_OK)
    status = collector_start(context, map, rows, path, &collector);
  if (status != ENTROPIC_OK)
    return status;
  collector.known = known;
  status = rows->rewind(context, rows->self);
  while (status == ENTROPIC_OK) {
    ent_block block;
    status = ent_rows_take(context, rows, collector.block_rows, &block);
    if (status != ENTROPIC_OK || block.rows == 0)
      break;
    status = collector_add(context, &collector, statistics, &block);
    tell_rows(context, rows, block.first + block.rows);
  }
  collector_free(&collector);
  return status;
}

/* Rows of one fold, waiting to be a block. */
typedef struct ent_waiting {
  size_t rows;
  double *x, *y, *weights;
} ent_waiting;

static entropic_status flush(entropic_context *context, ent_collector *c, ent_statistics *statistics, size_t inputs,
                             ent_waiting *waiting) {
  ent_block block = {.rows = waiting->rows,
                     .x = waiting->x,
                     .x_stride = inputs,
                     .y = waiting->y,
                     .y_stride = c->targets,
                     .weights = waiting->weights};
  waiting->rows = 0;
  return block.rows == 0 ? ENTROPIC_OK : collector_add(context, c, statistics, &block);
}

static entropic_status deal_out(entropic_context *context, ent_collector *c, ent_statistics *const *folds, size_t count,
                                ent_fold fold, void *user, const ent_rows *rows, ent_waiting *waiting) {
  entropic_status status = rows->rewind(context, rows->self);
  ent_block block = {.rows = 1};
  while (status == ENTROPIC_OK && block.rows > 0) {
    status = ent_rows_take(context, rows, c->block_rows, &block);
    for (size_t r = 0; status == ENTROPIC_OK && r < block.rows; r++) {
      size_t k = fold(user, block.first + r);
      if (k >= count)
        continue;
      ent_waiting *to = &waiting[k];
      memcpy(to->x + to->rows * rows->inputs, block.x + r * block.x_stride, rows->inputs * sizeof *to->x);
      memcpy(to->y + to->rows * rows->targets, block.y + r * block.y_stride, rows->targets * sizeof *to->y);
      to->weights[to->rows++] = ent_weight(&block, r);
      if (to->rows == c->block_rows)
        status = flush(context, c, folds[k], rows->inputs, to);
    }
    tell_rows(context, rows, block.first + block.rows);
  }
  for (size_t k = 0; k < count && status == ENTROPIC_OK; k++)
    status = flush(context, c, folds[k], rows->inputs, &waiting[k]);
  return status;
}

entropic_status ent_statistics_collect_folds(entropic_context *context, ent_statistics *const *folds, size_t count,
                                             ent_fold fold, void *user, const ent_map *map, const ent_rows *rows,
                                             ent_gram_method path) {
  ent_collector collector;
  entropic_status status = ENTROPIC_OK;
  for (size_t k = 0; k < count && status == ENTROPIC_OK; k++)
    status = check_shapes(context, folds[k], map, rows);
  if (status == ENTROPIC_OK)
    status = collector_start(context, map, rows, path, &collector);
  if (status != ENTROPIC_OK)
    return status;
  ent_waiting *waiting = ent_new(context, count, sizeof *waiting);
  bool complete = waiting != NULL;
  for (size_t k = 0; complete && k < count; k++) {
    waiting[k].x = ent_new(context, collector.block_rows * rows->inputs, sizeof *waiting[k].x);
    waiting[k].y = ent_new(context, collector.block_rows * rows->targets, sizeof *waiting[k].y);
    waiting[k].weights = ent_new(context, collector.block_rows, sizeof *waiting[k].weights);
    complete = waiting[k].x != NULL && waiting[k].y != NULL && waiting[k].weights != NULL;
  }
  status = complete ? deal_out(context, &collector, folds, count, fold, user, rows, waiting) : ENTROPIC_NO_MEMORY;
  for (size_t k = 0; waiting != NULL && k < count; k++) {
    ent_delete(waiting[k].x);
    ent_delete(waiting[k].y);
    ent_delete(waiting[k].weights);
  }
  ent_delete(waiting);
  collector_free(&collector);
  return status;
}

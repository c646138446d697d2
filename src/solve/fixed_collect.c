/* Collecting rows into fixed-point statistics.
 *
 * The first rows tell how dense the columns are, hence the layout. Then every worker lifts and packs a block of rows, and
 * all workers multiply these blocks. Sums are integers, so nothing depends on who does what. */
#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "solve/fixed_sums.h"
#include "solve/scratch.h"

#define SEGMENT_ROWS ((size_t)128) /* lifted at a time; they stay in the cache until they are packed */
#define MOST_BLOCKS ((size_t)8)    /* at a time */

/* Rows of a block. With fewer the lists of rare columns are too short, with more the caches too small. Measured by
 * bench-fixed, 128 to 512 rows. Blocks of many columns have fewer, which keeps memory in bounds. */
#define BLOCK_ROWS ((size_t)384)
#define BLOCK_VALUES ((size_t)1 << 20)
#define FEWEST_ROWS ((size_t)64)

/* Mean densities from which on a panel is multiplied in tiles, and from which on it is stored as a panel. Measured by
 * bench-fixed. */
#define FULL_DENSITY 0.75
#define PANEL_DENSITY (1 / 32.0)

/* A map with more non-zeros than this share of its features is lifted densely. */
#define DENSE_SHARE 0.5

/* The lifted rows of a worker. */
typedef struct ent_fixed_segment {
  void *scratch;
  double *values;   /* SEGMENT_ROWS x width */
  int32_t *columns; /* compressed only, as the next */
  size_t *starts;
} ent_fixed_segment;

typedef struct ent_fixed_collector {
  ent_fixed *fixed;
  ent_fixed *flushed; /* of rows beyond ENT_FIXED_SUM_ROWS; NULL before there are any */
  const ent_map *map;
  bool dense;
  size_t width;
  ent_fixed_options options;
  size_t workers;
  ent_fixed_segment *segments; /* [workers] */
  ent_fixed_layout *layout;
  ent_fixed_format *format;
  ent_fixed_sums *sums;
  ent_fixed_block **blocks; /* [workers] */
  ent_block rows;           /* the current ones */
} ent_fixed_collector;

ent_fixed_options ent_fixed_options_default(ent_grade grade) {
  const ent_fixed_code *codes[ENT_FIXED_MOST_CODES];
  ent_fixed_codes(grade, codes);
  return (ent_fixed_options){.full = FULL_DENSITY, .dense = PANEL_DENSITY, .block_rows = BLOCK_ROWS, .code = codes[0]};
}

static void collector_free(ent_fixed_collector *c) {
  for (size_t i = 0; i < c->workers; i++) {
    if (c->segments != NULL && c->segments[i].scratch != NULL)
      c->map->calls->scratch_free(c->segments[i].scratch);
    if (c->segments != NULL) {
      ent_delete(c->segments[i].values);
      ent_delete(c->segments[i].columns);
      ent_delete(c->segments[i].starts);
    }
    if (c->blocks != NULL)
      ent_fixed_block_free(c->blocks[i]);
  }
  ent_delete(c->segments);
  ent_delete(c->blocks);
  ent_fixed_sums_free(c->sums);
  ent_fixed_format_free(c->format);
  ent_fixed_layout_free(c->layout);
  ent_fixed_free(c->flushed);
}

static entropic_status segment_create(entropic_context *context, const ent_fixed_collector *c,
                                      ent_fixed_segment *segment) {
  size_t width = c->dense ? c->map->features : c->map->nonzeros;
  segment->values = ent_new_matrix(context, SEGMENT_ROWS, width, sizeof *segment->values);
  segment->columns = ent_new_matrix(context, c->dense ? 0 : SEGMENT_ROWS, width, sizeof *segment->columns);
  segment->starts = ent_new(context, c->dense ? 0 : SEGMENT_ROWS + 1, sizeof *segment->starts);
  if (segment->values == NULL || segment->columns == NULL || segment->starts == NULL)
    return ENTROPIC_NO_MEMORY;
  return c->map->calls->scratch_create(context, c->map->self, &segment->scratch);
}

/* On failure collector_free releases what was allocated. */
static entropic_status collector_start(entropic_context *context, ent_fixed_collector *c) {
  c->workers = (size_t)ent_workers(context, MOST_BLOCKS);
  c->dense = (double)c->map->nonzeros > DENSE_SHARE * (double)c->map->features;
  c->width = (c->dense ? c->map->features : c->map->nonzeros) + 1 + c->fixed->targets;
  size_t most = BLOCK_VALUES / c->fixed->size;
  most = most < FEWEST_ROWS ? FEWEST_ROWS : most;
  if (c->options.block_rows > most)
    c->options.block_rows = most;
  c->segments = ent_new(context, c->workers, sizeof *c->segments);
  c->blocks = ent_new(context, c->workers, sizeof(ent_fixed_block *));
  if (c->segments == NULL || c->blocks == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < c->workers; i++) {
    entropic_status status = segment_create(context, c, &c->segments[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Lifts `count` of the current rows, from number `first` on. */
static entropic_status lift_rows(entropic_context *context, const ent_fixed_collector *c, size_t first, size_t count,
                                 const ent_fixed_segment *to, ent_lifted *lifted) {
  const ent_block *rows = &c->rows;
  const double *x = rows->x + first * rows->x_stride;
  *lifted = (ent_lifted){.block = *rows, .features = c->map->features, .ld = SEGMENT_ROWS};
  lifted->block.first += first;
  lifted->block.rows = count;
  lifted->block.x = x;
  lifted->block.y = rows->y == NULL ? NULL : rows->y + first * rows->y_stride;
  lifted->block.weights = rows->weights == NULL ? NULL : rows->weights + first;
  if (c->dense) {
    lifted->z = to->values;
    return c->map->calls->dense(context, c->map->self, to->scratch, x, count, rows->x_stride, to->values, SEGMENT_ROWS);
  }
  lifted->starts = to->starts;
  lifted->columns = to->columns;
  lifted->values = to->values;
  return c->map->calls->sparse(context, c->map->self, to->scratch, x, count, rows->x_stride, to->starts, to->columns,
                               to->values);
}

static void count_nonzeros(const ent_lifted *lifted, double *counts) {
  size_t rows = lifted->block.rows;
  for (size_t j = 0; lifted->z != NULL && j < lifted->features; j++)
    for (size_t r = 0; r < rows; r++)
      counts[j] += lifted->z[j * lifted->ld + r] != 0;
  // z or starts is there. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
  for (size_t i = 0; lifted->z == NULL && i < lifted->starts[rows]; i++)
    counts[lifted->columns[i]] += 1;
}

/* The layout by the densities of the current rows. */
static entropic_status make_layout(entropic_context *context, ent_fixed_collector *c) {
  size_t size = c->fixed->size, features = c->fixed->features, rows = c->rows.rows;
  double *densities = ent_new(context, size, sizeof *densities);
  if (densities == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  for (size_t first = 0; first < rows; first += SEGMENT_ROWS) {
    ent_lifted lifted;
    size_t count = rows - first < SEGMENT_ROWS ? rows - first : SEGMENT_ROWS;
    status = lift_rows(context, c, first, count, &c->segments[0], &lifted);
    if (status != ENTROPIC_OK)
      goto done;
    count_nonzeros(&lifted, densities);
  }
  for (size_t j = 0; j < size; j++)
    densities[j] = j >= features ? 1 : rows == 0 ? 0 : densities[j] / (double)rows;
  status = ent_fixed_layout_create(context, densities, size, c->options.full, c->options.dense, &c->layout);
done:
  ent_delete(densities);
  return status;
}

static entropic_status make_blocks(entropic_context *context, ent_fixed_collector *c) {
  entropic_status status = ent_fixed_format_create(context, c->fixed, c->layout, &c->options, c->width, &c->format);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_fixed_sums_create(context, c->format, &c->sums);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < c->workers; i++) {
    status = ent_fixed_block_create(context, c->format, &c->blocks[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Lifts and packs one block of the current rows. */
static entropic_status pack_block(entropic_context *context, void *shared, size_t task, int worker) {
  ent_fixed_collector *c = shared;
  size_t first = task * c->options.block_rows, end = first + c->options.block_rows;
  end = end < c->rows.rows ? end : c->rows.rows;
  ent_fixed_block_clear(c->blocks[task]);
  for (; first < end; first += SEGMENT_ROWS) {
    ent_lifted lifted;
    size_t count = end - first < SEGMENT_ROWS ? end - first : SEGMENT_ROWS;
    entropic_status status = lift_rows(context, c, first, count, &c->segments[worker], &lifted);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_fixed_block_add(context, c->blocks[task], &lifted);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_fixed_block_finish(c->blocks[task]);
  return ENTROPIC_OK;
}

/* Makes room for more sums. They do not go to the caller's statistics before all rows are in. */
static entropic_status flush(entropic_context *context, ent_fixed_collector *c) {
  if (c->flushed == NULL) {
    ent_fixed_shape shape = ent_fixed_shape_of(c->fixed);
    entropic_status status = ent_fixed_create(context, &shape, &c->flushed);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_fixed_sums_flush(c->sums, c->flushed);
  return ENTROPIC_OK;
}

/* Adds the current rows. */
static entropic_status add_rows(entropic_context *context, ent_fixed_collector *c) {
  size_t count = (c->rows.rows + c->options.block_rows - 1) / c->options.block_rows;
  entropic_status status = ent_parallel(context, count, pack_block, c);
  if (status != ENTROPIC_OK)
    return status;
  if (c->rows.rows > ENT_FIXED_SUM_ROWS - c->sums->rows) {
    status = flush(context, c);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ent_fixed_sums_add(context, c->sums, c->blocks, count);
}

static entropic_status check_collect(entropic_context *context, const ent_fixed *fixed, const ent_map *map,
                                     const ent_rows *rows, const ent_fixed_options *options) {
  if (map->inputs != rows->inputs || map->features != fixed->features || rows->targets != fixed->targets)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "rows of %zu inputs and %zu targets, a map of %zu inputs and %zu features, statistics of %zu "
                    "features and %zu targets: they do not go together",
                    rows->inputs, rows->targets, map->inputs, map->features, fixed->features, fixed->targets);
  if (options->code->wide && fixed->grade != ENT_GRADE_EXACT)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the code \"%s\" is for the exact grade alone",
                    options->code->name);
  if (options->block_rows == 0 || options->block_rows > ENT_FIXED_BLOCK_ROWS)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "blocks of %zu rows; expected 1 to %zu", options->block_rows,
                    ENT_FIXED_BLOCK_ROWS);
  return ENTROPIC_OK;
}

/* Adds all rows to the sums. */
static entropic_status collect_rows(entropic_context *context, ent_fixed_collector *c, const ent_rows *rows) {
  entropic_status status = rows->rewind(context, rows->self);
  if (status != ENTROPIC_OK)
    return status;
  uint64_t done = c->fixed->rows;
  for (;;) {
    status = ent_rows_take(context, rows, c->workers * c->options.block_rows, &c->rows);
    if (status != ENTROPIC_OK || c->rows.rows == 0)
      return status;
    done += c->rows.rows;
    if (done > ENT_FIXED_MOST_ROWS)
      return ent_fail(context, ENTROPIC_TOO_LARGE, "statistics of more than %llu rows",
                      (unsigned long long)ENT_FIXED_MOST_ROWS);
    status = add_rows(context, c);
    if (status != ENTROPIC_OK)
      return status;
    if (rows->count > 0)
      ent_progress_report(context, (double)(c->rows.first + c->rows.rows) / (double)rows->count);
  }
}

entropic_status ent_fixed_collect(entropic_context *context, ent_fixed *fixed, const ent_map *map, const ent_rows *rows,
                                  const ent_fixed_options *options) {
  ENT_NEED(context, fixed);
  ENT_NEED(context, map);
  ENT_NEED(context, rows);
  ent_fixed_collector c = {.fixed = fixed, .map = map};
  c.options = options == NULL ? ent_fixed_options_default(fixed->grade) : *options;
  entropic_status status = check_collect(context, fixed, map, rows, &c.options);
  if (status != ENTROPIC_OK)
    return status;
  status = collector_start(context, &c);
  if (status != ENTROPIC_OK)
    goto done;
  status = rows->rewind(context, rows->self);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_rows_take(context, rows, ENT_FIXED_BLOCK_ROWS, &c.rows);
  if (status != ENTROPIC_OK)
    goto done;
  status = make_layout(context, &c);
  if (status != ENTROPIC_OK)
    goto done;
  status = make_blocks(context, &c);
  if (status != ENTROPIC_OK)
    goto done;
  status = collect_rows(context, &c, rows);
  if (status != ENTROPIC_OK)
    goto done;
  if (c.flushed != NULL) /* cannot fail: same shape, and rows have been counted */
    status = ent_fixed_add(context, fixed, c.flushed);
  ent_fixed_sums_flush(c.sums, fixed);
done:
  collector_free(&c);
  return status;
}

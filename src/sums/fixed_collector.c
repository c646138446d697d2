/* Collecting rows in fixed point: see fixed_collector.h.
 *
 * The first rows tell how dense the columns are, hence the layout. Every worker lifts and packs a block of rows, and all
 * workers multiply these blocks. Sums are integers, so nothing depends on who does what. */
#include "sums/fixed_collector.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"

#define SEGMENT_ROWS ((size_t)128)    /* lifted at a time; they stay in the cache until they are packed */
#define SEGMENT_LD (SEGMENT_ROWS + 8) /* no power of two, or columns would share cache sets */
#define MOST_BLOCKS ((size_t)8)       /* at a time */

/* Rows of a block. With fewer the lists of rare columns are too short, with more the caches too small. Measured by
 * bench-fixed, 128 to 512 rows. Blocks of many columns have fewer, which keeps memory in bounds. */
#define BLOCK_ROWS ((size_t)384)
#define SMALL_BLOCK_ROWS ((size_t)128) /* of few columns, or of full ones alone: lists do not matter so much */
#define FEW_COLUMNS ((size_t)400)
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
  double *values;   /* SEGMENT_LD or SEGMENT_ROWS x width */
  int32_t *columns; /* compressed only, as the next */
  size_t *starts;
  ent_lifted lifted;
} ent_fixed_segment;

ent_fixed_options ent_fixed_options_default(ent_grade grade) {
  const ent_fixed_code *codes[ENT_FIXED_MOST_CODES];
  ent_fixed_codes(grade, codes);
  return (ent_fixed_options){.full = FULL_DENSITY, .dense = PANEL_DENSITY, .block_rows = BLOCK_ROWS, .code = codes[0]};
}

static void segments_free(const ent_fixed_collector *c, ent_fixed_segment *segments, size_t count) {
  for (size_t i = 0; segments != NULL && i < count; i++) {
    if (segments[i].scratch != NULL)
      c->what.map->calls->scratch_free(segments[i].scratch);
    ent_delete(segments[i].values);
    ent_delete(segments[i].columns);
    ent_delete(segments[i].starts);
  }
  ent_delete(segments);
}

void ent_fixed_collector_clear(ent_fixed_collector *c) {
  segments_free(c, c->segments, c->workers);
  for (size_t i = 0; c->blocks != NULL && i < c->workers; i++)
    ent_fixed_block_free(c->blocks[i]);
  ent_delete(c->blocks);
  ent_fixed_format_free(c->format);
  ent_fixed_layout_free(c->layout);
  *c = (ent_fixed_collector){0};
}

/* Room for lifted rows, unless there is. */
static entropic_status reserve_segment(entropic_context *context, const ent_fixed_collector *c,
                                       ent_fixed_segment *segment) {
  const ent_map *map = c->what.map;
  if (segment->values == NULL) {
    size_t width = c->dense ? map->features : map->nonzeros;
    segment->values = ent_new_raw(context, c->dense ? SEGMENT_LD : SEGMENT_ROWS, width, sizeof *segment->values);
    segment->columns = ent_new_raw(context, c->dense ? 0 : SEGMENT_ROWS, width, sizeof *segment->columns);
    segment->starts = ent_new(context, c->dense ? 0 : SEGMENT_ROWS + 1, sizeof *segment->starts);
    if (segment->values == NULL || segment->columns == NULL || segment->starts == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  return segment->scratch == NULL ? map->calls->scratch_create(context, map->self, &segment->scratch) : ENTROPIC_OK;
}

static entropic_status check_collection(entropic_context *context, const ent_fixed_collection *what) {
  const ent_fixed *fixed = what->fixed;
  const ent_fixed_options *options = &what->options;
  size_t slices = what->sliced ? 2 : 1;
  if (what->map->features != fixed->features || slices * what->targets != fixed->targets)
    return ent_fail(
        context, ENTROPIC_BAD_ARGUMENT,
        "rows of %zu targets, a map of %zu features, statistics of %zu features and %zu targets: they do not match",
        what->targets, what->map->features, fixed->features, fixed->targets / slices);
  if (options->code->wide && fixed->grade != ENT_GRADE_EXACT)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the code \"%s\" is for the exact grade alone",
                    options->code->name);
  if (options->block_rows == 0 || options->block_rows > ENT_FIXED_BLOCK_ROWS)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "blocks of %zu rows; expected 1 to %zu", options->block_rows,
                    ENT_FIXED_BLOCK_ROWS);
  return ENTROPIC_OK;
}

/* Blocks are no larger than all rows, nor than keeps memory in bounds. */
static size_t rows_of_block(const ent_fixed_collector *c) {
  size_t rows = c->what.options.block_rows, most = BLOCK_VALUES / c->what.fixed->size;
  most = most < FEWEST_ROWS ? FEWEST_ROWS : most;
  if (c->what.fixed->size <= FEW_COLUMNS)
    most = SMALL_BLOCK_ROWS;
  if (c->what.rows > 0 && c->what.rows < most)
    most = c->what.rows;
  return rows < most ? rows : most;
}

entropic_status ent_fixed_collector_start(entropic_context *context, const ent_fixed_collection *what,
                                          ent_fixed_collector *c) {
  const ent_map *map = what->map;
  *c = (ent_fixed_collector){.what = *what};
  entropic_status status = check_collection(context, what);
  if (status != ENTROPIC_OK)
    return status;
  c->dense = (double)map->nonzeros > DENSE_SHARE * (double)map->features;
  c->width = (c->dense ? map->features : map->nonzeros) + what->fixed->size - what->fixed->features;
  c->what.options.block_rows = rows_of_block(c);
  size_t rows = c->what.options.block_rows, blocks = what->rows == 0 ? MOST_BLOCKS : (what->rows + rows - 1) / rows;
  c->workers = (size_t)ent_workers(context, blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
  c->segments = ent_new(context, c->workers, sizeof *c->segments);
  c->blocks = ent_new(context, c->workers, sizeof(ent_fixed_block *));
  if (c->segments != NULL && c->blocks != NULL)
    return ENTROPIC_OK;
  ent_fixed_collector_clear(c);
  return ENTROPIC_NO_MEMORY;
}

size_t ent_fixed_collector_rows(const ent_fixed_collector *c) {
  return c->workers * c->what.options.block_rows;
}

/* Some rows of a block, from number `first` on. */
static ent_block part_of(const ent_block *rows, size_t first, size_t count) {
  ent_block part = *rows;
  part.first += first;
  part.rows = count;
  part.x += first * rows->x_stride;
  part.y = rows->y == NULL ? NULL : rows->y + first * rows->y_stride;
  part.weights = rows->weights == NULL ? NULL : rows->weights + first;
  return part;
}

/* Lifts `count` of the current rows, from number `first` on. */
static entropic_status lift_rows(entropic_context *context, const ent_fixed_collector *c, size_t first, size_t count,
                                 ent_fixed_segment *to) {
  const ent_map *map = c->what.map;
  ent_lifted *lifted = &to->lifted;
  *lifted = (ent_lifted){.block = part_of(&c->rows, first, count), .features = map->features, .ld = SEGMENT_LD};
  const double *x = lifted->block.x;
  size_t stride = lifted->block.x_stride;
  if (c->dense) {
    lifted->z = to->values;
    return map->calls->dense(context, map->self, to->scratch, x, count, stride, to->values, SEGMENT_LD);
  }
  lifted->starts = to->starts;
  lifted->columns = to->columns;
  lifted->values = to->values;
  return map->calls->sparse(context, map->self, to->scratch, x, count, stride, to->starts, to->columns, to->values);
}

static void count_nonzeros(const ent_lifted *lifted, double *counts) {
  size_t rows = lifted->block.rows;
  for (size_t j = 0; lifted->z != NULL && j < lifted->features; j++) {
    const double *z = lifted->z + j * lifted->ld;
    int64_t count = 0;
    for (size_t r = 0; r < rows; r++)
      count += z[r] != 0;
    counts[j] += (double)count;
  }
  // z or starts is there. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
  for (size_t i = 0; lifted->z == NULL && i < lifted->starts[rows]; i++)
    counts[lifted->columns[i]] += 1;
}

/* Lifts the first of the current rows, for the layout. Returns how many in c->packed, as they will be packed next. */
static entropic_status lift_first_rows(entropic_context *context, ent_fixed_collector *c) {
  size_t rows = c->rows.rows < SEGMENT_ROWS ? c->rows.rows : SEGMENT_ROWS;
  entropic_status status = reserve_segment(context, c, &c->segments[0]);
  if (status != ENTROPIC_OK)
    return status;
  c->packed = rows < c->what.options.block_rows ? rows : c->what.options.block_rows;
  return lift_rows(context, c, 0, c->packed, &c->segments[0]);
}

/* The layout by the densities of the first rows. */
static entropic_status make_layout(entropic_context *context, ent_fixed_collector *c) {
  size_t size = c->what.fixed->size, features = c->what.fixed->features;
  double *densities = ent_new(context, size, sizeof *densities);
  if (densities == NULL)
    return ENTROPIC_NO_MEMORY;
  count_nonzeros(&c->segments[0].lifted, densities);
  for (size_t j = 0; j < size; j++)
    densities[j] = j >= features ? 1 : densities[j] / (double)c->packed;
  /* Less than a panel is not worth one of its own. */
  ent_fixed_columns columns = {size, c->what.known < ENT_FIXED_PANEL ? 0 : c->what.known, densities};
  entropic_status status =
      ent_fixed_layout_create(context, &columns, c->what.options.full, c->what.options.dense, &c->layout);
  ent_delete(densities);
  return status;
}

/* All that depends on the layout, and the first rows packed: they are lifted once. The current rows must not be empty. */
static entropic_status prepare(entropic_context *context, ent_fixed_collector *c) {
  entropic_status status = lift_first_rows(context, c);
  if (status != ENTROPIC_OK)
    return status;
  status = make_layout(context, c);
  if (status != ENTROPIC_OK)
    return status;
  if (c->layout->full == c->layout->panels && c->what.options.block_rows > SMALL_BLOCK_ROWS)
    c->what.options.block_rows = SMALL_BLOCK_ROWS;
  status = ent_fixed_format_create(context, c->what.fixed, c->layout, &c->what.options, c->width, &c->format);
  if (status != ENTROPIC_OK)
    return status;
  c->format->sliced = c->what.sliced;
  status = ent_fixed_block_create(context, c->format, &c->blocks[0]);
  if (status != ENTROPIC_OK)
    return status;
  return ent_fixed_block_add(context, c->blocks[0], &c->segments[0].lifted);
}

/* Lifts and packs one block of the current rows. */
static entropic_status pack_block(entropic_context *context, void *shared, size_t task, int worker) {
  ent_fixed_collector *c = shared;
  ent_fixed_segment *own = &c->segments[worker];
  size_t first = task * c->what.options.block_rows, end = first + c->what.options.block_rows;
  end = end < c->rows.rows ? end : c->rows.rows;
  entropic_status status = reserve_segment(context, c, own);
  if (status != ENTROPIC_OK)
    return status;
  if (task == 0 && c->packed > 0)
    first = c->packed;
  else
    ent_fixed_block_clear(c->blocks[task]);
  for (; first < end; first += SEGMENT_ROWS) {
    status = lift_rows(context, c, first, end - first < SEGMENT_ROWS ? end - first : SEGMENT_ROWS, own);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_fixed_block_add(context, c->blocks[task], &own->lifted);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_fixed_block_finish(c->blocks[task]);
  return ENTROPIC_OK;
}

/* The sums so far go to 128-bit integers. */
static entropic_status flush(entropic_context *context, const ent_fixed_format *format, ent_fixed_tally *tally) {
  if (tally->flushed == NULL) {
    ent_fixed_shape shape = ent_fixed_shape_of(format->fixed);
    shape.shift = format->sliced ? NULL : shape.shift;
    entropic_status status = ent_fixed_create(context, &shape, &tally->flushed);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_fixed_sums_flush(tally->sums, tally->flushed);
  return ENTROPIC_OK;
}

/* Blocks, and sums with room for the current rows. */
static entropic_status make_room(entropic_context *context, ent_fixed_collector *c, size_t blocks,
                                 ent_fixed_tally *tally) {
  for (size_t i = 0; i < blocks; i++) {
    entropic_status status = ENTROPIC_OK;
    if (c->blocks[i] == NULL)
      status = ent_fixed_block_create(context, c->format, &c->blocks[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (tally->sums == NULL)
    return ent_fixed_sums_create(context, c->format, &tally->sums);
  return c->rows.rows > ENT_FIXED_SUM_ROWS - tally->sums->rows ? flush(context, c->format, tally) : ENTROPIC_OK;
}

/* Adds the current rows. */
static entropic_status add_rows(entropic_context *context, ent_fixed_collector *c, ent_fixed_tally *tally) {
  size_t rows = c->what.options.block_rows, count = (c->rows.rows + rows - 1) / rows;
  double start = ent_seconds();
  entropic_status status = make_room(context, c, count, tally);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_parallel(context, count, pack_block, c);
  if (status != ENTROPIC_OK)
    return status;
  c->packed = 0;
  double packed = ent_seconds();
  status = ent_fixed_sums_add(context, tally->sums, c->blocks, count);
  c->lift_seconds += packed - start;
  c->sum_seconds += ent_seconds() - packed;
  return status;
}

entropic_status ent_fixed_collector_add(entropic_context *context, ent_fixed_collector *c, const ent_block *rows,
                                        ent_fixed_tally *tally) {
  c->rows = *rows;
  entropic_status status = c->format == NULL && rows->rows > 0 ? prepare(context, c) : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    return status;
  for (size_t first = 0, count; first < rows->rows; first += count) {
    size_t most = ent_fixed_collector_rows(c);
    count = rows->rows - first < most ? rows->rows - first : most;
    c->rows = part_of(rows, first, count);
    status = add_rows(context, c, tally);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_fixed_collector_add_all(entropic_context *context, ent_fixed_collector *c, const ent_rows *rows,
                                            uint64_t most, ent_fixed_tally *tally) {
  entropic_status status = rows->rewind(context, rows->self);
  if (status != ENTROPIC_OK)
    return status;
  for (uint64_t left = most;;) {
    ent_block block;
    status = ent_rows_take(context, rows, ent_fixed_collector_rows(c), &block);
    if (status != ENTROPIC_OK || block.rows == 0)
      return status;
    if (block.rows > left)
      return ent_fail(context, ENTROPIC_TOO_LARGE, "statistics of more than %llu rows",
                      (unsigned long long)ENT_FIXED_MOST_ROWS);
    left -= block.rows;
    status = ent_fixed_collector_add(context, c, &block, tally);
    if (status != ENTROPIC_OK)
      return status;
    if (rows->count > 0)
      ent_progress_report(context, (double)(block.first + block.rows) / (double)rows->count);
  }
}

void ent_fixed_tally_clear(ent_fixed_tally *tally) {
  ent_fixed_sums_free(tally->sums);
  ent_fixed_free(tally->flushed);
  *tally = (ent_fixed_tally){0};
}

entropic_status ent_fixed_tally_merge(entropic_context *context, ent_fixed_tally *sum, ent_fixed_tally *other,
                                      ent_fixed_sums **spare) {
  if (sum->sums == NULL) {
    *sum = *other;
    *other = (ent_fixed_tally){0};
    return ENTROPIC_OK;
  }
  if (other->flushed != NULL) { /* then there are sums: of the last rows */
    entropic_status status = sum->flushed == NULL ? flush(context, sum->sums->format, sum) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    status = ent_fixed_add(context, sum->flushed, other->flushed);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (other->sums != NULL) {
    bool fits = other->sums->rows <= ENT_FIXED_SUM_ROWS - sum->sums->rows;
    if (!fits || sum->sums->merges + other->sums->merges >= ENT_FIXED_MOST_MERGES) {
      entropic_status status = flush(context, sum->sums->format, sum);
      if (status != ENTROPIC_OK)
        return status;
    }
    ent_fixed_sums_merge(sum->sums, other->sums);
    if (*spare == NULL) {
      ent_fixed_sums_clear(other->sums);
      *spare = other->sums;
      other->sums = NULL;
    }
  }
  ent_fixed_tally_clear(other);
  return ENTROPIC_OK;
}

/* Collecting rows into fixed-point statistics. */

entropic_status ent_fixed_collect(entropic_context *context, ent_fixed *fixed, const ent_map *map, const ent_rows *rows,
                                  const ent_fixed_options *options) {
  ENT_NEED(context, fixed);
  ENT_NEED(context, map);
  ENT_NEED(context, rows);
  ent_fixed_collection what = {.fixed = fixed, .map = map, .rows = rows->count, .targets = rows->targets};
  what.options = options == NULL ? ent_fixed_options_default(fixed->grade) : *options;
  if (map->inputs != rows->inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rows of %zu inputs and a map of %zu do not match", rows->inputs,
                    map->inputs);
  ent_fixed_collector c;
  ent_fixed_tally tally = {0};
  entropic_status status = ent_fixed_collector_start(context, &what, &c);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_fixed_collector_add_all(context, &c, rows, ENT_FIXED_MOST_ROWS - fixed->rows, &tally);
  if (status != ENTROPIC_OK)
    goto done;
  if (tally.flushed != NULL) /* cannot fail: same shape, and rows have been counted */
    status = ent_fixed_add(context, fixed, tally.flushed);
  if (tally.sums != NULL)
    ent_fixed_sums_flush(tally.sums, fixed);
done:
  ent_fixed_tally_clear(&tally);
  ent_fixed_collector_clear(&c);
  return status;
}

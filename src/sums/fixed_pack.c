/* Packing lifted rows into blocks: see fixed_block.h. */
#include <math.h>
#include <string.h>

#include "sums/fixed_block.h"
#include "sums/fixed_round.h"

/* How a number is stored. */
typedef enum ent_fixed_kind { KIND_NARROW, KIND_SLICES, KIND_WIDE } ent_fixed_kind;

#define CHUNK_ROWS ((size_t)64) /* of dense rows, packed column by column: so much of a panel stays in the cache */

/* What the loops below need, in one place. */
typedef struct ent_fixed_packer {
  const ent_fixed_format *format;
  const ent_fixed_target *targets;
  ent_fixed_block *block;
  double limit;
  size_t list_words; /* of a plane of values */
} ent_fixed_packer;

static inline int64_t high_slice(int64_t q) {
  return (q + (INT64_C(1) << (ENT_FIXED_SLICE_BITS - 1))) >> ENT_FIXED_SLICE_BITS;
}

/* Stores word number `at` of a narrow plane, or of all three. */
static inline __attribute__((always_inline)) void store_narrow(ent_fixed_kind kind, void *planes, size_t plane,
                                                               size_t at, int64_t q) {
  int32_t *words = (int32_t *)planes + at;
  if (kind == KIND_NARROW) {
    words[0] = (int32_t)q;
    return;
  }
  int64_t high = high_slice(q), low = q - high * (INT64_C(1) << ENT_FIXED_SLICE_BITS);
  words[0] = (int32_t)high;
  words[plane] = (int32_t)low;
  words[2 * plane] = (int32_t)(high + low);
}

static inline __attribute__((always_inline)) void append(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                         const ent_fixed_target *to, size_t row, int64_t q) {
  ent_fixed_block *block = p->block;
  size_t at = to->list * p->format->stride;
  if (kind == KIND_WIDE) {
    uint32_t *count = q > 0 ? &block->counts[to->list] : &block->negatives[to->list];
    at += q > 0 ? *count : p->format->stride - 1 - *count;
    *count += to->step;
    ((uint64_t *)block->values)[at] = (uint64_t)(q > 0 ? q : -q);
  } else {
    at += block->counts[to->list];
    block->counts[to->list] += to->step;
    store_narrow(kind, block->values, p->list_words, at, q);
  }
  block->offsets[at] = (uint16_t)(row * ENT_FIXED_PANEL);
}

static inline __attribute__((always_inline)) void store_panel(const ent_fixed_packer *p, ent_fixed_kind kind, size_t at,
                                                              int64_t q) {
  if (kind == KIND_WIDE)
    ((uint64_t *)p->block->panels)[at] = (uint64_t)(q + (INT64_C(1) << ENT_EXACT_BITS));
  else
    store_narrow(kind, p->block->panels, p->format->panel_words, at, q);
}

/* Packs one value; false if it is beyond its scale. Every column has a panel and a list, if only those that nobody reads:
 * branches would be mispredicted. */
static inline __attribute__((always_inline)) bool pack(const ent_fixed_packer *p, ent_fixed_kind kind, size_t column,
                                                       size_t row, double value) {
  const ent_fixed_target *to = &p->targets[column];
  int64_t q;
  if (!ent_fixed_round(value, (ent_fixed_scale){to->factor, p->limit}, &q))
    return false;
  if (q == 0)
    return true;
  store_panel(p, kind, to->panel + row * ENT_FIXED_PANEL, q);
  append(p, kind, to, row, q);
  if (kind == KIND_WIDE)
    p->block->column_sums[column] += q;
  return true;
}

/* What is left of a value when it has been rounded to the scale of a column. Exact. */
static inline double rest_of(const ent_fixed_packer *p, size_t column, double value) {
  const double magic = 6755399441055744.0; /* as in ent_fixed_round */
  double factor = p->targets[column].factor, rounded = value * factor + magic;
  return value - (rounded - magic) / factor;
}

/* A target of a row, as it enters. */
static inline double target_value(const ent_fixed *fixed, const ent_block *rows, size_t row, size_t target,
                                  double root) {
  return (rows->y[row * rows->y_stride + target] - fixed->shift[target]) * root;
}

/* The 1 and the targets of a row; false, with the column, if one is beyond its scale. */
static inline __attribute__((always_inline)) bool pack_targets(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                               const ent_block *rows, size_t r, double root,
                                                               size_t *column) {
  const ent_fixed *fixed = p->format->fixed;
  size_t to = p->block->rows + r, slices = p->format->sliced ? 2 : 1;
  *column = fixed->features;
  if (!pack(p, kind, *column, to, root))
    return false;
  for (++*column; *column < fixed->size; *column += slices) {
    double value = target_value(fixed, rows, r, (*column - fixed->features - 1) / slices, root);
    if (!pack(p, kind, *column, to, value))
      return false;
    if (slices == 2 && !pack(p, kind, *column + 1, to, rest_of(p, *column, value)))
      return false;
  }
  return true;
}

/* False, with row and column, if a value is beyond its scale. */
static inline __attribute__((always_inline)) bool pack_compressed(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                                  const ent_lifted *lifted, size_t *row,
                                                                  size_t *column) {
  for (*row = 0; *row < lifted->block.rows; ++*row) {
    double root = sqrt(ent_weight(&lifted->block, *row));
    size_t to = p->block->rows + *row;
    for (size_t i = lifted->starts[*row]; i < lifted->starts[*row + 1]; i++)
      if (!pack(p, kind, (size_t)lifted->columns[i], to, lifted->values[i] * root)) {
        *column = (size_t)lifted->columns[i];
        return false;
      }
    if (!pack_targets(p, kind, &lifted->block, *row, root, column))
      return false;
  }
  return true;
}

/* Stores a number as doubles of a full panel, columns in their order; narrow codes only. */
static inline __attribute__((always_inline)) void store_full(const ent_fixed_packer *p, ent_fixed_kind kind, size_t at,
                                                             int64_t q) {
  double *to = p->block->full + at;
  if (kind == KIND_NARROW) {
    to[0] = (double)(int32_t)q;
    return;
  }
  int64_t high = high_slice(q), low = q - high * (INT64_C(1) << ENT_FIXED_SLICE_BITS);
  to[0] = (double)(int32_t)high;
  to[p->format->full_words] = (double)(int32_t)low;
  to[2 * p->format->full_words] = (double)(int32_t)(high + low);
}

/* Packs some rows of a full column, at most CHUNK_ROWS; false if one is beyond its scale. All are rounded, then stored: the
 * first loop is done by vector instructions. Words are only read if there are lists. */
static inline __attribute__((always_inline)) bool pack_full(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                            size_t column, size_t row, size_t count,
                                                            const double *values) {
  const ent_fixed_target *to = &p->targets[column];
  size_t at = to->panel + row * ENT_FIXED_PANEL, place = p->format->layout->place[column];
  size_t full = place / ENT_FIXED_PANEL * ENT_FIXED_PANEL * p->format->capacity + place % ENT_FIXED_PANEL;
  bool words = kind != KIND_WIDE && p->format->lists > 0;
  int64_t q[CHUNK_ROWS], sum = 0;
  bool within = true;
  for (size_t r = 0; r < count; r++)
    within &= ent_fixed_round(values[r], (ent_fixed_scale){to->factor, p->limit}, &q[r]);
  if (!within)
    return false;
  for (size_t r = 0; words && r < count; r++)
    store_narrow(kind, p->block->panels, p->format->panel_words, at + r * ENT_FIXED_PANEL, q[r]);
  full += row * ENT_FIXED_PANEL;
  for (size_t r = 0; kind != KIND_WIDE && r < count; r++)
    store_full(p, kind, full + r * ENT_FIXED_PANEL, q[r]);
  if (kind != KIND_WIDE)
    return true;
  for (size_t r = 0; r < count; r++, at += ENT_FIXED_PANEL) {
    ((uint64_t *)p->block->panels)[at] = (uint64_t)(q[r] + (INT64_C(1) << ENT_EXACT_BITS));
    sum += q[r];
  }
  p->block->column_sums[column] += sum;
  return true;
}

/* The same for a column that is often zero. Its non-zeros are found first: a branch at each value would be mispredicted. */
static inline __attribute__((always_inline)) bool pack_listed(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                              size_t column, size_t row, size_t count,
                                                              const double *values) {
  const ent_fixed_target *to = &p->targets[column];
  int64_t q[CHUNK_ROWS], sum = 0;
  uint8_t rows[CHUNK_ROWS];
  size_t found = 0;
  bool within = true;
  for (size_t r = 0; r < count; r++)
    within &= ent_fixed_round(values[r], (ent_fixed_scale){to->factor, p->limit}, &q[r]);
  if (!within)
    return false;
  for (size_t r = 0; r < count; r++) {
    rows[found] = (uint8_t)r;
    found += q[r] != 0;
  }
  for (size_t i = 0; i < found; i++) {
    size_t at = row + rows[i];
    store_panel(p, kind, to->panel + at * ENT_FIXED_PANEL, q[rows[i]]);
    append(p, kind, to, at, q[rows[i]]);
    sum += q[rows[i]];
  }
  if (kind == KIND_WIDE)
    p->block->column_sums[column] += sum;
  return true;
}

/* Some rows of a column of dense rows: from number `first` on, at most CHUNK_ROWS, with the roots of their weights. */
typedef struct ent_fixed_chunk {
  const ent_lifted *lifted;
  size_t first, rows;
  bool rounded; /* full features are packed already */
  double roots[CHUNK_ROWS];
  double values[CHUNK_ROWS];
} ent_fixed_chunk;

/* Sets the values to those of a column. A low slice follows its high one. */
static inline void chunk_values(const ent_fixed_packer *p, ent_fixed_chunk *chunk, size_t column) {
  const ent_lifted *lifted = chunk->lifted;
  size_t features = lifted->features, target = column - features - 1;
  if (column < features) {
    const double *z = lifted->z + column * lifted->ld + chunk->first;
    for (size_t r = 0; r < chunk->rows; r++)
      chunk->values[r] = z[r] * chunk->roots[r];
  } else if (column == features) {
    memcpy(chunk->values, chunk->roots, chunk->rows * sizeof *chunk->roots);
  } else if (p->format->sliced && target % 2 == 1) {
    for (size_t r = 0; r < chunk->rows; r++)
      chunk->values[r] = rest_of(p, column - 1, chunk->values[r]);
  } else {
    for (size_t r = 0; r < chunk->rows; r++)
      chunk->values[r] = target_value(p->format->fixed, &lifted->block, chunk->first + r,
                                      p->format->sliced ? target / 2 : target, chunk->roots[r]);
  }
}

/* The chunk's rows of all columns; false, with row and column, if a value is beyond its scale. */
static inline __attribute__((always_inline)) bool pack_chunk(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                             ent_fixed_chunk *chunk, size_t *row, size_t *column) {
  size_t to = p->block->rows + chunk->first;
  for (*column = 0; *column < p->format->fixed->size; ++*column) {
    if (chunk->rounded && p->targets[*column].step == 0 && *column < chunk->lifted->features)
      continue;
    chunk_values(p, chunk, *column);
    bool packed = p->targets[*column].step == 0 ? pack_full(p, kind, *column, to, chunk->rows, chunk->values)
                                                : pack_listed(p, kind, *column, to, chunk->rows, chunk->values);
    if (packed)
      continue;
    for (size_t r = 0; r < chunk->rows; r++) /* also to find out which one it was */
      if (!pack(p, kind, *column, to + r, chunk->values[r])) {
        *row = chunk->first + r;
        return false;
      }
  }
  return true;
}

/* Rounds eight columns of a chunk, from position `first` on; false if one is beyond its scale. Others than features are set
 * to 0. */
static bool round_strip(const ent_fixed_packer *p, const ent_fixed_chunk *chunk, size_t first) {
  static const double zeros[CHUNK_ROWS];
  const ent_fixed_format *format = p->format;
  const uint32_t *columns = format->layout->column + first;
  size_t panel = first / ENT_FIXED_PANEL * format->capacity + p->block->rows + chunk->first;
  size_t at = panel * ENT_FIXED_PANEL + first % ENT_FIXED_PANEL;
  ent_fixed_strip strip = {.roots = chunk->roots, .limit = p->limit};
  for (size_t j = 0; j < ENT_FIXED_STRIP; j++) {
    bool feature = columns[j] < chunk->lifted->features;
    strip.values[j] = feature ? chunk->lifted->z + columns[j] * chunk->lifted->ld + chunk->first : zeros;
    strip.factors[j] = feature ? p->targets[columns[j]].factor : 0;
  }
  void *to = format->code->wide ? (void *)((uint64_t *)p->block->panels + at) : (void *)(p->block->full + at);
  if (!format->code->round(&strip, chunk->rows, to))
    return false;
  for (size_t j = 0; j < ENT_FIXED_STRIP; j++)
    if (format->code->wide && columns[j] < chunk->lifted->features)
      p->block->column_sums[columns[j]] += strip.sums[j];
  return true;
}

/* Rows of full panels as words; narrow codes only. */
static void words_of_full(const ent_fixed_packer *p, const ent_fixed_chunk *chunk) {
  const ent_fixed_format *format = p->format;
  for (size_t panel = 0; panel < format->layout->full; panel++) {
    size_t start = (panel * format->capacity + p->block->rows + chunk->first) * ENT_FIXED_PANEL;
    const double *from = p->block->full + start;
    int32_t *words = (int32_t *)p->block->panels + start;
    for (size_t first = 0; first < chunk->rows * ENT_FIXED_PANEL; first += 16)
      for (size_t k = 0; k < 8; k++) { /* as ent_fixed_lane has it */
        words[first + 2 * k] = (int32_t)from[first + k];
        words[first + 2 * k + 1] = (int32_t)from[first + 8 + k];
      }
  }
}

/* Packs features in full panels; false if one is beyond its scale. */
static bool round_full(const ent_fixed_packer *p, const ent_fixed_chunk *chunk) {
  const ent_fixed_layout *layout = p->format->layout;
  for (size_t panel = 0; panel < layout->full; panel++)
    for (size_t i = 0; i < layout->used[panel]; i += ENT_FIXED_STRIP)
      if (!round_strip(p, chunk, panel * ENT_FIXED_PANEL + i))
        return false;
  if (!p->format->code->wide && p->format->lists > 0)
    words_of_full(p, chunk);
  return true;
}

static inline __attribute__((always_inline)) bool pack_dense(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                             const ent_lifted *lifted, size_t *row, size_t *column) {
  size_t rows = lifted->block.rows;
  for (size_t first = 0; first < rows; first += CHUNK_ROWS) {
    ent_fixed_chunk chunk = {.lifted = lifted, .first = first};
    chunk.rows = rows - first < CHUNK_ROWS ? rows - first : CHUNK_ROWS;
    for (size_t r = 0; r < chunk.rows; r++)
      chunk.roots[r] = sqrt(ent_weight(&lifted->block, first + r));
    chunk.rounded = kind != KIND_SLICES && round_full(p, &chunk); /* if not, the loops below find out where */
    if (!pack_chunk(p, kind, &chunk, row, column))
      return false;
  }
  return true;
}

/* Sets rows of panels from number `first_panel` on to q = 0. */
static void fill_panels(ent_fixed_block *block, size_t first_panel, size_t rows) {
  const ent_fixed_format *format = block->format;
  const uint64_t zero = UINT64_C(1) << ENT_EXACT_BITS;
  for (size_t plane = 0; plane < format->word_planes; plane++)
    for (size_t panel = first_panel; panel < format->layout->dense; panel++) {
      size_t first = plane * format->panel_words + (panel * format->capacity + block->rows) * ENT_FIXED_PANEL;
      uint64_t *wide = (uint64_t *)block->panels + first;
      if (!format->code->wide)
        memset((int32_t *)block->panels + first, 0, rows * ENT_FIXED_PANEL * sizeof(int32_t));
      for (size_t i = 0; format->code->wide && i < rows * ENT_FIXED_PANEL; i++)
        wide[i] = zero;
    }
}

/* Rows of full panels as doubles; narrow codes only. */
static void convert_full(const ent_fixed_block *block, size_t rows) {
  const ent_fixed_format *format = block->format;
  for (size_t plane = 0; plane < format->word_planes; plane++)
    for (size_t panel = 0; panel < format->layout->full; panel++) {
      size_t start = (panel * format->capacity + block->rows) * ENT_FIXED_PANEL;
      const int32_t *words = (const int32_t *)block->panels + plane * format->panel_words + start;
      double *to = block->full + plane * format->full_words + start;
      for (size_t first = 0; first < rows * ENT_FIXED_PANEL; first += 16)
        for (size_t k = 0; k < 8; k++) { /* as ent_fixed_lane has it */
          to[first + k] = words[first + 2 * k];
          to[first + 8 + k] = words[first + 2 * k + 1];
        }
    }
}

/* Inlined with a constant kind, so that it is not asked for with every value. */
static inline __attribute__((always_inline)) bool pack_rows(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                            const ent_lifted *lifted, size_t *row, size_t *column) {
  return lifted->z != NULL ? pack_dense(p, kind, lifted, row, column) : pack_compressed(p, kind, lifted, row, column);
}

entropic_status ent_fixed_block_add(entropic_context *context, ent_fixed_block *block, const ent_lifted *lifted) {
  const ent_fixed_format *format = block->format;
  size_t row = 0, column = 0, rows = lifted->block.rows;
  entropic_status status = ent_fixed_check_lifted(context, format->fixed, lifted);
  if (status != ENTROPIC_OK)
    return status;
  if (rows > format->capacity - block->rows)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%zu rows for a block with room for %zu", rows,
                    format->capacity - block->rows);
  ent_fixed_packer packer = {.format = format,
                             .targets = format->targets,
                             .block = block,
                             .limit = ent_fixed_scale_of(ent_grade_bits(format->fixed->grade), 0).limit,
                             .list_words = format->list_words};
  bool dense = lifted->z != NULL;
  fill_panels(block, dense ? format->layout->full : 0, rows); /* dense rows fill full panels */
  bool packed = format->code->wide         ? pack_rows(&packer, KIND_WIDE, lifted, &row, &column)
                : format->word_planes == 1 ? pack_rows(&packer, KIND_NARROW, lifted, &row, &column)
                                           : pack_rows(&packer, KIND_SLICES, lifted, &row, &column);
  if (!packed)
    return ent_fixed_fail_value(context, format->fixed, lifted->block.first + row, column, format->sliced ? 2 : 1);
  if (!format->code->wide && !dense)
    convert_full(block, rows);
  for (size_t r = 0; r < rows; r++)
    block->weighted += ent_weight(&lifted->block, r) > 0;
  block->rows += rows;
  return ENTROPIC_OK;
}

void ent_fixed_block_clear(ent_fixed_block *block) {
  size_t lists = block->format->lists;
  block->rows = 0;
  block->weighted = 0;
  memset(block->counts, 0, lists * sizeof *block->counts);
  memset(block->negatives, 0, lists * sizeof *block->negatives);
  memset(block->column_sums, 0, block->format->layout->columns * sizeof *block->column_sums);
}

/* q of the i-th non-zero of a list, and its row. They are numbered from 0 to counts + negatives - 1. */
static int64_t list_value(const ent_fixed_block *block, size_t list, size_t i, size_t *row) {
  const ent_fixed_format *format = block->format;
  size_t at = list * format->stride + i, plane = format->list_words;
  bool negative = i >= block->counts[list]; /* wide only */
  if (negative)
    at += format->stride - block->counts[list] - block->negatives[list];
  *row = block->offsets[at] / ENT_FIXED_PANEL;
  if (format->code->wide)
    return negative ? -((const int64_t *)block->values)[at] : ((const int64_t *)block->values)[at];
  const int32_t *words = (const int32_t *)block->values + at;
  return format->word_planes == 1 ? words[0] : words[0] * (INT64_C(1) << ENT_FIXED_SLICE_BITS) + words[plane];
}

/* Gathers the columns that are in no panel row by row: the entries of each row are counted, then placed. */
void ent_fixed_block_finish(ent_fixed_block *block) {
  const ent_fixed_format *format = block->format;
  const ent_fixed_layout *layout = format->layout;
  size_t first = (layout->dense - layout->full) * ENT_FIXED_PANEL, row;
  if (layout->panels == layout->dense)
    return;
  memset(block->row_starts, 0, (format->capacity + 1) * sizeof *block->row_starts);
  for (size_t list = first; list < format->lists; list++)
    for (size_t i = 0; i < block->counts[list] + block->negatives[list]; i++) {
      list_value(block, list, i, &row);
      block->row_starts[row + 1]++;
    }
  for (size_t r = 0; r < format->capacity; r++)
    block->row_starts[r + 1] += block->row_starts[r];
  for (size_t list = first; list < format->lists; list++) {
    size_t position = layout->full * ENT_FIXED_PANEL + list, panel = position / ENT_FIXED_PANEL;
    size_t sums = ent_fixed_sums_at(layout, panel, 0) + position % ENT_FIXED_PANEL;
    for (size_t i = 0; i < block->counts[list] + block->negatives[list]; i++) {
      int64_t q = list_value(block, list, i, &row);
      uint32_t at = block->row_starts[row]++;
      block->row_at[at] = (uint32_t)sums;
      block->row_columns[at] = (uint32_t)(position * ENT_FIXED_PANEL);
      block->row_values[at] = q;
    }
  }
  memmove(block->row_starts + 1, block->row_starts, format->capacity * sizeof *block->row_starts);
  block->row_starts[0] = 0;
}

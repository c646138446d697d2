/* Packing lifted rows into blocks: see fixed_block.h. */
#include <math.h>
#include <string.h>

#include "solve/fixed_block.h"
#include "solve/fixed_value.h"

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

/* Packs one value; false if it is beyond its scale. Every column has a panel and a list, if only those that nobody reads:
 * branches would be mispredicted. */
static inline __attribute__((always_inline)) bool pack(const ent_fixed_packer *p, ent_fixed_kind kind, size_t column,
                                                       size_t row, double value) {
  const ent_fixed_target *to = &p->targets[column];
  size_t at = to->panel + row * ENT_FIXED_PANEL;
  int64_t q;
  if (!ent_fixed_round(value, (ent_fixed_scale){to->factor, p->limit}, &q))
    return false;
  if (q == 0)
    return true;
  if (kind == KIND_WIDE) {
    ((uint64_t *)p->block->panels)[at] = (uint64_t)(q + (INT64_C(1) << ENT_EXACT_BITS));
    p->block->column_sums[column] += q;
  } else {
    store_narrow(kind, p->block->panels, p->format->panel_words, at, q);
  }
  append(p, kind, to, row, q);
  return true;
}

/* The 1 and the targets of a row; false, with the column, if one is beyond its scale. */
static inline __attribute__((always_inline)) bool pack_targets(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                               const ent_block *rows, size_t r, double root,
                                                               size_t *column) {
  const ent_fixed *fixed = p->format->fixed;
  *column = fixed->features;
  if (!pack(p, kind, *column, p->block->rows + r, root))
    return false;
  for (size_t t = 0; t < fixed->targets; t++) {
    ++*column;
    if (!pack(p, kind, *column, p->block->rows + r, (rows->y[r * rows->y_stride + t] - fixed->shift[t]) * root))
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

/* Packs some rows of a full column, at most CHUNK_ROWS; false if one is beyond its scale. All are rounded, then stored: the
 * first loop is done by vector instructions. */
static inline __attribute__((always_inline)) bool pack_full(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                            size_t column, size_t row, size_t count,
                                                            const double *values) {
  const ent_fixed_target *to = &p->targets[column];
  size_t at = to->panel + row * ENT_FIXED_PANEL;
  int64_t q[CHUNK_ROWS], sum = 0;
  bool within = true;
  for (size_t r = 0; r < count; r++)
    within &= ent_fixed_round(values[r], (ent_fixed_scale){to->factor, p->limit}, &q[r]);
  if (!within)
    return false;
  for (size_t r = 0; r < count; r++, at += ENT_FIXED_PANEL) {
    if (kind == KIND_WIDE)
      ((uint64_t *)p->block->panels)[at] = (uint64_t)(q[r] + (INT64_C(1) << ENT_EXACT_BITS));
    else
      store_narrow(kind, p->block->panels, p->format->panel_words, at, q[r]);
    sum += kind == KIND_WIDE ? q[r] : 0;
  }
  p->block->column_sums[column] += sum;
  return true;
}

/* Rows first .. end - 1 of all features; false, with row and column, if a value is beyond its scale. */
static inline __attribute__((always_inline)) bool pack_chunk(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                             const ent_lifted *lifted, const double *roots, size_t end,
                                                             size_t at[2]) {
  size_t first = at[0];
  for (at[1] = 0; at[1] < lifted->features; ++at[1]) {
    const double *z = lifted->z + at[1] * lifted->ld;
    double values[CHUNK_ROWS];
    for (size_t r = first; r < end; r++)
      values[r - first] = z[r] * roots[r - first];
    if (p->targets[at[1]].step == 0 && pack_full(p, kind, at[1], p->block->rows + first, end - first, values))
      continue;
    for (at[0] = first; at[0] < end; ++at[0]) /* also to find out which one it was */
      if (!pack(p, kind, at[1], p->block->rows + at[0], values[at[0] - first]))
        return false;
  }
  return true;
}

static inline __attribute__((always_inline)) bool pack_dense(const ent_fixed_packer *p, ent_fixed_kind kind,
                                                             const ent_lifted *lifted, size_t *row, size_t *column) {
  size_t rows = lifted->block.rows;
  for (size_t first = 0; first < rows; first += CHUNK_ROWS) {
    size_t end = first + CHUNK_ROWS < rows ? first + CHUNK_ROWS : rows, at[2] = {first, 0};
    double roots[CHUNK_ROWS];
    for (size_t r = first; r < end; r++)
      roots[r - first] = sqrt(ent_weight(&lifted->block, r));
    bool packed = pack_chunk(p, kind, lifted, roots, end, at);
    *row = at[0];
    *column = at[1];
    if (!packed)
      return false;
    for (*row = first; *row < end; ++*row)
      if (!pack_targets(p, kind, &lifted->block, *row, roots[*row - first], column))
        return false;
  }
  return true;
}

/* Sets rows of all panels to q = 0. */
static void fill_panels(ent_fixed_block *block, size_t rows) {
  const ent_fixed_format *format = block->format;
  const uint64_t zero = UINT64_C(1) << ENT_EXACT_BITS;
  for (size_t plane = 0; plane < format->word_planes; plane++)
    for (size_t panel = 0; panel < format->layout->dense; panel++) {
      size_t first = plane * format->panel_words + (panel * format->capacity + block->rows) * ENT_FIXED_PANEL;
      uint64_t *wide = (uint64_t *)block->panels + first;
      if (!format->code->wide)
        memset((int32_t *)block->panels + first, 0, rows * ENT_FIXED_PANEL * sizeof(int32_t));
      for (size_t i = 0; format->code->wide && i < rows * ENT_FIXED_PANEL; i++)
        wide[i] = zero;
    }
}

/* The same rows of full panels as doubles; narrow codes only. */
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
  fill_panels(block, rows);
  bool packed = format->code->wide         ? pack_rows(&packer, KIND_WIDE, lifted, &row, &column)
                : format->word_planes == 1 ? pack_rows(&packer, KIND_NARROW, lifted, &row, &column)
                                           : pack_rows(&packer, KIND_SLICES, lifted, &row, &column);
  if (!packed)
    return ent_fixed_fail_value(context, format->fixed, lifted->block.first + row, column);
  if (!format->code->wide)
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

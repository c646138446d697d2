/* Columns in memory as numbers: see column_view.h. */
#include "columns/column_view.h"

#include <math.h>
#include <string.h>

#include "base/residency.h"

entropic_status ent_column_view_add(entropic_context *context, ent_column_view *view, const ent_chunk *chunk) {
  size_t rows;
  if (!ent_add(view->rows, chunk->rows, &rows))
    return ent_fail(context, ENTROPIC_TOO_LARGE, "the table has too many rows");
  if (!ent_reserve(context, &view->chunks, &view->chunk_capacity, view->chunk_count + 1, sizeof *view->chunks))
    return ENTROPIC_NO_MEMORY;
  view->chunks[view->chunk_count] = *chunk;
  view->chunks[view->chunk_count++].first = view->rows;
  view->rows = rows;
  return ENTROPIC_OK;
}

void ent_column_view_clear(ent_column_view *view) {
  ent_delete(view->chunks);
  *view = (ent_column_view){0};
}

size_t ent_element_size(int element) {
  static const unsigned char sizes[] = {
      [ENTROPIC_ELEMENT_FLOAT64] = 8,       [ENTROPIC_ELEMENT_FLOAT32] = 4, [ENTROPIC_ELEMENT_FLOAT16] = 2,
      [ENTROPIC_ELEMENT_INT8] = 1,          [ENTROPIC_ELEMENT_INT16] = 2,   [ENTROPIC_ELEMENT_INT32] = 4,
      [ENTROPIC_ELEMENT_INT64] = 8,         [ENTROPIC_ELEMENT_UINT8] = 1,   [ENTROPIC_ELEMENT_UINT16] = 2,
      [ENTROPIC_ELEMENT_UINT32] = 4,        [ENTROPIC_ELEMENT_UINT64] = 8,  [ENTROPIC_ELEMENT_BOOL8] = 1,
      [ENT_ELEMENT_NAMES] = sizeof(char *), [ENT_ELEMENT_UTF8] = 4,         [ENT_ELEMENT_LARGE_UTF8] = 8,
      [ENT_ELEMENT_TEXT_VIEW] = 16,         [ENT_ELEMENT_CELL] = 8};
  return element < 0 || (size_t)element >= sizeof sizes ? 0 : sizes[element];
}

size_t ent_column_view_find(const ent_column_view *view, size_t row, size_t near) {
  if (near < view->chunk_count && row >= view->chunks[near].first) {
    if (row - view->chunks[near].first < view->chunks[near].rows)
      return near;
    if (near + 1 < view->chunk_count && row - view->chunks[near + 1].first < view->chunks[near + 1].rows)
      return near + 1;
  }
  size_t low = 0, high = view->chunk_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (view->chunks[middle].first <= row)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* IEEE half precision. */
static double half_of(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 31  ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                 : exponent == 0 ? ldexp(fraction, -24)
                                 : ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

static double seconds_of(int64_t count, int64_t per_second) {
  int64_t whole = count / per_second;
  return (double)whole + (double)(count % per_second) / (double)per_second;
}

/* Dates as the reader of text has them, bit for bit: whole days, and seconds as a fraction. */
static double days_of(int64_t count, int64_t per_second, int64_t ahead) {
  if (per_second == 0)
    return (double)count;
  if (__builtin_add_overflow(count, ahead * per_second, &count))
    return NAN;
  int64_t a_day = 86400 * per_second, day = count / a_day - (count % a_day < 0), rest = count - day * a_day;
  return (double)day + seconds_of(rest, per_second) / 86400.0;
}

/* Some rows of one chunk. */
typedef struct ent_column_run {
  const unsigned char *from;
  ptrdiff_t stride;
  size_t rows;
  double *out;
  size_t out_stride;
} ent_column_run;

/* A loop for each type; values that lie side by side have one of their own, which the compiler makes wide. */
#define ENT_DEFINE_READ(name, type, value)                                                                             \
  static void name(const ent_column_run *run) {                                                                        \
    const unsigned char *p = run->from;                                                                                \
    double *out = run->out;                                                                                            \
    type v;                                                                                                            \
    if (run->stride == (ptrdiff_t)sizeof v && run->out_stride == 1) {                                                  \
      for (size_t i = 0; i < run->rows; i++) {                                                                         \
        memcpy(&v, p + i * sizeof v, sizeof v);                                                                        \
        out[i] = (value);                                                                                              \
      }                                                                                                                \
      return;                                                                                                          \
    }                                                                                                                  \
    for (size_t i = 0; i < run->rows; i++, p += run->stride) {                                                         \
      memcpy(&v, p, sizeof v);                                                                                         \
      out[i * run->out_stride] = (value);                                                                              \
    }                                                                                                                  \
  }

ENT_DEFINE_READ(read_float64, double, v == v ? v : (double)NAN)
ENT_DEFINE_READ(read_cell, double, v)
ENT_DEFINE_READ(read_float32, float, v == v ? (double)v : (double)NAN)
ENT_DEFINE_READ(read_float16, uint16_t, half_of(v))
ENT_DEFINE_READ(read_int8, int8_t, (double)v)
ENT_DEFINE_READ(read_int16, int16_t, (double)v)
ENT_DEFINE_READ(read_int32, int32_t, (double)v)
ENT_DEFINE_READ(read_int64, int64_t, (double)v)
ENT_DEFINE_READ(read_uint8, uint8_t, (double)v)
ENT_DEFINE_READ(read_uint16, uint16_t, (double)v)
ENT_DEFINE_READ(read_uint32, uint32_t, (double)v)
ENT_DEFINE_READ(read_uint64, uint64_t, (double)v)

static void (*const read_type[])(const ent_column_run *run) = {
    [ENTROPIC_ELEMENT_FLOAT64] = read_float64, [ENTROPIC_ELEMENT_FLOAT32] = read_float32,
    [ENTROPIC_ELEMENT_FLOAT16] = read_float16, [ENTROPIC_ELEMENT_INT8] = read_int8,
    [ENTROPIC_ELEMENT_INT16] = read_int16,     [ENTROPIC_ELEMENT_INT32] = read_int32,
    [ENTROPIC_ELEMENT_INT64] = read_int64,     [ENTROPIC_ELEMENT_UINT8] = read_uint8,
    [ENTROPIC_ELEMENT_UINT16] = read_uint16,   [ENTROPIC_ELEMENT_UINT32] = read_uint32,
    [ENTROPIC_ELEMENT_UINT64] = read_uint64,   [ENT_ELEMENT_CELL] = read_cell};

int64_t ent_integer_at(int element, const unsigned char *p) {
  union {
    double f64;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
  } v = {0};
  memcpy(&v, p, ent_element_size(element));
  switch (element) {
  case ENTROPIC_ELEMENT_FLOAT64: /* codes of tables, missing ones NaN */
    return v.f64 == v.f64 ? (int64_t)v.f64 : -1;
  case ENTROPIC_ELEMENT_INT8:
    return v.i8;
  case ENTROPIC_ELEMENT_INT16:
    return v.i16;
  case ENTROPIC_ELEMENT_INT32:
    return v.i32;
  case ENTROPIC_ELEMENT_INT64:
    return v.i64;
  case ENTROPIC_ELEMENT_UINT8:
    return v.u8;
  case ENTROPIC_ELEMENT_UINT16:
    return v.u16;
  case ENTROPIC_ELEMENT_UINT32:
    return v.u32;
  default:
    return v.u64 > INT64_MAX ? INT64_MAX : (int64_t)v.u64; /* of codes, which are never so large */
  }
}

/* Dates and times of day. The least number of 64 bits is none. */
static void read_times(const ent_column_view *view, const ent_column_run *run) {
  const unsigned char *p = run->from;
  for (size_t i = 0; i < run->rows; i++, p += run->stride) {
    int64_t count = ent_integer_at(view->element, p);
    run->out[i * run->out_stride] = count == INT64_MIN            ? (double)NAN
                                    : view->unit == ENT_UNIT_DATE ? days_of(count, view->per_second, view->ahead)
                                                                  : seconds_of(count, view->per_second);
  }
}

/* Numbers of a dictionary. A code that is none is NaN: those that may be wrong are texts, or checked before. */
static void read_coded(const ent_column_view *view, const ent_chunk *chunk, const ent_column_run *run) {
  const unsigned char *p = run->from;
  for (size_t i = 0; i < run->rows; i++, p += run->stride) {
    int64_t code = ent_integer_at(ent_chunk_element(view, chunk), p);
    bool there = code >= 0 && (uint64_t)code < chunk->codes;
    run->out[i * run->out_stride] = there ? ent_column_view_number(chunk->dictionary, (size_t)code) : (double)NAN;
  }
}

static void read_values(const ent_column_view *view, const ent_chunk *chunk, const ent_column_run *run) {
  if (chunk->values == NULL || view->element == ENT_ELEMENT_NONE) {
    for (size_t i = 0; i < run->rows; i++)
      run->out[i * run->out_stride] = NAN;
  } else if (chunk->dictionary != NULL) {
    read_coded(view, chunk, run);
  } else if (view->element == ENT_ELEMENT_DECIMAL) {
    for (size_t i = 0; i < run->rows; i++)
      run->out[i * run->out_stride] =
          ent_decimal_value(run->from + (ptrdiff_t)i * run->stride, view->width, view->decimals);
  } else if (view->unit != ENT_UNIT_NUMBER && ent_element_is_integer(view->element)) {
    read_times(view, run);
  } else {
    read_type[ent_chunk_element(view, chunk)](run);
  }
  for (size_t i = 0; view->no_negatives && i < run->rows; i++)
    if (run->out[i * run->out_stride] < 0)
      run->out[i * run->out_stride] = NAN;
}

static inline bool is_set(const unsigned char *bits, size_t bit) {
  return bits[bit >> 3] >> (bit & 7) & 1;
}

/* Makes those missing that are said to be. `row` is the chunk's first of the run. */
static void apply_missing(const ent_chunk *chunk, size_t row, const ent_column_run *run) {
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; chunk->valid[k] != NULL && i < run->rows; i++)
      if (!is_set(chunk->valid[k], chunk->valid_bit[k] + row + i))
        run->out[i * run->out_stride] = NAN;
  for (size_t i = 0; chunk->mask != NULL && i < run->rows; i++)
    if (chunk->mask[(ptrdiff_t)(row + i) * chunk->mask_stride] != 0)
      run->out[i * run->out_stride] = NAN;
}

bool ent_chunk_is_missing(const ent_chunk *chunk, size_t row) {
  for (int k = 0; k < 2; k++)
    if (chunk->valid[k] != NULL && !is_set(chunk->valid[k], chunk->valid_bit[k] + row))
      return true;
  return chunk->values == NULL || (chunk->mask != NULL && chunk->mask[(ptrdiff_t)row * chunk->mask_stride] != 0);
}

bool ent_chunk_bit(const ent_chunk *chunk, size_t row) {
  return is_set(chunk->values, chunk->bit + row);
}

void ent_column_view_read(const ent_column_view *view, size_t first, size_t count, double *out, size_t stride) {
  size_t at = 0;
  while (count > 0) {
    at = ent_column_view_find(view, first, at);
    const ent_chunk *chunk = &view->chunks[at];
    size_t row = first - chunk->first, left = chunk->rows - row, rows = left < count ? left : count;
    ent_column_run run = {.stride = chunk->stride, .rows = rows, .out = out, .out_stride = stride};
    if (chunk->values != NULL)
      run.from = chunk->values + (ptrdiff_t)row * chunk->stride;
    if (view->element == ENT_ELEMENT_PACKED)
      ent_residency_read(rows * (size_t)chunk->stride);
    read_values(view, chunk, &run);
    apply_missing(chunk, row, &run);
    first += rows;
    count -= rows;
    out += rows * stride;
  }
}

double ent_column_view_number(const ent_column_view *view, size_t row) {
  double value;
  ent_column_view_read(view, row, 1, &value, 1);
  return value;
}

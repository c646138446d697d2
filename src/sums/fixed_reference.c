/* The loops in fixed point in plain C, and which loops there are. */
#include "base/processor.h"
#include "sums/fixed_round.h"

/* ---- Narrow ---- */

/* sums += value * row, both halves of 16 columns. */
static inline void narrow_add_row(int64_t value, const int32_t *row, int64_t *sums) {
  for (size_t first = 0; first < ENT_FIXED_PANEL; first += 16)
    for (size_t i = 0; i < 8; i++) {
      sums[first + i] += value * row[first + 2 * i];
      sums[first + 8 + i] += value * row[first + 2 * i + 1];
    }
}

static void narrow_axpy(const ent_fixed_lists *lists, size_t columns, const void *panel, int64_t *sums, int64_t *high) {
  (void)high;
  for (size_t j = 0; j < columns; j++) {
    const int32_t *values = (const int32_t *)lists->values + j * lists->stride;
    const uint16_t *offsets = lists->offsets + j * lists->stride;
    for (size_t i = 0; i < lists->counts[j]; i++)
      narrow_add_row(values[i], (const int32_t *)panel + offsets[i], sums + j * ENT_FIXED_PANEL);
  }
}

static void narrow_tile(const void *a, const void *b, const ent_fixed_extent *extent, size_t rows, int64_t *sums,
                        int64_t *high) {
  (void)extent; /* all of them */
  (void)high;
  for (size_t r = 0; r < rows; r++) {
    const double *of_a = (const double *)a + r * ENT_FIXED_PANEL, *of_b = (const double *)b + r * ENT_FIXED_PANEL;
    for (size_t j = 0; j < ENT_FIXED_PANEL; j++)
      for (size_t i = 0; i < ENT_FIXED_PANEL; i++)
        sums[j * ENT_FIXED_PANEL + i] += (int64_t)(of_a[i] * of_b[j]);
  }
}

static bool narrow_round_strip(ent_fixed_strip *strip, size_t rows, void *panel) {
  return ent_fixed_round_narrow(strip, 0, rows, panel);
}

const ent_fixed_code ent_fixed_narrow_reference = {"narrow reference", false, narrow_axpy, narrow_tile,
                                                   narrow_round_strip};

/* ---- Wide ---- */

__extension__ typedef unsigned __int128 ent_fixed_product;

/* Adds the two parts of value * row, or subtracts them. */
static inline void wide_add_row(uint64_t value, const uint64_t *row, int64_t sign, int64_t *low, int64_t *high) {
  const uint64_t mask = (UINT64_C(1) << ENT_FIXED_LOW_BITS) - 1;
  for (size_t i = 0; i < ENT_FIXED_PANEL; i++) {
    ent_fixed_product product = (ent_fixed_product)value * row[i];
    int64_t sum = low[i] + sign * (int64_t)((uint64_t)product & mask);
    low[i] = sum & (int64_t)mask;
    high[i] += sign * (int64_t)(product >> ENT_FIXED_LOW_BITS) + (sum >> ENT_FIXED_LOW_BITS);
  }
}

static void wide_axpy(const ent_fixed_lists *lists, size_t columns, const void *panel, int64_t *sums, int64_t *high) {
  for (size_t j = 0; j < columns; j++, sums += ENT_FIXED_PANEL, high += ENT_FIXED_PANEL) {
    const uint64_t *values = (const uint64_t *)lists->values + j * lists->stride;
    const uint16_t *offsets = lists->offsets + j * lists->stride;
    for (size_t i = 0; i < lists->counts[j]; i++)
      wide_add_row(values[i], (const uint64_t *)panel + offsets[i], 1, sums, high);
    for (size_t i = lists->stride - lists->negatives[j]; i < lists->stride; i++)
      wide_add_row(values[i], (const uint64_t *)panel + offsets[i], -1, sums, high);
  }
}

static void wide_tile(const void *a, const void *b, const ent_fixed_extent *extent, size_t rows, int64_t *sums,
                      int64_t *high) {
  (void)extent; /* all of them */
  for (size_t r = 0; r < rows; r++) {
    const uint64_t *of_a = (const uint64_t *)a + r * ENT_FIXED_PANEL, *of_b = (const uint64_t *)b + r * ENT_FIXED_PANEL;
    for (size_t j = 0; j < ENT_FIXED_PANEL; j++)
      wide_add_row(of_b[j], of_a, 1, sums + j * ENT_FIXED_PANEL, high + j * ENT_FIXED_PANEL);
  }
}

static bool wide_round_strip(ent_fixed_strip *strip, size_t rows, void *panel) {
  return ent_fixed_round_wide(strip, 0, rows, panel);
}

const ent_fixed_code ent_fixed_wide_reference = {"wide reference", true, wide_axpy, wide_tile, wide_round_strip};

/* ---- Which run here ---- */

size_t ent_fixed_codes(ent_grade grade, const ent_fixed_code *codes[ENT_FIXED_MOST_CODES]) {
  size_t count = 0;
#if defined(__x86_64__)
  if (grade == ENT_GRADE_EXACT && ent_processor_has_avx512() && __builtin_cpu_supports("avx512ifma"))
    codes[count++] = &ent_fixed_wide_avx512;
  if (ent_processor_has_avx512() && __builtin_cpu_supports("avx512dq"))
    codes[count++] = &ent_fixed_narrow_avx512;
  if (ent_processor_has_avx2() && __builtin_cpu_supports("fma"))
    codes[count++] = &ent_fixed_narrow_avx2;
#endif
  if (grade == ENT_GRADE_EXACT)
    codes[count++] = &ent_fixed_wide_reference;
  codes[count++] = &ent_fixed_narrow_reference;
  return count;
}

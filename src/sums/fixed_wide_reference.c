/* The wide loops in plain C. */
#include "sums/fixed_round.h"

__extension__ typedef unsigned __int128 ent_fixed_product;

/* Adds the two parts of value * row, or subtracts them. */
static inline void add_row(uint64_t value, const uint64_t *row, int64_t sign, int64_t *low, int64_t *high) {
  const uint64_t mask = (UINT64_C(1) << ENT_FIXED_LOW_BITS) - 1;
  for (size_t i = 0; i < ENT_FIXED_PANEL; i++) {
    ent_fixed_product product = (ent_fixed_product)value * row[i];
    int64_t sum = low[i] + sign * (int64_t)((uint64_t)product & mask);
    low[i] = sum & (int64_t)mask;
    high[i] += sign * (int64_t)(product >> ENT_FIXED_LOW_BITS) + (sum >> ENT_FIXED_LOW_BITS);
  }
}

static void axpy(const ent_fixed_lists *lists, size_t columns, const void *panel, int64_t *sums, int64_t *high) {
  for (size_t j = 0; j < columns; j++, sums += ENT_FIXED_PANEL, high += ENT_FIXED_PANEL) {
    const uint64_t *values = (const uint64_t *)lists->values + j * lists->stride;
    const uint16_t *offsets = lists->offsets + j * lists->stride;
    for (size_t i = 0; i < lists->counts[j]; i++)
      add_row(values[i], (const uint64_t *)panel + offsets[i], 1, sums, high);
    for (size_t i = lists->stride - lists->negatives[j]; i < lists->stride; i++)
      add_row(values[i], (const uint64_t *)panel + offsets[i], -1, sums, high);
  }
}

static void tile(const void *a, const void *b, const ent_fixed_extent *extent, size_t rows, int64_t *sums,
                 int64_t *high) {
  (void)extent; /* all of them */
  for (size_t r = 0; r < rows; r++) {
    const uint64_t *of_a = (const uint64_t *)a + r * ENT_FIXED_PANEL, *of_b = (const uint64_t *)b + r * ENT_FIXED_PANEL;
    for (size_t j = 0; j < ENT_FIXED_PANEL; j++)
      add_row(of_b[j], of_a, 1, sums + j * ENT_FIXED_PANEL, high + j * ENT_FIXED_PANEL);
  }
}

static bool round_strip(ent_fixed_strip *strip, size_t rows, void *panel) {
  return ent_fixed_round_wide(strip, 0, rows, panel);
}

const ent_fixed_code ent_fixed_wide_reference = {"wide reference", true, axpy, tile, round_strip};

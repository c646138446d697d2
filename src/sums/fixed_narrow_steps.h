/* The narrow loops of fixed_code.h with vectors, written once. A file that includes this defines before:
 *     LANES          doubles of a vector
 *     WIDTH          columns of b in a register tile; a has three vectors
 *     TARGET         the attribute of functions that call integers_of, or nothing
 *     multiply_even  the products of every other word of 32 bits, with sign
 *     multiply_add   a b + c of doubles; fused or not, it is exact
 *     integers_of    doubles that are integers of at most 2^53 */
#ifndef ENT_SUMS_FIXED_NARROW_STEPS_H
#define ENT_SUMS_FIXED_NARROW_STEPS_H

#include "sums/fixed_round_steps.h"

typedef int32_t ent_round_halves __attribute__((vector_size(8 * LANES), may_alias));
typedef uint64_t ent_round_pairs __attribute__((vector_size(8 * LANES), may_alias)); /* of narrow words */

#define REGISTERS (48 / LANES) /* sums of a panel */

/* Of the words of a register, the even ones belong to LANES columns, the odd ones to as many, 8 further on. */
static inline size_t sums_at(size_t i) {
  size_t word = 2 * LANES * (i / 2);
  return word / 16 * 16 + word % 16 / 2 + i % 2 * 8;
}

static void axpy(const ent_fixed_lists *lists, size_t columns, const void *panel, int64_t *sums, int64_t *high) {
  (void)high;
  for (size_t j = 0; j < columns; j++, sums += ENT_FIXED_PANEL) {
    const int32_t *values = (const int32_t *)lists->values + j * lists->stride;
    const uint16_t *offsets = lists->offsets + j * lists->stride;
    size_t count = lists->counts[j];
    if (count == 0)
      continue;
    ent_round_words sum[REGISTERS];
#pragma GCC unroll 12
    for (size_t i = 0; i < REGISTERS; i++)
      sum[i] = *(const ent_round_words *)(sums + sums_at(i));
    for (size_t k = 0; k < count; k++) {
      const int32_t *row = (const int32_t *)panel + offsets[k];
      ent_round_halves value = values[k] - (ent_round_halves){0};
#pragma GCC unroll 6
      for (size_t i = 0; i < REGISTERS; i += 2) {
        ent_round_pairs words = *(const ent_round_pairs *)(row + LANES * i);
        sum[i] += multiply_even(words, value);
        sum[i + 1] += multiply_even(words >> 32, value);
      }
    }
#pragma GCC unroll 12
    for (size_t i = 0; i < REGISTERS; i++)
      *(ent_round_words *)(sums + sums_at(i)) = sum[i];
  }
}

/* LANES columns of a for each register, times WIDTH columns of b, of at most ENT_FIXED_TILE_ROWS rows: exact sums, as
 * doubles. */
static inline TARGET __attribute__((always_inline)) void register_tile(size_t registers, const double *a,
                                                                       const double *b, size_t rows, int64_t *sums) {
  ent_round_lanes sum[3 * WIDTH];
#pragma GCC unroll 24
  for (size_t i = 0; i < registers * WIDTH; i++)
    sum[i] = (ent_round_lanes){0};
  for (size_t r = 0; r < rows; r++, a += ENT_FIXED_PANEL, b += ENT_FIXED_PANEL) {
    ent_round_lanes of_a[3];
#pragma GCC unroll 3
    for (size_t i = 0; i < registers; i++)
      of_a[i] = *(const ent_round_lanes *)(a + LANES * i);
#pragma GCC unroll 8
    for (size_t j = 0; j < WIDTH; j++) {
      ent_round_lanes of_b = b[j] - (ent_round_lanes){0};
#pragma GCC unroll 3
      for (size_t i = 0; i < registers; i++)
        sum[registers * j + i] = multiply_add(of_a[i], of_b, sum[registers * j + i]);
    }
  }
#pragma GCC unroll 24
  for (size_t i = 0; i < registers * WIDTH; i++)
    *(ent_round_words *)(sums + i / registers * ENT_FIXED_PANEL + i % registers * LANES) += integers_of(sum[i]);
}

/* Inlined with a constant, so that sums are in registers. */
static TARGET void any_tile(size_t columns, const double *a, const double *b, size_t rows, int64_t *sums) {
  if (columns > 2 * LANES)
    register_tile(3, a, b, rows, sums);
  else if (columns > LANES)
    register_tile(2, a, b, rows, sums);
  else
    register_tile(1, a, b, rows, sums);
}

static void tile(const void *a, const void *b, const ent_fixed_extent *extent, size_t rows, int64_t *sums,
                 int64_t *high) {
  (void)high;
  for (size_t first = 0; first < rows; first += ENT_FIXED_TILE_ROWS) {
    const double *of_a = (const double *)a + first * ENT_FIXED_PANEL;
    const double *of_b = (const double *)b + first * ENT_FIXED_PANEL;
    size_t count = rows - first < ENT_FIXED_TILE_ROWS ? rows - first : ENT_FIXED_TILE_ROWS;
    for (size_t i = 0; i < extent->a; i += 3 * LANES)
      for (size_t j = extent->diagonal ? i : 0; j < extent->b; j += WIDTH) {
        size_t end = extent->diagonal && j + WIDTH < extent->a ? j + WIDTH : extent->a;
        any_tile(end - i, of_a + i, of_b + j, count, sums + j * ENT_FIXED_PANEL + i);
      }
  }
}

static bool round_strip(ent_fixed_strip *strip, size_t rows, void *panel) {
  return round_lanes(strip, rows, panel, false);
}

#endif

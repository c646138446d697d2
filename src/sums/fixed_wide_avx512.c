/* The wide loops for AVX-512 with IFMA, which adds the low 52 bits, or the others, of products of 52-bit numbers. */
#define LANES 8
#include "sums/fixed_round_steps.h"

#define IFMA __attribute__((target("avx512f,avx512ifma")))
#define REGISTERS 6 /* of 8 words: a panel */

/* Adds rows of the panel, each times its value, to low and high. */
static inline IFMA __attribute__((always_inline)) void add_rows(const uint64_t *values, const uint16_t *offsets,
                                                                size_t count, const uint64_t *panel, __m512i *low,
                                                                __m512i *high) {
  for (size_t k = 0; k < count; k++) {
    const uint64_t *row = panel + offsets[k];
    __m512i value = _mm512_set1_epi64((long long)values[k]);
#pragma GCC unroll 6
    for (int i = 0; i < REGISTERS; i++) {
      __m512i words = _mm512_load_si512(row + 8 * i);
      low[i] = _mm512_madd52lo_epu64(low[i], words, value);
      high[i] = _mm512_madd52hi_epu64(high[i], words, value);
    }
  }
}

/* Adds what is beyond 52 bits of the low parts to the high ones, and stores both. */
static inline IFMA __attribute__((always_inline)) void store_carried(__m512i low, __m512i high, int64_t *sums,
                                                                     int64_t *highs) {
  const __m512i mask = _mm512_set1_epi64((1LL << ENT_FIXED_LOW_BITS) - 1);
  _mm512_store_si512(sums, _mm512_and_si512(low, mask));
  _mm512_store_si512(highs, _mm512_add_epi64(high, _mm512_srai_epi64(low, ENT_FIXED_LOW_BITS)));
}

/* sums += the non-zeros of a list times their rows, or -= them. */
static inline IFMA __attribute__((always_inline)) void add_list(const uint64_t *values, const uint16_t *offsets,
                                                                size_t count, const uint64_t *panel, bool subtracted,
                                                                int64_t *sums[2]) {
  __m512i low[REGISTERS], high[REGISTERS];
#pragma GCC unroll 6
  for (int i = 0; i < REGISTERS; i++) {
    low[i] = subtracted ? _mm512_setzero_si512() : _mm512_load_si512(sums[0] + 8 * i);
    high[i] = subtracted ? _mm512_setzero_si512() : _mm512_load_si512(sums[1] + 8 * i);
  }
  add_rows(values, offsets, count, panel, low, high);
#pragma GCC unroll 6
  for (int i = 0; i < REGISTERS; i++) {
    if (subtracted) {
      low[i] = _mm512_sub_epi64(_mm512_load_si512(sums[0] + 8 * i), low[i]);
      high[i] = _mm512_sub_epi64(_mm512_load_si512(sums[1] + 8 * i), high[i]);
    }
    store_carried(low[i], high[i], sums[0] + 8 * i, sums[1] + 8 * i);
  }
}

static IFMA void axpy(const ent_fixed_lists *lists, size_t columns, const void *panel, int64_t *sums, int64_t *high) {
  for (size_t j = 0; j < columns; j++) {
    const uint64_t *values = (const uint64_t *)lists->values + j * lists->stride;
    const uint16_t *offsets = lists->offsets + j * lists->stride;
    size_t positive = lists->counts[j], negative = lists->negatives[j], back = lists->stride - negative;
    int64_t *to[2] = {sums + j * ENT_FIXED_PANEL, high + j * ENT_FIXED_PANEL};
    if (positive > 0)
      add_list(values, offsets, positive, panel, false, to);
    if (negative > 0)
      add_list(values + back, offsets + back, negative, panel, true, to);
  }
}

#define WIDTH 4                 /* words of b in a register tile; a has 24 */
#define CHUNK_ROWS ((size_t)64) /* of two panels, which stay in the nearest caches; measured by bench-fixed */

/* 24 columns of a times WIDTH columns of b, both from their first rows on. */
static IFMA void register_tile(const uint64_t *a, const uint64_t *b, size_t rows, int64_t *sums, int64_t *highs) {
  __m512i low[3 * WIDTH], high[3 * WIDTH];
#pragma GCC unroll 12
  for (int i = 0; i < 3 * WIDTH; i++)
    low[i] = high[i] = _mm512_setzero_si512();
  for (size_t r = 0; r < rows; r++, a += ENT_FIXED_PANEL, b += ENT_FIXED_PANEL) {
    __m512i words[3] = {_mm512_load_si512(a), _mm512_load_si512(a + 8), _mm512_load_si512(a + 16)};
#pragma GCC unroll 4
    for (int j = 0; j < WIDTH; j++) {
      __m512i value = _mm512_set1_epi64((long long)b[j]);
#pragma GCC unroll 3
      for (int i = 0; i < 3; i++) {
        low[3 * j + i] = _mm512_madd52lo_epu64(low[3 * j + i], words[i], value);
        high[3 * j + i] = _mm512_madd52hi_epu64(high[3 * j + i], words[i], value);
      }
    }
  }
#pragma GCC unroll 12
  for (size_t i = 0; i < 3 * WIDTH; i++) {
    size_t at = i / 3 * ENT_FIXED_PANEL + i % 3 * 8;
    store_carried(_mm512_add_epi64(_mm512_load_si512(sums + at), low[i]),
                  _mm512_add_epi64(_mm512_load_si512(highs + at), high[i]), sums + at, highs + at);
  }
}

static IFMA void tile(const void *a, const void *b, const ent_fixed_extent *extent, size_t rows, int64_t *sums,
                      int64_t *high) {
  for (size_t first = 0; first < rows; first += CHUNK_ROWS) {
    const uint64_t *of_a = (const uint64_t *)a + first * ENT_FIXED_PANEL;
    const uint64_t *of_b = (const uint64_t *)b + first * ENT_FIXED_PANEL;
    size_t count = rows - first < CHUNK_ROWS ? rows - first : CHUNK_ROWS;
    for (size_t i = 0; i < extent->a; i += 24)
      for (size_t j = extent->diagonal ? i / WIDTH * WIDTH : 0; j < extent->b; j += WIDTH) {
        size_t at = j * ENT_FIXED_PANEL + i;
        register_tile(of_a + i, of_b + j, count, sums + at, high + at);
      }
  }
}

static bool round_strip(ent_fixed_strip *strip, size_t rows, void *panel) {
  return round_lanes(strip, rows, panel, true);
}

const ent_fixed_code ent_fixed_wide_avx512 = {"wide avx512", true, axpy, tile, round_strip};

/* The narrow loops for AVX-512. vpmuldq multiplies every other word of 32 bits, with sign, to 64 bits. */
#include <immintrin.h>

#include "solve/fixed_code.h"

#define REGISTERS 6 /* of 8 sums: a panel */

static inline __m512i multiply_add(__m512i a, __m512i b, __m512i sum) {
  return _mm512_add_epi64(sum, _mm512_mul_epi32(a, b));
}

static void axpy(const ent_fixed_lists *lists, size_t columns, const void *panel, int64_t *sums, int64_t *high) {
  (void)high;
  for (size_t j = 0; j < columns; j++, sums += ENT_FIXED_PANEL) {
    const int32_t *values = (const int32_t *)lists->values + j * lists->stride;
    const uint16_t *offsets = lists->offsets + j * lists->stride;
    size_t count = lists->counts[j];
    if (count == 0)
      continue;
    __m512i sum[REGISTERS];
#pragma GCC unroll 6
    for (int i = 0; i < REGISTERS; i++)
      sum[i] = _mm512_load_si512(sums + 8 * i);
    for (size_t k = 0; k < count; k++) {
      const int32_t *row = (const int32_t *)panel + offsets[k];
      __m512i value = _mm512_set1_epi32(values[k]);
#pragma GCC unroll 3
      for (int i = 0; i < REGISTERS; i += 2) {
        __m512i words = _mm512_load_si512(row + 8 * i);
        sum[i] = multiply_add(words, value, sum[i]);
        sum[i + 1] = multiply_add(_mm512_srli_epi64(words, 32), value, sum[i + 1]);
      }
    }
#pragma GCC unroll 6
    for (int i = 0; i < REGISTERS; i++)
      _mm512_store_si512(sums + 8 * i, sum[i]);
  }
}

#define WIDTH 12                 /* words of b in a register tile; a has 16 */
#define CHUNK_ROWS ((size_t)128) /* of two panels, which stay in the nearest caches; measured by bench-fixed */

/* 16 columns of a times the columns of b that stand in lanes first .. first + WIDTH - 1. */
static void register_tile(const int32_t *a, const int32_t *b, size_t rows, size_t first, int64_t *sums) {
  __m512i sum[2 * WIDTH];
#pragma GCC unroll 24
  for (int i = 0; i < 2 * WIDTH; i++)
    sum[i] = _mm512_setzero_si512();
  b += first;
  for (size_t r = 0; r < rows; r++, a += ENT_FIXED_PANEL, b += ENT_FIXED_PANEL) {
    __m512i even = _mm512_load_si512(a), odd = _mm512_srli_epi64(even, 32);
#pragma GCC unroll 12
    for (int j = 0; j < WIDTH; j++) {
      __m512i value = _mm512_set1_epi32(b[j]);
      sum[2 * j] = multiply_add(even, value, sum[2 * j]);
      sum[2 * j + 1] = multiply_add(odd, value, sum[2 * j + 1]);
    }
  }
#pragma GCC unroll 24
  for (int i = 0; i < 2 * WIDTH; i++) {
    size_t lane = first + (size_t)i / 2, column = lane / 16 * 16 + lane % 2 * 8 + lane % 16 / 2;
    int64_t *to = sums + column * ENT_FIXED_PANEL + i % 2 * 8;
    _mm512_store_si512(to, _mm512_add_epi64(_mm512_load_si512(to), sum[i]));
  }
}

static void tile(const void *a, const void *b, size_t rows, int64_t *sums, int64_t *high) {
  (void)high;
  for (size_t first = 0; first < rows; first += CHUNK_ROWS) {
    const int32_t *of_a = (const int32_t *)a + first * ENT_FIXED_PANEL;
    const int32_t *of_b = (const int32_t *)b + first * ENT_FIXED_PANEL;
    size_t count = rows - first < CHUNK_ROWS ? rows - first : CHUNK_ROWS;
    for (size_t i = 0; i < ENT_FIXED_PANEL; i += 16)
      for (size_t j = 0; j < ENT_FIXED_PANEL; j += WIDTH)
        register_tile(of_a + i, of_b, count, j, sums + i);
  }
}

const ent_fixed_code ent_fixed_narrow_avx512 = {"narrow avx512", false, axpy, tile};

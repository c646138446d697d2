/* The narrow loops for AVX2. vpmuldq multiplies every other word of 32 bits, with sign, to 64 bits. */
#include <immintrin.h>

#include "solve/fixed_code.h"

#define REGISTERS 12 /* of 4 sums: a panel */

static inline __m256i multiply_add(__m256i a, __m256i b, __m256i sum) {
  return _mm256_add_epi64(sum, _mm256_mul_epi32(a, b));
}
static inline __m256i load(const void *from) {
  return _mm256_load_si256(from);
}

/* Of the 8 words of a register, the even ones belong to 4 columns, the odd ones to the 4 columns 8 further on. */
static inline size_t even_columns(size_t word) {
  return word / 16 * 16 + word % 16 / 2;
}

static void axpy(const ent_fixed_lists *lists, size_t columns, const void *panel, int64_t *sums, int64_t *high) {
  (void)high;
  for (size_t j = 0; j < columns; j++, sums += ENT_FIXED_PANEL) {
    const int32_t *values = (const int32_t *)lists->values + j * lists->stride;
    const uint16_t *offsets = lists->offsets + j * lists->stride;
    size_t count = lists->counts[j];
    if (count == 0)
      continue;
    __m256i sum[REGISTERS];
#pragma GCC unroll 12
    for (size_t i = 0; i < REGISTERS; i++)
      sum[i] = load(sums + even_columns(8 * (i / 2)) + i % 2 * 8);
    for (size_t k = 0; k < count; k++) {
      const int32_t *row = (const int32_t *)panel + offsets[k];
      __m256i value = _mm256_set1_epi32(values[k]);
#pragma GCC unroll 6
      for (size_t i = 0; i < REGISTERS; i += 2) {
        __m256i words = load(row + 4 * i);
        sum[i] = multiply_add(words, value, sum[i]);
        sum[i + 1] = multiply_add(_mm256_srli_epi64(words, 32), value, sum[i + 1]);
      }
    }
#pragma GCC unroll 12
    for (size_t i = 0; i < REGISTERS; i++)
      _mm256_store_si256((__m256i *)(sums + even_columns(8 * (i / 2)) + i % 2 * 8), sum[i]);
  }
}

#define WIDTH 6                  /* words of b in a register tile; a has 8 */
#define CHUNK_ROWS ((size_t)128) /* of two panels, which stay in the nearest caches; measured by bench-fixed */

/* 8 columns of a times the columns of b that stand in lanes first .. first + WIDTH - 1. */
static void register_tile(const int32_t *a, const int32_t *b, size_t rows, size_t first, int64_t *sums) {
  __m256i sum[2 * WIDTH];
#pragma GCC unroll 12
  for (int i = 0; i < 2 * WIDTH; i++)
    sum[i] = _mm256_setzero_si256();
  b += first;
  for (size_t r = 0; r < rows; r++, a += ENT_FIXED_PANEL, b += ENT_FIXED_PANEL) {
    __m256i even = load(a), odd = _mm256_srli_epi64(even, 32);
#pragma GCC unroll 6
    for (int j = 0; j < WIDTH; j++) {
      __m256i value = _mm256_set1_epi32(b[j]);
      sum[2 * j] = multiply_add(even, value, sum[2 * j]);
      sum[2 * j + 1] = multiply_add(odd, value, sum[2 * j + 1]);
    }
  }
#pragma GCC unroll 12
  for (int i = 0; i < 2 * WIDTH; i++) {
    size_t lane = first + (size_t)i / 2, column = lane / 16 * 16 + lane % 2 * 8 + lane % 16 / 2;
    int64_t *to = sums + column * ENT_FIXED_PANEL + i % 2 * 8;
    _mm256_store_si256((__m256i *)to, _mm256_add_epi64(load(to), sum[i]));
  }
}

static void tile(const void *a, const void *b, size_t rows, int64_t *sums, int64_t *high) {
  (void)high;
  for (size_t first = 0; first < rows; first += CHUNK_ROWS) {
    const int32_t *of_a = (const int32_t *)a + first * ENT_FIXED_PANEL;
    const int32_t *of_b = (const int32_t *)b + first * ENT_FIXED_PANEL;
    size_t count = rows - first < CHUNK_ROWS ? rows - first : CHUNK_ROWS;
    for (size_t i = 0; i < ENT_FIXED_PANEL; i += 8)
      for (size_t j = 0; j < ENT_FIXED_PANEL; j += WIDTH)
        register_tile(of_a + i, of_b, count, j, sums + even_columns(i));
  }
}

const ent_fixed_code ent_fixed_narrow_avx2 = {"narrow avx2", false, axpy, tile};

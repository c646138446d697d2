/* The narrow loops for AVX2. vpmuldq multiplies every other word of 32 bits, with sign, to 64 bits. */
#include <immintrin.h>

#include "sums/fixed_round.h"

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

/* Integers of at most 2^53, held by doubles, as integers. Added to 1.5 * 2^52, a number below 2^51 is rounded to an integer,
 * which then stands in the low bits: first the number over 2^26, then what is left of it. */
static inline __m256i integers_of(__m256d value) {
  const __m256d magic = _mm256_set1_pd(6755399441055744.0), unit = _mm256_set1_pd(67108864.0);
  __m256d sum = _mm256_add_pd(_mm256_mul_pd(value, _mm256_set1_pd(1 / 67108864.0)), magic);
  __m256d rest = _mm256_fnmadd_pd(_mm256_sub_pd(sum, magic), unit, value);
  __m256i high = _mm256_sub_epi64(_mm256_castpd_si256(sum), _mm256_castpd_si256(magic));
  __m256i low = _mm256_sub_epi64(_mm256_castpd_si256(_mm256_add_pd(rest, magic)), _mm256_castpd_si256(magic));
  return _mm256_add_epi64(_mm256_slli_epi64(high, 26), low);
}

#define WIDTH 4 /* columns of b in a register tile; a has 12 */

/* 12 columns of a times WIDTH columns of b, of at most ENT_FIXED_TILE_ROWS rows: exact sums, as doubles. */
static void register_tile(const double *a, const double *b, size_t rows, int64_t *sums) {
  __m256d sum[3 * WIDTH];
#pragma GCC unroll 12
  for (int i = 0; i < 3 * WIDTH; i++)
    sum[i] = _mm256_setzero_pd();
  for (size_t r = 0; r < rows; r++, a += ENT_FIXED_PANEL, b += ENT_FIXED_PANEL) {
    __m256d of_a[3] = {_mm256_load_pd(a), _mm256_load_pd(a + 4), _mm256_load_pd(a + 8)};
#pragma GCC unroll 4
    for (int j = 0; j < WIDTH; j++) {
      __m256d of_b = _mm256_broadcast_sd(b + j);
#pragma GCC unroll 3
      for (int i = 0; i < 3; i++)
        sum[3 * j + i] = _mm256_fmadd_pd(of_a[i], of_b, sum[3 * j + i]);
    }
  }
#pragma GCC unroll 12
  for (size_t i = 0; i < 3 * WIDTH; i++) {
    int64_t *to = sums + i / 3 * ENT_FIXED_PANEL + i % 3 * 4;
    _mm256_store_si256((__m256i *)to, _mm256_add_epi64(load(to), integers_of(sum[i])));
  }
}

static void tile(const void *a, const void *b, const ent_fixed_extent *extent, size_t rows, int64_t *sums,
                 int64_t *high) {
  (void)high;
  for (size_t first = 0; first < rows; first += ENT_FIXED_TILE_ROWS) {
    const double *of_a = (const double *)a + first * ENT_FIXED_PANEL;
    const double *of_b = (const double *)b + first * ENT_FIXED_PANEL;
    size_t count = rows - first < ENT_FIXED_TILE_ROWS ? rows - first : ENT_FIXED_TILE_ROWS;
    for (size_t i = 0; i < extent->a; i += 12)
      for (size_t j = extent->diagonal ? i / WIDTH * WIDTH : 0; j < extent->b; j += WIDTH)
        register_tile(of_a + i, of_b + j, count, sums + j * ENT_FIXED_PANEL + i);
  }
}

/* Four columns of four rows become four rows of four columns. */
static inline void transpose(__m256d *v) {
  __m256d a = _mm256_unpacklo_pd(v[0], v[1]), b = _mm256_unpackhi_pd(v[0], v[1]);
  __m256d c = _mm256_unpacklo_pd(v[2], v[3]), d = _mm256_unpackhi_pd(v[2], v[3]);
  v[0] = _mm256_permute2f128_pd(a, c, 0x20);
  v[1] = _mm256_permute2f128_pd(b, d, 0x20);
  v[2] = _mm256_permute2f128_pd(a, c, 0x31);
  v[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

static bool round_strip(ent_fixed_strip *strip, size_t rows, void *panel) {
  const __m256d magic = _mm256_set1_pd(6755399441055744.0), limit = _mm256_set1_pd(strip->limit);
  const __m256d sign = _mm256_set1_pd(-0.0);
  __m256d beyond = _mm256_setzero_pd();
  double *to = panel;
  size_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    __m256d roots = _mm256_loadu_pd(strip->roots + r);
    for (size_t first = 0; first < ENT_FIXED_STRIP; first += 4) {
      __m256d v[4];
#pragma GCC unroll 4
      for (size_t j = 0; j < 4; j++) {
        __m256d value = _mm256_mul_pd(_mm256_loadu_pd(strip->values[first + j] + r), roots);
        __m256d scaled = _mm256_mul_pd(value, _mm256_set1_pd(strip->factors[first + j]));
        beyond = _mm256_or_pd(beyond, _mm256_cmp_pd(_mm256_andnot_pd(sign, scaled), limit, _CMP_NLE_UQ));
        v[j] = _mm256_sub_pd(_mm256_add_pd(scaled, magic), magic);
      }
      transpose(v);
#pragma GCC unroll 4
      for (size_t i = 0; i < 4; i++)
        _mm256_store_pd(to + (r + i) * ENT_FIXED_PANEL + first, v[i]);
    }
  }
  return ent_fixed_round_narrow(strip, r, rows, to) && _mm256_movemask_pd(beyond) == 0;
}

const ent_fixed_code ent_fixed_narrow_avx2 = {"narrow avx2", false, axpy, tile, round_strip};

/* The narrow loops for AVX-512. vpmuldq multiplies every other word of 32 bits, with sign, to 64 bits. */
#include "sums/fixed_avx512.h"
#include "sums/fixed_round.h"

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

#define DQ __attribute__((target("avx512f,avx512dq"))) /* converts doubles to 64-bit integers */
#define WIDTH 8                                        /* columns of b in a register tile; a has 24 */

/* 8 columns of a for each register, times WIDTH columns of b, of at most ENT_FIXED_TILE_ROWS rows: exact sums, as doubles. */
static inline DQ __attribute__((always_inline)) void register_tile(size_t registers, const double *a, const double *b,
                                                                   size_t rows, int64_t *sums) {
  __m512d sum[3 * WIDTH];
#pragma GCC unroll 24
  for (size_t i = 0; i < registers * WIDTH; i++)
    sum[i] = _mm512_setzero_pd();
  for (size_t r = 0; r < rows; r++, a += ENT_FIXED_PANEL, b += ENT_FIXED_PANEL) {
    __m512d of_a[3];
#pragma GCC unroll 3
    for (size_t i = 0; i < registers; i++)
      of_a[i] = _mm512_load_pd(a + 8 * i);
#pragma GCC unroll 8
    for (size_t j = 0; j < WIDTH; j++) {
      __m512d of_b = _mm512_set1_pd(b[j]);
#pragma GCC unroll 3
      for (size_t i = 0; i < registers; i++)
        sum[registers * j + i] = _mm512_fmadd_pd(of_a[i], of_b, sum[registers * j + i]);
    }
  }
#pragma GCC unroll 24
  for (size_t i = 0; i < registers * WIDTH; i++) {
    int64_t *to = sums + i / registers * ENT_FIXED_PANEL + i % registers * 8;
    _mm512_store_si512(to, _mm512_add_epi64(_mm512_load_si512(to), _mm512_cvtpd_epi64(sum[i])));
  }
}

/* Inlined with a constant, so that sums are in registers. */
static DQ void any_tile(size_t columns, const double *a, const double *b, size_t rows, int64_t *sums) {
  if (columns > 16)
    register_tile(3, a, b, rows, sums);
  else if (columns > 8)
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
    for (size_t i = 0; i < extent->a; i += 24)
      for (size_t j = extent->diagonal ? i : 0; j < extent->b; j += WIDTH) {
        size_t end = extent->diagonal && j + WIDTH < extent->a ? j + WIDTH : extent->a;
        any_tile(end - i, of_a + i, of_b + j, count, sums + j * ENT_FIXED_PANEL + i);
      }
  }
}

static bool round_strip(ent_fixed_strip *strip, size_t rows, void *panel) {
  double *to = panel;
  __mmask8 beyond = 0;
  size_t r = 0;
  for (; r + 8 <= rows; r += 8) {
    __m512d v[ENT_FIXED_STRIP], roots = _mm512_loadu_pd(strip->roots + r);
#pragma GCC unroll 8
    for (int j = 0; j < ENT_FIXED_STRIP; j++) {
      __m512d value = _mm512_mul_pd(_mm512_loadu_pd(strip->values[j] + r), roots);
      v[j] = _mm512_sub_pd(ent_round_sum(value, strip->factors[j], strip->limit, &beyond),
                           _mm512_set1_pd(6755399441055744.0));
    }
    ent_transpose(v);
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++)
      _mm512_store_pd(to + (r + i) * ENT_FIXED_PANEL, v[i]);
  }
  return ent_fixed_round_narrow(strip, r, rows, to) && beyond == 0;
}

const ent_fixed_code ent_fixed_narrow_avx512 = {"narrow avx512", false, axpy, tile, round_strip};

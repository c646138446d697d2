/* What the loops for AVX-512 have in common. */
#ifndef ENT_SUMS_FIXED_AVX512_H
#define ENT_SUMS_FIXED_AVX512_H

#include <immintrin.h>

/* Eight columns of eight rows become eight rows of eight columns. Rows 2 i and 2 i + 1 are in lane i of registers. */
static inline __attribute__((always_inline)) void ent_transpose(__m512d *v) {
  __m512d a[8], b[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) { /* columns i, i + 1: rows 0 2 4 6, rows 1 3 5 7 */
    a[i] = _mm512_unpacklo_pd(v[i], v[i + 1]);
    a[i + 1] = _mm512_unpackhi_pd(v[i], v[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) { /* columns of j to j + 3: rows 0 4, or 2 6, and the same of odd rows */
    int j = i / 2 * 4 + i % 2;
    b[j] = _mm512_shuffle_f64x2(a[j], a[j + 2], 0x88);
    b[j + 2] = _mm512_shuffle_f64x2(a[j], a[j + 2], 0xdd);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    v[i] = _mm512_shuffle_f64x2(b[i], b[i + 4], 0x88);
    v[i + 4] = _mm512_shuffle_f64x2(b[i], b[i + 4], 0xdd);
  }
}

/* value / 2^(e - b), as a sum with 1.5 * 2^52: rounded, the integer in the low bits. Lanes that are beyond the limit, or NaN,
 * are added to `beyond`. */
static inline __attribute__((always_inline)) __m512d ent_round_sum(__m512d value, double factor, double limit,
                                                                   __mmask8 *beyond) {
  __m512d scaled = _mm512_mul_pd(value, _mm512_set1_pd(factor));
  *beyond |= _mm512_cmp_pd_mask(_mm512_abs_pd(scaled), _mm512_set1_pd(limit), _CMP_NLE_UQ);
  return _mm512_add_pd(scaled, _mm512_set1_pd(6755399441055744.0));
}

#endif

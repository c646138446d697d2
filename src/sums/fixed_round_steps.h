/* Rounding strips of dense rows with vectors, written once. A file that includes this defines before:
 *     LANES  doubles of a vector: 4 with AVX2, 8 with AVX-512 */
#ifndef ENT_SUMS_FIXED_ROUND_STEPS_H
#define ENT_SUMS_FIXED_ROUND_STEPS_H

#include <immintrin.h>

#include "sums/fixed_round.h"

typedef double ent_round_lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t ent_round_words __attribute__((vector_size(8 * LANES)));
typedef double ent_round_lanes_at __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef int64_t ent_round_words_at __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

/* LANES columns of LANES rows become LANES rows of LANES columns. */
#if LANES == 8
static inline __attribute__((always_inline)) void transpose(__m512d *v) { /* rows 2 i and 2 i + 1 are in lane i */
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
#else
static inline __attribute__((always_inline)) void transpose(__m256d *v) {
  __m256d a = _mm256_unpacklo_pd(v[0], v[1]), b = _mm256_unpackhi_pd(v[0], v[1]);
  __m256d c = _mm256_unpacklo_pd(v[2], v[3]), d = _mm256_unpackhi_pd(v[2], v[3]);
  v[0] = _mm256_permute2f128_pd(a, c, 0x20);
  v[1] = _mm256_permute2f128_pd(b, d, 0x20);
  v[2] = _mm256_permute2f128_pd(a, c, 0x31);
  v[3] = _mm256_permute2f128_pd(b, d, 0x31);
}
#endif

/* Rows from 0 on into rows of a panel: narrow as doubles, wide as words. */
static inline __attribute__((always_inline)) bool round_lanes(ent_fixed_strip *strip, size_t rows, void *panel,
                                                              bool wide) {
  const double magic = 6755399441055744.0;
  const ent_round_words zero = (ent_round_words)(magic - (ent_round_lanes){0});
  ent_round_words beyond = {0};
  size_t r = 0;
  for (; r + LANES <= rows; r += LANES) {
    ent_round_lanes roots = *(const ent_round_lanes_at *)(strip->roots + r);
    for (size_t first = 0; first < ENT_FIXED_STRIP; first += LANES) {
      ent_round_lanes v[LANES];
#pragma GCC unroll 8
      for (size_t j = 0; j < LANES; j++) {
        ent_round_lanes value = *(const ent_round_lanes_at *)(strip->values[first + j] + r) * roots;
        ent_round_lanes scaled = value * strip->factors[first + j];
        ent_round_lanes size = (ent_round_lanes)((ent_round_words)scaled & INT64_MAX);
        beyond |= ~(size <= strip->limit); /* or NaN */
        v[j] = scaled + magic;
      }
      transpose(v);
      ent_round_words sums = *(ent_round_words_at *)(strip->sums + first);
#pragma GCC unroll 8
      for (size_t i = 0; i < LANES; i++) {
        size_t at = (r + i) * ENT_FIXED_PANEL + first;
        if (!wide) {
          *(ent_round_lanes_at *)((double *)panel + at) = v[i] - magic;
          continue;
        }
        ent_round_words q = (ent_round_words)v[i] - zero;
        sums += q;
        *(ent_round_words_at *)((int64_t *)panel + at) = q + (INT64_C(1) << ENT_EXACT_BITS);
      }
      *(ent_round_words_at *)(strip->sums + first) = sums;
    }
  }
  bool fine = wide ? ent_fixed_round_wide(strip, r, rows, panel) : ent_fixed_round_narrow(strip, r, rows, panel);
  for (size_t i = 0; i < LANES; i++)
    fine &= beyond[i] == 0;
  return fine;
}

#endif

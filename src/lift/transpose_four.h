/* The smallest transpose with AVX, from which larger ones are made. */
#ifndef ENT_LIFT_TRANSPOSE_FOUR_H
#define ENT_LIFT_TRANSPOSE_FOUR_H

#include <immintrin.h>
#include <stddef.h>

/* Transposes four numbers from each of four places, `stride` apart. Halves are put together while they are loaded, which
 * leaves only four shuffles. */
static inline void transpose_four(const double *from, size_t stride, __m256d transposed[4]) {
  __m256d ac_low = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from)), _mm_loadu_pd(from + 2 * stride), 1);
  __m256d bd_low =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from + stride)), _mm_loadu_pd(from + 3 * stride), 1);
  __m256d ac_high =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from + 2)), _mm_loadu_pd(from + 2 * stride + 2), 1);
  __m256d bd_high = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from + stride + 2)),
                                         _mm_loadu_pd(from + 3 * stride + 2), 1);
  transposed[0] = _mm256_unpacklo_pd(ac_low, bd_low);
  transposed[1] = _mm256_unpackhi_pd(ac_low, bd_low);
  transposed[2] = _mm256_unpacklo_pd(ac_high, bd_high);
  transposed[3] = _mm256_unpackhi_pd(ac_high, bd_high);
}

#endif

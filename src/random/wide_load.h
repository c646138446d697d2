/* Turning rows into strips with AVX. */
#ifndef ENT_RANDOM_WIDE_LOAD_H
#define ENT_RANDOM_WIDE_LOAD_H

#include "lift/turn_four.h"
#include "random/wide.h"

static bool load_avx(const double *x, size_t inputs, size_t stride, double *strip) {
  const __m256d zero = _mm256_setzero_pd(), one = _mm256_set1_pd(1);
  __m256d inside = _mm256_cmp_pd(zero, one, _CMP_LT_OQ); /* true everywhere */
  for (size_t i = 0, width; i < inputs; i += width) {
    width = i + 4 <= inputs ? 4 : 1;
    for (size_t r = 0; r < ENT_STRIP; r += 4) {
      const double *from = x + r * stride + i;
      __m256d turned[4];
      if (width == 4)
        turn_four(from, stride, turned);
      else
        turned[0] = _mm256_set_pd(from[3 * stride], from[2 * stride], from[stride], from[0]);
      for (size_t k = 0; k < width; k++) {
        inside = _mm256_and_pd(inside, _mm256_cmp_pd(turned[k], zero, _CMP_GE_OQ));
        inside = _mm256_and_pd(inside, _mm256_cmp_pd(turned[k], one, _CMP_LE_OQ));
        _mm256_storeu_pd(strip + (i + k) * ENT_STRIP + r, turned[k]);
      }
    }
  }
  return _mm256_movemask_pd(inside) == 15;
}

#endif

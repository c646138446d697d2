/* Turning tiles with AVX: rows into columns when a tile is loaded, vectors into rows when sparse rows are written. The one
 * thing compilers do not find by themselves. */
#ifndef ENT_LIFT_TRANSPOSE_AVX_H
#define ENT_LIFT_TRANSPOSE_AVX_H

#include <immintrin.h>

#include "lift/lift.h"

/* Four numbers from each of four places, `stride` apart, turned. Halves are put together while they are loaded, which
 * leaves only four shuffles. */
static inline void turn_four(const double *from, size_t stride, __m256d turned[4]) {
  __m256d ac_low = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from)), _mm_loadu_pd(from + 2 * stride), 1);
  __m256d bd_low =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from + stride)), _mm_loadu_pd(from + 3 * stride), 1);
  __m256d ac_high =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from + 2)), _mm_loadu_pd(from + 2 * stride + 2), 1);
  __m256d bd_high = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from + stride + 2)),
                                         _mm_loadu_pd(from + 3 * stride + 2), 1);
  turned[0] = _mm256_unpacklo_pd(ac_low, bd_low);
  turned[1] = _mm256_unpackhi_pd(ac_low, bd_low);
  turned[2] = _mm256_unpacklo_pd(ac_high, bd_high);
  turned[3] = _mm256_unpackhi_pd(ac_high, bd_high);
}

/* What loading looks out for. */
typedef struct ent_watch {
  __m256d nonsense; /* 0 times each value, added up: NaN if one is not finite */
  __m256d tiny;     /* all ones in rows with a tiny value */
} ent_watch;

static inline __m256d clamp_and_watch(__m256d value, ent_watch *watch) {
  const __m256d zero = _mm256_setzero_pd();
  watch->nonsense = _mm256_add_pd(watch->nonsense, _mm256_mul_pd(value, zero));
  __m256d clamped = _mm256_min_pd(_mm256_max_pd(value, zero), _mm256_set1_pd(1));
  __m256d tiny = _mm256_and_pd(_mm256_cmp_pd(clamped, _mm256_set1_pd(ENT_TINY), _CMP_LT_OQ),
                               _mm256_cmp_pd(clamped, zero, _CMP_NEQ_OQ));
  watch->tiny = _mm256_or_pd(watch->tiny, tiny);
  return clamped;
}

static bool load_avx(const entropic_lift *lift, const double *x, size_t stride, double *columns, uint32_t *rare) {
  const uint32_t *input = lift->column_input;
  __m256d nonsense = _mm256_setzero_pd();
  for (size_t r = 0; r < ENT_TILE; r += 4) {
    const double *row = x + r * stride;
    ent_watch watch = {.nonsense = nonsense, .tiny = _mm256_setzero_pd()};
    size_t c = 0;
    while (c < lift->column_count) {
      __m256d turned[4];
      size_t width = 1;
      if (c + 4 <= lift->column_count && input[c + 3] == input[c] + 3) {
        turn_four(row + input[c], stride, turned);
        width = 4;
      } else {
        const double *at = row + input[c];
        turned[0] = _mm256_set_pd(at[3 * stride], at[2 * stride], at[stride], at[0]);
      }
      for (size_t i = 0; i < width; i++)
        _mm256_store_pd(columns + (c + i) * ENT_TILE + r, clamp_and_watch(turned[i], &watch));
      c += width;
    }
    nonsense = watch.nonsense;
    *rare |= (uint32_t)_mm256_movemask_pd(watch.tiny) << r;
  }
  return _mm256_movemask_pd(_mm256_cmp_pd(nonsense, nonsense, _CMP_UNORD_Q)) == 0;
}

static bool turn_avx(const double *chunk, size_t count, double *rows, size_t stride) {
  const __m256d zero = _mm256_setzero_pd();
  __m256d zeros = zero;
  bool zero_in_rest = false;
  for (size_t r = 0; r < ENT_TILE; r += 4) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      __m256d turned[4];
      turn_four(chunk + i * ENT_TILE + r, ENT_TILE, turned);
      for (size_t k = 0; k < 4; k++) {
        zeros = _mm256_or_pd(zeros, _mm256_cmp_pd(turned[k], zero, _CMP_EQ_OQ));
        _mm256_storeu_pd(rows + (r + k) * stride + i, turned[k]);
      }
    }
    for (; i < count; i++)
      for (size_t k = 0; k < 4; k++) {
        double value = chunk[i * ENT_TILE + r + k];
        rows[(r + k) * stride + i] = value;
        zero_in_rest = zero_in_rest || value == 0;
      }
  }
  return zero_in_rest || _mm256_movemask_pd(zeros) != 0;
}

#endif

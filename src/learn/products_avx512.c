/* The loop compiled for AVX-512. */
#include <immintrin.h>

#include "learn/products.h"

typedef __m512d ent_eight;
#define A_COLUMNS ((size_t)5)
#define B_COLUMNS ((size_t)5)

static inline ent_eight eight_zero(void) {
  return _mm512_setzero_pd();
}
static inline ent_eight eight_load(const double *from) {
  return _mm512_loadu_pd(from);
}
static inline ent_eight eight_fma(ent_eight a, ent_eight b, ent_eight c) {
  return _mm512_fmadd_pd(a, b, c);
}
static inline double eight_sum(ent_eight lanes) {
  __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(lanes), _mm512_extractf64x4_pd(lanes, 1));
  __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

#include "learn/products_steps.h"

const ent_products_code ent_products_avx512 = {"avx512", steps_add};

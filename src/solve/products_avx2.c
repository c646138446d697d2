/* The loop compiled for AVX2 and FMA. */
#include <immintrin.h>

#include "solve/products.h"

typedef struct {
  __m256d low, high;
} ent_eight;
#define A_COLUMNS ((size_t)2)
#define B_COLUMNS ((size_t)3)

static inline ent_eight eight_zero(void) {
  return (ent_eight){_mm256_setzero_pd(), _mm256_setzero_pd()};
}
static inline ent_eight eight_load(const double *from) {
  return (ent_eight){_mm256_loadu_pd(from), _mm256_loadu_pd(from + 4)};
}
static inline ent_eight eight_fma(ent_eight a, ent_eight b, ent_eight c) {
  return (ent_eight){_mm256_fmadd_pd(a.low, b.low, c.low), _mm256_fmadd_pd(a.high, b.high, c.high)};
}
static inline double eight_sum(ent_eight lanes) {
  __m256d four = _mm256_add_pd(lanes.low, lanes.high);
  __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

static inline void eights_add(const ent_eight *lanes, size_t count, double *out) {
  for (size_t i = 0; i < count; i++)
    out[i] += eight_sum(lanes[i]);
}

#include "solve/products_steps.h"

const ent_products_code ent_products_avx2 = {"avx2", steps_add};

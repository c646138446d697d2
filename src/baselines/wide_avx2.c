/* The loops compiled for AVX2 and FMA. */
#include <immintrin.h>

#include "baselines/wide.h"

typedef __m256d ent_wide;
#define LANES 4
#define VECTORS 2

static inline ent_wide wide_load(const double *from) {
  return _mm256_loadu_pd(from);
}
static inline void wide_store(double *to, ent_wide value) {
  _mm256_storeu_pd(to, value);
}
static inline ent_wide wide_all(double value) {
  return _mm256_set1_pd(value);
}
static inline ent_wide wide_fma(ent_wide a, ent_wide b, ent_wide c) {
  return _mm256_fmadd_pd(a, b, c);
}
static inline ent_wide wide_round(ent_wide value) {
  return _mm256_round_pd(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
static inline ent_wide wide_size(ent_wide value) {
  return _mm256_andnot_pd(_mm256_set1_pd(-0.0), value);
}
static inline ent_wide wide_least(ent_wide a, ent_wide b) {
  return _mm256_min_pd(a, b);
}

#include "baselines/wide_load.h"
#include "baselines/wide_steps.h"

const ent_wide_code ent_wide_avx2 = WIDE_CODE("avx2", load_avx);

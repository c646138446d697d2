/* The loops compiled for AVX-512. */
#include <immintrin.h>

#include "baselines/wide.h"

typedef __m512d ent_wide;
#define LANES 8
#define VECTORS 4

static inline ent_wide wide_load(const double *from) {
  return _mm512_loadu_pd(from);
}
static inline void wide_store(double *to, ent_wide value) {
  _mm512_storeu_pd(to, value);
}
static inline ent_wide wide_all(double value) {
  return _mm512_set1_pd(value);
}
static inline ent_wide wide_fma(ent_wide a, ent_wide b, ent_wide c) {
  return _mm512_fmadd_pd(a, b, c);
}
static inline ent_wide wide_round(ent_wide value) {
  return _mm512_roundscale_pd(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
static inline ent_wide wide_size(ent_wide value) {
  return _mm512_abs_pd(value);
}
static inline ent_wide wide_least(ent_wide a, ent_wide b) {
  return _mm512_min_pd(a, b);
}

#include "baselines/wide_load.h"
#include "baselines/wide_steps.h"

const ent_wide_code ent_wide_avx512 = WIDE_CODE("avx512", load_avx);

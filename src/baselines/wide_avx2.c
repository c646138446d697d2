/* The loops compiled for AVX2 and FMA. */
#include <immintrin.h>

#define LANES 4
#define VECTORS 2
#define FMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define NEAREST(a) _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define LEAST(a, b) _mm256_min_pd(a, b)
#include "baselines/wide_steps.h"

const ent_wide_code ent_wide_avx2 = WIDE_CODE("avx2");

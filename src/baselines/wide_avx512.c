/* The loops compiled for AVX-512. */
#include <immintrin.h>

#define LANES 8
#define VECTORS 4
#define FMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define NEAREST(a) _mm512_roundscale_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define LEAST(a, b) _mm512_min_pd(a, b)
#include "baselines/wide_steps.h"

const ent_wide_code ent_wide_avx512 = WIDE_CODE("avx512");

/* The loops of gradient_code.h with AVX-512. */
#include <immintrin.h>

#define LANES 8
#define LARGER(a, b) _mm512_max_pd(a, b)
#include "sums/gradient_steps.h"

const ent_gradient_code ent_gradient_avx512 = GRADIENT_CODE("avx512");

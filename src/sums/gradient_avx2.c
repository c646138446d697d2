/* The loops of gradient_code.h with AVX2. */
#include <immintrin.h>

#define LANES 4
#define LARGER(a, b) _mm256_max_pd(a, b)
#include "sums/gradient_steps.h"

const ent_gradient_code ent_gradient_avx2 = GRADIENT_CODE("avx2");

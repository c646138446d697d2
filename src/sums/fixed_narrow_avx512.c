/* The narrow loops with AVX-512. */
#define LANES 8
#define WIDTH 8
#define TARGET __attribute__((target("avx512f,avx512dq"))) /* converts doubles to 64-bit integers */
#define multiply_even(a, b) ((ent_round_words)_mm512_mul_epi32((__m512i)(a), (__m512i)(b)))
#define multiply_add(a, b, sum) _mm512_fmadd_pd(a, b, sum)
#define integers_of(value) ((ent_round_words)_mm512_cvtpd_epi64(value))
#include "sums/fixed_narrow_steps.h"

const ent_fixed_code ent_fixed_narrow_avx512 = {"narrow avx512", false, axpy, tile, round_strip};

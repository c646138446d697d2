/* The narrow loops with AVX2. */
#define LANES 4
#define WIDTH 4
#define TARGET
#define multiply_even(a, b) ((ent_round_words)_mm256_mul_epi32((__m256i)(a), (__m256i)(b)))
#define multiply_add(a, b, sum) _mm256_fmadd_pd(a, b, sum)
#include "sums/fixed_round_steps.h"

/* Added to 1.5 * 2^52, a number below 2^51 is rounded to an integer, which then stands in the low bits: first the number over
 * 2^26, then what is left of it, which is exact. */
static inline ent_round_words integers_of(ent_round_lanes value) {
  const ent_round_lanes magic = 6755399441055744.0 - (ent_round_lanes){0};
  const ent_round_words zero = (ent_round_words)magic;
  ent_round_lanes high = value * (1 / 67108864.0) + magic, rest = value - (high - magic) * 67108864.0;
  return (((ent_round_words)high - zero) << 26) + ((ent_round_words)(rest + magic) - zero);
}

#include "sums/fixed_narrow_steps.h"

const ent_fixed_code ent_fixed_narrow_avx2 = {"narrow avx2", false, axpy, tile, round_strip};

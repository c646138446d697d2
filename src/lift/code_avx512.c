/* Steps compiled for AVX-512, and rows turned into columns with it. */
#include "lift/steps.h"
#include "lift/transpose_avx.h"

/* Four inputs of two rows. */
static inline __m512d two_rows(const double *first, const double *second) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(first)), _mm256_loadu_pd(second), 1);
}

/* Four inputs of eight rows, `stride` apart, turned. Rows that are four apart share a register, so that the first
 * shuffles stay within its quarters. */
static inline void turn_eight(const double *from, size_t stride, __m512d turned[4]) {
  const __m512i even = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), odd = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
  __m512d a = two_rows(from, from + 4 * stride), b = two_rows(from + stride, from + 5 * stride);
  __m512d c = two_rows(from + 2 * stride, from + 6 * stride), d = two_rows(from + 3 * stride, from + 7 * stride);
  __m512d ab_low = _mm512_unpacklo_pd(a, b), ab_high = _mm512_unpackhi_pd(a, b);
  __m512d cd_low = _mm512_unpacklo_pd(c, d), cd_high = _mm512_unpackhi_pd(c, d);
  turned[0] = _mm512_permutex2var_pd(ab_low, even, cd_low);
  turned[1] = _mm512_permutex2var_pd(ab_high, even, cd_high);
  turned[2] = _mm512_permutex2var_pd(ab_low, odd, cd_low);
  turned[3] = _mm512_permutex2var_pd(ab_high, odd, cd_high);
}

/* As with AVX2, but that three operations look at eight values: the last one is "or" of three. */
static bool load_avx512(const entropic_lift *lift, const double *x, size_t stride, double *columns) {
  const uint32_t *input = lift->column_input;
  const __m512i least = _mm512_castpd_si512(_mm512_set1_pd(ENT_TINY)), most = _mm512_castpd_si512(_mm512_set1_pd(1));
  __m512i strange = _mm512_setzero_si512();
  for (size_t c = 0, width; c < lift->column_count; c += width) {
    const double *from = x + input[c];
    double *to = columns + c * ENT_TILE;
    width = c + 4 <= lift->column_count && input[c + 3] == input[c] + 3 ? 4 : 1;
    for (size_t r = 0; r < ENT_TILE; r += 8) {
      __m512d turned[4];
      const double *at = from + r * stride;
      if (width == 4)
        turn_eight(at, stride, turned);
      else
        turned[0] = _mm512_set_pd(at[7 * stride], at[6 * stride], at[5 * stride], at[4 * stride], at[3 * stride],
                                  at[2 * stride], at[stride], at[0]);
      for (size_t i = 0; i < width; i++) {
        __m512i bits = _mm512_castpd_si512(turned[i]);
        strange = _mm512_ternarylogic_epi64(strange, _mm512_sub_epi64(bits, least), _mm512_sub_epi64(most, bits), 0xfe);
        _mm512_store_pd(to + i * ENT_TILE + r, turned[i]);
      }
    }
  }
  return _mm512_test_epi64_mask(strange, _mm512_set1_epi64(INT64_MIN)) == 0;
}

const ent_code ent_code_avx512 = {.name = "avx512",
                                  .load = load_avx512,
                                  .clamp = steps_clamp,
                                  .factors = steps_factors,
                                  .rare = steps_rare,
                                  .bases = steps_bases,
                                  .columns = steps_columns,
                                  .vectors = steps_vectors,
                                  .turn = turn_avx,
                                  .add = steps_add,
                                  .pick = steps_pick};

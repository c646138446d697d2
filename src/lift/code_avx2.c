/* Steps compiled for AVX2, and rows turned into columns with it. */
#include "lift/steps.h"
#include "lift/transpose_avx.h"

/* A number whose sign bit is set unless the value is from ENT_TINY to 1: as integers, the bits of such values lie between
 * those of the ends, and those of nothing else do (not of negative numbers, larger ones, infinity or NaN). */
static inline __m256i outside(__m256d value) {
  const __m256i least = _mm256_castpd_si256(_mm256_set1_pd(ENT_TINY)), most = _mm256_castpd_si256(_mm256_set1_pd(1));
  __m256i bits = _mm256_castpd_si256(value);
  return _mm256_or_si256(_mm256_sub_epi64(bits, least), _mm256_sub_epi64(most, bits));
}

static bool load_avx2(const entropic_lift *lift, const double *x, size_t stride, double *columns) {
  const uint32_t *input = lift->column_input;
  __m256i strange = _mm256_setzero_si256();
  for (size_t c = 0, width; c < lift->column_count; c += width) {
    const double *from = x + input[c];
    double *to = columns + c * ENT_TILE;
    width = c + 4 <= lift->column_count && input[c + 3] == input[c] + 3 ? 4 : 1;
    for (size_t r = 0; r < ENT_TILE; r += 4) {
      __m256d turned[4];
      const double *at = from + r * stride;
      if (width == 4)
        turn_four(at, stride, turned);
      else
        turned[0] = _mm256_set_pd(at[3 * stride], at[2 * stride], at[stride], at[0]);
      for (size_t i = 0; i < width; i++) {
        strange = _mm256_or_si256(strange, outside(turned[i]));
        _mm256_store_pd(to + i * ENT_TILE + r, turned[i]);
      }
    }
  }
  return _mm256_movemask_pd(_mm256_castsi256_pd(strange)) == 0;
}

const ent_code ent_code_avx2 = {.name = "avx2",
                                .load = load_avx2,
                                .clamp = steps_clamp,
                                .factors = steps_factors,
                                .rare = steps_rare,
                                .bases = steps_bases,
                                .columns = steps_columns,
                                .vectors = steps_vectors,
                                .turn = turn_avx,
                                .add = steps_add,
                                .pick = steps_pick};

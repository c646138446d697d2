/* Transposes with AVX: rows into columns when rows are loaded, four at a time, or eight with AVX-512, and vectors into rows
 * when sparse rows are written. Every feature map starts with this code, so that comparisons of their times are fair.
 * Compilers do not vectorise it by themselves. */
#ifndef ENT_LIFT_TRANSPOSE_AVX_H
#define ENT_LIFT_TRANSPOSE_AVX_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "lift/lift.h"

/* Transposes four numbers from each of four places, `stride` apart. Halves are put together while they are loaded, which
 * leaves only four shuffles. */
static inline void transpose_four(const double *from, size_t stride, __m256d transposed[4]) {
  __m256d ac_low = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from)), _mm_loadu_pd(from + 2 * stride), 1);
  __m256d bd_low =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from + stride)), _mm_loadu_pd(from + 3 * stride), 1);
  __m256d ac_high =
      _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from + 2)), _mm_loadu_pd(from + 2 * stride + 2), 1);
  __m256d bd_high = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from + stride + 2)),
                                         _mm_loadu_pd(from + 3 * stride + 2), 1);
  transposed[0] = _mm256_unpacklo_pd(ac_low, bd_low);
  transposed[1] = _mm256_unpackhi_pd(ac_low, bd_low);
  transposed[2] = _mm256_unpacklo_pd(ac_high, bd_high);
  transposed[3] = _mm256_unpackhi_pd(ac_high, bd_high);
}

/* For each width: four inputs of so many rows, `stride` apart, transposed. */
#ifdef __AVX512F__
#define TRANSPOSE_ROWS 8

/* Four inputs of two rows. */
static inline __m512d two_rows(const double *first, const double *second) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(first)), _mm256_loadu_pd(second), 1);
}

/* Rows that are four apart share a register, so that the first shuffles stay within its quarters. */
static inline void transpose_inputs(const double *from, size_t stride, __m512d transposed[4]) {
  const __m512i even = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), odd = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
  __m512d a = two_rows(from, from + 4 * stride), b = two_rows(from + stride, from + 5 * stride);
  __m512d c = two_rows(from + 2 * stride, from + 6 * stride), d = two_rows(from + 3 * stride, from + 7 * stride);
  __m512d ab_low = _mm512_unpacklo_pd(a, b), ab_high = _mm512_unpackhi_pd(a, b);
  __m512d cd_low = _mm512_unpacklo_pd(c, d), cd_high = _mm512_unpackhi_pd(c, d);
  transposed[0] = _mm512_permutex2var_pd(ab_low, even, cd_low);
  transposed[1] = _mm512_permutex2var_pd(ab_high, even, cd_high);
  transposed[2] = _mm512_permutex2var_pd(ab_low, odd, cd_low);
  transposed[3] = _mm512_permutex2var_pd(ab_high, odd, cd_high);
}
#else
#define TRANSPOSE_ROWS 4
#define transpose_inputs transpose_four
#endif

typedef double ent_lanes __attribute__((vector_size(8 * TRANSPOSE_ROWS)));
typedef double ent_lanes_at __attribute__((vector_size(8 * TRANSPOSE_ROWS), aligned(8), may_alias));
typedef uint64_t ent_strange __attribute__((vector_size(8 * TRANSPOSE_ROWS)));

static inline ent_lanes gather_input(const double *from, size_t stride) {
  ent_lanes gathered = {0};
  for (size_t r = 0; r < TRANSPOSE_ROWS; r++)
    gathered[r] = from[r * stride];
  return gathered;
}

/* Sets the sign bit once a value was not from least to 1. As integers, the bits of values from least to 1 lie between those
 * of the ends, and those of nothing else do (not of negative numbers, larger ones, infinity or NaN). */
static inline ent_strange strange_or(ent_strange strange, ent_lanes value, double least) {
  const ent_strange low = (ent_strange)(least - (ent_lanes){0}), high = (ent_strange)(1.0 - (ent_lanes){0});
  return strange | ((ent_strange)value - low) | (high - (ent_strange)value);
}

static inline bool strange_any(ent_strange strange) {
  bool any = false;
  for (size_t r = 0; r < TRANSPOSE_ROWS; r++)
    any = any || strange[r] >> 63 != 0;
  return any;
}

/* Inputs input[count], ascending, or if that is NULL the first `count`, of some rows, a multiple of TRANSPOSE_ROWS, into
 * columns [count][rows]; returns whether all values are from least, which is 0 or more, to 1. -0 is less than 0. */
static inline __attribute__((always_inline)) bool transpose_rows(const double *x, size_t stride, const uint32_t *input,
                                                                 size_t count, size_t rows, double least,
                                                                 double *columns) {
  ent_strange strange = {0};
  for (size_t c = 0, width; c < count; c += width) {
    const double *from = x + (input == NULL ? c : input[c]);
    width = c + 4 <= count && (input == NULL || input[c + 3] == input[c] + 3) ? 4 : 1;
    for (size_t r = 0; r < rows; r += TRANSPOSE_ROWS) {
      ent_lanes transposed[4];
      if (width == 4)
        transpose_inputs(from + r * stride, stride, transposed);
      else
        transposed[0] = gather_input(from + r * stride, stride);
      for (size_t i = 0; i < width; i++) {
        strange = strange_or(strange, transposed[i], least);
        *(ent_lanes_at *)(columns + (c + i) * rows + r) = transposed[i];
      }
    }
  }
  return !strange_any(strange);
}

static inline bool lift_load_avx(const entropic_lift *lift, const double *x, size_t stride, double *columns) {
  return transpose_rows(x, stride, lift->column_input, lift->column_count, ENT_TILE, ENT_TINY, columns);
}

static inline bool transpose_avx(const double *chunk, size_t count, double *rows, size_t stride) {
  const __m256d zero = _mm256_setzero_pd();
  __m256d zeros = zero;
  bool zero_in_rest = false;
  for (size_t r = 0; r < ENT_TILE; r += 4) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      __m256d transposed[4];
      transpose_four(chunk + i * ENT_TILE + r, ENT_TILE, transposed);
      for (size_t k = 0; k < 4; k++) {
        zeros = _mm256_or_pd(zeros, _mm256_cmp_pd(transposed[k], zero, _CMP_EQ_OQ));
        _mm256_storeu_pd(rows + (r + k) * stride + i, transposed[k]);
      }
    }
    for (; i < count; i++)
      for (size_t k = 0; k < 4; k++) {
        double value = chunk[i * ENT_TILE + r + k];
        rows[(r + k) * stride + i] = value;
        zero_in_rest = zero_in_rest || value == 0;
      }
  }
  return zero_in_rest || _mm256_movemask_pd(zeros) != 0;
}

#endif

/* Transposes tiles with AVX: rows into columns when a tile is loaded, vectors into rows when sparse rows are written. */
#ifndef ENT_LIFT_TRANSPOSE_AVX_H
#define ENT_LIFT_TRANSPOSE_AVX_H

#include <immintrin.h>

#include "lift/lift.h"
#include "lift/transpose_rows.h"

static bool lift_load_avx(const entropic_lift *lift, const double *x, size_t stride, double *columns) {
  return transpose_rows(x, stride, lift->column_input, lift->column_count, ENT_TILE, ENT_TINY, columns);
}

static bool transpose_avx(const double *chunk, size_t count, double *rows, size_t stride) {
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

/* Transposing rows into strips with AVX. */
#ifndef ENT_BASELINES_WIDE_LOAD_H
#define ENT_BASELINES_WIDE_LOAD_H

#include "lift/transpose_rows.h"
#include "baselines/wide.h"

static bool load_avx(const double *x, size_t inputs, size_t stride, double *strip) {
  return transpose_rows(x, stride, NULL, inputs, ENT_STRIP, 0, strip);
}

#endif

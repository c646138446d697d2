/* The dot product, summed from the first element to the last. The bits are the same everywhere; those of BLAS are
 * not. */
#ifndef ENT_BASE_DOT_H
#define ENT_BASE_DOT_H

#include <stddef.h>

static inline double ent_dot(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

#endif

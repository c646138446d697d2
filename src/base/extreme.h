/* Units for values so large or so small that their squares would leave the range of a double. */
#ifndef ENT_BASE_EXTREME_H
#define ENT_BASE_EXTREME_H

#include <math.h>
#include <stdlib.h>

#define ENT_EXTREME_EXPONENT 250

/* The exponent of the power of two in which to count values up to `largest`; 0 unless they are extreme. */
static inline int ent_extreme_unit(double largest) {
  int exponent = 0;
  if (isfinite(largest))
    frexp(largest, &exponent);
  return abs(exponent) > ENT_EXTREME_EXPONENT ? exponent : 0;
}

#endif

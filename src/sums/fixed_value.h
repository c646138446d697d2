/* A value in fixed point. */
#ifndef ENT_SUMS_FIXED_VALUE_H
#define ENT_SUMS_FIXED_VALUE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* How the values of a column become integers. */
typedef struct ent_fixed_scale {
  double factor; /* 2^(b - e) */
  double limit;  /* 2^b + 1/2: what rounds to 2^b is within the scale, so bounds need not allow for rounding */
} ent_fixed_scale;

static inline ent_fixed_scale ent_fixed_scale_of(int bits, int exponent) {
  return (ent_fixed_scale){ldexp(1, bits - exponent), ldexp(1, bits) + 0.5};
}

/* *q = rint(value 2^(b - e)); false if that is beyond 2^b, or NaN. Added to 1.5 * 2^52, a number below 2^51 is rounded to
 * an integer, half to even, which then stands in the low bits. */
static inline bool ent_fixed_round(double value, ent_fixed_scale scale, int64_t *q) {
  const double magic = 6755399441055744.0;
  double scaled = value * scale.factor, sum = scaled + magic;
  int64_t bits, zero;
  memcpy(&bits, &sum, sizeof bits);
  memcpy(&zero, &magic, sizeof zero);
  *q = bits - zero;
  return fabs(scaled) <= scale.limit;
}

#endif

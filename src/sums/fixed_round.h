/* Rounding strips of dense rows, row by row: the plain code, and what is left over by vector code. */
#ifndef ENT_SUMS_FIXED_ROUND_H
#define ENT_SUMS_FIXED_ROUND_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sums/fixed_code.h"

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

/* q of one value; false, and 0, if it is beyond its scale. */
static inline bool ent_fixed_strip_value(const ent_fixed_strip *strip, size_t column, size_t row, int64_t *q) {
  const ent_fixed_scale scale = {strip->factors[column], strip->limit};
  if (ent_fixed_round(strip->values[column][row] * strip->roots[row], scale, q))
    return true;
  *q = 0;
  return false;
}

/* Rows from number `first` on, as doubles. */
static inline bool ent_fixed_round_narrow(const ent_fixed_strip *strip, size_t first, size_t rows, double *to) {
  bool within = true;
  for (size_t r = first; r < rows; r++)
    for (size_t j = 0; j < ENT_FIXED_STRIP; j++) {
      int64_t q;
      within &= ent_fixed_strip_value(strip, j, r, &q);
      to[r * ENT_FIXED_PANEL + j] = (double)q;
    }
  return within;
}

/* The same as wide words. */
static inline bool ent_fixed_round_wide(ent_fixed_strip *strip, size_t first, size_t rows, uint64_t *to) {
  bool within = true;
  for (size_t r = first; r < rows; r++)
    for (size_t j = 0; j < ENT_FIXED_STRIP; j++) {
      int64_t q;
      within &= ent_fixed_strip_value(strip, j, r, &q);
      to[r * ENT_FIXED_PANEL + j] = (uint64_t)(q + (INT64_C(1) << ENT_EXACT_BITS));
      strip->sums[j] += q;
    }
  return within;
}

#endif

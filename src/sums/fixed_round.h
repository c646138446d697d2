/* Rounding strips of dense rows, row by row: the plain code, and what is left over by vector code. */
#ifndef ENT_SUMS_FIXED_ROUND_H
#define ENT_SUMS_FIXED_ROUND_H

#include "sums/fixed_code.h"
#include "sums/fixed_value.h"

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

/* Targets in fixed-point statistics, and the doubles of some features and all targets.
 *
 * One column of 45 bits is too coarse for targets with heavy tails. So a target t enters as two columns,
 *
 *     high = t - shift, rounded to a multiple of 2^(e - 45),   low = t - shift - high,
 *
 * both exact, with scales 2^e and 2^(e - 46). All bits of a double are there unless it is below 2^(e - 38). What a solver
 * wants is put together from the products of both and rounded once. Fits do the same with the bits of their grade. Targets of few bits, such as classes as -1 and 1,
 * have one column. */
#ifndef ENT_SUMS_FIXED_TARGETS_H
#define ENT_SUMS_FIXED_TARGETS_H

#include "sums/fixed.h"

#define ENT_FIXED_MOST_SLICES ((size_t)2)

/* The targets of some statistics; borrowed. */
typedef struct ent_fixed_targets {
  size_t count;
  size_t slices;        /* columns of each: 1 or 2 */
  const int *exponents; /* [count] e: no |target - shift| is above 2^e */
  const double *shift;  /* [count] */
} ent_fixed_targets;

/* The exponent of a slice, from 0 on. */
static inline int ent_fixed_slice_exponent(int exponent, size_t slice) {
  return slice == 0 ? exponent : exponent - ENT_EXACT_BITS - 1;
}

/* Splits target - shift into columns[slices]. False if it is beyond its scale, or NaN. */
bool ent_fixed_split(double target, double shift, int exponent, size_t slices, double *columns);

/* Statistics of some features, ascending, and of all targets as doubles. features[count]; NULL: all of them. The exact
 * statistics have `slices` columns a target, and no shifts of their own. */
entropic_status ent_fixed_gather(entropic_context *context, const ent_fixed *fixed, const ent_fixed_targets *targets,
                                 const uint32_t *features, size_t count, ent_statistics **statistics);

#endif

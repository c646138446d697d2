/* The scale that a number is learnt on: as it is, or as a root.
 *
 * What is counted, paid or waited for has many small values and few large ones, errors that grow with the values, and
 * effects that multiply. The root of how far such a target is from its crowded end has errors of about one size, and
 * effects that rather add up. What is learnt of the root is squared again; since squares of what is expected are
 * smaller than what is expected of squares, they are raised by the variance of the root. */
#ifndef ENT_SELECT_TARGET_TRANSFORM_H
#define ENT_SELECT_TARGET_TRANSFORM_H

#include "solve/rows.h"

/* All zero: as it is. */
typedef struct ent_target_transform {
  double sign;   /* 1: the root of how far the target is above the origin, -1: below it, 0: no root */
  double origin; /* the least target of the rows learnt from, or the largest */
  double bias;   /* what squares are raised by, 0 or more */
} ent_target_transform;

/* The root that suits the first target of the rows of a weight above 0 best: from its crowded end. Its rise is 0. Returned is how skewed
 * the target is, whatever its sign; 0 if it does not vary. Other units or another sign of the target change nothing but
 * the origin and the sign. */
double ent_target_transform_find(const ent_block *rows, ent_target_transform *transform);

/* What is learnt of a target. One beyond the origin is taken to be there. */
double ent_target_transform_apply(const ent_target_transform *transform, double target);
/* Back from what was learnt, in place. Without a root nothing changes. */
void ent_target_transform_invert(const ent_target_transform *transform, size_t count, double *values);

/* The rise with which, on average, squares of the roots learnt are what the first target of the rows is. */
double ent_target_transform_bias(const ent_target_transform *transform, const ent_block *rows, const double *roots);

#endif

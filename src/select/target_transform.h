/* The target transform: a target is learnt as it is, or as a square root.
 *
 * Counts, prices and durations have many small values and few large ones. Their errors grow with the values, and effects
 * multiply. The root of the distance from the crowded end has errors of about one size, and effects that rather add up.
 * Predictions f of the root are squared. E[f]^2 <= E[f^2], so the variance of the root is added: the retransformation
 * bias. */
#ifndef ENT_SELECT_TARGET_TRANSFORM_H
#define ENT_SELECT_TARGET_TRANSFORM_H

#include "sums/rows.h"

/* All zero: no transform. */
typedef struct ent_target_transform {
  double sign;   /* 1: the root of how far the target is above the origin; -1: below it; 0: no root */
  double origin; /* the least target of the training rows, or the largest */
  double bias;   /* the retransformation bias, added to squares; 0 or more */
} ent_target_transform;

/* The root that suits the first target of the rows of positive weight: from its crowded end, rounded outward if asked for,
 * unless ten rows share it. Its bias is 0. Returns the
 * absolute skewness of the target; 0 if it does not vary. Other units or another sign of the target change nothing but
 * the origin and the sign. */
double ent_target_transform_find(const ent_block *rows, bool rounded, ent_target_transform *transform);

/* The transformed target. A target beyond the origin counts as the origin. */
double ent_target_transform_apply(const ent_target_transform *transform, double target);
/* The inverse, of predictions, in place. */
void ent_target_transform_invert(const ent_target_transform *transform, size_t count, double *values);

/* The bias with which squares of the predicted roots are right on average, for the first target of the rows. */
double ent_target_transform_bias(const ent_target_transform *transform, const ent_block *rows, const double *roots);

#endif

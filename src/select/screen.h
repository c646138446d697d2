/* Screening: what each candidate of the pool could explain of the residual, alone. It takes one pass over the rows for
 * each group, as at any row at most one feature of a group is not zero. */
#ifndef ENT_SELECT_SCREEN_H
#define ENT_SELECT_SCREEN_H

#include "select/candidate_pool.h"

/* A feature of the pool, and what it is worth. */
typedef struct ent_candidate {
  size_t group;
  uint64_t member;
  double gain;
} ent_candidate;

/* The residual of a model. */
typedef struct ent_residual {
  size_t targets;
  const float *values; /* values[row * targets + target], times the row's weight, over the root of the target's scale */
  const float *weights; /* of the rows; NULL: all 1 */
  double ridge;         /* lambda times the sum of the weights */
} ent_residual;

/* The best candidates that are not selected yet, by the gain  sum over targets of (f.R)^2 / (|f|^2 + ridge), best first:
 * screened[most], *count of them; fewer if there are no more. Ties go to the earlier group and member. Groups of order
 * 0, the constant, are screened as well. */
entropic_status ent_screen(entropic_context *context, const ent_candidate_pool *candidates,
                           const ent_residual *residual, size_t most, ent_candidate *screened, size_t *count);

#endif

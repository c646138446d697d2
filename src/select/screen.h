/* Screening: what each feature of the pool alone could still explain. One pass over the rows for each group, since at
 * any row at most one feature of a group is not zero. */
#ifndef ENT_SELECT_SCREEN_H
#define ENT_SELECT_SCREEN_H

#include "select/candidate_pool.h"

/* A feature of the pool. */
typedef struct ent_candidate {
  size_t group;
  uint64_t member;
  double gain;
} ent_candidate;

/* What is still to be explained. */
typedef struct ent_residual {
  size_t targets;
  const float
      *values; /* values[row * targets + target], each times the weight of the row and divided by the target's scale */
  const float *weights; /* of the rows; NULL: all 1 */
  double ridge;         /* lambda times the sum of the weights */
} ent_residual;

/* The best features not yet chosen, by sum over targets of (f.R)^2 / (|f|^2 + ridge), best first: picks[most], *count
 * of them; fewer if there are no more. Ties go to the earlier group and member. Groups of order 0, the constant, too. */
entropic_status ent_screen(entropic_context *context, const ent_candidate_pool *candidates,
                           const ent_residual *residual, size_t most, ent_candidate *picks, size_t *count);

#endif

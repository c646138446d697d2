/* Effects of three inputs and more: which sets of inputs have one, and its variance. As those of pairs they are in closed
 * form. */
#ifndef ENT_EXPLAIN_HIGHER_H
#define ENT_EXPLAIN_HIGHER_H

#include "explain/shares.h"

typedef struct ent_higher_set {
  size_t order;           /* inputs */
  const uint32_t *inputs; /* [order] places among the inputs in use, ascending */
  double *variances;      /* [scores] */
  double total;           /* of all scores */
} ent_higher_set;

typedef struct ent_higher_effects {
  size_t count;
  ent_higher_set *sets; /* the largest first */
  bool left_out;        /* there are too many to be listed, as with centres: count is 0 */
  uint32_t *input_room;
  double *variance_room;
} ent_higher_effects;

entropic_status ent_higher_effects_create(entropic_context *context, const ent_effects *effects,
                                          ent_higher_effects **higher);
void ent_higher_effects_free(ent_higher_effects *higher);

#endif

/* The main effects of the members of an averaged model, each member alone. A model file has the mean of its members; these
 * say how far the members' curves lie apart.
 *
 * The main effect of an input is a sum over its atoms (products.h). For each atom, score and member its coefficient is kept,
 * as an integer of at most 2^26 times a power of two that all coefficients of an input and score share: within
 * 2^-27 of the largest one, in 4 bytes. All members have the marginals of the model, so each effect has mean zero. */
#ifndef ENT_MODEL_MEMBER_EFFECTS_H
#define ENT_MODEL_MEMBER_EFFECTS_H

#include "model/model.h"
#include "model/products.h"
#include "select/average.h"

#define ENT_MEMBER_EFFECT_BITS 26
#define ENT_MEMBER_EFFECT_RANGE 960 /* exponents are within -960 .. 960, so that sums of coefficients are finite */

typedef struct ent_member_effects {
  size_t members;  /* 2 or more */
  size_t scores;   /* of the model */
  size_t used;     /* inputs in use, of the marginals of the model */
  size_t *places;  /* [used + 1] where the atoms of each begin among those of all */
  int *exponents;  /* [used * scores]; 0 where all coefficients are 0 */
  int32_t *values; /* [(atom * scores + score) * members + member] times 2^(exponent - BITS) is the coefficient */
} ent_member_effects;

/* Room for a model's members; all coefficients are 0. NULL with a message on failure. */
ent_member_effects *ent_member_effects_new(entropic_context *context, const ent_marginals *marginals, size_t scores,
                                           size_t members);
void ent_member_effects_free(ent_member_effects *effects);

/* Those of members whose mean is a model with these marginals. Scores are in units of 2^units[score]. *effects is NULL if
 * coefficients are out of range. */
entropic_status ent_member_effects_create(entropic_context *context, const ent_member *members, size_t count,
                                          const int *units, const ent_marginals *marginals,
                                          ent_member_effects **effects);

/* How many members they are of; 0: the model keeps none, or is NULL. */
size_t ent_model_effect_members(const entropic_model *model);
/* They are those of a fit: other weights have none. */
void ent_model_drop_member_effects(entropic_model *model);

#endif

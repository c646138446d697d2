/* Main effects of members: see member_effects.h. */
#include "model/member_effects.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "entropic/explain.h"

void ent_member_effects_free(ent_member_effects *effects) {
  if (effects == NULL)
    return;
  ent_delete(effects->places);
  ent_delete(effects->exponents);
  ent_delete(effects->values);
  ent_delete(effects);
}

void ent_model_drop_member_effects(entropic_model *model) {
  ent_member_effects_free(model->member_effects);
  model->member_effects = NULL;
}

size_t ent_model_effect_members(const entropic_model *model) {
  return model == NULL || model->member_effects == NULL ? 0 : model->member_effects->members;
}

ent_member_effects *ent_member_effects_new(entropic_context *context, const ent_marginals *marginals, size_t scores,
                                           size_t members) {
  ent_member_effects *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return NULL;
  *made = (ent_member_effects){.members = members, .scores = scores};
  made->places = ent_new(context, marginals->inputs + 1, sizeof *made->places);
  if (made->places == NULL)
    goto fail;
  for (size_t i = 0; i < marginals->inputs; i++) {
    if (marginals->input[i].count == 0)
      continue;
    made->places[made->used + 1] = made->places[made->used] + marginals->input[i].count;
    made->used++;
  }
  made->exponents = ent_new_matrix(context, made->used, scores, sizeof *made->exponents);
  made->values = ent_new_matrix(context, made->places[made->used] * members, scores, sizeof *made->values);
  if (made->exponents == NULL || made->values == NULL)
    goto fail;
  return made;
fail:
  ent_member_effects_free(made);
  return NULL;
}

/* The coefficients of one member: mains[score * atoms + atom]. */
static entropic_status find_mains(entropic_context *context, const ent_member *member, const ent_marginals *marginals,
                                  double *mains) {
  ent_products *products = NULL;
  entropic_status status = ent_products_create(context, member->lifting.design, marginals, &products);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_products_mains(context, products, member->weights, member->scores, mains);
  ent_products_free(products);
  return status;
}

/* Rounds the coefficients of an input and a score of all members; false if they are out of range.
 * mains[(member * scores + score) * atoms + atom]. */
static bool round_input(ent_member_effects *e, size_t input, size_t score, int unit, const double *mains) {
  size_t atoms = e->places[e->used], first = e->places[input], end = e->places[input + 1];
  double most = 0;
  int exponent;
  for (size_t m = 0; m < e->members; m++)
    for (size_t u = first; u < end; u++) {
      double size = fabs(mains[(m * e->scores + score) * atoms + u]);
      most = size <= most ? most : size; /* NaN, too */
    }
  if (!isfinite(most))
    return false;
  frexp(most, &exponent); /* most <= 2^exponent */
  if (most == 0)
    return true;
  for (size_t m = 0; m < e->members; m++)
    for (size_t u = first; u < end; u++) {
      double value = mains[(m * e->scores + score) * atoms + u];
      e->values[(u * e->scores + score) * e->members + m] =
          (int32_t)rint(ldexp(value, ENT_MEMBER_EFFECT_BITS - exponent));
    }
  e->exponents[input * e->scores + score] = exponent + unit;
  return abs(exponent + unit) <= ENT_MEMBER_EFFECT_RANGE;
}

entropic_status ent_member_effects_create(entropic_context *context, const ent_member *members, size_t count,
                                          const int *units, const ent_marginals *marginals,
                                          ent_member_effects **effects) {
  size_t scores = members[0].scores;
  double *mains = NULL;
  bool usable = true;
  entropic_status status = ENTROPIC_NO_MEMORY;
  ent_member_effects *made = ent_member_effects_new(context, marginals, scores, count);
  *effects = NULL;
  if (made == NULL)
    return status;
  size_t length = scores * made->places[made->used];
  mains = ent_new_matrix(context, count, length, sizeof *mains);
  if (mains == NULL)
    goto done;
  for (size_t m = 0; m < count; m++) {
    status = find_mains(context, &members[m], marginals, mains + m * length);
    if (status != ENTROPIC_OK)
      goto done;
  }
  for (size_t i = 0; i < made->used; i++)
    for (size_t k = 0; k < scores; k++)
      usable = round_input(made, i, k, units[k], mains) && usable;
  if (usable) {
    *effects = made;
    made = NULL;
  }
done:
  ent_delete(mains);
  ent_member_effects_free(made);
  return status;
}

/* Effects where inputs have a base level that is not constant: laplace, cosh, brownian and the like. There every feature has
 * a factor of every input, but most of them are base atoms, which all features share.
 *
 * At a node t of Gauss's rule let b_d be mean + t * difference of the base atom of input d, P the product of all b_d, and
 * R_u the same of another atom u, divided by the b_d of its input. A feature is then P times the product of R_u over its
 * active atoms. With Q_u, the sum over the features that have u of weight times the product of their other ratios, and S,
 * the sum of all features over P, the node adds to the effect of input d
 *
 *   P / b_d * (v_d * (S - sum over u of d of R_u Q_u) + sum over u of d of v_u Q_u),
 *
 * where v_d and v_u are the differences of its base atom and of its others. So a feature costs what its active atoms cost,
 * not what all inputs do. */
#include "base/memory.h"
#include "explain/effects_rows.h"

#define ROWS ENT_EFFECT_ROWS

void ent_effect_bases_free(ent_effect_bases *bases) {
  if (bases == NULL)
    return;
  ent_delete(bases->base);
  ent_delete(bases->starts);
  ent_delete(bases->slots);
  ent_delete(bases);
}

static void list_bases(const ent_effects *e, ent_effect_bases *bases) {
  const entropic_design *design = e->model->main.design;
  for (size_t k = 0; k < e->used; k++) {
    size_t input = e->inputs[k];
    bases->base[k] = ENT_NO_SLOT;
    if (ent_products_has_base(design, input))
      bases->base[k] =
          (uint32_t)(e->places[k] + ent_marginal_find(&e->marginals->input[input], design->base[input], 0));
  }
}

entropic_status ent_effect_bases_create(entropic_context *context, const ent_effects *e, ent_effect_bases **bases) {
  size_t features = e->features, total = 0;
  ent_effect_bases *made = ent_new(context, 1, sizeof *made);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made == NULL)
    goto done;
  made->base = ent_new(context, e->used, sizeof *made->base);
  made->starts = ent_new(context, features + 1, sizeof *made->starts);
  made->slots = ent_new(context, e->starts[features], sizeof *made->slots);
  if (made->base == NULL || made->starts == NULL || made->slots == NULL)
    goto done;
  list_bases(e, made);
  for (size_t f = 0; f < features; f++) {
    for (size_t i = e->starts[f]; i < e->starts[f + 1]; i++) {
      uint32_t slot = (uint32_t)(e->places[e->factors[i].input] + e->factors[i].atom);
      if (slot != made->base[e->factors[i].input])
        made->slots[total++] = slot;
    }
    made->starts[f + 1] = total;
  }
  *bases = made;
  made = NULL;
  status = ENTROPIC_OK;
done:
  ent_effect_bases_free(made);
  return status;
}

/* A base atom is divided by: between its mean and its value it must not pass zero. */
bool ent_effect_bases_suit(const ent_effects *e, const ent_effect_room *room) {
  for (size_t k = 0; k < e->used; k++) {
    uint32_t base = e->bases->base[k];
    if (base == ENT_NO_SLOT)
      continue;
    double mean = e->marginals->input[e->inputs[k]].means[base - e->places[k]];
    for (size_t r = 0; r < room->width; r++) {
      double value = mean + room->values[base * ROWS + r];
      if (!(mean > 0 ? value >= 0 : mean < 0 && value <= 0))
        return false;
    }
  }
  return true;
}

/* Features as products of atoms: see products.h. */
#include "model/products.h"

#include <string.h>

#include "base/memory.h"

void ent_products_free(ent_products *products) {
  if (products == NULL)
    return;
  ent_delete(products->inputs);
  ent_delete(products->starts);
  ent_delete(products->factors);
  ent_delete(products->places);
  ent_delete(products);
}

/* The inputs in use, and where each stands among them. */
static entropic_status list_inputs(entropic_context *context, ent_products *p, uint32_t **place_of) {
  size_t inputs = p->marginals->inputs;
  uint32_t *places = ent_new(context, inputs, sizeof *places);
  p->inputs = ent_new(context, inputs, sizeof *p->inputs);
  p->places = ent_new(context, inputs + 1, sizeof *p->places);
  if (places == NULL || p->inputs == NULL || p->places == NULL) {
    ent_delete(places);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t i = 0; i < inputs; i++) {
    if (p->marginals->input[i].count == 0 && !p->marginals->all_used)
      continue;
    places[i] = (uint32_t)p->used;
    p->inputs[p->used++] = i;
    p->places[p->used] = p->places[p->used - 1] + p->marginals->input[i].count;
  }
  *place_of = places;
  return ENTROPIC_OK;
}

bool ent_products_has_base(const entropic_design *design, size_t input) {
  size_t base = design->base[input];
  return base != ENTROPIC_NO_LEVEL && design->kernel->axes[input]->levels[base].shape != ENT_SHAPE_ONE;
}

/* The factors of a feature, by input. Returns how many. */
static size_t list_factors(const ent_products *p, const uint32_t *place_of, const ent_group *group, uint64_t member,
                           ent_product_factor *factors) {
  const entropic_design *design = p->design;
  const entropic_term *terms = design->terms + group->first_term;
  size_t count = 0, t = 0;
  for (size_t k = 0; k < p->used; k++) {
    size_t input = p->inputs[k];
    bool term = t < group->term_count && terms[t].input == input;
    if (term || ent_products_has_base(design, input))
      factors[count++] = (ent_product_factor){.input = place_of[input]};
    t += term;
  }
  for (size_t i = count; i > 0; i--) { /* the last term is the fastest to change with the member */
    size_t input = p->inputs[factors[i - 1].input];
    bool term = t > 0 && terms[t - 1].input == input;
    t -= term;
    size_t level = term ? terms[t].level : design->base[input];
    uint64_t atoms = design->kernel->axes[input]->levels[level].info.atoms;
    factors[i - 1].atom = ent_marginal_find(&p->marginals->input[input], level, term ? member % atoms : 0);
    member = term ? member / atoms : member;
  }
  return count;
}

static entropic_status list_features(entropic_context *context, ent_products *p, const uint32_t *place_of) {
  const entropic_design *design = p->design;
  size_t capacity = 0, total = 0, bases = 0;
  if (design == NULL) {
    p->starts = ent_new(context, 1, sizeof *p->starts);
    return p->starts == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  }
  for (size_t k = 0; k < p->used; k++)
    bases += ent_products_has_base(design, p->inputs[k]);
  for (size_t g = 0; g < design->group_count; g++)
    capacity += design->groups[g].features * (design->groups[g].term_count + bases);
  p->starts = ent_new(context, design->features + 1, sizeof *p->starts);
  p->factors = ent_new(context, capacity, sizeof *p->factors);
  if (p->starts == NULL || p->factors == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t g = 0; g < design->group_count; g++) {
    const ent_group *group = &design->groups[g];
    for (size_t f = 0; f < group->features; f++) {
      uint64_t member = group->first_member == ENT_ALL_MEMBERS ? f : design->members[group->first_member + f];
      size_t count = list_factors(p, place_of, group, member, p->factors + total);
      total += count;
      p->most = count > p->most ? count : p->most;
      p->starts[group->first_feature + f + 1] = total;
    }
  }
  return ENTROPIC_OK;
}

entropic_status ent_products_create(entropic_context *context, const entropic_design *design,
                                    const ent_marginals *marginals, ent_products **products) {
  uint32_t *place_of = NULL;
  ent_products *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->design = design;
  made->marginals = marginals;
  made->features = design == NULL ? 0 : design->features;
  entropic_status status = list_inputs(context, made, &place_of);
  if (status != ENTROPIC_OK)
    goto done;
  status = list_features(context, made, place_of);
  if (status != ENTROPIC_OK)
    goto done;
  *products = made;
  made = NULL;
done:
  ent_delete(place_of);
  ent_products_free(made);
  return status;
}

/* Appends the features of a part. first[input] is where its atoms begin among those of all parts. */
static void append_features(ent_products *p, const ent_products *part, const uint32_t *place_of, const size_t *first) {
  size_t start = p->starts[p->features];
  for (size_t i = 0; i < part->starts[part->features]; i++) {
    size_t input = part->inputs[part->factors[i].input];
    p->factors[start + i] =
        (ent_product_factor){.input = place_of[input], .atom = (uint32_t)(first[input] + part->factors[i].atom)};
  }
  for (size_t f = 0; f < part->features; f++)
    p->starts[++p->features] = start + part->starts[f + 1];
  p->most = part->most > p->most ? part->most : p->most;
}

entropic_status ent_products_join(entropic_context *context, ent_products *const *parts, size_t count,
                                  const ent_marginals *marginals, ent_products **products) {
  uint32_t *place_of = NULL;
  size_t *first = NULL, features = 0, factors = 0;
  ent_products *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->marginals = marginals;
  entropic_status status = list_inputs(context, made, &place_of);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t c = 0; c < count; c++) {
    features += parts[c]->features;
    factors += parts[c]->starts[parts[c]->features];
  }
  first = ent_new(context, marginals->inputs, sizeof *first);
  made->starts = ent_new(context, features + 1, sizeof *made->starts);
  made->factors = ent_new(context, factors, sizeof *made->factors);
  status = ENTROPIC_NO_MEMORY;
  if (first == NULL || made->starts == NULL || made->factors == NULL)
    goto done;
  status = ENTROPIC_OK;
  for (size_t c = 0; c < count; c++) {
    append_features(made, parts[c], place_of, first);
    for (size_t i = 0; i < marginals->inputs; i++)
      first[i] += parts[c]->marginals->input[i].count;
  }
  *products = made;
  made = NULL;
done:
  ent_delete(first);
  ent_delete(place_of);
  ent_products_free(made);
  return status;
}

/* Adds a feature; behind[most + 1] is room: products of the means of the factors from one on. */
static void add_mains(const ent_products *p, size_t feature, const double *weights, size_t scores, double *behind,
                      double *mains) {
  const ent_product_factor *factors = p->factors + p->starts[feature];
  size_t count = p->starts[feature + 1] - p->starts[feature], atoms = p->places[p->used];
  double before = 1;
  behind[count] = 1;
  for (size_t i = count; i > 0; i--)
    behind[i - 1] = behind[i] * ent_product_factor_mean(p, factors[i - 1]);
  for (size_t i = 0; i < count; i++) {
    double others = before * behind[i + 1];
    for (size_t k = 0; k < scores; k++)
      mains[k * atoms + p->places[factors[i].input] + factors[i].atom] += weights[k * p->features + feature] * others;
    before *= ent_product_factor_mean(p, factors[i]);
  }
}

entropic_status ent_products_mains(entropic_context *context, const ent_products *products, const double *weights,
                                   size_t scores, double *mains) {
  double *behind = ent_new(context, products->most + 1, sizeof *behind);
  if (behind == NULL)
    return ENTROPIC_NO_MEMORY;
  memset(mains, 0, scores * products->places[products->used] * sizeof *mains);
  for (size_t f = 0; f < products->features; f++)
    add_mains(products, f, weights, scores, behind, mains);
  ent_delete(behind);
  return ENTROPIC_OK;
}

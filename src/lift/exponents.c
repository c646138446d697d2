/* How large features can become, as powers of two. */
#include "base/scaled.h"
#include "lift/lift.h"

/* The exponent of the power of two at or above a group's values: of the product of its levels' bounds, and of the bounds of
 * bases of all other inputs. */
static int group_exponent(const entropic_lift *lift, uint32_t emit) {
  ent_scaled product = ent_scaled_one();
  size_t term = lift->emit_terms[emit], end = lift->emit_terms[emit + 1];
  for (size_t t = term; t < end; t++) {
    const ent_factor *factor = &lift->factors[lift->term_factors[t]];
    double times = factor->values == factor->column ? 1 : 1 + 2 * ENT_BEYOND_MOST; /* lines about the middle */
    ent_scaled_multiply(&product, times * ent_level_bound(factor->axis, factor->level));
  }
  for (uint32_t b = 0; b < lift->base_count; b++) {
    const ent_factor *base = &lift->factors[lift->bases[b]];
    while (term < end && lift->factors[lift->term_factors[term]].column < base->column)
      term++; /* both go by input, ascending */
    if (!(term < end && lift->factors[lift->term_factors[term]].column == base->column))
      ent_scaled_multiply(&product, ent_level_bound(base->axis, base->level));
  }
  double mantissa = (double)product.mantissa; /* from 1/2 to 1, or exactly 1 of no factors */
  return (int)product.exponent - (mantissa <= 0.5 + 0x1p-50 ? 1 : 0);
}

void ent_lift_exponents(const entropic_lift *lift, int *exponents) {
  for (uint32_t e = 0; e < lift->emit_count; e++) {
    const ent_node *node = &lift->nodes[lift->emit_nodes[e]];
    int exponent = group_exponent(lift, e);
    for (int32_t i = 0; node->lookup <= ENT_LOOKUP_RANGE && i < node->count; i++)
      exponents[node->first + i] = exponent;
    for (int32_t i = 0; node->lookup == ENT_LOOKUP_LIST && i < node->count; i++)
      exponents[lift->places[node->places + (size_t)i].column] = exponent;
    int32_t found = 0;
    for (size_t i = node->places; node->lookup == ENT_LOOKUP_TABLE && found < node->count; i++)
      if (lift->tables[i] >= 0) {
        exponents[lift->tables[i]] = exponent;
        found++;
      }
  }
}

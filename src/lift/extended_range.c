/* Products of factors in an extended range: how large features can become, as powers of two, and features of some rows.
 *
 * These are rows whose products could leave the range of double on the way though the result does not: tiny inputs, bases that
 * vanish, many inputs with a large omega. Such a row is computed factor by factor, each split into a mantissa and an
 * exponent, so nothing is lost before the very end. */
#include "base/scaled.h"
#include "lift/lift.h"

/* The number of a factor that is multiplied. */
typedef double (*ent_factor_number)(const entropic_lift *lift, const entropic_workspace *workspace, uint32_t factor);

/* A group's own factors, and the base of every other input. */
static inline __attribute__((always_inline)) ent_scaled group_product(const entropic_lift *lift,
                                                                      const entropic_workspace *workspace,
                                                                      uint32_t emit, ent_factor_number number) {
  ent_scaled product = ent_scaled_one();
  size_t term = lift->emit_terms[emit], end = lift->emit_terms[emit + 1];
  for (size_t t = term; t < end; t++)
    ent_scaled_multiply(&product, number(lift, workspace, lift->term_factors[t]));
  for (uint32_t b = 0; b < lift->base_count; b++) {
    uint32_t column = lift->factors[lift->bases[b]].column;
    while (term < end && lift->factors[lift->term_factors[term]].column < column)
      term++; /* both go by input, ascending */
    if (!(term < end && lift->factors[lift->term_factors[term]].column == column))
      ent_scaled_multiply(&product, number(lift, workspace, lift->bases[b]));
  }
  return product;
}

static double value_of(const entropic_lift *lift, const entropic_workspace *workspace, uint32_t factor) {
  (void)lift;
  return workspace->row_values[factor];
}

void ent_extended_row(const entropic_lift *lift, entropic_workspace *workspace, size_t row) {
  for (uint32_t f = 0; f < lift->factor_count; f++) {
    const ent_factor *factor = &lift->factors[f];
    factor->level->evaluate(factor->axis, factor->level, &workspace->columns[(size_t)factor->values * ENT_TILE + row],
                            1, &workspace->row_atoms[f], &workspace->row_values[f]);
  }
  for (uint32_t e = 0; e < lift->emit_count; e++) {
    uint64_t atom = 0;
    for (size_t t = lift->emit_terms[e]; t < lift->emit_terms[e + 1]; t++) {
      uint32_t f = lift->term_factors[t];
      atom = atom * lift->factors[f].level->info.atoms + workspace->row_atoms[f];
    }
    workspace->rare_values[e] = ent_scaled_value(group_product(lift, workspace, e, value_of), 0);
    workspace->rare_columns[e] = ent_find_column(lift, &lift->nodes[lift->emit_nodes[e]], atom);
  }
}

/* The power of two at or above a level's values. */
static double bound_of(const entropic_lift *lift, const entropic_workspace *workspace, uint32_t factor) {
  (void)workspace;
  const ent_factor *of = &lift->factors[factor];
  double times = of->values == of->column ? 1 : 1 + 2 * ENT_BEYOND_MOST; /* lines about the middle */
  return times * ent_level_bound(of->axis, of->level);
}

static int group_exponent(const entropic_lift *lift, uint32_t emit) {
  ent_scaled product = group_product(lift, NULL, emit, bound_of);
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

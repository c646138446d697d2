/* Rows whose products could leave the range of double on the way though the result does not: tiny inputs, bases that
 * vanish, many inputs with a large omega. Such a row is computed factor by factor, each split into a mantissa and an
 * exponent, so nothing is lost before the very end. */
#include "base/scaled.h"
#include "lift/lift.h"

/* A group's value: its own factors, and the base of every other input. */
static ent_scaled group_value(const entropic_lift *lift, const entropic_workspace *workspace, uint32_t emit) {
  ent_scaled product = ent_scaled_one();
  size_t term = lift->emit_terms[emit], end = lift->emit_terms[emit + 1];
  for (size_t t = term; t < end; t++)
    ent_scaled_multiply(&product, workspace->row_values[lift->term_factors[t]]);
  for (uint32_t b = 0; b < lift->base_count; b++) {
    uint32_t column = lift->factors[lift->bases[b]].column;
    while (term < end && lift->factors[lift->term_factors[term]].column < column)
      term++; /* both go by input, ascending */
    if (!(term < end && lift->factors[lift->term_factors[term]].column == column))
      ent_scaled_multiply(&product, workspace->row_values[lift->bases[b]]);
  }
  return product;
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
    workspace->rare_values[e] = ent_scaled_value(group_value(lift, workspace, e), 0);
    workspace->rare_columns[e] = ent_find_column(lift, &lift->nodes[lift->emit_nodes[e]], atom);
  }
}

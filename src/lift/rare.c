/* Rows whose products could leave the range of double on the way though the result does not: tiny inputs, bases that
 * vanish, many inputs with a large omega. Such a row is computed factor by factor, each split into a mantissa and an
 * exponent, so nothing is lost before the very end. */
#include <math.h>

#include "lift/lift.h"

/* mantissa 2^exponent; a longer mantissa where the processor has one, so that rounding at the end is nearly the only one */
typedef struct ent_scaled {
  long double mantissa;
  long exponent;
} ent_scaled;

static void multiply(ent_scaled *product, double value) {
  int of_value, of_product;
  double mantissa = frexp(value, &of_value);
  product->mantissa = frexpl(product->mantissa * mantissa, &of_product);
  product->exponent += of_value + of_product;
}

static double unscale(ent_scaled product) {
  if (product.exponent < -1200)
    return (double)product.mantissa * 0;
  return (double)ldexpl(product.mantissa, (int)product.exponent);
}

/* A group's value: its own factors, and the base of every other input. */
static ent_scaled group_value(const entropic_lift *lift, const entropic_workspace *workspace, uint32_t emit) {
  ent_scaled product = {.mantissa = 1};
  size_t term = lift->emit_terms[emit], end = lift->emit_terms[emit + 1];
  for (size_t t = term; t < end; t++)
    multiply(&product, workspace->row_values[lift->term_factors[t]]);
  for (uint32_t b = 0; b < lift->base_count; b++) {
    uint32_t column = lift->factors[lift->bases[b]].column;
    while (term < end && lift->factors[lift->term_factors[term]].column < column)
      term++; /* both go by input, ascending */
    if (!(term < end && lift->factors[lift->term_factors[term]].column == column))
      multiply(&product, workspace->row_values[lift->bases[b]]);
  }
  return product;
}

void ent_rare_row(const entropic_lift *lift, entropic_workspace *workspace, size_t row) {
  for (uint32_t f = 0; f < lift->factor_count; f++) {
    const ent_factor *factor = &lift->factors[f];
    factor->level->evaluate(factor->axis, factor->level, &workspace->columns[(size_t)factor->column * ENT_TILE + row],
                            1, &workspace->row_atoms[f], &workspace->row_values[f]);
  }
  for (uint32_t e = 0; e < lift->emit_count; e++) {
    uint64_t atom = 0;
    for (size_t t = lift->emit_terms[e]; t < lift->emit_terms[e + 1]; t++) {
      uint32_t f = lift->term_factors[t];
      atom = atom * lift->factors[f].level->info.atoms + workspace->row_atoms[f];
    }
    workspace->rare_values[e] = unscale(group_value(lift, workspace, e));
    workspace->rare_columns[e] = ent_find_column(lift, &lift->nodes[lift->emit_nodes[e]], atom);
  }
}

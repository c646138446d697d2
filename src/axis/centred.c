/* centred: k = 1 + w/4 - w|x-y|/2 = 1 + w(x-1/2)(y-1/2) + w(min(x,y) - xy), plus Legendre atoms if asked for. */
#include <math.h>

#include "axis/shapes.h"

static entropic_status prepare(entropic_context *context, ent_axis *axis) {
  (void)context;
  double omega = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_FULL) {
    ent_append_constant(axis);
    ent_append_line(axis, 0.5, omega / 4, ldexp(omega / 3, -2)); /* w/12, bit for bit the score of hat 1 */
    ent_append_legendre(axis);
  }
  ent_append_hats(axis, omega);
  return ENTROPIC_OK;
}

static double kernel(const ent_axis *axis, double x, double y) {
  double omega = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return omega * ent_bridge_kernel(x, y);
  return ent_smooth_kernel(axis, 1 + omega / 4 - omega * (y - x) / 2, x, y);
}

static ent_formula formula(const ent_axis *axis) {
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return (ent_formula){ENT_FORMULA_BRIDGE, {w}};
  return (ent_formula){ENT_FORMULA_KINK, {1 + w / 4, 0, w / 2}};
}

const ent_family ent_family_centred = {
    .name = "centred",
    .help = "1 + w/4 - w|x-y|/2; can have smooth atoms too",
    .traits = ENT_TRAITS_PLAIN | ENTROPIC_TRAIT_CONSTANT | ENTROPIC_TRAIT_SMOOTH | ENTROPIC_TRAIT_MISSING,
    .since = 1,
    .form = ENT_SECTION_KINK,
    .prepare = prepare,
    .kernel = kernel,
    .formula = formula,
};

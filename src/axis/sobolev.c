/* sobolev: k = 1 + w min(x,y); boundary atoms 1 and sqrt(w) x. */
#include "axis/shapes.h"

static entropic_status prepare(entropic_context *context, ent_axis *axis) {
  (void)context;
  double omega = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_FULL) {
    ent_append_constant(axis);
    ent_append_line(axis, 0, omega, omega / 3);
  }
  ent_append_hats(axis, omega);
  return ENTROPIC_OK;
}

static double kernel(const ent_axis *axis, double x, double y) {
  double omega = axis->options.omega;
  return axis->options.basis == ENTROPIC_BASIS_INTERIOR ? omega * ent_bridge_kernel(x, y) : 1 + omega * x;
}

static ent_formula formula(const ent_axis *axis) {
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return (ent_formula){ENT_FORMULA_BRIDGE, {w}};
  return (ent_formula){ENT_FORMULA_MIN, {1, w}};
}

const ent_family ent_family_sobolev = {
    .name = "sobolev",
    .help = "1 + w min(x,y)",
    .traits = ENT_TRAITS_PLAIN | ENTROPIC_TRAIT_CONSTANT | ENTROPIC_TRAIT_MISSING,
    .since = 1,
    .prepare = prepare,
    .kernel = kernel,
    .formula = formula,
};

/* brownian: k = w min(x,y); one boundary atom, sqrt(w) x. */
#include "axis/shapes.h"

static entropic_status prepare(entropic_context *context, ent_axis *axis) {
  (void)context;
  double omega = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_FULL)
    ent_append_line(axis, 0, omega, omega / 3);
  ent_append_hats(axis, omega);
  return ENTROPIC_OK;
}

static double kernel(const ent_axis *axis, double x, double y) {
  double omega = axis->options.omega;
  return axis->options.basis == ENTROPIC_BASIS_INTERIOR ? omega * ent_bridge_kernel(x, y) : omega * x;
}

static ent_formula formula(const ent_axis *axis) {
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return (ent_formula){ENT_FORMULA_BRIDGE, {w}};
  return (ent_formula){ENT_FORMULA_MIN, {0, w}};
}

const ent_family ent_family_brownian = {
    .name = "brownian",
    .help = "w min(x,y); zero at 0",
    .traits = ENT_TRAITS_PLAIN,
    .since = 1,
    .prepare = prepare,
    .kernel = kernel,
    .formula = formula,
};

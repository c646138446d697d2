/* laplace: k = exp(-w|x-y|); boundary atoms (exp(-wx) +- exp(-w(1-x))) / sqrt(2(1 +- exp(-w))). */
#include <math.h>

#include "axis/shapes.h"

static entropic_status prepare(entropic_context *context, ent_axis *axis) {
  (void)context;
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_FULL) {
    double plus = 1 + exp(-w), minus = -expm1(-w);
    /* (sinh(w)/w + 1)/(e^w + 1), and (sinh(w)/w - 1)/(e^w - 1) written with 1 - w/sinh(w) */
    double even = (-expm1(-2 * w) / (2 * w) + exp(-w)) / plus;
    double odd = ent_one_minus_x_over_sinh(w) * plus / (2 * w);
    ent_append_even(axis, 1 / sqrt(2 * plus), plus / 2, even);
    ent_append_odd(axis, 1 / sqrt(2 * minus), minus / 2, odd);
  }
  ent_append_hyperbolic_hats(axis, 1);
  return ENTROPIC_OK;
}

static double kernel(const ent_axis *axis, double x, double y) {
  double w = axis->options.omega;
  return axis->options.basis == ENTROPIC_BASIS_INTERIOR ? 2 * ent_hyperbolic_bridge(w, x, y) : exp(-w * (y - x));
}

static ent_formula formula(const ent_axis *axis) {
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return ent_hyperbolic_bridge_formula(w, 2);
  return (ent_formula){ENT_FORMULA_DECAY, {w}};
}

const ent_family ent_family_laplace = {
    .name = "laplace",
    .help = "exp(-w|x-y|)",
    .traits = ENT_TRAITS_PLAIN,
    .since = 1,
    .prepare = prepare,
    .kernel = kernel,
    .formula = formula,
};

/* cosh: k = w cosh(w min) cosh(w(1-max)) / sinh(w); boundary atoms sqrt(w/sinh w) times cosh and sinh of w(x-1/2). */
#include <math.h>

#include "axis/shapes.h"

static entropic_status prepare(entropic_context *context, ent_axis *axis) {
  (void)context;
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_FULL) {
    double scale = sqrt(w / (-2 * expm1(-2 * w)));
    double odd = ent_one_minus_x_over_sinh(w) / 2;
    ent_append_even(axis, scale, w / 2 / tanh(w / 2), 1 - odd);
    ent_append_odd(axis, scale, w / 2 * tanh(w / 2), odd);
  }
  ent_append_hyperbolic_hats(axis, w / 2);
  return ENTROPIC_OK;
}

static double kernel(const ent_axis *axis, double x, double y) {
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return w * ent_hyperbolic_bridge(w, x, y);
  double apart = y - x, together = fmin(x + y, 2 - (x + y));
  double sum = exp(-w * apart) + exp(-w * (2 - apart)) + exp(-w * together) + exp(-w * (2 - together));
  return w * sum / (-2 * expm1(-2 * w));
}

static ent_formula formula(const ent_axis *axis) {
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return ent_hyperbolic_bridge_formula(w, w);
  return (ent_formula){ENT_FORMULA_EXPONENTIALS, {w / (-2 * expm1(-2 * w)), w, 1, 1, 1}};
}

const ent_family ent_family_cosh = {
    .name = "cosh",
    .help = "w cosh(w min) cosh(w(1-max)) / sinh w",
    .traits = ENT_TRAITS_PLAIN,
    .since = 1,
    .prepare = prepare,
    .kernel = kernel,
    .formula = formula,
};

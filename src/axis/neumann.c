/* neumann: k = cosh(w min) exp(-w max), which is flat at 0. docs/adding-a-kernel.md derives what stands here.
 *
 * Boundary atoms sqrt(exp(-w)/cosh(w)) cosh(wx) and sqrt(tanh w) sinh(w(1-x))/sinh(w). */
#include "axis/hyperbolic.h"
#include "axis/shapes.h"

static const double bits_per_unit = 1.4426950408889634; /* log2(e) */

/* scale (exp(-w(1-x)) + exp(-w(1+x))): a sum of positive numbers, none above 1. */
static void evaluate_cosh(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                          double *values) {
  (void)axis;
  memset(atoms, 0, count * sizeof *atoms);
  for (size_t i = 0; i < count; i++)
    values[i] = level->scale * (ent_exp(-level->rate * (1 - x[i])) + ent_exp(-level->rate * (1 + x[i])));
}

static void append_cosh(ent_axis *axis) {
  double w = axis->options.omega, plus = 1 + exp(-2 * w), scale = 1 / sqrt(2 * plus);
  *ent_axis_append(axis) = (ent_level){
      .info = {.kind = ENTROPIC_LEVEL_KIND_EVEN,
               .atoms = 1,
               .sup = plus / 2,
               .l2 = (exp(-2 * w) - expm1(-4 * w) / (4 * w)) / plus},
      .shape = ENT_SHAPE_GENERAL,
      .evaluate = evaluate_cosh,
      .scale = scale,
      .rate = w,
      .floor = ilogb(scale) - 1 - (int)(w * bits_per_unit),
      .ceiling = ilogb(scale) + 2,
      .vanishes = w > 700, /* exp(-w) is then no normal double */
      .positive = true,
  };
}

/* sinh(w(1-x)) by its series where the argument is small, otherwise by exponentials that are scaled to stay below 1. */
static void evaluate_sinh(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                          double *values) {
  (void)axis;
  memset(atoms, 0, count * sizeof *atoms);
  for (size_t i = 0; i < count; i++) {
    double y = level->rate * (1 - x[i]);
    double near = level->small_scale * ent_small_sinh(y < 1 ? y : 1);
    double far = level->scale * ent_exp(-level->rate * x[i]) * (1 - ent_exp(-2 * y));
    values[i] = y <= 1 ? near : far;
  }
}

static void append_sinh(ent_axis *axis) {
  double w = axis->options.omega, sup = tanh(w), root = sqrt(sup), scale = root / -expm1(-2 * w);
  *ent_axis_append(axis) = (ent_level){
      .info = {.kind = ENTROPIC_LEVEL_KIND_LINEAR,
               .atoms = 1,
               .sup = sup,
               .l2 = ent_one_minus_x_over_sinh(2 * w) / (2 * w)},
      .shape = ENT_SHAPE_GENERAL,
      .evaluate = evaluate_sinh,
      .scale = scale,
      .rate = w,
      .small_scale = 2 * exp(-w) * scale,                   /* root / sinh(w), without overflow */
      .floor = ilogb(root) - 56 - (int)(w * bits_per_unit), /* w/sinh(w) > exp(-w), and 1 - x is 0 or 2^-53 and more */
      .ceiling = ilogb(root) + 1,
      .vanishes = true,
      .positive = true,
  };
}

static entropic_status prepare(entropic_context *context, ent_axis *axis) {
  (void)context;
  if (axis->options.basis == ENTROPIC_BASIS_FULL) {
    append_cosh(axis);
    append_sinh(axis);
  }
  ent_append_hyperbolic_hats(axis, 0.5);
  return ENTROPIC_OK;
}

static double kernel(const ent_axis *axis, double x, double y) {
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return ent_hyperbolic_bridge(w, x, y);
  return (exp(-w * (y - x)) + exp(-w * (y + x))) / 2;
}

static ent_formula formula(const ent_axis *axis) {
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return ent_hyperbolic_bridge_formula(w, 1);
  return (ent_formula){ENT_FORMULA_EXPONENTIALS, {0.5, w, 1}};
}

const ent_family ent_family_neumann = {
    .name = "neumann",
    .help = "cosh(w min) exp(-w max); flat at 0",
    .traits = ENT_TRAITS_PLAIN,
    .since = 4,
    .prepare = prepare,
    .kernel = kernel,
    .formula = formula,
};

/* Hyperbolic atoms, for laplace and cosh. Everything is written with scaled exponentials where w is large, and without
 * differences of nearly equal numbers where it is small. */
#include "axis/hyperbolic.h"

#include "axis/shapes.h"

static const double bits_per_unit = 1.4426950408889634; /* log2(e) */

/* (sinh(x) - x) / x^3 for 0 <= x <= 3, by its series: sum of x^(2k)/(2k+3)!. */
static double sinh_excess(double x) {
  double square = x * x, sum = 0;
  for (int k = 14; k >= 1; k--)
    sum = square / ((2 * k + 2) * (2 * k + 3)) * (1 + sum);
  return (1 + sum) / 6;
}

double ent_one_minus_x_over_sinh(double x) {
  if (x <= 3)
    return x == 0 ? 0 : x * x * sinh_excess(x) * (x / sinh(x));
  return 1 - 2 * x * exp(-x) / -expm1(-2 * x);
}

double ent_hyperbolic_bridge(double omega, double x, double y) {
  return exp(-omega * (y - x)) * expm1(-2 * omega * x) * expm1(-2 * omega * (1 - y)) / (-2 * expm1(-2 * omega));
}

ent_formula ent_hyperbolic_bridge_formula(double omega, double scale) {
  return (ent_formula){ENT_FORMULA_SINH, {scale / (-2 * expm1(-2 * omega)), omega}};
}

static void evaluate_even(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                          double *values) {
  (void)axis;
  memset(atoms, 0, count * sizeof *atoms);
  bool small = level->shape == ENT_SHAPE_SMALL_EVEN;
  for (size_t i = 0; i < count; i++)
    values[i] = small ? ent_small_even_at(level, x[i]) : ent_even_at(level, x[i]);
}

void ent_append_even(ent_axis *axis, double scale, double sup, double l2) {
  *ent_axis_append(axis) = (ent_level){
      .info = {.kind = ENTROPIC_LEVEL_KIND_EVEN, .atoms = 1, .sup = sup, .l2 = l2},
      .shape = axis->options.omega <= 2 ? ENT_SHAPE_SMALL_EVEN : ENT_SHAPE_EVEN,
      .evaluate = evaluate_even,
      .scale = scale,
      .rate = axis->options.omega,
      .small_scale = 2 * scale * exp(-axis->options.omega / 2),
      .floor = ilogb(scale) - 1 - (int)(axis->options.omega / 2 * bits_per_unit),
      .ceiling = ilogb(scale) + 2,
      .vanishes = axis->options.omega > 1400, /* exp(-w/2) is then no double */
      .positive = true,
  };
}

static void evaluate_odd(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                         double *values) {
  (void)axis;
  memset(atoms, 0, count * sizeof *atoms);
  bool small = level->shape == ENT_SHAPE_SMALL_ODD;
  for (size_t i = 0; i < count; i++)
    values[i] = small ? ent_small_odd_at(level, x[i]) : ent_odd_at(level, x[i]);
}

void ent_append_odd(ent_axis *axis, double scale, double sup, double l2) {
  double omega = axis->options.omega;
  *ent_axis_append(axis) = (ent_level){
      .info = {.kind = ENTROPIC_LEVEL_KIND_LINEAR, .atoms = 1, .sup = sup, .l2 = l2},
      .shape = omega <= 2 ? ENT_SHAPE_SMALL_ODD : ENT_SHAPE_ODD,
      .evaluate = evaluate_odd,
      .scale = scale,
      .rate = omega,
      .small_scale = 2 * scale * exp(-omega / 2),
      .floor = ilogb(scale) + ilogb(fmin(omega, 1)) - 58 - (int)(omega / 2 * bits_per_unit),
      .ceiling = ilogb(scale) + 2,
      .vanishes = true,
  };
}

static void evaluate_sinh_hat(const ent_axis *axis, const ent_level *level, const double *x, size_t count,
                              uint32_t *atoms, double *values) {
  (void)axis;
  bool small = level->shape == ENT_SHAPE_SMALL_SINH_HAT;
  for (size_t i = 0; i < count; i++) {
    double height;
    atoms[i] = ent_cell(x[i], level->info.order, &height);
    values[i] = small ? ent_small_sinh_hat_at(level, height) : ent_sinh_hat_at(level, height);
  }
}

void ent_append_hyperbolic_hats(ent_axis *axis, double factor) {
  double omega = axis->options.omega;
  for (int l = 1; l <= axis->options.max_level; l++) {
    double rate = ldexp(omega, -l);
    double c = factor * tanh(rate);
    double root = axis->options.unit_height ? 1 : sqrt(c);
    double floor = log2(root) - 113;
    if (rate > 1)
      floor -= rate * bits_per_unit;
    *ent_axis_append(axis) = (ent_level){
        .info = {.kind = ENTROPIC_LEVEL_KIND_HAT,
                 .order = l,
                 .atoms = UINT64_C(1) << (l - 1),
                 .sup = c,
                 .l2 = factor / omega * ent_one_minus_x_over_sinh(2 * rate)},
        .shape = rate <= 1 ? ENT_SHAPE_SMALL_SINH_HAT : ENT_SHAPE_SINH_HAT,
        .evaluate = evaluate_sinh_hat,
        .scale = root / -expm1(-2 * rate),
        .small_scale = root * 2 * exp(-rate) / -expm1(-2 * rate), /* sqrt(c) / sinh(rate), without overflow */
        .rate = rate,
        .floor = (int)floor - 2,
        .ceiling = ilogb(root) + 1,
        .vanishes = true,
        .positive = true,
    };
  }
}

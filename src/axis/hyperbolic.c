/* Hyperbolic atoms, for laplace and cosh. Everything is written with scaled exponentials where w is large, and without
 * differences of nearly equal numbers where it is small. */
#include <math.h>
#include <string.h>

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

static void evaluate_even(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                          double *values) {
  double omega = axis->options.omega;
  memset(atoms, 0, count * sizeof *atoms);
  for (size_t i = 0; i < count; i++)
    values[i] = level->scale * (exp(-omega * x[i]) + exp(-omega * (1 - x[i])));
}

void ent_append_even(ent_axis *axis, double scale, double sup, double l2) {
  *ent_axis_append(axis) = (ent_level){
      .info = {.kind = ENTROPIC_KIND_EVEN, .atoms = 1, .sup = sup, .l2 = l2},
      .shape = ENT_SHAPE_GENERAL,
      .evaluate = evaluate_even,
      .scale = scale,
      .floor = ilogb(scale) - 1 - (int)(axis->options.omega / 2 * bits_per_unit),
      .ceiling = ilogb(scale) + 2,
      .vanishes = axis->options.omega > 1400, /* exp(-w/2) is then no double */
  };
}

static void evaluate_odd(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                         double *values) {
  double omega = axis->options.omega;
  memset(atoms, 0, count * sizeof *atoms);
  for (size_t i = 0; i < count; i++) {
    double from_middle = x[i] - 0.5;
    double to_end = fmin(x[i], 1 - x[i]);
    double size = exp(-omega * to_end) * -expm1(-2 * omega * fabs(from_middle));
    values[i] = level->scale * copysign(size, from_middle);
  }
}

void ent_append_odd(ent_axis *axis, double scale, double sup, double l2) {
  double omega = axis->options.omega;
  *ent_axis_append(axis) = (ent_level){
      .info = {.kind = ENTROPIC_KIND_LINEAR, .atoms = 1, .sup = sup, .l2 = l2},
      .shape = ENT_SHAPE_GENERAL,
      .evaluate = evaluate_odd,
      .scale = scale,
      .floor = ilogb(scale) + ilogb(fmin(omega, 1)) - 58 - (int)(omega / 2 * bits_per_unit),
      .ceiling = ilogb(scale) + 2,
      .vanishes = true,
  };
}

/* Up to here sinh itself is used; above, its leading exponential cannot lose anything. */
static const double direct_rate = 16;

static void evaluate_hyperbolic_hat(const ent_axis *axis, const ent_level *level, const double *x, size_t count,
                                    uint32_t *atoms, double *values) {
  (void)axis;
  double rate = level->rate;
  for (size_t i = 0; i < count; i++) {
    double height;
    atoms[i] = ent_cell(x[i], level->info.order, &height);
    if (rate <= direct_rate)
      values[i] = level->scale * sinh(rate * height);
    else
      values[i] = level->scale * exp(rate * (height - 1)) * -expm1(-2 * rate * height);
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
        .info = {.kind = ENTROPIC_KIND_HAT,
                 .order = l,
                 .atoms = UINT64_C(1) << (l - 1),
                 .sup = c,
                 .l2 = factor / omega * ent_one_minus_x_over_sinh(2 * rate)},
        .shape = ENT_SHAPE_GENERAL,
        .evaluate = evaluate_hyperbolic_hat,
        .scale = rate <= direct_rate ? root / sinh(rate) : root / -expm1(-2 * rate),
        .rate = rate,
        .floor = (int)floor - 2,
        .ceiling = ilogb(root) + 1,
        .vanishes = true,
    };
  }
}

/* periodic: k = 1 + w(min(x,y) - xy), whose ends are one point: every function of it has the same value at 0 and 1. The
 * constant and hats, no line; besides, if asked for, the sines and cosines that have no jump there: order 2h is
 * cos(2 pi h x), order 2h + 1 is sin(2 pi h x). For parts of dates that come round: the day of the year, the hour. */
#include <math.h>
#include <string.h>

#include "axis/shapes.h"

/* sin(2 pi t) for t in [-1/4, 1/4]: the terms of the series up to degree 19, so that it is the same on every machine. */
static double sine(double t) {
  static const double terms[] = {-1.0 / 121645100408832000,
                                 1.0 / 355687428096000,
                                 -1.0 / 1307674368000,
                                 1.0 / 6227020800,
                                 -1.0 / 39916800,
                                 1.0 / 362880,
                                 -1.0 / 5040,
                                 1.0 / 120,
                                 -1.0 / 6,
                                 1.0};
  double u = 6.283185307179586 * t, square = u * u, sum = terms[0];
  for (size_t i = 1; i < sizeof terms / sizeof *terms; i++)
    sum = sum * square + terms[i];
  return sum * u;
}

/* sin(2 pi t) for t in [0, 1): odd about 0 and 1/2, even about 1/4. */
static double wave(double t) {
  double near = t < 0.5 ? t : t - 1;               /* to [-1/2, 1/2) */
  double folded = near > 0.25 ? 0.5 - near : near; /* exact, like the next */
  return sine(folded < -0.25 ? -0.5 - folded : folded);
}

static void evaluate_wave(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                          double *values) {
  (void)axis;
  memset(atoms, 0, count * sizeof *atoms);
  int harmonic = level->info.order / 2;
  double shift = level->info.order % 2 == 0 ? 0.25 : 0;
  for (size_t i = 0; i < count; i++) {
    double turns = harmonic * x[i], part = turns - floor(turns) + shift;
    values[i] = level->scale * wave(part < 1 ? part : part - 1);
  }
}

static void append_waves(ent_axis *axis) {
  for (int j = 2; j <= axis->options.smooth; j++) {
    double l2 = ldexp(axis->options.omega / 3, -2 * j); /* as that of hat j, like centred's smooth atoms */
    double scale = sqrt(2 * l2);
    *ent_axis_append(axis) = (ent_level){
        .info = {.kind = ENTROPIC_LEVEL_KIND_LEGENDRE, .order = j, .atoms = 1, .sup = 2 * l2, .l2 = l2},
        .shape = ENT_SHAPE_GENERAL,
        .evaluate = evaluate_wave,
        .scale = scale,
        .floor = ilogb(scale) - 120,
        .ceiling = ilogb(scale) + 1,
        .vanishes = true,
    };
  }
}

static entropic_status prepare(entropic_context *context, ent_axis *axis) {
  (void)context;
  if (axis->options.basis == ENTROPIC_BASIS_FULL) {
    ent_append_constant(axis);
    append_waves(axis);
  }
  ent_append_hats(axis, axis->options.omega);
  return ENTROPIC_OK;
}

static double kernel(const ent_axis *axis, double x, double y) {
  double bridge = axis->options.omega * ent_bridge_kernel(x, y);
  return axis->options.basis == ENTROPIC_BASIS_INTERIOR ? bridge : ent_smooth_kernel(axis, 1 + bridge, x, y);
}

static ent_formula formula(const ent_axis *axis) {
  double w = axis->options.omega;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return (ent_formula){ENT_FORMULA_BRIDGE, {w}};
  return (ent_formula){ENT_FORMULA_KINK, {1 + w / 4, -w, w / 2}};
}

const ent_family ent_family_periodic = {
    .name = "periodic",
    .help = "1 + w(min(x,y) - xy); 0 and 1 are one point",
    .traits = ENT_TRAITS_PLAIN | ENTROPIC_TRAIT_CONSTANT | ENTROPIC_TRAIT_SMOOTH | ENTROPIC_TRAIT_MISSING |
              ENTROPIC_TRAIT_PERIODIC,
    .since = 6,
    .form = ENT_SECTION_KINK,
    .twist = -1,
    .prepare = prepare,
    .kernel = kernel,
    .formula = formula,
};

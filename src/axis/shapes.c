/* Constant, line, Legendre polynomials, piecewise linear hats, and the atom for missing values. */
#include "axis/shapes.h"

#include <math.h>
#include <string.h>

uint32_t ent_cell(double x, int level, double *height) {
  double cells = (double)(UINT64_C(1) << (level - 1)), u = x * cells;
  double cell = (double)(int64_t)u;       /* rounded down, as u is not negative */
  cell = cell < cells ? cell : cells - 1; /* x = 1 belongs to the last cell */
  double f = u - cell, rest = 1 - f;
  *height = 2 * (f < rest ? f : rest);
  return (uint32_t)cell;
}

static void evaluate_constant(const ent_axis *axis, const ent_level *level, const double *x, size_t count,
                              uint32_t *atoms, double *values) {
  (void)axis, (void)x;
  memset(atoms, 0, count * sizeof *atoms);
  for (size_t i = 0; i < count; i++)
    values[i] = level->scale;
}

void ent_append_constant(ent_axis *axis) {
  *ent_axis_append(axis) = (ent_level){
      .info = {.kind = ENTROPIC_LEVEL_KIND_CONSTANT, .atoms = 1, .sup = 1, .l2 = 1},
      .shape = ENT_SHAPE_ONE,
      .evaluate = evaluate_constant,
      .scale = 1,
      .positive = true,
  };
}

static void evaluate_line(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                          double *values) {
  (void)axis;
  memset(atoms, 0, count * sizeof *atoms);
  for (size_t i = 0; i < count; i++)
    values[i] = level->scale * (x[i] - level->centre);
}

void ent_append_line(ent_axis *axis, double centre, double sup, double l2) {
  double scale = sqrt(axis->options.omega);
  *ent_axis_append(axis) = (ent_level){
      .info = {.kind = ENTROPIC_LEVEL_KIND_LINEAR, .atoms = 1, .sup = sup, .l2 = l2},
      .shape = ENT_SHAPE_LINE,
      .evaluate = evaluate_line,
      .scale = scale,
      .centre = centre,
      .floor = ilogb(scale) - 62,
      .ceiling = ilogb(scale) + 1,
      .vanishes = true,
      .positive = centre <= 0,
  };
}

static double legendre(int degree, double t) {
  double before = 1, value = t;
  for (int j = 2; j <= degree; j++) {
    double next = ((2 * j - 1) * t * value - (j - 1) * before) / j;
    before = value;
    value = next;
  }
  return value;
}

static void evaluate_legendre(const ent_axis *axis, const ent_level *level, const double *x, size_t count,
                              uint32_t *atoms, double *values) {
  (void)axis;
  memset(atoms, 0, count * sizeof *atoms);
  for (size_t i = 0; i < count; i++)
    values[i] = level->scale * legendre(level->info.order, 2 * x[i] - 1);
}

void ent_append_legendre(ent_axis *axis) {
  for (int j = 2; j <= axis->options.smooth; j++) {
    double l2 = ldexp(axis->options.omega / 3, -2 * j); /* exactly the score of hat j: the tie rule relies on it */
    double sup = l2 * (2 * j + 1);
    *ent_axis_append(axis) = (ent_level){
        .info = {.kind = ENTROPIC_LEVEL_KIND_LEGENDRE, .order = j, .atoms = 1, .sup = sup, .l2 = l2},
        .shape = ENT_SHAPE_GENERAL,
        .evaluate = evaluate_legendre,
        .scale = sqrt(sup),
        .floor = ilogb(sqrt(sup)) - 120,
        .ceiling = ilogb(sqrt(sup)) + 1,
        .vanishes = true,
    };
  }
}

static void evaluate_hat(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                         double *values) {
  (void)axis;
  for (size_t i = 0; i < count; i++) {
    double height;
    atoms[i] = ent_cell(x[i], level->info.order, &height);
    values[i] = level->scale * height;
  }
}

void ent_append_hats(ent_axis *axis, double variance) {
  for (int l = 1; l <= axis->options.max_level; l++) {
    double c = ldexp(variance, -l - 1);
    double scale = axis->options.unit_height ? 1 : sqrt(c);
    *ent_axis_append(axis) = (ent_level){
        .info = {.kind = ENTROPIC_LEVEL_KIND_HAT,
                 .order = l,
                 .atoms = UINT64_C(1) << (l - 1),
                 .sup = c,
                 .l2 = ldexp(variance / 3, -2 * l)},
        .shape = ENT_SHAPE_HAT,
        .evaluate = evaluate_hat,
        .scale = scale,
        .floor = ilogb(scale) - 113,
        .ceiling = ilogb(scale) + 1,
        .vanishes = true,
        .positive = true,
    };
  }
}

/* A level where x is not missing, 0 where it is. */
static void evaluate_present(const ent_axis *axis, const ent_level *level, const double *x, size_t count,
                             uint32_t *atoms, double *values) {
  double known[32];
  for (size_t first = 0, part; first < count; first += part) {
    part = count - first < 32 ? count - first : 32;
    for (size_t i = 0; i < part; i++)
      known[i] = isnan(x[first + i]) ? 0.5 : x[first + i]; /* some atom must be named, but it is 0 */
    level->present(axis, level, known, part, atoms + first, values + first);
    for (size_t i = first; i < first + part; i++)
      values[i] = isnan(x[i]) ? 0 : values[i];
  }
}

static void evaluate_missing(const ent_axis *axis, const ent_level *level, const double *x, size_t count,
                             uint32_t *atoms, double *values) {
  (void)axis;
  memset(atoms, 0, count * sizeof *atoms);
  for (size_t i = 0; i < count; i++)
    values[i] = isnan(x[i]) ? level->scale : 0;
}

void ent_append_missing(ent_axis *axis) {
  for (size_t i = 0; i < axis->level_count; i++) {
    ent_level *level = &axis->levels[i];
    if (level->info.kind == ENTROPIC_LEVEL_KIND_CONSTANT)
      continue;
    level->present = level->evaluate;
    level->evaluate = evaluate_present;
    level->shape = ENT_SHAPE_GENERAL;
    level->vanishes = true;
  }
  double omega = axis->options.omega, scale = sqrt(omega);
  *ent_axis_append(axis) = (ent_level){
      .info = {.kind = ENTROPIC_LEVEL_KIND_MISSING, .atoms = 1, .sup = omega, .l2 = ldexp(omega / 3, -2)},
      .shape = ENT_SHAPE_GENERAL,
      .evaluate = evaluate_missing,
      .scale = scale,
      .floor = ilogb(scale),
      .ceiling = ilogb(scale) + 1,
      .vanishes = true,
      .positive = true,
  };
}

void ent_append_custom(ent_axis *axis, ent_level level, double most) {
  level.shape = ENT_SHAPE_GENERAL;
  level.scale = 1;
  level.floor = -100000;
  level.ceiling = ilogb(most) + 2;
  level.vanishes = true;
  *ent_axis_append(axis) = level;
}

double ent_smooth_kernel(const ent_axis *axis, double sum, double x, double y) {
  for (size_t i = 0; i < axis->level_count; i++) {
    const ent_level *level = &axis->levels[i];
    if (level->info.kind != ENTROPIC_LEVEL_KIND_LEGENDRE)
      continue;
    const double points[2] = {x, y};
    uint32_t atoms[2];
    double values[2];
    level->evaluate(axis, level, points, 2, atoms, values);
    sum += values[0] * values[1];
  }
  return sum;
}

double ent_bridge_kernel(double x, double y) {
  return x * (1 - y);
}

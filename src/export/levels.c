/* Levels as formulas of few numbers. What a level is, its own evaluation decides: a formula counts only if it gives the
 * same values. So a family whose levels have another shape is never taken for one of these. */
#include <math.h>

#include "export/parts.h"

#define POINTS 65
#define SAME 1e-13 /* of the largest value */

size_t ent_export_number_count(ent_export_shape shape) {
  static const size_t counts[ENT_EXPORT_SHAPES] = {
      [ENT_EXPORT_CONSTANT] = 1, [ENT_EXPORT_CATEGORY] = 1, [ENT_EXPORT_MISSING] = 1, [ENT_EXPORT_LINE] = 2,
      [ENT_EXPORT_HAT] = 1,      [ENT_EXPORT_LEGENDRE] = 2, [ENT_EXPORT_EVEN] = 2,    [ENT_EXPORT_ODD] = 3,
      [ENT_EXPORT_SINH_HAT] = 3, [ENT_EXPORT_SERIES] = 0};
  return counts[shape];
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

/* scale exp(far) (1 - exp(-2|y|)), of which scale sinh(y) is another form: better where y is small. */
static double sinh_of(const double *p, double y, double far) {
  return fabs(y) <= 1 ? p[2] * sinh(y) : copysign(p[0] * exp(far) * (1 - exp(-2 * fabs(y))), y);
}

/* The formula of a shape at x, of hats at this height. */
static double formula(ent_export_shape shape, const double *p, double x, double height) {
  switch (shape) {
  case ENT_EXPORT_LINE:
    return p[0] * (x - p[1]);
  case ENT_EXPORT_HAT:
    return p[0] * height;
  case ENT_EXPORT_LEGENDRE:
    return p[0] * legendre((int)p[1], 2 * x - 1);
  case ENT_EXPORT_EVEN:
    return p[0] * (exp(-p[1] * x) + exp(-p[1] * (1 - x)));
  case ENT_EXPORT_ODD:
    return sinh_of(p, p[1] * (x - 0.5), -p[1] * (x < 0.5 ? x : 1 - x));
  case ENT_EXPORT_SINH_HAT:
    return sinh_of(p, p[1] * height, p[1] * (height - 1));
  default:
    return p[0];
  }
}

/* Whether the formula is the level, at points that are neither nodes nor ends of cells. */
static bool is_shape(const ent_axis *axis, const ent_level *level, ent_export_shape shape, const double *p) {
  double x[POINTS], values[POINTS], most = 0, worst = 0;
  uint32_t atoms[POINTS];
  bool hats = level->info.kind == ENTROPIC_LEVEL_KIND_HAT;
  for (int i = 0; i < POINTS; i++)
    x[i] = (i + 0.3819660112501051) / POINTS;
  level->evaluate(axis, level, x, POINTS, atoms, values);
  for (int i = 0; i < POINTS; i++) {
    double height = 0;
    uint32_t cell = hats ? ent_cell(x[i], level->info.order, &height) : 0;
    double off = fabs(formula(shape, p, x[i], height) - values[i]);
    most = fmax(most, fabs(values[i]));
    worst = off <= worst && cell == atoms[i] ? worst : cell == atoms[i] ? off : INFINITY;
    if (isnan(off))
      return false;
  }
  return worst <= SAME * most;
}

ent_export_shape ent_export_recognise(const ent_axis *axis, const ent_level *level, double numbers[ENT_EXPORT_NUMBERS],
                                      size_t *count) {
  static const struct {
    entropic_level_kind kind;
    ent_export_shape shape;
  } shapes[] = {{ENTROPIC_LEVEL_KIND_CONSTANT, ENT_EXPORT_CONSTANT}, {ENTROPIC_LEVEL_KIND_LINEAR, ENT_EXPORT_LINE},
                {ENTROPIC_LEVEL_KIND_LINEAR, ENT_EXPORT_ODD},        {ENTROPIC_LEVEL_KIND_EVEN, ENT_EXPORT_EVEN},
                {ENTROPIC_LEVEL_KIND_LEGENDRE, ENT_EXPORT_LEGENDRE}, {ENTROPIC_LEVEL_KIND_HAT, ENT_EXPORT_HAT},
                {ENTROPIC_LEVEL_KIND_HAT, ENT_EXPORT_SINH_HAT}};
  numbers[0] = level->scale;
  *count = 1;
  if (level->info.kind == ENTROPIC_LEVEL_KIND_CATEGORY)
    return ENT_EXPORT_CATEGORY;
  if (level->info.kind == ENTROPIC_LEVEL_KIND_MISSING)
    return ENT_EXPORT_MISSING;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    ent_export_shape shape = shapes[i].shape;
    if (shapes[i].kind != level->info.kind)
      continue;
    numbers[1] = shape == ENT_EXPORT_LINE       ? level->centre
                 : shape == ENT_EXPORT_LEGENDRE ? level->info.order
                                                : level->rate;
    numbers[2] = level->small_scale;
    *count = ent_export_number_count(shape);
    if (is_shape(axis, level, shape, numbers))
      return shape;
  }
  *count = 0;
  return ENT_EXPORT_SERIES;
}

/* category: k = 1 + v [same category], v = w/4; an atom sqrt(v) for each category besides the constant.
 *
 * Categories come as cells of [0,1], all of the same width, with one cell more at the end for what is none of them: there
 * only the constant lives, so k = 1 with everything. The middle of a cell is half a cell from its neighbours, so that for
 * no number of cells rounding moves it into one of them. */
#include <math.h>

#include "axis/shapes.h"

/* The number of the cell of x in [0,1]; options.categories for the last. */
static double cell_of(const ent_axis *axis, double x) {
  double last = (double)axis->options.categories;
  double cell = floor(x * (last + 1));
  return cell > last ? last : cell; /* x = 1 belongs to the last cell */
}

static void evaluate(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                     double *values) {
  double none = (double)axis->options.categories;
  for (size_t i = 0; i < count; i++) {
    double cell = cell_of(axis, x[i]);
    atoms[i] = (uint32_t)(cell < none ? cell : none - 1); /* some atom must be named, but it is 0 */
    values[i] = cell < none ? level->scale : 0;
  }
}

static entropic_status prepare(entropic_context *context, ent_axis *axis) {
  if (axis->options.basis != ENTROPIC_BASIS_FULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "basis: categories have no interior basis, only the full one");
  size_t categories = axis->options.categories;
  if (categories == 0 || categories > ENT_MAX_CATEGORIES)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "categories: %zu is not between 1 and %zu", categories,
                    ENT_MAX_CATEGORIES);
  double variance = axis->options.omega / 4, scale = sqrt(variance);
  ent_append_constant(axis);
  *ent_axis_append(axis) = (ent_level){
      .info = {.kind = ENTROPIC_LEVEL_KIND_CATEGORY,
               .atoms = categories,
               .sup = variance,
               .l2 = variance / (double)categories}, /* every category as likely as any other */
      .shape = ENT_SHAPE_GENERAL,
      .evaluate = evaluate,
      .scale = scale,
      .floor = ilogb(scale),
      .ceiling = ilogb(scale) + 1,
      .vanishes = true,
      .positive = true,
  };
  return ENTROPIC_OK;
}

static double kernel(const ent_axis *axis, double x, double y) {
  double cell = cell_of(axis, x);
  if (isnan(x) || isnan(y))
    return NAN;
  bool same = cell == cell_of(axis, y) && cell < (double)axis->options.categories;
  return same ? 1 + axis->options.omega / 4 : 1;
}

static ent_formula formula(const ent_axis *axis) {
  double w = axis->options.omega;
  return (ent_formula){ENT_FORMULA_CELLS, {1, w / 4}};
}

const ent_family ent_family_category = {
    .name = "category",
    .help = "1 + w/4 if both are the same category, otherwise 1",
    .traits = ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_CONSTANT | ENTROPIC_TRAIT_CATEGORIES | ENTROPIC_TRAIT_SAVED,
    .since = 1,
    .form = ENT_SECTION_CELLS,
    .prepare = prepare,
    .kernel = kernel,
    .formula = formula,
};

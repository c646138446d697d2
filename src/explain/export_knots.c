/* Knots and heights as whole numbers, where they are some: four bytes a knot in the place of sixteen. */
#include <math.h>

#include "explain/export_parts.h"

#define DECIMALS 6
#define MOST_WHOLE 32767.0
#define MOST_TIES 64 /* rows that have the least value, or the largest */
#define MOST_ROWS 1e8
#define DIGITS 1e-14 /* of [0,1]: what unit * x may be off by, scaled */
#define SAME 2.3e-16 /* of heights: a unit in the last place */

/* Whether places are whole numbers of that unit, and rounding unit * x does not matter. */
static bool is_whole(const ent_scale *scale, double unit) {
  for (size_t k = 0; k < scale->knots; k++) {
    double number = rint(scale->at[k] * unit);
    if (!(fabs(number) <= MOST_WHOLE) || number / unit != scale->at[k])
      return false;
    double gap = k > 0 ? number - scale->at[k - 1] * unit : 1,
           rise = k > 0 ? scale->height[k] - scale->height[k - 1] : 0;
    if (!(fabs(number) * 0x1p-53 * rise / gap <= DIGITS))
      return false;
  }
  return true;
}

/* What a height has besides its rank: a half of the place within the range, for blended scaling. */
static double linear_part(const ent_scale *scale, size_t knot, bool blended) {
  return blended ? ent_fraction(scale->at[knot], scale->at[0], scale->at[scale->knots - 1]) / 2 : 0;
}

double ent_export_whole(const ent_export_knots *knots, const ent_scale *scale, size_t knot) {
  return rint(scale->at[knot] * knots->unit);
}

double ent_export_rank(const ent_export_knots *knots, const ent_scale *scale, size_t knot) {
  return rint((scale->height[knot] - linear_part(scale, knot, knots->width > 0)) * knots->ranks);
}

/* Whether heights are ranks of so many rows, perhaps blended; sets them if they are. */
static bool is_ranked(const ent_scale *scale, double rows, bool blended, ent_export_knots *knots) {
  ent_export_knots tried = *knots;
  double range = (scale->at[scale->knots - 1] - scale->at[0]) * tried.unit;
  tried.ranked = true;
  tried.ranks = (blended ? 4 : 2) * rows;
  tried.width = blended ? 2 * range : 0;
  if (!(rows >= 1 && rows <= MOST_ROWS && isfinite(2 * range)))
    return false;
  for (size_t k = 0; k < scale->knots; k++) {
    double from = (scale->at[k] - scale->at[0]) * tried.unit;
    double height = ent_export_rank(&tried, scale, k) / tried.ranks + (blended ? from / tried.width : 0);
    if (!(fabs(height - scale->height[k]) <= SAME))
      return false;
  }
  *knots = tried;
  return true;
}

ent_export_knots ent_export_shorten(const ent_scale *scale, size_t rows) {
  ent_export_knots knots = {.unit = 1};
  if (scale->knots < 3)
    return knots;
  double unit = 1;
  for (int d = 0; d <= DECIMALS && !knots.whole; d++, unit *= 10)
    if (is_whole(scale, unit)) {
      knots.whole = true;
      knots.unit = unit;
    }
  /* All rows had a value; or the least value has the rank of the rows that have it. */
  for (int blended = 0; blended < 2; blended++) {
    if (is_ranked(scale, (double)rows, blended, &knots))
      return knots;
    for (int ties = 1; ties <= MOST_TIES; ties++) {
      double share = scale->height[0] * (blended ? 2 : 1);
      if (is_ranked(scale, rint(ties / (2 * share)), blended, &knots))
        return knots;
    }
  }
  return knots;
}

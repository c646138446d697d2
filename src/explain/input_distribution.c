/* What a model knows of the distribution of its inputs: see ranks.h. */
#include "explain/input_distribution.h"

#include <math.h>

/* ---- Scalers, backwards ---- */

double ent_scale_invert(const ent_scale *scale, double scaled) {
  size_t low = 0, high = scale->knots;
  if (scale->knots == 0)
    return scaled;
  if (!(scaled > scale->height[0]))
    return scale->at[0];
  if (scaled >= scale->height[scale->knots - 1])
    return scale->at[scale->knots - 1];
  while (high - low > 1) { /* height[low] < scaled <= height[high] */
    size_t middle = low + (high - low) / 2;
    if (scale->height[middle] < scaled)
      low = middle;
    else
      high = middle;
  }
  double part = (scaled - scale->height[low]) / (scale->height[high] - scale->height[low]);
  return scale->at[low] * (1 - part) + scale->at[high] * part;
}

double ent_scale_knot_rank(const entropic_scaler *scaler, size_t input, size_t knot) {
  const ent_scale *scale = &scaler->scales[input];
  if (scaler->scaling == ENTROPIC_SCALING_QUANTILE)
    return scale->height[knot];
  return 2 * scale->height[knot] - ent_fraction(scale->at[knot], scale->at[0], scale->at[scale->knots - 1]);
}

bool ent_scale_knows_ranks(const entropic_scaler *scaler, size_t input) {
  const ent_scale *scale = &scaler->scales[input];
  return scale->knots > 1 &&
         (scaler->scaling == ENTROPIC_SCALING_QUANTILE || scaler->scaling == ENTROPIC_SCALING_BLEND);
}

double ent_scale_rank(const entropic_scaler *scaler, size_t input, double x) {
  const ent_scale *scale = &scaler->scales[input];
  size_t low = 0, high = scale->knots;
  if (!ent_scale_knows_ranks(scaler, input))
    return NAN;
  if (x <= scale->at[0])
    return x < scale->at[0] ? 0 : ent_scale_knot_rank(scaler, input, 0);
  if (x >= scale->at[scale->knots - 1])
    return x > scale->at[scale->knots - 1] ? 1 : ent_scale_knot_rank(scaler, input, scale->knots - 1);
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (scale->at[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  double below = ent_scale_knot_rank(scaler, input, low), above = ent_scale_knot_rank(scaler, input, low + 1);
  return below + (above - below) * ent_fraction(x, scale->at[low], scale->at[low + 1]);
}

/* ---- Shares of rows ---- */

/* The share by the nodes of centres: of categories, and of missing values where the kernel knows them. */
static double share_of_node(const ent_section_axis *axis, double scaled) {
  double at = ent_section_node(axis->axis, scaled);
  if (axis->form != ENT_SECTION_CELLS && !(isnan(scaled) && axis->axis->options.missing))
    return NAN;
  for (size_t u = 0; u < axis->count; u++)
    if (axis->nodes[u] == at || (isnan(at) && isnan(axis->nodes[u])))
      return axis->shares[u];
  return 0;
}

/* The share by the atoms of one component; NAN if it has none for the value. */
static double share_by(const ent_effect_part *part, size_t place, size_t input, double scaled) {
  const ent_marginal *m = &part->marginals->input[input];
  const ent_axis *axis = part->component->kernel->axes[input];
  if (part->sections != NULL)
    return share_of_node(&part->sections->axes[place], scaled);
  for (size_t p = 0; p < m->level_count; p++) {
    const ent_level *level = &axis->levels[m->levels[p]];
    if (level->info.kind != ENTROPIC_LEVEL_KIND_CATEGORY && level->info.kind != ENTROPIC_LEVEL_KIND_MISSING)
      continue;
    uint32_t number;
    double height;
    level->evaluate(axis, level, &scaled, 1, &number, &height);
    uint32_t atom = height == 0 ? ENT_NO_ATOM : ent_marginal_in_level(m, p, number);
    if (atom != ENT_NO_ATOM)
      return m->means[atom] / height;
  }
  return NAN;
}

double ent_effect_share(const ent_effects *e, size_t place, double scaled) {
  double share = NAN; /* cells of categories are the same in all components */
  for (size_t c = 0; c < e->part_count && isnan(share); c++)
    share = share_by(&e->parts[c], place, e->inputs[place], scaled);
  return share;
}

double ent_effect_typical(const ent_effects *e, size_t place) {
  size_t input = e->inputs[place];
  const ent_scale *scale = &e->model->main.scaler->scales[input];
  if (scale->categories == 0) {
    double from = ent_scale_invert(scale, 0), to = ent_scale_invert(scale, 1);
    if (!ent_scale_knows_ranks(e->model->main.scaler, input))
      return ent_scale_invert(scale, 0.5);
    for (int step = 0; step < 64; step++) { /* ranks ascend */
      double middle = from / 2 + to / 2;
      if (ent_scale_rank(e->model->main.scaler, input, middle) < 0.5)
        from = middle;
      else
        to = middle;
    }
    size_t nearest = 0; /* a value of the training rows */
    for (size_t k = 1; k < scale->knots; k++)
      nearest = fabs(scale->at[k] - to) < fabs(scale->at[nearest] - to) ? k : nearest;
    return scale->at[nearest];
  }
  size_t found = 0;
  double most = 0;
  for (size_t c = 0; c < scale->categories; c++) {
    double share = ent_effect_share(e, place, ent_scale_cell(scale, c));
    if (share > most) {
      most = share;
      found = c;
    }
  }
  return (double)found;
}

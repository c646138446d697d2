/* How exact scaled values must be, so that an export predicts what the model does to ENT_EXPORT_ROUNDING of a score's range.
 *
 * A score is a sum over features, so its slope along one input is at most a sum over the levels of that input: of each
 * level only one atom is not zero, and an atom's part is its slope times the sum of the sizes of what it is multiplied by.
 * Inputs share the error equally. */
#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "export/parts.h"

#define POINTS ((size_t)257)           /* where an atom is looked at */
#define POLL_FACTORS ((size_t)1 << 18) /* about 1 ms */

/* What is known of atoms, by slot. */
typedef struct ent_atom_sizes {
  double *size, *slope; /* the largest values of an atom and of its derivative */
  double *reach;        /* the sum of the sizes of what it is multiplied by, of one score */
} ent_atom_sizes;

/* Looks at a level from one place to another. */
static void look_at(const ent_axis *axis, const ent_level *level, double from, double to, double *size, double *slope) {
  double x[POINTS], values[POINTS];
  uint32_t atoms[POINTS];
  for (size_t i = 0; i < POINTS; i++)
    x[i] = from + (to - from) * ((double)i + 0.5) / POINTS; /* inside: at its ends another atom may begin */
  level->evaluate(axis, level, x, POINTS, atoms, values);
  for (size_t i = 0; i < POINTS; i++) {
    *size = fmax(*size, fabs(values[i]));
    if (i > 0)
      *slope = fmax(*slope, fabs(values[i] - values[i - 1]) / (x[i] - x[i - 1]));
  }
}

static void size_level(const ent_export_parts *parts, size_t place, const ent_export_level *of,
                       const ent_atom_sizes *sizes) {
  const ent_marginal *m = ent_export_marginal(parts, place);
  const ent_axis *axis = ent_export_axis(parts, place);
  size_t first = of->slot - ent_export_first_slot(parts, place);
  const ent_level *level = &axis->levels[m->levels[m->places[first]]];
  for (size_t a = 0; a < of->count; a++) {
    double *size = &sizes->size[of->slot + a], *slope = &sizes->slope[of->slot + a];
    double width = of->depth > 0 ? ldexp(1, 1 - of->depth) : 1, from = (double)m->atoms[first + a] * width;
    if (of->shape == ENT_EXPORT_CATEGORY || of->shape == ENT_EXPORT_MISSING)
      *size = fabs(level->scale);
    else
      look_at(axis, level, of->depth > 0 ? from : 0, of->depth > 0 ? from + width : 1, size, slope);
  }
}

/* The sums of sizes that atoms are multiplied by, of one score. */
static entropic_status reach_score(entropic_context *context, const ent_export_parts *parts, size_t score,
                                   const ent_atom_sizes *sizes) {
  const ent_effects *e = parts->effects;
  size_t features = parts->effects->features;
  for (size_t s = 0; s < parts->slots; s++)
    sizes->reach[s] = 0;
  for (size_t f = 0, work = 0; f < features; f++) {
    work += 1 + e->starts[f + 1] - e->starts[f];
    if (work >= POLL_FACTORS) {
      work = 0;
      entropic_status status = ent_poll(context);
      if (status != ENTROPIC_OK)
        return status;
    }
    double product = fabs(parts->effects->weights[score * features + f]);
    for (size_t i = e->starts[f]; i < e->starts[f + 1]; i++)
      product *= sizes->size[ent_export_slot(parts, e->factors[i])];
    for (size_t i = e->starts[f]; i < e->starts[f + 1] && product > 0; i++) {
      size_t slot = ent_export_slot(parts, e->factors[i]);
      sizes->reach[slot] += product / sizes->size[slot];
    }
  }
  return ENTROPIC_OK;
}

/* The slope of a score along an input, at most. */
static double slope_along(const ent_export_parts *parts, size_t place, const ent_atom_sizes *sizes) {
  double sum = 0;
  for (size_t l = parts->level_starts[place]; l < parts->level_starts[place + 1]; l++) {
    const ent_export_level *level = &parts->levels[l];
    double most = 0;
    for (size_t s = level->slot; s < level->slot + level->count; s++)
      most = fmax(most, sizes->reach[s] * sizes->slope[s]);
    sum += most;
  }
  return sum;
}

/* What errors of a score are relative to: how far test rows are from its offset. A score of classes becomes
 * probabilities, whose slope the link knows. */
static double range_of_score(const ent_export_parts *parts, size_t score) {
  const entropic_model *model = parts->model;
  const ent_link_family *link = ent_link_of(&model->link);
  double range = 0;
  for (size_t r = 0; r < parts->check.rows; r++)
    range = fmax(range, fabs(parts->check.scores[r * model->scores + score] - model->offsets[score]));
  return link->steepest == NULL ? range : fmin(range, 1 / link->steepest(&model->link));
}

entropic_status ent_export_tolerances(entropic_context *context, const ent_export_parts *parts, double *tolerances) {
  size_t numbers = 0;
  ent_atom_sizes sizes = {.size = ent_new_matrix(context, parts->slots, 3, sizeof *sizes.size)};
  if (sizes.size == NULL)
    return ENTROPIC_NO_MEMORY;
  sizes.slope = sizes.size + parts->slots;
  sizes.reach = sizes.slope + parts->slots;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < parts->scaled; i++) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    for (size_t l = parts->level_starts[i]; l < parts->level_starts[i + 1]; l++)
      size_level(parts, i, &parts->levels[l], &sizes);
    numbers += ent_export_scale(parts, i)->knots > 0;
    tolerances[i] = ENT_EXPORT_MOST_ROUNDING;
  }
  for (size_t k = 0; k < parts->model->scores; k++) {
    double share = ENT_EXPORT_ROUNDING * range_of_score(parts, k) / (double)numbers;
    status = reach_score(context, parts, k, &sizes);
    if (status != ENTROPIC_OK)
      goto done;
    for (size_t i = 0; i < parts->scaled; i++) {
      double slope = slope_along(parts, i, &sizes);
      tolerances[i] = ent_export_sections(parts, i) == NULL ? tolerances[i] : 0;
      if (slope > 0 || isnan(slope))
        tolerances[i] = share / slope < tolerances[i] ? share / slope : isnan(share / slope) ? 0 : tolerances[i];
    }
  }
done:
  ent_delete(sizes.size);
  return status;
}

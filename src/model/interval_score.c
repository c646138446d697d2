/* Coverage and width of intervals: see interval_score.h. */
#include "model/interval_score.h"

#include <math.h>

bool ent_interval_has_class(const double *probabilities, size_t classes, double q, size_t class) {
  size_t best = 0;
  if (1 - probabilities[class] <= q)
    return true;
  for (size_t c = 1; c < classes; c++)
    best = probabilities[c] > probabilities[best] ? c : best;
  return best == class;
}

static void add_width(ent_interval_score_sums *sums, double weight, double width) {
  if (sums->width_unit == 0 && width > 0x1p700) {
    sums->width_unit = 256;
    sums->width = ldexp(sums->width, -sums->width_unit);
  }
  sums->width += weight * ldexp(width, -sums->width_unit);
}

/* Adds a target of some rows, from `first` on. */
static void add_target(const entropic_model *model, const ent_scored_rows *rows, size_t target, size_t first,
                       ent_interval_score_sums *sums) {
  size_t targets = model->schema.targets, inputs = model->schema.inputs, left = rows->count - first;
  double q = ent_quantile_at(model->intervals->target[target].quantiles, sums->level), open[ENT_INTERVAL_BLOCK];
  ent_ends ends[ENT_INTERVAL_BLOCK];
  ent_interval_rows own = {.x = rows->x + first * inputs, .stride = inputs};
  own.count = left < ENT_INTERVAL_BLOCK ? left : ENT_INTERVAL_BLOCK;
  for (size_t r = 0; r < own.count; r++)
    open[r] = rows->predicted[(first + r) * targets + target];
  ent_interval_fill(model, target, q, &own, open, ends, NULL);
  for (size_t r = 0; r < own.count; r++) {
    double y = rows->y[(first + r) * targets + target], weight = rows->weights[first + r];
    sums->weight += weight;
    sums->covered += y >= ends[r].lower && y <= ends[r].upper ? weight : 0;
    add_width(sums, weight, ends[r].upper - ends[r].lower);
  }
}

static void add_numbers(const entropic_model *model, const ent_scored_rows *rows, ent_interval_score_sums *sums) {
  for (size_t t = 0; t < model->schema.targets; t++)
    for (size_t first = 0; first < rows->count; first += ENT_INTERVAL_BLOCK)
      add_target(model, rows, t, first, sums);
}

static void add_classes(const entropic_model *model, const ent_scored_rows *rows, ent_interval_score_sums *sums) {
  size_t classes = model->schema.classes;
  double q = ent_quantile_at(model->intervals->target[0].quantiles, sums->level);
  for (size_t r = 0; r < rows->count; r++) {
    const double *probabilities = rows->predicted + r * classes;
    double size = 0;
    for (size_t c = 0; c < classes; c++)
      size += ent_interval_has_class(probabilities, classes, q, c);
    sums->weight += rows->weights[r];
    sums->covered += ent_interval_has_class(probabilities, classes, q, (size_t)rows->y[r]) ? rows->weights[r] : 0;
    sums->width += rows->weights[r] * size;
  }
}

void ent_interval_score_add(const entropic_model *model, const ent_scored_rows *rows, ent_interval_score_sums *sums) {
  if (sums->level == 0)
    return;
  if (ent_schema_has_classes(&model->schema))
    add_classes(model, rows, sums);
  else
    add_numbers(model, rows, sums);
}

void ent_interval_score_finish(const ent_interval_score_sums *sums, ent_score_figures *scores) {
  scores->level = sums->level;
  scores->coverage = sums->covered / sums->weight;
  scores->width = ldexp(sums->width / sums->weight, sums->width_unit);
}

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

static void add_numbers(const entropic_model *model, const ent_scored_rows *rows, ent_interval_score_sums *sums) {
  size_t targets = model->schema.targets, inputs = model->schema.inputs;
  for (size_t t = 0; t < targets; t++) {
    double q = ent_quantile_at(model->intervals->target[t].quantiles, sums->level);
    for (size_t r = 0; r < rows->count; r++) {
      double y = rows->y[r * targets + t];
      ent_ends ends = ent_interval_ends(model, t, q, rows->x + r * inputs, rows->predicted[r * targets + t]);
      sums->weight += rows->weights[r];
      sums->covered += y >= ends.lower && y <= ends.upper ? rows->weights[r] : 0;
      add_width(sums, rows->weights[r], ends.upper - ends.lower);
    }
  }
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

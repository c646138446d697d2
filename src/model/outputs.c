/* What is made of the scores of rows: see outputs.h. */
#include "model/outputs.h"

#include <math.h>
#include <string.h>

#include "model/interval_score.h"
#include "model/intervals.h"

size_t ent_model_decide(const entropic_model *model, const double *scores) {
  return ent_link_of(&model->link)->decide(model->schema.classes, scores);
}

void ent_model_chances(const entropic_model *model, const double *scores, double *probabilities) {
  ent_link_probabilities(&model->link, model->schema.classes, scores, probabilities);
}

size_t ent_model_clamp(const entropic_model *model, double *predictions, size_t rows) {
  size_t targets = model->schema.targets, cut = 0;
  for (size_t i = 0; model->bounds != NULL && i < rows * targets; i++) {
    const double *bound = model->bounds + 2 * (i % targets);
    bool below = predictions[i]<bound[0], above = predictions[i]> bound[1];
    predictions[i] = below ? bound[0] : above ? bound[1] : predictions[i];
    cut += below || above;
  }
  return cut;
}

/* Whether a number lies beyond those of the training rows; unscaled, beyond [0,1]. */
static bool is_outside(const ent_scale *scale, double value) {
  return scale->knots == 0 ? value < 0 || value > 1 : value < scale->at[0] || value > scale->at[scale->knots - 1];
}

/* Whether no input before this one comes from the same column, of those in use: a value that is missing counts once. */
static bool is_first_of_column(const ent_schema *schema, size_t input) {
  for (size_t whole = ent_schema_date_of(schema, input); input > whole; input--)
    if (!schema->input[input - 1].unused)
      return false;
  return true;
}

void ent_model_count_data_warnings(const entropic_model *model, const double *x, size_t rows, size_t stride,
                                   entropic_data_warnings *warnings) {
  const ent_schema *schema = &model->schema;
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < schema->inputs; i++) {
      double value = x[row * stride + i];
      if (schema->input[i].unused)
        continue;
      if (isnan(value))
        warnings->missing += is_first_of_column(schema, i);
      else if (schema->input[i].categories > 0)
        warnings->unseen += !(value >= 0 && value < (double)schema->input[i].categories);
      else if (is_outside(&model->main.scaler->scales[i], value)) {
        warnings->outside++;
        warnings->continued += model->main.scaler->scales[i].beyond;
      }
    }
}

void ent_data_warnings_add(const entropic_data_warnings *from, entropic_data_warnings *to) {
  to->outside += from->outside;
  to->unseen += from->unseen;
  to->missing += from->missing;
  to->clamped += from->clamped;
  to->continued += from->continued;
}

/* ---- What is asked for ---- */

/* BAD_ARGUMENT if the model is not of that task. */
static entropic_status check_task(entropic_context *context, const entropic_model *model, bool classes) {
  if (classes == (ent_schema_has_classes(&model->schema)))
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                  classes ? "the model predicts numbers: it has intervals, not sets of classes"
                          : "the model predicts classes: it has sets of classes, not intervals");
}

entropic_status ent_outputs_check(entropic_context *context, const entropic_model *model, const ent_outputs *outputs) {
  bool ends = outputs->lower != NULL || outputs->upper != NULL, sets = outputs->class_sets != NULL;
  if (sets && (ends || outputs->deviations != NULL))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "intervals and sets of classes cannot be combined");
  if (outputs->probabilities != NULL && !ent_schema_has_classes(&model->schema))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the model predicts numbers and has no classes");
  if (ends || sets || outputs->deviations != NULL) {
    entropic_status status = check_task(context, model, sets);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (ends || sets)
    return ent_interval_check_level(context, model, outputs->level);
  return outputs->deviations != NULL ? ent_interval_check(context, model) : ENTROPIC_OK;
}

bool ent_outputs_need_scores(const ent_outputs *outputs) {
  return outputs->scores != NULL || outputs->predictions != NULL || outputs->probabilities != NULL ||
         outputs->lower != NULL || outputs->upper != NULL || outputs->class_sets != NULL || outputs->deviations != NULL;
}

size_t ent_outputs_room(const entropic_model *model) {
  return ent_schema_has_classes(&model->schema) ? model->schema.classes : model->scores;
}

/* ---- One block ---- */

static void fill_classes(const entropic_model *model, const ent_outputs *out, const ent_lift_rows *of,
                         const double *scores, double *room) {
  size_t classes = model->schema.classes;
  bool sets = out->class_sets != NULL;
  double q = sets ? ent_quantile_at(model->intervals->target[0].quantiles, out->level) : 0;
  for (size_t r = 0; r < of->count; r++) {
    size_t row = of->first + r;
    const double *own = scores + r * model->scores;
    double *p = out->probabilities != NULL ? out->probabilities + row * classes : room;
    if (out->predictions != NULL)
      out->predictions[row] = (double)ent_model_decide(model, own);
    if (sets || out->probabilities != NULL)
      ent_model_chances(model, own, p);
    for (size_t c = 0; c < classes && sets; c++)
      out->class_sets[row * classes + c] = ent_interval_has_class(p, classes, q, c);
  }
}

/* Ends and deviations of one target, of predictions before they are clamped: of rows from `first` on of those. */
static void fill_target(const entropic_model *model, const ent_outputs *out, const ent_lift_rows *of, size_t target,
                        size_t first, const double *open) {
  size_t targets = model->scores, left = of->count - first;
  double own[ENT_INTERVAL_BLOCK], deviations[ENT_INTERVAL_BLOCK];
  ent_ends ends[ENT_INTERVAL_BLOCK];
  ent_interval_rows rows = {.x = of->x + first * of->stride, .stride = of->stride};
  rows.count = left < ENT_INTERVAL_BLOCK ? left : ENT_INTERVAL_BLOCK;
  bool wanted = out->lower != NULL || out->upper != NULL;
  double q = wanted ? ent_quantile_at(model->intervals->target[target].quantiles, out->level) : 0;
  for (size_t r = 0; r < rows.count; r++)
    own[r] = open[(first + r) * targets + target];
  ent_interval_fill(model, target, q, &rows, own, wanted ? ends : NULL, out->deviations == NULL ? NULL : deviations);
  for (size_t r = 0; r < rows.count; r++) {
    size_t at = (of->first + first + r) * targets + target;
    if (out->lower != NULL)
      out->lower[at] = ends[r].lower;
    if (out->upper != NULL)
      out->upper[at] = ends[r].upper;
    if (out->deviations != NULL)
      out->deviations[at] = deviations[r];
  }
}

static void fill_numbers(const entropic_model *model, const ent_outputs *out, const ent_lift_rows *of,
                         const double *scores, double *room, entropic_data_warnings *warnings) {
  size_t count = of->count * model->scores;
  bool intervals = out->lower != NULL || out->upper != NULL || out->deviations != NULL;
  if (!intervals && out->predictions == NULL)
    return;
  double *open = intervals ? room : out->predictions + of->first * model->scores;
  memcpy(open, scores, count * sizeof *open);
  ent_link_predict(&model->link, count, open);
  for (size_t t = 0; t < model->scores && intervals; t++)
    for (size_t first = 0; first < of->count; first += ENT_INTERVAL_BLOCK)
      fill_target(model, out, of, t, first, open);
  if (out->predictions == NULL)
    return;
  double *predictions = out->predictions + of->first * model->scores;
  if (intervals)
    memcpy(predictions, open, count * sizeof *open);
  if (!out->open)
    warnings->clamped += ent_model_clamp(model, predictions, of->count);
}

void ent_outputs_fill(const entropic_model *model, const ent_outputs *outputs, const ent_lift_rows *rows,
                      const double *scores, double *room, entropic_data_warnings *warnings) {
  if (outputs->warnings != NULL)
    ent_model_count_data_warnings(model, rows->x, rows->count, rows->stride, warnings);
  if (outputs->scores != NULL)
    memcpy(outputs->scores + rows->first * model->scores, scores, rows->count * model->scores * sizeof *scores);
  if (ent_schema_has_classes(&model->schema))
    fill_classes(model, outputs, rows, scores, room);
  else
    fill_numbers(model, outputs, rows, scores, room, warnings);
}

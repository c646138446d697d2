/* The public calls about intervals but the score. */
#include <string.h>

#include "base/memory.h"
#include "entropic/interval.h"
#include "lift/lift.h"
#include "model/interval_score.h"
#include "model/intervals.h"

size_t entropic_model_interval_rows(const entropic_model *model) {
  return model == NULL || model->intervals == NULL ? 0 : model->intervals->rows;
}

/* BAD_ARGUMENT if the model is not of that task. */
static entropic_status check_task(entropic_context *context, const entropic_model *model, bool classes) {
  if (classes == (model->schema.classes > 0))
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                  classes ? "the model predicts numbers: it has intervals, no sets of classes"
                          : "the model predicts classes: it has sets of classes, no intervals");
}

/* Open predictions of a model of numbers that has intervals, of that level if one is given; to be deleted. */
static entropic_status predict_open(entropic_context *context, const entropic_model *model, const double *level,
                                    const ent_lift_rows *of, double **predictions) {
  entropic_status status = check_task(context, model, false);
  if (status != ENTROPIC_OK)
    return status;
  status = level != NULL ? ent_interval_check_level(context, model, *level) : ent_interval_check(context, model);
  if (status != ENTROPIC_OK)
    return status;
  double *made = ent_new_matrix(context, of->count, model->schema.targets, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  status = entropic_model_predict_open(context, model, of->x, of->count, of->stride, made);
  if (status != ENTROPIC_OK) {
    ent_delete(made);
    return status;
  }
  *predictions = made;
  return ENTROPIC_OK;
}

entropic_status entropic_model_intervals(entropic_context *context, const entropic_model *model, double level,
                                         const double *x, size_t rows, size_t stride, double *lower, double *upper) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  ENT_NEED(context, lower);
  ENT_NEED(context, upper);
  double *open = NULL;
  size_t targets = model->schema.targets;
  const ent_lift_rows of = {.x = x, .count = rows, .stride = stride};
  entropic_status status = predict_open(context, model, &level, &of, &open);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t t = 0; t < targets; t++) {
    double q = ent_quantile_at(model->intervals->target[t].quantiles, level);
    for (size_t r = 0; r < rows; r++) {
      ent_ends ends = ent_interval_ends(model, t, q, x + r * stride, open[r * targets + t]);
      lower[r * targets + t] = ends.lower;
      upper[r * targets + t] = ends.upper;
    }
  }
  ent_delete(open);
  return ENTROPIC_OK;
}

entropic_status entropic_model_deviations(entropic_context *context, const entropic_model *model, const double *x,
                                          size_t rows, size_t stride, double *deviations) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  ENT_NEED(context, deviations);
  double *open = NULL;
  size_t targets = model->schema.targets;
  const ent_lift_rows of = {.x = x, .count = rows, .stride = stride};
  entropic_status status = predict_open(context, model, NULL, &of, &open);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = 0; r < rows; r++)
    for (size_t t = 0; t < targets; t++)
      deviations[r * targets + t] = ent_interval_deviation(model, t, x + r * stride, open[r * targets + t]);
  ent_delete(open);
  return ENTROPIC_OK;
}

entropic_status entropic_model_class_sets(entropic_context *context, const entropic_model *model, double level,
                                          const double *x, size_t rows, size_t stride, unsigned char *sets) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  ENT_NEED(context, sets);
  size_t classes = model->schema.classes;
  double *probabilities = NULL;
  entropic_status status = check_task(context, model, true);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_interval_check_level(context, model, level);
  if (status != ENTROPIC_OK)
    return status;
  probabilities = ent_new_matrix(context, rows, classes, sizeof *probabilities);
  if (probabilities == NULL)
    return ENTROPIC_NO_MEMORY;
  status = entropic_model_probabilities(context, model, x, rows, stride, probabilities);
  if (status != ENTROPIC_OK)
    goto done;
  double q = ent_quantile_at(model->intervals->target[0].quantiles, level);
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < classes; c++)
      sets[r * classes + c] = ent_interval_has_class(probabilities + r * classes, classes, q, c);
done:
  ent_delete(probabilities);
  return status;
}

/* Everything about rows in one call. It stands here because effects are made of the same scaled rows as predictions. */
#include "entropic/predict.h"

#include <stddef.h>

#include "base/sized.h"
#include "explain/explanation.h"
#include "model/outputs.h"

/* What structs of the first version have. */
#define OUTPUTS_LEAST (offsetof(entropic_outputs, warnings_size) + sizeof(size_t))
#define WARNINGS_LEAST (offsetof(entropic_data_warnings, clamped) + sizeof(size_t))

entropic_status entropic_outputs_init(entropic_outputs *outputs, size_t size) {
  const entropic_outputs none = {.size = size};
  return outputs == NULL ? ENTROPIC_BAD_ARGUMENT : ent_sized_give(NULL, outputs, size, &none, sizeof none);
}

static entropic_status start_effects(entropic_context *context, void *self, size_t workers) {
  return ent_effect_rows_start(context, self, workers);
}

static entropic_status add_effects(entropic_context *context, void *self, const ent_lift_rows *rows, int worker) {
  return ent_effect_rows_add(context, self, rows, worker);
}

static entropic_status check_explanation(entropic_context *context, const entropic_model *model,
                                         const entropic_outputs *outputs) {
  if (outputs->effects == NULL)
    return ENTROPIC_OK;
  if (outputs->explanation == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "outputs: effects need an explanation of the model");
  return outputs->explanation->model == model
             ? ENTROPIC_OK
             : ent_fail(context, ENTROPIC_BAD_ARGUMENT, "outputs: the explanation is of another model");
}

/* All but what is asked of an explanation. */
static ent_outputs outputs_of_model(const entropic_outputs *wanted) {
  return (ent_outputs){.scores = wanted->scores,
                       .predictions = wanted->predictions,
                       .probabilities = wanted->probabilities,
                       .level = wanted->level,
                       .lower = wanted->lower,
                       .upper = wanted->upper,
                       .class_sets = wanted->class_sets,
                       .deviations = wanted->deviations};
}

entropic_status entropic_predict(entropic_context *context, const entropic_model *model, const double *x, size_t rows,
                                 size_t stride, const entropic_outputs *outputs) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  ENT_NEED(context, outputs);
  entropic_outputs wanted;
  entropic_data_warnings warnings = {0};
  entropic_status status = ent_sized_take(context, &wanted, sizeof wanted, OUTPUTS_LEAST, outputs, outputs->size);
  if (status != ENTROPIC_OK)
    return status;
  status = check_explanation(context, model, &wanted);
  if (status != ENTROPIC_OK)
    return status;
  if (wanted.warnings != NULL) {
    status = ent_sized_take(context, &warnings, sizeof warnings, WARNINGS_LEAST, wanted.warnings, wanted.warnings_size);
    if (status != ENTROPIC_OK)
      return status;
  }
  const ent_lift_rows own = {.x = x, .count = rows, .stride = stride};
  ent_effect_rows effects = {.out = wanted.effects};
  const ent_rows_work more = {start_effects, add_effects, &effects};
  ent_outputs out = outputs_of_model(&wanted);
  out.warnings = wanted.warnings == NULL ? NULL : &warnings;
  if (wanted.effects != NULL) {
    effects.effects = wanted.explanation->effects;
    out.more = &more;
  }
  status = ent_model_outputs(context, model, &own, &out);
  ent_effect_rows_end(&effects);
  if (status != ENTROPIC_OK || wanted.warnings == NULL)
    return status;
  return ent_sized_give(context, wanted.warnings, wanted.warnings_size, &warnings, sizeof warnings);
}

/* The calls of the interface about explanations. */
#include <stdint.h>

#include "axis/scaler.h"
#include "base/memory.h"
#include "base/progress.h"
#include "explain/explanation.h"
#include "model/joint.h"

void entropic_explanation_free(entropic_explanation *explanation) {
  if (explanation == NULL)
    return;
  ent_effect_dependence_free(explanation->dependence);
  ent_effect_shares_free(explanation->shares);
  ent_effects_free(explanation->effects);
  ent_marginals_free(explanation->own);
  ent_row_sample_clear(&explanation->sample);
  ent_delete(explanation);
}

static entropic_status scale_sample(entropic_context *context, const entropic_model *model, ent_row_sample *sample) {
  sample->width = ent_model_width(model);
  sample->scaled = ent_new_matrix(context, sample->count, sample->width, sizeof *sample->scaled);
  if (sample->scaled == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_model_scale(model, sample->x, sample->count, sample->inputs, sample->scaled);
  return ENTROPIC_OK;
}

/* Whether all of the model is made of features. */
static bool has_features(const entropic_model *model) {
  bool all = true;
  for (size_t c = 0; c < ent_model_components(model); c++)
    all = all && ent_model_component(model, c)->design != NULL;
  return all;
}

static entropic_status explain(entropic_context *context, void *arguments) {
  entropic_explanation *made = arguments;
  const entropic_model *model = made->model;
  ent_row_sample *sample = &made->sample;
  entropic_status status = sample->count == 0 ? ENTROPIC_OK : scale_sample(context, model, sample);
  if (status != ENTROPIC_OK)
    return status;
  if (model->marginals == NULL && sample->count > 0 && has_features(model)) {
    status = ent_model_marginals(context, model, sample->scaled, sample->count, &made->own);
    if (status != ENTROPIC_OK)
      return status;
  }
  const ent_marginals *marginals = made->own != NULL ? made->own : model->marginals;
  if (marginals == NULL && has_features(model))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "the model keeps no marginals of its training rows; rows to explain it by are required");
  status = ent_effects_create(context, model, marginals, &made->effects);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_effect_shares_create(context, made->effects, &made->shares);
  if (status != ENTROPIC_OK || sample->count == 0)
    return status;
  return ent_effect_dependence_create(context, made->shares, sample->scaled, sample->count, sample->width,
                                      &made->dependence);
}

entropic_status entropic_explain(entropic_context *context, const entropic_model *model, entropic_row_reader *rows,
                                 entropic_explanation **explanation) {
  ENT_NEED(context, model);
  ENT_NEED(context, explanation);
  entropic_explanation *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->model = model;
  entropic_status status = rows == NULL ? ENTROPIC_OK : ent_row_sample_read(context, model, rows, &made->sample);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_call_run(context, "explaining", explain, made);
  if (status != ENTROPIC_OK)
    goto done;
  *explanation = made;
  made = NULL;
done:
  entropic_explanation_free(made);
  return status;
}

size_t entropic_explanation_inputs(const entropic_explanation *explanation) {
  return explanation == NULL ? 0 : explanation->effects->used;
}

size_t entropic_explanation_input(const entropic_explanation *explanation, size_t index) {
  bool there = explanation != NULL && index < explanation->effects->used;
  return there ? explanation->effects->inputs[index] : SIZE_MAX;
}

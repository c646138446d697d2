/* The calls of the interface about explanations. */
#include <stdatomic.h>
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

/* What another thread has made meanwhile stays. That they are there is no part of an explanation's value. */
entropic_status ent_explanation_complete(entropic_context *context, const entropic_explanation *explanation) {
  entropic_explanation *x = (entropic_explanation *)explanation;
  const ent_row_sample *sample = &x->sample;
  ent_effect_shares *shares = NULL, *no_shares = NULL;
  ent_effect_dependence *dependence = NULL, *no_dependence = NULL;
  entropic_status status = x->shares != NULL ? ENTROPIC_OK : ent_effect_shares_create(context, x->effects, &shares);
  if (status != ENTROPIC_OK)
    return status;
  if (shares != NULL && !atomic_compare_exchange_strong(&x->shares, &no_shares, shares))
    ent_effect_shares_free(shares);
  if (sample->count == 0 || x->dependence != NULL)
    return ENTROPIC_OK;
  status = ent_effect_dependence_create(context, x->shares, sample->scaled, sample->count, sample->width, &dependence);
  if (status == ENTROPIC_OK && !atomic_compare_exchange_strong(&x->dependence, &no_dependence, dependence))
    ent_effect_dependence_free(dependence);
  return status;
}

static entropic_status explain(entropic_context *context, void *arguments) {
  entropic_explanation *made = arguments;
  const entropic_model *model = made->model;
  ent_row_sample *sample = &made->sample;
  entropic_status status = sample->count == 0 ? ENTROPIC_OK : scale_sample(context, model, sample);
  if (status != ENTROPIC_OK)
    return status;
  bool centres = ent_model_centres(model) > 0; /* which say what no others do */
  if (model->marginals == NULL && sample->count > 0 && !centres) {
    status = ent_model_marginals(context, model, sample->scaled, sample->count, &made->own);
    if (status != ENTROPIC_OK)
      return status;
  }
  const ent_marginals *marginals = made->own != NULL ? made->own : model->marginals;
  if (marginals == NULL && !centres)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "the model keeps no marginals of its training rows; rows to explain it by are required");
  status = ent_effects_create(context, model, marginals, &made->effects);
  return status != ENTROPIC_OK || centres ? status : ent_explanation_complete(context, made);
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

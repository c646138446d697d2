/* The simple forms of a model, trained and scored: see outer_forms.h.
 *
 * The linear form is ridge in the inputs' own units, which is the reference, too. Where the scaling is open, it may also be
 * linear in ranks and units together: validation inside the training rows chooses. */
#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "fit/linear.h"
#include "fit/outer_beyond.h"
#include "fit/outer_forms.h"

/* Of the loss of the model in own units: with less the other one is taken. Numbers are mostly linear in their own units if
 * they are linear at all, and a few rows would often say otherwise; classes are not. */
#define CLEARLY_OF_NUMBERS 0.95
#define CLEARLY_OF_CLASSES 0.99

/* The linear models: the first one is the reference. */
typedef struct ent_linear_models {
  ent_linear_kind kinds[2];
  ent_fitted fitted[2];
  size_t count, best;
} ent_linear_models;

static void models_clear(ent_linear_models *models) {
  for (size_t i = 0; i < models->count; i++)
    ent_fitted_clear(&models->fitted[i]);
}

static entropic_status train_linear(entropic_context *context, const ent_fit *fit, ent_linear_kind kind,
                                    ent_fitted *fitted) {
  ent_linear_fit linear;
  bool possible;
  entropic_status status = ent_linear_start(context, fit, kind, &linear, &possible);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_fit_run(context, &linear.fit, &fitted->outcome, &fitted->class_validation, &fitted->loss);
done:
  ent_linear_clear(&linear);
  return status;
}

/* The loss on validation rows of its own; infinite if there are none. */
static double inner_loss(const ent_fit *fit, const ent_fitted *fitted) {
  double loss = 0;
  if (ent_schema_has_classes(&fit->train->schema))
    return fitted->class_validation.rows > 0 ? fitted->class_validation.loss : INFINITY;
  for (size_t k = 0; k < fit->scores && fitted->outcome.errors != NULL; k++)
    loss += fitted->outcome.errors[k] / fit->scale[k];
  return fitted->outcome.errors == NULL ? INFINITY : loss;
}

/* Trains both models and chooses the form. With a scaling that was asked for the form has that one. */
static entropic_status train_models(entropic_context *context, const ent_fit *fit, ent_linear_models *models) {
  bool open = fit->view_count > 1, asked = !open && fit->plain != 0;
  *models = (ent_linear_models){.kinds = {{fit->plain, true}, {open ? 1 : 0, !open}}};
  for (size_t wanted = open || asked ? 2 : 1; models->count < wanted; models->count++) {
    entropic_status status = train_linear(context, fit, models->kinds[models->count], &models->fitted[models->count]);
    if (status == ENTROPIC_OK)
      continue;
    ent_fitted_clear(&models->fitted[models->count]);
    if (models->count == 0 || asked || status != ENTROPIC_BAD_DATA)
      return status;
    return ENTROPIC_OK; /* the rows are not fit for the second one */
  }
  double clearly = ent_schema_has_classes(&fit->train->schema) ? CLEARLY_OF_CLASSES : CLEARLY_OF_NUMBERS;
  if (models->count > 1)
    models->best = asked || inner_loss(fit, &models->fitted[1]) < clearly * inner_loss(fit, &models->fitted[0]) ? 1 : 0;
  return ENTROPIC_OK;
}

/* A form that could not be trained has the losses of the constant. */
static void copy_constant(ent_outer *outer, size_t scores, ent_form to, size_t count) {
  const ent_form from = ENT_FORM_CONSTANT;
  size_t targets = outer->targets, first = outer->rows;
  memcpy(outer->losses[to] + first, outer->losses[from] + first, count * sizeof(double));
  memcpy(outer->errors[to] + first * targets, outer->errors[from] + first * targets, count * targets * sizeof(double));
  memcpy(outer->predictions[to] + first * targets, outer->predictions[from] + first * targets,
         count * targets * sizeof(double));
  if (outer->scores[to] != NULL)
    memcpy(outer->scores[to] + first * scores, outer->scores[from] + first * scores, count * scores * sizeof(double));
  for (size_t kind = 0; kind < ENT_BEYOND_KINDS; kind++)
    ent_beyond_drop(&outer->beyond[to][kind], outer->rows);
}

/* The mean, or the frequencies of classes. */
static entropic_status fit_constant(entropic_context *context, const ent_fit *fit, ent_fitted *fitted) {
  fitted->outcome = (ent_fit_outcome){.report.members = 1};
  fitted->class_validation = (ent_class_validation){.inverse_temperature = 1};
  fitted->loss = ent_schema_has_classes(&fit->train->schema) ? ent_loss_first(ENT_LOSS_CLASSES | ENT_LOSS_PROBABILITIES)
                                                             : ent_fit_loss(fit);
  entropic_status status = ent_fit_constant(context, fit, &fitted->outcome);
  return status != ENTROPIC_OK ? status : ent_fit_own_loss(context, fit, &fitted->outcome);
}

/* Scores one of the models as a form. */
static entropic_status score_model(entropic_context *context, const ent_fit *fit, ent_linear_models *models,
                                   size_t model, ent_form form, const ent_outer_rows *rows, ent_outer *outer) {
  ent_fit own = *fit;
  own.residual = false;
  ent_fit_use(&own, models->kinds[model].view);
  models->fitted[model].form = form;
  return ent_outer_score(context, &own, &models->fitted[model], rows, outer);
}

/* The linear form and the reference. */
static entropic_status score_linear(entropic_context *context, const ent_fit *fit, const ent_outer_rows *rows,
                                    ent_outer *outer) {
  ent_linear_models models;
  entropic_status status = train_models(context, fit, &models);
  if (status != ENTROPIC_OK)
    goto done;
  status = score_model(context, fit, &models, 0, ENT_FORM_REFERENCE, rows, outer);
  if (status != ENTROPIC_OK)
    goto done;
  status = score_model(context, fit, &models, models.best, ENT_FORM_LINEAR, rows, outer);
done:
  models_clear(&models);
  if (status != ENTROPIC_BAD_DATA)
    return status;
  copy_constant(outer, fit->scores, ENT_FORM_LINEAR, rows->count); /* the rows are not fit for it */
  copy_constant(outer, fit->scores, ENT_FORM_REFERENCE, rows->count);
  return ENTROPIC_OK;
}

entropic_status ent_outer_score_simple(entropic_context *context, const ent_fit *fit, const ent_outer_rows *rows,
                                       ent_outer *outer) {
  ent_fitted constant = {.form = ENT_FORM_CONSTANT};
  ent_linear_fit linear;
  bool possible = false;
  ent_progress former = ent_progress_hold(context);
  entropic_status status = ent_linear_start(context, fit, (ent_linear_kind){fit->plain, true}, &linear, &possible);
  if (status != ENTROPIC_OK)
    goto done;
  status = fit_constant(context, &linear.fit, &constant);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_score(context, &linear.fit, &constant, rows, outer);
  if (status != ENTROPIC_OK)
    goto done;
  outer->linear = outer->linear && possible;
  if (possible)
    status = score_linear(context, fit, rows, outer);
done:
  ent_progress_leave(context, former);
  ent_fitted_clear(&constant);
  ent_linear_clear(&linear);
  return status;
}

/* The better linear model moves into *fitted. */
static entropic_status fit_linear(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  ent_linear_models models;
  entropic_status status = train_models(context, fit, &models);
  if (status != ENTROPIC_OK)
    goto done;
  ent_fitted *best = &models.fitted[models.best];
  fitted->outcome = best->outcome;
  fitted->class_validation = best->class_validation;
  fitted->loss = best->loss;
  best->outcome = (ent_fit_outcome){0};
  ent_fit_use(fit, models.kinds[models.best].view);
done:
  models_clear(&models);
  return status;
}

entropic_status ent_outer_fit_simple(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  ent_progress former = ent_progress_hold(context);
  ent_fit_outcome_clear(&fitted->outcome);
  entropic_status status;
  if (fitted->form == ENT_FORM_LINEAR) {
    status = fit_linear(context, fit, fitted);
  } else {
    status = fit_constant(context, fit, fitted);
    ent_fit_use(fit, fit->view_count > 1 ? fit->plain : 0);
  }
  ent_progress_leave(context, former);
  return status;
}

/* The forms of a model on outer validation rows: see outer_forms.h. */
#include "model/outer_forms.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "solve/pass.h"

#define HEADROOM 0.5 /* of the range of the targets: predictions go no further beyond it */
/* Standard errors by which a form has to be better than the constant, if the permutation test finds nothing. */
#define SURE 2.5
/* Standard errors by which the full form of small tables has to be better than the linear one. Of larger ones, where it
 * costs little to be wrong, it may be worse by as many. */
#define BETTER 1.0

/* The mean of the scores of all members, or of the one model. */
static entropic_status predict_scores(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                                      const ent_block *rows, double *scores) {
  size_t count = rows->rows * fit->scores;
  if (outcome->members == NULL) {
    ent_learner learner = {.solver = outcome->solver,
                           .map = outcome->kernel == NULL ? &outcome->lifting.map : NULL,
                           .kernel = outcome->kernel};
    return ent_learnt_scores(context, &learner, &outcome->learnt, 0, rows, scores);
  }
  double *own = ent_new(context, count, sizeof *own);
  if (own == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  memset(scores, 0, count * sizeof *scores);
  for (size_t m = 0; m < outcome->member_count; m++) {
    const ent_member *member = &outcome->members[m];
    status = ent_scores(context, &member->lifting.map, rows,
                        &(ent_linear){member->weights, member->offsets, member->scores}, own);
    if (status != ENTROPIC_OK)
      goto done;
    for (size_t i = 0; i < count; i++)
      scores[i] += own[i] / (double)outcome->member_count;
  }
done:
  ent_delete(own);
  return status;
}

/* Keeps predictions of numbers within what the training targets support. */
static void clamp_predictions(const ent_fit *fit, size_t rows, double *predictions) {
  for (size_t k = 0; k < fit->scores; k++) {
    double least = INFINITY, most = -INFINITY;
    for (size_t r = 0; r < fit->train->rows; r++)
      if (ent_takes_part(&fit->trials, r)) {
        least = fmin(least, fit->y[r * fit->scores + k]);
        most = fmax(most, fit->y[r * fit->scores + k]);
      }
    double room = HEADROOM * (most - least);
    for (size_t r = 0; r < rows; r++)
      predictions[r * fit->scores + k] = fmin(fmax(predictions[r * fit->scores + k], least - room), most + room);
  }
}

/* Predictions of the rows: scores of classes, or numbers in the units of fit->y. */
static entropic_status predict(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                               const ent_outer_rows *rows, double *predictions) {
  const entropic_dataset *data = ent_outer_data(fit);
  ent_block all = {.rows = data->rows,
                   .x = data->x,
                   .x_stride = fit->inputs,
                   .columns = data->columns,
                   .scaler = fit->scaler,
                   .missing = fit->trials.train.missing};
  ent_row_subset subset = {.from = {.all = all, .inputs = fit->inputs}, .numbers = rows->numbers, .count = rows->count};
  ent_block block;
  entropic_status status = ent_row_subset_load(context, &subset, &block);
  if (status != ENTROPIC_OK)
    goto done;
  status = predict_scores(context, fit, outcome, &block, predictions);
done:
  ent_row_subset_clear(&subset);
  if (status != ENTROPIC_OK || fit->train->schema.classes > 0)
    return status;
  ent_target_transform_invert(&outcome->transform, rows->count, predictions);
  if (fit->residual)
    clamp_predictions(fit, rows->count, predictions);
  return ENTROPIC_OK;
}

/* Losses and errors of numbers. */
static void add_numbers(const ent_fit *fit, const ent_outer_rows *rows, const double *predictions, ent_form form,
                        ent_outer *outer) {
  const double *y = fit->valid != NULL ? fit->valid_y : fit->y;
  size_t targets = fit->scores;
  for (size_t r = 0; r < rows->count; r++) {
    double loss = 0;
    for (size_t k = 0; k < targets; k++) {
      double off = predictions[r * targets + k] - y[rows->numbers[r] * targets + k];
      outer->errors[form][(outer->rows + r) * targets + k] = off * off;
      outer->predictions[form][(outer->rows + r) * targets + k] = predictions[r * targets + k];
      loss += off * off / fit->scale[k] / (double)targets;
    }
    outer->losses[form][outer->rows + r] = loss;
  }
}

/* Losses and errors of classes. */
static entropic_status add_classes(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                   const ent_outer_rows *rows, double *scores, ent_outer *outer) {
  const double *labels = ent_outer_data(fit)->y;
  size_t classes = fit->train->schema.classes;
  double *probabilities = ent_new(context, classes, sizeof *probabilities);
  if (probabilities == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows->count; r++) {
    double *of = scores + r * fit->scores;
    size_t label = (size_t)labels[rows->numbers[r]];
    outer->errors[fitted->form][outer->rows + r] = ent_class_of(classes, of) != label;
    for (size_t k = 0; k < fit->scores; k++)
      of[k] *= fitted->class_validation.inverse_temperature;
    ent_probabilities(classes, of, probabilities);
    outer->predictions[fitted->form][outer->rows + r] = 1 - probabilities[label];
    outer->losses[fitted->form][outer->rows + r] = -log(fmax(probabilities[label], ENT_LEAST_PROBABILITY));
  }
  ent_delete(probabilities);
  return ENTROPIC_OK;
}

/* Weights and groups of the rows. */
static void add_rows(const ent_fit *fit, const ent_outer_rows *rows, ent_outer *outer) {
  const entropic_dataset *data = ent_outer_data(fit);
  const double *balanced = fit->valid != NULL ? fit->valid_weights : fit->weights;
  const double *weights = balanced != NULL ? balanced : data->weights;
  for (size_t r = 0; r < rows->count; r++) {
    outer->numbers[outer->rows + r] = rows->numbers[r];
    outer->weights[outer->rows + r] = weights == NULL ? 1 : weights[rows->numbers[r]];
    if (data->groups != NULL)
      outer->group_of[outer->rows + r] = (size_t)data->groups[rows->numbers[r]];
    if (data->time != NULL)
      outer->times[outer->rows + r] = data->time[rows->numbers[r]];
  }
}

entropic_status ent_outer_score(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                const ent_outer_rows *rows, ent_outer *outer) {
  double *predictions = ent_new_matrix(context, rows->count, fit->scores, sizeof *predictions);
  if (predictions == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = predict(context, fit, &fitted->outcome, rows, predictions);
  if (status != ENTROPIC_OK)
    goto done;
  if (fit->train->schema.classes > 0)
    status = add_classes(context, fit, fitted, rows, predictions, outer);
  else
    add_numbers(fit, rows, predictions, fitted->form, outer);
  if (status != ENTROPIC_OK)
    goto done;
  add_rows(fit, rows, outer);
done:
  ent_delete(predictions);
  return status;
}

/* A form that could not be trained has the losses of a simpler one. */
static void copy_form(ent_outer *outer, ent_form from, ent_form to, size_t count) {
  memcpy(outer->losses[to] + outer->rows, outer->losses[from] + outer->rows, count * sizeof(double));
  memcpy(outer->errors[to] + outer->rows * outer->targets, outer->errors[from] + outer->rows * outer->targets,
         count * outer->targets * sizeof(double));
  memcpy(outer->predictions[to] + outer->rows * outer->targets, outer->predictions[from] + outer->rows * outer->targets,
         count * outer->targets * sizeof(double));
}

/* The mean, or the frequencies of classes. */
static entropic_status fit_constant(entropic_context *context, const ent_fit *fit, ent_fitted *fitted) {
  fitted->outcome = (ent_fit_outcome){.report.members = 1};
  fitted->class_validation = (ent_class_validation){.inverse_temperature = 1};
  fitted->loss = fit->train->schema.classes > 0 ? ENTROPIC_LOSS_LOGISTIC : ENTROPIC_LOSS_SQUARED;
  return ent_fit_constant(context, fit, &fitted->outcome);
}

/* The linear form. */
static entropic_status score_linear(entropic_context *context, ent_fit *fit, const ent_outer_rows *rows,
                                    ent_outer *outer) {
  ent_fitted linear = {.form = ENT_FORM_LINEAR};
  entropic_status status = ent_fit_run(context, fit, &linear.outcome, &linear.class_validation, &linear.loss);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_score(context, fit, &linear, rows, outer);
done:
  ent_fitted_clear(&linear);
  if (status != ENTROPIC_BAD_DATA)
    return status;
  copy_form(outer, ENT_FORM_NOTHING, ENT_FORM_LINEAR, rows->count); /* the rows are not fit for it */
  return ENTROPIC_OK;
}

entropic_status ent_outer_score_simple(entropic_context *context, const ent_fit *fit, const ent_outer_rows *rows,
                                       ent_outer *outer) {
  ent_fitted constant = {.form = ENT_FORM_NOTHING};
  ent_linear_fit linear;
  bool possible = false;
  ent_progress former = ent_progress_hold(context);
  entropic_status status = ent_linear_start(context, fit, &linear, &possible);
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
    status = score_linear(context, &linear.fit, rows, outer);
done:
  ent_progress_leave(context, former);
  ent_fitted_clear(&constant);
  ent_linear_clear(&linear);
  return status;
}

entropic_status ent_outer_fit_simple(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  ent_linear_fit linear;
  bool possible;
  ent_progress former = ent_progress_hold(context);
  ent_fit_outcome_clear(&fitted->outcome);
  entropic_status status = ent_linear_start(context, fit, &linear, &possible);
  if (status != ENTROPIC_OK)
    goto done;
  status = fitted->form == ENT_FORM_LINEAR
               ? ent_fit_run(context, &linear.fit, &fitted->outcome, &fitted->class_validation, &fitted->loss)
               : fit_constant(context, &linear.fit, fitted);
  if (status != ENTROPIC_OK)
    goto done;
  ent_fit_use(fit, linear.fit.view_count > 1 ? 1 : 0);
done:
  ent_progress_leave(context, former);
  ent_linear_clear(&linear);
  return status;
}

/* Whether a simpler form may be taken: not if something was asked for that it does not have. */
static bool is_open(const ent_fit *fit) {
  const ent_fit_options *o = fit->options;
  return o->select == ENTROPIC_SELECT_AUTO && fit->residual && o->features == 0 && o->omega_count == 0 &&
         o->lambda == ENT_LAMBDA_AUTO && o->target_scale != ENTROPIC_TARGET_SCALE_ROOT &&
         o->solver == ENTROPIC_SOLVER_AUTO && o->ensemble == 0 &&
         !(o->keep_statistics && fit->train->schema.classes > 0); /* frequencies of classes have no squared loss */
}

entropic_status ent_outer_decide(entropic_context *context, const ent_fit *fit, ent_outer *outer, ent_form *form) {
  entropic_status status = ent_outer_batch(context, outer);
  if (status != ENTROPIC_OK)
    return status;
  double linear_gain = outer->linear ? ent_outer_gain(outer, ENT_FORM_NOTHING, ENT_FORM_LINEAR) : -INFINITY;
  double full_gain = ent_outer_gain(outer, ENT_FORM_NOTHING, ENT_FORM_FULL);
  double beyond_linear = outer->linear ? ent_outer_gain(outer, ENT_FORM_LINEAR, ENT_FORM_FULL) : INFINITY;
  bool dependent = false, linear = linear_gain >= SURE, full = full_gain >= SURE;
  *form = ENT_FORM_FULL;
  if (!is_open(fit))
    return ENTROPIC_OK;
  if ((linear_gain > 0 && !linear) || (full_gain > 0 && !full)) {
    status = ent_evidence(context, fit, &dependent);
    if (status != ENTROPIC_OK)
      return status;
  }
  linear = linear || (dependent && linear_gain > 0);
  full = full || (dependent && full_gain > 0);
  bool small = fit->train->rows <= ENT_OUTER_SMALL;
  if (!full || (linear && !(beyond_linear >= (small ? BETTER : -BETTER))))
    *form = linear ? ENT_FORM_LINEAR : ENT_FORM_NOTHING;
  return ENTROPIC_OK;
}

/* The forms of a model on outer validation rows: see outer_forms.h. */
#include "fit/outer_forms.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "fit/outer_beyond.h"
#include "sums/pass.h"

#define HEADROOM 0.5 /* of the range of the targets: predictions go no further beyond it */
/* Standard errors by which a form has to be better than the constant, if the permutation test finds nothing. */
#define SURE 3.0
/* Standard errors by which the full form has to be better than the linear one. */
#define BETTER 1.0
#define BETTER_STACK 0.1 /* the same of a stack, of which the linear one is a part */

/* The scores of member m, or of the one model. */
static entropic_status score_member(entropic_context *context, const ent_fit_outcome *outcome, size_t m,
                                    const ent_block *rows, double *scores) {
  if (outcome->members != NULL) {
    const ent_member *member = &outcome->members[m];
    return ent_scores(context, &member->lifting.map, rows,
                      &(ent_linear){member->weights, member->offsets, member->scores}, scores);
  }
  ent_learner learner = {.solver = outcome->solver,
                         .map = outcome->kernel == NULL ? &outcome->lifting.map : NULL,
                         .kernel = outcome->kernel};
  return ent_learnt_scores(context, &learner, &outcome->learnt, 0, rows, scores);
}

/* What a form predicts, all [rows x scores]. */
typedef struct ent_form_predictions {
  double *scores;   /* means over the members */
  double *first;    /* numbers: the predictions of the first member */
  double *mean;     /* numbers: of the predictions of members */
  double *variance; /* numbers: between the predictions of members; 0 of a single one */
} ent_form_predictions;

static void predictions_clear(ent_form_predictions *p) {
  ent_delete(p->scores);
  ent_delete(p->first);
  ent_delete(p->mean);
  ent_delete(p->variance);
}

static entropic_status predictions_start(entropic_context *context, size_t count, ent_form_predictions *p) {
  *p = (ent_form_predictions){.scores = ent_new(context, count, sizeof *p->scores),
                              .first = ent_new(context, count, sizeof *p->first),
                              .mean = ent_new(context, count, sizeof *p->mean),
                              .variance = ent_new(context, count, sizeof *p->variance)};
  return p->scores == NULL || p->first == NULL || p->mean == NULL || p->variance == NULL ? ENTROPIC_NO_MEMORY
                                                                                         : ENTROPIC_OK;
}

/* Adds the predictions of member m of so many, by Welford's recurrence. */
static void add_member(size_t m, size_t members, size_t count, const double *own, ent_form_predictions *p) {
  for (size_t i = 0; i < count; i++) {
    double off = own[i] - p->mean[i];
    p->mean[i] += off / (double)(m + 1);
    p->variance[i] += members > 1 ? off * (own[i] - p->mean[i]) / (double)(members - 1) : 0;
  }
}

/* Predictions of all members, or of the one model. */
static entropic_status predict_members(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                                       const ent_block *rows, ent_form_predictions *p) {
  size_t count = rows->rows * fit->scores, members = outcome->members == NULL ? 1 : outcome->member_count;
  double *own = ent_new(context, count, sizeof *own);
  if (own == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  memset(p->scores, 0, count * sizeof *p->scores);
  memset(p->mean, 0, count * sizeof *p->mean);
  memset(p->variance, 0, count * sizeof *p->variance);
  for (size_t m = 0; m < members; m++) {
    status = score_member(context, outcome, m, rows, own);
    if (status != ENTROPIC_OK)
      goto done;
    for (size_t i = 0; i < count; i++)
      p->scores[i] += own[i] / (double)members;
    if (ent_schema_has_classes(&fit->train->schema))
      continue;
    ent_link_predict(&outcome->link, rows->rows, own);
    add_member(m, members, count, own, p);
    if (m == 0)
      memcpy(p->first, own, count * sizeof *own);
  }
done:
  ent_delete(own);
  return status;
}

entropic_status ent_outer_run_scores(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                                     double *scores) {
  ent_form_predictions p;
  ent_row_subset all = {.from = {.all = fit->splits.train, .inputs = fit->inputs}, .count = fit->train->rows};
  ent_block block;
  entropic_status status = predictions_start(context, all.count * fit->scores, &p);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_row_subset_load(context, &all, &block);
  if (status != ENTROPIC_OK)
    goto done;
  status = predict_members(context, fit, outcome, &block, &p);
  if (status == ENTROPIC_OK)
    memcpy(scores, p.scores, all.count * fit->scores * sizeof *scores);
done:
  ent_row_subset_clear(&all);
  predictions_clear(&p);
  return status;
}

/* What training targets support, bounds[scores x 2]. */
static void find_bounds(const ent_fit *fit, double *bounds) {
  for (size_t k = 0; k < fit->scores; k++) {
    double least = INFINITY, most = -INFINITY;
    for (size_t r = 0; r < fit->train->rows; r++)
      if (ent_takes_part(&fit->splits, r)) {
        least = fmin(least, fit->y[r * fit->scores + k]);
        most = fmax(most, fit->y[r * fit->scores + k]);
      }
    double room = HEADROOM * (most - least);
    bounds[2 * k] = least - room;
    bounds[2 * k + 1] = most + room;
  }
}

/* Rows that a model is scored on. */
typedef struct ent_outer_scoring {
  const ent_fit *fit;
  const ent_fitted *fitted;
  const ent_outer_rows *rows;
  const double *bounds; /* of predictions; NULL: none */
  ent_outer *outer;
} ent_outer_scoring;

/* Scores of the rows, with values outside at the ends of the range; what lines would add there is kept. */
static entropic_status predict_kind(entropic_context *context, const ent_outer_scoring *job, ent_beyond_kind kind,
                                    ent_form_predictions *p) {
  const ent_fit *fit = job->fit;
  const entropic_dataset *data = ent_outer_data(fit);
  const ent_outer_rows *rows = job->rows;
  ent_beyond *beyond = &job->outer->beyond[job->fitted->form][kind];
  ent_block all = {.rows = data->rows,
                   .x = data->x,
                   .x_stride = fit->inputs,
                   .columns = data->columns,
                   .scaler = fit->scaler,
                   .missing = fit->splits.train.missing};
  ent_row_subset subset = {.from = {.all = all, .inputs = fit->inputs}, .numbers = rows->numbers, .count = rows->count};
  ent_block block;
  entropic_status status = ent_row_subset_load(context, &subset, &block);
  if (status != ENTROPIC_OK)
    goto done;
  ent_beyond_block own = {rows->numbers, rows->count, subset.from.scaled, job->outer->rows};
  status = ent_beyond_clamp(context, fit, job->fitted, kind, &own, beyond);
  if (status != ENTROPIC_OK)
    goto done;
  status = predict_members(context, fit, &job->fitted->outcome, &block, p);
  if (status != ENTROPIC_OK)
    goto done;
  ent_beyond_set_scores(fit, job->fitted, job->outer->rows, p->scores, job->bounds, beyond);
done:
  ent_row_subset_clear(&subset);
  return status;
}

static void clamp(const ent_fit *fit, const double *bounds, size_t rows, double *predictions) {
  for (size_t i = 0; i < rows * fit->scores; i++)
    predictions[i] = fmin(fmax(predictions[i], bounds[2 * (i % fit->scores)]), bounds[2 * (i % fit->scores) + 1]);
}

/* Predictions of the rows; p->scores: scores of classes, or numbers in the units of fit->y. */
static entropic_status predict(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                               const ent_outer_rows *rows, ent_outer *outer, ent_form_predictions *p) {
  bool classes = ent_schema_has_classes(&fit->train->schema), bounded = fit->residual && !classes;
  double *bounds = ent_new_matrix(context, fit->scores, 2, sizeof *bounds);
  if (bounds == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  ent_outer_scoring job = {fit, fitted, rows, bounded ? bounds : NULL, outer};
  if (bounded)
    find_bounds(fit, bounds);
  if (fitted->form != ENT_FORM_CONSTANT)
    status = predict_kind(context, &job, ENT_BEYOND_OUTERMOST, p);
  if (status != ENTROPIC_OK)
    goto done;
  status = predict_kind(context, &job, ENT_BEYOND_OUTSIDE, p);
  if (status != ENTROPIC_OK || classes)
    goto done;
  ent_link_predict(&fitted->outcome.link, rows->count, p->scores);
  if (bounded) {
    clamp(fit, bounds, rows->count, p->scores);
    clamp(fit, bounds, rows->count, p->first);
  }
done:
  ent_delete(bounds);
  return status;
}

/* The variance between members counts 1/members in the squared error of their mean. A run has fewer members than the
 * model, and they are exchangeable: so much of it the model does not have. */
static double surplus_of(const ent_fit *fit, const ent_fit_outcome *outcome) {
  size_t members = outcome->members == NULL ? 1 : outcome->member_count;
  return members > 1 && fit->model_members > members ? 1 / (double)members - 1 / (double)fit->model_members : 0;
}

/* Keeps what is known of the members of the full form. */
static void add_members(const ent_fit *fit, const ent_fit_outcome *outcome, size_t rows, const ent_form_predictions *p,
                        ent_outer *outer) {
  double surplus = surplus_of(fit, outcome), members = outcome->members == NULL ? 1 : (double)outcome->member_count;
  for (size_t i = 0, at = outer->rows * outer->targets; i < rows * outer->targets; i++, at++) {
    outer->single[at] = p->first[i];
    outer->between[at] = p->variance[i] / members;
    outer->surplus[at] = surplus * p->variance[i];
  }
}

/* Numbers. */
static void score_numbers(const ent_fit *fit, size_t number, const double *predictions, ent_outer_row *row) {
  const double *y = fit->valid != NULL ? fit->valid_y : fit->y;
  size_t targets = fit->scores;
  row->loss = 0;
  for (size_t k = 0; k < targets; k++) {
    double off = predictions[k] - y[number * targets + k];
    row->errors[k] = off * off;
    row->predictions[k] = predictions[k];
    row->loss += off * off / fit->scale[k] / (double)targets;
  }
}

void ent_outer_score_row(const ent_fit *fit, double inverse_temperature, size_t number, double *scores,
                         double *probabilities, ent_outer_row *row) {
  size_t classes = fit->train->schema.classes;
  if (classes == 0) {
    score_numbers(fit, number, scores, row);
    return;
  }
  size_t label = (size_t)ent_outer_data(fit)->y[number];
  row->errors[0] = ent_class_of(classes, scores) != label;
  for (size_t k = 0; k < fit->scores; k++)
    scores[k] *= inverse_temperature;
  ent_probabilities(classes, scores, probabilities);
  row->predictions[0] = 1 - probabilities[label];
  row->loss = -log(fmax(probabilities[label], ENT_LEAST_PROBABILITY));
}

entropic_status ent_outer_add_scores(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                     const ent_outer_rows *rows, double *scores, ent_outer *outer) {
  size_t targets = outer->targets;
  double *probabilities = ent_new(context, fit->train->schema.classes, sizeof *probabilities);
  if (probabilities == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows->count; r++) {
    size_t at = outer->rows + r;
    ent_outer_row row = {.errors = outer->errors[fitted->form] + at * targets,
                         .predictions = outer->predictions[fitted->form] + at * targets};
    ent_outer_score_row(fit, fitted->class_validation.inverse_temperature, rows->numbers[r], scores + r * fit->scores,
                        probabilities, &row);
    outer->losses[fitted->form][at] = row.loss;
    if (outer->scores[fitted->form] != NULL)
      memcpy(outer->scores[fitted->form] + at * fit->scores, scores + r * fit->scores, fit->scores * sizeof *scores);
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
  ent_form_predictions p;
  entropic_status status = predictions_start(context, rows->count * fit->scores, &p);
  if (status != ENTROPIC_OK)
    goto done;
  status = predict(context, fit, fitted, rows, outer, &p);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_add_scores(context, fit, fitted, rows, p.scores, outer);
  if (status != ENTROPIC_OK)
    goto done;
  if (fitted->form == ENT_FORM_FULL && !ent_schema_has_classes(&fit->train->schema))
    add_members(fit, &fitted->outcome, rows->count, &p, outer);
  add_rows(fit, rows, outer);
done:
  predictions_clear(&p);
  return status;
}

bool ent_fit_is_open(const ent_fit *fit) {
  const ent_fit_options *o = fit->options;
  return o->select == ENTROPIC_SELECT_AUTO && fit->residual && o->features == 0 && o->omega_count == 0 &&
         o->lambda == ENT_LAMBDA_AUTO && o->target_scale != ENTROPIC_TARGET_SCALE_ROOT &&
         o->solver == ENTROPIC_SOLVER_AUTO && o->ensemble == 0 &&
         !(o->keep_statistics &&
           ent_schema_has_classes(&fit->train->schema)); /* frequencies of classes have no squared loss */
}

/* Takes away what the full form of the runs has too much, once. */
static void take_surplus(const ent_fit *fit, ent_outer *outer) {
  size_t targets = outer->targets;
  for (size_t i = 0; i < outer->rows * targets && !ent_schema_has_classes(&fit->train->schema); i++) {
    outer->errors[ENT_FORM_FULL][i] -= outer->surplus[i];
    outer->losses[ENT_FORM_FULL][i / targets] -= outer->surplus[i] / fit->scale[i % targets] / (double)targets;
    outer->surplus[i] = 0;
  }
}

entropic_status ent_outer_decide(entropic_context *context, const ent_fit *fit, ent_fitted *fitted) {
  ent_outer *outer = &fitted->outer;
  ent_form *form = &fitted->form;
  entropic_status status = ent_outer_batch(context, outer);
  if (status != ENTROPIC_OK)
    return status;
  for (int f = ENT_FORM_LINEAR; f <= ENT_FORM_REFERENCE; f++) {
    status = ent_beyond_decide(context, fit, outer, (ent_form)f);
    if (status != ENTROPIC_OK)
      return status;
  }
  take_surplus(fit, outer);
  status = ent_outer_measure(context, fit, outer);
  if (status != ENTROPIC_OK)
    return status;
  bool stacked = false;
  if (fit->stacked)
    status = ent_stack_score(context, fit, &fitted->stack, outer, &stacked);
  if (status != ENTROPIC_OK)
    return status;
  *form = stacked ? ENT_FORM_STACK : ENT_FORM_FULL;
  double linear_gain = outer->linear ? ent_outer_gain(outer, ENT_FORM_CONSTANT, ENT_FORM_LINEAR) : -INFINITY;
  double full_gain = ent_outer_gain(outer, ENT_FORM_CONSTANT, *form);
  double beyond_linear = outer->linear ? ent_outer_gain(outer, ENT_FORM_LINEAR, *form) : INFINITY;
  double better = stacked ? BETTER_STACK : BETTER;
  bool dependent = false, linear = linear_gain >= SURE, full = full_gain >= SURE;
  if (!ent_fit_is_open(fit))
    return ENTROPIC_OK;
  if ((linear_gain > 0 && !linear) || (full_gain > 0 && !full)) {
    status = ent_evidence(context, fit, &dependent);
    if (status != ENTROPIC_OK)
      return status;
  }
  linear = linear || (dependent && linear_gain > 0);
  full = full || (dependent && full_gain > 0);
  if (!full || (linear && !(beyond_linear >= better)))
    *form = linear ? ENT_FORM_LINEAR : ENT_FORM_CONSTANT;
  return ENTROPIC_OK;
}

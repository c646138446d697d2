/* Outer validation: see outer.h.
 *
 * Up to OUTER_SMALL rows each part is left out in turn, and a run of its own chooses and learns without it: with one
 * part in the pilot search and one member, so that all runs together cost about as much as the fit itself. Beyond that
 * one part is left out, of the fit itself; afterwards the weights are learnt again from all rows.
 *
 * With time, parts are blocks of time, the latest first. A part is judged by a run that learns from earlier rows alone;
 * later rows take no part. Of small tables these are blocks of the later half, of others it is the latest twentieth. */
#include "model/outer.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "tune/folds.h"
#include "solve/pass.h"
#include "tune/rules.h"

#define OUTER_SMALL ((size_t)5000) /* rows */
#define OUTER_PARTS ((size_t)5)    /* of small tables that are judged at most; there are as many as folds */
#define OUTER_SCORES ((size_t)20)  /* beyond so many, mostly classes, one part is judged */
#define OUTER_SLICES ((size_t)20)  /* parts of larger tables, of which one is judged */
#define OUTER_MOST ((size_t)8333)  /* rows that are judged of larger tables */
#define OUTER_SHARE 0.4            /* of the seconds there are, for all runs that only judge */
#define OUTER_STREAM 7             /* its parts are not those of the folds */
#define LEAST_CHANCE 1e-15         /* of a class: one mistake does not cost infinitely much */
/* Standard errors by which something has to be better than nothing, where nothing else speaks for it. */
#define SURE 2.5
/* Standard errors by which the full form of small tables has to be better than the linear one. Of larger ones, where it
 * costs little to be wrong, it may be worse by as many. */
#define BETTER 1.0
#define HARDLY 1e-3  /* of the loss: a smaller gain is none */
#define HEADROOM 0.5 /* of the range of the targets: predictions go no further beyond it */

void ent_outer_clear(ent_outer *outer) {
  ent_delete(outer->weights);
  ent_delete(outer->group_of);
  ent_delete(outer->group_sums);
  for (size_t f = 0; f < ENT_FORMS; f++) {
    ent_delete(outer->losses[f]);
    ent_delete(outer->errors[f]);
  }
  *outer = (ent_outer){0};
}

void ent_fitted_clear(ent_fitted *fitted) {
  ent_fit_outcome_clear(&fitted->outcome);
  ent_outer_clear(&fitted->outer);
}

/* The rows that some are judged of. */
static const entropic_dataset *judged_data(const ent_fit *fit) {
  return fit->valid != NULL ? fit->valid : fit->train;
}

/* Room for so many rows. */
static entropic_status outer_start(entropic_context *context, const ent_fit *fit, size_t rows, ent_outer *outer) {
  const entropic_dataset *data = judged_data(fit);
  size_t targets = data->schema.targets;
  *outer = (ent_outer){.targets = targets, .linear = true};
  outer->weights = ent_new(context, rows, sizeof *outer->weights);
  bool complete = outer->weights != NULL;
  for (size_t f = 0; f < ENT_FORMS; f++) {
    outer->losses[f] = ent_new(context, rows, sizeof *outer->losses[f]);
    outer->errors[f] = ent_new_matrix(context, rows, targets, sizeof *outer->errors[f]);
    complete = complete && outer->losses[f] != NULL && outer->errors[f] != NULL;
  }
  if (data->groups != NULL) {
    ent_fold_options split = {.rows = data->rows, .groups = data->groups};
    outer->groups = ent_group_count(&split);
    outer->group_of = ent_new(context, rows, sizeof *outer->group_of);
    outer->group_sums = ent_new(context, outer->groups, sizeof *outer->group_sums);
    complete = complete && outer->group_of != NULL && outer->group_sums != NULL;
  }
  return complete ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
}

bool ent_outer_needed(const ent_fit *fit) {
  bool open = fit->residual || fit->grid.omega_count > 1 || fit->grid.size_count > 1 || fit->grid.lambda_count > 1;
  bool loss = fit->train->schema.classes > 0 && fit->options->loss == ENTROPIC_LOSS_AUTO;
  return fit->can_validate && (open || loss);
}

/* Rows to judge: some of those to learn from, or of the validation rows. */
typedef struct ent_jury {
  const double *x;       /* as they came, rows x inputs */
  const double *y;       /* rows x scores, as in a fit */
  const double *labels;  /* classes */
  const double *weights; /* NULL: all 1 */
  const double *groups;  /* NULL: none */
  const size_t *numbers;
  size_t count;
} ent_jury;

static ent_jury jury_of(const ent_fit *fit, const size_t *numbers, size_t count) {
  bool valid = fit->valid != NULL;
  const entropic_dataset *data = judged_data(fit);
  const double *own = valid ? fit->valid_weights : fit->weights;
  return (ent_jury){.x = data->x,
                    .y = valid ? fit->valid_y : fit->y,
                    .labels = data->y,
                    .weights = own != NULL ? own : data->weights,
                    .groups = data->groups,
                    .numbers = numbers,
                    .count = count};
}

/* The mean of the scores of all members, or of the one model. */
static entropic_status score(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                             const ent_block *rows, double *scores) {
  size_t count = rows->rows * fit->scores;
  if (outcome->members == NULL) {
    ent_learner learner = {.solver = outcome->solver,
                           .map = outcome->kernel == NULL ? &outcome->lifting.map : NULL,
                           .kernel = outcome->kernel};
    return ent_learnt_scores(context, &learner, &outcome->learnt, 0, rows, scores);
  }
  double *own = ent_new(context, count, sizeof *own);
  entropic_status status = own == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  memset(scores, 0, count * sizeof *scores);
  for (size_t m = 0; m < outcome->member_count && status == ENTROPIC_OK; m++) {
    const ent_member *member = &outcome->members[m];
    status = ent_scores(context, &member->lifting.map, rows->x, rows->rows, rows->x_stride, member->weights,
                        member->offsets, member->scores, own);
    for (size_t i = 0; i < count && status == ENTROPIC_OK; i++)
      scores[i] += own[i] / (double)outcome->member_count;
  }
  ent_delete(own);
  return status;
}

/* Keeps predictions of numbers within what the targets learnt from support. */
static void keep_within(const ent_fit *fit, size_t rows, double *predictions) {
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

/* What the outcome makes of the rows: scores of classes, or numbers in the units of fit->y. */
static entropic_status predict(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                               const ent_jury *jury, double *predictions) {
  size_t inputs = fit->inputs;
  double *x = ent_new_matrix(context, jury->count, inputs, sizeof *x);
  if (x == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < jury->count; r++)
    memcpy(x + r * inputs, jury->x + jury->numbers[r] * inputs, inputs * sizeof *x);
  ent_scaler_fill_own(fit->scaler, x, jury->count);
  ent_block rows = {.rows = jury->count, .x = x, .x_stride = inputs, .missing = fit->trials.train.missing};
  entropic_status status = score(context, fit, outcome, &rows, predictions);
  ent_delete(x);
  if (status != ENTROPIC_OK || fit->train->schema.classes > 0)
    return status;
  ent_target_transform_invert(&outcome->transform, jury->count, predictions);
  if (fit->residual)
    keep_within(fit, jury->count, predictions);
  return ENTROPIC_OK;
}

/* Losses and errors of one form for the rows of a jury, from number outer->rows on. */
static void add_numbers(const ent_fit *fit, const ent_jury *jury, const double *predictions, ent_form form,
                        ent_outer *outer) {
  size_t targets = fit->scores;
  for (size_t r = 0; r < jury->count; r++) {
    double loss = 0;
    for (size_t k = 0; k < targets; k++) {
      double off = predictions[r * targets + k] - jury->y[jury->numbers[r] * targets + k];
      outer->errors[form][(outer->rows + r) * targets + k] = off * off;
      loss += off * off / fit->scale[k] / (double)targets;
    }
    outer->losses[form][outer->rows + r] = loss;
  }
}

static entropic_status add_classes(entropic_context *context, const ent_fit *fit, const ent_jury *jury, double *scores,
                                   double inverse_temperature, ent_form form, ent_outer *outer) {
  size_t classes = fit->train->schema.classes;
  double *chances = ent_new(context, classes, sizeof *chances);
  if (chances == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < jury->count; r++) {
    double *of = scores + r * fit->scores;
    size_t label = (size_t)jury->labels[jury->numbers[r]];
    outer->errors[form][outer->rows + r] = ent_class_of(classes, of) != label;
    for (size_t k = 0; k < fit->scores; k++)
      of[k] *= inverse_temperature;
    ent_probabilities(classes, of, chances);
    outer->losses[form][outer->rows + r] = -log(fmax(chances[label], LEAST_CHANCE));
  }
  ent_delete(chances);
  return ENTROPIC_OK;
}

/* Judges one form of a fit on rows that it has not seen. */
static entropic_status judge(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                             const size_t *numbers, size_t count, ent_outer *outer) {
  ent_jury jury = jury_of(fit, numbers, count);
  double *predictions = ent_new_matrix(context, count, fit->scores, sizeof *predictions);
  if (predictions == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = predict(context, fit, &fitted->outcome, &jury, predictions);
  if (status == ENTROPIC_OK && fit->train->schema.classes > 0)
    status = add_classes(context, fit, &jury, predictions, fitted->class_validation.inverse_temperature, fitted->form,
                         outer);
  else if (status == ENTROPIC_OK)
    add_numbers(fit, &jury, predictions, fitted->form, outer);
  for (size_t r = 0; r < count && status == ENTROPIC_OK; r++) {
    outer->weights[outer->rows + r] = jury.weights == NULL ? 1 : jury.weights[numbers[r]];
    if (jury.groups != NULL)
      outer->group_of[outer->rows + r] = (size_t)jury.groups[numbers[r]];
  }
  ent_delete(predictions);
  return status;
}

/* Takes over the losses of a simpler form: what could not be learnt is not there. */
static void copy_form(ent_outer *outer, ent_form from, ent_form to, size_t count) {
  memcpy(outer->losses[to] + outer->rows, outer->losses[from] + outer->rows, count * sizeof(double));
  memcpy(outer->errors[to] + outer->rows * outer->targets, outer->errors[from] + outer->rows * outer->targets,
         count * outer->targets * sizeof(double));
}

/* The mean, or the frequencies of classes. */
static entropic_status fit_nothing(entropic_context *context, const ent_fit *fit, ent_fitted *fitted) {
  fitted->outcome = (ent_fit_outcome){.report.members = 1};
  fitted->class_validation = (ent_class_validation){.inverse_temperature = 1};
  fitted->loss = fit->train->schema.classes > 0 ? ENTROPIC_LOGISTIC : ENTROPIC_SQUARED;
  return ent_fit_constant(context, fit, &fitted->outcome);
}

/* The simple forms, on the same rows. A fit that the rows are not fit for answers with the simpler one. */
static entropic_status judge_simple(entropic_context *context, const ent_fit *fit, const size_t *numbers, size_t count,
                                    ent_outer *outer) {
  ent_fitted nothing = {.form = ENT_FORM_NOTHING}, linear = {.form = ENT_FORM_LINEAR};
  ent_linear_fit lines;
  bool possible = false;
  entropic_status status = ent_linear_start(context, fit, &lines, &possible);
  if (status != ENTROPIC_OK)
    goto done;
  status = fit_nothing(context, &lines.fit, &nothing);
  if (status != ENTROPIC_OK)
    goto done;
  status = judge(context, &lines.fit, &nothing, numbers, count, outer);
  if (status != ENTROPIC_OK || !possible) {
    outer->linear = outer->linear && possible;
    goto done;
  }
  status = ent_fit_run(context, &lines.fit, &linear.outcome, &linear.class_validation, &linear.loss);
  if (status == ENTROPIC_OK)
    status = judge(context, &lines.fit, &linear, numbers, count, outer);
  if (status == ENTROPIC_BAD_DATA) {
    copy_form(outer, ENT_FORM_NOTHING, ENT_FORM_LINEAR, count);
    status = ENTROPIC_OK;
  }
done:
  ent_fitted_clear(&nothing);
  ent_fitted_clear(&linear);
  ent_linear_clear(&lines);
  return status;
}

/* Adds a row to the variance of a weighted mean: its deviation times its share of the weight. */
static void add_deviation(const ent_outer *outer, size_t row, double off, double *variance) {
  *variance += off * off;
  if (outer->group_of != NULL)
    outer->group_sums[outer->group_of[row]] += off;
}

/* The variance by sums of groups, which are independent where rows are not; NaN if one group was judged. Clears the
 * sums. */
static double group_variance(const ent_outer *outer) {
  double variance = 0, judged = 0;
  for (size_t r = 0; r < outer->rows; r++) {
    double *sum = &outer->group_sums[outer->group_of[r]];
    if (isnan(*sum))
      continue;
    variance += *sum * *sum;
    judged++;
    *sum = NAN; /* it is counted */
  }
  for (size_t r = 0; r < outer->rows; r++)
    outer->group_sums[outer->group_of[r]] = 0;
  return judged > 1 ? variance * judged / (judged - 1) : NAN;
}

double ent_outer_gain(const ent_outer *outer, ent_form a, ent_form b) {
  double weight = 0, mean = 0, variance = 0, loss = 0;
  for (size_t r = 0; r < outer->rows; r++)
    weight += outer->weights[r];
  for (size_t r = 0; r < outer->rows; r++) {
    mean += outer->weights[r] / weight * (outer->losses[a][r] - outer->losses[b][r]);
    loss += outer->weights[r] / weight * outer->losses[a][r];
  }
  if (!(mean > HARDLY * loss))
    return fmin(mean, 0);
  for (size_t r = 0; r < outer->rows; r++)
    add_deviation(outer, r, outer->weights[r] / weight * (outer->losses[a][r] - outer->losses[b][r] - mean), &variance);
  double by_groups = outer->group_of != NULL ? group_variance(outer) : NAN;
  variance = isnan(by_groups) ? variance : by_groups;
  return variance > 0 ? mean / sqrt(variance) : INFINITY;
}

ent_figures ent_outer_figures(const ent_fit *fit, const ent_outer *outer, ent_form form) {
  ent_figures figures = {.loss = NAN};
  double weight = 0;
  size_t targets = outer->targets;
  bool classes = fit->train->schema.classes > 0;
  /* Nadeau and Bengio's correction: what is learnt varies with the rows learnt from, which the runs share. */
  double shared = outer->taught > 0 ? (double)outer->rows / outer->taught : 0;
  for (size_t r = 0; r < outer->rows; r++)
    weight += outer->weights[r];
  for (size_t k = 0; k < targets; k++) {
    double mean = 0, variance = 0;
    for (size_t r = 0; r < outer->rows; r++)
      mean += outer->weights[r] * outer->errors[form][r * targets + k];
    mean /= weight;
    for (size_t r = 0; r < outer->rows; r++)
      add_deviation(outer, r, outer->weights[r] / weight * (outer->errors[form][r * targets + k] - mean), &variance);
    if (outer->group_of != NULL)
      variance = group_variance(outer);
    variance *= 1 + shared;
    if (classes) {
      figures.error = mean;
      figures.spread = sqrt(variance);
    } else {
      figures.error += ldexp(sqrt(mean), fit->unit[k]) / (double)targets;
      if (mean > 0)
        figures.spread += ldexp(sqrt(variance / mean) / 2, fit->unit[k]) / (double)targets;
    }
  }
  if (classes) {
    figures.loss = 0;
    for (size_t r = 0; r < outer->rows; r++)
      figures.loss += outer->weights[r] * outer->losses[form][r];
    figures.loss /= weight;
  }
  return figures;
}

/* Whether a simpler form may be taken: not if something was asked for that it does not have. */
static bool is_open(const ent_fit *fit) {
  const entropic_fit_options *o = fit->options;
  return o->select == ENTROPIC_SELECT_AUTO && fit->residual && o->features == 0 && o->omega_count == 0 &&
         o->lambda == ENTROPIC_LAMBDA_AUTO && o->target_scale != ENTROPIC_TARGET_ROOT &&
         o->solver == ENTROPIC_SOLVER_AUTO && o->ensemble == 0;
}

/* The form that is worth it. */
static entropic_status decide(entropic_context *context, const ent_fit *fit, const ent_outer *outer, ent_form *form) {
  double linear = outer->linear ? ent_outer_gain(outer, ENT_FORM_NOTHING, ENT_FORM_LINEAR) : -INFINITY;
  double full = ent_outer_gain(outer, ENT_FORM_NOTHING, ENT_FORM_FULL);
  double beyond = outer->linear ? ent_outer_gain(outer, ENT_FORM_LINEAR, ENT_FORM_FULL) : INFINITY;
  bool evident = false, lines = linear >= SURE, all = full >= SURE;
  *form = ENT_FORM_FULL;
  if (!is_open(fit))
    return ENTROPIC_OK;
  if ((linear > 0 && !lines) || (full > 0 && !all)) {
    entropic_status status = ent_evidence(context, fit, &evident);
    if (status != ENTROPIC_OK)
      return status;
  }
  lines = lines || (evident && linear > 0);
  all = all || (evident && full > 0);
  if (all && (!lines || beyond >= (fit->train->rows <= OUTER_SMALL ? BETTER : -BETTER)))
    *form = ENT_FORM_FULL;
  else
    *form = lines ? ENT_FORM_LINEAR : ENT_FORM_NOTHING;
  return ENTROPIC_OK;
}

/* Tells of runs that only judge as of one stage. */
typedef struct ent_outer_stage {
  entropic_progress tell;
  void *user;
  size_t part, parts;
} ent_outer_stage;

static void tell_stage(void *user, const char *stage, double done) {
  (void)stage;
  const ent_outer_stage *of = user;
  of->tell(of->user, "validating", ((double)of->part + done * 0) / (double)of->parts);
}

/* Rows by parts. */
typedef struct ent_outer_parts {
  size_t *part_of; /* [rows] */
  size_t parts;
  bool forward;     /* only rows of parts of higher numbers, which are earlier, take part while one is judged */
  size_t *in, *out; /* [rows] room: those that take part, those that are judged */
  size_t in_count, out_count;
  size_t *fold_of; /* [rows] of those that take part */
} ent_outer_parts;

static void parts_clear(ent_outer_parts *p) {
  ent_delete(p->part_of);
  ent_delete(p->in);
  ent_delete(p->out);
  ent_delete(p->fold_of);
}

static ent_fold_options split_of(const entropic_dataset *d) {
  return (ent_fold_options){.rows = d->rows,
                            .labels = d->schema.classes > 0 ? d->y : NULL,
                            .classes = d->schema.classes,
                            .groups = d->groups,
                            .time = d->time};
}

entropic_status ent_outer_deal(entropic_context *context, const entropic_dataset *data, uint64_t seed, size_t *part_of,
                               size_t *parts) {
  ent_fold_options split = split_of(data);
  split.time = NULL;
  entropic_random random = entropic_random_start(seed, OUTER_STREAM);
  return ent_folds_deal(context, &split, entropic_random_bits(&random), part_of, parts);
}

/* learnt: as in ent_fold_options. */
static entropic_status parts_start(entropic_context *context, const entropic_dataset *data, uint64_t seed, size_t parts,
                                   size_t learnt, ent_outer_parts *p) {
  *p = (ent_outer_parts){.parts = parts, .forward = data->time != NULL};
  p->part_of = ent_new(context, data->rows, sizeof *p->part_of);
  p->in = ent_new(context, data->rows, sizeof *p->in);
  p->out = ent_new(context, data->rows, sizeof *p->out);
  p->fold_of = ent_new(context, data->rows, sizeof *p->fold_of);
  if (p->part_of == NULL || p->in == NULL || p->out == NULL || p->fold_of == NULL)
    return ENTROPIC_NO_MEMORY;
  if (!p->forward)
    return ent_outer_deal(context, data, seed, p->part_of, &p->parts);
  ent_fold_options split = split_of(data);
  split.learnt = learnt;
  return ent_folds_deal(context, &split, seed, p->part_of, &p->parts);
}

/* Leaves out a part; the other rows, forward the earlier ones, are dealt to folds. *folds becomes how many. */
static entropic_status leave_out(entropic_context *context, const ent_fit *fit, size_t part, ent_outer_parts *p,
                                 size_t *folds) {
  ent_fold_options split = split_of(fit->train);
  p->in_count = p->out_count = 0;
  for (size_t r = 0; r < fit->train->rows; r++)
    if (p->part_of[r] == part)
      p->out[p->out_count++] = r;
    else if (ent_fold_teaches(p->part_of[r], part, p->forward))
      p->in[p->in_count++] = r;
  *folds = fit->options->folds;
  return ent_folds_deal_some(context, &split, p->in, p->in_count, fit->options->seed, p->fold_of, folds);
}

/* Lets go of what only leave_out needs, where no other part will be left out. */
static entropic_status keep_one_part(entropic_context *context, ent_outer_parts *p) {
  size_t *out = ent_new(context, p->out_count, sizeof *out);
  if (out == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(out, p->out, p->out_count * sizeof *out);
  ent_delete(p->out);
  ent_delete(p->in);
  ent_delete(p->part_of);
  p->out = out;
  p->in = p->part_of = NULL;
  return ENTROPIC_OK;
}

static void use_folds(ent_fit *fit, size_t *fold_of, size_t folds) {
  fit->fold_of = fold_of;
  fit->folds = folds;
  fit->trials.fold_of = fold_of;
  fit->trials.folds = folds;
}

/* One run that only judges: chosen and learnt without one part. */
static entropic_status judge_part(entropic_context *context, const ent_fit *fit, size_t part, ent_outer_parts *p,
                                  double deadline, ent_outer *outer) {
  ent_fit run = *fit;
  ent_fitted fitted = {.form = ENT_FORM_FULL};
  ent_outer_stage stage = {fit->trials.progress, fit->trials.user, part, p->parts};
  size_t folds;
  entropic_status status = leave_out(context, fit, part, p, &folds);
  if (status != ENTROPIC_OK || p->in_count == 0 || p->out_count == 0)
    return status;
  use_folds(&run, p->fold_of, folds);
  run.can_validate = ent_fit_can_split(fit, folds);
  ent_fit_prepare_grid(&run);
  run.trials.deadline = deadline;
  run.trials.progress = stage.tell == NULL ? NULL : tell_stage;
  run.trials.user = &stage;
  run.members = run.pilot_parts = 1;
  status = judge_simple(context, &run, p->out, p->out_count, outer);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_fit_run(context, &run, &fitted.outcome, &fitted.class_validation, &fitted.loss);
  if (status == ENTROPIC_OK)
    status = judge(context, &run, &fitted, p->out, p->out_count, outer);
  if (status == ENTROPIC_OK) {
    outer->rows += p->out_count;
    outer->taught += ((double)p->in_count - outer->taught) / (double)++outer->parts_judged;
  }
  if (status ==
      ENTROPIC_BAD_DATA) /* a class or all variation may be in the part left out: nothing is said of it then */
    status = ENTROPIC_OK;
  ent_fitted_clear(&fitted);
  return status;
}

/* How many parts are worth a run each: as much time in all as the fit itself takes. */
static size_t parts_to_judge(const ent_fit *fit) {
  if (!fit->residual)
    return OUTER_PARTS;
  if (fit->scores > OUTER_SCORES) /* their losses take most of the time, with one part as with several */
    return 1;
  size_t pilot = (ENT_PILOT_ROWS - 1) / fit->train->rows + 1;
  return pilot <= 3 ? pilot : pilot <= 6 ? OUTER_PARTS - 1 : OUTER_PARTS;
}

/* The simple form that was taken, from all rows. */
static entropic_status fit_simple(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  ent_linear_fit lines;
  bool possible;
  entropic_status status = ent_linear_start(context, fit, &lines, &possible);
  ent_fit_outcome_clear(&fitted->outcome);
  if (status == ENTROPIC_OK && fitted->form == ENT_FORM_LINEAR)
    status = ent_fit_run(context, &lines.fit, &fitted->outcome, &fitted->class_validation, &fitted->loss);
  else if (status == ENTROPIC_OK)
    status = fit_nothing(context, &lines.fit, fitted);
  if (status == ENTROPIC_OK)
    ent_fit_use(fit, lines.fit.view_count > 1 ? 1 : 0);
  ent_linear_clear(&lines);
  return status;
}

/* All parts in turn, then the fit itself. */
static entropic_status fit_small(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  ent_outer_parts p;
  ent_outer *outer = &fitted->outer;
  double start = ent_seconds(), end = fit->trials.deadline, last = 0;
  entropic_status status = parts_start(context, fit->train, fit->options->seed, fit->options->folds, 0, &p);
  size_t wanted = parts_to_judge(fit);
  if (status == ENTROPIC_OK)
    status = outer_start(context, fit, fit->train->rows, outer);
  wanted = wanted < p.parts ? wanted : p.parts;
  for (size_t j = 0; j < wanted && ent_fit_can_split(fit, p.parts) && status == ENTROPIC_OK; j++) {
    double now = ent_seconds(), share = OUTER_SHARE * (end - start) / (double)wanted;
    if (end > 0 && j > 0 && now - start + last > OUTER_SHARE * (end - start)) {
      fitted->outcome.report.hurried = true;
      break;
    }
    status = judge_part(context, fit, j, &p, end > 0 ? now + share : 0, outer);
    last = ent_seconds() - now;
  }
  outer->parts = p.parts;
  parts_clear(&p);
  bool hurried = fitted->outcome.report.hurried;
  fitted->form = ENT_FORM_FULL;
  if (status == ENTROPIC_OK && outer->rows > 0)
    status = decide(context, fit, outer, &fitted->form);
  if (status == ENTROPIC_OK && fitted->form != ENT_FORM_FULL)
    status = fit_simple(context, fit, fitted);
  else if (status == ENTROPIC_OK)
    status = ent_fit_run(context, fit, &fitted->outcome, &fitted->class_validation, &fitted->loss);
  fitted->outcome.report.hurried |= hurried;
  return status;
}

/* One part is left out of the fit itself, which then learns its weights from all rows. */
static entropic_status fit_large(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  ent_outer_parts p;
  ent_outer *outer = &fitted->outer;
  size_t fewer, rows = fit->train->rows;
  size_t many = (rows - 1) / OUTER_MOST + 1 > OUTER_SLICES ? (rows - 1) / OUTER_MOST + 1 : OUTER_SLICES;
  bool forward = fit->trials.forward;
  entropic_status status =
      parts_start(context, fit->train, fit->options->seed, forward ? 1 : many, rows - rows / many, &p);
  if (status != ENTROPIC_OK)
    goto done;
  status = leave_out(context, fit, 0, &p, &fewer);
  if (status != ENTROPIC_OK)
    goto done;
  if (!ent_fit_can_split(fit, fewer)) { /* what is left cannot choose: nothing is judged */
    fitted->form = ENT_FORM_FULL;
    status = ent_fit_run(context, fit, &fitted->outcome, &fitted->class_validation, &fitted->loss);
    goto done;
  }
  status = keep_one_part(context, &p);
  if (status != ENTROPIC_OK)
    goto done;
  status = outer_start(context, fit, p.out_count, outer);
  if (status != ENTROPIC_OK)
    goto done;
  ent_delete(fit->fold_of); /* all rows are dealt again when the part has been judged */
  use_folds(fit, p.fold_of, fewer);
  p.fold_of = NULL;
  status = judge_simple(context, fit, p.out, p.out_count, outer);
  if (status != ENTROPIC_OK)
    goto done;
  fit->final = true;
  fitted->form = ENT_FORM_FULL;
  status = ent_fit_run(context, fit, &fitted->outcome, &fitted->class_validation, &fitted->loss);
  fit->final = false;
  if (status != ENTROPIC_OK)
    goto done;
  status = judge(context, fit, fitted, p.out, p.out_count, outer);
  if (status != ENTROPIC_OK)
    goto done;
  outer->rows = p.out_count;
  outer->taught = (double)p.in_count;
  outer->parts = p.parts;
  outer->parts_judged = 1;
  status = ent_fit_deal(context, fit);
  if (status != ENTROPIC_OK)
    goto done;
  status = decide(context, fit, outer, &fitted->form);
  if (status != ENTROPIC_OK)
    goto done;
  status = fitted->form == ENT_FORM_FULL
               ? ent_fit_finish(context, fit, &fitted->outcome, &fitted->class_validation, fitted->loss)
               : fit_simple(context, fit, fitted);
done:
  parts_clear(&p);
  return status;
}

/* Validation rows in two parts, of which the first judges; with time it is the later half. *split is false if all rows do
 * both. */
static entropic_status halve(entropic_context *context, const entropic_dataset *valid, uint64_t seed,
                             ent_outer_parts *p, bool *split) {
  entropic_status status = parts_start(context, valid, seed, valid->time != NULL ? 1 : 2, 0, p);
  *split = status == ENTROPIC_OK && p->forward && p->parts > 0;
  if (status != ENTROPIC_OK || *split)
    return status;
  if (p->forward) { /* there is one time only */
    p->parts = 2;
    status = ent_outer_deal(context, valid, seed, p->part_of, &p->parts);
  }
  *split = p->parts > 1;
  return status;
}

/* Half of the validation rows choose, the other half judges. */
static entropic_status fit_halves(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  ent_outer_parts p;
  ent_outer *outer = &fitted->outer;
  const entropic_dataset *valid = fit->valid;
  const double *given = fit->valid_block.weights;
  double *choosing = NULL;
  bool split;
  entropic_status status = halve(context, valid, fit->options->seed, &p, &split);
  if (status != ENTROPIC_OK)
    goto done;
  choosing = ent_new(context, valid->rows, sizeof *choosing);
  status = choosing == NULL ? ENTROPIC_NO_MEMORY : outer_start(context, fit, valid->rows, outer);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t r = 0; r < valid->rows; r++) {
    choosing[r] = split && p.part_of[r] == 0 ? 0 : given == NULL ? 1 : given[r];
    if (p.part_of[r] == 0)
      p.out[p.out_count++] = r;
  }
  fit->valid_block.weights = choosing;
  status = judge_simple(context, fit, p.out, p.out_count, outer);
  if (status != ENTROPIC_OK)
    goto done;
  fitted->form = ENT_FORM_FULL;
  status = ent_fit_run(context, fit, &fitted->outcome, &fitted->class_validation, &fitted->loss);
  if (status != ENTROPIC_OK)
    goto done;
  status = judge(context, fit, fitted, p.out, p.out_count, outer);
  if (status != ENTROPIC_OK)
    goto done;
  outer->taught = (double)fit->train->rows;
  outer->rows = p.out_count;
  outer->parts = p.parts;
  outer->parts_judged = 1;
  status = decide(context, fit, outer, &fitted->form);
  if (status == ENTROPIC_OK && fitted->form != ENT_FORM_FULL)
    status = fit_simple(context, fit, fitted);
done:
  fit->valid_block.weights = given;
  ent_delete(choosing);
  parts_clear(&p);
  return status;
}

entropic_status ent_outer_fit(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  *fitted = (ent_fitted){.form = ENT_FORM_FULL};
  if (!ent_outer_needed(fit))
    return ent_fit_run(context, fit, &fitted->outcome, &fitted->class_validation, &fitted->loss);
  fitted->needed = true;
  if (fit->valid != NULL)
    return fit_halves(context, fit, fitted);
  return fit->train->rows <= OUTER_SMALL ? fit_small(context, fit, fitted) : fit_large(context, fit, fitted);
}

void ent_outer_report(const ent_fit *fit, ent_fitted *fitted, entropic_model *model) {
  const ent_outer *outer = &fitted->outer;
  entropic_fit_report *report = &fitted->outcome.report;
  ent_figures figures = ent_outer_figures(fit, outer, fitted->form);
  bool rows = fit->valid != NULL, forward = fit->trials.forward;
  if (outer->rows == 0) {
    model->validation = ENTROPIC_VALIDATION_NONE;
    model->folds = model->validation_rows = 0;
    model->validation_error = model->validation_loss = NAN;
    report->error_spread = report->mean_error = report->linear_error = NAN;
    report->form = ENTROPIC_FORM_FULL;
    return;
  }
  model->validation = rows                                  ? ENTROPIC_VALIDATION_ROWS
                      : forward                             ? ENTROPIC_VALIDATION_FORWARD
                      : outer->parts_judged == outer->parts ? ENTROPIC_VALIDATION_FOLDS
                                                            : ENTROPIC_VALIDATION_PART;
  model->folds = rows ? 0 : forward ? outer->parts_judged : outer->parts;
  model->validation_rows = outer->rows;
  model->validation_error = figures.error;
  model->validation_loss = figures.loss;
  report->error_spread = outer->rows > 1 ? figures.spread : NAN; /* one row does not show how rows differ */
  report->mean_error = ent_outer_figures(fit, outer, ENT_FORM_NOTHING).error;
  report->linear_error = outer->linear ? ent_outer_figures(fit, outer, ENT_FORM_LINEAR).error : NAN;
  report->form = (entropic_form)fitted->form;
}

/* Outer validation: see outer.h.
 *
 * Up to ENT_OUTER_SMALL rows each part is left out in turn, and a run of its own chooses and trains without it: with fewer
 * parts in the pilot search and two members, so that all runs together cost about as much as the fit itself. Beyond that
 * one part is left out of the fit itself; afterwards the weights are trained again on all rows.
 *
 * With time, parts are blocks of time, the latest first. A run that is scored on a part trains on earlier rows alone;
 * later rows take no part. Of small tables these are blocks of the later half, of others it is the latest twentieth. */
#include "fit/outer.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fit/outer_beyond.h"
#include "fit/outer_forms.h"
#include "fit/outer_runs.h"
#include "fit/wide.h"
#include "tune/folds.h"
#include "tune/rules.h"

#define OUTER_SLICES ((size_t)20)             /* parts of larger tables, of which one is left out */
#define OUTER_MOST ENT_SELECT_VALIDATION_ROWS /* outer validation rows of larger tables */

void ent_outer_clear(ent_outer *outer) {
  ent_delete(outer->weights);
  ent_delete(outer->reached);
  ent_delete(outer->numbers);
  ent_delete(outer->run_of);
  ent_delete(outer->times);
  ent_delete(outer->single);
  ent_delete(outer->between);
  ent_delete(outer->surplus);
  ent_delete(outer->order);
  ent_delete(outer->deviations);
  ent_delete(outer->group_of);
  ent_delete(outer->group_sums);
  ent_held_predictions_clear(&outer->inner);
  for (size_t f = 0; f < ENT_FORMS; f++) {
    ent_delete(outer->losses[f]);
    ent_delete(outer->errors[f]);
    ent_delete(outer->predictions[f]);
    ent_delete(outer->scores[f]);
    ent_delete(outer->goes_on[f]);
    ent_beyond_clear(&outer->beyond[f][ENT_BEYOND_OUTSIDE]);
    ent_beyond_clear(&outer->beyond[f][ENT_BEYOND_OUTERMOST]);
  }
  *outer = (ent_outer){0};
}

void ent_fitted_clear(ent_fitted *fitted) {
  ent_fit_outcome_clear(&fitted->outcome);
  ent_outer_clear(&fitted->outer);
  ent_stack_clear(&fitted->stack);
}

bool ent_outer_needed(const ent_fit *fit) {
  bool open = fit->residual || fit->grid.omega_count > 1 || fit->grid.size_count > 1 || fit->grid.lambda_count > 1;
  bool loss = ent_schema_has_classes(&fit->train->schema) ? fit->options->loss == ENTROPIC_LOSS_AUTO
                                                          : ent_fit_has_own_loss(fit);
  return fit->can_validate && (open || loss);
}

static entropic_status fit_full(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  double start = ent_seconds();
  fitted->form = ENT_FORM_FULL;
  entropic_status status = ent_fit_run(context, fit, &fitted->outcome, &fitted->class_validation, &fitted->loss);
  fitted->seconds += ent_seconds() - start;
  return status;
}

/* The simple form in place of what was fitted so far; the seconds of that stay. */
static entropic_status fit_simple(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  double start = ent_seconds();
  ent_search_seconds former = fitted->outcome.report.search;
  ent_fit_narrow(fit);
  entropic_status status = ent_outer_fit_simple(context, fit, fitted);
  ent_search_seconds_add(&former, 1, &fitted->outcome.report.search);
  fitted->seconds += ent_seconds() - start;
  return status;
}

/* The weights of the full form again, from all rows. */
static entropic_status finish_full(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  double start = ent_seconds();
  entropic_status status = ent_fit_finish(context, fit, &fitted->outcome, &fitted->class_validation, fitted->loss);
  fitted->seconds += ent_seconds() - start;
  return status;
}

/* Trains the full form and scores all forms on the same rows. */
static entropic_status fit_and_score(entropic_context *context, ent_fit *fit, const ent_outer_rows *rows,
                                     ent_fitted *fitted, ent_outer *outer) {
  entropic_status status = ent_outer_score_simple(context, fit, rows, outer);
  if (status != ENTROPIC_OK)
    return status;
  status = fit_full(context, fit, fitted);
  if (status != ENTROPIC_OK)
    return status;
  return ent_outer_score(context, fit, fitted, rows, outer);
}

/* A run for each part, then the fit itself. */
static entropic_status fit_small(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  ent_outer_parts p;
  ent_outer *outer = &fitted->outer;
  ent_outer_dealing dealing = {.seed = fit->options->seed, .parts = fit->options->folds};
  bool stopped_early = false;
  entropic_status status = ent_outer_parts_start(context, fit->train, &dealing, &p);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_start(context, fit, fit->train->rows, outer);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_run_parts(context, fit, &p, fitted, &stopped_early);
  if (status != ENTROPIC_OK)
    goto done;
  outer->parts = p.parts;
  ent_outer_parts_clear(&p);
  fitted->form = ENT_FORM_FULL;
  if (outer->rows > 0)
    status = ent_outer_decide(context, fit, fitted);
  if (status != ENTROPIC_OK || fit->validate_only)
    goto done;
  if (fitted->form != ENT_FORM_STACK) /* a stack is what the runs have made */
    status = fitted->form == ENT_FORM_FULL ? fit_full(context, fit, fitted) : fit_simple(context, fit, fitted);
done:
  fitted->outcome.report.stopped_early |= stopped_early;
  ent_outer_parts_clear(&p);
  return status;
}

/* The form that is worth it, trained on all rows. */
static entropic_status finish_large(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  entropic_status status = ent_fit_deal(context, fit);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_outer_decide(context, fit, fitted);
  if (status != ENTROPIC_OK || fit->validate_only)
    return status;
  return fitted->form == ENT_FORM_FULL ? finish_full(context, fit, fitted) : fit_simple(context, fit, fitted);
}

/* One part is left out of the fit itself, which then trains its weights on all rows. */
static entropic_status fit_large(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  ent_outer_parts p;
  ent_outer *outer = &fitted->outer;
  size_t folds, rows = fit->train->rows;
  size_t many = (rows - 1) / OUTER_MOST + 1 > OUTER_SLICES ? (rows - 1) / OUTER_MOST + 1 : OUTER_SLICES;
  ent_outer_dealing dealing = {
      .seed = fit->options->seed, .parts = fit->splits.forward ? 1 : many, .learnt = rows - rows / many};
  entropic_status status = ent_outer_parts_start(context, fit->train, &dealing, &p);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_leave_out(context, fit, 0, &p, &folds);
  if (status != ENTROPIC_OK)
    goto done;
  if (!ent_fit_can_split(fit, folds)) { /* what is left cannot choose: there is no outer validation */
    status = fit_full(context, fit, fitted);
    goto done;
  }
  status = ent_outer_keep_part(context, &p);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_start(context, fit, p.out_count, outer);
  if (status != ENTROPIC_OK)
    goto done;
  ent_delete(fit->fold_of); /* all rows are dealt again when the part has been scored */
  ent_outer_use_folds(fit, p.fold_of, folds);
  p.fold_of = NULL;
  fit->final = !fit->validate_only;
  ent_outer_rows left_out = {p.out, p.out_count};
  status = fit_and_score(context, fit, &left_out, fitted, outer);
  fit->final = false;
  if (status != ENTROPIC_OK)
    goto done;
  outer->rows = p.out_count;
  outer->mean_training_rows = (double)p.in_count;
  outer->parts = p.parts;
  outer->parts_scored = 1;
  status = finish_large(context, fit, fitted);
done:
  ent_outer_parts_clear(&p);
  return status;
}

/* Weights of the rows that choose, all of them unless they are split; the rows of part 0 are listed as left out. */
static void split_halves(const double *given, bool split, size_t rows, ent_outer_parts *p, double *weights) {
  for (size_t r = 0; r < rows; r++) {
    weights[r] = split && p->part_of[r] == 0 ? 0 : given == NULL ? 1 : given[r];
    if (p->part_of[r] == 0)
      p->out[p->out_count++] = r;
  }
}

/* Half of the validation rows choose, the fit is scored on the other half. */
static entropic_status fit_halves(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  ent_outer_parts p;
  ent_outer *outer = &fitted->outer;
  const entropic_dataset *valid = fit->valid;
  const double *given = fit->valid_block.weights;
  double *weights = NULL;
  bool split;
  entropic_status status = ent_outer_halve(context, valid, fit->options->seed, &p, &split);
  if (status != ENTROPIC_OK)
    goto done;
  weights = ent_new(context, valid->rows, sizeof *weights);
  status = weights == NULL ? ENTROPIC_NO_MEMORY : ent_outer_start(context, fit, valid->rows, outer);
  if (status != ENTROPIC_OK)
    goto done;
  split_halves(given, split, valid->rows, &p, weights);
  fit->valid_block.weights = weights;
  ent_outer_rows left_out = {p.out, p.out_count};
  status = fit_and_score(context, fit, &left_out, fitted, outer);
  if (status != ENTROPIC_OK)
    goto done;
  outer->mean_training_rows = (double)fit->train->rows;
  outer->rows = p.out_count;
  outer->parts = p.parts;
  outer->parts_scored = 1;
  status = ent_outer_decide(context, fit, fitted);
  if (status != ENTROPIC_OK || fitted->form == ENT_FORM_FULL || fit->validate_only)
    goto done;
  status = fit_simple(context, fit, fitted);
done:
  fit->valid_block.weights = given;
  ent_delete(weights);
  ent_outer_parts_clear(&p);
  return status;
}

entropic_status ent_outer_fit(entropic_context *context, ent_fit *fit, ent_fitted *fitted) {
  *fitted = (ent_fitted){.form = ENT_FORM_FULL};
  if (!ent_outer_needed(fit))
    return fit_full(context, fit, fitted);
  fitted->needed = true;
  if (fit->valid != NULL)
    return fit_halves(context, fit, fitted);
  fit->stacked = ent_stack_is_candidate(fit);
  return fit->stacked || fit->train->rows <= ENT_OUTER_SMALL ? fit_small(context, fit, fitted)
                                                             : fit_large(context, fit, fitted);
}

void ent_outer_report(const ent_fit *fit, ent_fitted *fitted, entropic_model *model) {
  ent_outer reached = fitted->outer;
  const ent_outer *outer = &reached;
  ent_fit_report *report = &fitted->outcome.report;
  bool rows = fit->valid != NULL, forward = fit->splits.forward;
  if (outer->rows == 0) {
    model->validation = ENTROPIC_VALIDATION_NONE;
    model->folds = model->validation_rows = 0;
    ent_model_set_figures(model, NAN, NAN);
    report->error_spread = report->mean_error = report->linear_error = NAN;
    report->form = ENT_FORM_FULL;
    return;
  }
  /* The loss of classes is bounded; and rows of --valid are those that the user wants to know the error of. */
  if (!rows && !ent_schema_has_classes(&fit->train->schema)) {
    report->out_of_reach = ent_outer_reach(outer, fitted->form);
    reached.weights = outer->reached;
  }
  ent_figures figures = ent_outer_figures(fit, outer, fitted->form);
  model->validation = rows                                  ? ENTROPIC_VALIDATION_ROWS
                      : forward                             ? ENTROPIC_VALIDATION_FORWARD
                      : outer->parts_scored == outer->parts ? ENTROPIC_VALIDATION_FOLDS
                                                            : ENTROPIC_VALIDATION_PART;
  model->folds = rows ? 0 : forward ? outer->parts_scored : outer->parts;
  model->validation_rows = outer->rows - report->out_of_reach;
  ent_model_set_figures(model, figures.error, figures.loss);
  /* One row, or rows of one error, do not show how rows differ. */
  report->error_spread = outer->rows > 1 && figures.spread > 0 ? figures.spread : NAN;
  report->mean_error = ent_outer_figures(fit, outer, ENT_FORM_CONSTANT).error;
  report->linear_error = outer->linear ? ent_outer_figures(fit, outer, ENT_FORM_REFERENCE).error : NAN;
  report->form = fitted->form == ENT_FORM_STACK ? ENT_FORM_FULL : fitted->form;
  if (!ent_schema_has_classes(&model->schema) && !ent_fit_has_own_loss(fit)) /* it is about squares */
    report->heaviest_share = ent_outer_heaviest(outer, fitted->form, &report->heaviest_rows);
}

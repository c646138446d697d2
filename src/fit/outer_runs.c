/* Runs of outer validation: see outer_runs.h. */
#include "fit/outer_runs.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "fit/interval_factor.h"
#include "fit/kernel_form.h"
#include "fit/outer_beyond.h"
#include "fit/outer_forms.h"
#include "fit/wide.h"
#include "tune/rules.h"

#define OUTER_PARTS ((size_t)5)       /* that are left out at most; there are as many as folds */
#define OUTER_SCORES ((size_t)20)     /* beyond so many, mostly classes, one part is left out */
#define OUTER_MEMBERS ((size_t)2)     /* of a run: what more of them are worth follows from how these differ */
#define OUTER_PILOT_PARTS ((size_t)2) /* of the pilot search of a run */
#define OUTER_SHARE 0.4               /* of the seconds there are, for all runs */
#define STACK_SHARE 0.8               /* the same where they are what a model is made of */

entropic_status ent_outer_start(entropic_context *context, const ent_fit *fit, size_t rows, ent_outer *outer) {
  const entropic_dataset *data = ent_outer_data(fit);
  size_t targets = data->schema.targets;
  *outer = (ent_outer){.targets = targets, .linear = true, .kernel = fit->stacked && ent_kernel_is_candidate(fit)};
  outer->weights = ent_new(context, rows, sizeof *outer->weights);
  outer->reached = ent_new(context, rows, sizeof *outer->reached);
  outer->numbers = ent_new(context, rows, sizeof *outer->numbers);
  outer->run_of = ent_new(context, rows, sizeof *outer->run_of);
  outer->single = ent_new_matrix(context, rows, targets, sizeof *outer->single);
  outer->between = ent_new_matrix(context, rows, targets, sizeof *outer->between);
  outer->surplus = ent_new_matrix(context, rows, targets, sizeof *outer->surplus);
  outer->deviations = ent_new(context, rows, sizeof *outer->deviations);
  bool complete = outer->deviations != NULL && outer->weights != NULL && outer->reached != NULL &&
                  outer->numbers != NULL && outer->run_of != NULL && outer->single != NULL && outer->between != NULL &&
                  outer->surplus != NULL;
  for (size_t f = 0; f < ENT_FORMS; f++) {
    outer->losses[f] = ent_new(context, rows, sizeof *outer->losses[f]);
    outer->errors[f] = ent_new_matrix(context, rows, targets, sizeof *outer->errors[f]);
    outer->predictions[f] = ent_new_matrix(context, rows, targets, sizeof *outer->predictions[f]);
    complete = complete && outer->losses[f] != NULL && outer->errors[f] != NULL && outer->predictions[f] != NULL;
    if (!fit->stacked || !ent_schema_has_classes(&data->schema))
      continue;
    outer->scores[f] = ent_new_matrix(context, rows, fit->scores, sizeof *outer->scores[f]);
    complete = complete && outer->scores[f] != NULL;
  }
  if (data->groups != NULL) {
    ent_fold_options split = {.rows = data->rows, .groups = data->groups};
    outer->groups = ent_group_count(&split);
    outer->group_of = ent_new(context, rows, sizeof *outer->group_of);
    outer->group_sums = ent_new(context, outer->groups, sizeof *outer->group_sums);
    complete = complete && outer->group_of != NULL && outer->group_sums != NULL;
  }
  if (data->time != NULL) {
    outer->times = ent_new(context, rows, sizeof *outer->times);
    outer->group_of = ent_new(context, rows, sizeof *outer->group_of);
    outer->group_sums = ent_new(context, rows, sizeof *outer->group_sums);
    complete = complete && outer->times != NULL && outer->group_of != NULL && outer->group_sums != NULL;
  }
  return complete ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
}

void ent_outer_use_folds(ent_fit *fit, size_t *fold_of, size_t folds) {
  fit->fold_of = fold_of;
  fit->folds = folds;
  fit->splits.fold_of = fold_of;
  fit->splits.folds = folds;
}

/* The kernel, trained on the rows of a run. */
static entropic_status score_kernel(entropic_context *context, const ent_fit *run, const ent_outer_rows *rows,
                                    ent_outer *outer) {
  ent_kernel_form form;
  ent_progress former = ent_progress_hold(context);
  entropic_status status = ent_kernel_form_fit(context, run, &form);
  if (status == ENTROPIC_OK)
    status = ent_kernel_form_score(context, run, &form, rows, outer);
  outer->kernel = form.made;
  ent_kernel_form_clear(&form);
  ent_progress_leave(context, former);
  return status;
}

/* One run: it chooses and trains without one part, whose rows it scores. *stopped_early: its deadline cut it short. `kept`
 * gets what it has made, unless it is NULL. */
static entropic_status run_part(entropic_context *context, const ent_fit *fit, size_t part, ent_outer_parts *p,
                                double deadline, ent_outer *outer, bool *stopped_early, ent_stack_run *kept) {
  ent_fit run = *fit;
  ent_fitted fitted = {.form = ENT_FORM_FULL};
  size_t folds;
  entropic_status status = ent_outer_leave_out(context, fit, part, p, &folds);
  if (status != ENTROPIC_OK || p->in_count == 0 || p->out_count == 0)
    return status;
  ent_outer_use_folds(&run, p->fold_of, folds);
  run.can_validate = ent_fit_can_split(fit, folds);
  ent_fit_prepare_grid(&run);
  run.splits.deadline = deadline;
  run.model_members = fit->residual ? ent_fit_member_count(fit) : 0;
  run.members = run.model_members < OUTER_MEMBERS ? 1 : OUTER_MEMBERS;
  run.pilot_parts = OUTER_PILOT_PARTS;
  run.brief = true;
  run.final = kept != NULL;
  ent_outer_rows rows = {p->out, p->out_count};
  status = ent_outer_score_simple(context, &run, &rows, outer);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_fit_run(context, &run, &fitted.outcome, &fitted.class_validation, &fitted.loss);
  if (status != ENTROPIC_OK)
    goto done;
  *stopped_early = fitted.outcome.report.stopped_early;
  status = ent_outer_score(context, &run, &fitted, &rows, outer);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_keep_inner(context, &run, &fitted.outcome, outer);
  if (status != ENTROPIC_OK)
    goto done;
  if (kept != NULL && outer->kernel)
    status = score_kernel(context, &run, &rows, outer);
  if (status != ENTROPIC_OK)
    goto done;
  outer->rows += p->out_count;
  outer->mean_training_rows += ((double)p->in_count - outer->mean_training_rows) / (double)++outer->parts_scored;
  if (kept == NULL)
    goto done;
  *kept = (ent_stack_run){fitted.outcome, fitted.class_validation, fitted.loss, ent_fit_view(&run), true};
  fitted.outcome = (ent_fit_outcome){0};
done:
  ent_fitted_clear(&fitted);
  ent_fit_narrow(&run);
  /* A class or all variation may be in the part left out: nothing is said of it then. */
  return status == ENTROPIC_BAD_DATA ? ENTROPIC_OK : status;
}

/* How many parts are worth a run each: as much time in all as the fit itself takes. */
static size_t parts_to_run(const ent_fit *fit) {
  if (!fit->residual)
    return OUTER_PARTS;
  if (fit->stacked)
    return SIZE_MAX;
  if (fit->scores > OUTER_SCORES) /* their losses take most of the time, with one part as with several */
    return 1;
  size_t pilot = (ENT_PILOT_ROWS - 1) / fit->train->rows + 1;
  return pilot <= 3 ? pilot : pilot <= 6 ? OUTER_PARTS - 1 : OUTER_PARTS;
}

/* All runs share these. */
typedef struct ent_outer_runs {
  const ent_fit *fit;
  const ent_outer_parts *parts;
  ent_outer *outers;   /* [wanted] one for each run */
  bool *stopped_early; /* [wanted] */
  ent_stack_run *kept; /* [wanted] or NULL */
  double start, end;   /* when they begin, and when they should have ended; end 0: no matter when */
  size_t rounds, at_once;
} ent_outer_runs;

/* When a run should have ended, or 0. It may take twice its share: how long its steps take is only guessed, and two runs
 * that are whole say more than three that were cut short. */
static double run_deadline(const ent_outer_runs *runs, size_t round) {
  double share = fmin(2 * (double)(round + 1) / (double)runs->rounds, 1);
  return runs->end > 0 ? runs->start + (runs->end - runs->start) * share : 0;
}

/* Whether a run of a round would end too late, if it takes as long as those of the rounds before it. */
static bool is_late(const ent_outer_runs *runs, size_t round) {
  double so_far = ent_seconds() - runs->start;
  return runs->end > 0 && round > 0 && so_far / (double)round * (double)(round + 1) > runs->end - runs->start;
}

/* Room of its own for a run. part_of is borrowed, and must be NULL when it is cleared. */
static entropic_status parts_borrow(entropic_context *context, const ent_outer_parts *from, size_t rows,
                                    ent_outer_parts *own) {
  *own = (ent_outer_parts){.part_of = from->part_of, .parts = from->parts, .forward = from->forward};
  own->in = ent_new(context, rows, sizeof *own->in);
  own->out = ent_new(context, rows, sizeof *own->out);
  own->fold_of = ent_new(context, rows, sizeof *own->fold_of);
  return own->in == NULL || own->out == NULL || own->fold_of == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

static entropic_status run_task(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  const ent_outer_runs *runs = shared;
  const ent_fit *fit = runs->fit;
  ent_outer_parts own;
  size_t rows = fit->train->rows, count = 0, round = task / runs->at_once;
  if (is_late(runs, round)) {
    runs->stopped_early[task] = true;
    return ENTROPIC_OK;
  }
  for (size_t r = 0; r < rows; r++)
    count += runs->parts->part_of[r] == task;
  ent_progress former = ent_progress_start(context, "validating", task, runs->parts->parts);
  ent_progress_hold(context); /* what the run is at does not matter */
  entropic_status status = parts_borrow(context, runs->parts, rows, &own);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_start(context, fit, count, &runs->outers[task]);
  if (status != ENTROPIC_OK)
    goto done;
  status = run_part(context, fit, task, &own, run_deadline(runs, round), &runs->outers[task],
                    &runs->stopped_early[task], runs->kept == NULL ? NULL : &runs->kept[task]);
done:
  own.part_of = NULL;
  ent_outer_parts_clear(&own);
  ent_progress_leave(context, former);
  return status;
}

/* Appends the rows of run number `run`. */
static entropic_status append(entropic_context *context, const ent_outer *from, size_t run, size_t scores,
                              ent_outer *outer) {
  size_t at = outer->rows, rows = from->rows, targets = outer->targets;
  outer->linear = outer->linear && from->linear;
  outer->kernel = outer->kernel && from->kernel;
  if (rows == 0)
    return ENTROPIC_OK;
  for (size_t f = 0; f < 2 * ENT_FORMS; f++) {
    entropic_status status =
        ent_beyond_append(context, &from->beyond[f / 2][f % 2], scores, at, &outer->beyond[f / 2][f % 2]);
    if (status != ENTROPIC_OK)
      return status;
  }
  memcpy(outer->weights + at, from->weights, rows * sizeof *from->weights);
  memcpy(outer->numbers + at, from->numbers, rows * sizeof *from->numbers);
  for (size_t r = 0; r < rows; r++)
    outer->run_of[at + r] = run;
  memcpy(outer->single + at * targets, from->single, rows * targets * sizeof *from->single);
  memcpy(outer->between + at * targets, from->between, rows * targets * sizeof *from->between);
  memcpy(outer->surplus + at * targets, from->surplus, rows * targets * sizeof *from->surplus);
  for (size_t f = 0; f < ENT_FORMS; f++) {
    memcpy(outer->losses[f] + at, from->losses[f], rows * sizeof *from->losses[f]);
    memcpy(outer->errors[f] + at * targets, from->errors[f], rows * targets * sizeof *from->errors[f]);
    memcpy(outer->predictions[f] + at * targets, from->predictions[f], rows * targets * sizeof *from->predictions[f]);
    if (outer->scores[f] != NULL)
      memcpy(outer->scores[f] + at * scores, from->scores[f], rows * scores * sizeof *from->scores[f]);
  }
  if (outer->times != NULL)
    memcpy(outer->times + at, from->times, rows * sizeof *from->times);
  if (outer->group_of != NULL)
    memcpy(outer->group_of + at, from->group_of, rows * sizeof *from->group_of);
  outer->rows += rows;
  outer->mean_training_rows += (from->mean_training_rows - outer->mean_training_rows) / (double)++outer->parts_scored;
  return from->inner.rows == 0 ? ENTROPIC_OK : ent_held_predictions_add(context, &from->inner, targets, &outer->inner);
}

entropic_status ent_outer_run_parts(entropic_context *context, const ent_fit *fit, const ent_outer_parts *p,
                                    ent_fitted *fitted, bool *stopped_early) {
  ent_outer *outer = &fitted->outer;
  size_t wanted = parts_to_run(fit);
  double start = ent_seconds(), end = fit->splits.deadline;
  *stopped_early = false;
  if (!ent_fit_can_split(fit, p->parts))
    return ENTROPIC_OK;
  wanted = wanted < p->parts ? wanted : p->parts;
  size_t at_once = (size_t)ent_workers(context, wanted);
  ent_outer_runs runs = {.fit = fit,
                         .parts = p,
                         .outers = ent_new(context, wanted, sizeof *runs.outers),
                         .stopped_early = ent_new(context, wanted, sizeof *runs.stopped_early),
                         .start = start,
                         .end = end > 0 ? start + (fit->stacked ? STACK_SHARE : OUTER_SHARE) * (end - start) : 0,
                         .rounds = (wanted + at_once - 1) / at_once,
                         .at_once = at_once};
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (runs.outers == NULL || runs.stopped_early == NULL)
    goto done;
  if (fit->stacked) {
    fitted->stack.runs = runs.kept = ent_new(context, wanted, sizeof *runs.kept);
    if (runs.kept == NULL)
      goto done;
    fitted->stack.run_count = wanted;
  }
  status = ent_parallel_long(context, wanted, run_task, &runs);
  for (size_t j = 0; j < wanted; j++) {
    if (status == ENTROPIC_OK)
      status = append(context, &runs.outers[j], j, fit->scores, outer);
    *stopped_early |= runs.stopped_early[j];
    ent_outer_clear(&runs.outers[j]);
  }
done:
  ent_delete(runs.stopped_early);
  ent_delete(runs.outers);
  return status;
}

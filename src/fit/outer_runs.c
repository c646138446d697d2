/* Runs of outer validation: see outer_runs.h. */
#include "fit/outer_runs.h"

#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "fit/interval_factor.h"
#include "fit/outer_beyond.h"
#include "fit/outer_forms.h"
#include "tune/rules.h"

#define OUTER_PARTS ((size_t)5)       /* that are left out at most; there are as many as folds */
#define OUTER_SCORES ((size_t)20)     /* beyond so many, mostly classes, one part is left out */
#define OUTER_MEMBERS ((size_t)2)     /* of a run: what more of them are worth follows from how these differ */
#define OUTER_PILOT_PARTS ((size_t)2) /* of the pilot search of a run */
#define OUTER_SHARE 0.4               /* of the seconds there are, for all runs */

entropic_status ent_outer_start(entropic_context *context, const ent_fit *fit, size_t rows, ent_outer *outer) {
  const entropic_dataset *data = ent_outer_data(fit);
  size_t targets = data->schema.targets;
  *outer = (ent_outer){.targets = targets, .linear = true};
  outer->weights = ent_new(context, rows, sizeof *outer->weights);
  outer->reached = ent_new(context, rows, sizeof *outer->reached);
  outer->numbers = ent_new(context, rows, sizeof *outer->numbers);
  outer->single = ent_new_matrix(context, rows, targets, sizeof *outer->single);
  outer->surplus = ent_new_matrix(context, rows, targets, sizeof *outer->surplus);
  outer->deviations = ent_new(context, rows, sizeof *outer->deviations);
  bool complete = outer->deviations != NULL && outer->weights != NULL && outer->reached != NULL &&
                  outer->numbers != NULL && outer->single != NULL && outer->surplus != NULL;
  for (size_t f = 0; f < ENT_FORMS; f++) {
    outer->losses[f] = ent_new(context, rows, sizeof *outer->losses[f]);
    outer->errors[f] = ent_new_matrix(context, rows, targets, sizeof *outer->errors[f]);
    outer->predictions[f] = ent_new_matrix(context, rows, targets, sizeof *outer->predictions[f]);
    complete = complete && outer->losses[f] != NULL && outer->errors[f] != NULL && outer->predictions[f] != NULL;
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

/* One run: it chooses and trains without one part. The part's rows follow those of *outer. */
static entropic_status run_part(entropic_context *context, const ent_fit *fit, size_t part, ent_outer_parts *p,
                                double deadline, ent_outer *outer) {
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
  ent_outer_rows rows = {p->out, p->out_count};
  status = ent_outer_score_simple(context, &run, &rows, outer);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_fit_run(context, &run, &fitted.outcome, &fitted.class_validation, &fitted.loss);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_score(context, &run, &fitted, &rows, outer);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_outer_keep_inner(context, &run, &fitted.outcome, outer);
  if (status != ENTROPIC_OK)
    goto done;
  outer->rows += p->out_count;
  outer->mean_training_rows += ((double)p->in_count - outer->mean_training_rows) / (double)++outer->parts_scored;
done:
  ent_fitted_clear(&fitted);
  /* A class or all variation may be in the part left out: nothing is said of it then. */
  return status == ENTROPIC_BAD_DATA ? ENTROPIC_OK : status;
}

/* How many parts are worth a run each: as much time in all as the fit itself takes. */
static size_t parts_to_run(const ent_fit *fit) {
  if (!fit->residual)
    return OUTER_PARTS;
  if (fit->scores > OUTER_SCORES) /* their losses take most of the time, with one part as with several */
    return 1;
  size_t pilot = (ENT_PILOT_ROWS - 1) / fit->train->rows + 1;
  return pilot <= 3 ? pilot : pilot <= 6 ? OUTER_PARTS - 1 : OUTER_PARTS;
}

/* All runs share these. */
typedef struct ent_outer_runs {
  const ent_fit *fit;
  const ent_outer_parts *parts;
  ent_outer *outers; /* [wanted] one for each run */
} ent_outer_runs;

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
  size_t rows = fit->train->rows, count = 0;
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
  status = run_part(context, fit, task, &own, 0, &runs->outers[task]);
done:
  own.part_of = NULL;
  ent_outer_parts_clear(&own);
  ent_progress_leave(context, former);
  return status;
}

/* Appends the rows of one run. */
static entropic_status append(entropic_context *context, const ent_outer *from, size_t scores, ent_outer *outer) {
  size_t at = outer->rows, rows = from->rows, targets = outer->targets;
  outer->linear = outer->linear && from->linear;
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
  memcpy(outer->single + at * targets, from->single, rows * targets * sizeof *from->single);
  memcpy(outer->surplus + at * targets, from->surplus, rows * targets * sizeof *from->surplus);
  for (size_t f = 0; f < ENT_FORMS; f++) {
    memcpy(outer->losses[f] + at, from->losses[f], rows * sizeof *from->losses[f]);
    memcpy(outer->errors[f] + at * targets, from->errors[f], rows * targets * sizeof *from->errors[f]);
    memcpy(outer->predictions[f] + at * targets, from->predictions[f], rows * targets * sizeof *from->predictions[f]);
  }
  if (outer->times != NULL)
    memcpy(outer->times + at, from->times, rows * sizeof *from->times);
  if (outer->group_of != NULL)
    memcpy(outer->group_of + at, from->group_of, rows * sizeof *from->group_of);
  outer->rows += rows;
  outer->mean_training_rows += (from->mean_training_rows - outer->mean_training_rows) / (double)++outer->parts_scored;
  return from->inner.rows == 0 ? ENTROPIC_OK : ent_held_predictions_add(context, &from->inner, targets, &outer->inner);
}

/* All runs, spread over the threads. */
static entropic_status run_together(entropic_context *context, const ent_fit *fit, const ent_outer_parts *p,
                                    size_t wanted, ent_outer *outer) {
  ent_outer_runs runs = {.fit = fit, .parts = p, .outers = ent_new(context, wanted, sizeof *runs.outers)};
  if (runs.outers == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_parallel_long(context, wanted, run_task, &runs);
  for (size_t j = 0; j < wanted; j++) {
    if (status == ENTROPIC_OK)
      status = append(context, &runs.outers[j], fit->scores, outer);
    ent_outer_clear(&runs.outers[j]);
  }
  ent_delete(runs.outers);
  return status;
}

/* One run after the other, as long as there is time. */
static entropic_status run_in_turn(entropic_context *context, const ent_fit *fit, ent_outer_parts *p, size_t wanted,
                                   ent_outer *outer, bool *stopped_early) {
  double start = ent_seconds(), end = fit->splits.deadline, last = 0;
  for (size_t j = 0; j < wanted; j++) {
    double now = ent_seconds(), share = OUTER_SHARE * (end - start) / (double)wanted;
    if (j > 0 && now - start + last > OUTER_SHARE * (end - start)) {
      *stopped_early = true;
      return ENTROPIC_OK;
    }
    ent_progress former = ent_progress_start(context, "validating", j, p->parts);
    ent_progress_hold(context); /* what the run is at does not matter */
    entropic_status status = run_part(context, fit, j, p, now + share, outer);
    ent_progress_leave(context, former);
    if (status != ENTROPIC_OK)
      return status;
    last = ent_seconds() - now;
  }
  return ENTROPIC_OK;
}

entropic_status ent_outer_run_parts(entropic_context *context, const ent_fit *fit, ent_outer_parts *p, ent_outer *outer,
                                    bool *stopped_early) {
  size_t wanted = parts_to_run(fit);
  wanted = wanted < p->parts ? wanted : p->parts;
  *stopped_early = false;
  if (!ent_fit_can_split(fit, p->parts))
    return ENTROPIC_OK;
  return fit->splits.deadline > 0 ? run_in_turn(context, fit, p, wanted, outer, stopped_early)
                                  : run_together(context, fit, p, wanted, outer);
}

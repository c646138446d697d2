/* The weights of a model found anew from rows alone: all that there is for losses without statistics. */
#include <math.h>
#include <string.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/report.h"
#include "lift/map.h"
#include "model/intervals.h"
#include "model/marginal_sums.h"
#include "model/member_effects.h"
#include "model/row_reader.h"
#include "solve/logistic.h"
#include "solve/majorised.h"
#include "update/collection.h"
#include "update/statistics_calls.h"

#define ROWS_READ ((size_t)1024) /* at a time */

/* Rows in memory, and the weights that come of them. */
typedef struct ent_rows_refit {
  entropic_model *model;
  entropic_row_reader *reader;
  double *x, *y, *weights; /* scaled; the class of each, or -1 and 1 for each score; all above 0 */
  size_t rows, x_capacity, y_capacity, weight_capacity;
  ent_collected collected;
  double *found, *offsets;  /* weights and offsets of the model */
  ent_marginals *marginals; /* of these rows */
  bool converged;
  bool wanted; /* a report is */
  entropic_report *report;
} ent_rows_refit;

static void refit_clear(ent_rows_refit *refit) {
  ent_delete(refit->x);
  ent_delete(refit->y);
  ent_delete(refit->weights);
  ent_delete(refit->found);
  ent_delete(refit->offsets);
  ent_marginals_free(refit->marginals);
  entropic_report_free(refit->report);
}

/* Room for some more rows. */
static entropic_status make_room(entropic_context *context, ent_rows_refit *refit) {
  size_t rows = refit->rows + ROWS_READ;
  size_t values = rows * refit->model->schema.inputs;
  bool done = ent_reserve(context, &refit->x, &refit->x_capacity, values, sizeof *refit->x) &&
              ent_reserve(context, &refit->y, &refit->y_capacity, rows, sizeof *refit->y) &&
              ent_reserve(context, &refit->weights, &refit->weight_capacity, rows, sizeof *refit->weights);
  return done ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
}

/* Keeps those of the last rows that count, and scales them. */
static void keep_rows(ent_rows_refit *refit, size_t count) {
  const entropic_model *model = refit->model;
  size_t inputs = model->schema.inputs, first = refit->rows;
  for (size_t r = first; r < first + count; r++) {
    bool there = !isnan(refit->y[r]);
    refit->collected.without_target += !there;
    refit->collected.without_weight += there && refit->weights[r] == 0;
    if (!there || refit->weights[r] == 0)
      continue;
    memmove(refit->x + refit->rows * inputs, refit->x + r * inputs, inputs * sizeof *refit->x);
    refit->y[refit->rows] = refit->y[r];
    refit->weights[refit->rows++] = refit->weights[r];
  }
  size_t kept = refit->rows - first;
  ent_model_count_data_warnings(model, refit->x + first * inputs, kept, inputs, &refit->collected.warnings);
  ent_scaler_fill_own(model->main.scaler, refit->x + first * inputs, kept);
  refit->collected.rows += kept;
}

static entropic_status read_rows(entropic_context *context, ent_rows_refit *refit) {
  for (size_t count = 1; count > 0;) {
    entropic_status status = make_room(context, refit);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    status = entropic_row_reader_next(context, refit->reader, ROWS_READ,
                                      refit->x + refit->rows * refit->model->schema.inputs, refit->y + refit->rows,
                                      refit->weights + refit->rows, &count);
    if (status != ENTROPIC_OK)
      return status;
    keep_rows(refit, count);
  }
  return refit->rows > 0 ? ENTROPIC_OK
                         : ent_fail(context, ENTROPIC_BAD_DATA, "no row has a target and a weight above 0");
}

/* Newton's method from the weights there are. */
static entropic_status fit_logistic(entropic_context *context, ent_rows_refit *refit, const ent_map *map,
                                    const ent_rows *rows) {
  const entropic_model *model = refit->model;
  ent_logistic *fit = NULL;
  const ent_logistic start = {.features = model->main.features,
                              .classes = model->schema.classes,
                              .scores = model->scores,
                              .weights = model->main.weights,
                              .offsets = model->offsets};
  entropic_status status = ent_logistic_fit(
      context,
      &(ent_logistic_problem){
          .map = map, .rows = rows, .classes = model->schema.classes, .lambda = model->lambda, .start = &start},
      ent_logistic_options_default(), &fit);
  if (status != ENTROPIC_OK)
    return status;
  refit->converged = fit->end == ENT_END_CONVERGED;
  if (fit->end == ENT_END_UNBOUNDED || fit->end == ENT_END_NOT_FINITE) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s", ent_end_text(fit->end));
  } else {
    refit->found = fit->weights;
    refit->offsets = fit->offsets;
    fit->weights = fit->offsets = NULL;
  }
  ent_logistic_free(fit);
  return status;
}

/* Majorisation has no use for where it was: its steps are few. */
static entropic_status fit_majorised(entropic_context *context, ent_rows_refit *refit, const ent_map *map,
                                     const ent_rows *rows) {
  const entropic_model *model = refit->model;
  const ent_loss *loss = ent_loss_of(model->loss);
  const ent_majorised_problem problem = {
      .map = map, .rows = rows, .loss = loss, .parameter = model->loss_parameter, .lambda = model->lambda};
  ent_majorised *fit = NULL;
  entropic_status status = ent_majorised_fit(context, &problem, ent_majorised_options_default(loss), &fit);
  if (status != ENTROPIC_OK)
    return status;
  refit->converged = fit->converged;
  refit->found = fit->weights;
  refit->offsets = fit->offsets;
  fit->weights = fit->offsets = NULL;
  ent_majorised_free(fit);
  return ENTROPIC_OK;
}

/* Weights from the rows in memory. */
static entropic_status fit_rows(entropic_context *context, ent_rows_refit *refit) {
  const entropic_model *model = refit->model;
  bool labels = ent_loss_of(model->loss)->method == ENT_METHOD_NEWTON;
  size_t scores = labels ? 1 : model->scores;
  double *signs = NULL;
  ent_memory_rows memory = {.all = {.rows = refit->rows,
                                    .x = refit->x,
                                    .x_stride = model->schema.inputs,
                                    .y = refit->y,
                                    .y_stride = scores,
                                    .weights = refit->weights,
                                    .missing = true},
                            .inputs = model->schema.inputs,
                            .targets = scores};
  if (!labels && ent_schema_has_classes(&model->schema)) {
    signs = ent_new_matrix(context, refit->rows, scores, sizeof *signs);
    if (signs == NULL)
      return ENTROPIC_NO_MEMORY;
    for (size_t i = 0; i < refit->rows * scores; i++)
      signs[i] = (size_t)refit->y[i / scores] == (scores == 1 ? 1 : i % scores) ? 1 : -1;
    memory.all.y = signs;
  }
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_map map = ent_map_of_lift(model->main.lift);
  entropic_status status =
      labels ? fit_logistic(context, refit, &map, &rows) : fit_majorised(context, refit, &map, &rows);
  if (status == ENTROPIC_OK)
    status = ent_marginals_of_rows(context, model->main.design, &rows, refit->rows, &refit->marginals);
  ent_memory_rows_clear(&memory);
  ent_delete(signs);
  return status;
}

/* Squared loss: by statistics, each member by itself. */
static entropic_status solve_rows(entropic_context *context, ent_rows_refit *refit) {
  entropic_model with = *refit->model;
  ent_solution solution = {0};
  entropic_status status = ent_marginal_statistics(context, &with, &with.totals);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_collect(context, &with, refit->reader, NULL, with.totals, &refit->collected);
  if (status != ENTROPIC_OK)
    goto done;
  with.total_rows = refit->collected.rows;
  status = ent_solution_find(context, &with, ENT_LAMBDA_OF_DESIGN, &solution);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_marginals_of_statistics(context, &with, with.totals, &refit->marginals);
  if (status != ENTROPIC_OK)
    goto done;
  refit->converged = true;
  refit->found = solution.weights;
  refit->offsets = solution.offsets;
  solution.weights = solution.offsets = NULL;
done:
  ent_solution_clear(&solution);
  ent_fixed_free(with.totals);
  return status;
}

static entropic_status find_weights(entropic_context *context, void *arguments) {
  ent_rows_refit *refit = arguments;
  entropic_status status;
  if (ent_loss_has(refit->model->loss, ENT_LOSS_STATISTICS)) {
    status = solve_rows(context, refit);
  } else {
    status = read_rows(context, refit);
    if (status == ENTROPIC_OK)
      status = fit_rows(context, refit);
  }
  if (status != ENTROPIC_OK || !refit->wanted)
    return status;
  entropic_report *made;
  status = entropic_report_create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  ent_report_rows(made, &refit->collected, refit->collected.rows);
  entropic_report_add_flag(made, "converged", refit->converged);
  return ent_report_finish(context, made, &refit->report);
}

static void apply(ent_rows_refit *refit) {
  entropic_model *model = refit->model;
  memcpy(model->main.weights, refit->found, model->scores * model->main.features * sizeof *model->main.weights);
  memcpy(model->offsets, refit->offsets, model->scores * sizeof *model->offsets);
  model->rows = (size_t)refit->collected.rows;
  model->converged = refit->converged;
  model->validation = ENTROPIC_VALIDATION_NONE; /* whatever was measured was another model */
  model->folds = model->validation_rows = 0;
  model->validation_error = model->validation_loss = NAN;
  ent_model_drop_intervals(model);
  ent_model_drop_member_effects(model);
  ent_marginals_free(model->marginals);
  model->marginals = refit->marginals;
  refit->marginals = NULL;
}

/* Models that keep statistics have better ways. */
static entropic_status check_model(entropic_context *context, const entropic_model *model) {
  if (model->totals != NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "the model keeps the statistics of its rows: update and forget change it exactly");
  if (model->solver == ENTROPIC_SOLVER_EXACT || model->more_count > 0 || model->means != NULL ||
      ent_loss_has(model->loss, ENT_LOSS_STATISTICS))
    return ent_frozen_check(context, model);
  return ENTROPIC_OK;
}

entropic_status entropic_model_refit(entropic_context *context, entropic_model *model, entropic_row_reader *reader,
                                     entropic_report **report) {
  ENT_NEED(context, model);
  ENT_NEED(context, reader);
  entropic_status status = check_model(context, model);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_statistics_check_reader(context, model, reader);
  if (status != ENTROPIC_OK)
    return status;
  ent_rows_refit refit = {.model = model, .reader = reader, .wanted = report != NULL};
  ent_blas_prepare(context);
  status = ent_call_run(context, "fitting", find_weights, &refit);
  if (status != ENTROPIC_OK)
    goto done;
  apply(&refit);
  if (report != NULL) {
    *report = refit.report;
    refit.report = NULL;
  }
done:
  refit_clear(&refit);
  return status;
}

/* Fitting a model. What is not given is searched for with the squared loss. Classes are then validated with the
 * logistic loss too. The weights are trained on all rows. */
#include "fit/outer.h"
#include "fit/outer_beyond.h"
#include "fit/wide.h"

#include <math.h>
#include <string.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "solve/ridge.h"
#include "tune/members.h"
#include "tune/recipe.h"
#include "tune/rules.h"
#include "update/statistics_calls.h"

void ent_fit_outcome_clear(ent_fit_outcome *outcome) {
  for (size_t m = 0; outcome->lists != NULL && m < outcome->member_count; m++)
    ent_delete(outcome->lists[m]);
  ent_delete(outcome->lists);
  ent_delete(outcome->missing);
  ent_members_free(outcome->members, outcome->member_count);
  ent_lifting_clear(&outcome->lifting);
  entropic_kernel_free(outcome->kernel);
  ent_learnt_clear(&outcome->learnt);
  ent_statistics_free(outcome->total);
  ent_delete(outcome->errors);
  ent_delete(outcome->variances);
  ent_held_predictions_clear(&outcome->held);
  *outcome = (ent_fit_outcome){0};
}

static ent_learner learner_of(const ent_fit_outcome *outcome) {
  return (ent_learner){.solver = outcome->solver,
                       .map = outcome->kernel == NULL ? &outcome->lifting.map : NULL,
                       .kernel = outcome->kernel};
}

entropic_validation ent_fit_validation(const ent_fit *fit, size_t parts) {
  return fit->valid != NULL    ? ENTROPIC_VALIDATION_ROWS
         : fit->splits.forward ? ENTROPIC_VALIDATION_FORWARD
         : parts == fit->folds ? ENTROPIC_VALIDATION_FOLDS
                               : ENTROPIC_VALIDATION_PART;
}

/* How many rows the first parts have. */
static size_t rows_of_parts(const ent_fit *fit, size_t parts) {
  if (fit->valid != NULL)
    return fit->valid->rows;
  size_t rows = 0;
  for (size_t r = 0; r < fit->train->rows; r++)
    rows += fit->fold_of[r] < parts;
  return rows;
}

static void set_parts(const ent_fit *fit, size_t parts, ent_fit_outcome *outcome) {
  outcome->parts = fit->valid != NULL ? 1 : parts;
  outcome->validation = ent_fit_validation(fit, parts);
  outcome->validation_rows = rows_of_parts(fit, parts);
}

/* Takes over what a search has found besides the weights. */
static void take_result(const ent_fit *fit, size_t parts, ent_search_result *result, ent_fit_outcome *outcome) {
  outcome->lambda = result->lambda;
  outcome->link = result->link;
  outcome->errors = result->validation.errors;
  outcome->variances = result->validation.variances;
  result->validation.errors = result->validation.variances = NULL;
  outcome->held = result->validation.held;
  result->validation.held = (ent_held_predictions){0};
  outcome->missing = result->missing;
  result->missing = NULL;
  set_parts(fit, parts, outcome);
  ent_fit_report_curve(fit, &result->curve, &outcome->report);
  outcome->report.stopped_early = result->stopped_early;
  outcome->report.largest = result->largest;
  outcome->report.search = result->seconds;
}

/* Direct: everything follows from statistics. */
static entropic_status search_direct(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome) {
  ent_search_result result;
  ent_ridge *ridge = NULL;
  entropic_status status = ent_search(context, &fit->splits, &fit->features, &fit->grid, &result);
  if (status != ENTROPIC_OK)
    return status;
  double start = ent_seconds();
  if (!ent_schema_has_classes(&fit->train->schema))
    status = ent_search_set_variances(context, &fit->splits, &result);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, result.statistics.total, &result.lambda, 1, ENT_METHOD_AUTO, &ridge);
  if (status != ENTROPIC_OK)
    goto done;
  outcome->learnt = (ent_learnt){.features = ridge->features,
                                 .scores = ridge->targets,
                                 .count = 1,
                                 .weights = ridge->weights,
                                 .offsets = ridge->means};
  ridge->weights = ridge->means = NULL;
  outcome->lifting = result.lifting;
  result.lifting = (ent_lifting){0};
  outcome->total = result.statistics.total;
  result.statistics.total = NULL;
  result.seconds.solve += ent_seconds() - start;
  take_result(fit, fit->folds, &result, outcome);
done:
  ent_ridge_free(ridge);
  ent_search_result_clear(&result);
  return status;
}

/* The recipe of a fit; *unscaled becomes the rows before scaling. */
static ent_recipe recipe_of(const ent_fit *fit, ent_view *unscaled) {
  entropic_loss loss = fit->options->loss;
  entropic_target_scale scale = fit->options->target_scale;
  bool may_be_logistic = ent_schema_has_classes(&fit->train->schema) && fit->scores == 1 &&
                         (loss == ENTROPIC_LOSS_AUTO || ent_loss_has(loss, ENT_LOSS_PROBABILITIES));
  bool has_missing = false;
  *unscaled = (ent_view){.x = fit->train->x,
                         .valid_x = fit->valid == NULL ? NULL : fit->valid->x,
                         .columns = fit->train->columns,
                         .valid_columns = fit->valid == NULL ? NULL : fit->valid->columns};
  for (size_t i = 0; i < fit->inputs; i++)
    has_missing |= fit->train->schema.input[i].missing;
  return (ent_recipe){.splits = &fit->splits,
                      .views = fit->views,
                      .view_count = fit->view_count,
                      .missing = has_missing ? unscaled : NULL,
                      .features = &fit->features,
                      .classes = ent_schema_has_classes(&fit->train->schema),
                      .options = {.omegas = fit->grid.omega_count == 1 ? fit->grid.omegas : NULL,
                                  .size = fit->size, /* 0 if it was left open */
                                  .lambda = fit->grid.lambda_count == 1 ? fit->grid.lambdas[0] : -1,
                                  .smooth_given = fit->options->axis.smooth != ENT_SMOOTH_AUTO,
                                  .root = ent_fit_has_own_loss(fit)             ? ENT_ROOT_NEVER
                                          : scale == ENTROPIC_TARGET_SCALE_AUTO ? ENT_ROOT_IF_BETTER
                                          : scale == ENTROPIC_TARGET_SCALE_ROOT ? ENT_ROOT_ALWAYS
                                                                                : ENT_ROOT_NEVER,
                                  .selection_loss = may_be_logistic ? ENT_BY_BETTER : ENT_BY_SQUARES,
                                  .members = fit->members > 0 ? fit->members : fit->options->ensemble,
                                  .pilot_parts = fit->pilot_parts,
                                  .rounded = fit->options->keep_statistics,
                                  .brief = fit->brief,
                                  .final = fit->final,
                                  .leave_one_out = ent_intervals_by_members(fit)}};
}

size_t ent_fit_member_count(const ent_fit *fit) {
  ent_view unscaled;
  ent_recipe recipe = recipe_of(fit, &unscaled);
  return ent_member_count(&recipe);
}

/* Features chosen from the data. */
static entropic_status search_selected(entropic_context *context, ent_fit *fit, ent_fit_outcome *outcome) {
  ent_search_result result;
  ent_view unscaled, unscaled_wide;
  ent_recipe recipe = recipe_of(fit, &unscaled), wide;
  size_t view = 0;
  entropic_status status = ent_fit_offer(context, fit);
  if (status != ENTROPIC_OK)
    return status;
  if (fit->wide != NULL && !fit->wide->taken) {
    wide = recipe_of(&fit->wide->fit, &unscaled_wide);
    recipe.offer = (ent_recipe_offer){&wide, fit->wide->means->singles};
  }
  status = ent_recipe_run(context, &recipe, &view, &result, &outcome->members, &outcome->member_count);
  if (status != ENTROPIC_OK)
    return status;
  if (result.wide)
    ent_fit_widen(fit);
  ent_fit_use(fit, view);
  outcome->solver = ENTROPIC_SOLVER_DIRECT;
  take_result(fit, result.validation.folds, &result, outcome);
  outcome->report.members = result.validation.folds;
  outcome->validation_rows = result.validation.rows;
  ent_search_result_clear(&result);
  return ENTROPIC_OK;
}

/* The best lambda by refits; the mean squares there are kept. */
static entropic_status choose_lambda(entropic_context *context, const ent_fit *fit, size_t parts,
                                     ent_fit_outcome *outcome) {
  size_t count = fit->grid.lambda_count, scores = fit->scores;
  ent_lambda_list lambdas = {fit->grid.lambdas, count};
  ent_learner learner = learner_of(outcome);
  double *errors = ent_new_matrix(context, count, scores, sizeof *errors);
  double *variances = ent_new_matrix(context, count, scores, sizeof *variances);
  ent_refit_errors output = {.errors = errors, .variances = variances};
  entropic_status status = errors == NULL || variances == NULL
                               ? ENTROPIC_NO_MEMORY
                               : ent_validate_by_refits(context, &learner, &fit->splits, parts, lambdas, &output);
  if (status != ENTROPIC_OK) {
    ent_delete(errors);
    ent_delete(variances);
    return status;
  }
  size_t best = ent_splits_best(&fit->splits, errors, count);
  memmove(errors, errors + best * scores, scores * sizeof *errors);
  memmove(variances, variances + best * scores, scores * sizeof *variances);
  ent_delete(outcome->errors);
  ent_delete(outcome->variances);
  outcome->errors = errors;
  outcome->variances = variances;
  outcome->lambda = fit->grid.lambdas[best];
  set_parts(fit, parts, outcome);
  return ENTROPIC_OK;
}

/* Weights from all rows that take part. */
static entropic_status learn_all(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome) {
  ent_row_subset all;
  ent_learner learner = learner_of(outcome);
  entropic_status status = ent_splits_active_rows(context, &fit->splits, &fit->splits.train, fit->scores, &all);
  if (status != ENTROPIC_OK)
    return status;
  ent_rows rows = ent_rows_of_subset(&all);
  ent_progress_at(context, "solving", 0, 1);
  ent_learnt_clear(&outcome->learnt);
  status = ent_learn(context, &learner, &rows, &outcome->lambda, 1, &outcome->learnt);
  ent_row_subset_clear(&all);
  return status;
}

/* Weights by refits, once features or kernel are settled. */
static entropic_status learn_by_refits(entropic_context *context, const ent_fit *fit, size_t features,
                                       ent_fit_outcome *outcome) {
  double start = ent_seconds();
  entropic_status status = ENTROPIC_OK;
  outcome->lambda = fit->grid.lambdas[0];
  /* An iteration is slow: with lambda given it is not worth another one to validate it. */
  bool wanted = fit->grid.lambda_count > 1 || outcome->solver != ENTROPIC_SOLVER_ITERATIVE;
  if (fit->can_validate && wanted)
    status = choose_lambda(context, fit, ent_fit_parts(fit, features), outcome);
  if (status != ENTROPIC_OK)
    return status;
  status = learn_all(context, fit, outcome);
  outcome->report.search.solve += ent_seconds() - start;
  outcome->report.ended = outcome->learnt.ended;
  return status;
}

/* size: how many features there will be, 0 where they are not counted. */
static entropic_status search_omega(entropic_context *context, const ent_fit *fit, size_t size, double *omega,
                                    ent_fit_outcome *outcome) {
  ent_search_result result = {0};
  if (size == 0 || size > ENT_PILOT_SIZE)
    size = ENT_PILOT_SIZE;
  entropic_status status = ent_search_omega(context, &fit->splits, &fit->features, &fit->grid, size, &result);
  *omega = result.omega;
  ent_search_seconds_add(&result.seconds, 1, &outcome->report.search);
  return status;
}

/* Features by omega, then lambda by refits: for solvers without statistics, and where nothing can be validated. */
static entropic_status search_by_refits(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome) {
  double omega = 0;
  size_t size = fit->grid.sizes[fit->grid.size_count - 1];
  entropic_status status = search_omega(context, fit, size, &omega, outcome);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_features_make(context, &fit->features, omega, size, &outcome->lifting);
  if (status != ENTROPIC_OK)
    return status;
  outcome->report.search.design += outcome->lifting.seconds;
  return learn_by_refits(context, fit, outcome->lifting.map.features, outcome);
}

/* The kernel itself. Its omega is searched for with features, which stand for it. */
static entropic_status search_exact(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome) {
  double omega = 0;
  entropic_status status = search_omega(context, fit, 0, &omega, outcome);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_features_kernel(context, &fit->features, omega, &outcome->kernel);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_kernel_check_range(context, outcome->kernel);
  return status != ENTROPIC_OK ? status : learn_by_refits(context, fit, fit->train->rows, outcome);
}

/* Which solver, where that is left open: the direct one if sizes are to be compared, otherwise by cost. */
static entropic_status choose_solver(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome) {
  outcome->solver = fit->options->solver;
  if (outcome->solver != ENTROPIC_SOLVER_AUTO)
    return ENTROPIC_OK;
  outcome->solver = ENTROPIC_SOLVER_DIRECT;
  if (fit->grid.size_count > 1)
    return ENTROPIC_OK;
  ent_lifting lifting;
  entropic_status status = ent_features_make(context, &fit->features, 0, fit->grid.sizes[0], &lifting);
  if (status != ENTROPIC_OK)
    return status;
  outcome->solver = ent_cheapest_solver(fit->train->rows, lifting.map.features, lifting.map.nonzeros);
  ent_lifting_clear(&lifting);
  return ENTROPIC_OK;
}

static entropic_status search(entropic_context *context, ent_fit *fit, ent_fit_outcome *outcome) {
  if (fit->residual && fit->can_validate)
    return search_selected(context, fit, outcome);
  entropic_status status = choose_solver(context, fit, outcome);
  if (status != ENTROPIC_OK)
    return status;
  if (outcome->solver == ENTROPIC_SOLVER_EXACT)
    return search_exact(context, fit, outcome);
  if (outcome->solver == ENTROPIC_SOLVER_DIRECT && fit->can_validate)
    return search_direct(context, fit, outcome);
  return search_by_refits(context, fit, outcome);
}

/* How many features members have, before they become one model. */
static void count_member_features(ent_fit_outcome *outcome) {
  ent_fit_report *report = &outcome->report;
  for (size_t m = 0; m < outcome->member_count; m++) {
    size_t features = outcome->members[m].lifting.map.features;
    report->member_least = m == 0 || features < report->member_least ? features : report->member_least;
    report->member_most = features > report->member_most ? features : report->member_most;
  }
}

entropic_status ent_fit_average_members(entropic_context *context, ent_fit_outcome *outcome) {
  ent_member model = outcome->members[0];
  count_member_features(outcome);
  if (outcome->member_count > 1) {
    outcome->lists = ent_new(context, outcome->member_count, sizeof *outcome->lists);
    if (outcome->lists == NULL)
      return ENTROPIC_NO_MEMORY;
    entropic_status status = ent_average(context, outcome->members, outcome->member_count, &model, outcome->lists);
    if (status != ENTROPIC_OK)
      return status;
  } else {
    outcome->members[0] = (ent_member){
        .final_weights = model.final_weights, .final_offsets = model.final_offsets, .left_out = model.left_out};
  }
  outcome->lifting = model.lifting;
  outcome->learnt = (ent_learnt){.features = model.lifting.map.features,
                                 .scores = model.scores,
                                 .count = 1,
                                 .weights = model.weights,
                                 .offsets = model.offsets};
  return ENTROPIC_OK;
}

/* Numbers of a loss of their own: a second search, by the squares that touch the loss where the first one has ended. */
static entropic_status search_again(entropic_context *context, ent_fit *fit, ent_fit_outcome *outcome) {
  const double *y = fit->splits.train.y;
  ent_search_seconds first;
  double *targets = NULL;
  entropic_status status = ent_fit_own_loss(context, fit, outcome);
  if (status != ENTROPIC_OK)
    return status;
  targets = ent_new(context, fit->train->rows, sizeof *targets);
  if (targets == NULL)
    return ENTROPIC_NO_MEMORY;
  status = ent_fit_touching_targets(context, fit, outcome, targets);
  if (status != ENTROPIC_OK)
    goto done;
  first = outcome->report.search;
  ent_fit_outcome_clear(outcome);
  outcome->report.members = 1;
  fit->splits.train.y = targets;
  status = search(context, fit, outcome);
  fit->splits.train.y = y;
  if (status != ENTROPIC_OK)
    goto done;
  ent_search_seconds_add(&first, 1, &outcome->report.search);
  status = ent_fit_own_loss(context, fit, outcome);
done:
  fit->splits.train.y = y;
  ent_delete(targets);
  return status;
}

entropic_status ent_fit_run(entropic_context *context, ent_fit *fit, ent_fit_outcome *outcome,
                            ent_class_validation *class_validation, entropic_loss *loss) {
  *outcome = (ent_fit_outcome){.report.members = 1};
  *class_validation = (ent_class_validation){.inverse_temperature = 1};
  *loss = ent_fit_loss(fit); /* of numbers */
  entropic_status status = search(context, fit, outcome);
  if (status != ENTROPIC_OK)
    return status;
  if (ent_schema_has_classes(&fit->train->schema))
    status = ent_fit_choose_class_loss(context, fit, outcome, class_validation, loss);
  else if (ent_fit_has_own_loss(fit))
    status = search_again(context, fit, outcome);
  if (!fit->residual)
    outcome->report.largest = fit->grid.size_count > 1 ? fit->grid.sizes[fit->grid.size_count - 1] : 0;
  return status;
}

entropic_status ent_fit_finish(entropic_context *context, ent_fit *fit, ent_fit_outcome *outcome,
                               const ent_class_validation *class_validation, entropic_loss loss) {
  entropic_status status;
  double start = ent_seconds();
  if (ent_schema_has_classes(&fit->train->schema) && !ent_loss_has(loss, ENT_LOSS_STATISTICS)) {
    status = ent_fit_finish_classes(context, fit, outcome, class_validation, loss);
  } else if (outcome->members != NULL) {
    ent_members_finish(outcome->members, outcome->member_count);
    status = ENTROPIC_OK;
  } else {
    status = learn_all(context, fit, outcome);
  }
  if (status == ENTROPIC_OK)
    status = ent_fit_own_loss(context, fit, outcome);
  outcome->report.search.solve += ent_seconds() - start;
  return status;
}

/* A fit that chose nothing reports the errors of its own folds. */
static entropic_status assemble(entropic_context *context, ent_fit *fit, ent_fitted *fitted, entropic_model *model) {
  entropic_status status = ENTROPIC_OK;
  bool stacked = fitted->form == ENT_FORM_STACK;
  if (!stacked && fitted->outcome.members != NULL)
    status = ent_fit_average_members(context, &fitted->outcome);
  if (status != ENTROPIC_OK)
    return status;
  status = stacked
               ? ent_stack_assemble(context, fit, fitted, model)
               : ent_fit_assemble(context, fit, &fitted->outcome, &fitted->class_validation, fitted->loss, NULL, model);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_beyond_apply(context, fitted, model);
  if (status != ENTROPIC_OK)
    return status;
  if (!stacked)
    status = ent_fit_freeze(context, fit, &fitted->outcome, model);
  if (status != ENTROPIC_OK)
    return status;
  if (fitted->needed)
    ent_outer_report(fit, fitted, model);
  else
    status = ent_fit_report_errors(context, fit, &fitted->outcome, model, &fitted->outcome.report);
  if (status != ENTROPIC_OK)
    return status;
  double start = ent_seconds();
  status = ent_outer_intervals(context, fit, fitted, model);
  fitted->outcome.report.intervals = ent_seconds() - start;
  return status;
}

/* The arguments of ent_model_fit, and what it gives. */
typedef struct ent_fit_call {
  const entropic_dataset *train, *valid;
  const ent_fit_options *options;
  ent_fit_report report;
  entropic_model *model;
} ent_fit_call;

/* What the restriction costs: the fit without it is validated on the same rows, and its errors are kept. */
static entropic_status validate_unrestricted(entropic_context *context, ent_fit_call *call) {
  ent_fit_options options = *call->options;
  ent_fit_report *report = &call->report;
  ent_fit fit;
  ent_fitted fitted = {0};
  options.restriction = NULL;
  entropic_status status = ent_fit_prepare(context, call->train, call->valid, &options, &fit);
  if (status != ENTROPIC_OK)
    return status;
  entropic_model *reference = ent_new(context, 1, sizeof *reference);
  status = ENTROPIC_NO_MEMORY;
  if (reference == NULL)
    goto done;
  fit.validate_only = true;
  status = ent_outer_fit(context, &fit, &fitted);
  if (status != ENTROPIC_OK)
    goto done;
  if (fitted.needed)
    ent_outer_report(&fit, &fitted, reference);
  else
    status = assemble(context, &fit, &fitted, reference);
  if (status != ENTROPIC_OK)
    goto done;
  report->unrestricted_error = reference->validation_error;
  report->unrestricted_loss = reference->validation_loss;
  report->unrestricted_spread = fitted.outcome.report.error_spread;
done:
  entropic_model_free(reference);
  ent_fitted_clear(&fitted);
  ent_fit_clear(&fit);
  return status;
}

static entropic_status fit_model(entropic_context *context, void *arguments) {
  ent_fit_call *call = arguments;
  double start = ent_seconds();
  ent_fit fit;
  ent_fitted fitted = {0};
  entropic_status status = ent_fit_prepare(context, call->train, call->valid, call->options, &fit);
  if (status != ENTROPIC_OK)
    return status;
  status = ENTROPIC_NO_MEMORY;
  double prepared = ent_seconds(), validation;
  call->model = ent_new(context, 1, sizeof *call->model);
  if (call->model == NULL)
    goto done;
  status = ent_outer_fit(context, &fit, &fitted);
  if (status != ENTROPIC_OK)
    goto done;
  validation = ent_seconds() - prepared - fitted.seconds;
  status = assemble(context, &fit, &fitted, call->model);
  if (status != ENTROPIC_OK)
    goto done;
  call->report = fitted.outcome.report;
  call->report.prepare = prepared - start;
  call->report.validation = validation;
  double collecting = ent_seconds();
  if (call->train->all_rows != NULL)
    status = ent_fit_full_pass(context, &fit, call->model, &call->report);
  else if (call->options->keep_statistics)
    status = ent_model_keep_statistics(context, call->train, call->model);
  if (status != ENTROPIC_OK)
    goto done;
  call->report.full_pass = ent_seconds() - collecting;
  call->report.unrestricted_error = call->report.unrestricted_spread = call->report.unrestricted_loss = NAN;
done:
  ent_fitted_clear(&fitted);
  ent_fit_clear(&fit);
  double unrestricted = ent_seconds();
  if (status == ENTROPIC_OK && call->options->restriction != NULL && call->options->unrestricted &&
      call->options->seconds == 0 && call->model->validation != ENTROPIC_VALIDATION_NONE)
    status = validate_unrestricted(context, call);
  call->report.validation += ent_seconds() - unrestricted;
  call->report.total = ent_seconds() - start;
  return status;
}

entropic_status ent_model_fit(entropic_context *context, const entropic_dataset *train, const entropic_dataset *valid,
                              const ent_fit_options *options, ent_fit_report *report, entropic_model **model) {
  if (train == NULL || options == NULL || model == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL",
                    train == NULL     ? "train"
                    : options == NULL ? "options"
                                      : "model");
  ent_fit_call call = {.train = train, .valid = valid, .options = options};
  ent_blas_prepare(context);
  entropic_status status = ent_call_run(context, "learning", fit_model, &call);
  if (status != ENTROPIC_OK) {
    entropic_model_free(call.model);
    return status;
  }
  if (report != NULL)
    *report = call.report;
  *model = call.model;
  return ENTROPIC_OK;
}

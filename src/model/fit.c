/* Fitting a model: what is not given is searched for by the squared loss; classes are then also tried with the logistic
 * loss; the weights come from all rows. */
#include "model/fit.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "learn/logistic.h"
#include "learn/pass.h"
#include "learn/ridge.h"

/* What has been found so far. */
typedef struct ent_outcome {
  entropic_solver solver;
  ent_lifting lifting;     /* empty with the exact solver */
  entropic_kernel *kernel; /* of the exact solver */
  double lambda;
  ent_learnt learnt; /* by the squared loss */
  double *errors;    /* [scores] mean squares of validation; NULL without */
  entropic_validation validation;
  size_t validation_rows;
  entropic_fit_report report;
} ent_outcome;

static void outcome_clear(ent_outcome *outcome) {
  ent_lifting_clear(&outcome->lifting);
  entropic_kernel_free(outcome->kernel);
  ent_learnt_clear(&outcome->learnt);
  ent_delete(outcome->errors);
}

static ent_way way_of(const ent_outcome *outcome) {
  return (ent_way){.solver = outcome->solver,
                   .map = outcome->kernel == NULL ? &outcome->lifting.map : NULL,
                   .kernel = outcome->kernel};
}

static entropic_validation kind_of_validation(const ent_fit *fit, size_t parts) {
  return fit->valid != NULL    ? ENTROPIC_VALIDATION_ROWS
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

/* Everything from statistics. */
static entropic_status search_direct(entropic_context *context, const ent_fit *fit, ent_outcome *outcome) {
  ent_found found;
  ent_ridge *ridge = NULL;
  entropic_status status = ent_search(context, &fit->trials, &fit->features, &fit->grid, &found);
  if (status != ENTROPIC_OK)
    return status;
  double start = ent_seconds();
  status = ent_ridge_solve(context, found.total, &found.lambda, 1, ENT_METHOD_AUTO, false, &ridge);
  if (status == ENTROPIC_OK) {
    outcome->learnt = (ent_learnt){.features = ridge->features,
                                   .scores = ridge->targets,
                                   .count = 1,
                                   .weights = ridge->weights,
                                   .offsets = ridge->means};
    ridge->weights = ridge->means = NULL;
    outcome->lambda = found.lambda;
    outcome->lifting = found.lifting;
    outcome->errors = found.errors;
    found.lifting = (ent_lifting){0};
    found.errors = NULL;
    outcome->validation = kind_of_validation(fit, fit->folds);
    outcome->validation_rows = rows_of_parts(fit, fit->folds);
    outcome->report.design = found.design;
    outcome->report.lift = found.lift;
    outcome->report.gram = found.gram;
    outcome->report.solve = found.solve + ent_seconds() - start;
  }
  ent_ridge_free(ridge);
  ent_found_clear(&found);
  return status;
}

/* The best lambda by refits; the mean squares there are kept. */
static entropic_status choose_lambda(entropic_context *context, const ent_fit *fit, size_t parts,
                                     ent_outcome *outcome) {
  size_t count = fit->grid.lambda_count, scores = fit->scores, best = 0;
  ent_way way = way_of(outcome);
  double *errors = ent_new(context, count * scores, sizeof *errors);
  if (errors == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_refit_errors(context, &way, &fit->trials, parts, fit->grid.lambdas, count, errors);
  if (status != ENTROPIC_OK) {
    ent_delete(errors);
    return status;
  }
  for (size_t i = 1; i < count; i++)
    if (ent_trials_sum(&fit->trials, errors + i * scores) < ent_trials_sum(&fit->trials, errors + best * scores))
      best = i;
  memmove(errors, errors + best * scores, scores * sizeof *errors);
  ent_delete(outcome->errors);
  outcome->errors = errors;
  outcome->lambda = fit->grid.lambdas[best];
  outcome->validation = kind_of_validation(fit, parts);
  outcome->validation_rows = rows_of_parts(fit, parts);
  return ENTROPIC_OK;
}

/* Weights by refits, once features or kernel are settled. */
static entropic_status learn_by_refits(entropic_context *context, const ent_fit *fit, size_t features,
                                       ent_outcome *outcome) {
  double start = ent_seconds();
  entropic_status status = ENTROPIC_OK;
  outcome->lambda = fit->grid.lambdas[0];
  /* The iteration takes its time; with lambda given it is not worth more to know how good it is. */
  bool wanted = fit->grid.lambda_count > 1 || outcome->solver != ENTROPIC_SOLVER_ITERATIVE;
  if (fit->can_validate && wanted)
    status = choose_lambda(context, fit, ent_fit_parts(fit, features), outcome);
  ent_memory_rows memory = {.all = fit->trials.train, .inputs = fit->inputs, .targets = fit->scores};
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_way way = way_of(outcome);
  ent_trials_tell(&fit->trials, "solving", 0);
  if (status == ENTROPIC_OK)
    status = ent_learn(context, &way, &rows, &outcome->lambda, 1, &outcome->learnt);
  outcome->report.solve += ent_seconds() - start;
  outcome->report.ended = outcome->learnt.ended;
  return status;
}

#define OMEGA_FEATURES ((size_t)350)

static entropic_status search_omega(entropic_context *context, const ent_fit *fit, double *omega,
                                    ent_outcome *outcome) {
  ent_found found = {0};
  entropic_status status = ent_search_omega(context, &fit->trials, &fit->features, &fit->grid, OMEGA_FEATURES, &found);
  *omega = found.omega;
  outcome->report.design += found.design;
  outcome->report.lift += found.lift;
  outcome->report.gram += found.gram;
  outcome->report.solve += found.solve;
  return status;
}

/* Features by omega, then lambda by refits: for solvers without statistics, and where nothing can be tried. */
static entropic_status search_by_refits(entropic_context *context, const ent_fit *fit, ent_outcome *outcome) {
  double omega = 0;
  size_t size = fit->grid.sizes[fit->grid.size_count - 1];
  entropic_status status = search_omega(context, fit, &omega, outcome);
  if (status == ENTROPIC_OK)
    status = ent_features_make(context, &fit->features, omega, size, &outcome->lifting);
  if (status != ENTROPIC_OK)
    return status;
  outcome->report.design += outcome->lifting.seconds;
  return learn_by_refits(context, fit, outcome->lifting.map.features, outcome);
}

/* The kernel itself. Its omega is searched for with features, which stand for it. */
static entropic_status search_exact(entropic_context *context, const ent_fit *fit, ent_outcome *outcome) {
  double omega = 0;
  entropic_status status = search_omega(context, fit, &omega, outcome);
  if (status == ENTROPIC_OK)
    status = ent_features_kernel(context, &fit->features, omega, &outcome->kernel);
  return status == ENTROPIC_OK ? learn_by_refits(context, fit, fit->train->rows, outcome) : status;
}

/* Which solver, where that is left open: the direct one if sizes are to be compared, otherwise by cost. */
static entropic_status choose_solver(entropic_context *context, const ent_fit *fit, ent_outcome *outcome) {
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

static entropic_status search(entropic_context *context, const ent_fit *fit, ent_outcome *outcome) {
  entropic_status status = choose_solver(context, fit, outcome);
  if (status != ENTROPIC_OK)
    return status;
  if (outcome->solver == ENTROPIC_SOLVER_EXACT)
    return search_exact(context, fit, outcome);
  if (outcome->solver == ENTROPIC_SOLVER_DIRECT && fit->can_validate)
    return search_direct(context, fit, outcome);
  return search_by_refits(context, fit, outcome);
}

/* The first of the grid that is not above 0.1: larger ones leave nothing of the logistic loss. */
static size_t first_logistic(const ent_grid *grid) {
  size_t first = 0;
  while (grid->lambda_count > 1 && first + 1 < grid->lambda_count && grid->lambdas[first] > 0.1)
    first++;
  return first;
}

/* The logistic loss on rows held out; told->rows is 0 if that could not be tried. */
static entropic_status try_logistic(entropic_context *context, const ent_fit *fit, const ent_outcome *outcome,
                                    ent_told *told, ent_logistic **start) {
  const ent_map *map = &outcome->lifting.map;
  size_t first = first_logistic(&fit->grid), parts = ent_fit_parts(fit, map->features);
  *told = (ent_told){.lambda = fit->grid.lambda_count > 1 ? 1e-4 : fit->grid.lambdas[0], .sharpness = 1};
  if (!fit->can_validate)
    return ENTROPIC_OK;
  ent_trials trials = fit->trials;
  ent_block valid = fit->valid_block;
  trials.targets = 1;
  trials.train.y = fit->train->y;
  trials.train.y_stride = 1;
  if (fit->valid != NULL) {
    valid.y = fit->valid->y;
    valid.y_stride = 1;
    trials.valid = &valid;
  }
  double lambda = told->lambda;
  entropic_status status = ent_tell_logistic(context, map, &trials, fit->train->schema.classes, parts,
                                             fit->grid.lambdas + first, fit->grid.lambda_count - first, told, start);
  if (status == ENTROPIC_OK && told->rows == 0)
    *told = (ent_told){.lambda = lambda, .sharpness = 1};
  return status;
}

/* Weights by the logistic loss from all rows. */
static entropic_status fit_logistic(entropic_context *context, const ent_fit *fit, double lambda,
                                    const ent_logistic *start, ent_outcome *outcome) {
  ent_memory_rows memory = {.all = fit->trials.train, .inputs = fit->inputs, .targets = 1};
  memory.all.y = fit->train->y;
  memory.all.y_stride = 1;
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_logistic *logistic = NULL;
  ent_trials_tell(&fit->trials, "solving", 0);
  entropic_status status = ent_logistic_fit(context, &outcome->lifting.map, &rows, fit->train->schema.classes, lambda,
                                            ent_logistic_options_default(), start, &logistic);
  if (status != ENTROPIC_OK)
    return status;
  if (logistic->end == ENT_END_UNBOUNDED)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s; expected a lambda above 0", ent_end_text(logistic->end));
  if (status == ENTROPIC_OK) {
    ent_learnt_clear(&outcome->learnt);
    outcome->learnt = (ent_learnt){.features = logistic->features,
                                   .scores = logistic->scores,
                                   .count = 1,
                                   .weights = logistic->weights,
                                   .offsets = logistic->offsets};
    logistic->weights = logistic->offsets = NULL;
    outcome->lambda = lambda;
    outcome->report.ended = logistic->end == ENT_END_CONVERGED ? NULL : ent_end_text(logistic->end);
  }
  ent_logistic_free(logistic);
  return status;
}

/* The loss for classes, and the weights if it is the logistic one; both are judged on the same rows held out. */
static entropic_status settle_classes(entropic_context *context, const ent_fit *fit, ent_outcome *outcome,
                                      ent_told *told, entropic_loss *loss) {
  size_t classes = fit->train->schema.classes;
  bool features = outcome->kernel == NULL;
  ent_told squared = {.sharpness = 1}, logistic = {.sharpness = 1};
  ent_way way = way_of(outcome);
  size_t parts = ent_fit_parts(fit, features ? outcome->lifting.map.features : fit->train->rows);
  entropic_status status = ENTROPIC_OK;
  *loss = !features ? ENTROPIC_SQUARED : fit->options->loss;
  ent_logistic *begin = NULL;
  double start = ent_seconds();
  if (*loss != ENTROPIC_LOGISTIC && fit->can_validate)
    status = ent_tell_squared(context, &way, &fit->trials, classes, parts, outcome->lambda, &squared);
  if (status == ENTROPIC_OK && *loss != ENTROPIC_SQUARED)
    status = try_logistic(context, fit, outcome, &logistic, &begin);
  if (status != ENTROPIC_OK) {
    ent_logistic_free(begin);
    return status;
  }
  if (*loss == ENTROPIC_LOSS_AUTO)
    *loss =
        squared.rows > 0 && logistic.rows > 0 && squared.error < logistic.error ? ENTROPIC_SQUARED : ENTROPIC_LOGISTIC;
  *told = *loss == ENTROPIC_SQUARED ? squared : logistic;
  if (*loss == ENTROPIC_LOGISTIC)
    status = fit_logistic(context, fit, logistic.lambda, begin, outcome);
  ent_logistic_free(begin);
  outcome->validation = told->rows == 0 ? ENTROPIC_VALIDATION_NONE : kind_of_validation(fit, parts);
  outcome->validation_rows = told->rows;
  outcome->report.solve += ent_seconds() - start;
  return status;
}

/* Non-zeros of all rows. */
typedef struct ent_counting {
  const ent_map *map;
  const ent_block *rows;
  size_t *counts; /* of each block */
} ent_counting;

#define COUNT_ROWS ((size_t)256)

static entropic_status count_block(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  ent_counting *c = shared;
  const ent_map *map = c->map;
  size_t first = task * COUNT_ROWS, left = c->rows->rows - first, rows = left < COUNT_ROWS ? left : COUNT_ROWS;
  size_t starts[COUNT_ROWS + 1], entries;
  if (!ent_multiply(rows, map->nonzeros, &entries))
    entries = SIZE_MAX; /* refused below */
  void *scratch = NULL;
  int32_t *columns = ent_new(context, entries, sizeof *columns);
  double *values = ent_new(context, entries, sizeof *values);
  entropic_status status = columns == NULL || values == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK)
    status = map->calls->scratch_create(context, map->self, &scratch);
  if (status == ENTROPIC_OK)
    status = map->calls->sparse(context, map->self, scratch, c->rows->x + first * c->rows->x_stride, rows,
                                c->rows->x_stride, starts, columns, values);
  if (status == ENTROPIC_OK)
    c->counts[task] = starts[rows];
  if (scratch != NULL)
    map->calls->scratch_free(scratch);
  ent_delete(columns);
  ent_delete(values);
  return status;
}

static entropic_status count_nonzeros(entropic_context *context, const ent_map *map, const ent_block *rows,
                                      double *mean) {
  size_t blocks = (rows->rows + COUNT_ROWS - 1) / COUNT_ROWS;
  ent_counting c = {.map = map, .rows = rows, .counts = ent_new(context, blocks, sizeof *c.counts)};
  entropic_status status = c.counts == NULL ? ENTROPIC_NO_MEMORY : ent_parallel(context, blocks, count_block, &c);
  double sum = 0;
  for (size_t i = 0; i < blocks && status == ENTROPIC_OK; i++)
    sum += (double)c.counts[i];
  *mean = sum / (double)rows->rows;
  ent_delete(c.counts);
  return status;
}

/* Back to the units of the data. */
static void restore_units(const ent_fit *fit, ent_learnt *learnt) {
  for (size_t k = 0; k < fit->scores; k++) {
    for (size_t i = 0; i < learnt->features; i++)
      learnt->weights[k * learnt->features + i] = ldexp(learnt->weights[k * learnt->features + i], fit->unit[k]);
    learnt->offsets[k] = ldexp(learnt->offsets[k], fit->unit[k]);
  }
}

static entropic_status check_finite(entropic_context *context, const ent_learnt *learnt) {
  double sum = 0; /* NaN if anything is not finite */
  for (size_t i = 0; i < learnt->scores * learnt->features; i++)
    sum += 0 * learnt->weights[i];
  for (size_t i = 0; i < learnt->scores; i++)
    sum += 0 * learnt->offsets[i];
  if (sum == 0)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "the weights are beyond the range of numbers; expected smaller targets "
                  "or a larger lambda");
}

/* Moves what the fit has made into the model. */
static entropic_status assemble(entropic_context *context, ent_fit *fit, ent_outcome *outcome, const ent_told *told,
                                entropic_loss loss, entropic_model *model) {
  ent_learnt *learnt = &outcome->learnt;
  entropic_status status = ent_schema_copy(context, &fit->train->schema, &model->schema);
  restore_units(fit, learnt);
  if (status == ENTROPIC_OK)
    status = check_finite(context, learnt);
  if (status == ENTROPIC_OK && outcome->kernel == NULL)
    status = count_nonzeros(context, &outcome->lifting.map, &fit->trials.train, &model->nonzeros);
  if (status != ENTROPIC_OK)
    return status;
  model->loss = loss;
  model->solver = outcome->solver;
  model->scores = learnt->scores;
  model->features = learnt->features;
  model->sharpness = told->sharpness;
  model->rows = fit->train->rows;
  model->lambda = outcome->lambda;
  model->converged = outcome->report.ended == NULL;
  model->seed = fit->options->seed;
  model->validation = outcome->validation;
  model->folds =
      model->validation == ENTROPIC_VALIDATION_FOLDS || model->validation == ENTROPIC_VALIDATION_PART ? fit->folds : 0;
  model->validation_rows = outcome->validation_rows;
  model->validation_error = model->validation_loss = NAN;
  if (model->validation != ENTROPIC_VALIDATION_NONE && fit->train->schema.classes > 0) {
    model->validation_error = told->error;
    model->validation_loss = told->loss;
  } else if (model->validation != ENTROPIC_VALIDATION_NONE) {
    model->validation_error = 0;
    for (size_t k = 0; k < fit->scores; k++)
      model->validation_error += ldexp(sqrt(outcome->errors[k]), fit->unit[k]) / (double)fit->scores;
  }
  model->scaler = fit->scaler;
  fit->scaler = NULL;
  if (outcome->kernel != NULL) {
    model->kernel = outcome->kernel;
    outcome->kernel = NULL;
    model->nonzeros = (double)learnt->features;
    /* The weights are the dual's own; what the model keeps of it is theirs and the points. */
    model->weights = learnt->dual->coefficients;
    model->points = learnt->dual->x;
    learnt->dual->coefficients = learnt->dual->x = NULL;
  } else {
    model->kernel = ent_kernel_hold(entropic_design_kernel(outcome->lifting.design));
    model->design = outcome->lifting.design;
    model->lift = outcome->lifting.lift;
    outcome->lifting = (ent_lifting){0};
    model->weights = learnt->weights;
  }
  model->offsets = learnt->offsets;
  learnt->weights = learnt->offsets = NULL;
  return ENTROPIC_OK;
}

entropic_status entropic_fit(entropic_context *context, const entropic_dataset *train, const entropic_dataset *valid,
                             const entropic_fit_options *options, entropic_fit_report *report, entropic_model **model) {
  if (train == NULL || options == NULL || model == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL",
                    train == NULL     ? "train"
                    : options == NULL ? "options"
                                      : "model");
  double start = ent_seconds();
  ent_fit fit;
  ent_outcome outcome = {0};
  ent_told told = {.sharpness = 1};
  entropic_loss loss = ENTROPIC_SQUARED;
  entropic_status status = ent_fit_prepare(context, train, valid, options, &fit);
  if (status != ENTROPIC_OK)
    return status;
  entropic_model *made = ent_new(context, 1, sizeof *made);
  status = made == NULL ? ENTROPIC_NO_MEMORY : search(context, &fit, &outcome);
  if (status == ENTROPIC_OK && train->schema.classes > 0)
    status = settle_classes(context, &fit, &outcome, &told, &loss);
  if (status == ENTROPIC_OK)
    status = assemble(context, &fit, &outcome, &told, loss, made);
  if (status == ENTROPIC_OK) {
    outcome.report.total = ent_seconds() - start;
    if (report != NULL)
      *report = outcome.report;
    *model = made;
  } else {
    entropic_model_free(made);
  }
  outcome_clear(&outcome);
  ent_fit_clear(&fit);
  return status;
}

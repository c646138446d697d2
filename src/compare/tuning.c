/* Tuning: lambda, and for a tuned method its kernel, bandwidth and scaling, by the squared error on validation rows.
 *
 * Each of five bandwidths is validated with every kernel of the method, with the second scaling if there are several. The
 * other scalings are then validated with the best pair; where few rows are tuned on all five folds, with every pair
 * (exact kernel ridge always has one fold).
 * Where the best bandwidth or lambda is the least or the largest of those tried, the grid is widened beyond it, until it
 * is not. All methods are tuned alike. */
#include <math.h>

#include "base/context.h"
#include "base/memory.h"
#include "compare/evaluation_parts.h"
#include "solve/ridge.h"
#include "tune/row_subset.h"

#define TUNING_ROWS ((size_t)5000) /* training rows at most, and validation rows at most */
#define EXACT_ROWS ((size_t)2000)  /* the same for exact kernel ridge, which takes their cube */

/* Factors of the rule, and omegas of our own features, which have no rule. The grid is the five in the middle. */
#define WIDER 4
#define BANDWIDTHS 5
static const double factors[WIDER + BANDWIDTHS + WIDER] = {3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3,
                                                           1,    3,    10,   30,   100,  300};
static const double omegas[WIDER + BANDWIDTHS + WIDER] = {1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1,
                                                          3,    10,   30,   100,  300, 1000};
#define LEAST_BANDWIDTH 1e-6
#define LARGEST_BANDWIDTH 1e6

/* The omega of features that are not tuned. */
#define PLAIN_OMEGA 1.0

/* Lambdas to choose from, and those beyond either end. */
typedef struct ent_lambdas {
  size_t count;
  double values[16];
} ent_lambdas;

static const ent_lambdas plain_lambdas = {8, {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}};
static const ent_lambdas fine_lambdas = {
    15, {1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8}};
static const ent_lambdas large_lambdas = {4, {1e3, 1e2, 1e1, 1}};
static const ent_lambdas small_lambdas = {4, {1e-9, 1e-10, 1e-11, 1e-12}};

/* One scaling, kernel and bandwidth. */
typedef struct ent_tuning_try {
  const ent_evaluation_view *view;
  size_t kernel, number; /* number: of the factor or omega */
} ent_tuning_try;

/* Tuning under way. */
typedef struct ent_tuning {
  const ent_evaluation_task *task;
  size_t validated; /* how many folds validate */
  ent_tuning_try best;
  ent_choice choice; /* of the best */
} ent_tuning;

static double bandwidth_of(const ent_request *request, const ent_tuning_try *at) {
  if (ent_compare_method_has_rule(request->method))
    return request->tuned ? at->view->rule * factors[at->number] : at->view->rule;
  return request->tuned ? omegas[at->number] : PLAIN_OMEGA;
}

/* Adds to errors the sum of squares, over validation rows and targets, of each lambda. */
static entropic_status validate_lambdas(entropic_context *context, const ent_evaluation *evaluation, const ent_map *map,
                                        const ent_block *blocks, const ent_lambdas *lambdas, double *errors) {
  ent_statistics *training = NULL, *validating = NULL;
  ent_ridge *ridge = NULL;
  size_t targets = evaluation->data.targets, count = lambdas->count;
  double *sums = ent_new(context, count * targets, sizeof *sums);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (sums == NULL)
    goto done;
  status = ent_evaluation_collect(context, evaluation, map, &blocks[0], &training);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_evaluation_collect(context, evaluation, map, &blocks[1], &validating);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, training, lambdas->values, count, ENT_METHOD_AUTO, &ridge);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_errors(context, ridge, validating, sums);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < count; i++) {
    double error = 0;
    for (size_t t = 0; t < targets; t++)
      error += sums[i * targets + t];
    errors[i] += error;
  }
done:
  ent_ridge_free(ridge);
  ent_statistics_free(training);
  ent_statistics_free(validating);
  ent_delete(sums);
  return status;
}

/* The same for exact kernel ridge. */
static entropic_status validate_exact(entropic_context *context, const ent_evaluation_task *task,
                                      const ent_choice *choice, const ent_block *blocks, const ent_lambdas *lambdas,
                                      double *errors) {
  size_t targets = task->evaluation->data.targets, rows = blocks[1].rows;
  double *f = ent_new(context, lambdas->count * rows * targets, sizeof *f);
  if (f == NULL)
    return ENTROPIC_NO_MEMORY;
  const ent_exact_lambdas list = {lambdas->values, lambdas->count};
  entropic_status status = ent_evaluation_exact(context, task, choice, blocks, &list, f);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t k = 0; k < lambdas->count; k++)
    for (size_t r = 0; r < rows; r++)
      for (size_t t = 0; t < targets; t++) {
        double residual = f[(k * rows + r) * targets + t] - blocks[1].y[r * blocks[1].y_stride + t];
        errors[k] += residual * residual;
      }
done:
  ent_delete(f);
  return status;
}

/* Adds the errors of all lambdas on one fold, after training on the others. */
static entropic_status validate_fold(entropic_context *context, const ent_evaluation_task *task,
                                     const ent_tuning_try *at, size_t fold, const ent_lambdas *lambdas,
                                     double *errors) {
  const ent_evaluation_data *data = &task->evaluation->data;
  size_t rows = data->rows;
  ent_row_subset subsets[2] = {{.count = 0}};
  ent_block blocks[2]; /* training rows, validation rows */
  ent_method_features features = {0};
  size_t *numbers = ent_new(context, rows, sizeof *numbers);
  if (numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t train = ent_evaluation_fold(task->evaluation, fold, numbers), validation = rows - train;
  bool exact = ent_compare_method_is_exact(task->request->method);
  size_t most = exact ? EXACT_ROWS : TUNING_ROWS;
  train = train > most ? most : train;
  validation = validation > most ? most : validation;
  ent_memory_rows all = {.all = at->view->train, .inputs = data->inputs, .targets = data->targets};
  subsets[0] = (ent_row_subset){.from = all, .numbers = numbers, .count = train};
  subsets[1] = (ent_row_subset){.from = all, .numbers = numbers + rows - validation, .count = validation};
  entropic_status status = ENTROPIC_OK;
  for (int i = 0; i < 2; i++) {
    status = ent_row_subset_load(context, &subsets[i], &blocks[i]);
    if (status != ENTROPIC_OK)
      goto done;
  }
  const ent_choice choice = {.kernel = at->kernel, .bandwidth = bandwidth_of(task->request, at), .lambda = -1};
  if (exact) {
    status = validate_exact(context, task, &choice, blocks, lambdas, errors);
    goto done;
  }
  ent_trial trial = ent_evaluation_trial(task, &blocks[0], &blocks[1], &choice);
  status = ent_method_features_make(context, &trial, &features);
  if (status != ENTROPIC_OK)
    goto done;
  status = validate_lambdas(context, task->evaluation, &features.map, blocks, lambdas, errors);
done:
  ent_method_features_clear(&features);
  for (int i = 0; i < 2; i++)
    ent_row_subset_clear(&subsets[i]);
  ent_delete(numbers);
  return status;
}

/* Validates one scaling, kernel and bandwidth with these lambdas. */
static entropic_status validate(entropic_context *context, ent_tuning *tuning, const ent_tuning_try *at,
                                const ent_lambdas *lambdas) {
  const ent_evaluation *evaluation = tuning->task->evaluation;
  double errors[sizeof lambdas->values / sizeof *lambdas->values] = {0};
  for (size_t i = 0; i < tuning->validated; i++) {
    entropic_status status = validate_fold(context, tuning->task, at, evaluation->folds - 1 - i, lambdas, errors);
    if (status != ENTROPIC_OK)
      return status;
  }
  tuning->choice.tries++;
  for (size_t k = 0; k < lambdas->count; k++)
    if (errors[k] < tuning->choice.error) {
      tuning->choice.error = errors[k];
      tuning->choice.lambda = lambdas->values[k];
      tuning->best = *at;
    }
  return ENTROPIC_OK;
}

static const ent_lambdas *lambdas_of(const ent_evaluation *evaluation) {
  return evaluation->data.thorough ? &fine_lambdas : &plain_lambdas;
}

/* The grid of a tuned method. */
static entropic_status validate_grid(entropic_context *context, ent_tuning *tuning, const ent_evaluation_view *views,
                                     size_t count) {
  const ent_evaluation *evaluation = tuning->task->evaluation;
  const ent_lambdas *lambdas = lambdas_of(evaluation);
  size_t kernels = ent_compare_method_kernels(tuning->task->request->method), middle = count > 1 ? 1 : 0;
  for (size_t i = 0; i < kernels * BANDWIDTHS; i++) {
    const ent_tuning_try at = {&views[middle], i / BANDWIDTHS, WIDER + i % BANDWIDTHS};
    entropic_status status = validate(context, tuning, &at, lambdas);
    if (status != ENTROPIC_OK)
      return status;
  }
  const ent_tuning_try best = tuning->best;
  for (size_t view = 0; view < count; view++)
    for (size_t i = 0; view != middle && i < kernels * BANDWIDTHS; i++) {
      const ent_tuning_try at = {&views[view], i / BANDWIDTHS, WIDER + i % BANDWIDTHS};
      if (tuning->validated == 1 && (at.kernel != best.kernel || at.number != best.number))
        continue;
      entropic_status status = validate(context, tuning, &at, lambdas);
      if (status != ENTROPIC_OK)
        return status;
    }
  return ENTROPIC_OK;
}

/* Lambdas beyond the grid, where the best lies at its end. */
static entropic_status widen_lambdas(entropic_context *context, ent_tuning *tuning) {
  const ent_lambdas *lambdas = lambdas_of(tuning->task->evaluation);
  double lambda = tuning->choice.lambda;
  const ent_tuning_try at = tuning->best;
  if (lambda == lambdas->values[0])
    return validate(context, tuning, &at, &large_lambdas);
  if (lambda == lambdas->values[lambdas->count - 1])
    return validate(context, tuning, &at, &small_lambdas);
  return ENTROPIC_OK;
}

/* Bandwidths beyond the grid, one after the other, as long as the best lies at its end. A kernel that is then beyond a
 * double is the end, too. */
static entropic_status widen_bandwidths(entropic_context *context, ent_tuning *tuning) {
  size_t least = WIDER, largest = WIDER + BANDWIDTHS - 1;
  while ((tuning->best.number == least && least > 0) ||
         (tuning->best.number == largest && largest + 1 < WIDER + BANDWIDTHS + WIDER)) {
    ent_tuning_try at = tuning->best;
    at.number = at.number == least ? --least : ++largest;
    double bandwidth = bandwidth_of(tuning->task->request, &at);
    if (bandwidth < LEAST_BANDWIDTH || bandwidth > LARGEST_BANDWIDTH)
      return ENTROPIC_OK;
    entropic_status status = validate(context, tuning, &at, lambdas_of(tuning->task->evaluation));
    if (status == ENTROPIC_TOO_LARGE)
      return ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    if (tuning->best.number != at.number)
      return ENTROPIC_OK;
    status = widen_lambdas(context, tuning);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_evaluation_tune(entropic_context *context, const ent_evaluation_task *task, ent_choice *choice) {
  const ent_evaluation *evaluation = task->evaluation;
  ent_compare_inputs inputs = ent_compare_method_inputs(task->request->method);
  bool own = inputs != ENT_INPUTS_SCALED; /* these inputs have one scaling */
  const ent_evaluation_view *views =
      own ? ent_evaluation_view_of(evaluation, task->request->method, 0) : evaluation->scaled;
  ent_tuning tuning = {.task = task, .validated = evaluation->validated, .choice = {.error = INFINITY}};
  if (ent_compare_method_is_exact(task->request->method))
    tuning.validated = 1;
  entropic_status status;
  if (task->request->tuned) {
    status = validate_grid(context, &tuning, views, own ? 1 : evaluation->scaled_count);
  } else {
    const ent_tuning_try at = {views, 0, WIDER};
    status = validate(context, &tuning, &at, lambdas_of(evaluation));
  }
  if (status != ENTROPIC_OK)
    return status;
  if (tuning.best.view == NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: its validation error is not a number",
                    ent_compare_method_name(task->request->method));
  status = widen_lambdas(context, &tuning);
  if (status != ENTROPIC_OK)
    return status;
  if (task->request->tuned) {
    status = widen_bandwidths(context, &tuning);
    if (status != ENTROPIC_OK)
      return status;
  }
  *choice = tuning.choice;
  choice->scaling = tuning.best.view->scaling;
  choice->kernel = tuning.best.kernel;
  choice->bandwidth = bandwidth_of(task->request, &tuning.best);
  return ENTROPIC_OK;
}

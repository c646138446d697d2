/* Evaluating methods on one split: see evaluation.h. */
#include "compare/evaluation.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "tune/classes.h"
#include "tune/folds.h"
#include "tune/row_subset.h"
#include "tune/rules.h"
#include "solve/pass.h"
#include "solve/ridge.h"

#define TUNING_ROWS ((size_t)5000) /* while tuning: training rows at most, and validation rows at most */
#define TUNING_FOLDS ((size_t)5)
#define FEW_ROWS ((size_t)2000) /* up to so many rows every fold validates, if asked for: one fold of few is noisy */

/* Training is not repeated once it has taken that long altogether. Methods that take up to fifty milliseconds are all
 * repeated equally often: the least of more times is less. */
#define TIMED_SECONDS 0.5

/* Factors of the rule, and omegas of our own features, which have no rule. */
static const double factors[] = {0.03, 0.1, 0.3, 1, 3};
static const double omegas[] = ENT_OMEGAS_ASCENDING;
#define BANDWIDTHS (sizeof factors / sizeof *factors)
_Static_assert(sizeof factors == sizeof omegas, "all methods try equally many bandwidths");

static const double lambdas[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
static const double fine_lambdas[] = {1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5,
                                      1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8};
#define MOST_LAMBDAS (sizeof fine_lambdas / sizeof *fine_lambdas)

/* The omega of features that are not tuned. */
#define PLAIN_OMEGA 1.0

/* All rows by one scaling. */
typedef struct ent_evaluation_view {
  entropic_scaling scaling;
  double rule; /* the bandwidth of the rule */
  ent_block train, test;
} ent_evaluation_view;

struct ent_evaluation {
  ent_evaluation_data data;
  ent_evaluation_view scaled[1 + ENT_OTHER_SCALINGS];
  size_t scaled_count;
  const double *lambdas; /* the candidates */
  size_t lambda_count;
  size_t folds;     /* of the training rows */
  size_t validated; /* how many folds validate, one after the other, the last one first */
  size_t *order;    /* of the training rows: a random permutation */
  size_t *fold_of;  /* each training row */
};

double ent_evaluation_rule(const ent_evaluation *evaluation) {
  return evaluation->scaled[0].rule;
}

void ent_evaluation_free(ent_evaluation *evaluation) {
  if (evaluation == NULL)
    return;
  ent_delete(evaluation->order);
  ent_delete(evaluation->fold_of);
  ent_delete(evaluation);
}

/* The rows by one more scaling. */
static entropic_status add_scaled(entropic_context *context, ent_evaluation *evaluation,
                                  const ent_evaluation_rows *rows, uint64_t seed) {
  const ent_evaluation_data *data = &evaluation->data;
  ent_evaluation_view *scaled = &evaluation->scaled[evaluation->scaled_count++];
  ent_block block = {.x_stride = data->inputs, .y_stride = data->targets};
  *scaled = (ent_evaluation_view){.scaling = rows->scaling, .train = block, .test = block};
  scaled->train.rows = data->rows;
  scaled->train.x = rows->x;
  scaled->train.y = data->y;
  scaled->test.rows = data->test_rows;
  scaled->test.x = rows->test_x;
  scaled->test.y = data->test_y;
  const ent_random_data inputs = {.x = rows->x, .rows = data->rows, .stride = data->inputs};
  return ent_random_bandwidth(context, &inputs, data->inputs, seed, &scaled->rule);
}

/* Deals groups to folds; there may be fewer groups than folds. */
static entropic_status deal_groups(entropic_context *context, ent_evaluation *evaluation, uint64_t seed) {
  ent_fold_options split = {.rows = evaluation->data.rows, .groups = evaluation->data.groups};
  entropic_status status = ent_folds_deal(context, &split, seed, evaluation->fold_of, &evaluation->folds);
  if (status != ENTROPIC_OK)
    return status;
  if (evaluation->folds < 2)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%zu training rows, all of one group; expected two groups or more, as rows of a group stay "
                    "together while tuning",
                    split.rows);
  if (evaluation->validated > evaluation->folds)
    evaluation->validated = evaluation->folds;
  return ENTROPIC_OK;
}

/* Deals the training rows, in random order, to folds. */
static entropic_status deal_rows(entropic_context *context, ent_evaluation *evaluation, uint64_t seed) {
  size_t rows = evaluation->data.rows;
  evaluation->folds = TUNING_FOLDS;
  evaluation->order = ent_new(context, rows, sizeof *evaluation->order);
  evaluation->fold_of = ent_new(context, rows, sizeof *evaluation->fold_of);
  if (evaluation->order == NULL || evaluation->fold_of == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_random random = entropic_random_start(seed, 2);
  entropic_random_permutation(&random, rows, evaluation->order);
  if (evaluation->data.groups != NULL)
    return deal_groups(context, evaluation, seed);
  for (size_t i = 0; i < rows; i++) /* counted from the end: the last fold is not larger than its share */
    evaluation->fold_of[evaluation->order[rows - 1 - i]] = TUNING_FOLDS - 1 - ((i + 1) * TUNING_FOLDS - 1) / rows;
  return ENTROPIC_OK;
}

entropic_status ent_evaluation_create(entropic_context *context, const ent_evaluation_data *data, uint64_t seed,
                                      ent_evaluation **evaluation) {
  if (data->rows < TUNING_FOLDS || data->test_rows == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%zu training rows and %zu test rows; expected at least %zu and 1",
                    data->rows, data->test_rows, TUNING_FOLDS);
  ent_evaluation *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->data = *data;
  made->lambdas = data->thorough ? fine_lambdas : lambdas;
  made->lambda_count = data->thorough ? MOST_LAMBDAS : sizeof lambdas / sizeof *lambdas;
  made->validated = data->thorough && data->rows <= FEW_ROWS ? TUNING_FOLDS : 1;
  ent_evaluation_rows first = {.scaling = data->scaling, .x = data->x, .test_x = data->test_x};
  entropic_status status = deal_rows(context, made, seed);
  if (status != ENTROPIC_OK)
    goto fail;
  status = add_scaled(context, made, &first, seed);
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t i = 0; i < data->other_count; i++) {
    status = add_scaled(context, made, &data->others[i], seed);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  *evaluation = made;
  return ENTROPIC_OK;
fail:
  ent_evaluation_free(made);
  return status;
}

static entropic_status collect(entropic_context *context, const ent_evaluation *evaluation, const ent_map *map,
                               const ent_block *block, ent_statistics **statistics) {
  ent_memory_rows memory = {.all = *block, .inputs = evaluation->data.inputs, .targets = evaluation->data.targets};
  ent_rows rows = ent_rows_of_memory(&memory);
  return ent_statistics_of_rows(context, map, &rows, statistics);
}

/* Adds to errors the sum of squares, over validation rows and targets, of each lambda. */
static entropic_status validate_lambdas(entropic_context *context, const ent_evaluation *evaluation, const ent_map *map,
                                        const ent_block *train, const ent_block *validation, double *errors) {
  ent_statistics *training = NULL, *validating = NULL;
  ent_ridge *ridge = NULL;
  size_t targets = evaluation->data.targets, count = evaluation->lambda_count;
  double *sums = ent_new(context, count * targets, sizeof *sums);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (sums == NULL)
    goto done;
  status = collect(context, evaluation, map, train, &training);
  if (status != ENTROPIC_OK)
    goto done;
  status = collect(context, evaluation, map, validation, &validating);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, training, evaluation->lambdas, count, ENT_METHOD_AUTO, &ridge);
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

/* A method on its way through an evaluation. */
typedef struct ent_evaluation_task {
  const ent_evaluation *evaluation;
  const ent_request *request;
  uint64_t seed;
} ent_evaluation_task;

static ent_trial trial_of(const ent_evaluation_task *task, const ent_block *train, const ent_block *validation,
                          double bandwidth, double lambda) {
  return (ent_trial){.request = task->request,
                     .axis = task->evaluation->data.axis,
                     .validation = validation,
                     .lambda = lambda,
                     .bandwidth = bandwidth,
                     .seed = task->seed,
                     .inputs = task->evaluation->data.inputs,
                     .data = {.x = train->x,
                              .rows = train->rows,
                              .stride = train->x_stride,
                              .y = train->y,
                              .targets = task->evaluation->data.targets,
                              .y_stride = train->y_stride}};
}

/* What tuning chose, and its error. */
typedef struct ent_tuned {
  const ent_evaluation_view *scaled;
  size_t number; /* of the factor or omega */
  double lambda;
  double error; /* the sum of squares on the validation rows */
  size_t tries; /* of scalings and bandwidths, so far */
} ent_tuned;

static double bandwidth_of(const ent_request *request, const ent_evaluation_view *scaled, size_t number) {
  if (ent_compare_method_has_rule(request->method))
    return request->tuned ? scaled->rule * factors[number] : scaled->rule;
  return request->tuned ? omegas[number] : PLAIN_OMEGA;
}

/* numbers[rows] becomes the rows of all other folds and then, from where it returns, those of this one. */
static size_t list_fold(const ent_evaluation *evaluation, size_t fold, size_t *numbers) {
  size_t rows = evaluation->data.rows, count = 0, others = 0;
  for (int inside = 0; inside < 2; inside++) {
    others = inside == 0 ? 0 : count;
    for (size_t i = 0; i < rows; i++)
      if ((evaluation->fold_of[evaluation->order[i]] == fold) == (inside == 1))
        numbers[count++] = evaluation->order[i];
  }
  return others;
}

/* Adds the errors of all lambdas on one fold, after training on the others. */
static entropic_status validate_fold(entropic_context *context, const ent_evaluation_task *task,
                                     const ent_evaluation_view *scaled, double bandwidth, size_t fold, double *errors) {
  const ent_evaluation_data *data = &task->evaluation->data;
  size_t rows = data->rows;
  ent_row_subset from_train = {0}, from_validation = {0};
  ent_block train, validation;
  ent_method_features features = {0};
  size_t *numbers = ent_new(context, rows, sizeof *numbers);
  if (numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t train_rows = list_fold(task->evaluation, fold, numbers), validation_rows = rows - train_rows;
  train_rows = train_rows > TUNING_ROWS ? TUNING_ROWS : train_rows;
  validation_rows = validation_rows > TUNING_ROWS ? TUNING_ROWS : validation_rows;
  ent_memory_rows all = {.all = scaled->train, .inputs = data->inputs, .targets = data->targets};
  from_train = (ent_row_subset){.from = all, .numbers = numbers, .count = train_rows};
  from_validation =
      (ent_row_subset){.from = all, .numbers = numbers + rows - validation_rows, .count = validation_rows};
  entropic_status status = ent_row_subset_load(context, &from_train, &train);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_row_subset_load(context, &from_validation, &validation);
  if (status != ENTROPIC_OK)
    goto done;
  ent_trial trial = trial_of(task, &train, &validation, bandwidth, -1);
  status = ent_method_features_make(context, &trial, &features);
  if (status != ENTROPIC_OK)
    goto done;
  status = validate_lambdas(context, task->evaluation, &features.map, &train, &validation, errors);
done:
  ent_method_features_clear(&features);
  ent_row_subset_clear(&from_train);
  ent_row_subset_clear(&from_validation);
  ent_delete(numbers);
  return status;
}

/* Tries one scaling and bandwidth, with all lambdas; *best is the best so far. */
static entropic_status try_bandwidth(entropic_context *context, const ent_evaluation_task *task,
                                     const ent_evaluation_view *scaled, size_t number, ent_tuned *best) {
  const ent_evaluation *evaluation = task->evaluation;
  double errors[MOST_LAMBDAS] = {0}, bandwidth = bandwidth_of(task->request, scaled, number);
  for (size_t i = 0; i < evaluation->validated; i++) {
    entropic_status status = validate_fold(context, task, scaled, bandwidth, evaluation->folds - 1 - i, errors);
    if (status != ENTROPIC_OK)
      return status;
  }
  best->tries++;
  for (size_t k = 0; k < evaluation->lambda_count; k++)
    if (errors[k] < best->error) {
      best->error = errors[k];
      best->scaled = scaled;
      best->number = number;
      best->lambda = evaluation->lambdas[k];
    }
  return ENTROPIC_OK;
}

/* Chooses lambda and, for a tuned method, bandwidth and scaling. With few rows every pair is validated. With many rows,
 * all bandwidths are validated with one scaling, then the other scalings with the best bandwidth. That one scaling is
 * the second of several: it lies between the others, so its bandwidth is near what suits each of them. */
static entropic_status tune(entropic_context *context, const ent_evaluation_task *task, ent_tuned *best) {
  const ent_evaluation *evaluation = task->evaluation;
  *best = (ent_tuned){.scaled = evaluation->scaled, .error = INFINITY};
  bool tuned = task->request->tuned, pairs = evaluation->validated > 1;
  size_t scalings = tuned ? evaluation->scaled_count : 1, middle = scalings > 1 ? 1 : 0;
  for (size_t i = 0; i < (tuned ? BANDWIDTHS : 1); i++) {
    entropic_status status = try_bandwidth(context, task, &evaluation->scaled[middle], i, best);
    if (status != ENTROPIC_OK)
      return status;
  }
  size_t first = pairs ? 0 : best->number, end = pairs ? BANDWIDTHS : first + 1;
  for (size_t scaling = 0; scaling < scalings; scaling++)
    for (size_t i = first; scaling != middle && i < end; i++) {
      entropic_status status = try_bandwidth(context, task, &evaluation->scaled[scaling], i, best);
      if (status != ENTROPIC_OK)
        return status;
    }
  return ENTROPIC_OK;
}

/* The error on the test rows from their scores, row after row at that stride. */
static double test_error(const ent_evaluation *evaluation, const double *scores, size_t stride) {
  size_t targets = evaluation->data.targets, classes = evaluation->data.classes;
  double sum = 0;
  for (size_t r = 0; r < evaluation->data.test_rows; r++) {
    const double *y = evaluation->data.test_y + r * targets, *f = scores + r * stride;
    if (classes > 0)
      sum += ent_class_of(classes, f) != ent_class_of(classes, y);
    for (size_t t = 0; classes == 0 && t < targets; t++)
      sum += (y[t] - f[t]) * (y[t] - f[t]) / (double)targets;
  }
  sum /= (double)evaluation->data.test_rows;
  return classes > 0 ? sum : sqrt(sum);
}

entropic_status ent_evaluation_constant(entropic_context *context, const ent_evaluation *evaluation, double *error) {
  size_t rows = evaluation->data.rows, targets = evaluation->data.targets;
  double *means = ent_new(context, targets, sizeof *means);
  if (means == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows; r++)
    for (size_t t = 0; t < targets; t++)
      means[t] += evaluation->data.y[r * targets + t];
  for (size_t t = 0; t < targets; t++)
    means[t] /= (double)rows;
  *error = test_error(evaluation, means, 0);
  ent_delete(means);
  return ENTROPIC_OK;
}

/* Non-zeros of a lifted test row, and the time to lift the test rows, dense as in training. */
static entropic_status measure_lift(entropic_context *context, const ent_block *rows, const ent_map *map,
                                    ent_performance *performance) {
  enum { BLOCK = 256 };
  void *scratch = NULL;
  double *z = ent_new(context, BLOCK * map->features, sizeof *z), nonzeros = 0, seconds = 0;
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (z == NULL)
    goto done;
  status = map->calls->scratch_create(context, map->self, &scratch);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t first = 0; first < rows->rows; first += BLOCK) {
    size_t left = rows->rows - first, count = left < BLOCK ? left : BLOCK;
    double start = ent_seconds();
    status = map->calls->dense(context, map->self, scratch, rows->x + first * rows->x_stride, count, rows->x_stride, z,
                               BLOCK);
    if (status != ENTROPIC_OK)
      goto done;
    seconds += ent_seconds() - start;
    for (size_t j = 0; j < map->features; j++)
      for (size_t r = 0; r < count; r++)
        nonzeros += z[j * BLOCK + r] != 0;
  }
  performance->lift_seconds = seconds;
  performance->nonzeros = nonzeros / (double)rows->rows;
done:
  if (scratch != NULL)
    map->calls->scratch_free(scratch);
  ent_delete(z);
  return status;
}

/* Features and weights from all training rows, as tuned; *seconds is the time that took. */
static entropic_status train(entropic_context *context, const ent_evaluation_task *task, const ent_tuned *tuned,
                             ent_method_features *features, ent_ridge **ridge, double *seconds) {
  double start = ent_seconds();
  ent_statistics *statistics = NULL;
  const ent_block *rows = &tuned->scaled->train;
  ent_block one = *rows; /* lambda is known: validation rows have nothing to choose */
  one.rows = 1;
  double bandwidth = bandwidth_of(task->request, tuned->scaled, tuned->number);
  ent_trial trial = trial_of(task, rows, &one, bandwidth, tuned->lambda);
  entropic_status status = ent_method_features_make(context, &trial, features);
  if (status != ENTROPIC_OK)
    return status;
  status = collect(context, task->evaluation, &features->map, rows, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, statistics, &tuned->lambda, 1, ENT_METHOD_CHOLESKY, ridge);
  *seconds = ent_seconds() - start;
done:
  ent_statistics_free(statistics);
  return status;
}

entropic_status ent_evaluation_run(entropic_context *context, const ent_evaluation *evaluation,
                                   const ent_request *request, uint64_t seed, size_t trainings,
                                   ent_performance *performance) {
  const ent_evaluation_task task = {.evaluation = evaluation, .request = request, .seed = seed};
  size_t targets = evaluation->data.targets;
  ent_performance p = {.train_seconds = INFINITY};
  ent_method_features features = {0};
  ent_ridge *ridge = NULL;
  ent_tuned tuned;
  double *scores = ent_new(context, evaluation->data.test_rows * targets, sizeof *scores), all = 0;
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (scores == NULL)
    goto done;
  status = tune(context, &task, &tuned);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i == 0 || (i < trainings && all < TIMED_SECONDS); i++) {
    double seconds = 0;
    ent_ridge_free(ridge);
    ridge = NULL;
    ent_method_features_clear(&features);
    status = train(context, &task, &tuned, &features, &ridge, &seconds);
    if (status != ENTROPIC_OK)
      goto done;
    p.train_seconds = fmin(p.train_seconds, seconds);
    all += seconds;
  }
  const ent_block *test = &tuned.scaled->test;
  status = measure_lift(context, test, &features.map, &p);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_scores(context, &features.map, test, &(ent_linear){ridge->weights, ridge->means, targets}, scores);
  if (status != ENTROPIC_OK)
    goto done;
  p.error = test_error(evaluation, scores, targets);
  p.features = features.map.features;
  p.bandwidth = bandwidth_of(request, tuned.scaled, tuned.number);
  p.lambda = tuned.lambda;
  p.scaling = tuned.scaled->scaling;
  p.tries = tuned.tries;
  p.tuning_error = tuned.error;
  *performance = p;
done:
  ent_ridge_free(ridge);
  ent_method_features_clear(&features);
  ent_delete(scores);
  return status;
}

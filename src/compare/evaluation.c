/* Evaluating methods on one split: see evaluation.h. */
#include "compare/evaluation.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "compare/evaluation_parts.h"
#include "compare/lifted_training.h"
#include "solve/exact.h"
#include "sums/pass.h"
#include "solve/ridge.h"
#include "tune/classes.h"
#include "tune/folds.h"

#define TUNING_FOLDS ((size_t)5)
#define FEW_ROWS ((size_t)2000) /* up to so many rows every fold validates, if asked for: one fold of few is noisy */

/* Inset rows are in [INSET, 1 - INSET]: distances are a fifth, so that omega times five gives the same kernel. */
#define INSET 0.4
#define INSET_FACTOR 5.0

void ent_evaluation_free(ent_evaluation *evaluation) {
  if (evaluation == NULL)
    return;
  ent_delete(evaluation->order);
  ent_delete(evaluation->fold_of);
  ent_delete(evaluation->inset_rows);
  ent_delete(evaluation);
}

const ent_evaluation_view *ent_evaluation_view_of(const ent_evaluation *evaluation, ent_compare_method method,
                                                  entropic_scaling scaling) {
  size_t i = 0;
  switch (ent_compare_method_inputs(method)) {
  case ENT_INPUTS_MINMAX:
    return &evaluation->minmax;
  case ENT_INPUTS_INSET:
    return &evaluation->inset;
  case ENT_INPUTS_SCALED:
    while (i + 1 < evaluation->scaled_count && evaluation->scaled[i].scaling != scaling)
      i++;
  }
  return &evaluation->scaled[i];
}

/* A view of the rows, without its rule. */
static ent_evaluation_view view_rows(const ent_evaluation_data *data, const ent_evaluation_rows *rows) {
  ent_block block = {.x_stride = data->inputs, .y_stride = data->targets};
  ent_evaluation_view view = {.scaling = rows->scaling, .train = block, .test = block};
  view.train.rows = data->rows;
  view.train.x = rows->x;
  view.train.y = data->y;
  view.test.rows = data->test_rows;
  view.test.x = rows->test_x;
  view.test.y = data->test_y;
  return view;
}

static entropic_status find_rule(entropic_context *context, const ent_evaluation_data *data, uint64_t seed,
                                 ent_evaluation_view *view) {
  const ent_random_data inputs = {.x = view->train.x, .rows = data->rows, .stride = data->inputs};
  return ent_random_bandwidth(context, &inputs, data->inputs, seed, &view->rule);
}

/* The rows by every scaling. */
static entropic_status add_views(entropic_context *context, ent_evaluation *evaluation, uint64_t seed) {
  const ent_evaluation_data *data = &evaluation->data;
  const ent_evaluation_rows first = {.scaling = data->scaling, .x = data->x, .test_x = data->test_x};
  for (size_t i = 0; i <= data->other_count; i++) {
    ent_evaluation_view *view = &evaluation->scaled[evaluation->scaled_count++];
    *view = view_rows(data, i == 0 ? &first : &data->others[i - 1]);
    entropic_status status = find_rule(context, data, seed, view);
    if (status != ENTROPIC_OK)
      return status;
  }
  evaluation->minmax = view_rows(data, data->minmax.x != NULL ? &data->minmax : &first);
  for (size_t i = 0; i < evaluation->scaled_count; i++)
    if (evaluation->scaled[i].train.x == evaluation->minmax.train.x) {
      evaluation->minmax.rule = evaluation->scaled[i].rule;
      return ENTROPIC_OK;
    }
  return find_rule(context, data, seed, &evaluation->minmax);
}

/* The rows of the minmax view, away from the faces. */
static entropic_status add_inset(entropic_context *context, ent_evaluation *evaluation) {
  const ent_evaluation_data *data = &evaluation->data;
  size_t train = data->rows * data->inputs, test = data->test_rows * data->inputs;
  double *x = evaluation->inset_rows = ent_new(context, train + test, sizeof *x);
  if (x == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(x, evaluation->minmax.train.x, train * sizeof *x);
  memcpy(x + train, evaluation->minmax.test.x, test * sizeof *x);
  for (size_t i = 0; i < train + test; i++)
    x[i] = INSET + x[i] / INSET_FACTOR;
  const ent_evaluation_rows rows = {evaluation->minmax.scaling, x, x + train};
  evaluation->inset = view_rows(data, &rows);
  evaluation->inset.rule = INSET_FACTOR * evaluation->minmax.rule;
  return ENTROPIC_OK;
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
  made->validated = data->thorough && data->rows <= FEW_ROWS ? TUNING_FOLDS : 1;
  entropic_status status = deal_rows(context, made, seed);
  if (status != ENTROPIC_OK)
    goto fail;
  status = add_views(context, made, seed);
  if (status != ENTROPIC_OK)
    goto fail;
  status = add_inset(context, made);
  if (status != ENTROPIC_OK)
    goto fail;
  *evaluation = made;
  return ENTROPIC_OK;
fail:
  ent_evaluation_free(made);
  return status;
}

size_t ent_evaluation_fold(const ent_evaluation *evaluation, size_t fold, size_t *numbers) {
  size_t rows = evaluation->data.rows, count = 0, others = 0;
  for (int inside = 0; inside < 2; inside++) {
    others = inside == 0 ? 0 : count;
    for (size_t i = 0; i < rows; i++)
      if ((evaluation->fold_of[evaluation->order[i]] == fold) == (inside == 1))
        numbers[count++] = evaluation->order[i];
  }
  return others;
}

entropic_status ent_evaluation_collect(entropic_context *context, const ent_evaluation *evaluation, const ent_map *map,
                                       const ent_block *block, ent_statistics **statistics) {
  ent_memory_rows memory = {.all = *block, .inputs = evaluation->data.inputs, .targets = evaluation->data.targets};
  ent_rows rows = ent_rows_of_memory(&memory);
  return ent_statistics_of_rows(context, map, &rows, ENT_GRADE_EXACT, statistics);
}

ent_trial ent_evaluation_trial(const ent_evaluation_task *task, const ent_block *train, const ent_block *validation,
                               const ent_choice *choice) {
  return (ent_trial){.request = task->request,
                     .axis = task->evaluation->data.axis,
                     .validation = validation,
                     .kernel = choice->kernel,
                     .bandwidth = choice->bandwidth,
                     .lambda = choice->lambda,
                     .seed = task->seed,
                     .inputs = task->evaluation->data.inputs,
                     .data = {.x = train->x,
                              .rows = train->rows,
                              .stride = train->x_stride,
                              .y = train->y,
                              .targets = task->evaluation->data.targets,
                              .y_stride = train->y_stride}};
}

double ent_evaluation_error(const ent_evaluation *evaluation, const double *scores, size_t stride) {
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
  return classes > 0 ? sum : ldexp(sqrt(sum), evaluation->data.unit);
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
  *error = ent_evaluation_error(evaluation, means, 0);
  ent_delete(means);
  return ENTROPIC_OK;
}

/* Non-zeros of a lifted test row, and the time to lift the test rows, dense as in training. */
static entropic_status measure_lift(entropic_context *context, const ent_block *rows, const ent_map *map,
                                    double *per_row, double *duration) {
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
  *duration = seconds;
  *per_row = nonzeros / (double)rows->rows;
done:
  if (scratch != NULL)
    map->calls->scratch_free(scratch);
  ent_delete(z);
  return status;
}

entropic_status ent_evaluation_exact(entropic_context *context, const ent_evaluation_task *task,
                                     const ent_choice *choice, const ent_block *blocks,
                                     const ent_exact_lambdas *lambdas, double *predictions) {
  const ent_trial trial = ent_evaluation_trial(task, &blocks[0], NULL, choice);
  const ent_exact_ridge_task exact = {.kernel = ent_compare_method_random_kernel(task->request->method, choice->kernel),
                                      .sigma = choice->bandwidth,
                                      .inputs = trial.inputs,
                                      .data = trial.data,
                                      .lambdas = lambdas->values,
                                      .count = lambdas->count,
                                      .x = blocks[1].x,
                                      .rows = blocks[1].rows,
                                      .stride = blocks[1].x_stride};
  return ent_exact_ridge(context, &exact, predictions);
}

/* What training leaves. */
typedef struct ent_trained {
  ent_method_features features;
  ent_ridge *ridge;
} ent_trained;

static void trained_clear(ent_trained *trained) {
  ent_ridge_free(trained->ridge);
  ent_method_features_clear(&trained->features);
  *trained = (ent_trained){0};
}

/* Features and weights from all training rows, with what was chosen; on failure *trained is empty. */
static entropic_status train(entropic_context *context, const ent_evaluation_task *task, const ent_choice *choice,
                             ent_trained *trained, ent_durations *durations) {
  double start = ent_seconds();
  ent_statistics *statistics = NULL;
  const ent_block *rows = &ent_evaluation_view_of(task->evaluation, task->request->method, choice->scaling)->train;
  ent_block one = *rows; /* lambda is known: validation rows have nothing to choose */
  one.rows = 1;
  *trained = (ent_trained){0};
  ent_trial trial = ent_evaluation_trial(task, rows, &one, choice);
  entropic_status status = ent_method_features_make(context, &trial, &trained->features);
  if (status != ENTROPIC_OK)
    return status;
  durations->make = ent_seconds() - start;
  status = ent_evaluation_collect(context, task->evaluation, &trained->features.map, rows, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, statistics, &choice->lambda, 1, ENT_METHOD_CHOLESKY, &trained->ridge);
  durations->train = ent_seconds() - start;
done:
  ent_statistics_free(statistics);
  if (status != ENTROPIC_OK)
    trained_clear(trained);
  return status;
}

/* The scores of the test rows, nonzeros and features of exact kernel ridge. */
static entropic_status run_exact(entropic_context *context, const ent_evaluation_task *task, ent_performance *p,
                                 double *scores) {
  const ent_evaluation_view *view = ent_evaluation_view_of(task->evaluation, task->request->method, p->choice.scaling);
  const ent_block blocks[] = {view->train, view->test};
  p->features = view->train.rows;
  p->nonzeros = (double)view->train.rows;
  return ent_evaluation_exact(context, task, &p->choice, blocks, &(ent_exact_lambdas){&p->choice.lambda, 1}, scores);
}

/* The same of features. */
static entropic_status run_features(entropic_context *context, const ent_evaluation_task *task, ent_performance *p,
                                    double *scores) {
  const ent_block *test = &ent_evaluation_view_of(task->evaluation, task->request->method, p->choice.scaling)->test;
  ent_trained trained;
  ent_durations durations;
  double seconds;
  entropic_status status = train(context, task, &p->choice, &trained, &durations);
  if (status != ENTROPIC_OK)
    return status;
  p->features = trained.features.map.features;
  status = measure_lift(context, test, &trained.features.map, &p->nonzeros, &seconds);
  if (status != ENTROPIC_OK)
    goto done;
  const ent_linear linear = {trained.ridge->weights, trained.ridge->means, task->evaluation->data.targets};
  status = ent_scores(context, &trained.features.map, test, &linear, scores);
done:
  trained_clear(&trained);
  return status;
}

entropic_status ent_evaluation_run(entropic_context *context, const ent_evaluation *evaluation,
                                   const ent_request *request, uint64_t seed, ent_performance *performance) {
  const ent_evaluation_task task = {.evaluation = evaluation, .request = request, .seed = seed};
  size_t targets = evaluation->data.targets;
  ent_performance p = {0};
  double *scores = ent_new(context, evaluation->data.test_rows * targets, sizeof *scores);
  if (scores == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_evaluation_tune(context, &task, &p.choice);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_compare_method_is_exact(request->method) ? run_exact(context, &task, &p, scores)
                                                        : run_features(context, &task, &p, scores);
  if (status != ENTROPIC_OK)
    goto done;
  p.error = ent_evaluation_error(evaluation, scores, targets);
  *performance = p;
done:
  ent_delete(scores);
  return status;
}

/* Training and testing by exact kernel ridge: all of it counts as training. */
static entropic_status time_exact(entropic_context *context, const ent_evaluation_task *task, const ent_choice *choice,
                                  ent_durations *durations) {
  ent_performance p = {.choice = *choice};
  const ent_evaluation_data *data = &task->evaluation->data;
  double *scores = ent_new(context, data->test_rows * data->targets, sizeof *scores), start = ent_seconds();
  if (scores == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = run_exact(context, task, &p, scores);
  *durations = (ent_durations){.train = ent_seconds() - start, .given = NAN};
  ent_delete(scores);
  return status;
}

entropic_status ent_evaluation_time(entropic_context *context, const ent_evaluation *evaluation,
                                    const ent_request *request, const ent_choice *choice, uint64_t seed, bool given,
                                    ent_durations *durations) {
  const ent_evaluation_task task = {.evaluation = evaluation, .request = request, .seed = seed};
  ent_trained trained;
  double nonzeros;
  ent_durations d = {.given = NAN};
  if (ent_compare_method_is_exact(request->method))
    return time_exact(context, &task, choice, durations);
  entropic_status status = train(context, &task, choice, &trained, &d);
  if (status != ENTROPIC_OK)
    return status;
  const ent_evaluation_view *view = ent_evaluation_view_of(evaluation, request->method, choice->scaling);
  status = measure_lift(context, &view->test, &trained.features.map, &nonzeros, &d.lift);
  if (status != ENTROPIC_OK)
    goto done;
  if (given) {
    const ent_lifted_training lifted = {&trained.features.map, &view->train, evaluation->data.targets, choice->lambda};
    ent_ridge *ridge = NULL;
    status = ent_lifted_training_time(context, &lifted, &ridge, &d.given);
    if (status != ENTROPIC_OK)
      goto done;
    ent_ridge_free(ridge);
  }
  *durations = d;
done:
  trained_clear(&trained);
  return status;
}

/* Evaluations repeated: see experiments.h. */
#include "compare/experiments.h"

#include <math.h>

#include "base/context.h"
#include "base/extreme.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"

static void experiment_clear(ent_experiment *experiment) {
  ent_delete(experiment->errors);
  ent_delete(experiment->performances);
  ent_delete(experiment->made_by);
  ent_delete(experiment->times.rounds);
}

void ent_experiments_clear(ent_experiments *experiments) {
  for (size_t i = 0; experiments->list != NULL && i < experiments->count; i++)
    experiment_clear(&experiments->list[i]);
  ent_delete(experiments->list);
  experiment_clear(&experiments->constant);
  *experiments = (ent_experiments){0};
}

entropic_status ent_experiments_start(entropic_context *context, const ent_request *requests, size_t count, size_t runs,
                                      ent_experiments *experiments) {
  ent_experiments made = {.most_runs = runs, .count = count, .sized = count};
  made.list = ent_new(context, made.count, sizeof *made.list);
  made.constant = (ent_experiment){.request.method = ENT_COMPARE_METHODS, .most_runs = runs};
  made.constant.errors = ent_new(context, runs, sizeof(double));
  if (made.list == NULL || made.constant.errors == NULL)
    goto fail;
  for (size_t i = 0; i < made.count; i++) {
    ent_experiment *experiment = &made.list[i];
    *experiment = (ent_experiment){.request = requests[i], .most_runs = runs};
    experiment->errors = ent_new(context, runs, sizeof *experiment->errors);
    experiment->performances = ent_new(context, runs, sizeof *experiment->performances);
    if (experiment->errors == NULL || experiment->performances == NULL)
      goto fail;
  }
  *experiments = made;
  return ENTROPIC_OK;
fail:
  ent_experiments_clear(&made);
  return ENTROPIC_NO_MEMORY;
}

/* The requests of a plan, or only their number if there is no room for them. */
static size_t list_requests(const ent_experiment_plan *plan, ent_request *requests) {
  size_t count = 0;
#define ADD(...)                                                                                                       \
  do {                                                                                                                 \
    if (requests != NULL)                                                                                              \
      requests[count] = (ent_request){__VA_ARGS__};                                                                    \
    count++;                                                                                                           \
  } while (0)
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++)
    for (int tuned = 0; tuned < 2 && !ent_compare_method_is_exact(method); tuned++)
      for (size_t i = 0; i < plan->size_count; i++)
        ADD(.method = method, .tuned = tuned == 1, .features = plan->sizes[i]);
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++)
    for (size_t i = 0; i < plan->large_count && !ent_compare_method_is_exact(method); i++)
      ADD(.method = method, .tuned = true, .features = plan->large[i]);
  if (plan->exact_runs > 0)
    ADD(.method = ENT_COMPARE_EXACT, .tuned = true);
  for (int tuned = 0; tuned < 2; tuned++)
    for (size_t i = 0; i < plan->budget_count; i++)
      ADD(.method = ENT_COMPARE_ENTROPY, .tuned = tuned == 1, .nonzeros = plan->budgets[i]);
#undef ADD
  return count;
}

/* How many runs an experiment of the plan has at most. */
static size_t runs_of(const ent_experiment_plan *plan, const ent_request *request, size_t runs) {
  size_t most = runs;
  if (ent_compare_method_is_exact(request->method))
    most = plan->exact_runs;
  for (size_t i = 0; i < plan->large_count; i++)
    if (request->features == plan->large[i])
      most = plan->large_runs;
  return most < runs ? most : runs;
}

entropic_status ent_experiments_start_all(entropic_context *context, const ent_experiment_plan *plan, size_t runs,
                                          ent_experiments *experiments) {
  size_t count = list_requests(plan, NULL);
  ent_request *requests = ent_new(context, count, sizeof *requests);
  if (requests == NULL)
    return ENTROPIC_NO_MEMORY;
  list_requests(plan, requests);
  entropic_status status = ent_experiments_start(context, requests, count, runs, experiments);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < count; i++) {
    experiments->list[i].most_runs = runs_of(plan, &requests[i], runs);
    experiments->list[i].kernel = requests[i].method == ENT_COMPARE_ENTROPY ? plan->kernel : NULL;
  }
  experiments->sizes = plan->sizes;
  experiments->size_count = plan->size_count;
  experiments->large = plan->large;
  experiments->large_count = plan->large_count;
  experiments->sized = count - 2 * plan->budget_count;
done:
  ent_delete(requests);
  return status;
}

/* A run: all experiments on one split. */
typedef struct ent_experiment_run {
  ent_experiments *experiments;
  size_t *order; /* of the experiments: those that take longest first, so that threads end together */
  const ent_evaluation *evaluation;
  uint64_t seed;
} ent_experiment_run;

static void take(ent_experiment *experiment, const ent_performance *performance) {
  experiment->errors[experiment->runs] = performance->error;
  if (experiment->performances != NULL)
    experiment->performances[experiment->runs] = *performance;
  experiment->runs++;
}

/* Whether this run has an experiment still to do. */
static bool is_open(const ent_experiments *experiments, const ent_experiment *experiment) {
  return experiment->runs <= experiments->runs && experiment->runs < experiment->most_runs;
}

/* Takes from the log what it has; returns how many experiments are still to do, the constant among them. */
static size_t take_logged(ent_experiments *experiments, uint64_t seed) {
  size_t left = 0;
  for (size_t i = 0; i <= experiments->count; i++) {
    ent_experiment *experiment = i < experiments->count ? &experiments->list[i] : &experiments->constant;
    const ent_logged_key key = {experiment->request, seed};
    ent_performance p;
    if (!is_open(experiments, experiment))
      continue;
    if (ent_run_log_find(experiments->log, &key, &p))
      take(experiment, &p);
    else
      left++;
  }
  return left;
}

/* One experiment, unless this run has done it or it has had all its runs. Each writes to its own place. */
static entropic_status run_experiment(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  ent_experiment_run *run = shared;
  ent_experiment *experiment = &run->experiments->list[run->order[task]];
  ent_performance p;
  if (!is_open(run->experiments, experiment))
    return ENTROPIC_OK;
  entropic_status status = ent_evaluation_run(context, run->evaluation, &experiment->request, run->seed, &p);
  if (status != ENTROPIC_OK)
    return status;
  take(experiment, &p);
  return ent_run_log_add(context, run->experiments->log, &(ent_logged_key){experiment->request, run->seed}, &p);
}

/* How long an experiment takes, roughly, compared with others. */
static double weight_of(const ent_request *request) {
  double features = (double)(request->features > 0 ? request->features : request->nonzeros);
  return ent_compare_method_is_exact(request->method)
             ? INFINITY
             : (request->method == ENT_COMPARE_RESIDUAL ? 8 : 1) * (request->tuned ? 5 : 1) * features;
}

/* By insertion: there are some hundred. */
static void order_experiments(const ent_experiments *experiments, size_t *order) {
  for (size_t i = 0; i < experiments->count; i++) {
    size_t at = i;
    for (double weight = weight_of(&experiments->list[i].request);
         at > 0 && weight > weight_of(&experiments->list[order[at - 1]].request); at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

static entropic_status run_constant(entropic_context *context, const ent_experiment_run *run) {
  ent_experiment *constant = &run->experiments->constant;
  ent_performance p = {0};
  if (!is_open(run->experiments, constant))
    return ENTROPIC_OK;
  entropic_status status = ent_evaluation_constant(context, run->evaluation, &p.error);
  if (status != ENTROPIC_OK)
    return status;
  take(constant, &p);
  return ent_run_log_add(context, run->experiments->log, &(ent_logged_key){constant->request, run->seed}, &p);
}

entropic_status ent_experiments_run(entropic_context *context, ent_experiments *experiments,
                                    const ent_evaluation_data *data, uint64_t seed) {
  ent_experiment_run run = {.experiments = experiments, .seed = seed};
  ent_evaluation *evaluation = NULL;
  if (take_logged(experiments, seed) == 0) {
    experiments->runs++;
    return ENTROPIC_OK;
  }
  entropic_status status = ent_evaluation_create(context, data, seed, &evaluation);
  if (status != ENTROPIC_OK)
    return status;
  run.evaluation = evaluation;
  run.order = ent_new(context, experiments->count, sizeof *run.order);
  status = ENTROPIC_NO_MEMORY;
  if (run.order == NULL)
    goto done;
  order_experiments(experiments, run.order);
  status = run_constant(context, &run);
  if (status != ENTROPIC_OK)
    goto done;
  ent_progress former = ent_progress_hold(context);
  status = ent_parallel(context, experiments->count, run_experiment, &run);
  ent_progress_leave(context, former);
  if (status != ENTROPIC_OK)
    goto done;
  ent_progress_report(context, 1);
  experiments->runs++;
done:
  ent_delete(run.order);
  ent_evaluation_free(evaluation);
  return status;
}

double ent_experiment_mean_first(const ent_experiment *experiment, size_t runs) {
  double sum = 0;
  for (size_t i = 0; i < runs; i++)
    sum += experiment->errors[i];
  return sum / (double)runs;
}

double ent_experiment_mean(const ent_experiment *experiment) {
  return ent_experiment_mean_first(experiment, experiment->runs);
}

double ent_experiment_deviation(const ent_experiment *experiment) {
  double mean = ent_experiment_mean(experiment), sum = 0;
  int unit = ent_extreme_unit(mean);
  for (size_t i = 0; i < experiment->runs; i++) {
    double from_mean = ldexp(experiment->errors[i] - mean, -unit);
    sum += from_mean * from_mean;
  }
  return experiment->runs > 1 ? ldexp(sqrt(sum / (double)(experiment->runs - 1)), unit) : NAN;
}

entropic_scaling ent_experiment_scaling(const ent_experiment *experiment) {
  size_t taken[ENTROPIC_SCALING_BLEND + 1] = {0};
  if (experiment->performances == NULL)
    return experiment->summary.scaling;
  for (size_t i = 0; i < experiment->runs; i++)
    taken[experiment->performances[i].choice.scaling]++;
  entropic_scaling most = ENTROPIC_SCALING_QUANTILE;
  for (entropic_scaling i = most + 1; i <= ENTROPIC_SCALING_BLEND; i++)
    if (taken[i] > taken[most])
      most = i;
  return most;
}

const char *ent_experiment_kernel(const ent_experiment *experiment) {
  size_t second = 0;
  if (experiment->kernel != NULL)
    return experiment->kernel;
  if (experiment->performances == NULL)
    return experiment->summary.kernel;
  for (size_t i = 0; i < experiment->runs; i++)
    second += experiment->performances[i].choice.kernel > 0;
  return ent_compare_method_kernel(experiment->request.method, 2 * second > experiment->runs);
}

double ent_experiment_bandwidth(const ent_experiment *experiment) {
  double sum = 0;
  if (experiment->performances == NULL)
    return experiment->summary.bandwidth;
  for (size_t i = 0; i < experiment->runs; i++)
    sum += log(experiment->performances[i].choice.bandwidth);
  return exp(sum / (double)experiment->runs);
}

double ent_experiment_nonzeros(const ent_experiment *experiment) {
  double sum = 0;
  if (experiment->performances == NULL)
    return experiment->summary.nonzeros;
  for (size_t i = 0; i < experiment->runs; i++)
    sum += experiment->performances[i].nonzeros;
  return sum / (double)experiment->runs;
}

double ent_experiment_features(const ent_experiment *experiment) {
  double sum = 0;
  if (experiment->performances == NULL)
    return experiment->summary.features;
  for (size_t i = 0; i < experiment->runs; i++)
    sum += (double)experiment->performances[i].features;
  return sum / (double)experiment->runs;
}

double ent_experiment_bytes(const ent_experiment *experiment) {
  return fmin(8 * ent_experiment_features(experiment), 12 * ent_experiment_nonzeros(experiment));
}

const ent_experiment *ent_experiments_find(const ent_experiments *experiments, ent_compare_method method, bool tuned,
                                           size_t size) {
  for (size_t i = 0; i < experiments->count; i++) {
    const ent_request *request = &experiments->list[i].request;
    if (request->method == method && request->tuned == tuned && request->features == size && request->nonzeros == 0)
      return &experiments->list[i];
  }
  return NULL;
}

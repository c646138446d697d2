/* Evaluations repeated: see experiments.h. */
#include "compare/experiments.h"

#include <math.h>

#include "base/context.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"

void ent_experiments_clear(ent_experiments *experiments) {
  for (size_t i = 0; experiments->list != NULL && i < experiments->count; i++)
    ent_delete(experiments->list[i].errors);
  ent_delete(experiments->list);
  ent_delete(experiments->constant.errors);
  *experiments = (ent_experiments){0};
}

entropic_status ent_experiments_start(entropic_context *context, const ent_request *requests, size_t count, size_t runs,
                                      ent_experiments *experiments) {
  ent_experiments made = {.most_runs = runs, .trainings = 1, .count = count};
  made.list = ent_new(context, made.count, sizeof *made.list);
  made.constant.errors = ent_new(context, runs, sizeof(double));
  if (made.list == NULL || made.constant.errors == NULL)
    goto fail;
  for (size_t i = 0; i < made.count; i++) {
    made.list[i] = (ent_experiment){.request = requests[i], .most_runs = runs, .timed = 1, .bandwidth = 1};
    made.list[i].errors = ent_new(context, runs, sizeof(double));
    if (made.list[i].errors == NULL)
      goto fail;
  }
  *experiments = made;
  return ENTROPIC_OK;
fail:
  ent_experiments_clear(&made);
  return ENTROPIC_NO_MEMORY;
}

entropic_status ent_experiments_start_all(entropic_context *context, const ent_experiment_plan *plan, size_t runs,
                                          ent_experiments *experiments) {
  size_t sizes = plan->size_count, grid = (size_t)ENT_COMPARE_METHODS * 2 * sizes;
  size_t count = grid + 2 * plan->budget_count;
  ent_request *requests = ent_new(context, count, sizeof *requests);
  if (requests == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < grid; i++)
    requests[i] = (ent_request){.method = (ent_compare_method)(i / (2 * sizes)),
                                .tuned = i / sizes % 2 == 1,
                                .features = plan->sizes[i % sizes]};
  for (size_t tuned = 0, at = grid; tuned < 2; tuned++)
    for (size_t i = 0; i < plan->budget_count; i++)
      requests[at++] = (ent_request){.method = ENT_COMPARE_ENTROPY, .tuned = tuned == 1, .nonzeros = plan->budgets[i]};
  entropic_status status = ent_experiments_start(context, requests, count, runs, experiments);
  if (status != ENTROPIC_OK)
    goto done;
  experiments->sizes = plan->sizes;
  experiments->size_count = sizes;
  experiments->grid = grid;
done:
  ent_delete(requests);
  return status;
}

void ent_experiments_time(ent_experiments *experiments, size_t runs) {
  for (size_t i = 0; i < experiments->count; i++)
    experiments->list[i].timed = runs;
}

void ent_experiments_limit(ent_experiments *experiments, ent_compare_method method, size_t timed, size_t runs) {
  for (size_t i = 0; i < experiments->count; i++) {
    ent_experiment *experiment = &experiments->list[i];
    if (experiment->request.method != method)
      continue;
    experiment->timed = timed;
    experiment->most_runs = runs < experiments->most_runs ? runs : experiments->most_runs;
  }
}

/* A run: all experiments on one split. */
typedef struct ent_experiment_run {
  ent_experiments *experiments;
  const ent_evaluation *evaluation;
  uint64_t seed;
} ent_experiment_run;

/* One experiment, unless this run has done it or it has had all its runs. Each writes to its own place. */
static entropic_status run_experiment(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  ent_experiment_run *run = shared;
  ent_experiment *experiment = &run->experiments->list[task];
  ent_performance p;
  if (experiment->runs > run->experiments->runs || experiment->runs == experiment->most_runs)
    return ENTROPIC_OK;
  size_t runs = experiment->runs;
  bool timed = runs < experiment->timed;
  entropic_status status = ent_evaluation_run(context, run->evaluation, &experiment->request, run->seed,
                                              timed ? run->experiments->trainings : 1, &p);
  if (status != ENTROPIC_OK)
    return status;
  experiment->errors[runs] = p.error;
  experiment->bandwidth = exp((log(experiment->bandwidth) * (double)runs + log(p.bandwidth)) / (double)(runs + 1));
  experiment->scaled[p.scaling]++;
  experiment->nonzeros = (experiment->nonzeros * (double)runs + p.nonzeros) / (double)(runs + 1);
  experiment->features = (experiment->features * (double)runs + (double)p.features) / (double)(runs + 1);
  if (timed) {
    experiment->train_seconds = runs == 0 ? p.train_seconds : fmin(experiment->train_seconds, p.train_seconds);
    experiment->lift_seconds = runs == 0 ? p.lift_seconds : fmin(experiment->lift_seconds, p.lift_seconds);
  }
  experiment->runs++;
  return ENTROPIC_OK;
}

/* The timed experiments of a run, one by one; *timed becomes how many there are. */
static entropic_status run_timed(entropic_context *context, ent_experiment_run *run, size_t *timed) {
  const ent_experiments *experiments = run->experiments;
  *timed = 0;
  for (size_t i = 0; i < experiments->count; i++) {
    if (experiments->runs >= experiments->list[i].timed)
      continue;
    ent_progress former = ent_progress_hold(context);
    entropic_status status = run_experiment(context, run, i, 0);
    ent_progress_leave(context, former);
    if (status != ENTROPIC_OK)
      return status;
    ent_progress_report(context, (double)++*timed / (double)experiments->count);
  }
  return ENTROPIC_OK;
}

entropic_status ent_experiments_run(entropic_context *context, ent_experiments *experiments,
                                    const ent_evaluation_data *data, uint64_t seed) {
  ent_evaluation *evaluation = NULL;
  ent_experiment *constant = &experiments->constant;
  size_t timed = 0;
  entropic_status status = ent_evaluation_create(context, data, seed, &evaluation);
  if (status != ENTROPIC_OK)
    return status;
  if (constant->runs == experiments->runs) /* else a run that failed has evaluated it */
    status = ent_evaluation_constant(context, evaluation, &constant->errors[constant->runs++]);
  if (status != ENTROPIC_OK)
    goto done;
  ent_experiment_run run = {.experiments = experiments, .evaluation = evaluation, .seed = seed};
  int threads = entropic_context_threads(context);
  entropic_context_set_threads(context, 1);
  status = run_timed(context, &run, &timed);
  entropic_context_set_threads(context, threads);
  if (status != ENTROPIC_OK)
    goto done;
  if (timed < experiments->count) {
    ent_progress former = ent_progress_hold(context);
    status = ent_parallel(context, experiments->count, run_experiment, &run);
    ent_progress_leave(context, former);
    if (status != ENTROPIC_OK)
      goto done;
  }
  ent_progress_report(context, 1);
  experiments->runs++;
done:
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
  for (size_t i = 0; i < experiment->runs; i++)
    sum += (experiment->errors[i] - mean) * (experiment->errors[i] - mean);
  return experiment->runs > 1 ? sqrt(sum / (double)(experiment->runs - 1)) : NAN;
}

entropic_scaling ent_experiment_scaling(const ent_experiment *experiment) {
  entropic_scaling most = ENTROPIC_SCALING_QUANTILE;
  for (entropic_scaling i = most + 1; i <= ENTROPIC_SCALING_BLEND; i++)
    if (experiment->scaled[i] > experiment->scaled[most])
      most = i;
  return most;
}

const ent_experiment *ent_experiments_find(const ent_experiments *experiments, ent_compare_method method, bool tuned,
                                           size_t size) {
  for (size_t i = 0; i < experiments->count; i++) {
    const ent_experiment *experiment = &experiments->list[i];
    if (experiment->request.method == method && experiment->request.tuned == tuned &&
        experiment->request.features == size)
      return experiment;
  }
  return NULL;
}

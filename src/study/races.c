/* Races: see races.h. */
#include "study/races.h"

#include <math.h>

#include "base/context.h"
#include "base/memory.h"
#include "base/threads.h"

void ent_races_clear(ent_races *races) {
  for (size_t i = 0; races->races != NULL && i < races->count; i++)
    ent_delete(races->races[i].errors);
  ent_delete(races->races);
  ent_delete(races->constant.errors);
  *races = (ent_races){0};
}

entropic_status ent_races_start(entropic_context *context, const ent_request *requests, size_t count, size_t runs,
                                ent_races *races) {
  ent_races made = {.most_runs = runs, .trainings = 1, .count = count};
  made.races = ent_new(context, made.count, sizeof *made.races);
  made.constant.errors = ent_new(context, runs, sizeof(double));
  bool complete = made.races != NULL && made.constant.errors != NULL;
  for (size_t i = 0; i < made.count && complete; i++) {
    made.races[i] = (ent_race){.request = requests[i], .most_runs = runs, .timed = 1, .bandwidth = 1};
    made.races[i].errors = ent_new(context, runs, sizeof(double));
    complete = made.races[i].errors != NULL;
  }
  if (!complete) {
    ent_races_clear(&made);
    return ENTROPIC_NO_MEMORY;
  }
  *races = made;
  return ENTROPIC_OK;
}

entropic_status ent_races_start_all(entropic_context *context, const ent_race_plan *plan, size_t runs,
                                    ent_races *races) {
  size_t sizes = plan->size_count, grid = (size_t)ENT_BASELINES * 2 * sizes, count = grid + 2 * plan->budget_count;
  ent_request *requests = ent_new(context, count, sizeof *requests);
  if (requests == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < grid; i++)
    requests[i] = (ent_request){
        .baseline = (ent_baseline)(i / (2 * sizes)), .tuned = i / sizes % 2 == 1, .features = plan->sizes[i % sizes]};
  for (size_t tuned = 0, at = grid; tuned < 2; tuned++)
    for (size_t i = 0; i < plan->budget_count; i++)
      requests[at++] =
          (ent_request){.baseline = ENT_BASELINE_ENTROPY, .tuned = tuned == 1, .nonzeros = plan->budgets[i]};
  entropic_status status = ent_races_start(context, requests, count, runs, races);
  if (status == ENTROPIC_OK) {
    races->sizes = plan->sizes;
    races->size_count = sizes;
    races->grid = grid;
  }
  ent_delete(requests);
  return status;
}

void ent_races_time(ent_races *races, size_t runs) {
  for (size_t i = 0; i < races->count; i++)
    races->races[i].timed = runs;
}

void ent_races_limit(ent_races *races, ent_baseline baseline, size_t timed, size_t runs) {
  for (size_t i = 0; i < races->count; i++) {
    ent_race *race = &races->races[i];
    if (race->request.baseline != baseline)
      continue;
    race->timed = timed;
    race->most_runs = runs < races->most_runs ? runs : races->most_runs;
  }
}

typedef struct ent_race_day {
  ent_races *races;
  const ent_contest *contest;
  uint64_t seed;
} ent_race_day;

/* A race at a time, unless it has been run or has had its runs; each writes to its own place. */
static entropic_status run_race(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  ent_race_day *day = shared;
  ent_race *race = &day->races->races[task];
  ent_performance p;
  if (race->runs > day->races->runs || race->runs == race->most_runs)
    return ENTROPIC_OK;
  size_t runs = race->runs;
  bool timed = runs < race->timed;
  entropic_status status =
      ent_contest_run(context, day->contest, &race->request, day->seed, timed ? day->races->trainings : 1, &p);
  if (status != ENTROPIC_OK)
    return status;
  race->errors[runs] = p.error;
  race->bandwidth = exp((log(race->bandwidth) * (double)runs + log(p.bandwidth)) / (double)(runs + 1));
  race->scaled[p.scaling]++;
  race->nonzeros = (race->nonzeros * (double)runs + p.nonzeros) / (double)(runs + 1);
  race->features = (race->features * (double)runs + (double)p.features) / (double)(runs + 1);
  if (timed) {
    race->train_seconds = runs == 0 ? p.train_seconds : fmin(race->train_seconds, p.train_seconds);
    race->lift_seconds = runs == 0 ? p.lift_seconds : fmin(race->lift_seconds, p.lift_seconds);
  }
  race->runs++;
  return ENTROPIC_OK;
}

entropic_status ent_races_run(entropic_context *context, ent_races *races, const ent_contest_data *data, uint64_t seed,
                              void (*class_validation)(void *user, size_t done, size_t all), void *user) {
  ent_contest *contest = NULL;
  ent_race *constant = &races->constant;
  entropic_status status = ent_contest_create(context, data, seed, &contest);
  if (status == ENTROPIC_OK && constant->runs == races->runs) /* else it has been run */
    status = ent_contest_constant(context, contest, &constant->errors[constant->runs++]);
  if (status != ENTROPIC_OK) {
    ent_contest_free(contest);
    return status;
  }
  ent_race_day day = {.races = races, .contest = contest, .seed = seed};
  size_t done = 0, timed = 0;
  for (size_t i = 0; i < races->count; i++)
    timed += races->runs < races->races[i].timed;
  int threads = entropic_context_threads(context);
  entropic_context_set_threads(context, 1);
  for (size_t i = 0; i < races->count && status == ENTROPIC_OK; i++) {
    if (races->runs >= races->races[i].timed)
      continue;
    status = run_race(context, &day, i, 0);
    if (class_validation != NULL)
      class_validation(user, ++done, races->count);
  }
  entropic_context_set_threads(context, threads);
  if (status == ENTROPIC_OK && timed < races->count) {
    status = ent_parallel(context, races->count, run_race, &day);
    if (class_validation != NULL)
      class_validation(user, races->count, races->count);
  }
  races->runs += status == ENTROPIC_OK;
  ent_contest_free(contest);
  return status;
}

double ent_race_mean_first(const ent_race *race, size_t runs) {
  double sum = 0;
  for (size_t i = 0; i < runs; i++)
    sum += race->errors[i];
  return sum / (double)runs;
}

double ent_race_mean(const ent_race *race) {
  return ent_race_mean_first(race, race->runs);
}

double ent_race_deviation(const ent_race *race) {
  double mean = ent_race_mean(race), sum = 0;
  for (size_t i = 0; i < race->runs; i++)
    sum += (race->errors[i] - mean) * (race->errors[i] - mean);
  return race->runs > 1 ? sqrt(sum / (double)(race->runs - 1)) : NAN;
}

entropic_scaling ent_race_scaling(const ent_race *race) {
  entropic_scaling most = 0;
  for (entropic_scaling i = 1; i < ENTROPIC_SCALE_AUTO; i++)
    if (race->scaled[i] > race->scaled[most])
      most = i;
  return most;
}

const ent_race *ent_races_find(const ent_races *races, ent_baseline baseline, bool tuned, size_t size) {
  for (size_t i = 0; i < races->count; i++) {
    const ent_race *race = &races->races[i];
    if (race->request.baseline == baseline && race->request.tuned == tuned && race->request.features == size)
      return race;
  }
  return NULL;
}

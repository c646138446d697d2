/* How long trainings take: all experiments in turn, round by round, on one thread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/context.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "compare/experiments.h"

/* In a round, trainings that are over at once are repeated; the least time counts: on some hundred rows a single training
 * is over before the processor is up to speed. */
#define REPEATED_SECONDS 0.02
#define MOST_REPEATS 10

/* A training that takes long has fewer rounds: all its trainings together take no longer than this, but it has two. */
#define LONG_SECONDS 6.0
#define LEAST_ROUNDS ((size_t)2)

#define MOMENT 0.5

/* Seconds of processors: all that the machine has spent on work, and this process of them; NaN if not known. */
typedef struct ent_work {
  double all, own, wall;
} ent_work;

static ent_work work_now(void) {
  ent_work work = {.all = NAN, .own = NAN, .wall = ent_seconds()};
  struct rusage usage;
  unsigned long long user, nice, system, idle, wait, interrupt, soft;
  FILE *file = fopen("/proc/stat", "re");
  if (file == NULL)
    return work;
  if (fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &wait, &interrupt, &soft) ==
      7)
    work.all = (double)(user + nice + system + interrupt + soft) / (double)sysconf(_SC_CLK_TCK);
  fclose(file);
  if (getrusage(RUSAGE_SELF, &usage) == 0)
    work.own = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  return work;
}

/* How many processors other work has kept busy since then, which becomes now; NaN, and then stays, where that is a moment
 * ago: the machine counts in hundredths of a second. */
static double others_since(ent_work *then) {
  ent_work now = work_now();
  double wall = now.wall - then->wall, others = (now.all - then->all - (now.own - then->own)) / wall;
  if (wall < MOMENT)
    return NAN;
  *then = now;
  return others < 0 ? 0 : others;
}

static entropic_status time_once(entropic_context *context, const ent_evaluation *evaluation,
                                 const ent_experiment *experiment, uint64_t seed, bool given,
                                 ent_durations *durations) {
  ent_durations least = {INFINITY, INFINITY, INFINITY, given ? INFINITY : NAN}, d;
  double all = 0;
  for (int i = 0; i == 0 || (i < MOST_REPEATS && all < REPEATED_SECONDS); i++) {
    entropic_status status = ent_evaluation_time(context, evaluation, &experiment->request,
                                                 &experiment->performances[0].choice, seed, given, &d);
    if (status != ENTROPIC_OK)
      return status;
    least = (ent_durations){fmin(least.make, d.make), fmin(least.train, d.train), fmin(least.lift, d.lift),
                            given ? fmin(least.given, d.given) : NAN};
    all += d.train;
  }
  *durations = least;
  return ENTROPIC_OK;
}

/* Trainings of all experiments under way. */
typedef struct ent_timing_task {
  ent_experiments *experiments;
  const ent_evaluation_data *data;
  const ent_timing *timing;
  uint64_t seed;
  ent_evaluation *evaluation; /* made for the first training that the log does not have */
  ent_work then;              /* when the load was last looked at */
} ent_timing_task;

/* Whether an experiment trains in this round. */
static bool takes_part(const ent_experiment *experiment, size_t round) {
  double all = 0;
  if (experiment->runs == 0 || experiment->times.count < round)
    return false;
  for (size_t i = 0; i < experiment->times.count; i++)
    all += experiment->times.rounds[i].durations.train;
  return round < LEAST_ROUNDS || all * (double)(round + 1) / (double)round < LONG_SECONDS;
}

/* Trains and logs. */
static entropic_status measure(entropic_context *context, ent_timing_task *task, const ent_experiment *experiment,
                               const ent_logged_key *key, ent_logged_time *time) {
  bool given = task->timing->given && !ent_compare_method_is_exact(experiment->request.method);
  entropic_status status;
  if (task->evaluation == NULL) {
    status = ent_evaluation_create(context, task->data, task->seed, &task->evaluation);
    if (status != ENTROPIC_OK)
      return status;
    task->then = work_now();
  }
  status = time_once(context, task->evaluation, experiment, task->seed, given, &time->durations);
  if (status != ENTROPIC_OK)
    return status;
  time->others = others_since(&task->then);
  return ent_run_log_add_time(context, task->experiments->log, key, time);
}

static entropic_status time_rounds(entropic_context *context, ent_timing_task *task) {
  ent_experiments *experiments = task->experiments;
  size_t rounds = task->timing->rounds;
  for (size_t round = 0; round < rounds; round++)
    for (size_t i = 0; i < experiments->count; i++) {
      ent_experiment *experiment = &experiments->list[i];
      const ent_logged_key key = {experiment->request, round};
      ent_logged_time *time = &experiment->times.rounds[round];
      if (!takes_part(experiment, round))
        continue;
      if (!ent_run_log_find_time(experiments->log, &key, time)) {
        ent_progress former = ent_progress_hold(context);
        entropic_status status = measure(context, task, experiment, &key, time);
        ent_progress_leave(context, former);
        if (status != ENTROPIC_OK)
          return status;
      }
      experiment->times.count = round + 1;
      ent_progress_report(context, ((double)round + (double)(i + 1) / (double)experiments->count) / (double)rounds);
    }
  return ENTROPIC_OK;
}

entropic_status ent_experiments_time(entropic_context *context, ent_experiments *experiments,
                                     const ent_evaluation_data *data, uint64_t seed, const ent_timing *timing) {
  for (size_t i = 0; i < experiments->count; i++) {
    ent_times *times = &experiments->list[i].times;
    ent_delete(times->rounds);
    *times = (ent_times){.rounds = ent_new(context, timing->rounds, sizeof *times->rounds)};
    if (times->rounds == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  ent_timing_task task = {.experiments = experiments, .data = data, .timing = timing, .seed = seed};
  int threads = ent_context_threads(context);
  entropic_context_set_threads(context, 1);
  entropic_status status = time_rounds(context, &task);
  entropic_context_set_threads(context, threads);
  ent_evaluation_free(task.evaluation);
  return status;
}

static double duration_of(const ent_durations *durations, ent_duration which) {
  const double all[] = {[ENT_DURATION_TRAIN] = durations->train,
                        [ENT_DURATION_MAKE] = durations->make,
                        [ENT_DURATION_LIFT] = durations->lift,
                        [ENT_DURATION_GIVEN] = durations->given};
  return all[which];
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double ent_experiment_seconds(const ent_experiment *experiment, ent_duration which, double quantile) {
  double sorted[ENT_MOST_ROUNDS];
  size_t count = experiment->times.count;
  if (count == 0)
    return NAN;
  for (size_t i = 0; i < count; i++) {
    sorted[i] = duration_of(&experiment->times.rounds[i].durations, which);
    if (isnan(sorted[i]))
      return NAN;
  }
  qsort(sorted, count, sizeof *sorted, compare_numbers);
  double at = quantile * (double)(count - 1);
  size_t low = (size_t)at, high = low + 1 < count ? low + 1 : low;
  return sorted[low] + (at - (double)low) * (sorted[high] - sorted[low]);
}

double ent_experiments_load(const ent_experiments *experiments) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < experiments->count; i++) {
    const ent_times *times = &experiments->list[i].times;
    for (size_t k = 0; k < times->count; k++)
      if (!isnan(times->rounds[k].others)) {
        sum += times->rounds[k].others;
        count++;
      }
  }
  return count > 0 ? sum / count : NAN;
}

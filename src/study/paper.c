/* The paper's experiments, run one after the other. */
#include "study/paper.h"

#include <math.h>
#include <string.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/progress.h"

static const size_t all_sizes[] = {20, 40, 80, 160, 320}, quick_sizes[] = {20, 80, 320};
static const size_t approximation_inputs[ENT_PAPER_APPROXIMATIONS] = {1, 2, 5};

static const size_t time_sizes[] = {80, 100, 120, 140, 160};

#define TIMED_RUNS ((size_t)3) /* of a set, for its table of costs */
#define TIME_RUNS ((size_t)5)  /* for the table of times alone */
#define TRAININGS ((size_t)10) /* in a timed run, where they take little time */

/* EOF-select takes longest, since it selects from the data: it has fewer runs of a set, and fewer of them are timed. */
#define SELECTED_RUNS ((size_t)10)
#define SELECTED_TIMED_RUNS ((size_t)1)
#define SELECTED_TIME_RUNS ((size_t)2)

ent_paper_options ent_paper_options_default(void) {
  return (ent_paper_options){.runs = 50, .seed = 1};
}

void ent_paper_free(ent_paper *paper) {
  if (paper == NULL)
    return;
  for (size_t i = 0; i < ENT_SETS; i++)
    entropic_comparison_free(paper->comparisons[i]);
  ent_experiments_clear(&paper->times);
  ent_delete(paper);
}

static entropic_status comparison_start(entropic_context *context, const ent_set *set, bool quick, size_t runs,
                                        entropic_comparison **comparison) {
  const size_t *sizes = quick ? quick_sizes : all_sizes;
  size_t count = quick ? sizeof quick_sizes / sizeof *quick_sizes : sizeof all_sizes / sizeof *all_sizes;
  const ent_experiment_plan plan = {.sizes = sizes, .size_count = count, .budgets = sizes, .budget_count = count};
  entropic_comparison *made = NULL;
  entropic_status status = ent_comparison_start(context, &plan, runs, &made);
  if (status != ENTROPIC_OK)
    return status;
  made->classes = set->split_table.classes;
  made->rows = set->train;
  made->inputs = set->split_table.columns;
  ent_experiments_time(&made->experiments, TIMED_RUNS);
  made->experiments.trainings = TRAININGS;
  ent_experiments_limit(&made->experiments, ENT_COMPARE_RESIDUAL, SELECTED_TIMED_RUNS, SELECTED_RUNS);
  *comparison = made;
  return ENTROPIC_OK;
}

/* Times of training alone, on one thread: the least of some runs, so that what else the machine does is not in them. */
static entropic_status run_times(entropic_context *context, const ent_paper_options *options, const ent_set *set,
                                 ent_paper *paper) {
  enum { SIZES = sizeof time_sizes / sizeof *time_sizes };
  ent_request requests[ENT_COMPARE_METHODS * SIZES];
  size_t count = (size_t)ENT_COMPARE_METHODS * SIZES, runs = paper->quick ? 3 : TIME_RUNS;
  ent_experiments *times = &paper->times;
  for (size_t i = 0; i < count; i++)
    requests[i] = (ent_request){.method = (ent_compare_method)(i / SIZES), .features = time_sizes[i % SIZES]};
  ent_split_cut cut = {0};
  entropic_status status = ent_experiments_start(context, requests, count, runs, times);
  if (status != ENTROPIC_OK)
    return status;
  ent_experiments_time(times, runs);
  times->trainings = TRAININGS;
  ent_experiments_limit(times, ENT_COMPARE_RESIDUAL, SELECTED_TIME_RUNS, SELECTED_TIME_RUNS);
  times->sizes = time_sizes;
  times->size_count = SIZES;
  status = ent_set_cut(context, set, options->seed, &cut);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t run = 0; run < runs; run++) {
    ent_progress_start(context, "training times", run, runs);
    status = ent_experiments_run(context, times, &cut.data, options->seed);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_split_cut_clear(&cut);
  return status;
}

/* One run on one data set: a split, and all experiments on it. */
static entropic_status run_split(entropic_context *context, const ent_set *set, uint64_t seed,
                                 ent_experiments *experiments) {
  ent_split_cut cut = {0};
  entropic_status status = ent_set_cut(context, set, seed, &cut);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_experiments_run(context, experiments, &cut.data, seed);
  ent_split_cut_clear(&cut);
  return status;
}

/* All runs on one data set. */
static entropic_status run_set(entropic_context *context, const ent_paper_options *options, size_t which,
                               ent_paper *paper) {
  const ent_set_options loading = {.folder = options->data, .quick = paper->quick, .seed = options->seed};
  ent_set set = {0};
  ent_progress_at(context, ent_sets[which].title, 0, 1);
  entropic_status status = ent_set_load(context, which, &loading, &set);
  if (status != ENTROPIC_OK)
    return status;
  paper->test_rows[which] = set.test;
  status = comparison_start(context, &set, paper->quick, paper->runs, &paper->comparisons[which]);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t run = 0; run < paper->runs; run++) {
    ent_progress_start(context, ent_sets[which].title, run, paper->runs);
    status = run_split(context, &set, options->seed + run, &paper->comparisons[which]->experiments);
    if (status != ENTROPIC_OK)
      goto done;
  }
  if (ent_sets[which].timed)
    status = run_times(context, options, &set, paper);
done:
  ent_set_clear(&set);
  return status;
}

/* The experiments that need no data. */
static entropic_status run_own(entropic_context *context, const ent_paper_options *options, ent_paper *paper) {
  entropic_status status;
  for (size_t i = 0; i < ENT_PAPER_APPROXIMATIONS; i++) {
    ent_progress_at(context, "kernels", i, ENT_PAPER_APPROXIMATIONS);
    status = ent_approximation_measure(context, approximation_inputs[i], &paper->approximations[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  status = ent_boundary_measure(context, &paper->boundary);
  if (status != ENTROPIC_OK)
    return status;
  return ent_rates_measure(context, paper->quick, paper->runs, options->seed, paper->rates);
}

/* A run of the paper. */
typedef struct ent_paper_call {
  const ent_paper_options *options;
  ent_paper *paper;
} ent_paper_call;

static entropic_status run_all(entropic_context *context, void *arguments) {
  const ent_paper_call *call = arguments;
  const char *data = call->options->data;
  entropic_status status = run_own(context, call->options, call->paper);
  for (size_t i = 0; status == ENTROPIC_OK && i < ENT_SETS && data != NULL; i++)
    if (ent_set_there(data, i))
      status = run_set(context, call->options, i, call->paper);
  return status;
}

entropic_status ent_paper_run(entropic_context *context, const ent_paper_options *options, ent_paper **paper) {
  if (options == NULL || paper == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", options == NULL ? "options" : "paper");
  if (options->runs < 1 || options->runs > 1000)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "runs is %zu, expected 1 to 1000", options->runs);
  ent_paper_call call = {.options = options, .paper = ent_new(context, 1, sizeof *call.paper)};
  if (call.paper == NULL)
    return ENTROPIC_NO_MEMORY;
  call.paper->quick = options->quick != 0;
  call.paper->runs = call.paper->quick ? 1 : options->runs;
  ent_blas_prepare(context);
  entropic_status status = ent_call_run(context, "kernels", run_all, &call);
  if (status != ENTROPIC_OK) {
    ent_paper_free(call.paper);
    return status;
  }
  *paper = call.paper;
  return ENTROPIC_OK;
}

size_t ent_paper_sets(const ent_paper *paper) {
  (void)paper;
  return ENT_SETS;
}

const char *ent_paper_set(const ent_paper *paper, size_t set, const char **files) {
  (void)paper;
  if (set >= ENT_SETS)
    return NULL;
  if (files != NULL)
    *files = ent_sets[set].files;
  return ent_sets[set].name;
}

const entropic_comparison *ent_paper_comparison(const ent_paper *paper, size_t set) {
  return set < ENT_SETS ? paper->comparisons[set] : NULL;
}

double ent_paper_slope(const ent_paper *paper, size_t inputs, double interval[2]) {
  const ent_rate *rates = paper->rates;
  for (size_t i = 0; i < ENT_PAPER_RATES; i++)
    if (rates[i].inputs == inputs && rates[i].rule == ENT_RATE_FOURTH) {
      if (interval != NULL) {
        interval[0] = rates[i].all.low;
        interval[1] = rates[i].all.high;
      }
      return rates[i].all.slope;
    }
  return NAN;
}

/* The paper's experiments, run one after the other. */
#include "study/paper.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const size_t all_sizes[] = {20, 40, 80, 160, 320}, quick_sizes[] = {20, 80, 320};
static const size_t approximation_inputs[ENT_PAPER_APPROXIMATIONS] = {1, 2, 5};

static const size_t time_sizes[] = {80, 100, 120, 140, 160};

#define TIMED_RUNS ((size_t)3) /* of a set, for its table of costs */
#define TIME_RUNS ((size_t)5)  /* for the table of times alone */
#define TRAININGS ((size_t)10) /* in a timed run, where they take little time */
#define MOST_RATE_RUNS ((size_t)20)

/* EOF-select takes longest, since it selects from the data: it has fewer runs of a set, and fewer of them are timed. */
#define SELECTED_RUNS ((size_t)10)
#define SELECTED_TIMED_RUNS ((size_t)1)
#define SELECTED_TIME_RUNS ((size_t)2)

ent_paper_options ent_paper_options_default(void) {
  return (ent_paper_options){.runs = 50, .seed = 1};
}

/* A stage of the paper, for progress. */
typedef struct ent_paper_stage {
  const ent_paper_options *options;
  const char *name;
  size_t run, runs;
} ent_paper_stage;

static void report_progress(void *user, size_t done, size_t all) {
  const ent_paper_stage *r = user;
  if (r->options->progress != NULL)
    r->options->progress(r->options->user, r->name, ((double)r->run + (double)done / (double)all) / (double)r->runs);
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
  ent_paper_stage stage = {.options = options, .name = "training times", .runs = runs};
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
  for (; stage.run < runs; stage.run++) {
    status = ent_experiments_run(context, times, &cut.data, options->seed, report_progress, &stage);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_split_cut_clear(&cut);
  return status;
}

/* One run on one data set: a split, and all experiments on it. */
static entropic_status run_split(entropic_context *context, const ent_set *set, ent_paper_stage *stage,
                                 ent_experiments *experiments) {
  ent_split_cut cut = {0};
  uint64_t seed = stage->options->seed + stage->run;
  entropic_status status = ent_set_cut(context, set, seed, &cut);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_experiments_run(context, experiments, &cut.data, seed, report_progress, stage);
  ent_split_cut_clear(&cut);
  return status;
}

/* All runs on one data set. */
static entropic_status run_set(entropic_context *context, const ent_paper_options *options, size_t which,
                               ent_paper *paper) {
  ent_paper_stage stage = {.options = options, .name = ent_sets[which].title, .runs = paper->runs};
  const ent_set_options loading = {.folder = options->data,
                                   .quick = paper->quick,
                                   .seed = options->seed,
                                   .progress = options->progress,
                                   .user = options->user};
  ent_set set = {0};
  report_progress(&stage, 0, 1);
  entropic_status status = ent_set_load(context, which, &loading, &set);
  if (status != ENTROPIC_OK)
    return status;
  paper->test_rows[which] = set.test;
  status = comparison_start(context, &set, paper->quick, paper->runs, &paper->comparisons[which]);
  if (status != ENTROPIC_OK)
    goto done;
  for (; stage.run < paper->runs; stage.run++) {
    status = run_split(context, &set, &stage, &paper->comparisons[which]->experiments);
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
  ent_paper_stage stage = {.options = options, .name = "kernels", .runs = ENT_PAPER_APPROXIMATIONS};
  entropic_status status;
  for (; stage.run < stage.runs; stage.run++) {
    report_progress(&stage, 0, 1);
    status = ent_approximation_measure(context, approximation_inputs[stage.run], &paper->approximations[stage.run]);
    if (status != ENTROPIC_OK)
      return status;
  }
  status = ent_boundary_measure(context, &paper->boundary);
  if (status != ENTROPIC_OK)
    return status;
  stage = (ent_paper_stage){.options = options, .name = "rates", .runs = ENT_PAPER_RATES};
  ent_rate_options rate = {.first = 8, .last = paper->quick ? 14 : 17, .seed = options->seed};
  rate.runs = paper->quick ? 3 : paper->runs < MOST_RATE_RUNS ? paper->runs : MOST_RATE_RUNS;
  for (; stage.run < stage.runs; stage.run++) {
    report_progress(&stage, 0, 1);
    rate.inputs = stage.run + 1;
    status = ent_rate_measure(context, &rate, &paper->rates[stage.run]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_paper_run(entropic_context *context, const ent_paper_options *options, ent_paper **paper) {
  if (options == NULL || paper == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", options == NULL ? "options" : "paper");
  if (options->runs < 1 || options->runs > 1000)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "runs is %zu, expected 1 to 1000", options->runs);
  ent_paper *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->quick = options->quick != 0;
  made->runs = made->quick ? 1 : options->runs;
  entropic_status status = run_own(context, options, made);
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t i = 0; i < ENT_SETS && options->data != NULL; i++) {
    if (!ent_set_there(options->data, i))
      continue;
    status = run_set(context, options, i, made);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  *paper = made;
  return ENTROPIC_OK;
fail:
  ent_paper_free(made);
  return status;
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

double ent_paper_slope(const ent_paper *paper, size_t inputs) {
  return inputs >= 1 && inputs <= ENT_PAPER_RATES ? paper->rates[inputs - 1].slope : NAN;
}

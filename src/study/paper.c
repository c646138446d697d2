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

/* EOF-select takes much longer than the others, since it selects: it has fewer runs of a set, of which fewer are timed. */
#define SELECTED_RUNS ((size_t)10)
#define SELECTED_TIMED_RUNS ((size_t)1)
#define SELECTED_TIME_RUNS ((size_t)2)

entropic_paper_options entropic_paper_options_default(void) {
  return (entropic_paper_options){.runs = 50, .seed = 1};
}

typedef struct ent_paper_reading {
  const entropic_paper_options *options;
  const char *stage;
  size_t run, runs;
} ent_paper_reading;

static void tell(void *user, size_t done, size_t all) {
  const ent_paper_reading *r = user;
  if (r->options->progress != NULL)
    r->options->progress(r->options->user, r->stage, ((double)r->run + (double)done / (double)all) / (double)r->runs);
}

void entropic_paper_free(entropic_paper *paper) {
  if (paper == NULL)
    return;
  for (size_t i = 0; i < ENT_SETS; i++)
    entropic_comparison_free(paper->comparisons[i]);
  ent_races_clear(&paper->times);
  ent_delete(paper);
}

static entropic_status comparison_start(entropic_context *context, const ent_set *set, bool quick, size_t runs,
                                        entropic_comparison **comparison) {
  const size_t *sizes = quick ? quick_sizes : all_sizes;
  size_t count = quick ? sizeof quick_sizes / sizeof *quick_sizes : sizeof all_sizes / sizeof *all_sizes;
  entropic_comparison *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->classes = set->split_table.classes;
  made->rows = set->train;
  made->inputs = set->split_table.columns;
  made->sizes = ent_new(context, count, sizeof *made->sizes);
  entropic_status status = made->sizes == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK) {
    memcpy(made->sizes, sizes, count * sizeof *sizes);
    ent_race_plan plan = {.sizes = made->sizes, .size_count = count, .budgets = sizes, .budget_count = count};
    status = ent_races_start_all(context, &plan, runs, &made->races);
  }
  if (status == ENTROPIC_OK) {
    ent_races_time(&made->races, TIMED_RUNS);
    made->races.trainings = TRAININGS;
    ent_races_limit(&made->races, ENT_BASELINE_RESIDUAL, SELECTED_TIMED_RUNS, SELECTED_RUNS);
  }
  if (status == ENTROPIC_OK)
    *comparison = made;
  else
    entropic_comparison_free(made);
  return status;
}

/* Times of training alone, all on one thread: the least of some runs, so that what else a machine does is not in them. */
static entropic_status run_times(entropic_context *context, const ent_paper_reading *reading, const ent_set *set,
                                 entropic_paper *paper) {
  enum { SIZES = sizeof time_sizes / sizeof *time_sizes };
  ent_request requests[ENT_BASELINES * SIZES];
  size_t count = (size_t)ENT_BASELINES * SIZES, runs = paper->quick ? 3 : TIME_RUNS;
  ent_paper_reading timing = {.options = reading->options, .stage = "training times", .runs = runs};
  for (size_t i = 0; i < count; i++)
    requests[i] = (ent_request){.baseline = (ent_baseline)(i / SIZES), .features = time_sizes[i % SIZES]};
  ent_split_cut cut = {0};
  entropic_status status = ent_races_start(context, requests, count, runs, &paper->times);
  if (status == ENTROPIC_OK)
    status = ent_set_cut(context, set, reading->options->seed, &cut);
  ent_races_time(&paper->times, runs);
  paper->times.trainings = TRAININGS;
  ent_races_limit(&paper->times, ENT_BASELINE_RESIDUAL, SELECTED_TIME_RUNS, SELECTED_TIME_RUNS);
  paper->times.sizes = time_sizes;
  paper->times.size_count = SIZES;
  for (; timing.run < runs && status == ENTROPIC_OK; timing.run++)
    status = ent_races_run(context, &paper->times, &cut.data, reading->options->seed, tell, &timing);
  ent_cut_clear(&cut);
  return status;
}

/* All runs on one data set. */
static entropic_status run_set(entropic_context *context, const entropic_paper_options *options, size_t which,
                               entropic_paper *paper) {
  ent_paper_reading reading = {.options = options, .stage = ent_sets[which].title, .runs = paper->runs};
  ent_set set = {0};
  tell(&reading, 0, 1);
  entropic_status status =
      ent_set_load(context, options->data, which, paper->quick, options->seed, options->progress, options->user, &set);
  if (status == ENTROPIC_OK)
    status = comparison_start(context, &set, paper->quick, paper->runs, &paper->comparisons[which]);
  for (; reading.run < paper->runs && status == ENTROPIC_OK; reading.run++) {
    ent_split_cut cut = {0};
    uint64_t seed = options->seed + reading.run;
    status = ent_set_cut(context, &set, seed, &cut);
    if (status == ENTROPIC_OK)
      status = ent_races_run(context, &paper->comparisons[which]->races, &cut.data, seed, tell, &reading);
    ent_cut_clear(&cut);
  }
  if (status == ENTROPIC_OK && ent_sets[which].timed)
    status = run_times(context, &reading, &set, paper);
  paper->test_rows[which] = set.test;
  ent_set_clear(&set);
  return status;
}

/* What needs no data. */
static entropic_status run_own(entropic_context *context, const entropic_paper_options *options,
                               entropic_paper *paper) {
  ent_paper_reading reading = {.options = options, .stage = "kernels", .runs = ENT_PAPER_APPROXIMATIONS};
  entropic_status status = ENTROPIC_OK;
  for (; reading.run < reading.runs && status == ENTROPIC_OK; reading.run++) {
    tell(&reading, 0, 1);
    status = ent_approximation_measure(context, approximation_inputs[reading.run], &paper->approximations[reading.run]);
  }
  if (status == ENTROPIC_OK)
    status = ent_boundary_measure(context, &paper->boundary);
  reading = (ent_paper_reading){.options = options, .stage = "rates", .runs = ENT_PAPER_RATES};
  size_t runs = paper->quick ? 3 : paper->runs < MOST_RATE_RUNS ? paper->runs : MOST_RATE_RUNS;
  for (; reading.run < reading.runs && status == ENTROPIC_OK; reading.run++) {
    tell(&reading, 0, 1);
    status = ent_rate_measure(context, reading.run + 1, 8, paper->quick ? 14 : 17, runs, options->seed,
                              &paper->rates[reading.run]);
  }
  return status;
}

entropic_status entropic_paper_run(entropic_context *context, const entropic_paper_options *options,
                                   entropic_paper **paper) {
  if (options == NULL || paper == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", options == NULL ? "options" : "paper");
  if (options->runs < 1 || options->runs > 1000)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "runs is %zu, expected 1 to 1000", options->runs);
  entropic_paper *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->quick = options->quick != 0;
  made->runs = made->quick ? 1 : options->runs;
  entropic_status status = run_own(context, options, made);
  for (size_t i = 0; i < ENT_SETS && options->data != NULL && status == ENTROPIC_OK; i++)
    if (ent_set_there(options->data, i))
      status = run_set(context, options, i, made);
  if (status == ENTROPIC_OK)
    *paper = made;
  else
    entropic_paper_free(made);
  return status;
}

size_t entropic_paper_sets(const entropic_paper *paper) {
  (void)paper;
  return ENT_SETS;
}

const char *entropic_paper_set(const entropic_paper *paper, size_t set, const char **files) {
  (void)paper;
  if (set >= ENT_SETS)
    return NULL;
  if (files != NULL)
    *files = ent_sets[set].files;
  return ent_sets[set].name;
}

const entropic_comparison *entropic_paper_comparison(const entropic_paper *paper, size_t set) {
  return set < ENT_SETS ? paper->comparisons[set] : NULL;
}

double entropic_paper_slope(const entropic_paper *paper, size_t inputs) {
  return inputs >= 1 && inputs <= ENT_PAPER_RATES ? paper->rates[inputs - 1].slope : NAN;
}

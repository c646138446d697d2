/* The paper's experiments, run one after the other. */
#include "study/paper.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/progress.h"
#include "solve/exact.h"
#include "study/comparison_saved.h"
#include "study/printed.h"

static const size_t approximation_inputs[ENT_PAPER_APPROXIMATIONS] = {1, 2, 5};

/* Numbers of features, in all runs; larger ones have fewer runs, and are tuned alone. The size of the paper's own table
 * is among them. */
static const size_t all_sizes[] = {20, 40, 80, 160, 320}, quick_sizes[] = {20, 80, 320}, large_sizes[] = {800, 2000};
#define MOST_SIZES ((size_t)6)
#define LARGE_RUNS ((size_t)10)

/* Exact kernel ridge takes the cube of the rows: it has fewer runs, and none with more rows than it takes. */
#define EXACT_RUNS ((size_t)10)

#define SPARSE_RUNS ((size_t)10) /* with fewer, the experiment with sparse features is run in short: a trial is meant */

#define ROUNDS ((size_t)7)        /* of trainings that are measured on a set */
#define GIVEN_ROUNDS ((size_t)15) /* for the times of training alone */
#define QUICK_ROUNDS ((size_t)2)

ent_paper_options ent_paper_options_default(void) {
  return (ent_paper_options){.runs = 50, .seed = 1};
}

void ent_paper_free(ent_paper *paper) {
  if (paper == NULL)
    return;
  for (size_t i = 0; i < ENT_SETS; i++)
    entropic_comparison_free(paper->comparisons[i]);
  ent_experiments_clear(&paper->given);
  ent_delete(paper);
}

/* The sizes of a set: all, and that of the paper's own table; or this one alone. Returns how many. */
static size_t sizes_of(const ent_paper_options *options, size_t which, bool own_alone, size_t sizes[MOST_SIZES]) {
  bool quick = options->quick != 0;
  const size_t *from = quick ? quick_sizes : all_sizes;
  size_t count = quick ? sizeof quick_sizes / sizeof *quick_sizes : sizeof all_sizes / sizeof *all_sizes;
  size_t own = ent_sets[which].printed_features, made = 0, most = options->most > 0 ? options->most : SIZE_MAX;
  if (own_alone) {
    sizes[0] = own;
    return 1;
  }
  for (size_t i = 0; i < count; i++) {
    if (own <= most && own < from[i] && (i == 0 || own > from[i - 1]))
      sizes[made++] = own;
    if (from[i] <= most)
      sizes[made++] = from[i];
  }
  return made;
}

/* How many of the large sizes a set has: a method with more features than rows is nothing that anybody would use. */
static size_t count_large(const ent_set *set, bool none) {
  size_t count = 0;
  while (!none && count < sizeof large_sizes / sizeof *large_sizes && large_sizes[count] <= set->train)
    count++;
  return count;
}

/* A set that is being run. */
typedef struct ent_set_run {
  const ent_paper_options *options;
  const ent_set *set;
  size_t which;
  bool own_alone; /* with the number of features of table 2 alone */
  ent_paper *paper;
} ent_set_run;

static entropic_status comparison_start(entropic_context *context, const ent_set_run *run,
                                        entropic_comparison **comparison) {
  const ent_set *set = run->set;
  const ent_paper *paper = run->paper;
  size_t sizes[MOST_SIZES], count = sizes_of(run->options, run->which, run->own_alone, sizes);
  bool none = paper->quick || run->own_alone || run->options->most > 0;
  const ent_experiment_plan plan = {
      .sizes = sizes,
      .size_count = count,
      .large = large_sizes,
      .large_count = count_large(set, none),
      .large_runs = LARGE_RUNS,
      .budgets = sizes,
      .budget_count = count,
      .exact_runs = !run->own_alone && run->options->most == 0 && set->train <= ENT_EXACT_MOST_ROWS ? EXACT_RUNS : 0,
  };
  entropic_comparison *made = NULL;
  entropic_status status = ent_comparison_start(context, &plan, paper->runs, &made);
  if (status != ENTROPIC_OK)
    return status;
  made->classes = set->split_table.classes;
  made->rows = made->train = set->train;
  made->test = set->test;
  made->inputs = set->split_table.columns;
  made->scaling = ENTROPIC_SCALING_QUANTILE;
  *comparison = made;
  return ENTROPIC_OK;
}

/* Opens the log of a set, or of its times alone; *log stays NULL without a folder for it. */
static entropic_status log_open(entropic_context *context, const ent_set_run *run, const char *part,
                                ent_run_log **log) {
  const char *folder = run->options->checkpoint, *name = ent_sets[run->which].name;
  const char *quick = run->paper->quick ? "-quick" : "";
  unsigned long long seed = run->options->seed;
  char path[ENT_STUDY_PATH], head[256];
  *log = NULL;
  if (folder == NULL)
    return ENTROPIC_OK;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return ent_fail(context, ENTROPIC_SYSTEM, "%s: cannot make the folder: %s", folder, strerror(errno));
  if (snprintf(path, sizeof path, "%s/%s%s%s-%llu.tsv", folder, name, part, quick, seed) >= (int)sizeof path)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: the path is too long", folder);
  snprintf(head, sizeof head,
           "entropic paper\tedition %d\t%s%s%s\t%zu training rows, %zu test rows, %zu inputs\tseed %llu",
           ENT_PAPER_EDITION, name, part, quick, run->set->train, run->set->test, run->set->split_table.columns, seed);
  return ent_run_log_open(context, path, head, log);
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

/* Trainings measured on the split of the first run. */
static entropic_status time_split(entropic_context *context, const ent_set_run *run, const ent_timing *timing,
                                  ent_experiments *experiments) {
  ent_split_cut cut = {0};
  entropic_status status = ent_set_cut(context, run->set, run->options->seed, &cut);
  if (status != ENTROPIC_OK)
    return status;
  ent_progress_start(context, "measuring times", 0, 1);
  status = ent_experiments_time(context, experiments, &cut.data, run->options->seed, timing);
  ent_split_cut_clear(&cut);
  return status;
}

/* Times of training from lifted rows: the paper's table 3, for each form of our features, and with a budget of as many
 * non-zeros as table 3 has features. */
static entropic_status run_given(entropic_context *context, const ent_set_run *run) {
  static const ent_compare_method methods[] = {ENT_COMPARE_ENTROPY, ENT_COMPARE_PRINTED, ENT_COMPARE_INSET,
                                               ENT_COMPARE_ENTROPY, ENT_COMPARE_RKS};
  enum { METHODS = sizeof methods / sizeof *methods, BUDGET = 3, COUNT = METHODS * ENT_PRINTED_SIZES };
  ent_request requests[COUNT];
  const ent_timing timing = {.rounds = run->paper->quick ? QUICK_ROUNDS : GIVEN_ROUNDS, .given = true};
  ent_experiments *given = &run->paper->given;
  for (size_t i = 0; i < COUNT; i++) {
    size_t size = ent_printed_sizes[i % ENT_PRINTED_SIZES], method = i / ENT_PRINTED_SIZES;
    requests[i] = (ent_request){.method = methods[method]};
    *(method == BUDGET ? &requests[i].nonzeros : &requests[i].features) = size;
  }
  ent_experiments_clear(given);
  entropic_status status = ent_experiments_start(context, requests, COUNT, 1, given);
  if (status != ENTROPIC_OK)
    return status;
  given->sizes = ent_printed_sizes;
  given->size_count = ENT_PRINTED_SIZES;
  status = log_open(context, run, "-given", &given->log);
  if (status != ENTROPIC_OK)
    return status;
  status = run_split(context, run->set, run->options->seed, given);
  if (status != ENTROPIC_OK)
    goto done;
  status = time_split(context, run, &timing, given);
done:
  ent_run_log_close(given->log);
  given->log = NULL;
  return status;
}

/* All runs on one data set, and its times. */
static entropic_status run_comparison(entropic_context *context, const ent_set_run *run, ent_experiments *experiments) {
  const ent_timing timing = {.rounds = run->paper->quick ? QUICK_ROUNDS : ROUNDS};
  entropic_status status = log_open(context, run, "", &experiments->log);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < run->paper->runs; i++) {
    ent_progress_start(context, ent_sets[run->which].title, i, run->paper->runs);
    status = run_split(context, run->set, run->options->seed + i, experiments);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = time_split(context, run, &timing, experiments);
done:
  ent_run_log_close(experiments->log);
  experiments->log = NULL;
  return status;
}

/* Runs a set, or its size of table 2 alone, and puts the results with those that there are. */
static entropic_status run_experiments(entropic_context *context, const ent_set_run *run) {
  entropic_comparison **kept = &run->paper->comparisons[run->which], *made = NULL, *older;
  entropic_status status = comparison_start(context, run, &made);
  if (status != ENTROPIC_OK)
    return status;
  status = run_comparison(context, run, &made->experiments);
  if (status != ENTROPIC_OK) {
    entropic_comparison_free(made);
    return status;
  }
  older = *kept;
  *kept = NULL;
  return ent_comparison_merge(context, older, made, kept);
}

static entropic_status run_set(entropic_context *context, const ent_paper_options *options, unsigned parts,
                               size_t which, ent_paper *paper) {
  const ent_set_options loading = {.folder = options->data, .quick = paper->quick, .seed = options->seed};
  ent_set set = {0};
  bool all = (parts & 1U << which) != 0, own = (parts & 1U << ENT_PART_TABLE_2) != 0;
  const ent_set_run run = {options, &set, which, !all, paper};
  ent_progress_at(context, ent_sets[which].title, 0, 1);
  entropic_status status = ent_set_load(context, which, &loading, &set);
  if (status != ENTROPIC_OK)
    return status;
  if (all || own) {
    status = run_experiments(context, &run);
    if (status != ENTROPIC_OK)
      goto done;
  }
  if (ent_sets[which].timed && (parts & 1U << ENT_PART_TABLE_3) != 0)
    status = run_given(context, &run);
done:
  ent_set_clear(&set);
  return status;
}

static entropic_status run_claims(entropic_context *context, ent_paper *paper) {
  ent_claims *claims = NULL;
  entropic_status status = ent_claims_check(context, &claims);
  if (status != ENTROPIC_OK)
    return status;
  ent_claims_keep(claims, paper->claims);
  paper->has_claims = true;
  ent_claims_free(claims);
  return ENTROPIC_OK;
}

static entropic_status run_kernels(entropic_context *context, ent_paper *paper) {
  for (size_t i = 0; i < ENT_PAPER_APPROXIMATIONS; i++) {
    ent_progress_at(context, "kernels", i, ENT_PAPER_APPROXIMATIONS);
    entropic_status status = ent_approximation_measure(context, approximation_inputs[i], &paper->approximations[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* The experiments that need no data. The boundary functions are drawn anew each time: that takes a moment. */
static entropic_status run_own(entropic_context *context, const ent_paper_options *options, unsigned parts,
                               ent_paper *paper) {
  entropic_status status = ent_boundary_measure(context, &paper->boundary);
  if (status != ENTROPIC_OK)
    return status;
  if ((parts & 1U << ENT_PART_KERNELS) != 0) {
    status = run_kernels(context, paper);
    if (status != ENTROPIC_OK)
      return status;
  }
  if ((parts & 1U << ENT_PART_CLAIMS) != 0) {
    status = run_claims(context, paper);
    if (status != ENTROPIC_OK)
      return status;
  }
  if ((parts & 1U << ENT_PART_RATES) != 0) {
    status = ent_rates_measure(context, paper->quick, paper->runs, options->seed, paper->rates);
    if (status != ENTROPIC_OK)
      return status;
  }
  if ((parts & 1U << ENT_PART_SPARSE) == 0)
    return ENTROPIC_OK;
  return ent_sparse_measure(context, paper->quick || paper->runs < SPARSE_RUNS, options->seed, &paper->sparse);
}

/* A run of the paper. */
typedef struct ent_paper_call {
  const ent_paper_options *options;
  unsigned parts;
  ent_paper *paper;
} ent_paper_call;

/* Whether a set has anything to run. */
static bool is_wanted(unsigned parts, size_t set) {
  unsigned any = 1U << set | 1U << ENT_PART_TABLE_2;
  return (parts & (ent_sets[set].timed ? any | 1U << ENT_PART_TABLE_3 : any)) != 0;
}

/* Data sets first: a file that is spoilt, or a log that is in use, is found at once. */
static entropic_status run_all(entropic_context *context, void *arguments) {
  const ent_paper_call *call = arguments;
  const ent_paper_options *options = call->options;
  if (options->results != NULL && access(options->results, F_OK) == 0) {
    entropic_status status = ent_paper_load(context, options->results, call->paper);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t i = 0; i < ENT_SETS && options->data != NULL; i++) {
    if (!is_wanted(call->parts, i) || !ent_set_there(options->data, i))
      continue;
    ent_processor_name(call->paper->processor);
    entropic_status status = run_set(context, options, call->parts, i, call->paper);
    if (status != ENTROPIC_OK)
      return status;
  }
  return run_own(context, options, call->parts, call->paper);
}

entropic_status ent_paper_run(entropic_context *context, const ent_paper_options *options, ent_paper **paper) {
  if (options == NULL || paper == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", options == NULL ? "options" : "paper");
  if (options->runs < 1 || options->runs > 1000)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "runs is %zu, expected 1 to 1000", options->runs);
  if (options->most > 0 && options->most < 20)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "most is %zu, expected 20 or more", options->most);
  unsigned parts;
  entropic_status status = ent_paper_parts(context, options->only, &parts);
  if (status != ENTROPIC_OK)
    return status;
  ent_paper_call call = {.options = options, .parts = parts, .paper = ent_new(context, 1, sizeof *call.paper)};
  if (call.paper == NULL)
    return ENTROPIC_NO_MEMORY;
  call.paper->quick = options->quick != 0;
  call.paper->seed = options->seed;
  call.paper->runs = call.paper->quick ? 1 : options->runs;
  ent_processor_name(call.paper->processor);
  ent_blas_prepare(context);
  status = ent_call_run(context, "data sets", run_all, &call);
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

const char *ent_paper_runs(const ent_paper *paper, char text[ENT_RUNS_TEXT]) {
  size_t least = SIZE_MAX, most = 0;
  for (size_t set = 0; set < ENT_SETS; set++)
    for (size_t i = 0; paper->comparisons[set] != NULL && i < paper->comparisons[set]->experiments.count; i++) {
      size_t runs = paper->comparisons[set]->experiments.list[i].runs;
      least = runs < least ? runs : least;
      most = runs > most ? runs : most;
    }
  if (least < most)
    snprintf(text, ENT_RUNS_TEXT, "%zu to %zu runs", least, most);
  else
    snprintf(text, ENT_RUNS_TEXT, "%zu run%s", most, most == 1 ? "" : "s");
  return text;
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

/* The rate experiment: see rate.h. */
#include "claims/rate.h"

#include <math.h>

#include "base/memory.h"
#include "design/design.h"
#include "lift/features.h"
#include "sums/pass.h"
#include "baselines/baselines.h"
#include "base/progress.h"
#include "base/threads.h"
#include "solve/ridge.h"

#define INPUTS_MOST 8
#define OMEGA 2.0
#define NOISE 0.5
#define CENTRES 6 /* the function is a sum of the kernel at so many points */
#define TEST_ROWS 4096
#define LAMBDA_FACTOR 0.01
#define MOST_RUNS ((size_t)20)

const size_t ent_rate_inputs[ENT_RATE_DIMENSIONS] = {1, 2, 3, 5};

/* The function: known, the same for every run, of moderate norm. */
typedef struct ent_truth {
  entropic_kernel *kernel;
  size_t inputs;
  double centres[CENTRES * INPUTS_MOST], weights[CENTRES];
} ent_truth;

static double truth_at(const ent_truth *truth, const double *x) {
  double sum = 0;
  for (size_t j = 0; j < CENTRES; j++)
    sum += truth->weights[j] * entropic_kernel_value(truth->kernel, truth->centres + j * truth->inputs, x);
  return sum;
}

static entropic_status truth_make(entropic_context *context, const ent_features *features, ent_truth *truth) {
  entropic_random random = entropic_random_start(2020, features->inputs);
  truth->inputs = features->inputs;
  for (size_t i = 0; i < CENTRES * truth->inputs; i++)
    truth->centres[i] = entropic_random_uniform(&random);
  for (size_t j = 0; j < CENTRES; j++)
    truth->weights[j] = j % 2 == 0 ? 2 : -2;
  return ent_features_kernel(context, features, 0, &truth->kernel);
}

/* What all runs share. */
typedef struct ent_rate_job {
  const ent_rate_options *options;
  const ent_truth *truth;
  const ent_features *features;
  ent_rate *rates;
} ent_rate_job;

/* Rows with their targets: those to learn from have noise, those to test on have none. */
typedef struct ent_rate_rows {
  size_t count;
  double *x, *y;
} ent_rate_rows;

static entropic_status rows_make(entropic_context *context, const ent_truth *truth, entropic_random random,
                                 double noise, ent_rate_rows *rows) {
  size_t inputs = truth->inputs;
  rows->x = ent_new(context, rows->count * inputs, sizeof *rows->x);
  rows->y = ent_new(context, rows->count, sizeof *rows->y);
  if (rows->x == NULL || rows->y == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows->count; r++) {
    for (size_t i = 0; i < inputs; i++)
      rows->x[r * inputs + i] = entropic_random_uniform(&random);
    rows->y[r] = truth_at(truth, rows->x + r * inputs);
    if (noise > 0)
      rows->y[r] += noise * entropic_random_normal(&random);
  }
  return ENTROPIC_OK;
}

static void rows_clear(ent_rate_rows *rows) {
  ent_delete(rows->x);
  ent_delete(rows->y);
}

/* The mean square of the predictions minus the truth. */
static entropic_status excess_risk(entropic_context *context, const ent_map *map, const ent_ridge *ridge,
                                   const ent_rate_rows *test, double *risk) {
  double *f = ent_new(context, test->count, sizeof *f), sum = 0;
  if (f == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status =
      ent_scores(context, map, &(ent_block){.rows = test->count, .x = test->x, .x_stride = map->inputs},
                 &(ent_linear){ridge->weights, ridge->means, 1}, f);
  for (size_t r = 0; status == ENTROPIC_OK && r < test->count; r++)
    sum += (f[r] - test->y[r]) * (f[r] - test->y[r]);
  *risk = sum / (double)test->count;
  ent_delete(f);
  return status;
}

/* The risk of ridge regression on some features. */
static entropic_status learn(entropic_context *context, const ent_map *map, const ent_rate_rows *train,
                             const ent_rate_rows *test, double *risk) {
  double lambda = LAMBDA_FACTOR / sqrt((double)train->count);
  ent_statistics *statistics = NULL;
  ent_ridge *ridge = NULL;
  ent_memory_rows memory = {
      .all = {.rows = train->count, .x = train->x, .x_stride = map->inputs, .y = train->y, .y_stride = 1},
      .inputs = map->inputs,
      .targets = 1};
  ent_rows source = ent_rows_of_memory(&memory);
  entropic_status status = ent_statistics_of_rows(context, map, &source, ENT_GRADE_EXACT, &statistics);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_ridge_solve(context, statistics, &lambda, 1, ENT_METHOD_CHOLESKY, &ridge);
  if (status != ENTROPIC_OK)
    goto done;
  status = excess_risk(context, map, ridge, test, risk);
done:
  ent_ridge_free(ridge);
  ent_statistics_free(statistics);
  return status;
}

/* The features of a rule: ours, or random ones. */
static entropic_status learn_by_rule(entropic_context *context, const ent_rate_job *job, ent_rate_rule rule,
                                     uint64_t seed, const ent_rate_rows rows[2], double *risk) {
  size_t count = ent_rate_features(rule, rows[0].count);
  ent_lifting lifting = {0};
  ent_random_map *random = NULL;
  ent_random_options options = ent_random_options_default();
  options.kernel = ENT_RANDOM_LAPLACE;
  options.sigma = OMEGA;
  options.features = count;
  options.seed = seed;
  bool ours = rule != ENT_RATE_RANDOM;
  entropic_status status = ours ? ent_features_make(context, job->features, 0, count, &lifting)
                                : ent_random_create(context, &options, job->truth->inputs, NULL, &random);
  if (status != ENTROPIC_OK)
    return status;
  const ent_map map = ours ? lifting.map : ent_map_of_random(random);
  status = learn(context, &map, &rows[0], &rows[1], risk);
  ent_lifting_clear(&lifting);
  ent_random_free(random);
  return status;
}

/* One run with one number of rows, by all rules. The tasks with most rows come first, so that threads end together. */
static entropic_status run_once(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  const ent_rate_job *job = shared;
  size_t run = task % job->options->runs, at = job->rates[0].count - 1 - task / job->options->runs;
  uint64_t seed = job->options->seed + run;
  ent_rate_rows rows[2] = {{.count = (size_t)job->rates[0].rows[at]}, {.count = TEST_ROWS}};
  entropic_status status = rows_make(context, job->truth, entropic_random_start(seed, rows[0].count), NOISE, &rows[0]);
  if (status != ENTROPIC_OK)
    goto done;
  status = rows_make(context, job->truth, entropic_random_start(seed, 99), 0, &rows[1]);
  for (ent_rate_rule rule = 0; status == ENTROPIC_OK && rule < ENT_RATE_RULES; rule++)
    status = learn_by_rule(context, job, rule, seed, rows, &job->rates[rule].risks[at][run]);
done:
  rows_clear(&rows[0]);
  rows_clear(&rows[1]);
  return status;
}

static entropic_status check_options(entropic_context *context, const ent_rate_options *o) {
  if (o->inputs >= 1 && o->inputs <= INPUTS_MOST && o->first >= 4 && o->last >= o->first &&
      o->last - o->first < ENT_RATE_MOST && o->last <= 24 && o->runs >= 1 && o->runs <= ENT_RATE_RUNS)
    return ENTROPIC_OK;
  return ent_fail(
      context, ENTROPIC_BAD_ARGUMENT,
      "%zu inputs, 2^%d to 2^%d rows, %zu runs; expected 1 to %d inputs, at most %d sizes from 2^4 to 2^24, "
      "1 to %d runs",
      o->inputs, o->first, o->last, o->runs, INPUTS_MOST, ENT_RATE_MOST, ENT_RATE_RUNS);
}

static void rates_start(const ent_rate_options *options, ent_rate *rates) {
  for (ent_rate_rule rule = 0; rule < ENT_RATE_RULES; rule++) {
    ent_rate *rate = &rates[rule];
    *rate = (ent_rate){.inputs = options->inputs, .rule = rule, .runs = options->runs};
    for (int power = options->first; power <= options->last; power++) {
      size_t rows = (size_t)1 << power;
      rate->rows[rate->count] = (double)rows;
      rate->features[rate->count++] = (double)ent_rate_features(rule, rows);
    }
  }
}

entropic_status ent_rate_measure(entropic_context *context, const ent_rate_options *options, ent_rate *rates) {
  entropic_status status = check_options(context, options);
  if (status != ENTROPIC_OK)
    return status;
  entropic_axis_options axes[INPUTS_MOST];
  for (size_t i = 0; i < options->inputs; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].omega = OMEGA;
  }
  ent_features features = {.axes = axes, .inputs = options->inputs, .design = ent_design_options_default()};
  ent_truth truth = {0};
  status = truth_make(context, &features, &truth);
  if (status != ENTROPIC_OK)
    return status;
  rates_start(options, rates);
  ent_rate_job job = {.options = options, .truth = &truth, .features = &features, .rates = rates};
  ent_progress former = ent_progress_hold(context);
  status = ent_parallel(context, rates[0].count * options->runs, run_once, &job);
  ent_progress_leave(context, former);
  entropic_kernel_free(truth.kernel);
  for (size_t rule = 0; status == ENTROPIC_OK && rule < ENT_RATE_RULES; rule++)
    ent_rate_fit(&rates[rule]);
  return status;
}

entropic_status ent_rates_measure(entropic_context *context, bool quick, size_t runs, uint64_t seed, ent_rate *rates) {
  ent_rate_options options = {.first = 8, .last = quick ? 14 : 20, .seed = seed};
  options.runs = quick ? 3 : runs < MOST_RUNS ? runs : MOST_RUNS;
  for (size_t i = 0; i < ENT_RATE_DIMENSIONS; i++) {
    ent_progress_at(context, "rates", i, ENT_RATE_DIMENSIONS);
    options.inputs = ent_rate_inputs[i];
    entropic_status status = ent_rate_measure(context, &options, rates + i * ENT_RATE_RULES);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

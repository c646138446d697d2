/* The rate experiment: see rate.h. */
#include "study/rate.h"

#include <math.h>

#include "base/memory.h"
#include "design/design.h"
#include "lift/features.h"
#include "solve/pass.h"
#include "solve/ridge.h"

#define INPUTS_MOST 8
#define OMEGA 2.0
#define NOISE 0.5
#define CENTRES 6 /* the function is a sum of the kernel at so many points */
#define TEST_ROWS 4096
#define FEATURES_FACTOR 2.0
#define LAMBDA_FACTOR 0.01

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

/* The mean square of the predictions minus the truth. */
static entropic_status excess_risk(entropic_context *context, const ent_truth *truth, const ent_map *map,
                                   const ent_ridge *ridge, uint64_t seed, double *risk) {
  size_t inputs = truth->inputs;
  double *x = ent_new(context, TEST_ROWS * inputs, sizeof *x), *f = ent_new(context, TEST_ROWS, sizeof *f);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (x == NULL || f == NULL)
    goto done;
  entropic_random random = entropic_random_start(seed, 99);
  for (size_t i = 0; i < TEST_ROWS * inputs; i++)
    x[i] = entropic_random_uniform(&random);
  status = ent_scores(context, map, &(ent_block){.rows = TEST_ROWS, .x = x, .x_stride = inputs},
                      &(ent_linear){ridge->weights, ridge->means, 1}, f);
  if (status != ENTROPIC_OK)
    goto done;
  double sum = 0;
  for (size_t r = 0; r < TEST_ROWS; r++)
    sum += pow(f[r] - truth_at(truth, x + r * inputs), 2);
  *risk = sum / TEST_ROWS;
done:
  ent_delete(x);
  ent_delete(f);
  return status;
}

/* What all runs with one number of rows share. */
typedef struct ent_rate_point {
  const ent_truth *truth;
  const ent_features *features;
  size_t rows;
  size_t size; /* the number of features */
} ent_rate_point;

static entropic_status run_once(entropic_context *context, const ent_rate_point *point, uint64_t seed, double *risk) {
  size_t inputs = point->truth->inputs, rows = point->rows;
  double lambda = LAMBDA_FACTOR / sqrt((double)rows);
  ent_lifting lifting = {0};
  ent_statistics *statistics = NULL;
  ent_ridge *ridge = NULL;
  double *x = ent_new(context, rows * inputs, sizeof *x), *y = ent_new(context, rows, sizeof *y);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (x == NULL || y == NULL)
    goto done;
  entropic_random random = entropic_random_start(seed, rows);
  for (size_t r = 0; r < rows; r++) {
    for (size_t i = 0; i < inputs; i++)
      x[r * inputs + i] = entropic_random_uniform(&random);
    y[r] = truth_at(point->truth, x + r * inputs) + NOISE * entropic_random_normal(&random);
  }
  ent_memory_rows memory = {
      .all = {.rows = rows, .x = x, .x_stride = inputs, .y = y, .y_stride = 1}, .inputs = inputs, .targets = 1};
  ent_rows source = ent_rows_of_memory(&memory);
  status = ent_features_make(context, point->features, 0, point->size, &lifting);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_statistics_of_rows(context, &lifting.map, &source, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, statistics, &lambda, 1, ENT_METHOD_CHOLESKY, &ridge);
  if (status != ENTROPIC_OK)
    goto done;
  status = excess_risk(context, point->truth, &lifting.map, ridge, seed, risk);
done:
  ent_ridge_free(ridge);
  ent_statistics_free(statistics);
  ent_lifting_clear(&lifting);
  ent_delete(x);
  ent_delete(y);
  return status;
}

double ent_log_slope(const double *x, const double *y, size_t count) {
  double mean_x = 0, mean_y = 0, product = 0, square = 0;
  for (size_t i = 0; i < count; i++) {
    mean_x += log(x[i]) / (double)count;
    mean_y += log(y[i]) / (double)count;
  }
  for (size_t i = 0; i < count; i++) {
    product += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
    square += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
  }
  return product / square;
}

/* All runs of one point, as the next of the rate. */
static entropic_status measure_point(entropic_context *context, const ent_rate_point *point, size_t runs, uint64_t seed,
                                     ent_rate *rate) {
  double sum = 0, squares = 0;
  for (size_t run = 0; run < runs; run++) {
    double risk = NAN;
    entropic_status status = run_once(context, point, seed + run, &risk);
    if (status != ENTROPIC_OK)
      return status;
    sum += risk;
    squares += risk * risk;
  }
  double mean = sum / (double)runs, variance = squares / (double)runs - mean * mean;
  size_t at = rate->count++;
  rate->rows[at] = (double)point->rows;
  rate->features[at] = (double)point->size;
  rate->risk[at] = mean;
  rate->spread[at] = runs > 1 ? sqrt(fmax(variance, 0) / (double)(runs - 1)) : NAN;
  return ENTROPIC_OK;
}

static entropic_status check_options(entropic_context *context, const ent_rate_options *o) {
  if (o->inputs >= 1 && o->inputs <= INPUTS_MOST && o->first >= 4 && o->last >= o->first &&
      o->last - o->first < ENT_RATE_MOST && o->last <= 24 && o->runs >= 1)
    return ENTROPIC_OK;
  return ent_fail(
      context, ENTROPIC_BAD_ARGUMENT,
      "%zu inputs, 2^%d to 2^%d rows, %zu runs; expected 1 to %d inputs, at most %d sizes from 2^4 to 2^24, "
      "at least 1 run",
      o->inputs, o->first, o->last, o->runs, INPUTS_MOST, ENT_RATE_MOST);
}

entropic_status ent_rate_measure(entropic_context *context, const ent_rate_options *options, ent_rate *rate) {
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
  ent_rate made = {.inputs = options->inputs};
  status = truth_make(context, &features, &truth);
  if (status != ENTROPIC_OK)
    return status;
  for (int power = options->first; power <= options->last; power++) {
    ent_rate_point point = {.truth = &truth, .features = &features, .rows = (size_t)1 << power};
    point.size = (size_t)ceil(FEATURES_FACTOR * pow((double)point.rows, 0.25));
    status = measure_point(context, &point, options->runs, options->seed, &made);
    if (status != ENTROPIC_OK)
      goto done;
  }
  made.slope = ent_log_slope(made.rows, made.risk, made.count);
  *rate = made;
done:
  entropic_kernel_free(truth.kernel);
  return status;
}

/* The rate experiment: see rate.h. */
#include "study/rate.h"

#include <math.h>

#include "base/memory.h"
#include "lift/features.h"
#include "solve/pass.h"
#include "solve/ridge.h"

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
  double centres[CENTRES * 8], weights[CENTRES];
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

/* The mean square of what the weights say minus the truth. */
static entropic_status excess_risk(entropic_context *context, const ent_truth *truth, const ent_map *map,
                                   const double *weights, double mean, uint64_t seed, double *risk) {
  size_t inputs = truth->inputs;
  double *x = ent_new(context, TEST_ROWS * inputs, sizeof *x), *f = ent_new(context, TEST_ROWS, sizeof *f);
  entropic_status status = x == NULL || f == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  entropic_random random = entropic_random_start(seed, 99);
  if (status == ENTROPIC_OK) {
    for (size_t i = 0; i < TEST_ROWS * inputs; i++)
      x[i] = entropic_random_uniform(&random);
    status = ent_scores(context, map, &(ent_block){.rows = TEST_ROWS, .x = x, .x_stride = inputs},
                        &(ent_linear){weights, &mean, 1}, f);
  }
  double sum = 0;
  for (size_t r = 0; r < TEST_ROWS && status == ENTROPIC_OK; r++)
    sum += pow(f[r] - truth_at(truth, x + r * inputs), 2);
  *risk = sum / TEST_ROWS;
  ent_delete(x);
  ent_delete(f);
  return status;
}

/* One run with so many rows. */
static entropic_status run_once(entropic_context *context, const ent_truth *truth, const ent_features *features,
                                size_t rows, uint64_t seed, size_t *size, double *risk) {
  size_t inputs = truth->inputs;
  double lambda = LAMBDA_FACTOR / sqrt((double)rows);
  ent_lifting lifting = {0};
  ent_statistics *statistics = NULL;
  ent_ridge *ridge = NULL;
  double *x = ent_new(context, rows * inputs, sizeof *x), *y = ent_new(context, rows, sizeof *y);
  entropic_status status = x == NULL || y == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  *size = (size_t)ceil(FEATURES_FACTOR * pow((double)rows, 0.25));
  entropic_random random = entropic_random_start(seed, rows);
  for (size_t r = 0; r < rows && status == ENTROPIC_OK; r++) {
    for (size_t i = 0; i < inputs; i++)
      x[r * inputs + i] = entropic_random_uniform(&random);
    y[r] = truth_at(truth, x + r * inputs) + NOISE * entropic_random_normal(&random);
  }
  ent_memory_rows memory = {
      .all = {.rows = rows, .x = x, .x_stride = inputs, .y = y, .y_stride = 1}, .inputs = inputs, .targets = 1};
  ent_rows source = ent_rows_of_memory(&memory);
  if (status == ENTROPIC_OK)
    status = ent_features_make(context, features, 0, *size, &lifting);
  if (status == ENTROPIC_OK)
    status = ent_statistics_create(context, lifting.map.features, 1, NULL, &statistics);
  if (status == ENTROPIC_OK)
    status = ent_statistics_collect(context, statistics, &lifting.map, &source, ENT_GRAM_AUTO);
  if (status == ENTROPIC_OK)
    status = ent_ridge_solve(context, statistics, &lambda, 1, ENT_METHOD_CHOLESKY, &ridge);
  if (status == ENTROPIC_OK)
    status = excess_risk(context, truth, &lifting.map, ridge->weights, ridge->means[0], seed, risk);
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

/* All runs with 2^power rows. */
static entropic_status measure_point(entropic_context *context, const ent_truth *truth, const ent_features *features,
                                     int power, size_t runs, uint64_t seed, ent_rate *rate) {
  size_t rows = (size_t)1 << power, size = 0;
  double sum = 0, squares = 0;
  entropic_status status = ENTROPIC_OK;
  for (size_t run = 0; run < runs && status == ENTROPIC_OK; run++) {
    double risk = NAN;
    status = run_once(context, truth, features, rows, seed + run, &size, &risk);
    sum += risk;
    squares += risk * risk;
  }
  double mean = sum / (double)runs, variance = squares / (double)runs - mean * mean;
  size_t at = rate->count++;
  rate->rows[at] = (double)rows;
  rate->features[at] = (double)size;
  rate->risk[at] = mean;
  rate->spread[at] = runs > 1 ? sqrt(fmax(variance, 0) / (double)(runs - 1)) : NAN;
  return status;
}

entropic_status ent_rate_measure(entropic_context *context, size_t inputs, int first, int last, size_t runs,
                                 uint64_t seed, ent_rate *rate) {
  if (inputs < 1 || inputs > 8 || first < 4 || last < first || last - first >= ENT_RATE_MOST || last > 24 || runs < 1)
    return ent_fail(
        context, ENTROPIC_BAD_ARGUMENT,
        "%zu inputs, 2^%d to 2^%d rows, %zu runs; expected 1 to 8 inputs, at most %d sizes from 2^4 to 2^24, "
        "at least 1 run",
        inputs, first, last, runs, ENT_RATE_MOST);
  entropic_axis_options axes[8];
  for (size_t i = 0; i < inputs; i++) {
    axes[i] = entropic_axis_options_default();
    axes[i].omega = OMEGA;
  }
  ent_features features = {.axes = axes, .inputs = inputs, .design = entropic_design_options_default()};
  ent_truth truth = {0};
  ent_rate made = {.inputs = inputs};
  entropic_status status = truth_make(context, &features, &truth);
  for (int power = first; power <= last && status == ENTROPIC_OK; power++)
    status = measure_point(context, &truth, &features, power, runs, seed, &made);
  entropic_kernel_free(truth.kernel);
  if (status == ENTROPIC_OK) {
    made.slope = ent_log_slope(made.rows, made.risk, made.count);
    *rate = made;
  }
  return status;
}

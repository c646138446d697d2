/* Exact kernel ridge regression: see exact.h. */
#include "solve/exact.h"

#include <math.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "baselines/wide.h"
#include "solve/multi_shift.h"

#define POINTS_AT_ONCE ((size_t)64) /* kernel values with so many points of a strip of rows between two polls */

typedef struct ent_exact_job {
  const ent_exact_ridge_task *task;
  ent_point_kernel kernel;
  const ent_blas *blas;
  size_t n; /* training rows of some weight */
  double *points, *roots, weight;
  double *right, *means; /* W^(1/2) (y - m): [target * n + row]; m */
  double *k;             /* n x n, upper triangle */
  double *coefficients;  /* [(lambda * targets + target) * n + row] */
  double *strips;        /* for each worker: a strip of rows, its kernel values, and predictions */
  size_t strips_size;
  double *predictions;
} ent_exact_job;

static void job_free(ent_exact_job *job) {
  ent_delete(job->points);
  ent_delete(job->roots);
  ent_delete(job->right);
  ent_delete(job->means);
  ent_delete(job->k);
  ent_delete(job->coefficients);
  ent_delete(job->strips);
}

static size_t strips_of(size_t rows) {
  return rows / ENT_STRIP + (rows % ENT_STRIP > 0);
}

static double weight_of(const ent_random_data *data, size_t row) {
  return data->weights == NULL ? 1 : data->weights[row];
}

static entropic_status check_task(entropic_context *context, const ent_exact_ridge_task *task) {
  const ent_random_data *data = &task->data;
  if (ent_random_kernel_name(task->kernel) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "kernel: %d is not one of laplace, gauss, sobolev",
                    (int)task->kernel);
  if (!(task->sigma >= 1e-6 && task->sigma <= 1e6))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "sigma: %g; expected 1e-6 to 1e6", task->sigma);
  if (task->inputs < 1 || task->inputs > INT32_MAX)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "inputs: %zu; expected 1 to %d", task->inputs, INT32_MAX);
  if (data->x == NULL || data->rows == 0 || data->y == NULL || data->targets == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "kernel ridge learns from rows and targets; there are none");
  if (data->stride < task->inputs || data->y_stride < data->targets)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride, y_stride: %zu and %zu; expected at least %zu and %zu",
                    data->stride, data->y_stride, task->inputs, data->targets);
  if (task->rows > 0 && (task->x == NULL || task->stride < task->inputs))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rows to predict: stride %zu; expected x and at least %zu",
                    task->stride, task->inputs);
  for (size_t l = 0; l < task->count; l++)
    if (!(isfinite(task->lambdas[l]) && task->lambdas[l] >= 0))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "lambda: %g; expected a finite number, not negative",
                      task->lambdas[l]);
  return ENTROPIC_OK;
}

/* Checks weights and targets; n and the sum of the weights. */
static entropic_status count_rows(entropic_context *context, ent_exact_job *job) {
  const ent_random_data *data = &job->task->data;
  for (size_t r = 0; r < data->rows; r++) {
    double weight = weight_of(data, r);
    if (!(isfinite(weight) && weight >= 0))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu: weight %g; expected a finite number, not negative", r + 1,
                      weight);
    job->n += weight > 0;
    job->weight += weight;
    for (size_t t = 0; weight > 0 && t < data->targets; t++)
      if (!isfinite(data->y[r * data->y_stride + t]))
        return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, target %zu: %g is not a finite number", r + 1, t + 1,
                        data->y[r * data->y_stride + t]);
  }
  if (!(job->weight > 0 && isfinite(job->weight)))
    return ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g, expected more than 0", job->weight);
  if (job->n > ENT_EXACT_MOST_ROWS)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%zu rows; exact kernel ridge takes at most %zu", job->n,
                    ENT_EXACT_MOST_ROWS);
  return ENTROPIC_OK;
}

static entropic_status job_create(entropic_context *context, ent_exact_job *job) {
  const ent_exact_ridge_task *task = job->task;
  size_t n = job->n, targets = task->data.targets, strips, models;
  entropic_status status = ent_blas_get(context, &job->blas);
  if (status != ENTROPIC_OK)
    return status;
  if (!ent_multiply(targets, task->count, &models) || models > INT32_MAX)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%zu targets and %zu lambdas are too many", targets, task->count);
  strips = strips_of(n > task->rows ? n : task->rows);
  job->strips_size = (task->inputs + n + models) * ENT_STRIP;
  job->k = ent_new_matrix(context, n, n, sizeof *job->k);
  if (job->k == NULL) /* before anything else: this is the largest */
    return ENTROPIC_NO_MEMORY;
  job->points = ent_new_matrix(context, n, task->inputs, sizeof *job->points);
  job->roots = ent_new(context, n, sizeof *job->roots);
  job->right = ent_new_matrix(context, n, targets, sizeof *job->right);
  job->means = ent_new(context, targets, sizeof *job->means);
  job->coefficients = ent_new_matrix(context, n, models, sizeof *job->coefficients);
  job->strips = ent_new_matrix(context, (size_t)ent_workers(context, strips), job->strips_size, sizeof *job->strips);
  if (job->points == NULL || job->roots == NULL || job->right == NULL || job->means == NULL ||
      job->coefficients == NULL || job->strips == NULL)
    return ENTROPIC_NO_MEMORY;
  return ENTROPIC_OK;
}

/* The rows of some weight, one after the other. */
static entropic_status gather(entropic_context *context, ent_exact_job *job) {
  const ent_random_data *data = &job->task->data;
  size_t inputs = job->task->inputs, n = job->n, at = 0;
  for (size_t r = 0; r < data->rows; r++) {
    double weight = weight_of(data, r);
    if (weight == 0)
      continue;
    entropic_status status = ent_point_load(context, data->x + r * data->stride, inputs, r, job->points + at * inputs);
    if (status != ENTROPIC_OK)
      return status;
    if (!isfinite(ent_point_kernel_diagonal(&job->kernel, job->points + at * inputs)))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "sigma: %g; the kernel is outside the range of a double",
                      job->task->sigma);
    job->roots[at] = sqrt(weight);
    for (size_t t = 0; t < data->targets; t++)
      job->right[t * n + at] = data->y[r * data->y_stride + t];
    at++;
  }
  for (size_t t = 0; t < data->targets; t++) {
    double *right = job->right + t * n, shift = right[0], sum = 0; /* relative to the first row: no large sums */
    for (size_t i = 0; i < n; i++)
      sum += job->roots[i] * job->roots[i] * (right[i] - shift);
    job->means[t] = shift + sum / job->weight;
    for (size_t i = 0; i < n; i++)
      right[i] = job->roots[i] * (right[i] - job->means[t]);
  }
  return ENTROPIC_OK;
}

/* Kernel values of a strip of rows with points first .. n-1: values[point * ld + row]. */
static entropic_status fill_values(entropic_context *context, const ent_exact_job *job, const double *strip,
                                   size_t first, double *values) {
  for (size_t j = first; j < job->n; j++) {
    entropic_status status = j % POINTS_AT_ONCE == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    ent_point_kernel_values(&job->kernel, strip, job->points + j * job->task->inputs, values + j * ENT_STRIP);
  }
  return ENTROPIC_OK;
}

/* A strip of rows of the matrix, from the diagonal on. */
static entropic_status fill_matrix(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_exact_job *job = shared;
  size_t inputs = job->task->inputs, n = job->n, first = task * ENT_STRIP;
  size_t rows = n - first < ENT_STRIP ? n - first : ENT_STRIP;
  double *strip = job->strips + (size_t)worker * job->strips_size, *values = strip + inputs * ENT_STRIP;
  const ent_strip_source source = {.x = job->points, .inputs = inputs, .stride = inputs};
  entropic_status status = ent_strip_load(context, job->kernel.code, &source, first, rows, strip);
  if (status != ENTROPIC_OK)
    return status;
  status = fill_values(context, job, strip, first, values);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = first; j < n; j++)
    for (size_t r = 0; r < rows; r++)
      job->k[j * n + first + r] = job->roots[first + r] * job->roots[j] * values[j * ENT_STRIP + r];
  return ENTROPIC_OK;
}

static entropic_status solve(entropic_context *context, ent_exact_job *job) {
  size_t n = job->n, count = job->task->count, targets = job->task->data.targets;
  double *shifts = ent_new(context, count, sizeof *shifts);
  if (shifts == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t l = 0; l < count; l++)
    shifts[l] = job->task->lambdas[l] * job->weight;
  const ent_multi_shift equations = {
      .n = n, .ld = n, .a = job->k, .columns = targets, .right = job->right, .count = count, .shifts = shifts};
  entropic_status status = ent_multi_shift_solve(context, &equations, ENT_METHOD_AUTO, job->coefficients, NULL);
  ent_delete(shifts);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t m = 0; m < count * targets; m++)
    for (size_t i = 0; i < n; i++)
      job->coefficients[m * n + i] *= job->roots[i];
  return ENTROPIC_OK;
}

/* A strip of the rows to predict. */
static entropic_status predict(entropic_context *context, void *shared, size_t number, int worker) {
  const ent_exact_job *job = shared;
  const ent_exact_ridge_task *task = job->task;
  size_t n = job->n, first = number * ENT_STRIP, targets = task->data.targets, models = task->count * targets;
  size_t rows = task->rows - first < ENT_STRIP ? task->rows - first : ENT_STRIP;
  double *strip = job->strips + (size_t)worker * job->strips_size, *values = strip + task->inputs * ENT_STRIP;
  double *sums = values + n * ENT_STRIP;
  const ent_strip_source source = {.x = task->x, .inputs = task->inputs, .stride = task->stride};
  entropic_status status = ent_strip_load(context, job->kernel.code, &source, first, rows, strip);
  if (status != ENTROPIC_OK)
    return status;
  status = fill_values(context, job, strip, 0, values);
  if (status != ENTROPIC_OK)
    return status;
  job->blas->dgemm(ENT_COL_MAJOR, ENT_NO_TRANS, ENT_NO_TRANS, ENT_STRIP, (int)models, (int)n, 1, values, ENT_STRIP,
                   job->coefficients, (int)n, 0, sums, ENT_STRIP);
  for (size_t m = 0; m < models; m++)
    for (size_t r = 0; r < rows; r++)
      job->predictions[(m / targets * task->rows + first + r) * targets + m % targets] =
          job->means[m % targets] + sums[m * ENT_STRIP + r];
  return ENTROPIC_OK;
}

entropic_status ent_exact_ridge(entropic_context *context, const ent_exact_ridge_task *task, double *predictions) {
  entropic_status status = check_task(context, task);
  if (status != ENTROPIC_OK)
    return status;
  ent_exact_job job = {
      .task = task,
      .kernel = {.kernel = task->kernel, .sigma = task->sigma, .inputs = task->inputs, .code = ent_wide_best()},
      .predictions = predictions};
  status = count_rows(context, &job);
  if (status != ENTROPIC_OK || task->count == 0)
    return status;
  status = job_create(context, &job);
  if (status != ENTROPIC_OK)
    goto done;
  status = gather(context, &job);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_parallel(context, strips_of(job.n), fill_matrix, &job);
  if (status != ENTROPIC_OK)
    goto done;
  status = solve(context, &job);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_parallel(context, strips_of(task->rows), predict, &job);
done:
  job_free(&job);
  return status;
}

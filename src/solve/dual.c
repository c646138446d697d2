/* The dual: see dual.h. Tiles of the matrix of kernel values are made side by side on the threads. */
#include "solve/dual.h"

#include <math.h>
#include <string.h>

#include "axis/kernel.h"
#include "base/memory.h"
#include "base/threads.h"
#include "solve/pass.h"

#define TILE ((size_t)128)

typedef struct ent_dual_job {
  const ent_map *map; /* or NULL: the kernel */
  const entropic_kernel *kernel;
  const ent_blas *blas;
  ent_dual *dual;
  double *y, *roots; /* targets row after row; roots of the weights */
  double weight;
  double *k; /* rows x rows, upper triangle, with the roots multiplied in */
  size_t workers, tiles;
  void **scratch;
  double *lifted; /* two tiles of lifted rows for each worker */
  double *sums;   /* Z'c of each lane */
} ent_dual_job;

void ent_dual_free(ent_dual *dual) {
  if (dual == NULL)
    return;
  ent_delete(dual->x);
  ent_delete(dual->coefficients);
  ent_delete(dual->means);
  ent_delete(dual->weights);
  ent_delete(dual);
}

static void job_free(ent_dual_job *job) {
  for (size_t i = 0; job->map != NULL && job->scratch != NULL && i < job->workers; i++)
    if (job->scratch[i] != NULL)
      job->map->calls->scratch_free(job->scratch[i]);
  ent_delete(job->scratch);
  ent_delete(job->lifted);
  ent_delete(job->y);
  ent_delete(job->roots);
  ent_delete(job->k);
  ent_delete(job->sums);
  ent_dual_free(job->dual);
}

/* Maps look at their rows themselves. */
static entropic_status check_row(entropic_context *context, const ent_dual_job *job, const double *x, size_t row) {
  for (size_t i = 0; job->map == NULL && i < job->dual->inputs; i++)
    if (!ent_accepts(job->kernel->axes[i], x[i]))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, column %zu: %g is not a finite number", row + 1, i + 1,
                      x[i]);
  return ENTROPIC_OK;
}

/* Copies all rows into the job. */
static entropic_status gather(entropic_context *context, const ent_rows *rows, ent_dual_job *job) {
  ent_dual *dual = job->dual;
  size_t capacity[3] = {0, 0, 0}, count = 0;
  entropic_status status = rows->rewind(context, rows->self);
  while (status == ENTROPIC_OK) {
    ent_block block;
    status = ent_rows_take(context, rows, 1024, &block);
    if (status != ENTROPIC_OK || block.rows == 0)
      break;
    double *x = ent_grow(context, dual->x, &capacity[0], (count + block.rows) * rows->inputs, sizeof *x);
    dual->x = x == NULL ? dual->x : x;
    double *y = ent_grow(context, job->y, &capacity[1], (count + block.rows) * rows->targets, sizeof *y);
    job->y = y == NULL ? job->y : y;
    double *roots = ent_grow(context, job->roots, &capacity[2], count + block.rows, sizeof *roots);
    job->roots = roots == NULL ? job->roots : roots;
    if (x == NULL || y == NULL || roots == NULL)
      return ENTROPIC_NO_MEMORY;
    for (size_t r = 0; r < block.rows && status == ENTROPIC_OK; r++, count++) {
      status = check_row(context, job, block.x + r * block.x_stride, count);
      memcpy(x + count * rows->inputs, block.x + r * block.x_stride, rows->inputs * sizeof *x);
      memcpy(y + count * rows->targets, block.y + r * block.y_stride, rows->targets * sizeof *y);
      job->weight += ent_weight(&block, r);
      roots[count] = sqrt(ent_weight(&block, r));
    }
  }
  dual->rows = count;
  if (status == ENTROPIC_OK && !(job->weight > 0 && isfinite(job->weight)))
    status =
        ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g; expected more than 0", job->weight);
  return status;
}

static entropic_status lift_tile(entropic_context *context, ent_dual_job *job, size_t first, size_t rows, int worker,
                                 double *z) {
  const ent_map *map = job->map;
  entropic_status status = ENTROPIC_OK;
  if (job->scratch[worker] == NULL)
    status = map->calls->scratch_create(context, map->self, &job->scratch[worker]);
  if (status != ENTROPIC_OK)
    return status;
  return map->calls->dense(context, map->self, job->scratch[worker], job->dual->x + first * map->inputs, rows,
                           map->inputs, z, TILE);
}

/* A column of tiles of the upper triangle. */
static entropic_status fill_tiles(entropic_context *context, void *shared, size_t task, int worker) {
  ent_dual_job *job = shared;
  const ent_dual *dual = job->dual;
  size_t n = dual->rows, left = (job->tiles - 1 - task) * TILE; /* the longest first */
  size_t columns = n - left < TILE ? n - left : TILE;
  double *right_z = NULL, *top_z = NULL;
  entropic_status status = ENTROPIC_OK;
  if (job->map != NULL) {
    right_z = job->lifted + (size_t)worker * 2 * TILE * job->map->features;
    top_z = right_z + TILE * job->map->features;
    status = lift_tile(context, job, left, columns, worker, right_z);
  }
  for (size_t top = 0; top <= left && status == ENTROPIC_OK; top += TILE) {
    size_t rows = n - top < TILE ? n - top : TILE;
    double *out = job->k + left * n + top;
    if (job->map == NULL) {
      for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++)
          out[j * n + i] = entropic_kernel_value(job->kernel, dual->x + (top + i) * dual->inputs,
                                                 dual->x + (left + j) * dual->inputs);
    } else {
      status = lift_tile(context, job, top, rows, worker, top_z);
      job->blas->dgemm(ENT_COLUMNS, ENT_PLAIN, ENT_TRANSPOSE, (int)rows, (int)columns, (int)job->map->features, 1,
                       top_z, (int)TILE, right_z, (int)TILE, 0, out, (int)n);
    }
    for (size_t j = 0; j < columns; j++)
      for (size_t i = 0; i < rows; i++)
        out[j * n + i] *= job->roots[top + i] * job->roots[left + j];
  }
  return status;
}

static entropic_status fill_matrix(entropic_context *context, ent_dual_job *job) {
  size_t n = job->dual->rows, features = job->map == NULL ? 0 : job->map->features;
  int size;
  entropic_status status = ent_blas_size(context, n, &size);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, features, &size);
  if (status == ENTROPIC_OK)
    status = ent_blas_get(context, &job->blas);
  if (status != ENTROPIC_OK)
    return status;
  job->tiles = n / TILE + (n % TILE > 0);
  job->workers = (size_t)ent_workers(context, job->tiles);
  job->k = ent_new_matrix(context, n, n, sizeof *job->k);
  job->scratch = ent_new(context, job->workers, sizeof *job->scratch);
  job->lifted = ent_new_matrix(context, job->workers * 2 * TILE, features, sizeof *job->lifted);
  if (job->k == NULL || job->scratch == NULL || job->lifted == NULL)
    return ENTROPIC_NO_MEMORY;
  return ent_parallel(context, job->tiles, fill_tiles, job);
}

static entropic_status solve(entropic_context *context, ent_dual_job *job, const double *lambdas) {
  ent_dual *dual = job->dual;
  size_t n = dual->rows, targets = dual->targets;
  double *right = ent_new_matrix(context, n, targets, sizeof *right);
  double *shifts = ent_new(context, dual->count, sizeof *shifts);
  dual->means = ent_new(context, targets, sizeof *dual->means);
  dual->coefficients = ent_new_matrix(context, dual->count * targets, n, sizeof *dual->coefficients);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (right == NULL || shifts == NULL || dual->means == NULL || dual->coefficients == NULL)
    goto fail;
  for (size_t t = 0; t < targets; t++) {
    double shift = job->y[t], sum = 0; /* relative to the first row, so that large means do not drown what varies */
    for (size_t r = 0; r < n; r++)
      sum += job->roots[r] * job->roots[r] * (job->y[r * targets + t] - shift);
    dual->means[t] = shift + sum / job->weight;
    for (size_t r = 0; r < n; r++)
      right[t * n + r] = job->roots[r] * (job->y[r * targets + t] - dual->means[t]);
  }
  for (size_t l = 0; l < dual->count; l++)
    shifts[l] = lambdas[l] * job->weight;
  const ent_multi_shift equations = {
      .n = n, .ld = n, .a = job->k, .columns = targets, .right = right, .count = dual->count, .shifts = shifts};
  status = ent_multi_shift_solve(context, &equations, ENT_METHOD_AUTO, dual->coefficients, NULL);
  for (size_t i = 0; i < dual->count * targets; i++)
    for (size_t r = 0; r < n; r++)
      dual->coefficients[i * n + r] *= job->roots[r];
fail:
  ent_delete(right);
  ent_delete(shifts);
  return status;
}

/* sums += Z'c over a block, for every lambda and target. */
static entropic_status add_weights(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  ent_dual_job *job = shared;
  const ent_dual *dual = job->dual;
  size_t models = dual->count * dual->targets, rows = lifted->block.rows;
  double *u = ent_new_matrix(context, rows, models, sizeof *u);
  if (u == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < models; i++)
    memcpy(u + i * rows, dual->coefficients + i * dual->rows + lifted->block.first, rows * sizeof *u);
  ent_lifted_back(lifted, u, models, job->sums + lane * models * dual->features, dual->features);
  ent_delete(u);
  return ENTROPIC_OK;
}

static entropic_status turn_into_weights(entropic_context *context, ent_dual_job *job) {
  ent_dual *dual = job->dual;
  size_t models = dual->count * dual->targets;
  ent_memory_rows memory = {.all = {.rows = dual->rows, .x = dual->x, .x_stride = dual->inputs, .missing = true},
                            .inputs = dual->inputs};
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_pass *pass = NULL;
  job->sums = ent_new_matrix(context, ENT_LANES * models, dual->features, sizeof *job->sums);
  dual->weights = ent_new_matrix(context, models, dual->features, sizeof *dual->weights);
  if (job->sums == NULL || dual->weights == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_pass_create(context, job->map, &pass);
  if (status == ENTROPIC_OK)
    status = ent_pass_run(context, pass, &rows, add_weights, job);
  if (status == ENTROPIC_OK) {
    ent_pass_sum(job->sums, models * dual->features);
    memcpy(dual->weights, job->sums, models * dual->features * sizeof *dual->weights);
  }
  ent_pass_free(pass);
  return status;
}

static entropic_status solve_dual(entropic_context *context, ent_dual_job *job, size_t inputs, const ent_rows *rows,
                                  const double *lambdas, size_t count, ent_dual **dual) {
  if (rows->inputs != inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rows of %zu inputs; expected %zu", rows->inputs, inputs);
  for (size_t l = 0; l < count; l++)
    if (!(isfinite(lambdas[l]) && lambdas[l] >= 0))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "lambda: %g; expected a finite number, not negative", lambdas[l]);
  entropic_status status = ENTROPIC_NO_MEMORY;
  job->dual = ent_new(context, 1, sizeof *job->dual);
  if (job->dual == NULL)
    goto fail;
  job->dual->inputs = inputs;
  job->dual->targets = rows->targets;
  job->dual->count = count;
  job->dual->features = job->map == NULL ? 0 : job->map->features;
  status = gather(context, rows, job);
  if (status == ENTROPIC_OK)
    status = fill_matrix(context, job);
  if (status == ENTROPIC_OK)
    status = solve(context, job, lambdas);
  if (status == ENTROPIC_OK && job->map != NULL)
    status = turn_into_weights(context, job);
  if (status == ENTROPIC_OK) {
    *dual = job->dual;
    job->dual = NULL;
  }
fail:
  job_free(job);
  return status;
}

entropic_status ent_dual_of_map(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                const double *lambdas, size_t count, ent_dual **dual) {
  ent_dual_job job = {.map = map};
  return solve_dual(context, &job, map->inputs, rows, lambdas, count, dual);
}

entropic_status ent_dual_of_kernel(entropic_context *context, const entropic_kernel *kernel, const ent_rows *rows,
                                   const double *lambdas, size_t count, ent_dual **dual) {
  ent_dual_job job = {.kernel = kernel};
  return solve_dual(context, &job, entropic_kernel_inputs(kernel), rows, lambdas, count, dual);
}

typedef struct ent_dual_prediction {
  const ent_dual *dual;
  const entropic_kernel *kernel;
  size_t lambda, rows, stride;
  const double *x;
  double *out;
} ent_dual_prediction;

static entropic_status predict_rows(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context, (void)worker;
  const ent_dual_prediction *p = shared;
  const ent_dual *dual = p->dual;
  size_t first = task * TILE, rows = p->rows - first < TILE ? p->rows - first : TILE;
  const double *coefficients = dual->coefficients + p->lambda * dual->targets * dual->rows;
  ent_kernel_functions sums = {dual->x, dual->rows, coefficients, dual->means, dual->targets};
  ent_kernel_sums(p->kernel, &sums, p->x + first * p->stride, rows, p->stride, p->out + first * dual->targets);
  return ENTROPIC_OK;
}

entropic_status ent_dual_predict(entropic_context *context, const ent_dual *dual, const entropic_kernel *kernel,
                                 size_t lambda, const double *x, size_t rows, size_t stride, double *out) {
  ent_dual_prediction p = {
      .dual = dual, .kernel = kernel, .lambda = lambda, .rows = rows, .stride = stride, .x = x, .out = out};
  return ent_parallel(context, rows / TILE + (rows % TILE > 0), predict_rows, &p);
}

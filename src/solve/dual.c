/* The dual of ridge regression: see dual.h. Tiles of the kernel matrix are computed in parallel. */
#include "solve/dual.h"

#include <math.h>
#include <string.h>

#include "axis/kernel.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "sums/pass.h"

#define TILE ((size_t)128)
#define STEP ((size_t)8) /* rows that are predicted between two polls */

typedef struct ent_dual_job {
  const ent_map *map; /* or NULL: the kernel */
  const entropic_kernel *kernel;
  ent_dense *dense; /* for each worker */
  ent_dual *dual;
  double *y, *roots;    /* targets, row by row; square roots of the weights */
  size_t capacities[3]; /* of x, y and roots */
  double weight;
  double *k; /* rows x rows, upper triangle: W^(1/2) K W^(1/2) */
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
  ent_dense_free(job->dense);
  ent_scratch_free(job->map, job->scratch, job->workers);
  ent_delete(job->lifted);
  ent_delete(job->y);
  ent_delete(job->roots);
  ent_delete(job->k);
  ent_delete(job->sums);
  ent_dual_free(job->dual);
}

/* A map checks its rows itself. */
static entropic_status check_row(entropic_context *context, const ent_dual_job *job, const double *x, size_t row) {
  for (size_t i = 0; job->map == NULL && i < job->dual->inputs; i++)
    if (!ent_accepts(job->kernel->axes[i], x[i]))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, column %zu: %g is not a finite number", row + 1, i + 1,
                      x[i]);
  return ENTROPIC_OK;
}

/* Grows x, y and roots to `count` rows. */
static entropic_status grow(entropic_context *context, ent_dual_job *job, size_t count) {
  ent_dual *dual = job->dual;
  if (!ent_reserve(context, &dual->x, &job->capacities[0], count * dual->inputs, sizeof *dual->x))
    return ENTROPIC_NO_MEMORY;
  if (!ent_reserve(context, &job->y, &job->capacities[1], count * dual->targets, sizeof *job->y))
    return ENTROPIC_NO_MEMORY;
  if (!ent_reserve(context, &job->roots, &job->capacities[2], count, sizeof *job->roots))
    return ENTROPIC_NO_MEMORY;
  return ENTROPIC_OK;
}

/* Copies the rows of a block into the job. */
static entropic_status copy_block(entropic_context *context, void *shared, const ent_block *block) {
  ent_dual_job *job = shared;
  ent_dual *dual = job->dual;
  entropic_status status = grow(context, job, dual->rows + block->rows);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = 0; r < block->rows; r++, dual->rows++) {
    const double *x = block->x + r * block->x_stride;
    status = check_row(context, job, x, dual->rows);
    if (status != ENTROPIC_OK)
      return status;
    memcpy(dual->x + dual->rows * dual->inputs, x, dual->inputs * sizeof *x);
    memcpy(job->y + dual->rows * dual->targets, block->y + r * block->y_stride, dual->targets * sizeof *job->y);
    job->weight += ent_weight(block, r);
    job->roots[dual->rows] = sqrt(ent_weight(block, r));
  }
  return ENTROPIC_OK;
}

/* Copies all rows into the job. */
static entropic_status gather(entropic_context *context, const ent_rows *rows, ent_dual_job *job) {
  entropic_status status = ent_rows_each(context, rows, 1024, copy_block, job);
  if (status != ENTROPIC_OK)
    return status;
  if (!(job->weight > 0 && isfinite(job->weight)))
    return ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g, expected more than 0", job->weight);
  return ENTROPIC_OK;
}

static entropic_status lift_tile(entropic_context *context, ent_dual_job *job, size_t first, size_t rows, int worker,
                                 double *z) {
  const ent_map *map = job->map;
  void *scratch;
  entropic_status status = ent_scratch_get(context, map, job->scratch, worker, &scratch);
  if (status != ENTROPIC_OK)
    return status;
  return map->calls->dense(context, map->self, scratch, job->dual->x + first * map->inputs, rows, map->inputs, z, TILE);
}

static size_t rows_of_tile(const ent_dual_job *job, size_t first) {
  size_t left = job->dual->rows - first;
  return left < TILE ? left : TILE;
}

/* A tile of K, by kernel values. */
static void fill_by_kernel(const ent_dual_job *job, size_t top, size_t left, double *out) {
  const ent_dual *dual = job->dual;
  size_t rows = rows_of_tile(job, top), columns = rows_of_tile(job, left);
  for (size_t j = 0; j < columns; j++)
    for (size_t i = 0; i < rows; i++)
      out[j * dual->rows + i] =
          entropic_kernel_value(job->kernel, dual->x + (top + i) * dual->inputs, dual->x + (left + j) * dual->inputs);
}

static void multiply_by_roots(const ent_dual_job *job, size_t top, size_t left, double *out) {
  size_t rows = rows_of_tile(job, top), columns = rows_of_tile(job, left);
  for (size_t j = 0; j < columns; j++)
    for (size_t i = 0; i < rows; i++)
      out[j * job->dual->rows + i] *= job->roots[top + i] * job->roots[left + j];
}

/* A column of tiles of the upper triangle of K, by lifted rows. */
static entropic_status fill_column_by_map(entropic_context *context, ent_dual_job *job, size_t left, int worker) {
  size_t n = job->dual->rows, columns = rows_of_tile(job, left), features = job->map->features;
  double *left_z = job->lifted + (size_t)worker * 2 * TILE * features, *top_z = left_z + TILE * features;
  entropic_status status = lift_tile(context, job, left, columns, worker, left_z);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t top = 0; top <= left; top += TILE) {
    size_t rows = rows_of_tile(job, top);
    double *out = job->k + left * n + top;
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    status = lift_tile(context, job, top, rows, worker, top_z);
    if (status != ENTROPIC_OK)
      return status;
    ent_dense_multiply(&job->dense[worker], &(ent_product_task){.rows = rows,
                                                                .columns = columns,
                                                                .depth = features,
                                                                .a = {top_z, 1, (ptrdiff_t)TILE, false},
                                                                .b = {left_z, (ptrdiff_t)TILE, 1, false},
                                                                .c = out,
                                                                .ld = n});
    multiply_by_roots(job, top, left, out);
  }
  return ENTROPIC_OK;
}

/* A column of tiles of the upper triangle; the longest columns come first. */
static entropic_status fill_column(entropic_context *context, void *shared, size_t task, int worker) {
  ent_dual_job *job = shared;
  size_t left = (job->tiles - 1 - task) * TILE;
  if (job->map != NULL)
    return fill_column_by_map(context, job, left, worker);
  for (size_t top = 0; top <= left; top += TILE) {
    double *out = job->k + left * job->dual->rows + top;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    fill_by_kernel(job, top, left, out);
    multiply_by_roots(job, top, left, out);
  }
  return ENTROPIC_OK;
}

static entropic_status fill_matrix(entropic_context *context, ent_dual_job *job) {
  size_t n = job->dual->rows, features = job->map == NULL ? 0 : job->map->features;
  job->tiles = n / TILE + (n % TILE > 0);
  job->workers = (size_t)ent_workers(context, job->tiles);
  job->k = ent_new_matrix(context, n, n, sizeof *job->k);
  job->scratch = ent_new(context, job->workers, sizeof *job->scratch);
  job->lifted = ent_new_matrix(context, job->workers * 2 * TILE, features, sizeof *job->lifted);
  if (job->k == NULL || job->scratch == NULL || job->lifted == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_dense_create(context, job->workers, SIZE_MAX, &job->dense);
  if (status != ENTROPIC_OK)
    return status;
  return ent_parallel(context, job->tiles, fill_column, job);
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
    goto done;
  for (size_t t = 0; t < targets; t++) {
    double shift = job->y[t], sum = 0; /* relative to the first row, so that a large mean does not cost accuracy */
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
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < dual->count * targets; i++)
    for (size_t r = 0; r < n; r++)
      dual->coefficients[i * n + r] *= job->roots[r];
done:
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
  ent_lifted_multiply_trans(lifted, u, models, job->sums + lane * models * dual->features, dual->features);
  ent_delete(u);
  return ENTROPIC_OK;
}

/* weights = Z'c, by a pass over the rows. */
static entropic_status find_weights(entropic_context *context, ent_dual_job *job) {
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
  if (status != ENTROPIC_OK)
    return status;
  status = ent_pass_run(context, pass, &rows, add_weights, job);
  if (status != ENTROPIC_OK)
    goto done;
  ent_pass_sum(job->sums, models * dual->features);
  memcpy(dual->weights, job->sums, models * dual->features * sizeof *dual->weights);
done:
  ent_pass_free(pass);
  return status;
}

static entropic_status check(entropic_context *context, size_t inputs, const ent_rows *rows, const double *lambdas,
                             size_t count) {
  if (rows->inputs != inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rows of %zu inputs; expected %zu", rows->inputs, inputs);
  for (size_t l = 0; l < count; l++)
    if (!(isfinite(lambdas[l]) && lambdas[l] >= 0))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "lambda: %g; expected a finite number, not negative", lambdas[l]);
  return ENTROPIC_OK;
}

/* Solves a job that has a map or a kernel, with arguments that were checked. */
static entropic_status solve_dual(entropic_context *context, ent_dual_job *job, const ent_rows *rows,
                                  const double *lambdas, size_t count, ent_dual **dual) {
  job->dual = ent_new(context, 1, sizeof *job->dual);
  if (job->dual == NULL)
    return ENTROPIC_NO_MEMORY;
  job->dual->inputs = rows->inputs;
  job->dual->targets = rows->targets;
  job->dual->count = count;
  job->dual->features = job->map == NULL ? 0 : job->map->features;
  entropic_status status = gather(context, rows, job);
  if (status != ENTROPIC_OK)
    goto done;
  status = fill_matrix(context, job);
  if (status != ENTROPIC_OK)
    goto done;
  status = solve(context, job, lambdas);
  if (status != ENTROPIC_OK)
    goto done;
  if (job->map != NULL) {
    status = find_weights(context, job);
    if (status != ENTROPIC_OK)
      goto done;
  }
  *dual = job->dual;
  job->dual = NULL;
done:
  job_free(job);
  return status;
}

entropic_status ent_dual_of_map(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                const double *lambdas, size_t count, ent_dual **dual) {
  entropic_status status = check(context, map->inputs, rows, lambdas, count);
  if (status != ENTROPIC_OK)
    return status;
  ent_dual_job job = {.map = map};
  return solve_dual(context, &job, rows, lambdas, count, dual);
}

entropic_status ent_dual_of_kernel(entropic_context *context, const entropic_kernel *kernel, const ent_rows *rows,
                                   const double *lambdas, size_t count, ent_dual **dual) {
  entropic_status status = check(context, entropic_kernel_inputs(kernel), rows, lambdas, count);
  if (status != ENTROPIC_OK)
    return status;
  ent_dual_job job = {.kernel = kernel};
  return solve_dual(context, &job, rows, lambdas, count, dual);
}

typedef struct ent_dual_prediction {
  const ent_dual *dual;
  const entropic_kernel *kernel;
  size_t lambda;
  const ent_block *rows;
  double *out;
} ent_dual_prediction;

static entropic_status predict_rows(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  const ent_dual_prediction *p = shared;
  const ent_dual *dual = p->dual;
  const ent_block *block = p->rows;
  size_t first = task * TILE, rows = block->rows - first < TILE ? block->rows - first : TILE;
  const double *coefficients = dual->coefficients + p->lambda * dual->targets * dual->rows;
  ent_kernel_functions sums = {dual->x, dual->rows, coefficients, dual->means, dual->targets};
  for (size_t end = first + rows; first < end; first += STEP) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    ent_kernel_sums(p->kernel, &sums, block->x + first * block->x_stride, end - first < STEP ? end - first : STEP,
                    block->x_stride, p->out + first * dual->targets);
  }
  return ENTROPIC_OK;
}

entropic_status ent_dual_predict(entropic_context *context, const ent_dual *dual, const entropic_kernel *kernel,
                                 size_t lambda, const ent_block *rows, double *out) {
  ent_dual_prediction p = {.dual = dual, .kernel = kernel, .lambda = lambda, .rows = rows, .out = out};
  return ent_parallel(context, rows->rows / TILE + (rows->rows % TILE > 0), predict_rows, &p);
}

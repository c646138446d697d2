/* Ridge regression with a kernel: see kernel_ridge.h. */
#include "solve/kernel_ridge.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/factor.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "solve/kernel_columns.h"

#define COLUMNS ((size_t)64) /* of a task */

struct ent_kernel_ridge {
  ent_kernel_rows rows;
  double weight;  /* sum */
  double *matrix; /* n x n, upper triangle */
  size_t *order;  /* [rows] sorted by blocks */
  size_t *starts; /* [rows + 1] where each block begins */
};

void ent_kernel_ridge_free(ent_kernel_ridge *ridge) {
  if (ridge == NULL)
    return;
  ent_delete(ridge->matrix);
  ent_delete(ridge->order);
  ent_delete(ridge->starts);
  ent_delete(ridge);
}

/* Columns of kernel values share these. */
typedef struct ent_kernel_fill {
  const ent_kernel_columns *columns;
  const double *x;
  size_t count; /* of columns */
  double *values;
  size_t ld;
  bool upper; /* only down to the diagonal */
} ent_kernel_fill;

static entropic_status fill_task(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_kernel_fill *fill = shared;
  size_t inputs = fill->columns->inputs, last = (fill->count + COLUMNS - 1) / COLUMNS - 1;
  size_t first = (fill->upper ? last - task : task) * COLUMNS; /* the longest come first */
  size_t end = first + COLUMNS < fill->count ? first + COLUMNS : fill->count;
  (void)worker;
  for (size_t j = first; j < end; j++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    ent_kernel_column(fill->columns, fill->x + j * inputs, fill->upper ? j + 1 : fill->columns->rows,
                      fill->values + j * fill->ld);
  }
  return ENTROPIC_OK;
}

entropic_status ent_kernel_values(entropic_context *context, const entropic_kernel *kernel, const double *points,
                                  size_t rows, const double *x, size_t count, double *values) {
  ent_kernel_columns columns;
  entropic_status status = ent_kernel_columns_start(context, kernel, points, rows, &columns);
  if (status != ENTROPIC_OK)
    return status;
  ent_kernel_fill fill = {&columns, x, count, values, rows, false};
  status = ent_parallel(context, (count + COLUMNS - 1) / COLUMNS, fill_task, &fill);
  ent_kernel_columns_clear(&columns);
  return status;
}

/* Rows sorted by blocks; starts[rows + 1] where each begins. */
static void sort_blocks(const ent_kernel_rows *rows, size_t *order, size_t *starts) {
  size_t n = rows->rows, sum = 0;
  for (size_t i = 0; i < n; i++)
    starts[rows->block_of == NULL ? i : rows->block_of[i]]++;
  for (size_t b = 0; b <= n; b++) {
    size_t count = b < n ? starts[b] : 0;
    starts[b] = sum;
    sum += count;
  }
  for (size_t i = 0; i < n; i++)
    order[starts[rows->block_of == NULL ? i : rows->block_of[i]]++] = i;
  for (size_t b = n; b > 0; b--)
    starts[b] = starts[b - 1];
  starts[0] = 0;
}

entropic_status ent_kernel_ridge_create(entropic_context *context, const entropic_kernel *kernel,
                                        const ent_kernel_rows *rows, ent_kernel_ridge **ridge) {
  ent_kernel_columns columns = {0};
  size_t n = rows->rows;
  ent_kernel_ridge *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *made = (ent_kernel_ridge){.rows = *rows};
  made->matrix = ent_new_matrix(context, n, n, sizeof *made->matrix);
  made->order = ent_new(context, n, sizeof *made->order);
  made->starts = ent_new(context, n + 1, sizeof *made->starts);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made->matrix == NULL || made->order == NULL || made->starts == NULL)
    goto done;
  sort_blocks(rows, made->order, made->starts);
  for (size_t i = 0; i < n; i++)
    made->weight += rows->weights == NULL ? 1 : rows->weights[i];
  status = ent_kernel_columns_start(context, kernel, rows->x, n, &columns);
  if (status != ENTROPIC_OK)
    goto done;
  ent_kernel_fill fill = {&columns, rows->x, n, made->matrix, n, true};
  status = ent_parallel(context, (n + COLUMNS - 1) / COLUMNS, fill_task, &fill);
  if (status != ENTROPIC_OK)
    goto done;
  *ridge = made;
  made = NULL;
done:
  ent_kernel_columns_clear(&columns);
  ent_kernel_ridge_free(made);
  return status;
}

/* A ridge that is being solved. */
typedef struct ent_kernel_job {
  const ent_kernel_ridge *ridge;
  double *a;        /* n x n: K + r W^-1, then its factor U */
  double *inverse;  /* n x n: U'^-1, lower triangle; NULL: not needed */
  double *right;    /* [(targets + 1) x n] y - m, then ones; then A times these */
  ent_dense *dense; /* for each worker */
  const ent_kernel_solution *solution;
} ent_kernel_job;

static double weight_of(const ent_kernel_rows *rows, size_t row) {
  return rows->weights == NULL ? 1 : rows->weights[row];
}

/* The means, and the right-hand sides. */
static void centre(const ent_kernel_ridge *ridge, double *means, double *right) {
  const ent_kernel_rows *rows = &ridge->rows;
  size_t n = rows->rows;
  for (size_t t = 0; t < rows->targets; t++) {
    double shift = rows->y[t], sum = 0; /* relative to the first row, so that a large mean does not cost accuracy */
    for (size_t i = 0; i < n; i++)
      sum += weight_of(rows, i) * (rows->y[i * rows->targets + t] - shift);
    means[t] = shift + sum / ridge->weight;
    for (size_t i = 0; i < n; i++)
      right[t * n + i] = rows->y[i * rows->targets + t] - means[t];
  }
  for (size_t i = 0; i < n; i++)
    right[rows->targets * n + i] = 1;
}

/* Some columns of U'^-1: those of the identity from the diagonal on. */
static entropic_status invert_task(entropic_context *context, void *shared, size_t task, int worker) {
  ent_kernel_job *job = shared;
  size_t n = job->ridge->rows.rows, first = task * COLUMNS, count = n - first < COLUMNS ? n - first : COLUMNS;
  entropic_status status = ent_poll(context);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = first; j < first + count; j++)
    job->inverse[j * n + j] = 1;
  ent_dense_solve(&job->dense[worker], &(ent_triangle_task){.u = job->a + first * n + first,
                                                            .n = n - first,
                                                            .u_ld = n,
                                                            .b = job->inverse + first * n + first,
                                                            .columns = count,
                                                            .ld = n,
                                                            .transpose = true});
  return ENTROPIC_OK;
}

/* A_ij = the product of columns i and j of U'^-1. */
static double element(const ent_kernel_job *job, size_t i, size_t j) {
  size_t n = job->ridge->rows.rows, from = i > j ? i : j;
  return ent_dot(job->inverse + i * n + from, job->inverse + j * n + from, n - from);
}

/* What one block is without itself: room is size x (size + targets). */
static bool leave_out(const ent_kernel_job *job, const size_t *members, size_t size, const ent_dense *dense,
                      double *room) {
  const ent_kernel_rows *rows = &job->ridge->rows;
  size_t n = rows->rows, targets = rows->targets;
  double *a = room, *b = room + size * size, weight = 0;
  for (size_t j = 0; j < size; j++) {
    for (size_t i = 0; i <= j; i++)
      a[j * size + i] = element(job, members[i], members[j]);
    weight += weight_of(rows, members[j]);
  }
  for (size_t t = 0; t < targets; t++) {
    double sum = 0, mean = job->solution->means[t];
    for (size_t i = 0; i < size; i++)
      sum += weight_of(rows, members[i]) * (rows->y[members[i] * targets + t] - mean);
    double d = weight < job->ridge->weight ? sum / (job->ridge->weight - weight) : 0;
    for (size_t i = 0; i < size; i++)
      b[t * size + i] = job->right[t * n + members[i]] + d * job->right[targets * n + members[i]];
  }
  if (!ent_dense_factor(dense, a, size, size))
    return false;
  ent_triangle_task triangle = {
      .u = a, .n = size, .u_ld = size, .b = b, .columns = targets, .ld = size, .transpose = true};
  ent_dense_solve(dense, &triangle);
  triangle.transpose = false;
  ent_dense_solve(dense, &triangle);
  for (size_t t = 0; t < targets; t++)
    for (size_t i = 0; i < size; i++)
      job->solution->left_out[members[i] * targets + t] = rows->y[members[i] * targets + t] - b[t * size + i];
  return true;
}

static entropic_status leave_task(entropic_context *context, void *shared, size_t task, int worker) {
  ent_kernel_job *job = shared;
  const ent_kernel_ridge *ridge = job->ridge;
  size_t n = ridge->rows.rows, end = (task + 1) * COLUMNS < n ? (task + 1) * COLUMNS : n;
  for (size_t b = task * COLUMNS; b < end; b++) {
    size_t size = ridge->starts[b + 1] - ridge->starts[b];
    const size_t *members = ridge->order + ridge->starts[b];
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    if (size == 0)
      continue;
    double *room = ent_new_matrix(context, size, size + ridge->rows.targets, sizeof *room);
    if (room == NULL)
      return ENTROPIC_NO_MEMORY;
    bool positive = leave_out(job, members, size, &job->dense[worker], room);
    for (size_t i = 0; i < size * ridge->rows.targets && !positive; i++)
      job->solution->left_out[members[i % size] * ridge->rows.targets + i / size] = NAN;
    ent_delete(room);
  }
  return ENTROPIC_OK;
}

/* The factor is there: coefficients, and rows without their blocks. */
static entropic_status finish(entropic_context *context, ent_kernel_job *job) {
  const ent_kernel_rows *rows = &job->ridge->rows;
  size_t n = rows->rows, tasks = (n + COLUMNS - 1) / COLUMNS;
  entropic_status status = ent_cholesky_solve(context, job->a, n, job->right, rows->targets + 1);
  if (status != ENTROPIC_OK)
    return status;
  if (job->solution->coefficients != NULL)
    memcpy(job->solution->coefficients, job->right, rows->targets * n * sizeof *job->right);
  if (job->inverse == NULL)
    return ENTROPIC_OK;
  status = ent_parallel(context, tasks, invert_task, job);
  return status != ENTROPIC_OK ? status : ent_parallel(context, tasks, leave_task, job);
}

entropic_status ent_kernel_ridge_solve(entropic_context *context, ent_kernel_ridge *ridge, double value, bool last,
                                       const ent_kernel_solution *solution, bool *positive) {
  const ent_kernel_rows *rows = &ridge->rows;
  size_t n = rows->rows, workers = (size_t)ent_workers(context, (n + COLUMNS - 1) / COLUMNS);
  bool left_out = solution->left_out != NULL;
  ent_kernel_job job = {.ridge = ridge, .a = ridge->matrix, .solution = solution};
  job.right = ent_new_matrix(context, rows->targets + 1, n, sizeof *job.right);
  job.a = last ? ridge->matrix : ent_new_matrix(context, n, n, sizeof *job.a);
  job.inverse = left_out ? ent_new_matrix(context, n, n, sizeof *job.inverse) : NULL;
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (job.right == NULL || job.a == NULL || (left_out && job.inverse == NULL))
    goto done;
  status = ent_dense_create(context, workers, SIZE_MAX, &job.dense);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t j = 0; j < n && !last; j++)
    memcpy(job.a + j * n, ridge->matrix + j * n, (j + 1) * sizeof *job.a);
  for (size_t j = 0; j < n; j++)
    job.a[j * n + j] += value / weight_of(rows, j);
  centre(ridge, solution->means, job.right);
  status = ent_cholesky(context, job.a, n, positive);
  if (status == ENTROPIC_OK && *positive)
    status = finish(context, &job);
done:
  ent_dense_free(job.dense);
  if (!last)
    ent_delete(job.a);
  ent_delete(job.inverse);
  ent_delete(job.right);
  return status;
}

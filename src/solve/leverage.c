/* Leverages: see leverage.h. */
#include "solve/leverage.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/factor.h"
#include "base/memory.h"
#include "base/progress.h"

#define STRIP ((size_t)64) /* rows whose equations are solved at once */

/* What is needed of all rows. */
typedef struct ent_leverage_job {
  const ent_statistics *statistics;
  const ent_map *map;
  double *factor;   /* n x n: U with B = U'U */
  double *ones;     /* [n] B^-1 c */
  double *z, *rows; /* STRIP rows of features: by columns, and by rows */
  void *scratch;
  ent_dense *dense;
} ent_leverage_job;

static void job_clear(ent_leverage_job *job) {
  if (job->scratch != NULL)
    job->map->calls->scratch_free(job->scratch);
  ent_delete(job->factor);
  ent_delete(job->ones);
  ent_delete(job->z);
  ent_delete(job->rows);
  ent_dense_free(job->dense);
}

static entropic_status job_start(entropic_context *context, const ent_statistics *statistics, const ent_map *map,
                                 ent_leverage_job *job) {
  size_t n = statistics->features;
  *job = (ent_leverage_job){.statistics = statistics, .map = map};
  job->factor = ent_new_matrix(context, n, n, sizeof *job->factor);
  job->ones = ent_new(context, n, sizeof *job->ones);
  job->z = ent_new_matrix(context, STRIP, n, sizeof *job->z);
  job->rows = ent_new_matrix(context, STRIP, n, sizeof *job->rows);
  if (job->factor == NULL || job->ones == NULL || job->z == NULL || job->rows == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_dense_create(context, 1, n, &job->dense);
  return status != ENTROPIC_OK ? status : map->calls->scratch_create(context, map->self, &job->scratch);
}

/* U, and B^-1 c. */
static entropic_status factorise(entropic_context *context, double shift, ent_leverage_job *job, bool *positive) {
  const ent_statistics *from = job->statistics;
  size_t n = from->features;
  for (size_t j = 0; j < n; j++) {
    memcpy(job->factor + j * n, from->gram + j * from->size, (j + 1) * sizeof *job->factor);
    job->factor[j * n + j] += shift;
  }
  entropic_status status = ent_cholesky(context, job->factor, n, positive);
  if (status != ENTROPIC_OK || !*positive)
    return status;
  memcpy(job->ones, from->gram + n * from->size, n * sizeof *job->ones);
  return ent_cholesky_solve(context, job->factor, n, job->ones, 1);
}

/* Leverages of `count` rows from row `first` on. */
static entropic_status solve_strip(entropic_context *context, ent_leverage_job *job, const ent_block *block,
                                   size_t first, size_t count, double *leverages) {
  size_t n = job->statistics->features;
  entropic_status status = job->map->calls->dense(
      context, job->map->self, job->scratch, block->x + first * block->x_stride, count, block->x_stride, job->z, STRIP);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = 0; j < n; j++)
    for (size_t r = 0; r < count; r++)
      job->rows[r * n + j] = job->z[j * STRIP + r];
  for (size_t r = 0; r < count; r++)
    leverages[first + r] = (1 - ent_dot(job->rows + r * n, job->ones, n)) / job->statistics->weight;
  /* z'B^-1 z = |U'^-1 z|^2 */
  ent_dense_solve(
      job->dense,
      &(ent_triangle_task){
          .u = job->factor, .n = n, .u_ld = n, .b = job->rows, .ld = n, .columns = count, .transpose = true});
  for (size_t r = 0; r < count; r++) {
    const double *solved = job->rows + r * n;
    leverages[first + r] = ent_weight(block, first + r) * (leverages[first + r] + ent_dot(solved, solved, n));
  }
  return ENTROPIC_OK;
}

entropic_status ent_leverages(entropic_context *context, const ent_statistics *statistics, double lambda,
                              const ent_map *map, const ent_block *rows, double *leverages) {
  ent_leverage_job job;
  bool positive = false;
  entropic_status status = job_start(context, statistics, map, &job);
  if (status != ENTROPIC_OK)
    goto done;
  if (statistics->features == 0) { /* the mean alone */
    for (size_t r = 0; r < rows->rows; r++)
      leverages[r] = ent_weight(rows, r) / statistics->weight;
    goto done;
  }
  status = factorise(context, lambda * statistics->weight, &job, &positive);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t r = 0; r < rows->rows && !positive; r++)
    leverages[r] = NAN;
  for (size_t first = 0; first < rows->rows && positive; first += STRIP) {
    size_t left = rows->rows - first;
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    status = solve_strip(context, &job, rows, first, left < STRIP ? left : STRIP, leverages);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  job_clear(&job);
  return status;
}

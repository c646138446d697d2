/* Which rows are landmarks: uniformly at random, spread out (the seeding of k-means++, Arthur and Vassilvitskii), or by
 * randomly pivoted Cholesky (pivots.c). */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/progress.h"
#include "base/threads.h"
#include "baselines/map.h"

#define BLOCK ((size_t)1024) /* rows of a task; a multiple of ENT_STRIP */

typedef struct ent_spreading {
  const ent_random_map *map;
  const ent_random_data *data;
  const double *point; /* the landmark chosen last */
  size_t blocks;
  double *nearest; /* of each row: the squared distance to the nearest landmark; negative if it cannot become one */
  double *sums;    /* of nearest, over each block */
  double *strips;  /* for each worker: a strip of rows, and its distances */
} ent_spreading;

/* Updates the distances of a block of rows by the landmark chosen last. */
static entropic_status update_nearest(entropic_context *context, void *shared, size_t block, int worker) {
  ent_spreading *job = shared;
  const ent_random_data *data = job->data;
  size_t inputs = job->map->inputs, end = (block + 1) * BLOCK < data->rows ? (block + 1) * BLOCK : data->rows;
  double *strip = job->strips + (size_t)worker * (inputs + 1) * ENT_STRIP, *squares = strip + inputs * ENT_STRIP;
  const ent_strip_source source = {.x = data->x, .inputs = inputs, .stride = data->stride};
  double sum = 0;
  for (size_t first = block * BLOCK; first < end; first += ENT_STRIP) {
    size_t rows = end - first < ENT_STRIP ? end - first : ENT_STRIP;
    entropic_status status = ent_strip_load(context, job->map->code, &source, first, rows, strip);
    if (status != ENTROPIC_OK)
      return status;
    job->map->code->squares(strip, inputs, job->point, squares);
    for (size_t r = 0; r < rows; r++) {
      double *nearest = &job->nearest[first + r];
      *nearest = squares[r] < *nearest ? squares[r] : *nearest;
      sum += *nearest > 0 ? *nearest : 0;
    }
  }
  job->sums[block] = sum;
  return ENTROPIC_OK;
}

/* The row where the running sum of `nearest` passes that share of the total. Where all distances are 0, or rounding leads
 * past the end, it is the last row that can become a landmark. */
static size_t find_row(const ent_spreading *job, double share) {
  double total = 0, left;
  for (size_t b = 0; b < job->blocks; b++)
    total += job->sums[b];
  left = share * total;
  size_t block = 0, row = job->data->rows;
  while (block + 1 < job->blocks && left >= job->sums[block])
    left -= job->sums[block++];
  for (size_t r = block * BLOCK; r < row; r++) {
    double part = job->nearest[r] > 0 ? job->nearest[r] : 0;
    if (left < part)
      return r;
    left -= part;
  }
  while (job->nearest[row - 1] < 0)
    row--;
  return row - 1;
}

static entropic_status take_landmark(entropic_context *context, ent_random_map *map, const ent_random_data *data,
                                     size_t number, size_t row) {
  map->chosen[number] = row;
  return ent_point_load(context, data->x + row * data->stride, map->inputs, row, map->landmarks + number * map->inputs);
}

static entropic_status spread(entropic_context *context, ent_random_map *map, const ent_random_data *data, size_t first,
                              entropic_random *random) {
  ent_spreading job = {.map = map, .data = data, .blocks = data->rows / BLOCK + (data->rows % BLOCK > 0)};
  job.nearest = ent_new(context, data->rows, sizeof *job.nearest);
  job.sums = ent_new(context, job.blocks, sizeof *job.sums);
  job.strips = ent_new_product(context, (size_t)ent_workers(context, job.blocks) * ENT_STRIP, map->inputs + 1,
                               sizeof *job.strips);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (job.nearest == NULL || job.sums == NULL || job.strips == NULL)
    goto done;
  for (size_t r = 0; r < data->rows; r++)
    job.nearest[r] = data->weights == NULL || data->weights[r] > 0 ? INFINITY : -1;
  for (size_t m = 0; m < map->options.features; m++) {
    size_t row = m == 0 ? first : find_row(&job, entropic_random_uniform(random));
    status = take_landmark(context, map, data, m, row);
    if (status != ENTROPIC_OK)
      goto done;
    job.nearest[row] = -1;
    job.point = map->landmarks + m * map->inputs;
    status = ent_parallel(context, job.blocks, update_nearest, &job);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(job.nearest);
  ent_delete(job.sums);
  ent_delete(job.strips);
  return status;
}

/* Moves the pivots among `count` rows to the front of `order`; the others stay in their order behind. */
static entropic_status pivots_first(entropic_context *context, const size_t *pivots, size_t found, size_t count,
                                    size_t *order) {
  bool *taken = ent_new(context, count, sizeof *taken);
  if (taken == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t p = 0; p < found; p++)
    taken[pivots[p]] = true;
  size_t to = count;
  for (size_t from = count; from-- > 0;)
    if (!taken[order[from]])
      order[--to] = order[from];
  memcpy(order, pivots, found * sizeof *order);
  ent_delete(taken);
  return ENTROPIC_OK;
}

/* Puts those of rows[count] that randomly pivoted Cholesky takes in front of the others in `order`. */
static entropic_status order_by_pivots(entropic_context *context, const ent_random_map *map,
                                       const ent_random_data *data, const size_t *rows, size_t count, size_t *order) {
  size_t *pivots = ent_new(context, map->options.features, sizeof *pivots), found = 0;
  double *points = ent_new_product(context, count, map->inputs, sizeof *points);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (pivots == NULL || points == NULL)
    goto done;
  for (size_t r = 0; r < count; r++) {
    status = r % BLOCK == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      goto done;
    status = ent_point_load(context, data->x + rows[r] * data->stride, map->inputs, rows[r], points + r * map->inputs);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = ent_pivots_choose(context, map, points, count, pivots, &found);
  if (status != ENTROPIC_OK)
    goto done;
  status = pivots_first(context, pivots, found, count, order);
done:
  ent_delete(pivots);
  ent_delete(points);
  return status;
}

entropic_status ent_landmarks_choose(entropic_context *context, ent_random_map *map, const ent_random_data *data) {
  size_t landmarks = map->options.features, count = 0;
  entropic_random random = entropic_random_start(map->options.seed, ENT_STREAM_LANDMARKS);
  size_t *rows = ent_new(context, data->rows, sizeof *rows), *order = ent_new(context, data->rows, sizeof *order);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (rows == NULL || order == NULL)
    goto done;
  for (size_t r = 0; r < data->rows; r++)
    if (data->weights == NULL || data->weights[r] > 0)
      rows[count++] = r;
  if (landmarks > count) {
    status = ent_fail(context, ENTROPIC_BAD_ARGUMENT, "features: %zu landmarks; there are %zu rows", landmarks, count);
    goto done;
  }
  map->chosen = ent_new(context, landmarks, sizeof *map->chosen);
  map->landmarks = ent_new_product(context, landmarks, map->inputs, sizeof *map->landmarks);
  if (map->chosen == NULL || map->landmarks == NULL)
    goto done;
  entropic_random_permutation(&random, count, order);
  if (map->options.landmarks == ENT_LANDMARKS_SPREAD) {
    status = spread(context, map, data, rows[order[0]], &random);
    goto done;
  }
  if (map->options.landmarks == ENT_LANDMARKS_RPC) {
    status = order_by_pivots(context, map, data, rows, count, order);
    if (status != ENTROPIC_OK)
      goto done;
  }
  for (size_t m = 0; m < landmarks; m++) {
    status = take_landmark(context, map, data, m, rows[order[m]]);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(rows);
  ent_delete(order);
  return status;
}

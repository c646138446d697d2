/* Alignments of waves with targets: the mean over the rows of target times wave, squared, summed over the targets. Each
 * task takes some waves and passes over all rows, so that the order of every sum is fixed. */
#include <math.h>

#include "base/threads.h"
#include "baselines/map.h"

#define TASK_PANELS ((size_t)16)
#define TASK_WAVES (TASK_PANELS * ENT_PANEL)

typedef struct ent_alignment {
  const ent_random_map *map;
  const ent_random_data *data;
  size_t count;
  double *means;      /* of the targets */
  double weight;      /* of all rows */
  double *strips;     /* for each worker: a strip of rows, one of targets, a panel of waves, and sums, */
  size_t strips_size; /* which are kept lane by lane until the end */
  double *alignments;
} ent_alignment;

static double weight_of(const ent_random_data *data, size_t row) {
  return data->weights == NULL ? 1 : data->weights[row];
}

/* Checks targets and weights, and finds the weighted means of the targets. */
static entropic_status find_means(entropic_context *context, ent_alignment *job) {
  const ent_random_data *data = job->data;
  for (size_t r = 0; r < data->rows; r++) {
    double weight = weight_of(data, r);
    if (!(isfinite(weight) && weight >= 0))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu: weight %g; expected a finite number, not negative", r + 1,
                      weight);
    job->weight += weight;
    for (size_t t = 0; t < data->targets; t++) {
      double value = data->y[r * data->y_stride + t];
      if (!isfinite(value))
        return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, target %zu: %g is not a finite number", r + 1, t + 1,
                        value);
      job->means[t] += weight * (value - data->y[t]); /* relative to the first row: large means drown nothing */
    }
  }
  if (!(job->weight > 0 && isfinite(job->weight)))
    return ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g, expected more than 0", job->weight);
  for (size_t t = 0; t < data->targets; t++)
    job->means[t] = data->y[t] + job->means[t] / job->weight;
  return ENTROPIC_OK;
}

/* A strip of targets, centred and weighted; 0 where there is no row. */
static void load_targets(const ent_alignment *job, size_t first, size_t rows, double *targets) {
  const ent_random_data *data = job->data;
  for (size_t t = 0; t < data->targets; t++)
    for (size_t r = 0; r < ENT_STRIP; r++)
      targets[t * ENT_STRIP + r] =
          r < rows ? weight_of(data, first + r) * (data->y[(first + r) * data->y_stride + t] - job->means[t]) : 0;
}

static void add_lanes(double *restrict sums, const double *restrict a, const double *restrict b) {
  for (size_t r = 0; r < ENT_STRIP; r++)
    sums[r] += a[r] * b[r];
}

static entropic_status align_waves(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_alignment *job = shared;
  const ent_random_map *map = job->map;
  const ent_random_data *data = job->data;
  double *strip = job->strips + (size_t)worker * job->strips_size, *targets = strip + map->inputs * ENT_STRIP;
  double *waves = targets + data->targets * ENT_STRIP, *sums = waves + (size_t)ENT_PANEL * ENT_STRIP;
  const ent_strip_source source = {.x = data->x, .inputs = map->inputs, .stride = data->stride};
  size_t first_wave = task * TASK_WAVES, count = job->count - first_wave;
  count = count < TASK_WAVES ? count : TASK_WAVES;
  for (size_t i = 0; i < count * data->targets * ENT_STRIP; i++)
    sums[i] = 0;
  for (size_t first = 0; first < data->rows; first += ENT_STRIP) {
    size_t rows = data->rows - first < ENT_STRIP ? data->rows - first : ENT_STRIP;
    entropic_status status = ent_strip_load(context, map->code, &source, first, rows, strip);
    if (status != ENTROPIC_OK)
      return status;
    load_targets(job, first, rows, targets);
    for (size_t j = 0; j < count; j++) {
      size_t panel = (first_wave + j) / ENT_PANEL;
      if (j % ENT_PANEL == 0)
        ent_waves_lift(map, strip, panel, waves, ENT_STRIP);
      for (size_t t = 0; t < data->targets; t++)
        add_lanes(sums + (j * data->targets + t) * ENT_STRIP, waves + j % ENT_PANEL * ENT_STRIP,
                  targets + t * ENT_STRIP);
    }
  }
  for (size_t j = 0; j < count; j++) {
    double total = 0;
    for (size_t t = 0; t < data->targets; t++) {
      const double *lanes = sums + (j * data->targets + t) * ENT_STRIP;
      double mean = 0;
      for (size_t r = 0; r < ENT_STRIP; r++)
        mean += lanes[r];
      mean /= job->weight;
      total += mean * mean;
    }
    job->alignments[first_wave + j] = total;
  }
  return ENTROPIC_OK;
}

entropic_status ent_waves_align(entropic_context *context, const ent_random_map *map, size_t count,
                                const ent_random_data *data, double *alignments) {
  ent_alignment job = {.map = map, .data = data, .count = count, .alignments = alignments};
  size_t tasks = count / TASK_WAVES + (count % TASK_WAVES > 0), lanes;
  job.means = ent_new(context, data->targets, sizeof *job.means);
  if (!ent_multiply(data->targets, TASK_WAVES + 1, &lanes) || !ent_add(lanes, map->inputs + ENT_PANEL, &lanes) ||
      !ent_multiply(lanes, ENT_STRIP, &job.strips_size))
    job.strips_size = SIZE_MAX;
  job.strips = ent_new_product(context, (size_t)ent_workers(context, tasks), job.strips_size, sizeof *job.strips);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (job.means == NULL || job.strips == NULL)
    goto done;
  status = find_means(context, &job);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_parallel(context, tasks, align_waves, &job);
done:
  ent_delete(job.means);
  ent_delete(job.strips);
  return status;
}

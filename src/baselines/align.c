/* Alignments of waves with targets: the mean over the rows of target times wave, squared, summed over the targets. Each
 * task takes some waves and passes over all rows, so that the order of every sum is fixed. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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

/* ---- The weights of LKRF ----
 *
 * Of n candidates with alignments v the weights q maximise v.q over the simplex, not farther than
 * rho from uniform: mean((n q - 1)^2) <= rho, that is, sum q^2 <= R with R = (1 + rho) / n.
 *
 * If equal weights on the t largest v alone are allowed (1/t <= R), these maximise v.q; other weights on them are as good,
 * but none is more even. Otherwise the bound holds with equality, and stationarity
 * (v - eta = c q where q > 0, v <= eta where q = 0) gives q = max(0, v - eta) / c. With the k largest v above eta, their
 * mean m and scatter s = sum (v - m)^2, the sums of q and q^2 are 1 and R where
 *     c = k (m - eta),   (m - eta)^2 = s / (k (k R - 1)).
 * As eta falls, sum q^2 / (sum q)^2 falls from 1/t to 1/n, so there is one eta for R between the two. Its k is the first
 * for which that quotient, at eta = the next smaller v, is at most R. */

typedef struct ent_valued {
  double value;
  size_t number;
} ent_valued;

static int larger_first(const void *a, const void *b) {
  const ent_valued *x = a, *y = b;
  if (x->value != y->value)
    return x->value > y->value ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

entropic_status ent_largest_first(entropic_context *context, const double *values, size_t count, size_t *order) {
  ent_valued *sorted = ent_new(context, count, sizeof *sorted);
  if (sorted == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < count; i++)
    sorted[i] = (ent_valued){values[i], i};
  qsort(sorted, count, sizeof *sorted, larger_first);
  for (size_t i = 0; i < count; i++)
    order[i] = sorted[i].number;
  ent_delete(sorted);
  return ENTROPIC_OK;
}

/* eta / the largest v, for a bound between 1 / count and 1 / ties, ties being how many are equal to the largest. */
static double find_threshold(const double *v, const size_t *order, size_t count, size_t ties, double bound) {
  double largest = v[order[0]], mean = 0, scatter = 0;
  for (size_t k = 1;; k++) {
    double value = v[order[k - 1]] / largest, apart = value - mean, spare = (double)k * bound - 1;
    mean += apart / (double)k;
    scatter += apart * (value - mean);
    if (k < count) {
      double above = mean - v[order[k]] / largest; /* m - eta at the next value */
      if (k < ties || !(spare > 0 && scatter / (double)k <= spare * above * above))
        continue;
    }
    return mean - sqrt(scatter / ((double)k * spare));
  }
}

entropic_status ent_alignment_weights(entropic_context *context, const double *alignments, size_t count, double rho,
                                      double *weights) {
  size_t *order = ent_new(context, count, sizeof *order), ties = 1;
  if (order == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_largest_first(context, alignments, count, order);
  if (status != ENTROPIC_OK)
    goto done;
  double bound = (1 + rho) / (double)count, largest = alignments[order[0]], eta = 0, sum = 0;
  while (ties < count && alignments[order[ties]] == largest)
    ties++;
  bool uniform = ties == count || !((double)count * bound > 1), peaked = !uniform && (double)ties * bound >= 1;
  if (!uniform && !peaked)
    eta = find_threshold(alignments, order, count, ties, bound);
  for (size_t i = 0; i < count; i++) {
    double above = alignments[i] / largest - eta;
    weights[i] = uniform ? 1 : peaked ? alignments[i] == largest : above > 0 ? above : 0;
    sum += weights[i];
  }
  for (size_t i = 0; i < count; i++)
    weights[i] /= sum;
done:
  ent_delete(order);
  return status;
}

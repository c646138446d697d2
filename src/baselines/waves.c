/* Waves, cos(g.x + b): their frequencies and phases. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/threads.h"
#include "baselines/map.h"

static void draw_independent(ent_random_map *map, size_t count) {
  entropic_random random = entropic_random_start(map->options.seed, ENT_STREAM_FREQUENCIES);
  double scale = map->options.sigma / ent_two_pi;
  for (size_t j = 0; j < count; j++)
    for (size_t i = 0; i < map->inputs; i++)
      *ent_frequency(map, j, i) = scale * (map->options.kernel == ENT_RANDOM_LAPLACE ? entropic_random_cauchy(&random)
                                                                                     : entropic_random_normal(&random));
}

/* Makes the rows of q[n x n] orthonormal by the Gram-Schmidt process, done twice for orthogonality to the last bits. The
 * result is the Q of a QR decomposition with a positive diagonal of R. Of a normal matrix, that Q is uniform among all
 * orthogonal matrices (Haar). */
static void orthonormalise(double *q, size_t n) {
  for (size_t row = 0; row < n; row++) {
    double *own = q + row * n;
    for (int time = 0; time < 2; time++)
      for (size_t k = 0; k < row; k++) {
        const double *other = q + k * n;
        double part = ent_dot(own, other, n);
        for (size_t i = 0; i < n; i++)
          own[i] -= part * other[i];
      }
    double length = sqrt(ent_dot(own, own, n));
    for (size_t i = 0; i < n; i++)
      own[i] /= length;
  }
}

typedef struct ent_orthogonal {
  ent_random_map *map;
  size_t count;
  double *q; /* inputs x inputs for each worker */
} ent_orthogonal;

static entropic_status draw_block(entropic_context *context, void *shared, size_t block, int worker) {
  (void)context;
  const ent_orthogonal *job = shared;
  ent_random_map *map = job->map;
  size_t n = map->inputs, first = block * n;
  double *q = job->q + (size_t)worker * n * n;
  entropic_random random = entropic_random_start(map->options.seed, ENT_STREAM_BLOCKS + block);
  for (size_t i = 0; i < n * n; i++)
    q[i] = entropic_random_normal(&random);
  orthonormalise(q, n);
  for (size_t row = 0; row < n && first + row < job->count; row++) {
    double scale = map->options.sigma / ent_two_pi * entropic_random_chi(&random, (unsigned)n);
    for (size_t i = 0; i < n; i++)
      *ent_frequency(map, first + row, i) = scale * q[row * n + i];
  }
  return ENTROPIC_OK;
}

static entropic_status draw_orthogonal(entropic_context *context, ent_random_map *map, size_t count) {
  size_t n = map->inputs, blocks = count / n + (count % n > 0), square;
  ent_orthogonal job = {.map = map, .count = count};
  if (!ent_multiply(n, n, &square))
    square = SIZE_MAX;
  job.q = ent_new_product(context, (size_t)ent_workers(context, blocks), square, sizeof *job.q);
  if (job.q == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_parallel(context, blocks, draw_block, &job);
  ent_delete(job.q);
  return status;
}

/* Memory for so many waves; what was there stays until it succeeds. */
static entropic_status make_room(entropic_context *context, ent_random_map *map, size_t count) {
  size_t panels = count / ENT_PANEL + (count % ENT_PANEL > 0), width;
  if (!ent_multiply(map->inputs, ENT_PANEL, &width))
    width = SIZE_MAX;
  double *frequencies = ent_new_product(context, panels, width, sizeof *frequencies);
  if (frequencies == NULL) /* before anything large: this is the largest */
    return ENTROPIC_NO_MEMORY;
  double *phases = ent_new_product(context, panels, ENT_PANEL, sizeof *phases);
  double *scales = ent_new_product(context, panels, ENT_PANEL, sizeof *scales);
  if (phases == NULL || scales == NULL) {
    ent_delete(frequencies);
    ent_delete(phases);
    ent_delete(scales);
    return ENTROPIC_NO_MEMORY;
  }
  map->frequencies = frequencies;
  map->phases = phases;
  map->scales = scales;
  map->panels = panels;
  return ENTROPIC_OK;
}

void ent_phases_draw(ent_random_map *map, size_t count) {
  entropic_random random = entropic_random_start(map->options.seed, ENT_STREAM_PHASES);
  for (size_t j = 0; j < count; j++) {
    map->phases[j] = entropic_random_uniform(&random);
    map->scales[j] = sqrt(2 / (double)count);
  }
}

entropic_status ent_waves_draw(entropic_context *context, ent_random_map *map, size_t count) {
  entropic_status status = make_room(context, map, count);
  if (status != ENTROPIC_OK)
    return status;
  if (map->options.method == ENT_RANDOM_ORF) {
    status = draw_orthogonal(context, map, count);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_phases_draw(map, count);
  if (map->options.method == ENT_RANDOM_QMC)
    ent_halton_draw(map, count);
  else if (map->options.method != ENT_RANDOM_ORF)
    draw_independent(map, count);
  return ENTROPIC_OK;
}

entropic_status ent_waves_keep(entropic_context *context, ent_random_map *map, const double *factors) {
  ent_random_map all = *map; /* ent_frequency works on this one, too */
  size_t count = map->options.features;
  entropic_status status = make_room(context, map, count);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = 0; j < count; j++) {
    for (size_t i = 0; i < map->inputs; i++)
      *ent_frequency(map, j, i) = *ent_frequency(&all, map->chosen[j], i);
    map->phases[j] = all.phases[map->chosen[j]];
    map->scales[j] = sqrt(2 * (factors == NULL ? 1 : factors[j]) / (double)count);
  }
  ent_delete(all.frequencies);
  ent_delete(all.phases);
  ent_delete(all.scales);
  return ENTROPIC_OK;
}

void ent_waves_lift(const ent_random_map *map, const double *strip, size_t panel, double *out, size_t stride) {
  const ent_wave_panel waves = {.g = map->frequencies + panel * map->inputs * ENT_PANEL,
                                .phases = map->phases + panel * ENT_PANEL,
                                .scales = map->scales + panel * ENT_PANEL};
  map->code->waves(strip, map->inputs, &waves, out, stride);
}

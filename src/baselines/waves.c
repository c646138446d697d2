/* Waves, cos(g.x + b): their frequencies and phases. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/dense.h"
#include "base/threads.h"
#include "baselines/map.h"

/* ---- Waves from a low-discrepancy sequence (Avron, Sindhwani, Yang and Mahoney) ----
 *
 * Halton's sequence, with a random shift so that estimates are unbiased, mapped by the inverse of the distribution
 * function. The phase has the first coordinate, of base 2, which is the most even one; the inputs have the primes after
 * it. */

double ent_normal_quantile(double p) {
  /* Abramowitz and Stegun 26.2.22 for the lower half, good to 3e-3; each of Halley's steps triples the digits. */
  double lower = p < 0.5 ? p : 1 - p, t = sqrt(-2 * log(lower));
  double x = (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t)) - t;
  for (int i = 0; i < 3; i++) {
    double density = exp(-x * x / 2) / sqrt(2 * M_PI), step = (0.5 * erfc(-x * M_SQRT1_2) - lower) / density;
    x -= step / (1 + x * step / 2);
  }
  return p < 0.5 ? x : -x;
}

/* The radical inverse: the digits of the number, mirrored at the point. */
static double radical_inverse(uint64_t number, uint64_t base) {
  double value = 0, unit = 1 / (double)base;
  for (; number > 0; number /= base) {
    value += unit * (double)(number % base);
    unit /= (double)base;
  }
  return value;
}

static bool is_prime(uint64_t number) {
  for (uint64_t i = 2; i * i <= number; i++)
    if (number % i == 0)
      return false;
  return true;
}

/* Point `number` of the sequence, shifted; inside (0,1). */
static double coordinate(uint64_t number, uint64_t base, double shift) {
  double value = radical_inverse(number, base) + shift;
  value = value >= 1 ? value - 1 : value;
  return value < 0x1p-53 ? 0x1p-53 : value > 1 - 0x1p-53 ? 1 - 0x1p-53 : value;
}

/* Frequencies and phases of QMC. */
static void draw_halton(ent_random_map *map, size_t count) {
  entropic_random random = entropic_random_start(map->options.seed, ENT_STREAM_FREQUENCIES);
  double shift = entropic_random_uniform(&random), scale = map->options.sigma / (2 * M_PI);
  for (size_t j = 0; j < count; j++)
    map->phases[j] = coordinate(j + 1, 2, shift);
  uint64_t base = 2;
  for (size_t i = 0; i < map->inputs; i++) {
    do
      base++;
    while (!is_prime(base));
    shift = entropic_random_uniform(&random);
    for (size_t j = 0; j < count; j++) {
      double u = coordinate(j + 1, base, shift);
      *ent_frequency(map, j, i) =
          scale * (map->options.kernel == ENT_RANDOM_LAPLACE ? tan(M_PI * (u - 0.5)) : ent_normal_quantile(u));
    }
  }
}

/* ---- All waves ---- */

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
    draw_halton(map, count);
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

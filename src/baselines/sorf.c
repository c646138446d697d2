/* Structured orthogonal random features (Yu and others): a block of frequencies is sqrt(d) sigma H D1 H D2 H D3, with H the
 * normalised Walsh-Hadamard matrix of order d, a power of two, and D1, D2, D3 diagonals of random signs. Inputs are filled
 * up with zeros to d. The product with a row takes O(d log d), and no matrix is ever made.
 *
 * The mean over the signs is not quite the gauss kernel: measured, it is off by up to 0.75 / d. In few inputs d is
 * therefore at least LEAST_ORDER; with d = 1 it would be a single cosine. */
#include <string.h>

#include "baselines/map.h"

#define LEAST_ORDER ((size_t)64)

static void draw_signs(ent_random_map *map, size_t block) {
  double *signs = map->signs + block * 3 * map->order;
  entropic_random random = entropic_random_start(map->options.seed, ENT_STREAM_BLOCKS + block);
  for (size_t i = 0; i < 3 * map->order; i += 64) { /* the order is a multiple of 64 */
    uint64_t bits = entropic_random_bits(&random);
    for (size_t b = 0; b < 64; b++)
      signs[i + b] = (bits >> b & 1) != 0 ? 1 : -1;
  }
}

entropic_status ent_sorf_draw(entropic_context *context, ent_random_map *map) {
  size_t count = map->options.features, order = LEAST_ORDER;
  while (order < map->inputs)
    order *= 2;
  size_t blocks = count / order + (count % order > 0);
  map->order = order;
  map->signs = ent_new_product(context, blocks, 3 * order, sizeof *map->signs);
  map->phases = ent_new(context, count, sizeof *map->phases);
  map->scales = ent_new(context, count, sizeof *map->scales);
  if (map->signs == NULL || map->phases == NULL || map->scales == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t b = 0; b < blocks; b++)
    draw_signs(map, b);
  ent_phases_draw(map, count);
  return ENTROPIC_OK;
}

/* The transforms leave out the three factors 1 / sqrt(d), which with sqrt(d) make 1 / d. */
void ent_sorf_lift(const ent_random_map *map, const double *strip, size_t block, double *work, double *out,
                   size_t stride) {
  size_t order = map->order, first = block * order, left = map->options.features - first;
  const double *signs = map->signs + block * 3 * order;
  double factor = map->options.sigma / ent_two_pi / (double)order;
  const ent_wave_panel waves = {.g = &factor, .phases = map->phases + first, .scales = map->scales + first};
  memcpy(work, strip, map->inputs * ENT_STRIP * sizeof *work);
  memset(work + map->inputs * ENT_STRIP, 0, (order - map->inputs) * ENT_STRIP * sizeof *work);
  for (size_t d = 3; d-- > 0;)
    map->code->hadamard(work, order, signs + d * order);
  map->code->cosines(work, left < order ? left : order, &waves, out, stride);
}

/* Random maps as feature maps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "baselines/map.h"

/* Features are made in groups: panels of waves, blocks of SORF, all of Nystroem at once. */
static size_t group_size(const ent_random_map *map) {
  if (map->signs != NULL)
    return map->order;
  return map->landmarks == NULL ? ENT_PANEL : map->panels * ENT_PANEL;
}

/* A strip of rows, its features of one group, and for SORF as much to work in. */
static entropic_status scratch_create(entropic_context *context, const void *self, void **scratch) {
  const ent_random_map *map = self;
  double *made = ent_new_product(context, map->inputs + group_size(map) + map->order, ENT_STRIP, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *scratch = made;
  return ENTROPIC_OK;
}

static void scratch_free(void *scratch) {
  ent_delete(scratch);
}

static entropic_status check_stride(entropic_context *context, const ent_random_map *map, size_t stride) {
  if (stride >= map->inputs)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride: %zu; expected at least %zu", stride, map->inputs);
}

/* A strip of rows, and room for a group of its features. */
typedef struct ent_random_strip {
  const ent_random_map *map;
  size_t rows, size; /* size: features of a group */
  double *strip, *held, *work;
} ent_random_strip;

static ent_random_strip strip_of(const ent_random_map *map, double *scratch) {
  ent_random_strip strip = {.map = map, .size = group_size(map), .strip = scratch};
  strip.held = strip.strip + map->inputs * ENT_STRIP;
  strip.work = strip.held + strip.size * ENT_STRIP;
  return strip;
}

/* Loads the strip of rows from `first` on. */
static entropic_status strip_load(entropic_context *context, ent_random_strip *strip, const ent_strip_source *source,
                                  size_t first, size_t rows) {
  strip->rows = rows - first < ENT_STRIP ? rows - first : ENT_STRIP;
  return ent_strip_load(context, strip->map->code, source, first, strip->rows, strip->strip);
}

/* Makes a group of features in `held`. */
static void hold_group(const ent_random_strip *strip, size_t group) {
  const ent_random_map *map = strip->map;
  if (map->signs != NULL)
    ent_sorf_lift(map, strip->strip, group, strip->work, strip->held, ENT_STRIP);
  else if (map->landmarks != NULL)
    ent_nystroem_lift(map, strip->strip, strip->held);
  else
    ent_waves_lift(map, strip->strip, group, strip->held, ENT_STRIP);
}

/* A group of features into columns: directly where whole strips fit, the rest through `held`. */
static void write_group(const ent_random_strip *strip, size_t group, double *out, size_t ld) {
  const ent_random_map *map = strip->map;
  size_t left = map->options.features - group * strip->size, width = left < strip->size ? left : strip->size;
  if (strip->rows == ENT_STRIP && map->signs != NULL) {
    ent_sorf_lift(map, strip->strip, group, strip->work, out, ld);
    return;
  }
  if (strip->rows == ENT_STRIP && map->landmarks == NULL && width == strip->size) {
    ent_waves_lift(map, strip->strip, group, out, ld);
    return;
  }
  hold_group(strip, group);
  for (size_t f = 0; f < width; f++)
    memcpy(out + f * ld, strip->held + f * ENT_STRIP, strip->rows * sizeof *out);
}

static entropic_status dense(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                             size_t stride, double *z, size_t ld) {
  const ent_random_map *map = self;
  const ent_strip_source source = {.x = x, .inputs = map->inputs, .stride = stride};
  ent_random_strip strip = strip_of(map, scratch);
  entropic_status status = check_stride(context, map, stride);
  if (status != ENTROPIC_OK)
    return status;
  if (ld < rows)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "ld: %zu; expected at least %zu", ld, rows);
  for (size_t first = 0; first < rows; first += ENT_STRIP) {
    status = strip_load(context, &strip, &source, first, rows);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t group = 0; group * strip.size < map->options.features; group++)
      write_group(&strip, group, z + group * strip.size * ld + first, ld);
  }
  return ENTROPIC_OK;
}

/* Every entry is kept, also one that happens to be 0. */
static entropic_status sparse(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                              size_t stride, size_t *starts, int32_t *columns, double *values) {
  const ent_random_map *map = self;
  const ent_strip_source source = {.x = x, .inputs = map->inputs, .stride = stride};
  ent_random_strip strip = strip_of(map, scratch);
  size_t features = map->options.features;
  entropic_status status = check_stride(context, map, stride);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t first = 0; first < rows; first += ENT_STRIP) {
    status = strip_load(context, &strip, &source, first, rows);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t j = 0; j < features; j++) {
      if (j % strip.size == 0)
        hold_group(&strip, j / strip.size);
      const double *from = strip.held + j % strip.size * ENT_STRIP;
      for (size_t r = 0; r < strip.rows; r++) {
        columns[(first + r) * features + j] = (int32_t)j;
        values[(first + r) * features + j] = from[r];
      }
    }
  }
  for (size_t r = 0; r <= rows; r++)
    starts[r] = r * features;
  return ENTROPIC_OK;
}

/* Waves are cosines times their scales. Nystroem's features have a sum of squares of at most k(x,x); one power of two more
 * is for what an ill-conditioned matrix of landmarks loses. */
static void exponents(const void *self, int *exponents) {
  const ent_random_map *map = self;
  const ent_random_options *options = &map->options;
  bool sobolev = options->kernel == ENT_RANDOM_SOBOLEV;
  int root = sobolev ? (int)ceil((double)map->inputs * log2(1 + options->sigma) / 2) : 0;
  for (size_t j = 0; j < options->features; j++)
    exponents[j] = map->landmarks != NULL ? root + 1 : map->scales[j] > 0 ? ilogb(map->scales[j]) + 1 : 0;
}

static void describe(const void *self, char *text, size_t size) {
  const ent_random_map *map = self;
  const ent_random_options *options = &map->options;
  char sigma[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(options->sigma, sigma);
  snprintf(text, size, "%zu %s features of %zu inputs, %s kernel, sigma %s, seed %llu", options->features,
           ent_random_method_name(options->method), map->inputs, ent_random_kernel_name(options->kernel), sigma,
           (unsigned long long)options->seed);
}

ent_map ent_map_of_random(const ent_random_map *map) {
  static const ent_map_calls calls = {scratch_create, scratch_free, dense, sparse, exponents, describe};
  return (ent_map){.calls = &calls,
                   .self = map,
                   .inputs = map->inputs,
                   .features = map->options.features,
                   .nonzeros = map->options.features};
}

/* Random maps as feature maps. */
#include <stdio.h>
#include <string.h>

#include "random/map.h"

/* A strip of rows, then its features: a panel of waves, or all features of Nystroem. */
static size_t features_held(const ent_random_map *map) {
  return map->landmarks == NULL ? ENT_PANEL : map->panels * ENT_PANEL;
}

static entropic_status scratch_create(entropic_context *context, const void *self, void **scratch) {
  const ent_random_map *map = self;
  double *made = ent_new_product(context, map->inputs + features_held(map), ENT_STRIP, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *scratch = made;
  return ENTROPIC_OK;
}

static void scratch_free(void *scratch) {
  ent_delete(scratch);
}

static size_t panel_width(const ent_random_map *map, size_t panel) {
  size_t left = map->options.features - panel * ENT_PANEL;
  return left < ENT_PANEL ? left : ENT_PANEL;
}

static void lift_panel(const ent_random_map *map, const double *strip, size_t panel, double *out, size_t stride) {
  map->code->waves(strip, map->inputs, map->frequencies + panel * map->inputs * ENT_PANEL,
                   map->phases + panel * ENT_PANEL, map->scales + panel * ENT_PANEL, out, stride);
}

static entropic_status check_stride(entropic_context *context, const ent_random_map *map, size_t stride) {
  if (stride >= map->inputs)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride: %zu; expected at least %zu", stride, map->inputs);
}

/* A panel of features into columns: waves directly where a whole panel of a whole strip fits, the rest by way of `held`,
 * where Nystroem's already are. */
static void write_panel(const ent_random_map *map, const double *strip, double *held, size_t panel, size_t rows,
                        double *out, size_t ld) {
  size_t width = panel_width(map, panel);
  if (map->landmarks != NULL) {
    held += panel * ENT_PANEL * ENT_STRIP;
  } else if (rows == ENT_STRIP && width == ENT_PANEL) {
    lift_panel(map, strip, panel, out, ld);
    return;
  } else {
    lift_panel(map, strip, panel, held, ENT_STRIP);
  }
  for (size_t f = 0; f < width; f++)
    memcpy(out + f * ld, held + f * ENT_STRIP, rows * sizeof *out);
}

static entropic_status dense(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                             size_t stride, double *z, size_t ld) {
  const ent_random_map *map = self;
  double *strip = scratch, *held = strip + map->inputs * ENT_STRIP;
  entropic_status status = check_stride(context, map, stride);
  if (status == ENTROPIC_OK && ld < rows)
    status = ent_fail(context, ENTROPIC_BAD_ARGUMENT, "ld: %zu; expected at least %zu", ld, rows);
  for (size_t first = 0; first < rows && status == ENTROPIC_OK; first += ENT_STRIP) {
    size_t count = rows - first < ENT_STRIP ? rows - first : ENT_STRIP;
    status = ent_strip_load(context, map->code, x + first * stride, count, map->inputs, stride, first, strip);
    if (status == ENTROPIC_OK && map->landmarks != NULL)
      ent_nystroem_lift(map, strip, held);
    for (size_t p = 0; p < map->panels && status == ENTROPIC_OK; p++)
      write_panel(map, strip, held, p, count, z + p * ENT_PANEL * ld + first, ld);
  }
  return status;
}

/* Every entry is kept, also one that happens to be 0. */
static entropic_status sparse(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                              size_t stride, size_t *starts, int32_t *columns, double *values) {
  const ent_random_map *map = self;
  double *strip = scratch, *held = strip + map->inputs * ENT_STRIP;
  size_t features = map->options.features;
  entropic_status status = check_stride(context, map, stride);
  for (size_t first = 0; first < rows && status == ENTROPIC_OK; first += ENT_STRIP) {
    size_t count = rows - first < ENT_STRIP ? rows - first : ENT_STRIP;
    status = ent_strip_load(context, map->code, x + first * stride, count, map->inputs, stride, first, strip);
    if (status != ENTROPIC_OK)
      break;
    if (map->landmarks != NULL)
      ent_nystroem_lift(map, strip, held);
    for (size_t j = 0; j < features; j++) {
      if (map->landmarks == NULL && j % ENT_PANEL == 0)
        lift_panel(map, strip, j / ENT_PANEL, held, ENT_STRIP);
      const double *from = held + (map->landmarks == NULL ? j % ENT_PANEL : j) * ENT_STRIP;
      for (size_t r = 0; r < count; r++) {
        columns[(first + r) * features + j] = (int32_t)j;
        values[(first + r) * features + j] = from[r];
      }
    }
  }
  for (size_t r = 0; r <= rows && status == ENTROPIC_OK; r++)
    starts[r] = r * features;
  return status;
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
  static const ent_map_calls calls = {scratch_create, scratch_free, dense, sparse, describe};
  return (ent_map){.calls = &calls,
                   .self = map,
                   .inputs = map->inputs,
                   .features = map->options.features,
                   .nonzeros = map->options.features};
}

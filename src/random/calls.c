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

static entropic_status check_stride(entropic_context *context, const ent_random_map *map, size_t stride) {
  if (stride >= map->inputs)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride: %zu; expected at least %zu", stride, map->inputs);
}

/* A strip of rows, and room for features of it: of one panel of waves, or all of Nystroem. */
typedef struct ent_random_strip {
  const ent_random_map *map;
  size_t rows;
  double *strip, *held;
} ent_random_strip;

static ent_random_strip strip_of(const ent_random_map *map, double *scratch) {
  return (ent_random_strip){.map = map, .strip = scratch, .held = scratch + map->inputs * ENT_STRIP};
}

/* Loads the strip of rows from `first` on; the features of Nystroem are made at once. */
static entropic_status strip_load(entropic_context *context, ent_random_strip *strip, const ent_strip_source *source,
                                  size_t first, size_t rows) {
  const ent_random_map *map = strip->map;
  strip->rows = rows - first < ENT_STRIP ? rows - first : ENT_STRIP;
  entropic_status status = ent_strip_load(context, map->code, source, first, strip->rows, strip->strip);
  if (status != ENTROPIC_OK)
    return status;
  if (map->landmarks != NULL)
    ent_nystroem_lift(map, strip->strip, strip->held);
  return ENTROPIC_OK;
}

/* A panel of features into columns: waves directly where a whole panel of a whole strip fits, the rest through `held`. */
static void write_panel(const ent_random_strip *strip, size_t panel, double *out, size_t ld) {
  const ent_random_map *map = strip->map;
  const double *from = strip->held;
  size_t width = panel_width(map, panel);
  if (map->landmarks != NULL) {
    from += panel * ENT_PANEL * ENT_STRIP;
  } else if (strip->rows == ENT_STRIP && width == ENT_PANEL) {
    ent_waves_lift(map, strip->strip, panel, out, ld);
    return;
  } else {
    ent_waves_lift(map, strip->strip, panel, strip->held, ENT_STRIP);
  }
  for (size_t f = 0; f < width; f++)
    memcpy(out + f * ld, from + f * ENT_STRIP, strip->rows * sizeof *out);
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
    for (size_t p = 0; p < map->panels; p++)
      write_panel(&strip, p, z + p * ENT_PANEL * ld + first, ld);
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
      if (map->landmarks == NULL && j % ENT_PANEL == 0)
        ent_waves_lift(map, strip.strip, j / ENT_PANEL, strip.held, ENT_STRIP);
      const double *from = strip.held + (map->landmarks == NULL ? j % ENT_PANEL : j) * ENT_STRIP;
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

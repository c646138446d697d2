/* Creating axes from options. */
#include "axis/shapes.h"

#include <math.h>
#include <string.h>

static const ent_family *const families[] = {
    [ENTROPIC_CENTRED] = &ent_centred, [ENTROPIC_SOBOLEV] = &ent_sobolev,   [ENTROPIC_LAPLACE] = &ent_laplace,
    [ENTROPIC_COSH] = &ent_cosh,       [ENTROPIC_BROWNIAN] = &ent_brownian, [ENTROPIC_BRIDGE] = &ent_bridge,
    [ENTROPIC_CUSTOM] = &ent_custom,   [ENTROPIC_CATEGORY] = &ent_category,
};
#define FAMILY_COUNT (sizeof families / sizeof families[0])

static bool is_family(entropic_family family) {
  return (size_t)family < FAMILY_COUNT;
}

const char *entropic_family_name(entropic_family family) {
  return is_family(family) ? families[family]->name : NULL;
}

int entropic_family_find(const char *name, entropic_family *family) {
  for (size_t i = 0; i < FAMILY_COUNT; i++) {
    if (strcmp(name, families[i]->name) == 0) {
      *family = (entropic_family)i;
      return 1;
    }
  }
  return 0;
}

entropic_axis_options entropic_axis_options_default(void) {
  return (entropic_axis_options){.family = ENTROPIC_CENTRED, .basis = ENTROPIC_FULL, .omega = 1, .max_level = 16};
}

bool ent_has_omega(entropic_family family) {
  return family != ENTROPIC_BRIDGE && family != ENTROPIC_CUSTOM;
}

bool ent_has_hats(entropic_family family) {
  return family != ENTROPIC_CATEGORY;
}

bool ent_takes_missing(const entropic_axis_options *options) {
  return (options->family == ENTROPIC_CENTRED || options->family == ENTROPIC_SOBOLEV) &&
         options->basis == ENTROPIC_FULL;
}

static entropic_status check_options(entropic_context *context, const entropic_axis_options *options) {
  if (!is_family(options->family))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "family: %d is not a family of kernels", (int)options->family);
  if (options->basis != ENTROPIC_FULL && options->basis != ENTROPIC_INTERIOR)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "basis: %d is neither full nor interior", (int)options->basis);
  if (ent_has_omega(options->family) && !(options->omega >= 1e-6 && options->omega <= 1e4))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "omega: %g is not between 1e-6 and 1e4", options->omega);
  if (options->max_level < 0 || options->max_level > ENTROPIC_MAX_LEVEL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "max_level: %d is not between 0 and %d", options->max_level,
                    ENTROPIC_MAX_LEVEL);
  if (options->smooth < 0 || options->smooth > 8 || options->smooth == 1)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "smooth: %d is neither 0 nor between 2 and 8", options->smooth);
  if (options->smooth > 0 && (options->family != ENTROPIC_CENTRED || options->basis != ENTROPIC_FULL))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "smooth: needs the centred kernel with its full basis");
  if (options->unit_height && options->basis != ENTROPIC_INTERIOR)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "unit_height: needs the interior basis");
  if (options->missing && !ent_takes_missing(options))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "missing: needs the centred or the sobolev kernel with full basis");
  if (options->categories > 0 && options->family != ENTROPIC_CATEGORY)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "categories: %zu, expected 0: the %s kernel is one of numbers",
                    options->categories, families[options->family]->name);
  return ENTROPIC_OK;
}

entropic_status ent_axis_create(entropic_context *context, const entropic_axis_options *options, ent_axis **axis) {
  entropic_status status = check_options(context, options);
  if (status != ENTROPIC_OK)
    return status;
  ent_axis *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->options = *options;
  if (!ent_has_omega(options->family))
    made->options.omega = 1;
  if (!ent_has_hats(options->family))
    made->options.max_level = 0;
  made->options.missing = options->missing != 0;
  made->family = families[options->family];
  made->levels = ent_new(context, ENT_LEVEL_LIMIT, sizeof *made->levels);
  status = made->levels == NULL ? ENTROPIC_NO_MEMORY : made->family->prepare(context, made);
  if (status == ENTROPIC_OK && made->level_count == 0)
    status = ent_fail(context, ENTROPIC_BAD_ARGUMENT, "max_level: 0 leaves the %s kernel without any atom",
                      made->family->name);
  if (status != ENTROPIC_OK)
    goto fail;
  if (made->options.missing)
    ent_append_missing(made);
  *axis = made;
  return ENTROPIC_OK;
fail:
  ent_axis_free(made);
  return status;
}

void ent_axis_free(ent_axis *axis) {
  if (axis == NULL)
    return;
  if (axis->family->release != NULL)
    axis->family->release(axis);
  ent_delete(axis->levels);
  ent_delete(axis);
}

ent_level *ent_axis_append(ent_axis *axis) {
  return &axis->levels[axis->level_count++];
}

double ent_level_score(const ent_level *level, entropic_criterion criterion) {
  return criterion == ENTROPIC_SUP ? level->info.sup : level->info.l2;
}

double ent_clamp(double x) {
  return x > 0 ? (x < 1 ? x : 1) : x <= 0 ? 0 : x; /* -0 becomes 0 */
}

/* The approximation of kernels: see paper.h. */
#include "study/paper.h"

#include <math.h>

#include "base/memory.h"
#include "baselines/baselines.h"
#include "design/design.h"
#include "lift/features.h"

#define OMEGA 1.0
#define PAIRS ((size_t)1000)
#define RANDOM_SEEDS 4

/* Points 0 .. PAIRS-1 go with points PAIRS .. 2 PAIRS-1. */
typedef struct ent_pairs {
  size_t inputs;
  double *x, *kernel;
  double *z; /* of all points, for the most features */
} ent_pairs;

static entropic_status pairs_make(entropic_context *context, const entropic_kernel *kernel, size_t most,
                                  ent_pairs *pairs) {
  size_t inputs = entropic_kernel_inputs(kernel);
  *pairs = (ent_pairs){.inputs = inputs};
  pairs->x = ent_new(context, 2 * PAIRS * inputs, sizeof *pairs->x);
  pairs->kernel = ent_new(context, PAIRS, sizeof *pairs->kernel);
  pairs->z = ent_new(context, 2 * PAIRS * most, sizeof *pairs->z);
  if (pairs->x == NULL || pairs->kernel == NULL || pairs->z == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_random random = entropic_random_start(7, inputs);
  for (size_t i = 0; i < 2 * PAIRS * inputs; i++)
    pairs->x[i] = entropic_random_uniform(&random);
  for (size_t i = 0; i < PAIRS; i++)
    pairs->kernel[i] = entropic_kernel_value(kernel, pairs->x + i * inputs, pairs->x + (PAIRS + i) * inputs);
  return ENTROPIC_OK;
}

static void pairs_free(ent_pairs *pairs) {
  ent_delete(pairs->x);
  ent_delete(pairs->kernel);
  ent_delete(pairs->z);
}

static entropic_status error_of(entropic_context *context, ent_pairs *pairs, const ent_map *map, double *error) {
  void *scratch = NULL;
  entropic_status status = map->calls->scratch_create(context, map->self, &scratch);
  if (status != ENTROPIC_OK)
    return status;
  status = map->calls->dense(context, map->self, scratch, pairs->x, 2 * PAIRS, pairs->inputs, pairs->z, 2 * PAIRS);
  map->calls->scratch_free(scratch);
  if (status != ENTROPIC_OK)
    return status;
  double sum = 0;
  for (size_t i = 0; i < PAIRS; i++) {
    double product = 0;
    for (size_t j = 0; j < map->features; j++)
      product += pairs->z[j * 2 * PAIRS + i] * pairs->z[j * 2 * PAIRS + PAIRS + i];
    sum += (product - pairs->kernel[i]) * (product - pairs->kernel[i]);
  }
  *error = sqrt(sum / (double)PAIRS);
  return ENTROPIC_OK;
}

static entropic_status measure_ours(entropic_context *context, ent_pairs *pairs, entropic_basis basis, size_t features,
                                    double *error) {
  entropic_axis_options *axes = ent_new(context, pairs->inputs, sizeof *axes);
  if (axes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < pairs->inputs; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].family = ENTROPIC_FAMILY_LAPLACE;
    axes[i].omega = OMEGA;
    axes[i].basis = basis;
  }
  ent_features wanted = {.axes = axes, .inputs = pairs->inputs, .design = ent_design_options_default()};
  ent_lifting lifting = {0};
  entropic_status status = ent_features_make(context, &wanted, 0, features, &lifting);
  if (status != ENTROPIC_OK)
    goto done;
  status = error_of(context, pairs, &lifting.map, error);
done:
  ent_lifting_clear(&lifting);
  ent_delete(axes);
  return status;
}

/* The mean over some seeds. */
static entropic_status measure_random(entropic_context *context, ent_pairs *pairs, size_t features, double *error) {
  double sum = 0;
  for (uint64_t seed = 1; seed <= RANDOM_SEEDS; seed++) {
    ent_random_options options = ent_random_options_default();
    ent_random_map *random = NULL;
    double one = NAN;
    options.kernel = ENT_RANDOM_LAPLACE;
    options.sigma = OMEGA;
    options.features = features;
    options.seed = seed;
    entropic_status status = ent_random_create(context, &options, pairs->inputs, NULL, &random);
    if (status != ENTROPIC_OK)
      return status;
    ent_map map = ent_map_of_random(random);
    status = error_of(context, pairs, &map, &one);
    ent_random_free(random);
    if (status != ENTROPIC_OK)
      return status;
    sum += one;
  }
  *error = sum / RANDOM_SEEDS;
  return ENTROPIC_OK;
}

/* All kinds of features, at the number of that place. */
static entropic_status measure_size(entropic_context *context, ent_pairs *pairs, size_t place,
                                    ent_approximation *result) {
  size_t features = (size_t)16 << place;
  result->features[place] = (double)features;
  entropic_status status = measure_ours(context, pairs, ENTROPIC_BASIS_FULL, features, &result->complete[place]);
  if (status != ENTROPIC_OK)
    return status;
  status = measure_ours(context, pairs, ENTROPIC_BASIS_INTERIOR, features, &result->printed[place]);
  if (status != ENTROPIC_OK)
    return status;
  return measure_random(context, pairs, features, &result->random[place]);
}

entropic_status ent_approximation_measure(entropic_context *context, size_t inputs, ent_approximation *result) {
  ent_approximation made = {.inputs = inputs};
  entropic_axis_options axis = ent_axis_options_default();
  entropic_kernel *kernel = NULL;
  ent_pairs pairs = {0};
  size_t most = (size_t)16 << (ENT_APPROXIMATIONS - 1);
  axis.family = ENTROPIC_FAMILY_LAPLACE;
  axis.omega = OMEGA;
  entropic_status status = ent_kernel_create(context, &axis, 1, inputs, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  status = pairs_make(context, kernel, most, &pairs);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < ENT_APPROXIMATIONS; i++) {
    status = measure_size(context, &pairs, i, &made);
    if (status != ENTROPIC_OK)
      goto done;
  }
  *result = made;
done:
  pairs_free(&pairs);
  entropic_kernel_free(kernel);
  return status;
}

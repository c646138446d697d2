/* Random maps: options, creation and release. */
#include "baselines/baselines.h"

#include <math.h>
#include <stdbool.h>

#include "baselines/map.h"

static const char *const methods[] = {"RKS", "ORF", "LKRF", "EERF", "Nystroem", "QMC", "SORF"};
static const char *const kernels[] = {"laplace", "gauss", "sobolev"};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

const char *ent_random_method_name(ent_random_method method) {
  return (size_t)method < COUNT(methods) ? methods[method] : NULL;
}

const char *ent_random_kernel_name(ent_random_kernel kernel) {
  return (size_t)kernel < COUNT(kernels) ? kernels[kernel] : NULL;
}

ent_random_options ent_random_options_default(void) {
  return (ent_random_options){.method = ENT_RANDOM_RKS,
                              .kernel = ENT_RANDOM_GAUSS,
                              .sigma = 1,
                              .features = 100,
                              .candidates = 10,
                              .rho = -1,
                              .seed = 1,
                              .landmarks = ENT_LANDMARKS_UNIFORM};
}

static bool learns_from_targets(const ent_random_options *options) {
  return options->method == ENT_RANDOM_LKRF || options->method == ENT_RANDOM_EERF;
}

static entropic_status check_options(entropic_context *context, const ent_random_options *o, size_t inputs) {
  const char *method = ent_random_method_name(o->method), *kernel = ent_random_kernel_name(o->kernel);
  if (method == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "method: %d is not one of RKS, ORF, LKRF, EERF, Nystroem, QMC, SORF", (int)o->method);
  if (kernel == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "kernel: %d is not one of laplace, gauss, sobolev", (int)o->kernel);
  if (((o->method == ENT_RANDOM_ORF || o->method == ENT_RANDOM_SORF) && o->kernel != ENT_RANDOM_GAUSS) ||
      (o->method != ENT_RANDOM_NYSTROEM && o->kernel == ENT_RANDOM_SOBOLEV))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "kernel: %s has no %s features", kernel, method);
  if (!(o->sigma >= 1e-6 && o->sigma <= 1e6))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "sigma: %g; expected 1e-6 to 1e6", o->sigma);
  if (o->features < 1 || o->features > INT32_MAX)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "features: %zu; expected 1 to %d", o->features, INT32_MAX);
  if (inputs < 1 || inputs > INT32_MAX)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "inputs: %zu; expected 1 to %d", inputs, INT32_MAX);
  if (learns_from_targets(o) && (o->candidates < 1 || o->candidates > 1000000))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "candidates: %zu; expected 1 to 1000000", o->candidates);
  if (isnan(o->rho) || isinf(o->rho))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rho: %g; expected a finite number", o->rho);
  if ((int)o->landmarks < ENT_LANDMARKS_UNIFORM || (int)o->landmarks > ENT_LANDMARKS_RPC)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "landmarks: %d is not one of uniform, spread, RPC",
                    (int)o->landmarks);
  return ENTROPIC_OK;
}

static entropic_status check_data(entropic_context *context, const ent_random_options *options, size_t inputs,
                                  const ent_random_data *data) {
  const char *method = ent_random_method_name(options->method);
  if (!learns_from_targets(options) && options->method != ENT_RANDOM_NYSTROEM)
    return ENTROPIC_OK;
  if (data == NULL || data->x == NULL || data->rows == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s learns from rows; there are none", method);
  if (data->stride < inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride: %zu; expected at least %zu", data->stride, inputs);
  if (!learns_from_targets(options))
    return ENTROPIC_OK;
  if (data->y == NULL || data->targets == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s learns from targets; there are none", method);
  if (data->y_stride < data->targets)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "y_stride: %zu; expected at least %zu", data->y_stride,
                    data->targets);
  return ENTROPIC_OK;
}

/* LKRF: the candidates of largest weight, and the weights among them as factors of mean 1. */
static entropic_status keep_weighted(entropic_context *context, ent_random_map *map, size_t candidates, size_t *order) {
  size_t count = map->options.features;
  double rho = map->options.rho < 0 ? (double)map->options.candidates - 1 : map->options.rho, sum = 0;
  map->weights = ent_new(context, candidates, sizeof *map->weights);
  double *factors = ent_new(context, count, sizeof *factors);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (map->weights == NULL || factors == NULL)
    goto done;
  status = ent_alignment_weights(context, map->alignments, candidates, rho, map->weights);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_largest_first(context, map->weights, candidates, order);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t j = 0; j < count; j++) {
    map->chosen[j] = order[j];
    sum += map->weights[order[j]];
  }
  for (size_t j = 0; j < count; j++)
    factors[j] = (double)count * map->weights[order[j]] / sum;
  status = ent_waves_keep(context, map, factors);
done:
  ent_delete(factors);
  return status;
}

/* EERF: the candidates that align best. */
static entropic_status keep_best(entropic_context *context, ent_random_map *map, size_t candidates, size_t *order) {
  entropic_status status = ent_largest_first(context, map->alignments, candidates, order);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = 0; j < map->options.features; j++)
    map->chosen[j] = order[j];
  return ent_waves_keep(context, map, NULL);
}

static entropic_status choose_waves(entropic_context *context, ent_random_map *map, const ent_random_data *data) {
  size_t candidates, *order = NULL;
  if (!ent_multiply(map->options.features, map->options.candidates, &candidates))
    candidates = SIZE_MAX;
  entropic_status status = ent_waves_draw(context, map, candidates);
  if (status != ENTROPIC_OK)
    return status;
  map->alignments = ent_new(context, candidates, sizeof *map->alignments);
  map->chosen = ent_new(context, map->options.features, sizeof *map->chosen);
  order = ent_new(context, candidates, sizeof *order);
  status = ENTROPIC_NO_MEMORY;
  if (map->alignments == NULL || map->chosen == NULL || order == NULL)
    goto done;
  status = ent_waves_align(context, map, candidates, data, map->alignments);
  if (status != ENTROPIC_OK)
    goto done;
  status = map->options.method == ENT_RANDOM_LKRF ? keep_weighted(context, map, candidates, order)
                                                  : keep_best(context, map, candidates, order);
done:
  ent_delete(order);
  return status;
}

static entropic_status make_nystroem(entropic_context *context, ent_random_map *map, const ent_random_data *data) {
  entropic_status status = ent_landmarks_choose(context, map, data);
  if (status != ENTROPIC_OK)
    return status;
  return ent_nystroem_prepare(context, map);
}

entropic_status ent_random_create(entropic_context *context, const ent_random_options *options, size_t inputs,
                                  const ent_random_data *data, ent_random_map **map) {
  entropic_status status = check_options(context, options, inputs);
  if (status != ENTROPIC_OK)
    return status;
  status = check_data(context, options, inputs, data);
  if (status != ENTROPIC_OK)
    return status;
  ent_random_map *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->options = *options;
  made->inputs = inputs;
  made->code = ent_wide_best();
  if (learns_from_targets(options))
    status = choose_waves(context, made, data);
  else if (options->method == ENT_RANDOM_NYSTROEM)
    status = make_nystroem(context, made, data);
  else if (options->method == ENT_RANDOM_SORF)
    status = ent_sorf_draw(context, made);
  else
    status = ent_waves_draw(context, made, options->features);
  if (status != ENTROPIC_OK)
    goto fail;
  *map = made;
  return ENTROPIC_OK;
fail:
  ent_random_free(made);
  return status;
}

void ent_random_free(ent_random_map *map) {
  if (map == NULL)
    return;
  ent_delete(map->frequencies);
  ent_delete(map->phases);
  ent_delete(map->scales);
  ent_delete(map->signs);
  ent_delete(map->landmarks);
  ent_delete(map->factors);
  ent_delete(map->corners);
  ent_delete(map->chosen);
  ent_delete(map->alignments);
  ent_delete(map->weights);
  ent_delete(map);
}

void *ent_new_product(entropic_context *context, size_t a, size_t b, size_t size) {
  size_t count;
  return ent_new(context, ent_multiply(a, b, &count) ? count : SIZE_MAX, size);
}

/* Rows, random maps of them, and what these are compared with. */
#ifndef RANDOMS_H
#define RANDOMS_H

#include "unit/lifting.h"

#include "baselines/map.h"

/* All code that runs here, the reference first; how many. */
static inline size_t wide_codes(const ent_wide_code *codes[3]) {
  size_t count = 0;
  codes[count++] = &ent_wide_reference;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    codes[count++] = &ent_wide_avx2;
  if (__builtin_cpu_supports("avx512f"))
    codes[count++] = &ent_wide_avx512;
#endif
  return count;
}

/* Memory for a test, freed with free. */
static inline double *new_numbers(size_t count) {
  double *numbers = calloc(count + 1, sizeof *numbers);
  assert_non_null(numbers);
  return numbers;
}

static inline double *uniform_rows(size_t rows, size_t inputs, uint64_t seed) {
  double *x = new_numbers(rows * inputs);
  entropic_random random = entropic_random_start(seed, 77);
  for (size_t i = 0; i < rows * inputs; i++)
    x[i] = entropic_random_uniform(&random);
  return x;
}

static inline ent_random_map *make_random(const ent_random_options *options, size_t inputs, const ent_random_data *data,
                                          int threads) {
  entropic_context *context = context_with(threads);
  ent_random_map *map = NULL;
  ASSERT_OK(context, ent_random_create(context, options, inputs, data, &map));
  entropic_context_free(context);
  return map;
}

/* No value is beyond the bound of its feature, but for rounding. */
static inline void assert_bounded(const ent_map *map, const double *z, size_t rows) {
  int *exponents = calloc(map->features + 1, sizeof *exponents);
  assert_non_null(exponents);
  map->calls->exponents(map->self, exponents);
  for (size_t i = 0; i < map->features * rows; i++)
    assert_true(fabs(z[i]) <= ldexp(1 + 1e-9, exponents[i / rows]));
  free(exponents);
}

/* All rows at once: z[feature * rows + row], to be freed. */
static inline double *lift_densely(const ent_random_map *random, const double *x, size_t rows) {
  ent_map map = ent_map_of_random(random);
  entropic_context *context = context_with(1);
  double *z = new_numbers(rows * map.features);
  void *scratch = NULL;
  ASSERT_OK(context, map.calls->scratch_create(context, map.self, &scratch));
  ASSERT_OK(context, map.calls->dense(context, map.self, scratch, x, rows, map.inputs, z, rows));
  map.calls->scratch_free(scratch);
  entropic_context_free(context);
  assert_bounded(&map, z, rows);
  return z;
}

static inline double inner_product(const double *z, size_t rows, size_t features, size_t a, size_t b) {
  double sum = 0;
  for (size_t j = 0; j < features; j++)
    sum += z[j * rows + a] * z[j * rows + b];
  return sum;
}

/* The kernel by its definition. */
static inline long double plain_kernel(ent_random_kernel kernel, double sigma, const double *x, const double *y,
                                       size_t inputs) {
  long double sum = 0, all = 1, s = (long double)sigma;
  for (size_t i = 0; i < inputs; i++) {
    long double a = (long double)x[i], b = (long double)y[i], apart = fabsl(a - b);
    sum += kernel == ENT_RANDOM_GAUSS ? s * apart * apart / 2 : apart;
    all *= 1 + s * (a < b ? a : b);
  }
  return kernel == ENT_RANDOM_SOBOLEV ? all : expl(-s * sum);
}

#endif

/* The plain loop: what every other must reproduce bit for bit. */
#include <math.h>

#include "solve/products.h"

typedef struct {
  double lanes[ENT_SUM_LANES];
} ent_eight;
#define A_COLUMNS ((size_t)2)
#define B_COLUMNS ((size_t)2)

static inline ent_eight eight_zero(void) {
  return (ent_eight){{0}};
}
static inline ent_eight eight_load(const double *from) {
  ent_eight value;
  for (size_t i = 0; i < ENT_SUM_LANES; i++)
    value.lanes[i] = from[i];
  return value;
}
static inline ent_eight eight_fma(ent_eight a, ent_eight b, ent_eight c) {
  for (size_t i = 0; i < ENT_SUM_LANES; i++)
    c.lanes[i] = fma(a.lanes[i], b.lanes[i], c.lanes[i]);
  return c;
}
static inline double eight_sum(ent_eight e) {
  for (size_t apart = ENT_SUM_LANES / 2; apart > 0; apart /= 2)
    for (size_t i = 0; i < apart; i++)
      e.lanes[i] += e.lanes[i + apart];
  return e.lanes[0];
}

static inline void eights_add(const ent_eight *lanes, size_t count, double *out) {
  for (size_t i = 0; i < count; i++)
    out[i] += eight_sum(lanes[i]);
}

#include "solve/products_steps.h"

const ent_products_code ent_products_reference = {"reference", steps_add};

const ent_products_code *ent_products_best(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return &ent_products_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return &ent_products_avx2;
#endif
  return NULL;
}

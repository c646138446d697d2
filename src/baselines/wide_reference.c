/* The plain loops: what every other must reproduce bit for bit. The C library's fma is exact everywhere, but slow where
 * the processor has no such instruction. */
#include <math.h>

#include "base/processor.h"
#include "baselines/wide.h"

typedef double ent_wide;
#define LANES 1
#define VECTORS 2

static inline ent_wide wide_load(const double *from) {
  return *from;
}
static inline void wide_store(double *to, ent_wide value) {
  *to = value;
}
static inline ent_wide wide_all(double value) {
  return value;
}
static inline ent_wide wide_fma(ent_wide a, ent_wide b, ent_wide c) {
  return fma(a, b, c);
}
static inline ent_wide wide_round(ent_wide value) {
  return rint(value);
}
static inline ent_wide wide_size(ent_wide value) {
  return fabs(value);
}
static inline ent_wide wide_least(ent_wide a, ent_wide b) {
  return a < b ? a : b;
}

#include "baselines/wide_steps.h"

static bool load(const double *x, size_t inputs, size_t stride, double *strip) {
  bool inside = true;
  for (size_t r = 0; r < ENT_STRIP; r++)
    for (size_t i = 0; i < inputs; i++) {
      double value = x[r * stride + i];
      inside = inside && value >= 0 && value <= 1;
      strip[i * ENT_STRIP + r] = value;
    }
  return inside;
}

const ent_wide_code ent_wide_reference = WIDE_CODE("reference", load);

const ent_wide_code *ent_wide_best(void) {
#if defined(__x86_64__)
  if (ent_processor_has_avx512())
    return &ent_wide_avx512;
  if (ent_processor_has_avx2() && __builtin_cpu_supports("fma"))
    return &ent_wide_avx2;
#endif
  return &ent_wide_reference;
}

/* The plain loops: what every other must reproduce bit for bit. The C library's fma is exact everywhere, but slow where
 * the processor has no such instruction. */
#include "base/processor.h"

#define LANES 1
#define VECTORS 2
#define FMA(a, b, c) fma(a, b, c)
#define NEAREST(a) rint(a)
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#include "baselines/wide_steps.h"

const ent_wide_code ent_wide_reference = WIDE_CODE("reference");

const ent_wide_code *ent_wide_best(void) {
#if defined(__x86_64__)
  if (ent_processor_has_avx512())
    return &ent_wide_avx512;
  if (ent_processor_has_avx2() && __builtin_cpu_supports("fma"))
    return &ent_wide_avx2;
#endif
  return &ent_wide_reference;
}

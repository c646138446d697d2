/* The kind of processor, which is found out once. */
#include "base/processor.h"

#include <stdlib.h>
#include <string.h>

#include "base/threads.h"

static bool has_avx2, has_avx512;

static void find(void) {
#if defined(__x86_64__)
  const char *asked = getenv("ENTROPIC_PROCESSOR");
  bool reference = asked != NULL && strcmp(asked, "reference") == 0, avx2 = asked != NULL && strcmp(asked, "avx2") == 0;
  __builtin_cpu_init();
  has_avx2 = !reference && __builtin_cpu_supports("avx2");
  has_avx512 = !reference && !avx2 && __builtin_cpu_supports("avx512f");
#endif
}

static ent_once once;

bool ent_processor_has_avx2(void) {
  ent_do_once(&once, find);
  return has_avx2;
}

bool ent_processor_has_avx512(void) {
  ent_do_once(&once, find);
  return has_avx512;
}

/* Loops of effects compiled for AVX-512. */
#define LANES ((size_t)8)

#include "explain/effects_steps.h"

const ent_effect_code ent_effect_code_avx512 = {.name = "avx512", ENT_EFFECT_STEPS};

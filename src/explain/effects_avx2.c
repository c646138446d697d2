/* Loops of effects compiled for AVX2. */
#define LANES ((size_t)4)

#include "explain/effects_steps.h"

const ent_effect_code ent_effect_code_avx2 = {.name = "avx2", ENT_EFFECT_STEPS};

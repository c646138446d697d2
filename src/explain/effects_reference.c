/* Loops of effects for any processor. */
#define LANES ((size_t)2)

#include "explain/effects_steps.h"

const ent_effect_code ent_effect_code_reference = {.name = "reference", ENT_EFFECT_STEPS};

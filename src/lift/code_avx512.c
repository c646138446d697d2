/* Steps compiled for AVX-512. */
#include "lift/steps.h"
#include "lift/transpose_avx.h"

const ent_code ent_code_avx512 = {.name = "avx512", .load = lift_load_avx, .transpose = transpose_avx, ENT_STEPS};

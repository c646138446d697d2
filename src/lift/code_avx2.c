/* Steps compiled for AVX2. */
#include "lift/steps.h"
#include "lift/transpose_avx.h"

const ent_code ent_code_avx2 = {.name = "avx2", .load = lift_load_avx, .transpose = transpose_avx, ENT_STEPS};

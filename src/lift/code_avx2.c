/* Steps compiled for AVX2. */
#include "lift/steps.h"
#include "lift/transpose_avx.h"

const ent_code ent_code_avx2 = {.name = "avx2",
                                .load = lift_load_avx,
                                .clamp = steps_clamp,
                                .factors = steps_factors,
                                .rare = steps_rare,
                                .bases = steps_bases,
                                .columns = steps_columns,
                                .vectors = steps_vectors,
                                .transpose = transpose_avx,
                                .add = steps_add,
                                .gather = steps_gather};

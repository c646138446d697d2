/* Steps compiled for AVX-512. */
#include "lift/steps.h"
#include "lift/transpose_avx.h"

const ent_code ent_code_avx512 = {.name = "avx512",
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

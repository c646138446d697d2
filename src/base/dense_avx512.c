/* The loops of dense_code.h with AVX-512. */
#define LANES 8
#define VECTORS 1
#define COLUMNS 16
#include "base/dense_steps.h"

const ent_dense_code ent_dense_avx512 = DENSE_CODE("avx512");

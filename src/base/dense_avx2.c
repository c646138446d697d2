/* The loops of dense_code.h with AVX2. */
#define LANES 4
#define VECTORS 2
#define COLUMNS 4
#include "base/dense_steps.h"

const ent_dense_code ent_dense_avx2 = DENSE_CODE("avx2");

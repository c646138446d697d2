/* The loops of dense_code.h for any processor. */
#define LANES 2
#define VECTORS 2
#define COLUMNS 4
#include "base/dense_steps.h"

const ent_dense_code ent_dense_reference = DENSE_CODE("reference");

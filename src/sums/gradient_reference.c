/* The loops of gradient_code.h for any processor. */
#define LANES 2
#define LARGER(a, b)                                                                                                   \
  (ent_gradient_lanes)(((ent_gradient_words)((a) > (b)) & (ent_gradient_words)(a)) |                                   \
                       (~((a) > (b)) & (ent_gradient_words)(b)))
#include "sums/gradient_steps.h"

const ent_gradient_code ent_gradient_reference = GRADIENT_CODE("reference");

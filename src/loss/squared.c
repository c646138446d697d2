/* The squared loss, (y - f)^2. */
#include "loss/loss.h"

const ent_loss ent_loss_squared = {.name = "squared",
                                   .help = "ridge; classes as -1 and 1, one against the rest",
                                   .traits = ENT_LOSS_NUMBERS | ENT_LOSS_CLASSES | ENT_LOSS_STATISTICS,
                                   .method = ENT_METHOD_RIDGE,
                                   .since = 1};

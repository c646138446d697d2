/* The logistic loss, -ln(p) with p the probability of the row's class: log(1 + exp(-margin)) for two, softmax for more. */
#include "loss/loss.h"

const ent_loss ent_loss_logistic = {.name = "logistic",
                                    .help = "for classes: their log odds; softmax for several",
                                    .traits = ENT_LOSS_CLASSES | ENT_LOSS_GRADIENT_SUMS | ENT_LOSS_PROBABILITIES,
                                    .method = ENT_METHOD_NEWTON,
                                    .since = 1,
                                    .contest = {.most_values = 1e7}};

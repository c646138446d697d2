/* The squared hinge loss, max(0, 1 - y f)^2 with y of -1 and 1 for each score. Rows with a margin y f of 1 or more cost nothing,
 * so unlike the squared loss it does not pull them back. */
#include "loss/loss.h"

static double of_row(double target, double score, double weight, double parameter, double *slope) {
  (void)parameter;
  double lack = 1 - target * score;
  *slope = lack > 0 ? -weight * target * lack : 0;
  return lack > 0 ? weight * lack * lack : 0;
}

const ent_loss ent_loss_hinge = {.name = "hinge",
                                 .help = "for classes: squared, rows far on the right side cost nothing",
                                 .traits = ENT_LOSS_CLASSES,
                                 .method = ENT_METHOD_MAJORISED,
                                 .since = 1,
                                 .tolerance =
                                     1e-4, /* enough for the validation error, though the objective may then be some
                                                       per cent above its minimum */
                                 .row = of_row,
                                 .contest = {.most_values = 2e9, .several_scores = true, .preferred = true}};

/* Huber's loss: r^2 for residuals r = y - f within the width d, d (2 |r| - d) beyond it. Outliers pull by d at most. */
#include "loss/loss.h"

#include <math.h>

#define WIDTH 1.345 /* deviations: of normal residuals it loses 5 % of the squared loss's efficiency (Huber 1981) */

static double of_row(double target, double score, double weight, double width, double *slope) {
  double residual = target - score, size = fabs(residual);
  *slope = -weight * (size <= width ? residual : copysign(width, residual));
  return weight * (size <= width ? residual * residual : width * (2 * size - width));
}

static double width_of(double deviation) {
  return WIDTH * deviation;
}

const ent_loss ent_loss_huber = {.name = "huber",
                                 .help = "for numbers: outliers count less, by their distance",
                                 .traits = ENT_LOSS_NUMBERS,
                                 .method = ENT_METHOD_MAJORISED,
                                 .since = 6,
                                 .tolerance = 1e-8,
                                 .row = of_row,
                                 .parameter = width_of};

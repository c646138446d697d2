/* Losses by majorisation. With targets y, one for each score, weights w and N their sum, it minimises
 *     sum_i w_i sum_k loss(y_ik, f_k(x_i)) / N + lambda |a|^2,   f_k = c_k + a_k.z
 * for losses whose second derivative is nowhere above 2, that of the square: the squared hinge, Huber's. It needs one Cholesky
 * factor for all scores and steps.
 *
 * At any scores the squared loss of suitable targets lies above such a loss and touches it there. So each step solves a ridge,
 * always with the same matrix. The steps are accelerated by Nesterov's method, with a restart if they lead uphill. From 0 the
 * first step of the squared hinge loss ends at the ridge solution for y. */
#ifndef ENT_SOLVE_MAJORISED_H
#define ENT_SOLVE_MAJORISED_H

#include <stdbool.h>

#include "lift/map.h"
#include "loss/loss.h"
#include "sums/rows.h"

#define ENT_MAJORISED_FEATURES ((size_t)6000) /* the most features, because their Gram matrix is in memory */

typedef struct ent_majorised {
  size_t features, scores;
  double *weights;             /* weights[score * features + feature] */
  double *offsets;             /* [scores] */
  double objective, decrement; /* where the last step began; decrement: what the ridge there would reduce it by */
  size_t steps;
  bool converged;
} ent_majorised;

typedef struct ent_majorised_options {
  double tolerance; /* converged when the decrement is below this fraction of the objective; default: the loss's */
  size_t most_steps;
} ent_majorised_options;

ent_majorised_options ent_majorised_options_default(const ent_loss *loss);

/* What is fitted; all borrowed. */
typedef struct ent_majorised_problem {
  const ent_map *map;
  const ent_rows *rows; /* with a target for each score; of classes -1 and 1 */
  const ent_loss *loss; /* of this method */
  double parameter;     /* of the loss; 0 if it has none */
  double lambda;
  const double *weights, *offsets; /* where to begin, laid out as in ent_majorised; NULL: at 0 */
} ent_majorised_problem;

/* BAD_ARGUMENT for more than ENT_MAJORISED_FEATURES, or a loss of another method. *fit belongs to the caller. */
entropic_status ent_majorised_fit(entropic_context *context, const ent_majorised_problem *problem,
                                  ent_majorised_options options, ent_majorised **fit);
void ent_majorised_free(ent_majorised *fit);

#endif

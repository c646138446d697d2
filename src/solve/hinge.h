/* The squared hinge loss, for classes. With targets y of -1 and 1, one for each score, weights w and N their sum, it
 * minimises
 *     sum_i w_i sum_k max(0, 1 - y_ik f_k(x_i))^2 / N + lambda |a|^2,   f_k = c_k + a_k.z
 * Rows with a margin y f of 1 or more cost nothing, so unlike the squared loss it does not pull them back. Unlike the
 * logistic loss it needs one Cholesky factor for all classes and steps.
 *
 * The method is majorisation: the squared loss with targets T, where T is f on rows that cost nothing and y on the
 * others, lies above the squared hinge loss and touches it at f. So each step solves a ridge, always with the same
 * matrix. The steps are accelerated by Nesterov's method, with a restart if they lead uphill. The first step ends at
 * the ridge solution for y. */
#ifndef ENT_SOLVE_HINGE_H
#define ENT_SOLVE_HINGE_H

#include <stdbool.h>

#include "sums/rows.h"
#include "lift/map.h"

#define ENT_HINGE_FEATURES ((size_t)6000) /* the most features, because their Gram matrix is in memory */

typedef struct ent_hinge {
  size_t features, scores;
  double *weights;             /* weights[score * features + feature] */
  double *offsets;             /* [scores] */
  double objective, decrement; /* where the last step began; decrement: what the ridge there would reduce it by */
  size_t steps;
  bool converged;
} ent_hinge;

typedef struct ent_hinge_options {
  double tolerance; /* converged when the decrement is below this fraction of the objective; 1e-4 is enough for the
                       validation error, though the objective may then be some per cent above its minimum */
  size_t most_steps;
} ent_hinge_options;

ent_hinge_options ent_hinge_options_default(void);

/* rows have targets of -1 and 1. BAD_ARGUMENT for more than ENT_HINGE_FEATURES. *fit belongs to the caller. */
entropic_status ent_hinge_fit(entropic_context *context, const ent_map *map, const ent_rows *rows, double lambda,
                              ent_hinge_options options, ent_hinge **fit);
void ent_hinge_free(ent_hinge *fit);

#endif

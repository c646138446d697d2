/* The squared hinge loss, for classes: rows that are on the right side by 1 or more cost nothing, others the square of
 * what they lack. Unlike the squared loss it does not pull rows back that are far on the right side, and unlike the
 * logistic loss it needs one factor for all classes and all steps.
 *
 * With targets y of -1 and 1, one for each score, weights w and N their sum it minimises
 *     sum_i w_i sum_k max(0, 1 - y_ik f_k(x_i))^2 / N + lambda |a|^2,   f_k = c_k + a_k.z
 * The squared loss with targets T lies above it, where T is f on rows that cost nothing and y on the others, and
 * touches it at f. So its least point is a step downwards: a ridge with the same matrix every time. The steps are accelerated
 * (Nesterov's, begun anew where they lead uphill); the first one ends at the ridge itself. */
#ifndef ENT_SOLVE_HINGE_H
#define ENT_SOLVE_HINGE_H

#include <stdbool.h>

#include "solve/rows.h"
#include "lift/map.h"

#define ENT_HINGE_FEATURES ((size_t)6000) /* the most: there is a matrix of their products */

typedef struct ent_hinge {
  size_t features, scores;
  double *weights;             /* weights[score * features + feature] */
  double *offsets;             /* [scores] */
  double objective, decrement; /* where the last step began; the decrement is what the ridge there would win */
  size_t steps;
  bool converged;
} ent_hinge;

typedef struct ent_hinge_options {
  double tolerance; /* ends when the decrement is below this part of the objective. Where few rows cost anything a step
                       wins less than it could, and the objective may then be some per cent above its least: at 1e-4,
                       errors on other rows do not fall any more */
  size_t most_steps;
} ent_hinge_options;

ent_hinge_options ent_hinge_options_default(void);

/* rows have targets of -1 and 1. Refuses more than ENT_HINGE_FEATURES. *fit belongs to the caller. */
entropic_status ent_hinge_fit(entropic_context *context, const ent_map *map, const ent_rows *rows, double lambda,
                              ent_hinge_options options, ent_hinge **fit);
void ent_hinge_free(ent_hinge *fit);

#endif

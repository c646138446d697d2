/* Logistic regression (two classes) and softmax regression (more): with N the sum of the weights,
 *     minimise  (1/N) sum_i w_i loss_i + lambda |a|^2.
 * Intercepts are not penalised. scikit-learn's C is 1 / (2 lambda N). The method is Newton's, with a line search; each
 * Newton step is found by preconditioned conjugate gradients, with one pass over the rows for each of their steps. */
#ifndef ENT_SOLVE_LOGISTIC_H
#define ENT_SOLVE_LOGISTIC_H

#include <stdbool.h>

#include "sums/statistics.h"
#include "lift/map.h"
#include "loss/link.h"

/* How a fit ended. Only the first is success. */
#define ENT_END_MAP(X)                                                                                                 \
  X(CONVERGED, "converged")                                                                                            \
  X(LIMIT, "stopped at the limit of steps before it converged")                                                        \
  X(STALLED, "stopped because no step made the loss smaller")                                                          \
  X(NOT_FINITE, "stopped because a number was not finite")                                                             \
  X(UNBOUNDED, "the classes can be separated without error and lambda is 0, so there is no best model")

typedef enum ent_end {
#define ENT_END_MEMBER(name, text) ENT_END_##name,
  ENT_END_MAP(ENT_END_MEMBER)
#undef ENT_END_MEMBER
} ent_end;

const char *ent_end_text(ent_end end);

typedef struct ent_logistic_options {
  double tolerance;  /* converged when a step would reduce the loss by less than half its square; default 1e-7 */
  size_t most_steps; /* of Newton's method; default 100 */
  size_t head;       /* so many features are preconditioned exactly; default ENT_HEAD_AUTO of precondition.h */
  const ent_statistics *products; /* two classes: statistics of all features with weights near those of the Hessian at
                                     the start, for the first preconditioner; NULL, the default: none */
  /* Of fits of the same map and rows, one after the other: the preconditioner of the fit before, or NULL; it becomes
   * that of this fit. The caller frees it. NULL, the default: none is kept. */
  struct ent_preconditioner **kept;
} ent_logistic_options;

ent_logistic_options ent_logistic_options_default(void);

typedef struct ent_logistic {
  size_t features, classes;
  size_t scores;    /* 1 for two classes (that of class 1), otherwise one for each class */
  double *weights;  /* weights[score * features + feature] */
  double *offsets;  /* the intercepts: [scores]; of several they sum to 0 */
  double objective; /* mean loss + penalty */
  double decrement; /* about what a further step would reduce it by: half the square of Newton's decrement */
  size_t steps, passes;
  bool separated; /* every row with a weight has a positive margin */
  ent_end end;
} ent_logistic;

/* What is fitted; all borrowed. */
typedef struct ent_logistic_problem {
  const ent_map *map;
  const ent_rows *rows; /* the only target is the number of the class, 0 .. classes-1 */
  size_t classes;
  double lambda;
  const ent_logistic *start; /* where to begin, such as a fit with another lambda, of the same shape; NULL: at 0 */
} ent_logistic_problem;

/* BAD_DATA if a target is no class, or if a class has no rows with a weight. A fit that has not converged is returned
 * with status OK: see `end`. */
entropic_status ent_logistic_fit(entropic_context *context, const ent_logistic_problem *problem,
                                 ent_logistic_options options, ent_logistic **fit);
void ent_logistic_free(ent_logistic *fit);
/* All 0; NULL for lack of memory. */
ent_logistic *ent_logistic_new(entropic_context *context, size_t features, size_t classes);
entropic_status ent_logistic_copy(entropic_context *context, const ent_logistic *fit, ent_logistic **copy);

#endif

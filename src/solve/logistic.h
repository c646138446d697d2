/* Logistic regression (two classes) and softmax regression (more): with N the sum of the weights,
 *     minimise  (1/N) sum_i w_i loss_i + lambda |a|^2,
 * the intercepts free of the penalty; scikit-learn's C is 1 / (2 lambda N). By Newton's method, each step solved by
 * preconditioned conjugate gradients on rows that are lifted again, with a line search. */
#ifndef ENT_SOLVE_LOGISTIC_H
#define ENT_SOLVE_LOGISTIC_H

#include <stdbool.h>

#include "solve/statistics.h"
#include "lift/map.h"

/* How a fit ended. Only the first is success. */
#define ENT_END_MAP(X)                                                                                                 \
  X(CONVERGED, "converged")                                                                                            \
  X(LIMIT, "stopped at the limit of steps before it converged")                                                        \
  X(STALLED, "stopped because no step made the loss smaller")                                                          \
  X(NOT_FINITE, "stopped because a number was not finite")                                                             \
  X(UNBOUNDED, "the classes can be told apart without error and lambda is 0, so there is no best model")

typedef enum ent_end {
#define ENT_END_MEMBER(name, text) ENT_END_##name,
  ENT_END_MAP(ENT_END_MEMBER)
#undef ENT_END_MEMBER
} ent_end;

const char *ent_end_text(ent_end end);

typedef struct ent_logistic_options {
  double tolerance; /* converged when the loss is expected to fall by less than half the square of this; default 1e-7 */
  size_t most_steps; /* of Newton's method; default 100 */
  size_t head;       /* so many features are preconditioned exactly; default ENT_HEAD_AUTO of precondition.h */
  const ent_statistics *products; /* two classes: of all features, the weights near those of the Hessian where the fit
                                     begins, which saves collecting them; NULL, the default: there are none */
} ent_logistic_options;

ent_logistic_options ent_logistic_options_default(void);

typedef struct ent_logistic {
  size_t features, classes;
  size_t scores;    /* 1 for two classes (that of class 1), otherwise one for each class */
  double *weights;  /* weights[score * features + feature] */
  double *offsets;  /* the intercepts: [scores]; of several they sum to 0 */
  double objective; /* mean loss + penalty */
  double decrement; /* what a further step would win, about: Newton's decrement, half its square */
  size_t steps, passes;
  bool separated; /* every row with a weight is on its right side */
  ent_end end;
} ent_logistic;

/* The only target is the number of the class, 0 .. classes-1 (BAD_DATA if not, and if a class has no rows with a
 * weight). `start`, of the same shape, or NULL: where to begin, e.g. a fit with another lambda. A fit that ended
 * badly is returned with status OK: look at `end`. */
entropic_status ent_logistic_fit(entropic_context *context, const ent_map *map, const ent_rows *rows, size_t classes,
                                 double lambda, ent_logistic_options options, const ent_logistic *start,
                                 ent_logistic **fit);
void ent_logistic_free(ent_logistic *fit);
entropic_status ent_logistic_copy(entropic_context *context, const ent_logistic *fit, ent_logistic **copy);

/* The class that scores speak for: of one score, class 1 if it is above 0; otherwise the first of the largest. */
size_t ent_class_of(size_t classes, const double *scores);

/* probabilities[classes] from scores: one score for two classes, otherwise one for each. */
void ent_probabilities(size_t classes, const double *scores, double *probabilities);

#endif

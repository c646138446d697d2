/* Validation errors by number of features, over several paths. */
#ifndef ENT_SELECT_CURVE_H
#define ENT_SELECT_CURVE_H

#include "base/context.h"

/* One size: sums over the paths that have a model of it. */
typedef struct ent_curve_step {
  size_t features, paths;
  double lambda, error_rate; /* error_rate: shares of misclassified rows */
} ent_curve_step;

typedef struct ent_curve {
  size_t count, targets;
  ent_curve_step steps[ENT_PATH_MOST]; /* by features, ascending */
  double *squares;                     /* [ENT_PATH_MOST][targets] sums of mean squares */
} ent_curve;

entropic_status ent_curve_start(entropic_context *context, size_t targets, ent_curve *curve);
/* Frees and empties. */
void ent_curve_clear(ent_curve *curve);
/* Adds a model; squares[targets] are its mean squared errors. It is left out if there are too many sizes already. */
void ent_curve_add(ent_curve *curve, size_t features, double lambda, const double *squares, double error_rate);

#endif

/* Validation errors by number of features, over several paths. */
#ifndef ENT_SELECT_CURVE_H
#define ENT_SELECT_CURVE_H

#include "base/context.h"

/* The most sizes of a path. */
#define ENT_PATH_MOST 32

/* One size: sums over the paths that have a model of it. */
typedef struct ent_curve_step {
  size_t features, paths;
  double lambda, error_rate; /* error_rate: shares of misclassified rows */
  double rate_variance;      /* of these shares, for independent rows */
} ent_curve_step;

typedef struct ent_curve {
  size_t count, targets;
  ent_curve_step steps[ENT_PATH_MOST]; /* by features, ascending */
  double *squares;                     /* [ENT_PATH_MOST][2][targets] sums of mean squares, then of their variances */
} ent_curve;

entropic_status ent_curve_start(entropic_context *context, size_t targets, ent_curve *curve);
/* Frees and empties. */
void ent_curve_clear(ent_curve *curve);
/* One model of a path. */
typedef struct ent_curve_model {
  size_t features;
  double lambda;
  const double *squares;   /* [targets] mean squared errors */
  const double *variances; /* [targets] of these means; NULL: unknown */
  double error_rate;       /* NaN for numbers */
  size_t rows;             /* that the errors are of */
} ent_curve_model;

/* Adds a model. It is left out if there are too many sizes already. */
void ent_curve_add(ent_curve *curve, const ent_curve_model *model);

#endif

/* Ridge regression from statistics, for a list of lambdas and several targets. With m the weighted mean of a target y
 * and N the sum of the weights,
 *     (Z'WZ + lambda N I) a = Z'W(y - m),   f(x) = m + a.z(x). */
#ifndef ENT_SOLVE_RIDGE_H
#define ENT_SOLVE_RIDGE_H

#include <stdbool.h>

#include "solve/multi_shift.h"
#include "sums/statistics.h"

typedef struct ent_ridge {
  size_t features, targets, count; /* count lambdas */
  double *weights;                 /* a: weights[(lambda * targets + target) * features + feature] */
  double *means;                   /* m: [targets] */
  double *residual;                /* weighted mean square on the rows of the statistics: [lambda * targets + target] */
  double *freedom;                 /* of ent_ridge_solve_gcv: trace of the map from y to f, with the mean: [lambda] */
  double *gcv; /* of ent_ridge_solve_gcv: residual / (1 - freedom / rows)^2: [lambda * targets + target] */
} ent_ridge;

/* lambdas[count], finite, not negative, in any order. If Z'WZ + lambda N I is not positive definite in doubles, a is
 * the solution of least norm. BAD_DATA if the weights do not sum to a positive number. */
entropic_status ent_ridge_solve(entropic_context *context, const ent_statistics *statistics, const double *lambdas,
                                size_t count, ent_method method, ent_ridge **ridge);
/* The same, with degrees of freedom and generalised cross-validation. */
entropic_status ent_ridge_solve_gcv(entropic_context *context, const ent_statistics *statistics, const double *lambdas,
                                    size_t count, ent_method method, ent_ridge **ridge);
void ent_ridge_free(ent_ridge *ridge);

/* The weighted sums of squared errors on the rows of the statistics, for every lambda and target of a ridge:
 * sums[lambda * targets + target]. They are computed from the statistics alone. */
entropic_status ent_ridge_errors(entropic_context *context, const ent_ridge *ridge, const ent_statistics *statistics,
                                 double *sums);

/* Adds the statistics of all folds but fold k to others. `total` is the sum of all folds. Fold k is subtracted from it;
 * if that would lose accuracy because k holds most of the weight, the other folds are added up instead. */
entropic_status ent_leave_out(entropic_context *context, const ent_statistics *total, ent_statistics *const *folds,
                              size_t count, size_t k, ent_statistics *others);

/* Adds the statistics of the sets after set k to others. In forward validation, where the latest set comes first, those
 * are the earlier rows. */
entropic_status ent_sum_earlier(entropic_context *context, ent_statistics *const *sets, size_t count, size_t k,
                                ent_statistics *others);

/* Sets of rows for validation, with the same shifts; all borrowed. */
typedef struct ent_ridge_sets {
  const ent_statistics *total; /* their sum */
  ent_statistics *const *set;  /* [count] */
  size_t count;
} ent_ridge_sets;

/* Exact cross-validation: each set is the validation set of a ridge fitted to all others. errors[lambda * targets +
 * target] is the weighted mean square over all rows. BAD_DATA if a set holds all the weight. */
entropic_status ent_ridge_cross_validate(entropic_context *context, const ent_ridge_sets *sets, const double *lambdas,
                                         size_t count, ent_method method, double *errors);

/* Forward validation, for two or more sets of which the latest comes first: each set but the last is the validation set
 * of a ridge fitted to the sets after it, which hold earlier rows. errors as before, over the validation rows. BAD_DATA
 * if the training sets of one have no weight. */
entropic_status ent_ridge_validate_forward(entropic_context *context, const ent_ridge_sets *sets, const double *lambdas,
                                           size_t count, double *errors);

#endif

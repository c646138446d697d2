/* Ridge regression from statistics: m is the weighted mean of a target y, N the sum of the weights, and
 *     (Z'WZ + lambda N I) a = Z'W(y - m),   f(x) = m + a.z(x),
 * for a whole list of lambdas and several targets. */
#ifndef ENT_SOLVE_RIDGE_H
#define ENT_SOLVE_RIDGE_H

#include <stdbool.h>

#include "solve/multi_shift.h"
#include "solve/statistics.h"

typedef struct ent_ridge {
  size_t features, targets, count; /* count lambdas */
  double *weights;                 /* a: weights[(lambda * targets + target) * features + feature] */
  double *means;                   /* m: [targets] */
  double *residual;                /* weighted mean square on the rows of the statistics: [lambda * targets + target] */
  double *freedom; /* NULL unless asked for: trace of the map from y to f, the mean included: [lambda] */
  double *gcv;     /* NULL unless asked for: residual / (1 - freedom / rows)^2: [lambda * targets + target] */
} ent_ridge;

/* lambdas[count], finite, not negative, in any order. Where Z'WZ + lambda N I is not positive in doubles the solution
 * of least norm is taken. BAD_DATA if the weights do not sum to a positive number. with_gcv: also freedom and gcv. */
entropic_status ent_ridge_solve(entropic_context *context, const ent_statistics *statistics, const double *lambdas,
                                size_t count, ent_method method, bool with_gcv, ent_ridge **ridge);
void ent_ridge_free(ent_ridge *ridge);

/* The weighted sum of squared errors, on the rows of the statistics, of m + a.z for `count` pairs of a and m, from
 * statistics alone. weights[count x features] and means[count] one after the other, targets[count] the number of the
 * target each is for, sums[count]. */
entropic_status ent_squared_errors(entropic_context *context, const ent_statistics *statistics, size_t count,
                                   const double *weights, const double *means, const size_t *targets, double *sums);

/* The same for every lambda and target of a ridge: sums[lambda * targets + target]. */
entropic_status ent_ridge_errors(entropic_context *context, const ent_ridge *ridge, const ent_statistics *statistics,
                                 double *sums);

/* Adds the statistics of all folds but fold k, of which `total` is the sum, to others: the total without it, or, where
 * little would be left of the total and rounding would show, the sum of the others. */
entropic_status ent_leave_out(entropic_context *context, const ent_statistics *total, ent_statistics *const *folds,
                              size_t count, size_t k, ent_statistics *others);

/* Exact cross-validation: `total` is the sum of the statistics of all folds, with the same shifts. For each fold,
 * what the other rows teach is tried on it. errors[lambda * targets + target] is the weighted mean square over all
 * rows. No fold may hold all the weight (BAD_DATA). */
entropic_status ent_ridge_cross_validate(entropic_context *context, const ent_statistics *total,
                                         ent_statistics *const *folds, size_t fold_count, const double *lambdas,
                                         size_t count, ent_method method, double *errors);

/* Adds the statistics of the sets behind set k to others: forward, those are the earlier rows. */
entropic_status ent_sum_earlier(entropic_context *context, ent_statistics *const *sets, size_t count, size_t k,
                                ent_statistics *others);

/* Sets of rows in the order of time, with the same shifts; all borrowed. */
typedef struct ent_forward_sets {
  const ent_statistics *total; /* their sum */
  ent_statistics *const *set;  /* [count] the latest first; the last one is only learnt from */
  size_t count;                /* at least 2 */
} ent_forward_sets;

/* Forward validation: for each set but the last, what the sets behind it teach is tried on it. errors as before, over
 * the rows that were tried on. BAD_DATA if the sets behind one have no weight. */
entropic_status ent_ridge_validate_forward(entropic_context *context, const ent_forward_sets *sets,
                                           const double *lambdas, size_t count, double *errors);

#endif

/* Prediction intervals: prediction +- q sigma(x) on the scale of scores.
 *
 * q is a quantile of residuals over sigma, of rows that neither the features nor the weights of their models have seen:
 * outer_intervals.c says which. A model keeps ENT_QUANTILES of these quantiles, not the residuals. sigma(x), the spread,
 * is 1 unless the residuals show that it depends on the prediction or on an input; then it is a product of a few
 * piecewise linear functions of one variable each. For classes there are no residuals but 1 - p of the right class, and
 * a set has all classes of 1 - p <= q. */
#ifndef ENT_MODEL_INTERVALS_H
#define ENT_MODEL_INTERVALS_H

#include "model/model.h"

#define ENT_QUANTILES ((size_t)256)
#define ENT_INTERVAL_LEAST_ROWS ((size_t)20) /* with fewer residuals there are no intervals */
#define ENT_SPREAD_KNOTS ((size_t)16)
#define ENT_SPREAD_FACTORS ((size_t)3)
#define ENT_BY_SCORE SIZE_MAX

/* One factor of the spread: piecewise linear between its knots, constant beyond them. */
typedef struct ent_spread_factor {
  size_t axis;                     /* an input in the units of the data, or ENT_BY_SCORE: the prediction as a score */
  size_t knots;                    /* 2 to ENT_SPREAD_KNOTS */
  double at[ENT_SPREAD_KNOTS];     /* ascending */
  double factor[ENT_SPREAD_KNOTS]; /* above 0 */
  double missing;                  /* where the input is missing, or a category that was not seen */
} ent_spread_factor;

typedef struct ent_spread {
  size_t count; /* 0: the spread is 1 everywhere */
  ent_spread_factor factors[ENT_SPREAD_FACTORS];
} ent_spread;

/* The intervals of one target. */
typedef struct ent_interval {
  ent_spread spread;
  double deviation; /* the root of the mean square of residuals over spread; 0 for classes */
  double
      quantiles[ENT_QUANTILES]; /* of their absolute values, ascending: quantile i is that of ent_quantile_level(i) */
} ent_interval;

typedef struct ent_intervals {
  size_t rows;          /* residuals that they come from */
  size_t count;         /* targets; 1 for classes */
  ent_interval *target; /* [count] */
} ent_intervals;

entropic_status ent_intervals_create(entropic_context *context, size_t count, ent_intervals **intervals);
void ent_intervals_free(ent_intervals *intervals);
/* Lets go of the intervals of a model, whose weights have changed. */
void ent_model_drop_intervals(entropic_model *model);

/* The level of quantile i, 1 - (1 - (i + 1)/256)^2: close to each other where levels are high, the last one 1. */
double ent_quantile_level(size_t i);
/* The quantiles of count > 0 values, which are sorted here with their weights. Quantile i is the least
 * value v for which the values up to v have a share of ent_quantile_level(i) (1 + 1/independent) of the weight; the
 * largest if there is none. So equal weights of independent values give the value of rank ceil(level (count + 1)), as
 * split conformal prediction has it. Values of groups are not independent of each other: groups count then. */
typedef struct ent_weighted {
  double value, weight;
} ent_weighted;
void ent_quantiles_of(ent_weighted *values, size_t count, size_t independent, double quantiles[ENT_QUANTILES]);
/* The quantile of any level above 0 and up to 1: linear in the level between two that are kept; 0 at level 0. */
double ent_quantile_at(const double quantiles[ENT_QUANTILES], double level);
/* The highest level that so many residuals say something about. */
static inline double ent_highest_level(size_t rows) {
  return (double)rows / ((double)rows + 1);
}

/* Rows in the units of the data, at most ENT_INTERVAL_BLOCK. */
#define ENT_INTERVAL_BLOCK ((size_t)64)
typedef struct ent_interval_rows {
  const double *x;
  size_t count, stride;
} ent_interval_rows;

double ent_spread_factor_at(const ent_spread_factor *factor, double value);
/* The spreads of a target of rows whose predictions are those scores, or of one row. */
void ent_spread_fill(const entropic_model *model, const ent_spread *spread, const ent_interval_rows *rows,
                     const double *scores, double *spreads);
double ent_spread_at(const entropic_model *model, const ent_spread *spread, const double *x, double score);

typedef struct ent_ends {
  double lower, upper;
} ent_ends;

/* The ends of intervals of a target, and its standard deviations about the predictions: of rows whose predictions before
 * clamping are `open`, or of one row. q is the quantile. ends and deviations may be NULL. */
void ent_interval_fill(const entropic_model *model, size_t target, double q, const ent_interval_rows *rows,
                       const double *open, ent_ends *ends, double *deviations);
ent_ends ent_interval_ends(const entropic_model *model, size_t target, double q, const double *x, double open);
double ent_interval_deviation(const entropic_model *model, size_t target, const double *x, double open);

/* How many validation rows the intervals of a model come from; 0: it has none, or model is NULL. */
size_t ent_model_interval_rows(const entropic_model *model);
/* BAD_ARGUMENT if the model has no intervals, or none of that level. */
entropic_status ent_interval_check(entropic_context *context, const entropic_model *model);
entropic_status ent_interval_check_level(entropic_context *context, const entropic_model *model, double level);

#endif

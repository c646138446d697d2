/* Prediction intervals: see intervals.h. */
#include "model/intervals.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "entropic/interval.h"

#define MANY (ENT_INTERVAL_BLOCK / 4) /* rows that are worth a block */

entropic_status ent_intervals_create(entropic_context *context, size_t count, ent_intervals **intervals) {
  ent_intervals *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->count = count;
  made->target = ent_new(context, count, sizeof *made->target);
  if (made->target == NULL) {
    ent_delete(made);
    return ENTROPIC_NO_MEMORY;
  }
  *intervals = made;
  return ENTROPIC_OK;
}

void ent_intervals_free(ent_intervals *intervals) {
  if (intervals == NULL)
    return;
  ent_delete(intervals->target);
  ent_delete(intervals);
}

void ent_model_drop_intervals(entropic_model *model) {
  ent_intervals_free(model->intervals);
  model->intervals = NULL;
}

size_t ent_model_interval_rows(const entropic_model *model) {
  return model == NULL || model->intervals == NULL ? 0 : model->intervals->rows;
}

/* ---- Quantiles ---- */

double ent_quantile_level(size_t i) {
  double left = 1 - (double)(i + 1) / (double)ENT_QUANTILES;
  return 1 - left * left;
}

static int compare_values(const void *a, const void *b) {
  const ent_weighted *x = a, *y = b;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->weight < y->weight ? -1 : x->weight > y->weight;
}

void ent_quantiles_of(ent_weighted *values, size_t count, size_t independent, double quantiles[ENT_QUANTILES]) {
  qsort(values, count, sizeof *values, compare_values);
  double weight = 0, sum = 0;
  size_t at = 0;
  for (size_t i = 0; i < count; i++)
    weight += values[i].weight;
  weight *= 1 + 1 / (double)independent;
  sum = values[0].weight;
  for (size_t i = 0; i < ENT_QUANTILES; i++) {
    /* Sums of weights that are whole numbers are exact; the share is allowed an error of rounding. */
    double share = ent_quantile_level(i) * weight * (1 - 1e-12);
    while (sum < share && at + 1 < count)
      sum += values[++at].weight;
    quantiles[i] = values[at].value;
  }
}

double ent_quantile_at(const double quantiles[ENT_QUANTILES], double level) {
  double place = (double)ENT_QUANTILES * (1 - sqrt(1 - level));
  size_t above = place < 1 ? 0 : place >= (double)ENT_QUANTILES ? ENT_QUANTILES - 1 : (size_t)place;
  /* The root may be off by an error of rounding. */
  while (above > 0 && ent_quantile_level(above - 1) >= level)
    above--;
  while (above + 1 < ENT_QUANTILES && ent_quantile_level(above) < level)
    above++;
  double low = above == 0 ? 0 : ent_quantile_level(above - 1), high = ent_quantile_level(above);
  double from = above == 0 ? 0 : quantiles[above - 1], share = (level - low) / (high - low);
  return share >= 1 ? quantiles[above] : from + share * (quantiles[above] - from);
}

/* ---- The spread ---- */

/* Where `above` knots are below the value. */
static double factor_between(const ent_spread_factor *factor, size_t above, double value) {
  if (isnan(value))
    return factor->missing;
  if (above == 0 || above == factor->knots)
    return factor->factor[above == 0 ? 0 : above - 1];
  double low = factor->at[above - 1], share = (value - low) / (factor->at[above] - low);
  return factor->factor[above - 1] + share * (factor->factor[above] - factor->factor[above - 1]);
}

double ent_spread_factor_at(const ent_spread_factor *factor, double value) {
  size_t above = 0;
  while (above < factor->knots && factor->at[above] < value)
    above++;
  return factor_between(factor, above, value);
}

/* The values of the rows that a factor depends on; NaN is missing. */
static void take_values(const entropic_model *model, const ent_spread_factor *factor, const ent_interval_rows *rows,
                        const double *scores, double values[ENT_INTERVAL_BLOCK]) {
  size_t axis = factor->axis, categories = axis == ENT_BY_SCORE ? 0 : model->schema.input[axis].categories;
  for (size_t r = 0; r < rows->count; r++) {
    double value = axis == ENT_BY_SCORE ? scores[r] : rows->x[r * rows->stride + axis];
    values[r] = categories > 0 && !(value < (double)categories) ? NAN : value; /* a category that was not seen */
  }
}

/* The factors of many rows at once: to look for the knots of each row takes longer, as nobody can foresee where they
 * are. */
static void multiply_many(const ent_spread_factor *factor, const double values[ENT_INTERVAL_BLOCK], size_t count,
                          double *spreads) {
  int64_t above[ENT_INTERVAL_BLOCK] = {0};
  for (size_t k = 0; k < factor->knots; k++)
    for (size_t r = 0; r < ENT_INTERVAL_BLOCK; r++)
      above[r] += factor->at[k] < values[r];
  for (size_t r = 0; r < count; r++)
    spreads[r] *= factor_between(factor, (size_t)above[r], values[r]);
}

void ent_spread_fill(const entropic_model *model, const ent_spread *spread, const ent_interval_rows *rows,
                     const double *scores, double *spreads) {
  double values[ENT_INTERVAL_BLOCK];
  for (size_t r = 0; r < rows->count; r++)
    spreads[r] = 1;
  for (size_t f = 0; f < spread->count; f++) {
    const ent_spread_factor *factor = &spread->factors[f];
    take_values(model, factor, rows, scores, values);
    if (rows->count >= MANY) {
      for (size_t r = rows->count; r < ENT_INTERVAL_BLOCK; r++)
        values[r] = 0;
      multiply_many(factor, values, rows->count, spreads);
    }
    for (size_t r = 0; r < rows->count && rows->count < MANY; r++)
      spreads[r] *= ent_spread_factor_at(factor, values[r]);
  }
}

double ent_spread_at(const entropic_model *model, const ent_spread *spread, const double *x, double score) {
  double product;
  ent_spread_fill(model, spread, &(ent_interval_rows){.x = x, .count = 1}, &score, &product);
  return product;
}

/* ---- Ends ---- */

/* As fmin and fmax, of which processors disagree about zeros: of equal numbers the second one. */
static inline double lesser(double a, double b) {
  return isnan(b) || a < b ? a : b;
}
static inline double greater(double a, double b) {
  return isnan(b) || a > b ? a : b;
}

/* Of a row whose prediction before clamping is `open`: `half` to both sides of its score. */
static ent_ends ends_about(const entropic_model *model, size_t target, double score, double half, double open) {
  const ent_link_family *link = ent_link_of(&model->link);
  double a = link->target(&model->link, score - half), b = link->target(&model->link, score + half);
  double lower = lesser(lesser(a, b), open), upper = greater(greater(a, b), open);
  if (model->bounds == NULL)
    return (ent_ends){lower, upper};
  const double *bound = model->bounds + 2 * target;
  return (ent_ends){lesser(greater(lower, bound[0]), bound[1]), lesser(greater(upper, bound[0]), bound[1])};
}

void ent_interval_fill(const entropic_model *model, size_t target, double q, const ent_interval_rows *rows,
                       const double *open, ent_ends *ends, double *deviations) {
  const ent_interval *interval = &model->intervals->target[target];
  const ent_link_family *link = ent_link_of(&model->link);
  double scores[ENT_INTERVAL_BLOCK], spreads[ENT_INTERVAL_BLOCK];
  for (size_t r = 0; r < rows->count; r++)
    scores[r] = link->score_of_prediction(&model->link, open[r]);
  ent_spread_fill(model, &interval->spread, rows, scores, spreads);
  for (size_t r = 0; r < rows->count && ends != NULL; r++)
    ends[r] = ends_about(model, target, scores[r], q * spreads[r], open[r]);
  for (size_t r = 0; r < rows->count && deviations != NULL; r++)
    deviations[r] = ent_link_deviation(&model->link, scores[r], interval->deviation * spreads[r]);
}

ent_ends ent_interval_ends(const entropic_model *model, size_t target, double q, const double *x, double open) {
  ent_ends ends;
  ent_interval_fill(model, target, q, &(ent_interval_rows){.x = x, .count = 1}, &open, &ends, NULL);
  return ends;
}

double ent_interval_deviation(const entropic_model *model, size_t target, const double *x, double open) {
  double deviation;
  ent_interval_fill(model, target, 0, &(ent_interval_rows){.x = x, .count = 1}, &open, NULL, &deviation);
  return deviation;
}

entropic_status ent_interval_check(entropic_context *context, const entropic_model *model) {
  if (model->intervals != NULL)
    return ENTROPIC_OK;
  const char *why = "it was written by an older version, its rows were changed since the fit, it was solved from "
                    "statistics, or the fit left no rows out";
  if (model->solver == ENTROPIC_SOLVER_EXACT)
    why = "it is of the exact kernel, and its fit left no rows out";
  if (!model->outdated && model->validation_rows > 0 && model->validation_rows < ENT_INTERVAL_LEAST_ROWS)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "the model has no intervals: found %zu rows that its fit left out, expected at least %zu",
                    model->validation_rows, ENT_INTERVAL_LEAST_ROWS);
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                  "the model has no intervals: %s; expected a model of a fit that chooses "
                  "lambda by itself, from at least %zu rows that validate",
                  why, ENT_INTERVAL_LEAST_ROWS);
}

entropic_status ent_interval_check_level(entropic_context *context, const entropic_model *model, double level) {
  entropic_status status = ent_interval_check(context, model);
  if (status != ENTROPIC_OK)
    return status;
  double highest = ent_highest_level(model->intervals->rows);
  if (level > 0 && level < 1 && level <= highest)
    return ENTROPIC_OK;
  if (level > 0 && level < 1)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "level: found %g, expected at most %.6g: the intervals of the model come from %zu rows", level,
                    highest, model->intervals->rows);
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "level: found %g, expected a share above 0 and below 1", level);
}

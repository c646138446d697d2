/* Prediction intervals: see intervals.h. */
#include "model/intervals.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "entropic/interval.h"

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

double ent_spread_factor_at(const ent_spread_factor *factor, double value) {
  size_t above = 0;
  if (isnan(value))
    return factor->missing;
  while (above < factor->knots && factor->at[above] < value)
    above++;
  if (above == 0 || above == factor->knots)
    return factor->factor[above == 0 ? 0 : above - 1];
  double low = factor->at[above - 1], share = (value - low) / (factor->at[above] - low);
  return factor->factor[above - 1] + share * (factor->factor[above] - factor->factor[above - 1]);
}

double ent_spread_at(const entropic_model *model, const ent_spread *spread, const double *x, double score) {
  double product = 1;
  for (size_t f = 0; f < spread->count; f++) {
    const ent_spread_factor *factor = &spread->factors[f];
    double value = factor->axis == ENT_BY_SCORE ? score : x[factor->axis];
    size_t categories = factor->axis == ENT_BY_SCORE ? 0 : model->schema.input[factor->axis].categories;
    bool unseen = categories > 0 && !(value < (double)categories);
    product *= ent_spread_factor_at(factor, unseen ? NAN : value);
  }
  return product;
}

/* ---- Ends ---- */

ent_ends ent_interval_ends(const entropic_model *model, size_t target, double q, const double *x, double open) {
  const ent_interval *interval = &model->intervals->target[target];
  double score = ent_link_score_of_prediction(&model->link, open);
  double half = q * ent_spread_at(model, &interval->spread, x, score);
  double a = ent_link_target(&model->link, score - half), b = ent_link_target(&model->link, score + half);
  double lower = fmin(fmin(a, b), open), upper = fmax(fmax(a, b), open);
  if (model->bounds == NULL)
    return (ent_ends){lower, upper};
  const double *bound = model->bounds + 2 * target;
  return (ent_ends){fmin(fmax(lower, bound[0]), bound[1]), fmin(fmax(upper, bound[0]), bound[1])};
}

double ent_interval_deviation(const entropic_model *model, size_t target, const double *x, double open) {
  const ent_interval *interval = &model->intervals->target[target];
  double score = ent_link_score_of_prediction(&model->link, open);
  double off = interval->deviation * ent_spread_at(model, &interval->spread, x, score);
  return ent_link_deviation(&model->link, score, off);
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

/* The intervals of a model from its outer validation rows: their features and weights were found without them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/portable.h"
#include "model/interval_spread.h"
#include "model/outer_forms.h"
#include "model/outer_runs.h"

#define QUANTILE_DIGITS 6   /* that are kept, as of validation errors */
#define ROUND_UP (1 + 5e-6) /* then rounding to so many digits makes no quantile smaller */

entropic_status ent_outer_take_first(entropic_context *context, const ent_fit *fit, ent_fitted *fitted) {
  const double *first = fitted->outcome.first;
  ent_outer *outer = &fitted->outer;
  const entropic_dataset *data = ent_outer_data(fit);
  if (first == NULL || fit->train->schema.classes > 0)
    return ENTROPIC_OK;
  entropic_status status = ent_outer_start(context, fit, data->rows, outer);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = 0; r < data->rows; r++) {
    if (fit->valid == NULL && fit->fold_of[r] != 0)
      continue;
    for (size_t k = 0; k < outer->targets; k++)
      outer->predictions[fitted->form][outer->rows * outer->targets + k] = first[outer->rows * outer->targets + k];
    if (data->groups != NULL)
      outer->group_of[outer->rows] = (size_t)data->groups[r];
    if (data->time != NULL)
      outer->times[outer->rows] = data->time[r];
    outer->numbers[outer->rows++] = r;
  }
  return ent_outer_batch(context, outer);
}

/* The rows of one target: residuals as scores have them. All [rows]. */
typedef struct ent_residuals {
  double *absolute, *scores, *weights, *spreads;
  size_t *fold_of;
  ent_weighted *normalised;
} ent_residuals;

static void residuals_clear(ent_residuals *r) {
  ent_delete(r->absolute);
  ent_delete(r->scores);
  ent_delete(r->weights);
  ent_delete(r->spreads);
  ent_delete(r->fold_of);
  ent_delete(r->normalised);
}

static entropic_status residuals_start(entropic_context *context, const ent_fit *fit, const ent_outer *outer,
                                       ent_residuals *r) {
  const double *weights = ent_outer_data(fit)->weights;
  *r = (ent_residuals){.absolute = ent_new(context, outer->rows, sizeof *r->absolute),
                       .scores = ent_new(context, outer->rows, sizeof *r->scores),
                       .weights = ent_new(context, outer->rows, sizeof *r->weights),
                       .spreads = ent_new(context, outer->rows, sizeof *r->spreads),
                       .fold_of = ent_new(context, outer->rows, sizeof *r->fold_of),
                       .normalised = ent_new(context, outer->rows, sizeof *r->normalised)};
  if (r->absolute == NULL || r->scores == NULL || r->weights == NULL || r->spreads == NULL || r->fold_of == NULL ||
      r->normalised == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < outer->rows; i++) {
    /* Class weights do not count: coverage is that of rows as they come. */
    r->weights[i] = weights == NULL ? 1 : weights[outer->numbers[i]];
    r->fold_of[i] = (outer->group_of != NULL ? outer->group_of[i] : i) % ENT_SPREAD_FOLDS;
    r->spreads[i] = 1;
  }
  return ENTROPIC_OK;
}

/* Runs of small tables have one member each, the model is the mean of several. The mean square error of a mean is that of
 * the members, in the mean, less the mean square by which they differ from it. *shrink becomes by how much the residuals of
 * the first score are to be multiplied therefore. */
static entropic_status find_shrink(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                   const ent_residuals *r, double *shrink) {
  const ent_outer *outer = &fitted->outer;
  *shrink = 1;
  bool runs = fit->valid == NULL && fit->train->rows <= ENT_OUTER_SMALL;
  if (!runs || fitted->form != ENT_FORM_FULL || fitted->outcome.member_count < 2 || fit->scores != 1)
    return ENTROPIC_OK;
  double ambiguity = 0, square = 0, weight = 0;
  ent_outer_rows rows = {outer->numbers, outer->rows};
  entropic_status status = ent_outer_ambiguity(context, fit, &fitted->outcome, &rows, &ambiguity);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < outer->rows; i++) {
    square += r->weights[i] * r->absolute[i] * r->absolute[i];
    weight += r->weights[i];
  }
  ambiguity = ldexp(ambiguity, fitted->outcome.transform.sign == 0 ? 2 * fit->unit[0] : fit->unit[0]);
  if (square > 0)
    *shrink = sqrt(fmax(1 - ambiguity / (square / weight), 0.25));
  if (getenv("ENT_SHRINK"))
    fprintf(stderr, "shrink %g\n", *shrink);
  if (getenv("ENT_NOSHRINK"))
    *shrink = 1;
  return ENTROPIC_OK;
}

/* The residuals of a target of numbers; false if one is not finite. */
static bool take_residuals(const ent_fit *fit, const ent_fitted *fitted, const entropic_model *model, size_t target,
                           ent_residuals *r) {
  const ent_outer *outer = &fitted->outer;
  const ent_target_transform *transform = &model->transform;
  const double *y = ent_outer_data(fit)->y;
  size_t targets = outer->targets;
  bool finite = true;
  for (size_t i = 0; i < outer->rows; i++) {
    double prediction = ldexp(outer->predictions[fitted->form][i * targets + target], fit->unit[target]);
    double found = y[outer->numbers[i] * targets + target];
    r->scores[i] = ent_interval_score(transform, prediction);
    found = transform->sign == 0 ? found : ent_target_transform_apply(transform, found);
    r->absolute[i] = fabs(found - r->scores[i]);
    finite = finite && isfinite(r->absolute[i]) && isfinite(r->scores[i]);
  }
  return finite;
}

/* Deviation and quantiles of the residuals over their spread; `slack` is added to the quantiles. */
static void measure(size_t rows, const ent_residuals *r, double slack, ent_interval *interval) {
  double weight = 0, largest = 0, squares = 0;
  for (size_t i = 0; i < rows; i++) {
    r->normalised[i] = (ent_weighted){r->absolute[i] / r->spreads[i], r->weights[i]};
    largest = fmax(largest, r->normalised[i].value);
    weight += r->weights[i];
  }
  for (size_t i = 0; i < rows && largest > 0; i++) {
    double share = r->normalised[i].value / largest; /* squares stay within the range of numbers */
    squares += r->weights[i] / weight * share * share;
  }
  interval->deviation = ent_round_digits(largest * sqrt(squares), QUANTILE_DIGITS);
  ent_quantiles_of(r->normalised, rows, interval->quantiles);
  for (size_t i = 0; i < ENT_QUANTILES; i++)
    interval->quantiles[i] = ent_round_digits((interval->quantiles[i] + slack) * ROUND_UP, QUANTILE_DIGITS);
}

/* Classes: quantiles of 1 - p of the right class. Frequencies of classes, and so the probabilities of a constant, differ by
 * about one row between a run and the model; without some slack a set could then lack half of the classes. */
static void measure_classes(const ent_fit *fit, const ent_fitted *fitted, const ent_residuals *r,
                            ent_interval *interval) {
  for (size_t i = 0; i < fitted->outer.rows; i++)
    r->absolute[i] = fitted->outer.predictions[fitted->form][i];
  measure(fitted->outer.rows, r, 2 / (double)fit->train->rows, interval);
  interval->deviation = 0;
}

/* Numbers: the spread, then the quantiles. *usable is false if there can be no intervals. */
static entropic_status measure_numbers(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                       const entropic_model *model, ent_residuals *r, bool *usable) {
  const ent_outer *outer = &fitted->outer;
  ent_spread_rows rows = {.count = outer->rows,
                          .residuals = r->absolute,
                          .weights = r->weights,
                          .fold_of = r->fold_of,
                          .scores = r->scores,
                          .model = model,
                          .data = ent_outer_data(fit),
                          .numbers = outer->numbers};
  for (size_t t = 0; t < outer->targets; t++) {
    ent_interval *interval = &model->intervals->target[t];
    *usable = *usable && take_residuals(fit, fitted, model, t, r);
    if (!*usable)
      return ENTROPIC_OK;
    double shrink;
    entropic_status status = find_shrink(context, fit, fitted, r, &shrink);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t i = 0; i < outer->rows; i++)
      r->absolute[i] *= shrink;
    status = ent_spread_find(context, &rows, &interval->spread, r->spreads);
    if (status != ENTROPIC_OK)
      return status;
    measure(outer->rows, r, 0, interval);
    *usable = isfinite(interval->quantiles[ENT_QUANTILES - 1]) && isfinite(interval->deviation);
  }
  return ENTROPIC_OK;
}

entropic_status ent_outer_intervals(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                    entropic_model *model) {
  const ent_outer *outer = &fitted->outer;
  ent_residuals r = {0};
  bool usable = true;
  if (outer->rows < ENT_INTERVAL_LEAST_ROWS)
    return ENTROPIC_OK;
  entropic_status status = ent_intervals_create(context, outer->targets, &model->intervals);
  if (status != ENTROPIC_OK)
    return status;
  model->intervals->rows = outer->rows;
  status = residuals_start(context, fit, outer, &r);
  if (status != ENTROPIC_OK)
    goto done;
  if (model->schema.classes > 0)
    measure_classes(fit, fitted, &r, model->intervals->target);
  else
    status = measure_numbers(context, fit, fitted, model, &r, &usable);
done:
  if (!usable)
    ent_model_drop_intervals(model);
  residuals_clear(&r);
  return status;
}

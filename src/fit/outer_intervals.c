/* The intervals of a model, from rows that their models have not seen.
 *
 * The model is the mean of members of a small table of numbers: the rows of each member's fold, predicted along its
 * path by features and weights that come from the other folds. Lambda and the number of features were chosen on these
 * rows, which makes residuals too small; the model has more rows and is a mean, which makes them too large. So they are
 * multiplied by a factor (interval_factor.h). Every other model: the outer validation rows, which took no part in any
 * choice. A fit that chose nothing: the rows of its first part. */
#include <math.h>

#include "base/memory.h"
#include "base/portable.h"
#include "fit/interval_factor.h"
#include "fit/interval_spread.h"
#include "fit/outer_forms.h"

#define QUANTILE_DIGITS 6         /* that are kept, as of validation errors */
#define MEMBER_ROWS ((size_t)100) /* fewer rows: the choices on a fold make its residuals much too small */
#define ROUND_UP (1 + 5e-6)       /* then rounding to so many digits makes no quantile smaller */

/* The rows in question, all borrowed. */
typedef struct ent_left_out {
  size_t rows;
  const size_t *numbers;     /* [rows] of the data set */
  const double *predictions; /* [rows x targets] as in ent_outer */
  const size_t *group_of;    /* [rows] groups, or batches of a time series; NULL: rows are independent */
  bool members;              /* they are of the folds of members */
  const double *factors;     /* [targets] of the residuals; NULL: 1 each */
} ent_left_out;

/* The rows of one target: residuals as scores have them. All [rows]. */
typedef struct ent_residuals {
  double *absolute, *scores, *weights, *spreads;
  size_t *fold_of;
  size_t independent; /* rows, or groups of them */
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

bool ent_intervals_by_members(const ent_fit *fit) {
  size_t rows = fit->train->rows, members = fit->options->ensemble;
  bool several = members > 1 || (members == 0 && fit->size == 0);
  return several && rows >= MEMBER_ROWS && rows <= ENT_OUTER_SMALL && !ent_schema_has_classes(&fit->train->schema) &&
         fit->valid == NULL && !fit->splits.forward && fit->train->groups == NULL && !ent_fit_has_own_loss(fit);
}

/* Which rows there are. */
static ent_left_out rows_left_out(const ent_fit *fit, const ent_fitted *fitted) {
  const ent_outer *outer = &fitted->outer;
  const ent_fit_outcome *outcome = &fitted->outcome;
  const ent_held_predictions *held = &outcome->held;
  bool mean = ent_intervals_by_members(fit) && fitted->form == ENT_FORM_FULL && outcome->member_count > 1;
  if (!ent_schema_has_classes(&fit->train->schema) && held->rows > 0 && (mean || !fitted->needed))
    return (ent_left_out){
        .rows = held->rows, .numbers = held->numbers, .predictions = held->predictions, .members = mean};
  return (ent_left_out){.rows = outer->rows,
                        .numbers = outer->numbers,
                        .predictions = outer->predictions[fitted->form],
                        .group_of = outer->group_of};
}

/* The fold of a row, by which the spread is judged. */
static size_t fold_of(const entropic_dataset *data, const ent_left_out *out, size_t i) {
  if (out->group_of != NULL)
    return out->group_of[i] % ENT_SPREAD_FOLDS;
  return (data->groups != NULL ? (size_t)data->groups[out->numbers[i]] : i) % ENT_SPREAD_FOLDS;
}

/* How many groups the rows are of; without groups, how many rows there are. */
static entropic_status count_independent(entropic_context *context, const entropic_dataset *data,
                                         const ent_left_out *out, size_t *count) {
  *count = data->groups == NULL ? out->rows : 0;
  if (data->groups == NULL)
    return ENTROPIC_OK;
  size_t groups = ent_group_count(&(ent_fold_options){.rows = data->rows, .groups = data->groups});
  bool *seen = ent_new(context, groups, sizeof *seen);
  if (seen == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < out->rows; i++) {
    size_t group = (size_t)data->groups[out->numbers[i]];
    *count += !seen[group];
    seen[group] = true;
  }
  ent_delete(seen);
  return ENTROPIC_OK;
}

static entropic_status residuals_start(entropic_context *context, const ent_fit *fit, const ent_left_out *out,
                                       ent_residuals *r) {
  const entropic_dataset *data = ent_outer_data(fit);
  *r = (ent_residuals){.absolute = ent_new(context, out->rows, sizeof *r->absolute),
                       .scores = ent_new(context, out->rows, sizeof *r->scores),
                       .weights = ent_new(context, out->rows, sizeof *r->weights),
                       .spreads = ent_new(context, out->rows, sizeof *r->spreads),
                       .fold_of = ent_new(context, out->rows, sizeof *r->fold_of),
                       .normalised = ent_new(context, out->rows, sizeof *r->normalised)};
  if (r->absolute == NULL || r->scores == NULL || r->weights == NULL || r->spreads == NULL || r->fold_of == NULL ||
      r->normalised == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < out->rows; i++) {
    /* Class weights do not count: coverage is that of rows as they come. */
    r->weights[i] = data->weights == NULL ? 1 : data->weights[out->numbers[i]];
    r->fold_of[i] = fold_of(data, out, i);
    r->spreads[i] = 1;
  }
  return count_independent(context, data, out, &r->independent);
}

/* The residuals of a target of numbers; false if one is not finite. */
static bool take_residuals(const ent_fit *fit, const ent_left_out *out, const entropic_model *model, size_t target,
                           ent_residuals *r) {
  const ent_link *link = &model->link;
  const double *y = ent_outer_data(fit)->y;
  size_t targets = model->schema.targets;
  bool finite = true;
  for (size_t i = 0; i < out->rows; i++) {
    double prediction = ldexp(out->predictions[i * targets + target], fit->unit[target]);
    double found = y[out->numbers[i] * targets + target];
    if (model->bounds != NULL)
      prediction = fmin(fmax(prediction, model->bounds[2 * target]), model->bounds[2 * target + 1]);
    r->scores[i] = ent_link_score_of_prediction(link, prediction);
    r->absolute[i] = fabs(ent_link_score(link, found) - r->scores[i]);
    finite = finite && isfinite(r->absolute[i]) && isfinite(r->scores[i]);
  }
  return finite;
}

/* Deviation and quantiles of the residuals over their spread, times `factor`; `slack` is added to the quantiles. */
static void measure(const ent_left_out *out, const ent_residuals *r, double factor, double slack,
                    ent_interval *interval) {
  size_t rows = out->rows;
  double weight = 0, largest = 0, squares = 0;
  for (size_t i = 0; i < rows; i++) {
    r->normalised[i] = (ent_weighted){factor * r->absolute[i] / r->spreads[i], r->weights[i]};
    largest = fmax(largest, r->normalised[i].value);
    weight += r->weights[i];
  }
  for (size_t i = 0; i < rows && largest > 0; i++) {
    double share = r->normalised[i].value / largest; /* squares stay within the range of numbers */
    squares += r->weights[i] / weight * share * share;
  }
  interval->deviation = ent_round_digits(largest * sqrt(squares), QUANTILE_DIGITS);
  ent_quantiles_of(r->normalised, rows, r->independent, interval->quantiles);
  for (size_t i = 0; i < ENT_QUANTILES; i++)
    interval->quantiles[i] = ent_round_digits((interval->quantiles[i] + slack) * ROUND_UP, QUANTILE_DIGITS);
}

/* Classes: quantiles of 1 - p of the right class. Frequencies of classes, and so the probabilities of a constant,
 * differ by about one row between a run and the model; without some slack a set could then lack half of the classes. */
static void measure_classes(const ent_fit *fit, const ent_left_out *out, const ent_residuals *r,
                            ent_interval *interval) {
  for (size_t i = 0; i < out->rows; i++)
    r->absolute[i] = out->predictions[i];
  measure(out, r, 1, 2 / (double)fit->train->rows, interval);
  interval->deviation = 0;
}

/* Numbers: the spread, then the quantiles. *usable is false if there can be no intervals. */
static entropic_status measure_numbers(entropic_context *context, const ent_fit *fit, const ent_left_out *out,
                                       const entropic_model *model, ent_residuals *r, bool *usable) {
  ent_spread_rows rows = {.count = out->rows,
                          .residuals = r->absolute,
                          .weights = r->weights,
                          .fold_of = r->fold_of,
                          .scores = r->scores,
                          .model = model,
                          .data = ent_outer_data(fit),
                          .numbers = out->numbers};
  for (size_t t = 0; t < model->schema.targets; t++) {
    ent_interval *interval = &model->intervals->target[t];
    *usable = *usable && take_residuals(fit, out, model, t, r);
    if (!*usable)
      return ENTROPIC_OK;
    entropic_status status = ent_spread_find(context, &rows, &interval->spread, r->spreads);
    if (status != ENTROPIC_OK)
      return status;
    measure(out, r, out->factors == NULL ? 1 : out->factors[t], 0, interval);
    *usable = isfinite(interval->quantiles[ENT_QUANTILES - 1]) && isfinite(interval->deviation);
  }
  return ENTROPIC_OK;
}

entropic_status ent_outer_intervals(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                    entropic_model *model) {
  ent_left_out out = rows_left_out(fit, fitted);
  ent_residuals r = {0};
  double *factors = NULL;
  bool usable = true;
  if (out.rows < ENT_INTERVAL_LEAST_ROWS)
    return ENTROPIC_OK;
  entropic_status status = ent_intervals_create(context, model->schema.targets, &model->intervals);
  if (status != ENTROPIC_OK)
    return status;
  model->intervals->rows = out.rows;
  status = residuals_start(context, fit, &out, &r);
  if (status != ENTROPIC_OK)
    goto done;
  if (out.members)
    status = ent_interval_factors(context, fit, fitted, &factors);
  if (status != ENTROPIC_OK)
    goto done;
  out.factors = factors;
  if (ent_schema_has_classes(&model->schema))
    measure_classes(fit, &out, &r, model->intervals->target);
  else
    status = measure_numbers(context, fit, &out, model, &r, &usable);
done:
  if (!usable)
    ent_model_drop_intervals(model);
  residuals_clear(&r);
  ent_delete(factors);
  return status;
}

/* The factor of residuals: see interval_factor.h. */
#include "model/interval_factor.h"

#include <math.h>

#include "base/memory.h"
#include "base/portable.h"
#include "model/intervals.h"

#define FACTOR_DIGITS 4
#define FACTOR_LEAST 0.25
#define FACTOR_MOST 4.0

entropic_status ent_outer_keep_inner(entropic_context *context, const ent_fit_outcome *outcome, ent_outer *outer) {
  const ent_held_predictions *held = &outcome->held;
  size_t targets = outer->targets, count = 0;
  if (outcome->members == NULL || outcome->members[0].left_out == NULL)
    return ENTROPIC_OK;
  const double *left_out = outcome->members[0].left_out;
  ent_held_predictions own = {.numbers = ent_new(context, held->rows, sizeof *own.numbers),
                              .predictions = ent_new_matrix(context, held->rows, targets, sizeof *own.predictions)};
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (own.numbers == NULL || own.predictions == NULL)
    goto done;
  for (size_t i = 0; i < held->rows; i++) {
    const double *scores = left_out + held->numbers[i] * targets;
    if (isnan(scores[0]))
      continue;
    for (size_t t = 0; t < targets; t++)
      own.predictions[count * targets + t] = scores[t];
    own.numbers[count++] = held->numbers[i];
  }
  own.rows = count;
  ent_target_transform_invert(&outcome->transform, count * targets, own.predictions);
  status = count == 0 ? ENTROPIC_OK : ent_held_predictions_add(context, &own, targets, &outer->inner);
done:
  ent_held_predictions_clear(&own);
  return status;
}

static double square(double x) {
  return x * x;
}

/* One target of a fit: residuals as scores have them, in the units of fit->y. */
typedef struct ent_factor_target {
  const ent_fit *fit;
  const ent_fitted *fitted;
  size_t target;
} ent_factor_target;

/* The target of a row as a score. */
static double score_of_target(const ent_factor_target *f, size_t row) {
  const ent_target_transform *transform = &f->fitted->outcome.transform;
  double y = f->fit->y[row * f->fit->scores + f->target];
  return transform->sign == 0 ? y : ent_target_transform_apply(transform, y);
}

/* The absolute residual of a prediction. */
static double residual_of(const ent_factor_target *f, size_t row, double prediction) {
  return fabs(score_of_target(f, row) - ent_interval_score(&f->fitted->outcome.transform, prediction));
}

static double weight_of(const ent_factor_target *f, size_t row) {
  const double *weights = f->fit->train->weights;
  return weights == NULL ? 1 : weights[row];
}

/* Sums over rows: squares of residuals of the folds; of the members without the row, by own features and by their mean;
 * and the ambiguity. */
typedef struct ent_factor_sums {
  size_t rows;
  double held, own, mean, ambiguity;
} ent_factor_sums;

static void add_row(const ent_factor_target *f, size_t row, double prediction, ent_factor_sums *sums) {
  const ent_fit_outcome *outcome = &f->fitted->outcome;
  size_t at = row * f->fit->scores + f->target, members = outcome->member_count, fold = f->fit->fold_of[row];
  double y = score_of_target(f, row), weight = weight_of(f, row), mean = 0, squares = 0;
  for (size_t m = 0; m < members; m++)
    mean += outcome->members[m].left_out[at] / (double)members;
  if (fold >= members || isnan(mean))
    return;
  for (size_t m = 0; m < members; m++)
    squares += square(outcome->members[m].left_out[at] - mean) / (double)members;
  sums->rows++;
  sums->held += weight * square(residual_of(f, row, prediction));
  sums->own += weight * square(outcome->members[fold].left_out[at] - y);
  sums->mean += weight * square(mean - y);
  sums->ambiguity += weight * squares;
}

/* From residuals of folds to those of the mean. Its features have seen the rows, so its own squares are a lower bound. */
static double factor_of_mean(const ent_factor_target *f) {
  const ent_fit_outcome *outcome = &f->fitted->outcome;
  const ent_held_predictions *held = &outcome->held;
  ent_factor_sums sums = {0};
  for (size_t m = 0; m < outcome->member_count; m++)
    if (outcome->members[m].left_out == NULL)
      return 1;
  for (size_t i = 0; i < held->rows; i++)
    add_row(f, held->numbers[i], held->predictions[i * f->fit->scores + f->target], &sums);
  if (sums.rows < ENT_INTERVAL_LEAST_ROWS || !(sums.held > 0))
    return 1;
  return sqrt(fmax(sums.own - sums.ambiguity, sums.mean) / sums.held);
}

/* What the choice by a fold is worth, at least 1. index_of[training rows] is room. */
static double factor_of_choice(const ent_factor_target *f, size_t *index_of) {
  const ent_outer *outer = &f->fitted->outer;
  double chosen = 0, outside = 0;
  size_t targets = f->fit->scores, rows = 0;
  for (size_t r = 0; r < f->fit->train->rows; r++)
    index_of[r] = SIZE_MAX;
  for (size_t i = 0; i < outer->rows; i++)
    index_of[outer->numbers[i]] = i;
  for (size_t i = 0; i < outer->inner.rows; i++) {
    size_t row = outer->inner.numbers[i], at = index_of[row];
    if (at == SIZE_MAX)
      continue;
    rows++;
    chosen += weight_of(f, row) * residual_of(f, row, outer->inner.predictions[i * targets + f->target]);
    outside += weight_of(f, row) * residual_of(f, row, outer->predictions[ENT_FORM_FULL][at * targets + f->target]);
  }
  return rows < ENT_INTERVAL_LEAST_ROWS || !(outside > chosen && chosen > 0) ? 1 : sqrt(outside / chosen);
}

entropic_status ent_interval_factors(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                     double **factors) {
  double *made = ent_new(context, fit->scores, sizeof *made);
  size_t *index_of = ent_new(context, fit->train->rows, sizeof *index_of);
  if (made == NULL || index_of == NULL) {
    ent_delete(made);
    ent_delete(index_of);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t t = 0; t < fit->scores; t++) {
    ent_factor_target f = {fit, fitted, t};
    double factor = factor_of_mean(&f) * factor_of_choice(&f, index_of);
    factor = isfinite(factor) ? fmin(fmax(factor, FACTOR_LEAST), FACTOR_MOST) : 1;
    made[t] = ent_round_digits(factor, FACTOR_DIGITS);
  }
  ent_delete(index_of);
  *factors = made;
  return ENTROPIC_OK;
}

/* The factor of residuals: see interval_factor.h. */
#include "fit/interval_factor.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/portable.h"
#include "model/intervals.h"

#define FACTOR_DIGITS 4
#define FACTOR_SHARE 0.9 /* of the rows, which tell what the mean is worth */
#define FACTOR_LEAST 0.25
#define FACTOR_MOST 4.0

entropic_status ent_outer_keep_inner(entropic_context *context, const ent_fit *run, const ent_fit_outcome *outcome,
                                     ent_outer *outer) {
  const ent_held_predictions *held = &outcome->held;
  size_t targets = outer->targets, count = 0;
  for (size_t m = 0; m < outcome->member_count; m++)
    if (outcome->members == NULL || outcome->members[m].left_out == NULL)
      return ENTROPIC_OK;
  ent_held_predictions own = {.numbers = ent_new(context, held->rows, sizeof *own.numbers),
                              .predictions = ent_new_matrix(context, held->rows, targets, sizeof *own.predictions)};
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (own.numbers == NULL || own.predictions == NULL)
    goto done;
  for (size_t i = 0; i < held->rows; i++) {
    size_t row = held->numbers[i], fold = run->fold_of[row];
    const double *scores = fold < outcome->member_count ? outcome->members[fold].left_out + row * targets : NULL;
    if (scores == NULL || isnan(scores[0]))
      continue;
    for (size_t t = 0; t < targets; t++)
      own.predictions[count * targets + t] = scores[t];
    own.numbers[count++] = row;
  }
  own.rows = count;
  ent_link_predict(&outcome->link, count * targets, own.predictions);
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
  return ent_link_score(&f->fitted->outcome.link, f->fit->y[row * f->fit->scores + f->target]);
}

/* The absolute residual of a prediction. */
static double residual_of(const ent_factor_target *f, size_t row, double prediction) {
  return fabs(score_of_target(f, row) - ent_link_score_of_prediction(&f->fitted->outcome.link, prediction));
}

static double weight_of(const ent_factor_target *f, size_t row) {
  const double *weights = f->fit->train->weights;
  return weights == NULL ? 1 : weights[row];
}

/* One row: squares of the residuals of its fold; of the members without the row, by own features and by their mean; and
 * the ambiguity. */
typedef struct ent_factor_row {
  double weight, held, own, mean, ambiguity;
} ent_factor_row;

/* Returns whether the row tells something. */
static bool take_row(const ent_factor_target *f, size_t row, double prediction, ent_factor_row *taken) {
  const ent_fit_outcome *outcome = &f->fitted->outcome;
  size_t at = row * f->fit->scores + f->target, members = outcome->member_count, fold = f->fit->fold_of[row];
  double y = score_of_target(f, row), mean = 0, squares = 0;
  for (size_t m = 0; m < members; m++)
    mean += outcome->members[m].left_out[at] / (double)members;
  if (fold >= members || isnan(mean))
    return false;
  for (size_t m = 0; m < members; m++)
    squares += square(outcome->members[m].left_out[at] - mean) / (double)members;
  *taken = (ent_factor_row){.weight = weight_of(f, row),
                            .held = square(residual_of(f, row, prediction)),
                            .own = square(outcome->members[fold].left_out[at] - y),
                            .mean = square(mean - y),
                            .ambiguity = squares};
  return true;
}

static int compare_rows(const void *a, const void *b) {
  double left = ((const ent_factor_row *)a)->ambiguity, right = ((const ent_factor_row *)b)->ambiguity;
  return (left > right) - (left < right);
}

/* From residuals of folds to those of the mean, without the rows where members differ most: with heavy-tailed inputs a few
 * of those would decide for all. The ambiguity does not know the row's own noise, so that leaves large residuals in. Its
 * features have seen the rows, so its own squares are a lower bound. rows[count] is sorted. */
static double ratio_of(ent_factor_row *rows, size_t count) {
  double total = 0, so_far = 0, held = 0, own = 0, mean = 0;
  qsort(rows, count, sizeof *rows, compare_rows);
  for (size_t i = 0; i < count; i++)
    total += rows[i].weight;
  for (size_t i = 0; i < count && so_far < FACTOR_SHARE * total; i++) {
    so_far += rows[i].weight;
    held += rows[i].weight * rows[i].held;
    own += rows[i].weight * (rows[i].own - rows[i].ambiguity);
    mean += rows[i].weight * rows[i].mean;
  }
  return held > 0 ? sqrt(fmax(own, mean) / held) : 1;
}

/* What the mean is worth. rows[held rows] is room. */
static double factor_of_mean(const ent_factor_target *f, ent_factor_row *rows) {
  const ent_fit_outcome *outcome = &f->fitted->outcome;
  const ent_held_predictions *held = &outcome->held;
  size_t count = 0;
  for (size_t m = 0; m < outcome->member_count; m++)
    if (outcome->members[m].left_out == NULL)
      return 1;
  for (size_t i = 0; i < held->rows; i++)
    count += take_row(f, held->numbers[i], held->predictions[i * f->fit->scores + f->target], &rows[count]);
  return count < ENT_INTERVAL_LEAST_ROWS ? 1 : ratio_of(rows, count);
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
    outside += weight_of(f, row) * residual_of(f, row, outer->single[at * targets + f->target]);
  }
  return rows < ENT_INTERVAL_LEAST_ROWS || !(outside > chosen && chosen > 0) ? 1 : sqrt(outside / chosen);
}

entropic_status ent_interval_factors(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                     double **factors) {
  double *made = ent_new(context, fit->scores, sizeof *made);
  size_t *index_of = ent_new(context, fit->train->rows, sizeof *index_of);
  ent_factor_row *rows = ent_new(context, fitted->outcome.held.rows, sizeof *rows);
  if (made == NULL || index_of == NULL || rows == NULL) {
    ent_delete(made);
    ent_delete(index_of);
    ent_delete(rows);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t t = 0; t < fit->scores; t++) {
    ent_factor_target f = {fit, fitted, t};
    double factor = factor_of_mean(&f, rows) * factor_of_choice(&f, index_of);
    factor = isfinite(factor) ? fmin(fmax(factor, FACTOR_LEAST), FACTOR_MOST) : 1;
    made[t] = ent_round_digits(factor, FACTOR_DIGITS);
  }
  ent_delete(index_of);
  ent_delete(rows);
  *factors = made;
  return ENTROPIC_OK;
}

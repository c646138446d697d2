/* The validation error of a fit with its standard error, and the errors of simple references on the same rows. */
#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "solve/measure.h"
#include "fit/linear.h"

#define LINEAR_MOST ((size_t)1000) /* features of the linear reference; with more there is none */

/* Mean squares as one number in the units of the data: the mean of their roots. */
static double root_error(const ent_fit *fit, const double *squares, double divisor) {
  double sum = 0;
  for (size_t k = 0; k < fit->scores; k++)
    sum += ldexp(sqrt(squares[k] / divisor), fit->unit[k]) / (double)fit->scores;
  return sum;
}

/* The standard error of root_error(fit, squares, divisor), given the sums of variances of the squares: as if errors of
 * several targets rose and fell together. NaN if a variance is unknown. */
static double root_error_spread(const ent_fit *fit, const double *squares, const double *variances, double divisor) {
  double sum = 0;
  for (size_t k = 0; k < fit->scores; k++)
    if (squares[k] > 0)
      sum += ldexp(sqrt(variances[k] / (squares[k] * divisor)) / 2, fit->unit[k]) / (double)fit->scores;
  return sum;
}

void ent_fit_report_curve(const ent_fit *fit, const ent_curve *curve, ent_fit_report *report) {
  bool classes = ent_schema_has_classes(&fit->train->schema);
  report->path_count = 0;
  for (size_t i = 0; i < curve->count; i++) {
    const ent_curve_step *step = &curve->steps[i];
    const double *squares = curve->squares + 2 * i * curve->targets;
    double paths = (double)step->paths;
    double error = classes ? step->error_rate / paths : root_error(fit, squares, paths);
    double spread =
        classes ? sqrt(step->rate_variance) / paths : root_error_spread(fit, squares, squares + curve->targets, paths);
    if (isfinite(error))
      report->path[report->path_count++] = (ent_path_step){.features = step->features,
                                                           .members = step->paths,
                                                           .lambda = step->lambda / paths,
                                                           .error = error,
                                                           .spread = spread};
  }
}

/* The validation rows are among these: the validation set, or the training rows of the first folds. */
static const ent_block *held_rows(const ent_fit *fit) {
  return fit->valid != NULL ? &fit->valid_block : &fit->splits.train;
}

/* Whether a row of held_rows is a validation row of that part. */
static bool is_held(const ent_fit *fit, size_t row, size_t part) {
  return fit->valid != NULL || fit->fold_of[row] == part;
}

/* Whether a row trains while that part is held out. */
static bool is_training(const ent_fit *fit, size_t row, size_t part) {
  return ent_is_training_row(&fit->splits, row, part);
}

/* The standard error of a share of wrong classes. */
static double share_spread(const ent_fit *fit, size_t parts, double share) {
  const ent_block *rows = held_rows(fit);
  double weight = 0, squares = 0;
  for (size_t r = 0; r < rows->rows; r++)
    if (fit->valid != NULL || fit->fold_of[r] < parts) {
      weight += ent_weight(rows, r);
      squares += ent_weight(rows, r) * ent_weight(rows, r);
    }
  return sqrt(share * (1 - share) * squares) / weight;
}

/* That of the mean of roots of mean squares. */
static double root_spread(const ent_fit *fit, const ent_fit_outcome *outcome) {
  return outcome->variances == NULL ? NAN : root_error_spread(fit, outcome->errors, outcome->variances, 1);
}

/* The mean of one target over the training rows. */
static double mean_of(const ent_fit *fit, size_t part, size_t target) {
  const ent_block *rows = &fit->splits.train;
  double sum = 0, weight = 0;
  for (size_t r = 0; r < rows->rows; r++)
    if (is_training(fit, r, part)) {
      sum += ent_weight(rows, r) * rows->y[r * rows->y_stride + target];
      weight += ent_weight(rows, r);
    }
  return sum / weight;
}

static double mean_reference(const ent_fit *fit, size_t parts) {
  const ent_block *rows = held_rows(fit);
  double roots = 0;
  for (size_t k = 0; k < fit->scores; k++) {
    double sum = 0, weight = 0;
    for (size_t p = 0; p < parts; p++) {
      double mean = mean_of(fit, p, k);
      for (size_t r = 0; r < rows->rows; r++)
        if (is_held(fit, r, p)) {
          double off = rows->y[r * rows->y_stride + k] - mean;
          sum += ent_weight(rows, r) * off * off;
          weight += ent_weight(rows, r);
        }
    }
    roots += ldexp(sqrt(sum / weight), fit->unit[k]) / (double)fit->scores;
  }
  return roots;
}

/* The most frequent class of the training rows, of equal ones the first; counts[classes] is room. */
static size_t most_frequent(const ent_fit *fit, size_t part, double *counts) {
  size_t classes = fit->train->schema.classes, best = 0;
  for (size_t c = 0; c < classes; c++)
    counts[c] = 0;
  for (size_t r = 0; r < fit->train->rows; r++)
    if (is_training(fit, r, part))
      counts[(size_t)fit->train->y[r]] += ent_weight(&fit->splits.train, r);
  for (size_t c = 1; c < classes; c++)
    best = counts[c] > counts[best] ? c : best;
  return best;
}

static entropic_status majority_reference(entropic_context *context, const ent_fit *fit, size_t parts, double *error) {
  const entropic_dataset *data = fit->valid != NULL ? fit->valid : fit->train;
  double wrong = 0, weight = 0;
  double *counts = ent_new(context, fit->train->schema.classes, sizeof *counts);
  if (counts == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t p = 0; p < parts; p++) {
    size_t class = most_frequent(fit, p, counts);
    for (size_t r = 0; r < data->rows; r++)
      if (is_held(fit, r, p)) {
        weight += ent_weight(held_rows(fit), r);
        wrong += (size_t)data->y[r] == class ? 0 : ent_weight(held_rows(fit), r);
      }
  }
  ent_delete(counts);
  *error = wrong / weight;
  return ENTROPIC_OK;
}

/* Tries ridge on a linear map with several lambdas, and takes the best. */
static entropic_status try_linear(entropic_context *context, const ent_fit *fit, size_t parts, const ent_map *map,
                                  double *error) {
  size_t scores = fit->scores, classes = fit->train->schema.classes;
  ent_learner learner = {.solver = ENTROPIC_SOLVER_DIRECT, .map = map};
  const ent_validation_splits *splits = &fit->splits;
  double *errors = ent_new_matrix(context, ENT_LINEAR_LAMBDAS, scores, sizeof *errors);
  if (errors == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_lambda_list lambdas = {fit->grid.lambdas, ENT_LINEAR_LAMBDAS};
  ent_refit_errors output = {.errors = errors};
  entropic_status status = ent_validate_by_refits(context, &learner, splits, parts, lambdas, &output);
  if (status != ENTROPIC_OK)
    goto done;
  size_t best = ent_splits_best(splits, errors, ENT_LINEAR_LAMBDAS);
  if (classes > 0) {
    ent_class_validation class_validation = {.rows = 0};
    ent_class_splits class_splits = {
        .splits = splits, .classes = classes, .parts = parts, .learners = &learner, .learner_count = 1};
    status = ent_class_validate_signs(context, &class_splits, &fit->grid.lambdas[best], &ent_loss_squared,
                                      &class_validation);
    *error = class_validation.rows > 0 ? class_validation.error : NAN;
  } else {
    *error = root_error(fit, errors + best * scores, 1);
  }
done:
  ent_delete(errors);
  return status;
}

/* Ridge, linear in the inputs' own units. */
static entropic_status linear_reference(entropic_context *context, const ent_fit *fit, size_t parts, double *error) {
  ent_lifting lifting = {0};
  ent_linear_fit linear;
  bool possible;
  entropic_status status = ent_linear_start(context, fit, (ent_linear_kind){fit->plain, true}, &linear, &possible);
  if (status != ENTROPIC_OK || linear.fit.size > LINEAR_MOST)
    goto done;
  status = ent_features_make(context, &linear.fit.features, 0, linear.fit.size, &lifting);
  if (status != ENTROPIC_OK)
    goto done;
  status = try_linear(context, &linear.fit, parts, &lifting.map, error);
done:
  ent_lifting_clear(&lifting);
  ent_linear_clear(&linear);
  return status;
}

entropic_status ent_fit_report_errors(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                                      const entropic_model *model, ent_fit_report *report) {
  bool classes = ent_schema_has_classes(&fit->train->schema);
  entropic_status status = ENTROPIC_OK;
  report->error_spread = report->mean_error = report->linear_error = NAN;
  report->form = ENT_FORM_FULL;
  if (model->validation == ENTROPIC_VALIDATION_NONE)
    return ENTROPIC_OK;
  double spread = classes ? share_spread(fit, outcome->parts, model->validation_error) : root_spread(fit, outcome);
  if (model->validation_rows > 1 && spread > 0) /* one row, or rows of one error, do not show how rows differ */
    report->error_spread = spread;
  if (classes)
    status = majority_reference(context, fit, outcome->parts, &report->mean_error);
  else
    report->mean_error = mean_reference(fit, outcome->parts);
  if (status != ENTROPIC_OK)
    return status;
  ent_progress former = ent_progress_hold(context);
  status = linear_reference(context, fit, outcome->parts, &report->linear_error);
  ent_progress_leave(context, former);
  return status;
}

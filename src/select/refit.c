/* The models of a path: see refit.h. */
#include "select/refit.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "loss/root.h"
#include "solve/logistic.h"
#include "solve/measure.h"
#include "sums/pass.h"
#include "solve/precondition.h"
#include "solve/ridge.h"

#define MOST_LAMBDA 0.1
#define LOGISTIC_PART 0.1 /* of a lambda of the squared loss */

/* A search for lambda. */
typedef struct ent_refit_state {
  const ent_refit_task *task;
  const ent_path_task *path;
  const ent_path_data *data;
  const ent_refit_output *output;
  ent_select_step *step;     /* the best lambda so far */
  double *weights, *offsets; /* of it: [targets x features], [targets] */
  ent_pass *pass;            /* of the map */
  double *predictions;       /* of the validation rows, by the last lambda */
  double *squares;           /* [2][2][targets] its squared errors; then the same by the weights to choose by */
  double error, mse, bias;   /* as in a step: of the last lambda */
  ent_logistic *last;        /* its logistic fit, where the next one begins */
  ent_preconditioner *preconditioner; /* of that fit */
} ent_refit_state;

double ent_path_lambda(const ent_path_task *task, double lambda) {
  return task->logistic && task->lambda < 0 ? LOGISTIC_PART * lambda : lambda;
}

/* The validation rows with the weights to choose by. */
static ent_block choosing_rows(const ent_path_data *data) {
  ent_block rows = data->validation;
  if (data->validation_weights != NULL)
    rows.weights = data->validation_weights;
  return rows;
}

/* The share of misclassified validation rows. */
static double error_rate(const ent_refit_state *f) {
  const ent_block *rows = &f->data->validation;
  size_t targets = f->data->targets, classes = targets == 1 ? 2 : targets;
  double weight = 0, wrong = 0;
  for (size_t r = 0; r < rows->rows; r++) {
    const double *scores = f->predictions + r * targets, *y = rows->y + r * rows->y_stride; /* y: -1 and 1 */
    bool right = ent_class_of(classes, scores) == ent_class_of(classes, y);
    weight += ent_weight(rows, r);
    wrong += right ? 0 : ent_weight(rows, r);
  }
  return wrong / weight;
}

/* The mean square error of roots. Their errors are all of about one size, while a few large targets would dominate the
 * mean square error of the targets. */
static double root_error(const ent_link *link, const ent_block *rows, const double *roots) {
  double weight = ent_weight_sum(rows), error = 0;
  for (size_t r = 0; r < rows->rows; r++) {
    double off = ent_link_score(link, rows->y[r * rows->y_stride]) - roots[r];
    error += ent_weight(rows, r) / weight * off * off;
  }
  return error;
}

/* Turns scores of the validation rows into predictions and measures their errors. A logistic score becomes 2 p - 1, the
 * expectation of a target of -1 or 1. */
static void measure(ent_refit_state *f) {
  const ent_path_data *data = f->data;
  const ent_block *rows = &data->validation;
  size_t targets = data->targets;
  double *squares = f->squares + 2 * targets;
  ent_block choosing = choosing_rows(data);
  if (f->task->irls != NULL) {
    f->error = ent_irls_loss(rows, f->predictions);
    for (size_t r = 0; r < rows->rows; r++)
      f->predictions[r] = tanh(f->predictions[r] / 2);
  } else if (data->link != NULL) {
    ent_link link = *data->link;
    f->error = root_error(&link, &choosing, f->predictions);
    f->bias = link.bias =
        ent_root_bias(&link, &(ent_link_targets){rows->rows, rows->y, rows->y_stride, rows->weights}, f->predictions);
    ent_link_predict(&link, rows->rows, f->predictions);
  }
  ent_measure(rows, targets, f->predictions, f->squares);
  ent_measure(&choosing, targets, f->predictions, squares);
  f->mse = 0;
  for (size_t k = 0; k < targets; k++)
    f->mse += squares[k] / data->scale[k] / (double)targets;
  if (f->task->irls == NULL && data->link == NULL)
    f->error = f->mse;
}

/* The largest squared error of a validation row that counts, divided by the scale of its target. */
static double largest_square(const ent_refit_state *f) {
  const ent_path_data *data = f->data;
  ent_block rows = choosing_rows(data);
  double largest = 0;
  for (size_t r = 0; r < rows.rows; r++)
    for (size_t k = 0; k < data->targets && ent_weight(&rows, r) > 0; k++) {
      double off = rows.y[r * rows.y_stride + k] - f->predictions[r * data->targets + k];
      largest = fmax(largest, off * off / data->scale[k]);
    }
  return largest;
}

/* Validates the weights of one lambda. They are kept if their error is the least so far. */
static entropic_status validate(entropic_context *context, ent_refit_state *f, double lambda, const double *weights,
                                const double *offsets, bool *better) {
  const ent_block *rows = &f->data->validation;
  size_t targets = f->data->targets, features = f->task->map->features;
  entropic_status status =
      ent_pass_scores(context, f->pass, rows, &(ent_linear){weights, offsets, targets}, f->predictions);
  if (status != ENTROPIC_OK)
    return status;
  measure(f);
  if (!(f->error < f->step->error))
    return ENTROPIC_OK;
  f->step->error = f->error;
  f->step->mse = f->mse;
  f->step->largest_square = largest_square(f);
  f->step->lambda = lambda;
  f->step->error_rate = f->data->classes ? error_rate(f) : NAN;
  f->step->bias = f->bias;
  memcpy(f->output->squares, f->squares, 2 * targets * sizeof *f->squares);
  if (f->output->predictions != NULL)
    memcpy(f->output->predictions, f->predictions, rows->rows * targets * sizeof *f->predictions);
  memcpy(f->weights, weights, targets * features * sizeof *f->weights);
  memcpy(f->offsets, offsets, targets * sizeof *f->offsets);
  *better = true;
  return ENTROPIC_OK;
}

static entropic_status try_squared(entropic_context *context, ent_refit_state *f, const double *lambdas, size_t count,
                                   bool *better) {
  ent_ridge *ridge = NULL;
  entropic_status status = ent_ridge_solve(context, f->task->statistics, lambdas, count, ENT_METHOD_AUTO, &ridge);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < count; i++) {
    const double *weights = ridge->weights + i * ridge->targets * ridge->features;
    status = validate(context, f, lambdas[i], weights, ridge->means, better);
    if (status != ENTROPIC_OK)
      break;
  }
  ent_ridge_free(ridge);
  return status;
}

/* Where the first logistic fit begins: after one Newton step from the scores so far, which is a ridge regression. */
static entropic_status first_logistic(entropic_context *context, const ent_refit_state *f, double lambda,
                                      ent_logistic **first) {
  const ent_statistics *statistics = f->task->statistics;
  double ridge_lambda = 2 * lambda * ent_weight_sum(&f->data->train) / statistics->weight;
  ent_ridge *ridge = NULL;
  entropic_status status = ent_ridge_solve(context, statistics, &ridge_lambda, 1, ENT_METHOD_AUTO, &ridge);
  if (status != ENTROPIC_OK)
    return status;
  ent_logistic step = {
      .features = ridge->features, .classes = 2, .scores = 1, .weights = ridge->weights, .offsets = ridge->means};
  status = ent_logistic_copy(context, &step, first);
  ent_ridge_free(ridge);
  return status;
}

static entropic_status try_logistic(entropic_context *context, ent_refit_state *f, const double *lambdas, size_t count,
                                    bool *better) {
  ent_memory_rows memory = {.all = f->data->train, .inputs = f->data->inputs, .targets = 1};
  memory.all.y = f->task->irls->labels;
  memory.all.y_stride = 1;
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_logistic_options options = ent_logistic_options_default();
  options.tolerance = ENT_VALIDATION_TOLERANCE;
  options.products = f->task->statistics;
  options.kept = &f->preconditioner;
  for (size_t i = 0; i < count; i++) {
    ent_logistic *fit = NULL;
    entropic_status status = ENTROPIC_OK;
    double lambda = ent_path_lambda(f->path, lambdas[i]);
    if (f->last == NULL && f->task->statistics != NULL)
      status = first_logistic(context, f, lambda, &f->last);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_logistic_fit(
        context,
        &(ent_logistic_problem){.map = f->task->map, .rows = &rows, .classes = 2, .lambda = lambda, .start = f->last},
        options, &fit);
    if (status != ENTROPIC_OK)
      return status;
    ent_logistic_free(f->last);
    f->last = fit;
    status = validate(context, f, lambdas[i], fit->weights, fit->offsets, better);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* *better becomes whether one of the lambdas is the best so far. */
static entropic_status try_lambdas(entropic_context *context, ent_refit_state *f, const double *lambdas, size_t count,
                                   bool *better) {
  *better = false;
  return f->task->irls != NULL ? try_logistic(context, f, lambdas, count, better)
                               : try_squared(context, f, lambdas, count, better);
}

/* Three lambdas, then further ones on the side of the best as long as the error falls. */
static entropic_status choose_lambda(entropic_context *context, ent_refit_state *f) {
  double root = sqrt(10), first = f->step->lambda;
  double lambdas[3] = {fmax(first / root, ENT_LEAST_LAMBDA), first, fmin(first * root, MOST_LAMBDA)};
  bool better, given = f->path->lambda >= 0;
  f->step->error = INFINITY;
  entropic_status status =
      given ? try_lambdas(context, f, &first, 1, &better) : try_lambdas(context, f, lambdas, 3, &better);
  if (status != ENTROPIC_OK)
    return status;
  bool down = f->step->lambda < first, on = !given && better && f->step->lambda != first;
  while (on) {
    double next = down ? f->step->lambda / root : f->step->lambda * root;
    if (next < 0.99 * ENT_LEAST_LAMBDA || next > 1.01 * MOST_LAMBDA)
      break;
    status = try_lambdas(context, f, &next, 1, &on);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (!isfinite(f->step->error))
    return ent_fail(context, ENTROPIC_BAD_DATA, "errors on the validation rows are outside the range of a double");
  return ENTROPIC_OK;
}

entropic_status ent_refit_step(entropic_context *context, const ent_refit_task *task, ent_select_step *step,
                               const ent_refit_output *output) {
  const ent_path_data *data = &task->path->data;
  const ent_block *train = &data->train;
  ent_refit_state f = {.task = task, .path = task->path, .data = data, .output = output, .step = step};
  f.predictions = ent_new_matrix(context, data->validation.rows, data->targets, sizeof *f.predictions);
  f.squares = ent_new(context, 4 * data->targets, sizeof *f.squares);
  f.weights = ent_new_matrix(context, data->targets, task->map->features, sizeof *f.weights);
  f.offsets = ent_new(context, data->targets, sizeof *f.offsets);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (f.predictions == NULL || f.squares == NULL || f.weights == NULL || f.offsets == NULL)
    goto done;
  status = ent_pass_create(context, task->map, &f.pass);
  if (status != ENTROPIC_OK)
    goto done;
  status = choose_lambda(context, &f);
  if (status != ENTROPIC_OK || output->scores == NULL)
    goto done;
  status = ent_pass_scores(context, f.pass, train, &(ent_linear){f.weights, f.offsets, data->targets}, output->scores);
done:
  ent_pass_free(f.pass);
  ent_logistic_free(f.last);
  ent_preconditioner_free(f.preconditioner);
  ent_delete(f.predictions);
  ent_delete(f.squares);
  ent_delete(f.weights);
  ent_delete(f.offsets);
  return status;
}

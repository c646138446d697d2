/* The models of a path: see refit.h. */
#include "select/refit.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/logistic.h"
#include "solve/measure.h"
#include "solve/pass.h"
#include "solve/ridge.h"

#define MOST_LAMBDA 0.1
#define LOGISTIC_PART 0.1 /* of a lambda of the squared loss */
#define TOLERANCE 1e-3    /* of logistic fits: the loss of rows held out is right to about 1e-4 */

/* A walk over lambda. */
typedef struct ent_refit {
  const ent_chosen *chosen;
  const ent_selecting *task;
  ent_select_step *step;
  double *squares, *tried;   /* as in ent_refit_chosen */
  double *out_scores;        /* of the rows tried on, and */
  double *out_squares;       /* [2][2][targets] their squares, and by the weights to choose by: of the last lambda */
  double error, plain, bias; /* as in a step: of the last lambda */
  double *weights, *offsets; /* of the best lambda so far: [targets x features], [targets] */
  ent_logistic *last;        /* the logistic fit of the lambda tried last: where the next begins */
} ent_refit;

double ent_path_lambda(const ent_selecting *task, double lambda) {
  return task->logistic && task->lambda < 0 ? LOGISTIC_PART * lambda : lambda;
}

/* The share of wrong classes among the rows tried on. */
static double share_wrong(const ent_refit *f) {
  const ent_block *out = &f->task->out;
  size_t targets = f->task->targets, classes = targets == 1 ? 2 : targets;
  double weight = 0, wrong = 0;
  for (size_t r = 0; r < out->rows; r++) {
    const double *scores = f->out_scores + r * targets, *y = out->y + r * out->y_stride; /* y: -1 and 1 */
    bool right = ent_class_of(classes, scores) == ent_class_of(classes, y);
    weight += ent_weight(out, r);
    wrong += right ? 0 : ent_weight(out, r);
  }
  return wrong / weight;
}

/* The mean square of roots, whose errors have all about one size: a better guide than that of the targets, which a few
 * large ones rule. */
static double root_error(const ent_target_transform *transform, const ent_block *rows, const double *roots) {
  double weight = ent_weight_sum(rows), error = 0;
  for (size_t r = 0; r < rows->rows; r++) {
    double off = ent_target_transform_apply(transform, rows->y[r * rows->y_stride]) - roots[r];
    error += ent_weight(rows, r) / weight * off * off;
  }
  return error;
}

/* One number for all targets, into f->error: their mean square, that of roots, or the mean logistic loss. Scores become
 * what is expected of targets, between -1 and 1 with the logistic loss. */
static void judge(ent_refit *f) {
  const ent_selecting *task = f->task;
  const ent_block *out = &task->out;
  size_t targets = task->targets;
  double *plain = f->out_squares + 2 * targets;
  ent_block choosing = *out;
  if (task->out_weights != NULL)
    choosing.weights = task->out_weights;
  if (f->chosen->irls != NULL) {
    f->error = ent_irls_loss(out, f->out_scores);
    for (size_t r = 0; r < out->rows; r++)
      f->out_scores[r] = tanh(f->out_scores[r] / 2); /* 2 p - 1 */
  } else if (task->transform != NULL) {
    ent_target_transform transform = *task->transform;
    f->error = root_error(&transform, &choosing, f->out_scores);
    f->bias = transform.bias = ent_target_transform_bias(&transform, out, f->out_scores);
    ent_target_transform_invert(&transform, out->rows, f->out_scores);
  }
  ent_measure(out, targets, f->out_scores, f->out_squares);
  ent_measure(&choosing, targets, f->out_scores, plain);
  f->plain = 0;
  for (size_t k = 0; k < targets; k++)
    f->plain += plain[k] / task->scale[k] / (double)targets;
  if (f->chosen->irls == NULL && task->transform == NULL)
    f->error = f->plain;
}

/* The largest square on the rows that count for what is chosen, over the scale of its target. */
static double largest_square(const ent_refit *f) {
  const ent_selecting *task = f->task;
  ent_block out = task->out;
  double largest = 0;
  if (task->out_weights != NULL)
    out.weights = task->out_weights;
  for (size_t r = 0; r < out.rows; r++)
    for (size_t k = 0; k < task->targets && ent_weight(&out, r) > 0; k++) {
      double off = out.y[r * out.y_stride + k] - f->out_scores[r * task->targets + k];
      largest = fmax(largest, off * off / task->scale[k]);
    }
  return largest;
}

/* Weights with one lambda on the rows tried on. They are kept if they are the best so far. */
static entropic_status try_out(entropic_context *context, ent_refit *f, double lambda, const double *weights,
                               const double *offsets, bool *better) {
  const ent_block *out = &f->task->out;
  size_t targets = f->task->targets, features = f->chosen->map->features;
  entropic_status status =
      ent_scores(context, f->chosen->map, out, &(ent_linear){weights, offsets, targets}, f->out_scores);
  if (status == ENTROPIC_OK)
    judge(f);
  if (status != ENTROPIC_OK || !(f->error < f->step->error))
    return status;
  f->step->error = f->error;
  f->step->plain = f->plain;
  f->step->largest = largest_square(f);
  f->step->lambda = lambda;
  f->step->wrong = f->task->classes ? share_wrong(f) : NAN;
  f->step->bias = f->bias;
  memcpy(f->squares, f->out_squares, 2 * targets * sizeof *f->squares);
  if (f->tried != NULL)
    memcpy(f->tried, f->out_scores, out->rows * targets * sizeof *f->tried);
  memcpy(f->weights, weights, targets * features * sizeof *f->weights);
  memcpy(f->offsets, offsets, targets * sizeof *f->offsets);
  *better = true;
  return ENTROPIC_OK;
}

static entropic_status try_squared(entropic_context *context, ent_refit *f, const double *lambdas, size_t count,
                                   bool *better) {
  ent_ridge *ridge = NULL;
  entropic_status status = ent_ridge_solve(context, f->chosen->statistics, lambdas, count, ENT_METHOD_AUTO, &ridge);
  for (size_t i = 0; i < count && status == ENTROPIC_OK; i++)
    status =
        try_out(context, f, lambdas[i], ridge->weights + i * ridge->targets * ridge->features, ridge->means, better);
  ent_ridge_free(ridge);
  return status;
}

/* Where the first logistic fit begins: one of Newton's steps away from the scores before, which is ridge. */
static entropic_status first_logistic(entropic_context *context, const ent_refit *f, double lambda,
                                      ent_logistic **first) {
  const ent_statistics *statistics = f->chosen->statistics;
  double ridge_lambda = 2 * lambda * ent_weight_sum(&f->task->train) / statistics->weight;
  ent_ridge *ridge = NULL;
  entropic_status status = ent_ridge_solve(context, statistics, &ridge_lambda, 1, ENT_METHOD_AUTO, &ridge);
  if (status == ENTROPIC_OK) {
    ent_logistic step = {
        .features = ridge->features, .classes = 2, .scores = 1, .weights = ridge->weights, .offsets = ridge->means};
    status = ent_logistic_copy(context, &step, first);
  }
  ent_ridge_free(ridge);
  return status;
}

static entropic_status try_logistic(entropic_context *context, ent_refit *f, const double *lambdas, size_t count,
                                    bool *better) {
  ent_memory_rows memory = {.all = f->task->train, .inputs = f->task->inputs, .targets = 1};
  memory.all.y = f->chosen->irls->labels;
  memory.all.y_stride = 1;
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_logistic_options options = ent_logistic_options_default();
  options.tolerance = TOLERANCE;
  options.products = f->chosen->statistics;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < count && status == ENTROPIC_OK; i++) {
    ent_logistic *fit = NULL;
    double lambda = ent_path_lambda(f->task, lambdas[i]);
    if (f->last == NULL && f->chosen->statistics != NULL)
      status = first_logistic(context, f, lambda, &f->last);
    if (status == ENTROPIC_OK)
      status =
          ent_logistic_fit(context,
                           &(ent_logistic_problem){
                               .map = f->chosen->map, .rows = &rows, .classes = 2, .lambda = lambda, .start = f->last},
                           options, &fit);
    if (status != ENTROPIC_OK)
      break;
    ent_logistic_free(f->last);
    f->last = fit;
    status = try_out(context, f, lambdas[i], fit->weights, fit->offsets, better);
  }
  return status;
}

/* *better tells whether one of the lambdas is the best so far. */
static entropic_status try_lambdas(entropic_context *context, ent_refit *f, const double *lambdas, size_t count,
                                   bool *better) {
  *better = false;
  return f->chosen->irls != NULL ? try_logistic(context, f, lambdas, count, better)
                                 : try_squared(context, f, lambdas, count, better);
}

/* From three lambdas on in the direction of the best as long as the error falls. */
static entropic_status walk(entropic_context *context, ent_refit *f) {
  double root = sqrt(10), first = f->step->lambda;
  double lambdas[3] = {fmax(first / root, ENT_LEAST_LAMBDA), first, fmin(first * root, MOST_LAMBDA)};
  bool better, given = f->task->lambda >= 0;
  f->step->error = INFINITY;
  entropic_status status =
      given ? try_lambdas(context, f, &first, 1, &better) : try_lambdas(context, f, lambdas, 3, &better);
  bool down = f->step->lambda < first, on = !given && better && f->step->lambda != first;
  while (status == ENTROPIC_OK && on) {
    double next = down ? f->step->lambda / root : f->step->lambda * root;
    if (next < 0.99 * ENT_LEAST_LAMBDA || next > 1.01 * MOST_LAMBDA)
      break;
    status = try_lambdas(context, f, &next, 1, &on);
  }
  if (status == ENTROPIC_OK && !isfinite(f->step->error))
    status = ent_fail(context, ENTROPIC_BAD_DATA, "errors on the rows tried on are beyond the range of numbers");
  return status;
}

entropic_status ent_refit_chosen(entropic_context *context, const ent_chosen *chosen, ent_select_step *step,
                                 double *squares, double *tried, double *scores) {
  const ent_selecting *task = chosen->task;
  ent_refit f = {.chosen = chosen, .task = task, .step = step, .squares = squares, .tried = tried};
  f.out_scores = ent_new_matrix(context, task->out.rows, task->targets, sizeof *f.out_scores);
  f.out_squares = ent_new(context, 4 * task->targets, sizeof *f.out_squares);
  f.weights = ent_new_matrix(context, task->targets, chosen->map->features, sizeof *f.weights);
  f.offsets = ent_new(context, task->targets, sizeof *f.offsets);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (f.out_scores != NULL && f.out_squares != NULL && f.weights != NULL && f.offsets != NULL)
    status = walk(context, &f);
  if (status == ENTROPIC_OK && scores != NULL)
    status = ent_scores(context, chosen->map, &task->train, &(ent_linear){f.weights, f.offsets, task->targets}, scores);
  ent_logistic_free(f.last);
  ent_delete(f.out_scores);
  ent_delete(f.out_squares);
  ent_delete(f.weights);
  ent_delete(f.offsets);
  return status;
}

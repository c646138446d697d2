/* The models of a path: see refit.h. */
#include "learn/refit.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "learn/logistic.h"
#include "learn/measure.h"
#include "learn/pass.h"
#include "learn/ridge.h"

#define MOST_LAMBDA 0.1

/* A walk over lambda. */
typedef struct ent_refit {
  const ent_selecting *task;
  const ent_map *map;
  const ent_statistics *statistics;
  ent_step *step;
  double *squares;    /* as in ent_refit_chosen */
  double *out_scores; /* of the rows tried on, and */
  double *tried;      /* their squares: of the lambda tried last */
  ent_ridge *best;    /* the weights of the best so far, */
  size_t best_at;     /* and which of its lambdas it is */
} ent_refit;

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

/* One lambda on the rows tried on: f->out_scores and f->tried, and the mean square of all targets as one number. */
static entropic_status try_out(entropic_context *context, ent_refit *f, const ent_ridge *ridge, size_t lambda,
                               double *error) {
  const ent_block *out = &f->task->out;
  size_t targets = f->task->targets;
  entropic_status status =
      ent_scores(context, f->map, out->x, out->rows, out->x_stride, ridge->weights + lambda * targets * ridge->features,
                 ridge->means, targets, f->out_scores);
  if (status != ENTROPIC_OK)
    return status;
  ent_measure(out, targets, f->out_scores, f->tried);
  *error = 0;
  for (size_t k = 0; k < targets; k++)
    *error += f->tried[k] / f->task->scale[k] / (double)targets;
  return ENTROPIC_OK;
}

/* Keeps what try_out has left of the best lambda so far. */
static void keep_tried(ent_refit *f, double error, double lambda) {
  f->step->error = error;
  f->step->lambda = lambda;
  f->step->wrong = f->task->classes ? share_wrong(f) : NAN;
  memcpy(f->squares, f->tried, 2 * f->task->targets * sizeof *f->squares);
}

/* Solves for some lambdas; *better tells whether one of them is the best so far. */
static entropic_status try_lambdas(entropic_context *context, ent_refit *f, const double *lambdas, size_t count,
                                   bool *better) {
  ent_ridge *ridge = NULL;
  entropic_status status = ent_ridge_solve(context, f->statistics, lambdas, count, ENT_METHOD_AUTO, false, &ridge);
  *better = false;
  for (size_t i = 0; i < count && status == ENTROPIC_OK; i++) {
    double tried;
    status = try_out(context, f, ridge, i, &tried);
    if (status == ENTROPIC_OK && tried < f->step->error) {
      keep_tried(f, tried, lambdas[i]);
      f->best_at = i;
      *better = true;
    }
  }
  if (!*better) {
    ent_ridge_free(ridge);
  } else {
    ent_ridge_free(f->best);
    f->best = ridge;
  }
  return status;
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
  if (status == ENTROPIC_OK && f->best == NULL)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "errors on the rows tried on are beyond the range of numbers");
  return status;
}

entropic_status ent_refit_chosen(entropic_context *context, const ent_selecting *task, const ent_map *map,
                                 const ent_statistics *statistics, ent_step *step, double *squares, double *scores) {
  ent_refit f = {.task = task, .map = map, .statistics = statistics, .step = step, .squares = squares};
  f.out_scores = ent_new_matrix(context, task->out.rows, task->targets, sizeof *f.out_scores);
  f.tried = ent_new(context, 2 * task->targets, sizeof *f.tried);
  entropic_status status = f.out_scores == NULL || f.tried == NULL ? ENTROPIC_NO_MEMORY : walk(context, &f);
  if (status == ENTROPIC_OK)
    status = ent_scores(context, map, task->train.x, task->train.rows, task->train.x_stride,
                        f.best->weights + f.best_at * f.best->targets * f.best->features, f.best->means,
                        f.best->targets, scores);
  ent_ridge_free(f.best);
  ent_delete(f.out_scores);
  ent_delete(f.tried);
  return status;
}

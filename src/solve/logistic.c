/* Newton's method for logistic and softmax regression: see logistic.h. */
#include "solve/logistic.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/newton.h"

#define MOST_HALVINGS 40 /* of the line search */

const char *ent_end_text(ent_end end) {
  switch (end) {
#define ENT_END_CASE(name, text)                                                                                       \
  case ENT_END_##name:                                                                                                 \
    return text;
    ENT_END_MAP(ENT_END_CASE)
#undef ENT_END_CASE
  }
  return "unknown end";
}

ent_logistic_options ent_logistic_options_default(void) {
  return (ent_logistic_options){.tolerance = 1e-7, .most_steps = 100, .head = ENT_HEAD_AUTO};
}

void ent_logistic_free(ent_logistic *fit) {
  if (fit == NULL)
    return;
  ent_delete(fit->weights);
  ent_delete(fit->offsets);
  ent_delete(fit);
}

ent_logistic *ent_logistic_new(entropic_context *context, size_t features, size_t classes) {
  ent_logistic *fit = ent_new(context, 1, sizeof *fit);
  if (fit == NULL)
    return NULL;
  fit->features = features;
  fit->classes = classes;
  fit->scores = ent_class_scores(classes);
  fit->weights = ent_new(context, fit->scores * features, sizeof *fit->weights);
  fit->offsets = ent_new(context, fit->scores, sizeof *fit->offsets);
  if (fit->weights != NULL && fit->offsets != NULL)
    return fit;
  ent_logistic_free(fit);
  return NULL;
}

entropic_status ent_logistic_copy(entropic_context *context, const ent_logistic *fit, ent_logistic **copy) {
  ent_logistic *made = ent_logistic_new(context, fit->features, fit->classes);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  double *weights = made->weights, *offsets = made->offsets;
  *made = *fit;
  made->weights = memcpy(weights, fit->weights, fit->scores * fit->features * sizeof *weights);
  made->offsets = memcpy(offsets, fit->offsets, fit->scores * sizeof *offsets);
  *copy = made;
  return ENTROPIC_OK;
}

/* Backtracking line search: halves the step until the objective falls enough. *moved is false if it never does. Near
 * the minimum, where the decrease is below the rounding of the objective, the full step is accepted. The scores move
 * with the point. */
static entropic_status line_search(entropic_context *context, ent_newton *n, double objective, double decrement,
                                   bool *moved) {
  *moved = false;
  double size = ent_newton_weights_dot(n, n->x, n->x), across = ent_newton_weights_dot(n, n->x, n->step);
  double step_size = ent_newton_weights_dot(n, n->step, n->step);
  double slack = 16 * DBL_EPSILON * fabs(objective);
  for (int i = 0; i < MOST_HALVINGS; i++) {
    double length = ldexp(1, -i);
    ent_losses losses;
    entropic_status status = ent_labels_losses(context, n->labels, length, &losses);
    if (status != ENTROPIC_OK)
      return status;
    double there =
        losses.loss / n->labels->weight + n->lambda * (size + 2 * length * across + length * length * step_size);
    if (!(there <= objective - 1e-4 * length * decrement + slack))
      continue;
    for (size_t j = 0; j < n->all; j++)
      n->x[j] += length * n->step[j];
    for (size_t j = 0; j < n->labels->rows * n->scores; j++)
      n->labels->score[j] += length * n->labels->direction[j];
    *moved = true;
    return ENTROPIC_OK;
  }
  return ENTROPIC_OK;
}

static entropic_status minimise(entropic_context *context, ent_newton *n, size_t most_steps, ent_logistic *fit) {
  double last = 1; /* the decrement of the step before */
  for (fit->steps = 0;; fit->steps++) {
    ent_losses losses;
    double objective = NAN, decrement = NAN;
    entropic_status status = ent_newton_evaluate(context, n, &losses, &objective);
    if (status != ENTROPIC_OK)
      return status;
    if (isfinite(objective) && ent_newton_is_finite(n->gradient, n->all)) {
      status = ent_newton_step(context, n, losses.curvature, fmin(0.1, sqrt(sqrt(last))), &decrement);
      if (status != ENTROPIC_OK)
        return status;
    }
    if (ent_newton_ended(n, &losses, objective, decrement, fit))
      return ENTROPIC_OK;
    fit->end = ENT_END_LIMIT;
    if (fit->steps >= most_steps)
      return ENTROPIC_OK;
    bool moved;
    status = line_search(context, n, objective, decrement, &moved);
    if (status != ENTROPIC_OK)
      return status;
    if (!moved) {
      fit->end = ENT_END_STALLED;
      return ENTROPIC_OK;
    }
    last = decrement;
  }
}

entropic_status ent_logistic_fit(entropic_context *context, const ent_logistic_problem *problem,
                                 ent_logistic_options options, ent_logistic **fit) {
  ent_newton n;
  ent_logistic *made = NULL;
  entropic_status status = ent_newton_start(context, problem, &options, &n);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  made = ent_logistic_new(context, problem->map->features, problem->classes);
  if (made == NULL)
    goto done;
  status = minimise(context, &n, options.most_steps, made);
  if (status != ENTROPIC_OK)
    goto done;
  ent_newton_take_weights(&n, made);
  *fit = made;
  made = NULL;
  ent_newton_keep(&options, &n);
done:
  ent_logistic_free(made);
  ent_newton_clear(&n);
  return status;
}

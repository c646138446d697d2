/* L-BFGS on sums over all rows, preconditioned by the Hessian of a sample: see refine.h. */
#include "solve/refine.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/memory.h"
#include "solve/newton.h"

#define MOST_STEPS 50
#define MOST_TRIALS 40          /* of the line search */
#define MOST_PAIRS ((size_t)40) /* of steps and changes of the gradient that L-BFGS remembers */
#define FEWEST_PAIRS ((size_t)6)
#define PAIR_VALUES ((size_t)1 << 22) /* of all steps; fewer pairs are remembered where they are long */
#define FORCING 0.02 /* by which conjugate gradients reduce the residual; the sample's Hessian is off by more, mostly */
#define SLOW 0.1     /* a step that leaves more of the decrement is slow: the Hessian is taken anew */

typedef struct ent_refinement {
  const ent_refine_problem *problem;
  ent_newton
      n; /* of the sample: its labels are at the point where the Hessian is; x, gradient and step are of all rows */
  double curvature;               /* of the sample's losses there */
  size_t renewals;                /* of the preconditioner, before the Hessian was taken anew */
  bool is_current;                /* the Hessian is at x */
  ent_gradient_sums *sums;        /* at the trial point */
  double *weights, *offsets;      /* of the trial point, as ent_linear has them */
  double *trial, *slope;          /* the trial point, and the gradient there */
  double *steps, *changes;        /* [most_pairs * all] the last steps, and the changes of the gradient */
  double rate[MOST_PAIRS];        /* 1 / (step . change) */
  size_t most_pairs, pairs, next; /* how many there can be, and are; where the next one goes */
  size_t passes;                  /* over all rows */
} ent_refinement;

/* What is known at a point. */
typedef struct ent_refine_value {
  ent_losses losses;
  double objective;
} ent_refine_value;

ent_logistic_options ent_refine_options_default(void) {
  ent_logistic_options options = ent_logistic_options_default();
  options.most_steps = MOST_STEPS;
  return options;
}

static bool allocate(entropic_context *context, ent_refinement *f) {
  const ent_newton *n = &f->n;
  f->weights = ent_new(context, n->scores * n->features, sizeof *f->weights);
  f->offsets = ent_new(context, n->scores, sizeof *f->offsets);
  f->trial = ent_new(context, n->all, sizeof *f->trial);
  f->slope = ent_new(context, n->all, sizeof *f->slope);
  f->most_pairs = PAIR_VALUES / n->all;
  f->most_pairs = f->most_pairs < FEWEST_PAIRS ? FEWEST_PAIRS : f->most_pairs > MOST_PAIRS ? MOST_PAIRS : f->most_pairs;
  f->steps = ent_new_matrix(context, f->most_pairs, n->all, sizeof *f->steps);
  f->changes = ent_new_matrix(context, f->most_pairs, n->all, sizeof *f->changes);
  return f->weights != NULL && f->offsets != NULL && f->trial != NULL && f->slope != NULL && f->steps != NULL &&
         f->changes != NULL;
}

static void refinement_clear(ent_refinement *f) {
  double *const vectors[] = {f->weights, f->offsets, f->trial, f->slope, f->steps, f->changes};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    ent_delete(vectors[i]);
  ent_gradient_sums_free(f->sums);
  ent_newton_clear(&f->n);
}

/* Several scores: adding the same to those of all classes changes no probability. So at the optimum the weights of a feature
 * sum to 0 over the classes. There the Hessian has the penalty alone, or nothing; so points, gradients and steps are kept
 * there. */
static void centre_classes(const ent_newton *n, double *vector) {
  for (size_t j = 0; n->scores > 1 && j < n->length; j++) {
    double mean = 0;
    for (size_t k = 0; k < n->scores; k++)
      mean += vector[k * n->length + j] / (double)n->scores;
    for (size_t k = 0; k < n->scores; k++)
      vector[k * n->length + j] -= mean;
  }
}

static entropic_status check_classes(entropic_context *context, const ent_gradient_sums *sums) {
  for (size_t k = 0; k < sums->classes; k++)
    if (!(sums->weights[k] > 0))
      return ent_fail(context, ENTROPIC_BAD_DATA, "class %zu has no rows", k + 1);
  return ENTROPIC_OK;
}

/* Objective and gradient of all rows at the trial point. The objective is infinite if a score is not finite. */
static entropic_status evaluate(entropic_context *context, ent_refinement *f, ent_refine_value *value) {
  const ent_newton *n = &f->n;
  for (size_t k = 0; k < n->scores; k++) {
    memcpy(f->weights + k * n->features, f->trial + k * n->length, n->features * sizeof *f->weights);
    f->offsets[k] = f->trial[k * n->length + n->features];
  }
  ent_gradient_sums_clear(f->sums);
  f->passes++;
  const ent_linear at = {.weights = f->weights, .offsets = f->offsets, .count = n->scores};
  entropic_status status = f->problem->sums(context, f->problem->user, &at, f->sums);
  if (status != ENTROPIC_OK)
    return status;
  status = check_classes(context, f->sums);
  if (status != ENTROPIC_OK)
    return status;
  double weight = ent_gradient_sums_weight(f->sums);
  ent_gradient_sums_gradient(f->sums, f->slope);
  for (size_t k = 0; k < n->scores; k++)
    for (size_t j = 0; j < n->length; j++) {
      size_t i = k * n->length + j;
      f->slope[i] = f->slope[i] / weight + (j < n->features ? 2 * n->lambda * f->trial[i] : 0);
    }
  centre_classes(n, f->slope);
  value->losses = (ent_losses){.loss = ent_gradient_sums_loss(f->sums),
                               .separated = f->sums->misplaced == 0 && f->sums->broken == 0,
                               .margin = f->sums->margin};
  value->objective = f->sums->broken > 0
                         ? INFINITY
                         : value->losses.loss / weight + n->lambda * ent_newton_weights_dot(n, f->trial, f->trial);
  return ENTROPIC_OK;
}

/* The sample's Hessian where the labels' scores are. The preconditioner stays unless conjugate gradients take many steps with
 * it. */
static entropic_status take_hessian(entropic_context *context, ent_refinement *f) {
  ent_losses losses;
  entropic_status status = ent_labels_losses(context, f->n.labels, 0, &losses);
  if (status != ENTROPIC_OK)
    return status;
  f->curvature = losses.curvature;
  f->renewals = f->n.renewals;
  f->is_current = true;
  return ENTROPIC_OK;
}

/* The same at x. */
static entropic_status retake_hessian(entropic_context *context, ent_refinement *f) {
  entropic_status status = ent_newton_rescore(context, &f->n);
  return status != ENTROPIC_OK ? status : take_hessian(context, f);
}

/* Remembers the step from x to the trial point. The objective is convex, so their product is above 0, but for rounding. */
static void remember(ent_refinement *f) {
  const ent_newton *n = &f->n;
  double *step = f->steps + f->next * n->all, *change = f->changes + f->next * n->all;
  for (size_t i = 0; i < n->all; i++) {
    step[i] = f->trial[i] - n->x[i];
    change[i] = f->slope[i] - n->gradient[i];
  }
  double product = ent_dot(step, change, n->all);
  double least = 16 * DBL_EPSILON * sqrt(ent_dot(step, step, n->all) * ent_dot(change, change, n->all));
  if (!(product > least))
    return;
  f->rate[f->next] = 1 / product;
  f->next = (f->next + 1) % f->most_pairs;
  f->pairs += f->pairs < f->most_pairs;
}

static void add_multiple(double *to, double factor, const double *of, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] += factor * of[i];
}

/* n.step = -B gradient, B the matrix of L-BFGS, by its two loops; *decrement = -gradient.step. The gradient serves as work
 * space meanwhile. */
static entropic_status find_step(entropic_context *context, ent_refinement *f, double *decrement) {
  ent_newton *n = &f->n;
  double alpha[MOST_PAIRS], ignored;
  memcpy(f->trial, n->gradient, n->all * sizeof *f->trial);
  for (size_t i = 1; i <= f->pairs; i++) {
    size_t at = (f->next + f->most_pairs - i) % f->most_pairs;
    alpha[at] = f->rate[at] * ent_dot(f->steps + at * n->all, n->gradient, n->all);
    add_multiple(n->gradient, -alpha[at], f->changes + at * n->all, n->all);
  }
  centre_classes(n, n->gradient);
  if (n->renewals > f->renewals) /* it was renewed at this point: it cannot become better */
    n->inner = 0;
  entropic_status status = ent_newton_step(context, n, f->curvature, FORCING, &ignored);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = f->pairs; i >= 1; i--) {
    size_t at = (f->next + f->most_pairs - i) % f->most_pairs;
    double beta = f->rate[at] * ent_dot(f->changes + at * n->all, n->step, n->all);
    add_multiple(n->step, -alpha[at] - beta, f->steps + at * n->all, n->all);
  }
  memcpy(n->gradient, f->trial, n->all * sizeof *f->trial);
  centre_classes(n, n->step);
  *decrement = -ent_dot(n->gradient, n->step, n->all);
  return ENTROPIC_OK;
}

/* A shorter step after one that went too far: where the slope along it would be 0 if it were linear, within bounds. */
static double shorten(const ent_refinement *f, double length, double decrement, bool is_finite) {
  double slope = is_finite ? ent_dot(f->slope, f->n.step, f->n.all) : INFINITY;
  double share = decrement / (decrement + slope);
  return length * (share > 0.1 && share < 0.5 ? share : share >= 0.5 ? 0.5 : 0.1);
}

/* Shortens the step until the objective falls enough; each trial is a pass over all rows. Near the minimum, where the decrease
 * is below the rounding of the objective, the full step is accepted. *length becomes 0 if no step is. Otherwise the trial point
 * is the next one. */
static entropic_status line_search(entropic_context *context, ent_refinement *f, double objective, double decrement,
                                   ent_refine_value *there, double *length) {
  const ent_newton *n = &f->n;
  double slack = 16 * DBL_EPSILON * fabs(objective);
  *length = 1;
  for (int i = 0; i < MOST_TRIALS; i++) {
    for (size_t j = 0; j < n->all; j++)
      f->trial[j] = n->x[j] + *length * n->step[j];
    entropic_status status = evaluate(context, f, there);
    if (status != ENTROPIC_OK)
      return status;
    bool is_finite = isfinite(there->objective) && ent_newton_is_finite(f->slope, n->all);
    if (is_finite && there->objective <= objective - 1e-4 * *length * decrement + slack)
      return ENTROPIC_OK;
    *length = shorten(f, *length, decrement, is_finite);
  }
  *length = 0;
  return ENTROPIC_OK;
}

/* The trial point becomes x. */
static void move(ent_refinement *f) {
  memcpy(f->n.x, f->trial, f->n.all * sizeof *f->trial);
  memcpy(f->n.gradient, f->slope, f->n.all * sizeof *f->slope);
}

/* The step from x, and whether the fit has ended there. If the last steps mislead, they are forgotten. */
static entropic_status step_or_end(entropic_context *context, ent_refinement *f, const ent_refine_value *here,
                                   ent_logistic *fit, bool *has_ended) {
  ent_newton *n = &f->n;
  double decrement = NAN;
  if (isfinite(here->objective) && ent_newton_is_finite(n->gradient, n->all)) {
    entropic_status status = find_step(context, f, &decrement);
    if (status == ENTROPIC_OK && !(decrement > 0) && f->pairs > 0) {
      f->pairs = 0;
      status = find_step(context, f, &decrement);
    }
    if (status != ENTROPIC_OK)
      return status;
  }
  *has_ended = ent_newton_ended(n, &here->losses, here->objective, decrement, fit);
  return ENTROPIC_OK;
}

static entropic_status minimise(entropic_context *context, ent_refinement *f, size_t most_steps, ent_logistic *fit) {
  ent_refine_value here, there;
  double last = INFINITY, length = 1; /* the decrement before, and the length of that step */
  memcpy(f->trial, f->n.x, f->n.all * sizeof *f->trial);
  centre_classes(&f->n, f->trial);
  entropic_status status = evaluate(context, f, &here);
  if (status != ENTROPIC_OK)
    return status;
  move(f);
  for (fit->steps = 0;; fit->steps++) {
    bool has_ended;
    status = step_or_end(context, f, &here, fit, &has_ended);
    if (status != ENTROPIC_OK || has_ended)
      return status;
    if ((fit->decrement > SLOW * last || length < 1) && !f->is_current) {
      status = retake_hessian(context, f);
      if (status != ENTROPIC_OK)
        return status;
      status = step_or_end(context, f, &here, fit, &has_ended);
      if (status != ENTROPIC_OK || has_ended)
        return status;
    }
    last = fit->decrement;
    fit->end = ENT_END_LIMIT;
    if (fit->steps >= most_steps)
      return ENTROPIC_OK;
    status = line_search(context, f, here.objective, fit->decrement, &there, &length);
    if (status != ENTROPIC_OK)
      return status;
    fit->end = ENT_END_STALLED;
    if (length == 0)
      return ENTROPIC_OK;
    remember(f);
    move(f);
    f->is_current = false;
    here = there;
  }
}

entropic_status ent_logistic_refine(entropic_context *context, const ent_refine_problem *problem,
                                    ent_logistic_options options, ent_logistic **fit) {
  const ent_logistic_problem *sample = problem->sample;
  ent_refinement f = {.problem = problem};
  ent_logistic *made = NULL;
  entropic_status status = ent_newton_start(context, sample, &options, &f.n);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_gradient_sums_create(context, sample->map, sample->classes, problem->weight_exponent, &f.sums);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  if (!allocate(context, &f))
    goto done;
  made = ent_logistic_new(context, sample->map->features, sample->classes);
  if (made == NULL)
    goto done;
  status = take_hessian(context, &f);
  if (status != ENTROPIC_OK)
    goto done;
  status = minimise(context, &f, options.most_steps, made);
  if (status != ENTROPIC_OK)
    goto done;
  ent_newton_take_weights(&f.n, made);
  made->passes = f.passes;
  *fit = made;
  made = NULL;
  ent_newton_keep(&options, &f.n);
done:
  ent_logistic_free(made);
  refinement_clear(&f);
  return status;
}

/* The equations of Newton's method, and passes over the rows for them: see newton.h. */
#include "solve/newton.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/memory.h"

#define MOST_INNER 250                 /* steps of conjugate gradients for a Newton step */
#define PASSES_OF_PRODUCTS ((size_t)4) /* products of so many features with all others take as long as a pass */
#define SURE_MARGIN 30.0               /* a larger margin without penalty: the scores have no bound */
#define STALE_INNER 10                 /* after more steps of conjugate gradients the preconditioner is renewed */

/* u[k * rows + r] = the scores of the input. */
static void multiply_input(const ent_newton *n, const ent_lifted *lifted, double *u) {
  size_t rows = lifted->block.rows;
  ent_lifted_multiply(lifted, n->input, n->length, n->scores, u);
  for (size_t k = 0; k < n->scores; k++)
    for (size_t r = 0; r < rows; r++)
      u[k * rows + r] += n->input[k * n->length + n->features];
}

/* u = the Hessian of the loss in the scores times u. */
static void multiply_hessian(const ent_newton *n, size_t first, size_t rows, double *u) {
  if (n->scores > 1) {
    ent_labels_hessian(n->labels, first, rows, u);
    return;
  }
  for (size_t r = 0; r < rows; r++) {
    double p = n->labels->probability[first + r];
    u[r] *= n->labels->weights[first + r] * p * (1 - p);
  }
}

/* ENT_NEWTON_SCORES: the scores at the input into the labels. ENT_NEWTON_GRADIENT: sums of the gradient at the labels' probabilities. ENT_NEWTON_HESSIAN:
 * sums of the Hessian times the input, and the scores of the input into `along`. */
static entropic_status run_block(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  ent_newton *n = shared;
  size_t rows = lifted->block.rows, first = lifted->block.first, scores = n->scores;
  double *u = n->block + lane * ent_pass_block(n->pass) * scores, *sums = n->sums + lane * n->all;
  if (n->task == ENT_NEWTON_GRADIENT) {
    ent_labels_gradient(n->labels, first, rows, u);
  } else {
    double *out = (n->task == ENT_NEWTON_SCORES ? n->labels->score : n->along) + first * scores;
    multiply_input(n, lifted, u);
    for (size_t r = 0; r < rows; r++)
      for (size_t k = 0; k < scores; k++)
        out[r * scores + k] = u[k * rows + r];
  }
  if (n->task == ENT_NEWTON_SCORES)
    return ENTROPIC_OK;
  if (n->task == ENT_NEWTON_HESSIAN)
    multiply_hessian(n, first, rows, u);
  ent_lifted_multiply_trans(lifted, u, scores, sums, n->length);
  for (size_t k = 0; k < scores; k++)
    for (size_t r = 0; r < rows; r++)
      sums[k * n->length + n->features] += u[k * rows + r];
  return ENTROPIC_OK;
}

static entropic_status run_pass(entropic_context *context, ent_newton *n, enum ent_newton_task task,
                                const double *input) {
  n->task = task;
  n->input = input;
  n->passes++;
  memset(n->sums, 0, ENT_LANES * n->all * sizeof *n->sums);
  entropic_status status = ent_pass_run(context, n->pass, n->rows, run_block, n);
  if (status != ENTROPIC_OK)
    return status;
  ent_pass_sum(n->sums, n->all);
  return ENTROPIC_OK;
}

/* out = sums / N + 2 lambda of, the intercepts without the second term. */
static void finish_sums(const ent_newton *n, const double *of, double *out) {
  for (size_t k = 0; k < n->scores; k++)
    for (size_t j = 0; j < n->length; j++) {
      size_t i = k * n->length + j;
      out[i] = n->sums[i] / n->labels->weight + (j < n->features ? 2 * n->lambda * of[i] : 0);
    }
}

double ent_newton_weights_dot(const ent_newton *n, const double *a, const double *b) {
  double sum = 0;
  for (size_t k = 0; k < n->scores; k++)
    sum += ent_dot(a + k * n->length, b + k * n->length, n->features);
  return sum;
}

entropic_status ent_newton_evaluate(entropic_context *context, ent_newton *n, ent_losses *losses, double *objective) {
  entropic_status status = ent_labels_losses(context, n->labels, 0, losses);
  if (status != ENTROPIC_OK)
    return status;
  status = run_pass(context, n, ENT_NEWTON_GRADIENT, NULL);
  if (status != ENTROPIC_OK)
    return status;
  finish_sums(n, n->x, n->gradient);
  *objective = losses->loss / n->labels->weight + n->lambda * ent_newton_weights_dot(n, n->x, n->x);
  return ENTROPIC_OK;
}

entropic_status ent_newton_rescore(entropic_context *context, ent_newton *n) {
  return run_pass(context, n, ENT_NEWTON_SCORES, n->x);
}

/* z = P^-1 r */
static entropic_status apply(entropic_context *context, const ent_newton *n) {
  return n->hessian != NULL ? ent_hessian_apply(context, n->hessian, n->r, n->z)
                            : ent_preconditioner_apply(context, n->preconditioner, n->r, n->scores, n->z);
}

/* The mean of the intercepts changes no probability, so only this keeps it at 0. */
static void centre_intercepts(const ent_newton *n) {
  double mean = 0;
  for (size_t k = 0; k < n->scores; k++)
    mean += n->step[k * n->length + n->features] / (double)n->scores;
  for (size_t k = 0; k < n->scores; k++)
    n->step[k * n->length + n->features] -= mean;
  for (size_t i = 0; i < n->labels->rows * n->scores; i++)
    n->labels->direction[i] -= mean;
}

/* Takes `alpha` times p into the step, and its scores into the direction: so these need no pass. */
static void add_to_step(const ent_newton *n, double alpha) {
  for (size_t i = 0; i < n->all; i++)
    n->step[i] += alpha * n->p[i];
  for (size_t i = 0; i < n->labels->rows * n->scores; i++)
    n->labels->direction[i] += alpha * n->along[i];
}

/* step = -H^-1 gradient, until the residual has fallen by the factor `forcing`. Half is enough where it is so small that
 * the fit converges here or after this step. The scores of the step are the labels' direction; *decrement =
 * -gradient.step. */
static entropic_status find_step(entropic_context *context, ent_newton *n, double forcing, double *decrement) {
  memset(n->step, 0, n->all * sizeof *n->step);
  memset(n->labels->direction, 0, n->labels->rows * n->scores * sizeof *n->labels->direction);
  for (size_t i = 0; i < n->all; i++)
    n->r[i] = -n->gradient[i];
  entropic_status status = apply(context, n);
  if (status != ENTROPIC_OK)
    return status;
  memcpy(n->p, n->z, n->all * sizeof *n->p);
  double rho = ent_dot(n->r, n->z, n->all);
  double enough = fmax(forcing * forcing * rho, fmin(rho / 4, n->tolerance * n->tolerance / 100));
  for (n->inner = 0; n->inner < MOST_INNER && rho > enough; n->inner++) {
    status = run_pass(context, n, ENT_NEWTON_HESSIAN, n->p);
    if (status != ENTROPIC_OK)
      return status;
    finish_sums(n, n->p, n->q);
    double curvature = ent_dot(n->p, n->q, n->all);
    if (!(curvature > 0)) {
      if (n->inner == 0)
        add_to_step(n, 1);
      break;
    }
    add_to_step(n, rho / curvature);
    for (size_t i = 0; i < n->all; i++)
      n->r[i] -= rho / curvature * n->q[i];
    status = apply(context, n);
    if (status != ENTROPIC_OK)
      return status;
    double next = ent_dot(n->r, n->z, n->all);
    for (size_t i = 0; i < n->all; i++)
      n->p[i] = n->z[i] + next / rho * n->p[i];
    rho = next;
  }
  if (n->hessian != NULL)
    centre_intercepts(n);
  *decrement = -ent_dot(n->gradient, n->step, n->all);
  return ENTROPIC_OK;
}

/* A source of the same rows, weighted as in the Hessian. */
static entropic_status rewind_weighted(entropic_context *context, void *self) {
  const ent_newton *n = self;
  return n->rows->rewind(context, n->rows->self);
}

static entropic_status next_weighted(entropic_context *context, void *self, size_t most, ent_block *block) {
  const ent_newton *n = self;
  entropic_status status = n->rows->next(context, n->rows->self, most, block);
  if (status != ENTROPIC_OK)
    return status;
  block->weights = n->hessian_weights + block->first;
  return ENTROPIC_OK;
}

static entropic_status next_weighted_targets(entropic_context *context, void *self, size_t most, ent_block *block) {
  const ent_newton *n = self;
  entropic_status status = n->rows->next_targets(context, n->rows->self, most, block);
  if (status != ENTROPIC_OK)
    return status;
  block->weights = n->hessian_weights + block->first;
  return ENTROPIC_OK;
}

/* Several scores: one preconditioner for all, with the mean curvature of the rows. If conjugate gradients took many
 * steps with it, the blocks of the Hessian instead; they are renewed when conjugate gradients take many steps again. */
static entropic_status precondition_classes(entropic_context *context, ent_newton *n, double scale) {
  if (n->inner > STALE_INNER && ent_hessian_pays(n->features, n->scores)) {
    ent_hessian_free(n->hessian);
    n->hessian = NULL;
    n->renewals++;
    n->passes += n->features / PASSES_OF_PRODUCTS;
    return ent_hessian_create(context, n->pass, n->rows, n->labels, 2 * n->lambda, &n->hessian);
  }
  if (n->hessian != NULL)
    return ENTROPIC_OK;
  if (n->preconditioner == NULL) {
    entropic_status status = ent_preconditioner_create(context, n->map, n->pass, n->rows, n->head, &n->preconditioner);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ent_preconditioner_set(context, n->preconditioner, scale, 2 * n->lambda, true);
}

/* One score: collects the Hessian at the current point, without the penalty. */
static entropic_status collect_hessian(entropic_context *context, ent_newton *n) {
  for (size_t r = 0; r < n->labels->rows; r++) {
    double p = n->labels->probability[r];
    n->hessian_weights[r] = n->labels->weights[r] * fmax(p * (1 - p), ENT_LEAST_CURVATURE);
  }
  ent_rows weighted = *n->rows;
  weighted.self = n;
  weighted.rewind = rewind_weighted;
  weighted.next = next_weighted;
  weighted.next_targets = next_weighted_targets;
  ent_preconditioner_free(n->preconditioner);
  n->preconditioner = NULL;
  n->renewals++;
  n->passes += n->features / PASSES_OF_PRODUCTS;
  return ent_preconditioner_create(context, n->map, n->pass, &weighted, n->head, &n->preconditioner);
}

/* Makes or renews the preconditioner. For one score it is the Hessian at the point where it was last renewed. */
static entropic_status precondition(entropic_context *context, ent_newton *n, double curvature) {
  double weight = n->labels->weight, scale = fmax(curvature / weight, ENT_LEAST_CURVATURE) / weight;
  if (n->scores > 1)
    return precondition_classes(context, n, scale);
  bool fresh = n->preconditioner != NULL && n->inner <= STALE_INNER;
  if (fresh && n->is_set)
    return ENTROPIC_OK;
  n->is_set = true;
  if (fresh)
    return ent_preconditioner_set(context, n->preconditioner, 1 / weight, 2 * n->lambda, true);
  bool given = n->preconditioner == NULL && n->products != NULL;
  entropic_status status =
      given ? ent_preconditioner_of_products(context, n->products, &n->preconditioner) : collect_hessian(context, n);
  if (status != ENTROPIC_OK)
    return status;
  return ent_preconditioner_set(context, n->preconditioner, 1 / weight, 2 * n->lambda, true);
}

entropic_status ent_newton_step(entropic_context *context, ent_newton *n, double curvature, double forcing,
                                double *decrement) {
  entropic_status status = precondition(context, n, curvature);
  if (status != ENTROPIC_OK)
    return status;
  return find_step(context, n, forcing, decrement);
}

bool ent_newton_is_finite(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += 0 * values[i];
  return sum == 0;
}

bool ent_newton_ended(const ent_newton *n, const ent_losses *losses, double objective, double decrement,
                      ent_logistic *fit) {
  fit->objective = objective;
  fit->decrement = decrement;
  fit->separated = losses->separated;
  if (!isfinite(objective) || !isfinite(decrement) || !ent_newton_is_finite(n->x, n->all) ||
      !ent_newton_is_finite(n->gradient, n->all))
    fit->end = ENT_END_NOT_FINITE;
  else if (n->lambda == 0 && (losses->separated || losses->margin > SURE_MARGIN))
    fit->end = ENT_END_UNBOUNDED;
  else if (fabs(decrement) <= n->tolerance * n->tolerance)
    fit->end = ENT_END_CONVERGED;
  else if (decrement < 0) /* rounding: the step leads uphill */
    fit->end = ENT_END_STALLED;
  else
    return false;
  return true;
}

static bool allocate(entropic_context *context, ent_newton *n) {
  double **vectors[] = {&n->x, &n->gradient, &n->step, &n->r, &n->z, &n->p, &n->q};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    if ((*vectors[i] = ent_new(context, n->all, sizeof **vectors[i])) == NULL)
      return false;
  n->sums = ent_new(context, ENT_LANES * n->all, sizeof *n->sums);
  n->block = ent_new(context, ENT_LANES * ent_pass_block(n->pass) * n->scores, sizeof *n->block);
  n->along = ent_new_matrix(context, n->labels->rows, n->scores, sizeof *n->along);
  n->hessian_weights = ent_new(context, n->scores == 1 ? n->labels->rows : 0, sizeof *n->hessian_weights);
  return n->sums != NULL && n->block != NULL && n->along != NULL && n->hessian_weights != NULL;
}

void ent_newton_clear(ent_newton *n) {
  double *const vectors[] = {n->x,     n->gradient, n->step,           n->r, n->z, n->p, n->q, n->sums,
                             n->block, n->along,    n->hessian_weights};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    ent_delete(vectors[i]);
  ent_preconditioner_free(n->preconditioner);
  ent_hessian_free(n->hessian);
  ent_labels_free(n->labels);
  ent_pass_free(n->pass);
}

static entropic_status check(entropic_context *context, const ent_logistic_problem *problem) {
  const ent_logistic *start = problem->start;
  if (!(isfinite(problem->lambda) && problem->lambda >= 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "lambda: %g; expected a finite number, not negative",
                    problem->lambda);
  if (start != NULL && (start->features != problem->map->features || start->classes != problem->classes))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "a start of %zu features and %zu classes does not match %zu and %zu", start->features,
                    start->classes, problem->map->features, problem->classes);
  return ENTROPIC_OK;
}

static void set_start(ent_newton *n, const ent_logistic *start) {
  for (size_t k = 0; k < n->scores; k++) {
    memcpy(n->x + k * n->length, start->weights + k * n->features, n->features * sizeof *n->x);
    n->x[k * n->length + n->features] = start->offsets[k];
  }
}

void ent_newton_take_weights(const ent_newton *n, ent_logistic *fit) {
  for (size_t k = 0; k < n->scores; k++) {
    memcpy(fit->weights + k * n->features, n->x + k * n->length, n->features * sizeof *n->x);
    fit->offsets[k] = n->x[k * n->length + n->features];
  }
  fit->passes = n->passes;
}

entropic_status ent_newton_start(entropic_context *context, const ent_logistic_problem *problem,
                                 const ent_logistic_options *options, ent_newton *n) {
  *n = (ent_newton){.head = options->head, .products = options->products, .tolerance = options->tolerance};
  entropic_status status = check(context, problem);
  if (status != ENTROPIC_OK)
    return status;
  if (options->kept != NULL) {
    n->preconditioner = *options->kept;
    *options->kept = NULL;
  }
  n->map = problem->map;
  n->rows = problem->rows;
  n->features = problem->map->features;
  n->lambda = problem->lambda;
  n->length = n->features + 1;
  n->scores = ent_class_scores(problem->classes);
  n->all = n->scores * n->length;
  status = ent_labels_create(context, problem->rows, problem->classes, &n->labels);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_pass_create(context, problem->map, &n->pass);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_pass_keep(context, n->pass, n->labels->rows);
  if (status != ENTROPIC_OK)
    return status;
  if (!allocate(context, n))
    return ENTROPIC_NO_MEMORY;
  if (problem->start == NULL)
    return ENTROPIC_OK; /* at 0 the scores are 0 */
  set_start(n, problem->start);
  return ent_newton_rescore(context, n);
}

void ent_newton_keep(const ent_logistic_options *options, ent_newton *n) {
  if (options->kept == NULL)
    return;
  *options->kept = n->preconditioner;
  n->preconditioner = NULL;
}

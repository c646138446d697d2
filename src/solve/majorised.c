/* Losses by majorisation: see majorised.h. Vectors have, for each score, one element for each feature and one for the
 * intercept. */
#include "solve/majorised.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/memory.h"
#include "solve/precondition.h"

typedef struct ent_descent {
  const ent_rows *rows;
  const ent_loss *loss;
  double parameter;
  ent_pass *pass;
  ent_preconditioner *matrix; /* of the ridge: [Z,1]'W[Z,1] / N + lambda I, exactly */
  size_t features, scores, length, all;
  double lambda, weight;
  double *x, *point;       /* where the last step ended; where the next begins */
  double *gradient, *step; /* half the gradient at the point; point - step is the ridge solution */
  double *sums;            /* for each lane: `all` sums, the loss and the weight */
  double *block;           /* a block of rows x scores for each lane */
} ent_descent;

ent_majorised_options ent_majorised_options_default(const ent_loss *loss) {
  return (ent_majorised_options){.tolerance = loss->tolerance, .most_steps = 300};
}

void ent_majorised_free(ent_majorised *fit) {
  if (fit == NULL)
    return;
  ent_delete(fit->weights);
  ent_delete(fit->offsets);
  ent_delete(fit);
}

/* Adds a block to the gradient, the loss and the weight. */
static entropic_status add_block(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  const ent_descent *d = shared;
  const ent_block *block = &lifted->block;
  size_t rows = block->rows;
  double *u = d->block + lane * ent_pass_block(d->pass) * d->scores, *sums = d->sums + lane * (d->all + 2);
  ent_lifted_multiply(lifted, d->point, d->length, d->scores, u);
  for (size_t k = 0; k < d->scores; k++)
    for (size_t r = 0; r < rows; r++) {
      double y = block->y[r * block->y_stride + k], weight = ent_weight(block, r);
      double score = u[k * rows + r] + d->point[k * d->length + d->features], gradient;
      sums[d->all] += d->loss->row(y, score, weight, d->parameter, &gradient);
      sums[k * d->length + d->features] += gradient;
      u[k * rows + r] = gradient;
    }
  for (size_t r = 0; r < rows; r++)
    sums[d->all + 1] += ent_weight(block, r);
  ent_lifted_multiply_trans(lifted, u, d->scores, sums, d->length);
  return ENTROPIC_OK;
}

/* The objective, half its gradient and the weight of all rows, at the point. */
static entropic_status evaluate(entropic_context *context, ent_descent *d, double *objective) {
  memset(d->sums, 0, ENT_LANES * (d->all + 2) * sizeof *d->sums);
  entropic_status status = ent_pass_run(context, d->pass, d->rows, add_block, d);
  if (status != ENTROPIC_OK)
    return status;
  ent_pass_sum(d->sums, d->all + 2);
  d->weight = d->sums[d->all + 1];
  *objective = d->sums[d->all] / d->weight;
  for (size_t k = 0; k < d->scores; k++)
    for (size_t j = 0; j < d->length; j++) {
      size_t i = k * d->length + j;
      bool penalised = j < d->features;
      d->gradient[i] = d->sums[i] / d->weight + (penalised ? d->lambda * d->point[i] : 0);
      *objective += penalised ? d->lambda * d->point[i] * d->point[i] : 0;
    }
  return ENTROPIC_OK;
}

/* From the point to the end of its step, and on from there by the momentum; *t is Nesterov's sequence. */
static void move(ent_descent *d, double *t) {
  double uphill = 0;
  for (size_t i = 0; i < d->all; i++)
    uphill += d->gradient[i] * (d->point[i] - d->step[i] - d->x[i]);
  if (uphill > 0)
    *t = 1;
  double next = (1 + sqrt(1 + 4 * *t * *t)) / 2, momentum = (*t - 1) / next;
  for (size_t i = 0; i < d->all; i++) {
    double end = d->point[i] - d->step[i];
    d->point[i] = end + momentum * (end - d->x[i]);
    d->x[i] = end;
  }
  *t = next;
}

/* Evaluates at the point and finds the step to the ridge solution there. */
static entropic_status find_step(entropic_context *context, ent_descent *d, const ent_map *map, ent_majorised *fit) {
  entropic_status status = evaluate(context, d, &fit->objective);
  if (status != ENTROPIC_OK)
    return status;
  if (d->matrix == NULL) {
    status = ent_preconditioner_create(context, map, d->pass, d->rows, d->features, &d->matrix);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_preconditioner_set(context, d->matrix, 1 / d->weight, d->lambda, true);
    if (status != ENTROPIC_OK)
      return status;
  }
  status = ent_preconditioner_apply(context, d->matrix, d->gradient, d->scores, d->step);
  if (status != ENTROPIC_OK)
    return status;
  fit->decrement = ent_dot(d->gradient, d->step, d->all);
  if (!isfinite(fit->objective) || !isfinite(fit->decrement))
    return ent_fail(context, ENTROPIC_BAD_DATA, "the %s loss is outside the range of a double", d->loss->name);
  return ENTROPIC_OK;
}

static entropic_status minimise(entropic_context *context, ent_descent *d, const ent_map *map,
                                const ent_majorised_options *options, ent_majorised *fit) {
  double t = 1;
  for (fit->steps = 0; !fit->converged && fit->steps < options->most_steps; fit->steps++) {
    entropic_status status = find_step(context, d, map, fit);
    if (status != ENTROPIC_OK)
      return status;
    fit->converged = fit->decrement <= options->tolerance * fit->objective;
    move(d, &t);
  }
  return ENTROPIC_OK;
}

/* From where the problem says. */
static void set_start(ent_descent *d, const ent_majorised_problem *problem) {
  for (size_t k = 0; k < d->scores && problem->weights != NULL; k++) {
    memcpy(d->x + k * d->length, problem->weights + k * d->features, d->features * sizeof *d->x);
    d->x[k * d->length + d->features] = problem->offsets[k];
  }
  memcpy(d->point, d->x, d->all * sizeof *d->x);
}

/* On failure descent_clear releases what was allocated. */
static entropic_status descent_start(entropic_context *context, const ent_majorised_problem *problem, ent_descent *d) {
  const ent_map *map = problem->map;
  const ent_rows *rows = problem->rows;
  *d = (ent_descent){.rows = rows,
                     .loss = problem->loss,
                     .parameter = problem->parameter,
                     .features = map->features,
                     .scores = rows->targets,
                     .length = map->features + 1,
                     .all = rows->targets * (map->features + 1),
                     .lambda = problem->lambda};
  entropic_status status = ent_pass_create(context, map, &d->pass);
  if (status != ENTROPIC_OK)
    return status;
  if (rows->count > 0) {
    status = ent_pass_keep(context, d->pass, rows->count);
    if (status != ENTROPIC_OK)
      return status;
  }
  double **vectors[] = {&d->x, &d->point, &d->gradient, &d->step};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    if ((*vectors[i] = ent_new(context, d->all, sizeof **vectors[i])) == NULL)
      return ENTROPIC_NO_MEMORY;
  d->sums = ent_new(context, ENT_LANES * (d->all + 2), sizeof *d->sums);
  d->block = ent_new(context, ENT_LANES * ent_pass_block(d->pass) * d->scores, sizeof *d->block);
  if (d->sums == NULL || d->block == NULL)
    return ENTROPIC_NO_MEMORY;
  set_start(d, problem);
  return ENTROPIC_OK;
}

static void descent_clear(ent_descent *d) {
  double *const vectors[] = {d->x, d->point, d->gradient, d->step, d->sums, d->block};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    ent_delete(vectors[i]);
  ent_preconditioner_free(d->matrix);
  ent_pass_free(d->pass);
}

static entropic_status take_weights(entropic_context *context, const ent_descent *d, ent_majorised *fit) {
  fit->features = d->features;
  fit->scores = d->scores;
  fit->weights = ent_new_matrix(context, d->scores, d->features, sizeof *fit->weights);
  fit->offsets = ent_new(context, d->scores, sizeof *fit->offsets);
  if (fit->weights == NULL || fit->offsets == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t k = 0; k < d->scores; k++) {
    memcpy(fit->weights + k * d->features, d->x + k * d->length, d->features * sizeof *d->x);
    fit->offsets[k] = d->x[k * d->length + d->features];
  }
  return ENTROPIC_OK;
}

entropic_status ent_majorised_fit(entropic_context *context, const ent_majorised_problem *problem,
                                  ent_majorised_options options, ent_majorised **fit) {
  if (problem->loss->method != ENT_METHOD_MAJORISED || problem->loss->row == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the %s loss is not found by majorisation", problem->loss->name);
  if (!(isfinite(problem->lambda) && problem->lambda >= 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "lambda: %g; expected a finite number, not negative",
                    problem->lambda);
  if (problem->map->features > ENT_MAJORISED_FEATURES)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%zu features; expected at most %zu with the %s loss",
                    problem->map->features, ENT_MAJORISED_FEATURES, problem->loss->name);
  ent_descent descent;
  ent_majorised *made = NULL;
  entropic_status status = descent_start(context, problem, &descent);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    goto done;
  status = minimise(context, &descent, problem->map, &options, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = take_weights(context, &descent, made);
  if (status != ENTROPIC_OK)
    goto done;
  *fit = made;
  made = NULL;
done:
  ent_majorised_free(made);
  descent_clear(&descent);
  return status;
}

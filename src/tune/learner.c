/* Learning by any of the solvers: see learner.h. */
#include "tune/learner.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/iterate.h"
#include "solve/measure.h"
#include "solve/pass.h"
#include "solve/ridge.h"

#define MOST_SQUARE ((size_t)20000) /* rows of a matrix that is held whole: 3 GB */
#define ITERATION_COST 400.0        /* passes that the iteration may need, when its cost is guessed */

/* Multiplications, roughly. What comes out must be the same on every machine, so memory is not asked for. */
entropic_solver ent_cheapest_solver(size_t rows, size_t features, size_t nonzeros) {
  double n = (double)rows, m = (double)features, b = (double)nonzeros;
  double direct = features <= MOST_SQUARE ? n * m * m / 2 + m * m * m / 3 : INFINITY;
  double dual = rows <= MOST_SQUARE ? n * n * m / 2 + n * n * n / 3 : INFINITY;
  double iterative = ITERATION_COST * 2 * n * b;
  if (direct <= dual)
    return direct <= iterative || features <= 2000 ? ENTROPIC_SOLVER_DIRECT : ENTROPIC_SOLVER_ITERATIVE;
  return dual <= iterative || rows <= 2000 ? ENTROPIC_SOLVER_DUAL : ENTROPIC_SOLVER_ITERATIVE;
}

void ent_learnt_clear(ent_learnt *learnt) {
  if (learnt->dual == NULL)
    ent_delete(learnt->weights);
  ent_delete(learnt->offsets);
  ent_dual_free(learnt->dual);
  *learnt = (ent_learnt){0};
}

/* Takes over arrays of weights and means. */
static void take(ent_learnt *learnt, size_t features, size_t scores, double **weights, double **means) {
  learnt->features = features;
  learnt->scores = scores;
  learnt->weights = *weights;
  learnt->offsets = *means;
  *weights = *means = NULL;
}

static entropic_status learn_direct(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                    const double *lambdas, size_t count, ent_learnt *learnt) {
  ent_statistics *statistics = NULL;
  ent_ridge *ridge = NULL;
  entropic_status status = ent_statistics_create(context, map->features, rows->targets, NULL, &statistics);
  if (status == ENTROPIC_OK)
    status = ent_statistics_collect(context, statistics, map, rows, ENT_PATH_AUTO);
  if (status == ENTROPIC_OK)
    status = ent_ridge_solve(context, statistics, lambdas, count, ENT_METHOD_AUTO, false, &ridge);
  if (status == ENTROPIC_OK)
    take(learnt, ridge->features, ridge->targets, &ridge->weights, &ridge->means);
  ent_ridge_free(ridge);
  ent_statistics_free(statistics);
  return status;
}

static entropic_status learn_dual(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                  const double *lambdas, size_t count, ent_learnt *learnt) {
  ent_dual *dual = NULL;
  entropic_status status = ent_dual_of_map(context, map, rows, lambdas, count, &dual);
  if (status == ENTROPIC_OK)
    take(learnt, dual->features, dual->targets, &dual->weights, &dual->means);
  ent_dual_free(dual);
  return status;
}

static entropic_status learn_exact(entropic_context *context, const entropic_kernel *kernel, const ent_rows *rows,
                                   const double *lambdas, size_t count, ent_learnt *learnt) {
  ent_dual *dual = NULL;
  entropic_status status = ent_dual_of_kernel(context, kernel, rows, lambdas, count, &dual);
  if (status != ENTROPIC_OK)
    return status;
  double *offsets = ent_new(context, dual->targets, sizeof *offsets);
  if (offsets == NULL) {
    ent_dual_free(dual);
    return ENTROPIC_NO_MEMORY;
  }
  memcpy(offsets, dual->means, dual->targets * sizeof *offsets);
  *learnt = (ent_learnt){
      .features = dual->rows, .scores = dual->targets, .weights = dual->coefficients, .offsets = offsets, .dual = dual};
  return ENTROPIC_OK;
}

static entropic_status learn_by_steps(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                      const double *lambdas, size_t count, ent_learnt *learnt) {
  size_t length = map->features * rows->targets; /* fits: features are below 2^31 */
  double *weights = ent_new_matrix(context, length, count, sizeof *weights);
  double *means = ent_new(context, rows->targets, sizeof *means);
  entropic_status status = weights == NULL || means == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t i = 0; i < count && status == ENTROPIC_OK; i++) {
    ent_iterated *result = NULL;
    status = ent_ridge_iterate(context, map, rows, lambdas[i], ent_iterate_options_default(), &result);
    if (status != ENTROPIC_OK)
      break;
    memcpy(weights + i * length, result->weights, length * sizeof *weights);
    memcpy(means, result->means, rows->targets * sizeof *means);
    if (!result->converged)
      learnt->ended = "the iteration stopped before it converged";
    ent_iterated_free(result);
  }
  if (status == ENTROPIC_OK)
    take(learnt, map->features, rows->targets, &weights, &means);
  ent_delete(weights);
  ent_delete(means);
  return status;
}

entropic_status ent_learn(entropic_context *context, const ent_learner *learner, const ent_rows *rows,
                          const double *lambdas, size_t count, ent_learnt *learnt) {
  *learnt = (ent_learnt){0};
  entropic_status status = ENTROPIC_BAD_ARGUMENT;
  switch (learner->solver) {
  case ENTROPIC_SOLVER_AUTO:
  case ENTROPIC_SOLVER_DIRECT:
    status = learn_direct(context, learner->map, rows, lambdas, count, learnt);
    break;
  case ENTROPIC_SOLVER_DUAL:
    status = learn_dual(context, learner->map, rows, lambdas, count, learnt);
    break;
  case ENTROPIC_SOLVER_ITERATIVE:
    status = learn_by_steps(context, learner->map, rows, lambdas, count, learnt);
    break;
  case ENTROPIC_SOLVER_EXACT:
    status = learn_exact(context, learner->kernel, rows, lambdas, count, learnt);
    break;
  }
  learnt->count = count;
  return status;
}

entropic_status ent_learnt_scores(entropic_context *context, const ent_learner *learner, const ent_learnt *learnt,
                                  size_t lambda, const ent_block *rows, double *scores) {
  if (learnt->dual != NULL)
    return ent_dual_predict(context, learnt->dual, learner->kernel, lambda, rows->x, rows->rows, rows->x_stride,
                            scores);
  return ent_scores(context, learner->map, rows->x, rows->rows, rows->x_stride,
                    learnt->weights + lambda * learnt->scores * learnt->features, learnt->offsets, learnt->scores,
                    scores);
}

void ent_held_clear(ent_held *held) {
  ent_row_subset_free(&held->train);
  ent_delete(held->x);
  ent_delete(held->y);
  ent_delete(held->weights);
  ent_delete(held->numbers);
  *held = (ent_held){0};
}

static entropic_status copy_held(entropic_context *context, const ent_trials *trials, const size_t *numbers,
                                 size_t count, ent_held *held) {
  size_t inputs = trials->inputs, targets = trials->targets;
  const ent_block *all = &trials->train;
  held->x = ent_new_matrix(context, count, inputs, sizeof *held->x);
  held->y = ent_new_matrix(context, count, targets, sizeof *held->y);
  held->weights = ent_new(context, count, sizeof *held->weights);
  if (held->x == NULL || held->y == NULL || held->weights == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < count; r++) {
    size_t row = numbers[r];
    memcpy(held->x + r * inputs, all->x + row * all->x_stride, inputs * sizeof *held->x);
    memcpy(held->y + r * targets, all->y + row * all->y_stride, targets * sizeof *held->y);
    held->weights[r] = ent_weight(all, row);
  }
  if (all->scaler != NULL)
    ent_scaler_fill_own(all->scaler, held->x, count);
  held->out = (ent_block){.rows = count,
                          .x = held->x,
                          .x_stride = inputs,
                          .y = held->y,
                          .y_stride = targets,
                          .weights = held->weights,
                          .missing = all->missing};
  return ENTROPIC_OK;
}

/* Validation rows that are not scaled yet. */
static entropic_status scale_valid(entropic_context *context, const ent_trials *trials, ent_held *held) {
  ent_block *out = &held->out;
  held->x = ent_new_matrix(context, out->rows, trials->inputs, sizeof *held->x);
  if (held->x == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_scaler_fill(out->scaler, out->x, out->rows, out->x_stride, held->x);
  out->x = held->x;
  out->x_stride = trials->inputs;
  out->scaler = NULL;
  return ENTROPIC_OK;
}

entropic_status ent_hold_out(entropic_context *context, const ent_trials *trials, size_t part, ent_held *held) {
  size_t rows = trials->train.rows;
  *held = (ent_held){.train = {.all = trials->train, .inputs = trials->inputs, .targets = trials->targets}};
  held->numbers = ent_new(context, rows, sizeof *held->numbers);
  if (held->numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  held->train.numbers = held->numbers;
  entropic_status status = ENTROPIC_OK;
  if (trials->valid != NULL) {
    held->out = *trials->valid;
    if (held->out.scaler != NULL)
      status = scale_valid(context, trials, held);
  } else {
    size_t inside = ent_fold_rows(trials->fold_of, rows, part, held->numbers);
    status = copy_held(context, trials, held->numbers, inside, held);
  }
  for (size_t r = 0; r < rows; r++)
    if (ent_teaches(trials, r, part))
      held->numbers[held->train.count++] = r;
  if (status != ENTROPIC_OK)
    ent_held_clear(held);
  return status;
}

/* Adds w (y - f)^2 of the rows held out to sums[lambda * targets + target], and the variance of that sum to variances,
 * unless it is NULL; a single row says nothing of it. */
static entropic_status add_errors(entropic_context *context, const ent_learner *learner, const ent_held *held,
                                  const ent_rows *rows, const double *lambdas, size_t count, double *sums,
                                  double *variances) {
  ent_learnt learnt;
  const ent_block *out = &held->out;
  size_t targets = rows->targets;
  double *scores = ent_new_matrix(context, out->rows, targets, sizeof *scores), weight = ent_weight_sum(out);
  double *squares = ent_new(context, 2 * targets, sizeof *squares);
  entropic_status status = scores == NULL || squares == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  learnt = (ent_learnt){0};
  if (status == ENTROPIC_OK)
    status = ent_learn(context, learner, rows, lambdas, count, &learnt);
  for (size_t i = 0; i < count && status == ENTROPIC_OK; i++) {
    status = ent_learnt_scores(context, learner, &learnt, i, out, scores);
    for (size_t r = 0; r < out->rows && status == ENTROPIC_OK; r++)
      for (size_t t = 0; t < targets; t++) {
        double difference = out->y[r * out->y_stride + t] - scores[r * targets + t];
        sums[i * targets + t] += ent_weight(out, r) * difference * difference;
      }
    if (variances == NULL || status != ENTROPIC_OK)
      continue;
    ent_measure(out, targets, scores, squares);
    for (size_t t = 0; t < targets; t++)
      variances[i * targets + t] += out->rows > 1 ? weight * weight * squares[targets + t] : NAN;
  }
  ent_learnt_clear(&learnt);
  ent_delete(scores);
  ent_delete(squares);
  return status;
}

entropic_status ent_refit_errors(entropic_context *context, const ent_learner *learner, const ent_trials *trials,
                                 size_t parts, const double *lambdas, size_t count, double *errors, double *variances) {
  size_t results = count * trials->targets;
  double weight = 0;
  entropic_status status = ENTROPIC_OK;
  memset(errors, 0, results * sizeof *errors);
  if (variances != NULL)
    memset(variances, 0, results * sizeof *variances);
  for (size_t k = 0; k < parts && status == ENTROPIC_OK; k++) {
    ent_held held;
    ent_trials_tell(trials, "trying lambdas", (double)k / (double)parts);
    status = ent_hold_out(context, trials, k, &held);
    if (status != ENTROPIC_OK)
      break;
    ent_rows rows = ent_rows_of_subset(&held.train);
    status = add_errors(context, learner, &held, &rows, lambdas, count, errors, variances);
    weight += ent_weight_sum(&held.out);
    ent_held_clear(&held);
  }
  for (size_t i = 0; i < results; i++) {
    errors[i] /= weight;
    if (variances != NULL)
      variances[i] /= weight * weight;
  }
  return status;
}

/* What the rows outside of the first part teach, from statistics. */
static entropic_status solve_first(entropic_context *context, const ent_trials *trials, const ent_found *found,
                                   ent_ridge **ridge) {
  const ent_statistics *total = found->total;
  if (trials->valid != NULL)
    return ent_ridge_solve(context, total, &found->lambda, 1, ENT_METHOD_AUTO, false, ridge);
  ent_statistics *others = NULL;
  entropic_status status = ent_statistics_create(context, total->features, total->targets, total->shift, &others);
  if (status == ENTROPIC_OK)
    status = trials->forward ? ent_sum_earlier(context, found->part, found->parts, 0, others)
                             : ent_leave_out(context, total, found->part, found->parts, 0, others);
  if (status == ENTROPIC_OK)
    status = ent_ridge_solve(context, others, &found->lambda, 1, ENT_METHOD_AUTO, false, ridge);
  ent_statistics_free(others);
  return status;
}

/* The weight of all rows that folds are tried on. */
static double validation_weight(const ent_trials *trials) {
  double weight = 0;
  if (!trials->forward)
    return ent_weight_sum(&trials->train);
  for (size_t r = 0; r < trials->train.rows; r++)
    weight += trials->fold_of[r] < trials->folds ? ent_weight(&trials->train, r) : 0;
  return weight;
}

entropic_status ent_found_spread(entropic_context *context, const ent_trials *trials, ent_found *found) {
  size_t targets = trials->targets;
  ent_ridge *ridge = NULL;
  ent_held held = {0};
  double *scores = NULL;
  double *squares = ent_new(context, 2 * targets, sizeof *squares);
  double *variances = ent_new(context, targets, sizeof *variances);
  entropic_status status = squares == NULL || variances == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK)
    status = solve_first(context, trials, found, &ridge);
  if (status == ENTROPIC_OK)
    status = ent_hold_out(context, trials, 0, &held);
  if (status == ENTROPIC_OK) {
    scores = ent_new_matrix(context, held.out.rows, targets, sizeof *scores);
    status = scores == NULL ? ENTROPIC_NO_MEMORY
                            : ent_scores(context, &found->lifting.map, held.out.x, held.out.rows, held.out.x_stride,
                                         ridge->weights, ridge->means, targets, scores);
  }
  if (status == ENTROPIC_OK) {
    double share = trials->valid != NULL ? 1 : ent_weight_sum(&held.out) / validation_weight(trials);
    ent_measure(&held.out, targets, scores, squares);
    for (size_t t = 0; t < targets; t++)
      variances[t] = held.out.rows > 1 ? share * squares[targets + t] : NAN;
    found->variances = variances;
    variances = NULL;
  }
  ent_ridge_free(ridge);
  ent_held_clear(&held);
  ent_delete(scores);
  ent_delete(squares);
  ent_delete(variances);
  return status;
}

/* Weights by any of the solvers: see learner.h. */
#include "tune/learner.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "solve/iterate.h"
#include "solve/measure.h"
#include "sums/pass.h"
#include "solve/ridge.h"

#define MOST_SQUARE ((size_t)20000)  /* rows of a matrix in memory: 3 GB */
#define ALWAYS_DIRECT ((size_t)2000) /* a matrix of so many rows is always worth it */
#define ITERATION_COST 400.0         /* passes that the iteration may need, when its cost is guessed */

/* By the number of multiplications. The choice must be the same on every machine, so free memory does not matter. */
entropic_solver ent_cheapest_solver(size_t rows, size_t features, size_t nonzeros) {
  double n = (double)rows, m = (double)features, b = (double)nonzeros;
  double direct = features <= MOST_SQUARE ? n * m * m / 2 + m * m * m / 3 : INFINITY;
  double dual = rows <= MOST_SQUARE ? n * n * m / 2 + n * n * n / 3 : INFINITY;
  double iterative = ITERATION_COST * 2 * n * b;
  if (direct <= dual)
    return direct <= iterative || features <= ALWAYS_DIRECT ? ENTROPIC_SOLVER_DIRECT : ENTROPIC_SOLVER_ITERATIVE;
  return dual <= iterative || rows <= ALWAYS_DIRECT ? ENTROPIC_SOLVER_DUAL : ENTROPIC_SOLVER_ITERATIVE;
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
  entropic_status status = ent_statistics_of_rows(context, map, rows, ENT_GRADE_EXACT, &statistics);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_ridge_solve(context, statistics, lambdas, count, ENT_METHOD_AUTO, &ridge);
  if (status != ENTROPIC_OK)
    goto done;
  take(learnt, ridge->features, ridge->targets, &ridge->weights, &ridge->means);
done:
  ent_ridge_free(ridge);
  ent_statistics_free(statistics);
  return status;
}

static entropic_status learn_dual(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                  const double *lambdas, size_t count, ent_learnt *learnt) {
  ent_dual *dual = NULL;
  entropic_status status = ent_dual_of_map(context, map, rows, lambdas, count, &dual);
  if (status != ENTROPIC_OK)
    return status;
  take(learnt, dual->features, dual->targets, &dual->weights, &dual->means);
  ent_dual_free(dual);
  return ENTROPIC_OK;
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

static entropic_status learn_iteratively(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                         const double *lambdas, size_t count, ent_learnt *learnt) {
  size_t length = map->features * rows->targets; /* fits: features are below 2^31 */
  double *weights = ent_new_matrix(context, length, count, sizeof *weights);
  double *means = ent_new(context, rows->targets, sizeof *means);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (weights == NULL || means == NULL)
    goto done;
  status = ENTROPIC_OK;
  for (size_t i = 0; i < count; i++) {
    ent_iterated *result = NULL;
    status = ent_ridge_iterate(context, map, rows, lambdas[i], ent_iterate_options_default(), &result);
    if (status != ENTROPIC_OK)
      goto done;
    memcpy(weights + i * length, result->weights, length * sizeof *weights);
    memcpy(means, result->means, rows->targets * sizeof *means);
    if (!result->converged)
      learnt->ended = "the iteration stopped before it converged";
    ent_iterated_free(result);
  }
  take(learnt, map->features, rows->targets, &weights, &means);
done:
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
    status = learn_iteratively(context, learner->map, rows, lambdas, count, learnt);
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
    return ent_dual_predict(context, learnt->dual, learner->kernel, lambda, rows, scores);
  return ent_scores(
      context, learner->map, rows,
      &(ent_linear){learnt->weights + lambda * learnt->scores * learnt->features, learnt->offsets, learnt->scores},
      scores);
}

/* Adds w (y - f)^2 of the validation rows to sums[targets], and the variance of that sum to variances[targets], unless
 * it is NULL. A single row has no variance. */
static void add_squares(const ent_block *rows, size_t targets, const double *scores, double *sums, double *variances,
                        double *squares) {
  double weight = ent_weight_sum(rows);
  for (size_t r = 0; r < rows->rows; r++)
    for (size_t t = 0; t < targets; t++) {
      double difference = rows->y[r * rows->y_stride + t] - scores[r * targets + t];
      sums[t] += ent_weight(rows, r) * difference * difference;
    }
  if (variances == NULL)
    return;
  ent_measure(rows, targets, scores, squares);
  for (size_t t = 0; t < targets; t++)
    variances[t] += rows->rows > 1 ? weight * weight * squares[targets + t] : NAN;
}

/* One refit, and what it adds to the sums of each lambda. */
static entropic_status add_errors(entropic_context *context, const ent_learner *learner, ent_held_out *held,
                                  ent_lambda_list lambdas, ent_refit_errors *sums) {
  const ent_block *validation = &held->validation;
  ent_rows rows = ent_rows_of_subset(&held->train);
  size_t targets = rows.targets;
  ent_learnt learnt = {0};
  double *scores = ent_new_matrix(context, validation->rows, targets, sizeof *scores);
  double *squares = ent_new(context, 2 * targets, sizeof *squares);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (scores == NULL || squares == NULL)
    goto done;
  status = ent_learn(context, learner, &rows, lambdas.values, lambdas.count, &learnt);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < lambdas.count; i++) {
    status = ent_learnt_scores(context, learner, &learnt, i, validation, scores);
    if (status != ENTROPIC_OK)
      goto done;
    add_squares(validation, targets, scores, sums->errors + i * targets,
                sums->variances == NULL ? NULL : sums->variances + i * targets, squares);
  }
done:
  ent_learnt_clear(&learnt);
  ent_delete(scores);
  ent_delete(squares);
  return status;
}

entropic_status ent_validate_by_refits(entropic_context *context, const ent_learner *learner,
                                       const ent_validation_splits *splits, size_t parts, ent_lambda_list lambdas,
                                       ent_refit_errors *output) {
  size_t results = lambdas.count * splits->targets;
  double weight = 0;
  memset(output->errors, 0, results * sizeof *output->errors);
  if (output->variances != NULL)
    memset(output->variances, 0, results * sizeof *output->variances);
  for (size_t k = 0; k < parts; k++) {
    ent_held_out held;
    ent_progress_at(context, "trying lambdas", k, parts);
    entropic_status status = ent_hold_out(context, splits, k, &held);
    if (status != ENTROPIC_OK)
      return status;
    status = add_errors(context, learner, &held, lambdas, output);
    weight += ent_weight_sum(&held.validation);
    ent_held_out_clear(&held);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t i = 0; i < results; i++) {
    output->errors[i] /= weight;
    if (output->variances != NULL)
      output->variances[i] /= weight * weight;
  }
  return ENTROPIC_OK;
}

/* Ridge on the rows outside of the first part, from statistics. */
static entropic_status solve_without_first(entropic_context *context, const ent_validation_splits *splits,
                                           const ent_search_result *result, ent_ridge **ridge) {
  const ent_fold_statistics *s = &result->statistics;
  if (splits->valid != NULL)
    return ent_ridge_solve(context, s->total, &result->lambda, 1, ENT_METHOD_AUTO, ridge);
  ent_statistics *others = NULL;
  entropic_status status =
      ent_statistics_create(context, s->total->features, s->total->targets, s->total->shift, &others);
  if (status != ENTROPIC_OK)
    return status;
  status = splits->forward ? ent_sum_earlier(context, s->set, s->sets, 0, others)
                           : ent_leave_out(context, s->total, s->set, s->sets, 0, others);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, others, &result->lambda, 1, ENT_METHOD_AUTO, ridge);
done:
  ent_statistics_free(others);
  return status;
}

/* The weight of all rows that are validated on. */
static double validation_weight(const ent_validation_splits *splits) {
  double weight = 0;
  if (!splits->forward)
    return ent_weight_sum(&splits->train);
  for (size_t r = 0; r < splits->train.rows; r++)
    weight += splits->fold_of[r] < splits->folds ? ent_weight(&splits->train, r) : 0;
  return weight;
}

entropic_status ent_search_set_variances(entropic_context *context, const ent_validation_splits *splits,
                                         ent_search_result *result) {
  size_t targets = splits->targets;
  ent_ridge *ridge = NULL;
  ent_held_out held = {0};
  const ent_block *rows = &held.validation;
  double *scores = NULL;
  size_t *numbers = NULL;
  double *squares = ent_new(context, 2 * targets, sizeof *squares);
  double *variances = ent_new(context, targets, sizeof *variances);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (squares == NULL || variances == NULL)
    goto done;
  status = solve_without_first(context, splits, result, &ridge);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_hold_out(context, splits, 0, &held);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  scores = ent_new_matrix(context, rows->rows, targets, sizeof *scores);
  numbers = ent_new(context, splits->train.rows > rows->rows ? splits->train.rows : rows->rows, sizeof *numbers);
  if (scores == NULL || numbers == NULL)
    goto done;
  for (size_t r = 0; r < rows->rows; r++)
    numbers[r] = r;
  if (splits->valid == NULL)
    ent_fold_rows(splits->fold_of, splits->train.rows, 0, numbers);
  status =
      ent_scores(context, &result->lifting.map, rows, &(ent_linear){ridge->weights, ridge->means, targets}, scores);
  if (status != ENTROPIC_OK)
    goto done;
  double share = splits->valid != NULL ? 1 : ent_weight_sum(rows) / validation_weight(splits);
  ent_measure(rows, targets, scores, squares);
  for (size_t t = 0; t < targets; t++)
    variances[t] = rows->rows > 1 ? share * squares[targets + t] : NAN;
  result->validation.variances = variances;
  variances = NULL;
  result->validation.held = (ent_held_predictions){.rows = rows->rows, .numbers = numbers, .predictions = scores};
  scores = NULL;
  numbers = NULL;
done:
  ent_ridge_free(ridge);
  ent_held_out_clear(&held);
  ent_delete(scores);
  ent_delete(numbers);
  ent_delete(squares);
  ent_delete(variances);
  return status;
}

/* Weights from statistics: see statistics_calls.h. */
#include "update/statistics_calls.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "model/marginal_sums.h"
#include "model/statistics_file.h"
#include "solve/ridge.h"
#include "update/collection.h"

/* Lambdas that are compared, from the largest on, each a fraction of the one before. */
#define GCV_LAMBDAS 21
#define GCV_FIRST 1.0
#define GCV_STEP 0.31622776601683794 /* 1 / sqrt(10) */

void ent_solution_clear(ent_solution *solution) {
  ent_delete(solution->weights);
  ent_delete(solution->offsets);
  ent_delete(solution->member_lambda);
  *solution = (ent_solution){0};
}

/* The variance of a target about its mean, 0 or more. */
static double variance_of(const ent_statistics *s, size_t target) {
  size_t column = s->features + 1 + target;
  double mean = ent_product(s, s->features, column) / s->weight;
  return fmax(ent_product(s, column, column) / s->weight - mean * mean, 0);
}

/* The lambda whose generalised cross-validation is the least, summed over targets in units of their variances. */
static entropic_status choose_lambda(entropic_context *context, const ent_statistics *s, double *lambda) {
  double lambdas[GCV_LAMBDAS] = {GCV_FIRST}, best = INFINITY;
  ent_ridge *ridge = NULL;
  for (size_t i = 1; i < GCV_LAMBDAS; i++)
    lambdas[i] = lambdas[i - 1] * GCV_STEP;
  entropic_status status = ent_ridge_solve_gcv(context, s, lambdas, GCV_LAMBDAS, ENT_METHOD_AUTO, &ridge);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < GCV_LAMBDAS; i++) {
    double sum = 0;
    for (size_t t = 0; t < s->targets; t++) {
      double variance = variance_of(s, t);
      sum += variance > 0 ? ridge->gcv[i * s->targets + t] / variance : 0;
    }
    if (sum < best) { /* of a lambda with as many degrees of freedom as rows it is infinite or NaN */
      best = sum;
      *lambda = lambdas[i];
    }
  }
  ent_ridge_free(ridge);
  return ENTROPIC_OK;
}

/* One member: its part of the mean is added. */
static entropic_status add_member(entropic_context *context, const entropic_model *model, size_t number,
                                  ent_solution *solution) {
  const ent_frozen *frozen = model->frozen;
  const ent_frozen_member *member = &frozen->members[number];
  ent_fixed_targets targets = ent_frozen_targets(frozen);
  ent_statistics *s = NULL;
  ent_ridge *ridge = NULL;
  double *lambda = &solution->member_lambda[number], count = (double)frozen->member_count;
  entropic_status status = ent_fixed_gather(context, model->totals, &targets, member->features, member->count, &s);
  if (status != ENTROPIC_OK)
    return status;
  *lambda = solution->lambda >= 0 ? solution->lambda : member->lambda;
  if (solution->lambda == ENT_LAMBDA_BY_GCV && member->count > 0)
    status = choose_lambda(context, s, lambda);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, s, lambda, 1, ENT_METHOD_AUTO, &ridge);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t k = 0; k < model->scores; k++) {
    for (size_t i = 0; i < member->count; i++)
      solution->weights[k * model->main.features + (member->features == NULL ? i : member->features[i])] +=
          ridge->weights[k * member->count + i] / count;
    solution->offsets[k] += ridge->means[k] / count;
  }
done:
  ent_ridge_free(ridge);
  ent_statistics_free(s);
  return status;
}

static entropic_status check_finite(entropic_context *context, const entropic_model *model,
                                    const ent_solution *solution) {
  bool finite = true;
  for (size_t i = 0; i < model->scores * model->main.features; i++)
    finite = finite && isfinite(solution->weights[i]);
  for (size_t k = 0; k < model->scores; k++)
    finite = finite && isfinite(solution->offsets[k]);
  return finite ? ENTROPIC_OK
                : ent_fail(context, ENTROPIC_BAD_DATA,
                           "the weights are outside the range of a double; expected a larger lambda");
}

entropic_status ent_solution_find(entropic_context *context, const entropic_model *model, double lambda,
                                  ent_solution *solution) {
  size_t members = model->frozen->member_count;
  *solution = (ent_solution){.lambda = lambda};
  if (model->total_rows == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "statistics of no rows; expected at least one to solve from");
  solution->weights = ent_new_matrix(context, model->scores, model->main.features, sizeof *solution->weights);
  solution->offsets = ent_new(context, model->scores, sizeof *solution->offsets);
  solution->member_lambda = ent_new(context, members, sizeof *solution->member_lambda);
  if (solution->weights == NULL || solution->offsets == NULL || solution->member_lambda == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t m = 0; m < members; m++) {
    ent_progress_at(context, "solving", m, members);
    entropic_status status = add_member(context, model, m, solution);
    if (status != ENTROPIC_OK)
      return status;
  }
  return check_finite(context, model, solution);
}

void ent_solution_apply(const ent_solution *solution, entropic_model *model) {
  size_t members = model->frozen->member_count;
  memcpy(model->main.weights, solution->weights, model->scores * model->main.features * sizeof *model->main.weights);
  memcpy(model->offsets, solution->offsets, model->scores * sizeof *model->offsets);
  model->rows = (size_t)model->total_rows;
  model->solver = ENTROPIC_SOLVER_DIRECT;
  model->converged = true;
  if (solution->lambda == ENT_LAMBDA_OF_DESIGN)
    return;
  model->lambda = 0;
  for (size_t m = 0; m < members; m++) {
    model->frozen->members[m].lambda = solution->member_lambda[m];
    model->lambda += solution->member_lambda[m] / (double)members;
  }
}

entropic_status ent_model_keep_statistics(entropic_context *context, const entropic_dataset *train,
                                          entropic_model *model) {
  entropic_row_reader rows = ent_row_reader_of_dataset(train);
  ent_solution solution = {0};
  ent_collected collected;
  entropic_status status = ent_frozen_check(context, model);
  if (status != ENTROPIC_OK)
    return status;
  ent_progress_at(context, "collecting", 0, 1);
  status = ent_marginal_statistics(context, model, &model->totals);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_collect(context, model, &rows, NULL, model->totals, &collected);
  if (status != ENTROPIC_OK)
    goto done;
  model->total_rows = collected.rows;
  status = ent_solution_find(context, model, ENT_LAMBDA_OF_DESIGN, &solution);
  if (status != ENTROPIC_OK)
    goto done;
  ent_solution_apply(&solution, model);
  status = ent_marginals_renew(context, model);
  if (status != ENTROPIC_OK)
    goto done;
  model->validated = model->validation != ENTROPIC_VALIDATION_NONE;
  if (model->validated)
    status = ent_statistics_hash(context, model, model->validated_receipt);
done:
  ent_solution_clear(&solution);
  return status;
}

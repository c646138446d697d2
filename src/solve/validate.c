/* Errors from statistics, and exact cross-validation from the statistics of folds. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "base/blas.h"
#include "solve/ridge.h"

/* With v = (-a, shift - m, 1 at the target) the error of a row is v.(z, 1, y - shift), so the sum of its squares is
 * v'Gv. Of the targets v has a single one: their products with each other, which many classes have many of, are left
 * out but for its square. */
entropic_status ent_squared_errors(entropic_context *context, const ent_statistics *statistics, size_t count,
                                   const double *weights, const double *means, const size_t *targets, double *sums) {
  size_t size = statistics->size, features = statistics->features, length = features + 1, values;
  const ent_blas *blas;
  int columns;
  entropic_status status = ent_blas_get(context, &blas);
  if (status == ENTROPIC_OK)
    status = ent_blas_size(context, count, &columns);
  if (status != ENTROPIC_OK)
    return status;
  if (!ent_multiply(length, count, &values))
    values = SIZE_MAX; /* refused below */
  double *v = ent_new(context, values, sizeof *v), *product = ent_new(context, values, sizeof *product);
  if (v == NULL || product == NULL) {
    ent_delete(v);
    ent_delete(product);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < features; j++)
      v[i * length + j] = -weights[i * features + j];
    v[i * length + features] = statistics->shift[targets[i]] - means[i];
    memcpy(product + i * length, statistics->gram + (length + targets[i]) * size, length * sizeof *product);
  }
  if (count > 0)
    blas->dsymm(ENT_COL_MAJOR, ENT_LEFT, ENT_UPPER, (int)length, columns, 1, statistics->gram, (int)size, v, (int)length,
                1, product, (int)length);
  for (size_t i = 0; i < count; i++) {
    const double *target = statistics->gram + (length + targets[i]) * size;
    double sum = target[length + targets[i]];
    for (size_t j = 0; j < length; j++)
      sum += v[i * length + j] * (product[i * length + j] + target[j]);
    sums[i] = sum < 0 ? 0 : sum; /* by rounding; NaN stays */
  }
  ent_delete(v);
  ent_delete(product);
  return ENTROPIC_OK;
}

typedef struct ent_validation {
  const ent_statistics *total;
  ent_statistics *const *folds;
  size_t fold_count; /* that are tried on */
  bool forward;      /* there is one more, which is only learnt from */
  const double *lambdas;
  size_t count;
  ent_method method;
  double *sums; /* [fold][lambda * targets + target] */
} ent_validation;

entropic_status ent_ridge_errors(entropic_context *context, const ent_ridge *ridge, const ent_statistics *statistics,
                                 double *sums) {
  size_t models = ridge->count * ridge->targets;
  double *means = ent_new(context, models, sizeof *means);
  size_t *targets = ent_new(context, models, sizeof *targets);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (means != NULL && targets != NULL) {
    for (size_t i = 0; i < models; i++) {
      targets[i] = i % ridge->targets;
      means[i] = ridge->means[targets[i]];
    }
    status = ent_squared_errors(context, statistics, models, ridge->weights, means, targets, sums);
  }
  ent_delete(means);
  ent_delete(targets);
  return status;
}

entropic_status ent_leave_out(entropic_context *context, const ent_statistics *total, ent_statistics *const *folds,
                              size_t count, size_t k, ent_statistics *others) {
  if (folds[k]->weight <= total->weight / 2) {
    entropic_status status = ent_statistics_add(context, others, 1, total);
    return status == ENTROPIC_OK ? ent_statistics_add(context, others, -1, folds[k]) : status;
  }
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < count && status == ENTROPIC_OK; i++)
    if (i != k)
      status = ent_statistics_add(context, others, 1, folds[i]);
  return status;
}

entropic_status ent_sum_earlier(entropic_context *context, ent_statistics *const *sets, size_t count, size_t k,
                                ent_statistics *others) {
  entropic_status status = ENTROPIC_OK;
  for (size_t i = k + 1; i < count && status == ENTROPIC_OK; i++)
    status = ent_statistics_add(context, others, 1, sets[i]);
  return status;
}

static entropic_status validate_fold(entropic_context *context, void *shared, size_t k, int worker) {
  (void)worker;
  const ent_validation *v = shared;
  const ent_statistics *total = v->total;
  ent_statistics *others = NULL;
  ent_ridge *ridge = NULL;
  ent_progress former = ent_progress_enter(context, k, v->fold_count);
  entropic_status status = ent_statistics_create(context, total->features, total->targets, total->shift, &others);
  if (status == ENTROPIC_OK)
    status = v->forward ? ent_sum_earlier(context, v->folds, v->fold_count + 1, k, others)
                        : ent_leave_out(context, total, v->folds, v->fold_count, k, others);
  if (status == ENTROPIC_OK && !(others->weight > 0))
    status = ent_fail(context, ENTROPIC_BAD_DATA, "fold %zu holds all the rows; nothing is left to learn from", k + 1);
  if (status == ENTROPIC_OK)
    status = ent_ridge_solve(context, others, v->lambdas, v->count, v->method, false, &ridge);
  if (status == ENTROPIC_OK)
    status = ent_ridge_errors(context, ridge, v->folds[k], v->sums + k * v->count * total->targets);
  ent_progress_report(context, 1);
  ent_progress_leave(context, former);
  ent_statistics_free(others);
  ent_ridge_free(ridge);
  return status;
}

/* Tries every fold; errors are means over `weight`. */
static entropic_status validate(entropic_context *context, ent_validation v, double weight, double *errors) {
  size_t results = v.count * v.total->targets, all;
  if (!isfinite(v.total->weight))
    return ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g; expected a finite number",
                    v.total->weight);
  if (!ent_multiply(results, v.fold_count, &all))
    all = SIZE_MAX; /* refused below */
  const ent_blas *blas;
  entropic_status status = ent_blas_get(context, &blas); /* before there are threads: see blas.h */
  if (status != ENTROPIC_OK)
    return status;
  v.sums = ent_new(context, all, sizeof *v.sums);
  if (v.sums == NULL)
    return ENTROPIC_NO_MEMORY;
  status = ent_parallel(context, v.fold_count, validate_fold, &v);
  if (status == ENTROPIC_OK) {
    for (size_t i = 0; i < results; i++) {
      double sum = 0;
      for (size_t k = 0; k < v.fold_count; k++)
        sum += v.sums[k * results + i];
      errors[i] = sum / weight;
    }
  }
  ent_delete(v.sums);
  return status;
}

entropic_status ent_ridge_cross_validate(entropic_context *context, const ent_statistics *total,
                                         ent_statistics *const *folds, size_t fold_count, const double *lambdas,
                                         size_t count, ent_method method, double *errors) {
  ent_validation v = {
      .total = total, .folds = folds, .fold_count = fold_count, .lambdas = lambdas, .count = count, .method = method};
  return validate(context, v, total->weight, errors);
}

entropic_status ent_ridge_validate_forward(entropic_context *context, const ent_forward_sets *sets,
                                           const double *lambdas, size_t count, double *errors) {
  double weight = 0;
  for (size_t k = 0; k + 1 < sets->count; k++)
    weight += sets->set[k]->weight;
  ent_validation v = {.total = sets->total,
                      .folds = sets->set,
                      .fold_count = sets->count - 1,
                      .forward = true,
                      .lambdas = lambdas,
                      .count = count,
                      .method = ENT_METHOD_AUTO};
  return validate(context, v, weight, errors);
}

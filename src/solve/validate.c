/* Errors, cross-validation and forward validation from statistics alone: see ridge.h. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "base/dense.h"
#include "base/factor.h"
#include "solve/ridge.h"

/* The vectors v and Gv of ent_ridge_errors, for all models. */
typedef struct ent_quadratic {
  size_t length; /* features + 1 */
  double *v;     /* length x models */
  double *gv;    /* length x models: G v */
} ent_quadratic;

/* The column of G for target number `target`. */
static const double *target_column(const ent_statistics *statistics, size_t target) {
  return statistics->gram + (statistics->features + 1 + target) * statistics->size;
}

/* v for every lambda and target; the part of Gv that the target contributes. */
static void set_vectors(const ent_ridge *ridge, const ent_statistics *statistics, ent_quadratic *q) {
  size_t features = statistics->features, length = q->length;
  for (size_t i = 0; i < ridge->count * ridge->targets; i++) {
    size_t target = i % ridge->targets;
    for (size_t j = 0; j < features; j++)
      q->v[i * length + j] = -ridge->weights[i * features + j];
    q->v[i * length + features] = statistics->shift[target] - ridge->means[target];
    memcpy(q->gv + i * length, target_column(statistics, target), length * sizeof *q->gv);
  }
}

/* sums[i] = v'Gv of model i. */
static void set_squares(const ent_ridge *ridge, const ent_statistics *statistics, const ent_quadratic *q,
                        double *sums) {
  size_t length = q->length;
  for (size_t i = 0; i < ridge->count * ridge->targets; i++) {
    size_t t = i % ridge->targets;
    const double *target = target_column(statistics, t);
    double sum = target[length + t];
    for (size_t j = 0; j < length; j++)
      sum += q->v[i * length + j] * (q->gv[i * length + j] + target[j]);
    sums[i] = sum < 0 ? 0 : sum; /* negative by rounding; NaN stays */
  }
}

/* With v = (-a, shift - m, 1 at the target), the error of a row is v.(z, 1, y - shift). So the sum of squared errors is
 * v'Gv. v is 0 at all other targets, so G is only multiplied for the features and the 1, and products of targets with
 * each other are left out. */
entropic_status ent_ridge_errors(entropic_context *context, const ent_ridge *ridge, const ent_statistics *statistics,
                                 double *sums) {
  size_t models = ridge->count * ridge->targets;
  ent_quadratic q = {.length = statistics->features + 1};
  ent_dense *dense = NULL;
  entropic_status status = ent_dense_create(context, 1, q.length, &dense);
  if (status != ENTROPIC_OK)
    return status;
  q.v = ent_new_matrix(context, q.length, models, sizeof *q.v);
  q.gv = ent_new_matrix(context, q.length, models, sizeof *q.gv);
  status = ENTROPIC_NO_MEMORY;
  if (q.v == NULL || q.gv == NULL)
    goto done;
  status = ENTROPIC_OK;
  set_vectors(ridge, statistics, &q);
  for (size_t first = 0, stripe = ent_columns_at_once(q.length); first < models; first += stripe) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    ent_dense_multiply(dense, &(ent_product_task){.rows = q.length,
                                                  .columns = models - first < stripe ? models - first : stripe,
                                                  .depth = q.length,
                                                  .a = {statistics->gram, 1, (ptrdiff_t)statistics->size, true},
                                                  .b = {q.v + first * q.length, 1, (ptrdiff_t)q.length, false},
                                                  .c = q.gv + first * q.length,
                                                  .ld = q.length});
  }
  set_squares(ridge, statistics, &q, sums);
done:
  ent_dense_free(dense);
  ent_delete(q.v);
  ent_delete(q.gv);
  return status;
}

entropic_status ent_leave_out(entropic_context *context, const ent_statistics *total, ent_statistics *const *folds,
                              size_t count, size_t k, ent_statistics *others) {
  if (folds[k]->weight <= total->weight / 2) {
    entropic_status status = ent_statistics_add(context, others, 1, total);
    return status != ENTROPIC_OK ? status : ent_statistics_add(context, others, -1, folds[k]);
  }
  for (size_t i = 0; i < count; i++) {
    if (i == k)
      continue;
    entropic_status status = ent_statistics_add(context, others, 1, folds[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_sum_earlier(entropic_context *context, ent_statistics *const *sets, size_t count, size_t k,
                                ent_statistics *others) {
  for (size_t i = k + 1; i < count; i++) {
    entropic_status status = ent_statistics_add(context, others, 1, sets[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

typedef struct ent_validation {
  const ent_ridge_sets *sets;
  size_t validated; /* so many sets, from the first on, are validation sets */
  bool forward;     /* training sets are those after the validation set; otherwise all others */
  const double *lambdas;
  size_t count;
  ent_method method;
  double *sums; /* [set][lambda * targets + target] */
} ent_validation;

/* The statistics of the training rows for validation set k. */
static entropic_status sum_training_sets(entropic_context *context, const ent_validation *v, size_t k,
                                         ent_statistics *training) {
  const ent_ridge_sets *sets = v->sets;
  entropic_status status = v->forward ? ent_sum_earlier(context, sets->set, sets->count, k, training)
                                      : ent_leave_out(context, sets->total, sets->set, sets->count, k, training);
  if (status != ENTROPIC_OK)
    return status;
  if (!(training->weight > 0))
    return ent_fail(context, ENTROPIC_BAD_DATA, "fold %zu holds all the rows; none are left for training", k + 1);
  return ENTROPIC_OK;
}

static entropic_status validate_set(entropic_context *context, void *shared, size_t k, int worker) {
  (void)worker;
  const ent_validation *v = shared;
  const ent_statistics *total = v->sets->total;
  ent_statistics *training = NULL;
  ent_ridge *ridge = NULL;
  ent_progress former = ent_progress_enter(context, k, v->validated);
  entropic_status status = ent_statistics_create(context, total->features, total->targets, total->shift, &training);
  if (status != ENTROPIC_OK)
    goto done;
  status = sum_training_sets(context, v, k, training);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_solve(context, training, v->lambdas, v->count, v->method, &ridge);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_ridge_errors(context, ridge, v->sets->set[k], v->sums + k * v->count * total->targets);
done:
  ent_progress_report(context, 1);
  ent_progress_leave(context, former);
  ent_statistics_free(training);
  ent_ridge_free(ridge);
  return status;
}

/* Validates on every validation set; errors are means over `weight`. */
static entropic_status validate(entropic_context *context, ent_validation v, double weight, double *errors) {
  const ent_statistics *total = v.sets->total;
  size_t results = v.count * total->targets;
  if (!isfinite(total->weight))
    return ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g; expected a finite number",
                    total->weight);
  v.sums = ent_new_matrix(context, results, v.validated, sizeof *v.sums);
  if (v.sums == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_parallel(context, v.validated, validate_set, &v);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < results; i++) {
    double sum = 0;
    for (size_t k = 0; k < v.validated; k++)
      sum += v.sums[k * results + i];
    errors[i] = sum / weight;
  }
done:
  ent_delete(v.sums);
  return status;
}

entropic_status ent_ridge_cross_validate(entropic_context *context, const ent_ridge_sets *sets, const double *lambdas,
                                         size_t count, ent_method method, double *errors) {
  ent_validation v = {.sets = sets, .validated = sets->count, .lambdas = lambdas, .count = count, .method = method};
  return validate(context, v, sets->total->weight, errors);
}

entropic_status ent_ridge_validate_forward(entropic_context *context, const ent_ridge_sets *sets, const double *lambdas,
                                           size_t count, double *errors) {
  double weight = 0;
  for (size_t k = 0; k + 1 < sets->count; k++)
    weight += sets->set[k]->weight;
  ent_validation v = {.sets = sets,
                      .validated = sets->count - 1,
                      .forward = true,
                      .lambdas = lambdas,
                      .count = count,
                      .method = ENT_METHOD_AUTO};
  return validate(context, v, weight, errors);
}

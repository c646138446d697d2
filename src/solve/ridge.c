/* Ridge regression from statistics: see ridge.h. */
#include "solve/ridge.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/memory.h"

void ent_ridge_free(ent_ridge *ridge) {
  if (ridge == NULL)
    return;
  ent_delete(ridge->weights);
  ent_delete(ridge->means);
  ent_delete(ridge->residual);
  ent_delete(ridge->freedom);
  ent_delete(ridge->gcv);
  ent_delete(ridge);
}

static ent_ridge *new_ridge(entropic_context *context, size_t features, size_t targets, size_t count, bool with_gcv) {
  size_t results, values;
  if (!ent_multiply(count, targets, &results) || !ent_multiply(results, features, &values))
    results = values = SIZE_MAX; /* refused below */
  ent_ridge *ridge = ent_new(context, 1, sizeof *ridge);
  if (ridge == NULL)
    return NULL;
  ridge->features = features;
  ridge->targets = targets;
  ridge->count = count;
  ridge->weights = ent_new(context, values, sizeof *ridge->weights);
  ridge->means = ent_new(context, targets, sizeof *ridge->means);
  ridge->residual = ent_new(context, results, sizeof *ridge->residual);
  bool complete = ridge->weights != NULL && ridge->means != NULL && ridge->residual != NULL;
  if (with_gcv) {
    ridge->freedom = ent_new(context, count, sizeof *ridge->freedom);
    ridge->gcv = ent_new(context, results, sizeof *ridge->gcv);
    complete = complete && ridge->freedom != NULL && ridge->gcv != NULL;
  }
  if (complete)
    return ridge;
  ent_ridge_free(ridge);
  return NULL;
}

/* Means, right-hand sides Z'W(y - m), and the weighted sums of (y - m)^2. */
static void centre(const ent_statistics *from, double *means, double *right, double *spread) {
  size_t features = from->features;
  for (size_t t = 0; t < from->targets; t++) {
    size_t y = features + 1 + t;
    double mean = ent_product(from, features, y) / from->weight; /* of y - shift */
    means[t] = from->shift[t] + mean;
    for (size_t j = 0; j < features; j++)
      right[t * features + j] = ent_product(from, j, y) - mean * ent_product(from, j, features);
    spread[t] = ent_product(from, y, y) - mean * ent_product(from, features, y);
  }
}

/* Residuals without a pass over rows: a'Z'WZa = a'right - lambda N a'a, because a solves the equations. */
static void set_residuals(ent_ridge *ridge, const ent_statistics *from, const double *shifts, const double *right,
                          const double *spread) {
  size_t n = ridge->features;
  for (size_t l = 0; l < ridge->count; l++) {
    double left = ridge->gcv == NULL ? 0 : 1 - ridge->freedom[l] / (double)from->rows;
    for (size_t t = 0; t < ridge->targets; t++) {
      size_t i = l * ridge->targets + t;
      const double *a = ridge->weights + i * n;
      double sum = spread[t] - ent_dot(a, right + t * n, n) - shifts[l] * ent_dot(a, a, n);
      ridge->residual[i] = fmax(sum, 0) / from->weight;
      if (ridge->gcv != NULL)
        ridge->gcv[i] = left > 0 ? ridge->residual[i] / (left * left) : INFINITY;
    }
  }
}

static entropic_status check(entropic_context *context, const ent_statistics *statistics, const double *lambdas,
                             size_t count) {
  for (size_t l = 0; l < count; l++)
    if (!(isfinite(lambdas[l]) && lambdas[l] >= 0))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "lambda: %g; expected a finite number, not negative", lambdas[l]);
  if (!(statistics->weight > 0 && isfinite(statistics->weight)))
    return ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g, expected more than 0",
                    statistics->weight);
  return ENTROPIC_OK;
}

/* Sets the degrees of freedom, and the weights. With A = Z'WZ + lambda N I and c = Z'W1, the trace of the linear map
 * from y to f is 1 + tr(A^-1 Z'WZ) - c'A^-1 c / N. The solutions have A^-1 c as a further column; `freedom` has the
 * trace of A^-1 Z'WZ. */
static void set_freedom(ent_ridge *ridge, const ent_statistics *from, const double *solutions) {
  size_t n = ridge->features, targets = ridge->targets;
  const double *ones = from->gram + n * from->size;
  for (size_t l = 0; l < ridge->count; l++) {
    const double *solved = solutions + l * (targets + 1) * n;
    memcpy(ridge->weights + l * targets * n, solved, targets * n * sizeof *solved);
    ridge->freedom[l] += 1 - ent_dot(ones, solved + targets * n, n) / from->weight;
  }
}

static entropic_status solve(entropic_context *context, const ent_statistics *statistics, const double *lambdas,
                             ent_method method, ent_ridge *ridge) {
  size_t n = statistics->features, targets = statistics->targets, count = ridge->count;
  bool with_gcv = ridge->gcv != NULL;
  double *right = ent_new(context, n * (targets + 1), sizeof *right);
  double *spread = ent_new(context, targets, sizeof *spread);
  double *shifts = ent_new(context, count, sizeof *shifts);
  double *solutions = ent_new(context, with_gcv ? count * (targets + 1) * n : 0, sizeof *solutions);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (right == NULL || spread == NULL || shifts == NULL || solutions == NULL)
    goto done;
  centre(statistics, ridge->means, right, spread);
  memcpy(right + targets * n, statistics->gram + n * statistics->size, n * sizeof *right);
  for (size_t l = 0; l < count; l++)
    shifts[l] = lambdas[l] * statistics->weight;
  const ent_multi_shift equations = {.n = n,
                                     .ld = statistics->size,
                                     .a = statistics->gram,
                                     .columns = targets + with_gcv,
                                     .right = right,
                                     .count = count,
                                     .shifts = shifts};
  status = ent_multi_shift_solve(context, &equations, method, with_gcv ? solutions : ridge->weights, ridge->freedom);
  if (status != ENTROPIC_OK)
    goto done;
  if (with_gcv)
    set_freedom(ridge, statistics, solutions);
  set_residuals(ridge, statistics, shifts, right, spread);
done:
  ent_delete(right);
  ent_delete(spread);
  ent_delete(shifts);
  ent_delete(solutions);
  return status;
}

/* Checks the arguments and solves into `made`, which it takes over; NULL if it could not be allocated. */
static entropic_status solve_into(entropic_context *context, const ent_statistics *statistics, const double *lambdas,
                                  ent_method method, ent_ridge *made, ent_ridge **ridge) {
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = check(context, statistics, lambdas, made->count);
  if (status != ENTROPIC_OK)
    goto fail;
  status = solve(context, statistics, lambdas, method, made);
  if (status != ENTROPIC_OK)
    goto fail;
  *ridge = made;
  return ENTROPIC_OK;
fail:
  ent_ridge_free(made);
  return status;
}

entropic_status ent_ridge_solve(entropic_context *context, const ent_statistics *statistics, const double *lambdas,
                                size_t count, ent_method method, ent_ridge **ridge) {
  ent_ridge *made = new_ridge(context, statistics->features, statistics->targets, count, false);
  return solve_into(context, statistics, lambdas, method, made, ridge);
}

entropic_status ent_ridge_solve_gcv(entropic_context *context, const ent_statistics *statistics, const double *lambdas,
                                    size_t count, ent_method method, ent_ridge **ridge) {
  ent_ridge *made = new_ridge(context, statistics->features, statistics->targets, count, true);
  return solve_into(context, statistics, lambdas, method, made, ridge);
}

/* Ridge from statistics, for a list of lambdas. */
#include "solve/ridge.h"

#include <math.h>
#include <string.h>

#include "base/dot.h"
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
    double mean = ent_product(from, features, y) / from->weight; /* of the shifted target */
    means[t] = from->shift[t] + mean;
    for (size_t j = 0; j < features; j++)
      right[t * features + j] = ent_product(from, j, y) - mean * ent_product(from, j, features);
    spread[t] = ent_product(from, y, y) - mean * ent_product(from, features, y);
  }
}

/* a'Z'WZa = a'right - lambda N a'a, because a solves the equations. */
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
    return ent_fail(context, ENTROPIC_BAD_DATA, "the weights of the rows sum to %g; expected more than 0",
                    statistics->weight);
  return ENTROPIC_OK;
}

/* The freedom, and the weights out of solutions that have one more column: (Z'WZ + lambda N I)^-1 Z'W1. With A the
 * matrix of the equations and c = Z'W1, fitting sends y to f by a map of trace 1 + tr(A^-1 Z'WZ) - c'A^-1 c / N; the
 * last term is what the features see of the mean. */
static void set_freedom(ent_ridge *ridge, const ent_statistics *from, const double *solutions) {
  size_t n = ridge->features, targets = ridge->targets;
  const double *ones = from->gram + n * from->size;
  for (size_t l = 0; l < ridge->count; l++) {
    const double *solved = solutions + l * (targets + 1) * n;
    memcpy(ridge->weights + l * targets * n, solved, targets * n * sizeof *solved);
    ridge->freedom[l] += 1 - ent_dot(ones, solved + targets * n, n) / from->weight;
  }
}

entropic_status ent_ridge_solve(entropic_context *context, const ent_statistics *statistics, const double *lambdas,
                                size_t count, ent_method method, bool with_gcv, ent_ridge **ridge) {
  entropic_status status = check(context, statistics, lambdas, count);
  if (status != ENTROPIC_OK)
    return status;
  size_t n = statistics->features, targets = statistics->targets;
  ent_ridge *made = new_ridge(context, n, targets, count, with_gcv);
  double *right = ent_new(context, n * (targets + 1), sizeof *right);
  double *spread = ent_new(context, targets, sizeof *spread);
  double *shifts = ent_new(context, count, sizeof *shifts);
  double *solutions = ent_new(context, with_gcv ? count * (targets + 1) * n : 0, sizeof *solutions);
  status = ENTROPIC_NO_MEMORY;
  if (made == NULL || right == NULL || spread == NULL || shifts == NULL || solutions == NULL)
    goto fail;
  centre(statistics, made->means, right, spread);
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
  status = ent_multi_shift_solve(context, &equations, method, with_gcv ? solutions : made->weights, made->freedom);
  if (status == ENTROPIC_OK) {
    if (with_gcv)
      set_freedom(made, statistics, solutions);
    set_residuals(made, statistics, shifts, right, spread);
    *ridge = made;
    made = NULL;
  }
fail:
  ent_ridge_free(made);
  ent_delete(right);
  ent_delete(spread);
  ent_delete(shifts);
  ent_delete(solutions);
  return status;
}

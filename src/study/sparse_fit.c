/* Costs at equal error, and exponents: see sparse.h. */
#include <math.h>

#include "claims/rate.h"
#include "study/sparse.h"

const char *ent_sparse_target_name(ent_sparse_target target) {
  return target == ENT_SPARSE_ALIGNED ? "aligned" : "oblique";
}

/* From a to b, both positive, in logarithms. */
static double between(double a, double b, double share) {
  return exp(log(a) + share * (log(b) - log(a)));
}

static ent_sparse_cost cost_of(const ent_sparse_point *a, const ent_sparse_point *b, double share) {
  return (ent_sparse_cost){.reached = true,
                           .features = between(a->features, b->features, share),
                           .nonzeros = between(a->nonzeros, b->nonzeros, share),
                           .train = between(a->train, b->train, share),
                           .predict = between(a->predict, b->predict, share)};
}

ent_sparse_cost ent_sparse_at_error(const ent_sparse_curve *curve, double error) {
  for (size_t i = 0; i < curve->count; i++) {
    const ent_sparse_point *point = &curve->points[i], *before = i > 0 ? point - 1 : point;
    if (!(point->error <= error))
      continue;
    if (i == 0 || point->error == error)
      return cost_of(point, point, 1);
    return cost_of(before, point, log(before->error / error) / log(before->error / point->error));
  }
  return (ent_sparse_cost){.features = NAN, .nonzeros = NAN, .train = NAN, .predict = NAN};
}

static double least_error(const ent_sparse_curve *curve) {
  double least = INFINITY;
  for (size_t i = 0; i < curve->count; i++)
    least = fmin(least, curve->points[i].error);
  return least;
}

size_t ent_sparse_equals(const ent_sparse_case *one, ent_sparse_equal equals[ENT_SPARSE_LEVELS]) {
  static const double factors[ENT_SPARSE_LEVELS - 1] = {2, 1.4, 1};
  const ent_sparse_curve *eof = &one->curves[ENT_SPARSE_EOF], *rks = &one->curves[ENT_SPARSE_RKS];
  size_t count = 0;
  for (size_t i = 0; i < ENT_SPARSE_LEVELS - 1; i++)
    if (factors[i] * least_error(rks) < 1)
      equals[count++].error = factors[i] * least_error(rks);
  if (least_error(eof) < least_error(rks))
    equals[count++].error = least_error(eof);
  for (size_t i = 0; i < count; i++)
    for (size_t m = 0; m < ENT_SPARSE_METHODS; m++)
      equals[i].costs[m] = ent_sparse_at_error(&one->curves[m], equals[i].error);
  return count;
}

/* The aligned case of so many inputs with most rows; NULL if there is none. */
static const ent_sparse_case *largest(const ent_sparse *sparse, size_t inputs) {
  const ent_sparse_case *found = NULL;
  for (size_t i = 0; i < sparse->count; i++) {
    const ent_sparse_case *one = &sparse->cases[i];
    if (one->target == ENT_SPARSE_ALIGNED && one->inputs == inputs && (found == NULL || one->rows > found->rows))
      found = one;
  }
  return found;
}

ent_sparse_exponents ent_sparse_exponents_of(const ent_sparse *sparse, const ent_sparse_growth *growth) {
  double logarithms[ENT_SPARSE_POINTS], seconds[ENT_SPARSE_POINTS];
  ent_sparse_exponents exponents;
  size_t count = 0;
  for (size_t i = 0; i < growth->count; i++)
    logarithms[i] = log(growth->features[i]);
  exponents.nonzeros = ent_log_slope(logarithms, growth->nonzeros, growth->count);
  exponents.products = ent_log_slope(logarithms, growth->products, growth->count);
  const ent_sparse_case *one = largest(sparse, growth->inputs);
  for (size_t i = 0; one != NULL && i < one->curves[ENT_SPARSE_EOF].count; i++) {
    const ent_sparse_point *point = &one->curves[ENT_SPARSE_EOF].points[i];
    if (isnan(point->gram))
      continue;
    logarithms[count] = log(point->features);
    seconds[count++] = point->gram;
  }
  exponents.gram = count >= 2 ? ent_log_slope(logarithms, seconds, count) : NAN;
  return exponents;
}

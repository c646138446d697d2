/* Targets in fixed-point statistics: see fixed_targets.h. */
#include "solve/fixed_targets.h"

#include <math.h>

#include "base/progress.h"

bool ent_fixed_split(double target, double shift, int exponent, size_t slices, double *columns) {
  double off = target - shift;
  if (!(fabs(off) <= ldexp(1, exponent)))
    return false;
  double high = slices == 1 ? off : ldexp(rint(ldexp(off, ENT_EXACT_BITS - exponent)), exponent - ENT_EXACT_BITS);
  columns[0] = high;
  if (slices > 1)
    columns[1] = off - high; /* exact */
  return true;
}

/* The product of two columns, correctly rounded. */
static double product_of(const ent_fixed *fixed, size_t a, size_t b) {
  size_t i = a < b ? a : b, j = a < b ? b : a;
  return ldexp((double)fixed->totals[ent_fixed_index(i, j)],
               fixed->exponents[i] + fixed->exponents[j] - 2 * ent_grade_bits(fixed->grade));
}

/* The product of a column, which is no target, and a target. */
static double product_with_target(const ent_fixed *fixed, size_t column, size_t target, size_t slices) {
  size_t first = fixed->features + 1 + target * slices;
  double product = product_of(fixed, column, first);
  return slices == 1 ? product : product + product_of(fixed, column, first + 1);
}

/* The product of two targets. */
static double product_of_targets(const ent_fixed *fixed, size_t a, size_t b, size_t slices) {
  size_t first = fixed->features + 1 + a * slices, second = fixed->features + 1 + b * slices;
  double high = product_of(fixed, first, second);
  if (slices == 1)
    return high;
  double mixed = product_of(fixed, first, second + 1) + product_of(fixed, first + 1, second);
  return high + (mixed + product_of(fixed, first + 1, second + 1));
}

/* The column of the fixed-point statistics that a feature or the 1 is. */
static size_t column_of(const ent_fixed *fixed, const uint32_t *features, size_t count, size_t column) {
  return column == count ? fixed->features : features == NULL ? column : features[column];
}

entropic_status ent_fixed_gather(entropic_context *context, const ent_fixed *fixed, const ent_fixed_targets *targets,
                                 const uint32_t *features, size_t count, ent_statistics **statistics) {
  if (fixed->targets != targets->count * targets->slices)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%zu columns of targets, expected %zu for each of %zu targets",
                    fixed->targets, targets->slices, targets->count);
  ent_statistics *made = NULL;
  entropic_status status = ent_statistics_create(context, count, targets->count, targets->shift, &made);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t b = 0; b < made->size; b++) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK) {
      ent_statistics_free(made);
      return status;
    }
    for (size_t a = 0; a <= b; a++)
      made->gram[b * made->size + a] =
          b <= count ? product_of(fixed, column_of(fixed, features, count, a), column_of(fixed, features, count, b))
          : a <= count
              ? product_with_target(fixed, column_of(fixed, features, count, a), b - count - 1, targets->slices)
              : product_of_targets(fixed, a - count - 1, b - count - 1, targets->slices);
  }
  made->weight = ent_product(made, count, count);
  made->rows = fixed->rows;
  *statistics = made;
  return ENTROPIC_OK;
}

/* The weights of LKRF. Of n candidates with alignments v the weights q maximise v.q over the simplex, not farther than
 * rho from uniform: mean((n q - 1)^2) <= rho, that is, sum q^2 <= R with R = (1 + rho) / n.
 *
 * If equal weights on the t largest v alone are allowed (1/t <= R), these maximise v.q; other weights on them are as good,
 * but none is more even. Otherwise the bound holds with equality, and stationarity
 * (v - eta = c q where q > 0, v <= eta where q = 0) gives q = max(0, v - eta) / c. With the k largest v above eta, their
 * mean m and scatter s = sum (v - m)^2, the sums of q and q^2 are 1 and R where
 *     c = k (m - eta),   (m - eta)^2 = s / (k (k R - 1)).
 * As eta falls, sum q^2 / (sum q)^2 falls from 1/t to 1/n, so there is one eta for R between the two. Its k is the first
 * for which that quotient, at eta = the next smaller v, is at most R. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "baselines/map.h"

typedef struct ent_valued {
  double value;
  size_t number;
} ent_valued;

static int larger_first(const void *a, const void *b) {
  const ent_valued *x = a, *y = b;
  if (x->value != y->value)
    return x->value > y->value ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

entropic_status ent_largest_first(entropic_context *context, const double *values, size_t count, size_t *order) {
  ent_valued *sorted = ent_new(context, count, sizeof *sorted);
  if (sorted == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < count; i++)
    sorted[i] = (ent_valued){values[i], i};
  qsort(sorted, count, sizeof *sorted, larger_first);
  for (size_t i = 0; i < count; i++)
    order[i] = sorted[i].number;
  ent_delete(sorted);
  return ENTROPIC_OK;
}

/* eta / the largest v, for a bound between 1 / count and 1 / ties, ties being how many are equal to the largest. */
static double find_threshold(const double *v, const size_t *order, size_t count, size_t ties, double bound) {
  double largest = v[order[0]], mean = 0, scatter = 0;
  for (size_t k = 1;; k++) {
    double value = v[order[k - 1]] / largest, apart = value - mean, spare = (double)k * bound - 1;
    mean += apart / (double)k;
    scatter += apart * (value - mean);
    if (k < count) {
      double above = mean - v[order[k]] / largest; /* m - eta at the next value */
      if (k < ties || !(spare > 0 && scatter / (double)k <= spare * above * above))
        continue;
    }
    return mean - sqrt(scatter / ((double)k * spare));
  }
}

entropic_status ent_alignment_weights(entropic_context *context, const double *alignments, size_t count, double rho,
                                      double *weights) {
  size_t *order = ent_new(context, count, sizeof *order), ties = 1;
  if (order == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_largest_first(context, alignments, count, order);
  if (status != ENTROPIC_OK)
    goto done;
  double bound = (1 + rho) / (double)count, largest = alignments[order[0]], eta = 0, sum = 0;
  while (ties < count && alignments[order[ties]] == largest)
    ties++;
  bool uniform = ties == count || !((double)count * bound > 1), peaked = !uniform && (double)ties * bound >= 1;
  if (!uniform && !peaked)
    eta = find_threshold(alignments, order, count, ties, bound);
  for (size_t i = 0; i < count; i++) {
    double above = alignments[i] / largest - eta;
    weights[i] = uniform ? 1 : peaked ? alignments[i] == largest : above > 0 ? above : 0;
    sum += weights[i];
  }
  for (size_t i = 0; i < count; i++)
    weights[i] /= sum;
done:
  ent_delete(order);
  return status;
}

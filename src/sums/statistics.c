/* Statistics: creation, release, sums. How rows get in is in gram.c. */
#include "sums/statistics.h"

#include <string.h>

#include "base/memory.h"
#include "base/progress.h"

entropic_status ent_statistics_create(entropic_context *context, size_t features, size_t targets, const double *shift,
                                      ent_statistics **statistics) {
  ent_statistics *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t square;
  made->features = features;
  made->targets = targets;
  made->size = features + 1 + targets;
  if (!ent_multiply(made->size, made->size, &square))
    square = SIZE_MAX; /* refused below */
  made->gram = ent_new(context, square, sizeof *made->gram);
  made->shift = ent_new(context, targets, sizeof *made->shift);
  if (made->gram == NULL || made->shift == NULL) {
    ent_statistics_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  if (shift != NULL)
    memcpy(made->shift, shift, targets * sizeof *shift);
  *statistics = made;
  return ENTROPIC_OK;
}

void ent_statistics_free(ent_statistics *statistics) {
  if (statistics == NULL)
    return;
  ent_delete(statistics->gram);
  ent_delete(statistics->shift);
  ent_delete(statistics);
}

/* ent_product(other, a, b) as it would be with the shifts of the sum: the column of a target is then its own plus the
 * difference of the shifts times the column of ones. */
static double reshifted_product(const ent_statistics *sum, const ent_statistics *other, size_t a, size_t b) {
  size_t one = sum->features;
  double by_a = a > one ? other->shift[a - one - 1] - sum->shift[a - one - 1] : 0;
  double by_b = b > one ? other->shift[b - one - 1] - sum->shift[b - one - 1] : 0;
  double product = ent_product(other, a, b);
  if (by_a != 0)
    product += by_a * ent_product(other, one, b);
  if (by_b != 0)
    product += by_b * ent_product(other, a, one);
  return by_a != 0 && by_b != 0 ? product + by_a * by_b * ent_product(other, one, one) : product;
}

entropic_status ent_statistics_add(entropic_context *context, ent_statistics *sum, double scale,
                                   const ent_statistics *other) {
  if (sum->features != other->features || sum->targets != other->targets)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "statistics of %zu features and %zu targets do not match those of %zu and %zu", other->features,
                    other->targets, sum->features, sum->targets);
  size_t size = sum->size;
  for (size_t b = 0; b < size; b++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t a = 0; b <= sum->features && a <= b; a++)
      sum->gram[b * size + a] += scale * other->gram[b * size + a];
    for (size_t a = 0; b > sum->features && a <= b; a++)
      sum->gram[b * size + a] += scale * reshifted_product(sum, other, a, b);
  }
  sum->weight += scale * other->weight;
  /* The number of rows changes by the rows of `other`, whatever the scale. */
  sum->rows = scale < 0 ? sum->rows - (other->rows < sum->rows ? other->rows : sum->rows) : sum->rows + other->rows;
  return ENTROPIC_OK;
}

entropic_status ent_statistics_head(entropic_context *context, const ent_statistics *statistics, size_t features,
                                    ent_statistics **head) {
  ent_statistics *made = NULL;
  entropic_status status = ent_statistics_create(context, features, statistics->targets, statistics->shift, &made);
  if (status != ENTROPIC_OK)
    return status;
  size_t skipped = statistics->features - features;
  for (size_t b = 0; b < made->size; b++) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK) {
      ent_statistics_free(made);
      return status;
    }
    size_t from = b < features ? b : b + skipped;
    for (size_t a = 0; a <= b; a++)
      made->gram[b * made->size + a] = statistics->gram[from * statistics->size + (a < features ? a : a + skipped)];
  }
  made->weight = statistics->weight;
  made->rows = statistics->rows;
  made->lift_seconds = statistics->lift_seconds;
  made->gram_seconds = statistics->gram_seconds;
  *head = made;
  return ENTROPIC_OK;
}

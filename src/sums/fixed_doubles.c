/* Fixed-point totals as statistics in doubles, each rounded once. */
#include <math.h>

#include "sums/fixed_collector.h"
#include "sums/fixed_targets.h"

/* The total of two columns of a tally. */
static ent_int128 total_of(const void *self, size_t a, size_t b) {
  const ent_fixed_tally *tally = self;
  if (tally->flushed == NULL)
    return ent_fixed_sums_total(tally->sums, a, b);
  return tally->flushed->totals[a < b ? ent_fixed_index(a, b) : ent_fixed_index(b, a)];
}

/* Features and the 1. */
static void write_totals(const ent_fixed *flushed, ent_statistics *statistics) {
  int twice = 2 * ent_grade_bits(flushed->grade);
  for (size_t b = 0; b <= flushed->features; b++)
    for (size_t a = 0; a <= b; a++)
      statistics->gram[b * statistics->size + a] +=
          ldexp((double)flushed->totals[ent_fixed_index(a, b)], flushed->exponents[a] + flushed->exponents[b] - twice);
}

entropic_status ent_fixed_tally_write(entropic_context *context, ent_fixed_tally *tally, bool sliced,
                                      ent_statistics *statistics) {
  size_t one = statistics->features, size = statistics->size;
  if (tally->sums == NULL)
    return ENTROPIC_OK;
  const ent_fixed *fixed = tally->sums->format->fixed;
  if (tally->flushed != NULL) {
    ent_fixed_sums_flush(tally->sums, tally->flushed);
    write_totals(tally->flushed, statistics);
  } else {
    entropic_status status = ent_fixed_sums_write(context, tally->sums, one + 1, statistics->gram, size);
    if (status != ENTROPIC_OK)
      return status;
  }
  statistics->weight +=
      ldexp((double)total_of(tally, one, one), 2 * (fixed->exponents[one] - ent_grade_bits(fixed->grade)));
  statistics->rows += tally->flushed == NULL ? tally->sums->weighted : tally->flushed->rows;
  const ent_fixed_lookup lookup = {.fixed = fixed, .slices = sliced ? 2 : 1, .total = total_of, .self = tally};
  for (size_t t = 0; t < statistics->targets; t++) {
    double *column = statistics->gram + (one + 1 + t) * size;
    for (size_t a = 0; a <= one; a++)
      column[a] += ent_fixed_with_target(&lookup, a, t);
    for (size_t s = 0; s <= t; s++)
      column[one + 1 + s] += ent_fixed_between_targets(&lookup, s, t);
  }
  return ENTROPIC_OK;
}

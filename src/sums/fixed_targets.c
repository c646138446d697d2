/* Targets in fixed-point statistics, and totals as statistics in doubles, each rounded once: see fixed_targets.h. */
#include "sums/fixed_targets.h"

#include <math.h>

#include "base/progress.h"
#include "sums/fixed_collector.h"

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

/* Totals of two columns, wherever they are kept. Those of a target are next to each other: see above. */
typedef struct ent_fixed_lookup {
  const ent_fixed *fixed; /* grade, features and exponents */
  size_t slices;          /* columns of a target */
  ent_int128 (*total)(const void *self, size_t a, size_t b);
  const void *self;
} ent_fixed_lookup;

/* The product of two columns, correctly rounded. */
static double product_of(const ent_fixed *fixed, size_t a, size_t b) {
  size_t i = a < b ? a : b, j = a < b ? b : a;
  return ldexp((double)fixed->totals[ent_fixed_index(i, j)],
               fixed->exponents[i] + fixed->exponents[j] - 2 * ent_grade_bits(fixed->grade));
}

/* high 2^(2 bits) + middle 2^bits + low, rounded once. If there is no room to shift, what is left is far below the last bit
 * of a double: then only whether it is 0 matters. */
static double round_digits(ent_int128 high, ent_int128 middle, ent_int128 low, int bits) {
  const ent_int128 unit = (ent_int128)1 << bits, room = (ent_int128)1 << (126 - bits);
  int exponent = 2 * bits;
  middle += low >> bits;
  high += middle >> bits;
  const ent_int128 digits[] = {middle & (unit - 1), low & (unit - 1)};
  for (int i = 0; i < 2; i++)
    if (high > -room && high < room && exponent == (2 - i) * bits) {
      high = high * unit + digits[i];
      exponent -= bits;
    } else {
      high |= digits[i] != 0;
    }
  return ldexp((double)high, exponent);
}

/* The product of a feature or the 1 with a target, rounded once. */
static double with_target(const ent_fixed_lookup *lookup, size_t column, size_t target) {
  const ent_fixed *fixed = lookup->fixed;
  int b = ent_grade_bits(fixed->grade);
  size_t first = fixed->features + 1 + lookup->slices * target, last = first + lookup->slices - 1;
  ent_int128 high = lookup->total(lookup->self, column, first);
  double sum =
      lookup->slices == 1 ? (double)high : round_digits(0, high, lookup->total(lookup->self, column, last), b + 1);
  return ldexp(sum, fixed->exponents[column] + fixed->exponents[last] - 2 * b);
}

/* That of targets s <= t. */
static double between_targets(const ent_fixed_lookup *lookup, size_t s, size_t t) {
  const ent_fixed *fixed = lookup->fixed;
  int b = ent_grade_bits(fixed->grade);
  size_t x = fixed->features + 1 + lookup->slices * s, y = fixed->features + 1 + lookup->slices * t;
  ent_int128 high = lookup->total(lookup->self, x, y);
  if (lookup->slices == 1)
    return ldexp((double)high, fixed->exponents[x] + fixed->exponents[y] - 2 * b);
  ent_int128 cross = lookup->total(lookup->self, x, y + 1) + lookup->total(lookup->self, x + 1, y);
  double sum = round_digits(high, cross, lookup->total(lookup->self, x + 1, y + 1), b + 1);
  return ldexp(sum, fixed->exponents[x + 1] + fixed->exponents[y + 1] - 2 * b);
}

/* The total of two columns of statistics. */
static ent_int128 total_of(const void *self, size_t a, size_t b) {
  const ent_fixed *fixed = self;
  return fixed->totals[a < b ? ent_fixed_index(a, b) : ent_fixed_index(b, a)];
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
  const ent_fixed_lookup lookup = {.fixed = fixed, .slices = targets->slices, .total = total_of, .self = fixed};
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
          b <= count   ? product_of(fixed, column_of(fixed, features, count, a), column_of(fixed, features, count, b))
          : a <= count ? with_target(&lookup, column_of(fixed, features, count, a), b - count - 1)
                       : between_targets(&lookup, a - count - 1, b - count - 1);
  }
  made->weight = ent_product(made, count, count);
  made->rows = fixed->rows;
  *statistics = made;
  return ENTROPIC_OK;
}

/* The total of two columns of a tally. */
static ent_int128 tally_total(const void *self, size_t a, size_t b) {
  const ent_fixed_tally *tally = self;
  return tally->flushed == NULL ? ent_fixed_sums_total(tally->sums, a, b) : total_of(tally->flushed, a, b);
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
      ldexp((double)tally_total(tally, one, one), 2 * (fixed->exponents[one] - ent_grade_bits(fixed->grade)));
  statistics->rows += tally->flushed == NULL ? tally->sums->weighted : tally->flushed->rows;
  const ent_fixed_lookup lookup = {.fixed = fixed, .slices = sliced ? 2 : 1, .total = tally_total, .self = tally};
  for (size_t t = 0; t < statistics->targets; t++) {
    double *column = statistics->gram + (one + 1 + t) * size;
    for (size_t a = 0; a <= one; a++)
      column[a] += with_target(&lookup, a, t);
    for (size_t s = 0; s <= t; s++)
      column[one + 1 + s] += between_targets(&lookup, s, t);
  }
  return ENTROPIC_OK;
}

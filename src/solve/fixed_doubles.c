/* Fixed-point totals as statistics in doubles, each rounded once. */
#include <math.h>

#include "solve/fixed_collector.h"

/* The total of two columns. */
static ent_int128 total_of(const ent_fixed_tally *tally, size_t a, size_t b) {
  if (tally->flushed == NULL)
    return ent_fixed_sums_total(tally->sums, a, b);
  return tally->flushed->totals[a < b ? ent_fixed_index(a, b) : ent_fixed_index(b, a)];
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

/* A feature or the 1 with a target. */
static double of_target(const ent_fixed_tally *tally, const ent_fixed *fixed, bool sliced, size_t a, size_t target) {
  int b = ent_grade_bits(fixed->grade);
  size_t column = fixed->features + 1 + (sliced ? 2 : 1) * target;
  if (!sliced)
    return ldexp((double)total_of(tally, a, column), fixed->exponents[a] + fixed->exponents[column] - 2 * b);
  double sum = round_digits(0, total_of(tally, a, column), total_of(tally, a, column + 1), b + 1);
  return ldexp(sum, fixed->exponents[a] + fixed->exponents[column + 1] - 2 * b);
}

/* Two targets, s <= t. */
static double of_targets(const ent_fixed_tally *tally, const ent_fixed *fixed, bool sliced, size_t s, size_t t) {
  int b = ent_grade_bits(fixed->grade);
  size_t x = fixed->features + 1 + (sliced ? 2 : 1) * s, y = fixed->features + 1 + (sliced ? 2 : 1) * t;
  if (!sliced)
    return ldexp((double)total_of(tally, x, y), fixed->exponents[x] + fixed->exponents[y] - 2 * b);
  ent_int128 cross = total_of(tally, x, y + 1) + total_of(tally, x + 1, y);
  double sum = round_digits(total_of(tally, x, y), cross, total_of(tally, x + 1, y + 1), b + 1);
  return ldexp(sum, fixed->exponents[x + 1] + fixed->exponents[y + 1] - 2 * b);
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
  for (size_t t = 0; t < statistics->targets; t++) {
    double *column = statistics->gram + (one + 1 + t) * size;
    for (size_t a = 0; a <= one; a++)
      column[a] += of_target(tally, fixed, sliced, a, t);
    for (size_t s = 0; s <= t; s++)
      column[one + 1 + s] += of_targets(tally, fixed, sliced, s, t);
  }
  return ENTROPIC_OK;
}

/* Knots and heights as whole numbers, where they are some. Decimals of 15 digits are whole numbers over a power of ten, and
 * that quotient is the same double again. Sorted numbers are close to a line, ranks are mostly on it: what is left of them
 * takes fewer bits. Of 1,000 knots of 15 digits that are 4 or 5 bytes a knot in the place of 16, of 3 digits 1 byte. */
#include <math.h>

#include "export/parts.h"

#define DECIMALS 17
#define SINGLE_DECIMALS 10       /* the largest power of ten that is a float */
#define MOST_WHOLE 0x1p54        /* what unit * x is at most; a double has some of these numbers */
#define MOST_SINGLE_WHOLE 0x1p24 /* a float has all whole numbers up to it */
#define MOST_ROUNDED 0x1p52
#define LEAST_GAP 16                 /* between rounded knots: what is linear there has the same slope, nearly */
#define MOST_STEP ((int64_t)1 << 50) /* times ENT_KNOTS it is no overflow */
#define PLAIN_BITS 16
#define MOST_TIES 64 /* rows that have the least value, or the largest */
#define MOST_ROWS 1e8
#define SAME 2.3e-16 /* of heights: a unit in the last place */

/* ---- Sequences ---- */

/* The line of that step below all numbers but the last; *range: how far they are above it, at most. */
static ent_export_sequence with_step(const int64_t *numbers, size_t count, int64_t step, uint64_t *range) {
  ent_export_sequence made = {.base = numbers[0], .step = step, .last = numbers[count - 1]};
  int64_t most = numbers[0];
  for (size_t k = 1; k + 1 < count; k++) {
    int64_t off = numbers[k] - step * (int64_t)k;
    made.base = off < made.base ? off : made.base;
    most = off > most ? off : most;
  }
  *range = (uint64_t)most - (uint64_t)made.base;
  for (uint64_t left = *range; left > 0; left >>= 1)
    made.bits++;
  return made;
}

/* The sequence of fewest bits: the range is a convex function of the step. */
static ent_export_sequence sequence_of(const ent_export_knots *knots, const ent_scale *scale,
                                       ent_export_number_at number) {
  int64_t numbers[ENT_KNOTS] = {0}, low = 0, high = MOST_STEP;
  size_t count = scale->knots;
  uint64_t one, next;
  for (size_t k = 0; k < count; k++)
    numbers[k] = number(knots, scale, k);
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    with_step(numbers, count, middle, &one);
    with_step(numbers, count, middle + 1, &next);
    if (one <= next)
      high = middle;
    else
      low = middle + 1;
  }
  return with_step(numbers, count, low, &one);
}

static bool is_same_line(const ent_export_sequence *a, const ent_export_sequence *b) {
  return a->bits == 0 && b->bits == 0 && a->base == b->base && a->step == b->step && a->last == b->last;
}

void ent_export_number_sequences(ent_export_parts *parts) {
  size_t count = 0;
  const ent_export_knots *before = NULL; /* the last one with ranks of its own */
  for (size_t i = 0; i < parts->scaled; i++) {
    ent_export_knots *knots = &parts->knots[i];
    if (knots->whole)
      knots->places_number = count++;
    if (!knots->ranked)
      continue;
    knots->shared = before != NULL && is_same_line(&before->rank, &knots->rank);
    knots->rank_number = knots->shared ? before->rank_number : count++;
    before = knots->shared ? before : knots;
  }
}

size_t ent_export_span(const ent_export_sequence *sequence, size_t numbers) {
  size_t all = numbers < 2 ? 0 : numbers - 1;
  double span = sequence->step > 0 ? ldexp(1, (int)sequence->bits) / (double)sequence->step + 5 : INFINITY;
  return span < (double)all ? (size_t)span : all;
}

size_t ent_export_word_count(const ent_export_sequence *sequence, size_t numbers) {
  return numbers < 2 || sequence->plain ? 0 : ((numbers - 1) * sequence->bits + 63) / 64;
}

static const ent_export_sequence *sequence_by(const ent_export_knots *knots, ent_export_number_at number) {
  return number == ent_export_rank ? &knots->rank : &knots->places;
}

uint64_t ent_export_left(const ent_export_knots *knots, const ent_scale *scale, ent_export_number_at number,
                         size_t knot) {
  const ent_export_sequence *sequence = sequence_by(knots, number);
  return (uint64_t)(number(knots, scale, knot) - sequence->step * (int64_t)knot - sequence->base);
}

uint64_t ent_export_word(const ent_export_knots *knots, const ent_scale *scale, ent_export_number_at number,
                         size_t word) {
  size_t bits = sequence_by(knots, number)->bits;
  uint64_t made = 0;
  for (size_t bit = 0; bit < 64; bit++) {
    size_t at = 64 * word + bit, knot = at / bits;
    if (knot + 1 >= scale->knots)
      break;
    made |= (ent_export_left(knots, scale, number, knot) >> (at % bits) & 1) << bit;
  }
  return made;
}

/* ---- Places ---- */

/* The whole number that is x over unit, to the last bit; NaN if there is none. */
static double whole_of(double x, double unit) {
  double product = rint(x * unit);
  const double near[] = {product, nextafter(product, -INFINITY), nextafter(product, INFINITY)};
  for (size_t i = 0; i < sizeof near / sizeof *near; i++)
    if (near[i] == rint(near[i]) && near[i] / unit == x)
      return near[i];
  return NAN;
}

static bool is_whole(const ent_scale *scale, double unit, double limit) {
  for (size_t k = 0; k < scale->knots; k++)
    if (!(fabs(whole_of(scale->at[k], unit)) <= limit))
      return false;
  return true;
}

int64_t ent_export_knot_integer(const ent_export_knots *knots, const ent_scale *scale, size_t knot) {
  return (int64_t)(knots->rounded ? rint(scale->at[knot] * knots->unit) : whole_of(scale->at[knot], knots->unit));
}

/* Rounds places if that takes fewer bits than there are. Heights stay, so a scaled value is off by what a knot is off times
 * the slope there, at most. */
static void round_places(const ent_scale *scale, double tolerance, ent_export_knots *knots) {
  ent_export_knots tried = *knots;
  double slope = 0;
  for (size_t k = 1; k < scale->knots; k++)
    slope = fmax(slope, (scale->height[k] - scale->height[k - 1]) / (scale->at[k] - scale->at[k - 1]));
  tried.whole = tried.rounded = true;
  tried.unit = slope / (2 * tolerance);
  if (!(tried.unit > 0 && isfinite(tried.unit)))
    return;
  for (size_t k = 0; k < scale->knots; k++) {
    if (!(fabs(scale->at[k] * tried.unit) <= MOST_ROUNDED))
      return;
    if (k > 0 && ent_export_knot_integer(&tried, scale, k) - ent_export_knot_integer(&tried, scale, k - 1) < LEAST_GAP)
      return;
  }
  tried.places = sequence_of(&tried, scale, ent_export_knot_integer);
  if (tried.places.bits <= ENT_EXPORT_MOST_BITS && (!knots->whole || tried.places.bits < knots->places.bits))
    *knots = tried;
}

/* ---- Heights ---- */

/* What a height has besides its rank: a half of the place within the range, for blended scaling. */
static double linear_part(const ent_scale *scale, size_t knot, bool blended) {
  return blended ? ent_fraction(scale->at[knot], scale->at[0], scale->at[scale->knots - 1]) / 2 : 0;
}

int64_t ent_export_rank(const ent_export_knots *knots, const ent_scale *scale, size_t knot) {
  return (int64_t)rint((scale->height[knot] - linear_part(scale, knot, knots->width > 0)) * knots->ranks);
}

/* Whether heights are ranks of so many rows, perhaps blended; sets them if they are. */
static bool is_ranked(const ent_scale *scale, double rows, bool blended, ent_export_knots *knots) {
  ent_export_knots tried = *knots;
  double range = scale->at[scale->knots - 1] - scale->at[0];
  tried.ranked = true;
  tried.ranks = (blended ? 4 : 2) * rows;
  tried.width = blended ? 2 * range : 0;
  if (!(rows >= 1 && rows <= MOST_ROWS && isfinite(2 * range)))
    return false;
  for (size_t k = 0; k < scale->knots; k++) {
    double from = scale->at[k] - scale->at[0];
    double height = (double)ent_export_rank(&tried, scale, k) / tried.ranks + (blended ? from / tried.width : 0);
    if (!(fabs(height - scale->height[k]) <= SAME))
      return false;
  }
  *knots = tried;
  return true;
}

/* All rows had a value; or the least value has the rank of the rows that have it. */
static void find_ranks(const ent_scale *scale, size_t rows, ent_export_knots *knots) {
  for (int blended = 0; blended < 2; blended++) {
    if (is_ranked(scale, (double)rows, blended, knots))
      return;
    for (int ties = 1; ties <= MOST_TIES; ties++) {
      double share = scale->height[0] * (blended ? 2 : 1);
      if (is_ranked(scale, rint(ties / (2 * share)), blended, knots))
        return;
    }
  }
}

ent_export_knots ent_export_shorten(const ent_scale *scale, size_t rows, bool single, double tolerance) {
  ent_export_knots knots = {.unit = 1};
  double unit = 1;
  if (scale->knots < 3)
    return knots;
  for (int d = 0; d <= (single ? SINGLE_DECIMALS : DECIMALS) && !knots.whole; d++) {
    knots.whole = is_whole(scale, unit, single ? MOST_SINGLE_WHOLE : MOST_WHOLE);
    knots.unit = knots.whole ? unit : 1;
    unit *= 10;
  }
  find_ranks(scale, rows, &knots);
  if (knots.whole)
    knots.places = sequence_of(&knots, scale, ent_export_knot_integer);
  if (!single)
    round_places(scale, tolerance, &knots);
  knots.places.plain = knots.whole && knots.places.bits <= PLAIN_BITS;
  if (knots.ranked)
    knots.rank = sequence_of(&knots, scale, ent_export_rank);
  return knots;
}

/* Ticks: see ticks.h. A tick is an integer times a power of ten, so that its value is the double nearest to what its
 * label says, and the label needs no rounding. */
#include "page/ticks.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page/page.h"

#define MINUS "\xe2\x88\x92" /* U+2212 */
#define TIMES "\xc3\x97"     /* U+00D7 */
/* With more steps than this to the end of an axis, labels would have more digits than anyone reads. */
#define LEAST_RELATIVE_SPAN 1e-9

void ent_span_start(ent_report_span *span, bool logarithmic) {
  *span = (ent_report_span){logarithmic, INFINITY, -INFINITY};
}

bool ent_span_fits(const ent_report_span *span, double value) {
  return fabs(value) <= ENT_SPAN_LARGEST && (!span->logarithmic || value >= 1 / ENT_SPAN_LARGEST);
}

void ent_span_add(ent_report_span *span, double value) {
  if (!ent_span_fits(span, value))
    return;
  span->low = fmin(span->low, value);
  span->high = fmax(span->high, value);
}

static void finish_linear(ent_report_span *span, bool zero) {
  double low = span->low, high = span->high;
  if (zero && low >= 0)
    low = 0;
  double size = fmax(fabs(low), fabs(high));
  double least = fmax(size * LEAST_RELATIVE_SPAN, 1 / ENT_SPAN_LARGEST);
  double extra = high == low ? (size > 0 ? 0.1 * size : 1) : fmax(0.04 * (high - low), least);
  /* Neither end may cross zero just to make room. */
  span->low = low >= 0 && low < extra ? 0 : low - extra;
  span->high = high <= 0 && -high < extra ? 0 : high + extra;
  if (span->low == span->high) /* both were zero, and may not cross it */
    span->high = 1;
}

static void finish_logarithmic(ent_report_span *span) {
  double extra = exp(fmax(0.04 * (log(span->high) - log(span->low)), 1e-6));
  if (span->high == span->low)
    extra = 2;
  span->low = fmax(span->low / extra, 1e-305);
  span->high = fmin(span->high * extra, 1e305);
}

void ent_span_finish(ent_report_span *span, bool zero) {
  if (!(span->low <= span->high)) {
    span->low = span->logarithmic ? 1 : 0;
    span->high = span->logarithmic ? 10 : 1;
  } else if (span->logarithmic) {
    finish_logarithmic(span);
  } else {
    finish_linear(span, zero);
  }
}

double ent_span_place(const ent_report_span *span, double value) {
  if (span->logarithmic)
    return (log10(value) - log10(span->low)) / (log10(span->high) - log10(span->low));
  return (value - span->low) / (span->high - span->low);
}

/* mantissa x 10^exponent, exactly rounded. */
static double scaled(int64_t mantissa, int exponent) {
  char text[48];
  double value = 0;
  int length = snprintf(text, sizeof text, "%" PRId64 "e%d", mantissa, exponent);
  entropic_parse_double(text, (size_t)length, &value);
  return value;
}

/* The digits of mantissa x 10^exponent without a power of ten; those of large integers in groups of three. */
static char *write_plain(int64_t mantissa, int exponent, char *p) {
  char digits[72];
  uint64_t size = mantissa < 0 ? -(uint64_t)mantissa : (uint64_t)mantissa;
  p = stpcpy(p, mantissa < 0 ? MINUS : "");
  if (exponent >= 0) {
    snprintf(digits, sizeof digits, "%" PRIu64 "%.*s", size, size == 0 ? 0 : exponent, "000000000000");
    return ent_group_digits(digits, p);
  }
  int count = snprintf(digits, sizeof digits, "%0*" PRIu64, 1 - exponent, size);
  int before = count + exponent;
  return p + sprintf(p, "%.*s.%s", before, digits, digits + before);
}

/* As mantissa x 10^(exponent - power) times 10^power. */
static void write_power(int64_t mantissa, int exponent, int power, char *label) {
  char *p = label;
  if (mantissa == 0) {
    strcpy(label, "0");
    return;
  }
  if (mantissa != 1 || exponent != power) {
    p = write_plain(mantissa, exponent - power, p);
    p = stpcpy(p, TIMES);
  }
  p = stpcpy(p, "10^");
  sprintf(p, "%s%d", power < 0 ? MINUS : "", power < 0 ? -power : power);
}

static int floor_log10(double value) {
  char text[32];
  int exponent = 0;
  snprintf(text, sizeof text, "%.14e", value); /* so that the double nearest to 1e-6 is one, also if it lies below */
  sscanf(strchr(text, 'e') + 1, "%d", &exponent);
  return exponent;
}

/* Multiples of step x 10^exponent from first to last. */
static void place_linear(ent_ticks *ticks, int64_t first, int64_t last, int step, int exponent) {
  ticks->count = 0;
  double largest = fmax(fabs(scaled(first * step, exponent)), fabs(scaled(last * step, exponent)));
  bool plain = largest < 1e6 && (largest >= 1e-3 || exponent >= -4);
  for (int64_t n = first; n <= last; n++) {
    ent_tick *tick = &ticks->tick[ticks->count++];
    tick->at = scaled(n * step, exponent);
    tick->steps = (int)(n % 1000);
    tick->labelled = true;
    if (plain)
      *write_plain(n * step, exponent, tick->label) = '\0';
    else
      write_power(n * step, exponent, floor_log10(largest), tick->label);
  }
}

/* The smallest step that gives at most so many ticks, 8 or more. The next smaller one, at most 2.5 times smaller, gives 9
 * at least, so this one gives 3 at least. */
static void make_linear(const ent_report_span *span, ent_ticks *ticks, int most) {
  static const int steps[] = {1, 2, 5};
  double width = span->high - span->low;
  int exponent = floor_log10(width) - 1;
  for (int i = 0;; i++) {
    int power = exponent + i / 3;
    double unit = scaled(steps[i % 3], power);
    /* An end that should be a multiple may be off by rounding. */
    double first = ceil(span->low / unit - 1e-6), last = floor(span->high / unit + 1e-6);
    if (last - first < most) {
      place_linear(ticks, (int64_t)first, (int64_t)last, steps[i % 3], power);
      return;
    }
  }
}

static bool inside(const ent_report_span *span, double value) {
  return value >= span->low * (1 - 1e-12) && value <= span->high * (1 + 1e-12);
}

/* Tenths of factors of powers of ten for ever longer axes, each with its rank: those of higher ranks go first where there
 * is no room for all labels. Those of the last rank have labels only at the low end. */
#define FACTORS 10
#define NEARLY_LINEAR 0.45 /* decades */
#define LAST_RANK 3

typedef struct ent_tick_factors {
  double most_decades;
  size_t count;
  int tenths[FACTORS], rank[FACTORS];
} ent_tick_factors;

static const ent_tick_factors factor_sets[] = {
    {1.1, 10, {10, 12, 15, 20, 25, 30, 40, 50, 60, 80}, {0, 2, 1, 0, 2, 1, 1, 0, 2, 2}},
    {2.3, 7, {10, 15, 20, 30, 40, 50, 70}, {0, 3, 1, 2, 3, 1, 3}},
    {3.3, 5, {10, 20, 30, 50, 70}, {0, 1, 3, 1, 3}},
    {4.3, 4, {10, 20, 30, 50}, {0, 3, 1, 3}},
    {INFINITY, 1, {10}, {0}}};

/* Whether all labels of these powers of ten can be written without one. */
static bool is_plain(int lowest, int highest) {
  return lowest >= -4 && highest <= 5;
}

/* A mantissa times a power of ten, if it lies on the axis. */
static void place_power(const ent_report_span *span, ent_ticks *ticks, int mantissa, int exponent, bool plain) {
  double at = scaled(mantissa, exponent);
  if (!inside(span, at) || ticks->count == ENT_TICKS_MOST)
    return;
  ent_tick *tick = &ticks->tick[ticks->count++];
  *tick = (ent_tick){.at = at, .labelled = true};
  if (plain)
    *write_plain(mantissa, exponent, tick->label) = '\0';
  else
    write_power(mantissa, exponent, floor_log10(at), tick->label);
}

static void place_factors(const ent_report_span *span, ent_ticks *ticks, const ent_tick_factors *factors, int lowest,
                          int highest) {
  bool plain = is_plain(lowest, highest);
  ticks->count = 0;
  for (int e = lowest; e <= highest; e++)
    for (size_t f = 0; f < factors->count; f++) {
      size_t before = ticks->count;
      bool whole = factors->tenths[f] % 10 == 0;
      place_power(span, ticks, factors->tenths[f] / (whole ? 10 : 1), whole ? e : e - 1, plain);
      if (ticks->count == before)
        continue;
      ticks->tick[before].rank = factors->rank[f];
      ticks->tick[before].labelled = factors->rank[f] < LAST_RANK;
      ticks->tick[before].steps = e;
    }
}

static size_t count_labels(const ent_ticks *ticks) {
  size_t count = 0;
  for (size_t i = 0; i < ticks->count; i++)
    count += ticks->tick[i].labelled;
  return count;
}

/* The powers of ten that are multiples of stride. */
static void place_decades(const ent_report_span *span, ent_ticks *ticks, int lowest, int highest, int stride) {
  ticks->count = 0;
  for (int e = lowest; e <= highest; e++) {
    size_t before = ticks->count;
    if (e % stride == 0)
      place_power(span, ticks, 1, e, is_plain(lowest, highest));
    if (ticks->count > before)
      ticks->tick[before].steps = e / stride;
  }
}

static void place_minors(const ent_report_span *span, ent_ticks *ticks, int lowest, int highest, bool within_decades) {
  for (int e = lowest; e <= highest; e++)
    for (int factor = 1; factor <= (within_decades ? 9 : 1); factor++) {
      double at = scaled(factor, e);
      if (inside(span, at) && ticks->minors < ENT_TICKS_MINOR)
        ticks->minor[ticks->minors++] = at;
    }
}

/* At most eight powers of ten, if there are too many for each to have a tick. */
static void make_decades(const ent_report_span *span, ent_ticks *ticks, int lowest, int highest, size_t powers) {
  static const size_t strides[] = {1, 2, 5, 10, 20, 50, 100, 200};
  size_t chosen = 0;
  while (powers / strides[chosen] >= 8)
    chosen++;
  place_decades(span, ticks, lowest, highest, (int)strides[chosen]);
  if (chosen < 3) /* otherwise there are too many to tell apart */
    place_minors(span, ticks, lowest, highest, chosen == 0);
}

static void make_logarithmic(const ent_report_span *span, ent_ticks *ticks) {
  int lowest = floor_log10(span->low), highest = floor_log10(span->high) + 1;
  double decades = log10(span->high) - log10(span->low);
  const ent_tick_factors *factors = factor_sets;
  size_t powers = 0;
  for (int e = lowest; e <= highest; e++)
    powers += inside(span, scaled(1, e));
  while (decades > factors->most_decades)
    factors++;
  if (factors->count == 1 || (powers >= 3 && !is_plain(lowest, highest))) {
    make_decades(span, ticks, lowest, highest, powers);
    return;
  }
  place_factors(span, ticks, factors, lowest, highest);
  if (decades < NEARLY_LINEAR || count_labels(ticks) < 3)
    make_linear(span, ticks, 16); /* of which there is not room for all labels, but for the lowest */
  place_minors(span, ticks, lowest, highest, true);
}

void ent_ticks_make(const ent_report_span *span, ent_ticks *ticks) {
  ticks->count = ticks->minors = 0;
  if (span->logarithmic)
    make_logarithmic(span, ticks);
  else
    make_linear(span, ticks, 8);
}

double ent_label_width(const char *label) {
  double width = 0;
  double one = 0.62; /* of a digit in a wide font */
  for (const char *p = label; *p != '\0'; p++) {
    if (*p == '^')
      one *= 0.75;
    else if ((*p & 0xc0) != 0x80) /* one for each character of UTF-8; signs are wider than digits */
      width += *p == '.' || *p == ',' ? 0.35 : (*p & 0x80) != 0 ? 1.35 * one : one;
  }
  return width;
}

/* Do all labels that are shown keep their distance? */
static bool apart(const ent_report_span *span, const ent_ticks *ticks, double length, double font, bool upright) {
  double end = -INFINITY;
  for (size_t i = 0; i < ticks->count; i++) {
    const ent_tick *tick = &ticks->tick[i];
    if (!tick->labelled)
      continue;
    double half = font * (upright ? 0.6 : ent_label_width(tick->label) / 2 + 0.4);
    double at = length * ent_span_place(span, tick->at);
    if (at - half < end)
      return false;
    end = at + half;
  }
  return true;
}

/* Rules that keep ever fewer labels: those of ranks 0 to 2; 0 and 1; 0; each 2nd, 5th, 10th step of these; each 2nd,
 * 3rd, ... of all ticks; the ends; the first. */
#define RANK_RULES LAST_RANK
#define STEP_RULES 3
#define STRIDE_RULES 8
#define RULES (RANK_RULES + STEP_RULES + STRIDE_RULES + 2)

static bool is_kept(const ent_ticks *ticks, size_t i, int rule) {
  static const int steps[STEP_RULES] = {2, 5, 10};
  const ent_tick *tick = &ticks->tick[i];
  if (rule < RANK_RULES)
    return tick->rank < RANK_RULES - rule;
  rule -= RANK_RULES;
  if (rule < STEP_RULES)
    return tick->rank == 0 && tick->steps % steps[rule] == 0;
  rule -= STEP_RULES;
  if (rule < STRIDE_RULES)
    return i % (size_t)(rule + 2) == 0;
  return i == 0 || (rule == STRIDE_RULES && i + 1 == ticks->count);
}

/* Where the rule leaves the low end of the axis bare, labels below the first one that is kept, as far as there is
 * room: the best errors are there. */
static void label_low_end(const ent_report_span *span, ent_ticks *ticks, double length, double font, bool upright) {
  size_t first = 0;
  while (first < ticks->count && !ticks->tick[first].labelled)
    first++;
  for (size_t i = 0; i < first; i++) {
    ticks->tick[i].labelled = true;
    if (!apart(span, ticks, length, font, upright))
      ticks->tick[i].labelled = false;
  }
}

void ent_ticks_thin(const ent_report_span *span, ent_ticks *ticks, double length, double font, bool upright) {
  for (int rule = 0; rule < RULES; rule++) {
    size_t wanted = rule + 2 < RULES ? 3 : RULES - (size_t)rule;
    for (size_t i = 0; i < ticks->count; i++)
      ticks->tick[i].labelled = is_kept(ticks, i, rule);
    if (count_labels(ticks) >= wanted && apart(span, ticks, length, font, upright))
      break;
  }
  if (span->logarithmic)
    label_low_end(span, ticks, length, font, upright);
}

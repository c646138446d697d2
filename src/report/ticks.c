/* Ticks: see ticks.h. A tick is an integer times a power of ten, so that its value is the double nearest to what its
 * label says, and the label needs no rounding. */
#include "report/ticks.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "entropic/entropic.h"

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

/* The digits of mantissa x 10^exponent without a power of ten. */
static char *write_plain(int64_t mantissa, int exponent, char *p) {
  char digits[72];
  uint64_t size = mantissa < 0 ? -(uint64_t)mantissa : (uint64_t)mantissa;
  p = stpcpy(p, mantissa < 0 ? MINUS : "");
  if (exponent >= 0)
    return p + sprintf(p, "%" PRIu64 "%.*s", size, size == 0 ? 0 : exponent, "000000000000");
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

/* The smallest step that gives at most 8 ticks. The next smaller one, at most 2.5 times smaller, gives 9 at least, so
 * this one gives 3 at least. */
static void make_linear(const ent_report_span *span, ent_ticks *ticks) {
  static const int steps[] = {1, 2, 5};
  double width = span->high - span->low;
  int exponent = floor_log10(width) - 1;
  for (int i = 0;; i++) {
    int power = exponent + i / 3;
    double unit = scaled(steps[i % 3], power);
    /* An end that should be a multiple may be off by rounding. */
    double first = ceil(span->low / unit - 1e-6), last = floor(span->high / unit + 1e-6);
    if (last - first < 8) {
      place_linear(ticks, (int64_t)first, (int64_t)last, steps[i % 3], power);
      return;
    }
  }
}

static bool inside(const ent_report_span *span, double value) {
  return value >= span->low * (1 - 1e-12) && value <= span->high * (1 + 1e-12);
}

/* The powers of ten among lowest .. highest that are multiples of stride. */
static void place_decades(const ent_report_span *span, ent_ticks *ticks, int lowest, int highest, int stride) {
  ticks->count = 0;
  for (int e = lowest; e <= highest; e++) {
    double at = scaled(1, e);
    if (e % stride != 0 || !inside(span, at))
      continue;
    ent_tick *tick = &ticks->tick[ticks->count++];
    *tick = (ent_tick){.at = at, .labelled = true, .steps = e / stride};
    if (lowest >= -4 && highest <= 4)
      *write_plain(1, e, tick->label) = '\0';
    else
      write_power(1, e, e, tick->label);
  }
}

static size_t count_inside(const ent_report_span *span, int lowest, int highest, const int *factors,
                           size_t factor_count) {
  size_t count = 0;
  for (int e = lowest; e <= highest; e++)
    for (size_t f = 0; f < factor_count; f++)
      count += inside(span, scaled(factors[f], e));
  return count;
}

/* 1, 2 and 5 times powers of ten. */
static void place_thirds(const ent_report_span *span, ent_ticks *ticks, int lowest, int highest) {
  ticks->count = 0;
  for (int e = lowest; e <= highest; e++)
    for (int factor = 1; factor <= 5; factor += factor == 1 ? 1 : 3) {
      double at = scaled(factor, e);
      if (!inside(span, at))
        continue;
      ent_tick *tick = &ticks->tick[ticks->count++];
      *tick = (ent_tick){.at = at, .labelled = true, .steps = factor == 1 ? 0 : 1};
      if (lowest >= -5 && highest <= 5)
        *write_plain(factor, e, tick->label) = '\0';
      else
        write_power(factor, e, e, tick->label);
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

static void make_logarithmic(const ent_report_span *span, ent_ticks *ticks) {
  static const int thirds[] = {1, 2, 5}, strides[] = {1, 2, 5, 10, 20, 50, 100, 200};
  int lowest = floor_log10(span->low), highest = floor_log10(span->high);
  size_t decades = count_inside(span, lowest, highest + 1, thirds, 1);
  if (decades < 3) {
    if (count_inside(span, lowest, highest + 1, thirds, 3) >= 3)
      place_thirds(span, ticks, lowest, highest + 1);
    else
      make_linear(span, ticks);
    place_minors(span, ticks, lowest, highest, true);
    return;
  }
  size_t chosen = 0;
  while (decades / (size_t)strides[chosen] >= 8)
    chosen++;
  place_decades(span, ticks, lowest, highest + 1, strides[chosen]);
  if (chosen < 3) /* otherwise there are too many to tell apart */
    place_minors(span, ticks, lowest, highest, chosen == 0);
}

void ent_ticks_make(const ent_report_span *span, ent_ticks *ticks) {
  ticks->count = ticks->minors = 0;
  if (span->logarithmic)
    make_logarithmic(span, ticks);
  else
    make_linear(span, ticks);
}

double ent_label_width(const char *label) {
  double width = 0;
  double one = 0.62; /* of a digit in a wide font */
  for (const char *p = label; *p != '\0'; p++) {
    if (*p == '^')
      one *= 0.75;
    else if ((*p & 0xc0) != 0x80) /* one for each character of UTF-8; signs are wider than digits */
      width += *p == '.' ? 0.35 : (*p & 0x80) != 0 ? 1.35 * one : one;
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

/* Rules that keep ever fewer labels: all; each 2nd, 5th, 10th step; the ends; the first. */
static bool is_kept(const ent_ticks *ticks, size_t i, int rule) {
  static const int steps[] = {1, 2, 5, 10};
  if (rule < 4)
    return ticks->tick[i].steps % steps[rule] == 0;
  return i == 0 || (rule == 4 && i + 1 == ticks->count);
}

void ent_ticks_thin(const ent_report_span *span, ent_ticks *ticks, double length, double font, bool upright) {
  for (int rule = 0; rule <= 5; rule++) {
    size_t kept = 0;
    for (size_t i = 0; i < ticks->count; i++) {
      ticks->tick[i].labelled = is_kept(ticks, i, rule);
      kept += ticks->tick[i].labelled;
    }
    if ((kept > 1 || rule == 5) && apart(span, ticks, length, font, upright))
      return;
  }
}

/* Reading numbers. The text is checked against a strict grammar. Short decimals, the usual case, are converted exactly
 * by one multiplication or division; others by strtod in a "C" locale of our own. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "entropic/entropic.h"

/* No double, and no midpoint between two, has more significant digits. Of the digits after these it only matters
 * whether one of them is not 0. */
#define ENT_DIGITS 770
/* An exponent so large that no number of digits that fits in memory makes up for it. */
#define ENT_FAR INT64_C(1000000000000000000)

/* A parsed decimal: 0.d1d2d3... x 10^point. */
typedef struct ent_decimal {
  const char *digits, *end; /* the significant digits in the text, perhaps with a '.' among them; NULL if all are 0 */
  int64_t point;
  bool negative;
} ent_decimal;

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Reads [eE][+-]digits at *at, if there is one; false if it is incomplete. */
static bool scan_exponent(const char **at, const char *end, int64_t *exponent) {
  const char *p = *at;
  *exponent = 0;
  if (p == end || (*p != 'e' && *p != 'E'))
    return true;
  p++;
  bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+'))
    p++;
  if (p == end || !is_digit(*p))
    return false;
  for (; p < end && is_digit(*p); p++)
    if (*exponent < ENT_FAR / 10)
      *exponent = *exponent * 10 + (*p - '0');
  if (negative)
    *exponent = -*exponent;
  *at = p;
  return true;
}

/* Parses p .. end, after the sign. False if it is not a decimal number. */
static bool scan(const char *p, const char *end, ent_decimal *decimal) {
  const char *first = NULL, *last = NULL, *dot = NULL; /* first and last: digits other than 0 */
  bool any = false;
  for (; p < end && (is_digit(*p) || (*p == '.' && dot == NULL)); p++) {
    if (*p == '.') {
      dot = p;
      continue;
    }
    any = true;
    if (*p != '0') {
      first = first == NULL ? p : first;
      last = p;
    }
  }
  const char *stop = dot == NULL ? p : dot;
  int64_t exponent;
  if (!any || !scan_exponent(&p, end, &exponent) || p != end)
    return false;
  decimal->digits = first;
  decimal->end = last == NULL ? NULL : last + 1;
  /* If the first digit lies after the dot, the dot itself is not counted. */
  decimal->point = first == NULL ? 0 : exponent + (stop - first) + (first > stop ? 1 : 0);
  return true;
}

/* An integer of at most 2^53, multiplied or divided by a power of ten of at most 10^22. Both are exact doubles, so the
 * only rounding is that of the result. */
static bool convert_fast(const ent_decimal *decimal, double *value) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (decimal->end - decimal->digits > 20)
    return false;
  uint64_t mantissa = 0;
  int count = 0;
  for (const char *p = decimal->digits; p < decimal->end; p++) {
    if (*p != '.') {
      mantissa = mantissa * 10 + (uint64_t)(*p - '0');
      count++;
    }
  }
  int64_t exponent = decimal->point - count;
  if (count > 19 || mantissa > UINT64_C(1) << 53 || exponent > 22 || exponent < -22)
    return false;
  *value = exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
  return true;
}

static locale_t c_locale;

static void make_c_locale(void) {
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static entropic_status convert_exactly(const ent_decimal *decimal, double *value) {
  char text[ENT_DIGITS + 32];
  size_t count = 0;
  bool more = false;
  for (const char *p = decimal->digits; p < decimal->end; p++) {
    if (*p == '.')
      continue;
    if (count < ENT_DIGITS)
      text[count++] = *p;
    else
      more = more || *p != '0';
  }
  if (more)
    text[count++] = '1';
  int64_t exponent = decimal->point > 100000 ? 100000 : decimal->point < -100000 ? -100000 : decimal->point;
  snprintf(text + count, sizeof text - count, "e%d", (int)(exponent - (int64_t)count));

  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_c_locale);
  if (c_locale == (locale_t)0)
    return ENTROPIC_NO_MEMORY;
  int error = errno; /* restored: strtod reports underflow there, which is no failure */
  double result = strtod_l(text, NULL, c_locale);
  errno = error;
  if (isinf(result))
    return ENTROPIC_TOO_LARGE;
  *value = result;
  return ENTROPIC_OK;
}

entropic_status entropic_parse_double(const char *text, size_t length, double *value) {
  if (text == NULL || value == NULL)
    return ENTROPIC_BAD_ARGUMENT;
  const char *p = text, *end = text + length;
  ent_decimal decimal = {.negative = length > 0 && *p == '-'};
  if (length > 0 && (*p == '-' || *p == '+'))
    p++;
  double result = 0;
  size_t left = (size_t)(end - p);
  if (ent_same_word(p, left, "inf") || ent_same_word(p, left, "infinity"))
    result = INFINITY;
  else if (ent_same_word(p, left, "nan"))
    result = NAN;
  else if (!scan(p, end, &decimal))
    return ENTROPIC_BAD_DATA;
  else if (decimal.digits != NULL && !convert_fast(&decimal, &result)) {
    entropic_status status = convert_exactly(&decimal, &result);
    if (status != ENTROPIC_OK)
      return status;
  }
  *value = decimal.negative ? -result : result;
  return ENTROPIC_OK;
}

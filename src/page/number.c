/* Numbers for people: see report.h. printf does the rounding; the point it writes is the locale's, so digits are taken
 * out of what it wrote and put together here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/page.h"

#define MINUS "\xe2\x88\x92"   /* U+2212 */
#define EN_DASH "\xe2\x80\x93" /* U+2013 */
#define INFINITE "\xe2\x88\x9e"
#define GROUPED_FROM 5   /* digits before the point */
#define PLAIN_EXPONENT 9 /* from this power of ten on, numbers are written with it */

/* What is not finite; else NULL. */
static const char *show_other(double value, char shown[ENT_SHOWN_NUMBER]) {
  if (isfinite(value))
    return NULL;
  return strcpy(shown, isnan(value) ? EN_DASH : value < 0 ? MINUS INFINITE : INFINITE);
}

/* Copies the digits of `written` up to `end`; what stands between digits becomes a point. */
static char *copy_digits(const char *written, char end, char *p) {
  bool point = false;
  for (; *written != '\0' && *written != end; written++) {
    if (*written >= '0' && *written <= '9') {
      *p++ = *written;
    } else if (!point) {
      point = true;
      *p++ = '.';
    }
  }
  return p;
}

/* Nothing but zeros is no negative number. */
static const char *sign_of(double value, const char *written) {
  return signbit(value) && strpbrk(written, "123456789") != NULL ? MINUS : "";
}

char *ent_group_digits(const char *number, char *to) {
  size_t count = strspn(number, "0123456789");
  for (size_t i = 0; i < count; i++) {
    if (count >= GROUPED_FROM && i > 0 && (count - i) % 3 == 0)
      *to++ = ',';
    *to++ = number[i];
  }
  return stpcpy(to, number + count);
}

/* Of less than 1e17, with at most 24 digits after the point. */
static const char *write_fixed(double value, int decimals, char shown[ENT_SHOWN_NUMBER]) {
  char written[ENT_SHOWN_NUMBER], digits[ENT_SHOWN_NUMBER] = "";
  snprintf(written, sizeof written, "%.*f", decimals, fabs(value));
  *copy_digits(written, '\0', digits) = '\0';
  ent_group_digits(digits, stpcpy(shown, sign_of(value, written)));
  return shown;
}

const char *ent_show_fixed(double value, int decimals, char shown[ENT_SHOWN_NUMBER]) {
  if (show_other(value, shown) != NULL)
    return shown;
  if (fabs(value) >= 1e15)
    return ent_show_number(value, 4, shown);
  return write_fixed(value, decimals < 0 ? 0 : decimals > 17 ? 17 : decimals, shown);
}

/* The shortest digits that read back. */
static int shortest_digits(double value) {
  char number[ENTROPIC_NUMBER_SIZE], mantissa[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(fabs(value), number);
  int digits = 0;
  for (const char *p = number; *p != '\0' && *p != 'e'; p++)
    if (*p != '.' && (digits > 0 || *p != '0'))
      mantissa[digits++] = *p;
  while (digits > 1 && mantissa[digits - 1] == '0')
    digits--;
  return digits < 1 ? 1 : digits > 17 ? 17 : digits;
}

/* A number of fewer digits than it has before the point, as "3.1e+04": 31,000. */
static const char *write_rounded(double value, const char *written, int exponent, char shown[ENT_SHOWN_NUMBER]) {
  char digits[ENT_SHOWN_NUMBER];
  size_t count = 0;
  for (const char *p = written; *p != 'e'; p++)
    if (*p >= '0' && *p <= '9')
      digits[count++] = *p;
  while (count <= (size_t)exponent)
    digits[count++] = '0';
  digits[count] = '\0';
  ent_group_digits(digits, stpcpy(shown, value < 0 ? MINUS : ""));
  return shown;
}

const char *ent_show_number(double value, int digits, char shown[ENT_SHOWN_NUMBER]) {
  char written[ENT_SHOWN_NUMBER];
  if (show_other(value, shown) != NULL)
    return shown;
  if (value == 0)
    return strcpy(shown, "0");
  digits = digits <= 0 ? shortest_digits(value) : digits > 17 ? 17 : digits;
  snprintf(written, sizeof written, "%.*e", digits - 1, fabs(value));
  const char *mark = strchr(written, 'e');
  int exponent = atoi(mark + 1);
  if (exponent >= -4 && exponent < digits)
    return write_fixed(value, digits - 1 - exponent, shown);
  if (exponent > 0 && exponent < PLAIN_EXPONENT)
    return write_rounded(value, written, exponent, shown);
  char *p = stpcpy(shown, value < 0 ? MINUS : "");
  p = copy_digits(written, 'e', p);
  snprintf(p, ENT_SHOWN_NUMBER - (size_t)(p - shown), "e%d", exponent);
  return shown;
}

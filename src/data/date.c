/* Dates of ISO 8601, in the calendar of today whatever the year: see date.h. */
#include "data/date.h"

#include <math.h>
#include <stdio.h>

#define SECONDS_A_DAY 86400.0

/* Takes `digits` digits off the front. */
static bool take_digits(const char **at, const char *end, int digits, int *value) {
  *value = 0;
  if (end - *at < digits)
    return false;
  for (int i = 0; i < digits; i++, ++*at) {
    if (**at < '0' || **at > '9')
      return false;
    *value = *value * 10 + (**at - '0');
  }
  return true;
}

static bool take_mark(const char **at, const char *end, char mark) {
  if (*at == end || **at != mark)
    return false;
  ++*at;
  return true;
}

static int days_in(int year, int month) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return days[month - 1] + (month == 2 && leap);
}

/* Years are counted from March, so that the leap day comes last; 719468 days lie between 0000-03-01 and 1970-01-01. */
static long day_number(int year, int month, int day) {
  long y = year - (month <= 2), shifted = (month + 9) % 12;
  long era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
  long of_year = (153 * shifted + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* HH:MM, then seconds and their fraction if there are any. */
static bool take_time(const char **at, const char *end, double *seconds) {
  int hour, minute, second = 0;
  if (!take_digits(at, end, 2, &hour) || !take_mark(at, end, ':') || !take_digits(at, end, 2, &minute))
    return false;
  double fraction = 0;
  if (take_mark(at, end, ':')) {
    if (!take_digits(at, end, 2, &second))
      return false;
    if (take_mark(at, end, '.')) {
      const char *first = *at;
      double unit = 1, whole = 0;
      for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        whole = *at - first < 15 ? whole * 10 + (**at - '0') : whole; /* more make no difference */
        unit = *at - first < 15 ? unit * 10 : unit;
      }
      if (*at == first)
        return false;
      fraction = whole / unit;
    }
  }
  *seconds = hour * 3600 + minute * 60 + second + fraction;
  return hour < 24 && minute < 60 && second < 60;
}

bool ent_parse_date(const char *text, size_t length, double *days) {
  const char *at = text, *end = text + length;
  int year, month, day;
  if (!take_digits(&at, end, 4, &year) || !take_mark(&at, end, '-') || !take_digits(&at, end, 2, &month) ||
      !take_mark(&at, end, '-') || !take_digits(&at, end, 2, &day))
    return false;
  if (month < 1 || month > 12 || day < 1 || day > days_in(year, month))
    return false;
  double seconds = 0;
  if (take_mark(&at, end, 'T') || take_mark(&at, end, ' ')) {
    if (!take_time(&at, end, &seconds))
      return false;
    take_mark(&at, end, 'Z');
  }
  *days = (double)day_number(year, month, day) + seconds / SECONDS_A_DAY;
  return at == end;
}

const char *ent_format_date(double days, char text[ENT_DATE_SIZE]) {
  double whole = floor(days);
  long second = lround((days - whole) * SECONDS_A_DAY), rest = (long)whole + (second == 86400);
  second %= 86400;
  int year = 0, month = 1;
  for (int step = 8192; step > 0; step /= 2) /* the last year that has begun */
    if (year + step <= 9999 && day_number(year + step, 1, 1) <= rest)
      year += step;
  while (month < 12 && day_number(year, month + 1, 1) <= rest)
    month++;
  int day = (int)(rest - day_number(year, month, 1)) + 1;
  if (second == 0)
    snprintf(text, ENT_DATE_SIZE, "%04d-%02d-%02d", year, month, day % 100);
  else
    snprintf(text, ENT_DATE_SIZE, "%04d-%02d-%02dT%02ld:%02ld:%02ld", year, month, day % 100, second / 3600,
             second / 60 % 60, second % 60);
  return text;
}

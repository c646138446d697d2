/* Dates, in the calendar of today whatever the year: see date.h. */
#include "columns/date.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

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
  long y = year - (month <= 2), months = (month + 9) % 12;
  long era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
  long of_year = (153 * months + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* One digit or two. */
static bool take_number(const char **at, const char *end, int *value) {
  const char *two = *at;
  if (take_digits(&two, end, 2, value)) {
    *at = two;
    return true;
  }
  return take_digits(at, end, 1, value);
}

/* The fraction of a second behind its point. */
static bool take_fraction(const char **at, const char *end, double *fraction) {
  const char *first = *at;
  double unit = 1, integer = 0;
  for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
    integer = *at - first < 15 ? integer * 10 + (**at - '0') : integer; /* more make no difference */
    unit = *at - first < 15 ? unit * 10 : unit;
  }
  *fraction = integer / unit;
  return *at > first;
}

/* HH:MM, then seconds and their fraction if there are any; loose: also H:MM, and AM or PM behind it. */
static bool take_time(const char **at, const char *end, bool loose, double *seconds) {
  int hour, minute, second = 0;
  if (!(loose ? take_number(at, end, &hour) : take_digits(at, end, 2, &hour)) || !take_mark(at, end, ':') ||
      !take_digits(at, end, 2, &minute))
    return false;
  double fraction = 0;
  if (take_mark(at, end, ':')) {
    if (!take_digits(at, end, 2, &second))
      return false;
    if (take_mark(at, end, '.') && !take_fraction(at, end, &fraction))
      return false;
  }
  const char *half = *at;
  take_mark(&half, end, ' ');
  if (loose && end - half >= 2 && (ent_same_word(half, 2, "am") || ent_same_word(half, 2, "pm"))) {
    if (hour < 1 || hour > 12)
      return false;
    hour = hour % 12 + (ent_lower(*half) == 'p' ? 12 : 0);
    *at = half + 2;
  }
  *seconds = hour * 3600 + minute * 60 + second + fraction;
  return hour < 24 && minute < 60 && second < 60;
}

/* Z, UTC, +HH:MM, +HHMM, +HH, perhaps behind a blank, or nothing. */
static bool take_zone(const char **at, const char *end, double *seconds) {
  int hour, minute = 0;
  const char *zone = *at;
  if (take_mark(at, end, 'Z'))
    return true;
  take_mark(&zone, end, ' ');
  if (end - zone == 3 && memcmp(zone, "UTC", 3) == 0) {
    *at = end;
    return true;
  }
  bool east = take_mark(&zone, end, '+');
  if (!east && !take_mark(&zone, end, '-'))
    return true;
  if (!take_digits(&zone, end, 2, &hour))
    return false;
  bool colon = take_mark(&zone, end, ':');
  if ((colon || (zone < end && *zone >= '0' && *zone <= '9')) && !take_digits(&zone, end, 2, &minute))
    return false;
  *at = zone;
  *seconds = (east ? 1 : -1) * (hour * 3600.0 + minute * 60.0);
  return hour < 15 && minute < 60;
}

/* The name of a zone behind a blank or in brackets: two to five capitals, such as CET, or Europe/Berlin. AM and PM are
 * none. */
static bool take_zone_name(const char **at, const char *end) {
  const char *name = *at;
  bool blank = take_mark(&name, end, ' '), open = take_mark(&name, end, '['), area = false, capitals = true;
  const char *first = name;
  if ((!blank && !open) || name == end || *name < 'A' || *name > 'Z')
    return false;
  for (; name < end; name++) {
    bool capital = *name >= 'A' && *name <= 'Z', digit = *name >= '0' && *name <= '9';
    if (!capital && !digit && !(*name >= 'a' && *name <= 'z') && memchr("_+-/", *name, 4) == NULL)
      break;
    capitals = capitals && capital;
    area = area || *name == '/';
  }
  size_t length = (size_t)(name - first);
  bool half = length == 2 && (first[0] == 'A' || first[0] == 'P') && first[1] == 'M';
  if (area ? name[-1] == '/' : !capitals || length < 2 || length > 5 || half)
    return false;
  if (open && !take_mark(&name, end, ']'))
    return false;
  *at = name;
  return true;
}

/* A date that is being parsed. */
typedef struct ent_day {
  int year, month, day;
  bool iso; /* its parts have two digits */
} ent_day;

/* YYYY-MM-DD, YYYY/M/D, YYYY.M.D, or YYYY-MM. */
static bool take_year_first(const char **at, const char *end, ent_day *date) {
  date->day = 1;
  if (!take_digits(at, end, 4, &date->year) || *at == end || memchr("-/.", **at, 3) == NULL)
    return false;
  char mark = *(*at)++;
  date->iso = mark == '-';
  if (!(date->iso ? take_digits(at, end, 2, &date->month) : take_number(at, end, &date->month)))
    return false;
  if (*at == end) /* a month; other numbers of this kind are no years */
    return date->iso && date->year >= 1500 && date->year < 2500;
  return take_mark(at, end, mark) &&
         (date->iso ? take_digits(at, end, 2, &date->day) : take_number(at, end, &date->day));
}

/* Day and month in numbers, then the year. */
static bool take_year_last(const char **at, const char *end, ent_date_order order, ent_day *date) {
  int first, second;
  if (order == ENT_DATE_YEAR || !take_number(at, end, &first) || *at == end || memchr("-/.", **at, 3) == NULL)
    return false;
  char mark = *(*at)++;
  if (!take_number(at, end, &second) || !take_mark(at, end, mark) || !take_digits(at, end, 4, &date->year))
    return false;
  date->day = order == ENT_DATE_DAY ? first : second;
  date->month = order == ENT_DATE_DAY ? second : first;
  return mark != '.' || order == ENT_DATE_DAY; /* points stand behind days */
}

/* Blanks, a comma or a hyphen between the parts of a date with the month's name. */
static void skip_marks(const char **at, const char *end) {
  while (*at < end && memchr(" ,-.", **at, 4) != NULL)
    ++*at;
}

static bool take_month_name(const char **at, const char *end, int *month) {
  static const char *const names[] = {"january", "february", "march",     "april",   "may",      "june",
                                      "july",    "august",   "september", "october", "november", "december"};
  const char *first = *at;
  while (*at < end && ent_lower(**at) >= 'a' && ent_lower(**at) <= 'z')
    ++*at;
  size_t length = (size_t)(*at - first);
  for (int i = 0; i < 12; i++) {
    char short_name[4] = {names[i][0], names[i][1], names[i][2], '\0'};
    if (ent_same_word(first, length, names[i]) || ent_same_word(first, length, short_name)) {
      *month = i + 1;
      return true;
    }
  }
  return false;
}

/* 31 Dec 2020, 31-Dec-2020, Dec 31, 2020. */
static bool take_named(const char **at, const char *end, ent_day *date) {
  bool day_first = take_number(at, end, &date->day);
  if (day_first)
    skip_marks(at, end);
  if (!take_month_name(at, end, &date->month))
    return false;
  skip_marks(at, end);
  if (!day_first && !take_number(at, end, &date->day))
    return false;
  const char *before = *at;
  skip_marks(at, end);
  return (day_first || *at > before) && take_digits(at, end, 4, &date->year);
}

/* The clock as written, and the seconds that it is ahead of UTC; a zone may have a name if they do not matter, which is
 * where zone is NULL. */
static bool parse(const char *text, size_t length, ent_date_order order, double *days, double *seconds, double *zone) {
  double ahead = 0;
  const char *at = text, *end = text + length;
  ent_day date = {0};
  if (length < 7 || length > ENT_DATE_SIZE)
    return false;
  if (!take_year_first(&at, end, &date)) {
    at = text;
    date = (ent_day){0};
    if (!take_year_last(&at, end, order, &date)) {
      at = text;
      if (!take_named(&at, end, &date))
        return false;
    }
  }
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > days_in(date.year, date.month))
    return false;
  *seconds = 0;
  bool strict = take_mark(&at, end, 'T'); /* as ISO 8601 has it */
  if (strict || take_mark(&at, end, ' ')) {
    if (!take_time(&at, end, !strict, seconds) || !take_zone(&at, end, zone == NULL ? &ahead : zone))
      return false;
    if (zone == NULL)
      take_zone_name(&at, end);
  }
  *days = (double)day_number(date.year, date.month, date.day);
  return at == end;
}

bool ent_parse_date(const char *text, size_t length, ent_date_order order, double *days) {
  double seconds;
  if (!parse(text, length, order, days, &seconds, NULL))
    return false;
  *days += seconds / SECONDS_A_DAY;
  return true;
}

bool ent_parse_instant(const char *text, size_t length, ent_date_order order, double *days) {
  double seconds, zone = 0;
  if (!parse(text, length, order, days, &seconds, &zone))
    return false;
  *days += (seconds - zone) / SECONDS_A_DAY;
  return true;
}

bool ent_parse_zone(const char *text, size_t length, double *seconds) {
  const char *at = text, *end = text + length;
  *seconds = 0;
  return length > 0 && take_zone(&at, end, seconds) && at == end;
}

bool ent_date_has_zone_name(const char *text, size_t length) {
  const char *end = text + length, *at = end;
  if (length < 4 || (at[-1] >= '0' && at[-1] <= '9' && memchr(text, '/', length) == NULL) || end[-1] == 'Z')
    return false;
  while (at > text && at[-1] != ' ' && at[-1] != '[')
    at--;
  if (at == text || (end - at == 3 && memcmp(at, "UTC", 3) == 0) || (end - at == 4 && memcmp(at, "UTC]", 4) == 0))
    return false;
  at--;
  return memchr(text, ':', (size_t)(at - text)) != NULL && take_zone_name(&at, end) && at == end;
}

bool ent_parse_clock(const char *text, size_t length, double *seconds) {
  const char *at = text, *end = text + length;
  return length >= 4 && take_time(&at, end, true, seconds) && at == end;
}

const char *ent_format_date(double days, char text[ENT_DATE_SIZE]) {
  double integer = floor(days);
  long second = lround((days - integer) * SECONDS_A_DAY), rest = (long)integer + (second == 86400);
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

#define MOST_DAYS 1e9 /* beyond them a day is no integer that matters */
#define MILLISECONDS 86400000.0

const char *const ent_weekday_names[ENT_WEEKDAYS] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                     "Friday", "Saturday", "Sunday"};

static const struct {
  const char *name;
  double first, last, days;
} parts[ENT_DATE_PARTS] = {[ENT_PART_NONE] = {"", 0, 0, 0},
                           [ENT_PART_WHOLE] = {"", 0, 0, 0},
                           [ENT_PART_YEARDAY] = {"yearday", 1, 367, 364},
                           [ENT_PART_WEEKDAY] = {"weekday", 0, 0, 6},
                           [ENT_PART_HOUR] = {"hour", 0, 24, 23.0 / 24}};

const char *ent_part_name(ent_date_part part) {
  return parts[part].name;
}

bool ent_part_ends(ent_date_part part, double ends[2]) {
  ends[0] = parts[part].first;
  ends[1] = parts[part].last;
  return ends[0] < ends[1];
}

double ent_part_days(ent_date_part part) {
  return parts[part].days;
}

/* Years are counted from March, so that the leap day comes last. */
static double year_day(int64_t day) {
  int64_t since = day + 719468, era = (since >= 0 ? since : since - 146096) / 146097, of_era = since - era * 146097;
  int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int64_t from_march = of_era - (365 * years + years / 4 - years / 100);
  return (double)(from_march < 306 ? from_march + 61 : from_march - 305);
}

double ent_part_value(ent_date_part part, double days) {
  if (!ent_part_is_made(part) || isnan(days))
    return days;
  if (!(fabs(days) <= MOST_DAYS))
    return NAN;
  double day = floor(days), time = floor((days - day) * MILLISECONDS + 0.5);
  if (time >= MILLISECONDS) { /* a rounding error before midnight */
    day++;
    time = 0;
  }
  if (part == ENT_PART_HOUR)
    return time / (MILLISECONDS / 24);
  int64_t number = (int64_t)day;
  return part == ENT_PART_YEARDAY ? year_day(number) : (double)(((number + 3) % 7 + 7) % 7);
}

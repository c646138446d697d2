/* Parts of dates: see calendar.h. */
#include "columns/calendar.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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

/* Parts of dates that come round: a column of dates becomes several inputs, one of which is the date itself. */
#ifndef ENT_COLUMNS_CALENDAR_H
#define ENT_COLUMNS_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>

/* What an input has of the column that it comes from. The values are those of model files. */
typedef enum ent_date_part {
  ENT_PART_NONE = 0,    /* the column as it is; of dates the days of UTC, as in models of format 5 and before */
  ENT_PART_WHOLE = 1,   /* days since 1970-01-01 by the clock as written */
  ENT_PART_YEARDAY = 2, /* 1 to 366, counted as in a leap year: 1 March is 61 in every year */
  ENT_PART_WEEKDAY = 3, /* the code of a category: 0 is Monday */
  ENT_PART_HOUR = 4,    /* hours since midnight, 0 to 24, with their fraction */
  ENT_DATE_PARTS
} ent_date_part;

#define ENT_WEEKDAYS 7
extern const char *const ent_weekday_names[ENT_WEEKDAYS];

/* Of parts that are made of a date: YEARDAY to HOUR. */
static inline bool ent_part_is_made(ent_date_part part) {
  return part > ENT_PART_WHOLE;
}
/* Its name, which stands behind that of the column and a colon; "" of the column itself. */
const char *ent_part_name(ent_date_part part);
/* Where the axis of a number begins and ends; both ends are one point. false for weekdays and for the column itself. */
bool ent_part_ends(ent_date_part part, double ends[2]);
/* How many days lie between its first and its last value, once round: dates that lie closer tell it from themselves. */
double ent_part_days(ent_date_part part);
/* The part of a date that is a number of days; NaN of NaN. Times are taken to the millisecond. */
double ent_part_value(ent_date_part part, double days);

#endif

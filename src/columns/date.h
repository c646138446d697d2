/* Dates as numbers: days since 1970-01-01, times as fractions of a day. */
#ifndef ENT_COLUMNS_DATE_H
#define ENT_COLUMNS_DATE_H

#include <stdbool.h>
#include <stddef.h>

/* What comes first where a date is three numbers with the year at the end. */
typedef enum ent_date_order {
  ENT_DATE_YEAR, /* such a date is none */
  ENT_DATE_DAY,
  ENT_DATE_MONTH
} ent_date_order;

/* Reads all of text[0..length) as a date: YYYY-MM-DD, YYYY/M/D, YYYY-MM (its first day), 31 Dec 2020, Dec 31, 2020 and
 * 31-Dec-2020 in any order; by the order also 31/12/2020, 31-12-2020 and, the day first alone, 31.12.2020. A time may
 * stand behind a T or a blank: HH:MM, HH:MM:SS or HH:MM:SS.fff, perhaps with AM or PM where the date is no ISO 8601,
 * and then a zone, Z, UTC, +HH:MM, +HHMM or +HH, and the zone's name, CET or Europe/Berlin, behind a blank or in
 * brackets. Days are those of the clock as written: the zone changes nothing.
 * false if it is anything else, or no day of the calendar. */
bool ent_parse_date(const char *text, size_t length, ent_date_order order, double *days);
/* The same with the zone taken off, so that days are those of UTC. Zones have no names then. */
bool ent_parse_instant(const char *text, size_t length, ent_date_order order, double *days);
/* Whether a date ends with the name of a zone other than UTC. */
bool ent_date_has_zone_name(const char *text, size_t length);
/* Reads all of text[0..length) as a zone: Z, UTC, +HH:MM, +HHMM or +HH, as seconds that its clock is ahead of UTC. */
bool ent_parse_zone(const char *text, size_t length, double *seconds);

/* Reads a time of day, H:MM, H:MM:SS or H:MM:SS.fff, perhaps with AM or PM, as seconds since midnight. */
bool ent_parse_clock(const char *text, size_t length, double *seconds);

#define ENT_DATE_SIZE 96
/* The date of so many days, with the time to the second unless it is midnight, 0-terminated; years 0 to 9999. */
const char *ent_format_date(double days, char text[ENT_DATE_SIZE]);

/* ---- Parts of dates ---- */

/* Parts of dates that come round: a column of dates becomes several inputs, one of which is the date itself. */

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

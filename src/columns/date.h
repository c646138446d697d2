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

#endif

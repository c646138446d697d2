/* Dates as numbers: days since 1970-01-01, times as fractions of a day. */
#ifndef ENT_DATA_DATE_H
#define ENT_DATA_DATE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads all of text[0..length) as a date of ISO 8601, YYYY-MM-DD, perhaps with a time behind a T or a blank: HH:MM,
 * HH:MM:SS or HH:MM:SS.fff, and a Z at the end. false if it is anything else, or no day of the calendar. */
bool ent_parse_date(const char *text, size_t length, double *days);

#define ENT_DATE_SIZE 96
/* The date of so many days, with the time to the second unless it is midnight, 0-terminated; years 0 to 9999. */
const char *ent_format_date(double days, char text[ENT_DATE_SIZE]);

#endif

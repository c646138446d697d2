/* How the numbers of a column are written, where that is not plainly: with groups of digits, units, or as dates. */
#ifndef ENT_COLUMNS_NOTATION_H
#define ENT_COLUMNS_NOTATION_H

#include <stdbool.h>
#include <stddef.h>

/* The values are those of model files. */
typedef enum ent_notation {
  ENT_NOTATION_PLAIN = 0, /* with the file's decimal mark and nothing else */
  ENT_NOTATION_POINT = 1, /* 1,234.5  1 234.5  1'234.5  $12  12 EUR  12.5%  1.2D+03  (12) */
  ENT_NOTATION_COMMA = 2, /* the same with a decimal comma: 1.234,5 */
  ENT_NOTATION_DATE = 3,  /* dates in one order alone: 2020-12-31  31 Dec 2020  Dec 31, 2020  2020-12 */
  ENT_NOTATION_DAY = 4,   /* the day first: 31.12.2020  31/12/2020; and the dates above */
  ENT_NOTATION_MONTH = 5, /* the month first: 12/31/2020; and the dates above */
  ENT_NOTATION_CLOCK = 6, /* times of day, in seconds: 13:45  13:45:10.5  1:45 PM */
  ENT_NOTATIONS,
  /* Dates with their zone taken off, for models that learnt so; never found in data, nor in files. */
  ENT_NOTATION_UTC_DATE = 7,
  ENT_NOTATION_UTC_DAY = 8,
  ENT_NOTATION_UTC_MONTH = 9
} ent_notation;

static inline bool ent_notation_is_date(ent_notation notation) {
  return (notation >= ENT_NOTATION_DATE && notation <= ENT_NOTATION_MONTH) || notation >= ENT_NOTATION_UTC_DATE;
}

/* The notation of a date with its zone taken off, and back. */
static inline ent_notation ent_notation_in_utc(ent_notation notation) {
  return (ent_notation)(notation - ENT_NOTATION_DATE + ENT_NOTATION_UTC_DATE);
}
static inline ent_notation ent_notation_as_written(ent_notation notation) {
  return notation < ENT_NOTATION_UTC_DATE ? notation
                                          : (ent_notation)(notation - ENT_NOTATION_UTC_DATE + ENT_NOTATION_DATE);
}

/* What a value is called. */
static inline const char *ent_notation_noun(ent_notation notation) {
  return ent_notation_is_date(notation) ? "date" : notation == ENT_NOTATION_CLOCK ? "time" : "number";
}

/* Reads all of text[0..length) by a notation other than plain. false if it is anything else, or not finite. */
bool ent_notation_read(ent_notation notation, const char *text, size_t length, double *value);

/* What stands for the unit of dates with the names of zones. */
#define ENT_UNIT_ZONE "zone"

/* The currency sign, code or percent sign of a number, 0-terminated, or "". Whether it has one. */
#define ENT_UNIT_SIZE 8
bool ent_notation_unit(const char *text, size_t length, char unit[ENT_UNIT_SIZE]);

/* A unit and a hyphen, as spreadsheets write amounts that are none: $ - */
bool ent_notation_is_dash(const char *text, size_t length);

/* The notations that read a text which is no plain number. */
typedef struct ent_notation_match {
  unsigned notations; /* bit n: notation n reads it */
  bool ambiguous;     /* two notations read it, each as another value */
  bool marked;        /* it is a number with a unit */
} ent_notation_match;

/* Tries all notations but plain; unit as above, or ENT_UNIT_ZONE of a date. */
ent_notation_match ent_notation_match_text(const char *text, size_t length, char unit[ENT_UNIT_SIZE]);

#endif

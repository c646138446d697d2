/* Arrow's format strings: see arrow.h. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "columns/column_view.h"
#include "columns/date.h"
#include "data/arrow.h"

/* Formats that are one word. */
static const struct {
  const char *format;
  int element;
  ent_unit unit;
  int64_t per_second;
} words[] = {
    {"n", ENT_ELEMENT_NONE, ENT_UNIT_NUMBER, 0},
    {"b", ENT_ELEMENT_BIT, ENT_UNIT_NUMBER, 0},
    {"c", ENTROPIC_ELEMENT_INT8, ENT_UNIT_NUMBER, 0},
    {"C", ENTROPIC_ELEMENT_UINT8, ENT_UNIT_NUMBER, 0},
    {"s", ENTROPIC_ELEMENT_INT16, ENT_UNIT_NUMBER, 0},
    {"S", ENTROPIC_ELEMENT_UINT16, ENT_UNIT_NUMBER, 0},
    {"i", ENTROPIC_ELEMENT_INT32, ENT_UNIT_NUMBER, 0},
    {"I", ENTROPIC_ELEMENT_UINT32, ENT_UNIT_NUMBER, 0},
    {"l", ENTROPIC_ELEMENT_INT64, ENT_UNIT_NUMBER, 0},
    {"L", ENTROPIC_ELEMENT_UINT64, ENT_UNIT_NUMBER, 0},
    {"e", ENTROPIC_ELEMENT_FLOAT16, ENT_UNIT_NUMBER, 0},
    {"f", ENTROPIC_ELEMENT_FLOAT32, ENT_UNIT_NUMBER, 0},
    {"g", ENTROPIC_ELEMENT_FLOAT64, ENT_UNIT_NUMBER, 0},
    {"u", ENT_ELEMENT_UTF8, ENT_UNIT_NUMBER, 0},
    {"U", ENT_ELEMENT_LARGE_UTF8, ENT_UNIT_NUMBER, 0},
    {"vu", ENT_ELEMENT_TEXT_VIEW, ENT_UNIT_NUMBER, 0},
    {"tdD", ENTROPIC_ELEMENT_INT32, ENT_UNIT_DATE, 0},
    {"tdm", ENTROPIC_ELEMENT_INT64, ENT_UNIT_DATE, 1000},
    {"tts", ENTROPIC_ELEMENT_INT32, ENT_UNIT_CLOCK, 1},
    {"ttm", ENTROPIC_ELEMENT_INT32, ENT_UNIT_CLOCK, 1000},
    {"ttu", ENTROPIC_ELEMENT_INT64, ENT_UNIT_CLOCK, 1000000},
    {"ttn", ENTROPIC_ELEMENT_INT64, ENT_UNIT_CLOCK, 1000000000},
};

/* d:PRECISION,SCALE or d:PRECISION,SCALE,BITS. */
static bool parse_decimal(const char *format, ent_column_view *kind) {
  char *end;
  if (strncmp(format, "d:", 2) != 0)
    return false;
  long precision = strtol(format + 2, &end, 10), bits = 128;
  if (end == format + 2 || *end != ',' || precision < 1 || precision > 76)
    return false;
  const char *from = end + 1;
  long scale = strtol(from, &end, 10);
  if (end == from || scale < -ENT_DECIMAL_PLACES || scale > ENT_DECIMAL_PLACES)
    return false;
  if (*end == ',') {
    from = end + 1;
    bits = strtol(from, &end, 10);
    if (end == from)
      return false;
  }
  *kind = (ent_column_view){.element = ENT_ELEMENT_DECIMAL, .width = (size_t)bits / 8, .decimals = (int)scale};
  return *end == '\0' && (bits == 32 || bits == 64 || bits == 128 || bits == 256);
}

/* A zone by its name: that of UTC, or one whose clock nobody knows without files of this machine. */
static bool is_utc(const char *zone) {
  static const char *const names[] = {"", "UTC", "GMT", "Etc/UTC", "Etc/GMT", "Zulu", "Etc/Zulu", "UCT", "Universal"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(zone, names[i]) == 0)
      return true;
  return false;
}

/* ts, the unit, a colon, and perhaps a time zone. Numbers count UTC with it and without; with an offset such as +02:00
 * their clock is known, which is the one that a text file would have. */
static bool parse_timestamp(const char *format, ent_column_view *kind) {
  static const char units[] = "smun";
  static const int64_t per_second[] = {1, 1000, 1000000, 1000000000};
  if (strncmp(format, "ts", 2) != 0 || format[2] == '\0' || format[3] != ':')
    return false;
  const char *unit = strchr(units, format[2]);
  if (unit == NULL)
    return false;
  *kind = (ent_column_view){
      .element = ENTROPIC_ELEMENT_INT64, .unit = ENT_UNIT_DATE, .per_second = per_second[unit - units]};
  double ahead = 0;
  if (ent_parse_zone(format + 4, strlen(format + 4), &ahead))
    kind->ahead = (int64_t)ahead;
  else
    kind->zone_unknown = !is_utc(format + 4);
  return true;
}

static bool parse_format(const char *format, ent_column_view *kind) {
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(words[i].format, format) == 0) {
      *kind = (ent_column_view){.element = words[i].element, .unit = words[i].unit, .per_second = words[i].per_second};
      kind->texts = kind->element == ENT_ELEMENT_BIT || kind->element >= ENT_ELEMENT_UTF8;
      return true;
    }
  return parse_decimal(format, kind) || parse_timestamp(format, kind);
}

entropic_status ent_arrow_type_of(entropic_context *context, const struct ArrowSchema *schema, size_t column,
                                  ent_arrow_type *type) {
  char name[ENT_SHOW_SIZE] = "", format[ENT_SHOW_SIZE];
  *type = (ent_arrow_type){0};
  if (schema == NULL || schema->release == NULL || schema->format == NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "column %zu of the Arrow stream has no schema", column + 1);
  if (schema->name != NULL)
    ent_show(schema->name, strlen(schema->name), name);
  bool good = parse_format(schema->format, &type->kind);
  const struct ArrowSchema *of = schema;
  if (good && schema->dictionary != NULL) {
    of = schema->dictionary;
    good = of->format != NULL && of->dictionary == NULL && ent_element_is_integer(type->kind.element) &&
           type->kind.unit == ENT_UNIT_NUMBER && parse_format(of->format, &type->entries) &&
           type->entries.element != ENT_ELEMENT_BIT && type->entries.element != ENT_ELEMENT_NONE;
    type->kind.coded = true;
    type->kind.texts = type->entries.texts;
    type->kind.unit = type->entries.unit;
  }
  if (good)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "column %zu (%s): its Arrow format is '%s'%s, expected numbers, booleans, decimals, dates, times, "
                  "texts, or a dictionary of texts or numbers",
                  column + 1, name, of->format == NULL ? "" : ent_show(of->format, strlen(of->format), format),
                  of == schema ? "" : " in a dictionary");
}

/* Parts of dates in exports: see columns/calendar.h, whose steps these functions take in the same order. */
#include "export/languages.h"

bool ent_export_has_clock(const ent_export_parts *parts) {
  bool found = false;
  for (size_t i = 0; i < parts->effects->used; i++)
    found = found || ent_export_schema(parts, i)->part != ENT_PART_NONE;
  return found;
}

bool ent_export_has_parts(const ent_export_parts *parts) {
  bool found = false;
  for (size_t i = 0; i < parts->effects->used; i++)
    found = found || ent_part_is_made(ent_export_schema(parts, i)->part);
  return found;
}

const char *ent_export_column(const ent_export_parts *parts, size_t place) {
  const ent_schema *schema = &parts->model->schema;
  return schema->input[ent_schema_whole(schema, ent_export_input(parts, place))].name;
}

static const char c_function[] = "\n"
                                 "@real @date_part(int input, double days) {\n"
                                 "  int part = input >= 0 && input < $_INPUTS ? @parts[input] : 0;\n"
                                 "  double day = floor(days), time = floor((days - day) * 86400000.0 + 0.5), years;\n"
                                 "  if (part < 2 || !(days - days == 0))\n"
                                 "    return (@real)days;\n"
                                 "  if (time >= 86400000.0) {\n"
                                 "    day += 1;\n"
                                 "    time = 0;\n"
                                 "  }\n"
                                 "  if (part == 4)\n"
                                 "    return (@real)(time / 3600000.0);\n"
                                 "  if (part == 3)\n"
                                 "    return (@real)(day + 3 - 7 * floor((day + 3) / 7));\n"
                                 "  day += 719468; /* since 1 March 0000 */\n"
                                 "  day -= 146097 * floor(day / 146097);\n"
                                 "  years = floor((day - floor(day / 1460) + floor(day / 36524) - floor(day / 146096)) "
                                 "/ 365);\n"
                                 "  day -= 365 * years + floor(years / 4) - floor(years / 100);\n"
                                 "  return (@real)(day < 306 ? day + 61 : day - 305);\n"
                                 "}\n";

void ent_export_c_dates(ent_export_text *text, const ent_export_parts *parts) {
  if (!ent_export_has_parts(parts))
    return;
  ent_export_code(text, "\n/* Of each input: 2 the day of the year, 3 the weekday, 4 the hour of a date. */\n"
                        "static const unsigned char @parts[] = {");
  for (size_t i = 0; i < parts->effects->used; i++)
    ent_export_format(text, i > 0 ? ", %d" : "%d", (int)ent_export_schema(parts, i)->part);
  ent_export_plain(text, "};\n");
  ent_export_code(text, c_function);
}

static const char js_function[] =
    "\n"
    "/* The part of a date in days since 1970-01-01: the day of the year as in a leap year, the weekday from Monday, "
    "the\n"
    " * hour. */\n"
    "function partOf(part, days) {\n"
    "  let day = Math.floor(days), time = Math.floor((days - day) * 864e5 + 0.5);\n"
    "  if (time >= 864e5) {\n"
    "    day += 1;\n"
    "    time = 0;\n"
    "  }\n"
    "  if (part === \"hour\") return time / 36e5;\n"
    "  if (part === \"weekday\") return day + 3 - 7 * Math.floor((day + 3) / 7);\n"
    "  day += 719468;\n"
    "  day -= 146097 * Math.floor(day / 146097);\n"
    "  const years = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36524) - Math.floor(day / 146096)) / "
    "365);\n"
    "  day -= 365 * years + Math.floor(years / 4) - Math.floor(years / 100);\n"
    "  return day < 306 ? day + 61 : day - 305;\n"
    "}\n";

void ent_export_js_dates(ent_export_text *text, const ent_export_parts *parts) {
  if (ent_export_has_parts(parts))
    ent_export_plain(text, js_function);
}

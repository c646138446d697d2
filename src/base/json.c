/* Writing JSON: see json.h. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "entropic/tools.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

static bool is_quoted(uint32_t code) {
  return code == '"' || code == '\\';
}

/* Whether a character is written as its number. */
static bool is_numbered(const ent_json *json, uint32_t code) {
  if (!json->in_page)
    return code < 0x20 || code == 0x7f;
  return ent_unprintable(code) || is_quoted(code) || code == '<' || code == '>' || code == '&';
}

static void add_string(const ent_json *json, const char *unsafe) {
  size_t count = strlen(unsafe);
  ent_text_add(json->text, "\"");
  for (size_t at = 0; at < count && json->text->status == ENTROPIC_OK;) {
    uint32_t code = 0;
    size_t size = ent_utf8(unsafe + at, count - at, &code);
    if (size == 0)
      ent_text_add(json->text, REPLACEMENT);
    else if (is_numbered(json, code))
      ent_text_format(json->text, "\\u%04x", (unsigned)code);
    else if (is_quoted(code))
      ent_text_format(json->text, "\\%c", (char)code);
    else
      ent_text_bytes(json->text, unsafe + at, size);
    at += size == 0 ? 1 : size;
  }
  ent_text_add(json->text, "\"");
}

/* What stands before a value: comma, new line and key. */
static void start_value(ent_json *json, const char *key) {
  bool line = json->line && (json->more || !json->compact);
  if (json->more)
    ent_text_add(json->text, json->compact || line ? "," : ", ");
  if (line)
    ent_text_add(json->text, "\n");
  json->more = true;
  json->line = false;
  if (key == NULL || (json->depth > 0 && json->closing[json->depth - 1] == ']'))
    return;
  add_string(json, key);
  ent_text_add(json->text, json->compact ? ":" : ": ");
}

static void open_bracket(ent_json *json, const char *key, const char *bracket, char closing) {
  ent_json_add_plain(json, key, bracket);
  json->closing[json->depth++] = closing;
  json->more = false;
}

void ent_json_open_object(ent_json *json, const char *key) {
  open_bracket(json, key, "{", '}');
}

void ent_json_open_list(ent_json *json, const char *key) {
  open_bracket(json, key, "[", ']');
}

void ent_json_close(ent_json *json) {
  ent_text_bytes(json->text, &json->closing[--json->depth], 1);
  json->more = true;
}

void ent_json_add_plain(ent_json *json, const char *key, const char *plain) {
  start_value(json, key);
  ent_text_add(json->text, plain);
}

void ent_json_add_number(ent_json *json, const char *key, double value) {
  char number[ENTROPIC_NUMBER_SIZE] = "null";
  if (isfinite(value))
    entropic_format_double(value, number);
  ent_json_add_plain(json, key, number);
}

void ent_json_add_numbers(ent_json *json, const char *key, const double *values, size_t count) {
  ent_json_open_list(json, key);
  for (size_t i = 0; i < count; i++)
    ent_json_add_number(json, NULL, values[i]);
  ent_json_close(json);
}

void ent_json_add_integer(ent_json *json, const char *key, uint64_t value) {
  start_value(json, key);
  ent_text_format(json->text, "%" PRIu64, value);
}

void ent_json_add_flag(ent_json *json, const char *key, bool value) {
  ent_json_add_plain(json, key, value ? "true" : "false");
}

void ent_json_add_text(ent_json *json, const char *key, const char *unsafe) {
  if (unsafe == NULL) {
    ent_json_add_plain(json, key, "null");
    return;
  }
  start_value(json, key);
  add_string(json, unsafe);
}

void ent_json_line(ent_json *json) {
  json->line = true;
}

/* Values of a report by their paths. The text was written by report.c, so it is known to be well formed. */
#include <string.h>

#include "base/report.h"
#include "base/text.h"

/* Past the string that starts at `at`, at its first quote. */
static const char *skip_string(const char *at) {
  for (at++; *at != '"'; at++)
    at += *at == '\\';
  return at + 1;
}

/* Past the value that starts at `at`. */
static const char *skip_value(const char *at) {
  size_t depth = 0;
  do {
    if (*at == '"') {
      at = skip_string(at);
      continue;
    }
    depth += *at == '{' || *at == '[';
    depth -= *at == '}' || *at == ']';
    at++;
  } while (depth > 0 || (*at != ',' && *at != '}' && *at != ']' && *at != 0));
  return at;
}

static const char *skip_comma(const char *at) {
  return *at == ',' ? at + 2 : at;
}

/* The value of a key in the object, or of a number in the list, that starts at `at`; NULL if there is none. */
static const char *find_member(const char *at, const char *name, size_t length) {
  size_t wanted = 0;
  char close = *at == '{' ? '}' : ']';
  if (*at != '{' && *at != '[')
    return NULL;
  for (size_t i = 0; close == ']' && i < length; i++) {
    if (name[i] < '0' || name[i] > '9' || length > 9)
      return NULL;
    wanted = wanted * 10 + (size_t)(name[i] - '0');
  }
  at++;
  for (size_t i = 0; *at != close; i++, at = skip_comma(skip_value(at))) {
    if (close == ']') {
      if (i == wanted)
        return at;
      continue;
    }
    const char *key = at + 1, *end = skip_string(at);
    at = end + 2;
    if ((size_t)(end - 1 - key) == length && memcmp(key, name, length) == 0)
      return at;
  }
  return NULL;
}

static const char *find(const entropic_report *report, const char *path) {
  const char *at = entropic_report_json(report);
  if (at == NULL || path == NULL)
    return NULL;
  while (at != NULL && *path != 0) {
    size_t length = strcspn(path, ".");
    at = find_member(at, path, length);
    path += length + (path[length] == '.');
  }
  return at;
}

int entropic_report_number(const entropic_report *report, const char *path, double *value) {
  const char *at = find(report, path);
  if (at == NULL || value == NULL || strchr("{[\"n", *at) != NULL)
    return 0;
  if (*at == 't' || *at == 'f') {
    *value = *at == 't';
    return 1;
  }
  return entropic_parse_double(at, (size_t)(skip_value(at) - at), value) == ENTROPIC_OK;
}

/* The byte that \u00XX stands for: the only escape of that kind that is written. */
static char escaped_byte(const char *digits) {
  int value = 0;
  for (int i = 0; i < 4; i++)
    value = value * 16 + (digits[i] <= '9' ? digits[i] - '0' : ent_lower(digits[i]) - 'a' + 10);
  return (char)value;
}

size_t entropic_report_text(const entropic_report *report, const char *path, char *text, size_t size) {
  const char *at = find(report, path);
  if (text == NULL)
    size = 0;
  if (size > 0)
    text[0] = 0;
  if (at == NULL || *at != '"')
    return 0;
  size_t length = 0;
  for (at++; *at != '"'; at++, length++) {
    char c = *at;
    if (c == '\\' && at[1] == 'u') {
      c = escaped_byte(at + 2);
      at += 5;
    } else if (c == '\\') {
      c = *++at;
    }
    if (length + 1 < size)
      text[length] = c;
  }
  if (size > 0)
    text[length < size ? length : size - 1] = 0;
  return length;
}

size_t entropic_report_size(const entropic_report *report, const char *path) {
  const char *at = find(report, path);
  if (at == NULL || (*at != '{' && *at != '['))
    return 0;
  size_t count = 0;
  char close = *at == '{' ? '}' : ']';
  for (at++; *at != close; at = skip_comma(skip_value(at)), count++)
    if (close == '}')
      at = skip_string(at) + 2;
  return count;
}

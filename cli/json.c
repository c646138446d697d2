#include "json.h"

#include <math.h>
#include <stdio.h>

cli_json json_start(cli_output *output) {
  return (cli_json){.output = output};
}

/* The length of the valid UTF-8 sequence at text, 0 if there is none. */
static size_t utf8_length(const unsigned char *text) {
  unsigned char first = text[0];
  if (first < 0x80)
    return 1;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  for (size_t i = 1; i < length; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  /* Overlong forms, surrogates and what lies past U+10FFFF show in the second byte. */
  unsigned char second = text[1];
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
      (first == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

static void write_string(cli_output *output, const char *value) {
  const unsigned char *text = (const unsigned char *)value;
  output_character(output, '"');
  while (*text) {
    size_t length = utf8_length(text);
    if (length == 0) {
      output_string(output, "\xef\xbf\xbd");
      text++;
      continue;
    }
    if (*text < 0x20 || *text == 0x7f) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", *text);
      output_string(output, escape);
    } else {
      if (*text == '"' || *text == '\\')
        output_character(output, '\\');
      output_bytes(output, text, length);
    }
    text += length;
  }
  output_character(output, '"');
}

static void before_value(cli_json *json, const char *key) {
  if (json->more)
    output_string(json->output, ", ");
  json->more = true;
  if (!key)
    return;
  write_string(json->output, key);
  output_string(json->output, ": ");
}

void json_open(cli_json *json, const char *key, char bracket) {
  before_value(json, key);
  output_character(json->output, bracket);
  json->more = false;
}

void json_close(cli_json *json, char bracket) {
  output_character(json->output, bracket);
  json->more = true;
}

void json_string(cli_json *json, const char *key, const char *value) {
  before_value(json, key);
  write_string(json->output, value);
}

void json_number(cli_json *json, const char *key, double value) {
  before_value(json, key);
  if (isfinite(value))
    output_number(json->output, value);
  else
    output_string(json->output, "null");
}

void json_count(cli_json *json, const char *key, uint64_t value) {
  before_value(json, key);
  output_count(json->output, value);
}

void json_truth(cli_json *json, const char *key, bool value) {
  before_value(json, key);
  output_string(json->output, value ? "true" : "false");
}

void json_null(cli_json *json, const char *key) {
  before_value(json, key);
  output_string(json->output, "null");
}

void json_finish(cli_json *json) {
  output_character(json->output, '\n');
}

/* The text of an export: see text.h. */
#include "export/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/progress.h"
#include "base/text.h"

#define WIDTH 118
#define SHOWN 200
#define FORMATTED 1024
#define POLL_BYTES ((size_t)1 << 16) /* about 1 ms */

void ent_export_bytes(ent_export_text *text, const char *bytes, size_t count) {
  if (text->status != ENTROPIC_OK)
    return;
  text->unpolled += count;
  if (text->unpolled >= POLL_BYTES) {
    text->unpolled = 0;
    text->status = ent_poll(text->context);
    if (text->status != ENTROPIC_OK)
      return;
  }
  text->status = entropic_output_write(text->context, text->output, bytes, count);
}

void ent_export_plain(ent_export_text *text, const char *plain) {
  ent_export_bytes(text, plain, strlen(plain));
}

void ent_export_code(ent_export_text *text, const char *code) {
  while (*code != '\0') {
    size_t plain = strcspn(code, "@$");
    ent_export_bytes(text, code, plain);
    code += plain;
    if (*code == '@') {
      ent_export_plain(text, text->name);
      ent_export_plain(text, "_");
    } else if (*code == '$') {
      ent_export_plain(text, text->upper);
    }
    code += *code != '\0';
  }
}

void ent_export_format(ent_export_text *text, const char *format, ...) {
  char buffer[FORMATTED];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  ent_export_code(text, buffer);
}

/* ---- Names ---- */

/* Printable ASCII that means nothing special within quotes or comments. */
static bool is_harmless(unsigned char c, const char *special) {
  return c >= 0x20 && c < 0x7f && strchr(special, c) == NULL;
}

static void octal(ent_export_text *text, unsigned char c) {
  char escaped[8];
  snprintf(escaped, sizeof escaped, "\\%03o", (unsigned)c);
  ent_export_plain(text, escaped);
}

void ent_export_c_string(ent_export_text *text, const char *unsafe) {
  ent_export_plain(text, "\"");
  for (const char *c = unsafe; *c != '\0'; c++) {
    if (is_harmless((unsigned char)*c, "\"\\?"))
      ent_export_bytes(text, c, 1);
    else
      octal(text, (unsigned char)*c);
  }
  ent_export_plain(text, "\"");
}

void ent_export_comment(ent_export_text *text, const char *unsafe) {
  size_t count = 0;
  for (const char *c = unsafe; *c != '\0' && count < SHOWN; c++, count++) {
    bool tag = *c == '<' && (c[1] == '/' || c[1] == '!' || ent_lower(c[1]) != c[1] || (c[1] >= 'a' && c[1] <= 'z'));
    if (is_harmless((unsigned char)*c, "*\\?@") && !tag)
      ent_export_bytes(text, c, 1);
    else
      octal(text, (unsigned char)*c);
  }
  if (strlen(unsafe) > SHOWN)
    ent_export_plain(text, "...");
}

void ent_export_js_string(ent_export_text *text, const char *unsafe) {
  size_t length = strlen(unsafe), used;
  ent_export_plain(text, "\"");
  for (size_t i = 0; i < length; i += used) {
    uint32_t code = 0;
    char escaped[16];
    used = ent_utf8(unsafe + i, length - i, &code);
    code = used == 0 ? 0xfffd : code;
    used = used == 0 ? 1 : used;
    if (code < 0x80 && is_harmless((unsigned char)code, "\"\\<&")) {
      ent_export_bytes(text, unsafe + i, 1);
      continue;
    }
    if (code < 0x10000)
      snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)code);
    else
      snprintf(escaped, sizeof escaped, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((code - 0x10000) >> 10)),
               (unsigned)(0xdc00 + ((code - 0x10000) & 0x3ff)));
    ent_export_plain(text, escaped);
  }
  ent_export_plain(text, "\"");
}

/* ---- Numbers ---- */

/* A constant; returns its length. Those of float keep all digits of the double: the compiler rounds once. */
static size_t constant(bool single, double value, char shown[ENTROPIC_NUMBER_SIZE + 4]) {
  double most = single ? FLT_MAX : DBL_MAX;
  value = value > most ? most : value < -most ? -most : value;
  if (single && fabs(value) < FLT_MIN)
    value = 0; /* compilers complain about constants that are no normal float */
  size_t length = entropic_format_double(value, shown);
  if (strpbrk(shown, ".e") == NULL) {
    memcpy(shown + length, ".0", 3);
    length += 2;
  }
  if (single) {
    memcpy(shown + length, "f", 2);
    length++;
  }
  return length;
}

void ent_export_number(ent_export_text *text, double value) {
  char shown[ENTROPIC_NUMBER_SIZE + 4];
  ent_export_bytes(text, shown, constant(text->single, value, shown));
}

void ent_export_double(ent_export_text *text, double value) {
  char shown[ENTROPIC_NUMBER_SIZE + 4];
  ent_export_bytes(text, shown, constant(false, value, shown));
}

/* ---- Tables ---- */

void ent_export_table_begin(ent_export_text *text, const char *open) {
  ent_export_code(text, open);
  text->column = 0;
}

static void item(ent_export_text *text, const char *shown, size_t length) {
  if (text->column == 0 || text->column + length + 2 > WIDTH) {
    ent_export_plain(text, text->column == 0 ? "\n  " : ",\n  ");
    text->column = 2;
  } else {
    ent_export_plain(text, ", ");
    text->column += 2;
  }
  ent_export_bytes(text, shown, length);
  text->column += length;
}

void ent_export_table_number(ent_export_text *text, double value) {
  char shown[ENTROPIC_NUMBER_SIZE + 4];
  item(text, shown, constant(text->single, value, shown));
}

void ent_export_table_integer(ent_export_text *text, long long value) {
  char shown[32];
  item(text, shown, (size_t)snprintf(shown, sizeof shown, "%lld", value));
}

void ent_export_table_word(ent_export_text *text, uint64_t value) {
  char shown[24];
  item(text, shown, (size_t)snprintf(shown, sizeof shown, "0x%llx", (unsigned long long)value));
}

void ent_export_table_end(ent_export_text *text, const char *close) {
  if (text->column == 0)
    item(text, "0", 1); /* C has no empty tables */
  ent_export_plain(text, close);
}

const char *ent_export_integer_type(size_t most) {
  return most <= UINT8_MAX ? "uint8_t" : most <= UINT16_MAX ? "uint16_t" : "uint32_t";
}

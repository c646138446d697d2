/* Text that grows: see report.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "page/page.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

void ent_text_free(ent_text *text) {
  ent_delete(text->bytes);
  *text = (ent_text){.context = text->context};
}

/* Room for so many bytes more and a 0 after them; NULL after a failure. */
static char *make_room(ent_text *text, size_t count) {
  size_t needed;
  if (text->status != ENTROPIC_OK)
    return NULL;
  if (!ent_add(text->length, count, &needed) || !ent_add(needed, 1, &needed))
    needed = SIZE_MAX; /* which ent_reserve refuses, with a message */
  /* Each growth copies, so it doubles rather than adding half. */
  if (needed > text->capacity && needed < SIZE_MAX / 2)
    needed += text->length + 4096;
  if (ent_reserve(text->context, &text->bytes, &text->capacity, needed, 1))
    return text->bytes + text->length;
  text->status = ENTROPIC_NO_MEMORY;
  return NULL;
}

void ent_text_bytes(ent_text *text, const char *bytes, size_t count) {
  char *to = make_room(text, count);
  if (to == NULL)
    return;
  memcpy(to, bytes, count);
  to[count] = '\0';
  text->length += count;
}

void ent_text_add(ent_text *text, const char *plain) {
  ent_text_bytes(text, plain, strlen(plain));
}

void ent_text_format(ent_text *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int count = vsnprintf(NULL, 0, format, arguments);
  char *to = make_room(text, count < 0 ? SIZE_MAX : (size_t)count);
  if (to != NULL) {
    vsnprintf(to, (size_t)count + 1, format, again);
    text->length += (size_t)count;
  }
  va_end(again);
  va_end(arguments);
}

static const char *entity(uint32_t code) {
  switch (code) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  case '\t':
  case '\n':
  case '\r':
    return " ";
  case 0xfffe:
  case 0xffff:
    return REPLACEMENT; /* no characters, and XML has no way to write them */
  default:
    return ent_unprintable(code) ? "" : NULL;
  }
}

void ent_text_escape_bytes(ent_text *text, const char *unsafe, size_t count) {
  for (size_t at = 0; at < count && text->status == ENTROPIC_OK;) {
    uint32_t code = 0;
    size_t size = ent_utf8(unsafe + at, count - at, &code);
    const char *instead = size == 0 ? REPLACEMENT : entity(code);
    if (instead != NULL)
      ent_text_add(text, instead);
    else
      ent_text_bytes(text, unsafe + at, size);
    at += size == 0 ? 1 : size;
  }
}

void ent_text_escape(ent_text *text, const char *unsafe) {
  if (unsafe != NULL)
    ent_text_escape_bytes(text, unsafe, strlen(unsafe));
}

void ent_text_prose(ent_text *text, const char *unsafe) {
  while (unsafe != NULL && *unsafe != '\0' && text->status == ENTROPIC_OK) {
    size_t before = strcspn(unsafe, "`");
    const char *start = unsafe + before, *end = *start == '`' ? strchr(start + 1, '`') : NULL;
    if (end == NULL || end == start + 1) { /* no pair, or nothing in it: as it is */
      size_t plain = before + (end != NULL ? 2 : strlen(start));
      ent_text_escape_bytes(text, unsafe, plain);
      unsafe += plain;
      continue;
    }
    ent_text_escape_bytes(text, unsafe, before);
    ent_text_add(text, "<code>");
    ent_text_escape_bytes(text, start + 1, (size_t)(end - start) - 1);
    ent_text_add(text, "</code>");
    unsafe = end + 1;
  }
}

void ent_text_place(ent_text *text, double value) {
  long hundredths = lround(value * 100);
  unsigned long size = (unsigned long)labs(hundredths);
  ent_text_format(text, "%s%lu", hundredths < 0 ? "-" : "", size / 100);
  if (size % 100 != 0)
    ent_text_format(text, size % 10 != 0 ? ".%02lu" : ".%lu", size % 10 != 0 ? size % 100 : size % 100 / 10);
}

void ent_text_json(ent_text *text, const char *unsafe) {
  size_t count = strlen(unsafe);
  ent_text_add(text, "\"");
  for (size_t at = 0; at < count && text->status == ENTROPIC_OK;) {
    uint32_t code = 0;
    size_t size = ent_utf8(unsafe + at, count - at, &code);
    if (size == 0)
      ent_text_add(text, REPLACEMENT);
    else if (ent_unprintable(code) || (code < 0x80 && strchr("\"\\<>&", (int)code) != NULL))
      ent_text_format(text, "\\u%04x", (unsigned)code);
    else
      ent_text_bytes(text, unsafe + at, size);
    at += size == 0 ? 1 : size;
  }
  ent_text_add(text, "\"");
}

void ent_text_json_number(ent_text *text, double value) {
  char number[ENTROPIC_NUMBER_SIZE] = "null";
  if (isfinite(value))
    entropic_format_double(value, number);
  ent_text_add(text, number);
}

void ent_text_base64(ent_text *text, const uint8_t *bytes, size_t count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < count; i += 3) {
    size_t left = count - i;
    uint32_t bits =
        (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
    char four[4];
    for (size_t k = 0; k < 4; k++)
      four[k] = k <= left ? digits[bits >> (18 - 6 * k) & 63] : '=';
    ent_text_bytes(text, four, 4);
  }
}

entropic_status ent_text_save(ent_text *text, const char *path) {
  entropic_output *output = NULL;
  entropic_status status = text->status;
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_output_create(text->context, path, &output);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_output_write(text->context, output, text->bytes == NULL ? "" : text->bytes, text->length);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_output_commit(text->context, output);
done:
  entropic_output_free(output);
  return status;
}

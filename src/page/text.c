/* Text for pages: see page.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "page/page.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

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

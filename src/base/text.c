/* Text of unknown origin: see text.h. */
#define _GNU_SOURCE
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#define ENT_SHOWN_CHARACTERS 40

size_t ent_utf8(const char *text, size_t length, uint32_t *code) {
  const unsigned char *bytes = (const unsigned char *)text;
  unsigned char first = bytes[0];
  size_t size = first >= 0xf0 && first <= 0xf4  ? 4
                : first >= 0xe0 && first < 0xf0 ? 3
                : first >= 0xc2 && first < 0xe0 ? 2
                : first < 0x80                  ? 1
                                                : 0;
  if (size == 0 || size > length)
    return 0;
  uint32_t found = size == 1 ? first : first & (0xffu >> (size + 1));
  for (size_t i = 1; i < size; i++) {
    if ((bytes[i] & 0xc0) != 0x80)
      return 0;
    found = found << 6 | (bytes[i] & 0x3fu);
  }
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool surrogate = found >= 0xd800 && found < 0xe000;
  if (found < least[size] || found > 0x10ffff || surrogate)
    return 0;
  *code = found;
  return size;
}

bool ent_unprintable(uint32_t code) {
  bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || direction;
}

char ent_lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool ent_same_word(const char *text, size_t length, const char *word) {
  for (size_t i = 0; i < length; i++)
    if (word[i] == '\0' || ent_lower(text[i]) != ent_lower(word[i]))
      return false;
  return word[length] == '\0';
}

const char *ent_show(const char *text, size_t length, char shown[ENT_SHOW_SIZE]) {
  static const char hex[] = "0123456789abcdef";
  char *p = shown;
  size_t at = 0;
  for (int characters = 0; at < length && characters < ENT_SHOWN_CHARACTERS; characters++) {
    unsigned char byte = (unsigned char)text[at];
    uint32_t code;
    size_t size = ent_utf8(text + at, length - at, &code);
    if (size > 0 && !ent_unprintable(code) && code != '\\') {
      memcpy(p, text + at, size);
      p += size;
      at += size;
    } else {
      p[0] = '\\';
      p[1] = 'x';
      p[2] = hex[byte >> 4];
      p[3] = hex[byte & 15];
      p += 4;
      at++;
    }
  }
  strcpy(p, at < length ? "..." : "");
  return shown;
}

const char *ent_show_argument(const char *text, char shown[ENT_ARGUMENT_SIZE]) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.+:/@%=,";
  size_t length = strlen(text);
  bool word = length > 0 && text[0] != '-', printable = length <= (ENT_ARGUMENT_SIZE - 3) / 4;
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)text[i];
    word = word && (byte >= 0x80 || strchr(plain, text[i]) != NULL);
    printable = printable && byte >= ' ' && byte != 0x7f;
  }
  if (!printable)
    return ent_show(text, length, shown);
  if (word)
    return strcpy(shown, text);
  char *p = shown, quote = strpbrk(text, "\"$`\\!") == NULL ? '"' : '\'';
  *p++ = quote;
  for (; *text != '\0'; text++) {
    if (*text == quote) /* only a single quote can be: it ends the quoted part, stands by itself, and begins another */
      p = stpcpy(p, "'\\'");
    *p++ = *text;
  }
  *p++ = quote;
  *p = '\0';
  return shown;
}

const char *ent_error_text(int error, char buffer[ENT_SHOW_SIZE]) {
  return strerror_r(error, buffer, ENT_SHOW_SIZE);
}

/* ---- Text that grows ---- */

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

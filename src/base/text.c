/* Text of unknown origin, made fit for a message: see text.h. */
#define _GNU_SOURCE
#include "base/text.h"

#include <stdint.h>
#include <string.h>

#define ENT_SHOWN_CHARACTERS 40

/* How many bytes the printable character at text takes; 0 if it is none. */
static size_t character_size(const unsigned char *text, size_t length) {
  unsigned char first = text[0];
  if (first < 0x80)
    return first >= 0x20 && first != 0x7f && first != '\\' ? 1 : 0;
  size_t size = first >= 0xf0 && first <= 0xf4  ? 4
                : first >= 0xe0 && first < 0xf0 ? 3
                : first >= 0xc2 && first < 0xe0 ? 2
                                                : 0;
  if (size == 0 || size > length)
    return 0;
  uint32_t code = first & (0xffu >> (size + 1));
  for (size_t i = 1; i < size; i++) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (text[i] & 0x3fu);
  }
  static const uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000}; /* below 0xa0 lie control characters */
  int surrogate = code >= 0xd800 && code < 0xe000;
  /* Marks that would turn the direction of the rest of the message around. */
  int turning = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return code < least[size] || code > 0x10ffff || surrogate || turning ? 0 : size;
}

const char *ent_show(const char *text, size_t length, char shown[ENT_SHOW_SIZE]) {
  static const char hex[] = "0123456789abcdef";
  char *p = shown;
  size_t at = 0;
  for (int characters = 0; at < length && characters < ENT_SHOWN_CHARACTERS; characters++) {
    unsigned char byte = (unsigned char)text[at];
    size_t size = character_size((const unsigned char *)text + at, length - at);
    if (size > 0) {
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

const char *ent_error_text(int error, char buffer[ENT_SHOW_SIZE]) {
  return strerror_r(error, buffer, ENT_SHOW_SIZE);
}

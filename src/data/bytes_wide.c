/* UTF-16 to UTF-8: see bytes.h. */
#include <string.h>

#include "data/bytes_parts.h"

/* UTF-16 at a time: as UTF-8 it is longer by half at most, and fits into a chunk. */
#define ENT_RAW (64 * 1024)

static uint32_t unit_at(const ent_bytes *bytes, size_t at) {
  const unsigned char *p = bytes->raw + at;
  return bytes->wide == 1 ? (uint32_t)(p[0] | p[1] << 8) : (uint32_t)(p[0] << 8 | p[1]);
}

static size_t write_utf8(uint32_t code, char *to) {
  static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; i--, code >>= 6)
    to[i] = (char)(0x80 | (code & 0x3f));
  to[0] = (char)(leads[length] | code);
  return length;
}

/* What is wrong with UTF-16 at raw[at], after `written` bytes past the end of the buffer. */
static entropic_status fail_wide_text(entropic_context *context, ent_bytes *bytes, size_t at, size_t written,
                                      const char *what) {
  bytes->end += written;
  size_t line = ent_bytes_last_line(bytes);
  bytes->end -= written;
  unsigned long long place = bytes->raw_at + at + 1;
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu, byte %llu: %s, expected UTF-16 text", bytes->name, line,
                  place, what);
}

/* Converts raw UTF-16 to UTF-8 at the end of the buffer. Half a character waits for the rest of it. */
static entropic_status decode(entropic_context *context, ent_bytes *bytes, size_t *count) {
  char *to = bytes->data + bytes->end;
  size_t at = 0, written = 0;
  while (at + 2 <= bytes->raw_used) {
    uint32_t code = unit_at(bytes, at);
    size_t length = 2;
    if (code >= 0xd800 && code < 0xdc00) {
      if (at + 4 > bytes->raw_used)
        break;
      uint32_t low = unit_at(bytes, at + 2);
      if (low < 0xdc00 || low > 0xdfff)
        return fail_wide_text(context, bytes, at, written, "there is half of a surrogate pair");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      length = 4;
    } else if (code >= 0xdc00 && code <= 0xdfff) {
      return fail_wide_text(context, bytes, at, written, "there is half of a surrogate pair");
    }
    written += write_utf8(code, to + written);
    at += length;
  }
  memmove(bytes->raw, bytes->raw + at, bytes->raw_used - at);
  bytes->raw_used -= at;
  bytes->raw_at += at;
  *count = written;
  return ENTROPIC_OK;
}

/* Reads UTF-16 until there is a character of it, or the end. */
entropic_status ent_bytes_read_wide(entropic_context *context, ent_bytes *bytes, size_t *count) {
  *count = 0;
  if (bytes->raw == NULL)
    bytes->raw = ent_new(context, ENT_RAW, 1);
  if (bytes->raw == NULL)
    return ENTROPIC_NO_MEMORY;
  while (*count == 0) {
    size_t got = ent_stream_read(&bytes->stream, (char *)bytes->raw + bytes->raw_used, ENT_RAW - bytes->raw_used);
    if (got == 0) {
      entropic_status status = ent_bytes_end_status(context, bytes);
      if (status != ENTROPIC_OK)
        return status;
      return bytes->raw_used == 0 ? ENTROPIC_OK
                                  : fail_wide_text(context, bytes, 0, 0, "the file ends in the middle of a character");
    }
    bytes->raw_used += got;
    entropic_status status = decode(context, bytes, count);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

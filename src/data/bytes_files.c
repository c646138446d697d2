/* Bytes of one file after the other: see bytes.h. */
#include <stdio.h>
#include <string.h>

#include "data/bytes_parts.h"
#include "data/dialect.h"

/* A line feed to stop at, then nothing; all of it may be read. */
void ent_bytes_seal(char *end) {
  memset(end, 0, ENT_BYTES_PADDING);
  *end = '\n';
}

/* The line at which the bytes end that are there. */
static size_t last_line(const ent_bytes *bytes) {
  size_t line = bytes->line;
  for (size_t i = bytes->at; i < bytes->end; i++)
    line += bytes->data[i] == '\n';
  return line;
}

/* Why there are no more bytes; OK at a proper end. */
entropic_status ent_bytes_end_status(entropic_context *context, const ent_bytes *bytes) {
  if (bytes->refusal != NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s", bytes->refusal);
  /* An open failure, or one in the first chunk of a file, is about that file, of which nothing is at hand yet. */
  ent_file_place place = ent_line_map_find(bytes->line_map, bytes->name, last_line(bytes));
  if (bytes->line_map != NULL && place.file != bytes->line_map->list[bytes->part].path)
    place = (ent_file_place){bytes->line_map->list[bytes->part].path, 1};
  return ent_stream_status(context, &bytes->stream, place.file, place.line);
}

void ent_bytes_end_lines(char *from, const char *to) {
  for (; from < to; from++)
    if (*from == '\r')
      *from = '\n';
}

/* One chunk of the file that is read; fewer bytes at its end. */
static size_t read_chunk(ent_bytes *bytes, char *to) {
  size_t count = bytes->entry_used - bytes->entry_at;
  if (count > 0) {
    count = count < ENT_CHUNK ? count : ENT_CHUNK;
    memcpy(to, bytes->entry + bytes->entry_at, count);
    bytes->entry_at += count;
  } else {
    count = ent_stream_read(&bytes->stream, to, ENT_CHUNK);
  }
  if (bytes->returns)
    ent_bytes_end_lines(to, to + count);
  if (bytes->line_map != NULL && count > 0) {
    bytes->fetched_lines += ent_count_lines(to, to + count);
    bytes->fetched_last = to[count - 1];
  }
  return count;
}

/* The top of a file after the first: what is not text is left out, and a line feed put before it if need be. There is
 * room for that in entry[0]. */
static entropic_status look_at_entry(ent_bytes *bytes, ent_part *part, size_t count, ent_entry_verdict *verdict) {
  const char *top = bytes->entry + 1;
  size_t mark = count >= 3 && memcmp(top, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, skip = 0;
  char problem[ENT_ENTRY_PROBLEM] = "";
  ent_entry_text text = {part->path, bytes->path, top + mark, count - mark, bytes->stream.end != ENT_STREAM_ON};
  *verdict = ENT_ENTRY_TAKEN;
  if (count >= 2 && (memcmp(top, "\xff\xfe", 2) == 0 || memcmp(top, "\xfe\xff", 2) == 0)) {
    *verdict = ENT_ENTRY_REFUSED;
    snprintf(problem, sizeof problem, "%s is UTF-16, expected UTF-8 where a table is in several files", part->path);
  } else if (bytes->check.look != NULL) {
    *verdict = bytes->check.look(bytes->check.user, &text, &skip, problem);
  }
  if (*verdict == ENT_ENTRY_REFUSED) {
    bytes->refusal = ent_new_text(NULL, problem, strlen(problem));
    return bytes->refusal == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  }
  part->skipped = ent_count_lines(text.bytes, text.bytes + skip);
  bytes->entry_at = 1 + mark + skip;
  bytes->entry_used = 1 + count;
  return ENTROPIC_OK;
}

/* Reads the top of a file, as much as the reader needs to see of it. */
static entropic_status read_entry(ent_bytes *bytes, ent_part *part) {
  size_t count = 0, needed = 1 + ENT_CHUNK;
  ent_entry_verdict verdict = ENT_ENTRY_MORE;
  while (verdict == ENT_ENTRY_MORE) {
    if (!ent_reserve(NULL, &bytes->entry, &bytes->entry_capacity, needed + ENT_BYTES_PADDING, 1))
      return ENTROPIC_NO_MEMORY;
    count += ent_stream_read(&bytes->stream, bytes->entry + 1 + count, needed - 1 - count);
    needed = 2 * needed;
    if (count == 0 || (bytes->stream.end != ENT_STREAM_ON && bytes->stream.end != ENT_STREAM_ENDED))
      return ENTROPIC_OK;
    bool returns = memchr(bytes->entry + 1, '\r', count) != NULL && memchr(bytes->entry + 1, '\n', count) == NULL;
    if (returns)
      ent_bytes_end_lines(bytes->entry + 1, bytes->entry + 1 + count);
    bytes->returns = returns;
    ent_bytes_seal(bytes->entry + 1 + count);
    entropic_status status = look_at_entry(bytes, part, count, &verdict);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Goes on to the next file; false if there is none, or something is wrong with it. */
static bool enter_next(ent_bytes *bytes) {
  if (!bytes->joined || bytes->part + 1 == bytes->line_map->count || bytes->stream.end != ENT_STREAM_ENDED)
    return false;
  ent_part *part = &bytes->line_map->list[++bytes->part];
  part->first = SIZE_MAX; /* no line stands there so far */
  ent_stream_close(&bytes->stream);
  ent_stream_open(part->path, &bytes->stream);
  bytes->entry_at = bytes->entry_used = 0;
  if (read_entry(bytes, part) != ENTROPIC_OK)
    bytes->stream.end = ENT_STREAM_NO_MEMORY;
  if (bytes->refusal != NULL || (bytes->stream.end != ENT_STREAM_ON && bytes->stream.end != ENT_STREAM_ENDED))
    return false;
  bool open_line = bytes->fetched_last != '\n' && bytes->entry_used > bytes->entry_at;
  if (open_line)
    bytes->entry[--bytes->entry_at] = '\n';
  part->first = 1 + bytes->fetched_lines + open_line;
  return true;
}

/* Up to `room` bytes, which come in chunks: so whatever is asked for, a file that is corrupt ends at the same byte. */
size_t ent_bytes_read_chunks(ent_bytes *bytes, char *to, size_t room) {
  size_t count = 0;
  while (!bytes->stopped && room - count >= ENT_CHUNK) {
    size_t got = read_chunk(bytes, to + count);
    count += got;
    if (got == 0)
      bytes->stopped = !enter_next(bytes);
  }
  return count;
}

/* The first bytes of the first file: one chunk, or the mark of UTF-16, which are two and nothing else then. */
size_t ent_bytes_begin(ent_bytes *bytes, char *to) {
  bytes->begun = true;
  size_t first = ent_stream_read(&bytes->stream, to, 2);
  if (first == 2)
    bytes->wide = memcmp(to, "\xff\xfe", 2) == 0 ? 1 : memcmp(to, "\xfe\xff", 2) == 0 ? 2 : 0;
  bytes->raw_used = 0;
  bytes->raw_at = 2;
  if (bytes->wide != 0)
    return 0;
  size_t count = first + ent_stream_read(&bytes->stream, to + first, ENT_CHUNK - first);
  if (bytes->returns)
    ent_bytes_end_lines(to, to + count);
  if (bytes->line_map != NULL && count > 0) {
    bytes->fetched_lines += ent_count_lines(to, to + count);
    bytes->fetched_last = to[count - 1];
  }
  bytes->stopped = count == 0;
  return count;
}

/* The stream goes back to the first byte of the first file. */
bool ent_bytes_rewind_stream(ent_bytes *bytes) {
  ent_delete(bytes->refusal);
  bytes->refusal = NULL;
  bytes->entry_at = bytes->entry_used = bytes->fetched_lines = 0;
  bytes->returns = bytes->first_returns;
  if (bytes->part == 0)
    return ent_stream_rewind(&bytes->stream);
  ent_stream_close(&bytes->stream);
  ent_stream_open(bytes->path, &bytes->stream);
  bytes->part = 0;
  bytes->line_map->known = 1;
  return bytes->stream.end == ENT_STREAM_ON;
}

/* ---- UTF-16 to UTF-8 ---- */

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
  size_t line = last_line(bytes);
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

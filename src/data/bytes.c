/* Bytes come through zlib, which hands plain files on as they are: see bytes.h. */
#include "data/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/text.h"

/* Half of a usual second-level cache. */
#define ENT_CHUNK (256 * 1024)
/* UTF-16 at a time: as UTF-8 it is longer by half at most, and fits into a chunk. */
#define ENT_RAW (64 * 1024)
/* Room before bytes that are read ahead, for the row that they end. */
#define ENT_AHEAD_FRONT (64 * 1024)

static entropic_status fail_system(entropic_context *context, const char *name, int error) {
  char text[ENT_SHOW_SIZE];
  return ent_fail(context, ENTROPIC_SYSTEM, "cannot read '%s': %s", name, ent_error_text(error, text));
}

/* The line at which the bytes end that are there. */
static size_t last_line(const ent_bytes *bytes) {
  size_t line = bytes->line;
  for (size_t i = bytes->at; i < bytes->end; i++)
    line += bytes->data[i] == '\n';
  return line;
}

/* Why zlib has no more bytes; OK at a proper end. */
static entropic_status end_status(entropic_context *context, const ent_bytes *bytes, int error) {
  int code;
  gzerror(bytes->file, &code);
  switch (code) {
  case Z_OK:
  case Z_STREAM_END:
    return ENTROPIC_OK;
  case Z_ERRNO:
    return fail_system(context, bytes->name, error);
  case Z_MEM_ERROR:
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while reading '%s'", bytes->name);
  case Z_BUF_ERROR:
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu: the gzip data end too early; the file is truncated",
                    bytes->name, last_line(bytes));
  default:
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, after line %zu: the gzip data are corrupt", bytes->name,
                    last_line(bytes));
  }
}

/* A line feed to stop at, then nothing; all of it may be read. */
static void seal(ent_bytes *bytes) {
  memset(bytes->data + bytes->end, 0, ENT_BYTES_PADDING);
  bytes->data[bytes->end] = '\n';
}

static entropic_status open_file(entropic_context *context, ent_bytes *bytes, const char *path) {
  bool standard = strcmp(path, "-") == 0;
  bytes->path = ent_new(context, strlen(path) + 1, 1);
  if (bytes->path == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(bytes->path, path, strlen(path) + 1);
  bytes->name = standard ? "standard input" : bytes->path;
  int descriptor = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0)
    return fail_system(context, bytes->name, errno);
  struct stat about;
  bool known = fstat(descriptor, &about) == 0;
  if (known && S_ISDIR(about.st_mode)) {
    close(descriptor);
    return fail_system(context, bytes->name, EISDIR);
  }
  bytes->seekable = known && S_ISREG(about.st_mode);
  bytes->spooling = !bytes->seekable;
  bytes->size = bytes->seekable ? (uint64_t)about.st_size : 0;
  bytes->file = gzdopen(descriptor, "rb");
  if (bytes->file == NULL) {
    close(descriptor);
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while opening '%s'", bytes->name);
  }
  gzbuffer(bytes->file, 65536); /* before the first read it cannot fail */
  return ENTROPIC_OK;
}

entropic_status ent_bytes_open(entropic_context *context, const char *path, ent_bytes **bytes) {
  ent_bytes *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->line = 1;
  bool more;
  entropic_status status = open_file(context, made, path);
  if (status != ENTROPIC_OK)
    goto fail;
  status = ent_bytes_more(context, made, &more);
  if (status != ENTROPIC_OK)
    goto fail;
  if (!gzdirect(made->file) || made->wide != 0)
    made->size = 0;
  *bytes = made;
  return ENTROPIC_OK;
fail:
  ent_bytes_close(made);
  return status;
}

entropic_status ent_bytes_open_memory(entropic_context *context, const void *from, size_t count, ent_bytes **bytes) {
  size_t capacity;
  if (!ent_add(count, ENT_BYTES_PADDING, &capacity))
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%zu bytes are too many", count);
  ent_bytes *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->data = ent_new(context, capacity, 1);
  if (made->data == NULL) {
    ent_bytes_close(made);
    return ENTROPIC_NO_MEMORY;
  }
  memcpy(made->data, from, count);
  made->name = "memory";
  made->line = 1;
  made->capacity = capacity;
  made->end = count;
  made->size = count;
  made->ended = made->begun = true;
  seal(made);
  *bytes = made;
  return ENTROPIC_OK;
}

void ent_bytes_close(ent_bytes *bytes) {
  if (bytes == NULL)
    return;
  if (bytes->file != NULL)
    gzclose_r(bytes->file);
  ent_delete(bytes->path);
  ent_delete(bytes->data);
  ent_delete(bytes->ahead);
  ent_delete(bytes->spool);
  ent_spool_free(bytes->disk);
  ent_delete(bytes->raw);
  ent_delete(bytes);
}

/* Moves what is not used to the front, with room for `least` bytes behind it. */
static entropic_status make_room(entropic_context *context, ent_bytes *bytes, size_t least) {
  size_t used = bytes->end - bytes->at;
  bytes->consumed += bytes->at;
  if (used > 0 && bytes->at > 0)
    memmove(bytes->data, bytes->data + bytes->at, used);
  bytes->at = 0;
  bytes->end = used;
  if (bytes->data != NULL && bytes->capacity - used >= least)
    return ENTROPIC_OK;
  size_t capacity = bytes->data == NULL ? 0 : bytes->capacity + ENT_BYTES_PADDING, needed;
  /* A row longer than the buffer doubles it, so that the work stays in proportion. */
  if (!ent_add(used, used > least ? used : least, &needed) || !ent_add(needed, ENT_BYTES_PADDING, &needed))
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: a line of '%s' is too long", bytes->name);
  char *grown = ent_grow(context, bytes->data, &capacity, needed, 1);
  if (grown == NULL)
    return ENTROPIC_NO_MEMORY;
  bytes->data = grown;
  bytes->capacity = capacity - ENT_BYTES_PADDING;
  return ENTROPIC_OK;
}

static entropic_status add_to_spool(entropic_context *context, ent_bytes *bytes, const char *from, size_t count) {
  if (bytes->disk != NULL) {
    entropic_status status = ent_spool_append(context, bytes->disk, from, count);
    if (status != ENTROPIC_OK)
      return status;
  } else {
    char *grown = ent_grow(context, bytes->spool, &bytes->spool_capacity, bytes->spool_used + count, 1);
    if (grown == NULL)
      return ENTROPIC_NO_MEMORY;
    bytes->spool = grown;
    memcpy(grown + bytes->spool_used, from, count);
  }
  bytes->spool_used += count;
  bytes->spool_at = bytes->spool_used;
  return ENTROPIC_OK;
}

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
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu, byte %llu: %s, expected UTF-16 text", bytes->name, line,
                  (unsigned long long)(bytes->raw_at + at + 1), what);
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
static entropic_status fetch_wide(entropic_context *context, ent_bytes *bytes, size_t *count) {
  *count = 0;
  if (bytes->raw == NULL)
    bytes->raw = ent_new(context, ENT_RAW, 1);
  if (bytes->raw == NULL)
    return ENTROPIC_NO_MEMORY;
  while (*count == 0) {
    errno = 0;
    int got = gzread(bytes->file, bytes->raw + bytes->raw_used, (unsigned)(ENT_RAW - bytes->raw_used));
    if (got <= 0) {
      entropic_status status = end_status(context, bytes, errno);
      if (status != ENTROPIC_OK)
        return status;
      return bytes->raw_used == 0 ? ENTROPIC_OK
                                  : fail_wide_text(context, bytes, 0, 0, "the file ends in the middle of a character");
    }
    bytes->raw_used += (size_t)got;
    entropic_status status = decode(context, bytes, count);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Up to `room` bytes of zlib's, which come in chunks: so whatever is asked for, a file that is corrupt ends at the same
 * byte. */
static size_t read_chunks(ent_bytes *bytes, char *to, size_t room) {
  size_t count = 0;
  while (!bytes->stopped && room - count >= ENT_CHUNK) {
    errno = 0;
    int got = gzread(bytes->file, to + count, ENT_CHUNK);
    bytes->stopped = got <= 0;
    bytes->stop_error = errno;
    count += got > 0 ? (size_t)got : 0;
  }
  return count;
}

/* The first bytes of the file: one chunk, or the mark of UTF-16, which are two and nothing else then. */
static size_t begin(ent_bytes *bytes, char *to) {
  bytes->begun = true;
  errno = 0;
  int first = gzread(bytes->file, to, 2), got = 0;
  if (first == 2)
    bytes->wide = memcmp(to, "\xff\xfe", 2) == 0 ? 1 : memcmp(to, "\xfe\xff", 2) == 0 ? 2 : 0;
  bytes->raw_used = 0;
  bytes->raw_at = 2;
  if (bytes->wide != 0)
    return 0;
  if (first == 2)
    got = gzread(bytes->file, to + 2, ENT_CHUNK - 2);
  bytes->stopped = first <= 0 || (first == 2 && got < 0);
  bytes->stop_error = errno;
  return (size_t)(first > 0 ? first : 0) + (size_t)(got > 0 ? got : 0);
}

/* Up to `room` bytes to the end of the buffer. */
static entropic_status fetch(entropic_context *context, ent_bytes *bytes, size_t room, size_t *count) {
  char *to = bytes->data + bytes->end;
  size_t kept = bytes->spool_used - bytes->spool_at;
  if (kept > 0) {
    size_t part = kept < room ? kept : room;
    if (bytes->disk != NULL) {
      entropic_status status = ent_spool_read(context, bytes->disk, bytes->spool_at, to, part);
      if (status != ENTROPIC_OK)
        return status;
    } else {
      memcpy(to, bytes->spool + bytes->spool_at, part);
    }
    bytes->spool_at += part;
    *count = part;
    return ENTROPIC_OK;
  }
  bool begun = bytes->begun;
  *count = begun ? 0 : begin(bytes, to);
  if (bytes->wide != 0) {
    entropic_status status = fetch_wide(context, bytes, count);
    if (status != ENTROPIC_OK)
      return status;
  } else {
    if (begun)
      *count = read_chunks(bytes, to, room);
    if (*count == 0)
      return end_status(context, bytes, bytes->stop_error);
  }
  return bytes->spooling ? add_to_spool(context, bytes, to, *count) : ENTROPIC_OK;
}

static void end_lines_at_returns(ent_bytes *bytes, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (bytes->data[i] == '\r')
      bytes->data[i] = '\n';
}

/* Goes on to the bytes that were read ahead. What is not used is put before them, and the buffers are exchanged; more than
 * there is room for is made one with them in the old buffer. */
static entropic_status take_ahead(entropic_context *context, ent_bytes *bytes) {
  size_t used = bytes->end - bytes->at, count = bytes->ahead_used;
  if (used > ENT_AHEAD_FRONT) {
    entropic_status status = make_room(context, bytes, count);
    if (status != ENTROPIC_OK)
      return status;
    memcpy(bytes->data + bytes->end, bytes->ahead + ENT_AHEAD_FRONT, count);
    bytes->end += count;
    bytes->ahead_used = 0;
    return ENTROPIC_OK;
  }
  char *former = bytes->data;
  size_t capacity = bytes->capacity;
  memcpy(bytes->ahead + ENT_AHEAD_FRONT - used, bytes->data + bytes->at, used);
  bytes->consumed += bytes->at;
  bytes->at = ENT_AHEAD_FRONT - used;
  bytes->consumed -= bytes->at; /* modulo 2^64: only its sum with a place in the buffer counts */
  bytes->end = ENT_AHEAD_FRONT + count;
  bytes->data = bytes->ahead;
  bytes->capacity = bytes->ahead_capacity;
  bytes->ahead = former;
  bytes->ahead_capacity = capacity;
  bytes->ahead_used = 0;
  return ENTROPIC_OK;
}

/* Reads on to the end of the buffer. */
static entropic_status read_on(entropic_context *context, ent_bytes *bytes) {
  entropic_status status = make_room(context, bytes, ENT_CHUNK);
  if (status != ENTROPIC_OK)
    return status;
  size_t room = bytes->capacity - bytes->end, count = 0;
  if (room > 64u << 20)
    room = 64u << 20;
  status = fetch(context, bytes, room, &count);
  if (status == ENTROPIC_OK)
    bytes->end += count;
  return status;
}

entropic_status ent_bytes_more(entropic_context *context, ent_bytes *bytes, bool *more) {
  *more = false;
  if (bytes->ended || bytes->frozen)
    return ENTROPIC_OK;
  size_t used = bytes->end - bytes->at;
  entropic_status status = bytes->ahead_used > 0 ? take_ahead(context, bytes) : read_on(context, bytes);
  if (status != ENTROPIC_OK) {
    if (bytes->data != NULL)
      seal(bytes); /* what was there before can still be scanned */
    return status;
  }
  *more = bytes->end - bytes->at > used;
  if (bytes->returns)
    end_lines_at_returns(bytes, bytes->at + used, bytes->end);
  bytes->ended = !*more;
  seal(bytes);
  return ENTROPIC_OK;
}

entropic_status ent_bytes_gather(entropic_context *context, ent_bytes *bytes, size_t count) {
  bool more = true;
  while (bytes->end - bytes->at < count && more)
    if (ent_bytes_more(NULL, bytes, &more) == ENTROPIC_NO_MEMORY)
      return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while reading '%s'", bytes->name);
  return ENTROPIC_OK;
}

entropic_status ent_bytes_allow_ahead(entropic_context *context, ent_bytes *bytes, size_t count) {
  size_t least = (count + ENT_CHUNK - 1) / ENT_CHUNK * ENT_CHUNK + ENT_AHEAD_FRONT;
  if (!bytes->seekable || bytes->wide != 0 || bytes->ahead_used > 0 ||
      (bytes->ahead != NULL && bytes->ahead_capacity >= least))
    return ENTROPIC_OK;
  char *made = ent_new(context, least + ENT_BYTES_PADDING, 1);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_delete(bytes->ahead);
  bytes->ahead = made;
  bytes->ahead_capacity = least;
  return ENTROPIC_OK;
}

bool ent_bytes_may_read_ahead(const ent_bytes *bytes) {
  return bytes->ahead != NULL && bytes->ahead_used == 0 && bytes->begun && !bytes->stopped && bytes->wide == 0;
}

void ent_bytes_read_ahead(ent_bytes *bytes) {
  if (ent_bytes_may_read_ahead(bytes))
    bytes->ahead_used = read_chunks(bytes, bytes->ahead + ENT_AHEAD_FRONT, bytes->ahead_capacity - ENT_AHEAD_FRONT);
}

entropic_status ent_bytes_need(entropic_context *context, ent_bytes *bytes, size_t count, bool *there) {
  bool more = true;
  *there = false;
  while (bytes->end - bytes->at < count && more) {
    entropic_status status = ent_bytes_more(context, bytes, &more);
    if (status != ENTROPIC_OK)
      return status;
  }
  *there = bytes->end - bytes->at >= count;
  return ENTROPIC_OK;
}

void ent_bytes_take_returns(ent_bytes *bytes) {
  bytes->returns = true;
  end_lines_at_returns(bytes, bytes->at, bytes->end);
}

void ent_bytes_forget(ent_bytes *bytes) {
  if (!bytes->spooling || bytes->spool_at < bytes->spool_used)
    return;
  bytes->spooling = false;
  ent_delete(bytes->spool);
  bytes->spool = NULL;
  ent_spool_free(bytes->disk);
  bytes->disk = NULL;
  bytes->spool_used = bytes->spool_at = bytes->spool_capacity = 0;
}

entropic_status ent_bytes_keep_on_disk(entropic_context *context, ent_bytes *bytes, const ent_spool_options *options) {
  if (!bytes->spooling || bytes->disk != NULL)
    return ENTROPIC_OK;
  ent_spool *disk = NULL;
  entropic_status status = ent_spool_create(context, options, &disk);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_spool_append(context, disk, bytes->spool, bytes->spool_used);
  if (status != ENTROPIC_OK) {
    ent_spool_free(disk);
    return status;
  }
  ent_delete(bytes->spool);
  bytes->spool = NULL;
  bytes->spool_capacity = 0;
  bytes->disk = disk;
  return ENTROPIC_OK;
}

entropic_status ent_bytes_rewind(entropic_context *context, ent_bytes *bytes) {
  if (bytes->seekable && gzrewind(bytes->file) != 0)
    return fail_system(context, bytes->name, errno);
  if (!bytes->seekable && !bytes->spooling)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is no file and cannot be read again", bytes->name);
  bytes->begun = bytes->begun && !bytes->seekable;
  bytes->stopped = bytes->stopped && !bytes->seekable;
  bytes->spool_at = bytes->ahead_used = 0;
  bytes->at = bytes->end = 0;
  bytes->consumed = 0;
  bytes->line = 1;
  bytes->ended = false;
  bool more;
  return ent_bytes_more(context, bytes, &more);
}

bool ent_bytes_may_seek(const ent_bytes *bytes) {
  return bytes->seekable && bytes->size > 0 && bytes->wide == 0;
}

entropic_status ent_bytes_seek(entropic_context *context, ent_bytes *bytes, uint64_t place, size_t line) {
  if (place > INT64_MAX || gzseek(bytes->file, (z_off_t)place, SEEK_SET) < 0)
    return fail_system(context, bytes->name, errno);
  bytes->begun = true;
  bytes->stopped = bytes->ended = false;
  bytes->ahead_used = bytes->at = bytes->end = 0;
  bytes->consumed = place;
  bytes->line = line;
  bool more;
  return ent_bytes_more(context, bytes, &more);
}

/* Streams of bytes: see stream.h. zlib hands plain files on as they are, and zstd data as well, which are decompressed
 * then. */
#include "data/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/text.h"
#include "data/zstd.h"

#define ENT_PACKED (128 * 1024)

static void stop(ent_stream *stream, ent_stream_end end, int error) {
  stream->end = end;
  stream->error = error;
}

void ent_stream_open(const char *path, ent_stream *stream) {
  *stream = (ent_stream){0};
  bool standard = strcmp(path, "-") == 0;
  int descriptor = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) {
    stop(stream, ENT_STREAM_SYSTEM, errno);
    return;
  }
  struct stat about;
  bool known = fstat(descriptor, &about) == 0;
  if (known && S_ISDIR(about.st_mode)) {
    close(descriptor);
    stop(stream, ENT_STREAM_SYSTEM, EISDIR);
    return;
  }
  stream->regular = known && S_ISREG(about.st_mode);
  stream->size = stream->regular ? (uint64_t)about.st_size : 0;
  stream->file = gzdopen(descriptor, "rb");
  if (stream->file == NULL) {
    close(descriptor);
    stop(stream, ENT_STREAM_NO_MEMORY, 0);
    return;
  }
  gzbuffer(stream->file, 65536); /* before the first read it cannot fail */
}

void ent_stream_close(ent_stream *stream) {
  if (stream->file != NULL)
    gzclose_r(stream->file);
  ent_zstd_free(stream->zstd);
  ent_delete(stream->packed_bytes);
  *stream = (ent_stream){.end = ENT_STREAM_ENDED};
}

/* Why zlib has no more bytes. */
static ent_stream_end why_ended(void *file) {
  int code;
  gzerror(file, &code);
  return code == Z_OK || code == Z_STREAM_END ? ENT_STREAM_ENDED
         : code == Z_ERRNO                    ? ENT_STREAM_SYSTEM
         : code == Z_MEM_ERROR                ? ENT_STREAM_NO_MEMORY
         : code == Z_BUF_ERROR                ? ENT_STREAM_TRUNCATED
                                              : ENT_STREAM_CORRUPT;
}

/* Up to `count` bytes of zlib's. */
static size_t read_file(ent_stream *stream, void *to, size_t count) {
  size_t used = 0;
  while (used < count && stream->end == ENT_STREAM_ON) {
    size_t left = count - used;
    errno = 0;
    int got = gzread(stream->file, (char *)to + used, (unsigned)(left < (1u << 30) ? left : 1u << 30));
    if (got <= 0)
      stop(stream, why_ended(stream->file), errno);
    else
      used += (size_t)got;
  }
  return used;
}

/* Looks at the first bytes, which say whether they are zstd's. */
static void begin(ent_stream *stream) {
  stream->begun = true;
  stream->first_at = 0;
  stream->first_used = read_file(stream, stream->first, sizeof stream->first);
  stream->packed = stream->first_used > 0 && !gzdirect(stream->file);
  if (stream->first_used < sizeof stream->first || !ent_zstd_begins(stream->first))
    return;
  stream->packed = true;
  ent_zstd_fault fault = ent_zstd_create(&stream->zstd);
  stream->packed_bytes = ent_new(NULL, ENT_PACKED, 1);
  if (fault == ENT_ZSTD_NO_LIBRARY)
    stop(stream, ENT_STREAM_NO_LIBRARY, 0);
  else if (fault != ENT_ZSTD_GOOD || stream->packed_bytes == NULL)
    stop(stream, ENT_STREAM_NO_MEMORY, 0);
  else
    memcpy(stream->packed_bytes, stream->first, sizeof stream->first);
  stream->packed_at = 0;
  stream->packed_used = sizeof stream->first;
  stream->first_used = 0;
}

/* More bytes for zstd. The end of the file is not that of the data, which may go on in the buffers. */
static void refill(ent_stream *stream) {
  stream->packed_at = 0;
  stream->packed_used = read_file(stream, stream->packed_bytes, ENT_PACKED);
  stream->packed_ended = stream->end == ENT_STREAM_ENDED;
  if (stream->packed_ended)
    stream->end = ENT_STREAM_ON;
}

static size_t read_zstd(ent_stream *stream, char *to, size_t count) {
  size_t used = 0;
  while (used < count && stream->end == ENT_STREAM_ON) {
    if (stream->packed_at == stream->packed_used && !stream->packed_ended)
      refill(stream);
    size_t taken = stream->packed_used - stream->packed_at, made = count - used;
    if (stream->end != ENT_STREAM_ON)
      break;
    if (taken == 0 && !stream->full) {
      stop(stream, ent_zstd_is_open(stream->zstd) ? ENT_STREAM_TRUNCATED : ENT_STREAM_ENDED, 0);
      break;
    }
    ent_zstd_fault fault =
        ent_zstd_decompress(stream->zstd, stream->packed_bytes + stream->packed_at, &taken, to + used, &made);
    stream->packed_at += taken;
    stream->full = ent_zstd_is_open(stream->zstd) && made == count - used;
    used += made;
    if (fault != ENT_ZSTD_GOOD)
      stop(stream, fault == ENT_ZSTD_NO_MEMORY ? ENT_STREAM_NO_MEMORY : ENT_STREAM_CORRUPT, 0);
  }
  return used;
}

size_t ent_stream_read(ent_stream *stream, char *to, size_t count) {
  if (!stream->begun && stream->end == ENT_STREAM_ON)
    begin(stream);
  if (stream->zstd != NULL)
    return read_zstd(stream, to, count);
  size_t first = stream->first_used - stream->first_at;
  first = first < count ? first : count;
  if (first > 0)
    memcpy(to, stream->first + stream->first_at, first);
  stream->first_at += first;
  return first + read_file(stream, to + first, count - first);
}

bool ent_stream_rewind(ent_stream *stream) {
  if (!stream->regular || stream->file == NULL || gzrewind(stream->file) != 0)
    return false;
  ent_zstd_free(stream->zstd);
  ent_delete(stream->packed_bytes);
  stream->zstd = NULL;
  stream->packed_bytes = NULL;
  stream->begun = stream->packed_ended = stream->full = false;
  stream->first_at = stream->first_used = stream->packed_at = stream->packed_used = 0;
  stop(stream, ENT_STREAM_ON, 0);
  return true;
}

bool ent_stream_seek(ent_stream *stream, uint64_t place) {
  if (!stream->regular || stream->packed || place > INT64_MAX || gzseek(stream->file, (z_off_t)place, SEEK_SET) < 0)
    return false;
  stream->begun = true;
  stream->first_at = stream->first_used = 0;
  stop(stream, ENT_STREAM_ON, 0);
  return true;
}

entropic_status ent_stream_status(entropic_context *context, const ent_stream *stream, const char *name, size_t line) {
  char text[ENT_SHOW_SIZE];
  const char *kind = stream->zstd != NULL ? "zstd" : "gzip";
  switch (stream->end) {
  case ENT_STREAM_SYSTEM:
    return ent_fail(context, ENTROPIC_SYSTEM, "cannot read '%s': %s", name, ent_error_text(stream->error, text));
  case ENT_STREAM_NO_MEMORY:
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while reading '%s'", name);
  case ENT_STREAM_TRUNCATED:
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu: the %s data end too early; the file is truncated", name,
                    line, kind);
  case ENT_STREAM_CORRUPT:
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, after line %zu: the %s data are corrupt%s%s", name, line, kind,
                    stream->zstd == NULL ? "" : ": ", stream->zstd == NULL ? "" : ent_zstd_problem(stream->zstd));
  case ENT_STREAM_NO_LIBRARY:
    return ent_fail(context, ENTROPIC_SYSTEM,
                    "%s is compressed by zstd, and libzstd.so.1 is needed to read it: install it, set ENTROPIC_ZSTD to "
                    "its path, or decompress the file (%s)",
                    name, ent_zstd_problem(NULL));
  default:
    return ENTROPIC_OK;
  }
}

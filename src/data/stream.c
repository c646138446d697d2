/* Streams of bytes: see stream.h. */
#include "data/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define ENT_PACKED (128 * 1024)

static void stop(ent_stream *stream, ent_stream_end end, int error) {
  stream->end = end;
  stream->error = error;
}

void ent_stream_open(const char *path, ent_stream *stream) {
  *stream = (ent_stream){0};
  bool standard = strcmp(path, "-") == 0;
  stream->descriptor = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (stream->descriptor < 0) {
    stop(stream, ENT_STREAM_SYSTEM, errno);
    return;
  }
  stream->opened = true;
  struct stat about;
  bool known = fstat(stream->descriptor, &about) == 0;
  if (known && S_ISDIR(about.st_mode)) {
    stop(stream, ENT_STREAM_SYSTEM, EISDIR);
    return;
  }
  off_t start = lseek(stream->descriptor, 0, SEEK_CUR);
  stream->regular = known && S_ISREG(about.st_mode) && start >= 0;
  stream->start = stream->regular ? (uint64_t)start : 0;
  stream->size = stream->regular && about.st_size > start ? (uint64_t)(about.st_size - start) : 0;
}

/* Lets go of the decoder, so that the first bytes can be looked at again. */
static void forget_format(ent_stream *stream) {
  if (stream->codec != NULL)
    stream->codec->free(stream->decoder);
  ent_delete(stream->packed_bytes);
  stream->codec = NULL;
  stream->decoder = NULL;
  stream->packed_bytes = NULL;
}

void ent_stream_close(ent_stream *stream) {
  forget_format(stream);
  if (stream->opened)
    close(stream->descriptor);
  *stream = (ent_stream){.end = ENT_STREAM_ENDED};
}

/* Up to `count` bytes of the file. */
static size_t read_file(ent_stream *stream, void *to, size_t count) {
  size_t used = 0;
  while (used < count && stream->end == ENT_STREAM_ON) {
    size_t left = count - used;
    ssize_t got = read(stream->descriptor, (char *)to + used, left < (1u << 30) ? left : 1u << 30);
    if (got < 0)
      stop(stream, ENT_STREAM_SYSTEM, errno);
    else if (got == 0)
      stop(stream, ENT_STREAM_ENDED, 0);
    else
      used += (size_t)got;
  }
  return used;
}

/* Looks at the first bytes, which say how they are compressed. */
static void begin(ent_stream *stream) {
  static const ent_codec *const codecs[] = {&ent_codec_gzip, &ent_codec_zstd};
  stream->begun = true;
  stream->first_at = 0;
  stream->first_used = read_file(stream, stream->first, sizeof stream->first);
  stream->packed = false;
  for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
    if (stream->first_used >= codecs[i]->needed && codecs[i]->begins(stream->first))
      stream->codec = codecs[i];
  if (stream->codec == NULL)
    return;
  stream->packed = true;
  stream->packed_bytes = ent_new(NULL, ENT_PACKED, 1);
  ent_codec_fault fault = stream->codec->create(&stream->decoder);
  if (fault == ENT_CODEC_NO_LIBRARY)
    stop(stream, ENT_STREAM_NO_LIBRARY, 0);
  else if (fault != ENT_CODEC_GOOD || stream->packed_bytes == NULL)
    stop(stream, ENT_STREAM_NO_MEMORY, 0);
  else
    memcpy(stream->packed_bytes, stream->first, stream->first_used);
  stream->packed_ended = stream->end == ENT_STREAM_ENDED;
  if (stream->packed_ended)
    stream->end = ENT_STREAM_ON;
  stream->packed_at = 0;
  stream->packed_place = 0;
  stream->packed_used = stream->first_used;
  stream->first_used = 0;
}

/* More bytes for the decoder. The end of the file is not that of the data, which may go on in the buffers. */
static void refill(ent_stream *stream) {
  stream->packed_place += stream->packed_used;
  stream->packed_at = 0;
  stream->packed_used = read_file(stream, stream->packed_bytes, ENT_PACKED);
  stream->packed_ended = stream->end == ENT_STREAM_ENDED;
  if (stream->packed_ended)
    stream->end = ENT_STREAM_ON;
}

static size_t read_packed(ent_stream *stream, char *to, size_t count) {
  const ent_codec *codec = stream->codec;
  size_t used = 0;
  while (used < count && stream->end == ENT_STREAM_ON) {
    if (stream->packed_at == stream->packed_used && !stream->packed_ended)
      refill(stream);
    size_t taken = stream->packed_used - stream->packed_at, made = count - used;
    if (stream->end != ENT_STREAM_ON)
      break;
    if (taken == 0 && !stream->full) {
      stop(stream, codec->is_open(stream->decoder) ? ENT_STREAM_TRUNCATED : ENT_STREAM_ENDED, 0);
      break;
    }
    ent_codec_fault fault =
        codec->decompress(stream->decoder, stream->packed_bytes + stream->packed_at, &taken, to + used, &made);
    stream->packed_at += taken;
    stream->full = codec->is_open(stream->decoder) && made == count - used;
    used += made;
    if (fault != ENT_CODEC_GOOD)
      stop(stream, fault == ENT_CODEC_NO_MEMORY ? ENT_STREAM_NO_MEMORY : ENT_STREAM_CORRUPT, 0);
  }
  return used;
}

size_t ent_stream_read(ent_stream *stream, char *to, size_t count) {
  if (!stream->begun && stream->end == ENT_STREAM_ON)
    begin(stream);
  if (stream->codec != NULL)
    return stream->end == ENT_STREAM_ON ? read_packed(stream, to, count) : 0;
  size_t first = stream->first_used - stream->first_at;
  first = first < count ? first : count;
  if (first > 0)
    memcpy(to, stream->first + stream->first_at, first);
  stream->first_at += first;
  return first + read_file(stream, to + first, count - first);
}

/* To a byte of the text as it is in the file. */
static bool go_to(ent_stream *stream, uint64_t place) {
  if (!stream->opened || !stream->regular || place > INT64_MAX - stream->start ||
      lseek(stream->descriptor, (off_t)(stream->start + place), SEEK_SET) < 0)
    return false;
  stream->first_at = stream->first_used = 0;
  stop(stream, ENT_STREAM_ON, 0);
  return true;
}

bool ent_stream_rewind(ent_stream *stream) {
  if (!go_to(stream, 0))
    return false;
  forget_format(stream);
  stream->begun = stream->packed_ended = stream->full = false;
  stream->packed_at = stream->packed_used = 0;
  return true;
}

bool ent_stream_seek(ent_stream *stream, uint64_t place) {
  if (stream->packed || !go_to(stream, place))
    return false;
  stream->begun = true;
  return true;
}

entropic_status ent_stream_status(entropic_context *context, const ent_stream *stream, const char *name, size_t line) {
  char text[ENT_SHOW_SIZE];
  unsigned long long place = stream->packed_place + stream->packed_at + 1;
  switch (stream->end) {
  case ENT_STREAM_SYSTEM:
    return ent_fail(context, ENTROPIC_SYSTEM, "cannot read '%s': %s", name, ent_error_text(stream->error, text));
  case ENT_STREAM_NO_MEMORY:
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while reading '%s'", name);
  case ENT_STREAM_TRUNCATED:
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu: the %s data end too early; the file is truncated", name,
                    line, stream->codec->name);
  case ENT_STREAM_CORRUPT:
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, after line %zu, byte %llu: the %s data are corrupt: %s", name,
                    line, place, stream->codec->name, stream->codec->problem(stream->decoder));
  case ENT_STREAM_NO_LIBRARY:
    return ent_fail(context, ENTROPIC_SYSTEM,
                    "%s is compressed by zstd, and libzstd.so.1 is needed to read it: install it, set ENTROPIC_ZSTD to "
                    "its path, or decompress the file (%s)",
                    name, stream->codec->problem(NULL));
  default:
    return ENTROPIC_OK;
  }
}

/* gzip by zlib's inflate: see stream.h. gzread is of no use here: it takes whatever follows a member and does not begin
 * another one for the end of the file, so that a damaged header of a member loses all rows behind it without a word. */
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "data/stream.h"

/* The largest window, and a header of gzip's. */
#define ENT_GZIP_WINDOW (15 + 16)

typedef struct ent_gzip {
  z_stream stream;
  bool open;      /* a member has begun and not ended */
  bool ended;     /* one has ended */
  bool padded;    /* zeros have followed the last member: nothing else may */
  size_t started; /* bytes of the header of the open member, up to 2 */
  const char *problem;
} ent_gzip;

static bool begins(const unsigned char *first) {
  return first[0] == 0x1f && first[1] == 0x8b;
}

static void *allocate(void *user, unsigned count, unsigned size) {
  (void)user;
  return ent_new_raw(NULL, count, 1, size);
}

static void release(void *user, void *memory) {
  (void)user;
  ent_delete(memory);
}

static ent_codec_fault create(void **decoder) {
  ent_gzip *made = ent_new(NULL, 1, sizeof *made);
  if (made == NULL)
    return ENT_CODEC_NO_MEMORY;
  made->stream.zalloc = allocate;
  made->stream.zfree = release;
  if (inflateInit2(&made->stream, ENT_GZIP_WINDOW) != Z_OK) {
    ent_delete(made);
    return ENT_CODEC_NO_MEMORY;
  }
  *decoder = made;
  return ENT_CODEC_GOOD;
}

static void free_decoder(void *decoder) {
  ent_gzip *gzip = decoder;
  if (gzip == NULL)
    return;
  inflateEnd(&gzip->stream);
  ent_delete(gzip);
}

static ent_codec_fault corrupt(ent_gzip *gzip, const char *problem) {
  gzip->problem = problem;
  return ENT_CODEC_CORRUPT;
}

/* Zeros behind the last member, as blocked devices leave them: how many of the bytes there are. */
static size_t count_zeros(const unsigned char *from, size_t count) {
  size_t zeros = 0;
  while (zeros < count && from[zeros] == 0)
    zeros++;
  return zeros;
}

/* The first two bytes of a member, one by one: inflate would wait for the second one, and name neither. */
static bool check_start(ent_gzip *gzip, const unsigned char *from, size_t count) {
  static const unsigned char start[] = {0x1f, 0x8b};
  for (size_t i = 0; i < count && gzip->started < sizeof start; i++, gzip->started++)
    if (from[i] != start[gzip->started])
      return false;
  return true;
}

/* One call of inflate: within a member. */
static ent_codec_fault inflate_member(ent_gzip *gzip, const unsigned char *from, size_t *used, unsigned char *to,
                                      size_t *made) {
  z_stream *stream = &gzip->stream;
  const unsigned most = 1u << 30;
  stream->next_in = (unsigned char *)(size_t)from;
  stream->avail_in = *used < most ? (unsigned)*used : most;
  stream->next_out = to;
  stream->avail_out = *made < most ? (unsigned)*made : most;
  int code = inflate(stream, Z_NO_FLUSH);
  *used = (size_t)(stream->next_in - from);
  *made = (size_t)(stream->next_out - to);
  if (code == Z_STREAM_END) {
    gzip->open = false;
    gzip->ended = true;
    gzip->started = 0;
    inflateReset(stream);
    return ENT_CODEC_GOOD;
  }
  if (code == Z_OK || code == Z_BUF_ERROR)
    return ENT_CODEC_GOOD;
  if (code == Z_MEM_ERROR)
    return ENT_CODEC_NO_MEMORY;
  return corrupt(gzip, stream->msg == NULL ? "it cannot be decompressed" : stream->msg);
}

static ent_codec_fault decompress(void *decoder, const void *from, size_t *used, void *to, size_t *made) {
  ent_gzip *gzip = decoder;
  const unsigned char *in = from;
  unsigned char *out = to;
  size_t taken = 0, written = 0;
  ent_codec_fault fault = ENT_CODEC_GOOD;
  bool stuck = false;
  while (fault == ENT_CODEC_GOOD && written < *made && !stuck) {
    if (!gzip->open) {
      size_t zeros = gzip->ended ? count_zeros(in + taken, *used - taken) : 0;
      taken += zeros;
      gzip->padded = gzip->padded || zeros > 0;
      if (taken == *used)
        break;
      if (gzip->padded) {
        fault = corrupt(gzip, "zeros follow the data, and then something else");
        break;
      }
    }
    if (gzip->started < 2 && !check_start(gzip, in + taken, *used - taken)) {
      fault = corrupt(gzip, "neither the end of the file nor another gzip member is here");
      break;
    }
    gzip->open = true;
    size_t in_now = *used - taken, out_now = *made - written;
    fault = inflate_member(gzip, in + taken, &in_now, out + written, &out_now);
    stuck = in_now == 0 && out_now == 0;
    taken += in_now;
    written += out_now;
  }
  *used = taken;
  *made = written;
  return fault;
}

static bool is_open(const void *decoder) {
  return ((const ent_gzip *)decoder)->open;
}

static const char *problem(const void *decoder) {
  const ent_gzip *gzip = decoder;
  return gzip == NULL || gzip->problem == NULL ? "" : gzip->problem;
}

const ent_codec ent_codec_gzip = {"gzip", 2, begins, create, free_decoder, decompress, is_open, problem};

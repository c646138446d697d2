/* One file as a stream of bytes: plain, gzipped or compressed by zstd. */
#ifndef ENT_DATA_STREAM_H
#define ENT_DATA_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* Decompression of a stream of bytes: one table of functions a format. */

typedef enum ent_codec_fault {
  ENT_CODEC_GOOD,
  ENT_CODEC_NO_LIBRARY, /* `problem` says more */
  ENT_CODEC_NO_MEMORY,
  ENT_CODEC_CORRUPT /* `problem` says more */
} ent_codec_fault;

/* So many bytes at the top of a file tell its format. */
#define ENT_CODEC_FIRST 4

typedef struct ent_codec {
  const char *name;
  size_t needed; /* so many bytes `begins` looks at */
  bool (*begins)(const unsigned char *first);
  ent_codec_fault (*create)(void **decoder);
  void (*free)(void *decoder);
  /* Decompresses: from[0..*used) is what has been used, to[0..*made) what was made of it. More members or frames may
   * follow one. With CORRUPT, *used are the bytes before the one that is wrong, as far as the library tells. */
  ent_codec_fault (*decompress)(void *decoder, const void *from, size_t *used, void *to, size_t *made);
  /* Is a member or frame open, so that more bytes have to come? */
  bool (*is_open)(const void *decoder);
  /* Why the library cannot be used (NULL); or what is wrong with corrupt data. */
  const char *(*problem)(const void *decoder /* or NULL */);
} ent_codec;

extern const ent_codec ent_codec_gzip; /* by zlib: any number of members; zeros may follow the last one */
extern const ent_codec ent_codec_zstd; /* by libzstd, which is looked for at run time */

typedef enum ent_stream_end {
  ENT_STREAM_ON,    /* there may be more */
  ENT_STREAM_ENDED, /* the proper end */
  ENT_STREAM_SYSTEM,
  ENT_STREAM_NO_MEMORY,
  ENT_STREAM_TRUNCATED,
  ENT_STREAM_CORRUPT,
  ENT_STREAM_NO_LIBRARY
} ent_stream_end;

typedef struct ent_stream {
  bool regular;  /* a file that can be read again */
  uint64_t size; /* of a regular file, on disk */
  bool packed;   /* compressed; known once a byte has been read */
  ent_stream_end end;

  /* Private. */
  bool opened; /* there is a descriptor */
  int descriptor;
  uint64_t start; /* of the text in the file: standard input may begin anywhere in one */
  int error;      /* with ENT_STREAM_SYSTEM */
  bool begun;     /* the first bytes have been looked at */
  unsigned char first[ENT_CODEC_FIRST];
  size_t first_at, first_used;
  const ent_codec *codec; /* NULL: the bytes are as they are */
  void *decoder;
  unsigned char *packed_bytes; /* that have not been decompressed yet */
  size_t packed_at, packed_used;
  uint64_t packed_place; /* of packed_bytes[0] in the file */
  bool packed_ended;     /* there are no more of them */
  bool full;             /* the decoder may have more bytes that it had no room for */
} ent_stream;

/* Opens a file; "-" is standard input. The stream is to be closed also after a failure, which its `end` tells. */
void ent_stream_open(const char *path, ent_stream *stream);
void ent_stream_close(ent_stream *stream);
/* Up to `count` bytes; fewer only at the end, or where reading fails. No message is written: other threads may read it. */
size_t ent_stream_read(ent_stream *stream, char *to, size_t count);
/* Back to the first byte; false if that is not possible. */
bool ent_stream_rewind(ent_stream *stream);
/* To a byte of a regular file that is not compressed, of which some have been read; false if that is not possible. */
bool ent_stream_seek(ent_stream *stream, uint64_t place);
/* Why there are no more bytes; OK at a proper end. `line` is the last line that was read. */
entropic_status ent_stream_status(entropic_context *context, const ent_stream *stream, const char *name, size_t line);

#endif

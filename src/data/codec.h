/* Decompression of a stream of bytes: one table of functions a format. */
#ifndef ENT_DATA_CODEC_H
#define ENT_DATA_CODEC_H

#include <stdbool.h>
#include <stddef.h>

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

#endif

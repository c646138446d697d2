/* Decompression of zstd data, by libzstd, which is looked for at run time. */
#ifndef ENT_DATA_ZSTD_H
#define ENT_DATA_ZSTD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ent_zstd ent_zstd;

typedef enum ent_zstd_fault {
  ENT_ZSTD_GOOD,
  ENT_ZSTD_NO_LIBRARY, /* ent_zstd_problem says more */
  ENT_ZSTD_NO_MEMORY,
  ENT_ZSTD_CORRUPT
} ent_zstd_fault;

/* Do these first 4 bytes of a file begin zstd data? */
bool ent_zstd_begins(const unsigned char first[4]);

ent_zstd_fault ent_zstd_create(ent_zstd **zstd);
void ent_zstd_free(ent_zstd *zstd);
/* Decompresses: from[0..*used) is what has been used, to[0..*made) what was made of it. More frames may follow one. */
ent_zstd_fault ent_zstd_decompress(ent_zstd *zstd, const void *from, size_t *used, void *to, size_t *made);
/* Is a frame open, so that more bytes have to come? */
bool ent_zstd_is_open(const ent_zstd *zstd);
/* Why the library cannot be used; or what it says of corrupt data. */
const char *ent_zstd_problem(const ent_zstd *zstd /* or NULL */);

#endif

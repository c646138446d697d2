/* Bytes of a model file (docs/model-format.md) or a message between processes, written and read in an order of their own,
 * whatever the machine's.
 *
 * Both sides remember their first failure and do nothing after it, so a sequence of calls needs one look at the status
 * at its end. What is read is 0 then. */
#ifndef ENT_BASE_PACK_H
#define ENT_BASE_PACK_H

#include <stdbool.h>

#include "base/context.h"
#include "base/sha256.h"

#define ENT_PACK_BUFFER ((size_t)4096)
/* The one NaN that is written, so that equal models are equal bytes. */
#define ENT_PACK_NAN (UINT64_C(0x7ff8) << 48)

typedef struct ent_packer {
  entropic_context *context;
  entropic_output *output; /* NULL: bytes are counted, not written */
  ent_sha256 *hash;        /* of all that is flushed; NULL: none */
  entropic_status status;
  uint64_t count; /* bytes so far */
  uint32_t sum;   /* CRC-32 of those that left the buffer */
  size_t used;
  uint8_t buffer[ENT_PACK_BUFFER];
} ent_packer;

void ent_pack_bytes(ent_packer *packer, const void *bytes, size_t count);
void ent_pack_byte(ent_packer *packer, unsigned value);
/* Lowest byte first. */
void ent_pack_u32(ent_packer *packer, uint32_t value);
void ent_pack_u64(ent_packer *packer, uint64_t value);
void ent_pack_double(ent_packer *packer, double value);
void ent_pack_doubles(ent_packer *packer, const double *values, size_t count);
/* Seven bits a byte, lowest first, as few bytes as it takes. */
void ent_pack_count(ent_packer *packer, uint64_t value);
void ent_pack_signed(ent_packer *packer, int64_t value);
void ent_pack_text(ent_packer *packer, const char *text);
/* Writes what is still in the buffer; sum is then that of all bytes. */
void ent_pack_flush(ent_packer *packer);

typedef struct ent_unpacker {
  entropic_context *context;
  const char *name;     /* of the file, for messages */
  const uint8_t *bytes; /* all of it */
  uint32_t version;     /* of the format */
  bool statistics;      /* the file is one of statistics */
  size_t at, end;       /* what is left to read */
  entropic_status status;
} ent_unpacker;

/* Refuses: "FILE: byte N: " and the message. */
void ent_unpack_refuse(ent_unpacker *unpacker, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Takes over the status of a call; what is wrong with a file is bad data, whatever it would be elsewhere. */
void ent_unpack_adopt(ent_unpacker *unpacker, size_t at, entropic_status status);
static inline bool ent_unpack_fine(const ent_unpacker *unpacker) {
  return unpacker->status == ENTROPIC_OK;
}
static inline size_t ent_unpack_left(const ent_unpacker *unpacker) {
  return unpacker->end - unpacker->at;
}

/* Each says in messages what it expected: a noun. Numbers outside least .. most are refused. */
uint64_t ent_unpack_byte(ent_unpacker *unpacker, unsigned least, unsigned most, const char *what);
uint32_t ent_unpack_u32(ent_unpacker *unpacker, const char *what);
uint64_t ent_unpack_u64(ent_unpacker *unpacker, const char *what);
uint64_t ent_unpack_count(ent_unpacker *unpacker, uint64_t least, uint64_t most, const char *what);
int64_t ent_unpack_signed(ent_unpacker *unpacker, const char *what);
/* How many of something there are, of which each takes at least `size` bytes: no more than there is room for. */
size_t ent_unpack_many(ent_unpacker *unpacker, uint64_t least, uint64_t most, size_t size, const char *what);
/* Finite. */
double ent_unpack_double(ent_unpacker *unpacker, const char *what);
/* count doubles, finite (or, with gaps, the NaN that is written), newly allocated; NULL on failure. */
double *ent_unpack_doubles(ent_unpacker *unpacker, size_t count, bool missing, const char *what);
/* Any double but a negative one; of NaNs the one that is written. */
double ent_unpack_measure(ent_unpacker *unpacker, const char *what);
/* The next `count` bytes, where they are; NULL on failure. */
const void *ent_unpack_bytes(ent_unpacker *unpacker, size_t count, const char *what);
/* A name, newly allocated; NULL on failure. */
char *ent_unpack_text(ent_unpacker *unpacker, const char *what);

#endif

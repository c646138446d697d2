/* SHA-256 (FIPS 180-4), for receipts. None of the libraries that Entropic is built on has it. */
#ifndef ENT_BASE_SHA256_H
#define ENT_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define ENT_SHA256_SIZE ((size_t)32)
#define ENT_SHA256_BLOCK ((size_t)64)

typedef struct ent_sha256 {
  uint32_t state[8];
  uint64_t count;                  /* bytes so far */
  uint8_t block[ENT_SHA256_BLOCK]; /* the last count % ENT_SHA256_BLOCK of them */
} ent_sha256;

/* The hash of no bytes yet. */
ent_sha256 ent_sha256_start(void);
void ent_sha256_add(ent_sha256 *hash, const void *bytes, size_t count);
/* The hash of all bytes added; it must not be added to afterwards. */
void ent_sha256_finish(ent_sha256 *hash, uint8_t digest[ENT_SHA256_SIZE]);

#endif

/* SHA-256: see sha256.h. Names are those of the standard. */
#include "base/sha256.h"

#include <string.h>

static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

ent_sha256 ent_sha256_start(void) {
  return (ent_sha256){
      .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static inline uint32_t rotr(uint32_t x, int n) {
  return x >> n | x << (32 - n);
}

static inline uint32_t big_endian(const uint8_t *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void add_block(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64], a[8];
  for (int t = 0; t < 16; t++)
    w[t] = big_endian(block + 4 * t);
  for (int t = 16; t < 64; t++) {
    uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  memcpy(a, state, sizeof a);
  for (int t = 0; t < 64; t++) {
    uint32_t s1 = rotr(a[4], 6) ^ rotr(a[4], 11) ^ rotr(a[4], 25), ch = (a[4] & a[5]) ^ (~a[4] & a[6]);
    uint32_t t1 = a[7] + s1 + ch + k[t] + w[t];
    uint32_t s0 = rotr(a[0], 2) ^ rotr(a[0], 13) ^ rotr(a[0], 22), maj = (a[0] & a[1]) ^ (a[0] & a[2]) ^ (a[1] & a[2]);
    memmove(a + 1, a, 7 * sizeof *a);
    a[4] += t1;
    a[0] = t1 + s0 + maj;
  }
  for (int i = 0; i < 8; i++)
    state[i] += a[i];
}

void ent_sha256_add(ent_sha256 *hash, const void *bytes, size_t count) {
  const uint8_t *from = bytes;
  size_t used = (size_t)(hash->count % ENT_SHA256_BLOCK);
  hash->count += count;
  if (used > 0) {
    size_t part = ENT_SHA256_BLOCK - used < count ? ENT_SHA256_BLOCK - used : count;
    memcpy(hash->block + used, from, part);
    from += part;
    count -= part;
    if (used + part < ENT_SHA256_BLOCK)
      return;
    add_block(hash->state, hash->block);
  }
  for (; count >= ENT_SHA256_BLOCK; from += ENT_SHA256_BLOCK, count -= ENT_SHA256_BLOCK)
    add_block(hash->state, from);
  if (count > 0)
    memcpy(hash->block, from, count);
}

void ent_sha256_finish(ent_sha256 *hash, uint8_t digest[ENT_SHA256_SIZE]) {
  uint64_t bits = hash->count * 8;
  uint8_t end[ENT_SHA256_BLOCK + 8] = {0x80};
  size_t used = (size_t)(hash->count % ENT_SHA256_BLOCK);
  size_t pad = used < 56 ? 56 - used : 56 + ENT_SHA256_BLOCK - used;
  for (int i = 0; i < 8; i++)
    end[pad + (size_t)i] = (uint8_t)(bits >> (56 - 8 * i));
  ent_sha256_add(hash, end, pad + 8);
  for (size_t i = 0; i < ENT_SHA256_SIZE; i++)
    digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

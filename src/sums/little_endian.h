/* Numbers as bytes, the least significant first. */
#ifndef ENT_SUMS_LITTLE_ENDIAN_H
#define ENT_SUMS_LITTLE_ENDIAN_H

#include <stddef.h>
#include <stdint.h>

/* Writes the low bytes of a number; returns what follows them. */
static inline unsigned char *ent_write_number(unsigned char *to, uint64_t number, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    to[i] = (unsigned char)(number >> (8 * i));
  return to + bytes;
}

/* Reads a number of so many bytes, at most 8, and moves on. */
static inline uint64_t ent_read_number(const unsigned char **from, size_t bytes) {
  uint64_t number = 0;
  for (size_t i = 0; i < bytes; i++)
    number |= (uint64_t)(*from)[i] << (8 * i);
  *from += bytes;
  return number;
}

__extension__ typedef __int128 ent_int128;

/* The same of 16 bytes. */
static inline unsigned char *ent_write_wide(unsigned char *to, ent_int128 number) {
  to = ent_write_number(to, (uint64_t)number, 8);
  return ent_write_number(to, (uint64_t)(number >> 64), 8);
}

static inline ent_int128 ent_read_wide(const unsigned char **from) {
  uint64_t low = ent_read_number(from, 8), high = ent_read_number(from, 8);
  return (ent_int128)(int64_t)high * ((ent_int128)1 << 64) + low;
}

#endif

/* The writing side: see pack.h. */
#include "base/pack.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/progress.h"

static bool only_counts(const ent_packer *packer) {
  return packer->output == NULL && packer->hash == NULL;
}

void ent_pack_flush(ent_packer *packer) {
  if (!only_counts(packer) && packer->status == ENTROPIC_OK)
    packer->status = ent_poll(packer->context);
  if (packer->output != NULL && packer->status == ENTROPIC_OK)
    packer->status = entropic_output_write(packer->context, packer->output, packer->buffer, packer->used);
  if (packer->hash != NULL)
    ent_sha256_add(packer->hash, packer->buffer, packer->used);
  packer->sum = (uint32_t)crc32(packer->sum, packer->buffer, (unsigned)packer->used);
  packer->used = 0;
}

void ent_pack_bytes(ent_packer *packer, const void *bytes, size_t count) {
  packer->count += count;
  if (only_counts(packer))
    return;
  for (const uint8_t *from = bytes; count > 0;) {
    if (packer->used == ENT_PACK_BUFFER)
      ent_pack_flush(packer);
    size_t room = ENT_PACK_BUFFER - packer->used, part = count < room ? count : room;
    memcpy(packer->buffer + packer->used, from, part);
    packer->used += part;
    from += part;
    count -= part;
  }
}

void ent_pack_byte(ent_packer *packer, unsigned value) {
  uint8_t byte = (uint8_t)value;
  ent_pack_bytes(packer, &byte, 1);
}

void ent_pack_u32(ent_packer *packer, uint32_t value) {
  uint8_t bytes[4];
  for (int i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
  ent_pack_bytes(packer, bytes, sizeof bytes);
}

void ent_pack_u64(ent_packer *packer, uint64_t value) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
  ent_pack_bytes(packer, bytes, sizeof bytes);
}

void ent_pack_double(ent_packer *packer, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  ent_pack_u64(packer, isnan(value) ? ENT_PACK_NAN : bits);
}

void ent_pack_doubles(ent_packer *packer, const double *values, size_t count) {
  if (only_counts(packer))
    packer->count += count * sizeof *values;
  for (size_t i = 0; !only_counts(packer) && i < count; i++)
    ent_pack_double(packer, values[i]);
}

void ent_pack_count(ent_packer *packer, uint64_t value) {
  for (; value >= 128; value >>= 7)
    ent_pack_byte(packer, (unsigned)(value & 127) | 128);
  ent_pack_byte(packer, (unsigned)value);
}

void ent_pack_signed(ent_packer *packer, int64_t value) {
  uint64_t size = value < 0 ? ~(uint64_t)value : (uint64_t)value;
  ent_pack_count(packer, size << 1 | (value < 0));
}

void ent_pack_text(ent_packer *packer, const char *text) {
  size_t length = strlen(text);
  ent_pack_count(packer, length);
  ent_pack_bytes(packer, text, length);
}

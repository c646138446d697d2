/* The reading side: see pack.h. Nothing is believed: every number is compared with what it may be and with the bytes that
 * are left before anything is made of it. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/pack.h"

void ent_unpack_refuse(ent_unpacker *unpacker, size_t at, const char *format, ...) {
  if (unpacker->status != ENTROPIC_OK)
    return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  unpacker->status = ent_fail(unpacker->context, ENTROPIC_BAD_DATA, "%s: byte %zu: %s", unpacker->name, at, text);
}

void ent_unpack_adopt(ent_unpacker *unpacker, size_t at, entropic_status status) {
  if (status == ENTROPIC_NO_MEMORY && unpacker->status == ENTROPIC_OK)
    unpacker->status = status;
  else if (status != ENTROPIC_OK)
    ent_unpack_refuse(unpacker, at, "%s", unpacker->context != NULL ? unpacker->context->message : "");
}

/* The next bytes, or NULL with a message if there are not so many. */
static const uint8_t *take(ent_unpacker *unpacker, size_t count, const char *what) {
  if (unpacker->status != ENTROPIC_OK)
    return NULL;
  if (ent_unpack_left(unpacker) < count) {
    ent_unpack_refuse(unpacker, unpacker->at, "found the end of the section, expected %s", what);
    return NULL;
  }
  const uint8_t *bytes = unpacker->bytes + unpacker->at;
  unpacker->at += count;
  return bytes;
}

const void *ent_unpack_bytes(ent_unpacker *unpacker, size_t count, const char *what) {
  return take(unpacker, count, what);
}

static uint64_t take_whole(ent_unpacker *unpacker, size_t size, const char *what) {
  const uint8_t *bytes = take(unpacker, size, what);
  uint64_t value = 0;
  for (size_t i = 0; bytes != NULL && i < size; i++)
    value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

static uint64_t check_range(ent_unpacker *unpacker, size_t at, uint64_t value, uint64_t least, uint64_t most,
                            const char *what) {
  if (unpacker->status != ENTROPIC_OK)
    return 0;
  if (value >= least && value <= most)
    return value;
  if (least == most)
    ent_unpack_refuse(unpacker, at, "found %" PRIu64 ", expected %s, %" PRIu64, value, what, least);
  else
    ent_unpack_refuse(unpacker, at, "found %" PRIu64 ", expected %s, %" PRIu64 " to %" PRIu64, value, what, least,
                      most);
  return 0;
}

uint64_t ent_unpack_byte(ent_unpacker *unpacker, unsigned least, unsigned most, const char *what) {
  size_t at = unpacker->at;
  return check_range(unpacker, at, take_whole(unpacker, 1, what), least, most, what);
}

uint32_t ent_unpack_u32(ent_unpacker *unpacker, const char *what) {
  return (uint32_t)take_whole(unpacker, 4, what);
}

uint64_t ent_unpack_u64(ent_unpacker *unpacker, const char *what) {
  return take_whole(unpacker, 8, what);
}

/* As few bytes as it takes, so that a number is written in one way only. */
static uint64_t take_count(ent_unpacker *unpacker, const char *what) {
  size_t start = unpacker->at;
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t *byte = take(unpacker, 1, what);
    if (byte == NULL)
      return 0;
    if ((shift == 63 && *byte > 1) || (shift > 0 && *byte == 0))
      break;
    value |= (uint64_t)(*byte & 127) << shift;
    if (*byte < 128)
      return value;
  }
  ent_unpack_refuse(unpacker, start, "found bytes that are not a number, expected %s", what);
  return 0;
}

uint64_t ent_unpack_count(ent_unpacker *unpacker, uint64_t least, uint64_t most, const char *what) {
  size_t at = unpacker->at;
  return check_range(unpacker, at, take_count(unpacker, what), least, most, what);
}

int64_t ent_unpack_signed(ent_unpacker *unpacker, const char *what) {
  uint64_t coded = take_count(unpacker, what), size = coded >> 1;
  return coded & 1 ? -(int64_t)size - 1 : (int64_t)size;
}

size_t ent_unpack_many(ent_unpacker *unpacker, uint64_t least, uint64_t most, size_t size, const char *what) {
  size_t at = unpacker->at;
  uint64_t count = ent_unpack_count(unpacker, least, most, what);
  if (count <= ent_unpack_left(unpacker) / size)
    return (size_t)count;
  ent_unpack_refuse(unpacker, at, "found %" PRIu64 ", expected %s, for which %zu bytes are left", count, what,
                    ent_unpack_left(unpacker));
  return 0;
}

static double take_double(ent_unpacker *unpacker, const char *what, uint64_t *bits) {
  double value;
  *bits = take_whole(unpacker, 8, what);
  memcpy(&value, bits, sizeof value);
  return value;
}

static double take_finite(ent_unpacker *unpacker, bool missing, const char *what) {
  size_t at = unpacker->at;
  uint64_t bits;
  double value = take_double(unpacker, what, &bits);
  if (isfinite(value) || (missing && bits == ENT_PACK_NAN))
    return value;
  ent_unpack_refuse(unpacker, at, "found %s, expected %s, a finite number", isnan(value) ? "nan" : "inf", what);
  return 0;
}

double ent_unpack_double(ent_unpacker *unpacker, const char *what) {
  return take_finite(unpacker, false, what);
}

double ent_unpack_measure(ent_unpacker *unpacker, const char *what) {
  size_t at = unpacker->at;
  uint64_t bits;
  double value = take_double(unpacker, what, &bits);
  if (isnan(value) ? bits == ENT_PACK_NAN : value >= 0)
    return value;
  ent_unpack_refuse(unpacker, at, "found %g, expected %s, not negative", value, what);
  return 0;
}

double *ent_unpack_doubles(ent_unpacker *unpacker, size_t count, bool missing, const char *what) {
  if (unpacker->status != ENTROPIC_OK)
    return NULL;
  if (count > ent_unpack_left(unpacker) / 8) {
    ent_unpack_refuse(unpacker, unpacker->end, "found the end of the section, expected %s: %zu of them", what, count);
    return NULL;
  }
  double *values = ent_new(unpacker->context, count, sizeof *values);
  if (values == NULL) {
    unpacker->status = ENTROPIC_NO_MEMORY;
    return NULL;
  }
  for (size_t i = 0; i < count; i++)
    values[i] = take_finite(unpacker, missing, what);
  if (unpacker->status == ENTROPIC_OK)
    return values;
  ent_delete(values);
  return NULL;
}

char *ent_unpack_text(ent_unpacker *unpacker, const char *what) {
  size_t length = ent_unpack_many(unpacker, 0, SIZE_MAX, 1, what), at = unpacker->at;
  const uint8_t *bytes = take(unpacker, length, what);
  if (bytes == NULL)
    return NULL;
  if (memchr(bytes, 0, length) != NULL) {
    ent_unpack_refuse(unpacker, at, "found a 0 in a text, expected %s", what);
    return NULL;
  }
  char *text = ent_new_text(unpacker->context, (const char *)bytes, length);
  if (text == NULL)
    unpacker->status = ENTROPIC_NO_MEMORY;
  return text;
}

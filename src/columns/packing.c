/* Columns of a block in few bytes: see packing.h. */
#include "columns/packing.h"

#include <math.h>
#include <string.h>

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* What is true of the values that are there. -0 is neither whole nor equal to 0: integers have none. */
typedef struct ent_pack_facts {
  size_t there;
  uint64_t first; /* the bits of the first of them */
  bool same, whole, single;
  double least, most; /* if they are whole */
} ent_pack_facts;

static ent_pack_facts find_facts(const double *values, size_t rows, size_t stride) {
  ent_pack_facts facts = {.same = true, .whole = true, .single = true};
  for (size_t i = 0; i < rows; i++) {
    double value = values[i * stride];
    if (value != value)
      continue;
    uint64_t bits = bits_of(value);
    if (facts.there++ == 0) {
      facts.first = bits;
      facts.least = facts.most = value;
    }
    facts.same = facts.same && bits == facts.first;
    facts.whole = facts.whole && value >= INT32_MIN && value <= UINT32_MAX && bits == bits_of((double)(int64_t)value);
    facts.least = value < facts.least ? value : facts.least;
    facts.most = value > facts.most ? value : facts.most;
    /* Beyond the range of float the conversion is infinite, or undefined; below it, it is another number. */
    facts.single = facts.single && fabs(value) <= 0x1.fffffep127 && bits == bits_of((double)(float)value);
  }
  return facts;
}

static entropic_element choose_element(const ent_pack_facts *facts) {
  if (facts->whole && facts->least >= 0)
    return facts->most <= UINT8_MAX    ? ENTROPIC_ELEMENT_UINT8
           : facts->most <= UINT16_MAX ? ENTROPIC_ELEMENT_UINT16
                                       : ENTROPIC_ELEMENT_UINT32;
  if (facts->whole && facts->most <= INT32_MAX)
    return facts->least >= INT8_MIN && facts->most <= INT8_MAX     ? ENTROPIC_ELEMENT_INT8
           : facts->least >= INT16_MIN && facts->most <= INT16_MAX ? ENTROPIC_ELEMENT_INT16
                                                                   : ENTROPIC_ELEMENT_INT32;
  return facts->single ? ENTROPIC_ELEMENT_FLOAT32 : ENTROPIC_ELEMENT_FLOAT64;
}

/* A loop for each type; `none` stands where nothing is. */
#define ENT_WRITE(type, none)                                                                                          \
  for (size_t i = 0; i < rows; i++) {                                                                                  \
    double value = values[i * stride];                                                                                 \
    type v = value == value ? (type)value : (type)(none);                                                              \
    memcpy(to + i * sizeof v, &v, sizeof v);                                                                           \
  }                                                                                                                    \
  break

static void write_values(entropic_element element, const double *values, size_t rows, size_t stride,
                         unsigned char *to) {
  switch (element) {
  case ENTROPIC_ELEMENT_UINT8:
    ENT_WRITE(uint8_t, 0);
  case ENTROPIC_ELEMENT_UINT16:
    ENT_WRITE(uint16_t, 0);
  case ENTROPIC_ELEMENT_UINT32:
    ENT_WRITE(uint32_t, 0);
  case ENTROPIC_ELEMENT_INT8:
    ENT_WRITE(int8_t, 0);
  case ENTROPIC_ELEMENT_INT16:
    ENT_WRITE(int16_t, 0);
  case ENTROPIC_ELEMENT_INT32:
    ENT_WRITE(int32_t, 0);
  case ENTROPIC_ELEMENT_FLOAT32:
    ENT_WRITE(float, NAN);
  default:
    ENT_WRITE(double, NAN);
  }
}

static uint32_t round_up(size_t bytes) {
  return (uint32_t)((bytes + 7) / 8 * 8);
}

static void write_valid(const double *values, size_t rows, size_t stride, unsigned char *to) {
  memset(to, 0, round_up((rows + 7) / 8));
  for (size_t i = 0; i < rows; i++)
    to[i >> 3] |= (unsigned char)((values[i * stride] == values[i * stride]) << (i & 7));
}

/* Every bit of every value, as they are. */
static ent_packed pack_cells(const double *values, size_t rows, size_t stride, unsigned char *to) {
  for (size_t i = 0; i < rows; i++)
    memcpy(to + i * sizeof *values, &values[i * stride], sizeof *values);
  return (ent_packed){.element = ENT_ELEMENT_CELL, .bytes = round_up(rows * sizeof *values)};
}

ent_packed ent_pack(const double *values, size_t rows, size_t stride, bool cells, unsigned char *to) {
  ent_pack_facts facts = find_facts(values, rows, stride);
  if (cells && facts.there < rows)
    return pack_cells(values, rows, stride, to);
  if (facts.there == 0)
    return (ent_packed){.element = ENTROPIC_ELEMENT_FLOAT64, .none = true};
  entropic_element element = choose_element(&facts);
  ent_packed packed = {.element = (unsigned char)element, .constant = facts.same};
  size_t size = ent_element_size((int)element);
  /* The one value of a constant is the first that is there. */
  const double *from = values;
  while (facts.same && *from != *from)
    from += stride;
  size_t written = facts.same ? 1 : rows;
  write_values(element, from, written, stride, to);
  memset(to + written * size, 0, round_up(written * size) - written * size);
  packed.bytes = round_up(written * size);
  if (facts.there < rows && (facts.same || ent_element_is_integer((int)element))) {
    packed.valid = packed.bytes;
    write_valid(values, rows, stride, to + packed.bytes);
    packed.bytes += round_up((rows + 7) / 8);
  }
  return packed;
}

/* Fixed-point statistics as bytes, least significant first:
 *     8 bytes "ENTFIXED", then numbers of 8 bytes: version 1, grade, features, targets, rows,
 *     4 bytes for each exponent, 8 for each shift (a double), 16 for each total. */
#include "sums/fixed.h"

#include <string.h>

#include "base/memory.h"
#include "sums/little_endian.h"

static const char magic[8] = {'E', 'N', 'T', 'F', 'I', 'X', 'E', 'D'};
#define VERSION 1
#define HEADER ((size_t)48)

static size_t byte_count(size_t features, size_t targets) {
  size_t size = features + 1 + targets;
  return HEADER + 4 * size + 8 * targets + 8 * size * (size + 1);
}

size_t ent_fixed_byte_count(const ent_fixed *fixed) {
  return byte_count(fixed->features, fixed->targets);
}

void ent_fixed_to_bytes(const ent_fixed *fixed, unsigned char *bytes) {
  const uint64_t header[] = {VERSION, (uint64_t)fixed->grade, fixed->features, fixed->targets, fixed->rows};
  memcpy(bytes, magic, sizeof magic);
  bytes += sizeof magic;
  for (size_t i = 0; i < sizeof header / sizeof header[0]; i++)
    bytes = ent_write_number(bytes, header[i], 8);
  for (size_t j = 0; j < fixed->size; j++)
    bytes = ent_write_number(bytes, (uint64_t)(int64_t)fixed->exponents[j], 4);
  for (size_t t = 0; t < fixed->targets; t++) {
    uint64_t bits;
    memcpy(&bits, &fixed->shift[t], sizeof bits);
    bytes = ent_write_number(bytes, bits, 8);
  }
  for (size_t i = 0; i < fixed->size * (fixed->size + 1) / 2; i++)
    bytes = ent_write_wide(bytes, fixed->totals[i]);
}

/* Reads what follows the header into exponents[size] and shift[targets], and makes statistics with the totals. */
static entropic_status read_body(entropic_context *context, const unsigned char *bytes, ent_fixed_shape *shape,
                                 int *exponents, double *shift, ent_fixed **fixed) {
  size_t size = shape->features + 1 + shape->targets;
  for (size_t j = 0; j < size; j++)
    exponents[j] = (int32_t)(uint32_t)ent_read_number(&bytes, 4);
  for (size_t t = 0; t < shape->targets; t++) {
    uint64_t bits = ent_read_number(&bytes, 8);
    memcpy(&shift[t], &bits, sizeof bits);
  }
  shape->exponents = exponents;
  shape->shift = shift;
  ent_fixed *made;
  entropic_status status = ent_fixed_create(context, shape, &made);
  if (status == ENTROPIC_BAD_ARGUMENT) { /* what the bytes say, not what the caller did */
    ent_fail(context, ENTROPIC_BAD_DATA, "fixed-point statistics with a scale or shift out of range");
    return ENTROPIC_BAD_DATA;
  }
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < size * (size + 1) / 2; i++)
    made->totals[i] = ent_read_wide(&bytes);
  *fixed = made;
  return ENTROPIC_OK;
}

static entropic_status check_totals(entropic_context *context, const ent_fixed *fixed) {
  for (size_t j = 0; j < fixed->size; j++)
    if (fixed->totals[ent_fixed_index(j, j)] < 0)
      return ent_fail(context, ENTROPIC_BAD_DATA, "fixed-point statistics with a negative sum of squares, column %zu",
                      j + 1);
  return ENTROPIC_OK;
}

entropic_status ent_fixed_from_bytes(entropic_context *context, const unsigned char *bytes, size_t count,
                                     ent_fixed **fixed) {
  ENT_NEED(context, bytes);
  ENT_NEED(context, fixed);
  if (count < HEADER || memcmp(bytes, magic, sizeof magic) != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "no fixed-point statistics: they begin with ENTFIXED");
  const unsigned char *at = bytes + sizeof magic;
  uint64_t version = ent_read_number(&at, 8), grade = ent_read_number(&at, 8), features = ent_read_number(&at, 8);
  uint64_t targets = ent_read_number(&at, 8), rows = ent_read_number(&at, 8);
  if (version != VERSION)
    return ent_fail(context, ENTROPIC_BAD_DATA, "fixed-point statistics of version %llu; expected %d",
                    (unsigned long long)version, VERSION);
  if (grade >= ENT_GRADE_COUNT || features >= count || targets >= count || features + targets > UINT32_MAX / 8 ||
      rows > ENT_FIXED_MOST_ROWS || byte_count((size_t)features, (size_t)targets) != count)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "fixed-point statistics of grade %llu, %llu features, %llu targets, %llu rows in %zu bytes",
                    (unsigned long long)grade, (unsigned long long)features, (unsigned long long)targets,
                    (unsigned long long)rows, count);
  ent_fixed_shape shape = {.grade = (ent_grade)grade, .features = (size_t)features, .targets = (size_t)targets};
  ent_fixed *made = NULL;
  int *exponents = ent_new(context, shape.features + 1 + shape.targets, sizeof *exponents);
  double *shift = ent_new(context, shape.targets, sizeof *shift);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (exponents == NULL || shift == NULL)
    goto done;
  status = read_body(context, at, &shape, exponents, shift, &made);
  if (status != ENTROPIC_OK)
    goto done;
  made->rows = rows;
  status = check_totals(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  *fixed = made;
  made = NULL;
done:
  ent_fixed_free(made);
  ent_delete(exponents);
  ent_delete(shift);
  return status;
}

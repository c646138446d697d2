/* Sums of the gradient as bytes, least significant first:
 *     8 bytes "ENTGRADS", then numbers of 8 bytes: version 1, features, classes, weight exponent, rows, misplaced, broken,
 *     the largest margin (a double), 1 if there is a point; 32 bytes, the hash of the point;
 *     4 bytes for each exponent; 16 each for the loss, the weights of classes, and the gradient;
 *     32 bytes: the SHA-256 of all before. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "loss/link.h"
#include "sums/gradient_sums.h"

static const char magic[8] = {'E', 'N', 'T', 'G', 'R', 'A', 'D', 'S'};
#define VERSION 1
#define NUMBERS ((size_t)9)
#define HEADER (8 + 8 * NUMBERS + ENT_SHA256_SIZE)
#define MOST_SIZE ((uint64_t)1 << 28) /* of features and of classes */

/* False if there are too many. */
static bool count_bytes(uint64_t features, uint64_t classes, size_t *count) {
  if (features > MOST_SIZE || classes > MOST_SIZE)
    return false;
  uint64_t gradient = ent_class_scores(classes) * (features + 1);
  *count = (size_t)(HEADER + 4 * features + 16 * (1 + classes + gradient) + ENT_SHA256_SIZE);
  return true;
}

static void hash_bytes(const unsigned char *bytes, size_t count, uint8_t digest[ENT_SHA256_SIZE]) {
  ent_sha256 hash = ent_sha256_start();
  ent_sha256_add(&hash, bytes, count);
  ent_sha256_finish(&hash, digest);
}

entropic_status ent_gradient_sums_to_bytes(entropic_context *context, const ent_gradient_sums *sums,
                                           unsigned char **bytes, size_t *count) {
  uint64_t margin;
  count_bytes(sums->features, sums->classes, count);
  unsigned char *made = ent_new_raw(context, *count, 1, 1);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  unsigned char *at = made + sizeof magic;
  memcpy(made, magic, sizeof magic);
  memcpy(&margin, &sums->margin, sizeof margin);
  const uint64_t numbers[NUMBERS] = {
      VERSION,        sums->features,  sums->classes, (uint64_t)(int64_t)sums->weight_exponent,
      sums->rows,     sums->misplaced, sums->broken,  margin,
      sums->has_point};
  for (size_t i = 0; i < NUMBERS; i++)
    at = ent_write_number(at, numbers[i], 8);
  memcpy(at, sums->point, ENT_SHA256_SIZE);
  at += ENT_SHA256_SIZE;
  for (size_t j = 0; j < sums->features; j++)
    at = ent_write_number(at, (uint64_t)(int64_t)sums->exponents[j], 4);
  at = ent_write_wide(at, sums->loss);
  for (size_t k = 0; k < sums->classes; k++)
    at = ent_write_wide(at, sums->weights[k]);
  for (size_t i = 0; i < sums->scores * (sums->features + 1); i++)
    at = ent_write_wide(at, sums->gradient[i]);
  hash_bytes(made, (size_t)(at - made), at);
  *bytes = made;
  return ENTROPIC_OK;
}

/* Reads what follows the header. */
static void read_body(const unsigned char *at, ent_gradient_sums *sums) {
  memcpy(sums->point, at, ENT_SHA256_SIZE);
  at += ENT_SHA256_SIZE;
  for (size_t j = 0; j < sums->features; j++)
    sums->exponents[j] = (int32_t)(uint32_t)ent_read_number(&at, 4);
  sums->loss = ent_read_wide(&at);
  for (size_t k = 0; k < sums->classes; k++)
    sums->weights[k] = ent_read_wide(&at);
  for (size_t i = 0; i < sums->scores * (sums->features + 1); i++)
    sums->gradient[i] = ent_read_wide(&at);
}

/* Whether so many rows can have these sums. What passes cannot overflow when added. */
static bool is_possible(const ent_gradient_sums *sums) {
  const ent_int128 most = (ent_int128)sums->rows << ENT_GRADIENT_BITS;
  if (sums->rows > ENT_FIXED_MOST_ROWS || sums->misplaced > sums->rows || sums->broken > sums->rows ||
      isnan(sums->margin) || (sums->rows > 0 && !sums->has_point) || sums->loss < 0 || sums->loss > most << 40)
    return false;
  for (size_t k = 0; k < sums->classes; k++)
    if (sums->weights[k] < 0 || sums->weights[k] > most)
      return false;
  for (size_t i = 0; i < sums->scores * (sums->features + 1); i++)
    if (sums->gradient[i] < -most || sums->gradient[i] > most)
      return false;
  return true;
}

/* Sums from bytes of the right count. */
static entropic_status read_sums(entropic_context *context, const uint64_t *numbers, const unsigned char *body,
                                 ent_gradient_sums **sums) {
  ent_gradient_sums *made = ent_gradient_sums_new(context, (size_t)numbers[1], (size_t)numbers[2]);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  int64_t weight_exponent = (int64_t)numbers[3];
  bool fits = weight_exponent >= -ENT_GRADIENT_MOST_WEIGHT && weight_exponent <= ENT_GRADIENT_MOST_WEIGHT;
  made->weight_exponent = fits ? (int)weight_exponent : ENT_GRADIENT_MOST_WEIGHT + 1;
  made->rows = numbers[4];
  made->misplaced = numbers[5];
  made->broken = numbers[6];
  memcpy(&made->margin, &numbers[7], sizeof made->margin);
  made->has_point = numbers[8] == 1;
  read_body(body, made);
  if (ent_gradient_sums_check(context, made) != ENTROPIC_OK || numbers[8] > 1 || !is_possible(made)) {
    ent_gradient_sums_free(made);
    return ent_fail(context, ENTROPIC_BAD_DATA, "sums of the gradient that %llu rows cannot have",
                    (unsigned long long)numbers[4]);
  }
  *sums = made;
  return ENTROPIC_OK;
}

entropic_status ent_gradient_sums_from_bytes(entropic_context *context, const unsigned char *bytes, size_t count,
                                             ent_gradient_sums **sums) {
  if (count < HEADER || memcmp(bytes, magic, sizeof magic) != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "no sums of the gradient: they begin with ENTGRADS");
  const unsigned char *at = bytes + sizeof magic;
  uint64_t numbers[NUMBERS];
  for (size_t i = 0; i < NUMBERS; i++)
    numbers[i] = ent_read_number(&at, 8);
  if (numbers[0] != VERSION)
    return ent_fail(context, ENTROPIC_BAD_DATA, "sums of the gradient of version %llu; expected %d",
                    (unsigned long long)numbers[0], VERSION);
  size_t expected;
  if (numbers[2] < 2 || !count_bytes(numbers[1], numbers[2], &expected) || expected != count)
    return ent_fail(context, ENTROPIC_BAD_DATA, "sums of the gradient of %llu features and %llu classes in %zu bytes",
                    (unsigned long long)numbers[1], (unsigned long long)numbers[2], count);
  uint8_t digest[ENT_SHA256_SIZE];
  hash_bytes(bytes, count - ENT_SHA256_SIZE, digest);
  if (memcmp(digest, bytes + count - ENT_SHA256_SIZE, ENT_SHA256_SIZE) != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "damaged sums of the gradient: their hash does not match");
  return read_sums(context, numbers, at, sums);
}

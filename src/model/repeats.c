/* Rows that repeat another one: see dataset.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/dataset.h"

#define LEAST_SHARE 0.05 /* of the rows, for a notice */
#define LEAST_REPEATS ((size_t)5)

static int compare_bits(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  value = isnan(value) ? NAN : value + 0.0; /* so that -0 is 0 */
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The hash of each row: all columns of a few rows after each other, so that memory is read in order. */
static void hash_rows(const entropic_dataset *d, uint64_t *hashes) {
  const ent_inputs inputs = ent_dataset_inputs(d);
  size_t block = d->x != NULL ? 1 : ENT_CURSOR_ROWS;
  ent_inputs_cursor cursor;
  for (size_t from = 0; from < d->rows; from += block) {
    size_t end = d->rows - from < block ? d->rows : from + block;
    for (size_t r = from; r < end; r++)
      hashes[r] = ENT_HASH_START;
    for (size_t i = 0; i < d->schema.inputs; i++) {
      ent_inputs_start(&inputs, i, d->rows, &cursor);
      for (size_t r = from; r < end; r++)
        hashes[r] = ent_hash_step(hashes[r], bits_of(ent_inputs_at(&cursor, r)));
    }
    for (size_t r = from; r < end; r++)
      for (size_t k = 0; k < d->schema.targets; k++)
        hashes[r] = ent_hash_step(hashes[r], bits_of(d->y[r * d->schema.targets + k]));
  }
}

/* Sorted, how many are like the one before. */
static size_t count_repeats(uint64_t *bits, size_t count) {
  size_t repeats = 0;
  qsort(bits, count, sizeof *bits, compare_bits);
  for (size_t i = 1; i < count; i++)
    repeats += bits[i] == bits[i - 1];
  return repeats;
}

/* Whether most of the rows that differ have a value of their own in this column. */
static bool is_fine(const ent_inputs *from, size_t column, size_t rows, size_t differing, uint64_t *room) {
  ent_inputs_cursor cursor;
  ent_inputs_start(from, column, rows, &cursor);
  for (size_t r = 0; r < rows; r++)
    room[r] = bits_of(ent_inputs_at(&cursor, r));
  return 2 * (rows - count_repeats(room, rows)) > differing;
}

/* Whether rows that are alike cannot be so by chance: some column of numbers tells most rows apart. */
static bool is_no_chance(const entropic_dataset *d, size_t differing, uint64_t *room) {
  const ent_schema *schema = &d->schema;
  const ent_inputs targets = {.x = d->y, .stride = schema->targets}, inputs = ent_dataset_inputs(d);
  for (size_t k = 0; k < schema->targets && schema->classes == 0; k++)
    if (is_fine(&targets, k, d->rows, differing, room))
      return true;
  for (size_t i = 0; i < schema->inputs; i++)
    if (schema->input[i].categories == 0 && is_fine(&inputs, i, d->rows, differing, room))
      return true;
  return false;
}

entropic_status ent_dataset_warn_repeats(entropic_context *context, entropic_dataset *dataset) {
  size_t rows = dataset->rows;
  if (dataset->groups != NULL || rows < 2)
    return ENTROPIC_OK;
  uint64_t *hashes = ent_new(context, rows, sizeof *hashes);
  if (hashes == NULL)
    return ENTROPIC_NO_MEMORY;
  hash_rows(dataset, hashes);
  size_t repeats = count_repeats(hashes, rows);
  entropic_status status = ENTROPIC_OK;
  if (repeats >= LEAST_REPEATS && (double)repeats >= LEAST_SHARE * (double)rows &&
      is_no_chance(dataset, rows - repeats, hashes))
    status =
        ent_notices_add(context, &dataset->notices,
                        "%zu of %zu rows repeat another one, target and all: errors on rows held out are too good, "
                        "unless a column of groups keeps such rows together",
                        repeats, rows);
  ent_delete(hashes);
  return status;
}

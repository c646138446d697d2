/* Rows that repeat another one: see layout.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "dataset/layout.h"

#define LEAST_SHARE 0.05 /* of the rows, for a notice */
#define LEAST_REPEATS ((size_t)5)
#define LEAST_PLACES ((size_t)20) /* rows that differ in their inputs; with fewer these are of a few values by design */
#define BUCKETS 64                /* that rows are sorted in, by several threads */
#define LEAST_BUCKETED 16384      /* rows; fewer are sorted at once */

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

/* The hash of each row, with its targets or without: all columns of a few rows after each other, so that memory is read
 * in order. */
static void hash_rows(const entropic_dataset *d, bool with_targets, uint64_t *hashes) {
  const ent_inputs inputs = ent_dataset_inputs(d);
  size_t block = inputs.columns == NULL ? 1 : ENT_CURSOR_ROWS;
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
      for (size_t k = 0; k < d->schema.targets && with_targets; k++)
        hashes[r] = ent_hash_step(hashes[r], bits_of(d->y[r * d->schema.targets + k]));
  }
}

/* Sorted, how many are like the one before. */
static size_t count_sorted(uint64_t *bits, size_t count) {
  size_t repeats = 0;
  qsort(bits, count, sizeof *bits, compare_bits);
  for (size_t i = 1; i < count; i++)
    repeats += bits[i] == bits[i - 1];
  return repeats;
}

/* Bits in buckets: equal ones are in the same. */
typedef struct ent_buckets {
  uint64_t *bits;
  size_t ends[BUCKETS], repeats[BUCKETS];
} ent_buckets;

static size_t bucket_of(uint64_t bits) {
  return bits * UINT64_C(0x9e3779b97f4a7c15) / (UINT64_MAX / BUCKETS + 1);
}

static entropic_status count_bucket(entropic_context *context, void *shared, size_t task, int worker) {
  ent_buckets *buckets = shared;
  size_t first = task == 0 ? 0 : buckets->ends[task - 1];
  (void)context;
  (void)worker;
  buckets->repeats[task] = count_sorted(buckets->bits + first, buckets->ends[task] - first);
  return ENTROPIC_OK;
}

/* How many bits are like others before them. They may change their places. */
static entropic_status count_repeats(entropic_context *context, uint64_t *bits, size_t count, size_t *repeats) {
  *repeats = 0;
  if (count < LEAST_BUCKETED) {
    *repeats = count_sorted(bits, count);
    return ENTROPIC_OK;
  }
  ent_buckets buckets = {.bits = ent_new_raw(context, count, 1, sizeof *bits)};
  if (buckets.bits == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t at[BUCKETS + 1] = {0};
  for (size_t i = 0; i < count; i++)
    at[bucket_of(bits[i]) + 1]++;
  for (size_t b = 0; b < BUCKETS; b++)
    buckets.ends[b] = at[b + 1] += at[b];
  for (size_t i = 0; i < count; i++)
    buckets.bits[at[bucket_of(bits[i])]++] = bits[i];
  entropic_status status = ent_parallel(context, BUCKETS, count_bucket, &buckets);
  for (size_t b = 0; b < BUCKETS; b++)
    *repeats += buckets.repeats[b];
  ent_delete(buckets.bits);
  return status;
}

/* Rows of which some repeat others. */
typedef struct ent_repetition {
  size_t count, differing;
  bool with_targets; /* they are alike in their targets as well */
  uint64_t *room;    /* [count] */
} ent_repetition;

/* Whether most of the rows that differ have a value of their own in this column. */
static entropic_status is_fine(entropic_context *context, const ent_inputs *from, size_t column,
                               const ent_repetition *rows, bool *fine) {
  ent_inputs_cursor cursor;
  size_t repeats;
  ent_inputs_start(from, column, rows->count, &cursor);
  for (size_t r = 0; r < rows->count; r++)
    rows->room[r] = bits_of(ent_inputs_at(&cursor, r));
  entropic_status status = count_repeats(context, rows->room, rows->count, &repeats);
  *fine = 2 * (rows->count - repeats) > rows->differing;
  return status;
}

/* Whether rows that are alike cannot be so by chance: some column of numbers tells most rows apart. Of inputs alone there
 * must be two such columns: many rows may well have one value in common, or be measured at the same places. */
static entropic_status find_chance(entropic_context *context, const entropic_dataset *d, const ent_repetition *rows,
                                   bool *chance) {
  const ent_schema *schema = &d->schema;
  const ent_inputs targets = {.x = d->y, .stride = schema->targets}, inputs = ent_dataset_inputs(d);
  size_t wanted = rows->with_targets ? 1 : 2, found = 0;
  entropic_status status = ENTROPIC_OK;
  bool fine;
  for (size_t k = 0; k < schema->targets && !ent_schema_has_classes(schema) && rows->with_targets && found < wanted;
       k++) {
    status = is_fine(context, &targets, k, rows, &fine);
    if (status != ENTROPIC_OK)
      return status;
    found += fine;
  }
  for (size_t i = 0; i < schema->inputs && found < wanted; i++) {
    if (schema->input[i].categories > 0 || ent_part_is_made(schema->input[i].part))
      continue;
    status = is_fine(context, &inputs, i, rows, &fine);
    if (status != ENTROPIC_OK)
      return status;
    found += fine;
  }
  *chance = found < wanted;
  return ENTROPIC_OK;
}

/* How many rows repeat another one; 0 if they are few, or alike by chance. hashes[rows] is room. */
static entropic_status find_repeats(entropic_context *context, const entropic_dataset *dataset, bool with_targets,
                                    uint64_t *hashes, size_t *repeats) {
  size_t rows = dataset->rows;
  bool chance = true;
  hash_rows(dataset, with_targets, hashes);
  entropic_status status = count_repeats(context, hashes, rows, repeats);
  if (status != ENTROPIC_OK)
    return status;
  const ent_repetition repetition = {rows, rows - *repeats, with_targets, hashes};
  bool enough = with_targets || repetition.differing >= LEAST_PLACES;
  if (enough && *repeats >= LEAST_REPEATS && (double)*repeats >= LEAST_SHARE * (double)rows)
    status = find_chance(context, dataset, &repetition, &chance);
  *repeats = chance ? 0 : *repeats;
  return status;
}

entropic_status ent_dataset_warn_repeats(entropic_context *context, entropic_dataset *dataset) {
  size_t rows = dataset->rows, repeats, alike;
  if (dataset->groups != NULL || rows < 2)
    return ENTROPIC_OK;
  uint64_t *hashes = ent_new(context, rows, sizeof *hashes);
  if (hashes == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = find_repeats(context, dataset, true, hashes, &repeats);
  if (status != ENTROPIC_OK)
    goto done;
  if (repeats > 0) {
    status = ent_notices_add(context, &dataset->notices,
                             "%zu of %zu rows are copies of other rows, target included: validation errors are too "
                             "optimistic unless a column of groups keeps such rows together",
                             repeats, rows);
    goto done;
  }
  status = find_repeats(context, dataset, false, hashes, &alike);
  if (status != ENTROPIC_OK || alike == 0)
    goto done;
  status = ent_notices_add(context, &dataset->notices,
                           "%zu of %zu rows have the same inputs as another row: validation errors are those at inputs "
                           "seen in training, unless a column of groups keeps such rows together",
                           alike, rows);
done:
  ent_delete(hashes);
  return status;
}

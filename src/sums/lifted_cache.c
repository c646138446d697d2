/* Kept blocks: see kept.h. */
#include "sums/lifted.h"

#include <string.h>

#include "base/memory.h"

#define RARE SIZE_MAX

void ent_lifted_cache_clear(ent_lifted_cache *kept) {
  ent_delete(kept->values);
  ent_delete(kept->columns);
  ent_delete(kept->starts);
  *kept = (ent_lifted_cache){0};
}

bool ent_lifted_cache_is_filled(const ent_lifted_cache *kept) {
  return kept->values != NULL;
}

static void count_nonzeros(const ent_lifted *lifted, size_t *counts) {
  size_t rows = lifted->block.rows;
  for (size_t j = 0; j < lifted->dense_count; j++) {
    const double *z = lifted->z + j * lifted->ld;
    for (size_t r = 0; r < rows; r++)
      counts[j] += z[r] != 0;
  }
  for (size_t i = 0; lifted->starts != NULL && i < lifted->starts[rows]; i++)
    counts[lifted->columns[i]]++;
}

/* Counts become places among the dense columns, or RARE. Returns how many values are rare. */
static size_t place_columns(const ent_lifted *lifted, double rare, size_t *counts, size_t *dense_count) {
  size_t values = 0;
  *dense_count = 0;
  for (size_t j = 0; j < lifted->features; j++) {
    bool is_rare = (double)counts[j] < rare * (double)lifted->block.rows;
    values += is_rare ? counts[j] : 0;
    counts[j] = is_rare ? RARE : (*dense_count)++;
  }
  return values;
}

/* The rare columns of a dense block as compressed rows. */
static void compress(const ent_lifted *lifted, const size_t *places, ent_lifted_cache *kept) {
  size_t rows = lifted->block.rows, *starts = kept->starts;
  double *values = kept->values + kept->dense_count * rows;
  int32_t *columns = kept->columns + kept->dense_count;
  for (size_t j = 0; j < lifted->features; j++)
    for (size_t r = 0; places[j] == RARE && r < rows; r++)
      starts[r + 1] += lifted->z[j * lifted->ld + r] != 0;
  for (size_t r = 0; r < rows; r++)
    starts[r + 1] += starts[r];
  for (size_t j = 0; j < lifted->features; j++)
    for (size_t r = 0; places[j] == RARE && r < rows; r++) {
      double value = lifted->z[j * lifted->ld + r];
      if (value == 0)
        continue;
      values[starts[r]] = value;
      columns[starts[r]++] = (int32_t)j;
    }
  memmove(starts + 1, starts, rows * sizeof *starts); /* each was moved to the end of its row */
  starts[0] = 0;
}

static void take_dense(const ent_lifted *lifted, const size_t *places, ent_lifted_cache *kept) {
  size_t rows = lifted->block.rows;
  for (size_t j = 0; j < lifted->features; j++)
    if (places[j] != RARE)
      memcpy(kept->values + places[j] * rows, lifted->z + j * lifted->ld, rows * sizeof *kept->values);
  compress(lifted, places, kept);
}

static void take_compressed(const ent_lifted *lifted, const size_t *places, ent_lifted_cache *kept) {
  size_t rows = lifted->block.rows, dense = kept->dense_count, at = 0;
  for (size_t r = 0; r < rows; r++) {
    for (size_t i = lifted->starts[r]; i < lifted->starts[r + 1]; i++) {
      size_t place = places[lifted->columns[i]];
      if (place != RARE) {
        kept->values[place * rows + r] = lifted->values[i];
        continue;
      }
      kept->values[dense * rows + at] = lifted->values[i];
      kept->columns[dense + at++] = lifted->columns[i];
    }
    kept->starts[r + 1] = at;
  }
}

entropic_status ent_lifted_cache_fill(entropic_context *context, const ent_lifted *lifted, double rare,
                                      ent_lifted_cache *kept) {
  size_t rows = lifted->block.rows;
  size_t *places = ent_new(context, lifted->features, sizeof *places);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (places == NULL)
    goto done;
  count_nonzeros(lifted, places);
  size_t values = place_columns(lifted, rare, places, &kept->dense_count), dense = kept->dense_count;
  kept->columns = ent_new(context, dense + values, sizeof *kept->columns);
  kept->starts = ent_new(context, rows + 1, sizeof *kept->starts);
  if (kept->columns == NULL || kept->starts == NULL)
    goto done;
  kept->values = ent_new(context, dense * rows + values, sizeof *kept->values);
  if (kept->values == NULL)
    goto done;
  for (size_t j = 0; j < lifted->features; j++)
    if (places[j] != RARE)
      kept->columns[places[j]] = (int32_t)j;
  if (lifted->starts == NULL) /* also where there are no features at all */
    take_dense(lifted, places, kept);
  else
    take_compressed(lifted, places, kept);
  status = ENTROPIC_OK;
done:
  if (status != ENTROPIC_OK)
    ent_lifted_cache_clear(kept);
  ent_delete(places);
  return status;
}

void ent_lifted_cache_view(const ent_lifted_cache *kept, ent_lifted *lifted) {
  size_t rows = lifted->block.rows, dense = kept->dense_count;
  lifted->z = kept->values;
  lifted->ld = rows;
  lifted->dense_count = dense;
  lifted->dense_columns = dense == lifted->features ? NULL : kept->columns;
  lifted->starts = kept->starts;
  lifted->columns = kept->columns + dense;
  lifted->values = kept->values + dense * rows;
}

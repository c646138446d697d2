/* Lifted blocks that are kept from pass to pass: see pass.h. */
#include "sums/pass.h"

#include <string.h>

#include "base/memory.h"

#define RARE SIZE_MAX

void ent_lifted_cache_clear(ent_lifted_cache *cache) {
  ent_delete(cache->values);
  ent_delete(cache->columns);
  ent_delete(cache->starts);
  *cache = (ent_lifted_cache){0};
}

bool ent_lifted_cache_is_filled(const ent_lifted_cache *cache) {
  return cache->values != NULL;
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
static void compress(const ent_lifted *lifted, const size_t *places, ent_lifted_cache *cache) {
  size_t rows = lifted->block.rows, *starts = cache->starts;
  double *values = cache->values + cache->dense_count * rows;
  int32_t *columns = cache->columns + cache->dense_count;
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

static void take_dense(const ent_lifted *lifted, const size_t *places, ent_lifted_cache *cache) {
  size_t rows = lifted->block.rows;
  for (size_t j = 0; j < lifted->features; j++)
    if (places[j] != RARE)
      memcpy(cache->values + places[j] * rows, lifted->z + j * lifted->ld, rows * sizeof *cache->values);
  compress(lifted, places, cache);
}

static void take_compressed(const ent_lifted *lifted, const size_t *places, ent_lifted_cache *cache) {
  size_t rows = lifted->block.rows, dense = cache->dense_count, at = 0;
  for (size_t r = 0; r < rows; r++) {
    for (size_t i = lifted->starts[r]; i < lifted->starts[r + 1]; i++) {
      size_t place = places[lifted->columns[i]];
      if (place != RARE) {
        cache->values[place * rows + r] = lifted->values[i];
        continue;
      }
      cache->values[dense * rows + at] = lifted->values[i];
      cache->columns[dense + at++] = lifted->columns[i];
    }
    cache->starts[r + 1] = at;
  }
}

entropic_status ent_lifted_cache_fill(entropic_context *context, const ent_lifted *lifted, double rare,
                                      ent_lifted_cache *cache) {
  size_t rows = lifted->block.rows;
  size_t *places = ent_new(context, lifted->features, sizeof *places);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (places == NULL)
    goto done;
  count_nonzeros(lifted, places);
  size_t values = place_columns(lifted, rare, places, &cache->dense_count), dense = cache->dense_count;
  cache->columns = ent_new(context, dense + values, sizeof *cache->columns);
  cache->starts = ent_new(context, rows + 1, sizeof *cache->starts);
  if (cache->columns == NULL || cache->starts == NULL)
    goto done;
  cache->values = ent_new(context, dense * rows + values, sizeof *cache->values);
  if (cache->values == NULL)
    goto done;
  for (size_t j = 0; j < lifted->features; j++)
    if (places[j] != RARE)
      cache->columns[places[j]] = (int32_t)j;
  if (lifted->starts == NULL) /* also where there are no features at all */
    take_dense(lifted, places, cache);
  else
    take_compressed(lifted, places, cache);
  status = ENTROPIC_OK;
done:
  if (status != ENTROPIC_OK)
    ent_lifted_cache_clear(cache);
  ent_delete(places);
  return status;
}

void ent_lifted_cache_view(const ent_lifted_cache *cache, ent_lifted *lifted) {
  size_t rows = lifted->block.rows, dense = cache->dense_count;
  lifted->z = cache->values;
  lifted->ld = rows;
  lifted->dense_count = dense;
  lifted->dense_columns = dense == lifted->features ? NULL : cache->columns;
  lifted->starts = cache->starts;
  lifted->columns = cache->columns + dense;
  lifted->values = cache->values + dense * rows;
}

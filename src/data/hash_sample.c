/* The threshold of a sample: see hash_sample.h. The k-th smallest of n hashes is near k / n of their range, within a few
 * standard deviations. One pass counts the hashes below that window and keeps those within it; the threshold is among
 * them. A window that misses it is moved, or narrowed if it holds too many. */
#include "data/hash_sample.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/progress.h"

/* The window reaches so many standard deviations to either side. */
#define ENT_WINDOW_REACH 8
/* Rows between two looks at whether the call is cancelled. */
#define ENT_WINDOW_ROWS (1u << 22)

typedef struct ent_hash_window {
  uint64_t low, high; /* its first and last hash */
  uint64_t below;     /* rows whose hash is smaller */
  uint64_t within;    /* rows whose hash is in the window; of these are kept: */
  uint64_t *hashes;
  size_t capacity;
} ent_hash_window;

/* Counts the rows from first to limit. */
static void count_rows(ent_hash_window *window, uint64_t first, uint64_t limit) {
  const uint64_t low = window->low, width = window->high - low;
  uint64_t below = 0;
  for (uint64_t row = first; row < limit; row++) {
    uint64_t hash = ent_mix(row);
    below += hash < low;
    if (__builtin_expect(hash - low <= width, 0)) {
      if (window->within < window->capacity)
        window->hashes[window->within] = hash;
      window->within++;
    }
  }
  window->below += below;
}

static entropic_status count_all(entropic_context *context, ent_hash_window *window, uint64_t rows) {
  window->below = window->within = 0;
  for (uint64_t first = 0; first < rows;) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    uint64_t count = rows - first < ENT_WINDOW_ROWS ? rows - first : ENT_WINDOW_ROWS;
    count_rows(window, first, first + count);
    first += count;
  }
  return ENTROPIC_OK;
}

static int compare_hashes(const void *a, const void *b) {
  const uint64_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

/* A place in the range of hashes. */
static uint64_t hash_at(double share) {
  double hash = share * 0x1p64;
  return hash <= 0 ? 0 : hash >= 0x1p64 ? UINT64_MAX : (uint64_t)hash;
}

/* Finds the hash that is the `most`-th smallest, in [low, high] all along. */
static entropic_status find_threshold(entropic_context *context, ent_hash_window *window, uint64_t rows, uint64_t most,
                                      uint64_t *threshold) {
  uint64_t low = 0, high = UINT64_MAX;
  for (;;) {
    entropic_status status = count_all(context, window, rows);
    if (status != ENTROPIC_OK)
      return status;
    bool before = window->below >= most, after = window->below + window->within < most;
    if (!before && !after && window->within <= window->capacity)
      break;
    if (before)
      high = window->low - 1;
    else if (after)
      low = window->high + 1;
    else
      low = window->low, high = window->high;
    uint64_t middle = low + (high - low) / 2;
    window->low = low;
    window->high = middle;
  }
  qsort(window->hashes, (size_t)window->within, sizeof *window->hashes, compare_hashes);
  *threshold = window->hashes[most - window->below - 1];
  return ENTROPIC_OK;
}

entropic_status ent_hash_sample_create(entropic_context *context, uint64_t rows, uint64_t most,
                                       ent_hash_sample *sample) {
  if (most == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "a sample of 0 rows, expected 1 or more");
  *sample = (ent_hash_sample){rows, rows, UINT64_MAX};
  if (rows <= most)
    return ENTROPIC_OK;
  double expected = (double)most, all = (double)rows;
  double reach = ENT_WINDOW_REACH * (sqrt(expected * (1 - expected / all)) + 1);
  ent_hash_window window = {.low = hash_at((expected - reach) / all), .high = hash_at((expected + reach) / all)};
  window.capacity = (size_t)(4 * reach) + 64;
  window.hashes = ent_new(context, window.capacity, sizeof *window.hashes);
  if (window.hashes == NULL)
    return ENTROPIC_NO_MEMORY;
  uint64_t threshold;
  entropic_status status = find_threshold(context, &window, rows, most, &threshold);
  ent_delete(window.hashes);
  if (status != ENTROPIC_OK)
    return status;
  sample->size = most;
  sample->threshold = threshold;
  return ENTROPIC_OK;
}

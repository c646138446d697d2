/* Screening: see screen.h. */
#include "select/screen.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"

#define STEP ((size_t)512)  /* rows at a time */
#define CHUNKS ((size_t)64) /* of groups, spread over the threads; their number does not change the result */
#define LANES 8

typedef struct ent_screen_state {
  const ent_candidate_pool *candidates;
  const ent_residual *residual;
  size_t most;
  size_t largest;       /* atoms of a group */
  double **cells;       /* for each worker: (1 + targets) for each atom */
  ent_candidate **best; /* for each chunk: a heap with the worst on top */
  size_t *best_count;
  size_t chunks;
} ent_screen_state;

static bool is_better(const ent_candidate *a, const ent_candidate *b) {
  if (a->gain != b->gain)
    return a->gain > b->gain;
  return a->group != b->group ? a->group < b->group : a->member < b->member;
}

static int compare_candidates(const void *a, const void *b) {
  return is_better(a, b) ? -1 : is_better(b, a) ? 1 : 0;
}

/* Puts a candidate into the heap of the best, or drops it. */
static void keep(ent_candidate *heap, size_t *count, size_t most, ent_candidate candidate) {
  size_t hole;
  if (*count < most) {
    hole = (*count)++;
    while (hole > 0 && is_better(&heap[(hole - 1) / 2], &candidate)) {
      heap[hole] = heap[(hole - 1) / 2];
      hole = (hole - 1) / 2;
    }
    heap[hole] = candidate;
    return;
  }
  if (!is_better(&candidate, &heap[0]))
    return;
  hole = 0;
  for (;;) {
    size_t child = 2 * hole + 1;
    if (child >= *count)
      break;
    if (child + 1 < *count && is_better(&heap[child], &heap[child + 1]))
      child++;
    if (!is_better(&candidate, &heap[child]))
      break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = candidate;
}

/* out = a b; out may be a. Products go through `part`, which nothing else points to, so that they are vectorised. */
static void multiply(const float *a, const float *b, size_t rows, float *out) {
  size_t full = rows / LANES * LANES;
  for (size_t r = 0; r < full; r += LANES) {
    float part[LANES];
    for (size_t i = 0; i < LANES; i++)
      part[i] = a[r + i] * b[r + i];
    memcpy(out + r, part, sizeof part);
  }
  for (size_t r = full; r < rows; r++)
    out[r] = a[r] * b[r];
}

/* The value of a group at some rows, in room[rows] or in the cache. If the group has several features, cells[rows]
 * becomes which of them is not zero. */
static const float *evaluate(const ent_candidate_pool *candidates, const ent_candidate_group *group, size_t first,
                             size_t rows, uint32_t *cells, float *room) {
  const float *values = NULL;
  if (group->atoms > 1)
    memset(cells, 0, rows * sizeof *cells);
  for (size_t t = 0; t < group->order; t++) {
    entropic_term term = group->terms[t];
    const ent_level_column *column = &candidates->cache->columns[term.input][term.level];
    if (t > 0)
      multiply(values, column->values + first, rows, room);
    values = t > 0 ? room : column->values + first;
    if (column->atoms == NULL)
      continue;
    const uint32_t *which = column->atoms + first;
    uint32_t atoms = (uint32_t)candidates->kernel->axes[term.input]->levels[term.level].info.atoms;
    for (size_t r = 0; r < rows; r++)
      cells[r] = cells[r] * atoms + which[r];
  }
  if (values != NULL)
    return values;
  for (size_t r = 0; r < rows; r++)
    room[r] = 1;
  return room;
}

/* Adds a.b to *sum. Several independent sums are vectorised. */
static void add_products(const float *a, const float *b, size_t rows, double *sum) {
  float part[LANES] = {0};
  for (size_t r = 0; r + LANES <= rows; r += LANES)
    for (size_t i = 0; i < LANES; i++)
      part[i] += a[r + i] * b[r + i];
  for (size_t i = 0; i < LANES; i++)
    *sum += (double)part[i];
  for (size_t r = rows / LANES * LANES; r < rows; r++)
    *sum += (double)(a[r] * b[r]);
}

static void add_weighted(const float *weights, const float *values, size_t rows, double *sum) {
  float weighted[STEP];
  size_t full = rows / LANES * LANES;
  for (size_t r = 0; r < full; r++)
    weighted[r] = weights[r] * values[r];
  add_products(weighted, values, full, sum);
  for (size_t r = full; r < rows; r++)
    *sum += (double)(values[r] * values[r] * weights[r]);
}

/* Adds some rows of a group of one feature: sums[0] += |f|^2, sums[1 + k] += f.R_k. */
static void add_single(const ent_residual *residual, size_t first, size_t rows, const float *values, double *sums) {
  size_t targets = residual->targets;
  if (residual->weights == NULL)
    add_products(values, values, rows, &sums[0]);
  else
    add_weighted(residual->weights + first, values, rows, &sums[0]);
  const float *y = residual->values + first * targets;
  if (targets == 1) {
    add_products(values, y, rows, &sums[1]);
    return;
  }
  for (size_t r = 0; r < rows; r++)
    for (size_t k = 0; k < targets; k++)
      sums[1 + k] += (double)(values[r] * y[r * targets + k]);
}

/* The same for a group of several features: sums[(1 + targets) * feature + ...]. */
static void add_many(const ent_residual *residual, size_t first, size_t rows, const uint32_t *cells,
                     const float *values, double *sums) {
  size_t targets = residual->targets;
  const float *y = residual->values + first * targets;
  for (size_t r = 0; r < rows; r++) {
    double value = (double)values[r], weight = residual->weights == NULL ? 1 : (double)residual->weights[first + r];
    double *at = sums + (size_t)cells[r] * (1 + targets);
    at[0] += weight * value * value;
    for (size_t k = 0; k < targets; k++)
      at[1 + k] += value * (double)y[r * targets + k];
  }
}

static void screen_group(const ent_screen_state *s, size_t number, double *sums, ent_candidate *heap, size_t *count) {
  const ent_candidate_group *group = &s->candidates->groups[number];
  size_t rows = s->candidates->cache->rows, targets = s->residual->targets, width = 1 + targets;
  memset(sums, 0, (size_t)group->atoms * width * sizeof *sums);
  for (size_t first = 0; first < rows; first += STEP) {
    uint32_t cells[STEP];
    float room[STEP];
    size_t some = rows - first < STEP ? rows - first : STEP;
    const float *values = evaluate(s->candidates, group, first, some, cells, room);
    if (group->atoms == 1)
      add_single(s->residual, first, some, values, sums);
    else
      add_many(s->residual, first, some, cells, values, sums);
  }
  for (uint64_t member = 0; member < group->atoms; member++) {
    const double *at = sums + member * width;
    double gain = 0;
    if (!(at[0] > 0) || ent_is_selected(group, member))
      continue;
    for (size_t k = 0; k < targets; k++)
      gain += at[1 + k] * at[1 + k];
    keep(heap, count, s->most,
         (ent_candidate){.group = number, .member = member, .gain = gain / (at[0] + s->residual->ridge)});
  }
}

static entropic_status screen_chunk(entropic_context *context, void *shared, size_t chunk, int worker) {
  ent_screen_state *s = shared;
  if (s->cells[worker] == NULL)
    s->cells[worker] = ent_new_matrix(context, s->largest, 1 + s->residual->targets, sizeof(double));
  s->best[chunk] = ent_new(context, s->most, sizeof(ent_candidate));
  if (s->cells[worker] == NULL || s->best[chunk] == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t g = chunk; g < s->candidates->count; g += s->chunks) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    screen_group(s, g, s->cells[worker], s->best[chunk], &s->best_count[chunk]);
  }
  return ENTROPIC_OK;
}

static void merge(const ent_screen_state *s, ent_candidate *screened, size_t *count) {
  *count = 0;
  for (size_t c = 0; c < s->chunks; c++)
    for (size_t i = 0; i < s->best_count[c]; i++)
      keep(screened, count, s->most, s->best[c][i]);
  qsort(screened, *count, sizeof *screened, compare_candidates);
}

entropic_status ent_screen(entropic_context *context, const ent_candidate_pool *candidates,
                           const ent_residual *residual, size_t most, ent_candidate *screened, size_t *count) {
  ent_screen_state s = {.candidates = candidates, .residual = residual, .most = most, .chunks = CHUNKS, .largest = 1};
  for (size_t g = 0; g < candidates->count; g++)
    s.largest = candidates->groups[g].atoms > s.largest ? (size_t)candidates->groups[g].atoms : s.largest;
  size_t workers = (size_t)ent_workers(context, s.chunks);
  s.cells = ent_new(context, workers, sizeof *s.cells);
  s.best = ent_new(context, s.chunks, sizeof *s.best);
  s.best_count = ent_new(context, s.chunks, sizeof *s.best_count);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (s.cells == NULL || s.best == NULL || s.best_count == NULL)
    goto done;
  status = ent_parallel(context, s.chunks, screen_chunk, &s);
  if (status != ENTROPIC_OK)
    goto done;
  merge(&s, screened, count);
done:
  for (size_t i = 0; s.cells != NULL && i < workers; i++)
    ent_delete(s.cells[i]);
  for (size_t c = 0; s.best != NULL && c < s.chunks; c++)
    ent_delete(s.best[c]);
  ent_delete(s.cells);
  ent_delete(s.best);
  ent_delete(s.best_count);
  return status;
}

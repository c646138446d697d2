/* Screening: see screen.h. */
#include "select/screen.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "select/screen_sums.h"

#define CHUNKS ((size_t)64) /* of groups, spread over the threads; their number does not change the result */

typedef struct ent_screen_state {
  const ent_candidate_pool *candidates;
  const ent_residual *residual;
  size_t most;
  uint32_t *order;        /* the groups' numbers, groups of the same first levels together */
  ent_screen_sums **sums; /* for each worker */
  ent_candidate **best;   /* for each chunk: a heap with the worst on top */
  size_t *best_count;
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

static void screen_group(const ent_screen_state *s, size_t number, const double *sums, ent_candidate *heap,
                         size_t *count) {
  const ent_candidate_group *group = &s->candidates->groups[number];
  size_t targets = s->residual->targets;
  for (uint64_t member = 0; member < group->atoms; member++) {
    const double *at = sums + member * (targets + 1);
    double gain = 0, square = at[targets];
    if (!(square > 0) || ent_is_selected(group, member))
      continue;
    for (size_t k = 0; k < targets; k++)
      gain += at[k] * at[k];
    keep(heap, count, s->most,
         (ent_candidate){.group = number, .member = member, .gain = gain / (square + s->residual->ridge)});
  }
}

static entropic_status screen_chunk(entropic_context *context, void *shared, size_t chunk, int worker) {
  ent_screen_state *s = shared;
  size_t count = s->candidates->count, end = count * (chunk + 1) / CHUNKS;
  if (s->sums[worker] == NULL) {
    entropic_status status = ent_screen_sums_create(context, s->candidates, s->residual, &s->sums[worker]);
    if (status != ENTROPIC_OK)
      return status;
  }
  s->best[chunk] = ent_new(context, s->most, sizeof(ent_candidate));
  if (s->best[chunk] == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = count * chunk / CHUNKS; i < end; i++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    const double *sums = ent_screen_sums_of(s->sums[worker], &s->candidates->groups[s->order[i]]);
    screen_group(s, s->order[i], sums, s->best[chunk], &s->best_count[chunk]);
  }
  return ENTROPIC_OK;
}

static void merge(const ent_screen_state *s, ent_candidate *screened, size_t *count) {
  *count = 0;
  for (size_t c = 0; c < CHUNKS; c++)
    for (size_t i = 0; i < s->best_count[c]; i++)
      keep(screened, count, s->most, s->best[c][i]);
  qsort(screened, *count, sizeof *screened, compare_candidates);
}

entropic_status ent_screen(entropic_context *context, const ent_candidate_pool *candidates,
                           const ent_residual *residual, size_t most, ent_candidate *screened, size_t *count) {
  ent_screen_state s = {.candidates = candidates, .residual = residual, .most = most};
  size_t workers = (size_t)ent_workers(context, CHUNKS);
  s.sums = ent_new(context, workers, sizeof *s.sums);
  s.best = ent_new(context, CHUNKS, sizeof *s.best);
  s.best_count = ent_new(context, CHUNKS, sizeof *s.best_count);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (s.sums == NULL || s.best == NULL || s.best_count == NULL)
    goto done;
  status = ent_screen_order(context, candidates, &s.order);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_parallel(context, CHUNKS, screen_chunk, &s);
  if (status != ENTROPIC_OK)
    goto done;
  merge(&s, screened, count);
done:
  for (size_t i = 0; s.sums != NULL && i < workers; i++)
    ent_screen_sums_free(s.sums[i]);
  for (size_t c = 0; s.best != NULL && c < CHUNKS; c++)
    ent_delete(s.best[c]);
  ent_delete(s.order);
  ent_delete(s.sums);
  ent_delete(s.best);
  ent_delete(s.best_count);
  return status;
}

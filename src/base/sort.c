/* Sorting: see sort.h. */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"

#define RUN ((size_t)1 << 13)        /* items that are sorted at once, within some ms */
#define POLL_ITEMS ((size_t)1 << 15) /* that are merged between two polls */

typedef struct ent_sorting {
  size_t size;
  int (*compare)(const void *a, const void *b);
  size_t work; /* since the last poll */
} ent_sorting;

/* Merges items [first, middle) and [middle, end) of `from` into `to`. */
static entropic_status merge(entropic_context *context, ent_sorting *s, const char *from, size_t first, size_t middle,
                             size_t end, char *to) {
  size_t a = first, b = middle;
  for (size_t at = first; at < end; at++) {
    bool left = b == end || (a < middle && s->compare(from + a * s->size, from + b * s->size) <= 0);
    memcpy(to + at * s->size, from + (left ? a++ : b++) * s->size, s->size);
    if (++s->work < POLL_ITEMS)
      continue;
    s->work = 0;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_sort(entropic_context *context, void *items, size_t count, size_t size,
                         int (*compare)(const void *a, const void *b)) {
  ent_sorting s = {.size = size, .compare = compare};
  char *from = items, *copy = NULL;
  entropic_status status = ENTROPIC_OK;
  for (size_t first = 0; first < count; first += RUN) {
    qsort(from + first * size, count - first < RUN ? count - first : RUN, size, compare);
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (count <= RUN)
    return ENTROPIC_OK;
  copy = ent_new_matrix(context, count, size, 1);
  if (copy == NULL)
    return ENTROPIC_NO_MEMORY;
  char *to = copy;
  for (size_t run = RUN; run < count; run *= 2) {
    for (size_t first = 0; first < count; first += 2 * run) {
      size_t middle = count - first < run ? count : first + run, end = count - middle < run ? count : middle + run;
      status = merge(context, &s, from, first, middle, end, to);
      if (status != ENTROPIC_OK)
        goto done;
    }
    char *swap = from;
    from = to;
    to = swap;
  }
  if (from != items)
    memcpy(items, from, count * size);
done:
  ent_delete(copy);
  return status;
}

/* The growth of the pool: children of groups that features were selected from. A child has a finer level of one input, or
 * one input more. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "select/pool_parts.h"

#define SORTED_FIRST ((size_t)2) /* children sorted first for each that is wanted: some of them may be equal */

static bool is_near(const ent_candidate_pool *candidates, size_t input) {
  return ent_is_used(candidates, input) && (candidates->near == NULL || candidates->near[input]);
}

/* The inputs of features selected lately become near. */
static entropic_status widen(entropic_context *context, ent_candidate_pool *candidates) {
  size_t count = 0;
  size_t *list = ent_new(context, candidates->kernel->inputs, sizeof *list);
  if (list == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t g = 0; g < candidates->count; g++) {
    const ent_candidate_group *group = &candidates->groups[g];
    for (size_t t = 0; group->fresh && t < group->order; t++) {
      size_t input = group->terms[t].input;
      if (!candidates->near[input])
        list[count++] = input;
      candidates->near[input] = true;
    }
  }
  entropic_status status = ent_candidate_pool_need(context, candidates, list, count);
  ent_delete(list);
  return status;
}

/* A child of a group of the pool, and its expected worth. */
typedef struct ent_child {
  ent_candidate_group group;
  double promise;
} ent_child;

typedef struct ent_children {
  ent_child *list;
  size_t count, capacity;
} ent_children;

/* Adds a child to the list, unless the pool has it. */
static entropic_status offer(entropic_context *context, const ent_candidate_pool *candidates,
                             const ent_candidate_group *parent, ent_candidate_group group, ent_children *children) {
  group.worth = 0;
  group.selected = 0;
  group.marks = NULL;
  group.fresh = false;
  if (!ent_candidate_complete(candidates, &group) || ent_candidate_pool_has(candidates, &group))
    return ENTROPIC_OK;
  if (!ent_reserve(context, &children->list, &children->capacity, children->count + 1, sizeof *children->list))
    return ENTROPIC_NO_MEMORY;
  children->list[children->count++] =
      (ent_child){.group = group, .promise = parent->worth * (group.share / parent->share)};
  return ENTROPIC_OK;
}

/* Whether `next` is a finer level than `level` of the same input, by one step. */
static bool follows(const ent_level *level, const ent_level *next) {
  if (level->info.kind == ENTROPIC_LEVEL_KIND_LINEAR)
    return (next->info.kind == ENTROPIC_LEVEL_KIND_LEGENDRE && next->info.order == 2) ||
           (next->info.kind == ENTROPIC_LEVEL_KIND_HAT && next->info.order == 1);
  return next->info.kind == level->info.kind && next->info.order == level->info.order + 1 &&
         (level->info.kind == ENTROPIC_LEVEL_KIND_LEGENDRE || level->info.kind == ENTROPIC_LEVEL_KIND_HAT);
}

/* The parent one step finer at one of its terms. */
static entropic_status offer_finer(entropic_context *context, const ent_candidate_pool *candidates,
                                   const ent_candidate_group *from, size_t term, ent_children *children) {
  const ent_axis *axis = candidates->kernel->axes[from->terms[term].input];
  for (size_t l = 0; l < axis->level_count; l++) {
    if (!follows(&axis->levels[from->terms[term].level], &axis->levels[l]))
      continue;
    ent_candidate_group child = *from;
    child.terms[term].level = l;
    entropic_status status = offer(context, candidates, from, child, children);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* The parent with one input more, before one of its terms or behind all. */
static entropic_status offer_larger(entropic_context *context, const ent_candidate_pool *candidates,
                                    const ent_candidate_group *from, size_t term, size_t input,
                                    ent_children *children) {
  const ent_axis *axis = candidates->kernel->axes[input];
  for (size_t l = 0; l < axis->level_count; l++) {
    if (!ent_level_opens(axis, l))
      continue;
    ent_candidate_group child = *from;
    memmove(child.terms + term + 1, child.terms + term, (from->order - term) * sizeof *child.terms);
    child.terms[term] = (entropic_term){.input = input, .level = l};
    child.order++;
    entropic_status status = offer(context, candidates, from, child, children);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status offer_children(entropic_context *context, const ent_candidate_pool *candidates, size_t parent,
                                      ent_children *children) {
  const ent_candidate_group *from = &candidates->groups[parent];
  size_t term = 0;
  for (size_t d = 0; d < candidates->kernel->inputs; d++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    if (term < from->order && from->terms[term].input == d)
      status = offer_finer(context, candidates, from, term++, children);
    else if (from->order < candidates->limits.max_order && is_near(candidates, d))
      status = offer_larger(context, candidates, from, term, d, children);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static int compare_children(const void *a, const void *b) {
  const ent_child *x = a, *y = b;
  if (x->promise != y->promise)
    return x->promise > y->promise ? -1 : 1;
  if (x->group.order != y->group.order)
    return x->group.order < y->group.order ? -1 : 1;
  for (size_t t = 0; t < x->group.order; t++) {
    entropic_term left = x->group.terms[t], right = y->group.terms[t];
    if (left.input != right.input)
      return left.input < right.input ? -1 : 1;
    if (left.level != right.level)
      return left.level < right.level ? -1 : 1;
  }
  return 0;
}

/* The number of that rank, 0 being the largest, by Hoare's quickselect. The list is reordered. */
static double number_of_rank(double *list, size_t count, size_t rank) {
  ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, wanted = (ptrdiff_t)rank;
  while (low < high) {
    double pivot = list[wanted];
    ptrdiff_t i = low, j = high;
    while (i <= j) {
      while (list[i] > pivot)
        i++;
      while (list[j] < pivot)
        j--;
      if (i <= j) {
        double moved = list[i];
        list[i++] = list[j];
        list[j--] = moved;
      }
    }
    low = j < wanted ? i : low;
    high = wanted < i ? j : high;
  }
  return list[wanted];
}

/* Puts the most promising children first, in any order: `most` of them, or a few more if promises are equal. *count
 * becomes how many. */
static entropic_status put_first(entropic_context *context, ent_children *children, size_t most, size_t *count) {
  *count = children->count;
  if (children->count <= most)
    return ENTROPIC_OK;
  double *promises = ent_new(context, children->count, sizeof *promises);
  if (promises == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < children->count; i++)
    promises[i] = children->list[i].promise;
  double least = number_of_rank(promises, children->count, most - 1);
  ent_delete(promises);
  *count = 0;
  for (size_t i = 0; i < children->count; i++)
    if (children->list[i].promise >= least) {
      ent_child child = children->list[i];
      children->list[i] = children->list[*count];
      children->list[(*count)++] = child;
    }
  return ENTROPIC_OK;
}

/* Adds some children, the most promising first, until the pool has `end` groups. Two parents may have offered the same
 * child; the better offer comes first. */
static entropic_status add_children(entropic_context *context, ent_candidate_pool *candidates, ent_child *list,
                                    size_t count, size_t end) {
  if (count > 0 && candidates->count < end)
    qsort(list, count, sizeof *list, compare_children);
  for (size_t i = 0; i < count && candidates->count < end; i++) {
    entropic_status status = ent_candidate_pool_add(context, candidates, &list[i].group);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_candidate_pool_grow(entropic_context *context, ent_candidate_pool *candidates, size_t most) {
  ent_children children = {0};
  entropic_status status = candidates->near != NULL ? widen(context, candidates) : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    return status;
  size_t count = candidates->count, end = count + most, first = 0;
  for (size_t g = 0; g < count; g++)
    if (candidates->groups[g].fresh) {
      status = offer_children(context, candidates, g, &children);
      if (status != ENTROPIC_OK)
        goto done;
      candidates->groups[g].fresh = false;
    }
  /* The first children nearly always suffice. Then the others need not be sorted. */
  status = put_first(context, &children, SORTED_FIRST * most, &first);
  if (status != ENTROPIC_OK)
    goto done;
  status = add_children(context, candidates, children.list, first, end);
  if (status != ENTROPIC_OK)
    goto done;
  status = add_children(context, candidates, children.list + first, children.count - first, end);
done:
  ent_delete(children.list);
  return status;
}

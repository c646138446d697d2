/* Picks: see selected.h. */
#include "select/selected.h"

#include <stdlib.h>

#include "base/memory.h"

/* A pick with its place in a list. */
typedef struct ent_placed {
  size_t first; /* place of the first pick of its group in the list */
  uint64_t member;
  size_t place;
} ent_placed;

static int compare_placed(const void *a, const void *b) {
  const ent_placed *x = a, *y = b;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return (x->member > y->member) - (x->member < y->member);
}

/* Appends picks to a design, groups in the order they first appear. columns[count] becomes the feature of each. */
static entropic_status append(entropic_context *context, const ent_candidate_pool *candidates,
                              const ent_candidate *picks, size_t count, size_t *columns, entropic_design *design) {
  size_t *first = ent_new(context, candidates->count, sizeof *first);
  ent_placed *placed = ent_new(context, count, sizeof *placed);
  uint64_t *members = ent_new(context, count, sizeof *members);
  entropic_status status = first == NULL || placed == NULL || members == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t i = 0; i < count && status == ENTROPIC_OK; i++) {
    if (first[picks[i].group] == 0)
      first[picks[i].group] = i + 1;
    placed[i] = (ent_placed){.first = first[picks[i].group], .member = picks[i].member, .place = i};
  }
  if (status == ENTROPIC_OK && count > 0)
    qsort(placed, count, sizeof *placed, compare_placed);
  for (size_t i = 0, end; i < count && status == ENTROPIC_OK; i = end) {
    const ent_candidate_group *group = &candidates->groups[picks[placed[i].place].group];
    for (end = i; end < count && placed[end].first == placed[i].first; end++) {
      members[end - i] = placed[end].member;
      columns[placed[end].place] = design->features + (end - i);
    }
    status = ent_design_append(context, design, group->terms, group->order, ent_cost(group->share),
                               end - i == group->atoms ? NULL : members, end - i);
  }
  ent_delete(first);
  ent_delete(placed);
  ent_delete(members);
  return status;
}

entropic_status ent_selected_lifting(entropic_context *context, const ent_candidate_pool *candidates,
                                     const ent_candidate *first, size_t first_count, const ent_candidate *more,
                                     size_t more_count, size_t *columns, ent_lifting *lifting) {
  ent_lifting made = {.design = ent_design_new(context, candidates->kernel, ENTROPIC_RESIDUAL)};
  if (made.design == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = append(context, candidates, first, first_count, columns, made.design);
  if (status == ENTROPIC_OK)
    status = append(context, candidates, more, more_count, columns + first_count, made.design);
  if (status == ENTROPIC_OK)
    status = ent_lifting_finish(context, &made);
  if (status == ENTROPIC_OK)
    *lifting = made;
  else
    ent_lifting_clear(&made);
  return status;
}

/* Selected features, ready to be lifted: see selected.h. */
#include "select/selected.h"

#include <stdlib.h>

#include "base/memory.h"

/* A feature with its place in a list. */
typedef struct ent_placed {
  size_t first; /* place of the first feature of its group, counted from 1 */
  uint64_t member;
  size_t place;
} ent_placed;

static int compare_placed(const void *a, const void *b) {
  const ent_placed *x = a, *y = b;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return (x->member > y->member) - (x->member < y->member);
}

/* Appends a list to a design, groups in the order they first appear. columns[count] becomes the column of each. */
static entropic_status append(entropic_context *context, const ent_candidate_pool *candidates, ent_candidate_list list,
                              size_t *columns, entropic_design *design) {
  size_t *first = ent_new(context, candidates->count, sizeof *first);
  ent_placed *placed = ent_new(context, list.count, sizeof *placed);
  uint64_t *members = ent_new(context, list.count, sizeof *members);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (first == NULL || placed == NULL || members == NULL)
    goto done;
  for (size_t i = 0; i < list.count; i++) {
    const ent_candidate *feature = &list.features[i];
    if (first[feature->group] == 0)
      first[feature->group] = i + 1;
    placed[i] = (ent_placed){.first = first[feature->group], .member = feature->member, .place = i};
  }
  if (list.count > 0)
    qsort(placed, list.count, sizeof *placed, compare_placed);
  status = ENTROPIC_OK;
  for (size_t i = 0, end; i < list.count; i = end) {
    const ent_candidate_group *group = &candidates->groups[list.features[placed[i].place].group];
    for (end = i; end < list.count && placed[end].first == placed[i].first; end++) {
      members[end - i] = placed[end].member;
      columns[placed[end].place] = design->features + (end - i);
    }
    status = ent_design_append(context, design, group->terms, group->order, ent_cost(group->share),
                               end - i == group->atoms ? NULL : members, end - i);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(first);
  ent_delete(placed);
  ent_delete(members);
  return status;
}

entropic_status ent_selected_lifting(entropic_context *context, const ent_candidate_pool *candidates,
                                     const ent_candidate_list lists[2], size_t *columns, ent_lifting *lifting) {
  entropic_design *design = ent_design_new(context, candidates->kernel, ENT_CRITERION_RESIDUAL);
  if (design == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = append(context, candidates, lists[0], columns, design);
  if (status != ENTROPIC_OK)
    goto fail;
  status = append(context, candidates, lists[1], columns + lists[0].count, design);
  if (status != ENTROPIC_OK)
    goto fail;
  return ent_lifting_of_design(context, design, lifting);
fail:
  entropic_design_free(design);
  return status;
}

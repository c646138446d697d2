/* What has to hold of a design that comes from a file, whatever the format. */
#include "design/design.h"

#include <stdlib.h>
#include <string.h>

bool ent_is_base(const entropic_kernel *kernel, size_t input, size_t level) {
  const ent_axis *axis = kernel->axes[input];
  return level == ENTROPIC_NO_LEVEL || (level < axis->level_count && axis->levels[level].info.atoms == 1);
}

size_t ent_design_unbased(const entropic_design *design) {
  size_t count = 0;
  for (size_t i = 0; i < design->kernel->inputs; i++)
    count += design->base[i] == ENTROPIC_NO_LEVEL;
  return count;
}

bool ent_is_term(const entropic_design *design, size_t next, entropic_term term) {
  const entropic_kernel *kernel = design->kernel;
  return term.input >= next && term.input < kernel->inputs && term.level < kernel->axes[term.input]->level_count &&
         term.level != design->base[term.input];
}

bool ent_has_unbased(const entropic_design *design, const entropic_term *terms, size_t count, size_t unbased) {
  for (size_t i = 0; i < count; i++)
    unbased -= design->base[terms[i].input] == ENTROPIC_NO_LEVEL;
  return unbased == 0;
}

/* Whether a term of the group has atoms that may differ in score. */
static bool has_own_scores(const entropic_design *design, size_t group) {
  const ent_group *of = &design->groups[group];
  for (size_t i = 0; i < of->term_count; i++)
    if (design->kernel->axes[design->terms[of->first_term + i].input]->family->atom_score != NULL)
      return true;
  return false;
}

static int compare_members(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

/* Whether the members of groups of the same terms, order[0..count), differ from each other. `room` is for all of them. */
static bool are_disjoint(const entropic_design *design, const size_t *order, size_t count, uint64_t *room) {
  size_t used = 0;
  if (!has_own_scores(design, order[0]))
    return false;
  for (size_t i = 0; i < count; i++) {
    const ent_group *group = &design->groups[order[i]];
    if (group->first_member == ENT_ALL_MEMBERS)
      return false;
    memcpy(room + used, design->members + group->first_member, group->features * sizeof *room);
    used += group->features;
  }
  qsort(room, used, sizeof *room, compare_members);
  for (size_t i = 1; i < used; i++)
    if (room[i - 1] == room[i])
      return false;
  return true;
}

entropic_status ent_design_find_repeat(entropic_context *context, const entropic_design *design, size_t *group) {
  *group = SIZE_MAX;
  if (design->nonzeros == design->group_count)
    return ENTROPIC_OK;
  entropic_status status = ENTROPIC_NO_MEMORY;
  size_t *order = ent_design_by_terms(context, design), count;
  uint64_t *room = ent_new(context, design->member_count, sizeof *room);
  if (order == NULL || room == NULL)
    goto done;
  for (size_t first = 0; first < design->group_count && *group == SIZE_MAX; first += count) {
    for (count = 1; first + count < design->group_count && ent_same_terms(design, order[first], order[first + count]);
         count++)
      ;
    if (count > 1 && !are_disjoint(design, order + first, count, room))
      *group = order[first + 1];
  }
  status = ENTROPIC_OK;
done:
  ent_delete(order);
  ent_delete(room);
  return status;
}

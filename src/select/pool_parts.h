/* What the files of the pool share. */
#ifndef ENT_SELECT_POOL_PARTS_H
#define ENT_SELECT_POOL_PARTS_H

#include "select/candidate_pool.h"

/* Whether groups may have an input. */
static inline bool ent_is_used(const ent_candidate_pool *candidates, size_t input) {
  const ent_pool_limits *limits = &candidates->limits;
  return (limits->used == NULL || limits->used[input]) && ent_restriction_has(limits->restriction, input);
}

/* Whether a level may bring its input into a group: the first level of each kind may, but not hats if there are
 * polynomials. */
bool ent_level_opens(const ent_axis *axis, size_t level);

/* Sets share and atoms of a group from its terms. Returns whether the pool may have such a group. */
bool ent_candidate_complete(const ent_candidate_pool *candidates, ent_candidate_group *group);
/* Whether the pool has a group of these terms. */
bool ent_candidate_pool_has(const ent_candidate_pool *candidates, const ent_candidate_group *group);
/* Adds a group, unless the pool has it. */
entropic_status ent_candidate_pool_add(entropic_context *context, ent_candidate_pool *candidates,
                                       const ent_candidate_group *group);
/* Caches all levels of some inputs, for their shares. */
entropic_status ent_candidate_pool_need(entropic_context *context, ent_candidate_pool *candidates, const size_t *inputs,
                                        size_t count);

#endif

/* The pool of candidates: groups of features that selection may choose from. It begins with the best groups of the
 * entropic design on the training rows. It grows from what is selected: by finer levels, and by one input more. Every
 * input must have the constant as its base level, so that a group is a product of its own few levels. */
#ifndef ENT_SELECT_CANDIDATE_POOL_H
#define ENT_SELECT_CANDIDATE_POOL_H

#include <stdbool.h>

#include "design/design.h"
#include "select/level_cache.h"

#define ENT_CANDIDATE_ORDER ((size_t)6)         /* the most inputs a group has */
#define ENT_CANDIDATE_ATOMS ((uint64_t)1 << 16) /* the most features a group has */

typedef struct ent_candidate_group {
  entropic_term terms[ENT_CANDIDATE_ORDER]; /* by input, ascending */
  size_t order;
  uint64_t atoms;
  double share;    /* product of the levels' shares of the kernel on the rows: its expected worth */
  double worth;    /* the largest gain of its features selected lately */
  size_t selected; /* how many features of it are selected */
  uint64_t *marks; /* a bit for each feature: selected; NULL if none is */
  bool fresh;      /* features of it were selected since the pool last grew */
} ent_candidate_group;

/* Which groups a pool may have; all borrowed. */
typedef struct ent_pool_limits {
  size_t max_order;                   /* inputs of a group; 0: ENT_CANDIDATE_ORDER */
  const bool *used;                   /* [inputs] the inputs that groups may have; NULL: all */
  const ent_restriction *restriction; /* which inputs groups may have together; NULL: any */
} ent_pool_limits;

typedef struct ent_candidate_pool {
  const entropic_kernel *kernel;
  ent_level_cache *cache; /* borrowed */
  ent_pool_limits limits;
  bool *near; /* [inputs] which inputs come into groups that lack them; NULL: all that are used */
  ent_candidate_group *groups;
  size_t count, capacity;
  uint32_t *places; /* a hash table of group numbers + 1 */
  size_t place_count;
} ent_candidate_pool;

/* Begins with groups of about so many features. */
entropic_status ent_candidate_pool_create(entropic_context *context, ent_level_cache *cache, size_t features,
                                          const ent_pool_limits *limits, ent_candidate_pool **candidates);
void ent_candidate_pool_free(ent_candidate_pool *candidates);

/* The same for wide tables, whose levels and products are too many to look at. The pool begins with the first levels of
 * each input alone. Then ent_candidate_pool_focus, called once, adds groups of about so many features of the near inputs
 * (near[inputs], copied). From then on groups grow by near inputs only. An input becomes near when a feature with it is
 * selected. */
entropic_status ent_candidate_pool_open(entropic_context *context, ent_level_cache *cache,
                                        const ent_pool_limits *limits, ent_candidate_pool **candidates);
entropic_status ent_candidate_pool_focus(entropic_context *context, ent_candidate_pool *candidates, const bool *near,
                                         size_t features);

/* Marks a feature as selected. */
entropic_status ent_candidate_pool_select(entropic_context *context, ent_candidate_pool *candidates, size_t group,
                                          uint64_t member, double worth);
static inline bool ent_is_selected(const ent_candidate_group *group, uint64_t member) {
  return group->marks != NULL && (group->marks[member / 64] >> (member % 64) & 1);
}

/* Adds the most promising children of groups that features were selected from since the last call, at most so many. */
entropic_status ent_candidate_pool_grow(entropic_context *context, ent_candidate_pool *candidates, size_t most);

#endif

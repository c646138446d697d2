/* The prefix tree of a design's groups over the factors of their terms. */
#ifndef ENT_LIFT_TREE_H
#define ENT_LIFT_TREE_H

#include "lift/lift.h"

typedef struct ent_branch {
  uint32_t parent; /* ENT_NONE at the root */
  uint32_t factor; /* of the last term; ENT_NONE at the root */
  bool has_children;
  bool has_atoms;                /* its groups have more than one atom */
  size_t group_begin, group_end; /* its groups, in ent_tree.order; none for a branch that only leads on */
  uint32_t slot, atom_slot;      /* where its vectors are kept; ENT_NONE until they are */
} ent_branch;

typedef struct ent_tree {
  size_t *order; /* the groups by terms */
  ent_branch *branches;
  size_t count, capacity;
  uint32_t *group_branch; /* the branch of each group */
} ent_tree;

/* The design, and the factor of each of its terms. */
typedef struct ent_tree_terms {
  const entropic_design *design;
  const uint32_t *factor_of; /* by term */
  const ent_factor *factors;
} ent_tree_terms;

/* Free in any case. */
entropic_status ent_tree_build(entropic_context *context, const ent_tree_terms *terms, ent_tree *tree);
void ent_tree_free(ent_tree *tree);

#endif

#include "lift/tree.h"

static entropic_status add_branch(entropic_context *context, ent_tree *tree, uint32_t parent, uint32_t factor,
                                  bool has_atoms) {
  if (tree->count >= ENT_NONE)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "the design's groups need more than %u steps", ENT_NONE - 1);
  if (!ent_reserve(context, &tree->branches, &tree->capacity, tree->count + 1, sizeof *tree->branches))
    return ENTROPIC_NO_MEMORY;
  if (parent != ENT_NONE) {
    tree->branches[parent].has_children = true;
    has_atoms = has_atoms || tree->branches[parent].has_atoms;
  }
  tree->branches[tree->count++] =
      (ent_branch){.parent = parent, .factor = factor, .has_atoms = has_atoms, .slot = ENT_NONE, .atom_slot = ENT_NONE};
  return ENTROPIC_OK;
}

/* The branches from the root to the group that was added last. */
typedef struct ent_tree_path {
  uint32_t *branches;
  size_t length;
} ent_tree_path;

/* Adds group number `place` of the order by terms. There a group stands behind all its prefixes, so the path to the group
 * before shares just those branches that exist already. */
static entropic_status add_group(entropic_context *context, const ent_tree_terms *terms, ent_tree *tree,
                                 ent_tree_path *last, size_t place) {
  const ent_group *group = &terms->design->groups[tree->order[place]];
  const uint32_t *factor_of = terms->factor_of + group->first_term;
  uint32_t *path = last->branches;
  size_t shared = 0;
  while (shared < group->term_count && shared + 1 < last->length &&
         tree->branches[path[shared + 1]].factor == factor_of[shared])
    shared++;
  for (size_t i = shared; i < group->term_count; i++) {
    bool has_atoms = terms->factors[factor_of[i]].level->info.atoms > 1;
    entropic_status status = add_branch(context, tree, path[i], factor_of[i], has_atoms);
    if (status != ENTROPIC_OK)
      return status;
    path[i + 1] = (uint32_t)tree->count - 1;
  }
  last->length = group->term_count + 1;
  uint32_t at = path[group->term_count];
  ent_branch *branch = &tree->branches[at];
  if (branch->group_end == 0)
    branch->group_begin = place;
  branch->group_end = place + 1;
  tree->group_branch[tree->order[place]] = at;
  return ENTROPIC_OK;
}

entropic_status ent_tree_build(entropic_context *context, const ent_tree_terms *terms, ent_tree *tree) {
  const entropic_design *design = terms->design;
  size_t longest = 0;
  for (size_t i = 0; i < design->group_count; i++)
    if (design->groups[i].term_count > longest)
      longest = design->groups[i].term_count;
  tree->order = ent_design_by_terms(context, design);
  tree->group_branch = ent_new(context, design->group_count, sizeof *tree->group_branch);
  ent_tree_path path = {.branches = ent_new(context, longest + 1, sizeof *path.branches), .length = 1};
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (tree->order == NULL || tree->group_branch == NULL || path.branches == NULL)
    goto done;
  status = add_branch(context, tree, ENT_NONE, ENT_NONE, false);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t place = 0; place < design->group_count; place++) {
    status = add_group(context, terms, tree, &path, place);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(path.branches);
  return status;
}

void ent_tree_free(ent_tree *tree) {
  ent_delete(tree->order);
  ent_delete(tree->branches);
  ent_delete(tree->group_branch);
}

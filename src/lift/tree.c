#include "lift/tree.h"

static entropic_status add_branch(entropic_context *context, ent_tree *tree, uint32_t parent, uint32_t factor,
                                  bool has_atoms) {
  if (tree->count >= ENT_NONE)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "the design's groups need more than %u steps", ENT_NONE - 1);
  void *grown = ent_grow(context, tree->branches, &tree->capacity, tree->count + 1, sizeof *tree->branches);
  if (grown == NULL)
    return ENTROPIC_NO_MEMORY;
  tree->branches = grown;
  if (parent != ENT_NONE) {
    tree->branches[parent].has_children = true;
    has_atoms = has_atoms || tree->branches[parent].has_atoms;
  }
  tree->branches[tree->count++] =
      (ent_branch){.parent = parent, .factor = factor, .has_atoms = has_atoms, .slot = ENT_NONE, .atom_slot = ENT_NONE};
  return ENTROPIC_OK;
}

/* In the order by terms a group stands behind all its prefixes, so the path to the group before shares just those branches
 * that exist already. */
static entropic_status add_group(entropic_context *context, const entropic_design *design, const uint32_t *factor_of,
                                 const ent_factor *factors, ent_tree *tree, uint32_t *path, size_t *path_length,
                                 size_t place) {
  const ent_group *group = &design->groups[tree->order[place]];
  size_t shared = 0;
  while (shared < group->term_count && shared + 1 < *path_length &&
         tree->branches[path[shared + 1]].factor == factor_of[group->first_term + shared])
    shared++;
  for (size_t i = shared; i < group->term_count; i++) {
    uint32_t factor = factor_of[group->first_term + i];
    entropic_status status = add_branch(context, tree, path[i], factor, factors[factor].level->info.atoms > 1);
    if (status != ENTROPIC_OK)
      return status;
    path[i + 1] = (uint32_t)tree->count - 1;
  }
  *path_length = group->term_count + 1;
  uint32_t at = path[group->term_count];
  ent_branch *branch = &tree->branches[at];
  if (branch->group_end == 0)
    branch->group_begin = place;
  branch->group_end = place + 1;
  tree->group_branch[tree->order[place]] = at;
  return ENTROPIC_OK;
}

entropic_status ent_tree_build(entropic_context *context, const entropic_design *design, const uint32_t *factor_of,
                               const ent_factor *factors, ent_tree *tree) {
  size_t longest = 0;
  for (size_t i = 0; i < design->group_count; i++)
    if (design->groups[i].term_count > longest)
      longest = design->groups[i].term_count;
  tree->order = ent_design_by_terms(context, design);
  tree->group_branch = ent_new(context, design->group_count, sizeof *tree->group_branch);
  uint32_t *path = ent_new(context, longest + 1, sizeof *path);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (tree->order == NULL || tree->group_branch == NULL || path == NULL)
    goto done;
  status = add_branch(context, tree, ENT_NONE, ENT_NONE, false);
  size_t path_length = 1;
  for (size_t place = 0; place < design->group_count && status == ENTROPIC_OK; place++)
    status = add_group(context, design, factor_of, factors, tree, path, &path_length, place);
done:
  ent_delete(path);
  return status;
}

void ent_tree_free(ent_tree *tree) {
  ent_delete(tree->order);
  ent_delete(tree->branches);
  ent_delete(tree->group_branch);
}

/* The average of several models: see average.h. */
#include "select/average.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "design/design.h"

/* One feature of one member. */
typedef struct ent_average_entry {
  const entropic_term *terms;
  size_t order;
  uint64_t atom;
  int64_t cost;
  size_t member, feature;
} ent_average_entry;

void ent_member_clear(ent_member *member) {
  ent_lifting_clear(&member->lifting);
  ent_delete(member->weights);
  ent_delete(member->offsets);
  ent_delete(member->final_weights);
  ent_delete(member->final_offsets);
  ent_delete(member->left_out);
  *member = (ent_member){0};
}

static int compare_groups(const ent_average_entry *x, const ent_average_entry *y) {
  for (size_t t = 0; t < x->order && t < y->order; t++) {
    if (x->terms[t].input != y->terms[t].input)
      return x->terms[t].input < y->terms[t].input ? -1 : 1;
    if (x->terms[t].level != y->terms[t].level)
      return x->terms[t].level < y->terms[t].level ? -1 : 1;
  }
  return (x->order > y->order) - (x->order < y->order);
}

static int compare_entries(const void *a, const void *b) {
  const ent_average_entry *x = a, *y = b;
  int order = compare_groups(x, y);
  if (order != 0)
    return order;
  if (x->atom != y->atom)
    return x->atom < y->atom ? -1 : 1;
  return (x->member > y->member) - (x->member < y->member);
}

/* The features of all members, sorted; returns how many. */
static size_t list_entries(const ent_member *members, size_t count, ent_average_entry *entries) {
  size_t n = 0;
  for (size_t m = 0; m < count; m++) {
    const entropic_design *design = members[m].lifting.design;
    for (size_t g = 0; g < design->group_count; g++) {
      const ent_group *group = &design->groups[g];
      for (size_t i = 0; i < group->features; i++)
        entries[n++] = (ent_average_entry){
            .terms = design->terms + group->first_term,
            .order = group->term_count,
            .atom = group->first_member == ENT_ALL_MEMBERS ? i : design->members[group->first_member + i],
            .cost = group->cost,
            .member = m,
            .feature = group->first_feature + i};
    }
  }
  qsort(entries, n, sizeof *entries, compare_entries);
  return n;
}

/* Appends the groups of sorted entries to a design; features[entry] becomes the feature of each. */
static entropic_status append_groups(entropic_context *context, const ent_average_entry *entries, size_t count,
                                     size_t *features, entropic_design *design) {
  uint64_t *atoms = ent_new(context, count, sizeof *atoms);
  if (atoms == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0, end; i < count; i = end) {
    size_t distinct = 0;
    for (end = i; end < count && compare_groups(&entries[i], &entries[end]) == 0; end++) {
      if (distinct == 0 || atoms[distinct - 1] != entries[end].atom)
        atoms[distinct++] = entries[end].atom;
      features[end] = design->features + distinct - 1;
    }
    bool all = distinct == ent_atoms(design->kernel, entries[i].terms, entries[i].order);
    status = ent_design_append(context, design, entries[i].terms, entries[i].order, entries[i].cost, all ? NULL : atoms,
                               distinct);
    if (status != ENTROPIC_OK)
      break;
  }
  ent_delete(atoms);
  return status;
}

/* The features of all members, those that are equal being one. */
typedef struct ent_average_union {
  const ent_member *members;
  size_t count;
  ent_average_entry *entries; /* [entry_count] sorted */
  size_t entry_count;
  size_t *features; /* [entry_count] of the mean */
} ent_average_union;

/* The lifting of these features. */
static entropic_status lift_union(entropic_context *context, const ent_average_union *all, ent_lifting *lifting) {
  size_t filled = 0; /* a member of no features may have another kernel */
  while (filled + 1 < all->count && all->members[filled].lifting.map.features == 0)
    filled++;
  const entropic_design *first = all->members[filled].lifting.design;
  lifting->design = ent_design_new(context, first->kernel, first->criterion);
  if (lifting->design == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(lifting->design->base, first->base, first->kernel->inputs * sizeof *first->base);
  entropic_status status = append_groups(context, all->entries, all->entry_count, all->features, lifting->design);
  if (status != ENTROPIC_OK)
    return status;
  return ent_lifting_finish(context, lifting);
}

/* Whether the levels of an axis are multiples of levels that do not depend on omega, as all are but those of hyperbolic
 * kernels and of custom ones. */
static bool is_scaled(const ent_axis *axis) {
  bool scaled = axis->extra == NULL;
  for (size_t l = 0; l < axis->level_count; l++)
    scaled = scaled && (axis->levels[l].shape < ENT_SHAPE_EVEN || axis->levels[l].shape == ENT_SHAPE_GENERAL) &&
             axis->levels[l].scale > 0;
  return scaled;
}

static bool is_alike(const ent_axis *a, const ent_axis *b) {
  if (a == b)
    return true;
  bool alike = a->family == b->family && a->level_count == b->level_count && is_scaled(a) && is_scaled(b);
  for (size_t l = 0; l < a->level_count && alike; l++) {
    const ent_level *x = &a->levels[l], *y = &b->levels[l];
    alike = x->shape == y->shape && x->info.kind == y->info.kind && x->info.order == y->info.order &&
            x->info.atoms == y->info.atoms && x->centre == y->centre;
  }
  return alike;
}

bool ent_kernels_alike(const entropic_kernel *a, const entropic_kernel *b) {
  bool alike = a->inputs == b->inputs;
  for (size_t i = 0; i < a->inputs && alike; i++)
    alike = is_alike(a->axes[i], b->axes[i]);
  return alike;
}

/* A feature of a kernel in units of the same feature of a kernel that is alike. */
static double ratio_of(const entropic_kernel *from, const entropic_kernel *to, const ent_average_entry *entry) {
  double ratio = 1;
  for (size_t t = 0; from != to && t < entry->order; t++) {
    const entropic_term *term = &entry->terms[t];
    ratio *= from->axes[term->input]->levels[term->level].scale / to->axes[term->input]->levels[term->level].scale;
  }
  return ratio;
}

/* Weights and offsets of the mean. */
static entropic_status average_weights(entropic_context *context, const ent_average_union *all, ent_member *mean) {
  size_t features = mean->lifting.map.features, scores = mean->scores, count = all->count;
  mean->weights = ent_new_matrix(context, scores, features, sizeof *mean->weights);
  mean->offsets = ent_new(context, scores, sizeof *mean->offsets);
  if (mean->weights == NULL || mean->offsets == NULL)
    return ENTROPIC_NO_MEMORY;
  const entropic_kernel *kernel = mean->lifting.design->kernel;
  for (size_t k = 0; k < scores; k++) {
    for (size_t i = 0; i < all->entry_count; i++) {
      const ent_member *from = &all->members[all->entries[i].member];
      double weight = from->weights[k * from->lifting.map.features + all->entries[i].feature] / (double)count;
      mean->weights[k * features + all->features[i]] +=
          ratio_of(from->lifting.design->kernel, kernel, &all->entries[i]) * weight;
    }
    for (size_t m = 0; m < count; m++)
      mean->offsets[k] += all->members[m].offsets[k] / (double)count;
  }
  return ENTROPIC_OK;
}

/* The features of each member among those of the mean: entries are in the order of these. */
static entropic_status list_features(entropic_context *context, const ent_average_union *all, uint32_t **lists) {
  for (size_t m = 0; m < all->count; m++)
    lists[m] = NULL;
  for (size_t m = 0; m < all->count; m++) {
    lists[m] = ent_new(context, all->members[m].lifting.map.features, sizeof *lists[m]);
    if (lists[m] == NULL)
      goto fail;
    for (size_t i = 0, n = 0; i < all->entry_count; i++)
      if (all->entries[i].member == m)
        lists[m][n++] = (uint32_t)all->features[i];
  }
  return ENTROPIC_OK;
fail:
  for (size_t m = 0; m < all->count; m++) {
    ent_delete(lists[m]);
    lists[m] = NULL;
  }
  return ENTROPIC_NO_MEMORY;
}

entropic_status ent_average(entropic_context *context, const ent_member *members, size_t count, ent_member *mean,
                            uint32_t **lists) {
  ent_average_union all = {.members = members, .count = count};
  size_t entries = 0;
  *mean = (ent_member){.scores = members[0].scores};
  for (size_t m = 0; m < count; m++)
    entries += members[m].lifting.map.features;
  all.entries = ent_new(context, entries, sizeof *all.entries);
  all.features = ent_new(context, entries, sizeof *all.features);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (all.entries == NULL || all.features == NULL)
    goto done;
  all.entry_count = list_entries(members, count, all.entries);
  status = lift_union(context, &all, &mean->lifting);
  if (status != ENTROPIC_OK)
    goto done;
  status = average_weights(context, &all, mean);
  if (status != ENTROPIC_OK)
    goto done;
  if (lists != NULL)
    status = list_features(context, &all, lists);
done:
  ent_delete(all.entries);
  ent_delete(all.features);
  if (status != ENTROPIC_OK)
    ent_member_clear(mean);
  return status;
}

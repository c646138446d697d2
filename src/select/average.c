/* Several models as one: see average.h. */
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
  entropic_status status = atoms == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t i = 0, end; i < count && status == ENTROPIC_OK; i = end) {
    size_t distinct = 0;
    for (end = i; end < count && compare_groups(&entries[i], &entries[end]) == 0; end++) {
      if (distinct == 0 || atoms[distinct - 1] != entries[end].atom)
        atoms[distinct++] = entries[end].atom;
      features[end] = design->features + distinct - 1;
    }
    bool all = distinct == ent_atoms(design->kernel, entries[i].terms, entries[i].order);
    status = ent_design_append(context, design, entries[i].terms, entries[i].order, entries[i].cost, all ? NULL : atoms,
                               distinct);
  }
  ent_delete(atoms);
  return status;
}

static entropic_status blend(entropic_context *context, const ent_member *members, size_t count,
                             ent_average_entry *entries, size_t *features, ent_member *mean) {
  size_t filled = 0; /* one of no features may have another kernel */
  while (filled + 1 < count && members[filled].lifting.map.features == 0)
    filled++;
  const entropic_design *first = members[filled].lifting.design;
  size_t n = list_entries(members, count, entries), scores = members[0].scores;
  mean->scores = scores;
  mean->lifting.design = ent_design_new(context, first->kernel, first->criterion);
  if (mean->lifting.design == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(mean->lifting.design->base, first->base, first->kernel->inputs * sizeof *first->base);
  entropic_status status = append_groups(context, entries, n, features, mean->lifting.design);
  if (status == ENTROPIC_OK)
    status = ent_lifting_finish(context, &mean->lifting);
  if (status != ENTROPIC_OK)
    return status;
  size_t all = mean->lifting.map.features;
  mean->weights = ent_new_matrix(context, scores, all, sizeof *mean->weights);
  mean->offsets = ent_new(context, scores, sizeof *mean->offsets);
  if (mean->weights == NULL || mean->offsets == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t k = 0; k < scores; k++) {
    for (size_t i = 0; i < n; i++) {
      const ent_member *from = &members[entries[i].member];
      mean->weights[k * all + features[i]] +=
          from->weights[k * from->lifting.map.features + entries[i].feature] / (double)count;
    }
    for (size_t m = 0; m < count; m++)
      mean->offsets[k] += members[m].offsets[k] / (double)count;
  }
  return ENTROPIC_OK;
}

entropic_status ent_average(entropic_context *context, const ent_member *members, size_t count, ent_member *mean) {
  size_t n = 0;
  *mean = (ent_member){0};
  for (size_t m = 0; m < count; m++)
    n += members[m].lifting.map.features;
  ent_average_entry *entries = ent_new(context, n, sizeof *entries);
  size_t *features = ent_new(context, n, sizeof *features);
  entropic_status status = entries == NULL || features == NULL
                               ? ENTROPIC_NO_MEMORY
                               : blend(context, members, count, entries, features, mean);
  ent_delete(entries);
  ent_delete(features);
  if (status != ENTROPIC_OK)
    ent_member_clear(mean);
  return status;
}

/* Restrictions: see restriction.h. */
#include "design/restriction.h"

#include "base/memory.h"

entropic_status ent_restriction_create(entropic_context *context, size_t inputs, ent_restriction **restriction) {
  ent_restriction *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->inputs = inputs;
  made->alone = ent_new(context, inputs, sizeof *made->alone);
  if (made->alone == NULL) {
    ent_restriction_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  *restriction = made;
  return ENTROPIC_OK;
}

void ent_restriction_free(ent_restriction *restriction) {
  if (restriction == NULL)
    return;
  for (int kind = 0; kind < ENT_RESTRICT_KINDS; kind++) {
    for (size_t i = 0; i < restriction->counts[kind]; i++)
      ent_delete(restriction->sets[kind][i].inputs);
    ent_delete(restriction->sets[kind]);
    ent_delete(restriction->texts[kind]);
  }
  ent_delete(restriction->alone);
  ent_delete(restriction);
}

entropic_status ent_restriction_add(entropic_context *context, ent_restriction *restriction, ent_restriction_kind kind,
                                    const ent_input_set *set) {
  if (!ent_reserve(context, &restriction->sets[kind], &restriction->capacities[kind], restriction->counts[kind] + 1,
                   sizeof *restriction->sets[kind]))
    return ENTROPIC_NO_MEMORY;
  restriction->sets[kind][restriction->counts[kind]++] = *set;
  return ENTROPIC_OK;
}

size_t ent_restriction_finish(ent_restriction *restriction) {
  size_t count = 0;
  for (size_t i = 0; i < restriction->inputs; i++) {
    restriction->alone[i] = ent_restriction_allows(restriction, &i, 1);
    count += restriction->alone[i];
  }
  return count;
}

/* How many of the inputs are in a set. */
static size_t count_shared(const ent_restriction *restriction, const ent_input_set *set, const size_t *inputs,
                           size_t count) {
  size_t shared = 0;
  for (size_t i = 0; i < count; i++) {
    size_t input = restriction->numbers == NULL ? inputs[i] : restriction->numbers[inputs[i]];
    for (size_t k = 0; k < set->count; k++)
      shared += set->inputs[k] == input;
  }
  return shared;
}

bool ent_restriction_allows(const ent_restriction *restriction, const size_t *inputs, size_t count) {
  if (restriction == NULL)
    return true;
  bool allowed = restriction->counts[ENT_RESTRICT_ONLY] == 0;
  for (size_t i = 0; i < restriction->counts[ENT_RESTRICT_ONLY] && !allowed; i++) {
    const ent_input_set *set = &restriction->sets[ENT_RESTRICT_ONLY][i];
    allowed = count <= set->count + set->others && /* long lists are mostly of single inputs */
              count - count_shared(restriction, set, inputs, count) <= set->others;
  }
  for (size_t i = 0; i < restriction->counts[ENT_RESTRICT_WITHOUT] && allowed; i++) {
    const ent_input_set *set = &restriction->sets[ENT_RESTRICT_WITHOUT][i];
    allowed = count < set->count + set->others || count_shared(restriction, set, inputs, count) < set->count;
  }
  return allowed;
}

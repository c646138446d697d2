/* What has to hold of a design that comes from a file, whatever the format. */
#include "design/design.h"

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

entropic_status ent_design_find_repeat(entropic_context *context, const entropic_design *design, size_t *group) {
  *group = SIZE_MAX;
  if (design->nonzeros == design->group_count)
    return ENTROPIC_OK;
  size_t *order = ent_design_by_terms(context, design), i = 1;
  if (order == NULL)
    return ENTROPIC_NO_MEMORY;
  while (!ent_same_terms(design, order[i - 1], order[i]))
    i++;
  *group = order[i];
  ent_delete(order);
  return ENTROPIC_OK;
}

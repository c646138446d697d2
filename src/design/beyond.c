/* Lines that go on outside the range that was learnt from: see design.h. */
#include "base/memory.h"
#include "design/design.h"

/* Where it is no term of a group, every input is the constant 1. */
static bool has_constant_bases(const entropic_design *design) {
  for (size_t i = 0; i < design->kernel->inputs; i++)
    if (design->base[i] != ENTROPIC_NO_LEVEL && design->kernel->axes[i]->levels[design->base[i]].shape != ENT_SHAPE_ONE)
      return false;
  return true;
}

static bool is_line(const entropic_design *design, size_t group) {
  const ent_group *g = &design->groups[group];
  if (g->term_count != 1)
    return false;
  const entropic_term *term = &design->terms[g->first_term];
  const ent_axis *axis = design->kernel->axes[term->input];
  return axis->options.family == ENTROPIC_FAMILY_CENTRED &&
         axis->levels[term->level].info.kind == ENTROPIC_LEVEL_KIND_LINEAR;
}

bool ent_design_is_line(const entropic_design *design, size_t group) {
  return is_line(design, group) && has_constant_bases(design);
}

size_t ent_design_line(const entropic_design *design, size_t input) {
  for (size_t g = 0; g < design->group_count; g++)
    if (is_line(design, g) && design->terms[design->groups[g].first_term].input == input)
      return has_constant_bases(design) ? g : SIZE_MAX;
  return SIZE_MAX;
}

entropic_status ent_design_go_beyond(entropic_context *context, entropic_design *design, size_t input) {
  if (input >= design->kernel->inputs || ent_design_line(design, input) == SIZE_MAX)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "input %zu: the design has no line of it alone", input + 1);
  if (design->beyond == NULL)
    design->beyond = ent_new(context, design->kernel->inputs, sizeof *design->beyond);
  if (design->beyond == NULL)
    return ENTROPIC_NO_MEMORY;
  design->beyond[input] = true;
  return ENTROPIC_OK;
}

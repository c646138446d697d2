/* Custom kernels that are given as text: p and q, or an equation. */
#ifndef ENT_AXIS_CUSTOM_TEXT_H
#define ENT_AXIS_CUSTOM_TEXT_H

#include "axis/axis.h"

/* Appends the levels; the options of the axis have copies of the texts afterwards. */
entropic_status ent_text_prepare(entropic_context *context, ent_axis *axis);
double ent_text_kernel(const ent_axis *axis, double x, double y);
double ent_text_atom_score(const ent_axis *axis, const ent_level *level, uint64_t atom, entropic_criterion criterion);
void ent_text_release(ent_axis *axis);

#endif

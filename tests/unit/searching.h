/* What tests of the search and of its learners share. */
#ifndef SEARCHING_H
#define SEARCHING_H

#include "unit/validation_splits.h"

/* Two inputs of four levels each, 25 features in all, so that a brute force is cheap. */
static entropic_axis_options small_axes[2];

static inline ent_features small_features(void) {
  for (size_t i = 0; i < 2; i++) {
    small_axes[i] = ent_axis_options_default();
    small_axes[i].max_level = 2;
  }
  return (ent_features){.axes = small_axes, .inputs = 2, .design = ent_design_options_default()};
}

#endif

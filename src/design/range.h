/* The features of a group that a search state stands for: whole levels, or single atoms of uneven ones. */
#ifndef ENT_DESIGN_RANGE_H
#define ENT_DESIGN_RANGE_H

#include "design/tiers.h"

typedef struct ent_range {
  const entropic_kernel *kernel;
  const entropic_term *terms;
  const ent_tier *const *tiers;
  size_t count;
} ent_range;

/* How many features; UINT64_MAX if more than that. */
uint64_t ent_range_size(const ent_range *range);

/* Chooses `wanted` of them into members, ascending: the first ones, or with a sample those of largest mass on it. */
entropic_status ent_range_choose(entropic_context *context, const ent_range *range,
                                 const entropic_design_options *options, const entropic_design *design, size_t wanted,
                                 uint64_t *members);

#endif

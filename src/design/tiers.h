/* Tiers: the levels of each input in order of score, with the integer keys that the design compares. */
#ifndef ENT_DESIGN_TIERS_H
#define ENT_DESIGN_TIERS_H

#include "design/design.h"

/* Compared field by field, the smaller first: that is the tie rule. The key of a group is the sum over its inputs, and sums
 * of keys compare as keys do, so best-first search meets groups in exactly this order. */
typedef struct ent_key {
  int64_t cost;   /* -log2(score) */
  int64_t active; /* inputs that are not at their first tier: fewer is better */
  int64_t kind;   /* boundary before Legendre before hat and category */
  int64_t mass;   /* -log2(mean square over the sample), 0 without one */
  int64_t depth;  /* of hats and degrees */
} ent_key;

typedef struct ent_tier {
  ent_key key;
  int64_t feature_cost; /* of one of its atoms; key.cost is of all together where the number of non-zeros is given */
  size_t level;
  uint64_t first_atom, atoms; /* the whole level, or one atom of an uneven one */
} ent_tier;

/* The tiers of one input, best first. */
typedef struct ent_ladder {
  size_t count;
  ent_tier *tiers;
} ent_ladder;

typedef struct ent_ladders {
  size_t inputs;
  ent_ladder *ladders; /* by input; those of one axis share their tiers unless there is a sample */
  bool shared;
} ent_ladders;

int ent_key_compare(const ent_key *a, const ent_key *b);
ent_key ent_key_add(const ent_key *a, const ent_key *b);
ent_key ent_key_subtract(const ent_key *a, const ent_key *b);

entropic_status ent_ladders_create(entropic_context *context, const entropic_kernel *kernel,
                                   const entropic_design_options *options, ent_ladders **ladders);
/* The constant becomes the first tier of every input; a better one counts as good as it then. BAD_ARGUMENT if an input
 * has no constant. */
entropic_status ent_ladders_begin_constant(entropic_context *context, const entropic_kernel *kernel,
                                           ent_ladders *ladders);
void ent_ladders_free(ent_ladders *ladders);

/* The features of a group that a search state stands for: whole levels, or single atoms of uneven ones. */

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

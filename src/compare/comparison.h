/* What a comparison is made of. */
#ifndef ENT_COMPARE_COMPARISON_H
#define ENT_COMPARE_COMPARISON_H

#include "compare/experiments.h"

struct entropic_comparison {
  ent_experiments experiments;
  size_t *sizes; /* the experiments borrow them */
  size_t classes, rows, inputs;
  entropic_scaling scaling; /* asked for */
};

/* A comparison that has no run yet. `plan` is of all methods; the comparison has its
 * own copy of the plan's sizes, and keeps nothing else of it. */
entropic_status ent_comparison_start(entropic_context *context, const ent_experiment_plan *plan, size_t runs,
                                     entropic_comparison **comparison);

#endif

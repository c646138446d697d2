/* What a comparison is made of. */
#ifndef ENT_COMPARE_COMPARISON_H
#define ENT_COMPARE_COMPARISON_H

#include "compare/experiments.h"

struct entropic_comparison {
  ent_experiments experiments;
  size_t *sizes; /* the experiments borrow them */
  size_t classes, rows, inputs;
  size_t train, test;       /* rows of a split */
  entropic_scaling scaling; /* asked for */
};

/* A comparison that has no run yet. `plan` is of all methods; the comparison has its
 * own copy of the plan's sizes, and keeps nothing else of it. */
entropic_status ent_comparison_start(entropic_context *context, const ent_experiment_plan *plan, size_t runs,
                                     entropic_comparison **comparison);

/* Start from ent_compare_options_default. */
typedef struct ent_compare_options {
  const size_t *features;   /* the numbers of features to compare at */
  size_t feature_count;     /* default 50, 100 and 200 */
  size_t runs;              /* splits, 1 .. 1000; default 5 */
  double test_share;        /* share of test rows, above 0 and below 1; default 0.2 */
  entropic_scaling scaling; /* of numbers; default auto: tuned with the rest, and quantile by the rule. Categories
                                 become columns of 0 and 1 */
  uint64_t seed;            /* of splits and random features; default 1 */
  const entropic_axis_options *axis; /* the kernel of the method EOF, but for its omega; NULL: the default */
} ent_compare_options;

ent_compare_options ent_compare_options_default(void);

/* entropic_compare by options. */
entropic_status ent_compare(entropic_context *context, const entropic_dataset *dataset,
                            const ent_compare_options *options, entropic_comparison **comparison);

#endif

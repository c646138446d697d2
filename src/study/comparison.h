/* What a comparison is made of. */
#ifndef ENT_STUDY_COMPARISON_H
#define ENT_STUDY_COMPARISON_H

#include "study/races.h"

struct entropic_comparison {
  ent_races races;
  size_t *sizes;
  size_t classes, rows, inputs;
  entropic_scaling scaling; /* asked for */
};

/* A comparison under way. */
typedef struct ent_comparing {
  entropic_comparison *comparison;
  const entropic_compare_options *options;
  size_t run;
} ent_comparing;

#endif

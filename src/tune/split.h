/* The rows that a path of the recipe learns from, and those it is tried on. */
#ifndef ENT_TUNE_SPLIT_H
#define ENT_TUNE_SPLIT_H

#include "tune/recipe.h"

/* Row numbers in random order. */
typedef struct ent_split {
  size_t *train, *out;
  size_t train_count, out_count;
} ent_split;

/* Without part `part` of the trials, or to be tried on the rows of their own. On failure *trail is empty. */
entropic_status ent_split_rows(entropic_context *context, const ent_trials *trials, size_t part, ent_split *split);
/* Frees and empties. */
void ent_split_clear(ent_split *split);

/* How a path is walked. */
typedef struct ent_path_options {
  size_t view;
  double omega;
  ent_reach reach;
  size_t rows, validation_rows; /* at most so many are learnt from and tried on */
  size_t most;                  /* features */
  ent_selection_loss selection_loss;
  const ent_target_transform *transform; /* what is learnt of the target; NULL: as it is */
  double deadline;
  ent_rest rest;
} ent_path_options;

/* Selects along a path. found gets the seconds that took, and whether it was hurried. On failure *selection is
 * empty. */
entropic_status ent_split_select(entropic_context *context, const ent_recipe *recipe, const ent_split *split,
                                 const ent_path_options *learner, ent_found *found, ent_selection *selection);

/* The best model of a path. */
const ent_select_step *ent_best_step(const ent_selection *selection);

#endif

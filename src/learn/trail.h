/* The rows that a path of the recipe learns from, and those it is tried on. */
#ifndef ENT_LEARN_TRAIL_H
#define ENT_LEARN_TRAIL_H

#include "learn/recipe.h"

/* Row numbers in random order. */
typedef struct ent_trail {
  size_t *train, *out;
  size_t train_count, out_count;
} ent_trail;

/* Without part `part` of the trials, or to be tried on the rows of their own. On failure *trail is empty. */
entropic_status ent_trail_split(entropic_context *context, const ent_trials *trials, size_t part, ent_trail *trail);
/* Frees and empties. */
void ent_trail_clear(ent_trail *trail);

/* How a path is walked. */
typedef struct ent_way_to_go {
  size_t view;
  double omega;
  ent_reach reach;
  size_t rows, tried_rows; /* at most so many are learnt from and tried on */
  size_t most;             /* features */
  ent_chooser chooser;
  const ent_link *link; /* what is learnt of the target; NULL: as it is */
  double deadline;
  ent_rest rest;
} ent_way_to_go;

/* Selects along a path. found gets the seconds that took, and whether it was hurried. On failure *selection is
 * empty. */
entropic_status ent_trail_walk(entropic_context *context, const ent_recipe *recipe, const ent_trail *trail,
                               const ent_way_to_go *way, ent_found *found, ent_selection *selection);

/* The best model of a path. */
const ent_step *ent_best_step(const ent_selection *selection);

#endif

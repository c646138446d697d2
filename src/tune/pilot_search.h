/* The rehearsal: which kernel, scaling, inputs and products, by short paths on some of the rows, before the recipe
 * walks the long ones. */
#ifndef ENT_TUNE_PILOT_SEARCH_H
#define ENT_TUNE_PILOT_SEARCH_H

#include "tune/recipe.h"

/* How many parts of the trials take turns in being tried on. */
size_t ent_pilot_parts(const ent_recipe *recipe);
/* When something has to be over that may take this share of the time left, on the clock of ent_seconds; 0: never. */
double ent_pilot_deadline(const ent_trials *trials, double share);

/* So many models, each counted by how many times the rows of the rehearsal's paths it is selected by. */
double ent_pilot_rest(const ent_trials *trials, size_t members);

/* With at most so many features. *view, found->omega, found->reach and found->link, but for its rise, are set, and
 * used[inputs]; found also gets the seconds that took, and whether it was hurried. */
entropic_status ent_pilot_search(entropic_context *context, const ent_recipe *recipe, size_t most, size_t *view,
                                 ent_found *found, bool *used);

#endif

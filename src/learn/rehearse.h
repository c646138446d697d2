/* The rehearsal: which kernel, which scaling and which inputs, by short paths on some of the rows, before the recipe
 * walks the long ones. */
#ifndef ENT_LEARN_REHEARSE_H
#define ENT_LEARN_REHEARSE_H

#include "learn/recipe.h"

/* With at most so many features. *view and found->omega are set, and used[inputs]; found also gets the seconds that
 * took, and whether it was hurried. */
entropic_status ent_rehearse(entropic_context *context, const ent_recipe *recipe, size_t most, size_t *view,
                             ent_found *found, bool *used);

#endif

/* How much the rows of a recipe count, where some have gaps: found by short paths, before anything else is. */
#ifndef ENT_LEARN_GAPS_H
#define ENT_LEARN_GAPS_H

#include "learn/recipe.h"

/* With at most so many features. weights[rows to learn from] are set, and valid_weights[rows of their own] if there are
 * such rows; found gets the seconds that took, and whether it was hurried. */
entropic_status ent_gaps_weigh(entropic_context *context, const ent_recipe *recipe, size_t most, ent_found *found,
                               double *weights, double *valid_weights);

#endif

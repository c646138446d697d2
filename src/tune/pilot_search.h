/* The pilot search: chooses kernel, scaling, link, inputs and products by short paths on some of the rows,
 * before the recipe makes the long ones. */
#ifndef ENT_TUNE_PILOT_SEARCH_H
#define ENT_TUNE_PILOT_SEARCH_H

#include "tune/recipe.h"

/* With paths of at most so many features. Sets *view, used[inputs], and the result's omega, products and link, but
 * for its bias. The result also gets the seconds that took, and whether it was stopped early. */
entropic_status ent_pilot_search(entropic_context *context, const ent_recipe *recipe, size_t max_features, size_t *view,
                                 ent_search_result *result, bool *used);

#endif

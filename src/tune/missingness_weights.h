/* How much the rows of a recipe count, where some have gaps: found by short paths, before anything else is. */
#ifndef ENT_TUNE_MISSINGNESS_WEIGHTS_H
#define ENT_TUNE_MISSINGNESS_WEIGHTS_H

#include "tune/recipe.h"

/* factors[inputs]: how much larger squared residuals are where an input is missing, found with at most so many features.
 * found gets the seconds that took, and whether it was hurried. */
entropic_status ent_missingness_find(entropic_context *context, const ent_recipe *recipe, size_t most, ent_found *found,
                                     double *factors);
/* weights[rows to learn from] are set, and valid_weights[validation rows] if the trials have such rows. */
void ent_missingness_weigh(const ent_recipe *recipe, const double *factors, double *weights, double *valid_weights);

#endif

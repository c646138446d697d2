/* The recipe's weights of rows with missing values, found by short paths before anything else is chosen. */
#ifndef ENT_TUNE_MISSINGNESS_WEIGHTS_H
#define ENT_TUNE_MISSINGNESS_WEIGHTS_H

#include "tune/recipe.h"

/* factors[inputs]: how much larger squared residuals are where an input is missing, by paths of at most so many features.
 * The result gets the seconds that took, and whether it was stopped early. */
entropic_status ent_missingness_find(entropic_context *context, const ent_recipe *recipe, size_t max_features,
                                     ent_search_result *result, double *factors);
/* Sets weights[training rows], and valid_weights[validation rows] if the splits have such rows. */
void ent_missingness_weigh(const ent_recipe *recipe, const double *factors, double *weights, double *valid_weights);

#endif

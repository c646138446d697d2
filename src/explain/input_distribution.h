/* What a model knows of the distribution of its inputs in the training rows. Scalers that rank know that of numbers; the means
 * of atoms that are 0 elsewhere know that of categories and of missing values. */
#ifndef ENT_EXPLAIN_INPUT_DISTRIBUTION_H
#define ENT_EXPLAIN_INPUT_DISTRIBUTION_H

#include "explain/effects.h"

/* Where a value of [0,1] comes from: the least number that is scaled to it, or the nearest end. */
double ent_scale_invert(const ent_scale *scale, double scaled);
/* Whether the scaler of a number ranks it. */
bool ent_scale_knows_ranks(const entropic_scaler *scaler, size_t input);
/* The share of the training rows below a knot and half of those at it, of those that are not missing. */
double ent_scale_knot_rank(const entropic_scaler *scaler, size_t input, size_t knot);
/* The same of any number; NaN where the scaler does not rank. */
double ent_scale_rank(const entropic_scaler *scaler, size_t input, double x);

/* The middle of the cell of a code; that behind the last code is of what is missing. */
static inline double ent_scale_cell(const ent_scale *scale, size_t code) {
  return ((double)code + 0.5) / (double)scale->cells;
}
/* The share of the rows with this category, or missing, by the mean of its atom; NaN if it has no atom in use. */
double ent_effect_share(const ent_effects *effects, size_t place, double scaled);
/* A typical value of an input: a number of the training rows next to the median where that is known, otherwise the
 * middle; the most frequent category. */
double ent_effect_typical(const ent_effects *effects, size_t place);

#endif

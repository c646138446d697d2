/* Outer validation rows outside the range that their run has learnt from.
 *
 * A model takes a value outside the range of its training rows for the nearest end, unless the line of its main effect goes
 * on (design.h). The scaler knows the range of all rows, so a run would take no value for outside. Here values outside the
 * range of the rows of their run are taken for its end, as a model of these rows alone does. What the lines would add is
 * kept beside. Once all rows are scored, lines go on where that makes the losses of such rows smaller.
 *
 * Few rows are outside, and a part left out of a large table has hardly one. So the outermost validation rows of each
 * input, taken for the end of the others, are asked as well. */
#ifndef ENT_FIT_OUTER_BEYOND_H
#define ENT_FIT_OUTER_BEYOND_H

#include "fit/outer.h"

/* Scaled rows, x[count x inputs], and their numbers. */
typedef struct ent_beyond_block {
  const size_t *numbers;
  size_t count;
  double *x;
  size_t first; /* of the first row among the outer validation rows */
} ent_beyond_block;

/* Values outside become the ends, and rows that have some are appended; scores are still to be set. */
entropic_status ent_beyond_clamp(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                 ent_beyond_kind kind, const ent_beyond_block *block, ent_beyond *beyond);
/* Sets the scores of the rows appended last, those of number `first` and up, from scores[count x fit->scores]. bounds is
 * [fit->scores x 2], or NULL. */
void ent_beyond_set_scores(const ent_fit *fit, const ent_fitted *fitted, size_t first, const double *scores,
                           const double *bounds, ent_beyond *beyond);

/* Which lines of a form go on: outer->goes_on[form]. Losses, errors and predictions of rows outside follow. */
entropic_status ent_beyond_decide(entropic_context *context, const ent_fit *fit, ent_outer *outer, ent_form form);
/* The lines of the form that was taken go on in its model, which is complete but for what is frozen. */
entropic_status ent_beyond_apply(entropic_context *context, const ent_fitted *fitted, entropic_model *model);

#endif

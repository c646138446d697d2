/* How much larger or smaller the errors of a mean of members are than the residuals of its members' folds.
 *
 * Member k has its features from all folds but fold k, on which its size and lambda were chosen. Its residuals on that
 * fold, by weights that come from the other folds, are what intervals are made of. The mean of the members differs from
 * that in three ways.
 *
 * Its weights come from all rows, with another lambda: so each residual of a row is replaced by that without the row
 * alone, r/(1 - leverage). It is a mean: with f the mean of members f_k, mean (f_k - y)^2 - mean (f_k - f)^2 =
 * (f - y)^2, and the second term, the ambiguity, does not need y (Krogh and Vedelsby 1995). The ambiguity is that of
 * predictions without the row; the error is that of member k alone, as only its features have not seen the row.
 *
 * With heavy-tailed inputs the sums of squares would be those of a few rows where members differ by far, and what the mean
 * is worth there would shrink the intervals of all rows. So a tenth of the rows, those of the largest ambiguity, do not
 * count.
 *
 * And fold k has chosen. What that is worth is known from outer validation, whose runs do the same with fewer rows: the
 * mean of residuals of outer validation rows over that of the same rows when they chose, without the row alone. A run
 * chooses its kernel by fewer folds than the fit does; so the root of that ratio counts. */
#ifndef ENT_FIT_INTERVAL_FACTOR_H
#define ENT_FIT_INTERVAL_FACTOR_H

#include "fit/outer.h"

/* factors[targets], to be deleted: 1 where too few rows are known, or none. */
entropic_status ent_interval_factors(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                     double **factors);

/* Appends to outer->inner what each member of a run says of its validation rows, each without that row. */
entropic_status ent_outer_keep_inner(entropic_context *context, const ent_fit *run, const ent_fit_outcome *outcome,
                                     ent_outer *outer);

#endif

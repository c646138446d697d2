/* Weights of rows with missing values.
 *
 * If an important input is missing, a row cannot be predicted well and adds mostly noise to a fit. So rows are weighted
 * by the inverse of their expected squared residual. That is taken to be a product of factors, one for each input that is
 * missing, none below 1. */
#ifndef ENT_TUNE_MISSINGNESS_H
#define ENT_TUNE_MISSINGNESS_H

#include "sums/rows.h"

/* The factor of each input, from squares[rows]: squared residuals of validation rows. Inputs need not be scaled; NaN is
 * missing. The factor of an input that is rarely missing is near 1. */
entropic_status ent_missingness_factors(entropic_context *context, const ent_block *rows, size_t inputs,
                                        const double *squares, double *factors);

/* weights[rows] become those of the rows, divided by the factors of their missing inputs, with the same sum. */
void ent_missingness_apply(const ent_block *rows, size_t inputs, const double *factors, double *weights);

#endif

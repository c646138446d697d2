/* How much rows with gaps count.
 *
 * If a telling input is missing, little can be said of a row, and what it teaches is mostly noise. Rows that can be
 * predicted well would suffer from it. So rows count by the inverse of what can be expected to be left of them: that is
 * taken to be a product of factors, one for each input that is missing, none below 1. */
#ifndef ENT_TUNE_MISSINGNESS_H
#define ENT_TUNE_MISSINGNESS_H

#include "solve/rows.h"

/* The factor of each input, from squares[rows]: what was left of rows held out. Their inputs need not be scaled; NaN is
 * missing. An input that is missing in few of them has a factor near 1. */
entropic_status ent_missingness_factors(entropic_context *context, const ent_block *rows, size_t inputs,
                                        const double *squares, double *factors);

/* How much rows count: weights[rows] become their own, divided by the factors of their gaps, with the same sum. */
void ent_missingness_apply(const ent_block *rows, size_t inputs, const double *factors, double *weights);

#endif

/* Mean squared errors of scores, and their variances. */
#ifndef ENT_SOLVE_MEASURE_H
#define ENT_SOLVE_MEASURE_H

#include "sums/rows.h"

/* The sum of the weights of the rows. */
double ent_weight_sum(const ent_block *rows);

/* For scores[row * targets + target]: squares[target] becomes the weighted mean squared error, squares[targets +
 * target] the variance of that mean if the rows are independent. */
void ent_measure(const ent_block *rows, size_t targets, const double *scores, double *squares);

#endif

/* How far scores are from targets. */
#ifndef ENT_SOLVE_MEASURE_H
#define ENT_SOLVE_MEASURE_H

#include "solve/rows.h"

/* The weights of the rows, added up. */
double ent_weight_sum(const ent_block *rows);

/* Of scores[row * targets + target] for the rows: squares[target] becomes the weighted mean square of what is off, and
 * squares[targets + target] the variance of that mean, the rows being independent. */
void ent_measure(const ent_block *rows, size_t targets, const double *scores, double *squares);

#endif

/* Leverages of training rows in ridge regression. */
#ifndef ENT_SOLVE_LEVERAGE_H
#define ENT_SOLVE_LEVERAGE_H

#include "lift/map.h"
#include "sums/statistics.h"

/* leverages[rows]: the derivative of f(x_i) by y_i, of rows that the statistics were collected from with this map, and
 * of ridge with that lambda (ridge.h). With B = Z'WZ + lambda N I and c = Z'W1 it is
 *     w_i (1/N + z_i'B^-1 z_i - z_i'B^-1 c / N).
 * Of the rows, x is scaled, and y is not used. All are NaN if B is not positive definite in doubles. Without row i, the
 * residual would be r_i / (1 - leverage) if the mean and lambda N stayed as they are. */
entropic_status ent_leverages(entropic_context *context, const ent_statistics *statistics, double lambda,
                              const ent_map *map, const ent_block *rows, double *leverages);

#endif

/* Forward selection by ridge: of many candidates, one after the other the one that explains most beyond what has been
 * chosen, exactly, from products of columns alone. */
#ifndef ENT_SELECT_FORWARD_H
#define ENT_SELECT_FORWARD_H

#include "solve/statistics.h"

/* The statistics are of `chosen` features and then of candidates. ridge is lambda times the sum of the weights, above 0;
 * scale[targets] divides the squares of the targets. order[wanted] becomes the numbers of the best candidates, counted
 * from 0, in the order they were chosen, gains[wanted] what each was worth; *count how many there are: fewer than wanted
 * only if there are no more candidates. Candidate j is worth
 *     sum_k b_jk^2 / scale_k / max(A_jj, 1e-4 |f_j|^2 + ridge)
 * with A and b of the candidates after those chosen before have been projected out, ridge included. */
entropic_status ent_forward(entropic_context *context, const ent_statistics *statistics, size_t chosen, double ridge,
                            const double *scale, size_t wanted, size_t *order, double *gains, size_t *count);

#endif

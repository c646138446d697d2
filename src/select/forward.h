/* Forward selection by ridge: candidates are selected one after the other, each the one that explains most beyond those
 * selected before. This is exact and needs the Gram matrix alone. */
#ifndef ENT_SELECT_FORWARD_H
#define ENT_SELECT_FORWARD_H

#include "sums/statistics.h"

/* What to select from. */
typedef struct ent_forward_task {
  const ent_statistics *statistics; /* of features selected before, then of candidates */
  size_t selected;                  /* how many were selected before */
  double ridge;                     /* lambda times the sum of the weights, above 0 */
  const double *scale;              /* [targets] the squares of each target are divided by this */
  size_t wanted;                    /* how many to select */
} ent_forward_task;

/* order[wanted] becomes the candidates in the order of selection, counted from 0, and gains[wanted] the gain of each.
 * *count is how many were selected: fewer than wanted only if there are no more candidates. The gain of candidate j is
 *     sum_k b_jk^2 / scale_k / max(A_jj, 1e-4 |f_j|^2 + ridge)
 * where A and b are what is left of the candidates' Gram matrix and moments after the features selected before have been
 * projected out, ridge included. */
entropic_status ent_forward(entropic_context *context, const ent_forward_task *task, size_t *order, double *gains,
                            size_t *count);

#endif

/* One model of a path: weights for the features chosen so far, with a lambda that follows the rows tried on. */
#ifndef ENT_LEARN_REFIT_H
#define ENT_LEARN_REFIT_H

#include "learn/select.h"
#include "learn/statistics.h"

#define ENT_LEAST_LAMBDA 1e-7 /* that a path goes down to */

/* The map and the statistics are of the features chosen. step->lambda is where to begin: of a third of it, itself and
 * three times it the best is taken, and the walk goes on from there as long as the error falls, unless the task has a
 * lambda. The best one, error and share of wrong classes go to the step, its squares[2][targets] are as those of a
 * selection, and scores[row * targets + target] become those of the rows learnt from. */
entropic_status ent_refit_chosen(entropic_context *context, const ent_selecting *task, const ent_map *map,
                                 const ent_statistics *statistics, ent_step *step, double *squares, double *scores);

#endif

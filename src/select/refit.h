/* One model of a path: weights for the features chosen so far, with a lambda that follows the rows tried on. */
#ifndef ENT_SELECT_REFIT_H
#define ENT_SELECT_REFIT_H

#include "select/path.h"
#include "solve/statistics.h"
#include "select/irls.h"

#define ENT_LEAST_LAMBDA 1e-7 /* that a path goes down to */

/* What a lambda of a path is for its loss. Paths that look for theirs count in those of the squared loss, whatever loss
 * they go by: scores that stand for probabilities near 0 and 1 are larger than -1 and 1, so the logistic loss wants a
 * tenth. One that is given is taken as it is. */
double ent_path_lambda(const ent_selecting *task, double lambda);

/* What is refitted; all borrowed. */
typedef struct ent_chosen {
  const ent_selecting *task;
  const ent_map *map;               /* of the features chosen */
  const ent_statistics *statistics; /* theirs: under the weights of `working` if there is one; then they may be NULL */
  const ent_irls *irls;             /* for the logistic loss; NULL: the squared one */
} ent_chosen;

/* step->lambda is where to begin: of a third of it, itself and three times it the best is taken, and the walk goes on
 * from there as long as the error falls, unless the task has a lambda. The best one, error, share of wrong classes and
 * rise go to the step, its squares[2][targets] and tried[row * targets + target] are as those of a selection, and
 * scores[row * targets + target] become those of the rows learnt from. The last two may be NULL. */
entropic_status ent_refit_chosen(entropic_context *context, const ent_chosen *chosen, ent_select_step *step,
                                 double *squares, double *tried, double *scores);

#endif

/* One model of a path: weights for the features selected so far, with lambda chosen on the validation rows. */
#ifndef ENT_SELECT_REFIT_H
#define ENT_SELECT_REFIT_H

#include "select/irls.h"
#include "select/path.h"
#include "sums/statistics.h"

#define ENT_LEAST_LAMBDA 1e-7 /* a path goes no lower */

/* The tolerance of logistic fits that only compare lambdas. The objective is then right to about 1e-6, the validation
 * loss to about 1e-4. */
#define ENT_VALIDATION_TOLERANCE 1e-3

/* The lambda of the loss that belongs to a lambda of the path. A path that chooses lambda counts in those of the
 * squared loss. Scores of probabilities near 0 and 1 are larger than -1 and 1, so the logistic loss takes a tenth. A
 * lambda that is given is used as it is. */
double ent_path_lambda(const ent_path_task *task, double lambda);

/* What is refitted; all borrowed. */
typedef struct ent_refit_task {
  const ent_path_task *path;
  const ent_map *map;               /* of the selected features */
  const ent_statistics *statistics; /* of them, under the weights of `irls` if there is one: then they may be NULL */
  const ent_irls *irls;             /* for the logistic loss; NULL: the squared one */
} ent_refit_task;

/* What comes out besides the step. */
typedef struct ent_refit_output {
  double *squares;     /* [2][targets] as in a selection */
  double *predictions; /* [validation rows x targets] as in a selection; or NULL */
  double *scores;      /* [training rows x targets]; or NULL */
} ent_refit_output;

/* Chooses lambda and sets the step. step->lambda is where the search begins: a third of it, itself and three times it
 * are validated, then further ones on the side of the best as long as the error falls. If the task gives a lambda, that
 * one is used. */
entropic_status ent_refit_step(entropic_context *context, const ent_refit_task *task, ent_select_step *step,
                               const ent_refit_output *output);

#endif

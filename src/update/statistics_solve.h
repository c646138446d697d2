/* Weights of a model from the statistics that it has: each member by itself, then their mean. */
#ifndef ENT_UPDATE_STATISTICS_SOLVE_H
#define ENT_UPDATE_STATISTICS_SOLVE_H

#include "model/model.h"

#define ENT_LAMBDA_OF_DESIGN (-1.0) /* that of each member */
#define ENT_LAMBDA_BY_GCV (-2.0)    /* by generalised cross-validation on the rows of the statistics */

/* What is solved: lambda is a number or one of the above. */
typedef struct ent_solution {
  double lambda;
  double *weights;       /* [scores x features] */
  double *offsets;       /* [scores] */
  double *member_lambda; /* [members] those used */
} ent_solution;

/* Solves; clear it in any case. BAD_DATA if there are no rows. */
entropic_status ent_solution_find(entropic_context *context, const entropic_model *model, double lambda,
                                  ent_solution *solution);
void ent_solution_clear(ent_solution *solution);
/* Puts the solution into the model in place of its weights, with the number of rows. Handed out pointers stay valid. */
void ent_solution_apply(const ent_solution *solution, entropic_model *model);

/* Collects statistics of the training rows of a model that a fit has made, and solves its weights from them. */
entropic_status ent_model_keep_statistics(entropic_context *context, const entropic_dataset *train,
                                          entropic_model *model);

#endif

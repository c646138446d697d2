/* The block-diagonal part of the Hessian of the softmax loss, one block for each class. As a preconditioner it makes
 * conjugate gradients fast if there are many classes and some are separated much better than others. */
#ifndef ENT_SOLVE_HESSIAN_H
#define ENT_SOLVE_HESSIAN_H

#include "solve/loss.h"
#include "solve/precondition.h"

#define ENT_LEAST_CURVATURE 1e-8 /* p (1 - p) of a row, so that there is a factor */

typedef struct ent_hessian {
  size_t features, scores;
  ent_preconditioner **blocks; /* [scores] */
} ent_hessian;

/* Whether the blocks are small enough to save time. */
bool ent_hessian_pays(size_t features, size_t scores);

/* For each score k:  [Z,1]' diag(w p_k (1 - p_k)) [Z,1] / N + ridge I,  without ridge for the ones. Takes one pass over
 * the rows, with the probabilities of the labels. All borrowed. */
entropic_status ent_hessian_create(entropic_context *context, ent_pass *pass, const ent_rows *rows,
                                   const ent_labels *labels, double ridge, ent_hessian **made);
void ent_hessian_free(ent_hessian *hessian);

/* out = P^-1 in, both [scores columns of features + 1]: the features, then the ones. */
entropic_status ent_hessian_apply(entropic_context *context, const ent_hessian *hessian, const double *in, double *out);

#endif

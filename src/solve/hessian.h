/* The Hessian of the softmax loss, class by class: what makes conjugate gradients fast where classes are many and some
 * are told apart much better than others. The blocks between classes are left out. */
#ifndef ENT_SOLVE_HESSIAN_H
#define ENT_SOLVE_HESSIAN_H

#include "solve/loss.h"
#include "solve/precondition.h"

typedef struct ent_hessian {
  size_t features, scores;
  ent_preconditioner **blocks; /* [scores] */
} ent_hessian;

/* Whether the blocks of so many scores and features are small enough to be worth it. */
bool ent_hessian_pays(size_t features, size_t scores);

/* For each score k  [Z,1]' diag(w p_k (1 - p_k)) [Z,1] / N + ridge I,  no ridge for the ones, by one pass over the rows
 * with the probabilities of the labels. All borrowed. */
entropic_status ent_hessian_create(entropic_context *context, ent_pass *pass, const ent_rows *rows,
                                   const ent_labels *labels, double ridge, ent_hessian **made);
void ent_hessian_free(ent_hessian *curvature);

/* out = P^-1 in, each [scores columns of features + 1]: the features, then the one of the ones. */
entropic_status ent_hessian_apply(entropic_context *context, const ent_hessian *curvature, const double *in,
                                  double *out);

#endif

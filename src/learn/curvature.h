/* The Hessian of the softmax loss, class by class: what makes conjugate gradients fast where classes are many and some
 * are told apart much better than others. The blocks between classes are left out. */
#ifndef ENT_LEARN_CURVATURE_H
#define ENT_LEARN_CURVATURE_H

#include "learn/loss.h"
#include "learn/precondition.h"

typedef struct ent_curvature {
  size_t features, scores;
  ent_preconditioner **blocks; /* [scores] */
} ent_curvature;

/* Whether the blocks of so many scores and features are small enough to be worth it. */
bool ent_curvature_pays(size_t features, size_t scores);

/* For each score k  [Z,1]' diag(w p_k (1 - p_k)) [Z,1] / N + ridge I,  no ridge for the ones, by one pass over the rows
 * with the probabilities of the labels. All borrowed. */
entropic_status ent_curvature_create(entropic_context *context, ent_pass *pass, const ent_rows *rows,
                                     const ent_labels *labels, double ridge, ent_curvature **made);
void ent_curvature_free(ent_curvature *curvature);

/* out = P^-1 in, each [scores columns of features + 1]: the features, then the one of the ones. */
entropic_status ent_curvature_apply(entropic_context *context, const ent_curvature *curvature, const double *in,
                                    double *out);

#endif

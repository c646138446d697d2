/* What rows say about effects of inputs that depend on each other: the variance of each effect over the rows, and its
 * covariance with all others. Over all effects both add up to the variance of the score. */
#ifndef ENT_EXPLAIN_DEPENDENCE_H
#define ENT_EXPLAIN_DEPENDENCE_H

#include "explain/shares.h"

typedef struct ent_effect_dependence {
  size_t effects;     /* inputs in use, then pairs, then all higher effects together */
  double *own;        /* [scores x effects] variances over the rows */
  double *covariance; /* [scores x effects] with all other effects */
  double *variances;  /* [scores] of the scores over the rows */
} ent_effect_dependence;

/* Rows are scaled. */
entropic_status ent_effect_dependence_create(entropic_context *context, const ent_effect_shares *shares,
                                             const double *x, size_t rows, size_t stride,
                                             ent_effect_dependence **dependence);
void ent_effect_dependence_free(ent_effect_dependence *dependence);

#endif

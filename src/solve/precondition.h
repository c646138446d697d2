/* The preconditioner of conjugate gradients: an approximate inverse of  curvature [Z,1]'W[Z,1] + ridge I,  without
 * ridge for the column of ones. It is exact for the first `head` features and the ones, which matter most because
 * features are ordered by their scores. For the other features it uses the diagonal alone. */
#ifndef ENT_SOLVE_PRECONDITION_H
#define ENT_SOLVE_PRECONDITION_H

#include "sums/pass.h"
#include "sums/statistics.h"

typedef struct ent_preconditioner {
  size_t features, head;
  double *gram;     /* (head + 1)^2: Gram matrix of the head and the ones, upper triangle */
  double *factor;   /* (head + 1)^2: Cholesky factor of curvature gram + ridge I */
  double *diagonal; /* [features] of Z'WZ */
  double *inverse;  /* [features] 1 / (curvature diagonal + ridge) */
} ent_preconditioner;

/* Takes one pass over the rows. `head` may exceed the number of features. ENT_HEAD_AUTO: all features if they are few
 * enough, otherwise the first few hundred; then the Gram matrix of all features is of the order-free grade, which is exact
 * enough for an approximate inverse. */
#define ENT_HEAD_AUTO SIZE_MAX
entropic_status ent_preconditioner_create(entropic_context *context, const ent_map *map, ent_pass *pass,
                                          const ent_rows *rows, size_t head, ent_preconditioner **made);
/* An exact one, from the statistics of all features. */
entropic_status ent_preconditioner_of_products(entropic_context *context, const ent_statistics *products,
                                               ent_preconditioner **made);
void ent_preconditioner_free(ent_preconditioner *preconditioner);

/* Sets curvature > 0 and ridge >= 0; needed before it is applied. Without `ones`, the column of ones is uncoupled from
 * the features. */
entropic_status ent_preconditioner_set(entropic_context *context, ent_preconditioner *preconditioner, double curvature,
                                       double ridge, bool ones);

/* out = P^-1 in, both [count columns of features + 1]: the features, then the ones. */
entropic_status ent_preconditioner_apply(entropic_context *context, const ent_preconditioner *preconditioner,
                                         const double *in, size_t count, double *out);

#endif

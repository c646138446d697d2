/* What makes conjugate gradients fast: an approximate inverse of  curvature [Z,1]'W[Z,1] + ridge I  (no ridge for the
 * column of ones). Exact for the first `head` features and the ones, which carry most of the weight since features
 * come in order of their scores; the diagonal alone for the rest. */
#ifndef ENT_SOLVE_PRECONDITION_H
#define ENT_SOLVE_PRECONDITION_H

#include "solve/pass.h"
#include "solve/statistics.h"

typedef struct ent_preconditioner {
  size_t features, head;
  double *gram;     /* (head + 1)^2: of the first features and the ones, upper triangle */
  double *factor;   /* its Cholesky factor, shifted */
  double *diagonal; /* features: of Z'WZ */
  double *inverse;  /* features: of the diagonal, shifted */
} ent_preconditioner;

/* One pass over the rows. `head` may be more than there are features; ENT_HEAD_AUTO takes all features if that is
 * cheap, otherwise a few hundred. */
#define ENT_HEAD_AUTO SIZE_MAX
entropic_status ent_preconditioner_create(entropic_context *context, const ent_map *map, ent_pass *pass,
                                          const ent_rows *rows, size_t head, ent_preconditioner **made);
/* Exact, from products of all features that are at hand. */
entropic_status ent_preconditioner_of_products(entropic_context *context, const ent_statistics *products,
                                               ent_preconditioner **made);
void ent_preconditioner_free(ent_preconditioner *preconditioner);

/* Sets curvature > 0 and ridge >= 0, to be done before it is applied. Without ones, the features are on their own. */
entropic_status ent_preconditioner_set(entropic_context *context, ent_preconditioner *preconditioner, double curvature,
                                       double ridge, bool ones);

/* out = P^-1 in, each [count columns of features + 1]: the features, then the one of the ones. */
entropic_status ent_preconditioner_apply(entropic_context *context, const ent_preconditioner *preconditioner,
                                         const double *in, size_t count, double *out);

#endif

/* Ridge regression by preconditioned conjugate gradients, for so many features that their Gram matrix does not fit into
 * memory. Each step is one pass over the rows, for all targets at once. */
#ifndef ENT_SOLVE_ITERATE_H
#define ENT_SOLVE_ITERATE_H

#include <stdbool.h>

#include "sums/rows.h"
#include "lift/map.h"

typedef struct ent_iterate_options {
  double tolerance;  /* of the residual, relative to the right-hand side, in the norm of the preconditioner */
  size_t most_steps; /* stop after so many */
  size_t head;       /* so many features are preconditioned exactly */
  bool keep;         /* lifted rows are kept between passes, as far as ent_pass_keep does; the source knows its count */
} ent_iterate_options;

/* 1e-9, 1000, 512, false. */
ent_iterate_options ent_iterate_options_default(void);

typedef struct ent_iterated {
  size_t features, targets;
  double *weights; /* weights[target * features + feature] */
  double *means;   /* [targets] */
  size_t steps;
  double residual; /* relative; the largest of all targets */
  bool converged;  /* all targets met the tolerance, and all weights are finite */
} ent_iterated;

/* lambda as in ridge.h. A fit that has not converged is returned with status OK: see `converged`. */
entropic_status ent_ridge_iterate(entropic_context *context, const ent_map *map, const ent_rows *rows, double lambda,
                                  ent_iterate_options options, ent_iterated **result);
void ent_iterated_free(ent_iterated *result);

#endif

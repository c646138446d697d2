/* Marginals of a model of several components. Each component scales the inputs its own way and has atoms of its own, so two
 * atoms of an input need not be nested: the means of their products are found from rows, each input for itself. */
#ifndef ENT_EXPLAIN_JOINT_H
#define ENT_EXPLAIN_JOINT_H

#include "model/marginals.h"
#include "model/model.h"

typedef struct ent_joint {
  size_t count;
  ent_marginals **of; /* [count] of each component */
  ent_marginals *all; /* an input has the atoms of the first component, then those of the second, and so on; it has no
                         levels, but the means of the products of any two atoms */
} ent_joint;

/* x[rows x inputs] in the units of the data; without rows there are atoms, but all means are 0. No component may be of
 * centres. TOO_LARGE if an input has too many atoms to compare each two of them. */
entropic_status ent_joint_create(entropic_context *context, const entropic_model *model, const double *x, size_t rows,
                                 ent_joint **joint);
void ent_joint_free(ent_joint *joint);

#endif

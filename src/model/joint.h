/* The marginals of a whole model. Where it has several components, each scales the inputs its own way and has atoms of its
 * own, so two atoms of an input need not be nested: an input then has the atoms of the first component, those of the second
 * and so on, without levels, and the means of the products of any two of them. Components of centres have no atoms. A
 * model that has one is treated so, even if it has no other. */
#ifndef ENT_MODEL_JOINT_H
#define ENT_MODEL_JOINT_H

#include "model/marginals.h"
#include "model/model.h"

/* The atoms, without moments. TOO_LARGE if an input has too many atoms to compare each two of them. */
entropic_status ent_model_atoms(entropic_context *context, const entropic_model *model, ent_marginals **marginals);
/* With those of rows that ent_model_scale has scaled, one at least; the same errors. */
entropic_status ent_model_marginals(entropic_context *context, const entropic_model *model, const double *scaled,
                                    size_t rows, ent_marginals **marginals);

/* Gives the marginals of the components the means of an input that the joint ones have. */
void ent_marginals_split_means(const ent_marginals *joint, size_t input);

#endif

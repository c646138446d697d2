/* The worst function of a set of features: how large |f - f_M|^2 can be in mean square if f has norm 1 in the kernel's
 * space, and f_M is its projection there onto M features.
 *
 * What features of norm 1 leave of the kernel, k - k_M, is the reproducing kernel of the functions orthogonal to them. So
 * the largest |f - f_M|^2 is the largest eigenvalue of the integral operator of k - k_M on the cube. All atoms together
 * give k; hence k - k_M is the sum over the products that are not in the set, and its operator has the same eigenvalues,
 * except 0, as the Gram matrix in mean square of these products.
 *
 * There are infinitely many of them. Those of weight at most `depth` are taken. The weight is the sum over the inputs of
 * l - 1 for a hat of level l and of 0 for a boundary atom, so that S_n has the weights up to n - 1. This makes the
 * eigenvalue smaller, by at most the largest eigenvalue that the set of all weights up to `depth` leaves. */
#ifndef ENT_CLAIMS_REMAINDER_H
#define ENT_CLAIMS_REMAINDER_H

#include "claims/claims_atoms.h"

#define ENT_REMAINDER_INPUTS 3
#define ENT_REMAINDER_LEVELS 16 /* of an input, boundary atoms included: a depth of 13 at most */

/* All products of a kernel of weight at most `depth`, and their Gram matrix in mean square. */
typedef struct ent_remainder ent_remainder;

/* At most ENT_REMAINDER_INPUTS inputs, all like axis. The products of the kernel's atoms are as the subject has them. */
entropic_status ent_remainder_create(entropic_context *context, const ent_claim_axis *axis, size_t inputs, int depth,
                                     ent_remainder **remainder);
void ent_remainder_free(ent_remainder *remainder);

/* The largest eigenvalue for the features of a design with this kernel on each input. */
entropic_status ent_remainder_eigenvalue(entropic_context *context, ent_remainder *remainder,
                                         const entropic_design *design, double *value);

#endif

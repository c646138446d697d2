/* The sums behind the marginals of a model that keeps statistics: integers, so that they can be added, subtracted and proved
 * as the other statistics are, whose further sums they are (ent_fixed.side).
 *
 * An atom's value z at a row of weight w enters as q = rint(z sqrt(w) / 2^e 2^45), and so does the 1. The weight is that of
 * the statistics but for the factors of missing values: marginals are those of the rows. The first sum is that of the
 * squares of the 1. Then for each atom there are, in this order: the sum of q times that of the 1; for each coarser level the number of rows at which an atom of
 * that level is not zero, the sum of the numbers of these atoms within their level, from 1 on, and the sum of the products of
 * both; last the sum of squares. Which atom of a coarser level it is follows: always the same one, as supports are nested. */
#ifndef ENT_MODEL_MARGINAL_SUMS_H
#define ENT_MODEL_MARGINAL_SUMS_H

#include "model/frozen.h"
#include "model/marginals.h"

/* How many sums the atoms of a design have. */
size_t ent_marginal_sum_count(const ent_marginals *layout);

/* Statistics of no rows for what is frozen with a model, with these sums. A model that keeps statistics without them, as older
 * versions wrote them, gets none: what is added to it must go together. */
entropic_status ent_marginal_statistics(entropic_context *context, const entropic_model *model, ent_fixed **fixed);

/* Adds rows, scaled, with these weights. layout: that of the model's design. */
entropic_status ent_marginal_sums_add(entropic_context *context, const ent_marginals *layout,
                                      const entropic_model *model, const ent_block *rows, ent_int128 *sums);

/* The marginals of the rows of some statistics. NULL if these have no such sums, or no rows, or sums that no rows have. */
entropic_status ent_marginals_of_statistics(entropic_context *context, const entropic_model *model,
                                            const ent_fixed *fixed, ent_marginals **marginals);

/* Replaces the marginals of a model by those of its statistics, which it has. */
entropic_status ent_marginals_renew(entropic_context *context, entropic_model *model);

#endif

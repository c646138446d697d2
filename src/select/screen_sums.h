/* The sums that screening needs of each feature of a group: its square, and its products with the residual. Groups that
 * begin with the same levels share the product of these levels, so groups are best taken in the order of
 * ent_screen_order. */
#ifndef ENT_SELECT_SCREEN_SUMS_H
#define ENT_SELECT_SCREEN_SUMS_H

#include "select/screen.h"

/* Room for the sums of a group of the pool at a time. It serves one thread. */
typedef struct ent_screen_sums ent_screen_sums;

/* The pool and the residual are borrowed. */
entropic_status ent_screen_sums_create(entropic_context *context, const ent_candidate_pool *candidates,
                                       const ent_residual *residual, ent_screen_sums **sums);
void ent_screen_sums_free(ent_screen_sums *sums);

/* Of each feature f of the group, targets + 1 numbers: f.R_k for each target k, then |f|^2. They are borrowed until the
 * next call. They do not depend on the groups before. */
const double *ent_screen_sums_of(ent_screen_sums *sums, const ent_candidate_group *group);

/* order[groups], to be freed by ent_delete: the numbers of the groups, such that groups of the same first levels are
 * together. */
entropic_status ent_screen_order(entropic_context *context, const ent_candidate_pool *candidates, uint32_t **order);

#endif

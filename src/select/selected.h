/* Features picked from a pool, made ready for use. */
#ifndef ENT_SELECT_SELECTED_H
#define ENT_SELECT_SELECTED_H

#include "lift/features.h"
#include "select/screen.h"

/* Two lists of picks, the features of the second behind those of the first; in each, groups are in the order they first
 * appear. columns[first_count + more_count] become the features of the picks. */
entropic_status ent_selected_lifting(entropic_context *context, const ent_candidate_pool *candidates,
                                     const ent_candidate *first, size_t first_count, const ent_candidate *more,
                                     size_t more_count, size_t *columns, ent_lifting *lifting);

#endif

/* Features picked from a pool, made ready for use. */
#ifndef ENT_LEARN_PICKS_H
#define ENT_LEARN_PICKS_H

#include "learn/features.h"
#include "learn/screen.h"

/* Two lists of picks, the features of the second behind those of the first; in each, groups are in the order they first
 * appear. columns[first_count + more_count] become the features of the picks. */
entropic_status ent_picks_lifting(entropic_context *context, const ent_pool *pool, const ent_pick *first,
                                  size_t first_count, const ent_pick *more, size_t more_count, size_t *columns,
                                  ent_lifting *lifting);

#endif

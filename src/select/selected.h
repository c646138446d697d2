/* Selected features, ready to be lifted. */
#ifndef ENT_SELECT_SELECTED_H
#define ENT_SELECT_SELECTED_H

#include "lift/features.h"
#include "select/screen.h"

/* Some features of a pool; borrowed. */
typedef struct ent_candidate_list {
  const ent_candidate *features;
  size_t count;
} ent_candidate_list;

/* A lifting of the features of two lists; the columns of the second stand behind those of the first. Within a list,
 * groups are in the order they first appear. columns[] becomes the column of each feature, of the first list and then
 * of the second. */
entropic_status ent_selected_lifting(entropic_context *context, const ent_candidate_pool *candidates,
                                     const ent_candidate_list lists[2], size_t *columns, ent_lifting *lifting);

#endif

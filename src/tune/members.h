/* The models of a recipe that are averaged: features selected on a path that is validated on one fold, weights from all
 * rows. */
#ifndef ENT_TUNE_MEMBERS_H
#define ENT_TUNE_MEMBERS_H

#include "tune/recipe.h"

/* What all members are made with. */
typedef struct ent_member_plan {
  const ent_recipe *recipe;
  size_t view, max_features;
  size_t wanted;                     /* members */
  ent_selection_loss selection_loss; /* ENT_BY_BETTER: the first member chooses */
} ent_member_plan;

/* How many members a recipe has. */
size_t ent_member_count(const ent_recipe *recipe);
/* As many members as are wanted and there is time for, into list[plan->wanted], which is empty; *made becomes how many.
 * *result has what they are made with; their errors, lambdas and seconds are added to it. Members of small tables are
 * spread over the threads. */
entropic_status ent_members_make(entropic_context *context, ent_member_plan *plan, ent_search_result *result,
                                 ent_member *list, size_t *made);

#endif

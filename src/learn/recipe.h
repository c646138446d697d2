/* The recipe: which kernel, which features, how many and which lambda, found from the rows alone. All its rules and
 * numbers are in recipe.c. */
#ifndef ENT_LEARN_RECIPE_H
#define ENT_LEARN_RECIPE_H

#include "learn/blend.h"
#include "learn/search.h"
#include "learn/select.h"

/* The rows of the trials, scaled in one way. */
typedef struct ent_view {
  const double *x;       /* rows to learn from */
  const double *valid_x; /* rows of their own to try on, or NULL */
} ent_view;

typedef struct ent_recipe {
  const ent_trials *trials; /* its rows' inputs are not looked at: the views have them */
  const ent_view *views;
  size_t view_count;
  const ent_features *features; /* the axes; its design options: max_order alone */
  size_t members;               /* how many models are averaged, at most as many as there are folds; 1 with rows of their own */
  const ent_grid *grid;         /* omegas; the last of sizes is the most; one lambda: it is given */
} ent_recipe;

/* *view becomes the number of the view to take. Of found only omega, lambda, errors and seconds are set. On failure both
 * are empty. */
entropic_status ent_recipe_follow(entropic_context *context, const ent_recipe *recipe, size_t *view, ent_found *found,
                                  ent_member *model);

#endif

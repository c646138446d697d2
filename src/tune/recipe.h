/* The recipe: chooses the kernel, the features, how many and lambda from the rows alone. Its rules and constants are in
 * rules.h; docs/recipe.md says what each is worth. */
#ifndef ENT_TUNE_RECIPE_H
#define ENT_TUNE_RECIPE_H

#include "select/average.h"
#include "select/path.h"
#include "select/selection_loss.h"
#include "tune/search.h"

#define ENT_SELECT_SMOOTH 3 /* Legendre polynomials up to this degree */
#define ENT_SELECT_LEVEL 8  /* hats up to this level */

/* Drops levels that say nothing new about an input of so few distinct values. */
void ent_select_trim(entropic_axis_options *axis, size_t distinct);

/* The inputs of the rows under one scaling. They are scaled as they are copied or read. */
typedef struct ent_view {
  const double *x;                                  /* of the training rows */
  const double *valid_x;                            /* of the validation rows, or NULL */
  const entropic_scaler *scaler;                    /* NULL: they are scaled, or need not be */
  const ent_input_columns *columns, *valid_columns; /* in the place of x and valid_x; NULL: these are there */
} ent_view;

/* Whether the root of a target is learnt: see loss/root.h. */
typedef enum ent_root { ENT_ROOT_IF_BETTER = 0, ENT_ROOT_NEVER = 1, ENT_ROOT_ALWAYS = 2 } ent_root;

/* What is given, and what is left to the recipe. */
typedef struct ent_recipe_options {
  const double *omegas;              /* one, given (0: as the axes have it); NULL: chosen */
  size_t size;                       /* how many features; 0: chosen */
  double lambda;                     /* negative: chosen */
  bool smooth_given;                 /* the degree of Legendre atoms is given by the axes, and not chosen */
  ent_root root;                     /* for a single number */
  ent_selection_loss selection_loss; /* which loss selects features */
  size_t members;                    /* how many models are averaged; 0: chosen */
  size_t pilot_parts;                /* the most parts that the pilot search is validated on; 0: chosen */
  bool rounded;                      /* no number of the model is that of a row: rows may be forgotten */
  bool brief;                        /* the pilot search takes less time: for an error rather than a model */
  bool final;                        /* members get final weights, from the rows without a fold as well */
  bool leave_one_out;                /* members get scores of training rows, each without that row */
} ent_recipe_options;

/* Set while the recipe is followed; callers leave it empty. */
typedef struct ent_recipe_state {
  const bool *used;                      /* [inputs] those that features may have; NULL: all */
  const double *weights, *valid_weights; /* of training and validation rows, with missing values; NULL: their own */
  double following; /* the work after the pilot search: models, in multiples of the rows of a pilot path */
} ent_recipe_state;

/* More inputs that are offered: the same recipe with these behind its own. */
typedef struct ent_recipe_offer {
  const struct ent_recipe *recipe; /* NULL: nothing is offered */
  size_t singles;                  /* of the inputs offered, so many are compared first; then all */
} ent_recipe_offer;

typedef struct ent_recipe {
  const ent_validation_splits *splits; /* the inputs of its rows are ignored: the views have them */
  const ent_view *views;
  size_t view_count;
  const ent_view *missing;      /* the rows before they were scaled, NaN where a value is missing; NULL: none is */
  const ent_features *features; /* the axes and the restriction; of the design options max_order alone is used */
  bool classes;                 /* the targets are -1 and 1, for classes */
  ent_recipe_options options;
  ent_recipe_offer offer;
  ent_recipe_state state;
} ent_recipe;

/* The inputs of the recipe, and those it offers. */
static inline size_t ent_recipe_most_inputs(const ent_recipe *recipe) {
  return recipe->offer.recipe != NULL ? recipe->offer.recipe->splits->inputs : recipe->splits->inputs;
}

/* *view becomes the one that was chosen; result->wide says whether the offer was taken: then it is of that recipe. The result has neither a lifting nor statistics. members[*count] are the models
 * to be averaged and belong to the caller: number k was selected without part k of the splits, and its weights come from
 * all rows. On failure there are none, and *result is empty. */
entropic_status ent_recipe_run(entropic_context *context, const ent_recipe *recipe, size_t *view,
                               ent_search_result *result, ent_member **members, size_t *count);
/* The final weights of members become their weights, if there are any. */
void ent_members_finish(ent_member *members, size_t count);
/* Clears and frees. */
void ent_members_free(ent_member *members, size_t count);

#endif

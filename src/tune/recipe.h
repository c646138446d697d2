/* The recipe: which kernel, which features, how many and which lambda, found from the rows alone. All its rules and
 * numbers are in rules.h. */
#ifndef ENT_TUNE_RECIPE_H
#define ENT_TUNE_RECIPE_H

#include "select/average.h"
#include "tune/search.h"
#include "select/selection_loss.h"
#include "select/path.h"

#define ENT_SELECT_SMOOTH 3 /* Legendre polynomials to this degree */
#define ENT_SELECT_LEVEL 8  /* hats to this level */

/* Fewer levels for an input of so many distinct values, as far as there are few: more would say nothing. */
void ent_select_trim(entropic_axis_options *axis, size_t distinct);

/* The rows of the trials under one scaling. They are scaled as they are copied or read. */
typedef struct ent_view {
  const double *x;       /* training rows */
  const double *valid_x; /* validation rows, or NULL */
  const entropic_scaler *scaler; /* NULL: they are scaled, or need not be */
} ent_view;

/* Whether the root of a target is learnt: see target_transform.h. */
typedef enum ent_root { ENT_ROOT_IF_BETTER = 0, ENT_ROOT_NEVER = 1, ENT_ROOT_ALWAYS = 2 } ent_root;

typedef struct ent_recipe {
  const ent_trials *trials; /* its rows' inputs are not looked at: the views have them */
  const ent_view *views;
  size_t view_count;
  const ent_features *features;      /* the axes; its design options: max_order alone */
  bool classes;                      /* the targets are -1 and 1, for classes */
  ent_selection_loss selection_loss; /* which loss chooses features */
  const double *omegas;              /* one, given (0: as the axes have it); NULL: to be found */
  size_t size;                       /* how many features; 0: to be found */
  double lambda;                     /* negative: to be found */
  bool smooth_given;                 /* the degree of Legendre atoms is as the axes have it, and not looked at */
  ent_root root;                     /* for a single number */
  const ent_view *missing; /* the rows before they were scaled, NaN where something is missing; NULL: nothing is */
  bool final;              /* members have final weights, from rows that take no part as well */
  const bool *used;        /* [inputs] set while it is followed, as are the next two; callers leave them NULL */
  const double *weights, *valid_weights; /* how much rows count for what is learnt and chosen; NULL: as they are */
  size_t members;                        /* how many models are averaged; 0: as many as are worth it */
  size_t pilot_parts;                    /* how many parts the pilot search is tried on at most; 0: as it likes */
  double rest; /* set while it is followed: models to come, in rows of the rehearsal's paths */
} ent_recipe;

/* *view becomes the one to take. Of found only omega, reach, link, lambda, errors and
 * their variances, the curve, the number of parts tried on, the largest size, whether it was hurried, and seconds are
 * set. members[*count], as many as are to be averaged, belong to the caller: number k was selected without part k of
 * the trials, and learnt from all rows. On failure there are none, and found is empty. */
entropic_status ent_recipe_follow(entropic_context *context, const ent_recipe *recipe, size_t *view, ent_found *found,
                                  ent_member **members, size_t *count);
/* The weights of members become those of all rows, where the recipe asked for them. */
void ent_members_finish(ent_member *members, size_t count);
/* Clears and frees. */
void ent_members_free(ent_member *members, size_t count);

#endif

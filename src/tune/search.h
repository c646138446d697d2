/* The search for omega, the number of features and lambda by the squared loss: a small grid, tried by exact
 * cross-validation, or on rows of their own.
 *
 * First omega, with some hundred features and on some thousand rows. Then, with that omega, the number of features: one
 * collection of statistics at the largest serves them all, as a design of fewer features is the beginning of one of
 * more; each with all lambdas. From the size omega was chosen with on, the first one that is clearly worse ends it. */
#ifndef ENT_TUNE_SEARCH_H
#define ENT_TUNE_SEARCH_H

#include <stdbool.h>

#include "lift/features.h"
#include "tune/folds.h"
#include "select/curve.h"
#include "select/target_transform.h"
#include "solve/statistics.h"

/* Rows to learn from and rows to try it on; all borrowed. */
typedef struct ent_trials {
  ent_block train;
  size_t inputs, targets;
  const ent_block *valid; /* rows of their own to try on; NULL: folds */
  const size_t *fold_of;  /* of each row to learn from; ENT_NO_FOLD: the row takes no part */
  size_t folds;           /* at least 2, or 1 forward, unless there are rows of their own */
  bool forward;           /* folds are blocks of time as ent_folds_deal makes them: only earlier rows are learnt from */
  const double *scale;    /* [targets] mean squares are divided by these before they are added up */
  uint64_t seed;
  double deadline;            /* on the clock of ent_seconds: no step begins that would end after it. 0: none */
  entropic_progress progress; /* or NULL */
  void *user;
} ent_trials;

/* What to try; lists are not empty, one entry means that it is given. */
typedef struct ent_grid {
  const double *omegas; /* a single 0: as the axes have it */
  size_t omega_count;
  const size_t *sizes; /* numbers of features, ascending; a single 0: by non-zeros */
  size_t size_count;
  const double *lambdas; /* descending */
  size_t lambda_count;
} ent_grid;

/* Which products may be chosen: the fewer, the less a model can go wild between the rows. All zero: any. */
typedef struct ent_reach {
  bool without_smooth; /* no Legendre atoms: hats alone */
  size_t max_order;    /* inputs of a product; 0: as many as the design options allow */
} ent_reach;

typedef struct ent_found {
  double omega, lambda;
  ent_reach reach;                /* with selection */
  ent_target_transform transform; /* with selection: what was learnt of the target */
  ent_lifting lifting;
  size_t parts;           /* sets of rows: those tried on, and forward one more, which is always learnt from */
  size_t validation_rows; /* of selection: how many those were; of a large table they are a sample */
  size_t largest;         /* with selection: the most features that were tried, if more might have been better */
  ent_statistics *total;  /* of the rows to learn from, with the features found */
  ent_statistics **part;  /* of each set of rows */
  double *errors;         /* [targets] mean square on the rows tried on */
  double *variances;      /* [targets] of these means; NULL: not known */
  ent_curve curve;        /* the sizes tried; empty if there was one */
  bool hurried;           /* the deadline cut something short */
  double trial;           /* seconds that the last trial of an omega took; 0: there was none */
  double design, solve;   /* seconds */
  double lift, gram;
} ent_found;

/* On failure *found is empty. */
entropic_status ent_search(entropic_context *context, const ent_trials *trials, const ent_features *features,
                           const ent_grid *grid, ent_found *found);
/* The first step alone: which omega, tried with at most so many features. */
entropic_status ent_search_omega(entropic_context *context, const ent_trials *trials, const ent_features *features,
                                 const ent_grid *grid, size_t size, ent_found *found);
/* Frees and empties. */
void ent_found_clear(ent_found *found);

/* Whether a row to learn from takes part. */
static inline bool ent_takes_part(const ent_trials *trials, size_t row) {
  return trials->fold_of == NULL || trials->fold_of[row] != ENT_NO_FOLD;
}
/* Whether a row to learn from is learnt from while that part is tried on. */
static inline bool ent_teaches(const ent_trials *trials, size_t row, size_t part) {
  if (trials->valid != NULL || trials->fold_of == NULL)
    return ent_takes_part(trials, row);
  return ent_fold_teaches(trials->fold_of[row], part, trials->forward);
}
/* The rows to learn from that take part, or those that do not, for a learner of weights; `all` outlives the source. */
typedef struct ent_all_rows {
  ent_memory_rows memory;
  ent_row_subset subset;
  size_t *numbers; /* NULL: all take part */
} ent_all_rows;

/* rows: those of the trials, perhaps with other inputs, weights or targets, of which there are `targets`. On failure
 * nothing has to be cleared. The second is of rows that take no part. */
entropic_status ent_all_start(entropic_context *context, const ent_trials *trials, const ent_block *rows,
                              size_t targets, ent_all_rows *all);
entropic_status ent_all_start_rest(entropic_context *context, const ent_trials *trials, const ent_block *rows,
                                   size_t targets, ent_all_rows *all);
ent_rows ent_rows_of_all(ent_all_rows *all);
void ent_all_clear(ent_all_rows *all);

/* Mean squares of several targets as one number. */
double ent_trials_sum(const ent_trials *trials, const double *errors);
/* Whether a step that takes so many seconds would end after the deadline. */
bool ent_trials_late(const ent_trials *trials, double seconds);
/* Tells how far the work has come. */
void ent_trials_tell(const ent_trials *trials, const char *stage, double done);

#endif

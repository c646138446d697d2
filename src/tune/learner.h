/* Weights from rows by any of the solvers, for the squared loss; and what they predict for other rows. */
#ifndef ENT_TUNE_LEARNER_H
#define ENT_TUNE_LEARNER_H

#include <stdbool.h>

#include "solve/dual.h"
#include "tune/folds.h"
#include "tune/search.h"

/* How to learn. */
typedef struct ent_learner {
  entropic_solver solver;        /* never auto */
  const ent_map *map;            /* NULL for the exact solver */
  const entropic_kernel *kernel; /* for the exact solver */
} ent_learner;

/* What was learnt, for `count` lambdas. An empty one is all zero. */
typedef struct ent_learnt {
  size_t features, scores, count;
  double *weights;   /* weights[(lambda * scores + score) * features + feature]; exact: for each row learnt from */
  double *offsets;   /* [scores]: the same for all lambdas */
  ent_dual *dual;    /* exact: what predicts */
  const char *ended; /* NULL if all went well, otherwise how the iteration ended */
} ent_learnt;

/* The cheapest solver for so many rows and features, of which so many are not 0. */
entropic_solver ent_cheapest_solver(size_t rows, size_t features, size_t nonzeros);

entropic_status ent_learn(entropic_context *context, const ent_learner *learner, const ent_rows *rows,
                          const double *lambdas, size_t count, ent_learnt *learnt);
/* Frees and empties. */
void ent_learnt_clear(ent_learnt *learnt);

/* scores[row * learnt->scores + score] with lambda number `lambda`. */
entropic_status ent_learnt_scores(entropic_context *context, const ent_learner *learner, const ent_learnt *learnt,
                                  size_t lambda, const ent_block *rows, double *scores);

/* One set of rows to try on, copied out of the trials with its part of the rows to learn from. */
typedef struct ent_held {
  ent_row_subset train;
  ent_block out; /* what is tried on */
  double *x, *y, *weights;
  size_t *numbers; /* of the rows to learn from, then of those held out */
} ent_held;

/* Part `part` of the trials: fold number `part`, or the rows of their own. */
entropic_status ent_hold_out(entropic_context *context, const ent_trials *trials, size_t part, ent_held *held);
void ent_held_clear(ent_held *held);

/* The mean squares on the first `parts` parts, after learning from the other rows each time:
 * errors[lambda * targets + target]; and the variances of these means, unless that is NULL. */
entropic_status ent_refit_errors(entropic_context *context, const ent_learner *learner, const ent_trials *trials,
                                 size_t parts, const double *lambdas, size_t count, double *errors, double *variances);

/* Sets the variances of what a search has found, judged by the rows of its first part. */
entropic_status ent_found_spread(entropic_context *context, const ent_trials *trials, ent_found *found);

#endif

/* Weights by any of the solvers, for the squared loss; what they predict, and validation by refits. */
#ifndef ENT_TUNE_LEARNER_H
#define ENT_TUNE_LEARNER_H

#include "solve/dual.h"
#include "tune/search.h"

/* A solver and what it learns weights for. */
typedef struct ent_learner {
  entropic_solver solver;        /* never auto */
  const ent_map *map;            /* NULL for the exact solver */
  const entropic_kernel *kernel; /* for the exact solver */
} ent_learner;

/* Some lambdas; borrowed. */
typedef struct ent_lambda_list {
  const double *values;
  size_t count;
} ent_lambda_list;

/* What was learnt, for `count` lambdas. An empty one is all zero. */
typedef struct ent_learnt {
  size_t features, scores, count;
  double *weights;   /* weights[(lambda * scores + score) * features + feature]; exact: for each training row */
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

/* What validation by refits yields. */
typedef struct ent_refit_errors {
  double *errors;    /* [lambda * targets + target] mean squared errors */
  double *variances; /* of these means; or NULL */
} ent_refit_errors;

/* Validates on the first `parts` parts of the splits, each after a refit without it. */
entropic_status ent_validate_by_refits(entropic_context *context, const ent_learner *learner,
                                       const ent_validation_splits *splits, size_t parts, ent_lambda_list lambdas,
                                       ent_refit_errors *output);

/* Sets the variances of the validation errors of a search, from the rows of its first part, and the predictions of
 * these. */
entropic_status ent_search_set_variances(entropic_context *context, const ent_validation_splits *splits,
                                         ent_search_result *result);

#endif

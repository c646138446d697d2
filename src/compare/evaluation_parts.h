/* What evaluations are made of. */
#ifndef ENT_COMPARE_EVALUATION_PARTS_H
#define ENT_COMPARE_EVALUATION_PARTS_H

#include "compare/evaluation.h"
#include "sums/statistics.h"

/* All rows by one scaling. */
typedef struct ent_evaluation_view {
  entropic_scaling scaling;
  double rule; /* the bandwidth of the rule */
  ent_block train, test;
} ent_evaluation_view;

struct ent_evaluation {
  ent_evaluation_data data;
  ent_evaluation_view scaled[1 + ENT_OTHER_SCALINGS];
  size_t scaled_count;
  ent_evaluation_view minmax, inset; /* for the printed features */
  double *inset_rows;                /* owned */
  size_t folds;                      /* of the training rows */
  size_t validated;                  /* how many folds validate, one after the other, the last one first */
  size_t *order;                     /* of the training rows: a random permutation */
  size_t *fold_of;                   /* each training row */
};

/* A method on its way through an evaluation. */
typedef struct ent_evaluation_task {
  const ent_evaluation *evaluation;
  const ent_request *request;
  uint64_t seed;
} ent_evaluation_task;

/* The request with the rows that its features are made from; kernel, bandwidth and lambda are the choice's. */
ent_trial ent_evaluation_trial(const ent_evaluation_task *task, const ent_block *train, const ent_block *validation,
                               const ent_choice *choice);

/* Statistics of the features of these rows. */
entropic_status ent_evaluation_collect(entropic_context *context, const ent_evaluation *evaluation, const ent_map *map,
                                       const ent_block *block, ent_statistics **statistics);

/* The rows that a method takes by this scaling. */
const ent_evaluation_view *ent_evaluation_view_of(const ent_evaluation *evaluation, ent_compare_method method,
                                                  entropic_scaling scaling);

/* Chooses lambda and, for a tuned method, kernel, bandwidth and scaling. */
entropic_status ent_evaluation_tune(entropic_context *context, const ent_evaluation_task *task, ent_choice *choice);

/* Lambdas; borrowed. */
typedef struct ent_exact_lambdas {
  const double *values;
  size_t count;
} ent_exact_lambdas;

/* Exact kernel ridge from the rows blocks[0]: predictions[lambda][row][target] for the rows blocks[1]. Of the choice, kernel
 * and bandwidth count. TOO_LARGE for too many rows. */
entropic_status ent_evaluation_exact(entropic_context *context, const ent_evaluation_task *task,
                                     const ent_choice *choice, const ent_block *blocks,
                                     const ent_exact_lambdas *lambdas, double *predictions);

/* Folds of the training rows: numbers[rows] becomes the rows of all other folds and then, from where it returns, those of
 * this one. */
size_t ent_evaluation_fold(const ent_evaluation *evaluation, size_t fold, size_t *numbers);

/* The error on the test rows from their scores, row after row at that stride. */
double ent_evaluation_error(const ent_evaluation *evaluation, const double *scores, size_t stride);

#endif

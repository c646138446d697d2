/* Evaluations repeated: every method, tuned and by the rule, with several numbers of features, on several splits of the
 * rows. The results are means, standard deviations and times. */
#ifndef ENT_COMPARE_EXPERIMENTS_H
#define ENT_COMPARE_EXPERIMENTS_H

#include "compare/evaluation.h"

/* One method with one number of features. */
typedef struct ent_experiment {
  ent_request request;
  size_t most_runs;                          /* it takes part in no more; as many as all experiments unless changed */
  size_t timed;                              /* its first so many runs are timed; 1 unless changed */
  size_t runs;                               /* so far */
  double *errors;                            /* [most_runs] */
  double bandwidth;                          /* geometric mean */
  size_t scaled[ENTROPIC_SCALING_BLEND + 1]; /* how many runs took each scaling */
  double train_seconds; /* the least of the timed runs, on one thread, with nothing else going on */
  double lift_seconds;  /* for all test rows, likewise */
  double nonzeros;      /* of a row, mean over runs */
  double features;      /* that it had, mean over runs */
} ent_experiment;

typedef struct ent_experiments {
  size_t most_runs, runs;
  size_t trainings; /* in a timed run, at most; 1 unless changed */
  size_t count;
  ent_experiment *list; /* in the order of the requests */
  const size_t *sizes;  /* the numbers of features that all methods have; borrowed */
  size_t size_count;
  size_t grid;             /* the first so many have these numbers of features; the others have budgets of non-zeros */
  ent_experiment constant; /* the mean, or the most frequent class, on the same splits: runs and errors alone */
} ent_experiments;

/* The requests of all methods; all borrowed. */
typedef struct ent_experiment_plan {
  const size_t *sizes; /* numbers of features: each method, by the rule and tuned */
  size_t size_count;
  const size_t *budgets; /* of non-zeros in a row: EOF, by the rule and tuned */
  size_t budget_count;
} ent_experiment_plan;

/* One experiment for each request, for so many runs. */
entropic_status ent_experiments_start(entropic_context *context, const ent_request *requests, size_t count, size_t runs,
                                      ent_experiments *experiments);
/* By method, then by rule and tuned, then by number of features; after them the budgets, by rule and tuned likewise. */
entropic_status ent_experiments_start_all(entropic_context *context, const ent_experiment_plan *plan, size_t runs,
                                          ent_experiments *experiments);
/* Frees and empties. */
void ent_experiments_clear(ent_experiments *experiments);

/* Sets how many runs of every experiment are timed. */
void ent_experiments_time(ent_experiments *experiments, size_t runs);
/* Sets how many runs of one method are timed, and how many runs it takes part in. */
void ent_experiments_limit(ent_experiments *experiments, ent_compare_method method, size_t timed, size_t runs);

/* One more run, on this split. Timed experiments run one by one on one thread, then the others in parallel. Reports how
 * many are done. */
entropic_status ent_experiments_run(entropic_context *context, ent_experiments *experiments,
                                    const ent_evaluation_data *data, uint64_t seed);

/* Mean and standard deviation of the errors so far; the latter NaN for one run. */
double ent_experiment_mean(const ent_experiment *experiment);
double ent_experiment_deviation(const ent_experiment *experiment);
/* The mean of the first so many runs. */
double ent_experiment_mean_first(const ent_experiment *experiment, size_t runs);

/* The scaling that most runs took; of equally frequent ones the first. */
entropic_scaling ent_experiment_scaling(const ent_experiment *experiment);

/* The experiment of a method with so many features; NULL if there is none. */
const ent_experiment *ent_experiments_find(const ent_experiments *experiments, ent_compare_method method, bool tuned,
                                           size_t size);

#endif

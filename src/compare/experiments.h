/* Evaluations repeated: every method, tuned and by the rule, with several numbers of features, on several splits of the
 * rows; and how long trainings take. */
#ifndef ENT_COMPARE_EXPERIMENTS_H
#define ENT_COMPARE_EXPERIMENTS_H

#include "compare/run_log.h"

/* Trainings that were measured: one after the other on one thread, all experiments in turn, round by round. */
typedef struct ent_times {
  size_t count;            /* of rounds; fewer where trainings take long, 0 where none was measured */
  ent_logged_time *rounds; /* [count] */
} ent_times;

/* What the runs of an experiment took, where that was saved instead of every run's own choice. */
typedef struct ent_experiment_summary {
  entropic_scaling scaling;
  const char *kernel;
  double bandwidth, nonzeros, features;
} ent_experiment_summary;

/* One method with one number of features. */
typedef struct ent_experiment {
  ent_request request;
  const char *kernel;             /* its name; NULL: the method knows */
  size_t most_runs;               /* it takes part in no more; as many as all experiments unless changed */
  size_t runs;                    /* so far */
  double *errors;                 /* [most_runs] */
  ent_performance *performances;  /* [most_runs]; NULL for the constant, and for results that were saved */
  ent_experiment_summary summary; /* of the latter */
  char *made_by;                  /* the version that made results that were saved; NULL: this one */
  ent_times times;
} ent_experiment;

typedef struct ent_experiments {
  size_t most_runs, runs;
  size_t count;
  ent_experiment *list; /* in the order of the requests */
  const size_t *sizes;  /* the numbers of features that all methods have, by the rule and tuned; borrowed */
  size_t size_count;
  const size_t *large; /* further ones, tuned alone; borrowed */
  size_t large_count;
  size_t sized;            /* the first so many have these numbers of features, or are exact; the others have budgets of
                              non-zeros */
  ent_experiment constant; /* the mean, or the most frequent class, on the same splits */
  ent_run_log *log;        /* what it has is not run again, what is run is added; borrowed, or NULL */
} ent_experiments;

/* The requests of all methods; all borrowed. */
typedef struct ent_experiment_plan {
  const size_t *sizes; /* numbers of features: each method, by the rule and tuned */
  size_t size_count;
  const size_t *large; /* larger numbers: each method, tuned */
  size_t large_count, large_runs;
  const size_t *budgets; /* of non-zeros in a row: EOF, by the rule and tuned */
  size_t budget_count;
  size_t exact_runs;  /* of exact kernel ridge, tuned; 0: it is left out */
  const char *kernel; /* the name of EOF's; NULL: the default */
} ent_experiment_plan;

/* One experiment for each request, for so many runs. */
entropic_status ent_experiments_start(entropic_context *context, const ent_request *requests, size_t count, size_t runs,
                                      ent_experiments *experiments);
/* By method, then by rule and tuned, then by number of features; after them the large numbers by method, exact kernel
 * ridge, and the budgets, by rule and tuned. */
entropic_status ent_experiments_start_all(entropic_context *context, const ent_experiment_plan *plan, size_t runs,
                                          ent_experiments *experiments);
/* Frees and empties. */
void ent_experiments_clear(ent_experiments *experiments);

/* One more run, on this split. Reports how many experiments are done. */
entropic_status ent_experiments_run(entropic_context *context, ent_experiments *experiments,
                                    const ent_evaluation_data *data, uint64_t seed);

/* How trainings are measured. */
#define ENT_MOST_ROUNDS ((size_t)32)
typedef struct ent_timing {
  size_t rounds; /* at most ENT_MOST_ROUNDS */
  bool given;    /* also from lifted rows */
} ent_timing;

/* Measures trainings on this split, which must be that of the first run and its seed, with what was chosen in that run. In
 * each round every experiment trains once (very short trainings a few times, of which the least counts), so that whatever
 * else the machine does hits all methods alike. */
entropic_status ent_experiments_time(entropic_context *context, ent_experiments *experiments,
                                     const ent_evaluation_data *data, uint64_t seed, const ent_timing *timing);

/* Mean and standard deviation of the errors so far; the latter NaN for one run. */
double ent_experiment_mean(const ent_experiment *experiment);
double ent_experiment_deviation(const ent_experiment *experiment);
/* The mean of the first so many runs. */
double ent_experiment_mean_first(const ent_experiment *experiment, size_t runs);

/* The scaling and the kernel that most runs took; of equally frequent ones the first. */
entropic_scaling ent_experiment_scaling(const ent_experiment *experiment);
const char *ent_experiment_kernel(const ent_experiment *experiment);
/* Means over the runs; of bandwidths the geometric one. */
double ent_experiment_bandwidth(const ent_experiment *experiment);
double ent_experiment_nonzeros(const ent_experiment *experiment);
double ent_experiment_features(const ent_experiment *experiment);
/* Bytes of a lifted row, dense or compressed, whichever are fewer: 8 for a value, 4 for its column. */
double ent_experiment_bytes(const ent_experiment *experiment);

/* What part of a training. */
typedef enum ent_duration { ENT_DURATION_TRAIN, ENT_DURATION_MAKE, ENT_DURATION_LIFT, ENT_DURATION_GIVEN } ent_duration;
/* The quantile of a duration over the rounds, 0.5 for the median; NaN if none was measured. */
double ent_experiment_seconds(const ent_experiment *experiment, ent_duration which, double quantile);
/* How many processors other work kept busy while trainings were measured, on average; NaN if that is not known. */
double ent_experiments_load(const ent_experiments *experiments);
/* From this load on times are not to be trusted. */
#define ENT_LOADED 0.25

/* The experiment of a method with so many features; NULL if there is none. */
const ent_experiment *ent_experiments_find(const ent_experiments *experiments, ent_compare_method method, bool tuned,
                                           size_t size);

#endif

/* Contests over and over: every method, tuned and by the rule, with several numbers of features, on several splits of
 * the rows. Means, spreads and times come out. */
#ifndef ENT_STUDY_RACES_H
#define ENT_STUDY_RACES_H

#include "study/contest.h"

/* One method with one number of features. */
typedef struct ent_race {
  ent_request request;
  size_t most_runs;                   /* it takes part in no more; as many as all of them unless changed */
  size_t timed;                       /* its first so many runs are timed; 1 unless changed */
  size_t runs;                        /* so far */
  double *errors;                     /* [most runs] */
  double bandwidth;                   /* geometric mean */
  size_t scaled[ENTROPIC_SCALE_AUTO]; /* how many of the runs took each scaling */
  double train_seconds;               /* the least of the timed runs, on one thread, with nothing else going on */
  double lift_seconds;                /* for all test rows, likewise */
  double nonzeros;                    /* a row, mean of all runs */
  double features;                    /* that it had, mean of all runs */
} ent_race;

typedef struct ent_races {
  size_t most_runs, runs;
  size_t trainings; /* in a timed run, at most; 1 unless changed */
  size_t count;
  ent_race *races;     /* in the order of the wishes */
  const size_t *sizes; /* numbers of features, of races of all methods; borrowed */
  size_t size_count;
  size_t grid;       /* the first so many races are those of all methods; the others are for budgets of non-zeros */
  ent_race constant; /* the mean, or the most frequent class, on the same splits: runs and errors alone */
} ent_races;

/* What all methods are asked for; all borrowed. */
typedef struct ent_race_plan {
  const size_t *sizes; /* numbers of features: each method, by the rule and tuned */
  size_t size_count;
  const size_t *budgets; /* of non-zeros a row: EOF, by the rule and tuned */
  size_t budget_count;
} ent_race_plan;

/* Races for so many runs, one for each wish. */
entropic_status ent_races_start(entropic_context *context, const ent_request *requests, size_t count, size_t runs,
                                ent_races *races);
/* By method, then by rule and tuned, then by number of features; after them all, the budgets, by
 * rule and tuned likewise. */
entropic_status ent_races_start_all(entropic_context *context, const ent_race_plan *plan, size_t runs,
                                    ent_races *races);
/* Frees and empties. */
void ent_races_clear(ent_races *races);

/* All races, or those of one method: how many runs are timed, and are taken part in. */
void ent_races_time(ent_races *races, size_t runs);
void ent_races_limit(ent_races *races, ent_baseline baseline, size_t timed, size_t runs);

/* One more run, on this split. Timed races are run one by one on one thread; then the others on all threads, side by
 * side. `told` (or NULL) is called with how many races of this run are done. */
entropic_status ent_races_run(entropic_context *context, ent_races *races, const ent_contest_data *data, uint64_t seed,
                              void (*class_validation)(void *user, size_t done, size_t all), void *user);

/* Mean and standard deviation of the errors so far; the latter NaN for one run. */
double ent_race_mean(const ent_race *race);
double ent_race_deviation(const ent_race *race);
/* The mean of the first so many. */
double ent_race_mean_first(const ent_race *race, size_t runs);

/* The scaling that most runs took, the first of those that are alike. */
entropic_scaling ent_race_scaling(const ent_race *race);

/* The race of a method with so many features; NULL if there is none. */
const ent_race *ent_races_find(const ent_races *races, ent_baseline baseline, bool tuned, size_t size);

#endif

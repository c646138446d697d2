/* Kernel approximations against each other on one table: the same rows, scaling, solver, tuning and clock for all.
 *
 * A contest has rows to learn from and rows to be tested on. A method turns rows into M features by a kernel with one
 * parameter (its bandwidth); ridge does the rest, with lambda chosen on rows kept apart from those learnt from. The
 * bandwidth is the source paper's rule, or tuned: the best of five on those same rows. If there are several scalings of
 * the inputs, what is tuned finds its bandwidth with the second, and then tries the others with the factor of the rule
 * (of that scaling) or the omega that was best; where few rows are tuned by all five parts, with each of the five. */
#ifndef ENT_STUDY_CONTEST_H
#define ENT_STUDY_CONTEST_H

#include "study/entry.h"

#define ENT_OTHER_SCALINGS 2 /* at most */

/* The inputs by one scaling: rows x inputs in [0,1], to learn from and to be tested on; borrowed. */
typedef struct ent_contest_rows {
  entropic_scaling scaling;
  const double *x, *test_x;
} ent_contest_rows;

/* The rows of a contest; all borrowed. */
typedef struct ent_contest_data {
  size_t inputs;
  size_t targets; /* columns of y: the target, or for classes -1 and 1, one for each score */
  size_t classes; /* 0: numbers */
  size_t rows, test_rows;
  const double *x, *y;           /* to learn from: rows x inputs in [0,1], rows x targets */
  const double *test_x, *test_y; /* to be tested on */
  const double *groups; /* of the rows to learn from, 0, 1, ... without a gap; those of a group are on one side while
                           tuning; or NULL */
  entropic_scaling scaling;                    /* of x and test_x */
  ent_contest_rows others[ENT_OTHER_SCALINGS]; /* the same rows by other scalings, for what is tuned */
  size_t other_count;
  bool thorough; /* lambda has finer steps; up to 2000 rows are tuned by all five parts, each kept apart once */
} ent_contest_data;

/* A contest on those rows. */
typedef struct ent_contest ent_contest;

/* Finds the bandwidth of the rule and keeps a fifth of the rows apart for tuning, at random from the seed, or every
 * fifth in its turn; of groups a fifth likewise, or one of them where there are fewer than five. BAD_DATA if there are
 * fewer than five rows, no test row, or one group alone. The data must outlive it. */
entropic_status ent_contest_create(entropic_context *context, const ent_contest_data *data, uint64_t seed,
                                   ent_contest **contest);
void ent_contest_free(ent_contest *contest);
/* The bandwidth of the rule, by the first scaling. */
double ent_contest_rule(const ent_contest *contest);

/* The error on the test rows of a constant: the mean of the rows to learn from, or their most frequent class. */
entropic_status ent_contest_constant(entropic_context *context, const ent_contest *contest, double *error);

typedef struct ent_performance {
  double error;                       /* on the test rows: root of the mean square, or the share of wrong classes */
  double bandwidth, lambda;           /* in use */
  entropic_scaling scaling;           /* likewise */
  size_t tries;                       /* of bandwidths and scalings, each with all lambdas */
  double tuning_error;                /* the sum of squares of the best of them, on the rows kept apart */
  double train_seconds, lift_seconds; /* features and weights from all rows; lifting the test rows */
  double nonzeros;                    /* of a lifted row, on average over the test rows */
  size_t features;                    /* there may be fewer than asked for */
} ent_performance;

/* One method. seed is that of its random numbers. What takes little time is trained up to `trainings` times, of which
 * the least time counts: on some hundred rows a single one is shorter than what a machine needs to get going. */
entropic_status ent_contest_run(entropic_context *context, const ent_contest *contest, const ent_request *request,
                                uint64_t seed, size_t trainings, ent_performance *performance);

#endif

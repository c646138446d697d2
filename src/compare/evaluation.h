/* Evaluating methods on one split of a table: the same rows, scaling, solver, tuning and clock for all.
 *
 * A split has training rows and test rows. A method turns rows into M features by a kernel with one parameter, its
 * bandwidth. Ridge regression learns from those, with lambda chosen on validation rows, which are held out of the
 * training rows. The bandwidth is the source paper's rule, or tuned on the validation rows: see tuning.c. */
#ifndef ENT_COMPARE_EVALUATION_H
#define ENT_COMPARE_EVALUATION_H

#include "compare/method.h"

#define ENT_OTHER_SCALINGS 2 /* at most */

/* The inputs by one scaling: training and test rows, rows x inputs in [0,1]; borrowed. */
typedef struct ent_evaluation_rows {
  entropic_scaling scaling;
  const double *x, *test_x;
} ent_evaluation_rows;

/* The rows of a split; all borrowed. */
typedef struct ent_evaluation_data {
  size_t inputs;
  size_t targets; /* columns of y: the target, or for classes -1 and 1, one for each score */
  size_t classes; /* 0: numbers */
  int unit;       /* y counts in units of 2^unit, errors do not */
  size_t rows, test_rows;
  const double *x, *y;           /* training rows: rows x inputs in [0,1], rows x targets */
  const double *test_x, *test_y; /* test rows */
  const double *groups; /* of the training rows, 0, 1, ... without a gap, or NULL; while tuning, rows of a group are on
                           one side */
  entropic_scaling scaling;                       /* of x and test_x */
  ent_evaluation_rows others[ENT_OTHER_SCALINGS]; /* the same rows by other scalings, for tuned methods */
  size_t other_count;
  ent_evaluation_rows minmax; /* the same rows as the printed features take them; x NULL: as x */
  bool thorough;              /* lambda has finer steps; up to 2000 rows are tuned by five-fold cross-validation */
  const entropic_axis_options *axis; /* the kernel of the method EOF, but for its omega; NULL: the default */
} ent_evaluation_data;

/* A split, prepared for methods. */
typedef struct ent_evaluation ent_evaluation;

/* Finds the bandwidth of the rule and deals the training rows to five folds, at random from the seed. One fold is the
 * validation rows, or each in turn. Groups are dealt whole; there are fewer folds if there are fewer than five groups.
 * BAD_DATA if there are fewer than five training rows, no test row, or one group alone. The data must outlive it. */
entropic_status ent_evaluation_create(entropic_context *context, const ent_evaluation_data *data, uint64_t seed,
                                      ent_evaluation **evaluation);
void ent_evaluation_free(ent_evaluation *evaluation);

/* The error on the test rows of a constant: the mean of the training rows, or their most frequent class. */
entropic_status ent_evaluation_constant(entropic_context *context, const ent_evaluation *evaluation, double *error);

/* What a method learns with. */
typedef struct ent_choice {
  entropic_scaling scaling;
  size_t kernel; /* of the method's */
  double bandwidth, lambda;
  size_t tries; /* of scalings, kernels and bandwidths, each with all lambdas */
  double error; /* the sum of squares of the best of them, on the validation rows, in the units of y */
} ent_choice;

/* How a method did with it. */
typedef struct ent_performance {
  double error; /* on the test rows: RMSE, or the share of wrong classes */
  ent_choice choice;
  double nonzeros; /* of a lifted row, on average over the test rows */
  size_t features; /* there may be fewer than asked for */
} ent_performance;

/* Evaluates one method. seed is that of its random numbers. */
entropic_status ent_evaluation_run(entropic_context *context, const ent_evaluation *evaluation,
                                   const ent_request *request, uint64_t seed, ent_performance *performance);

/* What one training took. */
typedef struct ent_durations {
  double make;  /* the features, also selecting them */
  double train; /* all: making, lifting the training rows, their products, the solution */
  double lift;  /* the test rows, dense */
  double given; /* from training rows that were lifted before to weights */
} ent_durations;

/* Trains once more with what was chosen, for its time alone, on the threads of the context. `given` asks for that
 * duration, too: it takes another training, and memory for all lifted rows; otherwise it is NaN. */
entropic_status ent_evaluation_time(entropic_context *context, const ent_evaluation *evaluation,
                                    const ent_request *request, const ent_choice *choice, uint64_t seed, bool given,
                                    ent_durations *durations);

#endif

/* Feature selection from data: a path of models of growing size.
 *
 * Each step of the path screens every candidate of the pool against the residual, lifts the best ones, selects among
 * them by exact forward selection, chooses lambda on the validation rows, and lets the pool grow from what was
 * selected. */
#ifndef ENT_SELECT_PATH_H
#define ENT_SELECT_PATH_H

#include "lift/features.h"
#include "select/screen.h"
#include "loss/link.h"

/* Numbers of features that are compared, along a path and in a grid. */
#define ENT_SIZES 50, 100, 200, 350, 600, 1000, 1400, 2000

#define ENT_AS_GOOD 1.002 /* an error is as good as another if it is at most this many times as large */

/* One model of the path. All errors are on the validation rows. */
typedef struct ent_select_step {
  size_t features;
  double lambda;         /* of the squared loss, even if the loss is logistic: see ent_path_lambda in refit.h */
  double error;          /* what the path minimises: `mse`, the mean square of roots, or the mean logistic loss */
  double mse;            /* mean square error of the targets, each divided by its scale */
  double largest_square; /* the largest squared error of a target, divided by its scale */
  double error_rate;     /* classes: the share of misclassified rows; NaN for numbers */
  double bias;           /* with a link: the retransformation bias, see loss/root.h */
} ent_select_step;

/* Which loss selects features. */
typedef enum ent_selection_loss {
  ENT_BY_SQUARES = 0,
  ENT_BY_LOGISTIC = 1, /* two classes only */
  ENT_BY_BETTER = 2    /* two classes: the one with the smaller validation loss, see selection_loss.h */
} ent_selection_loss;

/* Where the time of a path went, in seconds. */
typedef struct ent_path_seconds {
  double screen, lift, gram, forward, solve;
} ent_path_seconds;

/* A finished path. */
typedef struct ent_selection {
  ent_selection_loss selection_loss; /* the loss that was used, never ENT_BY_BETTER */
  entropic_kernel *kernel;           /* a holder */
  ent_candidate_pool *candidates;
  ent_candidate *selected; /* [count] in the order of selection */
  size_t count;
  ent_select_step *steps; /* [step_count] */
  size_t step_count;
  double *squares;     /* [step][2][targets] mean squared error of each target, then the variance of that mean */
  double *predictions; /* [validation_rows x targets] of the step of least error */
  size_t validation_rows;
  bool stopped_early; /* the deadline ended the path */
  ent_path_seconds seconds;
} ent_selection;

/* How long a path may take; times are on the clock of ent_seconds. No step begins that would end after the deadline, but
 * for the first. A path may pass its deadline if the work that follows it would still end in time. */
typedef struct ent_path_time {
  double deadline;      /* 0: none */
  double last_deadline; /* of the path and the work that follows it; 0: the deadline is final */
  double following;     /* how long that work takes, in multiples of the path's own seconds */
} ent_path_time;

/* Whether the work that follows still ends in time, if the path ends at `end` after so many seconds. */
bool ent_path_may_extend(const ent_path_time *time, double end, double seconds);

/* Training and validation rows; all borrowed. */
typedef struct ent_path_data {
  ent_block train, validation;
  size_t inputs, targets;
  const double *scale;              /* [targets] squared errors are divided by these */
  bool classes;                     /* targets are -1 and 1: one for two classes, otherwise one for each class */
  const ent_link *link;             /* applied to the targets of `train`, not of `validation`; or NULL */
  const double *validation_weights; /* what is chosen on validation rows uses these; NULL: their own weights */
} ent_path_data;

/* What to select, and from what. */
typedef struct ent_path_task {
  ent_path_data data;
  size_t max_features;    /* at the end of the path */
  ent_pool_limits limits; /* which groups there may be */
  size_t patience;        /* the path ends after so many steps in a row without a smaller error; 0: as usual */
  double lambda;          /* negative: chosen along the path */
  bool logistic;          /* select by the logistic loss: two classes, both with training rows */
  bool no_early_stop;     /* go on to max_features, whatever the errors are */
  ent_path_time time;
} ent_path_task;

/* The largest of ENT_SIZES that is at most `most`, or the first. */
size_t ent_path_size(double most);
/* Every input of the kernel must have a constant base level. On failure *selection is empty. */
entropic_status ent_select_path(entropic_context *context, const entropic_kernel *kernel, const ent_path_task *task,
                                ent_selection *selection);
/* Frees and empties. */
void ent_selection_clear(ent_selection *selection);

/* The best step of a path: a later, larger one must have an error below that of the best before, by more than the
 * factor `as_good`. With 1 that is the step of least error, with ENT_AS_GOOD a smaller one that is as good. */
const ent_select_step *ent_best_step(const ent_selection *selection, double as_good);

/* The first `features` selected, ready to be lifted. */
entropic_status ent_selection_lifting(entropic_context *context, const ent_selection *selection, size_t features,
                                      ent_lifting *lifting);

#endif

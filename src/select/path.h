/* Selection from data: a path of growing models, each with the features that best explain what those before left.
 *
 * At each size of the path: every feature of the pool is screened against the residual, the best are lifted, exact
 * forward selection chooses among them, lambda follows the validation rows, and the pool grows from what was chosen. */
#ifndef ENT_SELECT_PATH_H
#define ENT_SELECT_PATH_H

#include "lift/features.h"
#include "select/target_transform.h"
#include "select/screen.h"

/* One model of the path. */
typedef struct ent_select_step {
  size_t features;
  double lambda;  /* of the squared loss, even where the logistic one was taken: see ent_path_lambda in refit.h */
  double error;   /* on the rows tried on: mean square of targets divided by their scales, or of roots; or mean logistic
                    loss */
  double plain;   /* the mean square of targets divided by their scales, whatever is learnt of them */
  double largest; /* square of a target over its scale, on these rows */
  double wrong;   /* classes: the share of wrong ones there */
  double bias;    /* with a root: see target_transform.h */
} ent_select_step;

/* Which loss chooses features. */
typedef enum ent_selection_loss {
  ENT_BY_SQUARES = 0,
  ENT_BY_LOGISTIC = 1, /* two classes only */
  ENT_BY_BETTER = 2    /* two classes: the one that does better, see selection_loss.h */
} ent_selection_loss;

typedef struct ent_selection {
  ent_selection_loss selection_loss; /* never the better one: the one it was */
  entropic_kernel *kernel;           /* a holder */
  ent_candidate_pool *candidates;
  ent_candidate *picks; /* in the order chosen */
  size_t count;
  ent_select_step *steps;
  size_t step_count;
  double *squares; /* [step][2][targets]: mean squares, each target by itself, and the variances of these means */
  double *tried;   /* [tried_rows x targets]: what the step of the least error makes of the rows tried on */
  bool hurried;    /* the deadline ended the path */
  size_t validation_rows;
  double screen, lift, gram, forward, solve; /* seconds */
} ent_selection;

/* What has to follow a path. Past its own deadline a path goes on as long as there seems to be time for that too. */
typedef struct ent_rest {
  double end;   /* when all has to be over, on the clock of ent_seconds; 0: at the path's deadline */
  double paths; /* as many times the seconds of this path */
} ent_rest;

/* Whether the rest ends in time, if a path is over at `after` and took so many seconds. */
bool ent_rest_fits(const ent_rest *rest, double after, double seconds);

/* Rows to learn from and to try on: all borrowed. */
typedef struct ent_selecting {
  ent_block train, out;
  size_t inputs, targets;
  const ent_target_transform
      *transform;            /* what the targets of `train`, but not of `out`, are; NULL: as they are. One target */
  const double *out_weights; /* by which rows tried on count for what is chosen, if not as in `out`; or NULL */
  const double *scale;       /* [targets] */
  size_t most;               /* features at the end of the path */
  double lambda;             /* negative: to be found along the path */
  bool whole;                /* walk to the end, however the errors go */
  size_t max_order;          /* 0: as many as the pool allows */
  const bool *used;          /* [inputs] which may be used; NULL: all */
  bool classes;              /* the targets are -1 and 1, one for two classes, otherwise one for each */
  bool logistic;             /* two classes with rows of both: the logistic loss chooses rather than squares */
  double deadline; /* on the clock of ent_seconds: no size is begun that would end after it, but for the first.
                          0: none */
  ent_rest rest;
} ent_selecting;

/* The features of all inputs of the kernel must have a constant base. On failure *selection is empty. */
entropic_status ent_select(entropic_context *context, const entropic_kernel *kernel, const ent_selecting *task,
                           ent_selection *selection);
/* Frees and empties. */
void ent_selection_clear(ent_selection *selection);

/* The first `features` of the path, ready for use. */
entropic_status ent_selection_lifting(entropic_context *context, const ent_selection *selection, size_t features,
                                      ent_lifting *lifting);

#endif

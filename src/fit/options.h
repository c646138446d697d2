/* How to learn, and what came of it: the form in which the rooms have it. */
#ifndef ENT_FIT_OPTIONS_H
#define ENT_FIT_OPTIONS_H

#include "base/parameters.h"
#include "update/collection.h"
#include "design/restriction.h"
#include "select/curve.h"
#include "tune/search.h"

#define ENT_LAMBDA_AUTO (-1.0)       /* by validation */
#define ENT_LAMBDA_THEORY (-2.0)     /* N^(-1/2) for N rows */
#define ENT_FEATURES_THEORY SIZE_MAX /* N^(1/4) for N rows, rounded up */

#define ENT_SMOOTH_AUTO (-1) /* with residual and the centred kernel 3 or none, by validation; otherwise none */

/* What a fit may cost, in time and in promises. */
typedef enum ent_effort {
  ENT_EFFORT_FAST = 0,    /* features of one kernel alone */
  ENT_EFFORT_DEFAULT = 1, /* a stack where that is better */
  ENT_EFFORT_BEST = 2     /* as default: there is nothing more yet */
} ent_effort;

/* How to learn. Start from ent_fit_options_default. */
typedef struct ent_fit_options {
  entropic_loss loss; /* default auto */
  /* Default none; balanced is for classes. It acts as row weights do: in losses, probabilities and validation
   * errors. */
  entropic_class_weight class_weight;
  ent_effort effort;      /* default */
  bool rows_in_model;     /* whether training rows may be parts of the model, as centres of its kernel; default yes */
  entropic_solver solver; /* default auto */
  /* Default auto. Residual needs a kernel whose base is the constant (centred or sobolev, full basis), validation rows,
   * the solver auto or direct, and no number of non-zeros. */
  entropic_select select;
  /* With residual: number of members averaged into one model, at most the number of folds. 0 (default): several where
   * that is cheap enough, one if features are given. */
  size_t ensemble;
  /* Time budget: no step of the search starts that would end later; 0 (default): no limit. The model then depends on
   * the speed of the machine. */
  double seconds;
  /* Default auto: plain with entropy. Root needs residual and a single numeric target. */
  entropic_target_scale target_scale;
  entropic_scaling scaling; /* default auto: quantile with entropy */
  /* Of numeric inputs; omega, categories and missing are not used. Default as there, but smooth is
   * ENT_SMOOTH_AUTO. Residual uses hats to level 8 at most. */
  entropic_axis_options axis;
  const double *omegas;         /* one for all inputs, or one for each (category inputs too) */
  size_t omega_count;           /* 0 (default): chosen by validation; 1; or the number of inputs */
  double lambda;                /* finite, not negative, or one of the two above; default auto */
  size_t features;              /* how many; 0 (default): chosen by validation; or FEATURES_THEORY */
  size_t nonzeros;              /* instead: how many non-zeros a row at most; 0 (default): not used */
  entropic_criterion criterion; /* as in entropic_design_options, these two */
  size_t max_order;
  /* Which inputs features may depend on together, borrowed; NULL (default): any. Needs a kernel whose base is the
   * constant, and a solver with features. */
  const ent_restriction *restriction;
  /* With a restriction: the fit without it is validated as well, on the same rows; default yes. Not with a time
   * budget. */
  bool unrestricted;
  uint64_t seed; /* of the folds, and of the random choice of `paper`; default 1 */
  size_t folds;  /* of cross-validation, 2 .. 100; default 5 */
  /* The model keeps the statistics of its rows; default no. The loss auto then is squared; no other one, nor the exact
   * solver, has statistics. */
  bool keep_statistics;
  bool target_means; /* may be inputs, where they are of use; default yes */
} ent_fit_options;

ent_fit_options ent_fit_options_default(void);

/* One size of the path: means over the members of lambda and of the error on inner validation rows. In the units of
 * entropic_model_info.validation_error; for classes the error of the squared loss. */
typedef struct ent_path_step {
  size_t features;
  size_t members; /* that reached this size */
  double lambda, error;
  double spread; /* the standard error of `error`, for independent rows; NaN if unknown */
} ent_path_step;

/* The form of the fitted model, from the simplest on. A richer form must beat the simpler ones by more than noise, on outer
 * validation rows. The parameters features, omega, lambda, select, solver and ensemble ask for the full form. */
typedef enum ent_form {
  ENT_FORM_CONSTANT = 0, /* the mean, or the class frequencies */
  ENT_FORM_LINEAR = 1,   /* linear in the scaled inputs and in their categories */
  ENT_FORM_FULL = 2,
  ENT_FORM_REFERENCE = 3, /* no form of a model: ridge, linear in the inputs' own units and the categories */
  ENT_FORM_KERNEL = 4,    /* no form of a model by itself: see kernel_form.h */
  ENT_FORM_STACK = 5,     /* the full form as a weighted sum: see stack.h. Reports call it full */
  ENT_FORMS = 6
} ent_form;

/* "nothing", "linear" or "full", as reports have them; NULL if there is no such form of a model. */
const char *ent_form_name(ent_form form);

/* Times and errors of a fit. A plain value that owns nothing. Errors are in the units of
 * entropic_model_info.validation_error, NaN if unknown. */
typedef struct ent_fit_report {
  ent_search_seconds search;             /* seconds of the fit itself, without outer validation */
  double prepare, validation, intervals; /* seconds too: scaling of rows; outer validation; what intervals need */
  double full_pass;                      /* and: statistics of all rows, of a table with a sample or to be kept */
  double total;                          /* and: in all, of which the others are parts; something is left over */
  ent_collected all_rows;                /* of a table with a sample: what the pass over all rows came to */
  bool sampled;                          /* the weights are those of the sample: there is no way to all rows */
  const char *ended;                     /* NULL if the fit converged; otherwise why it stopped, a constant text */
  size_t largest;                        /* the largest number of features on the path, if it was chosen; otherwise 0 */
  int stopped_early;                     /* 1 if the time budget cut the search short */
  size_t members;                        /* number of models averaged into one; 1 without averaging */
  size_t member_least,
      member_most;           /* features of the member with the fewest and of that with the most; 0: no members */
  ent_form form;             /* of the model */
  size_t stack_runs;         /* of outer validation, whose models a stack is made of; 0: it is none */
  double stack[ENT_FORMS];   /* the weights of forms in it */
  double heaviest_share;     /* numbers: of all squared validation errors, that of the heaviest_rows largest */
  size_t heaviest_rows;      /* 0: not known */
  size_t out_of_reach;       /* rows left out of all figures: further outside than the model goes on */
  double error_spread;       /* the standard error of validation_error, for independent rows or groups */
  double mean_error;         /* reference on the same rows: the training mean, or the most frequent training class */
  double linear_error;       /* reference on the same rows: ridge, linear in the inputs' own units and the categories */
  double unrestricted_error; /* of the fit without the restriction, on the same rows; NaN if it was not made */
  double unrestricted_spread; /* its standard error */
  double unrestricted_loss;   /* classes: its mean of -ln(p) */
  size_t path_count;          /* sizes of the path, ascending */
  ent_path_step path[ENT_PATH_MOST];
} ent_fit_report;

/* entropic_fit by options. report may be NULL. */
entropic_status ent_model_fit(entropic_context *context, const entropic_dataset *train, const entropic_dataset *valid,
                              const ent_fit_options *options, ent_fit_report *report, entropic_model **model);
/* What is wrong with the parameters of a fit whatever the data, and for this task. */
entropic_status ent_fit_check(entropic_context *context, const entropic_parameters *parameters);
entropic_status ent_fit_check_task(entropic_context *context, const entropic_parameters *parameters,
                                   entropic_task task);
entropic_task ent_task_by(const entropic_parameters *parameters);
entropic_scaling ent_scaling_by(const entropic_parameters *parameters, entropic_scaling fallback);
/* The options that parameters stand for; omegas point into `room`, of `inputs` numbers. */
entropic_status ent_fit_options_by(entropic_context *context, const entropic_parameters *parameters, size_t inputs,
                                   double *room, ent_fit_options *options);

#endif

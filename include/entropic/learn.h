/* Data sets and how to learn from them. */
#ifndef ENTROPIC_LEARN_H
#define ENTROPIC_LEARN_H

#include "entropic/features.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Learning ---------------------------------------------------------------------------------------------- */

typedef enum entropic_task {
  ENTROPIC_TASK_AUTO = 0,     /* detected from the target: see entropic_dataset_create */
  ENTROPIC_REGRESSION = 1,    /* numbers */
  ENTROPIC_CLASSIFICATION = 2 /* classes */
} entropic_task;

typedef enum entropic_loss {
  ENTROPIC_LOSS_AUTO = 0, /* squared for numbers; for classes whichever validates better */
  ENTROPIC_SQUARED = 1,   /* ridge; classes as -1 and 1, one against the rest */
  ENTROPIC_LOGISTIC = 2,  /* logistic or softmax; classes only */
  ENTROPIC_HINGE = 3      /* squared hinge, one against the rest: rows far on the right side cost nothing; classes only,
                             at most 6000 features */
} entropic_loss;

typedef enum entropic_solver {
  ENTROPIC_SOLVER_AUTO = 0,      /* the cheapest of the next three, which agree */
  ENTROPIC_SOLVER_DIRECT = 1,    /* normal equations, one unknown a feature */
  ENTROPIC_SOLVER_DUAL = 2,      /* dual equations, one unknown a row */
  ENTROPIC_SOLVER_ITERATIVE = 3, /* conjugate gradients; each step lifts the rows again */
  ENTROPIC_SOLVER_EXACT = 4      /* kernel ridge without features: a sum over the training rows */
} entropic_solver;

/* How features are selected. */
typedef enum entropic_select {
  ENTROPIC_SELECT_AUTO = 0,    /* residual, unless another option needs entropy */
  ENTROPIC_SELECT_ENTROPY = 1, /* by the kernel alone: the entropic design */
  ENTROPIC_SELECT_RESIDUAL = 2 /* from the data: features that explain the residual of the others */
} entropic_select;

/* Weights of classes. */
typedef enum entropic_class_weight {
  ENTROPIC_CLASS_WEIGHT_NONE = 0,    /* the row weights alone */
  ENTROPIC_CLASS_WEIGHT_BALANCED = 1 /* times rows / (classes * rows of the class): equal total weight of all classes */
} entropic_class_weight;

/* "regression", "logistic", "direct" and so on; NULL for a number that is none of them. */
ENTROPIC_API const char *entropic_task_name(entropic_task task);
ENTROPIC_API const char *entropic_loss_name(entropic_loss loss);
ENTROPIC_API const char *entropic_solver_name(entropic_solver solver);
ENTROPIC_API const char *entropic_select_name(entropic_select select);

/* The transform of a numeric target. Root is sqrt(y - origin) with the least training target as origin, or sqrt(origin
 * - y) with the largest one. It is for skewed targets such as counts and prices, whose errors grow with their values.
 * Predictions are squared, never lie beyond the origin, and are corrected for the retransformation bias. */
typedef enum entropic_target_scale {
  ENTROPIC_TARGET_AUTO = 0, /* root if the target is skewed and the validation error is smaller */
  ENTROPIC_TARGET_PLAIN = 1,
  ENTROPIC_TARGET_ROOT = 2
} entropic_target_scale;

/* "auto", "plain", "root"; NULL for any other number. */
ENTROPIC_API const char *entropic_target_scale_name(entropic_target_scale scale);
ENTROPIC_API const char *entropic_class_weight_name(entropic_class_weight weight);
ENTROPIC_API const char *entropic_scaling_name(entropic_scaling scaling);

/* Training data: the informative inputs of a table, its rows with a target, and sorted classes. */
typedef struct entropic_dataset entropic_dataset;

/* The table must have at least one target (in LIBSVM text the label). Its values are copied. Rows without a target or
 * with weight 0 are dropped. Constant inputs, identifiers and copies are dropped; a copy equals an earlier input in
 * every remaining row, missing values included. Task auto: a text target, or one with two distinct values, means
 * classes (LIBSVM: integers with at most 100 distinct values); anything else means numbers. Several targets must be
 * numbers. BAD_DATA if no row or no input is left, if a weight is negative or missing, or if there is only one class.
 * Classes are sorted: as numbers if all are, otherwise by bytes. */
ENTROPIC_API entropic_status entropic_dataset_create(entropic_context *context, const entropic_table *table,
                                                     entropic_task task, entropic_dataset **dataset);
/* A data set with the schema of another one: the same inputs, categories, targets and classes, found by name in another
 * table. BAD_DATA if one is missing, or if a row has a class that the other one does not have. */
ENTROPIC_API entropic_status entropic_dataset_create_with_schema(entropic_context *context, const entropic_table *table,
                                                                 const entropic_dataset *schema_of,
                                                                 entropic_dataset **dataset);
ENTROPIC_API void entropic_dataset_free(entropic_dataset *dataset);

/* The properties of a data set. */
typedef struct entropic_dataset_info {
  entropic_task task;
  int task_found;        /* 1 if the task was detected, not given */
  size_t rows, inputs;   /* in use */
  size_t targets;        /* 1 for classes */
  size_t classes;        /* 0 for numbers */
  size_t without_target; /* rows dropped because they have no target */
  size_t without_weight; /* rows dropped because their weight is 0 */
  size_t missing;        /* missing values in inputs in use */
  size_t unseen;         /* values in inputs in use whose category the schema does not have */
  size_t dropped;        /* inputs that were dropped */
  int weighted, grouped; /* 1 if there is a column of weights, of groups */
  size_t groups;         /* number of groups in the rows in use; 0 without such a column */
  int timed, one_time;   /* 1 if there is a column of time; 1 if all rows in use have the same time */
  int flat;              /* 1 if every target is constant over the rows in use */
} entropic_dataset_info;

ENTROPIC_API entropic_dataset_info entropic_dataset_describe(const entropic_dataset *dataset);
/* A dropped input: its name and why (constant, identifier or copy); NULL if there is no such index. */
ENTROPIC_API const char *entropic_dataset_dropped(const entropic_dataset *dataset, size_t index, entropic_type *why);
/* The name of the input that this dropped input is a copy of; NULL if it is not a copy. */
ENTROPIC_API const char *entropic_dataset_original(const entropic_dataset *dataset, size_t index);
/* Notices about classes, one sentence each, from index 0; NULL past the last. */
ENTROPIC_API const char *entropic_dataset_notice(const entropic_dataset *dataset, size_t index);

#define ENTROPIC_LAMBDA_AUTO (-1.0)       /* by validation */
#define ENTROPIC_LAMBDA_THEORY (-2.0)     /* N^(-1/2) for N rows */
#define ENTROPIC_FEATURES_THEORY SIZE_MAX /* N^(1/4) for N rows, rounded up */

#define ENTROPIC_SMOOTH_AUTO (-1) /* with residual and the centred kernel 3 or none, by validation; otherwise none */

/* How to learn. Start from entropic_fit_options_default. */
typedef struct entropic_fit_options {
  entropic_loss loss; /* default auto */
  /* Default none; balanced is for classes. It acts as row weights do: in losses, probabilities and validation
   * errors. */
  entropic_class_weight class_weight;
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
   * ENTROPIC_SMOOTH_AUTO. Residual uses hats to level 8 at most. */
  entropic_axis_options axis;
  const double *omegas;   /* one for all inputs, or one for each (category inputs too) */
  size_t omega_count;     /* 0 (default): chosen by validation; 1; or the number of inputs */
  double lambda;          /* finite, not negative, or one of the two above; default auto */
  size_t features;        /* how many; 0 (default): chosen by validation; or FEATURES_THEORY */
  size_t nonzeros;        /* instead: how many non-zeros a row at most; 0 (default): not used */
  entropic_choice choice; /* as in entropic_design_options, these four */
  entropic_criterion criterion;
  size_t max_order;
  uint64_t seed; /* of the folds, and of the paper's random choice; default 1 */
  size_t folds;  /* of cross-validation, 2 .. 100; default 5 */
} entropic_fit_options;

ENTROPIC_API entropic_fit_options entropic_fit_options_default(void);

/* One size of the path: means over the members of lambda and of the error on inner validation rows. In the units of
 * entropic_model_info.validation_error; for classes the error of the squared loss. */
typedef struct entropic_path_step {
  size_t features;
  size_t members; /* that reached this size */
  double lambda, error;
} entropic_path_step;

#define ENTROPIC_PATH_MOST 32

/* The form of the fitted model. A richer form must beat the simpler ones by more than noise, on outer validation rows.
 * The options features, omega, lambda, select, solver and ensemble ask for the full form. */
typedef enum entropic_form {
  ENTROPIC_FORM_NOTHING = 0, /* a constant: the mean, or the class frequencies */
  ENTROPIC_FORM_LINEAR = 1,  /* linear in the scaled inputs and in their categories */
  ENTROPIC_FORM_FULL = 2
} entropic_form;

/* "nothing", "linear" or "full"; NULL if there is no such form. */
ENTROPIC_API const char *entropic_form_name(entropic_form form);

/* Times and errors of a fit. A plain value that owns nothing. Errors are in the units of
 * entropic_model_info.validation_error, NaN if unknown. */
typedef struct entropic_fit_report {
  double design, lift, gram, solve, total; /* seconds, of which the other four are parts */
  const char *ended;                       /* NULL if the fit converged; otherwise why it stopped, a constant text */
  size_t largest;      /* the largest number of features on the path, if it was chosen; otherwise 0 */
  int hurried;         /* 1 if the time budget cut the search short */
  size_t members;      /* number of models averaged into one; 1 without averaging */
  entropic_form form;  /* of the model */
  double error_spread; /* the standard error of validation_error, for independent rows or groups */
  double mean_error;   /* reference on the same rows: the training mean, or the most frequent training class */
  double linear_error; /* reference on the same rows: ridge, linear in the scaled inputs and the categories */
  size_t path_count;   /* sizes of the path, ascending */
  entropic_path_step path[ENTROPIC_PATH_MOST];
} entropic_fit_report;

#ifdef __cplusplus
}
#endif
#endif

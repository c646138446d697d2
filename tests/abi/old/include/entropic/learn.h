/* Data sets and how to learn from them. */
#ifndef ENTROPIC_LEARN_H
#define ENTROPIC_LEARN_H

#include "entropic/features.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Learning ---------------------------------------------------------------------------------------------- */

typedef enum entropic_task {
  ENTROPIC_TASK_AUTO = 0,          /* detected from the target: see entropic_dataset_create */
  ENTROPIC_TASK_REGRESSION = 1,    /* numbers */
  ENTROPIC_TASK_CLASSIFICATION = 2 /* classes */
} entropic_task;

/* Every loss: its name, its number (stable for ever: files have it) and its table in src/loss/, which says all else of it. */
#define ENTROPIC_LOSS_MAP(X)                                                                                           \
  X(SQUARED, 1, squared)   /* ridge; classes as -1 and 1, one against the rest */                                      \
  X(LOGISTIC, 2, logistic) /* logistic or softmax; classes */                                                          \
  X(HINGE, 3, hinge)       /* squared hinge, one against the rest: rows far on the right side cost nothing; classes */ \
  X(HUBER, 4, huber)       /* squares of small residuals, and lines beyond a width: outliers count less; numbers */

typedef enum entropic_loss {
  ENTROPIC_LOSS_AUTO = 0, /* squared for numbers; for classes whichever validates better */
#define ENTROPIC_LOSS_MEMBER(name, number, table) ENTROPIC_LOSS_##name = number,
  ENTROPIC_LOSS_MAP(ENTROPIC_LOSS_MEMBER)
#undef ENTROPIC_LOSS_MEMBER
} entropic_loss;

typedef enum entropic_solver {
  ENTROPIC_SOLVER_AUTO = 0,      /* the cheapest of the next three, which agree */
  ENTROPIC_SOLVER_DIRECT = 1,    /* normal equations, one unknown a feature */
  ENTROPIC_SOLVER_DUAL = 2,      /* dual equations, one unknown a row */
  ENTROPIC_SOLVER_ITERATIVE = 3, /* conjugate gradients; each step lifts the rows again */
  ENTROPIC_SOLVER_EXACT = 4      /* kernel ridge without features: a sum over the training rows */
} entropic_solver;

/* Weights of classes. */
typedef enum entropic_class_weight {
  ENTROPIC_CLASS_WEIGHT_NONE = 0,    /* the row weights alone */
  ENTROPIC_CLASS_WEIGHT_BALANCED = 1 /* times rows / (classes * rows of the class): equal total weight of all classes */
} entropic_class_weight;

/* The transform of a numeric target. Root is sqrt(y - origin) with the least training target as origin, or sqrt(origin
 * - y) with the largest one. It is for skewed targets such as counts and prices, whose errors grow with their values.
 * Predictions are squared, never lie beyond the origin, and are corrected for the retransformation bias. */
typedef enum entropic_target_scale {
  ENTROPIC_TARGET_SCALE_AUTO = 0, /* root if the target is skewed and the validation error is smaller */
  ENTROPIC_TARGET_SCALE_PLAIN = 1,
  ENTROPIC_TARGET_SCALE_ROOT = 2
} entropic_target_scale;

/* Training data: the informative inputs of a table, its rows with a target, and sorted classes. */
typedef struct entropic_dataset entropic_dataset;

/* The table must have at least one target (in LIBSVM text the label). Its values are copied. Rows without a target or
 * with weight 0 are dropped. Constant inputs, identifiers and copies are dropped; a copy equals an earlier input in
 * every remaining row, missing values included. The parameter task, if it is auto: a text target, or one with two distinct values, means
 * classes (LIBSVM: integers with at most 100 distinct values); anything else means numbers. Several targets must be
 * numbers. BAD_DATA if no row or no input is left, if a weight is negative or missing, or if there is only one class.
 * Classes are sorted: as numbers if all are, otherwise by bytes. */
ENTROPIC_API entropic_status entropic_dataset_create(entropic_context *context, const entropic_table *table,
                                                     const entropic_parameters *parameters /* or NULL */,
                                                     entropic_dataset **dataset);
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
  int constant_target;   /* 1 if every target is constant over the rows in use */
} entropic_dataset_info;

/* Writes the first `size` bytes of it; size is sizeof(entropic_dataset_info) as the caller knows it. */
ENTROPIC_API entropic_status entropic_dataset_describe(entropic_context *context, const entropic_dataset *dataset,
                                                       entropic_dataset_info *info, size_t size);
/* A dropped input: its name and why (constant, identifier or copy); NULL if there is no such index. */
ENTROPIC_API const char *entropic_dataset_dropped(const entropic_dataset *dataset, size_t index,
                                                  entropic_column_type *why);
/* The name of the input that this dropped input is a copy of; NULL if it is not a copy. */
ENTROPIC_API const char *entropic_dataset_original(const entropic_dataset *dataset, size_t index);
/* Notices about classes, one sentence each, from index 0; NULL past the last. */
ENTROPIC_API const char *entropic_dataset_notice(const entropic_dataset *dataset, size_t index);

#ifdef __cplusplus
}
#endif
#endif

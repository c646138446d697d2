/* Comparisons. Experimental: see entropic.h. */
#ifdef ENTROPIC_EXPERIMENTAL
#ifndef ENTROPIC_COMPARE_H
#define ENTROPIC_COMPARE_H

#include "entropic/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Entropic optimal features compared with random features and other baselines, on the caller's data set: the same rows,
 * scalings, solver and tuning for all. */
typedef struct entropic_comparison entropic_comparison;

/* Compares by the parameters of a comparison. Row weights are not used; rows of a group stay on one side of a split. Missing numbers are replaced by the median. */
ENTROPIC_API entropic_status entropic_compare(entropic_context *context, const entropic_dataset *dataset,
                                              const entropic_parameters *parameters /* or NULL */,
                                              entropic_comparison **comparison);
ENTROPIC_API void entropic_comparison_free(entropic_comparison *comparison);

/* The result of one method with one number of features. */
typedef struct entropic_method_result {
  const char *name; /* EOF, EOF-select, EOF-printed, EOF-inset, RKS, ORF, LKRF, EERF, QMC, SORF, Nystroem, Nystroem-RPC,
                       kernel ridge */
  int tuned;        /* 1: bandwidth tuned on validation rows, and the scaling if it is auto; 0: bandwidth by the rule */
  size_t features;  /* asked for; of exact kernel ridge, which has none, the training rows */
  size_t runs;
  double error, sd;             /* on test rows: root mean square error or share of wrong classes; sd NaN for one run */
  double train_seconds;         /* on one thread, making the features and solving: the median of some trainings */
  double train_low, train_high; /* their quartiles */
  double lift_seconds;          /* on one thread: lifting the test rows */
  double nonzeros;              /* of a lifted row, on average */
  double bandwidth;             /* in use, geometric mean */
  const char *kernel;           /* in use, in most runs */
  entropic_scaling scaling;     /* likewise */
} entropic_method_result;

ENTROPIC_API size_t entropic_comparison_count(const entropic_comparison *comparison);
/* Writes the first `size` bytes of a result; size is sizeof(entropic_method_result) as the caller knows it. BAD_ARGUMENT if
 * there is none of that number. */
ENTROPIC_API entropic_status entropic_comparison_get(entropic_context *context, const entropic_comparison *comparison,
                                                     size_t index, entropic_method_result *result, size_t size);
/* Its errors, one for each of its runs, in order; all methods have the same rows in the same run. They belong to the
 * comparison. BAD_ARGUMENT if there is none of that number, or errors is NULL. */
ENTROPIC_API entropic_status entropic_comparison_errors(entropic_context *context,
                                                        const entropic_comparison *comparison, size_t index,
                                                        const double **errors);
/* The error of a constant on the same rows, as a reference: the mean of the training rows, or their most frequent
 * class. The fields name ("constant"), runs, error and sd are set. errors as above. BAD_ARGUMENT if an argument is
 * NULL. */
ENTROPIC_API entropic_status entropic_comparison_constant(entropic_context *context,
                                                          const entropic_comparison *comparison,
                                                          entropic_method_result *constant, size_t size,
                                                          const double **errors);

/* How many processors other work kept busy while trainings were measured, on average: from 0.25 on their times are not
 * to be trusted. NaN if that is not known, or comparison is NULL. */
ENTROPIC_API double entropic_comparison_load(const entropic_comparison *comparison);

/* "quantile", "minmax" and so on; NULL for a number that is no scaling. */
ENTROPIC_API const char *entropic_scaling_name(entropic_scaling scaling);

#ifdef __cplusplus
}
#endif
#endif
#endif

/* Two methods on the same runs: differences of their errors, with intervals. */
#ifndef ENT_COMPARE_PAIRED_H
#define ENT_COMPARE_PAIRED_H

#include <stddef.h>

typedef struct ent_paired {
  size_t runs;
  double ratio;      /* of the means */
  double difference; /* mean of first minus second: below 0 the first is better */
  double low,
      high; /* its 95 % interval by Student's t over the runs; NaN for one run. It is of the mean over all splits
                        of these rows: as splits share rows, it says little of other rows */
  double wide_low,
      wide_high;    /* the same with the variance of Nadeau and Bengio (2003), which counts the rows that splits
                                 share: of other rows from the same source */
  size_t won, lost; /* runs in which the first had the smaller or the larger error */
} ent_paired;

/* errors[runs] of both, in the same order; `test_share` is test rows over training rows. */
ent_paired ent_paired_of(const double *first, const double *second, size_t runs, double test_share);

/* Where Student's distribution function with so many degrees of freedom, 1 or more, is p, 0.5 <= p < 1. */
double ent_student_quantile(double p, double freedom);

#endif

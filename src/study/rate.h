/* How fast the error falls with the number of rows, where theory says: a known function of the kernel's space with
 * noise, learnt from N rows with M = 2 N^(1/4) features and lambda = N^(-1/2) / 100; the excess risk is the mean square
 * of what is learnt minus the function. */
#ifndef ENT_STUDY_RATE_H
#define ENT_STUDY_RATE_H

#include "entropic/entropic.h"

#define ENT_RATE_MOST 16

typedef struct ent_rate {
  size_t inputs;
  size_t count;
  double rows[ENT_RATE_MOST], features[ENT_RATE_MOST], risk[ENT_RATE_MOST]; /* mean over runs */
  double spread[ENT_RATE_MOST];                                             /* standard error of that */
  double slope; /* of log risk against log rows, by least squares */
} ent_rate;

/* N = 2^first .. 2^last. */
entropic_status ent_rate_measure(entropic_context *context, size_t inputs, int first, int last, size_t runs,
                                 uint64_t seed, ent_rate *rate);

/* The slope of log y against log x. */
double ent_log_slope(const double *x, const double *y, size_t count);

#endif

/* How fast the error falls with the number of rows, where theory gives a rate. The target is a known function of the
 * kernel's space, with noise. A model is trained on N rows with M = 2 N^(1/4) features and lambda = N^(-1/2) / 100. The
 * excess risk is the mean square of prediction minus function. */
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

typedef struct ent_rate_options {
  size_t inputs;   /* 1 .. 8 */
  int first, last; /* N = 2^first .. 2^last, within 2^4 .. 2^24 */
  size_t runs;     /* for each N, 1 or more */
  uint64_t seed;
} ent_rate_options;

entropic_status ent_rate_measure(entropic_context *context, const ent_rate_options *options, ent_rate *rate);

/* The slope of log y against log x. */
double ent_log_slope(const double *x, const double *y, size_t count);

#endif

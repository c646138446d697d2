/* How fast the error falls with the number of rows, where theory gives a rate. The target is a known function of the
 * kernel's space, with noise. A model is trained on N rows with M = 2 N^(1/4) features and lambda = N^(-1/2) / 100. The
 * excess risk is the mean square of prediction minus function. Three controls learn from the same rows: fewer features
 * than that, the same number for every N, and random features. */
#ifndef ENT_CLAIMS_RATE_H
#define ENT_CLAIMS_RATE_H

#include <stdbool.h>

#include "entropic/entropic.h"

#define ENT_RATE_MOST 16 /* numbers of rows */
#define ENT_RATE_RUNS 31 /* runs for each of them */

/* How many features, and of which kind, belong to N rows. All have the same number at N = 2^8. */
typedef enum ent_rate_rule {
  ENT_RATE_FOURTH, /* M = 2 N^(1/4): what theory asks for */
  ENT_RATE_EIGHTH, /* M = 4 N^(1/8): too few */
  ENT_RATE_FIXED,  /* M = 8 */
  ENT_RATE_RANDOM, /* M = 2 N^(1/4) random features (RKS) of the laplace kernel, which has the same space */
  ENT_RATE_RULES
} ent_rate_rule;

/* The slope of log risk against log rows, with its 95 % interval.
 *
 * Each run has a line of its own, by least squares through all its points. The slope is the mean of these slopes, the
 * interval Student's for that mean. Runs are independent; points of one run are not, since they share test rows. So the
 * interval says what other runs would give. It does not say that the points lie on a line: `late` is the slope of the
 * last half of the points, for that. Interval ends are NaN with one run. */
typedef struct ent_slope {
  double slope, low, high;
} ent_slope;

typedef struct ent_rate {
  size_t inputs;
  ent_rate_rule rule;
  size_t count, runs;
  double rows[ENT_RATE_MOST], features[ENT_RATE_MOST];
  double risks[ENT_RATE_MOST][ENT_RATE_RUNS]; /* of every run */
  double risk[ENT_RATE_MOST];                 /* mean over runs */
  double spread[ENT_RATE_MOST];               /* standard error of that; NaN with one run */
  double bound[ENT_RATE_MOST];                /* what theory says of M = 2 N^(1/4), through the first point */
  ent_slope all, late;
} ent_rate;

typedef struct ent_rate_options {
  size_t inputs;   /* 1 .. 8 */
  int first, last; /* N = 2^first .. 2^last, within 2^4 .. 2^24 */
  size_t runs;     /* for each N, 1 .. ENT_RATE_RUNS */
  uint64_t seed;
} ent_rate_options;

/* All rules for one number of inputs: rates[ENT_RATE_RULES]. On the context's threads; the same bits for any number of
 * them. */
entropic_status ent_rate_measure(entropic_context *context, const ent_rate_options *options, ent_rate *rates);

/* The numbers of inputs that are measured. */
#define ENT_RATE_DIMENSIONS 4
extern const size_t ent_rate_inputs[ENT_RATE_DIMENSIONS];

/* All of them: rates[ENT_RATE_DIMENSIONS * ENT_RATE_RULES], by inputs, then by rule. In short: 2^8 to 2^14 rows, three
 * runs; otherwise 2^8 to 2^20 rows, and at most 20 runs. */
entropic_status ent_rates_measure(entropic_context *context, bool quick, size_t runs, uint64_t seed, ent_rate *rates);

/* "M = 2 N^(1/4)". */
const char *ent_rate_rule_name(ent_rate_rule rule);
/* M for N rows. */
size_t ent_rate_features(ent_rate_rule rule, size_t rows);
/* The bound of theory for D inputs, up to a factor: see rate_fit.c. It falls with N only from some number of rows on. */
double ent_rate_bound(size_t inputs, double rows);
double ent_rate_bound_falls_from(size_t inputs);
/* Fills in mean, standard error, bound and slopes from the risks of the runs. */
void ent_rate_fit(ent_rate *rate);
/* The slope of log y against log x. */
double ent_log_slope(const double *x, const double *y, size_t count);

#endif

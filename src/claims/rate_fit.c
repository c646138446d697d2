/* Slopes of rates, and the bound they are set against: see rate.h.
 *
 * The bound. Let f have norm 1 in the kernel's space, and let f_l be its part in the group of levels l = (l_1 .. l_D). The
 * parts are orthogonal there. Of one input, the mean square of an atom of norm 1 and level l is of order 4^-l, so
 * |f_l|_2 <= C 2^-|l| |f_l|, |l| the sum of the levels. Keep the groups with |l| <= n. What is missing has
 *     |sum of f_l|_2^2 <= (sum of |f_l|_2)^2 <= C (sum over |l| > n of 4^-|l|) |f|^2,   by Cauchy and Schwarz,
 * and since n^(D-1) groups, up to a factor, have |l| = n, this is of order 4^-n n^(D-1). The groups kept have M = 2^n
 * n^(D-1) features, up to a factor: 2^-n is log^(D-1) M / M, and the squared error is of order
 *     M^-2 log^(3(D-1)) M.
 * For this projection no power of the logarithm can be saved: atoms are positive, so parts of the same |l| can add up.
 * (The best approximation in mean square from the same features needs only 2(D-1) of them; the features are not
 * orthogonal in mean square.) Regularisation adds lambda |f|^2 and noise adds N^(-1/2), both of order N^(-1/2). */
#include "claims/rate.h"

#include <math.h>

#include "compare/paired.h"

#define FEATURES_FACTOR 2.0
#define FEW_FACTOR 4.0 /* makes 4 N^(1/8) the same as 2 N^(1/4) at N = 256 */
#define FIXED 8

const char *ent_rate_rule_name(ent_rate_rule rule) {
  static const char *const names[ENT_RATE_RULES] = {[ENT_RATE_FOURTH] = "EOF, M = 2 N^(1/4)",
                                                    [ENT_RATE_EIGHTH] = "EOF, M = 4 N^(1/8)",
                                                    [ENT_RATE_FIXED] = "EOF, M = 8",
                                                    [ENT_RATE_RANDOM] = "RKS, M = 2 N^(1/4)"};
  return names[rule];
}

size_t ent_rate_features(ent_rate_rule rule, size_t rows) {
  if (rule == ENT_RATE_FIXED)
    return FIXED;
  bool few = rule == ENT_RATE_EIGHTH;
  return (size_t)ceil((few ? FEW_FACTOR : FEATURES_FACTOR) * pow((double)rows, few ? 0.125 : 0.25));
}

double ent_rate_bound(size_t inputs, double rows) {
  double features = FEATURES_FACTOR * pow(rows, 0.25);
  return pow(log(features), 3 * (double)(inputs - 1)) / (features * features) + 1 / sqrt(rows);
}

/* M^-2 log^k M falls from M = e^(k/2) on. */
double ent_rate_bound_falls_from(size_t inputs) {
  return pow(exp(1.5 * (double)(inputs - 1)) / FEATURES_FACTOR, 4);
}

double ent_log_slope(const double *x, const double *y, size_t count) {
  double mean_x = 0, mean_y = 0, product = 0, square = 0;
  for (size_t i = 0; i < count; i++) {
    mean_x += log(x[i]) / (double)count;
    mean_y += log(y[i]) / (double)count;
  }
  for (size_t i = 0; i < count; i++) {
    product += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
    square += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
  }
  return product / square;
}

/* Mean and standard error of the mean, NaN for one value. */
static double mean_of(const double *values, size_t count, double *error) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  double mean = sum / (double)count;
  for (size_t i = 0; i < count; i++)
    squares += (values[i] - mean) * (values[i] - mean);
  *error = count > 1 ? sqrt(squares / (double)(count - 1) / (double)count) : NAN;
  return mean;
}

/* Of the points from `first` on. */
static ent_slope slope_from(const ent_rate *rate, size_t first) {
  double slopes[ENT_RATE_RUNS], risks[ENT_RATE_MOST], error;
  if (rate->count < first + 2)
    return (ent_slope){NAN, NAN, NAN};
  for (size_t run = 0; run < rate->runs; run++) {
    for (size_t i = first; i < rate->count; i++)
      risks[i - first] = rate->risks[i][run];
    slopes[run] = ent_log_slope(rate->rows + first, risks, rate->count - first);
  }
  ent_slope slope = {.slope = mean_of(slopes, rate->runs, &error)};
  double half = rate->runs > 1 ? ent_student_quantile(0.975, (double)(rate->runs - 1)) * error : NAN;
  slope.low = slope.slope - half;
  slope.high = slope.slope + half;
  return slope;
}

void ent_rate_fit(ent_rate *rate) {
  for (size_t i = 0; i < rate->count; i++) {
    rate->risk[i] = mean_of(rate->risks[i], rate->runs, &rate->spread[i]);
    rate->bound[i] =
        rate->risk[0] * ent_rate_bound(rate->inputs, rate->rows[i]) / ent_rate_bound(rate->inputs, rate->rows[0]);
  }
  rate->all = slope_from(rate, 0);
  rate->late = slope_from(rate, rate->count / 2);
}

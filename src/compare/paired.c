/* Two methods on the same runs: see paired.h. */
#include "compare/paired.h"

#include <math.h>

#include "base/extreme.h"

/* The share of Student's distribution beyond t > 0 on both sides: the regularised incomplete beta function of
 * x = v/(v + t^2) with parameters v/2 and 1/2, by its continued fraction (Lentz), which converges where
 * x < (a + 1)/(a + b + 2), or of 1 - x with the parameters exchanged. */
static double beta_fraction(double x, double a, double b) {
  const double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (fabs(d) < tiny ? tiny : d);
  double h = d;
  for (int m = 1; m <= 500; m++) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double steps[2] = {even, odd}, before = h;
    for (int i = 0; i < 2; i++) {
      d = 1 + steps[i] * d;
      c = 1 + steps[i] / c;
      d = 1 / (fabs(d) < tiny ? tiny : d);
      c = fabs(c) < tiny ? tiny : c;
      h *= c * d;
    }
    if (fabs(h - before) <= 1e-16 * fabs(h))
      break;
  }
  return h;
}

static double beta_share(double x, double a, double b) {
  double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a : 1 - front * beta_fraction(1 - x, b, a) / b;
}

double ent_student_quantile(double p, double freedom) {
  double low = 0, high = 1;
  if (!(p > 0.5))
    return 0;
  while (high < 1e12 && beta_share(freedom / (freedom + high * high), freedom / 2, 0.5) / 2 > 1 - p)
    high *= 2;
  for (int i = 0; i < 200 && high > low; i++) {
    double t = (low + high) / 2;
    if (t == low || t == high)
      break;
    if (beta_share(freedom / (freedom + t * t), freedom / 2, 0.5) / 2 > 1 - p)
      low = t;
    else
      high = t;
  }
  return (low + high) / 2;
}

ent_paired ent_paired_of(const double *first, const double *second, size_t runs, double test_share) {
  double n = (double)runs, sum = 0, squares = 0, ours = 0, theirs = 0;
  ent_paired paired = {.runs = runs, .low = NAN, .high = NAN, .wide_low = NAN, .wide_high = NAN};
  for (size_t i = 0; i < runs; i++) {
    ours += first[i];
    theirs += second[i];
    sum += first[i] - second[i];
    paired.won += first[i] < second[i];
    paired.lost += first[i] > second[i];
  }
  paired.ratio = ours / theirs;
  paired.difference = sum / n;
  if (runs < 2)
    return paired;
  int unit = ent_extreme_unit(fmax(ours, theirs) / n);
  for (size_t i = 0; i < runs; i++) {
    double from_mean = ldexp(first[i] - second[i] - paired.difference, -unit);
    squares += from_mean * from_mean;
  }
  double t = ent_student_quantile(0.975, n - 1), variance = squares / (n - 1);
  double half = ldexp(t * sqrt(variance / n), unit);
  double wide = ldexp(t * sqrt(variance * (1 / n + test_share)), unit);
  paired.low = paired.difference - half;
  paired.high = paired.difference + half;
  paired.wide_low = paired.difference - wide;
  paired.wide_high = paired.difference + wide;
  return paired;
}

/* Logarithms by additions, multiplications and a division. */
#include "base/portable.h"

#include <math.h>

/* log2(m) = 2/ln(2) atanh(s), s = (m - 1)/(m + 1). For m within sqrt(1/2) .. sqrt(2), s^2 is at most 0.0295. */
double ent_log2(double x) {
  static const double root = 0.70710678118654752440, factor = 2.8853900817779268147; /* sqrt(1/2), 2/ln(2) */
  int exponent;
  double m = frexp(x, &exponent);
  if (m < root) {
    m *= 2;
    exponent--;
  }
  double s = (m - 1) / (m + 1), square = s * s, sum = 0;
  for (int k = 11; k > 0; k--)
    sum = (sum + 1.0 / (2 * k + 1)) * square;
  return exponent + factor * (s + s * sum);
}

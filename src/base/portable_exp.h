/* Exponentials and logarithms that are the same on every processor, by additions, multiplications and divisions alone. They
 * have no branches, so loops over them become vector code; with any width of vectors they give the same bits. */
#ifndef ENT_BASE_PORTABLE_EXP_H
#define ENT_BASE_PORTABLE_EXP_H

#include <stdint.h>
#include <string.h>

static inline uint64_t ent_bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double ent_double_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* ln 2 = high + low; 2^11 high is exact, as its last 21 bits are 0. */
#define ENT_LN2_HIGH 0x1.62e42feep-1
#define ENT_LN2_LOW 0x1.a39ef35793c76p-33

/* exp(x) for x <= 0, within 1 unit in the last place or so; 0 below -708. -Infinity gives 0, NaN something.
 * x = n ln 2 + r with |r| <= ln(2)/2; exp(r) by its series to r^13, which is off by 5e-18. Added to 1.5 * 2^52, x / ln 2 is
 * rounded to an integer, which then stands in the low bits. */
static inline double ent_exp_negative(double x) {
  const double magic = 6755399441055744.0;
  double sum = x * 1.44269504088896340736 + magic, n = sum - magic;
  double r = (x - n * ENT_LN2_HIGH) - n * ENT_LN2_LOW;
  double series = 1.0 / 6227020800.0;
  series = series * r + 1.0 / 479001600.0;
  series = series * r + 1.0 / 39916800.0;
  series = series * r + 1.0 / 3628800.0;
  series = series * r + 1.0 / 362880.0;
  series = series * r + 1.0 / 40320.0;
  series = series * r + 1.0 / 5040.0;
  series = series * r + 1.0 / 720.0;
  series = series * r + 1.0 / 120.0;
  series = series * r + 1.0 / 24.0;
  series = series * r + 1.0 / 6.0;
  series = series * r + 0.5;
  series = 1 + (r + r * r * series);
  double power = ent_double_of(ent_bits_of(series) + (ent_bits_of(sum) << 52));
  return x < -708 ? 0 : power;
}

/* log(1 + x) for finite x >= 0, within 2 units in the last place. 1 + x = 2^n m (1 + c) with m within sqrt(1/2) .. sqrt(2)
 * and c the rounding of the sum; log(m) = 2 atanh(s), s = (m - 1)/(m + 1), by its series: s^2 is at most 0.0295. */
static inline double ent_log1p_positive(double x) {
  const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd); /* the bits of sqrt(1/2) */
  double sum = 1 + x, lost = x < 1 ? x - (sum - 1) : 1 - (sum - x);
  uint64_t above = ent_bits_of(sum) - root;
  double m = ent_double_of((above & UINT64_C(0x000fffffffffffff)) + root);
  double n = ent_double_of((above >> 52) | UINT64_C(0x4330000000000000)) - 4503599627370496.0; /* 2^52 + n, less 2^52 */
  double s = (m - 1) / (m + 1), square = s * s, series = 1.0 / 23;
  series = series * square + 1.0 / 21;
  series = series * square + 1.0 / 19;
  series = series * square + 1.0 / 17;
  series = series * square + 1.0 / 15;
  series = series * square + 1.0 / 13;
  series = series * square + 1.0 / 11;
  series = series * square + 1.0 / 9;
  series = series * square + 1.0 / 7;
  series = series * square + 1.0 / 5;
  series = series * square + 1.0 / 3;
  double log_m = 2 * s + 2 * s * square * series;
  return n * ENT_LN2_HIGH + (log_m + (n * ENT_LN2_LOW + lost / sum));
}

#endif

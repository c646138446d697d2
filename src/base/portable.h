/* Numbers that are the same on every processor. The C library has several versions of its logarithms and exponentials,
 * with and without fused multiply-add; their last bits differ. */
#ifndef ENT_BASE_PORTABLE_H
#define ENT_BASE_PORTABLE_H

#include <stdint.h>
#include <string.h>

/* The logarithm to base 2 of a finite number above 0, within 2 units in the last place; exact for powers of two. */
double ent_log2(double x);

/* The nearest decimal number of `digits` significant digits, 1 to 15, as a double; halves are rounded away from 0. NaN
 * and infinity stay. For figures that are kept: last bits, which may depend on the processor, do not show. */
double ent_round_digits(double value, int digits);

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

/* log(1 + x) for finite x >= 0, within 2 units in the last place. 1 + x = 2^n m (1 + c) with m within sqrt(1/2) .. sqrt(2)
 * and c the rounding of the sum; log(m) = 2 atanh(s), s = (m - 1)/(m + 1), by its series: s^2 is at most 0.0295.
 * It has no branches, so loops over it become vector code, with the same bits. */
static inline double ent_log1p(double x) {
  const double high = 0x1.62e42feep-1, low = 0x1.a39ef35793c76p-33; /* ln 2; n times the first is exact */
  const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd);               /* the bits of sqrt(1/2) */
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
  return n * high + (log_m + (n * low + lost / sum));
}

#endif

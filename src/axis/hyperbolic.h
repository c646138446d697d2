/* Exponentials and hyperbolic functions from additions, multiplications and operations on bits alone: without branches
 * or calls, so that a compiler can vectorise them, and with the same bits whether it does or not. The C library's
 * functions do not allow that: its vector versions round differently from its plain ones. */
#ifndef ENT_AXIS_HYPERBOLIC_H
#define ENT_AXIS_HYPERBOLIC_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "axis/axis.h"

/* 2^n for -1022 <= n <= 1023, n a whole number. */
static inline double ent_power_of_two(double n) {
  double power = n + (0x1.8p52 + 1023); /* puts n + 1023 into the lowest bits */
  uint64_t bits;
  memcpy(&bits, &power, sizeof bits);
  bits <<= 52; /* and now into those of the exponent */
  memcpy(&power, &bits, sizeof bits);
  return power;
}

/* A polynomial by its terms, that of the highest power first. */
static inline __attribute__((always_inline)) double ent_polynomial(const double *terms, size_t count, double x) {
  double sum = terms[0];
#pragma GCC unroll 16
  for (size_t i = 1; i < count; i++)
    sum = sum * x + terms[i];
  return sum;
}
#define ENT_POLYNOMIAL(terms, x) ent_polynomial(terms, sizeof(terms) / sizeof *(terms), x)

/* exp(x) for x <= 0, to about one unit in the last place; gradual underflow included. */
static inline double ent_exp(double x) {
  x = x > -1400 ? x : -1400; /* 0 long before that */
  double n = (x * 1.4426950408889634 + 0x1.8p52) - 0x1.8p52;
  double r =
      (x - n * 0x1.62e42fefa0000p-1) - n * 0x1.cf79abc9e3b39p-40; /* ln 2 in two parts; the first product is exact */
  static const double terms[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                                 1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
                                 1.0 / 120,        1.0 / 24,        1.0 / 6,        0.5};
  double value = 1 + (r + r * r * ENT_POLYNOMIAL(terms, r));
  double half = (n * 0.5 + 0x1.8p52) - 0x1.8p52; /* in two steps, since 2^n itself may be no normal number */
  return value * ent_power_of_two(half) * ent_power_of_two(n - half);
}

/* sinh(y) for |y| <= 1. */
static inline double ent_small_sinh(double y) {
  double s = y * y;
  static const double terms[] = {1.0 / 355687428096000, 1.0 / 1307674368000, 1.0 / 6227020800, 1.0 / 39916800,
                                 1.0 / 362880,          1.0 / 5040,          1.0 / 120,        1.0 / 6};
  return y + y * s * ENT_POLYNOMIAL(terms, s);
}

/* cosh(y) for |y| <= 1. */
static inline double ent_small_cosh(double y) {
  double s = y * y;
  static const double terms[] = {1.0 / 6402373705728000,
                                 1.0 / 20922789888000,
                                 1.0 / 87178291200,
                                 1.0 / 479001600,
                                 1.0 / 3628800,
                                 1.0 / 40320,
                                 1.0 / 720,
                                 1.0 / 24,
                                 0.5};
  return 1 + s * ENT_POLYNOMIAL(terms, s);
}

/* The boundary atom scale (exp(-wx) + exp(-w(1-x))). */
static inline double ent_even_at(const ent_level *level, double x) {
  return level->scale * (ent_exp(-level->rate * x) + ent_exp(-level->rate * (1 - x)));
}

/* The boundary atom scale (exp(-w(1-x)) - exp(-wx)); near the middle, where these cancel, as small_scale sinh(w(x-1/2)). */
static inline double ent_odd_at(const ent_level *level, double x) {
  double rate = level->rate, from_middle = x - 0.5, to_end = x < 0.5 ? x : 1 - x;
  double y = rate * from_middle;
  double far = level->scale * ent_exp(-rate * to_end) * (1 - ent_exp(-2 * fabs(y)));
  double near = level->small_scale * ent_small_sinh(y < -1 ? -1 : y > 1 ? 1 : y);
  return fabs(y) <= 1 ? near : copysign(far, y);
}

/* A hat at the given height: sqrt(c) sinh(rate height) / sinh(rate), by the same two ways. */
static inline double ent_sinh_hat_at(const ent_level *level, double height) {
  double y = level->rate * height;
  double near = level->small_scale * ent_small_sinh(y < 1 ? y : 1);
  double far = level->scale * ent_exp(level->rate * (height - 1)) * (1 - ent_exp(-2 * y));
  return y <= 1 ? near : far;
}

/* The same where all arguments are small (boundary atoms: w <= 2; hats: rate <= 1): one way, without exponentials. */
static inline double ent_small_even_at(const ent_level *level, double x) {
  return level->small_scale * ent_small_cosh(level->rate * (x - 0.5));
}

static inline double ent_small_odd_at(const ent_level *level, double x) {
  return level->small_scale * ent_small_sinh(level->rate * (x - 0.5));
}

static inline double ent_small_sinh_hat_at(const ent_level *level, double height) {
  return level->small_scale * ent_small_sinh(level->rate * height);
}

#endif

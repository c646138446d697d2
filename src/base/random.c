/* Random numbers from Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
 * 2011). The seed is the key; the stream is the upper half of the counter, the lower half counts blocks. Only
 * operations that IEEE 754 rounds exactly are used, so the numbers have the same bits on every machine. */
#include "base/random.h"

#include <math.h>

#include "entropic/entropic.h"

__extension__ typedef unsigned __int128 ent_uint128;

void ent_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; round++) {
    uint64_t even = (uint64_t)0xD2511F53u * c0;
    uint64_t odd = (uint64_t)0xCD9E8D57u * c2;
    c0 = (uint32_t)(odd >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)odd;
    c2 = (uint32_t)(even >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)even;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  block[0] = c0;
  block[1] = c1;
  block[2] = c2;
  block[3] = c3;
}

entropic_random entropic_random_start(uint64_t seed, uint64_t stream) {
  entropic_random random = {
      .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
      .counter = {0, 0, (uint32_t)stream, (uint32_t)(stream >> 32)},
      .used = 4,
  };
  return random;
}

uint64_t entropic_random_bits(entropic_random *random) {
  if (random == NULL)
    return 0;
  if (random->used >= 4) {
    ent_philox(random->counter, random->key, random->block);
    if (++random->counter[0] == 0)
      random->counter[1]++;
    random->used = 0;
  }
  uint64_t low = random->block[random->used], high = random->block[random->used + 1];
  random->used += 2;
  return high << 32 | low;
}

double entropic_random_uniform(entropic_random *random) {
  if (random == NULL)
    return 0;
  return (double)(entropic_random_bits(random) >> 11) * 0x1p-53;
}

/* D. Lemire's method: the upper half of bits x bound is uniform if products whose lower half is below 2^64 mod bound
 * are drawn again. Those are below bound, so most calls need no division. */
uint64_t entropic_random_below(entropic_random *random, uint64_t bound) {
  if (random == NULL)
    return 0;
  if (bound == 0)
    return 0;
  for (;;) {
    ent_uint128 product = (ent_uint128)entropic_random_bits(random) * bound;
    uint64_t low = (uint64_t)product;
    if (low >= bound || low >= (0 - bound) % bound) /* (0 - bound) % bound is 2^64 mod bound */
      return (uint64_t)(product >> 64);
  }
}

/* x = m 2^e with m within sqrt(1/2) .. sqrt(2). log m = 2 atanh(s) with s = (m-1)/(m+1), |s| < 0.1716, by its power
 * series; the first term left out is below 2^-58 of the sum. */
double ent_log(double x) {
  int e;
  double m = frexp(x, &e);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    e--;
  }
  double s = (m - 1) / (m + 1), s2 = s * s;
  static const double series[] = {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                  1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};
  double tail = 0;
  for (size_t i = 0; i < sizeof series / sizeof series[0]; i++)
    tail = (tail + series[i]) * s2;
  /* log 2 as a sum of two numbers; the first has so few bits that its product with e is exact. */
  double high = e * 0x1.62e42fefa38p-1, low = e * 0x1.ef35793c7673p-45;
  return high + (2 * s + (2 * s * tail + low));
}

/* Marsaglia's polar method. */
double entropic_random_normal(entropic_random *random) {
  if (random == NULL)
    return 0;
  if (random->has_spare) {
    random->has_spare = 0;
    return random->spare;
  }
  double u, v, square;
  do {
    u = 2 * entropic_random_uniform(random) - 1;
    v = 2 * entropic_random_uniform(random) - 1;
    square = u * u + v * v;
  } while (square >= 1 || square == 0);
  double factor = sqrt(-2 * ent_log(square) / square);
  random->spare = v * factor;
  random->has_spare = 1;
  return u * factor;
}

double entropic_random_cauchy(entropic_random *random) {
  if (random == NULL)
    return 0;
  for (;;) {
    double numerator = entropic_random_normal(random), denominator = entropic_random_normal(random);
    if (denominator != 0)
      return numerator / denominator;
  }
}

double entropic_random_chi(entropic_random *random, unsigned degrees) {
  if (random == NULL)
    return 0;
  double sum = 0;
  for (unsigned i = 0; i < degrees; i++) {
    double normal = entropic_random_normal(random);
    sum += normal * normal;
  }
  return sqrt(sum);
}

#define AHEAD ((size_t)16) /* numbers drawn before they are used: of many, each is somewhere else in memory */

/* Fisher and Yates. */
void entropic_random_permutation(entropic_random *random, size_t count, size_t *order) {
  size_t drawn[AHEAD];
  if (random == NULL || order == NULL)
    return;
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  for (size_t left = count; left > 1;) {
    size_t some = left - 1 < AHEAD ? left - 1 : AHEAD;
    for (size_t i = 0; i < some; i++) {
      drawn[i] = (size_t)entropic_random_below(random, left - i);
      __builtin_prefetch(order + drawn[i], 1);
    }
    for (size_t i = 0; i < some; i++, left--) {
      size_t last = order[left - 1];
      order[left - 1] = order[drawn[i]];
      order[drawn[i]] = last;
    }
  }
}

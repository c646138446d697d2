/* Waves from a low-discrepancy sequence (Avron, Sindhwani, Yang and Mahoney): Halton's sequence, with a random shift so
 * that estimates are unbiased, mapped by the inverse of the distribution function. The phase has the first coordinate, of
 * base 2, which is the most even one; the inputs have the primes after it. */
#include <math.h>
#include <stdbool.h>

#include "baselines/map.h"

double ent_normal_quantile(double p) {
  /* Abramowitz and Stegun 26.2.22 for the lower half, good to 3e-3; each of Halley's steps triples the digits. */
  double lower = p < 0.5 ? p : 1 - p, t = sqrt(-2 * log(lower));
  double x = (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t)) - t;
  for (int i = 0; i < 3; i++) {
    double density = exp(-x * x / 2) / sqrt(2 * M_PI), step = (0.5 * erfc(-x * M_SQRT1_2) - lower) / density;
    x -= step / (1 + x * step / 2);
  }
  return p < 0.5 ? x : -x;
}

/* The radical inverse: the digits of the number, mirrored at the point. */
static double radical_inverse(uint64_t number, uint64_t base) {
  double value = 0, unit = 1 / (double)base;
  for (; number > 0; number /= base) {
    value += unit * (double)(number % base);
    unit /= (double)base;
  }
  return value;
}

static bool is_prime(uint64_t number) {
  for (uint64_t i = 2; i * i <= number; i++)
    if (number % i == 0)
      return false;
  return true;
}

/* Point `number` of the sequence, shifted; inside (0,1). */
static double coordinate(uint64_t number, uint64_t base, double shift) {
  double value = radical_inverse(number, base) + shift;
  value = value >= 1 ? value - 1 : value;
  return value < 0x1p-53 ? 0x1p-53 : value > 1 - 0x1p-53 ? 1 - 0x1p-53 : value;
}

void ent_halton_draw(ent_random_map *map, size_t count) {
  entropic_random random = entropic_random_start(map->options.seed, ENT_STREAM_FREQUENCIES);
  double shift = entropic_random_uniform(&random), scale = map->options.sigma / (2 * M_PI);
  for (size_t j = 0; j < count; j++)
    map->phases[j] = coordinate(j + 1, 2, shift);
  uint64_t base = 2;
  for (size_t i = 0; i < map->inputs; i++) {
    do
      base++;
    while (!is_prime(base));
    shift = entropic_random_uniform(&random);
    for (size_t j = 0; j < count; j++) {
      double u = coordinate(j + 1, base, shift);
      *ent_frequency(map, j, i) =
          scale * (map->options.kernel == ENT_RANDOM_LAPLACE ? tan(M_PI * (u - 0.5)) : ent_normal_quantile(u));
    }
  }
}

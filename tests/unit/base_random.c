/* Random numbers: known answers, pinned first outputs, and statistics with fixed seeds. */
#include "unit/tests.h"

#include "base/random.h"

#define DRAWS 200000

/* The vectors that the authors of Philox published. */
static void philox_gives_the_published_answers(void **state) {
  (void)state;
  static const struct {
    uint32_t counter[4], key[2], block[4];
  } cases[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    uint32_t block[4];
    ent_philox(cases[i].counter, cases[i].key, block);
    assert_memory_equal(block, cases[i].block, sizeof block);
  }
}

/* Files made with a seed today must be made again tomorrow. */
static void first_outputs_are_pinned(void **state) {
  (void)state;
  static const uint64_t bits[] = {0xe55410cc67ee6f2c, 0x557398d36c7eca35, 0x600f6196e5dde940, 0x2c8ed8398fcdf8f1};
  static const double uniforms[] = {0x1.caa82198cfdcdp-1, 0x1.55ce634db1fb2p-2, 0x1.803d865b9777ap-2};
  static const double normals[] = {0x1.70a8e727def0dp-1,  -0x1.359af4cd49144p-2, -0x1.b6faf8df0cfc5p-2,
                                   -0x1.1eb49e5f12f16p+0, -0x1.1febc28ceea31p-8, 0x1.42fadf18eb38ap-2};
  static const double cauchys[] = {-0x1.30d469f21d297p+1, 0x1.87f76d928ddd8p-2, -0x1.c86c50befd875p-7};
  static const double chis[] = {0x1.6e5a1cdec3b03p+0, 0x1.05d89185fda64p+0, 0x1.8657b52e6529fp+0};
  static const uint64_t below[] = {895, 333, 375, 174, 937, 824};
  static const size_t order[] = {1, 4, 5, 3, 0, 6, 2, 7};
  entropic_random start = entropic_random_start(42, 7), random = start;
  for (size_t i = 0; i < COUNT(bits); i++)
    assert_true(entropic_random_bits(&random) == bits[i]);
  random = start;
  for (size_t i = 0; i < COUNT(uniforms); i++)
    assert_true(entropic_random_uniform(&random) == uniforms[i]);
  random = start;
  for (size_t i = 0; i < COUNT(normals); i++)
    assert_true(entropic_random_normal(&random) == normals[i]);
  random = start;
  for (size_t i = 0; i < COUNT(cauchys); i++)
    assert_true(entropic_random_cauchy(&random) == cauchys[i]);
  random = start;
  for (size_t i = 0; i < COUNT(chis); i++)
    assert_true(entropic_random_chi(&random, 5) == chis[i]);
  random = start;
  for (size_t i = 0; i < COUNT(below); i++)
    assert_true(entropic_random_below(&random, 1000) == below[i]);
  random = start;
  size_t shuffled[8];
  entropic_random_permutation(&random, 8, shuffled);
  assert_memory_equal(shuffled, order, sizeof order);
}

/* Bits are the counter's blocks in order, low word first; the counter carries into its second word. */
static void bits_walk_through_the_blocks(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(UINT64_C(0x299f31d0a4093822), UINT64_C(0x0370734413198a2e));
  random.counter[0] = UINT32_MAX;
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t counter[4] = {i == 0 ? UINT32_MAX : 0, i, 0x13198a2e, 0x03707344};
    const uint32_t key[2] = {0xa4093822, 0x299f31d0};
    uint32_t block[4];
    ent_philox(counter, key, block);
    assert_true(entropic_random_bits(&random) == ((uint64_t)block[1] << 32 | block[0]));
    assert_true(entropic_random_bits(&random) == ((uint64_t)block[3] << 32 | block[2]));
  }
}

static void seeds_and_streams_differ(void **state) {
  (void)state;
  uint64_t seen[200];
  for (uint64_t i = 0; i < 200; i++) {
    entropic_random random = i < 100 ? entropic_random_start(i, 0) : entropic_random_start(0, (i - 99) << 28);
    seen[i] = entropic_random_bits(&random);
    for (uint64_t j = 0; j < i; j++)
      assert_true(seen[i] != seen[j]);
  }
}

static void copies_repeat_the_sequence(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(5, 5);
  entropic_random_normal(&random); /* leaves a spare */
  entropic_random copy = random;
  for (int i = 0; i < 100; i++)
    assert_true(entropic_random_normal(&random) == entropic_random_normal(&copy));
}

static void logarithm_is_close_to_the_c_librarys(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(11, 0);
  uint64_t worst = 0;
  for (int i = 0; i < DRAWS; i++) {
    double x = entropic_random_uniform(&random);
    if (i % 3 == 1)
      x = 1 + (x - 0.5) / (1 << (i % 30));
    if (i % 3 == 2)
      x = ldexp(x, i % 2000 - 1000);
    if (x <= 0)
      continue;
    uint64_t apart = ulps_apart(ent_log(x), log(x));
    worst = apart > worst ? apart : worst;
  }
  assert_true(worst <= 2);
  assert_true(ent_log(1) == 0);
  assert_close(ent_log(0x1p-1074), -744.44007192138127, 1e-12);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The largest gap between the draws' distribution and the true one, times the root of their number: above 1.95 in one
 * of 1000 seeds. */
static double kolmogorov(double *draws, size_t count, double (*distribution)(double)) {
  qsort(draws, count, sizeof *draws, ascending);
  double gap = 0;
  for (size_t i = 0; i < count; i++) {
    double p = distribution(draws[i]);
    gap = larger(gap, larger(fabs(p - (double)i / (double)count), fabs(p - (double)(i + 1) / (double)count)));
  }
  return gap * sqrt((double)count);
}

static double uniform_cdf(double x) {
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double normal_cdf(double x) {
  return 0.5 * erfc(-x * sqrt(0.5));
}

static double cauchy_cdf(double x) {
  return 0.5 + atan(x) / acos(-1);
}

/* Of the length of a vector in the plane. */
static double chi2_cdf(double x) {
  return 1 - exp(-0.5 * x * x);
}

static double draws[DRAWS];

static void uniforms_are_uniform(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(1, 2);
  double sum = 0, squares = 0, products = 0, last = 0.5;
  for (int i = 0; i < DRAWS; i++) {
    double x = draws[i] = entropic_random_uniform(&random);
    assert_true(x >= 0 && x < 1);
    assert_true(ldexp(x, 53) == floor(ldexp(x, 53)));
    sum += x;
    squares += x * x;
    products += (x - 0.5) * (last - 0.5);
    last = x;
  }
  assert_close(sum / DRAWS, 0.5, 4 * sqrt(1.0 / 12 / DRAWS));
  assert_close(squares / DRAWS, 1.0 / 3, 4 * sqrt(4.0 / 45 / DRAWS));
  assert_close(products / DRAWS, 0, 4 * (1.0 / 12) / sqrt(DRAWS));
  assert_true(kolmogorov(draws, DRAWS, uniform_cdf) <= 1.95);
}

static void normals_are_normal(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(3, 4);
  double moments[5] = {0}, products = 0, last = 0;
  for (int i = 0; i < DRAWS; i++) {
    double x = draws[i] = entropic_random_normal(&random), power = 1;
    for (int k = 1; k <= 4; k++)
      moments[k] += (power *= x) / DRAWS;
    products += x * last / DRAWS; /* the two of a pair must not be related */
    last = x;
  }
  assert_close(moments[1], 0, 4 / sqrt(DRAWS));
  assert_close(moments[2], 1, 4 * sqrt(2.0 / DRAWS));
  assert_close(moments[3], 0, 4 * sqrt(15.0 / DRAWS));
  assert_close(moments[4], 3, 4 * sqrt(96.0 / DRAWS));
  assert_close(products, 0, 4 / sqrt(DRAWS));
  assert_true(kolmogorov(draws, DRAWS, normal_cdf) <= 1.95);
}

static void cauchys_and_chis_are_right(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(6, 0);
  for (int i = 0; i < DRAWS; i++)
    draws[i] = entropic_random_cauchy(&random);
  assert_true(kolmogorov(draws, DRAWS, cauchy_cdf) <= 1.95);
  for (int i = 0; i < DRAWS; i++)
    draws[i] = entropic_random_chi(&random, 2);
  assert_true(kolmogorov(draws, DRAWS, chi2_cdf) <= 1.95);
  double squares = 0;
  for (int i = 0; i < 10000; i++) {
    double x = entropic_random_chi(&random, 9);
    squares += x * x;
  }
  assert_close(squares / 10000, 9, 4 * sqrt(18.0 / 10000));
  assert_true(entropic_random_chi(&random, 0) == 0);
}

/* Pearson's statistic for `cells` equal cells has mean cells - 1 and variance 2 (cells - 1). */
static void assert_even(const size_t *counts, size_t cells, double total) {
  double statistic = 0, expected = total / (double)cells, degrees = (double)cells - 1;
  for (size_t i = 0; i < cells; i++)
    statistic += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
  assert_close(statistic, degrees, 4 * sqrt(2 * degrees) + 4);
}

static void below_has_no_bias(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(8, 0);
  assert_int_equal(entropic_random_below(&random, 0), 0);
  assert_int_equal(entropic_random_below(&random, 1), 0);
  static const uint64_t bounds[] = {2, 3, 7, 10, 64, 1000};
  for (size_t b = 0; b < COUNT(bounds); b++) {
    size_t counts[1000] = {0};
    for (int i = 0; i < 100000; i++) {
      uint64_t x = entropic_random_below(&random, bounds[b]);
      assert_true(x < bounds[b]);
      counts[x]++;
    }
    assert_even(counts, bounds[b], 100000);
  }
  /* Without rejection two of three numbers below 3 * 2^62 would come up twice as often as they should. */
  size_t counts[3] = {0};
  for (int i = 0; i < 100000; i++) {
    uint64_t x = entropic_random_below(&random, UINT64_C(3) << 62);
    assert_true(x < UINT64_C(3) << 62);
    counts[x % 3]++;
  }
  assert_even(counts, 3, 100000);
}

static void permutations_are_uniform(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(9, 0);
  size_t order[100], counts[24] = {0};
  for (int i = 0; i < 24000; i++) {
    entropic_random_permutation(&random, 4, order);
    /* The number of a permutation of four: first, then which of the rest in order, and so on. */
    size_t number = order[0] * 6;
    number += (order[1] - (order[1] > order[0])) * 2 + (order[2] > order[3]);
    assert_int_equal(order[0] + order[1] + order[2] + order[3], 6);
    counts[number]++;
  }
  assert_even(counts, 24, 24000);
  entropic_random_permutation(&random, 100, order);
  int seen[100] = {0};
  for (size_t i = 0; i < COUNT(order); i++)
    seen[order[i]]++;
  for (int i = 0; i < 100; i++)
    assert_int_equal(seen[i], 1);
  order[0] = 77;
  entropic_random_permutation(&random, 0, order);
  assert_int_equal(order[0], 77);
}

SUITE(base_random) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(philox_gives_the_published_answers),
      cmocka_unit_test(first_outputs_are_pinned),
      cmocka_unit_test(bits_walk_through_the_blocks),
      cmocka_unit_test(seeds_and_streams_differ),
      cmocka_unit_test(copies_repeat_the_sequence),
      cmocka_unit_test(logarithm_is_close_to_the_c_librarys),
      cmocka_unit_test(uniforms_are_uniform),
      cmocka_unit_test(normals_are_normal),
      cmocka_unit_test(cauchys_and_chis_are_right),
      cmocka_unit_test(below_has_no_bias),
      cmocka_unit_test(permutations_are_uniform),
  };
  return cmocka_run_group_tests_name("base_random", tests, NULL, NULL);
}

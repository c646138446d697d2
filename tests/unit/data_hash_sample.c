/* Samples of rows by hashes of their numbers: compared with sorting all hashes. */
#include <stdlib.h>

#include "unit/fixture.h"

#include "data/hash_sample.h"

static int compare(const void *a, const void *b) {
  const uint64_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

/* The hash by its formula, once more; SplitMix64 is published with these constants. */
static uint64_t plain_mix(uint64_t x) {
  uint64_t z = x + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void hashes_are_those_of_splitmix(void **state) {
  (void)state;
  /* The first outputs of SplitMix64 with the seed 0. */
  static const uint64_t outputs[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f};
  for (uint64_t i = 0; i < 3; i++)
    assert_true(ent_mix(i * 0x9e3779b97f4a7c15u) == outputs[i]);
  for (uint64_t i = 0; i < 1000; i++)
    assert_true(ent_mix(i) == plain_mix(i));
}

static void check(uint64_t rows, uint64_t most) {
  ent_hash_sample sample;
  uint64_t *hashes = malloc((rows + 1) * sizeof *hashes), taken = 0;
  assert_non_null(hashes);
  assert_int_equal(ent_hash_sample_create(context, rows, most, &sample), ENTROPIC_OK);
  for (uint64_t i = 0; i < rows; i++)
    hashes[i] = plain_mix(i);
  qsort(hashes, rows, sizeof *hashes, compare);
  uint64_t size = rows < most ? rows : most;
  assert_true(sample.rows == rows && sample.size == size);
  for (uint64_t i = 0; i < rows; i++) {
    bool takes = ent_hash_sample_takes(&sample, i);
    assert_true(takes == (rows <= most || plain_mix(i) <= hashes[most - 1]));
    taken += takes;
  }
  assert_true(taken == size);
  assert_false(ent_hash_sample_takes(&sample, rows));
  free(hashes);
}

static void samples_are_the_smallest_hashes(void **state) {
  (void)state;
  for (uint64_t rows = 0; rows < 40; rows++)
    for (uint64_t most = 1; most < 42; most++)
      check(rows, most);
  static const uint64_t cases[][2] = {{1000, 1},       {1000, 999},     {100000, 1},     {100000, 17},
                                      {100000, 50000}, {100000, 99999}, {300000, 20000}, {5000000, 65536}};
  for (size_t i = 0; i < COUNT(cases); i++)
    check(cases[i][0], cases[i][1]);
}

/* A row that is in a sample of more rows in all is in that of fewer. */
static void samples_are_nested(void **state) {
  (void)state;
  ent_hash_sample large, small;
  assert_int_equal(ent_hash_sample_create(context, 50000, 1000, &large), ENTROPIC_OK);
  assert_int_equal(ent_hash_sample_create(context, 20000, 1000, &small), ENTROPIC_OK);
  assert_true(large.threshold < small.threshold);
  assert_true(0x1p-64 * (double)large.threshold > 0.015 && 0x1p-64 * (double)large.threshold < 0.025);
}

static void a_sample_of_nothing_is_refused(void **state) {
  (void)state;
  ent_hash_sample sample;
  assert_int_equal(ent_hash_sample_create(context, 10, 0, &sample), ENTROPIC_BAD_ARGUMENT);
  assert_string_equal(entropic_context_message(context), "a sample of 0 rows, expected 1 or more");
}

SUITE(data_hash_sample) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hashes_are_those_of_splitmix),
      cmocka_unit_test(samples_are_the_smallest_hashes),
      cmocka_unit_test(samples_are_nested),
      cmocka_unit_test(a_sample_of_nothing_is_refused),
  };
  return cmocka_run_group_tests(tests, start, stop);
}

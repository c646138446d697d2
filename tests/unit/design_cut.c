/* When M cuts a group: its first features without a sample, those of largest mass with one. */
#include "unit/reference.h"

static entropic_axis_options axis(entropic_family family, double omega, entropic_basis basis, int levels) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = family;
  options.omega = omega;
  options.basis = basis;
  options.max_level = levels;
  return options;
}

/* The last group of a design of so many features; its members must be exactly these. */
static void expect_members(const entropic_axis_options *options, size_t inputs, size_t features, const double *sample,
                           size_t rows, const uint64_t *members, size_t count) {
  entropic_kernel *kernel = make_kernel(options, 1, inputs);
  entropic_design_options asked = ent_design_options_default();
  asked.features = features;
  asked.sample = sample;
  asked.sample_rows = rows;
  entropic_design *design = make_design(kernel, &asked);
  entropic_group last = group_of(design, entropic_design_groups(design) - 1);
  assert_int_equal(last.features, count);
  assert_non_null(last.members);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(last.members[i], members[i]);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

/* One input, hats only: 1 + 2 + 4 features in three levels, and 3 of the 8 of the fourth. */
static void one_input(void **state) {
  (void)state;
  entropic_axis_options hats = axis(ENTROPIC_FAMILY_SOBOLEV, 1, ENTROPIC_BASIS_INTERIOR, 6);
  const uint64_t first[] = {0, 1, 2};
  expect_members(&hats, 1, 10, NULL, 0, first, 3);
  /* two rows off the node in cell 6 beat one at the node of cell 3; cell 1 has a third of a height */
  const double sample[] = {0.8125 + 0.015, 0.4375, 0.8125 - 0.015, 0.1875 - 0.04};
  const uint64_t heaviest[] = {1, 3, 6};
  expect_members(&hats, 1, 10, sample, 4, heaviest, 3);
  expect_members(&hats, 1, 9, sample, 4, heaviest + 1, 2);
  expect_members(&hats, 1, 8, sample, 4, heaviest + 2, 1);
  /* too few cells meet the sample: the first of the others follow; a row at an end of a support adds nothing */
  const double few[] = {0.8125, 0.5, 1, 0};
  const uint64_t filled[] = {0, 1, 6};
  expect_members(&hats, 1, 10, few, 4, filled, 3);
  const double one_first[] = {0.0625};
  const uint64_t next[] = {0, 1, 2, 3};
  expect_members(&hats, 1, 11, one_first, 1, next, 4);
  /* equal masses: the lower number */
  const double equal[] = {0.9375, 0.0625, 0.5625};
  const uint64_t lower[] = {0, 4};
  expect_members(&hats, 1, 9, equal, 3, lower, 2);
}

/* Numbers of features count with the last term fastest. */
static void two_inputs(void **state) {
  (void)state;
  entropic_axis_options hats = axis(ENTROPIC_FAMILY_BRIDGE, 1, ENTROPIC_BASIS_INTERIOR, 2);
  /* (1,1): 1 feature; (2,1), (1,2): 2 each; (2,2): 4, of which 2 are taken */
  const double sample[] = {0.75, 0.25, 0.75, 0.3, 0.25, 0.8};
  const uint64_t heaviest[] = {1, 2};
  expect_members(&hats, 2, 7, sample, 3, heaviest, 2);
  expect_members(&hats, 2, 6, sample, 3, heaviest + 1, 1);
}

/* Many inputs: products of hundreds of hats are below the smallest double. The row whose other inputs are nearer to their
 * nodes counts for more all the same. */
static void masses_below_the_smallest_double(void **state) {
  (void)state;
  enum { INPUTS = 600 };
  entropic_axis_options hats = axis(ENTROPIC_FAMILY_CENTRED, 1, ENTROPIC_BASIS_INTERIOR, 4);
  static double sample[2 * INPUTS];
  for (size_t i = 0; i < INPUTS; i++) {
    sample[i] = 0.7;
    sample[INPUTS + i] = 0.6;
  }
  sample[0] = 0.25;
  sample[INPUTS] = 0.75;
  const uint64_t second[] = {1};
  expect_members(&hats, INPUTS, 2, sample, 2, second, 1);
}

/* The same above the largest double: features stay below 2^1000, their squares do not. */
static void masses_above_the_largest_double(void **state) {
  (void)state;
  enum { INPUTS = 100 };
  entropic_axis_options steep = axis(ENTROPIC_FAMILY_BROWNIAN, 1e4, ENTROPIC_BASIS_FULL, 2);
  static double sample[2 * INPUTS];
  for (size_t i = 0; i < INPUTS; i++) {
    sample[i] = 0.8;
    sample[INPUTS + i] = 0.9;
  }
  sample[0] = 0.25;
  sample[INPUTS] = 0.75;
  /* all lines; one hat of level 1 in each input; then hats of level 2, those of the first input foremost */
  const uint64_t second[] = {1};
  expect_members(&steep, INPUTS, 1 + INPUTS + 1, sample, 2, second, 1);
}

/* Rows outside [0,1] count as the nearer end. */
static void samples_are_clamped(void **state) {
  (void)state;
  entropic_axis_options full = axis(ENTROPIC_FAMILY_SOBOLEV, 1, ENTROPIC_BASIS_FULL, 4);
  entropic_kernel *kernel = make_kernel(&full, 1, 2);
  const double outside[] = {-3, 0.4, 0.3, 1e300, 7, 0.9}, clamped[] = {0, 0.4, 0.3, 1, 1, 0.9};
  entropic_design_options options = ent_design_options_default();
  options.criterion = ENTROPIC_CRITERION_DATA;
  options.features = 20;
  options.sample_rows = 3;
  options.sample = outside;
  entropic_design *a = make_design(kernel, &options);
  options.sample = clamped;
  entropic_design *b = make_design(kernel, &options);
  listed *x = list_features(a), *y = list_features(b);
  assert_int_equal(entropic_design_features(a), entropic_design_features(b));
  assert_memory_equal(x, y, entropic_design_features(a) * sizeof *x);
  free(x);
  free(y);
  entropic_design_free(a);
  entropic_design_free(b);
  entropic_kernel_free(kernel);
}

SUITE(design_cut) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_input),
      cmocka_unit_test(two_inputs),
      cmocka_unit_test(masses_below_the_smallest_double),
      cmocka_unit_test(masses_above_the_largest_double),
      cmocka_unit_test(samples_are_clamped),
  };
  return cmocka_run_group_tests_name("design: cut groups", tests, NULL, NULL);
}

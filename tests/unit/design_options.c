/* Options of a design: defaults, one refusal for each wrong field, sizes that are too large, and what handles keep alive. */
#include "unit/reference.h"

static entropic_context *context;
static entropic_kernel *kernel; /* centred, three inputs */

static int set_up(void **state) {
  (void)state;
  entropic_axis_options options = ent_axis_options_default();
  return entropic_context_create(&context) != ENTROPIC_OK ||
                 ent_kernel_create(context, &options, 1, 3, &kernel) != ENTROPIC_OK
             ? -1
             : 0;
}

static int tear_down(void **state) {
  (void)state;
  entropic_kernel_free(kernel);
  entropic_context_free(context);
  return 0;
}

static void defaults(void **state) {
  (void)state;
  entropic_design_options options = ent_design_options_default();
  assert_int_equal(options.select, ENTROPIC_SELECT_ENTROPY);
  assert_int_equal(options.criterion, ENTROPIC_CRITERION_L2);
  assert_int_equal(options.features, 0);
  assert_int_equal(options.nonzeros, 0);
  assert_int_equal(options.max_order, 0);
  assert_null(options.sample);
  assert_int_equal(options.sample_rows, 0);
}

static void names_of_criteria(void **state) {
  (void)state;
  static const char *const names[] = {"l2", "sup", "data"};
  for (size_t i = 0; i < COUNT(names); i++)
    assert_string_equal(entropic_criterion_name((entropic_criterion)i), names[i]);
  assert_null(entropic_criterion_name((entropic_criterion)3));
  assert_null(entropic_criterion_name((entropic_criterion)-1));
}

static void expect_refusal(const entropic_kernel *of, const entropic_design_options *options, entropic_status status,
                           const char *message) {
  entropic_design *design = NULL;
  assert_int_equal(ent_design_create(context, of, options, &design), status);
  assert_message(context, message);
  assert_null(design);
  assert_int_equal(ent_design_create(NULL, of, options, &design), status);
  assert_null(design);
}

static void each_wrong_field_is_named(void **state) {
  (void)state;
  entropic_design_options options;
  double sample[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
#define WRONG(status, message, ...)                                                                                    \
  options = ent_design_options_default();                                                                              \
  options.features = 5;                                                                                                \
  __VA_ARGS__;                                                                                                         \
  expect_refusal(kernel, &options, status, message)
  WRONG(ENTROPIC_BAD_ARGUMENT, "select: 2", options.select = ENTROPIC_SELECT_RESIDUAL);
  WRONG(ENTROPIC_BAD_ARGUMENT, "select: -1", options.select = (entropic_select)-1);
  WRONG(ENTROPIC_BAD_ARGUMENT, "criterion: 3", options.criterion = (entropic_criterion)3);
  WRONG(ENTROPIC_BAD_ARGUMENT, "criterion: 4", options.criterion = (entropic_criterion)4);
  WRONG(ENTROPIC_BAD_ARGUMENT, "criterion: -1", options.criterion = (entropic_criterion)-1);
  WRONG(ENTROPIC_BAD_ARGUMENT, "features, nonzeros", options.features = 0);
  WRONG(ENTROPIC_BAD_ARGUMENT, "features, nonzeros", options.nonzeros = 5);
  WRONG(ENTROPIC_TOO_LARGE, "features: 2147483648", options.features = (size_t)INT32_MAX + 1);
  WRONG(ENTROPIC_TOO_LARGE, "features: ", options.features = SIZE_MAX);
  WRONG(ENTROPIC_BAD_ARGUMENT, "sample", options.criterion = ENTROPIC_CRITERION_DATA);
  WRONG(ENTROPIC_BAD_ARGUMENT, "sample", options.criterion = ENTROPIC_CRITERION_DATA, options.sample = sample);
  WRONG(ENTROPIC_BAD_ARGUMENT, "sample", options.criterion = ENTROPIC_CRITERION_DATA, options.sample_rows = 2);
  WRONG(ENTROPIC_BAD_ARGUMENT, "basis", options.select = ENTROPIC_SELECT_PAPER);
  WRONG(ENTROPIC_BAD_ARGUMENT, "nonzeros", options.select = ENTROPIC_SELECT_PAPER, options.features = 0,
        options.nonzeros = 5);
  WRONG(ENTROPIC_BAD_ARGUMENT, "criterion", options.select = ENTROPIC_SELECT_PAPER,
        options.criterion = ENTROPIC_CRITERION_DATA, options.sample = sample, options.sample_rows = 2);
  sample[5] = NAN;
  WRONG(ENTROPIC_BAD_DATA, "row 2, column 3", options.sample = sample, options.sample_rows = 2);
  sample[3] = -INFINITY;
  WRONG(ENTROPIC_BAD_DATA, "row 2, column 1", options.sample = sample, options.sample_rows = 2);
#undef WRONG
  /* rows that are not part of the sample do not matter; nor does a sample of no rows */
  options = ent_design_options_default();
  options.features = 5;
  options.sample = sample;
  entropic_design_free(make_design(kernel, &options));
  options.sample_rows = 1;
  entropic_design_free(make_design(kernel, &options));
}

static void no_such_group(void **state) {
  (void)state;
  entropic_design_options options = ent_design_options_default();
  options.features = 5;
  entropic_design *design = make_design(kernel, &options);
  entropic_group group = {.features = 77};
  assert_int_equal(ent_design_group(context, design, entropic_design_groups(design), &group), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "group");
  assert_int_equal(ent_design_group(context, design, SIZE_MAX, &group), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(group.features, 77);
  entropic_design_free(design);
  entropic_design_free(NULL);
}

/* A design holds its kernel, custom pairs and all. */
static void kernels_may_be_freed_first(void **state) {
  (void)state;
  double omega = 2;
  entropic_axis_options axes[2] = {ref_options(ref_named("custom of its own"), &omega, ENTROPIC_BASIS_FULL, 5),
                                   ref_options(ref_named("laplace"), &omega, ENTROPIC_BASIS_FULL, 5)};
  entropic_kernel *own = make_kernel(axes, 2, 2);
  entropic_design_options options = ent_design_options_default();
  options.features = 50;
  entropic_design *first = make_design(own, &options), *second = make_design(own, &options);
  assert_ptr_equal(entropic_design_kernel(first), own);
  entropic_kernel_free(own);
  entropic_design_free(first);
  const entropic_kernel *held = entropic_design_kernel(second);
  assert_int_equal(entropic_kernel_inputs(held), 2);
  assert_close(ent_kernel_axis_value(held, 0, 0.2, 0.3), (0.25 + 0.2 + 2 * 0.04) / 1.3, 1e-15);
  entropic_design_free(second);
}

/* Caps that leave few features: all there are, and the design says so. */
static void caps_may_exhaust(void **state) {
  (void)state;
  entropic_axis_options axis = ent_axis_options_default();
  axis.max_level = 2;
  entropic_kernel *small = make_kernel(&axis, 1, 3);
  entropic_design_options options = ent_design_options_default();
  for (size_t order = 0; order <= 3; order++) {
    /* each input: base, line, hat 1, and two hats 2 */
    const size_t all[] = {125, 1 + 3 * 4, 1 + 3 * 4 + 3 * 16, 125}, groups[] = {64, 1 + 3 * 3, 1 + 9 + 27, 64};
    options.max_order = order;
    for (size_t more = 0; more < 2; more++) {
      options.features = all[order] + more;
      options.nonzeros = 0;
      entropic_design *design = make_design(small, &options);
      assert_int_equal(entropic_design_features(design), all[order]);
      assert_int_equal(entropic_design_exhausted(design), more);
      entropic_design_free(design);
      options.features = 0;
      options.nonzeros = groups[order] + more;
      design = make_design(small, &options);
      assert_int_equal(entropic_design_features(design), all[order]);
      assert_int_equal(entropic_design_groups(design), groups[order]);
      assert_int_equal(entropic_design_exhausted(design), more);
      entropic_design_free(design);
    }
  }
  entropic_kernel_free(small);
}

static void expect_too_large(entropic_family family, double omega, int levels, size_t inputs, size_t features,
                             size_t nonzeros, const char *message) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = family;
  axis.omega = omega;
  axis.max_level = levels;
  entropic_kernel *large = make_kernel(&axis, 1, inputs);
  entropic_design_options options = ent_design_options_default();
  options.features = features;
  options.nonzeros = nonzeros;
  expect_refusal(large, &options, ENTROPIC_TOO_LARGE, message);
  entropic_kernel_free(large);
}

static void sizes_too_large(void **state) {
  (void)state;
  /* a thousand factors of up to sqrt(w) each */
  expect_too_large(ENTROPIC_FAMILY_CENTRED, 1e4, 8, 1000, 100, 0, "omega");
  expect_too_large(ENTROPIC_FAMILY_SOBOLEV, 1e4, 8, 1000, 100, 0, "omega");
  expect_too_large(ENTROPIC_FAMILY_BROWNIAN, 1e4, 8, 1000, 100, 0, "omega");
  expect_too_large(ENTROPIC_FAMILY_COSH, 1e4, 8, 1000, 100, 0, "omega");
  expect_too_large(ENTROPIC_FAMILY_BROWNIAN, 1e4, 8, 1000, 0, 3, "omega");
  /* more than 2^31 - 1 features in whole groups */
  expect_too_large(ENTROPIC_FAMILY_CENTRED, 1, 30, 2, 0, 1100, "2147483647");
  expect_too_large(ENTROPIC_FAMILY_BRIDGE, 1, 30, 3, 0, 100000, "2147483647");
  expect_too_large(ENTROPIC_FAMILY_LAPLACE, 1e4, 30, 3, 0, 1, "2147483647");
  expect_too_large(ENTROPIC_FAMILY_LAPLACE, 1e4, 30, 8, 0, 1, "2147483647"); /* nor does 2^64 hold them */
}

/* One row at a node of level 30: that level scores best in both inputs, and their group has 2^58 atoms. */
static void groups_of_too_many_atoms(void **state) {
  (void)state;
  entropic_axis_options axis = ent_axis_options_default();
  axis.basis = ENTROPIC_BASIS_INTERIOR;
  axis.max_level = 30;
  entropic_kernel *deep = make_kernel(&axis, 1, 2);
  const double sample[2] = {3 * 0x1p-30, 3 * 0x1p-30};
  entropic_design_options options = ent_design_options_default();
  options.criterion = ENTROPIC_CRITERION_DATA;
  options.sample = sample;
  options.sample_rows = 1;
  options.features = 5;
  expect_refusal(deep, &options, ENTROPIC_TOO_LARGE, "max_level");
  entropic_kernel_free(deep);
}

/* Keys of many inputs add up without overflow, also where the sample misses every atom. */
static void very_many_inputs(void **state) {
  (void)state;
  const size_t inputs = 600000;
  entropic_axis_options axis = ent_axis_options_default();
  axis.basis = ENTROPIC_BASIS_INTERIOR;
  axis.max_level = 3;
  entropic_kernel *wide_kernel = make_kernel(&axis, 1, inputs);
  double *sample = calloc(inputs, sizeof *sample);
  assert_non_null(sample);
  entropic_design_options options = ent_design_options_default();
  options.features = 4;
  options.sample = sample;
  options.sample_rows = 1;
  entropic_design *design = make_design(wide_kernel, &options);
  assert_int_equal(entropic_design_features(design), 4);
  for (size_t g = 0; g < 3; g++) /* the root, then hats 2 of the first inputs, the last cut */
    assert_true(group_of(design, g).terms_count == (g > 0) && (g == 0 || group_of(design, g).terms[0].input == g - 1));
  entropic_design_free(design);
  free(sample);
  entropic_kernel_free(wide_kernel);
}

/* A kernel that is large but not too large, and the most features there can be in whole groups of one input. */
static void sizes_just_small_enough(void **state) {
  (void)state;
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = ENTROPIC_FAMILY_BROWNIAN;
  axis.omega = 1e4;
  entropic_kernel *steep = make_kernel(&axis, 1, 150); /* 100^150 = 2^996.6 */
  entropic_design_options options = ent_design_options_default();
  options.features = 10;
  entropic_design_free(make_design(steep, &options));
  entropic_kernel_free(steep);
  axis = ent_axis_options_default();
  axis.max_level = 30;
  entropic_kernel *deep = make_kernel(&axis, 1, 1);
  options.features = 0;
  options.nonzeros = 32;
  entropic_design *design = make_design(deep, &options);
  assert_int_equal(entropic_design_features(design), (1 << 30) + 1);
  assert_int_equal(entropic_design_exhausted(design), 0);
  entropic_design_free(design);
  entropic_kernel_free(deep);
}

SUITE(design_options) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),
      cmocka_unit_test(names_of_criteria),
      cmocka_unit_test(each_wrong_field_is_named),
      cmocka_unit_test(no_such_group),
      cmocka_unit_test(kernels_may_be_freed_first),
      cmocka_unit_test(caps_may_exhaust),
      cmocka_unit_test(sizes_too_large),
      cmocka_unit_test(groups_of_too_many_atoms),
      cmocka_unit_test(very_many_inputs),
      cmocka_unit_test(sizes_just_small_enough),
  };
  return cmocka_run_group_tests_name("design: options", tests, set_up, tear_down);
}

/* Lifting numbers and categories together: all features give the kernel exactly; thousands of categories. */
#include "unit/lift_checks.h"

static double middle(size_t cell, size_t categories) {
  return ((double)cell + 0.5) / ((double)categories + 1);
}

/* Points at nodes of the deepest level of hats, where what deeper ones would add is 0. */
static void draw_point(const entropic_kernel *kernel, entropic_random *random, double *x) {
  for (size_t i = 0; i < entropic_kernel_inputs(kernel); i++) {
    entropic_axis_options axis = ent_kernel_axis(kernel, i);
    if (axis.family == ENTROPIC_FAMILY_CATEGORY)
      x[i] = middle((size_t)entropic_random_below(random, axis.categories + 1), axis.categories);
    else
      x[i] = ldexp((double)entropic_random_below(random, (UINT64_C(1) << axis.max_level) + 1), -axis.max_level);
  }
}

/* All features there are: z(x) z(y) is the kernel. */
static void all_features_are_the_kernel(void **state) {
  (void)state;
  enum { ROWS = 40 };
  for (uint64_t round = 0; round < rounds(60); round++) {
    entropic_random random = entropic_random_start(61, round);
    entropic_axis_options axes[3];
    size_t inputs = 1 + (size_t)entropic_random_below(&random, 3),
           some = (size_t)entropic_random_below(&random, inputs);
    for (size_t i = 0; i < inputs; i++) {
      double omega = exp2(entropic_random_uniform(&random) * 12 - 6);
      axes[i] = category_options(1 + (size_t)entropic_random_below(&random, 9), omega);
      if (i != some && entropic_random_below(&random, 2))
        axes[i] = ref_options(ref_random(&random, REF_BUILT_IN), &omega, ENTROPIC_BASIS_FULL, 3);
    }
    entropic_kernel *kernel = make_kernel(axes, inputs, inputs);
    double x[ROWS * 3];
    for (size_t r = 0; r < ROWS; r++)
      draw_point(kernel, &random, x + r * inputs);
    check_all_features(kernel, x, ROWS);
    entropic_kernel_free(kernel);
  }
}

/* Rows of two inputs of 10,000 categories each and a number; few pairs of categories, so that some come again. */
static void draw_rows(entropic_random *random, double *x, size_t rows) {
  for (size_t r = 0; r < rows; r++) {
    size_t pair = (size_t)entropic_random_below(random, 200);
    x[r * 3] = middle(pair * 7919 % 10001, 10000);
    x[r * 3 + 1] = entropic_random_uniform(random);
    x[r * 3 + 2] = middle(pair * pair % 10001, 10000);
  }
}

/* Groups of 10^4 and 10^8 atoms, whole, cut at the front, and cut by what a sample has. */
static void ten_thousand_categories(void **state) {
  (void)state;
  entropic_axis_options number = ent_axis_options_default();
  number.max_level = 2;
  const entropic_axis_options axes[3] = {category_options(10000, 100), number, category_options(10000, 100)};
  entropic_kernel *kernel = make_kernel(axes, 3, 3);
  static double sample[400 * 3], x[70 * 3];
  entropic_random random = entropic_random_start(62, 0);
  draw_rows(&random, sample, 400);
  draw_rows(&random, x, 70);
  static const size_t sizes[] = {9000, 21000, 0};
  size_t pairs = 0;
  for (size_t s = 0; s < COUNT(sizes); s++)
    for (int sampled = 0; sampled < 2; sampled++) {
      entropic_design_options options = ent_design_options_default();
      options.features = s < 2 ? sizes[s] : 20000 * 5 + 5 + 300; /* all but the pair, and some of that */
      options.sample = sampled ? sample : NULL;
      options.sample_rows = 400;
      entropic_design *design = make_design(kernel, &options);
      entropic_group last = group_of(design, entropic_design_groups(design) - 1);
      assert_non_null(last.members);
      pairs += last.atoms == 100000000;
      const trial on = {.random = &random, .x = x, .rows = 70, .inputs = 3, .stride = 3, .what = "10000 categories"};
      static const entropic_lift_code codes[] = {ENTROPIC_LIFT_CODE_REFERENCE, ENTROPIC_LIFT_CODE_AVX2,
                                                 ENTROPIC_LIFT_CODE_BEST};
      double *expected = NULL;
      for (size_t c = 0; c < COUNT(codes); c++) {
        entropic_lift *lift = make_lift(design, codes[c]);
        double *dense = lift_all_dense(&on, lift, 70);
        if (expected == NULL)
          check_naive(&on, design, expected = dense, 20);
        else
          assert_memory_equal(dense, expected, 70 * entropic_design_features(design) * sizeof *dense);
        check_sparse(&on, lift, 33, expected);
        if (dense != expected)
          free(dense);
        entropic_lift_free(lift);
      }
      size_t met = 0;
      for (size_t i = last.first_feature * 70; i < entropic_design_features(design) * 70; i++)
        met += expected[i] != 0;
      assert_true(met > 0 || !sampled); /* what the sample has, other rows have too */
      free(expected);
      entropic_design_free(design);
    }
  assert_int_equal(pairs, 2);
  entropic_kernel_free(kernel);
}

/* Products that leave the range of double on their way, at the bottom or at the top, but not in the end. */
static void many_small_and_many_large(void **state) {
  static const char *const axes[] = {
      "inputs 240\naxis 100 category omega 1e-6 categories 1\naxis 140 category omega 10000 categories 1\nbase 240 1\n",
      "inputs 270\naxis 200 category omega 10000 categories 1\naxis 70 category omega 1e-6 categories 1\nbase 270 1\n"};
  for (size_t which = 0; which < COUNT(axes); which++) {
    size_t inputs = which == 0 ? 240 : 270, length;
    char text[8192];
    length =
        (size_t)snprintf(text, sizeof text, "entropic design 1\ncriterion l2\n%sgroups 1 exhausted 0\n0", axes[which]);
    for (size_t i = 1; i <= inputs; i++)
      length += (size_t)snprintf(text + length, sizeof text - length, " %zu:2%s", i, i == inputs ? "\n" : "");
    entropic_design *design = design_of_text(in_folder(state, "products"), text);
    entropic_random random = entropic_random_start(63, 0);
    static double x[40 * 270];
    for (size_t i = 0; i < 40 * inputs; i++)
      x[i] = i == inputs + 7 ? 0.75 : 0.25; /* the second row has something that is none */
    const trial on = {.random = &random, .x = x, .rows = 40, .inputs = inputs, .stride = inputs, .what = "products"};
    entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
    double *z = lift_all_dense(&on, lift, 40);
    check_naive(&on, design, z, 40);
    check_sparse(&on, lift, 40, z);
    assert_true(z[0] > 0 && isfinite(z[0]) && z[1] == 0 && z[2] == z[0]);
    free(z);
    entropic_lift_free(lift);
    entropic_design_free(design);
  }
}

SUITE(lift_category) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_features_are_the_kernel),
      cmocka_unit_test(ten_thousand_categories),
      cmocka_unit_test_setup_teardown(many_small_and_many_large, make_folder, remove_folder),
  };
  return cmocka_run_group_tests_name("lift: categories", tests, NULL, NULL);
}

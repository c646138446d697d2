/* Lifting rows with missing values: against the definition, the kernel, and rows without; what is refused. */
#include "unit/lift_checks.h"

static const entropic_lift_code codes[] = {ENTROPIC_LIFT_CODE_REFERENCE, ENTROPIC_LIFT_CODE_AVX2,
                                           ENTROPIC_LIFT_CODE_BEST};

/* Some inputs with an atom for missing values, some without, some categories; `levels` deep. */
static entropic_kernel *draw_kernel(entropic_random *random, size_t inputs, int levels) {
  entropic_axis_options axes[8];
  size_t some = (size_t)entropic_random_below(random, inputs);
  for (size_t i = 0; i < inputs; i++) {
    double omega = exp2(entropic_random_uniform(random) * 12 - 6);
    uint64_t kind = i == some ? entropic_random_below(random, 2) : entropic_random_below(random, 4);
    axes[i] = ent_axis_options_default();
    axes[i].omega = omega;
    axes[i].max_level = levels;
    axes[i].missing = kind < 2;
    axes[i].smooth = kind == 0 && entropic_random_below(random, 2) ? 3 : 0;
    if (kind == 1)
      axes[i].family = ENTROPIC_FAMILY_SOBOLEV;
    if (kind == 3)
      axes[i] = category_options(1 + (size_t)entropic_random_below(random, 9), omega);
  }
  return make_kernel(axes, inputs, inputs);
}

static void lifts_equal_their_definition(void **state) {
  (void)state;
  for (uint64_t round = 0; round < rounds(60); round++) {
    entropic_random random = entropic_random_start(81, round);
    entropic_kernel *kernel = draw_kernel(&random, 1 + (size_t)entropic_random_below(&random, 8), 6);
    entropic_design_options options = ent_design_options_default();
    options.criterion = entropic_random_below(&random, 3) == 0 ? ENTROPIC_CRITERION_SUP : ENTROPIC_CRITERION_L2;
    if (entropic_random_below(&random, 2))
      options.features = 1 + (size_t)entropic_random_below(&random, 400);
    else
      options.nonzeros = 1 + (size_t)entropic_random_below(&random, 60);
    entropic_design *design = make_design(kernel, &options);
    check_lift(design, &random, 1 + (size_t)entropic_random_below(&random, 100), 200000, "missing values");
    entropic_design_free(design);
    entropic_kernel_free(kernel);
  }
}

/* All features there are, at nodes of the deepest hats: z(x) z(y) is the kernel. */
static void all_features_are_the_kernel(void **state) {
  (void)state;
  enum { ROWS = 40, DEPTH = 2 };
  for (uint64_t round = 0; round < rounds(40); round++) {
    entropic_random random = entropic_random_start(82, round);
    size_t inputs = 1 + (size_t)entropic_random_below(&random, 3);
    entropic_kernel *kernel = draw_kernel(&random, inputs, DEPTH);
    double x[ROWS * 3];
    for (size_t i = 0; i < ROWS * inputs; i++) {
      entropic_axis_options axis = ent_kernel_axis(kernel, i % inputs);
      x[i] = ldexp((double)entropic_random_below(&random, (1 << DEPTH) + 1), -DEPTH);
      if (axis.missing && entropic_random_below(&random, 3) == 0)
        x[i] = NAN;
    }
    check_all_features(kernel, x, ROWS);
    entropic_kernel_free(kernel);
  }
}

/* One bad value in each place of two tiles and a half: a missing one only where values may be, an infinite one never. */
static void what_is_refused(void **state) {
  (void)state;
  enum { ROWS = 80, INPUTS = 4 };
  entropic_axis_options axes[INPUTS];
  for (size_t i = 0; i < INPUTS; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].missing = i % 2 == 0;
    axes[i].omega = i < 2 ? 1 : 1e-6; /* so that the last two are in no group */
  }
  entropic_kernel *kernel = make_kernel(axes, INPUTS, INPUTS);
  entropic_design_options options = ent_design_options_default();
  options.features = 12;
  entropic_design *design = make_design(kernel, &options);
  entropic_context *context = context_with(1);
  static double x[ROWS * INPUTS], z[ROWS * 12];
  for (size_t c = 0; c < COUNT(codes); c++) {
    entropic_lift *lift = make_lift(design, codes[c]);
    entropic_workspace *workspace = make_workspace(lift);
    static const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < ROWS * INPUTS; i++)
      x[i] = i % 7 == 0 && i % INPUTS % 2 == 0 ? NAN : (double)(i % 11) / 10;
    for (size_t i = 0; i < ROWS * INPUTS; i++)
      for (size_t k = 0; k < COUNT(bad); k++) {
        double before = x[i];
        char place[80];
        x[i] = bad[k];
        bool fine = isnan(bad[k]) && i % INPUTS % 2 == 0;
        assert_int_equal(entropic_lift_dense(context, lift, workspace, x, ROWS, INPUTS, z, ROWS),
                         fine ? ENTROPIC_OK : ENTROPIC_BAD_DATA);
        snprintf(place, sizeof place, "row %zu, column %zu: ", i / INPUTS + 1, i % INPUTS + 1);
        if (!fine)
          assert_message(context, place);
        x[i] = before;
      }
    entropic_workspace_free(workspace);
    entropic_lift_free(lift);
  }
  entropic_context_free(context);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

SUITE(lift_missing) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lifts_equal_their_definition),
      cmocka_unit_test(all_features_are_the_kernel),
      cmocka_unit_test(what_is_refused),
  };
  return cmocka_run_group_tests_name("lift: missing values", tests, NULL, NULL);
}

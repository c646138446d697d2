/* The lift equals the product of the atoms it stands for: on random designs of every kind. */
#include "unit/lift_checks.h"

/* Written to by custom kernels' users; must outlive their kernels. */
static double custom_omegas[] = {0.001, 0.1, 1, 5, 40, 250};

static double log_uniform(entropic_random *random, double low, double high) {
  return low * exp(entropic_random_uniform(random) * log(high / low));
}

/* An input whose base is the constant, with other levels that score hardly less: groups of many active inputs. */
static entropic_axis_options plain_axis(entropic_random *random, int deepest) {
  if (entropic_random_below(random, 5) == 0)
    return category_options(1 + (size_t)entropic_random_below(random, 6), log_uniform(random, 1, 4));
  entropic_axis_options axis = ent_axis_options_default();
  bool sobolev = entropic_random_below(random, 3) == 0;
  axis.family = sobolev ? ENTROPIC_FAMILY_SOBOLEV : ENTROPIC_FAMILY_CENTRED;
  axis.omega = sobolev ? log_uniform(random, 0.1, 2.9) : log_uniform(random, 0.1, 11.9);
  axis.max_level = 1 + (int)entropic_random_below(random, (uint64_t)deepest);
  axis.smooth = sobolev || entropic_random_below(random, 2) ? 0 : 2 + (int)entropic_random_below(random, 7);
  return axis;
}

static entropic_axis_options random_axis(entropic_random *random, int deepest, bool interior) {
  if (!interior && entropic_random_below(random, 5) == 0)
    return category_options((size_t)log_uniform(random, 1, 300), log_uniform(random, 1e-3, 1e3));
  const ref_family *family = ref_random(random, REF_BASIS);
  double *custom_omega = &custom_omegas[entropic_random_below(random, 6)];
  bool custom = family->family == ENTROPIC_FAMILY_CUSTOM;
  int most = custom && deepest > 7 ? 7 : deepest;
  int level = 1 + (int)entropic_random_below(random, (uint64_t)most);
  entropic_axis_options axis =
      ref_options(family, custom_omega, interior ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL, level);
  if (!custom)
    axis.omega = log_uniform(random, 1e-3, 1e3);
  axis.unit_height = interior && entropic_random_below(random, 2);
  if (entropic_family_has(family->family, ENTROPIC_TRAIT_SMOOTH) && !interior && entropic_random_below(random, 2))
    axis.smooth = 2 + (int)entropic_random_below(random, 7);
  if (family->family == ENTROPIC_FAMILY_SOBOLEV && !interior && entropic_random_below(random, 8) == 0)
    axis.max_level = 0;
  return axis;
}

/* A kernel of one, a few, or (while that is cheap) all different axes. */
static entropic_kernel *random_kernel(entropic_random *random, size_t inputs, int deepest, bool interior) {
  bool plain = !interior && entropic_random_below(random, 2) == 0;
  size_t kinds = 1 + entropic_random_below(random, inputs < 8 ? inputs : 4);
  entropic_axis_options axes[100], some[8];
  for (size_t k = 0; k < kinds; k++)
    some[k] = plain ? plain_axis(random, deepest) : random_axis(random, deepest, interior);
  for (size_t i = 0; i < inputs; i++)
    axes[i] = some[kinds == inputs ? i : entropic_random_below(random, kinds)];
  return make_kernel(axes, kinds == 1 ? 1 : inputs, inputs);
}

static double *random_sample(entropic_random *random, size_t rows, size_t inputs) {
  double *sample = calloc(rows * inputs, sizeof *sample);
  assert_non_null(sample);
  for (size_t i = 0; i < rows * inputs; i++) {
    double u = entropic_random_uniform(random);
    sample[i] = i % 7 == 0 ? draw_node(random) : u * u;
  }
  return sample;
}

/* Draws a design; NULL if its numbers are too large for a double, or for this test. */
static entropic_design *random_design(entropic_context *context, entropic_random *random) {
  size_t inputs = (size_t)log_uniform(random, 1, 100.99);
  bool interior = entropic_random_below(random, 4) == 0, by_nonzeros = entropic_random_below(random, 4) == 0;
  static const int depths[] = {2, 6, 16, 30};
  int deepest = depths[entropic_random_below(random, by_nonzeros ? 2 : 4)];
  entropic_kernel *kernel = random_kernel(random, inputs, deepest, interior);
  entropic_design_options options = ent_design_options_default();
  size_t budget = (size_t)log_uniform(random, 1, by_nonzeros ? 200 : 2000.99);
  options.features = by_nonzeros ? 0 : budget;
  options.nonzeros = by_nonzeros ? budget : 0;
  options.criterion = (entropic_criterion)entropic_random_below(random, 3);
  options.max_order = entropic_random_below(random, 2) ? 0 : 1 + entropic_random_below(random, 5);
  options.seed = entropic_random_bits(random);
  options.sample_rows = 60;
  double *sample = random_sample(random, 60, inputs);
  if (options.criterion == ENTROPIC_CRITERION_DATA || entropic_random_below(random, 2))
    options.sample = sample;
  if (interior && !by_nonzeros && options.criterion != ENTROPIC_CRITERION_DATA && entropic_random_below(random, 2)) {
    options.select = ENTROPIC_SELECT_PAPER;
    options.max_order = 0;
  }
  entropic_design *design = NULL;
  entropic_status status = ent_design_create(context, kernel, &options, &design);
  if (status != ENTROPIC_OK && status != ENTROPIC_TOO_LARGE)
    fail_msg("%s", entropic_context_message(context));
  entropic_kernel_free(kernel);
  free(sample);
  if (design != NULL && entropic_design_features(design) > 4000) {
    entropic_design_free(design);
    return NULL;
  }
  return design;
}

static bool is_custom(const entropic_design *design) {
  const entropic_kernel *kernel = entropic_design_kernel(design);
  for (size_t i = 0; i < entropic_kernel_inputs(kernel); i++)
    if (ent_kernel_axis(kernel, i).family == ENTROPIC_FAMILY_CUSTOM)
      return true;
  return false;
}

/* Whether every input's base is the constant; then *most becomes how many inputs are active in a group, if that is
 * more. */
static bool is_plain(const entropic_design *design, size_t *most) {
  naive all = naive_start(design);
  bool plain = all.not_plain == 0;
  for (size_t g = 0; plain && g < all.groups; g++)
    *most = all.group[g].terms_count > *most ? all.group[g].terms_count : *most;
  naive_stop(&all);
  return plain;
}

static void random_designs(void **state) {
  entropic_context *context = context_with(1);
  size_t wanted = rounds(1000), done = 0, tried = 0, reloaded = 0, plain = 0, most = 0;
  for (; done < wanted; tried++) {
    entropic_random random = entropic_random_start(20, tried);
    entropic_design *design = random_design(context, &random);
    if (design == NULL)
      continue;
    if (entropic_random_below(&random, 3) == 0 && !is_custom(design)) {
      const char *path = in_folder(state, "design");
      ASSERT_OK(context, entropic_design_save(context, design, path));
      entropic_design_free(design);
      ASSERT_OK(context, entropic_design_load(context, path, &design));
      reloaded++;
    }
    char what[40];
    snprintf(what, sizeof what, "design %zu", tried);
    check_lift(design, &random, 1 + entropic_random_below(&random, 70), 200000, what);
    plain += is_plain(design, &most);
    entropic_design_free(design);
    done++;
  }
  assert_true(tried < 2 * wanted);
  assert_true(reloaded > wanted / 20);
  assert_in_range(plain, wanted / 5, wanted / 2);
  assert_true(in_a_hurry() || most >= 6);
  entropic_context_free(context);
}

/* Every size of a block around one, two and three tiles, on one design. */
static void every_size_of_block(void **state) {
  (void)state;
  entropic_axis_options axis = ent_axis_options_default();
  axis.omega = 3;
  axis.smooth = 3;
  entropic_design *design = design_of_axis(axis, 5, 400);
  entropic_random random = entropic_random_start(21, 0);
  for (size_t rows = 1; rows <= 100; rows++)
    check_lift(design, &random, rows, 20000, "centred");
  entropic_design_free(design);
}

/* A row's bits do not depend on where it stands. */
static void position_does_not_matter(void **state) {
  (void)state;
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = ENTROPIC_FAMILY_LAPLACE;
  axis.omega = 30;
  entropic_design *design = design_of_axis(axis, 7, 300);
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  entropic_workspace *workspace = make_workspace(lift);
  entropic_random random = entropic_random_start(22, 0);
  double x[97 * 7], z[300 * 97], moved[300 * 97];
  fill_rows(&random, x, 97, 7, 7);
  assert_int_equal(entropic_lift_dense(NULL, lift, workspace, x, 97, 7, z, 97), ENTROPIC_OK);
  size_t order[97];
  entropic_random_permutation(&random, 97, order);
  double shuffled[97 * 7];
  for (size_t r = 0; r < 97; r++)
    memcpy(shuffled + r * 7, x + order[r] * 7, 7 * sizeof *x);
  assert_int_equal(entropic_lift_dense(NULL, lift, workspace, shuffled, 97, 7, moved, 97), ENTROPIC_OK);
  for (size_t column = 0; column < 300; column++)
    for (size_t r = 0; r < 97; r++)
      assert_memory_equal(&moved[column * 97 + r], &z[column * 97 + order[r]], sizeof *z);
  entropic_workspace_free(workspace);
  entropic_lift_free(lift);
  entropic_design_free(design);
}

SUITE(lift_naive) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(random_designs, make_folder, remove_folder),
      cmocka_unit_test(every_size_of_block),
      cmocka_unit_test(position_does_not_matter),
  };
  return cmocka_run_group_tests_name("lift_naive", tests, NULL, NULL);
}

/* Saving designs and loading them back: the same design, the same bytes when saved again. */
#include "unit/reference.h"

static void assert_same_design(const entropic_design *a, const entropic_design *b) {
  const entropic_kernel *x = entropic_design_kernel(a), *y = entropic_design_kernel(b);
  assert_int_equal(entropic_kernel_inputs(x), entropic_kernel_inputs(y));
  for (size_t i = 0; i < entropic_kernel_inputs(x); i++) {
    entropic_axis_options s = ent_kernel_axis(x, i), t = ent_kernel_axis(y, i);
    assert_true(s.family == t.family && s.basis == t.basis && s.max_level == t.max_level && s.smooth == t.smooth);
    assert_int_equal(s.categories, t.categories);
    assert_true(s.omega == t.omega || (isnan(s.omega) && isnan(t.omega)));
    assert_int_equal(s.unit_height != 0, t.unit_height != 0);
    assert_int_equal(entropic_design_base(a, i), entropic_design_base(b, i));
  }
  assert_int_equal(entropic_design_features(a), entropic_design_features(b));
  assert_int_equal(entropic_design_groups(a), entropic_design_groups(b));
  assert_int_equal(entropic_design_nonzeros(a), entropic_design_nonzeros(b));
  assert_int_equal(entropic_design_exhausted(a), entropic_design_exhausted(b));
  assert_int_equal(entropic_design_criterion(a), entropic_design_criterion(b));
  for (size_t g = 0; g < entropic_design_groups(a); g++) {
    entropic_group s = group_of(a, g), t = group_of(b, g);
    assert_int_equal(s.first_feature, t.first_feature);
    assert_int_equal(s.features, t.features);
    assert_true(s.atoms == t.atoms && s.log2_score == t.log2_score);
    assert_int_equal(s.terms_count, t.terms_count);
    assert_int_equal(s.members != NULL, t.members != NULL);
    if (s.terms_count > 0)
      assert_memory_equal(s.terms, t.terms, s.terms_count * sizeof *s.terms);
    if (s.members != NULL)
      assert_memory_equal(s.members, t.members, s.features * sizeof *s.members);
  }
}

/* Saves, loads, compares, saves again, compares the bytes. */
static void check_round_trip(void **state, const entropic_design *design) {
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  const char *first = in_folder(state, "first"), *second = in_folder(state, "second");
  assert_int_equal(entropic_design_save(context, design, first), ENTROPIC_OK);
  entropic_design *loaded = NULL;
  if (entropic_design_load(context, first, &loaded) != ENTROPIC_OK) {
    print_error("%s\n", entropic_context_message(context));
    fail();
  }
  assert_same_design(design, loaded);
  assert_int_equal(entropic_design_save(context, loaded, second), ENTROPIC_OK);
  size_t sizes[2];
  char *texts[2] = {read_whole(first, &sizes[0]), read_whole(second, &sizes[1])};
  assert_int_equal(sizes[0], sizes[1]);
  assert_memory_equal(texts[0], texts[1], sizes[0]);
  free(texts[0]);
  free(texts[1]);
  entropic_design_free(loaded);
  entropic_context_free(context);
}

static void make_and_check(void **state, const entropic_axis_options *axes, size_t count, size_t inputs,
                           const entropic_design_options *options) {
  entropic_kernel *kernel = make_kernel(axes, count, inputs);
  entropic_design *design = make_design(kernel, options);
  check_round_trip(state, design);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

static void every_family(void **state) {
  static double sample[40 * 4];
  entropic_random random = entropic_random_start(21, 0);
  for (size_t i = 0; i < 160; i++)
    sample[i] = entropic_random_uniform(&random);
  for (const ref_family *family = NULL; (family = ref_next(family, REF_LIBRARY)) != NULL;)
    for (int variant = 0; variant < 12; variant++) {
      double omega = variant % 2 ? 1 / 3.0 : 12.345678901234567;
      entropic_axis_options axis =
          ref_options(family, &omega, variant % 3 == 2 ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL, 7);
      axis.p = axis.q = NULL;
      axis.user = NULL;
      axis.unit_height = variant % 3 == 2 && variant % 2;
      entropic_design_options options = ent_design_options_default();
      options.criterion = (entropic_criterion)(variant % 4 == 3 ? 2 : variant % 2);
      options.features = 1 + 37 * (size_t)variant;
      options.sample = variant % 4 > 1 ? sample : NULL;
      options.sample_rows = variant % 4 > 1 ? 40 : 0;
      make_and_check(state, &axis, 1, 4, &options);
    }
}

/* Every input differs, the last group is cut, the level is deep. */
static void mixed_axes(void **state) {
  entropic_axis_options axes[24];
  for (size_t i = 0; i < 24; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].family = ref_nth(i / 2, REF_BUILT_IN)->family;
    axes[i].omega = exp2((double)i - 12) * (i % 3 == 0 ? 1 / 7.0 : 1);
    axes[i].omega = fmin(1e4, fmax(1e-6, axes[i].omega));
    axes[i].max_level = i % 4 == 0 ? 30 : 3;
    axes[i].smooth = entropic_family_has(axes[i].family, ENTROPIC_TRAIT_SMOOTH) ? 8 : 0;
  }
  entropic_design_options options = ent_design_options_default();
  options.features = 3001;
  make_and_check(state, axes, 24, 24, &options);
  options.features = 0;
  options.nonzeros = 5;
  axes[0].max_level = 4;
  for (size_t i = 0; i < 24; i++)
    axes[i].max_level = 2;
  make_and_check(state, axes, 24, 24, &options);
}

/* Numbers and categories, many and few, the same ones twice in a row; also where categories are a base of one atom, and
 * where they are no base because there are several. */
static void categories(void **state) {
  entropic_axis_options axes[7] = {category_options(10000, 40),    ent_axis_options_default(),
                                   category_options(3, 1 / 3.0),   category_options(3, 1 / 3.0),
                                   category_options(1, 7),         category_options(4, 1e4),
                                   category_options(1 << 24, 1e-6)};
  axes[1].max_level = 5;
  entropic_design_options options = ent_design_options_default();
  const double sample[14] = {0.1, 0.2, 0.3, 0.4, 0.1, 0.1, 0.7, 0.9, 0.2, 0.9, 0.9, 0.4, 0.3, 1};
  for (int variant = 0; variant < 8; variant++) {
    options.features = variant % 2 ? 0 : 25000;
    options.nonzeros = variant % 2 ? 30 : 0;
    options.max_order = 2;
    options.criterion = (entropic_criterion)(variant / 2 % 3);
    options.sample = variant / 2 % 3 == 2 || variant > 5 ? sample : NULL;
    options.sample_rows = 2;
    make_and_check(state, axes, variant % 2 ? 6 : 7, variant % 2 ? 6 : 7, &options);
  }
}

/* What the file looks like is a promise to those who read older ones. */
static void category_lines(void **state) {
  const entropic_axis_options axes[3] = {ent_axis_options_default(), category_options(12, 2), category_options(12, 2)};
  entropic_design_options options = ent_design_options_default();
  options.features = 3;
  entropic_kernel *kernel = make_kernel(axes, 3, 3);
  entropic_design *design = make_design(kernel, &options);
  const char *path = in_folder(state, "lines");
  assert_int_equal(entropic_design_save(NULL, design, path), ENTROPIC_OK);
  char *text = read_whole(path, NULL);
  assert_non_null(strstr(text, "entropic design 1\ncriterion l2\ninputs 3\n"
                               "axis 1 centred full omega 1 level 16 smooth 0 unit 0\n"
                               "axis 2 category omega 2 categories 12\nbase 3 1\ngroups 3 exhausted 0\n"));
  free(text);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

/* Inputs without a base level: every group has a term for each of them. */
static void without_base(void **state) {
  entropic_axis_options axes[3] = {ent_axis_options_default(), ent_axis_options_default(), ent_axis_options_default()};
  axes[0].family = axes[2].family = ENTROPIC_FAMILY_LAPLACE;
  axes[0].omega = axes[2].omega = 1000;
  axes[0].max_level = axes[1].max_level = axes[2].max_level = 8;
  entropic_design_options options = ent_design_options_default();
  options.nonzeros = 40;
  entropic_kernel *kernel = make_kernel(axes, 3, 3);
  entropic_design *design = make_design(kernel, &options);
  assert_true(entropic_design_base(design, 0) == ENTROPIC_NO_LEVEL);
  assert_int_equal(entropic_design_base(design, 1), 0);
  assert_true(entropic_design_base(design, 2) == ENTROPIC_NO_LEVEL);
  for (size_t g = 0; g < 40; g++) {
    entropic_group group = group_of(design, g);
    assert_true(group.terms_count >= 2 && group.terms[0].input == 0 && group.terms[group.terms_count - 1].input == 2);
  }
  check_round_trip(state, design);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  make_and_check(state, axes, 1, 3, &options);
}

static void paper_and_exhausted(void **state) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.basis = ENTROPIC_BASIS_INTERIOR;
  axis.unit_height = 5; /* anything but 0 */
  entropic_design_options options = ent_design_options_default();
  options.select = ENTROPIC_SELECT_PAPER;
  options.features = 300;
  make_and_check(state, &axis, 1, 12, &options);
  options.features = 100000;
  axis.max_level = 3;
  make_and_check(state, &axis, 1, 2, &options);
}

/* omega is of no use to the bridge, whatever it is. */
static void bridge_with_any_omega(void **state) {
  const double omegas[] = {0, -1, 1e9, INFINITY, NAN};
  for (size_t i = 0; i < COUNT(omegas); i++) {
    entropic_axis_options axis = ent_axis_options_default();
    axis.family = ENTROPIC_FAMILY_BRIDGE;
    axis.omega = omegas[i];
    entropic_design_options options = ent_design_options_default();
    options.features = 30;
    make_and_check(state, &axis, 1, 3, &options);
  }
}

/* The documented example, byte for byte. */
static void known_text(void **state) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.omega = 0.5;
  axis.max_level = 4;
  entropic_kernel *kernel = make_kernel(&axis, 1, 2);
  entropic_design_options options = ent_design_options_default();
  options.features = 10;
  entropic_design *design = make_design(kernel, &options);
  const char *path = in_folder(state, "known");
  assert_int_equal(entropic_design_save(NULL, design, path), ENTROPIC_OK);
  char *text = read_whole(path, NULL), expected[1000];
  /* cost of a line or hat 1: log2(24) 2^32; each level deeper 2 more; a pair of lines costs more than hat 3 */
  long long line = llround(log2(24) * 4294967296.0), bit = 4294967296LL;
  snprintf(expected, sizeof expected,
           "entropic design 1\ncriterion l2\ninputs 2\naxis 2 centred full omega 0.5 level 4 smooth 0 unit 0\n"
           "base 2 1\ngroups 8 exhausted 0\n0\n%lld 1:2\n%lld 2:2\n%lld 1:3\n%lld 2:3\n%lld 1:4\n%lld 2:4\n"
           "%lld 1:5 = 1\n",
           line, line, line, line, line + 2 * bit, line + 2 * bit, line + 4 * bit);
  assert_string_equal(text, expected);
  free(text);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

/* Up to 2^20 inputs can be saved and loaded; one more is refused where it is saved, not where it is loaded. */
static void many_inputs(void **state) {
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  entropic_axis_options axis = ent_axis_options_default();
  axis.omega = 1e-3;
  entropic_design_options options = ent_design_options_default();
  options.features = 5;
  for (size_t more = 0; more < 2; more++) {
    entropic_kernel *kernel = make_kernel(&axis, 1, ((size_t)1 << 20) + more);
    entropic_design *design = make_design(kernel, &options), *loaded = NULL;
    const char *path = in_folder(state, more ? "more" : "many");
    entropic_status status = entropic_design_save(context, design, path);
    assert_int_equal(status, more ? ENTROPIC_TOO_LARGE : ENTROPIC_OK);
    if (more) {
      assert_message(context, "inputs");
      assert_int_equal(access(path, F_OK), -1);
    } else {
      assert_int_equal(entropic_design_load(context, path, &loaded), ENTROPIC_OK);
      assert_int_equal(entropic_kernel_inputs(entropic_design_kernel(loaded)), 1 << 20);
    }
    entropic_design_free(loaded);
    entropic_design_free(design);
    entropic_kernel_free(kernel);
  }
  entropic_context_free(context);
}

static void missing_files(void **state) {
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  entropic_design *design = NULL;
  assert_int_equal(entropic_design_load(context, in_folder(state, "none"), &design), ENTROPIC_SYSTEM);
  assert_message(context, "none");
  assert_int_equal(entropic_design_load(context, in_folder(state, ""), &design), ENTROPIC_SYSTEM);
  assert_null(design);
  entropic_axis_options axis = ent_axis_options_default();
  entropic_kernel *kernel = make_kernel(&axis, 1, 2);
  entropic_design_options options = ent_design_options_default();
  options.features = 10;
  design = make_design(kernel, &options);
  assert_int_equal(entropic_design_save(context, design, in_folder(state, "no/such/folder")), ENTROPIC_SYSTEM);
  assert_message(context, "no/such/folder");
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  entropic_context_free(context);
}

SUITE(design_files) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_family),   cmocka_unit_test(mixed_axes),    cmocka_unit_test(categories),
      cmocka_unit_test(category_lines), cmocka_unit_test(without_base),  cmocka_unit_test(paper_and_exhausted),
      cmocka_unit_test(known_text),     cmocka_unit_test(missing_files), cmocka_unit_test(bridge_with_any_omega),
      cmocka_unit_test(many_inputs),
  };
  return cmocka_run_group_tests_name("design: files", tests, make_folder, remove_folder);
}

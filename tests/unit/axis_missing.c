/* Axes with an atom for missing values: the kernel, its expansion, scores, and where there can be one. */
#include "axis/kernel.h"
#include "unit/lifting.h"

static entropic_axis_options missing_options(entropic_family family, double omega, int levels, int smooth) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = family;
  options.omega = omega;
  options.max_level = levels;
  options.smooth = smooth;
  options.missing = 1;
  return options;
}

/* Points at nodes of the hats there are, so that deeper ones would add nothing, and one that is missing. */
#define DEPTH 4
#define POINTS ((1 << DEPTH) + 2)

static double point(size_t i) {
  return i + 1 < POINTS ? ldexp((double)i, -DEPTH) : NAN;
}

/* As it is defined: 1 with a missing value, 1 + w with two. */
static double expected_kernel(const entropic_kernel *plain, double omega, double x, double y) {
  if (isnan(x) || isnan(y))
    return isnan(x) && isnan(y) ? 1 + omega : 1;
  return ent_kernel_axis_value(plain, 0, x, y);
}

static void kernel_and_its_expansion(void **state) {
  (void)state;
  static const double omegas[] = {1e-6, 0.3, 1, 10, 1e4};
  for (size_t w = 0; w < COUNT(omegas); w++)
    for (int kind = 0; kind < 3; kind++) {
      entropic_axis_options options = missing_options(kind < 2 ? ENTROPIC_FAMILY_CENTRED : ENTROPIC_FAMILY_SOBOLEV,
                                                      omegas[w], DEPTH, kind == 1 ? 5 : 0);
      entropic_kernel *kernel = make_kernel(&options, 1, 1);
      options.missing = 0;
      entropic_kernel *plain = make_kernel(&options, 1, 1);
      size_t levels = entropic_kernel_levels(kernel, 0);
      assert_int_equal(levels, entropic_kernel_levels(plain, 0) + 1);
      for (size_t a = 0; a < POINTS; a++)
        for (size_t b = 0; b < POINTS; b++) {
          double x = point(a), y = point(b), sum = 0, expected = expected_kernel(plain, omegas[w], x, y);
          assert_true(ent_kernel_axis_value(kernel, 0, x, y) == expected);
          for (size_t level = 0; level < levels; level++) {
            uint64_t at_x, at_y;
            double both = atom_at(kernel, 0, level, x, &at_x) * atom_at(kernel, 0, level, y, &at_y);
            sum += at_x == at_y ? both : 0;
          }
          assert_near(sum, expected, 1e-14 * (1 + omegas[w]), "kind %d, w = %g, %g and %g", kind, omegas[w], x, y);
        }
      entropic_kernel_free(plain);
      entropic_kernel_free(kernel);
    }
}

/* Where nothing is missing all atoms are what they are without the last level, to the bit; where it is, only two are. */
static void atoms(void **state) {
  (void)state;
  enum { COUNT = 101 };
  double x[COUNT], known[COUNT], values[COUNT], others[COUNT];
  uint32_t atom[COUNT], other[COUNT];
  for (int kind = 0; kind < 2; kind++) {
    entropic_axis_options options =
        missing_options(kind == 0 ? ENTROPIC_FAMILY_CENTRED : ENTROPIC_FAMILY_SOBOLEV, 2.5, 9, 0);
    options.smooth = kind == 0 ? 8 : 0;
    entropic_kernel *kernel = make_kernel(&options, 1, 1);
    options.missing = 0;
    entropic_kernel *plain = make_kernel(&options, 1, 1);
    const ent_axis *axis = kernel->axes[0], *without = plain->axes[0];
    for (size_t i = 0; i < COUNT; i++) {
      known[i] = (double)i / (COUNT - 1); /* an axis without that level takes no NaN */
      x[i] = i % 3 == 2 ? NAN : known[i];
    }
    for (size_t l = 0; l < axis->level_count; l++) {
      const ent_level *level = &axis->levels[l];
      level->evaluate(axis, level, x, COUNT, atom, values);
      if (l < without->level_count)
        without->levels[l].evaluate(without, &without->levels[l], known, COUNT, other, others);
      for (size_t i = 0; i < COUNT; i++) {
        assert_true(atom[i] < level->info.atoms);
        if (isnan(x[i]))
          assert_true(values[i] == (l == 0 ? 1 : l == without->level_count ? sqrt(2.5) : 0));
        else if (l < without->level_count)
          assert_true(values[i] == others[i] && atom[i] == other[i]);
        else
          assert_true(values[i] == 0);
      }
    }
    entropic_kernel_free(plain);
    entropic_kernel_free(kernel);
  }
}

/* The largest square, and the mean one if one value in twelve is missing. */
static void scores(void **state) {
  (void)state;
  static const double omegas[] = {0.1, 1, 7, 300};
  for (size_t w = 0; w < COUNT(omegas); w++)
    for (int kind = 0; kind < 2; kind++) {
      const entropic_axis_options options =
          missing_options(kind == 0 ? ENTROPIC_FAMILY_CENTRED : ENTROPIC_FAMILY_SOBOLEV, omegas[w], 3, 0);
      entropic_kernel *kernel = make_kernel(&options, 1, 1);
      entropic_level level = level_of(kernel, 0, 5);
      uint64_t atom;
      double value = atom_at(kernel, 0, 5, NAN, &atom);
      assert_int_equal(level.kind, ENTROPIC_LEVEL_KIND_MISSING);
      assert_int_equal(level.order, 0);
      assert_true(level.atoms == 1 && atom == 0);
      assert_close(level.sup, value * value, 1e-15 * level.sup);
      assert_close(level.l2, value * value / 12, 1e-15 * level.l2);
      assert_true(kind == 1 || level.l2 == level_of(kernel, 0, 1).l2);
      entropic_kernel_free(kernel);
    }
}

/* Which come first where the scores are equal: linear, missing, hat. With data it is the share of missing values. */
static void designs(void **state) {
  (void)state;
  const entropic_axis_options axis = missing_options(ENTROPIC_FAMILY_CENTRED, 1, 4, 0);
  entropic_kernel *kernel = make_kernel(&axis, 1, 1);
  entropic_design_options options = ent_design_options_default();
  options.features = 4;
  entropic_design *design = make_design(kernel, &options);
  static const entropic_level_kind kinds[] = {ENTROPIC_LEVEL_KIND_LINEAR, ENTROPIC_LEVEL_KIND_MISSING,
                                              ENTROPIC_LEVEL_KIND_HAT};
  for (size_t g = 1; g < 4; g++) {
    entropic_group group = group_of(design, g);
    assert_int_equal(level_of(kernel, 0, group.terms[0].level).kind, kinds[g - 1]);
    assert_true(group.log2_score == group_of(design, 1).log2_score);
  }
  entropic_design_free(design);
  const double sample[] = {NAN, 0.1, NAN, 0.9, NAN};
  options.criterion = ENTROPIC_CRITERION_DATA;
  options.sample = sample;
  options.sample_rows = 5;
  options.features = 10;
  design = make_design(kernel, &options);
  entropic_group first = group_of(design, 1);
  assert_int_equal(level_of(kernel, 0, first.terms[0].level).kind, ENTROPIC_LEVEL_KIND_MISSING);
  assert_close(exp2(first.log2_score), 3.0 / 5, 1e-9);
  first = group_of(design, 2); /* the line, from the two values there are */
  assert_int_equal(first.terms[0].level, 1);
  assert_close(exp2(first.log2_score), 2 * 0.16 / 5, 1e-9);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

static void refusals(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  entropic_kernel *kernel = NULL;
  for (int family = 0; family < (int)ent_family_count(); family++)
    for (int basis = 0; basis < 2; basis++) {
      entropic_axis_options options = missing_options((entropic_family)family, 1, 3, 0);
      options.basis = (entropic_basis)basis;
      options.categories = family == ENTROPIC_FAMILY_CATEGORY ? 3 : 0;
      options.p = options.q = family == ENTROPIC_FAMILY_CUSTOM ? user_one : NULL;
      bool can = entropic_family_has((entropic_family)family, ENTROPIC_TRAIT_MISSING) && basis == ENTROPIC_BASIS_FULL;
      assert_int_equal(ent_kernel_create(context, &options, 1, 1, &kernel), can ? ENTROPIC_OK : ENTROPIC_BAD_ARGUMENT);
      if (can)
        entropic_kernel_free(kernel);
      else
        assert_message(context, "missing: needs the centred or sobolev kernel with its full basis");
    }
  const entropic_axis_options axes[3] = {missing_options(ENTROPIC_FAMILY_CENTRED, 1, 3, 0), ent_axis_options_default(),
                                         missing_options(ENTROPIC_FAMILY_CENTRED, 1, 3, 0)};
  ASSERT_OK(context, ent_kernel_create(context, axes, 3, 3, &kernel));
  assert_int_equal(ent_kernel_axis(kernel, 0).missing, 1);
  assert_int_equal(ent_kernel_axis(kernel, 1).missing, 0);
  uint64_t atom;
  double value;
  ASSERT_OK(context, entropic_kernel_atom(context, kernel, 2, 5, NAN, &atom, &value));
  assert_true(value == 1);
  assert_int_equal(entropic_kernel_atom(context, kernel, 0, 1, INFINITY, &atom, &value), ENTROPIC_BAD_DATA);
  assert_int_equal(entropic_kernel_atom(context, kernel, 1, 1, NAN, &atom, &value), ENTROPIC_BAD_DATA);
  double sample[] = {NAN, 0.5, NAN, 0.1, 0.2, NAN};
  entropic_design_options options = ent_design_options_default();
  options.features = 9;
  options.sample = sample;
  options.sample_rows = 2;
  entropic_design *design = make_design(kernel, &options);
  entropic_design_free(design);
  sample[4] = NAN;
  assert_int_equal(ent_design_create(context, kernel, &options, &design), ENTROPIC_BAD_DATA);
  assert_message(context, "sample: row 2, column 2: nan is not a finite number");
  entropic_kernel_free(kernel);
  entropic_context_free(context);
}

SUITE(axis_missing) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernel_and_its_expansion),
      cmocka_unit_test(atoms),
      cmocka_unit_test(scores),
      cmocka_unit_test(designs),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests_name("axis: missing values", tests, NULL, NULL);
}

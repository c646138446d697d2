/* Category axes: cells, atoms, kernel, scores, and their place in designs. */
#include "axis/kernel.h"
#include "unit/reference.h"

#define MOST ((size_t)1 << 24)

static double middle(size_t cell, size_t categories) {
  return ((double)cell + 0.5) / ((double)categories + 1);
}

/* The middle of cell c lies in cell c: all of them at once. */
static void check_cells(size_t categories) {
  enum { BLOCK = 4096 };
  static double x[BLOCK], values[BLOCK];
  static uint32_t atoms[BLOCK];
  entropic_axis_options options = category_options(categories, 4);
  entropic_kernel *kernel = make_kernel(&options, 1, 1);
  const ent_level *level = &kernel->axes[0]->levels[1];
  for (size_t first = 0; first <= categories; first += BLOCK) {
    size_t count = categories + 1 - first < BLOCK ? categories + 1 - first : BLOCK;
    for (size_t i = 0; i < count; i++)
      x[i] = middle(first + i, categories);
    level->evaluate(kernel->axes[0], level, x, count, atoms, values);
    for (size_t i = 0; i < count; i++) {
      bool none = first + i == categories;
      if (!(none ? values[i] == 0 && atoms[i] < categories : values[i] == 1 && atoms[i] == first + i))
        fail_msg("%zu categories, cell %zu: atom %u, value %g", categories, first + i, atoms[i], values[i]);
    }
  }
  entropic_kernel_free(kernel);
}

static void middles_are_in_their_cells(void **state) {
  (void)state;
  for (size_t categories = 1; categories <= rounds(2500); categories++)
    check_cells(categories);
  static const size_t large[] = {10000, 65535, 65536, 99990, 1 << 20, (1 << 20) + 6, 3000000, MOST - 2, MOST - 1, MOST};
  for (size_t i = 0; i < rounds(10); i++)
    check_cells(large[i]);
}

static void ends_of_the_interval(void **state) {
  (void)state;
  for (size_t categories = 1; categories < 300; categories += 7) {
    entropic_axis_options options = category_options(categories, 9);
    entropic_kernel *kernel = make_kernel(&options, 1, 1);
    uint64_t atom;
    assert_true(atom_at(kernel, 0, 1, 0, &atom) == 1.5 && atom == 0);
    assert_true(atom_at(kernel, 0, 1, -3, &atom) == 1.5 && atom == 0);
    assert_true(atom_at(kernel, 0, 1, 5e-324, &atom) == 1.5 && atom == 0);
    assert_true(atom_at(kernel, 0, 1, 1, &atom) == 0 && atom < categories);
    assert_true(atom_at(kernel, 0, 1, 7, &atom) == 0 && atom < categories);
    assert_true(atom_at(kernel, 0, 1, nextafter(1, 0), &atom) == 0 && atom < categories);
    assert_true(atom_at(kernel, 0, 0, 0.3, &atom) == 1 && atom == 0);
    entropic_kernel_free(kernel);
  }
}

/* k and the sum of atoms, for all pairs of cells, what is none of the categories among them. */
static void kernel_and_its_expansion(void **state) {
  (void)state;
  static const double omegas[] = {1e-6, 0.3, 1, 4, 1e4};
  static const size_t sizes[] = {1, 2, 5, 40};
  for (size_t w = 0; w < COUNT(omegas); w++)
    for (size_t s = 0; s < COUNT(sizes); s++) {
      size_t categories = sizes[s];
      entropic_axis_options options = category_options(categories, omegas[w]);
      entropic_kernel *kernel = make_kernel(&options, 1, 1);
      for (size_t a = 0; a <= categories; a++)
        for (size_t b = 0; b <= categories; b++) {
          double x = middle(a, categories), y = middle(b, categories), sum = 0;
          double expected = a == b && a < categories ? 1 + omegas[w] / 4 : 1;
          assert_true(ent_kernel_axis_value(kernel, 0, x, y) == expected);
          for (size_t level = 0; level < 2; level++) {
            uint64_t at_x, at_y;
            double product = atom_at(kernel, 0, level, x, &at_x) * atom_at(kernel, 0, level, y, &at_y);
            sum += at_x == at_y ? product : 0;
          }
          assert_near(sum, expected, 4e-16 * expected, "%zu categories, w = %g, %zu and %zu", categories, omegas[w], a,
                      b);
        }
      assert_true(isnan(ent_kernel_axis_value(kernel, 0, NAN, 0.5)));
      assert_true(isnan(ent_kernel_axis_value(kernel, 0, 0.5, NAN)));
      entropic_kernel_free(kernel);
    }
}

/* Scores are those of the atoms, on rows that have every category equally often. */
static void scores_are_measured(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 7, 10000};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    entropic_axis_options options = category_options(sizes[s], 2.7);
    entropic_kernel *kernel = make_kernel(&options, 1, 1);
    assert_int_equal(entropic_kernel_levels(kernel, 0), 2);
    entropic_level constant = level_of(kernel, 0, 0), level = level_of(kernel, 0, 1);
    assert_int_equal(constant.kind, ENTROPIC_LEVEL_KIND_CONSTANT);
    assert_int_equal(level.kind, ENTROPIC_LEVEL_KIND_CATEGORY);
    assert_int_equal(level.order, 0);
    assert_true(level.atoms == sizes[s]);
    double sum = 0, largest = 0;
    for (size_t c = 0; c < sizes[s]; c++) {
      uint64_t atom;
      double value = atom_at(kernel, 0, 1, middle(c, sizes[s]), &atom);
      sum += atom == 0 ? value * value : 0;
      largest = larger(largest, value * value);
    }
    assert_close(level.l2, sum / (double)sizes[s], 1e-15 * level.l2);
    assert_close(level.sup, largest, 1e-15 * level.sup);
    entropic_kernel_free(kernel);
  }
}

/* Linear, then categories (of depth 0), then hats, where all score the same. */
static void ties(void **state) {
  (void)state;
  const entropic_axis_options axes[2] = {category_options(3, 1), ent_axis_options_default()};
  entropic_kernel *kernel = make_kernel(axes, 2, 2);
  entropic_design_options options = ent_design_options_default();
  options.features = 6;
  entropic_design *design = make_design(kernel, &options);
  assert_int_equal(entropic_design_groups(design), 4);
  static const size_t inputs[] = {1, 0, 1}, features[] = {1, 3, 1};
  static const entropic_level_kind kinds[] = {ENTROPIC_LEVEL_KIND_LINEAR, ENTROPIC_LEVEL_KIND_CATEGORY,
                                              ENTROPIC_LEVEL_KIND_HAT};
  for (size_t g = 1; g < 4; g++) {
    entropic_group group = group_of(design, g);
    assert_true(group.log2_score == group_of(design, 1).log2_score);
    assert_int_equal(group.terms_count, 1);
    assert_int_equal(group.features, features[g - 1]);
    assert_int_equal(group.terms[0].input, inputs[g - 1]);
    assert_int_equal(level_of(kernel, group.terms[0].input, group.terms[0].level).kind, kinds[g - 1]);
  }
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

/* Four rows of category 1, three of category 3, three of none: the mean square is shared by the two that are met, and
 * these are taken where not all can be. */
static void criterion_data(void **state) {
  (void)state;
  static const size_t cells[10] = {1, 5, 3, 1, 1, 5, 3, 5, 1, 3};
  double sample[10];
  for (size_t i = 0; i < 10; i++)
    sample[i] = middle(cells[i], 5);
  entropic_axis_options axis = category_options(5, 2);
  entropic_kernel *kernel = make_kernel(&axis, 1, 1);
  entropic_design_options options = ent_design_options_default();
  options.criterion = ENTROPIC_CRITERION_DATA;
  options.sample = sample;
  options.sample_rows = 10;
  options.features = 3;
  entropic_design *design = make_design(kernel, &options);
  assert_int_equal(entropic_design_groups(design), 2);
  entropic_group group = group_of(design, 1);
  assert_close(exp2(group.log2_score), 0.5 * 0.7 / 2, 1e-9);
  assert_int_equal(group.features, 2);
  assert_true(group.members[0] == 1 && group.members[1] == 3);
  entropic_design_free(design);

  for (size_t i = 0; i < 10; i++)
    sample[i] = 1; /* nothing but none: there is no category to choose */
  design = make_design(kernel, &options);
  assert_int_equal(entropic_design_features(design), 1);
  assert_int_equal(entropic_design_exhausted(design), 1);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

/* With a large omega the categories outscore the constant: no base level then, unless there is one category alone. */
static void strong_categories(void **state) {
  (void)state;
  const entropic_axis_options axes[2] = {category_options(10, 400), category_options(1, 400)};
  entropic_kernel *kernel = make_kernel(axes, 2, 2);
  entropic_design_options options = ent_design_options_default();
  options.features = 100;
  entropic_design *design = make_design(kernel, &options);
  assert_true(entropic_design_base(design, 0) == ENTROPIC_NO_LEVEL);
  assert_true(entropic_design_base(design, 1) == 1);
  assert_int_equal(entropic_design_features(design), 22);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

/* Groups of very many atoms: refused, not counted wrongly. */
static void too_many(void **state) {
  (void)state;
  entropic_axis_options axis = category_options(MOST, 1e4);
  entropic_kernel *kernel = make_kernel(&axis, 1, 4);
  entropic_design_options options = ent_design_options_default();
  entropic_context *context = NULL;
  entropic_design *design = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  options.nonzeros = 2;
  assert_int_equal(ent_design_create(context, kernel, &options, &design), ENTROPIC_TOO_LARGE);
  assert_message(context, "2147483647");
  options.nonzeros = 0;
  options.features = 10;
  options.criterion = ENTROPIC_CRITERION_SUP;
  assert_int_equal(ent_design_create(context, kernel, &options, &design), ENTROPIC_TOO_LARGE);
  assert_message(context, "2^53");
  assert_null(design);
  entropic_context_free(context);
  entropic_kernel_free(kernel);
}

SUITE(axis_category) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(middles_are_in_their_cells),
      cmocka_unit_test(ends_of_the_interval),
      cmocka_unit_test(kernel_and_its_expansion),
      cmocka_unit_test(scores_are_measured),
      cmocka_unit_test(ties),
      cmocka_unit_test(criterion_data),
      cmocka_unit_test(strong_categories),
      cmocka_unit_test(too_many),
  };
  return cmocka_run_group_tests_name("axis: categories", tests, NULL, NULL);
}

/* The expansion is exact: after L levels the kernel minus the atoms' products is 0 for points in different cells of width
 * 2^-L, and for points in one cell the kernel of what that cell still has to add. */
#include "unit/reference.h"

#define LEVELS 14
#define CELLS (1 << LEVELS)

static const double omegas[] = {1e-3, 0.1, 1, 10, 100, 1e3};

static double sum_of_atoms(const entropic_kernel *kernel, double x, double y) {
  double sum = 0;
  for (size_t level = 0; level < entropic_kernel_levels(kernel, 0); level++) {
    uint64_t at_x, at_y;
    double value_x = atom_at(kernel, 0, level, x, &at_x), value_y = atom_at(kernel, 0, level, y, &at_y);
    if (at_x == at_y)
      sum += value_x * value_y;
  }
  return sum;
}

static int cell_of(double x) {
  int cell = (int)floor(x * CELLS);
  return cell < CELLS ? cell : CELLS - 1;
}

/* A fair share of pairs within one cell, in neighbouring ones, and at nodes and ends. */
static void draw_pair(entropic_random *random, size_t round, double *x, double *y) {
  double width = 1.0 / CELLS;
  *x = entropic_random_uniform(random);
  *y = entropic_random_uniform(random);
  if (round % 4 == 1)
    *y = (cell_of(*x) + *y) * width;
  if (round % 16 == 2)
    *y = fmin(1, *x + *y * width);
  if (round % 16 == 6) {
    *x = (double)entropic_random_below(random, CELLS + 1) * width;
    *y = fmin(1, *x + (round % 32 < 16 ? width : *y * width));
  }
  if (round % 16 == 10)
    *x = round % 32 < 16 ? 0 : 1;
  if (round % 16 == 14)
    *y = *x;
}

/* Returns how many pairs fell into one cell. */
static size_t check_pairs(const ref_family *family, double omega, entropic_basis basis, size_t pairs) {
  entropic_kernel *kernel = ref_kernel_make(family, &omega, basis, LEVELS);
  entropic_random random = entropic_random_start(17, (uint64_t)basis);
  size_t together = 0;
  for (size_t i = 0; i < pairs; i++) {
    double x, y;
    draw_pair(&random, i, &x, &y);
    double low = fmin(x, y), high = fmax(x, y);
    wide expected =
        basis == ENTROPIC_BASIS_FULL ? ref_kernel(family, omega, low, high) : ref_tail(family, omega, 0, 1, low, high);
    wide unit = wide_abs(expected) > 1 ? wide_abs(expected) : 1;
    wide terms = ref_kernel(family, omega, high, high); /* sums and differences in k are of this size */
    double rounding = 4e-15 + 2.3e-16 * omega;          /* w x itself is rounded */
    assert_near(ent_kernel_axis_value(kernel, 0, x, y), expected, rounding * (unit > terms ? unit : terms),
                "%s, w = %g, k(%.17g, %.17g)", family->name, omega, x, y);
    wide tail = 0;
    if (cell_of(x) == cell_of(y)) {
      together++;
      tail = ref_tail(family, omega, cell_of(x) / (wide)CELLS, (cell_of(x) + 1) / (wide)CELLS, low, high);
    }
    assert_near(sum_of_atoms(kernel, x, y), expected - tail, 1e-12 * unit, "%s, w = %g, atoms at %.17g and %.17g",
                family->name, omega, x, y);
  }
  entropic_kernel_free(kernel);
  return together;
}

static void check_basis(entropic_basis basis, size_t pairs) {
  for (const ref_family *family = NULL; (family = ref_next(family, REF_ALL)) != NULL;)
    for (size_t i = 0; i < COUNT(omegas); i++)
      if (ref_takes(family, omegas[i]))
        assert_true(check_pairs(family, omegas[i], basis, pairs) >= pairs / 5);
}

static void full_basis_adds_up_to_the_kernel(void **state) {
  (void)state;
  check_basis(ENTROPIC_BASIS_FULL, rounds(10000));
}

static void interior_basis_adds_up_to_its_part(void **state) {
  (void)state;
  check_basis(ENTROPIC_BASIS_INTERIOR, rounds(2000));
}

/* With the paper's basis as printed what is missing is the boundary part: far from nothing. */
static void interior_basis_misses_the_boundary_part(void **state) {
  (void)state;
  double omega = 1;
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BUILT_IN)) != NULL;) {
    if (ref_boundary(family) == 0)
      continue;
    entropic_kernel *full = ref_kernel_make(family, &omega, ENTROPIC_BASIS_FULL, LEVELS);
    entropic_kernel *interior = ref_kernel_make(family, &omega, ENTROPIC_BASIS_INTERIOR, LEVELS);
    assert_true(ent_kernel_axis_value(full, 0, 1, 1) >= 0.5);
    assert_true(ent_kernel_axis_value(interior, 0, 1, 1) == 0);
    assert_true(ent_kernel_axis_value(interior, 0, 0, 0.5) == 0);
    entropic_kernel_free(full);
    entropic_kernel_free(interior);
  }
}

/* Far rates: kernel values stay right where sinh and exp would overflow or cancel. */
static void kernel_values_at_the_ends_of_omega(void **state) {
  (void)state;
  const double ends[] = {1e-6, 1e-5, 3e3, 1e4};
  entropic_random random = entropic_random_start(5, 0);
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BUILT_IN)) != NULL;)
    for (size_t i = 0; i < COUNT(ends); i++)
      for (int basis = 0; basis < 2; basis++) {
        double omega = ends[i];
        entropic_kernel *kernel = ref_kernel_make(family, &omega, (entropic_basis)basis, 3);
        for (size_t j = 0; j < rounds(400); j++) {
          double x = entropic_random_uniform(&random), y = x + (entropic_random_uniform(&random) - 0.5) / (1 + omega);
          y = fmin(1, fmax(0, y));
          double low = fmin(x, y), high = fmax(x, y);
          wide expected = basis == 0 ? ref_kernel(family, omega, low, high) : ref_tail(family, omega, 0, 1, low, high);
          assert_near(ent_kernel_axis_value(kernel, 0, x, y), expected, (4e-15 + 2.3e-16 * omega) * expected,
                      "%s, w = %g, k(%.17g, %.17g)", family->name, omega, x, y);
        }
        entropic_kernel_free(kernel);
      }
}

static void product_of_inputs(void **state) {
  (void)state;
  double omega[3] = {0.5, 3, 20};
  const entropic_axis_options axes[3] = {
      ref_options(ref_named("centred"), &omega[0], ENTROPIC_BASIS_FULL, 5),
      ref_options(ref_named("laplace"), &omega[1], ENTROPIC_BASIS_INTERIOR, 5),
      ref_options(ref_named("custom of its own"), &omega[2], ENTROPIC_BASIS_FULL, 5)};
  entropic_kernel *kernel = make_kernel(axes, 3, 3);
  const double x[3] = {0.2, 0.9, 0.4}, y[3] = {0.7, 0.3, 0.1};
  wide expected = ref_kernel(ref_named("centred"), omega[0], 0.2, 0.7) *
                  ref_tail(ref_named("laplace"), omega[1], 0, 1, 0.3, 0.9) *
                  ref_kernel(ref_named("custom of its own"), omega[2], 0.1, 0.4);
  assert_near(entropic_kernel_value(kernel, x, y), expected, 1e-14, "three inputs");
  assert_near(entropic_kernel_value(kernel, y, x), expected, 1e-14, "three inputs, the other way round");
  const double outside[3] = {-3, 1.5, 0.4}, clamped[3] = {0, 1, 0.4};
  assert_true(entropic_kernel_value(kernel, outside, y) == entropic_kernel_value(kernel, clamped, y));
  assert_true(isnan(ent_kernel_axis_value(kernel, 0, NAN, 0.5)));
  assert_true(isnan(ent_kernel_axis_value(kernel, 0, 0.5, NAN)));
  entropic_kernel_free(kernel);
}

SUITE(axis_expansion) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full_basis_adds_up_to_the_kernel),
      cmocka_unit_test(interior_basis_adds_up_to_its_part),
      cmocka_unit_test(interior_basis_misses_the_boundary_part),
      cmocka_unit_test(kernel_values_at_the_ends_of_omega),
      cmocka_unit_test(product_of_inputs),
  };
  return cmocka_run_group_tests_name("axis: expansion", tests, NULL, NULL);
}

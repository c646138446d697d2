/* Products of lifted rows are the kernel, or what the design has of it. */
#include "unit/lifting.h"

#define LEVELS 14

static double dot(const double *z, size_t ld, size_t features, size_t a, size_t b) {
  double sum = 0;
  for (size_t column = 0; column < features; column++)
    sum += z[column * ld + a] * z[column * ld + b];
  return sum;
}

static double *dense_of(const entropic_design *design, const double *x, size_t rows) {
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  entropic_workspace *workspace = make_workspace(lift);
  double *z = calloc(entropic_lift_features(lift) * rows, sizeof *z);
  assert_non_null(z);
  assert_int_equal(entropic_lift_dense(NULL, lift, workspace, x, rows, entropic_lift_inputs(lift), z, rows),
                   ENTROPIC_OK);
  entropic_workspace_free(workspace);
  entropic_lift_free(lift);
  return z;
}

/* All features of one input. Points are nodes, where no deeper level adds anything, or far enough from each other to have
 * no deeper atom in common. */
static void one_input(const ref_family *family, double omega, entropic_basis basis) {
  enum { POINTS = 24, NODES = 12 };
  entropic_kernel *kernel = ref_kernel_make(family, &omega, basis, LEVELS);
  entropic_design_options options = ent_design_options_default();
  options.features = (size_t)1 << (LEVELS + 1);
  entropic_design *design = NULL;
  assert_int_equal(ent_design_create(NULL, kernel, &options, &design), ENTROPIC_OK);
  assert_int_equal(entropic_design_exhausted(design), 1);
  entropic_random random = entropic_random_start(30, (uint64_t)(omega * 1000));
  double x[POINTS] = {0, 1, 0.5};
  for (size_t i = 3; i < POINTS; i++) {
    x[i] = ((double)i + entropic_random_uniform(&random) / 2) / POINTS;
    if (i < NODES)
      x[i] = ldexp(rint(ldexp(x[i], LEVELS)), -LEVELS);
  }
  double *z = dense_of(design, x, POINTS);
  double largest = 0;
  for (size_t i = 0; i < POINTS; i++)
    largest = fmax(largest, entropic_kernel_value(kernel, &x[i], &x[i]));
  double tolerance = (family->family == ENTROPIC_FAMILY_CUSTOM ? 1e-9 : 1e-13) * largest;
  for (size_t i = 0; i < POINTS; i++)
    for (size_t j = 0; j < POINTS; j++)
      if (i != j || i < NODES)
        assert_near(dot(z, POINTS, entropic_design_features(design), i, j), entropic_kernel_value(kernel, &x[i], &x[j]),
                    tolerance, "%s, omega %g, basis %d, x = %g, y = %g", family->name, omega, basis, x[i], x[j]);
  free(z);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

static void the_kernel_of_one_input(void **state) {
  (void)state;
  static const double omegas[] = {0.01, 1, 17, 200};
  for (const ref_family *family = NULL; (family = ref_next(family, REF_ALL)) != NULL;)
    for (size_t o = 0; o < 4; o += in_a_hurry() ? 3 : 1)
      for (int basis = 0; basis < 2; basis++)
        if (ref_takes(family, omegas[o]) && !(basis == ENTROPIC_BASIS_INTERIOR && family->smooth > 0))
          one_input(family, omegas[o], (entropic_basis)basis);
}

/* k(x,x) - |z(x)|^2 is what other features would add. Legendre atoms are no part of an orthogonal basis, but the sum is the
 * kernel all the same. */
static void what_is_missing(const ref_family *family, double omega, size_t inputs) {
  enum { POINTS = 60 };
  static const size_t sizes[] = {1, 3, 10, 30, 100, 300, 1000, 3000};
  entropic_axis_options axis = ref_options(family, &omega, ENTROPIC_BASIS_FULL, 10);
  entropic_kernel *kernel = make_kernel(&axis, 1, inputs);
  entropic_random random = entropic_random_start(31, inputs);
  double x[POINTS * 3], before[POINTS], total_before = INFINITY, first_total = 0;
  for (size_t i = 0; i < POINTS * inputs; i++)
    x[i] = i % 5 == 0 ? draw_node(&random) : entropic_random_uniform(&random);
  for (size_t i = 0; i < POINTS; i++)
    before[i] = entropic_kernel_value(kernel, x + i * inputs, x + i * inputs);
  for (size_t s = 0; s < COUNT(sizes); s++) {
    entropic_design_options options = ent_design_options_default();
    options.features = sizes[s];
    entropic_design *design = NULL;
    assert_int_equal(ent_design_create(NULL, kernel, &options, &design), ENTROPIC_OK);
    double *z = dense_of(design, x, POINTS), total = 0;
    for (size_t i = 0; i < POINTS; i++) {
      double all = entropic_kernel_value(kernel, x + i * inputs, x + i * inputs);
      double missing = all - dot(z, POINTS, entropic_design_features(design), i, i), slack = 1e-13 * all + 1e-300;
      if (!(missing >= -slack && missing <= before[i] + slack))
        fail_msg("%s, omega %g, %zu inputs, %zu features: %g missing, before %g", family->name, omega, inputs, sizes[s],
                 missing, before[i]);
      before[i] = missing;
      total += missing;
    }
    assert_true(total < total_before);
    total_before = total;
    if (s == 0)
      first_total = total;
    free(z);
    entropic_design_free(design);
  }
  assert_true(total_before < 0.7 * first_total);
  entropic_kernel_free(kernel);
}

static void more_features_miss_less(void **state) {
  (void)state;
  for (const ref_family *family = NULL; (family = ref_next(family, REF_ALL)) != NULL;)
    for (size_t inputs = 2; inputs <= (in_a_hurry() ? 2 : 3); inputs++)
      for (double omega = 0.5; omega < 10; omega *= 4)
        if (family->family != ENTROPIC_FAMILY_CUSTOM || (inputs == 2 && omega < 1))
          what_is_missing(family, omega, inputs);
}

SUITE(lift_kernel) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_kernel_of_one_input),
      cmocka_unit_test(more_features_miss_less),
  };
  return cmocka_run_group_tests_name("lift_kernel", tests, NULL, NULL);
}

/* The largest eigenvalue that a design leaves, against closed forms and against the matrix of k - k_M on a grid. */
#include "unit/learning.h"

#include "claims/remainder.h"

static entropic_context *context;

static int start(void **state) {
  (void)state;
  context = context_with(1);
  return 0;
}

static int stop(void **state) {
  (void)state;
  entropic_context_free(context);
  return 0;
}

static entropic_kernel *kernel_of(entropic_family family, double omega, size_t inputs, int levels) {
  const entropic_axis_options options = ent_claim_axis_options(family, omega, ENTROPIC_BASIS_FULL, levels);
  entropic_kernel *kernel = NULL;
  ASSERT_OK(context, ent_kernel_create(context, &options, 1, inputs, &kernel));
  return kernel;
}

static entropic_design *design_of(const entropic_kernel *kernel, size_t features) {
  entropic_design_options options = ent_design_options_default();
  entropic_design *design = NULL;
  options.criterion = ENTROPIC_CRITERION_SUP;
  options.features = features;
  ASSERT_OK(context, ent_design_create(context, kernel, &options, &design));
  return design;
}

static double eigenvalue_of(const entropic_kernel *kernel, const entropic_design *design, int depth) {
  ent_claim_axis axis;
  ent_remainder *remainder = NULL;
  double value = NAN;
  ASSERT_OK(context, ent_claim_axis_of(context, &ent_subject_library, kernel, 0, &axis));
  ASSERT_OK(context, ent_remainder_create(context, &axis, entropic_kernel_inputs(kernel), depth, &remainder));
  ASSERT_OK(context, ent_remainder_eigenvalue(context, remainder, design, &value));
  ent_remainder_free(remainder);
  return value;
}

/* Two boundary atoms and the hats of two levels leave cells of 1/4. There -u'' = w f or, for laplace, -u'' + w^2 u = 2w f
 * has zero ends. */
static void one_input(void **state) {
  (void)state;
  static const struct {
    entropic_family family;
    double omega, exact;
  } cases[] = {{ENTROPIC_FAMILY_SOBOLEV, 2, 2 / (16 * M_PI * M_PI)},
               {ENTROPIC_FAMILY_CENTRED, 4, 4 / (16 * M_PI * M_PI)},
               {ENTROPIC_FAMILY_LAPLACE, 3, 2 * 3 / (9 + 16 * M_PI * M_PI)}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_kernel *kernel = kernel_of(cases[i].family, cases[i].omega, 1, 10);
    entropic_design *design = design_of(kernel, 5);
    double former = 0;
    for (int depth = 4; depth <= 9; depth++) { /* from below, four times as near with each level */
      double value = eigenvalue_of(kernel, design, depth);
      assert_true(value > former);
      assert_close(value / cases[i].exact, 1, 1.1 * pow(4, 1 - depth));
      assert_true(value < cases[i].exact);
      former = value;
    }
    entropic_design_free(design);
    entropic_kernel_free(kernel);
  }
}

/* The largest eigenvalue of a matrix whose entries are none negative, by powers. */
static double largest_of(const double *matrix, size_t count) {
  double *x = calloc(count, sizeof *x), *y = calloc(count, sizeof *y), value = 0;
  for (size_t i = 0; i < count; i++)
    x[i] = 1;
  for (int step = 0; step < 60; step++) {
    value = 0;
    for (size_t i = 0; i < count; i++) {
      y[i] = 0;
      for (size_t j = 0; j < count; j++)
        y[i] += matrix[i * count + j] * x[j];
      value += y[i] * y[i];
    }
    value = sqrt(value);
    for (size_t i = 0; i < count; i++)
      x[i] = y[i] / value;
  }
  free(x);
  free(y);
  return value;
}

/* k minus z.z, z lifted, in the middles of side x side cells. */
static double grid_eigenvalue(const entropic_kernel *kernel, const entropic_design *design, size_t side) {
  size_t count = side * side, features = entropic_design_features(design);
  double *x = calloc(2 * count, sizeof *x), *z = calloc(count * features, sizeof *z);
  double *matrix = calloc(count * count, sizeof *matrix);
  entropic_csr *csr = NULL;
  for (size_t i = 0; i < count; i++) {
    size_t row = i / side, column = i % side;
    x[2 * i] = ((double)row + 0.5) / (double)side;
    x[2 * i + 1] = ((double)column + 0.5) / (double)side;
  }
  ASSERT_OK(context, ent_subject_library.lift(context, design, x, count, &csr));
  for (size_t i = 0; i < count; i++)
    for (size_t k = csr->starts[i]; k < csr->starts[i + 1]; k++)
      z[i * features + (size_t)csr->indices[k]] = csr->values[k];
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      double left = ent_kernel_axis_value(kernel, 0, x[2 * i], x[2 * j]) *
                    ent_kernel_axis_value(kernel, 1, x[2 * i + 1], x[2 * j + 1]);
      for (size_t f = 0; f < features; f++)
        left -= z[i * features + f] * z[j * features + f];
      matrix[i * count + j] = left / (double)count;
    }
  double value = largest_of(matrix, count);
  entropic_csr_free(csr);
  free(x);
  free(z);
  free(matrix);
  return value;
}

/* Sets of whole groups and one that is cut; two grids give the limit of ever finer ones. */
static void two_inputs(void **state) {
  (void)state;
  static const struct {
    entropic_family family;
    double omega;
    size_t features;
  } cases[] = {{ENTROPIC_FAMILY_CENTRED, 4, 9},
               {ENTROPIC_FAMILY_CENTRED, 4, 21},
               {ENTROPIC_FAMILY_CENTRED, 4, 15},
               {ENTROPIC_FAMILY_BRIDGE, 1, 5},
               {ENTROPIC_FAMILY_LAPLACE, 1, 12}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_kernel *kernel = kernel_of(cases[i].family, cases[i].omega, 2, 9);
    entropic_design *design = design_of(kernel, cases[i].features);
    double coarse = grid_eigenvalue(kernel, design, 12), fine = grid_eigenvalue(kernel, design, 24);
    double limit = fine + (fine - coarse) / 3, value = eigenvalue_of(kernel, design, 6);
    assert_close(value / limit, 1, 0.01);
    entropic_design_free(design);
    entropic_kernel_free(kernel);
  }
}

/* With nothing kept the eigenvalue of a product is the product of the eigenvalues: bridge has 1/pi^2. */
static void three_inputs(void **state) {
  (void)state;
  entropic_kernel *kernel = kernel_of(ENTROPIC_FAMILY_BRIDGE, 1, 3, 8);
  entropic_design *design = design_of(kernel, 1); /* the one product of three hats of level 1 */
  double one = 0, all = 0;
  ent_claim_axis axis;
  ent_remainder *remainder = NULL;
  entropic_design *empty = ent_design_new(context, kernel, ENTROPIC_CRITERION_SUP);
  ASSERT_OK(context, ent_design_finish(context, empty));
  ASSERT_OK(context, ent_claim_axis_of(context, &ent_subject_library, kernel, 0, &axis));
  ASSERT_OK(context, ent_remainder_create(context, &axis, 3, 7, &remainder));
  ASSERT_OK(context, ent_remainder_eigenvalue(context, remainder, empty, &all));
  ASSERT_OK(context, ent_remainder_eigenvalue(context, remainder, design, &one));
  assert_close(all * pow(M_PI, 6), 1, 1e-3);
  assert_true(one > 0 && one < all / 2);
  ent_remainder_free(remainder);
  ent_remainder_free(NULL);
  entropic_design_free(empty);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

SUITE(study_remainder) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_input),
      cmocka_unit_test(two_inputs),
      cmocka_unit_test(three_inputs),
  };
  return cmocka_run_group_tests_name("study_remainder", tests, start, stop);
}

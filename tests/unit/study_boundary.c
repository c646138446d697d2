/* The boundary functions: atoms in closed form, and least squares against another basis of the same space. */
#include "unit/learning.h"

#include "study/boundary.h"

/* Least squares by nodal hats with nodes i/count inside (0,1): the same space as hats of levels up to log2 count. */
static void nodal_fit(const double *x, const double *truth, size_t rows, size_t count, double *fitted) {
  size_t n = count - 1;
  long double *matrix = calloc(n * n, sizeof *matrix), *right = calloc(n, sizeof *right);
  double *z = calloc(n * rows, sizeof *z);
  for (size_t i = 0; i < n; i++)
    for (size_t r = 0; r < rows; r++)
      z[i * rows + r] = fmax(0, 1 - fabs(x[r] * (double)count - (double)(i + 1)));
  for (size_t i = 0; i < n; i++)
    for (size_t r = 0; r < rows; r++) {
      right[i] += (long double)(z[i * rows + r] * truth[r]);
      for (size_t j = 0; j < n; j++)
        matrix[i * n + j] += (long double)(z[i * rows + r] * z[j * rows + r]);
    }
  eliminate(matrix, right, n);
  for (size_t r = 0; r < rows; r++) {
    fitted[r] = 0;
    for (size_t i = 0; i < n; i++)
      fitted[r] += (double)right[i] * z[i * rows + r];
  }
  free(matrix);
  free(right);
  free(z);
}

static ent_boundary measured;

static int start(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  ASSERT_OK(context, ent_boundary_measure(context, &measured));
  entropic_context_free(context);
  return 0;
}

static void atoms(void **state) {
  (void)state;
  const ent_boundary *b = &measured;
  for (size_t i = 0; i < ENT_BOUNDARY_POINTS; i++) {
    double x = b->x[i];
    assert_true(fabs(b->pair[0][i] - 1) <= 1e-15);
    assert_true(fabs(fabs(b->pair[1][i]) - fabs(x - 0.5)) <= 1e-15);
    for (int l = 1; l <= ENT_BOUNDARY_LEVELS; l++) {
      double h = pow(2, -l), at = fmod(x, 2 * h), height = sqrt(h / 2);
      assert_true(fabs(b->hats[l - 1][i] - height * (1 - fabs(at / h - 1))) <= 1e-14);
    }
  }
  for (int l = 0; l < ENT_BOUNDARY_LEVELS; l++)
    assert_true(b->hats[l][0] == 0 && fabs(b->hats[l][ENT_BOUNDARY_POINTS - 1]) <= 1e-15);
}

static void fits(void **state) {
  (void)state;
  const ent_boundary *b = &measured;
  double nodal[ENT_BOUNDARY_POINTS];
  nodal_fit(b->x, b->truth, ENT_BOUNDARY_POINTS, 8, nodal);
  for (size_t i = 0; i < ENT_BOUNDARY_POINTS; i++)
    assert_true(fabs(nodal[i] - b->coarse[i]) <= 1e-8);
  nodal_fit(b->x, b->truth, ENT_BOUNDARY_POINTS, 32, nodal);
  for (size_t i = 0; i < ENT_BOUNDARY_POINTS; i++) {
    assert_true(fabs(nodal[i] - b->fine[i]) <= 1e-8);
    assert_true(b->truth[i] == 1 + b->x[i]);
    assert_true(fabs(b->pair_alone[i] - b->truth[i]) <= 1e-10);
  }
}

/* Without boundary functions the ends are never reached; with them all of it is, four times as well with each level. */
static void errors(void **state) {
  (void)state;
  const ent_boundary *b = &measured;
  for (size_t i = 0; i < ENT_BOUNDARY_SIZES; i++) {
    assert_true(b->hat_count[i] == pow(2, (double)i + 1) - 1);
    assert_true(b->worst_without[i] >= 2 - 1e-12);
    assert_true(b->without[i] >= 10 * b->with[i]);
    if (i > 0) {
      assert_true(b->without[i] >= 0.5 * b->without[i - 1]);
      assert_true(b->with[i] <= 0.35 * b->with[i - 1]);
    }
  }
}

SUITE(study_boundary) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(atoms),
      cmocka_unit_test(fits),
      cmocka_unit_test(errors),
  };
  return cmocka_run_group_tests_name("study_boundary", tests, start, NULL);
}

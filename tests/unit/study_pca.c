/* Principal components against plain sums; python/encoder.py compares them with NumPy's. */
#include "unit/lifting.h"

#include "base/memory.h"
#include "study/pca.h"

enum { ROWS = 2300, INPUTS = 130, COUNT = 7 };

static float *x;

/* Three strong directions, some noise, and one input that is constant. */
static int start_rows(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(3, 4);
  x = calloc(ROWS * INPUTS, sizeof *x);
  if (x == NULL)
    return -1;
  for (size_t r = 0; r < ROWS; r++) {
    double a[3];
    for (size_t k = 0; k < 3; k++)
      a[k] = (double)(3 - k) * entropic_random_normal(&random);
    for (size_t i = 0; i < INPUTS; i++)
      x[r * INPUTS + i] =
          i == 17 ? 0.5F : (float)(5 + a[i % 3] + (i % 2 ? a[0] : -a[2]) + 0.3 * entropic_random_normal(&random));
  }
  return 0;
}

static int stop_rows(void **state) {
  (void)state;
  free(x);
  return 0;
}

static ent_pca *components(int threads, size_t count) {
  entropic_context *context = context_with(threads);
  ent_pca *pca = NULL;
  ASSERT_OK(context, ent_pca_create(context, x, ROWS, INPUTS, count, &pca));
  entropic_context_free(context);
  return pca;
}

static double *codes_of(int threads, const ent_pca *pca) {
  entropic_context *context = context_with(threads);
  double *codes = calloc(ROWS * pca->count, sizeof *codes);
  ASSERT_OK(context, ent_pca_codes(context, pca, x, ROWS, codes));
  entropic_context_free(context);
  return codes;
}

static double centred(const ent_pca *pca, size_t r, size_t i) {
  return (double)x[r * INPUTS + i] - pca->mean[i];
}

static void vectors_are_orthonormal_and_signed(void **state) {
  (void)state;
  ent_pca *pca = components(2, INPUTS);
  for (size_t a = 0; a < INPUTS; a++) {
    const double *v = pca->vectors + a * INPUTS;
    double largest = 0, least = 0;
    for (size_t i = 0; i < INPUTS; i++) {
      largest = v[i] > largest ? v[i] : largest;
      least = v[i] < least ? v[i] : least;
    }
    assert_true(largest >= -least);
    for (size_t b = 0; b <= a; b++) {
      double sum = 0;
      for (size_t i = 0; i < INPUTS; i++)
        sum += v[i] * pca->vectors[b * INPUTS + i];
      assert_close(sum, a == b, 1e-12);
    }
    assert_true(a == 0 || pca->variances[a] <= pca->variances[a - 1]);
  }
  assert_true(pca->variances[INPUTS - 1] >= 0 && pca->variances[INPUTS - 1] <= 1e-12); /* of the constant input */
  ent_pca_free(pca);
}

/* Codes are plain sums, have mean 0, the variances they should have, and no covariance. */
static void codes_vary_as_promised(void **state) {
  (void)state;
  ent_pca *pca = components(2, COUNT);
  double *codes = codes_of(2, pca), total = 0;
  for (size_t r = 0; r < ROWS; r++)
    for (size_t k = 0; k < COUNT; k++) {
      double sum = 0;
      for (size_t i = 0; i < INPUTS; i++)
        sum += centred(pca, r, i) * pca->vectors[k * INPUTS + i];
      assert_close(codes[r * COUNT + k], sum, 1e-11);
    }
  for (size_t a = 0; a < COUNT; a++)
    for (size_t b = 0; b <= a; b++) {
      double sum = 0, both = 0;
      for (size_t r = 0; r < ROWS; r++) {
        sum += codes[r * COUNT + a];
        both += codes[r * COUNT + a] * codes[r * COUNT + b];
      }
      assert_close(sum / ROWS, 0, 1e-11);
      assert_close(both / (ROWS - 1), a == b ? pca->variances[a] : 0, 1e-10 * pca->variances[0]);
    }
  for (size_t r = 0; r < ROWS; r++)
    for (size_t i = 0; i < INPUTS; i++)
      total += centred(pca, r, i) * centred(pca, r, i);
  assert_close(pca->total, total / (ROWS - 1), 1e-11 * pca->total);
  free(codes);
  ent_pca_free(pca);
}

static void bits_do_not_depend_on_threads(void **state) {
  (void)state;
  ent_pca *pca = components(1, COUNT);
  double *codes = codes_of(1, pca);
  for (int threads = 2; threads <= 3; threads++) {
    ent_pca *other = components(threads, COUNT);
    double *others = codes_of(threads, other);
    assert_memory_equal(other->mean, pca->mean, INPUTS * sizeof(double));
    assert_memory_equal(other->vectors, pca->vectors, COUNT * INPUTS * sizeof(double));
    assert_memory_equal(other->variances, pca->variances, COUNT * sizeof(double));
    assert_memory_equal(others, codes, ROWS * COUNT * sizeof(double));
    free(others);
    ent_pca_free(other);
  }
  free(codes);
  ent_pca_free(pca);
}

static void what_is_wrong_is_said(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  ent_pca *pca = NULL;
  float odd[6] = {0, 1, 2, 3, INFINITY, 5};
  assert_int_equal(ent_pca_create(context, x, 1, INPUTS, 2, &pca), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "rows is 1, expected at least 2");
  assert_int_equal(ent_pca_create(context, x, 10, 3, 0, &pca), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_pca_create(context, x, 10, 3, 4, &pca), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "4 components of 3 inputs, expected 1 to 3");
  assert_int_equal(ent_pca_create(context, odd, 3, 2, 1, &pca), ENTROPIC_BAD_DATA);
  assert_message(context, "row 3, input 1: found inf, expected a finite number");
  assert_null(pca);
  odd[4] = 4.5F;
  ASSERT_OK(context, ent_pca_create(context, odd, 3, 2, 1, &pca));
  double codes[3] = {7, 7, 7};
  odd[1] = NAN;
  assert_int_equal(ent_pca_codes(context, pca, odd, 3, codes), ENTROPIC_BAD_DATA);
  assert_message(context, "row 1, input 2");
  assert_true(codes[0] == 7);
  ent_pca_free(pca);
  ent_pca_free(NULL);
  entropic_context_free(context);
}

SUITE(study_pca) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_are_orthonormal_and_signed),
      cmocka_unit_test(codes_vary_as_promised),
      cmocka_unit_test(bits_do_not_depend_on_threads),
      cmocka_unit_test(what_is_wrong_is_said),
  };
  return cmocka_run_group_tests_name("study_pca", tests, start_rows, stop_rows);
}

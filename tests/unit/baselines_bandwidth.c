/* The rule of the 50th neighbour, against sorting all distances. */
#include "unit/randoms.h"

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The distance of a row to its k-th neighbour, or to the farthest row. */
static double plain_neighbour(const double *x, size_t rows, size_t inputs, size_t stride, size_t row, size_t k) {
  double *all = new_numbers(rows);
  size_t count = 0;
  for (size_t r = 0; r < rows; r++) {
    long double sum = 0;
    for (size_t i = 0; i < inputs; i++) {
      long double apart = (long double)x[row * stride + i] - (long double)x[r * stride + i];
      sum += apart * apart;
    }
    if (r != row)
      all[count++] = (double)sqrtl(sum);
  }
  qsort(all, count, sizeof *all, ascending);
  double found = all[k < count ? k - 1 : count - 1];
  free(all);
  return found;
}

static double plain_bandwidth(const double *x, size_t rows, size_t inputs, size_t stride) {
  double sum = 0;
  for (size_t r = 0; r < rows; r++)
    sum += plain_neighbour(x, rows, inputs, stride, r, 50);
  return (double)rows / sum;
}

static ent_random_data rows_of(const double *x, size_t rows, size_t stride) {
  return (ent_random_data){.x = x, .rows = rows, .stride = stride};
}

static void equals_brute_force(void **state) {
  (void)state;
  const size_t sizes[] = {2, 3, 31, 50, 51, 52, 97, 500};
  for (size_t s = 0; s < COUNT(sizes); s++)
    for (size_t inputs = 1; inputs <= 9; inputs += 4) {
      size_t rows = sizes[s], stride = inputs + 2;
      double *x = uniform_rows(rows, stride, rows), expected, first = 0;
      if (inputs == 1) /* many ties and rows at distance 0 */
        for (size_t i = 0; i < rows * stride; i++)
          x[i] = rint(4 * x[i]) / 4;
      expected = plain_bandwidth(x, rows, inputs, stride);
      for (int threads = 1; threads <= 3; threads++) {
        entropic_context *context = context_with(threads);
        double sigma = NAN;
        if (isfinite(expected)) {
          const ent_random_data data = rows_of(x, rows, stride);
          ASSERT_OK(context, ent_random_bandwidth(context, &data, inputs, 1, &sigma));
          assert_close(sigma, expected, 1e-13 * expected);
          first = threads == 1 ? sigma : first;
          assert_memory_equal(&sigma, &first, sizeof sigma);
        }
        entropic_context_free(context);
      }
      free(x);
    }
}

/* Of many rows some are asked: different ones by seed, each against all. */
static void samples_of_many_rows(void **state) {
  (void)state;
  const size_t rows = 400, most = 60;
  double *x = uniform_rows(rows, 2, 3), all = 0, one = 0, again = 0, other = 0, sum = 0;
  size_t order[400];
  const ent_random_data data = rows_of(x, rows, 2);
  assert_int_equal(ent_random_bandwidth(NULL, &data, 2, 1, &all), ENTROPIC_OK);
  assert_int_equal(ent_bandwidth_by(NULL, &data, 2, 1, most, &one), ENTROPIC_OK);
  assert_int_equal(ent_bandwidth_by(NULL, &data, 2, 1, most, &again), ENTROPIC_OK);
  assert_int_equal(ent_bandwidth_by(NULL, &data, 2, 2, most, &other), ENTROPIC_OK);
  assert_true(one == again && one != other && one != all);
  entropic_random random = entropic_random_start(1, ENT_STREAM_QUERIES);
  entropic_random_permutation(&random, rows, order);
  for (size_t i = 0; i < most; i++)
    sum += plain_neighbour(x, rows, 2, 2, order[i], 50);
  assert_close(one, (double)most / sum, 1e-13 * one);
  assert_close(one, all, 0.1 * all);
  free(x);
}

static void refusals(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  double x[] = {0.5, 0.5, 0.5, NAN}, sigma = -7;
  ent_random_data data = rows_of(x, 1, 1);
  assert_int_equal(ent_random_bandwidth(context, &data, 1, 1, &sigma), ENTROPIC_BAD_DATA);
  assert_message(context, "1 rows, expected at least 2 to have neighbours");
  data = rows_of(x, 3, 1);
  assert_int_equal(ent_random_bandwidth(context, &data, 1, 1, &sigma), ENTROPIC_BAD_DATA);
  assert_message(context, "the 3 rows are too alike: every row has 2 others at distance 0");
  data = rows_of(x, 4, 1);
  assert_int_equal(ent_random_bandwidth(context, &data, 1, 1, &sigma), ENTROPIC_BAD_DATA);
  assert_message(context, "row 4, column 1: nan is not a finite number");
  data = rows_of(x, 2, 1);
  assert_int_equal(ent_random_bandwidth(context, &data, 2, 1, &sigma), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "inputs, stride: 2 and 1; expected 1 to 2147483647 and at least 2");
  assert_true(sigma == -7);
  entropic_context_free(context);
}

SUITE(baselines_bandwidth) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_brute_force),
      cmocka_unit_test(samples_of_many_rows),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests_name("random_bandwidth", tests, NULL, NULL);
}

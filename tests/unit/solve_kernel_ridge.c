/* Kernel ridge and what it says of rows without their block, against the equations without these rows. */
#include "unit/learning.h"

#include "solve/kernel_ridge.h"

enum { ROWS = 61, INPUTS = 4, TARGETS = 2 };
static const double ridges[] = {0.3, 1e-4};

typedef struct table {
  double x[ROWS * INPUTS], y[ROWS * TARGETS], weights[ROWS];
  size_t block_of[ROWS];
} table;

/* Numbers, one with missing values where the kernel takes them, and categories. Rows 0 and 1 are copies. */
static void fill(table *t, bool missing) {
  entropic_random random = entropic_random_start(5, 0);
  for (size_t r = 0; r < ROWS; r++) {
    for (size_t i = 0; i < INPUTS; i++)
      t->x[r * INPUTS + i] = entropic_random_uniform(&random);
    t->x[r * INPUTS + 3] = (floor(3 * t->x[r * INPUTS + 3]) + 0.5) / 4; /* 3 categories and the cell for others */
    if (missing && r % 7 == 3)
      t->x[r * INPUTS + 1] = NAN;
    double second = isnan(t->x[r * INPUTS + 1]) ? 2 : t->x[r * INPUTS + 1];
    for (size_t k = 0; k < TARGETS; k++)
      t->y[r * TARGETS + k] = 100 + sin(5 * t->x[r * INPUTS]) + (double)(k + 1) * second + t->x[r * INPUTS + 3] +
                              0.1 * entropic_random_uniform(&random);
    t->weights[r] = 0.5 + entropic_random_uniform(&random);
    t->block_of[r] = r % 5 == 0 ? 0 : r; /* one large block, many of one row, some of none */
  }
}

static entropic_kernel *kernel_of(entropic_family family, bool missing) {
  entropic_axis_options axes[INPUTS];
  entropic_kernel *kernel = NULL;
  for (size_t i = 0; i < INPUTS; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].family = i == 3 ? ENTROPIC_FAMILY_CATEGORY : family;
    axes[i].categories = i == 3 ? 3 : 0;
    axes[i].omega = 0.7 + 0.4 * (double)i;
    axes[i].missing = missing && i == 1;
  }
  assert_int_equal(ent_kernel_create(NULL, axes, INPUTS, INPUTS, &kernel), ENTROPIC_OK);
  return kernel;
}

/* Predictions of some rows by the equations of all others, from their definition; `without` marks the rows left out. */
static void predict_without(const entropic_kernel *kernel, const table *t, const bool *without, double ridge,
                            double *out) {
  size_t rows[ROWS], n = 0;
  for (size_t r = 0; r < ROWS; r++)
    if (!without[r])
      rows[n++] = r;
  for (size_t k = 0; k < TARGETS; k++) {
    long double *matrix = calloc(n * n, sizeof *matrix), *c = calloc(n, sizeof *c), weight = 0, mean = 0;
    for (size_t i = 0; i < n; i++) {
      weight += (long double)t->weights[rows[i]];
      mean += (long double)t->weights[rows[i]] * (long double)t->y[rows[i] * TARGETS + k];
    }
    mean /= weight;
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++)
        matrix[i * n + j] =
            (long double)entropic_kernel_value(kernel, t->x + rows[i] * INPUTS, t->x + rows[j] * INPUTS);
      matrix[i * n + i] += (long double)(ridge / t->weights[rows[i]]);
      c[i] = (long double)t->y[rows[i] * TARGETS + k] - mean;
    }
    eliminate(matrix, c, n);
    for (size_t r = 0; r < ROWS; r++) {
      long double sum = mean;
      for (size_t i = 0; i < n; i++)
        sum += c[i] * (long double)entropic_kernel_value(kernel, t->x + r * INPUTS, t->x + rows[i] * INPUTS);
      out[r * TARGETS + k] = (double)sum;
    }
    free(matrix);
    free(c);
  }
}

/* All families, with and without missing values; blocks of one row and of several; any number of threads. */
static void rows_without_themselves(void **state) {
  (void)state;
  static const entropic_family families[] = {ENTROPIC_FAMILY_CENTRED, ENTROPIC_FAMILY_LAPLACE, ENTROPIC_FAMILY_SOBOLEV};
  for (size_t f = 0; f < 2 * COUNT(families); f++) {
    bool missing = f >= COUNT(families);
    entropic_family family = families[f % COUNT(families)];
    if (missing && !entropic_family_has(family, ENTROPIC_TRAIT_MISSING))
      continue;
    table t;
    fill(&t, missing);
    entropic_kernel *kernel = kernel_of(family, missing);
    double first[ROWS * TARGETS], expected[ROWS * TARGETS];
    for (int threads = 1; threads <= 3; threads++) {
      entropic_context *context = context_with(threads);
      const ent_kernel_rows rows = {t.x, t.y, t.weights, ROWS, INPUTS, TARGETS, t.block_of};
      ent_kernel_ridge *ridge = NULL;
      ASSERT_OK(context, ent_kernel_ridge_create(context, kernel, &rows, &ridge));
      for (size_t l = 0; l < COUNT(ridges); l++) {
        double left_out[ROWS * TARGETS], coefficients[ROWS * TARGETS], means[TARGETS];
        const ent_kernel_solution solution = {coefficients, means, left_out};
        bool positive = false;
        ASSERT_OK(context,
                  ent_kernel_ridge_solve(context, ridge, ridges[l], l + 1 == COUNT(ridges), &solution, &positive));
        assert_true(positive);
        if (l > 0)
          continue;
        if (threads > 1)
          assert_memory_equal(left_out, first, sizeof first);
        memcpy(first, left_out, sizeof first);
        for (size_t r = 0; r < ROWS && threads == 1; r++) {
          bool without[ROWS];
          for (size_t i = 0; i < ROWS; i++)
            without[i] = t.block_of[i] == t.block_of[r];
          predict_without(kernel, &t, without, ridges[l], expected);
          for (size_t k = 0; k < TARGETS; k++)
            assert_true(fabs(left_out[r * TARGETS + k] - expected[r * TARGETS + k]) <= 1e-10);
        }
      }
      ent_kernel_ridge_free(ridge);
      entropic_context_free(context);
    }
    entropic_kernel_free(kernel);
  }
}

/* Coefficients and means predict what the definition does; values of other rows are those of the kernel. */
static void coefficients_predict(void **state) {
  (void)state;
  table t;
  fill(&t, true);
  entropic_kernel *kernel = kernel_of(ENTROPIC_FAMILY_CENTRED, true);
  const ent_kernel_rows rows = {t.x, t.y, t.weights, ROWS, INPUTS, TARGETS, NULL};
  ent_kernel_ridge *ridge = NULL;
  double coefficients[ROWS * TARGETS], means[TARGETS], expected[ROWS * TARGETS],
      *values = calloc(ROWS * ROWS, sizeof *values);
  const bool none[ROWS] = {false};
  bool positive = false;
  assert_int_equal(ent_kernel_ridge_create(NULL, kernel, &rows, &ridge), ENTROPIC_OK);
  const ent_kernel_solution solution = {.coefficients = coefficients, .means = means};
  assert_int_equal(ent_kernel_ridge_solve(NULL, ridge, ridges[0], true, &solution, &positive), ENTROPIC_OK);
  assert_true(positive);
  assert_int_equal(ent_kernel_values(NULL, kernel, t.x, ROWS, t.x, ROWS, values), ENTROPIC_OK);
  predict_without(kernel, &t, none, ridges[0], expected);
  for (size_t r = 0; r < ROWS; r++)
    for (size_t k = 0; k < TARGETS; k++) {
      double sum = means[k];
      for (size_t i = 0; i < ROWS; i++)
        sum += coefficients[k * ROWS + i] * values[r * ROWS + i];
      assert_true(fabs(sum - expected[r * TARGETS + k]) <= 1e-10);
    }
  for (size_t i = 0; i < ROWS * ROWS; i++)
    assert_true(fabs(values[i] / entropic_kernel_value(kernel, t.x + i / ROWS * INPUTS, t.x + i % ROWS * INPUTS) - 1) <=
                1e-14);
  free(values);
  ent_kernel_ridge_free(ridge);
  entropic_kernel_free(kernel);
}

SUITE(solve_kernel_ridge) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_without_themselves),
      cmocka_unit_test(coefficients_predict),
  };
  return cmocka_run_group_tests_name("solve_kernel_ridge", tests, NULL, NULL);
}

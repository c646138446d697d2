/* Exact kernel ridge regression: against plain elimination, and against Nystroem with every row a landmark. */
#include "unit/randoms.h"

#include "solve/dual.h"
#include "solve/exact.h"
#include "unit/listening.h"

#define ROWS 70
#define INPUTS 3
#define TARGETS 2
#define TESTS 45
#define LAMBDAS 3
#define PREDICTIONS ((size_t)LAMBDAS * TESTS * TARGETS)

static double *x, *x_test, y[ROWS * TARGETS], weights[ROWS];
static const double lambdas[LAMBDAS] = {1e-3, 0.02, 1};

static int make_data(void **state) {
  (void)state;
  x = uniform_rows(ROWS, INPUTS, 51);
  x_test = uniform_rows(TESTS, INPUTS, 52);
  x_test[1] = 1.5; /* counts as 1 */
  for (size_t r = 0; r < ROWS; r++) {
    y[r * TARGETS] = 1e5 + sin(6 * x[r * INPUTS]);
    y[r * TARGETS + 1] = x[r * INPUTS + 1] * x[r * INPUTS + 2];
    weights[r] = r % 4 == 1 ? 0 : 1 + (double)(r % 3);
  }
  return 0;
}

static int free_data(void **state) {
  (void)state;
  free(x);
  free(x_test);
  return 0;
}

static ent_exact_ridge_task task_of(ent_random_kernel kernel, const double *row_weights) {
  return (ent_exact_ridge_task){.kernel = kernel,
                                .sigma = 1.7,
                                .inputs = INPUTS,
                                .data = {.x = x,
                                         .rows = ROWS,
                                         .stride = INPUTS,
                                         .y = y,
                                         .targets = TARGETS,
                                         .y_stride = TARGETS,
                                         .weights = row_weights},
                                .lambdas = lambdas,
                                .count = LAMBDAS,
                                .x = x_test,
                                .rows = TESTS,
                                .stride = INPUTS};
}

/* a x = b by elimination without pivots, for TARGETS right-hand sides. */
static void eliminate(long double a[ROWS][ROWS + TARGETS]) {
  for (size_t k = 0; k < ROWS; k++)
    for (size_t i = k + 1; i < ROWS; i++) {
      long double factor = a[i][k] / a[k][k];
      for (size_t j = k; j < ROWS + TARGETS; j++)
        a[i][j] -= factor * a[k][j];
    }
  for (size_t i = ROWS; i-- > 0;)
    for (size_t t = ROWS; t < ROWS + TARGETS; t++) {
      for (size_t j = i + 1; j < ROWS; j++)
        a[i][t] -= a[i][j] * a[j][t];
      a[i][t] /= a[i][i];
    }
}

/* Minimises sum w (f - y)^2 / N + lambda |f|^2: (W K + lambda N I) c = W (y - m). */
static void plain_coefficients(const ent_exact_ridge_task *task, double lambda, long double means[TARGETS],
                               long double a[ROWS][ROWS + TARGETS]) {
  long double total = 0, sums[TARGETS] = {0};
  for (size_t r = 0; r < ROWS; r++) {
    long double w = task->data.weights == NULL ? 1 : (long double)task->data.weights[r];
    total += w;
    for (size_t t = 0; t < TARGETS; t++)
      sums[t] += w * (long double)y[r * TARGETS + t];
  }
  for (size_t t = 0; t < TARGETS; t++)
    means[t] = sums[t] / total;
  for (size_t r = 0; r < ROWS; r++) {
    long double w = task->data.weights == NULL ? 1 : (long double)task->data.weights[r];
    for (size_t j = 0; j < ROWS; j++)
      a[r][j] = w * plain_kernel(task->kernel, task->sigma, x + r * INPUTS, x + j * INPUTS, INPUTS) +
                (r == j ? (long double)lambda * total : 0);
    for (size_t t = 0; t < TARGETS; t++)
      a[r][ROWS + t] = w * ((long double)y[r * TARGETS + t] - means[t]);
  }
  eliminate(a);
}

static void predictions_are_those_of_plain_elimination(void **state) {
  (void)state;
  static long double a[ROWS][ROWS + TARGETS];
  long double means[TARGETS];
  double found[PREDICTIONS];
  entropic_context *context = context_with(2);
  for (int kernel = ENT_RANDOM_LAPLACE; kernel <= ENT_RANDOM_SOBOLEV; kernel++)
    for (int weighted = 0; weighted < 2; weighted++) {
      ent_exact_ridge_task task = task_of((ent_random_kernel)kernel, weighted ? weights : NULL);
      ASSERT_OK(context, ent_exact_ridge(context, &task, found));
      for (size_t l = 0; l < LAMBDAS; l++) {
        plain_coefficients(&task, lambdas[l], means, a);
        for (size_t r = 0; r < TESTS; r++)
          for (size_t t = 0; t < TARGETS; t++) {
            double row[INPUTS];
            long double sum = means[t];
            for (size_t i = 0; i < INPUTS; i++)
              row[i] = fmin(1, x_test[r * INPUTS + i]);
            for (size_t j = 0; j < ROWS; j++)
              sum += a[j][ROWS + t] * plain_kernel(task.kernel, task.sigma, row, x + j * INPUTS, INPUTS);
            assert_close(found[(l * TESTS + r) * TARGETS + t], sum, t == 0 ? 1e-9 : 1e-11);
          }
      }
    }
  entropic_context_free(context);
}

/* What rows of weight 0 hold is not looked at, and threads make no difference. */
static void bits_depend_on_nothing_else(void **state) {
  (void)state;
  double first[PREDICTIONS], again[PREDICTIONS], holes[ROWS * INPUTS], y_holes[ROWS * TARGETS];
  for (size_t r = 0; r < ROWS; r++) {
    for (size_t i = 0; i < INPUTS; i++)
      holes[r * INPUTS + i] = weights[r] > 0 ? x[r * INPUTS + i] : NAN;
    for (size_t t = 0; t < TARGETS; t++)
      y_holes[r * TARGETS + t] = weights[r] > 0 ? y[r * TARGETS + t] : INFINITY;
  }
  ent_exact_ridge_task task = task_of(ENT_RANDOM_GAUSS, weights);
  for (int threads = 1; threads <= 4; threads++) {
    entropic_context *context = context_with(threads);
    ASSERT_OK(context, ent_exact_ridge(context, &task, threads == 1 ? first : again));
    assert_memory_equal(threads == 1 ? first : again, first, sizeof first);
    entropic_context_free(context);
    task.data.x = holes;
    task.data.y = y_holes;
  }
  assert_int_equal(ent_exact_ridge(NULL, &task, again), ENTROPIC_OK);
  assert_memory_equal(again, first, sizeof first);
  task.rows = 0;
  task.x = NULL;
  assert_int_equal(ent_exact_ridge(NULL, &task, NULL), ENTROPIC_OK);
  task.count = 0;
  assert_int_equal(ent_exact_ridge(NULL, &task, NULL), ENTROPIC_OK);
}

static void nystroem_on_all_rows_predicts_the_same(void **state) {
  (void)state;
  entropic_context *context = context_with(2);
  ent_memory_rows memory = {
      .all = {.rows = ROWS, .x = x, .x_stride = INPUTS, .y = y, .y_stride = TARGETS, .missing = true},
      .inputs = INPUTS,
      .targets = TARGETS};
  ent_rows rows = ent_rows_of_memory(&memory);
  for (int kernel = ENT_RANDOM_LAPLACE; kernel <= ENT_RANDOM_SOBOLEV; kernel++) {
    ent_exact_ridge_task task = task_of((ent_random_kernel)kernel, NULL);
    ent_random_options options = ent_random_options_default();
    options.method = ENT_RANDOM_NYSTROEM;
    options.kernel = task.kernel;
    options.sigma = task.sigma;
    options.features = ROWS;
    ent_random_map *random = make_random(&options, INPUTS, &task.data, 1);
    ent_map map = ent_map_of_random(random);
    ent_dual *dual = NULL;
    double found[PREDICTIONS], *z = lift_densely(random, x_test, TESTS);
    ASSERT_OK(context, ent_dual_of_map(context, &map, &rows, lambdas, LAMBDAS, &dual));
    ASSERT_OK(context, ent_exact_ridge(context, &task, found));
    for (size_t m = 0; m < (size_t)LAMBDAS * TARGETS; m++)
      for (size_t r = 0; r < TESTS; r++) {
        double sum = dual->means[m % TARGETS];
        for (size_t f = 0; f < ROWS; f++)
          sum += dual->weights[m * ROWS + f] * z[f * TESTS + r];
        assert_close(found[(m / TARGETS * TESTS + r) * TARGETS + m % TARGETS], sum, 1e-6);
      }
    free(z);
    ent_dual_free(dual);
    ent_random_free(random);
  }
  entropic_context_free(context);
}

static void refused(const ent_exact_ridge_task *task, entropic_status status, const char *message) {
  entropic_context *context = context_with(2);
  double found[PREDICTIONS];
  assert_int_equal(ent_exact_ridge(context, task, found), status);
  assert_message(context, message);
  entropic_context_free(context);
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  ent_exact_ridge_task good = task_of(ENT_RANDOM_LAPLACE, NULL), bad = good;
  bad.kernel = (ent_random_kernel)3;
  refused(&bad, ENTROPIC_BAD_ARGUMENT, "kernel: 3 is not one of laplace, gauss, sobolev");
  bad = good;
  bad.sigma = NAN;
  refused(&bad, ENTROPIC_BAD_ARGUMENT, "sigma: nan; expected 1e-6 to 1e6");
  bad = good;
  bad.inputs = 0;
  refused(&bad, ENTROPIC_BAD_ARGUMENT, "inputs: 0; expected 1 to 2147483647");
  bad = good;
  bad.data.y = NULL;
  refused(&bad, ENTROPIC_BAD_ARGUMENT, "kernel ridge learns from rows and targets; there are none");
  bad = good;
  bad.data.stride = 2;
  refused(&bad, ENTROPIC_BAD_ARGUMENT, "stride, y_stride: 2 and 2; expected at least 3 and 2");
  bad = good;
  bad.stride = 1;
  refused(&bad, ENTROPIC_BAD_ARGUMENT, "rows to predict: stride 1; expected x and at least 3");
  const double negative[] = {1, -1}, nothing[ROWS] = {0};
  bad = good;
  bad.lambdas = negative;
  bad.count = 2;
  refused(&bad, ENTROPIC_BAD_ARGUMENT, "lambda: -1; expected a finite number, not negative");
  bad = good;
  bad.data.weights = nothing;
  refused(&bad, ENTROPIC_BAD_DATA, "the weights of the rows sum to 0, expected more than 0");
  bad.data.weights = negative;
  bad.data.rows = 2;
  refused(&bad, ENTROPIC_BAD_DATA, "row 2: weight -1; expected a finite number, not negative");
}

static void bad_values_are_refused(void **state) {
  (void)state;
  double bad_x[] = {0.1, 0.2, 0.3, 0.4, NAN, 0.6}, bad_y[] = {1, 2, 3, INFINITY}, ones[60];
  ent_exact_ridge_task good = task_of(ENT_RANDOM_GAUSS, NULL), bad = good;
  bad.data.x = bad_x;
  bad.data.rows = 2;
  refused(&bad, ENTROPIC_BAD_DATA, "row 2, column 2: nan is not a finite number");
  bad = good;
  bad.data.y = bad_y;
  bad.data.rows = 2;
  refused(&bad, ENTROPIC_BAD_DATA, "row 2, target 2: inf is not a finite number");
  bad = good;
  bad.x = bad_x;
  bad.rows = 2;
  refused(&bad, ENTROPIC_BAD_DATA, "row 2, column 2: nan is not a finite number");
  for (size_t i = 0; i < 60; i++)
    ones[i] = 1;
  bad = task_of(ENT_RANDOM_SOBOLEV, NULL);
  bad.sigma = 1e6;
  bad.inputs = bad.stride = bad.data.stride = 60;
  bad.data.x = bad.x = ones;
  bad.data.rows = bad.rows = 1;
  refused(&bad, ENTROPIC_BAD_ARGUMENT, "sigma: 1e+06; the kernel is outside the range of a double");
  const size_t many = ENT_EXACT_MOST_ROWS + 1;
  double *zeros = new_numbers(many * INPUTS);
  bad = good;
  bad.data.x = bad.data.y = zeros;
  bad.data.rows = many;
  refused(&bad, ENTROPIC_TOO_LARGE, "16385 rows; exact kernel ridge takes at most 16384");
  free(zeros);
}

/* Cancels at the poll that comes after so many. */
static int cancel_later(void *user, const char *stage, double done) {
  (void)stage;
  (void)done;
  size_t *left = user;
  return (*left)-- == 0;
}

static void every_poll_can_cancel(void **state) {
  (void)state;
  double found[PREDICTIONS];
  ent_exact_ridge_task task = task_of(ENT_RANDOM_LAPLACE, NULL);
  entropic_context *context = context_with(1);
  size_t polls = 0;
  for (entropic_status status = ENTROPIC_CANCELLED; status != ENTROPIC_OK; polls++) {
    size_t left = polls;
    ent_call call;
    listen_start(context, &call, cancel_later, &left);
    status = ent_exact_ridge(context, &task, found);
    listen_stop(context);
    assert_true(status == ENTROPIC_OK || status == ENTROPIC_CANCELLED);
  }
  assert_true(polls > 10); /* strips of the matrix, factors, strips of predictions */
  entropic_context_free(context);
}

SUITE(solve_exact) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(predictions_are_those_of_plain_elimination),
      cmocka_unit_test(bits_depend_on_nothing_else),
      cmocka_unit_test(nystroem_on_all_rows_predicts_the_same),
      cmocka_unit_test(bad_arguments_are_refused),
      cmocka_unit_test(bad_values_are_refused),
      cmocka_unit_test(every_poll_can_cancel),
  };
  return cmocka_run_group_tests_name("solve_exact", tests, make_data, free_data);
}

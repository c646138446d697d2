/* Ridge against its definition: both methods, several lambdas and targets, cross-validation, GCV. */
#include "unit/learning.h"

#include "base/factor.h"

static const double lambdas[] = {1e-1, 1e-6, 1e-3, 10};
#define LAMBDAS COUNT(lambdas)

static ent_ridge *solve(const ent_statistics *s, const double *list, size_t count, ent_method method, bool with_gcv,
                        int threads) {
  entropic_context *context = context_with(threads);
  ent_ridge *ridge = NULL;
  ASSERT_OK(context, with_gcv ? ent_ridge_solve_gcv(context, s, list, count, method, &ridge)
                              : ent_ridge_solve(context, s, list, count, method, &ridge));
  entropic_context_free(context);
  return ridge;
}

static void equals_its_definition(void **state) {
  (void)state;
  static const double shift[] = {5, 6};
  for (int kind = ALL_ONE; kind <= WEIGHTED; kind++) {
    problem p = problem_start(150, 3, 60, 0, 2, (problem_kind)kind);
    double *a = calloc(p.features, sizeof *a);
    ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_EXACT, shift);
    for (int method = ENT_METHOD_AUTO; method <= ENT_METHOD_TRIDIAGONAL; method++) {
      ent_ridge *ridge = solve(s, lambdas, LAMBDAS, (ent_method)method, false, 2);
      for (size_t l = 0; l < LAMBDAS; l++)
        for (size_t t = 0; t < 2; t++) {
          double mean = plain_ridge(&p, t, lambdas[l], every_row, a), sum = 0, weight = 0;
          assert_close(ridge->means[t], mean, 1e-12);
          assert_true(largest_difference(ridge->weights + (l * 2 + t) * p.features, a, p.features) <=
                      1e-9 * fmax(1, 1e-5 / lambdas[l]));
          for (size_t r = 0; r < p.rows; r++) {
            double error = p.y[r * 2 + t] - plain_prediction(&p, r, mean, a);
            sum += p.weights[r] * error * error;
            weight += p.weights[r];
          }
          assert_close(ridge->residual[l * 2 + t], sum / weight, 1e-11);
        }
      ent_ridge_free(ridge);
    }
    ent_statistics_free(s);
    free(a);
    problem_stop(&p);
  }
}

/* The whole path at once gives what one lambda at a time gives, whatever the threads. */
static void path_equals_single_solves(void **state) {
  (void)state;
  problem p = problem_start(900, 4, 40 + rounds(260), 0, 1, WEIGHTED);
  ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_EXACT, NULL);
  for (int method = ENT_METHOD_CHOLESKY; method <= ENT_METHOD_TRIDIAGONAL; method++) {
    ent_ridge *path = solve(s, lambdas, LAMBDAS, (ent_method)method, true, 1);
    for (int threads = 2; threads <= 8; threads += 3) {
      ent_ridge *again = solve(s, lambdas, LAMBDAS, (ent_method)method, true, threads);
      assert_memory_equal(again->weights, path->weights, LAMBDAS * p.features * sizeof *path->weights);
      assert_memory_equal(again->gcv, path->gcv, LAMBDAS * sizeof *path->gcv);
      ent_ridge_free(again);
    }
    for (size_t l = 0; l < LAMBDAS; l++) {
      ent_ridge *one = solve(s, &lambdas[l], 1, ENT_METHOD_CHOLESKY, false, 3);
      assert_true(largest_difference(one->weights, path->weights + l * p.features, p.features) <= 1e-8);
      ent_ridge_free(one);
    }
    ent_ridge_free(path);
  }
  ent_statistics_free(s);
  problem_stop(&p);
}

/* The trace of the map from y to f, by fitting every unit vector. */
static double plain_freedom(problem *p, double lambda) {
  double *a = calloc(p->features, sizeof *a), *y = p->y, trace = 0;
  for (size_t r = 0; r < p->rows; r++) {
    p->y = calloc(p->rows, sizeof *p->y);
    p->y[r] = 1;
    double mean = plain_ridge(p, 0, lambda, every_row, a);
    trace += plain_prediction(p, r, mean, a);
    free(p->y);
  }
  p->y = y;
  free(a);
  return trace;
}

static void gcv(void **state) {
  (void)state;
  problem p = problem_start(60, 2, 25, 0, 1, ALL_ONE);
  double *a = calloc(p.features, sizeof *a);
  ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_EXACT, NULL);
  ent_ridge *eigen = solve(s, lambdas, LAMBDAS, ENT_METHOD_EIGEN, true, 1);
  ent_ridge *cholesky = solve(s, lambdas, LAMBDAS, ENT_METHOD_CHOLESKY, true, 1);
  ent_ridge *tridiagonal = solve(s, lambdas, LAMBDAS, ENT_METHOD_TRIDIAGONAL, true, 1);
  for (size_t l = 0; l < LAMBDAS; l++) {
    assert_close(eigen->freedom[l], plain_freedom(&p, lambdas[l]), 1e-7);
    assert_close(cholesky->freedom[l], eigen->freedom[l], 1e-8);
    assert_close(tridiagonal->freedom[l], eigen->freedom[l], 1e-8);
    double left = 1 - eigen->freedom[l] / 60, sum = 0, mean = plain_ridge(&p, 0, lambdas[l], every_row, a);
    for (size_t r = 0; r < p.rows; r++)
      sum += pow(p.y[r] - plain_prediction(&p, r, mean, a), 2);
    assert_close(eigen->gcv[l], sum / 60 / (left * left), 1e-8);
    assert_close(cholesky->gcv[l], eigen->gcv[l], 1e-8);
    assert_close(tridiagonal->gcv[l], eigen->gcv[l], 1e-8);
  }
  ent_ridge_free(eigen);
  ent_ridge_free(tridiagonal);
  ent_ridge_free(cholesky);
  ent_statistics_free(s);
  free(a);
  problem_stop(&p);
}

#define FOLDS 3

static size_t fold_of(void *user, size_t row) {
  (void)user;
  return row % FOLDS;
}

static size_t left_out;

static bool not_left_out(size_t row) {
  return row % FOLDS != left_out;
}

static void cross_validation_equals_refits(void **state) {
  (void)state;
  static const double shift[] = {5, 5};
  problem p = problem_start(120, 3, 40, 0, 2, WEIGHTED);
  ent_statistics *total = NULL, *parts[FOLDS];
  double *a = calloc(p.features, sizeof *a), errors[LAMBDAS * 2], again[LAMBDAS * 2], weight = 0;
  assert_int_equal(ent_statistics_create(NULL, p.features, 2, shift, &total), ENTROPIC_OK);
  for (size_t k = 0; k < FOLDS; k++)
    assert_int_equal(ent_statistics_create(NULL, p.features, 2, shift, &parts[k]), ENTROPIC_OK);
  assert_int_equal(
      ent_statistics_collect_folds(NULL, &(ent_statistics_folds){.statistics = parts, .count = FOLDS, .fold = fold_of},
                                   &p.map, rows_of(&p), &(ent_collect_options){.grade = ENT_GRADE_EXACT}),
      ENTROPIC_OK);
  for (size_t k = 0; k < FOLDS; k++)
    assert_int_equal(ent_statistics_add(NULL, total, 1, parts[k]), ENTROPIC_OK);
  for (size_t r = 0; r < p.rows; r++)
    weight += p.weights[r];
  entropic_context *context = context_with(1), *many = context_with(5);
  for (int method = ENT_METHOD_CHOLESKY; method <= ENT_METHOD_TRIDIAGONAL; method++) {
    ASSERT_OK(context,
              ent_ridge_cross_validate(context, &(ent_ridge_sets){.total = total, .set = parts, .count = FOLDS},
                                       lambdas, LAMBDAS, (ent_method)method, errors));
    ASSERT_OK(many, ent_ridge_cross_validate(many, &(ent_ridge_sets){.total = total, .set = parts, .count = FOLDS},
                                             lambdas, LAMBDAS, (ent_method)method, again));
    assert_memory_equal(errors, again, sizeof errors);
    for (size_t i = 0; i < LAMBDAS * 2; i++) {
      double sum = 0;
      for (left_out = 0; left_out < FOLDS; left_out++) {
        double mean = plain_ridge(&p, i % 2, lambdas[i / 2], not_left_out, a);
        for (size_t r = left_out; r < p.rows; r += FOLDS)
          sum += p.weights[r] * pow(p.y[r * 2 + i % 2] - plain_prediction(&p, r, mean, a), 2);
      }
      assert_close(errors[i], sum / weight, 1e-8);
    }
  }
  assert_int_equal(ent_ridge_cross_validate(context, &(ent_ridge_sets){.total = parts[0], .set = parts, .count = 1},
                                            lambdas, 1, ENT_METHOD_AUTO, errors),
                   ENTROPIC_BAD_DATA);
  assert_message(context, "fold 1 holds all the rows");
  entropic_context_free(context);
  entropic_context_free(many);
  for (size_t k = 0; k < FOLDS; k++)
    ent_statistics_free(parts[k]);
  ent_statistics_free(total);
  free(a);
  problem_stop(&p);
}

/* More features than rows and no lambda: the solution of least norm, the same from all methods; it interpolates. Beside
 * a lambda that is large enough, which is no harm to either. */
static void singular_equations(void **state) {
  (void)state;
  static const double zero = 0, some[] = {1e-3, 0, 1e-4};
  problem p = problem_start(20, 2, 50, 0, 1, ALL_ONE);
  ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_EXACT, NULL);
  ent_ridge *cholesky = solve(s, &zero, 1, ENT_METHOD_CHOLESKY, false, 1);
  ent_ridge *eigen = solve(s, &zero, 1, ENT_METHOD_EIGEN, true, 1);
  for (size_t r = 0; r < p.rows; r++)
    assert_close(plain_prediction(&p, r, eigen->means[0], eigen->weights), p.y[r], 1e-5);
  assert_true(largest_difference(cholesky->weights, eigen->weights, p.features) <= 1e-5);
  assert_true(isinf(eigen->gcv[0]) || eigen->freedom[0] <= 20);
  ent_ridge *tridiagonal = solve(s, some, 3, ENT_METHOD_TRIDIAGONAL, true, 1);
  ent_ridge *all = solve(s, some, 3, ENT_METHOD_EIGEN, true, 1);
  assert_memory_equal(tridiagonal->weights + p.features, eigen->weights, p.features * sizeof *eigen->weights);
  assert_true(tridiagonal->freedom[1] == eigen->freedom[0]);
  assert_true(largest_difference(tridiagonal->weights, all->weights, 3 * p.features) <= 1e-8);
  assert_true(largest_difference(tridiagonal->freedom, all->freedom, 3) <= 1e-8);
  ent_ridge_free(tridiagonal);
  ent_ridge_free(all);
  ent_ridge_free(cholesky);
  ent_ridge_free(eigen);
  ent_statistics_free(s);
  problem_stop(&p);
}

/* Large means of targets are no harm if the shift is near them. */
static void large_means(void **state) {
  (void)state;
  static const double shift = 1e9;
  problem p = problem_start(200, 2, 30, 0, 1, ALL_ONE);
  ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_EXACT, NULL);
  for (size_t r = 0; r < p.rows; r++)
    p.y[r] += 1e9;
  ent_statistics *far = statistics_of(&p, 1, ENT_GRADE_EXACT, &shift);
  ent_ridge *near_ridge = solve(s, lambdas, 2, ENT_METHOD_AUTO, false, 1);
  ent_ridge *far_ridge = solve(far, lambdas, 2, ENT_METHOD_AUTO, false, 1);
  assert_true(largest_difference(near_ridge->weights, far_ridge->weights, 2 * p.features) <= 1e-3);
  assert_close(far_ridge->means[0] - 1e9, near_ridge->means[0], 1e-6);
  ent_ridge_free(near_ridge);
  ent_ridge_free(far_ridge);
  ent_statistics_free(s);
  ent_statistics_free(far);
  problem_stop(&p);
}

static void refuses_what_is_wrong(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  problem p = problem_start(30, 2, 5, 0, 1, ALL_ONE);
  ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_EXACT, NULL), *empty = NULL;
  ASSERT_OK(context, ent_statistics_create(context, 5, 1, NULL, &empty));
  ent_ridge *ridge = NULL;
  static const double wrong[] = {-1, NAN, INFINITY};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    assert_int_equal(ent_ridge_solve(context, s, &wrong[i], 1, ENT_METHOD_AUTO, &ridge), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "lambda: ");
  }
  assert_int_equal(ent_ridge_solve(context, empty, lambdas, 1, ENT_METHOD_AUTO, &ridge), ENTROPIC_BAD_DATA);
  assert_message(context, "the weights of the rows sum to 0");
  assert_null(ridge);
  ent_ridge_free(NULL);
  ent_statistics_free(s);
  ent_statistics_free(empty);
  problem_stop(&p);
  entropic_context_free(context);
}

/* Tiles of every kind: U'U is the matrix, for sizes around the size of a tile; the same bits on all threads. */
static void cholesky_by_tiles(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 257, 512, 513, 600};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    size_t n = sizes[i];
    entropic_random random = entropic_random_start(3, n);
    double *a = calloc(n * n, sizeof *a), *u = calloc(n * n, sizeof *u), *v = calloc(n * n, sizeof *v);
    for (size_t k = 0; k < n * n; k++)
      a[k] = entropic_random_uniform(&random);
    for (size_t k = 0; k < n; k++)
      a[k * n + k] += (double)n;
    memcpy(u, a, n * n * sizeof *a);
    memcpy(v, a, n * n * sizeof *a);
    bool positive = false, again = false;
    entropic_context *one = context_with(1), *many = context_with(7);
    ASSERT_OK(one, ent_cholesky(one, u, n, &positive));
    ASSERT_OK(many, ent_cholesky(many, v, n, &again));
    assert_true(positive && again);
    assert_memory_equal(u, v, n * n * sizeof *u);
    for (size_t c = 0; c<n; c += n> 300 ? 13 : 1)
      for (size_t r = 0; r <= c; r++) {
        double sum = 0;
        for (size_t k = 0; k <= r; k++)
          sum += u[r * n + k] * u[c * n + k];
        assert_close(sum, a[c * n + r], 1e-12 * (double)n);
      }
    memcpy(v, a, n * n * sizeof *a);
    v[(n - 1) * n + n - 1] = -1;
    ASSERT_OK(many, ent_cholesky(many, v, n, &positive));
    assert_false(positive);
    memcpy(v, a, n * n * sizeof *a);
    v[(n - 1) * n] = NAN;
    ASSERT_OK(many, ent_cholesky(many, v, n, &positive));
    assert_false(positive);
    entropic_context_free(one);
    entropic_context_free(many);
    free(a);
    free(u);
    free(v);
  }
}

static void choice_of_method(void **state) {
  (void)state;
  assert_int_equal(ent_multi_shift_choice(1, false), ENT_METHOD_CHOLESKY);
  assert_int_equal(ent_multi_shift_choice(1000, false), ENT_METHOD_TRIDIAGONAL);
}

SUITE(solve_ridge) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_its_definition),
      cmocka_unit_test(path_equals_single_solves),
      cmocka_unit_test(gcv),
      cmocka_unit_test(cross_validation_equals_refits),
      cmocka_unit_test(singular_equations),
      cmocka_unit_test(large_means),
      cmocka_unit_test(refuses_what_is_wrong),
      cmocka_unit_test(cholesky_by_tiles),
      cmocka_unit_test(choice_of_method),
  };
  return cmocka_run_group_tests_name("learn_ridge", tests, NULL, NULL);
}

/* Equations in one unknown a row, and conjugate gradients, against the equations in one unknown a feature. */
#include "unit/learning.h"

#include "solve/dual.h"
#include "solve/iterate.h"
#include "sums/pass.h"

static const double lambdas[] = {1e-2, 1e-5};

static ent_ridge *primal_of(problem *p, const double *list, size_t count) {
  ent_statistics *s = statistics_of(p, 1, ENT_GRADE_EXACT, NULL);
  ent_ridge *ridge = NULL;
  assert_int_equal(ent_ridge_solve(NULL, s, list, count, ENT_METHOD_AUTO, &ridge), ENTROPIC_OK);
  ent_statistics_free(s);
  return ridge;
}

/* More features than rows and fewer; rows of weight 0. */
static void dual_equals_primal(void **state) {
  (void)state;
  static const size_t sizes[][2] = {{40, 90}, {300, 60}, {129, 400}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (int kind = ALL_ONE; kind <= WEIGHTED; kind++) {
      problem p = problem_start(sizes[i][0], 3, sizes[i][1], 0, 2, (problem_kind)kind);
      ent_ridge *ridge = primal_of(&p, lambdas, 2);
      ent_dual *first = NULL;
      for (int threads = 1; threads <= 4; threads += 3) {
        entropic_context *context = context_with(threads);
        ent_dual *dual = NULL;
        ASSERT_OK(context, ent_dual_of_map(context, &p.map, rows_of(&p), lambdas, 2, &dual));
        assert_true(largest_difference(dual->means, ridge->means, 2) <= 1e-12);
        assert_true(largest_difference(dual->weights, ridge->weights, 4 * p.features) <= 1e-8);
        if (first != NULL)
          assert_memory_equal(dual->weights, first->weights, 4 * p.features * sizeof *dual->weights);
        ent_dual_free(first);
        first = dual;
        entropic_context_free(context);
      }
      ent_dual_free(first);
      ent_ridge_free(ridge);
      problem_stop(&p);
    }
}

/* Kernel ridge from its definition: (K + lambda N W^-1) c = y - m. */
static void kernel_equals_its_definition(void **state) {
  (void)state;
  problem p = problem_start(150, 2, 4, 0, 1, WEIGHTED);
  const entropic_kernel *kernel = entropic_design_kernel(p.design);
  for (size_t r = 0; r < p.rows; r++)
    p.weights[r] += 0.5; /* none may be 0 here */
  long double *matrix = calloc(p.rows * p.rows, sizeof *matrix), *c = calloc(p.rows, sizeof *c), weight = 0, mean = 0;
  for (size_t r = 0; r < p.rows; r++) {
    weight += (long double)p.weights[r];
    mean += (long double)p.weights[r] * (long double)p.y[r];
  }
  mean /= weight;
  for (size_t r = 0; r < p.rows; r++) {
    for (size_t i = 0; i < p.rows; i++)
      matrix[r * p.rows + i] = (long double)entropic_kernel_value(kernel, p.x + r * 2, p.x + i * 2);
    matrix[r * p.rows + r] += (long double)lambdas[1] * weight / (long double)p.weights[r];
    c[r] = (long double)p.y[r] - mean;
  }
  eliminate(matrix, c, p.rows);
  ent_dual *dual = NULL;
  entropic_context *context = context_with(2);
  ASSERT_OK(context, ent_dual_of_kernel(context, kernel, rows_of(&p), lambdas, 2, &dual));
  double *predictions = calloc(p.rows, sizeof *predictions);
  ASSERT_OK(context, ent_dual_predict(context, dual, kernel, 1, &(ent_block){.rows = p.rows, .x = p.x, .x_stride = 2},
                                      predictions));
  for (size_t r = 0; r < p.rows; r++) {
    long double sum = mean;
    for (size_t i = 0; i < p.rows; i++)
      sum += c[i] * (long double)entropic_kernel_value(kernel, p.x + r * 2, p.x + i * 2);
    assert_close(dual->coefficients[p.rows + r], c[r], 1e-7 * (1 + fabs((double)c[r])));
    assert_close(predictions[r], sum, 1e-9);
  }
  assert_null(dual->weights);
  ent_dual_free(dual);
  ent_dual_free(NULL);
  entropic_context_free(context);
  free(matrix);
  free(c);
  free(predictions);
  problem_stop(&p);
}

/* In one input, at multiples of 1/256, the levels up to 8 are the kernel exactly: features and kernel agree. */
static void kernel_equals_its_features(void **state) {
  (void)state;
  problem p = problem_start(80, 1, 257, 0, 1, ALL_ONE);
  for (size_t r = 0; r < p.rows; r++)
    p.x[r] = round(p.x[r] * 256) / 256;
  ent_dual *features = NULL, *kernel = NULL;
  assert_int_equal(ent_dual_of_map(NULL, &p.map, rows_of(&p), lambdas, 2, &features), ENTROPIC_OK);
  assert_int_equal(ent_dual_of_kernel(NULL, entropic_design_kernel(p.design), rows_of(&p), lambdas, 2, &kernel),
                   ENTROPIC_OK);
  assert_true(largest_difference(features->coefficients, kernel->coefficients, 2 * p.rows) <= 1e-8);
  ent_dual_free(features);
  ent_dual_free(kernel);
  problem_stop(&p);
}

static void iterations_equal_factors(void **state) {
  (void)state;
  static const size_t heads[] = {0, 50, 1000};
  problem p = problem_start(700, 3, 200, 0, 2, WEIGHTED);
  for (size_t l = 0; l < COUNT(lambdas); l++) {
    ent_ridge *ridge = primal_of(&p, &lambdas[l], 1);
    for (size_t h = 0; h < COUNT(heads); h++) {
      ent_iterate_options options = ent_iterate_options_default();
      options.head = heads[h];
      options.tolerance = 1e-11;
      ent_iterated *first = NULL;
      for (int threads = 1; threads <= 5; threads += 2) {
        entropic_context *context = context_with(threads);
        ent_iterated *it = NULL;
        ASSERT_OK(context, ent_ridge_iterate(context, &p.map, rows_of(&p), lambdas[l], options, &it));
        assert_true(it->converged && it->residual <= 1e-11);
        assert_true(largest_difference(it->means, ridge->means, 2) <= 1e-12);
        assert_true(largest_difference(it->weights, ridge->weights, 2 * p.features) <= 1e-6);
        if (heads[h] == 1000)
          assert_true(it->steps <= 4);
        if (first != NULL)
          assert_memory_equal(it->weights, first->weights, 2 * p.features * sizeof *it->weights);
        ent_iterated_free(first);
        first = it;
        entropic_context_free(context);
      }
      ent_iterated_free(first);
    }
    ent_ridge_free(ridge);
  }
  problem_stop(&p);
}

/* Rows that are truly sparse are never made dense. */
static void iterations_on_sparse_rows(void **state) {
  (void)state;
  problem p = problem_start(600, 1, 0, 11, 1, WEIGHTED);
  assert_true(p.features > 8 * 11);
  ent_ridge *ridge = primal_of(&p, lambdas, 1);
  ent_iterated *it = NULL;
  ent_iterate_options options = ent_iterate_options_default();
  options.head = 20;
  assert_int_equal(ent_ridge_iterate(NULL, &p.map, rows_of(&p), lambdas[0], options, &it), ENTROPIC_OK);
  assert_true(it->converged);
  assert_true(largest_difference(it->weights, ridge->weights, p.features) <= 1e-6);
  double *scores = calloc(p.rows, sizeof *scores);
  assert_int_equal(ent_scores(NULL, &p.map, &(ent_block){.rows = p.rows, .x = p.x, .x_stride = 1},
                              &(ent_linear){it->weights, it->means, 1}, scores),
                   ENTROPIC_OK);
  for (size_t r = 0; r < p.rows; r++)
    assert_close(scores[r], plain_prediction(&p, r, it->means[0], it->weights), 1e-12);
  free(scores);
  ent_iterated_free(it);
  ent_ridge_free(ridge);
  problem_stop(&p);
}

static void iterations_that_are_too_few(void **state) {
  (void)state;
  problem p = problem_start(300, 3, 100, 0, 1, ALL_ONE);
  ent_iterate_options options = ent_iterate_options_default();
  options.head = 0;
  options.most_steps = 3;
  ent_iterated *it = NULL;
  assert_int_equal(ent_ridge_iterate(NULL, &p.map, rows_of(&p), 1e-6, options, &it), ENTROPIC_OK);
  assert_false(it->converged);
  assert_int_equal(it->steps, 3);
  assert_true(it->residual > options.tolerance);
  ent_iterated_free(it);
  problem_stop(&p);
}

static void scores_of_dense_rows(void **state) {
  (void)state;
  problem p = problem_start(9000, 4, 70, 0, 3, ALL_ONE);
  entropic_random random = entropic_random_start(5, 5);
  double *weights = calloc(3 * p.features, sizeof *weights), offsets[] = {1, 2, 3};
  double *scores = calloc(3 * p.rows, sizeof *scores), *again = calloc(3 * p.rows, sizeof *again);
  for (size_t i = 0; i < 3 * p.features; i++)
    weights[i] = entropic_random_normal(&random);
  entropic_context *one = context_with(1), *many = context_with(6);
  ASSERT_OK(one, ent_scores(one, &p.map, &(ent_block){.rows = p.rows, .x = p.x, .x_stride = 4},
                            &(ent_linear){weights, offsets, 3}, scores));
  ASSERT_OK(many, ent_scores(many, &p.map, &(ent_block){.rows = p.rows, .x = p.x, .x_stride = 4},
                             &(ent_linear){weights, offsets, 3}, again));
  assert_memory_equal(scores, again, 3 * p.rows * sizeof *scores);
  for (size_t i = 0; i < 3 * p.rows; i++)
    assert_close(scores[i], plain_prediction(&p, i / 3, offsets[i % 3], weights + i % 3 * p.features), 1e-12);
  p.x[8000 * 4 + 2] = NAN;
  assert_int_equal(ent_scores(many, &p.map, &(ent_block){.rows = p.rows, .x = p.x, .x_stride = 4},
                              &(ent_linear){weights, offsets, 3}, again),
                   ENTROPIC_BAD_DATA);
  assert_message(many, "row 8001, column 3");
  entropic_context_free(one);
  entropic_context_free(many);
  free(weights);
  free(scores);
  free(again);
  problem_stop(&p);
}

static void refusals(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  problem p = problem_start(30, 2, 5, 0, 1, WEIGHTED);
  ent_dual *dual = NULL;
  ent_iterated *it = NULL;
  static const double wrong[] = {-1, NAN};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    assert_int_equal(ent_dual_of_map(context, &p.map, rows_of(&p), &wrong[i], 1, &dual), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "lambda: ");
    assert_int_equal(ent_ridge_iterate(context, &p.map, rows_of(&p), wrong[i], ent_iterate_options_default(), &it),
                     ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "lambda: ");
  }
  memset(p.weights, 0, p.rows * sizeof *p.weights);
  assert_int_equal(ent_dual_of_map(context, &p.map, rows_of(&p), lambdas, 1, &dual), ENTROPIC_BAD_DATA);
  assert_message(context, "sum to 0");
  assert_int_equal(ent_ridge_iterate(context, &p.map, rows_of(&p), 1, ent_iterate_options_default(), &it),
                   ENTROPIC_BAD_DATA);
  assert_message(context, "sum to 0");
  p.memory.inputs = 3;
  assert_int_equal(ent_dual_of_map(context, &p.map, rows_of(&p), lambdas, 1, &dual), ENTROPIC_BAD_ARGUMENT);
  assert_null(dual);
  assert_null(it);
  ent_iterated_free(NULL);
  problem_stop(&p);
  entropic_context_free(context);
}

SUITE(solve_dual) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dual_equals_primal),         cmocka_unit_test(kernel_equals_its_definition),
      cmocka_unit_test(kernel_equals_its_features), cmocka_unit_test(iterations_equal_factors),
      cmocka_unit_test(iterations_on_sparse_rows),  cmocka_unit_test(iterations_that_are_too_few),
      cmocka_unit_test(scores_of_dense_rows),       cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests_name("learn_dual", tests, NULL, NULL);
}

/* Leverages against ridge fitted to unit vectors, and what is left of a residual without its row. */
#include "unit/learning.h"

#include "solve/leverage.h"

static const double lambdas[] = {1e-1, 1e-3, 1e-6};

static double *leverages_of(const problem *p, const ent_statistics *s, double lambda, int threads) {
  entropic_context *context = context_with(threads);
  double *leverages = calloc(p->rows, sizeof *leverages);
  assert_non_null(leverages);
  ASSERT_OK(context, ent_leverages(context, s, lambda, &p->map, &p->memory.all, leverages));
  entropic_context_free(context);
  return leverages;
}

/* The prediction of a row whose target is 1, all others being 0. */
static double plain_leverage(problem *p, size_t row, double lambda) {
  double *a = calloc(p->features, sizeof *a), *y = p->y;
  p->y = calloc(p->rows, sizeof *p->y);
  p->y[row] = 1;
  double mean = plain_ridge(p, 0, lambda, every_row, a), leverage = plain_prediction(p, row, mean, a);
  free(p->y);
  free(a);
  p->y = y;
  return leverage;
}

static void equals_its_definition(void **state) {
  (void)state;
  for (int kind = ALL_ONE; kind <= WEIGHTED; kind++) {
    problem p = problem_start(90, 3, 40, 0, 1, (problem_kind)kind); /* more than one strip of rows */
    ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_EXACT, NULL);
    for (size_t l = 0; l < COUNT(lambdas); l++) {
      double *one = leverages_of(&p, s, lambdas[l], 1), *three = leverages_of(&p, s, lambdas[l], 3);
      assert_memory_equal(one, three, p.rows * sizeof *one);
      for (size_t r = 0; r < p.rows; r++)
        assert_close(one[r], plain_leverage(&p, r, lambdas[l]), 1e-8 * fmax(1, 1e-5 / lambdas[l]));
      free(one);
      free(three);
    }
    ent_statistics_free(s);
    problem_stop(&p);
  }
}

/* Every row but one. */
static size_t left_out;
static bool every_other_row(size_t row) {
  return row != left_out;
}

/* r/(1 - leverage) is the residual of a model without the row, up to the mean, which moves by 1/rows of a residual. */
static void residuals_without_a_row(void **state) {
  (void)state;
  problem p = problem_start(90, 3, 40, 0, 1, ALL_ONE);
  ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_EXACT, NULL);
  double lambda = 1e-3, *leverages = leverages_of(&p, s, lambda, 1), *a = calloc(p.features, sizeof *a), spread = 0;
  double mean = plain_ridge(&p, 0, lambda, every_row, a);
  for (size_t r = 0; r < p.rows; r++)
    spread += pow(p.y[r] - mean, 2) / (double)p.rows;
  for (left_out = 0; left_out < p.rows; left_out++) {
    mean = plain_ridge(&p, 0, lambda, every_row, a);
    double residual = p.y[left_out] - plain_prediction(&p, left_out, mean, a);
    mean = plain_ridge(&p, 0, lambda * (double)p.rows / (double)(p.rows - 1), every_other_row, a);
    double without = p.y[left_out] - plain_prediction(&p, left_out, mean, a);
    assert_close(residual / (1 - leverages[left_out]), without, 3 * sqrt(spread) / (double)p.rows);
  }
  free(a);
  free(leverages);
  ent_statistics_free(s);
  problem_stop(&p);
}

/* Without features the mean alone is left; without a ridge there may be no factor. */
static void corners(void **state) {
  (void)state;
  problem p = problem_start(30, 2, 40, 0, 1, WEIGHTED);
  ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_EXACT, NULL);
  double *leverages = leverages_of(&p, s, 0, 1), weight = 0; /* more features than rows */
  for (size_t r = 0; r < p.rows; r++) {
    assert_true(isnan(leverages[r]));
    weight += p.weights[r];
  }
  free(leverages);
  ent_statistics_free(s);
  entropic_context *context = context_with(1);
  ASSERT_OK(context, ent_statistics_create(context, 0, 1, NULL, &s));
  s->weight = weight;
  ent_map none = p.map;
  none.features = 0;
  leverages = calloc(p.rows, sizeof *leverages);
  ASSERT_OK(context, ent_leverages(context, s, 1, &none, &p.memory.all, leverages));
  for (size_t r = 0; r < p.rows; r++)
    assert_close(leverages[r], p.weights[r] / weight, 1e-15);
  free(leverages);
  ent_statistics_free(s);
  entropic_context_free(context);
  problem_stop(&p);
}

SUITE(solve_leverage) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equals_its_definition), cmocka_unit_test(residuals_without_a_row),
                                     cmocka_unit_test(corners)};
  return cmocka_run_group_tests_name("solve_leverage", tests, NULL, NULL);
}

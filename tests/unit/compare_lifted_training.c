/* Training from lifted rows: the weights are those of training from rows. */
#include "unit/learning.h"

#include "compare/lifted_training.h"
#include "sums/statistics.h"
#include "unit/fixture.h"

/* Statistics of the map itself, and their solution. */
static ent_ridge *solve_from_rows(problem *p, double lambda) {
  ent_statistics *statistics = NULL;
  ent_ridge *ridge = NULL;
  ASSERT_OK(context, ent_statistics_of_rows(context, &p->map, rows_of(p), ENT_GRADE_EXACT, &statistics));
  ASSERT_OK(context, ent_ridge_solve(context, statistics, &lambda, 1, ENT_METHOD_CHOLESKY, &ridge));
  ent_statistics_free(statistics);
  return ridge;
}

/* Dense rows and sparse ones, one target and several, more rows than a block and fewer. */
static void weights_are_those_of_rows(void **state) {
  (void)state;
  static const struct {
    size_t rows, inputs, features, nonzeros, targets;
    double lambda;
  } cases[] = {{700, 3, 12, 0, 1, 1e-3},
               {100, 2, 30, 0, 2, 1e-1},
               {257, 1, 5, 0, 1, 1e-6},
               {2000, 2, 0, 12, 3, 1e-2},
               {256, 4, 60, 0, 1, 1e3}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    problem p =
        problem_start(cases[i].rows, cases[i].inputs, cases[i].features, cases[i].nonzeros, cases[i].targets, ALL_ONE);
    const ent_lifted_training training = {&p.map, &p.memory.all, cases[i].targets, cases[i].lambda};
    ent_ridge *expected = solve_from_rows(&p, cases[i].lambda), *ridge = NULL;
    double seconds = -1, largest = 0;
    ASSERT_OK(context, ent_lifted_training_time(context, &training, &ridge, &seconds));
    assert_true(seconds > 0 && seconds < 60);
    size_t weights = p.features * p.targets;
    for (size_t k = 0; k < weights; k++)
      largest = larger(largest, fabs(expected->weights[k]));
    assert_true(largest > 0);
    for (size_t k = 0; k < weights; k++)
      assert_close(ridge->weights[k], expected->weights[k], 1e-9 * largest);
    for (size_t t = 0; t < p.targets; t++)
      assert_close(ridge->means[t], expected->means[t], 1e-12 * fabs(expected->means[t]));
    ent_ridge_free(expected);
    ent_ridge_free(ridge);
    problem_stop(&p);
  }
}

SUITE(compare_lifted_training) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(weights_are_those_of_rows)};
  return cmocka_run_group_tests_name("compare_lifted_training", tests, start_two_threads, stop);
}

/* Learners take random maps as they take lifts. */
#include "unit/learning.h"

#include "solve/dual.h"
#include "baselines/baselines.h"

/* The equations in the features and those in the rows have the same solution, also by products of non-zeros. */
static void ridge_on_every_method(void **state) {
  (void)state;
  const double lambda = 1e-3;
  problem p = problem_start(300, 4, 10, 0, 1, WEIGHTED);
  entropic_context *context = context_with(2);
  for (int method = ENT_RANDOM_RKS; method <= ENT_RANDOM_SORF; method++) {
    ent_random_options options = ent_random_options_default();
    options.method = (ent_random_method)method;
    options.features = 60;
    ent_random_data data = {
        .x = p.x, .rows = p.rows, .stride = p.inputs, .y = p.y, .targets = 1, .y_stride = 1, .weights = p.weights};
    ent_random_map *random = NULL;
    ASSERT_OK(context, ent_random_create(context, &options, p.inputs, &data, &random));
    ent_map map = ent_map_of_random(random);
    ent_dual *dual = NULL;
    ASSERT_OK(context, ent_dual_of_map(context, &map, rows_of(&p), &lambda, 1, &dual));
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
      ent_statistics *statistics = NULL;
      ent_ridge *ridge = NULL;
      ASSERT_OK(context, ent_statistics_create(context, map.features, 1, NULL, &statistics));
      ASSERT_OK(context, ent_statistics_collect(context, statistics, &map, rows_of(&p), (ent_grade)grade));
      ASSERT_OK(context, ent_ridge_solve(context, statistics, &lambda, 1, ENT_METHOD_AUTO, &ridge));
      assert_true(largest_difference(ridge->weights, dual->weights, map.features) <=
                  (grade == ENT_GRADE_EXACT ? 1e-9 : 1e-4));
      assert_true(fabs(ridge->weights[0]) > 1e-6);
      ent_statistics_free(statistics);
      ent_ridge_free(ridge);
    }
    ent_dual_free(dual);
    ent_random_free(random);
  }
  entropic_context_free(context);
  problem_stop(&p);
}

SUITE(baselines_learn) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ridge_on_every_method)};
  return cmocka_run_group_tests_name("random_learn", tests, NULL, NULL);
}

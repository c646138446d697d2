/* No features at all: lifts, statistics, every learner and the mean of models take them, and learn the offsets. */
#include "unit/learning.h"

#include "select/average.h"
#include "tune/learner.h"
#include "solve/logistic.h"
#include "sums/pass.h"
#include "solve/ridge.h"

enum { ROWS = 700, INPUTS = 3, SOME = 12 };

static entropic_context *context;
static entropic_kernel *kernel;
static ent_lifting none;

static int start(void **state) {
  (void)state;
  entropic_axis_options axis = ent_axis_options_default();
  axis.max_level = 0;
  axis.missing = 1;
  context = context_with(2);
  kernel = make_kernel(&axis, 1, INPUTS);
  return ent_lifting_none(context, kernel, &none) != ENTROPIC_OK;
}

static int stop(void **state) {
  (void)state;
  ent_lifting_clear(&none);
  entropic_kernel_free(kernel);
  entropic_context_free(context);
  return 0;
}

/* Rows with weights and two targets; what is lifted of them elsewhere is of no use here. */
static problem rows_start(size_t targets) {
  return problem_start(ROWS, INPUTS, 5, 0, targets, WEIGHTED);
}

static double mean_of(const problem *p, size_t target) {
  double sum = 0, weight = 0;
  for (size_t r = 0; r < p->rows; r++) {
    sum += p->weights[r] * p->y[r * p->targets + target];
    weight += p->weights[r];
  }
  return sum / weight;
}

static void lifts(void **state) {
  (void)state;
  assert_int_equal(none.map.features, 0);
  assert_int_equal(none.map.nonzeros, 0);
  assert_int_equal(entropic_lift_features(none.lift), 0);
  double x[40 * INPUTS], z = 7;
  for (size_t i = 0; i < 40 * INPUTS; i++)
    x[i] = i % 11 == 3 ? NAN : (double)i / 100;
  entropic_workspace *workspace = NULL;
  ASSERT_OK(context, entropic_workspace_create(context, none.lift, &workspace));
  ASSERT_OK(context, entropic_lift_dense(context, none.lift, workspace, x, 40, INPUTS, &z, 40));
  assert_true(z == 7);
  entropic_workspace_free(workspace);
  entropic_csr *csr = NULL;
  ASSERT_OK(context, entropic_lift_csr(context, none.lift, x, 40, INPUTS, &csr));
  assert_int_equal(csr->columns, 0);
  assert_int_equal(csr->starts[40], 0);
  entropic_csr_free(csr);
  const double offsets[] = {3, -2};
  double scores[80];
  memset(scores, 0xff, sizeof scores);
  ASSERT_OK(context, ent_scores(context, &none.map, &(ent_block){.rows = 40, .x = x, .x_stride = INPUTS},
                                &(ent_linear){&z, offsets, 2}, scores));
  for (size_t i = 0; i < 80; i++)
    assert_true(scores[i] == offsets[i % 2]);
  memset(scores, 0xff, sizeof scores);
  ASSERT_OK(context, ent_scores(context, &none.map, &(ent_block){.rows = 40, .x = x, .x_stride = INPUTS},
                                &(ent_linear){&z, offsets, 1}, scores));
  for (size_t i = 0; i < 40; i++)
    assert_true(scores[i] == 3);
}

static void statistics(void **state) {
  (void)state;
  static const double lambdas[] = {1, 1e-3};
  problem p = rows_start(2);
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    ent_statistics *sums = NULL;
    ent_ridge *ridge = NULL;
    ASSERT_OK(context, ent_statistics_create(context, 0, 2, NULL, &sums));
    ASSERT_OK(context, ent_statistics_collect(context, sums, &none.map, rows_of(&p), (ent_grade)grade));
    ASSERT_OK(context, ent_ridge_solve_gcv(context, sums, lambdas, 2, ENT_METHOD_AUTO, &ridge));
    for (size_t t = 0; t < 2; t++) {
      assert_true(fabs(ridge->means[t] - mean_of(&p, t)) <= (grade == ENT_GRADE_EXACT ? 1e-12 : 1e-7));
      assert_true(ridge->residual[t] > 0.01 && ridge->residual[t] == ridge->residual[2 + t]);
    }
    assert_true(fabs(ridge->freedom[0] - 1) <= 1e-12);
    ent_ridge_free(ridge);
    ent_statistics_free(sums);
  }
  problem_stop(&p);
}

static void solvers(void **state) {
  (void)state;
  static const entropic_solver all[] = {ENTROPIC_SOLVER_DIRECT, ENTROPIC_SOLVER_DUAL, ENTROPIC_SOLVER_ITERATIVE};
  const double lambda = 0.1;
  problem p = rows_start(2);
  for (size_t i = 0; i < COUNT(all); i++) {
    ent_learner learner = {.solver = all[i], .map = &none.map};
    ent_learnt learnt = {0};
    ASSERT_OK(context, ent_learn(context, &learner, rows_of(&p), &lambda, 1, &learnt));
    assert_int_equal(learnt.features, 0);
    for (size_t t = 0; t < 2; t++)
      assert_true(fabs(learnt.offsets[t] - mean_of(&p, t)) <= 1e-9);
    ent_learnt_clear(&learnt);
  }
  problem_stop(&p);
}

/* The logistic loss: the shares of the classes. */
static void classes(void **state) {
  (void)state;
  for (size_t count = 2; count <= 3; count++) {
    problem p = rows_start(1);
    double share[3] = {0, 0, 0}, sum = 0;
    for (size_t r = 0; r < ROWS; r++) {
      size_t class = r % 10 < 5 ? 0 : r % 10 < 8 ? 1 : count - 1;
      p.y[r] = (double)class;
      share[class] += p.weights[r];
      sum += p.weights[r];
    }
    ent_logistic *fit = NULL;
    ASSERT_OK(context, ent_logistic_fit(context,
                                        &(ent_logistic_problem){
                                            .map = &none.map, .rows = rows_of(&p), .classes = count, .lambda = 0.01},
                                        ent_logistic_options_default(), &fit));
    assert_int_equal(fit->end, ENT_END_CONVERGED);
    double chances[3];
    ent_probabilities(count, fit->offsets, chances);
    for (size_t k = 0; k < count; k++)
      assert_true(fabs(chances[k] - share[k] / sum) <= 1e-6);
    ent_logistic_free(fit);
    problem_stop(&p);
  }
}

/* The mean of a model of no features, which has a kernel of its own, and of one that has some. */
static void means(void **state) {
  (void)state;
  entropic_axis_options axis = ent_axis_options_default();
  entropic_design_options options = ent_design_options_default();
  options.features = SOME;
  double weights[SOME], one = 10, other = 20;
  for (size_t i = 0; i < SOME; i++)
    weights[i] = 1;
  for (int filled = 0; filled <= 2; filled++) {
    ent_member members[2] = {{.lifting = none, .scores = 1, .weights = weights, .offsets = &one},
                             {.lifting = none, .scores = 1, .weights = weights, .offsets = &other}};
    ent_lifting some = {0};
    entropic_kernel *deeper = make_kernel(&axis, 1, INPUTS);
    some.design = make_design(deeper, &options);
    ASSERT_OK(context, ent_lifting_finish(context, &some));
    if (filled < 2)
      members[filled].lifting = some;
    ent_member mean;
    ASSERT_OK(context, ent_average(context, members, 2, &mean, NULL));
    assert_int_equal(mean.lifting.map.features, filled < 2 ? SOME : 0);
    for (size_t g = 0, levels; g < entropic_design_groups(mean.lifting.design); g++) {
      entropic_group group = group_of(mean.lifting.design, g);
      levels = group.terms_count == 0 ? 1 : entropic_kernel_levels(entropic_design_kernel(mean.lifting.design), 0);
      assert_true(group.terms_count == 0 || group.terms[0].level < levels);
    }
    assert_true(mean.offsets[0] == 15);
    double sum = 0;
    for (size_t i = 0; i < mean.lifting.map.features; i++)
      sum += mean.weights[i];
    assert_true(sum == (filled < 2 ? SOME / 2 : 0));
    ent_member_clear(&mean);
    ent_lifting_clear(&some);
    entropic_kernel_free(deeper);
  }
}

SUITE(solve_none) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lifts), cmocka_unit_test(statistics), cmocka_unit_test(solvers),
                                     cmocka_unit_test(classes), cmocka_unit_test(means)};
  return cmocka_run_group_tests_name("learn_none", tests, start, stop);
}

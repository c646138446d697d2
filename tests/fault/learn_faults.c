/* Every function of the learners with each of its allocations failing in turn: it says so, leaks nothing, touches no
 * output, and works once there is memory again. */
#include "unit/trials.h"

#include "fault/failing_malloc.h"
#include "solve/hessian.h"
#include "solve/dual.h"
#include "solve/hinge.h"
#include "solve/iterate.h"
#include "solve/logistic.h"
#include "solve/pass.h"
#include "select/candidate_pool.h"
#include "tune/pilot_search.h"

typedef struct setting {
  entropic_context *context;
  problem problem;
  ent_statistics *total, *parts[2];
  ent_path path;
  ent_method method;
  size_t head;
  size_t classes;
} setting;

static const double lambdas[] = {1e-2, 1e-4, 0};

static size_t fold_of(void *user, size_t row) {
  (void)user;
  return row % 2;
}

static entropic_status collect(void *argument) {
  setting *at = argument;
  ent_statistics *s = untouched();
  entropic_status status = ent_statistics_create(at->context, at->problem.features, 1, NULL, &s);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, s);
  status = ent_statistics_collect(at->context, s, &at->problem.map, rows_of(&at->problem), at->path);
  ent_statistics_free(s);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status collect_folds(void *argument) {
  setting *at = argument;
  entropic_status status = ent_statistics_collect_folds(at->context, at->parts, 2, fold_of, NULL, &at->problem.map,
                                                        rows_of(&at->problem), at->path);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status solve(void *argument) {
  setting *at = argument;
  ent_ridge *ridge = untouched();
  entropic_status status = ent_ridge_solve(at->context, at->total, lambdas, 3, at->method, true, &ridge);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, ridge);
  ent_ridge_free(ridge);
  return ENTROPIC_OK;
}

static entropic_status cross_validate(void *argument) {
  setting *at = argument;
  double errors[2];
  entropic_status status =
      ent_ridge_cross_validate(at->context, at->total, at->parts, 2, lambdas, 2, at->method, errors);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status validate_forward(void *argument) {
  setting *at = argument;
  double errors[2];
  ent_forward_sets sets = {.total = at->total, .set = at->parts, .count = 2};
  entropic_status status = ent_ridge_validate_forward(at->context, &sets, lambdas, 2, errors);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

/* Blocks of time, of all rows and of some. */
static entropic_status deal_time(void *argument) {
  setting *at = argument;
  static const double time[] = {3, 1, 4, 1, 5, 9, 2, 6};
  static const size_t numbers[] = {0, 2, 3, 5, 7};
  size_t fold_of[8], folds = 2;
  ent_fold_options split = {.rows = 8, .time = time};
  entropic_status status = ent_folds_deal(at->context, &split, 1, fold_of, &folds);
  if (status == ENTROPIC_OK)
    status = ent_folds_deal_some(at->context, &split, numbers, 5, 1, fold_of, &folds);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status solve_dual(void *argument) {
  setting *at = argument;
  ent_dual *dual = untouched();
  entropic_status status = ent_dual_of_map(at->context, &at->problem.map, rows_of(&at->problem), lambdas, 2, &dual);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, dual);
  ent_dual_free(dual);
  dual = untouched();
  status = ent_dual_of_kernel(at->context, entropic_design_kernel(at->problem.design), rows_of(&at->problem), lambdas,
                              2, &dual);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, dual);
  double out[3];
  status = ent_dual_predict(at->context, dual, entropic_design_kernel(at->problem.design), 0, at->problem.x, 3,
                            at->problem.inputs, out);
  ent_dual_free(dual);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status iterate(void *argument) {
  setting *at = argument;
  ent_iterated *it = untouched();
  ent_iterate_options options = ent_iterate_options_default();
  options.head = at->head;
  options.most_steps = 3;
  entropic_status status = ent_ridge_iterate(at->context, &at->problem.map, rows_of(&at->problem), 1e-3, options, &it);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, it);
  ent_iterated_free(it);
  return ENTROPIC_OK;
}

static entropic_status fit_logistic(void *argument) {
  setting *at = argument;
  ent_logistic *fit = untouched();
  ent_logistic_options options = ent_logistic_options_default();
  options.head = at->head;
  options.most_steps = 2;
  options.tolerance = 1e-3;
  entropic_status status =
      ent_logistic_fit(at->context, &at->problem.map, rows_of(&at->problem), at->classes, 1e-1, options, NULL, &fit);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, fit);
  ent_logistic_free(fit);
  return ENTROPIC_OK;
}

static entropic_status fit_hinge(void *argument) {
  setting *at = argument;
  ent_hinge *fit = untouched();
  ent_hinge_options options = ent_hinge_options_default();
  options.most_steps = 3;
  entropic_status status = ent_hinge_fit(at->context, &at->problem.map, rows_of(&at->problem), 1e-3, options, &fit);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, fit);
  ent_hinge_free(fit);
  return ENTROPIC_OK;
}

static entropic_status score(void *argument) {
  setting *at = argument;
  problem *p = &at->problem;
  static double weights[100], offset, scores[1000];
  entropic_status status = ent_scores(at->context, &p->map, p->x, p->rows, p->inputs, weights, &offset, 1, scores);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static setting at;

static int start(void **state) {
  (void)state;
  at = (setting){.context = context_with(1), .problem = problem_start(300, 2, 30, 0, 1, WEIGHTED)};
  at.total = statistics_of(&at.problem, 1, ENT_PATH_AUTO, NULL);
  for (size_t k = 0; k < 2; k++)
    assert_int_equal(ent_statistics_create(at.context, at.problem.features, 1, NULL, &at.parts[k]), ENTROPIC_OK);
  return 0;
}

static int stop(void **state) {
  (void)state;
  ent_statistics_free(at.total);
  ent_statistics_free(at.parts[0]);
  ent_statistics_free(at.parts[1]);
  problem_stop(&at.problem);
  entropic_context_free(at.context);
  return 0;
}

static void statistics(void **state) {
  (void)state;
  for (int threads = 1; threads <= 3; threads++)
    for (int path = ENT_PATH_DENSE; path <= ENT_PATH_BLAS; path++) {
      entropic_context_set_threads(at.context, threads);
      at.path = (ent_path)path;
      assert_true(expect_each_allocation_failure(collect, &at) > 5);
      assert_true(expect_each_allocation_failure(collect_folds, &at) > 10);
    }
}

static void ridge(void **state) {
  (void)state;
  assert_int_equal(collect_folds(&at), ENTROPIC_OK);
  for (int threads = 1; threads <= 3; threads++)
    for (int method = ENT_METHOD_CHOLESKY; method <= ENT_METHOD_TRIDIAGONAL; method++) {
      entropic_context_set_threads(at.context, threads);
      at.method = (ent_method)method;
      assert_true(expect_each_allocation_failure(solve, &at) > 10);
      assert_true(expect_each_allocation_failure(cross_validate, &at) > 10);
      assert_true(expect_each_allocation_failure(validate_forward, &at) > 5);
    }
}

static void blocks_of_time(void **state) {
  (void)state;
  assert_int_equal(expect_each_allocation_failure(deal_time, &at), 5);
}

static void duals_and_iterations(void **state) {
  (void)state;
  for (int threads = 1; threads <= 3; threads++) {
    entropic_context_set_threads(at.context, threads);
    assert_true(expect_each_allocation_failure(solve_dual, &at) > 10);
    assert_true(expect_each_allocation_failure(score, &at) > 3);
    for (at.head = 10; at.head <= 50; at.head += 40)
      assert_true(expect_each_allocation_failure(iterate, &at) > 10);
  }
}

static void logistic(void **state) {
  (void)state;
  for (at.classes = 2; at.classes <= 3; at.classes++) {
    for (size_t r = 0; r < at.problem.rows; r++)
      at.problem.y[r] = (double)(r % at.classes);
    for (at.head = 10; at.head <= 50; at.head += 40)
      assert_true(expect_each_allocation_failure(fit_logistic, &at) > 10);
  }
}

static entropic_status make_curvature(void *argument) {
  (void)argument;
  ent_labels *labels = NULL;
  ent_pass *pass = NULL;
  ent_hessian *curvature = untouched();
  double in[3 * 51] = {1}, out[3 * 51];
  entropic_status status = ent_labels_create(at.context, rows_of(&at.problem), 3, &labels);
  if (status == ENTROPIC_OK)
    status = ent_pass_create(at.context, &at.problem.map, &pass);
  if (status == ENTROPIC_OK)
    status = ent_hessian_create(at.context, pass, rows_of(&at.problem), labels, 1e-2, &curvature);
  if (status != ENTROPIC_OK)
    check_failed(status, at.context, curvature);
  else
    status = ent_hessian_apply(at.context, curvature, in, out);
  ent_hessian_free(curvature == untouched() ? NULL : curvature);
  ent_pass_free(pass);
  ent_labels_free(labels);
  return status;
}

static void curvature(void **state) {
  (void)state;
  assert_true(at.problem.features <= 50);
  for (size_t r = 0; r < at.problem.rows; r++)
    at.problem.y[r] = (double)(r % 3);
  assert_true(expect_each_allocation_failure(make_curvature, NULL) > 10);
}

static entropic_status open_pool(void *argument) {
  const entropic_kernel *kernel = argument;
  const problem *p = &at.problem;
  const bool near[] = {false, true};
  ent_level_cache *cache = NULL;
  ent_candidate_pool *candidates = untouched();
  entropic_status status = ent_level_cache_create(at.context, kernel, p->x, p->rows, p->inputs, &cache);
  if (status == ENTROPIC_OK)
    status = ent_candidate_pool_open(at.context, cache, 2, NULL, &candidates);
  if (status != ENTROPIC_OK)
    check_failed(status, at.context, candidates);
  candidates = candidates == untouched() ? NULL : candidates;
  if (status == ENTROPIC_OK)
    status = ent_candidate_pool_focus(at.context, candidates, near, 10);
  if (status == ENTROPIC_OK)
    status = ent_candidate_pool_select(at.context, candidates, 0, 0, 1);
  if (status == ENTROPIC_OK)
    status = ent_candidate_pool_grow(at.context, candidates, 2);
  ent_candidate_pool_free(candidates);
  ent_level_cache_free(cache);
  return status;
}

static void pools(void **state) {
  (void)state;
  assert_int_equal(at.problem.inputs, 2);
  entropic_axis_options axis = entropic_axis_options_default();
  axis.max_level = 1;
  entropic_kernel *kernel = make_kernel(&axis, 1, 2);
  assert_true(expect_each_allocation_failure(open_pool, kernel) > 30);
  entropic_kernel_free(kernel);
}

static void hinge(void **state) {
  (void)state;
  for (size_t r = 0; r < at.problem.rows; r++)
    at.problem.y[r] = at.problem.y[r] > 6 ? 1 : -1;
  for (int threads = 1; threads <= 3; threads++) {
    entropic_context_set_threads(at.context, threads);
    assert_true(expect_each_allocation_failure(fit_hinge, &at) > 10);
  }
}

/* Kernels, views and inputs, each on two parts. */
static entropic_status try_ways(void *argument) {
  const ent_recipe *recipe = argument;
  size_t view;
  bool used[3];
  ent_search_result found = {0};
  entropic_status status = ent_pilot_search(at.context, recipe, 3, &view, &found, used);
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

static void pilot(void **state) {
  (void)state;
  ground g;
  entropic_axis_options axes[3];
  ground_start(&g, (ground_options){.rows = 24, .inputs = 3, .targets = 1, .folds = 2, .seed = 3});
  for (size_t i = 0; i < 3; i++) {
    axes[i] = entropic_axis_options_default();
    axes[i].max_level = 1;
  }
  for (size_t r = 0; r < g.rows; r++)
    g.y[r] = g.x[3 * r]; /* the other inputs have nothing to do with it */
  ent_features features = {.axes = axes, .inputs = 3, .design = entropic_design_options_default()};
  ent_view views[2] = {{.x = g.x}, {.x = g.x}};
  ent_recipe recipe = {.trials = &g.trials, .views = views, .view_count = 2, .features = &features, .lambda = -1};
  recipe.omegas = &(const double){1}; /* then all of them, failing now and then */
  assert_true(expect_each_allocation_failure(try_ways, &recipe) > 300);
  recipe.omegas = NULL;
  assert_true(expect_allocation_failures(try_ways, &recipe, 61) > 30);
  ground_stop(&g);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(statistics),     TEST(ridge),     TEST(duals_and_iterations),
                                     TEST(blocks_of_time), TEST(logistic),  TEST(hinge),
                                     TEST(pilot),          TEST(curvature), TEST(pools)};
  return cmocka_run_group_tests_name("learn_faults", tests, NULL, NULL);
}

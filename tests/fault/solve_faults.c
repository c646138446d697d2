/* Every solver with each of its allocations failing in turn: it says so, leaks nothing, touches no output, and works once
 * there is memory again. */
#include "unit/learning.h"

#include "fault/failing_malloc.h"
#include "solve/hessian.h"
#include "solve/dual.h"
#include "sums/fixed.h"
#include "solve/majorised.h"
#include "solve/iterate.h"
#include "solve/leverage.h"
#include "solve/logistic.h"
#include "sums/pass.h"
#include "solve/refine.h"

typedef struct setting {
  entropic_context *context;
  problem problem;
  ent_statistics *total, *parts[2];
  ent_method method;
  size_t head;
  size_t classes;
  ent_grade grade;
  ent_fixed_options options;
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
  status = ent_statistics_collect(at->context, s, &at->problem.map, rows_of(&at->problem), at->grade);
  ent_statistics_free(s);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status collect_folds(void *argument) {
  setting *at = argument;
  ent_statistics *total = untouched();
  entropic_status status = ent_statistics_create(at->context, at->problem.features, 1, NULL, &total);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, total);
  ent_statistics_folds folds = {.statistics = at->parts, .count = 2, .fold = fold_of, .total = total};
  status = ent_statistics_collect_folds(at->context, &folds, &at->problem.map, rows_of(&at->problem),
                                        &(ent_collect_options){.grade = at->grade});
  ent_statistics_free(total);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

/* A scale of 2^10 for all columns. */
static entropic_status make_fixed(setting *at, ent_fixed **fixed) {
  int exponents[100];
  assert_true(at->problem.features + 2 <= COUNT(exponents));
  for (size_t j = 0; j < COUNT(exponents); j++)
    exponents[j] = 10;
  ent_fixed_shape shape = {.grade = at->grade, .features = at->problem.features, .targets = 1, .exponents = exponents};
  return ent_fixed_create(at->context, &shape, fixed);
}

static entropic_status collect_fixed(void *argument) {
  setting *at = argument;
  ent_fixed *fixed = untouched();
  entropic_status status = make_fixed(at, &fixed);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, fixed);
  status = ent_fixed_collect(at->context, fixed, &at->problem.map, rows_of(&at->problem), &at->options);
  if (status != ENTROPIC_OK) {
    check_failed(status, at->context, untouched());
    assert_int_equal(fixed->rows, 0);
  }
  ent_fixed_free(fixed);
  return status;
}

static entropic_status solve(void *argument) {
  setting *at = argument;
  ent_ridge *ridge = untouched();
  entropic_status status = ent_ridge_solve_gcv(at->context, at->total, lambdas, 3, at->method, &ridge);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, ridge);
  ent_ridge_free(ridge);
  return ENTROPIC_OK;
}

static entropic_status leverages(void *argument) {
  setting *at = argument;
  static double found[1000];
  assert_true(at->problem.rows <= COUNT(found));
  entropic_status status =
      ent_leverages(at->context, at->total, 1e-2, &at->problem.map, &at->problem.memory.all, found);
  assert_true(status != ENTROPIC_OK || found[0] > 0);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status cross_validate(void *argument) {
  setting *at = argument;
  double errors[2];
  entropic_status status = ent_ridge_cross_validate(
      at->context, &(ent_ridge_sets){.total = at->total, .set = at->parts, .count = 2}, lambdas, 2, at->method, errors);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static entropic_status validate_forward(void *argument) {
  setting *at = argument;
  double errors[2];
  ent_ridge_sets sets = {.total = at->total, .set = at->parts, .count = 2};
  entropic_status status = ent_ridge_validate_forward(at->context, &sets, lambdas, 2, errors);
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
  status = ent_dual_predict(at->context, dual, entropic_design_kernel(at->problem.design), 0,
                            &(ent_block){.rows = 3, .x = at->problem.x, .x_stride = at->problem.inputs}, out);
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
  entropic_status status = ent_logistic_fit(
      at->context,
      &(ent_logistic_problem){
          .map = &at->problem.map, .rows = rows_of(&at->problem), .classes = at->classes, .lambda = 1e-1},
      options, &fit);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, fit);
  ent_logistic_free(fit);
  return ENTROPIC_OK;
}

static entropic_status sum_rows(entropic_context *context, void *user, const ent_linear *point,
                                ent_gradient_sums *sums) {
  setting *with = user;
  ent_memory_rows memory = with->problem.memory;
  const ent_rows rows = ent_rows_of_memory(&memory);
  return ent_gradient_sums_add_rows(context, sums, &with->problem.map, &rows, point);
}

/* The first rows are the sample. */
static entropic_status refine_logistic(void *argument) {
  setting *at = argument;
  ent_memory_rows memory = at->problem.memory;
  memory.all.rows = 100;
  const ent_rows rows = ent_rows_of_memory(&memory);
  ent_logistic *fit = untouched();
  ent_logistic_options options = ent_refine_options_default();
  options.head = at->head;
  options.most_steps = 2;
  options.tolerance = 1e-3;
  const ent_logistic_problem sample = {.map = &at->problem.map, .rows = &rows, .classes = at->classes, .lambda = 1e-1};
  entropic_status status = ent_logistic_refine(
      at->context, &(ent_refine_problem){.sample = &sample, .weight_exponent = 1, .sums = sum_rows, .user = at},
      options, &fit);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, fit);
  ent_logistic_free(fit);
  return ENTROPIC_OK;
}

/* Sums of the gradient: after a failure they are as they were; bytes there and back. */
static entropic_status sum_gradient(void *argument) {
  setting *at = argument;
  static double zeros[100];
  const ent_linear point = {.weights = zeros, .offsets = zeros, .count = at->classes == 2 ? 1 : at->classes};
  ent_gradient_sums *sums = untouched(), *back = untouched();
  assert_true(at->problem.features * at->classes <= COUNT(zeros));
  entropic_status status = ent_gradient_sums_create(at->context, &at->problem.map, at->classes, 1, &sums);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, sums);
  status = sum_rows(at->context, at, &point, sums);
  if (status != ENTROPIC_OK) {
    assert_false(sums->has_point || sums->rows > 0);
    ent_gradient_sums_free(sums);
    return check_failed(status, at->context, untouched());
  }
  unsigned char *bytes = untouched();
  size_t count;
  status = ent_gradient_sums_to_bytes(at->context, sums, &bytes, &count);
  ent_gradient_sums_free(sums);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, bytes);
  status = ent_gradient_sums_from_bytes(at->context, bytes, count, &back);
  ent_delete(bytes);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, back);
  ent_gradient_sums_free(back);
  return ENTROPIC_OK;
}

static entropic_status fit_hinge(void *argument) {
  setting *at = argument;
  ent_majorised *fit = untouched();
  ent_majorised_options options = ent_majorised_options_default(&ent_loss_hinge);
  options.most_steps = 3;
  entropic_status status = ent_majorised_fit(
      at->context,
      &(ent_majorised_problem){
          .map = &at->problem.map, .rows = rows_of(&at->problem), .loss = &ent_loss_hinge, .lambda = 1e-3},
      options, &fit);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, fit);
  ent_majorised_free(fit);
  return ENTROPIC_OK;
}

static entropic_status score(void *argument) {
  setting *at = argument;
  problem *p = &at->problem;
  static double weights[100], offset, scores[1000];
  entropic_status status =
      ent_scores(at->context, &p->map, &(ent_block){.rows = p->rows, .x = p->x, .x_stride = p->inputs},
                 &(ent_linear){weights, &offset, 1}, scores);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, untouched());
}

static setting at;

static int start(void **state) {
  (void)state;
  at = (setting){.context = context_with(1), .problem = problem_start(300, 2, 30, 0, 1, WEIGHTED)};
  at.total = statistics_of(&at.problem, 1, ENT_GRADE_EXACT, NULL);
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
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
      entropic_context_set_threads(at.context, threads);
      at.grade = (ent_grade)grade;
      assert_true(expect_each_allocation_failure(collect, &at) > 5);
      assert_true(expect_each_allocation_failure(collect_folds, &at) > 10);
    }
}

static void fixed_point(void **state) {
  (void)state;
  for (int threads = 1; threads <= 3; threads++)
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
      entropic_context_set_threads(at.context, threads);
      at.grade = (ent_grade)grade;
      at.options = ent_fixed_options_default(at.grade);
      at.options.block_rows = 100;
      assert_true(expect_each_allocation_failure(collect_fixed, &at) > 20);
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
      assert_true(expect_each_allocation_failure(leverages, &at) > 5);
      assert_true(expect_each_allocation_failure(validate_forward, &at) > 5);
    }
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

static void refinement(void **state) {
  (void)state;
  for (at.classes = 2; at.classes <= 3; at.classes++) {
    for (size_t r = 0; r < at.problem.rows; r++)
      at.problem.y[r] = (double)(r % at.classes);
    for (int threads = 1; threads <= 3; threads++) {
      entropic_context_set_threads(at.context, threads);
      assert_true(expect_each_allocation_failure(sum_gradient, &at) > 50);
      for (at.head = 10; at.head <= 50; at.head += 40)
        assert_true(expect_each_allocation_failure(refine_logistic, &at) > 100);
    }
  }
}

static entropic_status make_hessian(void *argument) {
  (void)argument;
  ent_labels *labels = NULL;
  ent_pass *pass = NULL;
  ent_hessian *hessian = untouched();
  double in[3 * 51] = {1}, out[3 * 51];
  entropic_status status = ent_labels_create(at.context, rows_of(&at.problem), 3, &labels);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_pass_create(at.context, &at.problem.map, &pass);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_hessian_create(at.context, pass, rows_of(&at.problem), labels, 1e-2, &hessian);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_hessian_apply(at.context, hessian, in, out);
  ent_hessian_free(hessian);
  hessian = untouched();
done:
  if (status != ENTROPIC_OK)
    check_failed(status, at.context, hessian);
  ent_pass_free(pass);
  ent_labels_free(labels);
  return status;
}

static void hessian(void **state) {
  (void)state;
  assert_true(at.problem.features <= 50);
  for (size_t r = 0; r < at.problem.rows; r++)
    at.problem.y[r] = (double)(r % 3);
  assert_true(expect_each_allocation_failure(make_hessian, NULL) > 10);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

SUITE(solve_faults) {
  const struct CMUnitTest tests[] = {TEST(statistics), TEST(fixed_point), TEST(ridge), TEST(duals_and_iterations),
                                     TEST(logistic),   TEST(refinement),  TEST(hinge), TEST(hessian)};
  return cmocka_run_group_tests_name("solve_faults", tests, NULL, NULL);
}

/* Logistic and softmax regression: the gradient at the end, found by plain loops, is 0; and how fits end. */
#include "unit/logistic_rows.h"

#include "solve/precondition.h"

static ent_logistic *fit_with(problem *p, size_t classes, double lambda, ent_logistic_options options,
                              const ent_logistic *start, int threads) {
  entropic_context *context = context_with(threads);
  ent_logistic *fit = NULL;
  ASSERT_OK(context, ent_logistic_fit(
                         context,
                         &(ent_logistic_problem){
                             .map = &p->map, .rows = rows_of(p), .classes = classes, .lambda = lambda, .start = start},
                         options, &fit));
  entropic_context_free(context);
  return fit;
}

static void gradient_is_zero(void **state) {
  (void)state;
  static const double lambdas[] = {1e-1, 1e-3, 1e-6};
  for (size_t classes = 2; classes <= 4; classes++)
    for (int kind = ALL_ONE; kind <= WEIGHTED; kind++) {
      problem p = problem_start(300, 3, 30, 0, 1, (problem_kind)kind);
      set_classes(&p, classes, 0.2);
      for (size_t l = 0; l < COUNT(lambdas); l++) {
        ent_logistic *fit = fit_with(&p, classes, lambdas[l], ent_logistic_options_default(), NULL, 2);
        double objective;
        assert_int_equal(fit->end, ENT_END_CONVERGED);
        assert_true(plain_gradient(&p, fit, lambdas[l], &objective) <= 1e-7);
        assert_close(fit->objective, objective, 1e-12);
        assert_false(fit->separated);
        assert_true(fit->steps <= 20);
        if (classes > 2) {
          double sum = 0;
          for (size_t k = 0; k < classes; k++)
            sum += fit->offsets[k];
          assert_close(sum, 0, 1e-9);
        }
        ent_logistic_free(fit);
      }
      problem_stop(&p);
    }
}

/* Preconditioned well, badly or not at all, from afar or from nearby, on any number of threads: one optimum. */
static void the_way_does_not_matter(void **state) {
  (void)state;
  problem p = problem_start(1500, 3, 40, 0, 1, WEIGHTED);
  for (size_t classes = 2; classes <= 3; classes++) {
    set_classes(&p, classes, 0.3);
    ent_logistic_options options = ent_logistic_options_default();
    options.tolerance = 1e-9;
    ent_logistic *one = fit_with(&p, classes, 1e-4, options, NULL, 1);
    size_t count = one->scores * p.features;
    for (int threads = 2; threads <= 8; threads += 3) {
      ent_logistic *many = fit_with(&p, classes, 1e-4, options, NULL, threads);
      assert_memory_equal(many->weights, one->weights, count * sizeof *one->weights);
      ent_logistic_free(many);
    }
    for (size_t head = 0; head <= 20; head += 20) {
      options.head = head;
      ent_logistic *other = fit_with(&p, classes, 1e-4, options, NULL, 2);
      assert_int_equal(other->end, ENT_END_CONVERGED);
      assert_true(largest_difference(other->weights, one->weights, count) <= 1e-5);
      assert_true(other->passes > one->passes);
      ent_logistic *warm = fit_with(&p, classes, 1e-4, options, one, 2);
      assert_int_equal(warm->end, ENT_END_CONVERGED);
      assert_true(warm->steps <= 1);
      ent_logistic_free(other);
      ent_logistic_free(warm);
    }
    ent_logistic_free(one);
  }
  problem_stop(&p);
}

/* Products at hand are where conjugate gradients begin, however far off their weights are. */
static void products_at_hand(void **state) {
  (void)state;
  problem p = problem_start(1500, 3, 40, 0, 1, WEIGHTED);
  set_classes(&p, 2, 0.1);
  ent_logistic_options options = ent_logistic_options_default();
  options.tolerance = 1e-9;
  ent_logistic *one = fit_with(&p, 2, 1e-5, options, NULL, 1);
  entropic_context *context = context_with(2);
  for (int near = 0; near < 2; near++) {
    ent_statistics *products = NULL;
    ASSERT_OK(context, ent_statistics_create(context, p.features, 1, NULL, &products));
    for (size_t r = 0; r < p.rows && near; r++) {
      double score = one->offsets[0];
      for (size_t i = 0; i < p.features; i++)
        score += one->weights[i] * p.z[r * p.features + i];
      p.weights[r] /= (1 + exp(score)) * (1 + exp(-score));
    }
    ASSERT_OK(context, ent_statistics_collect(context, products, &p.map, rows_of(&p), ENT_GRADE_EXACT));
    for (size_t r = 0; r < p.rows && near; r++) {
      double score = one->offsets[0];
      for (size_t i = 0; i < p.features; i++)
        score += one->weights[i] * p.z[r * p.features + i];
      p.weights[r] *= (1 + exp(score)) * (1 + exp(-score));
    }
    options.products = products;
    ent_logistic *other = fit_with(&p, 2, 1e-5, options, NULL, 2);
    assert_int_equal(other->end, ENT_END_CONVERGED);
    assert_true(largest_difference(other->weights, one->weights, p.features) <= 1e-5);
    ent_logistic_free(other);
    ent_statistics_free(products);
  }
  entropic_context_free(context);
  ent_logistic_free(one);
  problem_stop(&p);
}

/* The preconditioner of one lambda serves the next: the same optimum, with fewer passes than without. */
static void preconditioners_are_kept(void **state) {
  (void)state;
  problem p = problem_start(1500, 3, 200, 0, 1, WEIGHTED);
  for (size_t classes = 2; classes <= 3; classes++) {
    set_classes(&p, classes, 0.2);
    ent_preconditioner *kept = NULL;
    ent_logistic_options options = ent_logistic_options_default(), keeping = options;
    options.tolerance = keeping.tolerance = 1e-9;
    keeping.kept = &kept;
    ent_logistic *first = fit_with(&p, classes, 1e-4, keeping, NULL, 2);
    assert_non_null(kept);
    ent_logistic *plain = fit_with(&p, classes, 3e-5, options, first, 2);
    ent_logistic *other = fit_with(&p, classes, 3e-5, keeping, first, 2);
    assert_non_null(kept);
    assert_int_equal(other->end, ENT_END_CONVERGED);
    assert_true(largest_difference(other->weights, plain->weights, plain->scores * p.features) <= 1e-5);
    assert_true(classes > 2 || other->passes < plain->passes);
    ent_preconditioner_free(kept);
    ent_logistic_free(first);
    ent_logistic_free(plain);
    ent_logistic_free(other);
  }
  problem_stop(&p);
}

static void separable_classes(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 3; classes++) {
    problem p = problem_start(300, 2, 10, 0, 1, ALL_ONE);
    set_classes(&p, classes, 0);
    ent_logistic *unbounded = fit_with(&p, classes, 0, ent_logistic_options_default(), NULL, 1);
    assert_int_equal(unbounded->end, ENT_END_UNBOUNDED);
    assert_true(unbounded->separated || classes > 2);
    assert_non_null(strstr(ent_end_text(unbounded->end), "no best model"));
    ent_logistic_free(unbounded);
    ent_logistic *fit = fit_with(&p, classes, 1e-9, ent_logistic_options_default(), NULL, 1);
    double objective;
    assert_int_equal(fit->end, ENT_END_CONVERGED);
    assert_true(fit->separated || classes > 2);
    assert_true(plain_gradient(&p, fit, 1e-9, &objective) <= 1e-7);
    assert_true(fit->steps >= 10);
    assert_close(fit->objective, objective, 1e-11 * objective); /* scores are sums of all steps */
    ent_logistic_free(fit);
    problem_stop(&p);
  }
}

static void too_few_steps(void **state) {
  (void)state;
  problem p = problem_start(300, 2, 20, 0, 1, ALL_ONE);
  set_classes(&p, 2, 0.2);
  ent_logistic_options options = ent_logistic_options_default();
  options.most_steps = 1;
  ent_logistic *fit = fit_with(&p, 2, 1e-5, options, NULL, 1);
  assert_int_equal(fit->end, ENT_END_LIMIT);
  assert_int_equal(fit->steps, 1);
  ent_logistic_free(fit);
  /* A start from which nothing finite can be computed. */
  ent_logistic start = {.features = p.features, .classes = 2, .scores = 1};
  double *weights = calloc(p.features, sizeof *weights), offset = NAN;
  start.weights = weights;
  start.offsets = &offset;
  fit = fit_with(&p, 2, 1e-5, ent_logistic_options_default(), &start, 1);
  assert_int_equal(fit->end, ENT_END_NOT_FINITE);
  ent_logistic_free(fit);
  free(weights);
  problem_stop(&p);
}

static void probabilities_of_any_scores(void **state) {
  (void)state;
  double p[3];
  const double scores[][3] = {{0, 0, 0}, {800, -800, 0}, {1e300, 1, 2}, {-745, 0, 5}};
  for (size_t i = 0; i < COUNT(scores); i++) {
    ent_probabilities(3, scores[i], p);
    assert_close(p[0] + p[1] + p[2], 1, 1e-15);
    ent_probabilities(2, scores[i], p);
    assert_close(p[0] + p[1], 1, 1e-15);
  }
  const double low = -40, high = 2;
  ent_probabilities(2, &low, p);
  assert_close(p[1], exp(-40), 1e-30);
  ent_probabilities(2, &high, p);
  assert_close(p[1], 1 / (1 + exp(-2)), 1e-15);
  assert_string_equal(ent_end_text((ent_end)99), "unknown end");
}

static void refusals(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  problem p = problem_start(50, 2, 5, 0, 1, WEIGHTED);
  ent_logistic_options options = ent_logistic_options_default();
  ent_logistic *fit = NULL;
  set_classes(&p, 2, 0.2);
  assert_int_equal(
      ent_logistic_fit(context, &(ent_logistic_problem){.map = &p.map, .rows = rows_of(&p), .classes = 3, .lambda = 1},
                       options, &fit),
      ENTROPIC_BAD_DATA);
  assert_message(context, "class 3 has no rows");
  assert_int_equal(
      ent_logistic_fit(context, &(ent_logistic_problem){.map = &p.map, .rows = rows_of(&p), .classes = 1, .lambda = 1},
                       options, &fit),
      ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(
      ent_logistic_fit(context, &(ent_logistic_problem){.map = &p.map, .rows = rows_of(&p), .classes = 2, .lambda = -1},
                       options, &fit),
      ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "lambda: -1");
  ent_logistic other = {.features = 4, .classes = 2};
  assert_int_equal(ent_logistic_fit(context,
                                    &(ent_logistic_problem){
                                        .map = &p.map, .rows = rows_of(&p), .classes = 2, .lambda = 1, .start = &other},
                                    options, &fit),
                   ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "does not match");
  static const double wrong[] = {2, -1, 0.5};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    double before = p.y[20];
    p.y[20] = wrong[i];
    assert_int_equal(
        ent_logistic_fit(context,
                         &(ent_logistic_problem){.map = &p.map, .rows = rows_of(&p), .classes = 2, .lambda = 1},
                         options, &fit),
        ENTROPIC_BAD_DATA);
    assert_message(context, "row 21: the class");
    p.y[20] = before;
  }
  assert_null(fit);
  ent_logistic_free(NULL);
  problem_stop(&p);
  entropic_context_free(context);
}

SUITE(solve_logistic) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradient_is_zero),
      cmocka_unit_test(the_way_does_not_matter),
      cmocka_unit_test(products_at_hand),
      cmocka_unit_test(preconditioners_are_kept),
      cmocka_unit_test(separable_classes),
      cmocka_unit_test(too_few_steps),
      cmocka_unit_test(probabilities_of_any_scores),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests_name("learn_logistic", tests, NULL, NULL);
}

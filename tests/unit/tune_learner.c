/* The learners against dense algebra and each other. */
#include "unit/searching.h"

#include "unit/fixture.h"

static const entropic_solver solvers[] = {ENTROPIC_SOLVER_DIRECT, ENTROPIC_SOLVER_DUAL, ENTROPIC_SOLVER_ITERATIVE,
                                          ENTROPIC_SOLVER_EXACT};

static double tolerance_of(entropic_solver solver) {
  return solver == ENTROPIC_SOLVER_ITERATIVE ? 1e-6 : 1e-8;
}

/* Features of two inputs; exact: 0. */
static ent_lifting make_features(size_t count) {
  ent_features features = small_features();
  small_axes[0].max_level = small_axes[1].max_level = 8;
  ent_lifting lifting;
  ASSERT_OK(context, ent_features_make(context, &features, 3, count, &lifting));
  return lifting;
}

static ent_rows rows_to_learn(const ground *g, ent_memory_rows *memory) {
  *memory = (ent_memory_rows){.all = g->splits.train, .inputs = g->inputs, .targets = g->targets};
  return ent_rows_of_memory(memory);
}

static const double two_lambdas[] = {1e-2, 1e-4};

/* Fewer features than rows and more. */
static void learners_equal_dense_algebra(void **state) {
  (void)state;
  for (size_t features = 20; features <= 90; features += 70) {
    ground g;
    ground_start(&g,
                 (ground_options){.rows = 60, .others = 25, .inputs = 2, .targets = 2, .weighted = true, .seed = 3});
    ent_lifting lifting = make_features(features);
    ground_lift(&g, lifting.lift);
    assert_int_equal(g.features, features);
    double *a = calloc(features, sizeof *a), *scores = calloc(g.others * 2, sizeof *scores);
    ent_memory_rows memory;
    ent_rows rows = rows_to_learn(&g, &memory);
    for (size_t s = 0; s < 3; s++) {
      ent_learner learner = {.solver = solvers[s], .map = &lifting.map};
      ent_learnt learnt;
      ASSERT_OK(context, ent_learn(context, &learner, &rows, two_lambdas, 2, &learnt));
      assert_int_equal(learnt.features, features);
      assert_int_equal(learnt.scores, 2);
      assert_int_equal(learnt.count, 2);
      assert_null(learnt.ended);
      for (size_t l = 0; l < COUNT(two_lambdas); l++) {
        ASSERT_OK(context, ent_learnt_scores(context, &learner, &learnt, l, &g.valid, scores));
        for (size_t t = 0; t < 2; t++) {
          double mean = refit(&g, SIZE_MAX, features, t, two_lambdas[l], a), most = 0, unit = pow(30, (double)t);
          const double *found = learnt.weights + (l * 2 + t) * features;
          for (size_t i = 0; i < features; i++)
            most = fmax(most, fabs(a[i]));
          assert_close(learnt.offsets[t], mean, 1e-12 * fabs(mean));
          assert_true(largest_difference(found, a, features) <= tolerance_of(solvers[s]) * most);
          for (size_t r = 0; r < g.others; r++) {
            long double sum = (long double)mean;
            for (size_t i = 0; i < features; i++)
              sum += (long double)a[i] * (long double)g.z[(g.rows + r) * features + i];
            assert_close(scores[r * 2 + t], sum, tolerance_of(solvers[s]) * 10 * unit);
          }
        }
      }
      ent_learnt_clear(&learnt);
      assert_null(learnt.weights);
    }
    free(a);
    free(scores);
    ent_lifting_clear(&lifting);
    ground_stop(&g);
  }
}

static void exact_equals_dense_kernel_ridge(void **state) {
  (void)state;
  static const entropic_family families[] = {ENTROPIC_FAMILY_CENTRED, ENTROPIC_FAMILY_LAPLACE, ENTROPIC_FAMILY_COSH,
                                             ENTROPIC_FAMILY_BROWNIAN};
  ground g;
  ground_start(&g, (ground_options){.rows = 70, .others = 20, .inputs = 2, .targets = 2, .weighted = true, .seed = 4});
  long double c[70], mean;
  double scores[40];
  for (size_t f = 0; f < COUNT(families); f++) {
    ent_features features = small_features();
    small_axes[0].family = small_axes[1].family = families[f];
    entropic_kernel *kernel = NULL;
    ASSERT_OK(context, ent_features_kernel(context, &features, 2.5, &kernel));
    assert_true(ent_kernel_axis(kernel, 1).omega == 2.5);
    ent_memory_rows memory;
    ent_rows rows = rows_to_learn(&g, &memory);
    ent_learner learner = {.solver = ENTROPIC_SOLVER_EXACT, .kernel = kernel};
    ent_learnt learnt;
    ASSERT_OK(context, ent_learn(context, &learner, &rows, two_lambdas, 2, &learnt));
    assert_int_equal(learnt.features, g.rows);
    for (size_t l = 0; l < COUNT(two_lambdas); l++) {
      ASSERT_OK(context, ent_learnt_scores(context, &learner, &learnt, l, &g.valid, scores));
      for (size_t t = 0; t < 2; t++) {
        plain_kernel_ridge(&g, kernel, t, two_lambdas[l], c, &mean);
        for (size_t r = 0; r < g.others; r++) {
          long double sum = mean;
          for (size_t i = 0; i < g.rows; i++)
            sum += c[i] * (long double)entropic_kernel_value(kernel, g.x + i * 2, g.valid.x + r * 2);
          assert_close(scores[r * 2 + t], sum, 1e-8 * pow(30, (double)t));
        }
      }
    }
    ent_learnt_clear(&learnt);
    entropic_kernel_free(kernel);
  }
  ground_stop(&g);
}

/* A kernel of categories has an end, so its features are the kernel: then all four solvers agree. */
static void all_solvers_agree(void **state) {
  (void)state;
  ground g;
  ground_start(&g, (ground_options){.rows = 90, .others = 30, .inputs = 2, .targets = 2, .weighted = true, .seed = 8});
  ent_features features = small_features();
  small_axes[0] = category_options(4, 3);
  small_axes[1] = category_options(3, 3);
  ent_lifting lifting;
  entropic_kernel *kernel = NULL;
  ASSERT_OK(context, ent_features_make(context, &features, 0, 1000, &lifting));
  ASSERT_OK(context, ent_features_kernel(context, &features, 0, &kernel));
  assert_int_equal(lifting.map.features, 20);
  ent_memory_rows memory;
  ent_rows rows = rows_to_learn(&g, &memory);
  double scores[4][60];
  for (size_t l = 0; l < 2; l++) {
    for (size_t s = 0; s < COUNT(solvers); s++) {
      ent_learner learner = {.solver = solvers[s], .map = &lifting.map, .kernel = kernel};
      ent_learnt learnt;
      ASSERT_OK(context, ent_learn(context, &learner, &rows, two_lambdas, 2, &learnt));
      ASSERT_OK(context, ent_learnt_scores(context, &learner, &learnt, l, &g.valid, scores[s]));
      ent_learnt_clear(&learnt);
    }
    for (size_t s = 1; s < 4; s++)
      assert_relative(scores[s], scores[0], 60, tolerance_of(solvers[s]));
  }
  ent_lifting_clear(&lifting);
  entropic_kernel_free(kernel);
  ground_stop(&g);
}

static void refit_errors_equal_explicit_loops(void **state) {
  (void)state;
  for (int others = 0; others < 2; others++) {
    ground g;
    ground_start(
        &g,
        (ground_options){
            .rows = 50, .others = others ? 30 : 0, .folds = 4, .inputs = 2, .targets = 2, .weighted = true, .seed = 9});
    ent_lifting lifting = make_features(15);
    ground_lift(&g, lifting.lift);
    for (size_t parts = 1; parts <= ground_parts(&g); parts++)
      for (size_t s = 0; s < 3; s++) {
        ent_learner learner = {.solver = solvers[s], .map = &lifting.map};
        double errors[4], expected_errors[4];
        ASSERT_OK(context,
                  ent_validate_by_refits(context, &learner, &g.splits, parts, (ent_lambda_list){two_lambdas, 2},
                                         &(ent_refit_errors){errors, NULL}));
        for (size_t l = 0; l < COUNT(two_lambdas); l++) {
          explicit_errors(&g, parts, 15, two_lambdas[l], expected_errors);
          assert_relative(errors + 2 * l, expected_errors, 2, tolerance_of(solvers[s]));
        }
      }
    ent_lifting_clear(&lifting);
    ground_stop(&g);
  }
}

/* Of the exact solver: held out by hand. */
static void exact_refits_equal_explicit_loops(void **state) {
  (void)state;
  ground g;
  ground_start(&g, (ground_options){.rows = 40, .folds = 3, .inputs = 2, .targets = 1, .weighted = true, .seed = 10});
  ent_features features = small_features();
  entropic_kernel *kernel = NULL;
  ASSERT_OK(context, ent_features_kernel(context, &features, 2, &kernel));
  ent_learner learner = {.solver = ENTROPIC_SOLVER_EXACT, .kernel = kernel};
  double error;
  long double sum = 0, weight = 0, c[40], mean;
  ASSERT_OK(context, ent_validate_by_refits(context, &learner, &g.splits, 3, (ent_lambda_list){two_lambdas, 1},
                                            &(ent_refit_errors){&error, NULL}));
  for (size_t k = 0; k < 3; k++) {
    ground part = g;
    part.weights = calloc(g.rows, sizeof *part.weights);
    for (size_t r = 0; r < g.rows; r++)
      part.weights[r] = g.fold_of[r] == k ? 0 : g.weights[r];
    plain_kernel_ridge(&part, kernel, 0, two_lambdas[0], c, &mean);
    free(part.weights);
    for (size_t r = 0; r < g.rows; r++) {
      if (g.fold_of[r] != k)
        continue;
      long double off = (long double)g.y[r] - mean;
      for (size_t i = 0; i < g.rows; i++)
        off -= c[i] * (long double)entropic_kernel_value(kernel, g.x + i * 2, g.x + r * 2);
      sum += (long double)g.weights[r] * off * off;
      weight += (long double)g.weights[r];
    }
  }
  assert_close(error, sum / weight, 1e-9 * (double)(sum / weight));
  entropic_kernel_free(kernel);
  ground_stop(&g);
}

static void cheapest_solvers(void **state) {
  (void)state;
  static const struct {
    size_t rows, features, nonzeros;
    entropic_solver expected;
  } cases[] = {{1, 1, 1, ENTROPIC_SOLVER_DIRECT},
               {1000000, 100, 50, ENTROPIC_SOLVER_DIRECT},
               {1000000, 2000, 1, ENTROPIC_SOLVER_DIRECT},
               {1, 100000, 1000, ENTROPIC_SOLVER_DUAL},
               {100, 100000, 20, ENTROPIC_SOLVER_DUAL},
               {2000, 1000000, 1, ENTROPIC_SOLVER_DUAL},
               {1000000, 1000000, 10, ENTROPIC_SOLVER_ITERATIVE},
               {20001, 20001, 20001, ENTROPIC_SOLVER_ITERATIVE},
               {SIZE_MAX, INT32_MAX, 1000, ENTROPIC_SOLVER_ITERATIVE}};
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_int_equal(ent_cheapest_solver(cases[i].rows, cases[i].features, cases[i].nonzeros), cases[i].expected);
  for (size_t rows = 1; rows < 1000000000; rows *= 7) /* no matrix is larger than can be held */
    for (size_t features = 1; features < 1000000000; features *= 7) {
      entropic_solver solver = ent_cheapest_solver(rows, features, features);
      assert_true(solver == ENTROPIC_SOLVER_ITERATIVE || (solver == ENTROPIC_SOLVER_DIRECT && features <= 20000) ||
                  (solver == ENTROPIC_SOLVER_DUAL && rows <= 20000));
    }
}

SUITE(tune_learner) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(learners_equal_dense_algebra),
                                     cmocka_unit_test(exact_equals_dense_kernel_ridge),
                                     cmocka_unit_test(all_solvers_agree),
                                     cmocka_unit_test(refit_errors_equal_explicit_loops),
                                     cmocka_unit_test(exact_refits_equal_explicit_loops),
                                     cmocka_unit_test(cheapest_solvers)};
  return cmocka_run_group_tests_name("tune_learner", tests, start_two_threads, stop);
}

/* The experiment with sparse features: weights again by elimination, non-zeros counted again, costs at equal error
 * and exponents of made-up curves, threads, cancelling, refusals. */
#include "unit/plain_ridge.h"

#include "base/progress.h"
#include "study/sparse.h"
#include "study/sparse_model.h"

enum { INPUTS = 2, ROWS = 150, TEST = 40, FEATURES = 60 };

static const double ridge = 0.1;

static ent_sparse_request request_of(ent_sparse_method method) {
  return (ent_sparse_request){.method = method,
                              .inputs = INPUTS,
                              .features = FEATURES,
                              .scale = 8,
                              .seed = 3,
                              .ridges = &ridge,
                              .ridge_count = 1,
                              .cholesky_most = SIZE_MAX,
                              .tolerance = 1e-12};
}

/* Training rows with test rows behind them, in one array. */
static void rows_with_test(ent_sparse_sample *all, ent_sparse_sample *train, ent_sparse_sample *test) {
  ent_sparse_truth truth;
  assert_int_equal(ent_sparse_truth_make(NULL, ENT_SPARSE_OBLIQUE, INPUTS, &truth), ENTROPIC_OK);
  *all = (ent_sparse_sample){.count = ROWS + TEST};
  assert_int_equal(ent_sparse_sample_make(NULL, &truth, entropic_random_start(5, 1), 0.05, all), ENTROPIC_OK);
  *train = (ent_sparse_sample){ROWS, all->x, all->y};
  *test = (ent_sparse_sample){TEST, all->x + ROWS * INPUTS, all->y + ROWS};
}

/* Cholesky and conjugate gradients, both against elimination in long doubles. */
static void weights_are_those_of_ridge_regression(void **state) {
  (void)state;
  ent_sparse_sample all, train, test;
  rows_with_test(&all, &train, &test);
  for (int i = 0; i < 3; i++) {
    ent_sparse_request request = request_of(i == 2 ? ENT_SPARSE_RKS : ENT_SPARSE_EOF);
    request.cholesky_most = i == 1 ? 0 : SIZE_MAX;
    ent_sparse_model model = {0};
    ent_sparse_point point;
    double predictions[TEST], plain[TEST], error, square = 0;
    assert_int_equal(ent_sparse_model_train(NULL, &request, &train, &model, &point), ENTROPIC_OK);
    assert_true(i == 1 ? point.steps > 0 && isnan(point.gram) : point.steps == 0 && point.gram > 0);
    assert_true(point.train > 0);
    assert_int_equal(ent_sparse_model_predict(NULL, &model, &test, predictions), ENTROPIC_OK);
    assert_int_equal(ent_sparse_model_errors(NULL, &model, &test, &error), ENTROPIC_OK);
    plain_scores(&model.map, all.x, all.y, INPUTS, ROWS, TEST, ridge / ROWS, plain);
    for (size_t r = 0; r < TEST; r++) {
      assert_close(predictions[r], plain[r], 1e-5);
      square += (plain[r] - test.y[r]) * (plain[r] - test.y[r]) / TEST;
    }
    assert_close(error, sqrt(square), 1e-5);
    ent_sparse_model_clear(&model);
  }
  ent_sparse_sample_clear(&all);
}

/* Many sparse features of few rows are trained by steps, as that is faster. */
static void solvers(void **state) {
  (void)state;
  ent_sparse_sample all, train, test;
  rows_with_test(&all, &train, &test);
  ent_sparse_request request = request_of(ENT_SPARSE_EOF);
  request.features = 2000;
  ent_sparse_model model = {0};
  ent_sparse_point point;
  assert_int_equal(ent_sparse_model_train(NULL, &request, &train, &model, &point), ENTROPIC_OK);
  assert_true(point.steps > 0 && model.ridge == NULL && 8 * model.map.nonzeros < 2000);
  ent_sparse_model_clear(&model);
  ent_sparse_sample_clear(&all);
}

static void nonzeros_are_counted(void **state) {
  (void)state;
  ent_sparse_sample all, train, test;
  rows_with_test(&all, &train, &test);
  for (ent_sparse_method method = 0; method < ENT_SPARSE_METHODS; method++) {
    ent_sparse_request request = request_of(method);
    ent_sparse_model model = {0};
    ent_sparse_point point;
    static double z[FEATURES * TEST];
    void *scratch = NULL;
    double nonzeros = 0, products = 0;
    assert_int_equal(ent_sparse_model_make(NULL, &request, &model), ENTROPIC_OK);
    assert_int_equal(ent_sparse_model_count(NULL, &model, &test, &point), ENTROPIC_OK);
    assert_int_equal(model.map.calls->scratch_create(NULL, model.map.self, &scratch), ENTROPIC_OK);
    assert_int_equal(model.map.calls->dense(NULL, model.map.self, scratch, test.x, TEST, INPUTS, z, TEST), ENTROPIC_OK);
    model.map.calls->scratch_free(scratch);
    for (size_t r = 0; r < TEST; r++)
      for (size_t i = 0; i < FEATURES; i++)
        for (size_t k = i; z[i * TEST + r] != 0 && k < FEATURES; k++) {
          nonzeros += k == i;
          products += z[k * TEST + r] != 0;
        }
    assert_close(point.nonzeros, nonzeros / TEST, 1e-12 * nonzeros);
    assert_close(point.products, products / TEST, 1e-12 * products);
    assert_true(method == ENT_SPARSE_EOF ? point.nonzeros < FEATURES / 2.0 : point.nonzeros == FEATURES);
    ent_sparse_model_clear(&model);
  }
  ent_sparse_sample_clear(&all);
}

/* The functions by their definition, with a deviation of 1; rows that begin alike. */
static void functions_and_rows(void **state) {
  (void)state;
  for (ent_sparse_target target = 0; target < ENT_SPARSE_TARGETS; target++) {
    ent_sparse_truth truth;
    assert_int_equal(ent_sparse_truth_make(NULL, target, 3, &truth), ENTROPIC_OK);
    ent_sparse_sample rows = {.count = 50}, more = {.count = 5000};
    assert_int_equal(ent_sparse_sample_make(NULL, &truth, entropic_random_start(1, 2), 0, &rows), ENTROPIC_OK);
    assert_int_equal(ent_sparse_sample_make(NULL, &truth, entropic_random_start(1, 2), 0, &more), ENTROPIC_OK);
    assert_memory_equal(rows.x, more.x, 50 * 3 * sizeof *rows.x);
    assert_memory_equal(rows.y, more.y, 50 * sizeof *rows.y);
    double mean = 0, square = 0;
    for (size_t r = 0; r < 5000; r++) {
      mean += more.y[r] / 5000;
      square += more.y[r] * more.y[r] / 5000;
    }
    assert_close(sqrt(square - mean * mean), 1, 0.1);
    for (size_t r = 0; r < 50; r++) {
      const double *x = rows.x + 3 * r;
      double sum = 0;
      for (size_t j = 0; j < ENT_SPARSE_BUMPS; j++) {
        const double *c = truth.centres + 3 * j;
        double place = c[0] * x[0] + c[1] * x[1] + c[2] * x[2] - truth.offsets[j];
        double kernel = exp(-10 * fabs(x[0] - c[0])) * exp(-10 * fabs(x[1] - c[1])) * exp(-10 * fabs(x[2] - c[2]));
        sum += truth.weights[j] * (target == ENT_SPARSE_ALIGNED ? kernel : exp(-8 * fabs(place)));
      }
      assert_close(rows.y[r], sum, 1e-9);
    }
    ent_sparse_sample_clear(&rows);
    ent_sparse_sample_clear(&more);
  }
}

static const ent_sparse_setting small[] = {{ENT_SPARSE_ALIGNED, 2, 300, {200, 40}},
                                           {ENT_SPARSE_ALIGNED, 2, 500, {64, 20}},
                                           {ENT_SPARSE_OBLIQUE, 3, 300, {64, 20}}};

static ent_sparse_options small_options(void) {
  return (ent_sparse_options){.settings = small,
                              .count = COUNT(small),
                              .first = {16, 10},
                              .tuning_rows = 200,
                              .tuning_features = 30,
                              .validation_rows = 100,
                              .test_rows = 100,
                              .growth_most = 500,
                              .cholesky_most = 100,
                              .tolerance = 1e-3,
                              .seed = 1};
}

static void clear_times(ent_sparse *sparse) {
  for (size_t i = 0; i < sparse->count; i++)
    for (size_t m = 0; m < ENT_SPARSE_METHODS; m++)
      for (size_t k = 0; k < sparse->cases[i].curves[m].count; k++) {
        ent_sparse_point *point = &sparse->cases[i].curves[m].points[k];
        assert_true(point->train > 0 && point->predict > 0 && point->predict < point->train);
        point->train = point->predict = point->gram = 0;
      }
}

static void threads_give_the_same_bits(void **state) {
  (void)state;
  static ent_sparse results[2];
  const ent_sparse_options options = small_options();
  for (int i = 0; i < 2; i++) {
    entropic_context *context = context_with(i + 1);
    ASSERT_OK(context, ent_sparse_run(context, &options, &results[i]));
    assert_int_equal(ent_context_threads(context), i + 1);
    entropic_context_free(context);
    clear_times(&results[i]);
  }
  assert_memory_equal(&results[0], &results[1], sizeof results[0]);
  const ent_sparse *r = results;
  assert_true(r->count == 3 && r->growth_count == 1 && r->growth[0].count == 2);
  const ent_sparse_curve *eof = &r->cases[0].curves[ENT_SPARSE_EOF], *rks = &r->cases[0].curves[ENT_SPARSE_RKS];
  static const double sizes[] = {16, 64, 200}, dense[] = {10, 20, 40};
  assert_true(eof->count == 3 && rks->count == 3);
  for (size_t i = 0; i < 3; i++) {
    assert_true(eof->points[i].features == sizes[i] && rks->points[i].features == dense[i]);
    assert_true(eof->points[i].error > 0 && eof->points[i].error < 1.5);
    assert_true((eof->points[i].steps > 0) == (sizes[i] > 100));
  }
  /* What was chosen holds for all rows of a function. */
  for (size_t m = 0; m < ENT_SPARSE_METHODS; m++)
    for (size_t i = 0; i < 2; i++) {
      const ent_sparse_point *a = &r->cases[0].curves[m].points[i], *b = &r->cases[1].curves[m].points[i];
      assert_true(a->scale > 0 && a->scale == b->scale && a->ridge > 0 && a->ridge == b->ridge);
      assert_true(a->is_gauss == b->is_gauss && a->features == b->features && a->error != b->error);
    }
  /* Beyond 30 features nothing is chosen anew. */
  assert_true(eof->points[1].scale == eof->points[2].scale && eof->points[1].ridge == eof->points[2].ridge);
}

static ent_sparse_point made_up(double features, double error) {
  return (ent_sparse_point){.features = features,
                            .nonzeros = 2 * features,
                            .error = error,
                            .train = features * features,
                            .predict = 3 * features,
                            .gram = NAN};
}

static void costs_at_equal_error(void **state) {
  (void)state;
  /* The error falls as 1 / M, then rises again. */
  const ent_sparse_case one = {
      .curves = {{.count = 3, .points = {made_up(10, 0.4), made_up(40, 0.1), made_up(160, 0.2)}},
                 {.count = 2, .points = {made_up(10, 0.8), made_up(100, 0.2)}}}};
  const ent_sparse_curve *eof = &one.curves[0];
  ent_sparse_cost cost = ent_sparse_at_error(eof, 0.2);
  assert_true(cost.reached);
  assert_close(cost.features, 20, 1e-12);
  assert_close(cost.nonzeros, 40, 1e-12);
  assert_close(cost.train, 400, 1e-9);
  assert_close(cost.predict, 60, 1e-11);
  cost = ent_sparse_at_error(eof, 0.9); /* the first point is the cheapest that is known */
  assert_true(cost.reached);
  assert_close(cost.features, 10, 1e-13);
  cost = ent_sparse_at_error(eof, 0.1);
  assert_true(cost.reached);
  assert_close(cost.train, 1600, 1e-9);
  cost = ent_sparse_at_error(eof, 0.0999);
  assert_true(!cost.reached && isnan(cost.features) && isnan(cost.nonzeros) && isnan(cost.train) &&
              isnan(cost.predict));
  assert_false(ent_sparse_at_error(eof, NAN).reached);
  ent_sparse_equal equals[ENT_SPARSE_LEVELS];
  static const double errors[] = {0.4, 0.28, 0.2, 0.1};
  assert_int_equal(ent_sparse_equals(&one, equals), 4);
  for (size_t i = 0; i < 4; i++) {
    assert_close(equals[i].error, errors[i], 1e-12);
    assert_true(equals[i].costs[ENT_SPARSE_EOF].reached);
    assert_true(equals[i].costs[ENT_SPARSE_RKS].reached == (i < 3));
  }
  assert_close(equals[2].costs[ENT_SPARSE_RKS].features, 100, 1e-11);
  /* The other way round EOF does not reach the least error of RKS, and has none that is smaller. The mean has an error
   * of 1. */
  const ent_sparse_case other = {.curves = {one.curves[1], {.count = 1, .points = {made_up(10, 0.1)}}}};
  assert_int_equal(ent_sparse_equals(&other, equals), 3);
  assert_true(!equals[2].costs[ENT_SPARSE_EOF].reached && equals[2].costs[ENT_SPARSE_RKS].reached);
  const ent_sparse_case rough = {.curves = {one.curves[0], {.count = 1, .points = {made_up(10, 0.8)}}}};
  assert_int_equal(ent_sparse_equals(&rough, equals), 2);
  assert_close(equals[0].error, 0.8, 1e-15);
}

/* log^3 M non-zeros, log^6 M products; times of log^4 M on the larger case alone. */
static void exponents(void **state) {
  (void)state;
  static ent_sparse sparse;
  ent_sparse_growth *growth = &sparse.growth[0];
  sparse.growth_count = 1;
  growth->inputs = 3;
  growth->count = 4;
  for (size_t i = 0; i < 4; i++) {
    growth->features[i] = pow(10, 2 + (double)i);
    growth->nonzeros[i] = 5 * pow(log(growth->features[i]), 3);
    growth->products[i] = 7 * pow(log(growth->features[i]), 6);
  }
  ent_sparse_exponents found = ent_sparse_exponents_of(&sparse, growth);
  assert_close(found.nonzeros, 3, 1e-12);
  assert_close(found.products, 6, 1e-12);
  assert_true(isnan(found.gram));
  sparse.count = 4;
  for (size_t i = 0; i < 4; i++) {
    ent_sparse_case *one = &sparse.cases[i];
    *one = (ent_sparse_case){.target = i == 2 ? ENT_SPARSE_OBLIQUE : ENT_SPARSE_ALIGNED, .inputs = i == 3 ? 4 : 3};
    one->rows = 100 + 100 * (i > 0);
    ent_sparse_curve *curve = &one->curves[ENT_SPARSE_EOF];
    curve->count = 4;
    for (size_t k = 0; k < 4; k++) {
      curve->points[k] = made_up(growth->features[k], 0.5);
      curve->points[k].gram = k == 3 ? NAN : i == 1 ? pow(log(growth->features[k]), 4) : 1;
    }
  }
  assert_close(ent_sparse_exponents_of(&sparse, growth).gram, 4, 1e-12);
}

static int stop_at_once(void *user, const char *stage, double done) {
  (void)done;
  ++*(int *)user;
  assert_non_null(stage);
  return 1;
}

/* One run can be over before the first callback is due: runs until one is cancelled. */
static entropic_status run_until_cancelled(entropic_context *context, void *result) {
  const ent_sparse_options options = small_options();
  entropic_status status = ENTROPIC_OK;
  while (status == ENTROPIC_OK)
    status = ent_sparse_run(context, &options, result);
  return status;
}

static void can_be_cancelled(void **state) {
  (void)state;
  static ent_sparse result;
  int calls = 0;
  entropic_context *context = context_with(2);
  entropic_context_set_progress(context, stop_at_once, &calls);
  assert_int_equal(ent_call_run(context, "start", run_until_cancelled, &result), ENTROPIC_CANCELLED);
  assert_true(calls > 0);
  assert_int_equal(ent_context_threads(context), 2);
  entropic_context_free(context);
}

static void refusals(void **state) {
  (void)state;
  static ent_sparse result;
  static const ent_sparse_setting wrong[] = {{ENT_SPARSE_ALIGNED, 1, 100, {10, 10}},
                                             {ENT_SPARSE_ALIGNED, 7, 100, {10, 10}},
                                             {ENT_SPARSE_ALIGNED, 2, 0, {10, 10}}};
  entropic_context *context = context_with(1);
  ent_sparse_options options = small_options();
  for (size_t i = 0; i < COUNT(wrong); i++) {
    options.settings = &wrong[i];
    options.count = 1;
    assert_int_equal(ent_sparse_run(context, &options, &result), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "expected 2 to 6 inputs");
  }
  for (size_t count = 0; count <= ENT_SPARSE_CASES + 1; count += ENT_SPARSE_CASES + 1) {
    options.count = count;
    assert_int_equal(ent_sparse_run(context, &options, &result), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "expected 1 to 20");
  }
  entropic_context_free(context);
}

/* The short experiment: more features are better, and the defaults fit into the result. */
static void in_short(void **state) {
  (void)state;
  static ent_sparse result;
  assert_int_equal(ent_sparse_measure(NULL, true, 1, &result), ENTROPIC_OK);
  assert_true(result.count == ent_sparse_options_default(true, 1).count && result.growth_count == 2);
  assert_true(ent_sparse_options_default(false, 1).count <= ENT_SPARSE_CASES);
  for (size_t i = 0; i < result.count; i++)
    for (size_t m = 0; m < ENT_SPARSE_METHODS; m++) {
      const ent_sparse_curve *curve = &result.cases[i].curves[m];
      assert_true(curve->count >= 2 && curve->points[curve->count - 1].error < curve->points[0].error);
    }
}

SUITE(study_sparse) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_are_those_of_ridge_regression),
      cmocka_unit_test(solvers),
      cmocka_unit_test(nonzeros_are_counted),
      cmocka_unit_test(functions_and_rows),
      cmocka_unit_test(threads_give_the_same_bits),
      cmocka_unit_test(costs_at_equal_error),
      cmocka_unit_test(exponents),
      cmocka_unit_test(can_be_cancelled),
      cmocka_unit_test(refusals),
      cmocka_unit_test(in_short),
  };
  return cmocka_run_group_tests_name("study_sparse", tests, NULL, NULL);
}

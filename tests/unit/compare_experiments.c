/* Contests, experiments, sheets and rates: against plain algebra and by hand. */
#include "unit/plain_ridge.h"

#include "tune/recipe.h"
#include "tune/rules.h"
#include "random/random.h"
#include "compare/experiments.h"
#include "study/rate.h"
#include "compare/split_table.h"

enum { ROWS = 160, TEST = 40, INPUTS = 3, SIZE = 12 };

typedef struct arena {
  double x[(ROWS + TEST) * INPUTS], y[ROWS + TEST];
  ent_evaluation_data data;
} arena;

static void arena_start(arena *a, size_t classes) {
  entropic_random random = entropic_random_start(4, classes);
  for (size_t i = 0; i < (ROWS + TEST) * INPUTS; i++)
    a->x[i] = entropic_random_uniform(&random);
  for (size_t r = 0; r < ROWS + TEST; r++) {
    a->y[r] = smooth_target(a->x + r * INPUTS, INPUTS, 0) + 0.1 * entropic_random_normal(&random);
    if (classes > 0)
      a->y[r] = a->y[r] > 2.5 ? 1 : -1;
  }
  a->data = (ent_evaluation_data){.inputs = INPUTS,
                                  .targets = 1,
                                  .classes = classes,
                                  .rows = ROWS,
                                  .test_rows = TEST,
                                  .x = a->x,
                                  .y = a->y,
                                  .test_x = a->x + ROWS * INPUTS,
                                  .test_y = a->y + ROWS};
}

/* The error that a map gives by ridge from its definition. */
static double plain_error(const arena *a, const ent_map *map, double lambda) {
  double scores[TEST], sum = 0;
  plain_scores(map, a->x, a->y, INPUTS, ROWS, TEST, lambda, scores);
  for (size_t r = 0; r < TEST; r++) {
    double f = scores[r], y = a->y[ROWS + r];
    sum += a->data.classes > 0 ? (f > 0) != (y > 0) : (f - y) * (f - y);
  }
  return a->data.classes > 0 ? sum / TEST : sqrt(sum / TEST);
}

/* A random method with the bandwidth, lambda and seed that a evaluation says it used. */
static void errors_are_those_of_plain_ridge(void **state) {
  (void)state;
  static const ent_random_method methods[ENT_COMPARE_METHODS] = {
      [ENT_COMPARE_RKS] = ENT_RANDOM_RKS,           [ENT_COMPARE_ORF] = ENT_RANDOM_ORF,
      [ENT_COMPARE_LKRF] = ENT_RANDOM_LKRF,         [ENT_COMPARE_EERF] = ENT_RANDOM_EERF,
      [ENT_COMPARE_NYSTROEM] = ENT_RANDOM_NYSTROEM, [ENT_COMPARE_QMC] = ENT_RANDOM_QMC};
  static arena a;
  entropic_context *context = context_with(1);
  for (size_t classes = 0; classes <= 2; classes += 2) {
    ent_evaluation *evaluation = NULL;
    arena_start(&a, classes);
    ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
    double rule = 0;
    ASSERT_OK(context, ent_random_bandwidth(context, &(ent_random_data){.x = a.x, .rows = ROWS, .stride = INPUTS},
                                            INPUTS, 3, &rule));
    assert_true(ent_evaluation_rule(evaluation) == rule);
    for (int method = ENT_COMPARE_RKS; method < ENT_COMPARE_METHODS; method++)
      for (int tuned = 0; tuned < 2; tuned++) {
        ent_performance p;
        ent_request request = {.method = (ent_compare_method)method, .tuned = tuned, .features = SIZE};
        ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, 1, &p));
        ent_random_options options = ent_random_options_default();
        options.method = methods[method];
        options.kernel = method == ENT_COMPARE_ORF ? ENT_RANDOM_GAUSS : ENT_RANDOM_LAPLACE;
        options.sigma = p.bandwidth;
        options.features = SIZE;
        options.seed = 9;
        ent_random_data data = {.x = a.x, .rows = ROWS, .stride = INPUTS, .y = a.y, .targets = 1, .y_stride = 1};
        ent_random_map *random = NULL;
        ASSERT_OK(context, ent_random_create(context, &options, INPUTS, &data, &random));
        ent_map map = ent_map_of_random(random);
        assert_true(fabs(plain_error(&a, &map, p.lambda) - p.error) <= 1e-8);
        assert_true(tuned || p.bandwidth == rule);
        assert_true(p.nonzeros <= SIZE && p.nonzeros > 0.9 * SIZE && p.features == SIZE);
        assert_true(p.train_seconds > 0 && p.lift_seconds > 0);
        ent_random_free(random);
      }
    ent_evaluation_free(evaluation);
  }
  entropic_context_free(context);
}

/* Our features, complete, with the omega that was tuned. */
static void ours_are_those_of_the_design(void **state) {
  (void)state;
  static arena a;
  entropic_context *context = context_with(1);
  ent_evaluation *evaluation = NULL;
  ent_performance p;
  arena_start(&a, 0);
  ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
  ent_request request = {.method = ENT_COMPARE_ENTROPY, .tuned = true, .features = SIZE};
  ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, 1, &p));
  entropic_axis_options axis = ent_axis_options_default();
  axis.omega = p.bandwidth;
  entropic_kernel *kernel = make_kernel(&axis, 1, INPUTS);
  entropic_design_options options = ent_design_options_default();
  options.features = SIZE;
  entropic_design *design = make_design(kernel, &options);
  entropic_lift *lift = make_lift(design, ENTROPIC_CODE_BEST);
  ent_map map = ent_map_of_lift(lift);
  assert_true(fabs(plain_error(&a, &map, p.lambda) - p.error) <= 1e-8);
  entropic_lift_free(lift);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  ent_evaluation_free(evaluation);
  entropic_context_free(context);
}

/* Selected from all training rows, with the omega and lambda that were tuned. The last input has two values, the one
 * before it five: no hats of the one, no polynomials of the other. */
static void eof_select_is_the_selection(void **state) {
  (void)state;
  static arena a;
  static const double scale[] = {1};
  entropic_context *context = context_with(1);
  for (size_t classes = 0; classes <= 2; classes += 2)
    for (int tuned = 0; tuned < 2; tuned++) {
      ent_evaluation *evaluation = NULL;
      ent_performance p;
      arena_start(&a, classes);
      for (size_t r = 0; r < ROWS + TEST; r++) {
        a.x[r * INPUTS + INPUTS - 1] = round(a.x[r * INPUTS + INPUTS - 1]);
        a.x[r * INPUTS + INPUTS - 2] = round(4 * a.x[r * INPUTS + INPUTS - 2]) / 4;
      }
      ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
      ent_request request = {.method = ENT_COMPARE_RESIDUAL, .tuned = tuned, .features = SIZE};
      ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, 1, &p));
      assert_true(p.features == SIZE && p.nonzeros > 0 && p.nonzeros < SIZE && p.train_seconds > 0);
      assert_true(tuned || p.bandwidth == 1);
      entropic_axis_options axes[INPUTS];
      for (int i = 0; i < INPUTS; i++) {
        axes[i] = ent_axis_options_default();
        axes[i].omega = p.bandwidth;
        axes[i].smooth = i == INPUTS - 3 ? 3 : 0;
        axes[i].max_level = i == INPUTS - 1 ? 0 : 8;
      }
      entropic_kernel *kernel = make_kernel(axes, INPUTS, INPUTS);
      ent_block rows = {.rows = ROWS, .x = a.x, .x_stride = INPUTS, .y = a.y, .y_stride = 1};
      ent_path_task task = {.data = {.train = rows, .validation = rows, .inputs = INPUTS, .targets = 1, .scale = scale},
                            .max_features = SIZE,
                            .lambda = p.lambda,
                            .no_early_stop = true};
      ent_selection selection;
      ent_lifting lifting;
      ASSERT_OK(context, ent_select_path(context, kernel, &task, &selection));
      ASSERT_OK(context, ent_selection_lifting(context, &selection, SIZE, &lifting));
      assert_true(fabs(plain_error(&a, &lifting.map, p.lambda) - p.error) <= 1e-8);
      ent_lifting_clear(&lifting);
      ent_selection_clear(&selection);
      entropic_kernel_free(kernel);
      ent_evaluation_free(evaluation);
    }
  entropic_context_free(context);
}

/* What is selected never depends on the rows to be tested on. */
static void eof_select_does_not_see_the_test_rows(void **state) {
  (void)state;
  static arena a;
  entropic_context *context = context_with(1);
  ent_performance p[2];
  arena_start(&a, 0);
  for (int i = 0; i < 2; i++) {
    ent_evaluation *evaluation = NULL;
    for (size_t r = ROWS; i == 1 && r < ROWS + TEST; r++)
      a.y[r] = 100;
    ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
    ent_request request = {.method = ENT_COMPARE_RESIDUAL, .tuned = true, .features = SIZE};
    ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, 1, &p[i]));
    ent_evaluation_free(evaluation);
  }
  assert_true(p[0].bandwidth == p[1].bandwidth && p[0].lambda == p[1].lambda && p[0].nonzeros == p[1].nonzeros);
  assert_true(p[0].error < 1 && p[1].error > 50);
  entropic_context_free(context);
}

/* A budget of non-zeros gives the design of that budget; where that has too many features, of the largest that has not. */
static void budgets_are_those_of_the_design(void **state) {
  (void)state;
  static const size_t budgets[] = {5, 20, 100};
  entropic_context *context = context_with(1);
  ent_request request = {.method = ENT_COMPARE_ENTROPY};
  entropic_axis_options axis = ent_axis_options_default();
  axis.omega = 0.3;
  entropic_kernel *kernel = make_kernel(&axis, 1, INPUTS);
  entropic_design_options options = ent_design_options_default();
  for (size_t i = 0; i < COUNT(budgets); i++) {
    request.nonzeros = budgets[i];
    ent_trial trial = {.request = &request, .bandwidth = axis.omega, .inputs = INPUTS};
    ent_method_features entry;
    ASSERT_OK(context, ent_method_features_make(context, &trial, &entry));
    size_t features = 0, groups = budgets[i] + 1;
    do {
      options.nonzeros = --groups;
      entropic_design *design = make_design(kernel, &options);
      features = entropic_design_features(design);
      entropic_design_free(design);
    } while (features > ENT_METHOD_FEATURES_MOST);
    assert_true(i == 2 ? groups < budgets[i] : groups == budgets[i]);
    assert_int_equal(entry.map.features, features);
    assert_int_equal(entropic_design_groups(entry.lifting.design), groups);
    ent_method_features_clear(&entry);
  }
  request.nonzeros = 0;
  ent_trial nothing = {.request = &request, .bandwidth = 1, .inputs = INPUTS};
  ent_method_features entry;
  assert_int_equal(ent_method_features_make(context, &nothing, &entry), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "EOF: neither features nor non-zeros");
  request = (ent_request){.method = ENT_COMPARE_RKS, .nonzeros = 3};
  assert_int_equal(ent_method_features_make(context, &nothing, &entry), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "RKS: neither");
  entropic_kernel_free(kernel);
  entropic_context_free(context);
}

/* That of the mean of the training rows, or of their most frequent class. */
static double constant_error(const arena *a) {
  double sum = 0, square = 0;
  size_t wrong = 0;
  for (size_t r = 0; r < ROWS; r++)
    sum += a->y[r];
  for (size_t r = ROWS; r < ROWS + TEST; r++) {
    square += (a->y[r] - sum / ROWS) * (a->y[r] - sum / ROWS);
    wrong += (a->y[r] > 0) != (sum > 0);
  }
  return a->data.classes > 0 ? (double)wrong / TEST : sqrt(square / TEST);
}

static void constants_of_classes(void **state) {
  (void)state;
  static arena a;
  entropic_context *context = context_with(1);
  ent_evaluation *evaluation = NULL;
  double error = -1;
  arena_start(&a, 2);
  ASSERT_OK(context, ent_evaluation_create(context, &a.data, 3, &evaluation));
  ASSERT_OK(context, ent_evaluation_constant(context, evaluation, &error));
  assert_true(error == constant_error(&a) && error > 0 && error < 1);
  ent_evaluation_free(evaluation);
  entropic_context_free(context);
}

static void races_add_up(void **state) {
  (void)state;
  static arena a;
  static const size_t sizes[] = {5, 9};
  arena_start(&a, 0);
  ent_experiments all[2];
  for (int i = 0; i < 2; i++) {
    entropic_context *context = context_with(i == 0 ? 1 : 3);
    ent_experiment_plan plan = {.sizes = sizes, .size_count = 2, .budgets = sizes, .budget_count = 2};
    ASSERT_OK(context, ent_experiments_start_all(context, &plan, 3, &all[i]));
    for (uint64_t seed = 1; seed <= 3; seed++)
      ASSERT_OK(context, ent_experiments_run(context, &all[i], &a.data, seed));
    assert_int_equal(entropic_context_threads(context), i == 0 ? 1 : 3);
    entropic_context_free(context);
  }
  assert_int_equal(all[0].constant.runs, 3);
  for (size_t i = 0; i < 3; i++)
    assert_true(fabs(all[0].constant.errors[i] - constant_error(&a)) <= 1e-12);
  assert_int_equal(all[0].grid, ENT_COMPARE_METHODS * 2 * 2);
  assert_int_equal(all[0].count, ENT_COMPARE_METHODS * 2 * 2 + 4);
  for (size_t i = 0; i < all[0].count; i++) {
    const ent_experiment *experiment = &all[0].list[i];
    assert_int_equal(experiment->runs, 3);
    assert_memory_equal(experiment->errors, all[1].list[i].errors, 3 * sizeof(double));
    double mean = (experiment->errors[0] + experiment->errors[1] + experiment->errors[2]) / 3, square = 0;
    for (int r = 0; r < 3; r++)
      square += (experiment->errors[r] - mean) * (experiment->errors[r] - mean);
    assert_true(fabs(ent_experiment_mean(experiment) - mean) <= 1e-15 * mean);
    assert_true(ent_experiment_mean_first(experiment, 1) == experiment->errors[0]);
    assert_true(fabs(ent_experiment_deviation(experiment) - sqrt(square / 2)) <= 1e-12);
    if (i < all[0].grid) {
      assert_ptr_equal(ent_experiments_find(&all[0], experiment->request.method, experiment->request.tuned,
                                            experiment->request.features),
                       experiment);
      assert_true(experiment->features <= (double)experiment->request.features && experiment->request.nonzeros == 0);
    } else {
      size_t k = i - all[0].grid;
      assert_true(experiment->request.method == ENT_COMPARE_ENTROPY && experiment->request.tuned == (k >= 2) &&
                  experiment->request.features == 0);
      assert_true(experiment->nonzeros <= (double)sizes[k % 2] && experiment->features >= experiment->nonzeros);
    }
  }
  assert_null(ent_experiments_find(&all[0], ENT_COMPARE_RKS, true, 7));
  ent_experiments_clear(&all[0]);
  ent_experiments_clear(&all[1]);
}

/* A method that is limited has its first runs like the others, and no more; timed or not, errors are the same. */
static void races_may_be_limited(void **state) {
  (void)state;
  static arena a;
  static const size_t sizes[] = {6};
  arena_start(&a, 0);
  entropic_context *context = context_with(2);
  ent_experiment_plan plan = {.sizes = sizes, .size_count = 1};
  ent_experiments all, limited;
  ASSERT_OK(context, ent_experiments_start_all(context, &plan, 3, &all));
  ASSERT_OK(context, ent_experiments_start_all(context, &plan, 3, &limited));
  ent_experiments_time(&limited, 2);
  limited.trainings = 3; /* which changes the clock alone */
  ent_experiments_limit(&limited, ENT_COMPARE_RESIDUAL, 1, 2);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    ASSERT_OK(context, ent_experiments_run(context, &all, &a.data, seed));
    ASSERT_OK(context, ent_experiments_run(context, &limited, &a.data, seed));
  }
  assert_int_equal(limited.runs, 3);
  for (size_t i = 0; i < all.count; i++) {
    size_t runs = limited.list[i].request.method == ENT_COMPARE_RESIDUAL ? 2 : 3;
    assert_int_equal(limited.list[i].runs, runs);
    assert_int_equal(all.list[i].runs, 3);
    assert_memory_equal(limited.list[i].errors, all.list[i].errors, runs * sizeof(double));
    assert_true(ent_experiment_mean(&limited.list[i]) == ent_experiment_mean_first(&all.list[i], runs));
    assert_true(limited.list[i].train_seconds > 0);
  }
  ent_experiments_clear(&all);
  ent_experiments_clear(&limited);
  entropic_context_free(context);
}

/* Of very many rows some are selected by, from everywhere: all that there is to learn is in the last fifth here. */
static void eof_select_is_selected_by_rows_from_everywhere(void **state) {
  (void)state;
  const size_t rows = ENT_SELECT_ROWS / 4 * 5;
  double *x = calloc(rows * INPUTS, sizeof *x), *y = calloc(rows, sizeof *y), *z = calloc(SIZE, sizeof *z);
  entropic_random random = entropic_random_start(6, 0);
  for (size_t i = 0; i < rows * INPUTS; i++)
    x[i] = entropic_random_uniform(&random);
  for (size_t r = ENT_SELECT_ROWS; r < rows; r++)
    y[r] = x[r * INPUTS + 2];
  ent_request request = {.method = ENT_COMPARE_RESIDUAL, .features = 1};
  ent_block one = {.rows = 1, .x = x, .x_stride = INPUTS, .y = y, .y_stride = 1};
  ent_trial trial = {.request = &request,
                     .bandwidth = 1,
                     .seed = 3,
                     .inputs = INPUTS,
                     .data = {.x = x, .rows = rows, .stride = INPUTS, .y = y, .targets = 1, .y_stride = 1},
                     .validation = &one,
                     .lambda = 1e-6};
  ent_method_features entry;
  entropic_context *context = context_with(2);
  ASSERT_OK(context, ent_method_features_make(context, &trial, &entry));
  assert_int_equal(entry.map.features, 1);
  /* The feature is the line of the third input: as large at 1 as at 0, with the other sign. */
  void *scratch = NULL;
  const double ends[] = {0.3, 0.6, 0, 0.4, 0.1, 1};
  ASSERT_OK(context, entry.map.calls->scratch_create(context, entry.map.self, &scratch));
  ASSERT_OK(context, entry.map.calls->dense(context, entry.map.self, scratch, ends, 2, INPUTS, z, 2));
  entry.map.calls->scratch_free(scratch);
  assert_true(z[1] != 0 && z[0] == -z[1]);
  ent_method_features_clear(&entry);
  entropic_context_free(context);
  free(x);
  free(y);
  free(z);
}

static void refusals(void **state) {
  (void)state;
  static arena a;
  entropic_context *context = context_with(1);
  ent_evaluation *evaluation = NULL;
  ent_rate rate;
  arena_start(&a, 0);
  a.data.rows = 4;
  assert_int_equal(ent_evaluation_create(context, &a.data, 1, &evaluation), ENTROPIC_BAD_DATA);
  assert_message(context, "4 training rows");
  a.data.rows = ROWS;
  a.data.test_rows = 0;
  assert_int_equal(ent_evaluation_create(context, &a.data, 1, &evaluation), ENTROPIC_BAD_DATA);
  assert_int_equal(ent_rate_measure(context, &(ent_rate_options){9, 8, 10, 1, 1}, &rate), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "9 inputs");
  assert_null(ent_compare_method_name(ENT_COMPARE_METHODS));
  entropic_context_free(context);
}

static void slopes(void **state) {
  (void)state;
  double x[5], y[5];
  for (int i = 0; i < 5; i++) {
    x[i] = pow(3, i);
    y[i] = 7 * pow(x[i], -0.6);
  }
  assert_true(fabs(ent_log_slope(x, y, 5) + 0.6) <= 1e-12);
  entropic_context *context = context_with(2);
  ent_rate rate;
  ASSERT_OK(context, ent_rate_measure(context, &(ent_rate_options){1, 6, 11, 3, 1}, &rate));
  assert_int_equal(rate.count, 6);
  assert_true(rate.rows[0] == 64 && rate.rows[5] == 2048 && rate.features[0] == ceil(2 * pow(64, 0.25)));
  assert_true(rate.slope <= -0.3 && rate.risk[5] > 0 && rate.spread[5] > 0);
  entropic_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_those_of_plain_ridge),
      cmocka_unit_test(ours_are_those_of_the_design),
      cmocka_unit_test(eof_select_is_the_selection),
      cmocka_unit_test(eof_select_does_not_see_the_test_rows),
      cmocka_unit_test(eof_select_is_selected_by_rows_from_everywhere),
      cmocka_unit_test(budgets_are_those_of_the_design),
      cmocka_unit_test(races_add_up),
      cmocka_unit_test(constants_of_classes),
      cmocka_unit_test(races_may_be_limited),
      cmocka_unit_test(refusals),
      cmocka_unit_test(slopes),
  };
  return cmocka_run_group_tests_name("compare_experiments", tests, NULL, NULL);
}

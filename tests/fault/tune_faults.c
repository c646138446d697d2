/* Tuning with each of its allocations failing in turn: it says so, leaks nothing, and works once there is memory again. */
#include "unit/validation_splits.h"

#include "tune/classes.h"
#include "tune/pilot_search.h"

#include "fault/fixture.h"

/* ---- Folds ---- */

/* Blocks of time, of all rows and of some. */
static entropic_status deal_time(void *argument) {
  (void)argument;
  static const double time[] = {3, 1, 4, 1, 5, 9, 2, 6};
  static const size_t numbers[] = {0, 2, 3, 5, 7};
  size_t fold_of[8], folds = 2;
  ent_fold_options split = {.rows = 8, .time = time};
  entropic_status status = ent_folds_deal(context, &split, 1, fold_of, &folds);
  if (status != ENTROPIC_OK)
    return failed(status);
  return failed(ent_folds_deal_some(context, &split, (ent_row_list){numbers, 5}, 1, fold_of, &folds));
}

static void blocks_of_time(void **state) {
  (void)state;
  assert_int_equal(expect_each_allocation_failure(deal_time, NULL), 5);
}

/* Rows of classes, and rows of groups. */
static entropic_status deal_folds(void *argument) {
  (void)argument;
  static const double labels[] = {0, 1, 1, 0, 1, 1, 0, 2}, groups[] = {0, 0, 1, 1, 2, 2, 3, 3};
  size_t fold_of[8], folds = 3;
  ent_fold_options split = {.rows = 8, .labels = labels, .classes = 3};
  entropic_status status = ent_folds_deal(context, &split, 1, fold_of, &folds);
  if (status != ENTROPIC_OK)
    return failed(status);
  return failed(ent_folds_deal(context, &(ent_fold_options){.rows = 8, .groups = groups}, 1, fold_of, &folds));
}

static void folds_of_classes_and_groups(void **state) {
  (void)state;
  assert_int_equal(expect_each_allocation_failure(deal_folds, NULL), 8);
}

/* ---- The grid search, and validation by refits ---- */

typedef struct search_setting {
  ground g;
  entropic_axis_options axes[2];
  ent_features features;
  ent_grid grid;
  ent_lifting lifting;
  ent_class_splits tries;
  ent_learner learner;
  bool hinge;
} search_setting;

static void search_start(search_setting *at, size_t others) {
  static const double omegas[] = {1, 3}, lambdas[] = {1e-1, 1e-2, 1e-3};
  static const size_t sizes[] = {3, 6};
  *at = (search_setting){0};
  ground_start(&at->g,
               (ground_options){
                   .rows = 40, .others = others, .inputs = 2, .targets = 1, .folds = others > 0 ? 0 : 2, .seed = 3});
  for (size_t i = 0; i < 2; i++)
    at->axes[i] = ent_axis_options_default();
  at->features = (ent_features){.axes = at->axes, .inputs = 2, .design = ent_design_options_default()};
  at->grid = (ent_grid){
      .omegas = omegas, .omega_count = 2, .sizes = sizes, .size_count = 2, .lambdas = lambdas, .lambda_count = 3};
  ASSERT_OK(context, ent_features_make(context, &at->features, 1, 6, &at->lifting));
  at->learner = (ent_learner){.solver = ENTROPIC_SOLVER_DIRECT, .map = &at->lifting.map};
  at->tries = (ent_class_splits){.splits = &at->g.splits,
                                 .classes = 2,
                                 .parts = ground_parts(&at->g),
                                 .learners = &at->learner,
                                 .learner_count = 1};
}

static void search_stop(search_setting *at) {
  ent_lifting_clear(&at->lifting);
  ground_stop(&at->g);
}

/* On failure the result is empty. */
static entropic_status search(void *argument) {
  const search_setting *at = argument;
  ent_search_result result;
  entropic_status status = ent_search(context, &at->g.splits, &at->features, &at->grid, &result);
  if (status != ENTROPIC_OK) {
    assert_null(result.statistics.total);
    assert_null(result.validation.errors);
    return failed(status);
  }
  status = ent_search_set_variances(context, &at->g.splits, &result);
  ent_search_result_clear(&result);
  return failed(status);
}

static entropic_status validate_by_refits(void *argument) {
  const search_setting *at = argument;
  double errors[2], variances[2];
  ent_lambda_list lambdas = {at->grid.lambdas, 2};
  return failed(ent_validate_by_refits(context, &at->learner, &at->g.splits, at->tries.parts, lambdas,
                                       &(ent_refit_errors){errors, variances}));
}

static void searches(void **state) {
  (void)state;
  for (size_t others = 0; others <= 20; others += 20) {
    search_setting at;
    search_start(&at, others);
    assert_true(expect_each_allocation_failure(search, &at) > 100);
    for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_ITERATIVE; solver++) {
      at.learner.solver = (entropic_solver)solver;
      assert_true(expect_each_allocation_failure(validate_by_refits, &at) > 10);
    }
    search_stop(&at);
  }
}

/* ---- Classes ---- */

static entropic_status validate_squared(void *argument) {
  const search_setting *at = argument;
  ent_class_validation validation;
  const double lambda = 1e-2;
  return failed(ent_class_validate_signs(context, &at->tries, &lambda, at->hinge ? &ent_loss_hinge : &ent_loss_squared,
                                         &validation));
}

static entropic_status validate_logistic(void *argument) {
  const search_setting *at = argument;
  ent_class_validation validation;
  ent_logistic *starts = NULL;
  ent_lambda_path path = {{at->grid.lambdas, 3}, 0};
  entropic_status status = ent_class_validate_logistic(context, &at->tries, path, &validation, &starts);
  ent_logistic_free(starts);
  return failed(status);
}

static void classes(void **state) {
  (void)state;
  for (size_t others = 0; others <= 20; others += 20) {
    search_setting at;
    search_start(&at, others);
    for (size_t r = 0; r < 40 + others; r++)
      at.g.y[r] = r % 2 == 0 ? 1 : -1;
    for (int hinge = 0; hinge < 2; hinge++) {
      at.hinge = hinge;
      assert_true(expect_each_allocation_failure(validate_squared, &at) > 10);
    }
    for (size_t r = 0; r < 40 + others; r++)
      at.g.y[r] = (double)(r % 2);
    assert_true(expect_each_allocation_failure(validate_logistic, &at) > 20);
    search_stop(&at);
  }
}

/* ---- The recipe ---- */

typedef struct recipe_setting {
  ground g;
  entropic_axis_options axes[3];
  ent_features features;
  ent_view views[2], missing;
  ent_recipe recipe;
} recipe_setting;

static void recipe_start(recipe_setting *at) {
  ground_start(&at->g, (ground_options){.rows = 24, .inputs = 3, .targets = 1, .folds = 2, .seed = 3});
  for (size_t i = 0; i < 3; i++) {
    at->axes[i] = ent_axis_options_default();
    at->axes[i].max_level = 1;
  }
  for (size_t r = 0; r < at->g.rows; r++)
    at->g.y[r] = at->g.x[3 * r]; /* the other inputs have nothing to do with it */
  at->features = (ent_features){.axes = at->axes, .inputs = 3, .design = ent_design_options_default()};
  at->views[0] = at->views[1] = at->missing = (ent_view){.x = at->g.x};
  at->recipe = (ent_recipe){.splits = &at->g.splits,
                            .views = at->views,
                            .view_count = 2,
                            .features = &at->features,
                            .options = {.lambda = -1}};
}

/* Kernels, views and inputs, each on two parts. */
static entropic_status pilot_search(void *argument) {
  const recipe_setting *at = argument;
  size_t view;
  bool used[3];
  ent_search_result result = {0};
  return failed(ent_pilot_search(context, &at->recipe, 3, &view, &result, used));
}

static void pilot(void **state) {
  (void)state;
  recipe_setting at;
  const double given = 1;
  recipe_start(&at);
  at.recipe.options.omegas = &given; /* then all of them, failing now and then */
  assert_true(expect_each_allocation_failure(pilot_search, &at) > 300);
  at.recipe.options.omegas = NULL;
  assert_true(expect_allocation_failures(pilot_search, &at, 61) > 30);
  ground_stop(&at.g);
}

/* Rows with missing values are weighted, members are averaged and get final weights, and scores without a row. */
static entropic_status follow(void *argument) {
  const recipe_setting *at = argument;
  size_t view, count = 0;
  ent_search_result result;
  ent_member *members = NULL;
  entropic_status status = ent_recipe_run(context, &at->recipe, &view, &result, &members, &count);
  if (status != ENTROPIC_OK) {
    assert_null(result.validation.errors);
    assert_null(members);
    return failed(status);
  }
  assert_int_equal(count, 2);
  ent_members_free(members, count);
  ent_search_result_clear(&result);
  return ENTROPIC_OK;
}

static void recipe(void **state) {
  (void)state;
  recipe_setting at;
  const double given = 1;
  recipe_start(&at);
  at.recipe.options = (ent_recipe_options){.omegas = &given,
                                           .size = 3,
                                           .lambda = 1e-3,
                                           .members = 2,
                                           .final = true,
                                           .leave_one_out = true,
                                           .root = ENT_ROOT_ALWAYS};
  at.recipe.missing = &at.missing;
  assert_true(expect_allocation_failures(follow, &at, 7) > 50);
  ground_stop(&at.g);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

SUITE(tune_faults) {
  const struct CMUnitTest tests[] = {TEST(blocks_of_time), TEST(folds_of_classes_and_groups),
                                     TEST(searches),       TEST(classes),
                                     TEST(pilot),          TEST(recipe)};
  return cmocka_run_group_tests_name("tune_faults", tests, NULL, NULL);
}

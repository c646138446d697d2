/* Every allocation of tables, data sets and fits failing once: NO_MEMORY, nothing leaked, no output touched. */
#include "unit/fitting.h"

#include "fault/failing_malloc.h"
#include "fit/outer.h"

typedef struct setting {
  entropic_context *context;
  sheet sheet, others;
  entropic_task task;
  ent_fit_options options;
  bool valid; /* with validation rows */
  bool timed; /* x1 is the time */
} setting;

/* A data set of a sheet, without asserting anything about memory. */
static entropic_status make_dataset(const setting *at, const sheet *s, const entropic_dataset *like,
                                    entropic_dataset **dataset) {
  static const char *const names[] = {"x1", "x2", "y1"};
  const ent_roles roles = {.targets = "y1", .categorical = s->categorical, .time = at->timed ? "x1" : NULL};
  entropic_table *table = untouched();
  entropic_status status =
      ent_table_create(at->context, s->values, s->rows, s->columns, s->columns, names, &roles, &table);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, table);
  *dataset = untouched();
  status = like == NULL ? ent_dataset_create(at->context, table, at->task, dataset)
                        : entropic_dataset_create_with_schema(at->context, table, like, dataset);
  entropic_table_free(table);
  return status == ENTROPIC_OK ? status : check_failed(status, at->context, *dataset);
}

static entropic_status fit(void *argument) {
  const setting *at = argument;
  entropic_dataset *train = NULL, *valid = NULL;
  entropic_model *model = untouched();
  ent_fit_report report = {.total = -1};
  entropic_status status = make_dataset(at, &at->sheet, NULL, &train);
  if (status != ENTROPIC_OK)
    return status;
  status = at->valid ? make_dataset(at, &at->others, train, &valid) : ENTROPIC_OK;
  if (status != ENTROPIC_OK) {
    entropic_dataset_free(train);
    return status;
  }
  status = ent_model_fit(at->context, train, valid, &at->options, &report, &model);
  if (status == ENTROPIC_OK) {
    entropic_model_free(model);
  } else {
    assert_true(report.total == -1);
    check_failed(status, at->context, model);
  }
  entropic_dataset_free(train);
  entropic_dataset_free(valid);
  return status;
}

/* A fit learns once for each part that is scored: allocations of the same kind fail many times over. */
#define STEP 17

static setting at;

static int start(void **state) {
  (void)state;
  at = (setting){.context = context_with(1), .sheet = sheet_start(24, 2, 1, PLAIN, 1)};
  at.others = sheet_start(10, 2, 1, PLAIN, 2);
  at.options = fixed_options(ENT_LAMBDA_AUTO, 6);
  at.options.folds = 2;
  at.options.axis.max_level = 2;
  at.task = ENTROPIC_TASK_REGRESSION;
  entropic_model *warm = fit_sheet(at.context, &at.sheet, at.task, &at.options); /* OpenBLAS has what it keeps */
  entropic_model_free(warm);
  return 0;
}

static int stop(void **state) {
  (void)state;
  sheet_stop(&at.sheet);
  sheet_stop(&at.others);
  entropic_context_free(at.context);
  return 0;
}

static void numbers(void **state) {
  (void)state;
  for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_ITERATIVE; solver++) {
    at.options.solver = (entropic_solver)solver;
    at.options.lambda = solver == ENTROPIC_SOLVER_DUAL ? ENT_LAMBDA_AUTO : 1e-3;
    assert_true(expect_allocation_failures(fit, &at, STEP) > 20);
  }
}

/* Terms by parameters, with what they cost: all of the call. */
static entropic_status fit_terms(void *argument) {
  const setting *with = argument;
  static const char *const given[][2] = {{"only", "x1:*"}, {"without", "\"x2\""}, {"features", "6"},
                                         {"omega", "1"},   {"lambda", "0.001"},   {"max-level", "2"},
                                         {"folds", "2"},   {"ensemble", "1"}};
  entropic_dataset *train = NULL;
  entropic_parameters *set = NULL;
  entropic_model *model = untouched();
  entropic_status status = make_dataset(with, &with->sheet, NULL, &train);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_parameters_create(with->context, ENTROPIC_PURPOSE_FIT, &set);
  for (size_t i = 0; i < COUNT(given) && status == ENTROPIC_OK; i++)
    status = entropic_parameters_set(with->context, set, given[i][0], given[i][1]);
  if (status == ENTROPIC_OK) {
    status = entropic_fit(with->context, train, NULL, set, NULL, &model);
    if (status == ENTROPIC_OK)
      entropic_model_free(model);
    else
      check_failed(status, with->context, model);
  }
  entropic_parameters_free(set);
  entropic_dataset_free(train);
  return status;
}

static void terms(void **state) {
  (void)state;
  assert_true(expect_allocation_failures(fit_terms, &at, 5) > 20);
}

static void a_search_for_omega(void **state) {
  (void)state;
  at.options.omega_count = 0;
  at.options.lambda = 1e-3;
  for (int valid = 0; valid < 2; valid++) {
    at.valid = valid;
    assert_true(expect_allocation_failures(fit, &at, STEP) > 20);
  }
}

/* Also where designs are not nested, so that what is kept is collected again. */
static void a_search_for_a_size(void **state) {
  (void)state;
  sheet_stop(&at.sheet);
  at.sheet = sheet_start(50, 2, 1, PLAIN, 3);
  at.options.features = 0;
  at.options.lambda = 1e-3;
  at.options.axis.max_level = 5;
  for (int criterion = ENTROPIC_CRITERION_L2; criterion <= ENTROPIC_CRITERION_DATA; criterion += 2) {
    at.options.criterion = (entropic_criterion)criterion;
    entropic_model *model = fit_sheet(at.context, &at.sheet, at.task, &at.options);
    assert_int_equal(ent_model_describe(model).features, 50); /* not the largest, which is 100 */
    entropic_model_free(model);
    assert_true(expect_allocation_failures(fit, &at, STEP) > 20);
  }
}

/* Chosen from the data, by two models as one or by validation rows, with missing values and categories. */
static void selected_features(void **state) {
  (void)state;
  at.options.select = ENTROPIC_SELECT_RESIDUAL;
  at.options.axis.smooth = ENT_SMOOTH_AUTO;
  at.options.ensemble = 2;
  for (int round = 0; round < 3; round++) {
    at.valid = round == 1;
    if (round == 2)
      at.sheet.categorical = "x2";
    for (size_t r = 0; r < at.sheet.rows && round == 2; r++) {
      sheet_row(&at.sheet, r)[0] = r % 5 == 0 ? NAN : sheet_row(&at.sheet, r)[0];
      sheet_row(&at.sheet, r)[1] = (double)(r % 3);
    }
    assert_true(expect_allocation_failures(fit, &at, 97) > 5);
  }
  at.options.target_scale = ENTROPIC_TARGET_SCALE_ROOT;
  assert_true(expect_allocation_failures(fit, &at, 211) > 3);
  at.options.omega_count = 0; /* kernels and scalings are tried first */
  at.options.scaling = ENTROPIC_SCALING_AUTO;
  assert_true(expect_allocation_failures(fit, &at, 211) > 3);
}

/* Target means are offered and taken: a number that many levels of a category stand for has products with another input. */
static void target_means(void **state) {
  (void)state;
  sheet_stop(&at.sheet);
  at.sheet = sheet_start(160, 2, 1, PLAIN, 3);
  at.sheet.categorical = "x2";
  for (size_t r = 0; r < at.sheet.rows; r++) {
    size_t level = r % 32;
    double worth = (double)(level * 7 % 32) - 15.5, x = sheet_row(&at.sheet, r)[0];
    sheet_row(&at.sheet, r)[1] = (double)level;
    sheet_y(&at.sheet, r)[0] = worth * (2 + sin(6 * x));
  }
  at.options.select = ENTROPIC_SELECT_RESIDUAL;
  at.options.ensemble = 1;
  at.options.features = 0;
  entropic_model *model = fit_sheet(at.context, &at.sheet, at.task, &at.options);
  assert_non_null(model->means);
  assert_true(model->means->input_count > 0);
  entropic_model_free(model);
  assert_true(expect_allocation_failures(fit, &at, 211) > 3);
}

/* Validated forward: by statistics, by selection, and with validation rows. */
static void a_time_series(void **state) {
  (void)state;
  at.timed = true;
  assert_true(expect_allocation_failures(fit, &at, STEP) > 20);
  at.options.select = ENTROPIC_SELECT_RESIDUAL;
  at.options.axis.smooth = ENT_SMOOTH_AUTO;
  at.options.ensemble = 2;
  for (int valid = 0; valid < 2; valid++) {
    at.valid = valid;
    assert_true(expect_allocation_failures(fit, &at, 97) > 5);
  }
}

/* Scored by parts in turn, by one part of a large table, or by half of the rows given: with one thing to choose, and with
 * the whole recipe, which may also end at a simple form. */
static void outer_validation(void **state) {
  (void)state;
  enum { SMALL, HALVES, LARGE, ROUNDS };
  for (int round = SMALL; round < ROUNDS; round++) {
    at.valid = round == HALVES;
    if (round == LARGE) {
      sheet_stop(&at.sheet);
      at.sheet = sheet_start(5001, 2, 1, PLAIN, 4);
    }
    at.options = fixed_options(ENT_LAMBDA_AUTO, 6);
    at.options.folds = 2;
    assert_true(expect_allocation_failures(fit, &at, round == LARGE ? 13 : 1) > 20);
  }
}

static void simple_forms(void **state) {
  (void)state;
  at.options = ent_fit_options_default();
  at.options.folds = 2;
  at.options.axis.max_level = 2;
  for (int form = ENT_FORM_CONSTANT; form <= ENT_FORM_LINEAR; form++) {
    entropic_random random = entropic_random_start(3, 1);
    for (size_t r = 0; r < at.sheet.rows; r++)
      sheet_y(&at.sheet, r)[0] =
          entropic_random_normal(&random) + (form == ENT_FORM_LINEAR ? 8 * sheet_row(&at.sheet, r)[0] : 0);
    entropic_dataset *data = dataset_of(at.context, &at.sheet, at.task);
    entropic_model *model = NULL;
    ent_fit_report report;
    ASSERT_OK(at.context, ent_model_fit(at.context, data, NULL, &at.options, &report, &model));
    assert_int_equal(report.form, form);
    entropic_model_free(model);
    entropic_dataset_free(data);
    assert_true(expect_allocation_failures(fit, &at, 331) > 5);
  }
}

/* The permutation test, on a prepared fit. */
static entropic_status evidence(void *argument) {
  bool found = true;
  entropic_status status = ent_evidence(at.context, argument, &found);
  if (status != ENTROPIC_OK)
    assert_false(found); /* without memory nothing is evident */
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

static void permutations(void **state) {
  (void)state;
  at.sheet.categorical = "x2";
  for (size_t r = 0; r < at.sheet.rows; r++)
    sheet_row(&at.sheet, r)[1] = (double)(r % 3);
  entropic_dataset *data = dataset_of(at.context, &at.sheet, at.task);
  ent_fit prepared;
  ASSERT_OK(at.context, ent_fit_prepare(at.context, data, NULL, &at.options, &prepared));
  assert_true(expect_each_allocation_failure(evidence, &prepared) > 100);
  ent_fit_clear(&prepared);
  entropic_dataset_free(data);
}

/* By squares and by the logistic loss. */
static void selected_features_of_classes(void **state) {
  (void)state;
  at.options.select = ENTROPIC_SELECT_RESIDUAL;
  at.options.ensemble = 2;
  at.task = ENTROPIC_TASK_CLASSIFICATION;
  for (size_t r = 0; r < at.sheet.rows; r++)
    sheet_y(&at.sheet, r)[0] = sheet_row(&at.sheet, r)[0] > 0.5;
  assert_true(expect_allocation_failures(fit, &at, 97) > 5);
}

static void the_exact_solver(void **state) {
  (void)state;
  at.options.solver = ENTROPIC_SOLVER_EXACT;
  at.options.features = 0;
  at.sheet.categorical = "x2";
  for (size_t r = 0; r < at.sheet.rows; r++)
    sheet_row(&at.sheet, r)[1] = (double)(r % 3);
  assert_true(expect_allocation_failures(fit, &at, STEP) > 20);
}

static void classes(void **state) {
  (void)state;
  at.options.lambda = 1e-2;
  at.task = ENTROPIC_TASK_CLASSIFICATION;
  for (size_t count = 2; count <= 3; count++)
    for (int round = 0; round < 2; round++) {
      for (size_t r = 0; r < at.sheet.rows; r++)
        sheet_y(&at.sheet, r)[0] = (double)(r % count);
      for (size_t r = 0; r < at.others.rows; r++)
        sheet_y(&at.others, r)[0] = (double)(r % count);
      at.valid = round == 1;
      at.options.loss = round == 0 ? ENTROPIC_LOSS_AUTO : ENTROPIC_LOSS_LOGISTIC;
      assert_true(expect_allocation_failures(fit, &at, STEP) > 20);
    }
}

/* The outcome of no features, and the model of it. */
static entropic_status constant(void *argument) {
  const entropic_dataset *data = argument;
  ent_fit fit;
  ent_fit_outcome outcome = {.report.members = 1};
  ent_class_validation class_validation = {.inverse_temperature = 1};
  entropic_status status = ent_fit_prepare(at.context, data, NULL, &at.options, &fit);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, untouched());
  entropic_model *model = ent_new(at.context, 1, sizeof *model);
  status = model == NULL ? ENTROPIC_NO_MEMORY : ent_fit_constant(at.context, &fit, &outcome);
  if (status != ENTROPIC_OK)
    assert_true(outcome.lifting.design == NULL && outcome.learnt.offsets == NULL);
  else
    status = ent_fit_assemble(at.context, &fit, &outcome, &class_validation,
                              at.task == ENTROPIC_TASK_REGRESSION ? ENTROPIC_LOSS_SQUARED : ENTROPIC_LOSS_LOGISTIC,
                              NULL, model);
  ent_lifting_clear(&outcome.lifting);
  ent_learnt_clear(&outcome.learnt);
  entropic_model_free(model);
  ent_fit_clear(&fit);
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

static void no_features(void **state) {
  (void)state;
  for (size_t count = 0; count <= 3; count += 3) {
    at.task = count == 0 ? ENTROPIC_TASK_REGRESSION : ENTROPIC_TASK_CLASSIFICATION;
    for (size_t r = 0; r < at.sheet.rows && count > 0; r++)
      sheet_y(&at.sheet, r)[0] = (double)(r % count);
    entropic_dataset *data = dataset_of(at.context, &at.sheet, at.task);
    assert_true(expect_each_allocation_failure(constant, data) > 30);
    entropic_dataset_free(data);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

SUITE(fit_faults) {
  const struct CMUnitTest tests[] = {TEST(numbers),
                                     TEST(a_search_for_omega),
                                     TEST(a_search_for_a_size),
                                     TEST(selected_features),
                                     TEST(target_means),
                                     TEST(a_time_series),
                                     TEST(outer_validation),
                                     TEST(simple_forms),
                                     TEST(permutations),
                                     TEST(selected_features_of_classes),
                                     TEST(the_exact_solver),
                                     TEST(no_features),
                                     TEST(classes),
                                     TEST(terms)};
  return cmocka_run_group_tests_name("fit_faults", tests, NULL, NULL);
}

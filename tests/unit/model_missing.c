/* Learning from numbers that are missing: known as such by the kernels that can, the middle otherwise. */
#include "model/model.h"
#include "unit/lifting.h"
#include "dataset/dataset.h"

#define ROWS 300
#define INPUTS 3

/* y jumps where x1 is missing; x2 is missing in rows to predict only. */
static void draw(double *values, uint64_t seed) {
  entropic_random random = entropic_random_start(91, seed);
  for (size_t r = 0; r < ROWS; r++) {
    double *row = values + r * (INPUTS + 1);
    for (size_t i = 0; i < INPUTS; i++)
      row[i] = entropic_random_uniform(&random);
    bool missing = entropic_random_below(&random, 4) == 0;
    row[INPUTS] = (missing ? 3 : row[0]) + row[1] / 2;
    if (missing)
      row[0] = NAN;
  }
}

static entropic_table *table_of(const double *values) {
  static const char *const names[] = {"x1", "x2", "x3", "y"};
  const ent_roles roles = {.targets = "y"};
  entropic_table *table = NULL;
  assert_int_equal(ent_table_create(NULL, values, ROWS, INPUTS + 1, INPUTS + 1, names, &roles, &table), ENTROPIC_OK);
  return table;
}

/* The root of the mean square error on the rows. */
static double error_of(const entropic_model *model, const double *values) {
  static double y[ROWS];
  double sum = 0;
  assert_int_equal(entropic_model_predict(NULL, model, values, ROWS, INPUTS + 1, y), ENTROPIC_OK);
  for (size_t r = 0; r < ROWS; r++)
    sum += (y[r] - values[r * (INPUTS + 1) + INPUTS]) * (y[r] - values[r * (INPUTS + 1) + INPUTS]);
  return sqrt(sum / ROWS);
}

static void check_model(const entropic_model *model, const double *values, bool known) {
  assert_int_equal(ent_kernel_axis(entropic_model_kernel(model), 0).missing, known);
  assert_int_equal(ent_kernel_axis(entropic_model_kernel(model), 1).missing, 0);
  double error = error_of(model, values);
  assert_true(known ? error < 0.1 : error > 0.3);
  /* x2 had no missing value: there it is the middle of those it had. */
  double rows[2][INPUTS] = {{NAN, NAN, 0.5}, {NAN, 0.5, 0.5}}, y[2];
  const ent_scale *scale = &model->main.scaler->scales[1];
  for (size_t k = 0; k + 1 < scale->knots; k++)
    if (scale->height[k] <= 0.5 && scale->height[k + 1] > 0.5)
      rows[1][1] = scale->at[k] + (0.5 - scale->height[k]) / (scale->height[k + 1] - scale->height[k]) *
                                      (scale->at[k + 1] - scale->at[k]);
  assert_int_equal(entropic_model_predict(NULL, model, rows[0], 2, INPUTS, y), ENTROPIC_OK);
  assert_close(y[0], y[1], 1e-9);
}

/* Whether the kernel may be asked for: that of what comes round is for parts of dates. */
static bool fits_numbers(const ref_family *family) {
  return !entropic_family_has(family->family, ENTROPIC_TRAIT_PERIODIC);
}

static void solvers_kernels_and_criteria(void **state) {
  static double values[ROWS * (INPUTS + 1)], others[ROWS * (INPUTS + 1)];
  draw(values, 0);
  draw(others, 1);
  entropic_table *table = table_of(values), *more = table_of(others);
  entropic_context *context = context_with(2);
  entropic_dataset *train = NULL, *valid = NULL;
  ASSERT_OK(context, ent_dataset_create(context, table, ENTROPIC_TASK_AUTO, &train));
  ASSERT_OK(context, entropic_dataset_create_with_schema(context, more, train, &valid));
  for (const ref_family *family = NULL; (family = ref_next(family, REF_BUILT_IN)) != NULL;)
    for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_EXACT && fits_numbers(family); solver++)
      for (int with_valid = quick_tests() ? solver % 2 : 0; with_valid < 2; with_valid += quick_tests() ? 2 : 1) {
        ent_fit_options options = ent_fit_options_default();
        const double omega = 2;
        bool atoms = entropic_family_has(family->family, ENTROPIC_TRAIT_MISSING); /* for missing values */
        options.axis.family = family->family;
        options.solver = (entropic_solver)solver;
        options.omegas = &omega;
        options.omega_count = 1;
        options.features = solver == ENTROPIC_SOLVER_EXACT ? 0 : 60;
        options.criterion = with_valid ? ENTROPIC_CRITERION_DATA : ENTROPIC_CRITERION_L2;
        entropic_model *model = NULL, *loaded = NULL;
        ASSERT_OK(context, ent_model_fit(context, train, with_valid ? valid : NULL, &options, NULL, &model));
        check_model(model, others, atoms);
        ASSERT_OK(context, entropic_model_save(context, model, in_folder(state, "model")));
        ASSERT_OK(context, entropic_model_load(context, in_folder(state, "model"), &loaded));
        check_model(loaded, others, atoms);
        assert_true(error_of(loaded, others) == error_of(model, others));
        entropic_model_free(model);
        entropic_model_free(loaded);
      }
  entropic_dataset_free(train);
  entropic_dataset_free(valid);
  entropic_table_free(table);
  entropic_table_free(more);
  entropic_context_free(context);
}

/* Everything chosen by validation; classes by the logistic loss. */
static void searches_and_classes(void **state) {
  (void)state;
  static double values[ROWS * (INPUTS + 1)];
  draw(values, 2);
  for (size_t r = 0; r < ROWS; r++)
    values[r * (INPUTS + 1) + INPUTS] = values[r * (INPUTS + 1) + INPUTS] > 2; /* where x1 is missing */
  entropic_table *table = table_of(values);
  entropic_context *context = context_with(2);
  entropic_dataset *train = NULL;
  ASSERT_OK(context, ent_dataset_create(context, table, ENTROPIC_TASK_AUTO, &train));
  for (int loss = ENTROPIC_LOSS_AUTO; loss <= ENTROPIC_LOSS_LOGISTIC; loss++) {
    ent_fit_options options = ent_fit_options_default();
    options.loss = (entropic_loss)loss;
    entropic_model *model = NULL;
    ASSERT_OK(context, ent_model_fit(context, train, NULL, &options, NULL, &model));
    assert_true(ent_model_describe(model).validation_error <= 0.01);
    assert_true(error_of(model, values) <= 0.1);
    entropic_model_free(model);
  }
  entropic_dataset_free(train);
  entropic_table_free(table);
  entropic_context_free(context);
}

SUITE(model_missing) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(solvers_kernels_and_criteria, make_folder, remove_folder),
      cmocka_unit_test(searches_and_classes),
  };
  return cmocka_run_group_tests_name("model: missing values", tests, NULL, NULL);
}

/* Fits: which inputs the model uses, what it keeps of the others, and the bounds it sets. */
#include "unit/fitting.h"

#include "model/model.h"

#include "unit/fixture.h"

enum { ROWS = 150, INPUTS = 40 };

/* Noise, but for the first input and the third, a category; the fourth is one of noise, the fifth has missing values. */
static sheet draw(size_t targets) {
  sheet s = sheet_start(ROWS, INPUTS, targets, PLAIN, 8);
  s.categorical = "x3,x4";
  for (size_t r = 0; r < ROWS; r++) {
    double *x = sheet_row(&s, r);
    x[2] = (double)(r % 3);
    x[3] = floor(5 * x[3]);
    for (size_t t = 0; t < targets; t++)
      sheet_y(&s, r)[t] = (double)(t + 1) * (10 * x[0] + 4 * x[2]) + 100;
    x[4] = r % 10 == 3 ? NAN : x[4];
  }
  return s;
}

static ent_fit_options few_features(void) {
  ent_fit_options options = ent_fit_options_default();
  options.features = 6;
  options.omegas = &fixed_omega;
  options.omega_count = 1;
  options.lambda = 1e-4;
  options.ensemble = 1;
  options.select = ENTROPIC_SELECT_RESIDUAL;
  return options;
}

static void check_used(const entropic_model *model) {
  size_t used = 0;
  entropic_input_info input;
  for (size_t i = 0; ent_model_input(NULL, model, i, &input) == ENTROPIC_OK; i++) {
    used += (size_t)input.used;
    assert_int_equal(input.category, i == 2 || i == 3);
    assert_int_equal(input.missing, i == 4);
    assert_int_equal(input.categories, i == 2 ? 3 : 0);
    assert_int_equal(model->main.scaler->scales[i].at != NULL, input.used && i != 2);
    if (i == 0 || i == 2)
      assert_int_equal(input.used, 1);
    if (i == 3 || i == 4)
      assert_int_equal(input.used, 0);
  }
  assert_int_equal(ent_model_describe(model).inputs_used, used);
  assert_true(used <= 6);
}

static void of_many_inputs_few_are_kept(void **state) {
  sheet s = draw(1);
  ent_fit_options options = few_features();
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options), *loaded = NULL;
  check_used(model);
  const char *path = in_folder(state, "model");
  ASSERT_OK(context, entropic_model_save(context, model, path));
  ASSERT_OK(context, entropic_model_load(context, path, &loaded));
  check_used(loaded);
  size_t bytes;
  free(read_whole(path, &bytes));
  assert_true(bytes < 6 * 16 * ROWS + 40 * INPUTS); /* knots of at most six inputs; the others have a name and a mark */
  double *a = predict_sheet(context, model, &s), *b = predict_sheet(context, loaded, &s);
  assert_memory_equal(a, b, ROWS * sizeof *a);
  free(a);
  free(b);
  entropic_model_free(model);
  entropic_model_free(loaded);
  sheet_stop(&s);
}

/* Half of the range more on each side. */
static void bounds_are_set(void **state) {
  (void)state;
  sheet s = draw(2);
  ent_fit_options options = few_features();
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  double *x = calloc(INPUTS, sizeof *x), out[2];
  for (size_t t = 0; t < 2; t++) {
    double least = INFINITY, most = -INFINITY, lower, upper;
    for (size_t r = 0; r < ROWS; r++) {
      least = fmin(least, sheet_y(&s, r)[t]);
      most = fmax(most, sheet_y(&s, r)[t]);
    }
    assert_int_equal(entropic_model_range(model, t, &lower, &upper), 1);
    assert_true(fabs(lower - (least - 0.5 * (most - least))) <= 1e-9);
    assert_true(fabs(upper - (most + 0.5 * (most - least))) <= 1e-9);
  }
  model->offsets[0] = 1e6; /* as if it had gone wrong */
  model->offsets[1] = -1e6;
  ASSERT_OK(context, entropic_model_predict(context, model, x, 1, INPUTS, out));
  assert_true(out[0] == model->bounds[1] && out[1] == model->bounds[2]);
  free(x);
  entropic_model_free(model);
  sheet_stop(&s);
}

static void expect_no_bounds(const sheet *s, entropic_task task, const ent_fit_options *options) {
  double lower, upper;
  entropic_model *model = fit_sheet(context, s, task, options);
  assert_int_equal(entropic_model_range(model, 0, &lower, &upper), 0);
  entropic_model_free(model);
}

static void others_have_no_bounds(void **state) {
  (void)state;
  sheet s = draw(1);
  ent_fit_options options = few_features();
  options.select = ENTROPIC_SELECT_ENTROPY;
  expect_no_bounds(&s, ENTROPIC_TASK_REGRESSION, &options);
  options.solver = ENTROPIC_SOLVER_EXACT;
  options.features = 0;
  expect_no_bounds(&s, ENTROPIC_TASK_REGRESSION, &options);
  sheet_classes(&s, 2);
  options = few_features();
  expect_no_bounds(&s, ENTROPIC_TASK_CLASSIFICATION, &options);
  sheet_stop(&s);
}

/* Targets near the end of what numbers can be have none either; beside another one they have bounds that are none. */
static void huge_targets(void **state) {
  (void)state;
  for (size_t targets = 1; targets <= 2; targets++) {
    sheet s = draw(targets);
    for (size_t r = 0; r < ROWS; r++)
      sheet_y(&s, r)[0] = (sheet_y(&s, r)[0] - 110) * 1.5e307;
    ent_fit_options options = few_features();
    if (targets == 1) {
      expect_no_bounds(&s, ENTROPIC_TASK_REGRESSION, &options);
    } else {
      entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
      double lower, upper;
      assert_int_equal(entropic_model_range(model, 0, &lower, &upper), 1);
      assert_true(lower == -INFINITY && upper == INFINITY);
      assert_int_equal(entropic_model_range(model, 1, &lower, &upper), 1);
      assert_true(isfinite(lower) && isfinite(upper));
      entropic_model_free(model);
    }
    sheet_stop(&s);
  }
}

SUITE(model_unused) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_many_inputs_few_are_kept), cmocka_unit_test(bounds_are_set),
                                     cmocka_unit_test(others_have_no_bounds), cmocka_unit_test(huge_targets)};
  return cmocka_run_group_tests_name("model_unused", tests, start_in_folder, stop_in_folder);
}

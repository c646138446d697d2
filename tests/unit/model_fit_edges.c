/* Fits at the edges: few rows and groups, extreme targets and weights. */
#include "unit/fitting.h"

#include "model/model.h"

#include "unit/fixture.h"

/* One row: its input must be called a category, or it would be a constant. Nothing can be tried. */
static void one_row(void **state) {
  (void)state;
  for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    sheet s = sheet_start(1, 1, 1, PLAIN, 4);
    s.categorical = "x1";
    sheet_y(&s, 0)[0] = 42;
    ent_fit_options o = ent_fit_options_default();
    o.solver = (entropic_solver)solver;
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    entropic_model_info info = ent_model_describe(model);
    assert_int_equal(info.validation, ENTROPIC_VALIDATION_NONE);
    assert_int_equal(info.validation_rows, 0);
    assert_true(isnan(info.validation_error) && info.lambda == 0.001);
    sheet_row(&s, 0)[0] = 0; /* its code */
    assert_close(error_on(context, model, &s), 0, 1e-12);
    entropic_model_free(model);
    sheet_stop(&s);
  }
}

static void few_rows(void **state) {
  (void)state;
  for (size_t rows = 2; rows <= 7; rows++)
    for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
      sheet s = sheet_start(rows, 2, 1, WITH_WEIGHTS, rows);
      ent_fit_options o = ent_fit_options_default();
      o.solver = (entropic_solver)solver;
      o.axis.max_level = 3;
      entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
      entropic_model_info info = ent_model_describe(model);
      assert_int_equal(info.validation, ENTROPIC_VALIDATION_FOLDS);
      assert_int_equal(info.folds, rows < 5 ? rows : 5);
      assert_int_equal(info.validation_rows, rows);
      assert_true(isfinite(info.validation_error) && isfinite(error_on(context, model, &s)));
      entropic_model_free(model);
      sheet_stop(&s);
    }
}

/* All rows in one group: as if nothing could be tried. Two groups: two folds. */
static void few_groups(void **state) {
  (void)state;
  for (size_t groups = 1; groups <= 2; groups++) {
    sheet s = sheet_start(40, 2, 1, WITH_GROUPS, 5);
    for (size_t r = 0; r < s.rows; r++)
      sheet_row(&s, r)[s.columns - 1] = groups == 1 && r % 2 == 1 ? -0.0 : (double)(r % groups); /* -0 is 0 */
    ent_fit_options o = ent_fit_options_default();
    o.axis.max_level = 3;
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    entropic_model_info info = ent_model_describe(model);
    assert_int_equal(info.validation, groups == 1 ? ENTROPIC_VALIDATION_NONE : ENTROPIC_VALIDATION_FOLDS);
    assert_int_equal(info.folds, groups == 1 ? 0 : 2);
    assert_true(error_on(context, model, &s) < 0.5);
    entropic_model_free(model);
    for (int asked = 0; asked < 2; asked++) { /* what is asked for is done or refused */
      o.select = asked == 0 ? ENTROPIC_SELECT_RESIDUAL : ENTROPIC_SELECT_AUTO;
      o.target_scale = asked == 0 ? ENTROPIC_TARGET_SCALE_AUTO : ENTROPIC_TARGET_SCALE_ROOT;
      entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
      model = NULL;
      assert_int_equal(ent_model_fit(context, data, NULL, &o, NULL, &model),
                       groups == 1 ? ENTROPIC_BAD_DATA : ENTROPIC_OK);
      if (groups == 1)
        assert_message(context, "all rows are of one group, so none can be held out");
      entropic_model_free(model);
      entropic_dataset_free(data);
    }
    sheet_stop(&s);
  }
}

/* What is the same within a group cannot be learnt from other groups; only with groups is the error honest. */
static void groups_keep_errors_honest(void **state) {
  (void)state;
  double errors[2];
  for (int grouped = 0; grouped < 2; grouped++) {
    sheet s = sheet_start(80, 1, 1, grouped ? WITH_GROUPS : PLAIN, 6);
    entropic_random random = entropic_random_start(6, 6);
    double at = 0, value = 0;
    for (size_t r = 0; r < 80; r++) {
      if (r % 4 == 0) {
        at = entropic_random_uniform(&random);
        value = entropic_random_normal(&random);
      }
      sheet_row(&s, r)[0] = at + 1e-4 * (double)(r % 4);
      sheet_y(&s, r)[0] = value;
    }
    ent_fit_options o = fixed_options(1e-6, 0);
    o.solver = ENTROPIC_SOLVER_EXACT;
    o.scaling = ENTROPIC_SCALING_MINMAX;
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    errors[grouped] = ent_model_describe(model).validation_error;
    entropic_model_free(model);
    sheet_stop(&s);
  }
  assert_true(errors[1] > 1 && errors[1] > 2 * errors[0]);
}

/* ---- Targets and weights ---- */

static void constant_targets(void **state) {
  (void)state;
  static const double constants[] = {0, 0.1, -7, 1e9, 1e-200, 1e200};
  for (size_t i = 0; i < COUNT(constants); i++)
    for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
      sheet s = sheet_start(30, 2, 1, PLAIN, 7);
      for (size_t r = 0; r < s.rows; r++)
        sheet_y(&s, r)[0] = constants[i];
      ent_fit_options o = fixed_options(ENT_LAMBDA_AUTO, solver == ENTROPIC_SOLVER_EXACT ? 0 : 20);
      o.solver = (entropic_solver)solver;
      entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
      double *p = predict_sheet(context, model, &s);
      for (size_t r = 0; r < s.rows; r++)
        assert_close(p[r], constants[i], 1e-12 * fabs(constants[i]));
      assert_true(ent_model_describe(model).validation_error <= 1e-12 * fabs(constants[i]));
      free(p);
      entropic_model_free(model);
      sheet_stop(&s);
    }
}

/* Units do not matter: the same choices, and the same predictions in other units. */
static void targets_in_any_unit(void **state) {
  (void)state;
  static const double units[] = {1, 0x1p500, 0x1p-500, 0x1p900, 0x1p-900, 0x1p1015};
  for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    double plain[40], lambda = 0, error = 0;
    for (size_t i = 0; i < COUNT(units); i++) {
      sheet s = sheet_start(40, 2, 1, WITH_WEIGHTS, 8);
      for (size_t r = 0; r < s.rows; r++)
        sheet_y(&s, r)[0] *= units[i];
      ent_fit_options o = fixed_options(ENT_LAMBDA_AUTO, solver == ENTROPIC_SOLVER_EXACT ? 0 : 15);
      o.solver = (entropic_solver)solver;
      entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
      entropic_model_info info = ent_model_describe(model);
      double *p = predict_sheet(context, model, &s);
      if (i == 0) {
        memcpy(plain, p, sizeof plain);
        lambda = info.lambda;
        error = info.validation_error;
      }
      assert_true(info.lambda == lambda);
      assert_close(info.validation_error / units[i], error, 2 * FIGURE_ERROR * error);
      for (size_t r = 0; r < s.rows; r++)
        assert_close(p[r] / units[i], plain[r], 1e-12);
      free(p);
      entropic_model_free(model);
      sheet_stop(&s);
    }
  }
}

/* What varies is not drowned by what does not. */
static void large_offsets(void **state) {
  (void)state;
  for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    sheet s = sheet_start(40, 2, 1, WITH_WEIGHTS, 9);
    ent_fit_options o = fixed_options(1e-3, solver == ENTROPIC_SOLVER_EXACT ? 0 : 15);
    o.solver = (entropic_solver)solver;
    entropic_model *near = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    double *p = predict_sheet(context, near, &s), difference = 0;
    for (size_t r = 0; r < s.rows; r++)
      sheet_y(&s, r)[0] += 1e9;
    entropic_model *far = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    double *q = predict_sheet(context, far, &s);
    for (size_t r = 0; r < s.rows; r++)
      difference = larger(difference, fabs(q[r] - 1e9 - p[r]));
    assert_true(difference <= 1e-6); /* 1e9 has doubles 1e-7 apart */
    if (solver != ENTROPIC_SOLVER_ITERATIVE)
      assert_close(ent_model_describe(far).validation_error, ent_model_describe(near).validation_error, 1e-6);
    free(p);
    free(q);
    entropic_model_free(near);
    entropic_model_free(far);
    sheet_stop(&s);
  }
}

/* Targets so far apart that no weights can hold them are refused, not answered with infinity. */
static void targets_beyond_everything(void **state) {
  (void)state;
  sheet s = sheet_start(30, 1, 1, PLAIN, 10);
  for (size_t r = 0; r < s.rows; r++)
    sheet_y(&s, r)[0] = r % 2 == 0 ? 1.7e308 : -1.7e308;
  entropic_dataset *dataset = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options o = fixed_options(1e-9, 25);
  entropic_model *model = NULL;
  entropic_status status = ent_model_fit(context, dataset, NULL, &o, NULL, &model);
  assert_int_equal(status, ENTROPIC_BAD_DATA);
  assert_message(context, "outside the range of a double");
  entropic_dataset_free(dataset);
  sheet_stop(&s);
}

/* Only ratios of weights matter. */
static void weights_in_any_unit(void **state) {
  (void)state;
  static const double units[] = {1, 0x1p-400, 0x1p400};
  for (int classes = 0; classes < 2; classes++) {
    double plain[40];
    for (size_t i = 0; i < COUNT(units); i++) {
      sheet s = sheet_start(40, 2, 1, WITH_WEIGHTS, 11);
      if (classes)
        sheet_classes(&s, 2);
      for (size_t r = 0; r < s.rows; r++)
        sheet_y(&s, r)[1] *= units[i];
      ent_fit_options o = fixed_options(ENT_LAMBDA_AUTO, 15);
      entropic_model *model =
          fit_sheet(context, &s, classes ? ENTROPIC_TASK_CLASSIFICATION : ENTROPIC_TASK_REGRESSION, &o);
      double *p = predict_sheet(context, model, &s);
      if (i == 0)
        memcpy(plain, p, sizeof plain);
      assert_true(largest_difference(p, plain, 40) <= 1e-9);
      free(p);
      entropic_model_free(model);
      sheet_stop(&s);
    }
  }
}

/* Weights whose sum is no number are refused. */
static void weights_beyond_everything(void **state) {
  (void)state;
  sheet s = sheet_start(40, 2, 1, WITH_WEIGHTS, 11);
  for (size_t r = 0; r < s.rows; r++)
    sheet_y(&s, r)[1] = 1e308;
  for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    entropic_dataset *dataset = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
    ent_fit_options o = fixed_options(ENT_LAMBDA_AUTO, solver == ENTROPIC_SOLVER_EXACT ? 0 : 15);
    o.solver = (entropic_solver)solver;
    entropic_model *model = NULL;
    assert_int_equal(ent_model_fit(context, dataset, NULL, &o, NULL, &model), ENTROPIC_BAD_DATA);
    bool direct = solver == ENTROPIC_SOLVER_AUTO || solver == ENTROPIC_SOLVER_DIRECT;
    assert_message(context, direct ? "a row has the weight 1e+308" : "the weights of the rows sum to inf");
    entropic_dataset_free(dataset);
  }
  sheet_stop(&s);
}

/* Rows of next to no weight are next to not there. */
static void very_uneven_weights(void **state) {
  (void)state;
  sheet s = sheet_start(60, 2, 1, WITH_WEIGHTS, 12);
  for (size_t r = 0; r < s.rows; r++)
    sheet_y(&s, r)[1] = r == 7 ? 1e14 : r % 2 == 0 ? 1 : 1e-14;
  ent_fit_options o = fixed_options(ENT_LAMBDA_AUTO, 20);
  for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    o.solver = (entropic_solver)solver;
    o.features = solver == ENTROPIC_SOLVER_EXACT ? 0 : 20;
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    double *p = predict_sheet(context, model, &s);
    assert_close(p[7], sheet_y(&s, 7)[0], 1e-6);
    assert_finite(p, s.rows);
    free(p);
    entropic_model_free(model);
  }
  sheet_stop(&s);
}

SUITE(model_fit_edges) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_row),
                                     cmocka_unit_test(few_rows),
                                     cmocka_unit_test(few_groups),
                                     cmocka_unit_test(groups_keep_errors_honest),
                                     cmocka_unit_test(constant_targets),
                                     cmocka_unit_test(targets_in_any_unit),
                                     cmocka_unit_test(large_offsets),
                                     cmocka_unit_test(targets_beyond_everything),
                                     cmocka_unit_test(weights_in_any_unit),
                                     cmocka_unit_test(very_uneven_weights),
                                     cmocka_unit_test(weights_beyond_everything)};
  return cmocka_run_group_tests_name("model_fit_edges", tests, start_two_threads, stop);
}

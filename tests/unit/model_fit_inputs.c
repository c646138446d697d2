/* Fits of odd inputs: duplicates, two values, very many, categories and missing values; kernels of every kind. */
#include "unit/fitting.h"

#include "model/model.h"

#include "unit/fixture.h"

static void odd_inputs(void **state) {
  (void)state;
  ent_fit_options o = fixed_options(ENT_LAMBDA_AUTO, 30);
  sheet one = sheet_start(50, 1, 1, PLAIN, 13), twice = sheet_start(50, 4, 1, PLAIN, 13);
  sheet binary = sheet_start(50, 4, 1, PLAIN, 14), wide_one = sheet_start(30, 500, 1, PLAIN, 15);
  for (size_t r = 0; r < 50; r++) {
    double *x = sheet_row(&twice, r);
    x[2] = 2 * x[0]; /* duplicates in other units: exact ones would be set aside */
    x[3] = 4 * x[0];
    x[4] = smooth_target(x, 2, 0);
    for (size_t i = 0; i < 4; i++)
      sheet_row(&binary, r)[i] = sheet_row(&binary, r)[i] > 0.5;
    sheet_y(&binary, r)[0] = sheet_row(&binary, r)[0] + 2 * sheet_row(&binary, r)[1] * sheet_row(&binary, r)[2];
  }
  const sheet *all[] = {&one, &twice, &binary, &wide_one};
  for (size_t i = 0; i < COUNT(all); i++)
    for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
      o.solver = (entropic_solver)solver;
      o.features = solver == ENTROPIC_SOLVER_EXACT ? 0 : 40;
      entropic_model *model = fit_sheet(context, all[i], ENTROPIC_TASK_REGRESSION, &o);
      assert_int_equal(ent_model_describe(model).inputs, all[i]->inputs);
      assert_true(error_on(context, model, all[i]) <= (i == 3 ? 1.5 : 0.35));
      entropic_model_free(model);
    }
  sheet_stop(&one);
  sheet_stop(&twice);
  sheet_stop(&binary);
  sheet_stop(&wide_one);
}

/* More features than rows: each solver finds the same. */
static void more_features_than_rows(void **state) {
  (void)state;
  sheet s = sheet_start(30, 3, 1, PLAIN, 16), others = sheet_start(20, 3, 1, PLAIN, 17);
  double *first = NULL;
  for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_ITERATIVE; solver++) {
    ent_fit_options o = fixed_options(1e-4, 300);
    o.solver = (entropic_solver)solver;
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    if (solver == ENTROPIC_SOLVER_AUTO)
      assert_int_equal(ent_model_describe(model).solver, ENTROPIC_SOLVER_DUAL);
    double *p = predict_sheet(context, model, &others);
    if (first != NULL)
      assert_true(largest_difference(p, first, 20) <= 1e-7);
    free(first);
    first = p;
    entropic_model_free(model);
  }
  free(first);
  sheet_stop(&s);
  sheet_stop(&others);
}

/* A category and a number with missing values; then rows with categories never seen. */
static void categories_and_gaps(void **state) {
  (void)state;
  static const double effects[] = {1, -2, 4, 0.5};
  sheet s = sheet_start(120, 2, 1, PLAIN, 18), odd = sheet_start(6, 2, 1, PLAIN, 19);
  s.categorical = "x1";
  for (size_t r = 0; r < s.rows; r++) {
    double *x = sheet_row(&s, r);
    x[0] = (double)(r % 4) + 10;
    x[2] = effects[r % 4] + x[1];
    if (r % 4 == 3)
      x[0] = NAN; /* missing is a category of its own: its effect can be learnt */
    if (r % 10 == 0)
      x[1] = NAN;
  }
  for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    ent_fit_options o = ent_fit_options_default();
    o.axis.max_level = 3;
    o.solver = (entropic_solver)solver;
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    entropic_input_info input;
    ASSERT_OK(context, ent_model_input(context, model, 0, &input));
    assert_int_equal(input.categories, 3);
    assert_true(input.missing);
    assert_string_equal(entropic_model_category(model, 0, 1), "11");
    /* Codes are those of the model. */
    static const double codes[] = {0, 1, 2, NAN, 3, 99};
    for (size_t r = 0; r < COUNT(codes); r++) {
      sheet_row(&odd, r)[0] = codes[r];
      sheet_row(&odd, r)[1] = 0.5;
    }
    double *p = predict_sheet(context, model, &odd), middle = 0;
    for (size_t k = 0; k < COUNT(effects); k++) {
      assert_close(p[k], effects[k] + 0.5, 0.3);
      middle += (effects[k] + 0.5) / 4;
    }
    assert_true(p[4] == p[5]); /* whatever was never seen is the same */
    assert_close(p[4], middle, 1);
    free(p);
    entropic_model_free(model);
  }
  sheet_stop(&s);
  sheet_stop(&odd);
}

/* Without an omega of its own: bridge alone has none to search for, categories beside it do. */
static void bridge_and_interior(void **state) {
  (void)state;
  sheet s = sheet_start(60, 2, 1, PLAIN, 20);
  for (int round = 0; round < 4; round++) {
    ent_fit_options o = ent_fit_options_default();
    o.axis.max_level = 3;
    o.axis.family = round < 3 ? ENTROPIC_FAMILY_BRIDGE : ENTROPIC_FAMILY_CENTRED;
    o.axis.basis = round == 3 ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL;
    s.categorical = round == 2 ? "x2" : NULL;
    o.solver = round == 1 ? ENTROPIC_SOLVER_EXACT : ENTROPIC_SOLVER_AUTO;
    if (round == 2)
      for (size_t r = 0; r < s.rows; r++)
        sheet_row(&s, r)[1] = floor(sheet_row(&s, r)[1] * 3);
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    double *p = predict_sheet(context, model, &s);
    assert_finite(p, s.rows);
    free(p);
    entropic_model_free(model);
  }
  sheet_stop(&s);
}

static double linear_p(double x, void *user) {
  (void)user;
  return 0.5 + x;
}

static double constant_q(double x, void *user) {
  (void)x, (void)user;
  return 1;
}

static void custom_kernels(void **state) {
  (void)state;
  sheet s = sheet_start(60, 2, 1, PLAIN, 21);
  for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_EXACT; solver += 4) {
    ent_fit_options o = ent_fit_options_default();
    o.axis.max_level = 3;
    o.axis.family = ENTROPIC_FAMILY_CUSTOM;
    o.axis.p = linear_p;
    o.axis.q = constant_q;
    o.solver = (entropic_solver)solver;
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    assert_true(error_on(context, model, &s) < 0.3);
    entropic_model_free(model);
  }
  sheet_stop(&s);
}

/* A custom kernel has no omega, but categories beside it have: theirs is searched for. */
static void categories_beside_a_custom_kernel(void **state) {
  (void)state;
  ent_fit_options o = ent_fit_options_default();
  o.axis.max_level = 2;
  o.axis.family = ENTROPIC_FAMILY_CUSTOM;
  o.axis.p = linear_p;
  o.axis.q = constant_q;
  o.features = 12;
  bool differs = false;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    sheet s = sheet_start(60, 2, 1, PLAIN, seed);
    s.categorical = "x2";
    for (size_t r = 0; r < s.rows; r++) {
      sheet_row(&s, r)[1] = (double)(r % 5);
      sheet_y(&s, r)[0] += seed % 2 == 0 ? 0 : 100.0 * (double)(r % 5 == 2);
    }
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    differs = differs || ent_kernel_axis(entropic_model_kernel(model), 1).omega != 1;
    entropic_model_free(model);
    sheet_stop(&s);
  }
  assert_true(differs);
}

/* The paper's choice draws anew for each number of features, yet what is searched for must fit what is kept. */
static void papers_choice_is_searched(void **state) {
  (void)state;
  sheet s = sheet_start(80, 2, 1, PLAIN, 22);
  ent_fit_options o = ent_fit_options_default();
  o.axis.basis = ENTROPIC_BASIS_INTERIOR;
  o.select = ENTROPIC_SELECT_PAPER;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
  assert_true(error_on(context, model, &s) < ent_model_describe(model).validation_error * 1.5);
  entropic_model_free(model);
  sheet_stop(&s);
}

/* A kernel whose product over the inputs is no finite number would predict NaN. */
static void exact_beyond_a_double(void **state) {
  (void)state;
  sheet s = sheet_start(20, 600, 1, PLAIN, 23);
  entropic_dataset *dataset = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  static const double omegas[] = {1, 10};
  for (size_t i = 0; i < COUNT(omegas); i++) {
    ent_fit_options o = fixed_options(1e-3, 0);
    o.solver = ENTROPIC_SOLVER_EXACT;
    o.omegas = &omegas[i];
    entropic_model *model = NULL;
    entropic_status status = ent_model_fit(context, dataset, NULL, &o, NULL, &model);
    assert_int_equal(status, i == 0 ? ENTROPIC_OK : ENTROPIC_TOO_LARGE);
    if (i == 0) {
      double *p = predict_sheet(context, model, &s);
      assert_finite(p, s.rows);
      free(p);
    } else {
      assert_non_null(strstr(entropic_context_message(context), "lower omega"));
      assert_null(model);
    }
    entropic_model_free(model);
  }
  entropic_dataset_free(dataset);
  sheet_stop(&s);
}

SUITE(model_fit_inputs) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(odd_inputs),
                                     cmocka_unit_test(more_features_than_rows),
                                     cmocka_unit_test(categories_and_gaps),
                                     cmocka_unit_test(bridge_and_interior),
                                     cmocka_unit_test(custom_kernels),
                                     cmocka_unit_test(categories_beside_a_custom_kernel),
                                     cmocka_unit_test(papers_choice_is_searched),
                                     cmocka_unit_test(exact_beyond_a_double)};
  return cmocka_run_group_tests_name("model_fit_inputs", tests, start_two_threads, stop);
}

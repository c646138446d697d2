/* Fits of numbers through the public interface: against dense algebra on lifted rows, and against each other. */
#include "unit/fitting.h"

#include "tune/folds.h"
#include "fit/outer.h"

#include "unit/fixture.h"

/* Lifts the ground as a model of these options must. */
static void lift_by_options(ground *g, const ent_fit_options *o) {
  entropic_axis_options axis = o->axis;
  axis.omega = o->omegas[0];
  entropic_kernel *kernel = make_kernel(&axis, 1, g->inputs);
  entropic_design_options design_options = ent_design_options_default();
  design_options.select = o->select == ENTROPIC_SELECT_PAPER ? ENTROPIC_SELECT_PAPER : ENTROPIC_SELECT_ENTROPY;
  design_options.criterion = o->criterion;
  design_options.features = o->features;
  design_options.nonzeros = o->nonzeros;
  design_options.max_order = o->max_order;
  design_options.seed = o->seed;
  if (o->criterion == ENTROPIC_CRITERION_DATA) {
    design_options.sample = g->x;
    design_options.sample_rows = g->rows;
  }
  entropic_design *design = make_design(kernel, &design_options);
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  ground_lift(g, lift);
  entropic_lift_free(lift);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

/* The model's predictions for other rows are those of dense algebra. */
static void check_against_algebra(const sheet *s, const sheet *others, const ent_fit_options *o) {
  ground g;
  ground_of_sheets(&g, s, others, o->scaling);
  lift_by_options(&g, o);
  entropic_model *model = fit_sheet(context, s, ENTROPIC_TASK_REGRESSION, o);
  entropic_model_info info = ent_model_describe(model);
  double *predictions = predict_sheet(context, model, others), *a = calloc(g.features, sizeof *a), offset;
  double tolerance = info.solver == ENTROPIC_SOLVER_ITERATIVE ? 1e-6 : 1e-9;
  size_t nonzeros = 0;
  assert_int_equal(info.features, g.features);
  assert_true(info.lambda == o->lambda && info.converged && info.rows == s->rows);
  for (size_t t = 0; t < s->targets; t++) {
    double mean = refit(&g, SIZE_MAX, g.features, t, o->lambda, a);
    const double *weights = entropic_model_weights(model, t, &offset);
    assert_close(offset, mean, 1e-12 * (1 + fabs(mean)));
    assert_true(largest_difference(weights, a, g.features) <= 1e3 * tolerance);
    for (size_t r = 0; r < others->rows; r++) {
      long double sum = (long double)mean;
      for (size_t i = 0; i < g.features; i++)
        sum += (long double)a[i] * (long double)g.z[(s->rows + r) * g.features + i];
      assert_close(predictions[r * s->targets + t], sum, tolerance * (1 + fabs((double)sum)));
    }
  }
  assert_null(entropic_model_weights(model, s->targets, &offset));
  for (size_t i = 0; i < s->rows * g.features; i++)
    nonzeros += g.z[i] != 0;
  assert_close(info.nonzeros, (double)nonzeros / (double)s->rows, 1e-9);
  free(predictions);
  free(a);
  entropic_model_free(model);
  ground_stop(&g);
}

static void predictions_equal_dense_algebra(void **state) {
  (void)state;
  for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_NONE; scaling++)
    for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_ITERATIVE; solver++) {
      sheet s = sheet_start(60, 3, 2, solver % 2 == 0 ? WITH_WEIGHTS : PLAIN, 1);
      sheet others = sheet_start(20, 3, 2, PLAIN, 2);
      ent_fit_options o = fixed_options(1e-3, solver == ENTROPIC_SOLVER_DUAL ? 80 : 25);
      o.solver = (entropic_solver)solver;
      o.scaling = (entropic_scaling)scaling;
      check_against_algebra(&s, &others, &o);
      sheet_stop(&s);
      sheet_stop(&others);
    }
}

/* Every other option that decides which features there are. */
static void features_are_as_asked_for(void **state) {
  (void)state;
  sheet s = sheet_start(60, 3, 1, WITH_WEIGHTS, 3), others = sheet_start(20, 3, 1, PLAIN, 4);
  ent_fit_options o = fixed_options(1e-3, 30);
  for (int family = ENTROPIC_FAMILY_CENTRED; family <= ENTROPIC_FAMILY_BRIDGE; family++) {
    o.axis.family = (entropic_family)family;
    check_against_algebra(&s, &others, &o);
    o.axis.basis = ENTROPIC_BASIS_INTERIOR;
    check_against_algebra(&s, &others, &o);
    o.axis.basis = ENTROPIC_BASIS_FULL;
  }
  o.axis = ent_axis_options_default();
  o.axis.smooth = 3;
  o.max_order = 1;
  check_against_algebra(&s, &others, &o);
  o.axis.max_level = 2;
  check_against_algebra(&s, &others, &o);
  o.axis = ent_axis_options_default();
  o.max_order = 0;
  o.criterion = ENTROPIC_CRITERION_DATA;
  check_against_algebra(&s, &others, &o);
  o.criterion = ENTROPIC_CRITERION_SUP;
  check_against_algebra(&s, &others, &o);
  o.axis.basis = ENTROPIC_BASIS_INTERIOR;
  o.select = ENTROPIC_SELECT_PAPER;
  o.seed = 9;
  check_against_algebra(&s, &others, &o);
  o.axis.basis = ENTROPIC_BASIS_FULL;
  o.select = ENTROPIC_SELECT_ENTROPY;
  o.criterion = ENTROPIC_CRITERION_L2;
  o.features = 0;
  o.nonzeros = 12;
  check_against_algebra(&s, &others, &o);
  sheet_stop(&s);
  sheet_stop(&others);
}

static void exact_equals_dense_kernel_ridge(void **state) {
  (void)state;
  for (int family = ENTROPIC_FAMILY_CENTRED; family <= ENTROPIC_FAMILY_LAPLACE; family++) {
    sheet s = sheet_start(60, 3, 2, WITH_WEIGHTS, 5), others = sheet_start(20, 3, 2, PLAIN, 6);
    ground g;
    ground_of_sheets(&g, &s, &others, ENTROPIC_SCALING_QUANTILE);
    ent_fit_options o = fixed_options(1e-3, 0);
    o.solver = ENTROPIC_SOLVER_EXACT;
    o.axis.family = (entropic_family)family;
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    const entropic_kernel *kernel = entropic_model_kernel(model);
    entropic_axis_options axis = o.axis;
    axis.omega = fixed_omega;
    entropic_kernel *expected = make_kernel(&axis, 1, 3);
    double *predictions = predict_sheet(context, model, &others);
    long double c[60], mean;
    assert_null(entropic_model_design(model));
    assert_int_equal(ent_model_describe(model).features, 60);
    assert_true(ent_kernel_axis(kernel, 2).omega == fixed_omega);
    for (size_t t = 0; t < 2; t++) {
      plain_kernel_ridge(&g, expected, t, 1e-3, c, &mean);
      for (size_t r = 0; r < others.rows; r++) {
        long double sum = mean;
        for (size_t i = 0; i < s.rows; i++)
          sum += c[i] * (long double)entropic_kernel_value(expected, g.x + i * 3, g.x + (s.rows + r) * 3);
        assert_close(predictions[r * 2 + t], sum, 1e-9);
      }
    }
    free(predictions);
    entropic_kernel_free(expected);
    entropic_model_free(model);
    ground_stop(&g);
    sheet_stop(&s);
    sheet_stop(&others);
  }
}

/* A row of weight 2 is the row twice. Nothing but weights may tell them apart, hence no scaling. */
static void a_weight_is_a_number_of_rows(void **state) {
  (void)state;
  for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    sheet weighted = sheet_start(50, 2, 1, WITH_WEIGHTS, 7), twice = sheet_start(75, 2, 1, WITH_WEIGHTS, 8);
    for (size_t r = 0; r < 75; r++) {
      if (r < 50)
        sheet_y(&weighted, r)[1] = r % 2 == 0 ? 2 : 1;
      memcpy(sheet_row(&twice, r), sheet_row(&weighted, r < 50 ? r : 2 * (r - 50)), twice.columns * sizeof(double));
      sheet_y(&twice, r)[1] = 1;
    }
    ent_fit_options o = fixed_options(1e-3, solver == ENTROPIC_SOLVER_EXACT ? 0 : 20);
    o.scaling = ENTROPIC_SCALING_NONE;
    o.solver = (entropic_solver)solver;
    entropic_model *one = fit_sheet(context, &weighted, ENTROPIC_TASK_REGRESSION, &o);
    entropic_model *two = fit_sheet(context, &twice, ENTROPIC_TASK_REGRESSION, &o);
    double *p = predict_sheet(context, one, &twice), *q = predict_sheet(context, two, &twice);
    assert_true(largest_difference(p, q, 75) <= (solver == ENTROPIC_SOLVER_ITERATIVE ? 1e-6 : 1e-9));
    free(p);
    free(q);
    entropic_model_free(one);
    entropic_model_free(two);
    sheet_stop(&weighted);
    sheet_stop(&twice);
  }
}

static void several_targets_equal_separate_fits(void **state) {
  (void)state;
  for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    sheet s = sheet_start(50, 2, 3, WITH_WEIGHTS, 9);
    for (size_t r = 0; r < s.rows; r++)
      sheet_y(&s, r)[2] *= 1e6;
    ent_fit_options o = fixed_options(1e-2, solver == ENTROPIC_SOLVER_EXACT ? 0 : 20);
    o.solver = (entropic_solver)solver;
    entropic_model *all = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    double error = ent_model_describe(all).validation_error, sum = 0;
    assert_int_equal(ent_model_describe(all).scores, 3);
    for (size_t t = 0; t < 3; t++) {
      sheet single = sheet_start(50, 2, 1, WITH_WEIGHTS, 9);
      for (size_t r = 0; r < s.rows; r++) {
        memcpy(sheet_row(&single, r), sheet_row(&s, r), 2 * sizeof(double));
        sheet_y(&single, r)[0] = sheet_y(&s, r)[t];
        sheet_y(&single, r)[1] = sheet_y(&s, r)[3];
      }
      entropic_model *model = fit_sheet(context, &single, ENTROPIC_TASK_REGRESSION, &o);
      size_t features = ent_model_describe(model).features;
      double offset, offset_of_all, unit = t == 2 ? 1e6 : 1;
      const double *a = entropic_model_weights(model, 0, &offset), *b = entropic_model_weights(all, t, &offset_of_all);
      assert_close(offset_of_all, offset, 1e-12 * unit);
      assert_true(largest_difference(a, b, features) <= 1e-6 * unit);
      sum += ent_model_describe(model).validation_error / 3;
      entropic_model_free(model);
      sheet_stop(&single);
    }
    if (solver != ENTROPIC_SOLVER_ITERATIVE) /* which does not validate where nothing is open */
      assert_close(error, sum, 2 * FIGURE_ERROR * sum);
    entropic_model_free(all);
    sheet_stop(&s);
  }
}

/* With validation rows: the error is that of the model itself on one half of them, and lambda is the best of the list on
 * the other half. */
static void valid_rows_choose(void **state) {
  (void)state;
  for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    sheet s = sheet_start(40, 2, 1, WITH_WEIGHTS, 10), others = sheet_start(30, 2, 1, WITH_WEIGHTS, 11);
    entropic_dataset *train = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
    entropic_dataset *valid = dataset_like(context, &others, train);
    ent_fit_options o = fixed_options(ENT_LAMBDA_AUTO, solver == ENTROPIC_SOLVER_EXACT ? 0 : 15);
    o.solver = (entropic_solver)solver;
    entropic_model *best = NULL;
    ASSERT_OK(context, ent_model_fit(context, train, valid, &o, NULL, &best));
    entropic_model_info info = ent_model_describe(best);
    assert_int_equal(info.validation, ENTROPIC_VALIDATION_ROWS);
    size_t part_of[30], parts = 2;
    ASSERT_OK(context, ent_outer_deal(context, valid, o.seed, part_of, &parts));
    assert_int_equal(info.validation_rows, 15);
    assert_int_equal(info.folds, 0);
    double least = INFINITY, chosen = INFINITY;
    for (int step = 0; step <= 18; step++) {
      o.lambda = pow(10, -step / 2.0);
      entropic_model *model = NULL;
      ASSERT_OK(context, ent_model_fit(context, train, NULL, &o, NULL, &model));
      double *p = predict_sheet(context, model, &others), sum[2] = {0}, weight[2] = {0};
      for (size_t r = 0; r < 30; r++) {
        double *y = sheet_y(&others, r);
        sum[part_of[r]] += y[1] * (y[0] - p[r]) * (y[0] - p[r]);
        weight[part_of[r]] += y[1];
      }
      double scored = sqrt(sum[0] / weight[0]), choosing = sqrt(sum[1] / weight[1]);
      least = fmin(least, choosing);
      if (fabs(o.lambda / info.lambda - 1) <= 1e-12) {
        chosen = choosing;
        assert_close(info.validation_error, scored, FIGURE_ERROR * scored);
      }
      free(p);
      entropic_model_free(model);
    }
    assert_true(chosen <= least * (1 + 1e-6));
    entropic_model_free(best);
    entropic_dataset_free(train);
    entropic_dataset_free(valid);
    sheet_stop(&s);
    sheet_stop(&others);
  }
}

/* By folds: the same as dealing and refitting by hand, also where groups must stay together. */
static void folds_validate(void **state) {
  (void)state;
  for (int with = 0; with <= (WITH_WEIGHTS | WITH_GROUPS); with++)
    for (int solver = ENTROPIC_SOLVER_DIRECT; solver <= ENTROPIC_SOLVER_DUAL; solver++) {
      sheet s = sheet_start(50, 2, 2, with, 12), none = {.columns = 1};
      ent_fit_options o = fixed_options(1e-2, 12);
      o.solver = (entropic_solver)solver;
      o.folds = 4;
      o.seed = 77;
      entropic_dataset *dataset = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
      ground g;
      ground_of_sheets(&g, &s, &none, o.scaling);
      lift_by_options(&g, &o);
      ent_fold_options split = {.rows = 50, .groups = dataset->groups};
      assert_true((dataset->groups != NULL) == ((with & WITH_GROUPS) != 0));
      g.folds = 4;
      ASSERT_OK(context, ent_folds_deal(context, &split, 77, g.fold_of, &g.folds));
      double errors[2];
      explicit_errors(&g, 4, g.features, 1e-2, errors);
      entropic_model *model = NULL;
      ASSERT_OK(context, ent_model_fit(context, dataset, NULL, &o, NULL, &model));
      entropic_model_info info = ent_model_describe(model);
      assert_int_equal(info.validation, ENTROPIC_VALIDATION_FOLDS);
      assert_int_equal(info.folds, 4);
      assert_int_equal(info.validation_rows, 50);
      assert_true(info.seed == 77);
      double expected = (sqrt(errors[0]) + sqrt(errors[1])) / 2;
      assert_close(info.validation_error, expected, FIGURE_ERROR * expected);
      assert_true(isnan(info.validation_loss));
      entropic_model_free(model);
      entropic_dataset_free(dataset);
      ground_stop(&g);
      sheet_stop(&s);
    }
}

static void theory_sets_lambda_and_features(void **state) {
  (void)state;
  static const size_t rows[] = {2, 16, 17, 81, 100}, features[] = {2, 2, 3, 3, 4};
  for (size_t i = 0; i < COUNT(rows); i++) {
    sheet s = sheet_start(rows[i], 2, 1, WITH_WEIGHTS, 13);
    ent_fit_options o = fixed_options(ENT_LAMBDA_THEORY, ENT_FEATURES_THEORY);
    entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    assert_close(ent_model_describe(model).lambda, 1 / sqrt((double)rows[i]), 1e-15);
    assert_int_equal(ent_model_describe(model).features, features[i]);
    entropic_model_free(model);
    sheet_stop(&s);
  }
}

/* One for each input; and a model keeps what it was given. */
static void omegas_of_each_input(void **state) {
  (void)state;
  static const double omegas[] = {0.5, 7, 30};
  sheet s = sheet_start(40, 3, 1, PLAIN, 14);
  ent_fit_options o = fixed_options(1e-3, 20);
  o.omegas = omegas;
  o.omega_count = 3;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
  for (size_t i = 0; i < COUNT(omegas); i++) {
    entropic_input_info input;
    assert_true(ent_kernel_axis(entropic_model_kernel(model), i).omega == omegas[i]);
    ASSERT_OK(context, ent_model_input(context, model, i, &input));
    assert_true(input.name[0] == 'x' && input.name[1] == (char)('1' + i) && input.categories == 0);
  }
  assert_string_equal(entropic_model_target(model, 0), "y1");
  assert_int_equal(entropic_design_features(entropic_model_design(model)), 20);
  entropic_model_free(model);
  sheet_stop(&s);
}

SUITE(model_fit) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(predictions_equal_dense_algebra),
                                     cmocka_unit_test(features_are_as_asked_for),
                                     cmocka_unit_test(exact_equals_dense_kernel_ridge),
                                     cmocka_unit_test(a_weight_is_a_number_of_rows),
                                     cmocka_unit_test(several_targets_equal_separate_fits),
                                     cmocka_unit_test(valid_rows_choose),
                                     cmocka_unit_test(folds_validate),
                                     cmocka_unit_test(theory_sets_lambda_and_features),
                                     cmocka_unit_test(omegas_of_each_input)};
  return cmocka_run_group_tests_name("model_fit", tests, start_two_threads, stop);
}

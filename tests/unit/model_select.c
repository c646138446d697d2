/* Fits with features from the data: models that can be saved and read back, the same bytes each time, at the edges. */
#include "unit/fitting.h"

#include "model/model.h"

#include "unit/fixture.h"

static void *folder; /* that of the group */

static int keep_folder(void **state) {
  int made = start_in_folder(state);
  folder = *state;
  return made;
}

/* A kernel of few levels keeps it short. */
static ent_fit_options selecting(size_t features, size_t ensemble) {
  ent_fit_options o = ent_fit_options_default();
  o.select = ENTROPIC_SELECT_RESIDUAL;
  o.axis.max_level = 2;
  o.features = features;
  o.ensemble = ensemble;
  return o;
}

/* The bytes of a model's file; to be freed. */
static char *bytes_of(const entropic_model *model, size_t *count) {
  const char *path = in_folder(&folder, "model");
  ASSERT_OK(context, entropic_model_save(context, model, path));
  return read_whole(path, count);
}

/* It predicts finite numbers, and the same ones when it has been saved and read back. */
static void check_model(const entropic_model *model, const sheet *s) {
  size_t count, again;
  char *bytes = bytes_of(model, &count);
  entropic_model *loaded = NULL;
  ASSERT_OK(context, entropic_model_load(context, in_folder(&folder, "model"), &loaded));
  entropic_model_info info = ent_model_describe(loaded);
  assert_int_equal(info.select, ENTROPIC_SELECT_RESIDUAL);
  char *same = bytes_of(loaded, &again);
  assert_int_equal(count, again);
  assert_memory_equal(bytes, same, count);
  if (info.classes == 0) {
    double *p = predict_sheet(context, model, s), *q = predict_sheet(context, loaded, s);
    assert_finite(p, s->rows * info.targets);
    assert_memory_equal(p, q, s->rows * info.targets * sizeof *p);
    assert_true(isfinite(info.validation_error));
    free(p);
    free(q);
  }
  free(bytes);
  free(same);
  entropic_model_free(loaded);
}

static entropic_model *check_fit(const sheet *s, entropic_task task, const ent_fit_options *o) {
  entropic_model *model = fit_sheet(context, s, task, o);
  check_model(model, s);
  return model;
}

static void check_and_free(const sheet *s, const ent_fit_options *o) {
  entropic_model_free(check_fit(s, ENTROPIC_TASK_REGRESSION, o));
}

/* ---- Which bytes ---- */

static void equal_fits_are_equal_bytes(void **state) {
  (void)state;
  static const int threads[] = {1, 2, 5, 2};
  for (int classes = 0; classes <= 3; classes += 3) {
    sheet s = sheet_start(120, 3, 1, WITH_WEIGHTS, 11);
    if (classes)
      sheet_classes(&s, 3);
    entropic_task task = classes ? ENTROPIC_TASK_CLASSIFICATION : ENTROPIC_TASK_REGRESSION;
    ent_fit_options o = selecting(60, 3);
    char *first = NULL;
    size_t first_count = 0;
    for (uint64_t i = 0; i < 5; i++) {
      o.seed = i < 4 ? 1 : 2;
      ASSERT_OK(context, entropic_context_set_threads(context, i < 4 ? threads[i] : 2));
      entropic_model *model = check_fit(&s, task, &o);
      size_t count;
      char *bytes = bytes_of(model, &count);
      bool same = first != NULL && count == first_count && memcmp(bytes, first, count) == 0;
      if (i == 0) {
        first = bytes;
        first_count = count;
      } else {
        assert_int_equal(same, i < 4); /* another seed, another model */
        free(bytes);
      }
      entropic_model_free(model);
    }
    free(first);
    sheet_stop(&s);
  }
}

static void as_many_as_asked_for(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 49, 50, 51, 130};
  sheet s = sheet_start(90, 3, 2, PLAIN, 12);
  for (size_t i = 0; i < COUNT(sizes); i += quick_tests() ? 3 : 1) {
    ent_fit_options o = selecting(sizes[i], 0);
    entropic_model *model = check_fit(&s, ENTROPIC_TASK_REGRESSION, &o);
    assert_int_equal(ent_model_describe(model).features, sizes[i]);
    entropic_model_free(model);
  }
  sheet_stop(&s);
}

static void what_select_means(void **state) {
  (void)state;
  sheet s = sheet_start(9, 2, 1, PLAIN, 13);
  ent_fit_options o = ent_fit_options_default();
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o); /* too few rows */
  assert_int_equal(ent_model_describe(model).select, ENTROPIC_SELECT_ENTROPY);
  entropic_model_free(model);
  entropic_dataset *dataset = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  o.select = ENTROPIC_SELECT_RESIDUAL;
  assert_int_equal(ent_model_fit(context, dataset, NULL, &o, NULL, &model), ENTROPIC_BAD_DATA);
  assert_message(context, "there are 9 rows, expected at least 10 to select features by");
  entropic_dataset_free(dataset);
  sheet_stop(&s);
  s = sheet_start(40, 2, 1, PLAIN, 13);
  o = ent_fit_options_default();
  o.axis.max_level = 2;
  for (int solver = ENTROPIC_SOLVER_AUTO; solver <= ENTROPIC_SOLVER_EXACT; solver++) {
    o.solver = (entropic_solver)solver;
    model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &o);
    assert_int_equal(ent_model_describe(model).select,
                     solver <= ENTROPIC_SOLVER_DIRECT ? ENTROPIC_SELECT_RESIDUAL : ENTROPIC_SELECT_ENTROPY);
    entropic_model_free(model);
  }
  sheet_stop(&s);
}

/* ---- Edges ---- */

static void few_rows_and_inputs(void **state) {
  (void)state;
  for (size_t rows = 10; rows <= 30; rows += quick_tests() ? 20 : 5)
    for (size_t inputs = 1; inputs <= 2; inputs++) {
      sheet s = sheet_start(rows, inputs, 1, WITH_WEIGHTS, rows);
      ent_fit_options o = selecting(0, 0);
      check_and_free(&s, &o);
      for (size_t r = 0; r < rows; r++)
        sheet_row(&s, r)[0] = (double)(r % 2); /* two values */
      check_and_free(&s, &o);
      for (size_t r = 0; r < rows; r++)
        sheet_row(&s, r)[0] = (double)(r % 4);
      s.categorical = "x1";
      check_and_free(&s, &o);
      sheet_stop(&s);
    }
}

/* An atom for missing values can have more of the kernel than the constant has. */
static void often_missing(void **state) {
  (void)state;
  for (size_t period = 2; period <= 20; period += 6)
    for (int kernel = 0; kernel < 2; kernel++) {
      sheet s = sheet_start(80, 2, 1, PLAIN, 3);
      for (size_t r = 0; r < s.rows; r++)
        if (r % period != 0)
          sheet_row(&s, r)[0] = NAN;
      ent_fit_options o = selecting(0, 0);
      o.axis.family = kernel == 0 ? ENTROPIC_FAMILY_CENTRED : ENTROPIC_FAMILY_SOBOLEV;
      check_and_free(&s, &o);
      sheet_stop(&s);
    }
}

static void extreme_targets_and_weights(void **state) {
  (void)state;
  static const double sizes[] = {1e300, 1e-300, 1e-60, 1e60};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    sheet s = sheet_start(40, 2, 2, WITH_WEIGHTS, 8);
    ent_fit_options o = selecting(30, 2);
    for (size_t r = 0; r < s.rows; r++)
      sheet_y(&s, r)[1] *= sizes[i];
    check_and_free(&s, &o);
    for (size_t r = 0; r < s.rows; r++)
      sheet_y(&s, r)[2] *= sizes[i];
    check_and_free(&s, &o);
    sheet_y(&s, 3)[2] *= 1e200; /* one row has all the weight */
    if (sizes[i] < 1e100)
      check_and_free(&s, &o);
    sheet_stop(&s);
  }
}

static void other_edges(void **state) {
  (void)state;
  static const double lambdas[] = {0, 1e-300, 1e300, ENT_LAMBDA_THEORY};
  sheet s = sheet_start(40, 2, 1, PLAIN, 9);
  for (size_t i = 0; i < COUNT(lambdas); i++) {
    ent_fit_options o = selecting(i == 0 ? 10 : 0, 0);
    o.lambda = lambdas[i];
    o.omegas = &fixed_omega;
    o.omega_count = 1;
    check_and_free(&s, &o);
  }
  ent_fit_options o = selecting(0, 0);
  o.max_order = 1;
  check_and_free(&s, &o);
  o.axis.max_level = 0;
  check_and_free(&s, &o);
  o = selecting(3000, 0); /* more than there are */
  check_and_free(&s, &o);
  o = selecting(ENT_FEATURES_THEORY, 100);
  o.folds = 40;
  check_and_free(&s, &o);
  for (size_t r = 0; r < s.rows; r++)
    sheet_row(&s, r)[1] = sheet_row(&s, r)[0];
  check_and_free(&s, &o);
  for (size_t r = 0; r < s.rows; r++)
    sheet_y(&s, r)[0] = 3;
  check_and_free(&s, &o);
  sheet_stop(&s);
}

static void classes_of_all_sizes(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 5; classes += quick_tests() ? 2 : 1)
    for (int loss = ENTROPIC_LOSS_AUTO; loss <= ENTROPIC_LOSS_LOGISTIC; loss++) {
      sheet s = sheet_start(60, 2, 1, PLAIN, 14);
      sheet_classes(&s, classes);
      ent_fit_options o = selecting(20, 0);
      o.loss = (entropic_loss)loss;
      entropic_model_free(check_fit(&s, ENTROPIC_TASK_CLASSIFICATION, &o));
      for (size_t r = 0; r < s.rows; r++) /* all but one class have one row */
        sheet_y(&s, r)[0] = r + 1 < classes ? (double)r + 1 : 0;
      entropic_model_free(check_fit(&s, ENTROPIC_TASK_CLASSIFICATION, &o));
      sheet_stop(&s);
    }
}

/* Validation rows given: few training rows, few validation rows. */
static void rows_of_their_own(void **state) {
  (void)state;
  sheet s = sheet_start(4, 2, 1, PLAIN, 15), others = sheet_start(1, 2, 1, PLAIN, 16);
  entropic_dataset *train = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  entropic_dataset *valid = dataset_like(context, &others, train);
  ent_fit_options o = selecting(0, 3);
  entropic_model *model = NULL;
  ASSERT_OK(context, ent_model_fit(context, train, valid, &o, NULL, &model));
  check_model(model, &s);
  assert_int_equal(ent_model_describe(model).validation, ENTROPIC_VALIDATION_ROWS);
  entropic_model_free(model);
  entropic_dataset_free(train);
  entropic_dataset_free(valid);
  sheet_stop(&s);
  sheet_stop(&others);
}

/* What is reported of each target is its own error: one that can be learnt, one that cannot. */
static void errors_of_each_target(void **state) {
  (void)state;
  sheet s = sheet_start(200, 2, 2, PLAIN, 17);
  entropic_random random = entropic_random_start(3, 3);
  for (size_t r = 0; r < s.rows; r++) {
    sheet_y(&s, r)[0] = sheet_row(&s, r)[0];
    sheet_y(&s, r)[1] = entropic_random_normal(&random);
  }
  ent_fit_options o = selecting(30, 0);
  entropic_model *model = check_fit(&s, ENTROPIC_TASK_REGRESSION, &o);
  double *p = predict_sheet(context, model, &s), sums[2] = {0};
  for (size_t i = 0; i < 2 * s.rows; i++)
    sums[i % 2] += pow(p[i] - sheet_y(&s, i / 2)[i % 2], 2) / (double)s.rows;
  assert_true(sums[0] < 0.01 && sums[1] > 0.1);
  double class_validation = ent_model_describe(model).validation_error; /* of both */
  assert_true(class_validation > 0.4 && class_validation < 1.2);
  free(p);
  entropic_model_free(model);
  sheet_stop(&s);
}

SUITE(model_select) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_fits_are_equal_bytes),
      cmocka_unit_test(as_many_as_asked_for),
      cmocka_unit_test(what_select_means),
      cmocka_unit_test(few_rows_and_inputs),
      cmocka_unit_test(often_missing),
      cmocka_unit_test(extreme_targets_and_weights),
      cmocka_unit_test(other_edges),
      cmocka_unit_test(classes_of_all_sizes),
      cmocka_unit_test(rows_of_their_own),
      cmocka_unit_test(errors_of_each_target),
  };
  return cmocka_run_group_tests_name("model_select", tests, keep_folder, stop_in_folder);
}

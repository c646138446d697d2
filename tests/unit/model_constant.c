/* Models of no features: made from an outcome, saved, loaded, and asked for what every model is. */
#include "unit/fitting.h"

#include "fit/fit.h"

#include "unit/fixture.h"

enum { ROWS = 90, INPUTS = 3 };

/* What a fit makes that finds no feature worth having. */
static entropic_model *make_constant(const entropic_dataset *data, entropic_class_weight weight) {
  ent_fit fit;
  ent_fit_outcome outcome = {.report.members = 1};
  ent_class_validation class_validation = {.inverse_temperature = 1, .error = 0.5, .loss = 0.7};
  ent_fit_options options = ent_fit_options_default();
  entropic_model *model = ent_new(context, 1, sizeof *model);
  options.class_weight = weight;
  bool classes = data->schema.classes > 0;
  ASSERT_OK(context, ent_fit_prepare(context, data, NULL, &options, &fit));
  ASSERT_OK(context, ent_fit_constant(context, &fit, &outcome));
  ASSERT_OK(context, ent_fit_assemble(context, &fit, &outcome, &class_validation,
                                      classes ? ENTROPIC_LOSS_LOGISTIC : ENTROPIC_LOSS_SQUARED, NULL, model));
  ent_lifting_clear(&outcome.lifting);
  ent_learnt_clear(&outcome.learnt);
  ent_fit_clear(&fit);
  return model;
}

/* A number with missing values and a category, too. */
static sheet draw(size_t targets, int with) {
  sheet s = sheet_start(ROWS, INPUTS, targets, with, 4);
  s.categorical = "x2";
  for (size_t r = 0; r < ROWS; r++) {
    sheet_row(&s, r)[1] = (double)(r % 4);
    sheet_row(&s, r)[2] = r % 9 == 5 ? NAN : sheet_row(&s, r)[2];
  }
  return s;
}

static void check_info(const entropic_model *model) {
  entropic_model_info info = ent_model_describe(model);
  assert_int_equal(info.features, 0);
  assert_int_equal(info.inputs, INPUTS);
  assert_int_equal(info.inputs_used, 0);
  assert_true(info.nonzeros == 0);
  assert_int_equal(entropic_design_groups(entropic_model_design(model)), 0);
  for (size_t i = 0; i < INPUTS; i++) {
    entropic_input_info input;
    ASSERT_OK(context, ent_model_input(context, model, i, &input));
    assert_int_equal(input.used, 0);
    assert_int_equal(input.categories, 0);
    assert_int_equal(input.category, i == 1);
    assert_int_equal(input.missing, i == 2);
  }
  double lower, upper;
  assert_int_equal(entropic_model_range(model, 0, &lower, &upper), 0);
}

/* The model as it comes back from a file, twice the same bytes. */
static entropic_model *through_file(void **state, entropic_model *model) {
  size_t first, second;
  entropic_model *loaded = NULL;
  ASSERT_OK(context, entropic_model_save(context, model, in_folder(state, "once")));
  ASSERT_OK(context, entropic_model_load(context, in_folder(state, "once"), &loaded));
  ASSERT_OK(context, entropic_model_save(context, loaded, in_folder(state, "twice")));
  char *a = read_whole(in_folder(state, "once"), &first), *b = read_whole(in_folder(state, "twice"), &second);
  assert_int_equal(first, second);
  assert_memory_equal(a, b, first);
  assert_int_equal(a[8], 4);
  free(a);
  free(b);
  entropic_model_free(model);
  return loaded;
}

static double weight_of(const sheet *s, size_t row) {
  return s->weighted ? sheet_row(s, row)[s->inputs + s->targets] : 1;
}

static void numbers(void **state) {
  for (int with = PLAIN; with <= WITH_WEIGHTS; with++) {
    sheet s = draw(2, with);
    for (size_t r = 0; r < ROWS; r++)
      sheet_y(&s, r)[1] *= 1e6;
    entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
    entropic_model *model = make_constant(data, ENTROPIC_CLASS_WEIGHT_NONE);
    check_info(model);
    model = through_file(state, model);
    check_info(model);
    const double x[2 * INPUTS] = {NAN, INFINITY, -7.5, 1e300, -3, NAN};
    double mean[2] = {0, 0}, weight = 0, out[4];
    for (size_t r = 0; r < ROWS; r++) {
      weight += weight_of(&s, r);
      for (size_t t = 0; t < 2; t++)
        mean[t] += weight_of(&s, r) * sheet_y(&s, r)[t];
    }
    ASSERT_OK(context, entropic_model_predict(context, model, x, 2, INPUTS, out));
    for (size_t i = 0; i < 4; i++)
      assert_true(fabs(out[i] - mean[i % 2] / weight) <= 1e-12 * fabs(out[i]));
    entropic_data_warnings odd = {0};
    ent_model_count_data_warnings(model, x, 2, INPUTS, &odd);
    assert_int_equal(odd.outside + odd.unseen + odd.missing + ent_model_clamp(model, out, 2), 0);
    entropic_model_free(model);
    entropic_dataset_free(data);
    sheet_stop(&s);
  }
}

static void classes(void **state) {
  for (size_t count = 2; count <= 4; count++)
    for (int with = PLAIN; with <= WITH_WEIGHTS; with++) {
      sheet s = draw(1, with);
      sheet_classes(&s, count);
      entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_CLASSIFICATION);
      entropic_model *model = through_file(state, make_constant(data, ENTROPIC_CLASS_WEIGHT_NONE));
      check_info(model);
      double share[4] = {0, 0, 0, 0}, weight = 0, chances[4], class, x[INPUTS] = {0.5, 9, NAN};
      for (size_t r = 0; r < ROWS; r++) {
        share[(size_t)sheet_y(&s, r)[0]] += weight_of(&s, r);
        weight += weight_of(&s, r);
      }
      ASSERT_OK(context, entropic_model_probabilities(context, model, x, 1, INPUTS, chances));
      ASSERT_OK(context, entropic_model_predict(context, model, x, 1, INPUTS, &class));
      for (size_t k = 0; k < count; k++) {
        assert_true(fabs(chances[k] - share[k] / weight) <= 1e-12);
        assert_true(chances[k] <= chances[(size_t) class]);
      }
      entropic_model_free(model);
      entropic_dataset_free(data);
      sheet_stop(&s);
    }
}

/* Rows of a file that has the target alone are scored. */
static void scores(void **state) {
  sheet s = draw(1, PLAIN);
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  entropic_model *model = make_constant(data, ENTROPIC_CLASS_WEIGHT_NONE);
  double offset;
  assert_non_null(entropic_model_weights(model, 0, &offset));
  char text[64];
  int length = snprintf(text, sizeof text, "other,y1\na,%.17g\nb,%.17g\n", offset - 1, offset + 1);
  const char *path = in_folder(state, "rows.csv");
  write_file(path, text, (size_t)length);
  entropic_row_reader *reader = NULL;
  ent_score_figures found = {0};
  ASSERT_OK(context, ent_row_reader_open(context, model, path, NULL, 1, &reader));
  ASSERT_OK(context, model_score(context, model, reader, NULL, &found));
  assert_int_equal(found.rows, 2);
  assert_true(fabs(found.rmse - 1) <= 1e-12 && fabs(found.r2) <= 1e-12);
  entropic_row_reader_free(reader);
  entropic_model_free(model);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

/* All balanced classes are as likely as each other; the one with the most rows is called, whichever it is. */
static void balanced_classes(void **state) {
  (void)state;
  for (size_t count = 2; count <= 4; count++)
    for (size_t most = 0; most < count; most++) {
      sheet s = draw(1, PLAIN);
      for (size_t r = 0; r < ROWS; r++)
        sheet_y(&s, r)[0] = r % 3 == 0 ? (double)(r / 3 % count) : (double)most;
      entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_CLASSIFICATION);
      entropic_model *model = make_constant(data, ENTROPIC_CLASS_WEIGHT_BALANCED);
      double chances[4], class, x[INPUTS] = {0.5, 9, NAN};
      ASSERT_OK(context, entropic_model_probabilities(context, model, x, 1, INPUTS, chances));
      ASSERT_OK(context, entropic_model_predict(context, model, x, 1, INPUTS, &class));
      assert_int_equal((size_t) class, most);
      for (size_t k = 0; k < count; k++)
        assert_true(fabs(chances[k] - 1 / (double)count) <= 1e-8);
      entropic_model_free(model);
      entropic_dataset_free(data);
      sheet_stop(&s);
    }
}

SUITE(model_constant) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(classes),
                                     cmocka_unit_test(balanced_classes), cmocka_unit_test(scores)};
  return cmocka_run_group_tests_name("model_constant", tests, start_in_folder, stop_in_folder);
}

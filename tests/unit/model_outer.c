/* Outer validation against refits, and that scored rows took no part in the fit they score. */
#include "unit/fitting.h"

#include "fit/outer.h"

#include "unit/beyond.h"
#include "unit/fixture.h"

enum { PARTS = 5, LARGE = 5200 };

/* Numbers of a small table of outer validation rows, drawn at random. */
enum { SCORED = 37, TARGETS = 2 };
typedef struct scored {
  double weights[SCORED], losses[ENT_FORMS][SCORED], errors[ENT_FORMS][SCORED * TARGETS];
  ent_outer outer;
} scored;

/* Each group is one row, many times over: `+-` is that of the rows without their copies. */
static void copies_in_groups_tell_nothing(void **state) {
  (void)state;
  enum { ROWS = 60, COPIES = 4 };
  sheet s = sheet_start(ROWS * COPIES, 2, 1, WITH_GROUPS, 1);
  for (size_t r = 0; r < s.rows; r++) {
    memcpy(sheet_row(&s, r), sheet_row(&s, r % ROWS), s.columns * sizeof(double));
    sheet_row(&s, r)[s.columns - 1] = (double)(r % ROWS);
  }
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options options = ent_fit_options_default();
  ent_fit fit;
  ent_fitted fitted;
  ASSERT_OK(context, ent_fit_prepare(context, data, NULL, &options, &fit));
  ASSERT_OK(context, ent_outer_fit(context, &fit, &fitted));
  ent_outer *outer = &fitted.outer;
  assert_int_equal(outer->rows, s.rows);
  double sum = 0, square = 0;
  for (size_t r = 0; r < outer->rows; r++) {
    sum += outer->errors[ENT_FORM_CONSTANT][r] / (double)outer->rows;
    square += outer->errors[ENT_FORM_CONSTANT][r] * outer->errors[ENT_FORM_CONSTANT][r] / (double)outer->rows;
  }
  double shared = (double)outer->rows / outer->mean_training_rows,
         variance = (square - sum * sum) / (ROWS - 1) * (1 + shared);
  double expected = ldexp(sqrt(variance / sum) / 2, fit.unit[0]);
  assert_close(ent_outer_figures(&fit, outer, ENT_FORM_CONSTANT).spread / expected, 1, 1e-9);
  memset(outer->group_of, 0, outer->rows * sizeof *outer->group_of);
  assert_true(isnan(ent_outer_figures(&fit, outer, ENT_FORM_CONSTANT).spread)); /* a single group */
  ent_fitted_clear(&fitted);
  ent_fit_clear(&fit);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

/* Lambda alone is chosen, and scaling knows nothing of the rows: a fit of fewer rows is one of these alone. */
static ent_fit_options open_lambda(void) {
  ent_fit_options options = fixed_options(ENT_LAMBDA_AUTO, 12);
  options.scaling = ENTROPIC_SCALING_NONE;
  return options;
}

/* The rows of a sheet that are in a part, or are not. */
static sheet rows_of_part(const sheet *s, const size_t *part_of, size_t part, bool inside) {
  sheet some = *s;
  some.values = calloc(s->rows * s->columns, sizeof *some.values);
  some.rows = 0;
  for (size_t r = 0; r < s->rows; r++)
    if ((part_of[r] == part) == inside)
      memcpy(sheet_row(&some, some.rows++), sheet_row(s, r), s->columns * sizeof *some.values);
  return some;
}

/* Adds the weights and the weighted squares of what a model gets wrong. */
static void add_squares(const entropic_model *model, const sheet *s, double *weight, double *squares) {
  double *p = predict_sheet(context, model, s);
  for (size_t r = 0; r < s->rows; r++) {
    double w = s->weighted ? sheet_y(s, r)[s->targets] : 1;
    *weight += w;
    for (size_t k = 0; k < s->targets; k++)
      squares[k] += w * pow(p[r * s->targets + k] - sheet_y(s, r)[k], 2);
  }
  free(p);
}

/* How wrong the mean of these rows is for the others. */
static void add_squares_of_mean(const sheet *in, const sheet *out, double *squares) {
  for (size_t k = 0; k < in->targets; k++) {
    double sum = 0, weight = 0;
    for (size_t r = 0; r < in->rows; r++) {
      double w = in->weighted ? sheet_y(in, r)[in->targets] : 1;
      sum += w * sheet_y(in, r)[k];
      weight += w;
    }
    for (size_t r = 0; r < out->rows; r++)
      squares[k] += (out->weighted ? sheet_y(out, r)[out->targets] : 1) * pow(sheet_y(out, r)[k] - sum / weight, 2);
  }
}

/* The validation error of a small table is that of five fits without a fifth each. The second of two targets goes with the
 * first: how much each counts in the choice is by the variances of all rows. */
static void small_tables_equal_refits(void **state) {
  (void)state;
  for (size_t targets = 1; targets <= 2; targets++)
    for (int with = PLAIN; with <= WITH_WEIGHTS; with++) {
      sheet s = sheet_start(120, 2, targets, with, 5);
      for (size_t r = 0; r < s.rows && targets == 2; r++)
        sheet_y(&s, r)[1] = 3 - 8 * sheet_y(&s, r)[0];
      ent_fit_options options = open_lambda();
      entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
      size_t part_of[120], parts = PARTS;
      double weight = 0, squares[2] = {0, 0}, of_mean[2] = {0, 0}, error = 0, mean_error = 0;
      ASSERT_OK(context, ent_outer_deal(context, data, options.seed, part_of, &parts));
      for (size_t part = 0; part < PARTS; part++) {
        sheet in = rows_of_part(&s, part_of, part, false), out = rows_of_part(&s, part_of, part, true);
        entropic_model *model = fit_sheet(context, &in, ENTROPIC_TASK_REGRESSION, &options);
        add_squares(model, &out, &weight, squares);
        add_squares_of_mean(&in, &out, of_mean);
        entropic_model_free(model);
        sheet_stop(&in);
        sheet_stop(&out);
      }
      for (size_t k = 0; k < targets; k++) {
        error += sqrt(squares[k] / weight) / (double)targets;
        mean_error += sqrt(of_mean[k] / weight) / (double)targets;
      }
      ent_fit_report report;
      entropic_model *model = NULL;
      ASSERT_OK(context, ent_model_fit(context, data, NULL, &options, &report, &model));
      entropic_model_info info = ent_model_describe(model);
      assert_int_equal(info.validation, ENTROPIC_VALIDATION_FOLDS);
      assert_int_equal(info.validation_rows, s.rows);
      assert_int_equal(info.folds, PARTS);
      assert_close(info.validation_error, error, FIGURE_ERROR * error);
      assert_close(report.mean_error, mean_error, 1e-9);
      entropic_model_free(model);
      entropic_dataset_free(data);
      sheet_stop(&s);
    }
}

/* The model of a large table has the weights of a fit of all rows with the lambda that was found. */
static void large_tables_learn_from_all_rows(void **state) {
  (void)state;
  sheet s = sheet_start(LARGE, 2, 1, PLAIN, 6), few = s;
  ent_fit_options options = open_lambda();
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  entropic_model_info info = ent_model_describe(model);
  assert_int_equal(info.validation, ENTROPIC_VALIDATION_PART);
  assert_int_equal(info.validation_rows, LARGE / 20);
  assert_int_equal(info.rows, LARGE);
  options.lambda = info.lambda;
  entropic_model *again = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  few.rows = 100;
  double *p = predict_sheet(context, model, &few), *q = predict_sheet(context, again, &few);
  for (size_t r = 0; r < few.rows; r++)
    assert_close(p[r], q[r], 1e-10);
  free(p);
  free(q);
  entropic_model_free(again);
  entropic_model_free(model);
  sheet_stop(&s);
}

/* The same of features chosen from the data: the weights solve the equations of all rows, not of nineteen twentieths. */
static void selected_features_learn_from_all_rows(void **state) {
  (void)state;
  sheet s = sheet_start(LARGE, 2, 1, PLAIN, 7), none = s;
  none.rows = 0;
  ent_fit_options options = ent_fit_options_default();
  options.ensemble = 1;
  options.features = 15;
  options.target_scale = ENTROPIC_TARGET_SCALE_PLAIN;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  entropic_model_info info = ent_model_describe(model);
  assert_int_equal(info.validation_rows, LARGE / 20);
  ground g;
  double offset, worst = 0;
  const double *weights = entropic_model_weights(model, 0, &offset);
  ground_of_sheets(&g, &s, &none, info.scaling);
  ground_lift(&g, model->main.lift);
  assert_int_equal(g.features, info.features);
  double *rest = calloc(g.rows, sizeof *rest), mean = 0;
  for (size_t r = 0; r < g.rows; r++) {
    mean += g.y[r] / (double)g.rows;
    rest[r] = g.y[r] - offset;
    for (size_t i = 0; i < g.features; i++)
      rest[r] -= weights[i] * g.z[r * g.features + i];
  }
  assert_close(offset, mean, 1e-12);
  for (size_t i = 0; i < g.features; i++) { /* the gradient */
    double slope = -info.lambda * weights[i];
    for (size_t r = 0; r < g.rows; r++)
      slope += g.z[r * g.features + i] * rest[r] / (double)g.rows;
    worst = larger(worst, fabs(slope));
  }
  assert_close(worst, 0, 1e-9);
  free(rest);
  ground_stop(&g);
  entropic_model_free(model);
  sheet_stop(&s);
}

/* The figure is that of the model on the half of the validation rows that scores. */
static void validation_rows_are_halved(void **state) {
  (void)state;
  sheet s = sheet_start(150, 2, 1, PLAIN, 8), v = sheet_start(81, 2, 1, WITH_WEIGHTS, 9);
  s.values = realloc(s.values, s.rows * v.columns * sizeof *s.values);
  for (size_t r = s.rows; r-- > 0;) { /* a column of weights for both */
    memmove(s.values + r * v.columns, s.values + r * s.columns, s.columns * sizeof *s.values);
    s.values[r * v.columns + s.columns] = 1;
  }
  s.columns = v.columns;
  s.weighted = true;
  ent_fit_options options = open_lambda();
  entropic_dataset *train = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION),
                   *valid = dataset_like(context, &v, train);
  entropic_model *model = NULL;
  size_t part_of[81], parts = 2;
  double weight = 0, squares = 0;
  ASSERT_OK(context, ent_outer_deal(context, valid, options.seed, part_of, &parts));
  sheet out = rows_of_part(&v, part_of, 0, true);
  ASSERT_OK(context, ent_model_fit(context, train, valid, &options, NULL, &model));
  add_squares(model, &out, &weight, &squares);
  entropic_model_info info = ent_model_describe(model);
  assert_int_equal(info.validation, ENTROPIC_VALIDATION_ROWS);
  assert_in_range(info.validation_rows, 40, 41);
  assert_int_equal(info.validation_rows, out.rows);
  assert_close(info.validation_error, sqrt(squares / weight), FIGURE_ERROR * sqrt(squares / weight));
  entropic_model_free(model);
  entropic_dataset_free(valid);
  entropic_dataset_free(train);
  sheet_stop(&out);
  sheet_stop(&s);
  sheet_stop(&v);
}

/* Runs a fit and keeps what is known of the scored rows: predictions of numbers in the units of the target, or errors of
 * classes. */
static void score_all(const entropic_dataset *train, const entropic_dataset *valid, const ent_fit_options *options,
                      ent_fitted *fitted, double *errors[ENT_FORMS]) {
  ent_fit fit;
  ASSERT_OK(context, ent_fit_prepare(context, train, valid, options, &fit));
  assert_true(ent_outer_needed(&fit));
  ASSERT_OK(context, ent_outer_fit(context, &fit, fitted));
  for (size_t f = 0; f < ENT_FORMS; f++) {
    errors[f] = calloc(fitted->outer.rows, sizeof *errors[f]);
    for (size_t r = 0; r < fitted->outer.rows; r++)
      errors[f][r] =
          train->schema.classes > 0 ? fitted->outer.errors[f][r] : ldexp(fitted->outer.predictions[f][r], fit.unit[0]);
  }
  ent_fit_clear(&fit);
}

/* A target of the first part as it is planted: far away, each elsewhere. */
static double planted(size_t row) {
  return (row % 2 == 0 ? 1 : -1) * 1e4 * (1 + (double)row / 1000);
}

/* With huge values added to the targets of the first part, what is predicted there stays the same. */
static void plant_numbers(const sheet *s, const sheet *v, const ent_fit_options *options) {
  entropic_dataset *train = dataset_of(context, s, ENTROPIC_TASK_REGRESSION);
  entropic_dataset *valid = v == NULL ? NULL : dataset_like(context, v, train),
                   *scored_rows = v == NULL ? train : valid;
  size_t *part_of = calloc(scored_rows->rows, sizeof *part_of), count = 0;
  size_t parts = v != NULL ? 2 : scored_rows->rows > 5000 ? 20 : PARTS;
  double *before[ENT_FORMS], *after[ENT_FORMS];
  ent_fitted first, second;
  ASSERT_OK(context, ent_outer_deal(context, scored_rows, options->seed, part_of, &parts));
  score_all(train, valid, options, &first, before);
  for (size_t r = 0; r < scored_rows->rows; r++)
    scored_rows->y[r] += part_of[r] == 0 ? planted(r) : 0;
  score_all(train, valid, options, &second, after);
  assert_true(first.outer.linear);
  for (size_t r = 0; r < scored_rows->rows; r++) { /* rows of the first part come first, in their order */
    for (size_t f = 0; f < ENT_FORM_STACK && part_of[r] == 0; f++) /* weights of a stack have seen other parts */
      if (!is_beyond(&first.outer, f, count))
        assert_close(after[f][count], before[f][count], 1e-7);
    count += part_of[r] == 0;
  }
  assert_true(count > 0 && count < scored_rows->rows);
  for (size_t f = 0; f < ENT_FORMS; f++) {
    free(before[f]);
    free(after[f]);
  }
  ent_fitted_clear(&first);
  ent_fitted_clear(&second);
  free(part_of);
  entropic_dataset_free(train);
  entropic_dataset_free(valid);
}

static void scored_rows_take_no_part(void **state) {
  (void)state;
  ent_fit_options chosen = ent_fit_options_default(), cheap = open_lambda();
  sheet small = sheet_start(60, 2, 1, PLAIN, 10), large = sheet_start(LARGE, 2, 1, PLAIN, 11);
  sheet others = sheet_start(50, 2, 1, PLAIN, 12);
  plant_numbers(&small, NULL, &chosen);
  plant_numbers(&small, NULL, &cheap);
  plant_numbers(&large, NULL, &cheap);
  plant_numbers(&small, &others, &chosen);
  plant_numbers(&small, &others, &cheap);
  if (getenv("ENTROPIC_TEST_QUICK") == NULL)
    plant_numbers(&large, NULL, &chosen);
  sheet_stop(&small);
  sheet_stop(&large);
  sheet_stop(&others);
}

/* With the classes of the first part exchanged, wrong becomes right there and probabilities add up to 1. Groups: otherwise
 * the classes decide into which part a row goes. */
static void scored_classes_take_no_part(void **state) {
  (void)state;
  sheet s = sheet_start(80, 2, 1, WITH_GROUPS, 13);
  sheet_classes(&s, 2);
  ent_fit_options options = ent_fit_options_default();
  entropic_dataset *train = dataset_of(context, &s, ENTROPIC_TASK_CLASSIFICATION);
  size_t part_of[80], parts = PARTS, count = 0;
  double *before[ENT_FORMS], *after[ENT_FORMS];
  ent_fitted first, second;
  ASSERT_OK(context, ent_outer_deal(context, train, options.seed, part_of, &parts));
  score_all(train, NULL, &options, &first, before);
  for (size_t r = 0; r < s.rows; r++)
    if (part_of[r] == 0) {
      train->y[r] = 1 - train->y[r];
      count++;
    }
  score_all(train, NULL, &options, &second, after);
  assert_true(count > 0);
  for (size_t f = 0; f < ENT_FORM_STACK; f++) {
    size_t compared = 0;
    for (size_t r = 0; r < count; r++) {
      if (is_beyond(&first.outer, f, r))
        continue;
      compared++;
      assert_close(exp(-first.outer.losses[f][r]) + exp(-second.outer.losses[f][r]), 1, 1e-9);
      assert_true(before[f][r] + after[f][r] == 1);
    }
    assert_true(compared > count / 2);
    free(before[f]);
    free(after[f]);
  }
  ent_fitted_clear(&first);
  ent_fitted_clear(&second);
  entropic_dataset_free(train);
  sheet_stop(&s);
}

/* Figures are not needed of rows that nothing was chosen with. */
static void needed_where_something_is_chosen(void **state) {
  (void)state;
  sheet s = sheet_start(40, 2, 1, PLAIN, 1);
  for (int classes = 0; classes < 2; classes++) {
    if (classes)
      sheet_classes(&s, 2);
    entropic_dataset *data = dataset_of(context, &s, classes ? ENTROPIC_TASK_CLASSIFICATION : ENTROPIC_TASK_REGRESSION);
    for (int open = 0; open < 5; open++) {
      ent_fit_options options = fixed_options(1e-3, 12);
      options.loss = classes && open != 4 ? ENTROPIC_LOSS_LOGISTIC : ENTROPIC_LOSS_AUTO;
      options.lambda = open == 1 ? ENT_LAMBDA_AUTO : options.lambda;
      options.omega_count = open == 2 ? 0 : options.omega_count;
      options.select = open == 3 ? ENTROPIC_SELECT_RESIDUAL : options.select;
      ent_fit fit;
      ASSERT_OK(context, ent_fit_prepare(context, data, NULL, &options, &fit));
      assert_int_equal(ent_outer_needed(&fit), open == 4 ? classes : open > 0);
      ent_fit_clear(&fit);
    }
    entropic_dataset_free(data);
  }
  sheet_stop(&s);
}

SUITE(model_outer) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_in_groups_tell_nothing),    cmocka_unit_test(small_tables_equal_refits),
      cmocka_unit_test(large_tables_learn_from_all_rows), cmocka_unit_test(selected_features_learn_from_all_rows),
      cmocka_unit_test(validation_rows_are_halved),       cmocka_unit_test(scored_rows_take_no_part),
      cmocka_unit_test(scored_classes_take_no_part),      cmocka_unit_test(needed_where_something_is_chosen)};
  return cmocka_run_group_tests_name("model_outer", tests, start, stop);
}

/* Scores: measures against plain loops and pairs counted one by one; models on files against predictions of their own. */
#include "unit/modelling.h"

#include "model/row_reader.h"
#include "model/metrics.h"

#include "unit/fixture.h"

/* Huber's loss: squares within the width, lines beyond it. */
static double brute_huber(const double *y, const double *predicted, const double *weights, size_t rows, size_t targets,
                          double width) {
  long double sum = 0, weight = 0;
  for (size_t i = 0; i < rows * targets; i++) {
    long double size = fabsl((long double)y[i] - predicted[i]), within = size < width ? size : width;
    sum += weights[i / targets] * (within * within + 2 * width * (size - within));
    weight += weights[i / targets];
  }
  return (double)(sum / weight);
}

/* The share of pairs, one row of the class and one that is not, that stand in the right order; ties count half. */
static double brute_area(const double *y, const double *chances, const double *weights, size_t rows, size_t classes,
                         size_t class) {
  long double right = 0, all = 0;
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < rows && y[i] == (double)class; j++) {
      if (y[j] == (double)class)
        continue;
      double mine = chances[i * classes + class], other = chances[j * classes + class];
      long double weight = (long double)weights[i] * weights[j];
      right += mine > other ? weight : mine == other ? weight / 2 : 0;
      all += weight;
    }
  return all > 0 ? (double)(right / all) : NAN;
}

static ent_score_figures brute_classes(const double *y, const double *chances, const double *weights, size_t rows,
                                       size_t classes) {
  long double weight = 0, wrong = 0, loss = 0, area = 0;
  size_t areas = 0;
  for (size_t i = 0; i < rows; i++) {
    const double *of = chances + i * classes;
    size_t right = (size_t)y[i], best = classes - 1;
    for (size_t k = classes; k-- > 0;)
      best = of[k] >= of[best] ? k : best;
    weight += weights[i];
    wrong += best == right ? 0 : weights[i];
    loss += -weights[i] * logl(of[right] < 1e-15 ? 1e-15L : of[right]);
  }
  for (size_t k = 0; k < classes; k++) {
    double of = brute_area(y, chances, weights, rows, classes, k);
    area += isnan(of) ? 0 : of;
    areas += isnan(of) ? 0 : 1;
  }
  return (ent_score_figures){.rows = rows,
                             .weight = (double)weight,
                             .rmse = NAN,
                             .mae = NAN,
                             .r2 = NAN,
                             .error = (double)(wrong / weight),
                             .accuracy = (double)(1 - wrong / weight),
                             .logloss = (double)(loss / weight),
                             .auc = areas == 0 ? NAN : (double)(area / areas)};
}

static ent_score_figures brute_numbers(const double *y, const double *predicted, const double *weights, size_t rows,
                                       size_t targets) {
  ent_score_figures scores = {.rows = rows, .error = NAN, .accuracy = NAN, .logloss = NAN, .auc = NAN};
  for (size_t t = 0; t < targets; t++) {
    long double weight = 0, sum = 0, squares = 0, absolute = 0, spread = 0;
    for (size_t i = 0; i < rows; i++) {
      long double error = (long double)y[i * targets + t] - predicted[i * targets + t];
      weight += weights[i];
      sum += (long double)weights[i] * y[i * targets + t];
      squares += weights[i] * error * error;
      absolute += weights[i] * fabsl(error);
    }
    for (size_t i = 0; i < rows; i++) {
      long double from = y[i * targets + t] - sum / weight;
      spread += weights[i] * from * from;
    }
    scores.weight = (double)weight;
    scores.rmse += (double)sqrtl(squares / weight) / (double)targets;
    scores.mae += (double)(absolute / weight) / (double)targets;
    scores.r2 += (double)(1 - squares / spread) / (double)targets;
  }
  return scores;
}

static void assert_same(double actual, double expected) {
  if (isnan(expected))
    assert_true(isnan(actual));
  else
    assert_close(actual, expected, 1e-12 * (1 + fabs(expected)));
}

static void assert_scores(const ent_score_figures *actual, const ent_score_figures *expected) {
  assert_int_equal(actual->rows, expected->rows);
  assert_same(actual->weight, expected->weight);
  assert_same(actual->rmse, expected->rmse);
  assert_same(actual->mae, expected->mae);
  assert_same(actual->r2, expected->r2);
  assert_same(actual->error, expected->error);
  assert_same(actual->accuracy, expected->accuracy);
  assert_same(actual->logloss, expected->logloss);
  assert_same(actual->auc, expected->auc);
}

/* Measures rows in blocks of random sizes. */
static ent_score_figures measure(const double *y, const double *predicted, const double *weights, size_t rows,
                                 size_t targets, size_t classes, entropic_random *random) {
  ent_metrics *metrics = NULL;
  ASSERT_OK(context, ent_metrics_create(context, targets, classes, &metrics));
  size_t width = classes > 0 ? classes : targets;
  for (size_t done = 0, part; done < rows; done += part) {
    part = (size_t)entropic_random_below(random, rows - done + 1);
    ASSERT_OK(context,
              ent_metrics_add(context, metrics, y + done * targets, predicted + done * width, weights + done, part));
  }
  ent_score_figures scores = {0};
  ASSERT_OK(context, ent_metrics_finish(context, metrics, &scores));
  ent_metrics_free(metrics);
  return scores;
}

/* Probabilities on a coarse grid have ties, also with zeros and ones; a few classes never occur. */
static void classes_are_measured(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(5, 1);
  enum { most = 300 };
  static double y[most], chances[most * 6], weights[most];
  for (int round = 0; round < 200; round++) {
    size_t classes = 2 + (size_t)entropic_random_below(&random, 5),
           rows = 1 + (size_t)entropic_random_below(&random, most);
    size_t grid = 1 + (size_t)entropic_random_below(&random, 20),
           occur = 1 + (size_t)entropic_random_below(&random, classes);
    rows = round % 3 == 0 ? rows % 5 + 1 : rows;
    for (size_t i = 0; i < rows; i++) {
      double sum = 0;
      y[i] = (double)entropic_random_below(&random, occur);
      weights[i] = round % 2 == 0 ? 1 : 0.1 + entropic_random_uniform(&random);
      for (size_t k = 0; k < classes; k++)
        sum += chances[i * classes + k] = (double)entropic_random_below(&random, grid + 1);
      for (size_t k = 0; k < classes; k++)
        chances[i * classes + k] = sum > 0 ? chances[i * classes + k] / sum : 1 / (double)classes;
      if (classes == 2) /* as a model would have it, so that both curves are one */
        chances[i * 2] = 1 - chances[i * 2 + 1];
    }
    ent_score_figures actual = measure(y, chances, weights, rows, 1, classes, &random);
    ent_score_figures expected = brute_classes(y, chances, weights, rows, classes);
    assert_scores(&actual, &expected);
  }
}

static void numbers_are_measured(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(6, 1);
  enum { most = 500 };
  static double y[most * 4], predicted[most * 4], weights[most];
  for (int round = 0; round < 100; round++) {
    size_t targets = 1 + (size_t)entropic_random_below(&random, 4),
           rows = 2 + (size_t)entropic_random_below(&random, most - 1);
    for (size_t i = 0; i < rows; i++) {
      weights[i] = round % 2 == 0 ? 1 : 0.1 + entropic_random_uniform(&random);
      for (size_t t = 0; t < targets; t++) {
        y[i * targets + t] = 10 * (double)t + entropic_random_normal(&random);
        predicted[i * targets + t] = y[i * targets + t] + 0.3 * entropic_random_normal(&random);
      }
    }
    ent_score_figures actual = measure(y, predicted, weights, rows, targets, 0, &random);
    ent_score_figures expected = brute_numbers(y, predicted, weights, rows, targets);
    assert_scores(&actual, &expected);
  }
}

/* A small spread around a large value: sums of plain squares would lose every digit. */
static void spread_is_not_lost(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(7, 1);
  enum { rows = 3000 };
  static double y[rows], predicted[rows], weights[rows];
  for (size_t i = 0; i < rows; i++) {
    y[i] = 1e9 + entropic_random_normal(&random);
    predicted[i] = y[i] + 0.5 * entropic_random_normal(&random);
    weights[i] = 1;
  }
  ent_score_figures actual = measure(y, predicted, weights, rows, 1, 0, &random);
  ent_score_figures expected = brute_numbers(y, predicted, weights, rows, 1);
  assert_close(actual.r2, expected.r2, 1e-9);
  assert_true(actual.r2 > 0.7 && actual.r2 < 0.8);
  /* Nothing to explain. */
  for (size_t i = 0; i < rows; i++)
    y[i] = 0.1;
  actual = measure(y, predicted, weights, rows, 1, 0, &random);
  assert_true(isnan(actual.r2) && actual.rmse > 0);
  /* Nothing wrong. */
  actual = measure(predicted, predicted, weights, rows, 1, 0, &random);
  assert_true(actual.r2 == 1 && actual.rmse == 0 && actual.mae == 0);
}

/* Measures rows in blocks of 100; targets of block b count in units of 2^units[b]. */
static ent_score_figures measure_scaled(const double *y, const double *predicted, size_t rows, const int *units) {
  ent_metrics *metrics = NULL;
  ASSERT_OK(context, ent_metrics_create(context, 1, 0, &metrics));
  for (size_t done = 0; done < rows; done += 100) {
    double scaled[100], guess[100], weights[100];
    for (size_t i = 0; i < 100; i++) {
      scaled[i] = ldexp(y[done + i], units[done / 100]);
      guess[i] = ldexp(predicted[done + i], units[done / 100]);
      weights[i] = 1 + (double)(i % 3);
    }
    ASSERT_OK(context, ent_metrics_add(context, metrics, scaled, guess, weights, 100));
  }
  ent_score_figures scores = {0};
  ASSERT_OK(context, ent_metrics_finish(context, metrics, &scores));
  ent_metrics_free(metrics);
  return scores;
}

/* Targets in the units of any double: all figures have the bits of those in plain units, up to the unit. */
static void units_do_not_matter(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(8, 1);
  enum { rows = 500 };
  static double y[rows], predicted[rows];
  for (size_t i = 0; i < rows; i++) {
    y[i] = entropic_random_normal(&random);
    y[i] = i == 77 ? 1.75 : i == 78 ? -1.75 : y[i] / 4;
    predicted[i] = y[i] + entropic_random_normal(&random) / (i < 100 ? 1024 : 16);
  }
  y[77] = 1.75, predicted[77] = -1.5; /* an error that is no double in units of 2^1023 */
  const int plain[5] = {0};
  ent_score_figures expected = measure_scaled(y, predicted, rows, plain);
  assert_true(expected.rmse > 0.1 && expected.r2 > 0.1 && expected.r2 < 1);
  for (int unit = -1000; unit <= 1020; unit += 20) {
    const int same[5] = {unit, unit, unit, unit, unit};
    ent_score_figures actual = measure_scaled(y, predicted, rows, same);
    assert_true(actual.rmse == ldexp(expected.rmse, unit) && actual.mae == ldexp(expected.mae, unit));
    assert_true(actual.r2 == expected.r2);
  }
  const int largest[5] = {1023, 1023, 1023, 1023, 1023};
  ent_score_figures actual = measure_scaled(y, predicted, rows, largest);
  assert_true(actual.rmse == ldexp(expected.rmse, 1023) && actual.mae == ldexp(expected.mae, 1023));
  assert_true(actual.r2 == expected.r2);
  /* Blocks that grow, or shrink: only the largest counts. */
  const int growing[5] = {-900, -500, 0, 400, 800}, shrinking[5] = {800, 400, 0, -500, -900};
  ent_score_figures up = measure_scaled(y, predicted, rows, growing);
  assert_true(up.rmse > 0x1p790 && up.rmse < 0x1p800 && up.r2 > 0.5 && up.r2 < 1);
  ent_score_figures down = measure_scaled(y, predicted, rows, shrinking);
  assert_true(down.rmse > 0x1p790 && down.rmse < 0x1p800 && down.r2 < 1 && down.r2 > -10);
}

static void a_certain_mistake_costs_a_finite_amount(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(8, 1);
  const double y[] = {0, 1}, chances[] = {0, 1, 0, 1}, weights[] = {1, 1};
  ent_score_figures scores = measure(y, chances, weights, 2, 1, 2, &random);
  assert_close(scores.logloss, -log(1e-15) / 2, 1e-12);
  assert_true(scores.error == 0.5 && scores.accuracy == 0.5 && scores.auc == 0.5);
}

/* A file of rows: names are quoted, as those of the plans have quotes in them. */
static void write_quoted(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text != '\0'; text++)
    fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
  fputc('"', file);
}

static void write_rows(const char *path, const ent_schema *schema, const double *x, const double *y,
                       const double *weights, size_t rows) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "w");
  for (size_t t = 0; t < schema->targets; t++) {
    fputc(',', file);
    write_quoted(file, schema->target[t]);
  }
  for (size_t i = 0; i < schema->inputs; i++) {
    fputc(',', file);
    write_quoted(file, schema->input[i].name);
  }
  for (size_t row = 0; row < rows; row++) {
    fprintf(file, "\n%.17g", weights[row]);
    for (size_t t = 0; t < schema->targets; t++) {
      double value = y[row * schema->targets + t];
      if (isnan(value))
        fprintf(file, ",");
      else if (schema->classes > 0)
        fprintf(file, ",%s", schema->class_name[(size_t)value]);
      else
        fprintf(file, ",%.17g", value);
    }
    for (size_t i = 0; i < schema->inputs; i++) {
      const ent_input *input = &schema->input[i];
      double value = x[row * schema->inputs + i];
      if (isnan(value))
        fprintf(file, ",?");
      else if (input->categories == 0)
        fprintf(file, ",%.17g", value);
      else
        fprintf(file, ",%s", value < (double)input->categories ? input->category[(size_t)value] : "never seen");
    }
  }
  fprintf(file, "\n");
  assert_int_equal(fclose(file), 0);
}

/* One plan: rows of all kinds go through a file and come out as plain loops over predictions have them. */
static void check_plan(void **state, const model_plan *plan, size_t rows) {
  entropic_model *model = plan_model(plan, 3);
  const ent_schema *schema = &model->schema;
  size_t inputs = schema->inputs, targets = schema->targets, classes = schema->classes;
  size_t width = classes > 0 ? classes : targets, kept = 0, with_target = 0;
  double *x = plan_rows(plan, rows, 11, true), *y = calloc(rows * targets, sizeof *y);
  double *weights = calloc(rows, sizeof *weights), *predicted = calloc(rows * width, sizeof *predicted);
  assert_true(y != NULL && weights != NULL && predicted != NULL);
  if (classes == 0) {
    model->loss = ENTROPIC_LOSS_HUBER;
    model->loss_parameter = 0.7;
  }
  entropic_random random = entropic_random_start(12, 1);
  for (size_t row = 0; row < rows; row++) {
    weights[row] = entropic_random_below(&random, 10) == 0 ? 0 : 0.5 + entropic_random_uniform(&random);
    for (size_t t = 0; t < targets; t++) {
      y[row * targets + t] =
          classes > 0 ? (double)entropic_random_below(&random, classes) : entropic_random_normal(&random);
      if (entropic_random_below(&random, 12) == 0)
        y[row * targets + t] = NAN;
    }
  }
  const char *path = in_folder(state, "rows.csv");
  write_rows(path, schema, x, y, weights, rows);
  for (size_t row = 0; row < rows; row++) {
    bool there = true;
    for (size_t t = 0; t < targets; t++)
      there = there && !isnan(y[row * targets + t]);
    with_target += there;
    if (!there || weights[row] == 0)
      continue;
    memmove(x + kept * inputs, x + row * inputs, inputs * sizeof *x);
    memmove(y + kept * targets, y + row * targets, targets * sizeof *y);
    weights[kept++] = weights[row];
  }
  ent_score_figures expected;
  if (classes > 0) {
    ASSERT_OK(context, entropic_model_probabilities(context, model, x, kept, inputs, predicted));
    expected = brute_classes(y, predicted, weights, kept, classes);
  } else {
    ASSERT_OK(context, entropic_model_predict(context, model, x, kept, inputs, predicted));
    expected = brute_numbers(y, predicted, weights, kept, targets);
  }
  expected.rows = with_target;
  expected.loss = classes > 0 ? NAN : brute_huber(y, predicted, weights, kept, targets, model->loss_parameter);
  entropic_data_warnings odd = {1, 2, 3, 4, 5}, counted = {1, 2, 3, 4, 5};
  ent_model_count_data_warnings(model, x, kept, inputs, &odd);
  assert_true(odd.missing > 3);
  ent_score_figures first = {0};
  for (int threads = 1; threads <= 3; threads += 2) {
    ASSERT_OK(context, entropic_context_set_threads(context, threads));
    ent_read_options options = ent_read_options_default();
    options.roles.weights = "w";
    entropic_row_reader *reader = NULL;
    ASSERT_OK(context, ent_row_reader_open(context, model, path, &options, 1, &reader));
    ent_score_figures scores = {0};
    ASSERT_OK(context, model_score(context, model, reader, threads == 1 ? &counted : NULL, &scores));
    entropic_row_reader_free(reader);
    assert_scores(&scores, &expected);
    assert_same(scores.loss, expected.loss);
    assert_int_equal(scores.without_target, rows - with_target);
    if (threads == 1)
      first = scores;
    assert_memory_equal(&scores, &first, sizeof scores);
  }
  assert_memory_equal(&counted, &odd, sizeof odd);
  entropic_model_free(model);
  free(x);
  free(y);
  free(weights);
  free(predicted);
}

static void models_are_scored(void **state) {
  for (size_t i = 0; i < MODEL_PLANS; i++)
    check_plan(state, &model_plans[i], 400);
  check_plan(state, plan_named("direct"), 9000); /* more than a block */
}

static void bad_calls_are_refused(void **state) {
  entropic_model *model = plan_model(plan_named("direct"), 3),
                 *other = plan_model(plan_named("two classes, iterative"), 3);
  const double x[3] = {1, 2, 3}, nothing = NAN, one = 1, none = 0;
  const char *path = in_folder(state, "rows.csv");
  write_rows(path, &model->schema, x, &nothing, &one, 1);
  entropic_row_reader *reader = NULL;
  ent_score_figures scores = {.rows = 77};
  ent_read_options options = ent_read_options_default();
  options.roles.weights = "w";
  for (int round = 0; round < 2; round++) {
    ASSERT_OK(context, ent_row_reader_open(context, model, path, &options, 1, &reader));
    assert_int_equal(model_score(context, model, reader, NULL, &scores), ENTROPIC_BAD_DATA);
    assert_message(context, "rows.csv: of 1 rows none has a target and a weight above 0");
    entropic_row_reader_free(reader);
    write_rows(path, &model->schema, x, &one, &none, 1);
  }
  ASSERT_OK(context, ent_row_reader_open(context, model, path, &options, 1, &reader));
  assert_int_equal(model_score(context, NULL, reader, NULL, &scores), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "model is NULL");
  assert_int_equal(model_score(context, model, NULL, NULL, &scores), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "reader is NULL");
  assert_int_equal(model_score(context, model, reader, NULL, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "scores is NULL");
  assert_int_equal(model_score(context, other, reader, NULL, &scores), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "the reader was opened for another model");
  entropic_row_reader_free(reader);
  ASSERT_OK(context, ent_row_reader_open(context, model, path, NULL, 0, &reader));
  assert_int_equal(model_score(context, model, reader, NULL, &scores), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "the reader was opened without targets");
  entropic_row_reader_free(reader);
  /* A fault in the middle of the file. */
  write_rows(path, &model->schema, x, &one, &one, 1);
  FILE *file = fopen(path, "a");
  assert_non_null(file);
  fprintf(file, "1,2,3,oops,5\n");
  fclose(file);
  ASSERT_OK(context, ent_row_reader_open(context, model, path, &options, 1, &reader));
  assert_int_equal(model_score(context, model, reader, NULL, &scores), ENTROPIC_BAD_DATA);
  assert_message(context, "rows.csv, line 3, column 4");
  entropic_row_reader_free(reader);
  assert_int_equal(scores.rows, 77);
  entropic_model_free(model);
  entropic_model_free(other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

SUITE(model_score) {
  const struct CMUnitTest tests[] = {
      TEST(classes_are_measured),
      TEST(numbers_are_measured),
      TEST(spread_is_not_lost),
      TEST(units_do_not_matter),
      TEST(a_certain_mistake_costs_a_finite_amount),
      TEST(models_are_scored),
      TEST(bad_calls_are_refused),
  };
  return cmocka_run_group_tests_name("model_score", tests, NULL, NULL);
}

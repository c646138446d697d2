/* What models predict: against sums written out, whatever rows are beside a row and whoever else asks. */
#include <pthread.h>

#include "model/outputs.h"
#include "loss/loss.h"
#include "unit/modelling.h"
#include "unit/outputs.h"

enum { ROWS = 700 };

/* The scores of a row from their definition, in long double; *size is the sum of absolute values, for tolerances. */
static void plain_scores(const entropic_model *model, naive *lifted, const double *x, long double *scores,
                         long double *size) {
  double *scaled = calloc(model->schema.inputs, sizeof *scaled), *z = calloc(model->main.features, sizeof *z);
  ent_scaler_fill(model->main.scaler, x, 1, model->schema.inputs, scaled);
  if (model->main.design != NULL)
    naive_row(lifted, scaled, z);
  for (size_t i = 0; i < model->main.features && model->main.design == NULL; i++)
    z[i] = entropic_kernel_value(model->main.kernel, scaled, model->main.centres + i * model->schema.inputs);
  for (size_t k = 0; k < model->scores; k++) {
    scores[k] = (long double)model->offsets[k];
    size[k] = fabsl(scores[k]);
    for (size_t i = 0; i < model->main.features; i++) {
      long double part = (long double)model->main.weights[k * model->main.features + i] * (long double)z[i];
      scores[k] += part;
      size[k] += fabsl(part);
    }
  }
  free(scaled);
  free(z);
}

static void expect_class(const entropic_model *model, const long double *scores, double predicted, const double *p) {
  size_t classes = model->schema.classes, best = 0;
  long double sum = 0, exps[8], inverse_temperature = (long double)model->link.inverse_temperature;
  assert_true(classes <= 8);
  for (size_t k = 0; k < classes; k++) {
    long double score = classes > 2 ? scores[k] : k == 1 ? scores[0] : 0;
    exps[k] = expl(inverse_temperature * score);
    sum += exps[k];
    best = exps[k] > exps[best] ? k : best;
  }
  for (size_t k = 0; k < classes; k++)
    assert_close(p[k], exps[k] / sum, 1e-12);
  assert_true(predicted == (double)best);
}

static void against_sums(void **state) {
  (void)state;
  entropic_context *context = context_with(2);
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    const model_plan *plan = &model_plans[i];
    entropic_model *model = plan_model(plan, 40 + i);
    naive lifted = {0};
    if (model->main.design != NULL)
      lifted = naive_start(model->main.design);
    size_t classes = model->schema.classes, outputs = model->schema.targets;
    double *x = plan_rows(plan, 100, i, true), predicted[300], p[800], found[800];
    ASSERT_OK(context, entropic_model_predict(context, model, x, 100, plan->inputs, predicted));
    if (classes > 0)
      ASSERT_OK(context, entropic_model_probabilities(context, model, x, 100, plan->inputs, p));
    else
      assert_int_equal(entropic_model_probabilities(context, model, x, 100, plan->inputs, p), ENTROPIC_BAD_ARGUMENT);
    assert_true(model->scores <= 8);
    ASSERT_OK(context, predict_scores(context, model, x, 100, plan->inputs, found));
    for (size_t r = 0; r < 100; r++) {
      long double scores[8], size[8];
      plain_scores(model, &lifted, x + r * plan->inputs, scores, size);
      for (size_t k = 0; k < model->scores; k++)
        assert_close(found[r * model->scores + k], scores[k], 1e-14 * (double)size[k]);
      if (classes > 0)
        expect_class(model, scores, predicted[r], p + r * classes);
      for (size_t k = 0; k < outputs && classes == 0; k++) {
        double off = 1e-14 * (double)size[k];
        if (model->link.sign != 0) {
          off = 2 * off * (fabs((double)scores[k]) + off) + 1e-15 * fabs(model->link.origin);
          scores[k] = scores[k] > 0 ? scores[k] * scores[k] : 0;
          scores[k] = model->link.origin + model->link.sign * (scores[k] + model->link.bias);
        }
        assert_close(predicted[r * outputs + k], scores[k], off);
      }
    }
    if (model->main.design != NULL)
      naive_stop(&lifted);
    free(x);
    entropic_model_free(model);
  }
  entropic_context_free(context);
}

/* The same bits however rows are cut into calls, for any number of threads, any distance between rows and any code. */
static void same_bits(void **state) {
  (void)state;
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    const model_plan *plan = &model_plans[i];
    entropic_model *model = plan_model(plan, i);
    size_t outputs = model->schema.targets, inputs = plan->inputs, cuts[] = {1, 5, 31, 32, 33, 256, 300};
    double *x = plan_rows(plan, ROWS, 3, true), *spread = calloc(ROWS * (inputs + 2), sizeof *spread);
    double *all = calloc(ROWS * outputs, sizeof *all), *again = calloc(ROWS * outputs, sizeof *again);
    for (size_t r = 0; r < ROWS; r++)
      memcpy(spread + r * (inputs + 2), x + r * inputs, inputs * sizeof *x);
    x[7 * inputs] = plan->scaling == ENTROPIC_SCALING_NONE ? 1e-310 : x[7 * inputs]; /* a row computed with care */
    spread[7 * (inputs + 2)] = x[7 * inputs];
    entropic_context *context = context_with(1);
    ASSERT_OK(context, entropic_model_predict(context, model, x, ROWS, inputs, all));
    for (size_t c = 0; c < COUNT(cuts); c++) {
      entropic_context_set_threads(context, 1 + (int)c % 3);
      for (size_t first = 0; first < ROWS; first += cuts[c]) {
        size_t rows = ROWS - first < cuts[c] ? ROWS - first : cuts[c];
        ASSERT_OK(context, entropic_model_predict(context, model, spread + first * (inputs + 2), rows, inputs + 2,
                                                  again + first * outputs));
      }
      assert_memory_equal(all, again, ROWS * outputs * sizeof *all);
    }
    if (model->main.design != NULL) {
      entropic_lift_free(model->main.lift);
      model->main.lift = make_lift(model->main.design, ENTROPIC_LIFT_CODE_REFERENCE);
      entropic_context_set_threads(context, 5);
      ASSERT_OK(context, entropic_model_predict(context, model, x, ROWS, inputs, again));
      assert_memory_equal(all, again, ROWS * outputs * sizeof *all);
    }
    ASSERT_OK(context, entropic_model_predict(context, model, x, 0, inputs, again));
    free(x);
    free(spread);
    free(all);
    free(again);
    entropic_context_free(context);
    entropic_model_free(model);
  }
}

/* Scaled rows give scores, of which predictions are made. */
static void scores_of_scaled_rows(void **state) {
  (void)state;
  const model_plan *plan = plan_named("four classes, logistic");
  entropic_model *model = plan_model(plan, 1);
  double *x = plan_rows(plan, ROWS, 1, false), *scores = calloc(ROWS * model->scores, sizeof *scores);
  double *p = calloc(ROWS * model->schema.classes, sizeof *p), *predicted = calloc(ROWS, sizeof *predicted);
  double *row = calloc(model->schema.classes, sizeof *row);
  entropic_context *context = context_with(2);
  ASSERT_OK(context,
            ent_model_scores(context, model, x, ROWS, plan->inputs, scores)); /* scaling none: already scaled */
  ASSERT_OK(context, entropic_model_predict(context, model, x, ROWS, plan->inputs, predicted));
  ASSERT_OK(context, entropic_model_probabilities(context, model, x, ROWS, plan->inputs, p));
  for (size_t r = 0; r < ROWS; r++) {
    assert_true(predicted[r] == (double)ent_model_decide(model, scores + r * model->scores));
    ent_model_chances(model, scores + r * model->scores, row);
    assert_memory_equal(row, p + r * model->schema.classes, model->schema.classes * sizeof *row);
  }
  free(x);
  free(scores);
  free(p);
  free(row);
  free(predicted);
  entropic_context_free(context);
  entropic_model_free(model);
}

/* The likeliest class, the first of equals. */
static size_t likeliest(const double *p, size_t classes) {
  size_t best = 0;
  for (size_t k = 1; k < classes; k++)
    best = p[k] > p[best] ? k : best;
  return best;
}

static void check_chances(const entropic_model *model, const double *scores, size_t expected) {
  size_t classes = model->schema.classes;
  double p[8], sum = 0;
  assert_int_equal(ent_model_decide(model, scores), expected);
  ent_model_chances(model, scores, p);
  for (size_t k = 0; k < classes; k++) {
    assert_true(p[k] >= 0 && p[k] <= 1);
    sum += p[k];
  }
  assert_close(sum, 1, 1e-15);
  assert_int_equal(likeliest(p, classes), expected);
}

static void decisions_at_the_edge(void **state) {
  (void)state;
  static const double inverse_temperatures[] = {1, 1e-300, 1e300, 0.37};
  static const struct {
    double score;
    size_t expected;
  } two[] = {{0, 0},     {-0.0, 0},   {5e-324, 1},   {-5e-324, 0},   {1e-17, 1}, {-1e-17, 0}, {1.1e-16, 1},
             {1e308, 1}, {-1e308, 0}, {INFINITY, 1}, {-INFINITY, 0}, {40, 1},    {-40, 0}};
  static const struct {
    double scores[4];
    size_t expected;
  } four[] = {{{0, 0, 0, 0}, 0},
              {{1, 1 + 0x1p-52, 1, 1}, 1},
              {{1, 1, 1 + 0x1p-52, 1 + 0x1p-52}, 2},
              {{1e308, -1e308, 1.5e308, 1.5e308}, 2},
              {{-1e308, -1e308, -1e308, -1.0000001e308}, 0},
              {{-INFINITY, 3, -INFINITY, 2}, 1},
              {{1, INFINITY, 5, INFINITY}, 1},
              {{-800, -900, -700, -1000}, 2},
              {{1e-320, 2e-320, 3e-320, 0}, 2}};
  for (size_t s = 0; s < COUNT(inverse_temperatures); s++) {
    entropic_model *model = plan_model(plan_named("two classes, iterative"), 1);
    model->link.inverse_temperature = inverse_temperatures[s];
    for (size_t i = 0; i < COUNT(two); i++)
      check_chances(model, &two[i].score, two[i].expected);
    entropic_model_free(model);
    model = plan_model(plan_named("four classes, logistic"), 1);
    model->link.inverse_temperature = inverse_temperatures[s];
    for (size_t i = 0; i < COUNT(four); i++)
      check_chances(model, four[i].scores, four[i].expected);
    entropic_model_free(model);
  }
}

/* Values that cannot be used are refused, with row, input and name. */
static void refusals(void **state) {
  (void)state;
  const model_plan *plan = plan_named("dual, categories"); /* the second input is a category */
  entropic_model *model = plan_model(plan, 1);
  double *x = plan_rows(plan, 600, 1, true), out[1800], kept;
  static const struct {
    size_t input;
    double value;
    const char *message;
  } bad[] = {{0, INFINITY, "found inf, expected a finite number"},
             {2, -INFINITY, "found -inf, expected a finite number"},
             {1, INFINITY, "found inf, expected the code"},
             {1, -1, "found -1, expected the code"},
             {1, 0.5, "found 0.5, expected the code"},
             {4, -0x1p-60, "expected the code"}};
  for (int threads = 1; threads <= 3; threads++) {
    entropic_context *context = context_with(threads);
    for (size_t i = 0; i < COUNT(bad); i++) {
      double *place = &x[570 * plan->inputs + bad[i].input];
      char where[80];
      kept = *place;
      *place = bad[i].value;
      assert_int_equal(entropic_model_predict(context, model, x, 600, plan->inputs, out), ENTROPIC_BAD_DATA);
      snprintf(where, sizeof where, "row 571, input %zu ('input \"%zu\" \xc3\xa9'): ", bad[i].input + 1,
               bad[i].input + 1);
      assert_message(context, where);
      assert_message(context, bad[i].message);
      *place = kept;
    }
    ASSERT_OK(context, entropic_model_predict(context, model, x, 600, plan->inputs, out));
    assert_int_equal(entropic_model_predict(context, model, x, 600, plan->inputs - 1, out), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "stride");
    entropic_context_free(context);
  }
  free(x);
  entropic_model_free(model);
}

/* Categories never seen and missing values: all unseen codes are alike, and unlike those seen; a missing value counts as the
 * middle. */
static void odd_values(void **state) {
  (void)state;
  const model_plan *plan = plan_named("dual, categories");
  entropic_model *model = plan_model(plan, 1);
  const double least = model->main.scaler->scales[0].at[0], most = model->main.scaler->scales[0].at[1];
  double x[4][6] = {
      {least, 0, 0, 0, 0, 0}, {least, 3, 0, 0, 0, 0}, {least - 5, 1e9, 0, 0, 0, 0}, {NAN, NAN, 0, 0, 0, 0}};
  double y[12], z[3], middle[6] = {(least + most) / 2, NAN, 0, 0, 0, 0};
  entropic_context *context = context_with(1);
  ASSERT_OK(context, entropic_model_predict(context, model, x[0], 4, 6, y));
  ASSERT_OK(context, entropic_model_predict(context, model, middle, 1, 6, z));
  assert_true(y[0] != y[3]);
  assert_memory_equal(y + 3, y + 6, 3 * sizeof *y); /* 3 is not among the categories either, and the range ends there */
  for (size_t k = 0; k < 3; k++)
    assert_close(y[9 + k], z[k], 1e-12);
  entropic_data_warnings odd = {.outside = 1, .unseen = 10, .missing = 100};
  ent_model_count_data_warnings(model, x[0], 4, 6, &odd);
  assert_int_equal(odd.unseen, 12);
  assert_int_equal(odd.missing, 102);
  assert_true(odd.outside >= 2); /* zeros may lie outside, too */
  entropic_data_warnings one = {0};
  double row[6] = {most, 2, 0, 0, 4, 0};
  for (size_t i = 2; i < 6; i++)
    row[i] = i == 4 ? 4 : model->main.scaler->scales[i].at[0];
  ent_model_count_data_warnings(model, row, 1, 6, &one);
  assert_int_equal(one.outside + one.unseen + one.missing, 0);
  row[0] = nextafter(most, INFINITY);
  row[4] = 6;
  row[3] = NAN;
  ent_model_count_data_warnings(model, row, 1, 6, &one);
  assert_int_equal(one.outside, 1);
  assert_int_equal(one.unseen, 1);
  assert_int_equal(one.missing, 1);
  entropic_context_free(context);
  entropic_model_free(model);
}

/* Whatever stands in inputs that are not used changes no bit, and is not odd. */
static void unused_inputs(void **state) {
  (void)state;
  static const double anything[] = {NAN, INFINITY, -INFINITY, -3.5, 1e300, 7};
  size_t tried = 0;
  for (size_t i = 0; i < 2 * MODEL_PLANS; i++) {
    model_plan plan = model_plans[i / 2];
    plan.inputs += 3;
    plan.features = 6;
    plan.scaling = i % 2 == 0 ? plan.scaling : ENTROPIC_SCALING_NONE;
    entropic_model *whole = plan_model(&plan, i), *model = plan_model(&plan, i);
    assert_int_equal(ent_model_drop_unused(NULL, model), ENTROPIC_OK);
    double *x = plan_rows(&plan, ROWS, i, true), *expected = calloc(ROWS * 4, sizeof *x);
    double *found = calloc(ROWS * 4, sizeof *x);
    assert_int_equal(entropic_model_predict(NULL, whole, x, ROWS, plan.inputs, expected), ENTROPIC_OK);
    entropic_data_warnings before = {0}, after = {0};
    ent_model_count_data_warnings(model, x, ROWS, plan.inputs, &before);
    for (size_t k = 0; k < ROWS * plan.inputs; k++)
      if (model->schema.input[k % plan.inputs].unused) {
        x[k] = anything[k / plan.inputs % 6];
        tried++;
      }
    assert_int_equal(entropic_model_predict(NULL, model, x, ROWS, plan.inputs, found), ENTROPIC_OK);
    assert_memory_equal(found, expected, ROWS * model->schema.targets * sizeof *found);
    ent_model_count_data_warnings(model, x, ROWS, plan.inputs, &after);
    assert_memory_equal(&before, &after, sizeof before);
    free(x);
    free(expected);
    free(found);
    entropic_model_free(whole);
    entropic_model_free(model);
  }
  assert_true(tried > ROWS);
}

/* Numbers stay within their bounds, which are in units of the target, and those cut off are counted. */
static void bounds(void **state) {
  (void)state;
  size_t all = 0;
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    const model_plan *plan = &model_plans[i];
    if (plan->task == ENTROPIC_TASK_CLASSIFICATION)
      continue;
    entropic_model *free_one = plan_model(plan, i), *model = plan_newest(plan, i);
    double *x = plan_rows(plan, ROWS, i, true), open[ROWS * 3], kept[ROWS * 3], lower, upper;
    assert_int_equal(entropic_model_predict(NULL, free_one, x, ROWS, plan->inputs, open), ENTROPIC_OK);
    assert_int_equal(entropic_model_predict(NULL, model, x, ROWS, plan->inputs, kept), ENTROPIC_OK);
    size_t cut = 0;
    for (size_t k = 0; k < ROWS * plan->outputs; k++) {
      assert_int_equal(entropic_model_range(model, k % plan->outputs, &lower, &upper), 1);
      assert_true(kept[k] == fmin(fmax(open[k], lower), upper));
      cut += kept[k] != open[k];
    }
    assert_true(cut < ROWS * plan->outputs);
    all += cut;
    double steps[ROWS * 3];
    const ent_lift_rows rows = {.x = x, .count = ROWS, .stride = plan->inputs};
    const ent_outputs out = {.predictions = steps, .open = true};
    ASSERT_OK(NULL, ent_model_outputs(NULL, model, &rows, &out));
    assert_memory_equal(steps, open, ROWS * plan->outputs * sizeof *open);
    assert_int_equal(ent_model_clamp(free_one, steps, ROWS), 0);
    assert_memory_equal(steps, open, ROWS * plan->outputs * sizeof *open);
    assert_int_equal(ent_model_clamp(model, steps, ROWS), cut);
    assert_memory_equal(steps, kept, ROWS * plan->outputs * sizeof *open);
    /* Squares alone have one end. */
    assert_int_equal(entropic_model_range(free_one, 0, &lower, &upper), plan->root != 0);
    for (size_t k = 0; k < ROWS && plan->root != 0; k++)
      assert_true(lower <= open[k] && open[k] <= upper);
    assert_int_equal(entropic_model_range(model, plan->outputs, &lower, &upper), 0);
    free(x);
    entropic_model_free(free_one);
    entropic_model_free(model);
  }
  assert_true(all > ROWS);
}

typedef struct caller {
  const entropic_model *model;
  const double *x;
  double out[ROWS * 4];
  entropic_status status;
} caller;

static void *call(void *argument) {
  caller *c = argument;
  entropic_context *context = NULL;
  c->status = entropic_context_create(&context);
  for (int i = 0; i < 5 && c->status == ENTROPIC_OK; i++)
    c->status = entropic_model_probabilities(context, c->model, c->x, ROWS, c->model->schema.inputs, c->out);
  entropic_context_free(context);
  return NULL;
}

static void several_callers(void **state) {
  (void)state;
  enum { CALLERS = 4 };
  const model_plan *plan = plan_named("four classes, logistic");
  entropic_model *model = plan_model(plan, 1);
  double *x = plan_rows(plan, ROWS, 1, true);
  caller *callers = calloc(CALLERS + 1, sizeof *callers);
  pthread_t threads[CALLERS];
  for (size_t i = 0; i <= CALLERS; i++)
    callers[i] = (caller){.model = model, .x = x};
  for (size_t i = 0; i < CALLERS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
  for (size_t i = 0; i < CALLERS; i++)
    pthread_join(threads[i], NULL);
  call(&callers[CALLERS]);
  for (size_t i = 0; i <= CALLERS; i++) {
    assert_int_equal(callers[i].status, ENTROPIC_OK);
    assert_memory_equal(callers[i].out, callers[CALLERS].out, sizeof callers[i].out);
  }
  free(callers);
  free(x);
  entropic_model_free(model);
}

/* Prediction needs nothing that only learning needs. */
static void without_openblas(void **state) {
  (void)state;
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    entropic_model *model = plan_model(&model_plans[i], 1);
    double *x = plan_rows(&model_plans[i], 50, 1, true), out[200];
    assert_int_equal(entropic_model_predict(NULL, model, x, 50, model_plans[i].inputs, out), ENTROPIC_OK);
    free(x);
    entropic_model_free(model);
  }
  FILE *maps = fopen("/proc/self/maps", "r");
  if (maps == NULL)
    skip();
  char line[4096];
  while (fgets(line, sizeof line, maps) != NULL)
    if (strstr(line, "blas") != NULL)
      fail_msg("%s", line);
  fclose(maps);
}

static void description(void **state) {
  (void)state;
  const model_plan *plan = plan_named("three classes, exact");
  entropic_model *model = plan_model(plan, 7);
  entropic_context *context = context_with(1);
  entropic_model_info info = ent_model_describe(model);
  assert_int_equal(info.task, ENTROPIC_TASK_CLASSIFICATION);
  assert_int_equal(info.loss, ENTROPIC_LOSS_SQUARED);
  assert_int_equal(info.solver, ENTROPIC_SOLVER_EXACT);
  assert_int_equal(info.scaling, ENTROPIC_SCALING_QUANTILE);
  assert_int_equal(info.inputs, 5);
  assert_int_equal(info.targets, 1);
  assert_int_equal(info.classes, 3);
  assert_int_equal(info.scores, 3);
  assert_int_equal(info.features, 40);
  assert_int_equal(info.rows, 1007);
  assert_int_equal(info.converged, 0);
  assert_true(info.seed == UINT64_MAX - 7);
  assert_int_equal(info.validation, ENTROPIC_VALIDATION_PART);
  assert_int_equal(info.folds, 5);
  assert_int_equal(info.validation_rows, 321);
  assert_true(info.lambda == 1e-3 && info.nonzeros == 12.25 && info.validation_error == 0.125);
  assert_true(isnan(info.validation_loss));
  entropic_input_info input;
  ASSERT_OK(context, ent_model_input(context, model, 1, &input));
  assert_string_equal(input.name, "input \"2\" \xc3\xa9");
  assert_int_equal(input.categories, 3);
  assert_int_equal(input.missing, 1);
  assert_int_equal(ent_model_input(context, model, 5, &input), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "input: 5");
  assert_string_equal(entropic_model_category(model, 1, 2), "category 3");
  assert_null(entropic_model_category(model, 1, 3));
  assert_null(entropic_model_category(model, 0, 0));
  assert_null(entropic_model_category(model, 5, 0));
  assert_string_equal(entropic_model_target(model, 0), "target 1");
  assert_null(entropic_model_target(model, 1));
  assert_string_equal(entropic_model_class(model, 2), "3");
  assert_null(entropic_model_class(model, 3));
  assert_ptr_equal(entropic_model_kernel(model), model->main.kernel);
  assert_null(entropic_model_design(model));
  double offset = 0;
  assert_ptr_equal(entropic_model_weights(model, 2, &offset), model->main.weights + 80);
  assert_true(offset == model->offsets[2]);
  assert_null(entropic_model_weights(model, 3, &offset));
  assert_string_equal(entropic_task_name(ENTROPIC_TASK_AUTO), "auto");
  assert_string_equal(entropic_task_name(ENTROPIC_TASK_CLASSIFICATION), "classification");
  assert_null(entropic_task_name((entropic_task)3));
  assert_string_equal(ent_loss_name(ENTROPIC_LOSS_LOGISTIC), "logistic");
  assert_null(ent_loss_name((entropic_loss)-1));
  assert_string_equal(ent_solver_name(ENTROPIC_SOLVER_EXACT), "exact");
  assert_string_equal(ent_solver_name(ENTROPIC_SOLVER_ITERATIVE), "iterative");
  assert_null(ent_solver_name((entropic_solver)5));
  entropic_model_free(NULL);
  entropic_context_free(context);
  entropic_model_free(model);
}

SUITE(model_predict) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(against_sums),          cmocka_unit_test(same_bits),  cmocka_unit_test(scores_of_scaled_rows),
      cmocka_unit_test(decisions_at_the_edge), cmocka_unit_test(refusals),   cmocka_unit_test(odd_values),
      cmocka_unit_test(unused_inputs),         cmocka_unit_test(bounds),     cmocka_unit_test(several_callers),
      cmocka_unit_test(without_openblas),      cmocka_unit_test(description)};
  return cmocka_run_group_tests_name("model_predict", tests, NULL, NULL);
}

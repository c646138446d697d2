/* entropic_predict: each output has the bits of what is made by hand of scores of scaled rows, alone and with all others,
 * for any number of rows and threads. */
#include "unit/modelling.h"

#include "entropic/predict.h"
#include "explain/explanation.h"
#include "model/interval_score.h"
#include "model/intervals.h"
#include "unit/listening.h"
#include "unit/outputs.h"

enum { ROWS = 700 };

static const double level = 0.8;

/* Of all rows, or room for them. */
typedef struct arrays {
  double *scores, *predictions, *probabilities, *lower, *upper, *deviations, *effects;
  unsigned char *sets;
  entropic_data_warnings warnings;
} arrays;

typedef struct predict_case {
  entropic_model *model;
  entropic_explanation *explanation; /* NULL: the model has no features */
  double *x;
  size_t inputs, targets, classes, scores, effects; /* numbers a row */
  arrays expected;
} predict_case;

static arrays arrays_new(const predict_case *c) {
  size_t room = ROWS * (c->targets + c->classes + c->scores);
  return (arrays){.scores = calloc(room, sizeof(double)),
                  .predictions = calloc(room, sizeof(double)),
                  .probabilities = calloc(room, sizeof(double)),
                  .lower = calloc(room, sizeof(double)),
                  .upper = calloc(room, sizeof(double)),
                  .deviations = calloc(room, sizeof(double)),
                  .effects = calloc(ROWS * c->effects + 1, sizeof(double)),
                  .sets = calloc(room, 1)};
}

static void arrays_free(arrays *a) {
  double *numbers[] = {a->scores, a->predictions, a->probabilities, a->lower, a->upper, a->deviations, a->effects};
  for (size_t i = 0; i < COUNT(numbers); i++)
    free(numbers[i]);
  free(a->sets);
}

/* Quantiles that differ, and a spread that depends on an input and on the score. */
static void give_intervals(entropic_model *model) {
  size_t count = model->schema.classes > 0 ? 1 : model->schema.targets;
  ASSERT_OK(NULL, ent_intervals_create(NULL, count, &model->intervals));
  model->intervals->rows = 100;
  for (size_t t = 0; t < count; t++) {
    ent_interval *interval = &model->intervals->target[t];
    for (size_t i = 0; i < ENT_QUANTILES; i++)
      interval->quantiles[i] = (model->schema.classes > 0 ? 0.9 : 3.0) * ent_quantile_level(i) + 0.01 * (double)t;
    if (model->schema.classes > 0)
      continue;
    interval->deviation = 0.7;
    interval->spread.count = 2;
    interval->spread.factors[0] =
        (ent_spread_factor){.axis = 0, .knots = 2, .at = {0, 0.5}, .factor = {0.5, 1.5}, .missing = 2};
    interval->spread.factors[1] =
        (ent_spread_factor){.axis = ENT_BY_SCORE, .knots = 2, .at = {-1, 1}, .factor = {1, 1.25}, .missing = 1};
  }
}

static void give_marginals(entropic_model *model, const double *scaled) {
  ent_block rows = {.rows = ROWS, .x = scaled, .x_stride = model->schema.inputs};
  ASSERT_OK(NULL, ent_marginals_create(NULL, model->main.design, &model->marginals));
  ASSERT_OK(NULL, ent_marginals_add(NULL, model->marginals, model->main.kernel, &rows));
  ASSERT_OK(NULL, ent_marginals_finish(NULL, model->marginals));
}

/* By hand, from the scores. */
static void expect_numbers(predict_case *c) {
  const entropic_model *model = c->model;
  double *open = calloc(ROWS * c->targets, sizeof *open);
  memcpy(open, c->expected.scores, ROWS * c->targets * sizeof *open);
  ent_link_predict(&model->link, ROWS * c->targets, open);
  for (size_t r = 0; r < ROWS; r++)
    for (size_t t = 0; t < c->targets; t++) {
      size_t at = r * c->targets + t;
      double q = ent_quantile_at(model->intervals->target[t].quantiles, level);
      ent_ends ends = ent_interval_ends(model, t, q, c->x + r * c->inputs, open[at]);
      c->expected.lower[at] = ends.lower;
      c->expected.upper[at] = ends.upper;
      c->expected.deviations[at] = ent_interval_deviation(model, t, c->x + r * c->inputs, open[at]);
      c->expected.predictions[at] = open[at];
    }
  c->expected.warnings.clamped += ent_model_clamp(model, c->expected.predictions, ROWS);
  free(open);
}

static void expect_classes(predict_case *c) {
  double q = ent_quantile_at(c->model->intervals->target[0].quantiles, level);
  for (size_t r = 0; r < ROWS; r++) {
    double *p = c->expected.probabilities + r * c->classes;
    ent_model_chances(c->model, c->expected.scores + r * c->scores, p);
    c->expected.predictions[r] = (double)ent_model_decide(c->model, c->expected.scores + r * c->scores);
    for (size_t k = 0; k < c->classes; k++)
      c->expected.sets[r * c->classes + k] = ent_interval_has_class(p, c->classes, q, k);
  }
}

/* Takes over the model. */
static predict_case case_of(entropic_model *model, const model_plan *plan, uint64_t seed) {
  predict_case c = {.model = model, .inputs = plan->inputs, .targets = model->schema.targets};
  c.classes = model->schema.classes;
  c.scores = model->scores;
  c.x = plan_rows(plan, ROWS, seed, true);
  if (plan->scaling == ENTROPIC_SCALING_NONE && !plan_is_category(plan, 0))
    c.x[7 * c.inputs] = 1e-310; /* a row computed with care */
  double *scaled = calloc(ROWS * c.inputs, sizeof *scaled);
  ent_scaler_fill(model->main.scaler, c.x, ROWS, c.inputs, scaled);
  give_intervals(model);
  if (model->main.design != NULL) {
    give_marginals(model, scaled);
    ASSERT_OK(NULL, entropic_explain(NULL, model, NULL, &c.explanation));
    c.effects = model->scores * (1 + entropic_explanation_inputs(c.explanation));
  }
  c.expected = arrays_new(&c);
  ASSERT_OK(NULL, ent_model_scores(NULL, model, scaled, ROWS, c.inputs, c.expected.scores));
  ent_model_count_data_warnings(model, c.x, ROWS, c.inputs, &c.expected.warnings);
  if (c.classes > 0)
    expect_classes(&c);
  else
    expect_numbers(&c);
  if (c.explanation != NULL)
    ASSERT_OK(NULL, ent_effects_rows(NULL, c.explanation->effects, scaled, ROWS, c.inputs, c.expected.effects));
  free(scaled);
  return c;
}

static void case_free(predict_case *c) {
  entropic_explanation_free(c->explanation);
  entropic_model_free(c->model);
  arrays_free(&c->expected);
  free(c->x);
}

enum {
  SCORES = 1,
  PREDICTIONS = 2,
  PROBABILITIES = 4,
  LOWER = 8,
  UPPER = 16,
  SETS = 32,
  DEVIATIONS = 64,
  EFFECTS = 128,
  WARNINGS = 256
};

/* Of these outputs those that the model has. */
static unsigned possible(const predict_case *c, unsigned wanted) {
  unsigned impossible = c->classes > 0 ? LOWER | UPPER | DEVIATIONS : PROBABILITIES | SETS;
  return wanted & ~impossible & ~(c->explanation == NULL ? EFFECTS : 0u);
}

/* What is asked for of the rows from `first` on, into the places of all rows. */
static entropic_outputs ask(const predict_case *c, unsigned wanted, size_t first, arrays *to) {
  entropic_outputs out = no_outputs();
  out.level = level;
  out.scores = wanted & SCORES ? to->scores + first * c->scores : NULL;
  out.predictions = wanted & PREDICTIONS ? to->predictions + first * c->targets : NULL;
  out.probabilities = wanted & PROBABILITIES ? to->probabilities + first * c->classes : NULL;
  out.lower = wanted & LOWER ? to->lower + first * c->targets : NULL;
  out.upper = wanted & UPPER ? to->upper + first * c->targets : NULL;
  out.class_sets = wanted & SETS ? to->sets + first * c->classes : NULL;
  out.deviations = wanted & DEVIATIONS ? to->deviations + first * c->targets : NULL;
  out.effects = wanted & EFFECTS ? to->effects + first * c->effects : NULL;
  out.explanation = c->explanation;
  out.warnings = wanted & WARNINGS ? &to->warnings : NULL;
  out.warnings_size = sizeof to->warnings;
  return out;
}

/* An array that was asked for is as expected; another is as it was made. */
static void check_array(bool wanted, const void *found, const void *expected, size_t size) {
  static const unsigned char none[ROWS * 64];
  assert_true(size <= sizeof none || wanted);
  assert_memory_equal(found, wanted ? expected : none, size);
}

static void check(const predict_case *c, unsigned wanted, const arrays *found) {
  const arrays *e = &c->expected;
  size_t each = ROWS * sizeof(double);
  check_array(wanted & SCORES, found->scores, e->scores, each * c->scores);
  check_array(wanted & PREDICTIONS, found->predictions, e->predictions, each * c->targets);
  check_array(wanted & PROBABILITIES, found->probabilities, e->probabilities, each * c->classes);
  check_array(wanted & LOWER, found->lower, e->lower, each * c->targets);
  check_array(wanted & UPPER, found->upper, e->upper, each * c->targets);
  check_array(wanted & DEVIATIONS, found->deviations, e->deviations, each * c->targets);
  check_array(wanted & SETS, found->sets, e->sets, ROWS * c->classes);
  if (wanted & EFFECTS)
    assert_memory_equal(found->effects, e->effects, each * c->effects);
  entropic_data_warnings counts = wanted & WARNINGS ? e->warnings : (entropic_data_warnings){0};
  counts.clamped = wanted & PREDICTIONS ? counts.clamped : 0;
  assert_memory_equal(&found->warnings, &counts, sizeof counts);
}

static void check_cut(entropic_context *context, const predict_case *c, unsigned wanted, size_t cut) {
  arrays found = arrays_new(c);
  for (size_t first = 0; first < ROWS; first += cut) {
    entropic_outputs out = ask(c, wanted, first, &found);
    size_t rows = ROWS - first < cut ? ROWS - first : cut;
    ASSERT_OK(context, entropic_predict(context, c->model, c->x + first * c->inputs, rows, c->inputs, &out));
  }
  check(c, wanted, &found);
  arrays_free(&found);
}

static int go_on(void *user, const char *stage, double done) {
  (void)user;
  (void)stage;
  (void)done;
  return 0;
}

static void check_case(predict_case c) {
  static const size_t cuts[] = {ROWS, 1, 3, 5, 33, 300};
  entropic_context *context = context_with(1);
  unsigned all = possible(&c, 2 * WARNINGS - 1);
  for (size_t i = 0; i < COUNT(cuts); i++) {
    entropic_context_set_threads(context, 1 + (int)i % 3);
    check_cut(context, &c, all, cuts[i]);
    check_cut(context, &c, all & ~(unsigned)EFFECTS, cuts[i]);
  }
  for (unsigned one = 1; one <= WARNINGS; one *= 2)
    check_cut(context, &c, possible(&c, one), one % 3 == 1 ? 3 : ROWS);
  check_cut(context, &c, possible(&c, PREDICTIONS | WARNINGS), ROWS);
  entropic_context_set_progress(context, go_on, NULL);
  check_cut(context, &c, all, ROWS);
  entropic_context_free(context);
  case_free(&c);
}

static void as_by_hand(void **state) {
  (void)state;
  for (size_t i = 0; i < MODEL_PLANS; i++)
    check_case(case_of(plan_model(&model_plans[i], 20 + i), &model_plans[i], i));
}

/* With bounds that predictions pass, inputs that are not used, and without features. */
static void as_by_hand_newest(void **state) {
  (void)state;
  size_t clamped = 0;
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    const model_plan *plan = &model_plans[i];
    predict_case c = case_of(plan_newest(plan, i), plan, i);
    clamped += c.expected.warnings.clamped;
    assert_true(c.expected.warnings.missing > 0);
    check_case(c);
    if (plan->solver != ENTROPIC_SOLVER_EXACT)
      check_case(case_of(plan_constant(plan, i), plan, i));
  }
  assert_true(clamped > ROWS);
}

/* The wrappers give the same. */
static void wrappers(void **state) {
  (void)state;
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    predict_case c = case_of(plan_newest(&model_plans[i], i), &model_plans[i], i);
    arrays found = arrays_new(&c);
    entropic_context *context = context_with(2);
    for (int watched = 0; watched < 2; watched++) {
      entropic_context_set_progress(context, watched ? go_on : NULL, NULL);
      ASSERT_OK(context, entropic_model_predict(context, c.model, c.x, ROWS, c.inputs, found.predictions));
      check_array(true, found.predictions, c.expected.predictions, ROWS * c.targets * sizeof(double));
      if (c.classes == 0)
        continue;
      ASSERT_OK(context, entropic_model_probabilities(context, c.model, c.x, ROWS, c.inputs, found.probabilities));
      check_array(true, found.probabilities, c.expected.probabilities, ROWS * c.classes * sizeof(double));
    }
    entropic_context_free(context);
    arrays_free(&found);
    case_free(&c);
  }
}

static void expect_refusal(const predict_case *c, const entropic_outputs *out, const char *text) {
  entropic_context *context = context_with(1);
  for (size_t rows = 0; rows < 3; rows += 2) {
    assert_int_equal(entropic_predict(context, c->model, c->x, rows, c->inputs, out), ENTROPIC_BAD_ARGUMENT);
    assert_non_null(strstr(entropic_context_message(context), text));
  }
  entropic_context_free(context);
}

static void refusals_say_why(void **state) {
  (void)state;
  const model_plan *plans[] = {plan_named("direct"), plan_named("four classes, logistic")};
  for (size_t i = 0; i < COUNT(plans); i++) {
    predict_case c = case_of(plan_model(plans[i], 1), plans[i], 1),
                 other = case_of(plan_model(plans[i], 2), plans[i], 2);
    unsigned absent = i == 0 ? PROBABILITIES | SETS : LOWER | UPPER | DEVIATIONS, level_of = i == 0 ? LOWER : SETS;
    arrays to = arrays_new(&c);
    entropic_outputs out;
    for (unsigned one = 1; one < WARNINGS; one *= 2)
      if (absent & one) {
        out = ask(&c, one, 0, &to);
        expect_refusal(&c, &out, "the model predicts");
      }
    out = ask(&c, LOWER | SETS, 0, &to);
    expect_refusal(&c, &out, "cannot be combined");
    out = ask(&c, EFFECTS, 0, &to);
    out.explanation = NULL;
    expect_refusal(&c, &out, "need an explanation");
    out.explanation = other.explanation;
    expect_refusal(&c, &out, "another model");
    static const double levels[] = {0, -1, 1, 2, NAN, 0.999};
    for (size_t k = 0; k < COUNT(levels); k++) {
      out = ask(&c, level_of, 0, &to);
      out.level = levels[k];
      expect_refusal(&c, &out, "level");
    }
    out = ask(&c, WARNINGS, 0, &to);
    out.warnings_size = 8;
    expect_refusal(&c, &out, "size");
    out = ask(&c, PREDICTIONS, 0, &to);
    out.size--;
    expect_refusal(&c, &out, "size");
    ent_model_drop_intervals(c.model);
    out = ask(&c, level_of, 0, &to);
    expect_refusal(&c, &out, "no intervals");
    check(&c, 0, &to);
    arrays_free(&to);
    case_free(&c);
    case_free(&other);
  }
}

/* A program of a later version passes larger structs. */
static void larger_structs(void **state) {
  (void)state;
  const model_plan *plan = plan_named("direct");
  predict_case c = case_of(plan_model(plan, 1), plan, 1);
  arrays found = arrays_new(&c);
  struct {
    entropic_outputs now;
    void *later;
  } large;
  struct {
    entropic_data_warnings now;
    size_t later;
  } counts = {0};
  entropic_context *context = context_with(1);
  entropic_model_info info;
  ASSERT_OK(context, entropic_model_describe(context, c.model, &info, sizeof info));
  assert_true(info.interval_rows > 0 && info.interval_rows == ent_model_interval_rows(c.model));
  memset(&large, 0xff, sizeof large);
  assert_int_equal(entropic_outputs_init(&large.now, sizeof large), ENTROPIC_OK);
  assert_null(large.later);
  large.now.predictions = found.predictions;
  large.now.warnings = &counts.now;
  large.now.warnings_size = sizeof counts;
  ASSERT_OK(context, entropic_predict(context, c.model, c.x, ROWS, c.inputs, &large.now));
  check_array(true, found.predictions, c.expected.predictions, ROWS * c.targets * sizeof(double));
  assert_int_equal(counts.now.missing, c.expected.warnings.missing);
  large.later = &large;
  assert_int_equal(entropic_predict(context, c.model, c.x, ROWS, c.inputs, &large.now), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_outputs_init(NULL, sizeof large), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_outputs_init(&large.now, 0), ENTROPIC_BAD_ARGUMENT);
  entropic_context_free(context);
  arrays_free(&found);
  case_free(&c);
}

/* A row that is refused, wherever it is: the counts stay. */
static void bad_rows(void **state) {
  (void)state;
  static const size_t rows[] = {1, 3, ROWS};
  const model_plan *plan = plan_named("direct");
  predict_case c = case_of(plan_model(plan, 1), plan, 1);
  arrays found = arrays_new(&c);
  entropic_context *context = context_with(2);
  for (size_t i = 0; i < COUNT(rows); i++) {
    double *bad = &c.x[rows[i] * c.inputs - 1], kept = *bad;
    entropic_outputs out = ask(&c, possible(&c, i == 2 ? 2 * WARNINGS - 1 : PREDICTIONS | WARNINGS), 0, &found);
    *bad = INFINITY;
    assert_int_equal(entropic_predict(context, c.model, c.x, rows[i], c.inputs, &out), ENTROPIC_BAD_DATA);
    char text[32];
    snprintf(text, sizeof text, "row %zu,", rows[i]);
    assert_non_null(strstr(entropic_context_message(context), text));
    assert_int_equal(found.warnings.missing + found.warnings.outside + found.warnings.clamped, 0);
    assert_int_equal(entropic_predict(context, c.model, c.x, rows[i], c.inputs - 1, &out), ENTROPIC_BAD_ARGUMENT);
    *bad = kept;
  }
  entropic_context_free(context);
  arrays_free(&found);
  case_free(&c);
}

static int stop_at_once(void *user, const char *stage, double done) {
  size_t *calls = user;
  assert_non_null(stage);
  assert_true(done >= 0 && done <= 1);
  return ++*calls > 0;
}

/* In a call that asks at every poll: with and without effects, and of a model of the exact kernel. */
static void cancelled(void **state) {
  (void)state;
  static const char *const names[] = {"direct", "exact, laplace"};
  for (size_t i = 0; i < COUNT(names); i++) {
    const model_plan *plan = plan_named(names[i]);
    predict_case c = case_of(plan_model(plan, 1), plan, 1);
    arrays found = arrays_new(&c);
    unsigned all = possible(&c, 2 * WARNINGS - 1);
    entropic_context *context = context_with(1); /* with more, others may have done all before the caller polls */
    for (unsigned turn = 0; turn < 2; turn++) {
      size_t calls = 0;
      ent_call call;
      entropic_outputs out = ask(&c, turn == 0 ? all : all & ~(unsigned)EFFECTS, 0, &found);
      listen_start(context, &call, stop_at_once, &calls);
      assert_int_equal(entropic_predict(context, c.model, c.x, ROWS, c.inputs, &out), ENTROPIC_CANCELLED);
      listen_stop(context);
      assert_true(calls > 0);
      assert_int_equal(found.warnings.missing + found.warnings.outside, 0);
    }
    check_cut(context, &c, all, ROWS);
    entropic_context_free(context);
    arrays_free(&found);
    case_free(&c);
  }
}

SUITE(explain_predict) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_by_hand),     cmocka_unit_test(as_by_hand_newest),
                                     cmocka_unit_test(wrappers),       cmocka_unit_test(refusals_say_why),
                                     cmocka_unit_test(larger_structs), cmocka_unit_test(bad_rows),
                                     cmocka_unit_test(cancelled)};
  return cmocka_run_group_tests_name("explain_predict", tests, NULL, NULL);
}

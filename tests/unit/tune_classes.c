/* Validation of class models: error rates, losses and inverse temperatures against plain recomputation. */
#include "unit/validation_splits.h"

#include "tune/classes.h"
#include "solve/majorised.h"
#include "sums/pass.h"

#include "unit/fixture.h"

#define MOST_CLASSES 10

/* A ground whose rows have classes. */
typedef struct setting {
  ground g;
  size_t classes, scores;
  double *labels; /* of all rows: the only target of the logistic loss; g has -1 and 1 */
  ent_validation_splits logistic;
  ent_block logistic_valid;
  ent_lifting lifting;
  ent_learner learner;
} setting;

static ent_class_splits tries_of(const setting *at, const ent_validation_splits *splits, size_t parts) {
  return (ent_class_splits){
      .splits = splits, .classes = at->classes, .parts = parts, .learners = &at->learner, .learner_count = 1};
}

static void set_classes(setting *at) {
  ground *g = &at->g;
  for (size_t r = 0; r < g->rows + g->others; r++)
    for (size_t k = 0; k < at->scores; k++)
      g->y[r * at->scores + k] = at->labels[r] == (double)(at->scores == 1 ? 1 : k) ? 1 : -1;
}

/* The setting must stay where it is. */
static void setting_start(setting *at, size_t classes, size_t rows, size_t others, bool weighted, uint64_t seed) {
  *at = (setting){.classes = classes, .scores = classes == 2 ? 1 : classes};
  ground *g = &at->g;
  ground_start(g, (ground_options){.rows = rows,
                                   .others = others,
                                   .folds = 3,
                                   .inputs = 2,
                                   .targets = at->scores,
                                   .weighted = weighted,
                                   .seed = seed});
  at->labels = calloc(rows + others, sizeof *at->labels);
  entropic_random random = entropic_random_start(seed, 5);
  for (size_t r = 0; r < rows + others; r++) {
    double value = g->x[2 * r] + 0.7 * g->x[2 * r + 1] + 0.15 * entropic_random_normal(&random);
    at->labels[r] = fmin(fmax(floor(value / 1.7 * (double)classes), 0), (double)classes - 1);
    if (r < 4 * classes || (r >= rows && r < rows + classes)) /* every class is in every part */
      at->labels[r] = (double)(r % classes);
    if (r < 4 * classes) {
      g->fold_of[r] = r / classes % 3;
      g->weights[r] = 1;
    }
  }
  set_classes(at);
  at->logistic = g->splits;
  at->logistic.targets = 1;
  at->logistic.train.y = at->labels;
  at->logistic.train.y_stride = 1;
  at->logistic_valid = g->valid;
  at->logistic_valid.y = at->labels + rows;
  at->logistic_valid.y_stride = 1;
  if (others > 0)
    at->logistic.valid = &at->logistic_valid;
  static entropic_axis_options axes[2];
  axes[0] = axes[1] = ent_axis_options_default();
  ent_features features = {.axes = axes, .inputs = 2, .design = ent_design_options_default()};
  ASSERT_OK(context, ent_features_make(context, &features, 2, 12, &at->lifting));
  ground_lift(g, at->lifting.lift);
  at->learner = (ent_learner){.solver = ENTROPIC_SOLVER_DIRECT, .map = &at->lifting.map};
}

static void setting_stop(setting *at) {
  ent_lifting_clear(&at->lifting);
  free(at->labels);
  ground_stop(&at->g);
}

/* Scores of rows held out, all parts after each other. */
typedef struct held_out {
  size_t rows;
  size_t *row; /* which */
  double *scores;
} held_out;

static held_out held_start(const setting *at) {
  size_t all = at->g.rows + at->g.others;
  return (held_out){.row = calloc(all, sizeof(size_t)), .scores = calloc(all * at->scores, sizeof(double))};
}

static void held_stop(held_out *h) {
  free(h->row);
  free(h->scores);
}

/* Scores of the part's rows with weights a[score * features + feature] and offsets. */
static void add_scores(const setting *at, size_t part, const double *a, const double *offsets, held_out *h) {
  const ground *g = &at->g;
  for (size_t r = 0; r < g->rows + g->others; r++) {
    if (!is_out(g, part, r))
      continue;
    for (size_t k = 0; k < at->scores; k++) {
      long double sum = (long double)offsets[k];
      for (size_t i = 0; i < g->features; i++)
        sum += (long double)a[k * g->features + i] * (long double)g->z[r * g->features + i];
      h->scores[h->rows * at->scores + k] = (double)sum;
    }
    h->row[h->rows++] = r;
  }
}

static size_t plain_class(size_t classes, const double *scores) {
  size_t best = 0;
  if (classes == 2)
    return scores[0] > 0 ? 1 : 0;
  for (size_t k = 0; k < classes; k++)
    best = scores[k] > scores[best] ? k : best;
  return best;
}

static double plain_error(const setting *at, const held_out *h) {
  double wrong = 0, weight = 0;
  for (size_t i = 0; i < h->rows; i++) {
    double w = at->g.weights[h->row[i]];
    weight += w;
    wrong += plain_class(at->classes, h->scores + i * at->scores) == (size_t)at->labels[h->row[i]] ? 0 : w;
  }
  return wrong / weight;
}

/* ln of the probability of class k. */
static long double plain_log(const setting *at, const double *scores, double inverse_temperature, size_t k) {
  double both[] = {0, scores[0]};
  const double *of = at->classes == 2 ? both : scores;
  long double all = 0;
  for (size_t i = 0; i < at->classes; i++)
    all += expl((long double)inverse_temperature * ((long double)of[i] - (long double)of[k]));
  return -logl(all);
}

static double doubted_loss(const setting *at, const held_out *h, double inverse_temperature) {
  long double sum = 0, weight = 0, doubt = 1 / (long double)(h->rows + 1);
  for (size_t i = 0; i < h->rows; i++) {
    size_t label = (size_t)at->labels[h->row[i]];
    long double w = (long double)at->g.weights[h->row[i]], others = 0;
    for (size_t k = 0; k < at->classes; k++)
      others += k == label ? 0 : plain_log(at, h->scores + i * at->scores, inverse_temperature, k);
    sum -= w * ((1 - doubt) * plain_log(at, h->scores + i * at->scores, inverse_temperature, label) +
                doubt * others / (long double)(at->classes - 1));
    weight += w;
  }
  return (double)(sum / weight);
}

static double plain_loss(const setting *at, const held_out *h, double inverse_temperature) {
  long double sum = 0, weight = 0;
  for (size_t i = 0; i < h->rows; i++) {
    size_t label = (size_t)at->labels[h->row[i]];
    long double w = (long double)at->g.weights[h->row[i]], all = 0, chance;
    const double *scores = h->scores + i * at->scores;
    if (at->classes == 2) {
      chance = 1 / (1 + expl((label == 1 ? -1 : 1) * (long double)(inverse_temperature * scores[0])));
    } else {
      for (size_t k = 0; k < at->classes; k++)
        all += expl((long double)inverse_temperature * (long double)(scores[k] - scores[label]));
      chance = 1 / all;
    }
    weight += w;
    sum -= w * logl(chance < 1e-15L ? 1e-15L : chance);
  }
  return (double)(sum / weight);
}

/* Numbers of the rows that a part leaves; the caller frees them. */
static size_t *numbers_without(const setting *at, size_t part, size_t *count) {
  size_t *numbers = calloc(at->g.rows, sizeof *numbers);
  *count = 0;
  for (size_t r = 0; r < at->g.rows; r++)
    if (is_in(&at->g, part, r))
      numbers[(*count)++] = r;
  return numbers;
}

/* The figures of the validation scores are those of plain loops. */
static void check_told(setting *at, double lambda, size_t parts, bool hinge, const held_out *h) {
  ent_class_validation class_validation;
  ent_class_splits tries = tries_of(at, &at->g.splits, parts);
  ASSERT_OK(context, ent_class_validate_signs(context, &tries, &lambda, hinge ? &ent_loss_hinge : &ent_loss_squared,
                                              &class_validation));
  assert_int_equal(class_validation.rows, h->rows);
  assert_true(class_validation.lambda == lambda);
  assert_close(class_validation.error, plain_error(at, h), 1e-12);
  assert_close(class_validation.loss, plain_loss(at, h, class_validation.inverse_temperature), 1e-8);
  /* No inverse temperature of a fine scan is better by more than the width of the last section allows. */
  double least = doubted_loss(at, h, class_validation.inverse_temperature);
  for (double power = -6.9; power <= 6.9; power += 0.01)
    assert_true(least <= doubted_loss(at, h, exp(power)) + 1e-6);
}

static void check_squared(setting *at, double lambda, size_t parts) {
  size_t n = at->g.features;
  held_out h = held_start(at);
  double *a = calloc(at->scores * n, sizeof *a), offsets[MOST_CLASSES];
  for (size_t part = 0; part < parts; part++) {
    for (size_t k = 0; k < at->scores; k++)
      offsets[k] = refit(&at->g, part, n, k, lambda, a + k * n);
    add_scores(at, part, a, offsets, &h);
  }
  check_told(at, lambda, parts, false, &h);
  free(a);
  held_stop(&h);
}

/* The fits themselves are for solve_hinge to check. */
static void check_hinge(setting *at, double lambda, size_t parts) {
  held_out h = held_start(at);
  for (size_t part = 0; part < parts; part++) {
    size_t count, *numbers = numbers_without(at, part, &count);
    ent_row_subset subset = {
        .from = {.all = at->g.splits.train, .inputs = 2, .targets = at->scores}, .numbers = numbers, .count = count};
    ent_rows rows = ent_rows_of_subset(&subset);
    ent_majorised *fit = NULL;
    ASSERT_OK(context,
              ent_majorised_fit(context,
                                &(ent_majorised_problem){
                                    .map = &at->lifting.map, .rows = &rows, .loss = &ent_loss_hinge, .lambda = lambda},
                                ent_majorised_options_default(&ent_loss_hinge), &fit));
    assert_true(fit->converged);
    add_scores(at, part, fit->weights, fit->offsets, &h);
    ent_majorised_free(fit);
    ent_row_subset_clear(&subset);
    free(numbers);
  }
  check_told(at, lambda, parts, true, &h);
  held_stop(&h);
}

static void squared_equals_plain_recomputation(void **state) {
  (void)state;
  static const size_t classes[] = {2, 3, 10};
  for (size_t i = 0; i < COUNT(classes); i++)
    for (int others = 0; others < 2; others++)
      for (int weighted = 0; weighted < 2; weighted++) {
        setting at;
        setting_start(&at, classes[i], 60 + 5 * classes[i], others ? 33 : 0, weighted, 3 + i);
        check_squared(&at, 1e-2, ground_parts(&at.g));
        if (!others)
          check_squared(&at, 1e-4, 1);
        setting_stop(&at);
      }
}

static void hinge_equals_plain_recomputation(void **state) {
  (void)state;
  static const size_t classes[] = {2, 3, 10};
  for (size_t i = 0; i < COUNT(classes); i++)
    for (int others = 0; others < 2; others++) {
      setting at;
      setting_start(&at, classes[i], 60 + 5 * classes[i], others ? 33 : 0, others == 0, 3 + i);
      check_hinge(&at, 1e-3, ground_parts(&at.g));
      if (!others)
        check_hinge(&at, 1e-4, 1);
      /* The other loss says something else. */
      ent_class_validation class_validation[2];
      ent_class_splits tries = tries_of(&at, &at.g.splits, ground_parts(&at.g));
      for (int hinge = 0; hinge < 2; hinge++)
        ASSERT_OK(context,
                  ent_class_validate_signs(context, &tries, &(double){1e-3},
                                           hinge ? &ent_loss_hinge : &ent_loss_squared, &class_validation[hinge]));
      assert_true(fabs(class_validation[0].loss - class_validation[1].loss) > 1e-4);
      setting_stop(&at);
    }
}

/* If no row is misclassified, the next error must not get probability 0. */
static void squared_stays_in_doubt_where_nothing_is_wrong(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 3; classes++) {
    setting at;
    setting_start(&at, classes, 200, 0, true, 12);
    for (size_t r = 0; r < 200; r++) { /* rows near a border do not count */
      double place = at.g.x[2 * r] * (double)classes;
      at.labels[r] = fmin(floor(place), (double)classes - 1);
      at.g.weights[r] = fabs(place - floor(place) - 0.5) < 0.3 ? 1 : 0;
    }
    set_classes(&at);
    check_squared(&at, 1e-3, 3);
    ent_class_validation class_validation;
    ent_class_splits tries = tries_of(&at, &at.g.splits, 3);
    ASSERT_OK(context,
              ent_class_validate_signs(context, &tries, &(double){1e-3}, &ent_loss_squared, &class_validation));
    assert_true(class_validation.error == 0);
    assert_true(class_validation.loss >= 1e-4 && class_validation.loss <= 0.1);
    setting_stop(&at);
  }
}

/* A class that is held out whole cannot be learnt, but the others can. */
static void squared_with_a_class_held_out_whole(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 3; classes++) {
    setting at;
    setting_start(&at, classes, 60, 0, true, 8);
    for (size_t r = 0; r < 60; r++)
      if (at.labels[r] == (double)(classes - 1))
        at.g.fold_of[r] = 1;
    check_squared(&at, 1e-2, 3);
    setting_stop(&at);
  }
}

/* Logistic fits of the other parts, one lambda at a time from the start. */
static held_out fit_parts(setting *at, const bool *idle, size_t parts, double lambda) {
  held_out h = held_start(at);
  for (size_t part = 0; part < parts; part++) {
    if (idle[part])
      continue;
    size_t count, *numbers = numbers_without(at, part, &count);
    ent_row_subset subset = {
        .from = {.all = at->logistic.train, .inputs = 2, .targets = 1}, .numbers = numbers, .count = count};
    ent_rows rows = ent_rows_of_subset(&subset);
    ent_logistic *fit = NULL;
    ASSERT_OK(context,
              ent_logistic_fit(context,
                               &(ent_logistic_problem){
                                   .map = &at->lifting.map, .rows = &rows, .classes = at->classes, .lambda = lambda},
                               ent_logistic_options_default(), &fit));
    assert_int_equal(fit->end, ENT_END_CONVERGED);
    add_scores(at, part, fit->weights, fit->offsets, &h);
    ent_logistic_free(fit);
    ent_row_subset_clear(&subset);
    free(numbers);
  }
  return h;
}

static const double lambdas[] = {0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4};
#define LAMBDAS COUNT(lambdas)

/* The figures that are expected, with the lambdas tried so far. */
typedef struct expected {
  double least, best, error;
  size_t rows;
  bool better, on;
} expected;

static void expect_at(setting *at, const bool *idle, size_t parts, size_t i, expected *e) {
  held_out h = fit_parts(at, idle, parts, lambdas[i]);
  double loss = plain_loss(at, &h, 1), before = e->least;
  e->rows = h.rows;
  e->better = loss < before;
  e->on = true;
  if (e->better) {
    *e = (expected){.least = loss, .best = lambdas[i], .error = plain_error(at, &h), .rows = h.rows, .better = true};
    e->on = !(before - loss < 1e-3 * before);
  }
  held_stop(&h);
}

/* From `begin` down, or else up, every second one. */
static expected expect(setting *at, const bool *idle, size_t parts, size_t begin) {
  expected e = {.least = INFINITY};
  bool fallen = false;
  expect_at(at, idle, parts, begin, &e);
  for (size_t i = begin + 2; i < LAMBDAS && e.on; i += 2) {
    expect_at(at, idle, parts, i, &e);
    fallen |= e.better;
    e.on &= e.better;
  }
  e.on = !fallen;
  for (size_t i = begin; i >= 2 && e.on; i -= 2) {
    expect_at(at, idle, parts, i - 2, &e);
    e.on &= e.better;
  }
  return e;
}

static void check_logistic(setting *at, const bool *idle, size_t parts, size_t start_at) {
  ent_class_validation class_validation = {0};
  ent_logistic *begin = NULL;
  ent_class_splits tries = tries_of(at, &at->logistic, parts);
  ent_lambda_path path = {{lambdas, LAMBDAS}, start_at};
  ASSERT_OK(context, ent_class_validate_logistic(context, &tries, path, &class_validation, &begin));
  expected e = expect(at, idle, parts, start_at);
  assert_int_equal(class_validation.rows, e.rows);
  assert_true(class_validation.lambda == e.best);
  assert_close(class_validation.loss, e.least, 1e-3 * e.least); /* trials are less exact than fits */
  assert_close(class_validation.error, e.error, 1e-12);
  assert_true(class_validation.inverse_temperature == 1);
  assert_non_null(begin);
  assert_int_equal(begin->features, at->g.features);
  assert_int_equal(begin->classes, at->classes);
  ent_logistic_free(begin);
}

static void logistic_equals_plain_recomputation(void **state) {
  (void)state;
  static const size_t classes[] = {2, 3, 10};
  static const bool busy[3] = {false, false, false};
  for (size_t i = 0; i < COUNT(classes); i++)
    for (int others = 0; others < 2; others++) {
      setting at;
      setting_start(&at, classes[i], 60 + 5 * classes[i], others ? 33 : 0, true, 13 + i);
      check_logistic(&at, busy, ground_parts(&at.g), i);
      if (!others)
        check_logistic(&at, busy, 1, LAMBDAS - 1);
      setting_stop(&at);
    }
}

/* The part that holds a class whole is left out; if all do, there is nothing to tell. */
static void logistic_with_a_class_held_out_whole(void **state) {
  (void)state;
  static const bool second[3] = {false, true, false};
  for (size_t classes = 2; classes <= 3; classes++) {
    setting at;
    setting_start(&at, classes, 80, 0, true, 21);
    for (size_t r = 0; r < 80; r++)
      if (at.labels[r] == (double)(classes - 1))
        at.g.fold_of[r] = 1;
    check_logistic(&at, second, 3, 2);
    ent_class_validation class_validation = {.rows = 99};
    ent_logistic *begin = NULL;
    for (size_t r = 0; r < 80; r++)
      at.g.fold_of[r] = (size_t)fmin(at.labels[r], 2);
    at.logistic.folds = classes;
    ent_class_splits tries = tries_of(&at, &at.logistic, classes);
    ent_lambda_path path = {{lambdas, LAMBDAS}, 0};
    ASSERT_OK(context, ent_class_validate_logistic(context, &tries, path, &class_validation, &begin));
    assert_int_equal(class_validation.rows, 0);
    assert_null(begin);
    setting_stop(&at);
  }
}

static void scores_speak_for_classes(void **state) {
  (void)state;
  assert_int_equal(ent_class_scores(2), 1);
  assert_int_equal(ent_class_scores(3), 3);
  assert_int_equal(ent_class_scores(10), 10);
  assert_int_equal(ent_class_of(2, (const double[]){0}), 0);
  assert_int_equal(ent_class_of(2, (const double[]){-1}), 0);
  assert_int_equal(ent_class_of(2, (const double[]){1e-300}), 1);
  assert_int_equal(ent_class_of(3, (const double[]){1, 1, 1}), 0);
  assert_int_equal(ent_class_of(3, (const double[]){1, 2, 2}), 1);
  assert_int_equal(ent_class_of(4, (const double[]){-4, -3, -2, -1}), 3);
}

SUITE(tune_classes) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(squared_equals_plain_recomputation),
                                     cmocka_unit_test(hinge_equals_plain_recomputation),
                                     cmocka_unit_test(squared_stays_in_doubt_where_nothing_is_wrong),
                                     cmocka_unit_test(squared_with_a_class_held_out_whole),
                                     cmocka_unit_test(logistic_equals_plain_recomputation),
                                     cmocka_unit_test(logistic_with_a_class_held_out_whole),
                                     cmocka_unit_test(scores_speak_for_classes)};
  return cmocka_run_group_tests_name("tune_classes", tests, start_two_threads, stop);
}

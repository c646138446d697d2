/* Models of several components: what each of them is, and what they are together. */
#include "unit/saving.h"

#include "explain/explanation.h"
#include "explain/effects_rows.h"
#include "model/joint.h"

enum { ROWS = 40 };

/* Two models of the same inputs, and their sum: three of them at most are moved into one. */
typedef struct sum_case {
  const char *name;
  model_plan plans[3];
  size_t count;
} sum_case;

#define NUMBERS(plan_name, plan_scaling, plan_family, plan_solver, plan_features, plan_categories)                     \
  {                                                                                                                    \
    .name = plan_name, .task = ENTROPIC_TASK_REGRESSION, .loss = ENTROPIC_LOSS_SQUARED, .solver = plan_solver,         \
    .scaling = plan_scaling, .family = plan_family, .inputs = 4, .outputs = 2, .features = plan_features,              \
    .categories = plan_categories                                                                                      \
  }

static const sum_case features_alone[] = {
    {"two scalings, two kernels",
     {NUMBERS("quantile", ENTROPIC_SCALING_QUANTILE, ENTROPIC_FAMILY_CENTRED, ENTROPIC_SOLVER_DIRECT, 60, true),
      NUMBERS("minmax", ENTROPIC_SCALING_MINMAX, ENTROPIC_FAMILY_LAPLACE, ENTROPIC_SOLVER_DIRECT, 35, true)},
     2},
    {"three, of bases that differ",
     {NUMBERS("blend", ENTROPIC_SCALING_BLEND, ENTROPIC_FAMILY_COSH, ENTROPIC_SOLVER_DIRECT, 30, false),
      NUMBERS("minmax", ENTROPIC_SCALING_MINMAX, ENTROPIC_FAMILY_BROWNIAN, ENTROPIC_SOLVER_DIRECT, 12, false),
      NUMBERS("none", ENTROPIC_SCALING_QUANTILE, ENTROPIC_FAMILY_SOBOLEV, ENTROPIC_SOLVER_DIRECT, 25, false)},
     3},
};

static const sum_case with_centres[] = {
    {"features and centres",
     {NUMBERS("quantile", ENTROPIC_SCALING_QUANTILE, ENTROPIC_FAMILY_CENTRED, ENTROPIC_SOLVER_DIRECT, 60, true),
      NUMBERS("centres", ENTROPIC_SCALING_MINMAX, ENTROPIC_FAMILY_LAPLACE, ENTROPIC_SOLVER_EXACT, 25, true)},
     2},
    {"centres and features",
     {NUMBERS("centres", ENTROPIC_SCALING_MINMAX, ENTROPIC_FAMILY_LAPLACE, ENTROPIC_SOLVER_EXACT, 25, true),
      NUMBERS("quantile", ENTROPIC_SCALING_QUANTILE, ENTROPIC_FAMILY_CENTRED, ENTROPIC_SOLVER_DIRECT, 60, true)},
     2},
};

/* A model alone, without offsets but those of the first. */
static entropic_model *part_of(const sum_case *c, size_t number) {
  entropic_model *part = plan_model(&c->plans[number], 3 + number);
  for (size_t k = 0; k < part->scores && number > 0; k++)
    part->offsets[k] = 0;
  return part;
}

static entropic_model *sum_of(const sum_case *c) {
  entropic_model *sum = plan_sum(c->plans, c->count, 3);
  assert_int_equal(ent_model_components(sum), c->count);
  return sum;
}

/* Scores are added in the order of the components, for any number of rows and threads. */
static void check_scores(const sum_case *c, const entropic_model *sum) {
  double *x = plan_rows(&c->plans[0], ROWS, 9, true), *found = calloc(ROWS * 2, sizeof *found);
  double *expected = calloc(ROWS * 2, sizeof *expected), *one = calloc(ROWS * 2, sizeof *one);
  for (size_t i = 0; i < c->count; i++) {
    entropic_model *part = part_of(c, i);
    ASSERT_OK(NULL, entropic_model_predict(NULL, part, x, ROWS, 4, one));
    for (size_t r = 0; r < ROWS * 2; r++)
      expected[r] += one[r];
    entropic_model_free(part);
  }
  for (int threads = 1; threads <= 3; threads++) {
    entropic_context *context = context_with(threads);
    for (size_t rows = 1; rows <= ROWS; rows += 13) {
      ASSERT_OK(context, entropic_model_predict(context, sum, x, rows, 4, found));
      assert_memory_equal(found, expected, rows * 2 * sizeof *found);
    }
    entropic_context_free(context);
  }
  free(x);
  free(found);
  free(expected);
  free(one);
}

static void scores_add_up(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(features_alone) + COUNT(with_centres); i++) {
    const sum_case *c = i < COUNT(features_alone) ? &features_alone[i] : &with_centres[i - COUNT(features_alone)];
    entropic_model *sum = sum_of(c);
    check_scores(c, sum);
    entropic_model_free(sum);
  }
}

/* Bytes come back, and say the version that has components. */
static void files(void **state) {
  for (size_t i = 0; i < COUNT(features_alone) + COUNT(with_centres); i++) {
    const sum_case *c = i < COUNT(features_alone) ? &features_alone[i] : &with_centres[i - COUNT(features_alone)];
    there_and_back(state, &c->plans[0], sum_of(c));
    entropic_model *sum = sum_of(c), *loaded = NULL;
    unsigned char *bytes = NULL;
    size_t count = 0;
    ASSERT_OK(NULL, entropic_model_save_memory(NULL, sum, &bytes, &count));
    assert_int_equal(bytes[8], 7);
    ASSERT_OK(NULL, entropic_model_load_memory(NULL, bytes, count, &loaded));
    check_scores(c, loaded);
    entropic_bytes_free(bytes);
    entropic_model_free(loaded);
    entropic_model_free(sum);
  }
}

/* Any byte may be wrong: the file is refused, or it is a model that predicts. */
static void damage(void **state) {
  for (size_t i = 0; i < COUNT(with_centres); i++) {
    entropic_context *context = context_with(1);
    entropic_model *sum = sum_of(&with_centres[i]), *loaded;
    saved file = save(state, sum, "sum");
    double x[4] = {1, 0, -1, 2}, y[2];
    size_t refusals = 0;
    uint8_t *copy = malloc(file.count);
    for (size_t at = 20; at + 4 < file.count; at += 1 + at % (quick_tests() ? 97 : 5)) {
      memcpy(copy, file.bytes, file.count);
      copy[at] ^= (uint8_t)(1 << at % 8);
      seal(copy, file.count);
      loaded = NULL;
      if (entropic_model_load_memory(context, copy, file.count, &loaded) == ENTROPIC_OK)
        ASSERT_OK(context, entropic_model_predict(context, loaded, x, 1, 4, y));
      else
        refusals++;
      entropic_model_free(loaded);
    }
    assert_true(refusals > 10);
    free(copy);
    free(file.bytes);
    entropic_model_free(sum);
    entropic_context_free(context);
  }
}

/* ---- Effects ---- */

static double *scaled_rows(const entropic_model *model, const double *x) {
  double *scaled = calloc(ROWS * ent_model_width(model), sizeof *scaled);
  ent_model_scale(model, x, ROWS, model->schema.inputs, scaled);
  return scaled;
}

static void learn(entropic_model *model, const double *x) {
  double *scaled = scaled_rows(model, x);
  ASSERT_OK(NULL, ent_model_marginals(NULL, model, scaled, ROWS, &model->marginals));
  free(scaled);
}

/* The effects of rows are the sums of those of the components. */
static void check_effects(const sum_case *c, const entropic_model *sum, const double *x) {
  enum { WIDTH = 2 * (1 + 4) };
  double *expected = calloc(ROWS * WIDTH, sizeof *expected), *found = calloc(ROWS * WIDTH, sizeof *found);
  double *scores = calloc(ROWS * 2, sizeof *scores), *scaled = scaled_rows(sum, x);
  ent_effects *e = NULL;
  for (size_t i = 0; i < c->count; i++) {
    entropic_model *part = part_of(c, i);
    double *own = scaled_rows(part, x);
    learn(part, x);
    ASSERT_OK(NULL, ent_effects_create(NULL, part, part->marginals, &e));
    ASSERT_OK(NULL, ent_effects_rows(NULL, e, own, ROWS, 4, found));
    for (size_t r = 0; r < ROWS; r++)
      for (size_t k = 0; k < 2; k++)
        for (size_t j = 0; j < 1 + e->used; j++) {
          size_t input = j == 0 ? 0 : 1 + e->inputs[j - 1];
          expected[(r * 2 + k) * 5 + input] += found[(r * 2 + k) * (1 + e->used) + j];
        }
    ent_effects_free(e);
    entropic_model_free(part);
    free(own);
  }
  ASSERT_OK(NULL, ent_effects_create(NULL, sum, sum->marginals, &e));
  assert_int_equal(e->used, 4);
  ASSERT_OK(NULL, ent_effects_rows(NULL, e, scaled, ROWS, ent_model_width(sum), found));
  ASSERT_OK(NULL, ent_model_scores(NULL, sum, scaled, ROWS, ent_model_width(sum), scores));
  for (size_t i = 0; i < ROWS * WIDTH; i++)
    assert_near(found[i], expected[i], 1e-12, "%s, effect %zu", c->name, i);
  for (size_t r = 0; r < ROWS * 2; r++) {
    double all = 0;
    for (size_t j = 0; j < 5; j++)
      all += found[r * 5 + j];
    assert_near(all, scores[r], 1e-12, "%s, score %zu", c->name, r);
  }
  ent_effects_free(e);
  free(expected);
  free(found);
  free(scores);
  free(scaled);
}

/* The score of each combination of the values of a few rows, as if inputs were independent: its variance, and that of its
 * mean for each value of one input. */
static void check_shares(const sum_case *c) {
  enum { FEW = 6, ALL = FEW * FEW * FEW * FEW };
  entropic_model *sum = sum_of(c);
  double *rows = plan_rows(&c->plans[0], FEW, 21, false), *x = calloc(ALL * 4, sizeof *x);
  double *y = calloc(ALL * 2, sizeof *y), *scaled = calloc(FEW * ent_model_width(sum), sizeof *scaled);
  ent_effects *e = NULL;
  ent_effect_shares *shares = NULL;
  for (size_t r = 0; r < ALL; r++)
    for (size_t i = 0, left = r; i < 4; i++, left /= FEW)
      x[r * 4 + i] = rows[left % FEW * 4 + i];
  ASSERT_OK(NULL, entropic_model_predict(NULL, sum, x, ALL, 4, y));
  ent_model_scale(sum, rows, FEW, 4, scaled);
  ASSERT_OK(NULL, ent_model_marginals(NULL, sum, scaled, FEW, &sum->marginals));
  ASSERT_OK(NULL, ent_effects_create(NULL, sum, sum->marginals, &e));
  ASSERT_OK(NULL, ent_effect_shares_create(NULL, e, &shares));
  double unit = ldexp(1, 2 * e->unit);
  for (size_t k = 0; k < 2; k++) {
    double mean = 0, square = 0, of_mean[4][FEW] = {{0}};
    for (size_t r = 0; r < ALL; r++)
      mean += y[r * 2 + k] / ALL;
    for (size_t r = 0; r < ALL; r++) {
      double off = y[r * 2 + k] - mean;
      square += off * off / ALL;
      for (size_t i = 0, left = r; i < 4; i++, left /= FEW)
        of_mean[i][left % FEW] += off * FEW / ALL;
    }
    assert_near(shares->variances[k] * unit, square, 1e-11 * (1 + square), "%s, score %zu", c->name, k);
    for (size_t i = 0; i < 4; i++) {
      double first = 0;
      for (size_t v = 0; v < FEW; v++)
        first += of_mean[i][v] * of_mean[i][v] / FEW;
      assert_near(shares->first[k * 4 + i] * unit, first, 1e-11 * (1 + square), "%s, input %zu", c->name, i);
      assert_true(shares->total[k * 4 + i] * unit > 0.99 * first);
    }
  }
  ent_effect_shares_free(shares);
  ent_effects_free(e);
  entropic_model_free(sum);
  free(rows);
  free(x);
  free(y);
  free(scaled);
}

static void effects_add_up(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(features_alone); i++) {
    const sum_case *c = &features_alone[i];
    double *x = plan_rows(&c->plans[0], ROWS, 5, false);
    entropic_model *sum = sum_of(c), *loaded = NULL;
    unsigned char *bytes = NULL;
    size_t count = 0;
    learn(sum, x);
    check_effects(c, sum, x);
    ASSERT_OK(NULL, entropic_model_save_memory(NULL, sum, &bytes, &count));
    ASSERT_OK(NULL, entropic_model_load_memory(NULL, bytes, count, &loaded));
    assert_non_null(loaded->marginals);
    check_effects(c, loaded, x);
    check_shares(c);
    there_and_back(state, &c->plans[0], sum);
    entropic_bytes_free(bytes);
    entropic_model_free(loaded);
    free(x);
  }
}

SUITE(model_components) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scores_add_up), cmocka_unit_test(files), cmocka_unit_test(damage),
                                     cmocka_unit_test(effects_add_up)};
  return cmocka_run_group_tests_name("model_components", tests, make_quick_folder, remove_folder);
}

/* The table of losses: every one is complete, its slope is half its derivative, and its curvature at most that of the square.
 * One that lacks something is refused. */
#include "unit/tests.h"

#include <math.h>

#include "base/parameters.h"
#include "loss/loss.h"
#include "model/format.h"

static void all_are_complete(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  size_t count = 0;
  for (const ent_loss *loss; (loss = ent_loss_at(count)) != NULL; count++) {
    ASSERT_OK(context, ent_loss_check_table(context, loss));
    assert_true(loss->since <= ENT_MODEL_VERSION);
    for (size_t other = 0; other < count; other++)
      assert_string_not_equal(loss->name, ent_loss_at(other)->name);
  }
  assert_true(count >= 3);
#define NAMED(name, number, table)                                                                                     \
  assert_ptr_equal(ent_loss_of(ENTROPIC_LOSS_##name), &ent_loss_##table);                                              \
  assert_string_equal(ent_loss_name(ENTROPIC_LOSS_##name), #table);
  ENTROPIC_LOSS_MAP(NAMED)
  assert_string_equal(ent_loss_name(ENTROPIC_LOSS_AUTO), "auto");
  entropic_context_free(context);
}

static void what_is_no_loss(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  static const int strangers[] = {-1, 0, 200, 1 << 20};
  for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
    assert_null(ent_loss_of((entropic_loss)strangers[i]));
    assert_false(ent_loss_has((entropic_loss)strangers[i], 0));
    assert_int_equal(ent_loss_check(context, (entropic_loss)strangers[i]), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "expected one of entropic_loss");
  }
  assert_null(ent_loss_name((entropic_loss)200));
  entropic_context_free(context);
}

static const char *name_with_gaps(int number) {
  return number == 0 ? "auto" : number == 3 ? "squared" : number == 255 ? "huber" : NULL;
}

/* A name is found by its number, whatever numbers are free before it. */
static void numbers_have_gaps(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  entropic_parameters *parameters = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &parameters));
  assert_int_equal(ent_parameters_choice(parameters, "loss", name_with_gaps, 0, -1), -1);
  ASSERT_OK(context, entropic_parameters_set(context, parameters, "loss", "huber"));
  assert_int_equal(ent_parameters_choice(parameters, "loss", name_with_gaps, 0, -1), 255);
  ASSERT_OK(context, entropic_parameters_set(context, parameters, "loss", "squared"));
  assert_int_equal(ent_parameters_choice(parameters, "loss", name_with_gaps, 0, -1), 3);
  entropic_parameters_free(parameters);
  entropic_context_free(context);
}

static double any_row(double target, double score, double weight, double parameter, double *slope) {
  (void)parameter;
  *slope = weight * (score - target);
  return weight * (score - target) * (score - target);
}

static double any_parameter(double deviation) {
  return deviation;
}

static ent_loss whole_loss(void) {
  return (ent_loss){.name = "whole",
                    .help = "for numbers",
                    .traits = ENT_LOSS_NUMBERS,
                    .method = ENT_METHOD_MAJORISED,
                    .since = 1,
                    .tolerance = 1e-6,
                    .row = any_row};
}

/* Tables that somebody has not finished. */
static void half_of_one_is_refused(void **state) {
  (void)state;
  const ent_loss whole = whole_loss();
  struct {
    ent_loss loss;
    const char *lacks;
  } cases[] = {{whole, "lacks name"},
               {whole, "lacks help"},
               {whole, "numbers or classes"},
               {whole, "version of files"},
               {whole, "lacks method"},
               {whole, "lacks row"},
               {whole, "lacks tolerance"},
               {whole, "a method for numbers"},
               {whole, "no linear system"},
               {whole, "sums of a gradient"},
               {whole, "the bound of the second derivative"},
               {whole, "the bound of the second derivative"},
               {whole, "its curvature"},
               {whole, "losses of numbers are compared by nothing"},
               {whole, "a parameter for classes"}};
  cases[0].loss.name = NULL;
  cases[1].loss.help = NULL;
  cases[2].loss.traits = 0;
  cases[3].loss.since = 0;
  cases[4].loss.method = ENT_METHODS;
  cases[5].loss.row = NULL;
  cases[6].loss.tolerance = 0;
  cases[7].loss.method = ENT_METHOD_NEWTON;
  cases[8].loss.traits |= ENT_LOSS_STATISTICS;
  cases[9].loss.traits |= ENT_LOSS_GRADIENT_SUMS;
  cases[10].loss.traits |= ENT_LOSS_KINKS;
  cases[11].loss.traits |= ENT_LOSS_STEEP;
  cases[12].loss.method = ENT_METHOD_IRLS;
  cases[13].loss.contest.most_values = 1;
  cases[14].loss.traits |= ENT_LOSS_CLASSES;
  cases[14].loss.parameter = any_parameter;
  entropic_context *context = context_with(1);
  ASSERT_OK(context, ent_loss_check_table(context, &whole));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(ent_loss_check_table(context, &cases[i].loss), ENTROPIC_SYSTEM);
    assert_message(context, cases[i].lacks);
    assert_message(context, "is not complete");
  }
  entropic_context_free(context);
}

static double any_curvature(double target, double score, double weight, double parameter) {
  (void)target, (void)score, (void)parameter;
  return 2 * weight;
}

/* What has a place in the table and no code yet is said to be so. */
static void what_is_not_built(void **state) {
  (void)state;
  const ent_loss_given given = {.name = "quantile", .help = "which", .value = 0.5, .least = 0, .most = 1};
  ent_loss whole = whole_loss();
  whole.curvature = any_curvature;
  struct {
    ent_loss loss;
    const char *needs;
  } cases[] = {{whole, "needs Newton steps for numbers"},
               {whole, "needs a link other than the identity"},
               {whole, "needs several outputs"},
               {whole, "needs a parameter that the user gives"},
               {whole, "needs offsets of rows"}};
  cases[0].loss.method = ENT_METHOD_IRLS;
  cases[1].loss.link = ENT_LINK_ROOT;
  cases[2].loss.outputs = 3;
  cases[3].loss.given = &given;
  cases[4].loss.traits |= ENT_LOSS_OFFSETS;
  entropic_context *context = context_with(1);
  ASSERT_OK(context, ent_loss_check_table(context, &whole));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(ent_loss_check_table(context, &cases[i].loss), ENTROPIC_SYSTEM);
    assert_message(context, cases[i].needs);
    assert_message(context, "not built");
  }
  assert_int_equal(ent_loss_check_table(context, NULL), ENTROPIC_SYSTEM);
  entropic_context_free(context);
}

/* Losses are found by what they are for. */
static void found_by_traits(void **state) {
  (void)state;
  assert_int_equal(ent_loss_default(), ENTROPIC_LOSS_SQUARED);
  assert_int_equal(ent_loss_first(ENT_LOSS_STATISTICS), ENTROPIC_LOSS_SQUARED);
  assert_int_equal(ent_loss_first(ENT_LOSS_PROBABILITIES), ENTROPIC_LOSS_LOGISTIC);
  assert_int_equal(ent_loss_first(ENT_LOSS_OFFSETS), ENTROPIC_LOSS_AUTO);
  double before = INFINITY;
  size_t count = 0;
  for (entropic_loss loss; (loss = ent_loss_compared(count)) != ENTROPIC_LOSS_AUTO; count++) {
    double most = ent_loss_of(loss)->contest.most_values;
    assert_true(most > 0 && most <= before);
    assert_true(ent_loss_has(loss, ENT_LOSS_CLASSES));
    before = most;
  }
  assert_true(count >= 2);
}

static double a_deviance(double target, double score, double parameter) {
  return target + 10 * score + 100 * parameter;
}

/* Validation measures the loss of a row, unless the loss has a deviance. */
static void deviances(void **state) {
  (void)state;
  ent_loss loss = ent_loss_huber;
  assert_close(ent_loss_deviance(&loss, 3, 2.5, 1), 0.25, 1e-15);
  loss.deviance = a_deviance;
  assert_close(ent_loss_deviance(&loss, 3, 2, 1), 123, 0);
}

/* By differences, away from where the second derivative jumps. */
static void slopes_and_curvatures(void **state) {
  (void)state;
  const double step = 1e-5, parameter = 0.7;
  for (size_t place = 0; ent_loss_at(place) != NULL; place++) {
    const ent_loss *loss = ent_loss_at(place);
    double slope, before, after, unused, convex = INFINITY, steepest = 0;
    for (double score = -4; loss->row != NULL && score <= 4; score += 0.0637)
      for (int side = -1; side <= 1; side += 2) {
        double value = loss->row(side, score, 1, parameter, &slope);
        double low = loss->row(side, score - step, 1, parameter, &before);
        double high = loss->row(side, score + step, 1, parameter, &after);
        assert_true(value >= 0);
        assert_close(slope, (high - low) / (4 * step), 1e-5);
        double curvature = (after - before) / step; /* the second derivative: twice that of the half */
        convex = fmin(convex, curvature);
        steepest = fmax(steepest, curvature);
        double weighted = loss->row(side, score, 2.5, parameter, &unused);
        assert_close(weighted, 2.5 * value, 1e-12 * (1 + value));
        assert_close(unused, 2.5 * slope, 1e-12 * (1 + fabs(slope)));
      }
    if (loss->row == NULL)
      continue;
    assert_true(convex >= -1e-9);
    assert_true(steepest <= 2 + 1e-6);
    assert_true(steepest > 0);
  }
}

/* Huber's: squares within the width, lines beyond it, in one piece. */
static void hubers_loss(void **state) {
  (void)state;
  double slope;
  assert_close(ent_loss_huber.row(3, 2.5, 1, 1, &slope), 0.25, 1e-15);
  assert_close(slope, -0.5, 1e-15);
  assert_close(ent_loss_huber.row(3, -7, 1, 1, &slope), 19, 1e-13);
  assert_close(slope, -1, 1e-15);
  assert_close(ent_loss_huber.row(-7, 3, 2, 1, &slope), 38, 1e-13);
  assert_close(slope, 2, 1e-15);
  assert_close(ent_loss_huber.parameter(2), 2.69, 1e-12);
}

/* Of normal numbers the standard deviation, whatever a few of them are. */
static void deviations(void **state) {
  (void)state;
  enum { COUNT = 20001 };
  double *sizes = calloc(COUNT, sizeof *sizes);
  entropic_random random = entropic_random_start(5, 0);
  for (size_t i = 0; i < COUNT; i++)
    sizes[i] = i % 50 == 0 ? 1e9 : fabs(3 * entropic_random_normal(&random));
  assert_close(ent_loss_deviation(sizes, COUNT), 3, 0.12);
  assert_close(ent_loss_deviation((double[]){4, 1, 2}, 3), 2 / 0.6744897501960817, 1e-12);
  assert_close(ent_loss_deviation((double[]){4, 1, 2, 3}, 4), 2.5 / 0.6744897501960817, 1e-12);
  assert_close(ent_loss_deviation((double[]){0, 0, 5}, 3), 0, 0);
  assert_close(ent_loss_deviation(sizes, 0), 0, 0);
  free(sizes);
}

SUITE(loss_table) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_are_complete),  cmocka_unit_test(what_is_no_loss),
      cmocka_unit_test(numbers_have_gaps), cmocka_unit_test(half_of_one_is_refused),
      cmocka_unit_test(what_is_not_built), cmocka_unit_test(found_by_traits),
      cmocka_unit_test(deviances),         cmocka_unit_test(slopes_and_curvatures),
      cmocka_unit_test(hubers_loss),       cmocka_unit_test(deviations),
  };
  return cmocka_run_group_tests_name("loss_table", tests, NULL, NULL);
}

/* The factor of residuals, by hand: what the mean is worth, what the choice by a fold is worth, and where it is 1. */
#include "unit/learning.h"

#include "fit/interval_factor.h"

enum { ROWS = 40, MEMBERS = 2 };

/* A fit of one target: rows of both folds in turn, each predicted once, and left out of both members. */
typedef struct factor_case {
  entropic_context *context;
  entropic_dataset data;
  ent_fit fit;
  ent_fitted fitted;
  ent_member members[MEMBERS];
  double y[ROWS], weights[ROWS], held[ROWS], inner[ROWS], outer[ROWS], left_out[MEMBERS][ROWS];
  size_t fold_of[ROWS], numbers[ROWS];
} factor_case;

/* The member of the row's own fold leaves the score `own`, the other one `other`; all targets are `y`. */
static void fill(factor_case *c, double y, double own, double other) {
  *c = (factor_case){.context = context_with(1)};
  for (size_t r = 0; r < ROWS; r++) {
    c->numbers[r] = r;
    c->fold_of[r] = r % MEMBERS;
    c->y[r] = y;
    c->weights[r] = 1;
    c->held[r] = y + 2;
    c->inner[r] = c->outer[r] = y + 1;
    c->left_out[r % MEMBERS][r] = own;
    c->left_out[1 - r % MEMBERS][r] = other;
  }
  for (size_t m = 0; m < MEMBERS; m++)
    c->members[m].left_out = c->left_out[m];
  c->data.rows = ROWS;
  c->fit = (ent_fit){.train = &c->data, .y = c->y, .fold_of = c->fold_of, .scores = 1};
  c->fitted.outcome = (ent_fit_outcome){.members = c->members,
                                        .member_count = MEMBERS,
                                        .held = {.rows = ROWS, .numbers = c->numbers, .predictions = c->held}};
  c->fitted.outer = (ent_outer){.rows = ROWS,
                                .targets = 1,
                                .numbers = c->numbers,
                                .single = c->outer,
                                .inner = {.rows = ROWS, .numbers = c->numbers, .predictions = c->inner}};
}

static void expect(factor_case *c, double factor) {
  double *found = NULL;
  ASSERT_OK(c->context, ent_interval_factors(c->context, &c->fit, &c->fitted, &found));
  assert_close(found[0], factor, 1e-4 * factor);
  ent_delete(found);
  entropic_context_free(c->context);
}

/* Squares of folds are 4. The own member is off by 1.5, the mean by 1, and the members by .5 from it: 2.25 - .25. */
static void worth_of_the_mean(void **state) {
  (void)state;
  factor_case c;
  fill(&c, 7, 8.5, 7.5);
  expect(&c, sqrt(2.0 / 4));
  fill(&c, 7, 7.5, 8.5); /* .25 - .25 is less than the squares of the mean */
  expect(&c, sqrt(1.0 / 4));
  fill(&c, 7, 10, 10);
  expect(&c, 1.5);
}

/* Outer validation rows are off by 1.44 times as much as when they chose: the root counts, and only if above 1. */
static void worth_of_the_choice(void **state) {
  (void)state;
  factor_case c;
  fill(&c, 7, 8.5, 7.5);
  for (size_t r = 0; r < ROWS; r++)
    c.outer[r] = 7 - 1.44;
  expect(&c, sqrt(2.0 / 4) * 1.2);
  fill(&c, 7, 8.5, 7.5);
  for (size_t r = 0; r < ROWS; r++)
    c.outer[r] = 7.5;
  expect(&c, sqrt(2.0 / 4));
  fill(&c, 7, 8.5, 7.5);
  for (size_t r = 0; r < ROWS; r++)
    c.outer[r] = 9;
  c.fitted.outer.inner.rows = 10; /* too few to tell */
  expect(&c, sqrt(2.0 / 4));
}

/* Rows that are not known, of further folds, or of no weight do not count. */
static void rows_that_do_not_count(void **state) {
  (void)state;
  factor_case c;
  fill(&c, 7, 8.5, 7.5);
  c.left_out[0][3] = NAN;
  c.left_out[1][4] = NAN;
  c.fold_of[6] = MEMBERS;
  c.held[3] = c.held[4] = c.held[6] = 1e6;
  c.fit.train = &c.data;
  c.data.weights = c.weights;
  c.weights[8] = 0;
  c.held[8] = c.inner[8] = c.outer[8] = 1e6;
  c.weights[9] = 3;
  expect(&c, sqrt(2.0 / 4));
}

/* Rows where members differ by far, as where inputs have heavy tails: they do not decide for the others. */
static void a_few_rows_do_not_decide(void **state) {
  (void)state;
  factor_case c;
  fill(&c, 7, 8.5, 7.5);
  for (size_t r = 0; r < 4; r++) {
    c.held[r] = 7 + 2000;
    c.left_out[r % MEMBERS][r] = 7 + 100;
    c.left_out[1 - r % MEMBERS][r] = 7 - 100;
  }
  expect(&c, sqrt(2.0 / 4));
}

/* Residuals of a root target are those of the root: 3 for 9, where it is 2. */
static void root_targets(void **state) {
  (void)state;
  factor_case c;
  fill(&c, 4, 3.5, 2.5); /* off by 1.5 and .5 */
  c.fitted.outcome.link = (ent_link){.number = ENT_LINK_ROOT, .sign = 1, .origin = 0, .bias = 0.5};
  for (size_t r = 0; r < ROWS; r++) {
    c.held[r] = 16 + 0.5;
    c.inner[r] = 9 + 0.5;
    c.outer[r] = 3.44 * 3.44 + 0.5;
  }
  expect(&c, sqrt(2.0 / 4) * 1.2);
}

static void one_where_nothing_is_known(void **state) {
  (void)state;
  factor_case c;
  fill(&c, 7, 8.5, 7.5);
  c.members[1].left_out = NULL;
  expect(&c, 1);
  fill(&c, 7, 8.5, 7.5);
  c.fitted.outcome.held.rows = 10;
  expect(&c, 1);
  fill(&c, 7, 8.5, 7.5);
  for (size_t r = 0; r < ROWS; r++)
    c.held[r] = 7;
  expect(&c, 1);
  fill(&c, 7, 8.5, 7.5);
  for (size_t r = 0; r < ROWS; r++)
    c.held[r] = 7 + 1e-9; /* within bounds */
  expect(&c, 4);
}

/* What a run keeps: its validation rows, as far as they are known, in the units of the target. */
static void inner_rows(void **state) {
  (void)state;
  factor_case c;
  fill(&c, 4, 3, 3);
  ent_outer outer = {.targets = 1};
  c.left_out[1][5] = NAN; /* of its own fold */
  c.left_out[1][6] = NAN; /* of another one */
  c.fitted.outcome.held.rows = 10;
  c.fitted.outcome.link = (ent_link){.number = ENT_LINK_ROOT, .sign = 1, .origin = 1, .bias = 0.5};
  for (int twice = 0; twice < 2; twice++)
    ASSERT_OK(c.context, ent_outer_keep_inner(c.context, &c.fit, &c.fitted.outcome, &outer));
  assert_int_equal(outer.inner.rows, 18);
  for (size_t i = 0; i < 18; i++) {
    assert_int_equal(outer.inner.numbers[i], i % 9 + (i % 9 >= 5));
    assert_close(outer.inner.predictions[i], 10.5, 1e-12);
  }
  ent_held_predictions_clear(&outer.inner);
  c.members[0].left_out = NULL;
  ASSERT_OK(c.context, ent_outer_keep_inner(c.context, &c.fit, &c.fitted.outcome, &outer));
  assert_int_equal(outer.inner.rows, 0);
  entropic_context_free(c.context);
}

SUITE(model_interval_factor) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(worth_of_the_mean),
      cmocka_unit_test(worth_of_the_choice),
      cmocka_unit_test(rows_that_do_not_count),
      cmocka_unit_test(a_few_rows_do_not_decide),
      cmocka_unit_test(root_targets),
      cmocka_unit_test(inner_rows),
      cmocka_unit_test(one_where_nothing_is_known),
  };
  return cmocka_run_group_tests_name("model_interval_factor", tests, NULL, NULL);
}

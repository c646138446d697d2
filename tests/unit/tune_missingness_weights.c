/* Rows with missing values, weighted by paths: those without an important input get smaller weights, and reported errors
 * do not change. */
#include "unit/recipes.h"

#include "tune/missingness_weights.h"
#include "sums/pass.h"

enum { ROWS = 600, INPUTS = 3, MOST = 60 };

/* The first input says nearly all, the others little; a quarter of each is missing. The setting must stay where it is. */
static void gaps_start(setting *at, size_t others) {
  setting_start(
      at, (ground_options){
              .rows = ROWS, .others = others, .inputs = INPUTS, .targets = 1, .folds = 3, .weighted = true, .seed = 2});
  entropic_random random = entropic_random_start(1, 1);
  for (size_t r = 0; r < ROWS + others; r++) {
    double *x = at->g.x + r * INPUTS;
    at->g.y[r] = 4 * sin(6 * x[0]) + 0.3 * x[1] + 0.3 * entropic_random_normal(&random);
    at->g.weights[r] = 0.5 + entropic_random_uniform(&random);
    for (size_t i = 0; i < INPUTS; i++)
      x[i] = entropic_random_below(&random, 4) == 0 ? NAN : x[i];
  }
  for (size_t i = 0; i < INPUTS; i++) {
    at->axes[i].max_level = 5;
    at->axes[i].missing = 1;
  }
  at->g.splits.train.missing = at->g.valid.missing = true;
  at->recipe.missing = at->views;
}

/* The mean of what is left of a row's weight, over rows where one input is missing and no other is. */
static double mean_share(const setting *at, const double *weights, size_t first, size_t count, size_t input) {
  double sum = 0;
  size_t rows = 0;
  for (size_t r = 0; r < count; r++) {
    const double *x = at->g.x + (first + r) * INPUTS;
    bool here = true;
    for (size_t i = 0; i < INPUTS; i++)
      here = here && isnan(x[i]) == (i == input);
    sum += here ? weights[r] / at->g.weights[first + r] : 0;
    rows += here;
  }
  assert_true(rows > 3);
  return sum / (double)rows;
}

static void telling_gaps_count_less(void **state) {
  (void)state;
  for (size_t others = 0; others <= 200; others += 200) {
    setting at;
    ent_search_result found = {0};
    double factors[INPUTS], weights[ROWS], valid_weights[200], sum = 0, own = 0;
    gaps_start(&at, others);
    ASSERT_OK(context, ent_missingness_find(context, &at.recipe, MOST, &found, factors));
    ent_missingness_weigh(&at.recipe, factors, weights, valid_weights);
    for (size_t r = 0; r < ROWS; r++) {
      sum += weights[r];
      own += at.g.weights[r];
    }
    assert_close(sum, own, 1e-9 * own);
    double whole = mean_share(&at, weights, 0, ROWS, INPUTS);
    assert_true(whole > 1.2 && whole < 2);
    assert_true(mean_share(&at, weights, 0, ROWS, 0) < 0.1 * whole); /* 8 is left of 0.09 */
    assert_true(mean_share(&at, weights, 0, ROWS, 2) > 0.7 * whole); /* it says nothing */
    if (others > 0) {
      double other = mean_share(&at, valid_weights, ROWS, others, INPUTS);
      assert_true(mean_share(&at, valid_weights, ROWS, others, 0) < 0.1 * other);
    }
    ground_stop(&at.g);
  }
}

/* The recipe learns the rows that can be known well better by it, and reports errors of all rows alike. */
static void whole_rows_gain(void **state) {
  (void)state;
  double whole[2], all[2], reported[2];
  for (int weighed = 0; weighed < 2; weighed++) {
    setting at;
    ent_search_result found;
    ent_member *members = NULL;
    size_t view = 0;
    size_t count = 0;
    gaps_start(&at, 400);
    at.recipe.missing = weighed ? at.views : NULL;
    at.recipe.options.size = MOST;
    ASSERT_OK(context, ent_recipe_run(context, &at.recipe, &view, &found, &members, &count));
    double scores[400], sums[2] = {0}, weights[2] = {0};
    ASSERT_OK(context, ent_scores(context, &members[0].lifting.map,
                                  &(ent_block){.rows = 400, .x = at.g.valid.x, .x_stride = INPUTS},
                                  &(ent_linear){members[0].weights, members[0].offsets, 1}, scores));
    for (size_t r = 0; r < 400; r++) {
      double off = at.g.y[ROWS + r] - scores[r], weight = at.g.weights[ROWS + r];
      bool gap = isnan(at.g.x[(ROWS + r) * INPUTS]);
      sums[0] += weight * off * off;
      weights[0] += weight;
      sums[1] += gap ? 0 : weight * off * off;
      weights[1] += gap ? 0 : weight;
    }
    all[weighed] = sums[0] / weights[0];
    whole[weighed] = sums[1] / weights[1];
    reported[weighed] = found.validation.errors[0];
    ent_members_free(members, count);
    ent_search_result_clear(&found);
    ground_stop(&at.g);
  }
  assert_true(whole[1] < 0.9 * whole[0]);
  assert_true(all[1] < 1.02 * all[0]);
  for (int weighed = 0; weighed < 2; weighed++) /* the same rows and weights, but weights of exact statistics */
    assert_close(reported[weighed], all[weighed], 1e-7 * all[weighed]);
}

SUITE(tune_missingness_weights) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(telling_gaps_count_less), cmocka_unit_test(whole_rows_gain)};
  return cmocka_run_group_tests_name("tune_missingness_weights", tests, start, stop);
}

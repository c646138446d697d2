/* Blocks of time: how rows are dealt, which rows are trained on, and forward validation against refits by hand. */
#include "unit/validation_splits.h"

#include "tune/split.h"

#include "unit/fixture.h"

#define MOST_ROWS 400
#define MOST_FOLDS 12

static size_t deal(const double *time, size_t rows, size_t initial, size_t wanted, size_t *fold_of) {
  ent_fold_options split = {.rows = rows, .time = time, .initial = initial};
  size_t folds = wanted;
  ASSERT_OK(context, ent_folds_deal(context, &split, 5, fold_of, &folds));
  return folds;
}

/* What holds for all blocks: later rows have smaller numbers, equal times the same one, and no number is left out. */
static void check_blocks(const double *time, size_t rows, const size_t *fold_of, size_t folds) {
  bool seen[MOST_FOLDS + 1] = {false};
  for (size_t r = 0; r < rows; r++) {
    assert_in_range(fold_of[r], 0, folds);
    seen[fold_of[r]] = true;
    for (size_t q = 0; q < rows; q++) {
      if (time[r] == time[q])
        assert_int_equal(fold_of[r], fold_of[q]);
      if (time[r] < time[q])
        assert_true(fold_of[r] >= fold_of[q]);
    }
  }
  for (size_t k = 0; k <= folds; k++)
    assert_true(seen[k]);
}

static void blocks_are_in_the_order_of_time(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(1, 0);
  double time[MOST_ROWS];
  size_t fold_of[MOST_ROWS];
  for (size_t round = 0; round < 200; round++) {
    size_t rows = 2 + (size_t)entropic_random_below(&random, round < 100 ? 12 : MOST_ROWS - 2);
    size_t times = 1 + (size_t)entropic_random_below(&random, round % 2 == 0 ? 5 : 1000), different = 0;
    for (size_t r = 0; r < rows; r++) {
      time[r] = floor((double)times * pow(entropic_random_uniform(&random), (double)(1 + round % 3))) - 3;
      different += time[r] != time[0];
    }
    size_t initial = round % 4 == 0 ? rows - rows / 10 : 0, wanted = 1 + round % MOST_FOLDS;
    size_t folds = deal(time, rows, initial, wanted, fold_of);
    assert_in_range(folds, different > 0 ? 1 : 0, different > 0 ? wanted : 0);
    check_blocks(time, rows, fold_of, folds);
  }
}

/* Without equal times half of the rows are only trained on, and blocks differ by one row at most. */
static void blocks_have_their_shares(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(2, 0);
  double time[MOST_ROWS];
  size_t fold_of[MOST_ROWS], order[MOST_ROWS];
  for (size_t rows = 24; rows <= MOST_ROWS; rows += 47)
    for (size_t wanted = 1; wanted <= MOST_FOLDS; wanted++) {
      size_t filled[MOST_FOLDS + 1] = {0};
      entropic_random_permutation(&random, rows, order);
      for (size_t r = 0; r < rows; r++)
        time[r] = 18000 + 0.25 * (double)order[r];
      assert_int_equal(deal(time, rows, 0, wanted, fold_of), wanted);
      check_blocks(time, rows, fold_of, wanted);
      for (size_t r = 0; r < rows; r++)
        filled[fold_of[r]]++;
      assert_int_equal(filled[wanted], rows / 2);
      for (size_t k = 0; k < wanted; k++)
        assert_in_range(filled[k], (rows - rows / 2) / wanted, (rows - rows / 2 - 1) / wanted + 1);
      assert_int_equal(deal(time, rows, rows - rows / 10, 1, fold_of), 1);
      size_t late = 0;
      for (size_t r = 0; r < rows; r++)
        late += fold_of[r] == 0;
      assert_int_equal(late, rows / 10);
    }
}

/* Few different times: the first is always trained on, the last always validated on. */
static void times_that_are_few(void **state) {
  (void)state;
  static const struct {
    size_t rows, first; /* rows of the earlier of two times */
  } cases[] = {{2, 1}, {10, 1}, {10, 9}, {100, 99}, {101, 2}};
  double time[MOST_ROWS];
  size_t fold_of[MOST_ROWS];
  for (size_t i = 0; i < COUNT(cases); i++)
    for (size_t initial = 0; initial < cases[i].rows; initial += cases[i].rows - 1) {
      for (size_t r = 0; r < cases[i].rows; r++)
        time[r] = r < cases[i].first ? -1 : 1;
      assert_int_equal(deal(time, cases[i].rows, initial, 5, fold_of), 1);
      for (size_t r = 0; r < cases[i].rows; r++)
        assert_int_equal(fold_of[r], r < cases[i].first ? 1 : 0);
    }
  for (size_t r = 0; r < 20; r++)
    time[r] = 7;
  assert_int_equal(deal(time, 20, 0, 5, fold_of), 0);
  assert_int_equal(deal(time, 1, 0, 5, fold_of), 0);
  assert_int_equal(fold_of[0], 0);
}

/* The order of rows does not matter; neither does that of others which get no fold. */
static void the_order_of_rows_does_not_matter(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(3, 0);
  double time[120], shuffled[120];
  size_t fold_of[120], other[120], order[120], some[60], of_some[120], folds = 5;
  for (size_t r = 0; r < 120; r++)
    time[r] = floor(40 * entropic_random_uniform(&random));
  entropic_random_permutation(&random, 120, order);
  for (size_t r = 0; r < 120; r++)
    shuffled[r] = time[order[r]];
  assert_int_equal(deal(time, 120, 0, 5, fold_of), deal(shuffled, 120, 0, 5, other));
  for (size_t r = 0; r < 120; r++)
    assert_int_equal(other[r], fold_of[order[r]]);
  for (size_t i = 0; i < 60; i++) {
    some[i] = 2 * i + 1;
    shuffled[i] = time[some[i]];
  }
  ent_fold_options split = {.rows = 120, .time = time};
  ASSERT_OK(context, ent_folds_deal_some(context, &split, (ent_row_list){some, 60}, 5, of_some, &folds));
  assert_int_equal(folds, deal(shuffled, 60, 0, 5, other));
  for (size_t r = 0; r < 120; r++)
    assert_true(of_some[r] == (r % 2 == 0 ? ENT_NO_FOLD : other[r / 2]));
}

/* Rows whose folds are blocks of times drawn at random; every seventh row takes no part. */
static void ground_in_time(ground *g, ground_options o, double *time) {
  ground_start(g, o);
  entropic_random random = entropic_random_start(o.seed, 5);
  for (size_t r = 0; r < o.rows; r++)
    time[r] = floor(60 * entropic_random_uniform(&random));
  g->folds = deal(time, o.rows, 0, o.folds, g->fold_of);
  for (size_t r = 0; r < o.rows; r += 7)
    g->fold_of[r] = ENT_NO_FOLD;
  g->splits.folds = g->folds;
  g->splits.forward = true;
}

static void only_earlier_rows_teach(void **state) {
  (void)state;
  ground g;
  double time[150];
  ground_in_time(&g, (ground_options){.rows = 150, .folds = 4, .inputs = 2, .targets = 1, .seed = 8}, time);
  for (size_t part = 0; part < g.folds; part++) {
    ent_held_out held;
    ent_split split;
    size_t in = 0, out = 0;
    ASSERT_OK(context, ent_hold_out(context, &g.splits, part, &held));
    ASSERT_OK(context, ent_split_rows(context, &g.splits, part, &split));
    for (size_t r = 0; r < g.rows; r++) {
      in += is_in(&g, part, r);
      out += is_out(&g, part, r);
    }
    assert_int_equal(held.train.count, in);
    assert_int_equal(held.validation.rows, out);
    assert_int_equal(split.train_count, in);
    assert_int_equal(split.validation_count, out);
    for (size_t i = 0; i < in; i++)
      for (size_t j = 0; j < out; j++)
        assert_true(time[split.train[i]] < time[split.validation[j]]);
    for (size_t i = 0; i < in; i++)
      assert_true(is_in(&g, part, held.train.numbers[i]) && is_in(&g, part, split.train[i]));
    ent_split_clear(&split);
    ent_held_out_clear(&held);
  }
  ground_stop(&g);
}

/* From statistics and by refits: the same as plain algebra on the rows before each block. */
static void forward_validation_equals_refits(void **state) {
  (void)state;
  static const double omegas[] = {0}, lambdas[] = {1e-2};
  static const size_t sizes[] = {20};
  entropic_axis_options axes[] = {ent_axis_options_default(), ent_axis_options_default()};
  ent_features features = {.axes = axes, .inputs = 2, .design = ent_design_options_default()};
  ent_grid grid = {
      .omegas = omegas, .omega_count = 1, .sizes = sizes, .size_count = 1, .lambdas = lambdas, .lambda_count = 1};
  for (int weighted = 0; weighted < 2; weighted++)
    for (size_t folds = 1; folds <= 4; folds += 3) {
      ground g;
      double time[160], errors[2], plain[2], weight = 0, first = 0;
      ground_options o = {
          .rows = 160, .folds = folds, .inputs = 2, .targets = 2, .weighted = weighted, .seed = 20 + folds};
      ground_in_time(&g, o, time);
      ent_search_result found;
      ASSERT_OK(context, ent_search(context, &g.splits, &features, &grid, &found));
      assert_int_equal(found.statistics.sets, g.folds + 1);
      ground_lift(&g, found.lifting.lift);
      explicit_errors(&g, g.folds, g.features, lambdas[0], plain);
      assert_relative(found.validation.errors, plain, 2, 1e-9);
      ent_learner learner = {.solver = ENTROPIC_SOLVER_DIRECT, .map = &found.lifting.map};
      ASSERT_OK(context, ent_validate_by_refits(context, &learner, &g.splits, g.folds, (ent_lambda_list){lambdas, 1},
                                                &(ent_refit_errors){errors, NULL}));
      assert_relative(errors, plain, 2, 1e-9);
      ASSERT_OK(context, ent_search_set_variances(context, &g.splits, &found));
      double alone[2], spread[2];
      ASSERT_OK(context, ent_validate_by_refits(context, &learner, &g.splits, 1, (ent_lambda_list){lambdas, 1},
                                                &(ent_refit_errors){alone, spread}));
      for (size_t r = 0; r < g.rows; r++) {
        weight += g.fold_of[r] < g.folds ? g.weights[r] : 0;
        first += g.fold_of[r] == 0 ? g.weights[r] : 0;
      }
      for (size_t t = 0; t < 2; t++)
        assert_close(found.validation.variances[t], first / weight * spread[t], 1e-7 * spread[t]);
      ent_search_result_clear(&found);
      ground_stop(&g);
    }
}

/* Omega is chosen on some of many rows, of which every set must have one. */
static void a_small_block_in_many_rows(void **state) {
  (void)state;
  static const double omegas[] = {1, 3}, lambdas[] = {1e-2};
  static const size_t sizes[] = {5};
  entropic_axis_options axis = ent_axis_options_default();
  ent_features features = {.axes = &axis, .inputs = 1, .design = ent_design_options_default()};
  ent_grid grid = {
      .omegas = omegas, .omega_count = 2, .sizes = sizes, .size_count = 1, .lambdas = lambdas, .lambda_count = 1};
  for (uint64_t seed = 1; seed <= 3; seed++) {
    ground g;
    ground_start(&g, (ground_options){.rows = 30000, .folds = 2, .inputs = 1, .targets = 1, .seed = seed});
    for (size_t r = 0; r < g.rows; r++)
      g.fold_of[r] = r == 0 ? 2 : r == 1 ? 1 : 0; /* one row is always trained on, one other validated on */
    g.splits.forward = true;
    ent_search_result found;
    ASSERT_OK(context, ent_search(context, &g.splits, &features, &grid, &found));
    assert_true(isfinite(found.validation.errors[0]));
    ent_search_result_clear(&found);
    ground_stop(&g);
  }
}

SUITE(tune_time) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_are_in_the_order_of_time),
                                     cmocka_unit_test(blocks_have_their_shares),
                                     cmocka_unit_test(times_that_are_few),
                                     cmocka_unit_test(the_order_of_rows_does_not_matter),
                                     cmocka_unit_test(only_earlier_rows_teach),
                                     cmocka_unit_test(forward_validation_equals_refits),
                                     cmocka_unit_test(a_small_block_in_many_rows)};
  return cmocka_run_group_tests_name("tune_time", tests, start, stop);
}

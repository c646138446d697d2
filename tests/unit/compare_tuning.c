/* Tuning of bandwidth, kernel, lambda and scaling: against every try by itself. */
#include "unit/plain_tuning.h"

#include "study/sets.h"

enum { ROWS = TUNE_ROWS, TEST = 17, ALL = ROWS + TEST, INPUTS = TUNE_INPUTS, SIZE = TUNE_FEATURES };

/* What the target is: plain in ranks, in distances or between, or so that the best is at the end of a list. */
typedef enum kind { IN_RANKS, IN_BOTH, IN_DISTANCES, NOISE, LINE, COPIES, KINDS } kind;

static double target_of(kind which, const double *rank, const double *far, entropic_random *random) {
  double y = (which == LINE ? 1e-3 : 0.02) * entropic_random_normal(random);
  for (size_t i = 0; i < INPUTS; i++)
    switch (which) {
    case IN_RANKS:
      y += sin((7 + (double)i) * rank[i]);
      break;
    case IN_BOTH:
      y += sin((7 + (double)i) * (rank[i] + far[i]) / 2);
      break;
    case IN_DISTANCES:
      y += sin((7 + (double)i) * far[i]);
      break;
    case LINE:
      y += (1 + (double)i) * far[i];
      break;
    default: /* nothing to be learnt but what copies have in common */
      y += entropic_random_normal(random);
    }
  return y;
}

/* Inputs of which a few are far from the others. */
static ent_split_table skewed_rows(entropic_context *context, kind which) {
  enum { DISTINCT = 12 };
  ent_split_table split_table;
  entropic_random random = entropic_random_start(5, which);
  ASSERT_OK(context, ent_split_table_start(context, ALL, INPUTS, 1, 0, &split_table));
  for (size_t r = 0; r < ALL; r++) {
    double rank[INPUTS], far[INPUTS];
    for (size_t i = 0; i < INPUTS; i++) {
      rank[i] = entropic_random_uniform(&random);
      far[i] = pow(rank[i], 6);
    }
    memcpy(split_table.x + r * INPUTS, far, sizeof far);
    split_table.y[r] = target_of(which, rank, far, &random);
    if (which == COPIES && r >= DISTINCT) {
      memcpy(split_table.x + r * INPUTS, split_table.x + r % DISTINCT * INPUTS, sizeof far);
      split_table.y[r] = split_table.y[r % DISTINCT] + 0.02 * entropic_random_normal(&random);
    }
  }
  return split_table;
}

static ent_split_cut cut_rows(entropic_context *context, const ent_split_table *split_table, entropic_scaling scaling) {
  size_t numbers[ALL];
  ent_split_cut cut;
  for (size_t r = 0; r < ALL; r++)
    numbers[r] = r;
  const ent_split_numbers rows = {.numbers = numbers, .train = ROWS, .test = TEST};
  ASSERT_OK(context, ent_split_table_cut(context, split_table, &rows, scaling, &cut));
  return cut;
}

static ent_performance run_one(entropic_context *context, const ent_evaluation_data *data, ent_compare_method method,
                               bool tuned) {
  ent_evaluation *evaluation = NULL;
  ent_performance p;
  ent_request request = {.method = method, .tuned = tuned, .features = method == ENT_COMPARE_EXACT ? 0 : SIZE};
  ASSERT_OK(context, ent_evaluation_create(context, data, TUNE_SEED, &evaluation));
  ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, TUNE_RANDOM, &p));
  ent_evaluation_free(evaluation);
  return p;
}

/* Errors are differences of sums that are larger than 1: hence the second tolerance. */
static void assert_chosen(const ent_choice *choice, const plain_tuning *plain) {
  assert_close(choice->error, plain->error, 1e-6 * plain->error + 1e-10);
  assert_int_equal(choice->scaling, plain->looks[plain->look].scaling);
  assert_int_equal(choice->kernel, plain->kernel);
  assert_true(choice->bandwidth == plain->bandwidth && choice->lambda == plain->lambda);
  assert_int_equal(choice->tries, plain->tries);
}

/* Every method, whatever is best for it, with one part and with all, and by one scaling as in the paper. All ends of the
 * lists are reached, and something beyond each is taken. */
static void what_is_tuned_is_the_best_try(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  size_t taken[ENTROPIC_SCALING_BLEND + 1] = {0}, kernels[2] = {0};
  size_t below = 0, above = 0, far_below = 0, far_above = 0, large = 0, small = 0, stayed = 0;
  const bool quick = quick_tests(); /* one table does not reach all ends */
  for (kind which = 0; which < (quick ? 1 : KINDS); which++) {
    ent_split_table split_table = skewed_rows(context, which);
    ent_split_cut all = cut_rows(context, &split_table, ENTROPIC_SCALING_AUTO);
    for (int mode = 0; mode < 4; mode++)
      for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
        ent_evaluation_data data = all.data;
        data.thorough = mode % 2 == 1;
        data.other_count = mode < 2 ? TUNE_LOOKS - 1 : 0;
        plain_tuning best = tune_plainly(context, &data, method, true);
        ent_performance p = run_one(context, &data, method, true);
        assert_chosen(&p.choice, &best);
        taken[p.choice.scaling] += mode < 2 && ent_compare_method_inputs(method) == ENT_INPUTS_SCALED;
        kernels[p.choice.kernel] += has_two_kernels(method);
        below += best.number < TUNE_WIDER;
        above += best.number >= TUNE_WIDER + TUNE_GRID;
        far_below += best.below > 1;
        far_above += best.above > 1;
        large += p.choice.lambda >= 1;
        small += p.choice.lambda <= 1e-9;
        stayed += best.tries == best.grid;
      }
    ent_split_cut_clear(&all);
    ent_split_table_clear(&split_table);
  }
  assert_int_equal(taken[ENTROPIC_SCALING_NONE], 0);
  assert_true(quick || (taken[ENTROPIC_SCALING_QUANTILE] > 0 && taken[ENTROPIC_SCALING_BLEND] > 0 &&
                        taken[ENTROPIC_SCALING_MINMAX] > 0));
  assert_true(quick || (kernels[0] > 0 && kernels[1] > 0));
  assert_true(quick || (below > 0 && above > 0 && far_below > 0 && far_above > 0));
  assert_true(quick || (large > 0 && small > 0 && stayed > 0));
  entropic_context_free(context);
}

/* By the rule lambda alone is chosen, from more where the best is the last. */
static void by_the_rule_lambda_is_chosen(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  size_t large = 0, small = 0;
  const bool quick = quick_tests();
  for (kind which = 0; which < (quick ? 1 : KINDS); which++) {
    ent_split_table split_table = skewed_rows(context, which);
    ent_split_cut all = cut_rows(context, &split_table, ENTROPIC_SCALING_AUTO);
    for (int thorough = 0; thorough < 2; thorough++)
      for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
        all.data.thorough = thorough;
        plain_tuning best = tune_plainly(context, &all.data, method, false);
        ent_performance p = run_one(context, &all.data, method, false);
        assert_chosen(&p.choice, &best);
        assert_int_equal(best.grid, 1);
        large += p.choice.lambda >= 1;
        small += p.choice.lambda <= 1e-9;
      }
    ent_split_cut_clear(&all);
    ent_split_table_clear(&split_table);
  }
  assert_true(quick || (large > 0 && small > 0));
  entropic_context_free(context);
}

/* The rows of the scaling that was taken are trained and tested on. */
static void the_best_scaling_is_trained_with(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  ent_split_table split_table = skewed_rows(context, IN_DISTANCES);
  ent_split_cut all = cut_rows(context, &split_table, ENTROPIC_SCALING_AUTO);
  ent_performance p = run_one(context, &all.data, ENT_COMPARE_ENTROPY, true);
  assert_int_not_equal(p.choice.scaling, all.data.scaling);
  ent_split_cut single = cut_rows(context, &split_table, p.choice.scaling);
  ent_request request = {.method = ENT_COMPARE_ENTROPY, .tuned = true, .features = SIZE};
  ent_trial trial = {
      .request = &request,
      .bandwidth = p.choice.bandwidth,
      .seed = TUNE_RANDOM,
      .inputs = INPUTS,
      .data = {.x = single.data.x, .rows = ROWS, .stride = INPUTS, .y = single.data.y, .targets = 1, .y_stride = 1}};
  ent_method_features entry;
  double scores[TEST], sum = 0;
  ASSERT_OK(context, ent_method_features_make(context, &trial, &entry));
  plain_scores(&entry.map, single.data.x, single.data.y, INPUTS, ROWS, TEST, p.choice.lambda, scores);
  for (size_t r = 0; r < TEST; r++)
    sum += (scores[r] - single.data.test_y[r]) * (scores[r] - single.data.test_y[r]);
  assert_true(fabs(sqrt(sum / TEST) - p.error) <= 1e-8);
  ent_method_features_clear(&entry);
  ent_split_cut_clear(&single);
  ent_split_cut_clear(&all);
  ent_split_table_clear(&split_table);
  entropic_context_free(context);
}

/* Ours and the others alike: of the grid as many as it has kernels and scalings, then those beyond its ends. By the rule
 * there is nothing but the first scaling. */
static void everyone_has_as_many_tries(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  ent_split_table split_table = skewed_rows(context, IN_DISTANCES);
  ent_split_cut all = cut_rows(context, &split_table, ENTROPIC_SCALING_AUTO),
                one = cut_rows(context, &split_table, ENTROPIC_SCALING_QUANTILE);
  ent_evaluation_data thorough = all.data;
  thorough.thorough = true;
  /* With the best bandwidth by the other scalings, with all of them, and with one scaling. */
  const ent_evaluation_data *data[] = {&all.data, &thorough, &one.data};
  static const size_t single[] = {7, 15, 5}, both[] = {12, 30, 10}, own[] = {5, 5, 5}, exact[] = {12, 12, 10};
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
    const size_t *expected = method == ENT_COMPARE_EXACT                                    ? exact
                             : has_two_kernels(method)                                      ? both
                             : method == ENT_COMPARE_PRINTED || method == ENT_COMPARE_INSET ? own
                                                                                            : single;
    for (size_t i = 0; i < COUNT(data); i++) {
      plain_tuning plain = tune_plainly(context, data[i], method, true);
      assert_int_equal(plain.grid, expected[i]);
      assert_int_equal(plain.tries, plain.grid + plain.below + plain.above + plain.large_tries + plain.small_tries);
      assert_int_equal(run_one(context, data[i], method, true).choice.tries, plain.tries);
    }
    ent_performance rule = run_one(context, &all.data, method, false);
    assert_int_equal(rule.choice.scaling, ent_compare_method_inputs(method) == ENT_INPUTS_SCALED
                                              ? ENTROPIC_SCALING_QUANTILE
                                              : ENTROPIC_SCALING_MINMAX);
    assert_true(rule.error == run_one(context, &one.data, method, false).error);
  }
  ent_split_cut_clear(&all);
  ent_split_cut_clear(&one);
  ent_split_table_clear(&split_table);
  entropic_context_free(context);
}

/* Rows of one input, and one row more to be tested on. */
static ent_evaluation_data one_input(const double *x, const double *y, size_t rows) {
  return (ent_evaluation_data){
      .inputs = 1, .targets = 1, .rows = rows, .test_rows = 1, .x = x, .y = y, .test_x = x + rows, .test_y = y + rows};
}

/* With rows enough one fold validates, whatever is asked for. */
static void many_rows_are_tuned_by_one_part(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  for (size_t rows = 2000; rows <= 2001; rows++) {
    double *x = calloc(rows + 1, sizeof *x), *y = calloc(rows + 1, sizeof *y);
    entropic_random random = entropic_random_start(8, 0);
    for (size_t r = 0; r <= rows; r++) {
      x[r] = entropic_random_uniform(&random);
      y[r] = sin(5 * x[r]) + entropic_random_normal(&random);
    }
    ent_evaluation_data data = one_input(x, y, rows);
    double one = run_one(context, &data, ENT_COMPARE_ENTROPY, false).choice.error;
    data.thorough = true;
    double every = run_one(context, &data, ENT_COMPARE_ENTROPY, false).choice.error;
    assert_true(rows == 2000 ? every > 4 * one && every < 6 * one : every > 0.9 * one && every <= one);
    free(x);
    free(y);
  }
  entropic_context_free(context);
}

/* Rows of a group are copies, and every group has its own target: whoever has seen some rows of a group knows the
 * others. Kept apart as groups, none can be known. */
static void groups_stay_together_while_tuning(void **state) {
  (void)state;
  enum { EACH = 8 };
  static const size_t counts[] = {2, 3, 12, 400};
  entropic_context *context = context_with(1);
  for (size_t i = 0; i < COUNT(counts); i++)
    for (int thorough = 0; thorough < 2; thorough++) {
      size_t rows = counts[i] * EACH;
      double *x = calloc(rows + 1, sizeof *x), *y = calloc(rows + 1, sizeof *y), *groups = calloc(rows, sizeof *groups);
      for (size_t r = 0; r < rows; r++) { /* one after the other, and not next to each other */
        size_t group = r % counts[i];
        groups[r] = (double)group;
        x[r] = ((double)group + 0.5) / (double)counts[i];
        y[r] = group % 2 == 0 ? 1 : -1;
      }
      ent_evaluation_data data = one_input(x, y, rows);
      data.thorough = thorough;
      size_t parts = counts[i] < 5 ? counts[i] : 5;
      double kept = (double)rows / (thorough && rows <= 2000 ? 1 : (double)(counts[i] < 12 ? parts : 5));
      ent_evaluation *evaluation = NULL;
      for (int grouped = 0; grouped < 2; grouped++) {
        ent_request request = {.method = ENT_COMPARE_NYSTROEM, .tuned = true, .features = 200};
        ent_performance p;
        data.groups = grouped ? groups : NULL;
        ASSERT_OK(context, ent_evaluation_create(context, &data, TUNE_SEED, &evaluation));
        ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, TUNE_RANDOM, &p));
        ent_evaluation_free(evaluation);
        if (grouped)
          assert_true(p.choice.error >= 0.7 * kept);
        else if (counts[i] < 400)
          assert_true(p.choice.error <= 0.01 * kept);
      }
      memset(groups, 0, rows * sizeof *groups);
      assert_int_equal(ent_evaluation_create(context, &data, TUNE_SEED, &evaluation), ENTROPIC_BAD_DATA);
      assert_message(context, "all of one group; expected two groups or more");
      free(x);
      free(y);
      free(groups);
    }
  entropic_context_free(context);
}

/* Each scaling is that of a scaler which has seen the training rows alone. */
static void scalers_do_not_see_the_test_rows(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  ent_split_table split_table = skewed_rows(context, IN_RANKS);
  for (int far = 0; far < 2; far++) {
    for (size_t i = ROWS * INPUTS; far == 1 && i < ALL * INPUTS; i++)
      split_table.x[i] = 100 - 7 * split_table.x[i];
    ent_split_cut cut = cut_rows(context, &split_table, ENTROPIC_SCALING_AUTO);
    assert_int_equal(cut.data.other_count, TUNE_LOOKS - 1);
    ent_evaluation_rows looks[TUNE_LOOKS] = {
        {cut.data.scaling, cut.data.x, cut.data.test_x}, cut.data.others[0], cut.data.others[1]};
    static const entropic_scaling expected[TUNE_LOOKS] = {ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_BLEND,
                                                          ENTROPIC_SCALING_MINMAX};
    for (size_t i = 0; i < TUNE_LOOKS; i++) {
      double scaled[ALL * INPUTS];
      entropic_scaler *scaler = NULL;
      ASSERT_OK(context, entropic_scaler_create(context, expected[i], split_table.x, ROWS, INPUTS, INPUTS, &scaler));
      ent_scaler_apply(scaler, split_table.x, ALL, INPUTS, scaled);
      assert_int_equal(looks[i].scaling, expected[i]);
      assert_memory_equal(looks[i].x, scaled, ROWS * INPUTS * sizeof *scaled);
      assert_memory_equal(looks[i].test_x, scaled + ROWS * INPUTS, TEST * INPUTS * sizeof *scaled);
      entropic_scaler_free(scaler);
    }
    ent_split_cut_clear(&cut);
  }
  ent_split_table_clear(&split_table);
  entropic_context_free(context);
}

/* The source paper's experiments have one scaling, and one fold that validates. */
static void the_paper_has_one_scaling(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  ent_set set = {.split_table = skewed_rows(context, IN_RANKS), .train = ROWS, .test = TEST};
  ent_split_cut cut;
  ASSERT_OK(context, ent_set_cut(context, &set, 1, &cut));
  assert_int_equal(cut.data.scaling, ENTROPIC_SCALING_QUANTILE);
  assert_int_equal(cut.data.other_count, 0);
  assert_false(cut.data.thorough);
  ent_split_cut_clear(&cut);
  ent_set_clear(&set);
  entropic_context_free(context);
}

/* The printed features have minmax rows, whatever scaling is asked for; the others that scaling. */
static void printed_features_have_rows_by_minmax(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  static const entropic_scaling asked[] = {ENTROPIC_SCALING_AUTO, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_BLEND,
                                           ENTROPIC_SCALING_MINMAX};
  ent_split_table split_table = skewed_rows(context, IN_DISTANCES);
  ent_split_cut plain = cut_rows(context, &split_table, ENTROPIC_SCALING_MINMAX);
  assert_null(plain.data.minmax.x); /* as its x */
  ent_performance expected[2][2];
  for (int tuned = 0; tuned < 2; tuned++)
    for (int i = 0; i < 2; i++)
      expected[tuned][i] = run_one(context, &plain.data, i == 0 ? ENT_COMPARE_PRINTED : ENT_COMPARE_INSET, tuned);
  for (size_t k = 0; k < COUNT(asked); k++) {
    ent_split_cut cut = cut_rows(context, &split_table, asked[k]);
    if (asked[k] != ENTROPIC_SCALING_MINMAX) {
      assert_int_equal(cut.data.minmax.scaling, ENTROPIC_SCALING_MINMAX);
      assert_memory_equal(cut.data.minmax.x, plain.data.x, ROWS * INPUTS * sizeof(double));
      assert_memory_equal(cut.data.minmax.test_x, plain.data.test_x, TEST * INPUTS * sizeof(double));
    }
    for (int tuned = 0; tuned < 2; tuned++)
      for (int i = 0; i < 2; i++) {
        ent_performance p = run_one(context, &cut.data, i == 0 ? ENT_COMPARE_PRINTED : ENT_COMPARE_INSET, tuned);
        assert_int_equal(p.choice.scaling, ENTROPIC_SCALING_MINMAX);
        assert_true(p.error == expected[tuned][i].error && p.choice.lambda == expected[tuned][i].choice.lambda);
        assert_true(p.choice.bandwidth == expected[tuned][i].choice.bandwidth);
      }
    ent_split_cut_clear(&cut);
  }
  assert_true(expected[0][1].choice.bandwidth == 5 * expected[0][0].choice.bandwidth);
  assert_true(expected[1][0].error != expected[1][1].error);
  ent_split_cut_clear(&plain);
  ent_split_table_clear(&split_table);
  entropic_context_free(context);
}

/* Validation errors beyond a double choose nothing. */
static void errors_must_be_numbers(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  double x[12], y[12];
  for (size_t r = 0; r < COUNT(x); r++) {
    x[r] = (double)r / 11;
    y[r] = r % 2 == 0 ? 1e200 : -1e200;
  }
  ent_evaluation_data data = {.inputs = 1, .targets = 1, .rows = 11, .test_rows = 1, .x = x, .y = y, .test_x = x + 11};
  data.test_y = y + 11;
  ent_evaluation *evaluation = NULL;
  ent_performance p = {.error = 7};
  ASSERT_OK(context, ent_evaluation_create(context, &data, TUNE_SEED, &evaluation));
  for (int tuned = 0; tuned < 2; tuned++) {
    const ent_request request = {.method = ENT_COMPARE_EXACT, .tuned = tuned};
    assert_int_equal(ent_evaluation_run(context, evaluation, &request, 1, &p), ENTROPIC_BAD_DATA);
    assert_message(context, "kernel ridge: its validation error is not a number");
    assert_true(p.error == 7);
  }
  ent_evaluation_free(evaluation);
  entropic_context_free(context);
}

SUITE(compare_tuning) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_tuned_is_the_best_try),        cmocka_unit_test(by_the_rule_lambda_is_chosen),
      cmocka_unit_test(the_best_scaling_is_trained_with),     cmocka_unit_test(everyone_has_as_many_tries),
      cmocka_unit_test(many_rows_are_tuned_by_one_part),      cmocka_unit_test(scalers_do_not_see_the_test_rows),
      cmocka_unit_test(printed_features_have_rows_by_minmax), cmocka_unit_test(the_paper_has_one_scaling),
      cmocka_unit_test(groups_stay_together_while_tuning),    cmocka_unit_test(errors_must_be_numbers),
  };
  return cmocka_run_group_tests_name("compare_tuning", tests, NULL, NULL);
}

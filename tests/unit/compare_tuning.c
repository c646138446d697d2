/* Tuning of bandwidth, lambda and scaling: against every try by itself. */
#include "unit/plain_ridge.h"

#include "random/random.h"
#include "compare/experiments.h"
#include "study/sets.h"

enum { ROWS = 63, TEST = 17, ALL = ROWS + TEST, INPUTS = 2, SIZE = 6, LOOKS = 3, TRIES = 5, SEED = 3 };

static const double factors[TRIES] = {0.03, 0.1, 0.3, 1, 3}, omegas[TRIES] = {0.1, 0.3, 1, 3, 10};
/* Every other one, or all if thorough. */
static const double lambdas[] = {1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5,
                                 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8};
enum { LAMBDAS = COUNT(lambdas) };

/* What the target is plain in. */
typedef enum kind { IN_RANKS, IN_BOTH, IN_DISTANCES, KINDS } kind;

/* Inputs of which a few are far from the others. */
static ent_split_table skewed_rows(entropic_context *context, kind which) {
  ent_split_table split_table;
  entropic_random random = entropic_random_start(5, which);
  ASSERT_OK(context, ent_split_table_start(context, ALL, INPUTS, 1, 0, &split_table));
  for (size_t r = 0; r < ALL; r++) {
    split_table.y[r] = 0.02 * entropic_random_normal(&random);
    for (size_t i = 0; i < INPUTS; i++) {
      double rank = entropic_random_uniform(&random), far = pow(rank, 6);
      double at[KINDS] = {rank, (rank + far) / 2, far};
      split_table.x[r * INPUTS + i] = far;
      split_table.y[r] += sin((7 + (double)i) * at[which]);
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
  ent_request request = {.method = method, .tuned = tuned, .features = SIZE};
  ASSERT_OK(context, ent_evaluation_create(context, data, SEED, &evaluation));
  ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, 1, &p));
  ent_evaluation_free(evaluation);
  return p;
}

/* The sums of squares of all lambdas on validation rows: of the last fifth of a permutation, or of every fifth, each
 * counted from the end. */
static void try_plainly(entropic_context *context, const ent_evaluation_data *data, const double *from,
                        ent_compare_method method, double bandwidth, double *errors) {
  size_t order[ROWS];
  ent_request request = {.method = method, .tuned = true, .features = SIZE};
  entropic_random random = entropic_random_start(SEED, 2);
  entropic_random_permutation(&random, ROWS, order);
  memset(errors, 0, LAMBDAS * sizeof *errors);
  for (size_t part = 1; part <= (data->thorough ? 5 : 1); part++) {
    double x[ROWS * INPUTS], y[ROWS], scores[ROWS];
    size_t begin = ROWS - part * ROWS / 5, end = ROWS - (part - 1) * ROWS / 5, count = 0;
    size_t kept_rows = end - begin, train = ROWS - kept_rows;
    for (size_t i = 0; i < ROWS + kept_rows; i++) { /* the others, then these */
      if (i >= begin && i < end)
        continue;
      size_t r = order[i < ROWS ? i : begin + i - ROWS];
      memcpy(x + count * INPUTS, from + r * INPUTS, INPUTS * sizeof *x);
      y[count++] = data->y[r];
    }
    assert_int_equal(count, ROWS);
    ent_block kept = {.rows = kept_rows, .x = x + train * INPUTS, .x_stride = INPUTS, .y = y + train, .y_stride = 1};
    ent_trial trial = {.request = &request,
                       .bandwidth = bandwidth,
                       .seed = 9,
                       .inputs = INPUTS,
                       .data = {.x = x, .rows = train, .stride = INPUTS, .y = y, .targets = 1, .y_stride = 1},
                       .validation = &kept,
                       .lambda = -1};
    ent_method_features entry;
    ASSERT_OK(context, ent_method_features_make(context, &trial, &entry));
    for (size_t k = 0; k < LAMBDAS; k++) {
      plain_scores(&entry.map, x, y, INPUTS, train, kept_rows, lambdas[k], scores);
      for (size_t r = 0; r < kept_rows; r++)
        errors[k] += (scores[r] - y[train + r]) * (scores[r] - y[train + r]);
    }
    ent_method_features_clear(&entry);
  }
}

typedef struct choice {
  entropic_scaling scaling;
  double bandwidth, lambda, error;
} choice;

static void take_better(entropic_context *context, const ent_evaluation_data *data, const ent_evaluation_rows *rows,
                        ent_compare_method method, size_t number, choice *best, size_t *best_number) {
  double rule = 0, errors[LAMBDAS];
  ASSERT_OK(context, ent_random_bandwidth(context, &(ent_random_data){.x = rows->x, .rows = ROWS, .stride = INPUTS},
                                          INPUTS, SEED, &rule));
  double bandwidth = ent_compare_method_has_rule(method) ? rule * factors[number] : omegas[number];
  try_plainly(context, data, rows->x, method, bandwidth, errors);
  for (size_t k = 0; k < LAMBDAS; k += data->thorough ? 1 : 2)
    if (errors[k] < best->error) {
      *best = (choice){.scaling = rows->scaling, .bandwidth = bandwidth, .lambda = lambdas[k], .error = errors[k]};
      *best_number = number;
    }
}

/* All bandwidths by the second scaling, if there are several; then the others with the best of them, or with all. */
static choice tune_plainly(entropic_context *context, const ent_evaluation_data *data, ent_compare_method method) {
  choice best = {.error = INFINITY};
  size_t number = 0;
  ent_evaluation_rows first = {.scaling = data->scaling, .x = data->x};
  bool several = data->other_count > 0;
  for (size_t i = 0; i < TRIES; i++)
    take_better(context, data, several ? &data->others[0] : &first, method, i, &best, &number);
  size_t found = number;
  for (size_t i = 0; several && i < TRIES; i++) {
    if (!data->thorough && i != found)
      continue;
    take_better(context, data, &first, method, i, &best, &number);
    take_better(context, data, &data->others[1], method, i, &best, &number);
  }
  return best;
}

/* Every method, whatever is best for it, with one part and with all, and by one scaling as in the paper. */
static void what_is_tuned_is_the_best_try(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  size_t taken[ENTROPIC_SCALING_BLEND + 1] = {0};
  for (kind which = 0; which < KINDS; which++) {
    ent_split_table split_table = skewed_rows(context, which);
    ent_split_cut all = cut_rows(context, &split_table, ENTROPIC_SCALING_AUTO);
    for (int mode = 0; mode < 4; mode++)
      for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
        ent_evaluation_data data = all.data;
        data.thorough = mode % 2 == 1;
        data.other_count = mode < 2 ? LOOKS - 1 : 0;
        choice best = tune_plainly(context, &data, method);
        ent_performance p = run_one(context, &data, method, true);
        assert_true(fabs(p.tuning_error - best.error) <= 1e-6 * best.error);
        assert_int_equal(p.scaling, best.scaling);
        assert_true(p.bandwidth == best.bandwidth && p.lambda == best.lambda);
        taken[p.scaling] += mode < 2;
      }
    ent_split_cut_clear(&all);
    ent_split_table_clear(&split_table);
  }
  assert_true(taken[ENTROPIC_SCALING_QUANTILE] > 0 && taken[ENTROPIC_SCALING_BLEND] > 0 &&
              taken[ENTROPIC_SCALING_MINMAX] > 0);
  assert_int_equal(taken[ENTROPIC_SCALING_NONE], 0);
  entropic_context_free(context);
}

/* The rows of the scaling that was taken are trained and tested on. */
static void the_best_scaling_is_trained_with(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  ent_split_table split_table = skewed_rows(context, IN_DISTANCES);
  ent_split_cut all = cut_rows(context, &split_table, ENTROPIC_SCALING_AUTO);
  ent_performance p = run_one(context, &all.data, ENT_COMPARE_ENTROPY, true);
  assert_int_not_equal(p.scaling, all.data.scaling);
  ent_split_cut single = cut_rows(context, &split_table, p.scaling);
  ent_request request = {.method = ENT_COMPARE_ENTROPY, .tuned = true, .features = SIZE};
  ent_trial trial = {
      .request = &request,
      .bandwidth = p.bandwidth,
      .seed = 9,
      .inputs = INPUTS,
      .data = {.x = single.data.x, .rows = ROWS, .stride = INPUTS, .y = single.data.y, .targets = 1, .y_stride = 1}};
  ent_method_features entry;
  double scores[TEST], sum = 0;
  ASSERT_OK(context, ent_method_features_make(context, &trial, &entry));
  plain_scores(&entry.map, single.data.x, single.data.y, INPUTS, ROWS, TEST, p.lambda, scores);
  for (size_t r = 0; r < TEST; r++)
    sum += (scores[r] - single.data.test_y[r]) * (scores[r] - single.data.test_y[r]);
  assert_true(fabs(sqrt(sum / TEST) - p.error) <= 1e-8);
  ent_method_features_clear(&entry);
  ent_split_cut_clear(&single);
  ent_split_cut_clear(&all);
  ent_split_table_clear(&split_table);
  entropic_context_free(context);
}

/* Ours and the others alike; by the rule there is nothing but the first scaling. */
static void everyone_has_as_many_tries(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  ent_split_table split_table = skewed_rows(context, IN_DISTANCES);
  ent_split_cut all = cut_rows(context, &split_table, ENTROPIC_SCALING_AUTO),
                one = cut_rows(context, &split_table, ENTROPIC_SCALING_QUANTILE);
  for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
    ent_performance tuned = run_one(context, &all.data, method, true),
                    rule = run_one(context, &all.data, method, false);
    assert_int_equal(tuned.tries, TRIES + LOOKS - 1);
    ent_evaluation_data thorough = all.data;
    thorough.thorough = true;
    assert_int_equal(run_one(context, &thorough, method, true).tries, TRIES * LOOKS);
    assert_int_equal(run_one(context, &one.data, method, true).tries, TRIES);
    assert_int_equal(rule.tries, 1);
    assert_int_equal(rule.scaling, ENTROPIC_SCALING_QUANTILE);
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
    double one = run_one(context, &data, ENT_COMPARE_ENTROPY, false).tuning_error;
    data.thorough = true;
    double every = run_one(context, &data, ENT_COMPARE_ENTROPY, false).tuning_error;
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
  enum { COPIES = 8 };
  static const size_t counts[] = {2, 3, 12, 400};
  entropic_context *context = context_with(1);
  for (size_t i = 0; i < COUNT(counts); i++)
    for (int thorough = 0; thorough < 2; thorough++) {
      size_t rows = counts[i] * COPIES;
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
        ASSERT_OK(context, ent_evaluation_create(context, &data, SEED, &evaluation));
        ASSERT_OK(context, ent_evaluation_run(context, evaluation, &request, 9, 1, &p));
        ent_evaluation_free(evaluation);
        if (grouped)
          assert_true(p.tuning_error >= 0.7 * kept);
        else if (counts[i] < 400)
          assert_true(p.tuning_error <= 0.01 * kept);
      }
      memset(groups, 0, rows * sizeof *groups);
      assert_int_equal(ent_evaluation_create(context, &data, SEED, &evaluation), ENTROPIC_BAD_DATA);
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
    assert_int_equal(cut.data.other_count, LOOKS - 1);
    ent_evaluation_rows looks[LOOKS] = {
        {cut.data.scaling, cut.data.x, cut.data.test_x}, cut.data.others[0], cut.data.others[1]};
    static const entropic_scaling expected[LOOKS] = {ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_BLEND,
                                                     ENTROPIC_SCALING_MINMAX};
    for (size_t i = 0; i < LOOKS; i++) {
      double scaled[ALL * INPUTS];
      entropic_scaler *scaler = NULL;
      ASSERT_OK(context, entropic_scaler_create(context, expected[i], split_table.x, ROWS, INPUTS, INPUTS, &scaler));
      entropic_scaler_apply(scaler, split_table.x, ALL, INPUTS, scaled);
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

static void races_tell_the_scaling_of_most_runs(void **state) {
  (void)state;
  ent_experiment experiment = {.scaled = {[ENTROPIC_SCALING_MINMAX] = 2, [ENTROPIC_SCALING_BLEND] = 3}};
  assert_int_equal(ent_experiment_scaling(&experiment), ENTROPIC_SCALING_BLEND);
  experiment.scaled[ENTROPIC_SCALING_MINMAX] = 3;
  assert_int_equal(ent_experiment_scaling(&experiment), ENTROPIC_SCALING_MINMAX);
  experiment.scaled[ENTROPIC_SCALING_QUANTILE] = 4;
  assert_int_equal(ent_experiment_scaling(&experiment), ENTROPIC_SCALING_QUANTILE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_tuned_is_the_best_try),       cmocka_unit_test(the_best_scaling_is_trained_with),
      cmocka_unit_test(everyone_has_as_many_tries),          cmocka_unit_test(many_rows_are_tuned_by_one_part),
      cmocka_unit_test(scalers_do_not_see_the_test_rows),    cmocka_unit_test(the_paper_has_one_scaling),
      cmocka_unit_test(races_tell_the_scaling_of_most_runs), cmocka_unit_test(groups_stay_together_while_tuning),
  };
  return cmocka_run_group_tests_name("compare_tuning", tests, NULL, NULL);
}

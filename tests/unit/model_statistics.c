/* Statistics as things of their own: the same bytes however rows come, updates that can be undone, receipts, and models
 * that are those of a fit. */
#include "unit/fixed_plain.h"
#include "unit/collecting.h"

#include "model/marginal_sums.h"
#include "model/intervals.h"
#include "model/member_effects.h"
#include "sums/fixed_code.h"
#include "unit/fixture.h"

enum { ROWS = 130, ORDERS = 20, MOST_SHARDS = 64, SUBSETS = 50, CHANGES = 10000 };

/* One order of the rows in one partition, merged in a random order, on some threads. */
static void check_order(const entropic_model *model, const sheet *s, held_bytes expected, size_t number) {
  static const int threads[] = {1, 2, 4, 8};
  entropic_random random = entropic_random_start(7, number);
  size_t order[ROWS], merge[MOST_SHARDS];
  size_t shards = number == 0 ? 1 : number == 1 ? MOST_SHARDS : 1 + entropic_random_below(&random, MOST_SHARDS);
  entropic_statistics *parts[MOST_SHARDS], *sum = NULL;
  entropic_random_permutation(&random, ROWS, order);
  entropic_random_permutation(&random, shards, merge);
  for (size_t k = 0; k < shards; k++) {
    size_t first = k * ROWS / shards, end = (k + 1) * ROWS / shards;
    entropic_context_set_threads(context, threads[(number + k) % COUNT(threads)]);
    parts[k] = collected_of(context, model, s, order + first, end - first);
  }
  ASSERT_OK(context, entropic_statistics_create(context, model, &sum));
  for (size_t k = 0; k < shards; k++)
    ASSERT_OK(context, entropic_statistics_merge(context, sum, parts[merge[k]]));
  held_bytes found = bytes_of_statistics(context, sum);
  assert_same_bytes(found, expected);
  entropic_bytes_free(found.bytes);
  for (size_t k = 0; k < shards; k++)
    entropic_statistics_free(parts[k]);
  entropic_statistics_free(sum);
}

static void orders_and_shards(void **state) {
  (void)state;
  for (size_t i = 0; i < COLLECTINGS; i++) {
    sheet s = collecting_sheet(&collectings[i], ROWS, 1);
    entropic_model *model = collecting_fit(context, &collectings[i], &s);
    entropic_statistics *kept = NULL;
    ASSERT_OK(context, entropic_statistics_of_model(context, model, &kept));
    held_bytes expected = bytes_of_statistics(context, kept);
    for (size_t number = 0; number < ORDERS; number++)
      check_order(model, &s, expected, number);
    entropic_bytes_free(expected.bytes);
    entropic_statistics_free(kept);
    entropic_model_free(model);
    sheet_stop(&s);
  }
}

/* Blocks, thresholds and processor codes do not show. */
static void blocks_and_codes(void **state) {
  (void)state;
  static const size_t blocks[] = {1, 7, 64, 512};
  static const double thresholds[] = {0, 0.3, 2};
  const collecting *c = collecting_named("weights");
  sheet s = collecting_sheet(c, ROWS, 2);
  entropic_model *model = collecting_fit(context, c, &s);
  entropic_dataset *data = dataset_of(context, &s, c->task);
  const ent_fixed_code *codes[ENT_FIXED_MOST_CODES];
  size_t count = ent_fixed_codes(ENT_GRADE_EXACT, codes);
  assert_true(count >= 2);
  for (size_t k = 0; k < count; k++)
    for (size_t b = 0; b < COUNT(blocks); b++)
      for (size_t t = 0; t < COUNT(thresholds); t++) {
        ent_fixed_options options = {
            .full = thresholds[t], .dense = thresholds[t] / 2, .block_rows = blocks[b], .code = codes[k]};
        entropic_row_reader rows = ent_row_reader_of_dataset(data);
        ent_collected collected;
        ent_fixed *fixed = NULL;
        ASSERT_OK(context, ent_marginal_statistics(context, model, &fixed));
        ASSERT_OK(context, ent_collect(context, model, &rows, &options, fixed, &collected));
        assert_true(fixed_equal(fixed, model->totals));
        assert_int_equal(collected.rows, ROWS);
        ent_fixed_free(fixed);
      }
  entropic_dataset_free(data);
  entropic_model_free(model);
  sheet_stop(&s);
}

static void updates_are_forgotten(void **state) {
  (void)state;
  for (size_t i = 0; i < COLLECTINGS; i++) {
    sheet s = collecting_sheet(&collectings[i], ROWS, 3), others = collecting_sheet(&collectings[i], 57, 4);
    entropic_model *model = collecting_fit(context, &collectings[i], &s);
    bool validated = model->validation != ENTROPIC_VALIDATION_NONE;
    const double *weights = entropic_model_weights(model, 0, NULL);
    ent_model_drop_intervals(model); /* changes drop them for good, and bands */
    ent_model_drop_member_effects(model);
    held_bytes before = bytes_of_model(context, model);
    change_by_sheet(context, model, &others, false);
    assert_int_equal(ent_model_describe(model).rows, ROWS + 57);
    assert_int_equal(model->outdated, validated);
    held_bytes changed = bytes_of_model(context, model);
    assert_true(changed.count != before.count || memcmp(changed.bytes, before.bytes, before.count) != 0);
    entropic_model *loaded = NULL; /* what is saved in between can be changed as well */
    ASSERT_OK(context, entropic_model_load_memory(context, changed.bytes, changed.count, &loaded));
    change_by_sheet(context, model, &others, true);
    change_by_sheet(context, loaded, &others, true);
    held_bytes after = bytes_of_model(context, model), again = bytes_of_model(context, loaded);
    assert_same_bytes(after, before);
    assert_same_bytes(again, before);
    assert_false(model->outdated);
    assert_ptr_equal(entropic_model_weights(model, 0, NULL), weights);
    entropic_bytes_free(before.bytes);
    entropic_bytes_free(changed.bytes);
    entropic_bytes_free(after.bytes);
    entropic_bytes_free(again.bytes);
    entropic_model_free(loaded);
    entropic_model_free(model);
    sheet_stop(&s);
    sheet_stop(&others);
  }
}

/* Forgetting any rows gives the receipt of collecting the others. */
static void any_rows_can_be_forgotten(void **state) {
  (void)state;
  const collecting *c = collecting_named("members");
  sheet s = collecting_sheet(c, ROWS, 5);
  entropic_model *model = collecting_fit(context, c, &s);
  held_bytes fitted = bytes_of_model(context, model);
  entropic_random random = entropic_random_start(3, 1);
  for (size_t i = 0; i < SUBSETS; i++) {
    size_t order[ROWS], count = 1 + entropic_random_below(&random, ROWS - 1);
    char receipt[ENTROPIC_RECEIPT_SIZE], expected[ENTROPIC_RECEIPT_SIZE];
    entropic_model *copy = NULL;
    entropic_random_permutation(&random, ROWS, order);
    ASSERT_OK(context, entropic_model_load_memory(context, fitted.bytes, fitted.count, &copy));
    sheet some = sheet_some(&s, order, count);
    change_by_sheet(context, copy, &some, true);
    ASSERT_OK(context, entropic_model_receipt(context, copy, receipt));
    entropic_statistics *others = collected_of(context, model, &s, order + count, ROWS - count);
    ASSERT_OK(context, entropic_statistics_receipt(context, others, expected));
    assert_string_equal(receipt, expected);
    entropic_statistics_free(others);
    entropic_model_free(copy);
    sheet_stop(&some);
  }
  entropic_bytes_free(fitted.bytes);
  entropic_model_free(model);
  sheet_stop(&s);
}

/* Many updates and forgets in a row leave nothing behind. */
static void nothing_drifts(void **state) {
  (void)state;
  enum { SHARDS = 10 };
  const collecting *c = collecting_named("numbers");
  sheet s = collecting_sheet(c, ROWS, 6);
  entropic_model *model = collecting_fit(context, c, &s);
  entropic_statistics *sum = NULL, *shard[SHARDS];
  size_t order[ROWS], there[SHARDS] = {0}, changes = quick_tests() ? CHANGES / 10 : CHANGES;
  entropic_random random = entropic_random_start(11, 1);
  for (size_t r = 0; r < ROWS; r++)
    order[r] = r;
  for (size_t k = 0; k < SHARDS; k++)
    shard[k] = collected_of(context, model, &s, order + k * 13, 13);
  ASSERT_OK(context, entropic_statistics_of_model(context, model, &sum));
  held_bytes before = bytes_of_statistics(context, sum);
  for (size_t i = 0; i < changes; i++) {
    size_t k = entropic_random_below(&random, SHARDS);
    bool forget = there[k] > 0 && entropic_random_below(&random, 2) == 0;
    ASSERT_OK(context, forget ? entropic_statistics_subtract(context, sum, shard[k])
                              : entropic_statistics_merge(context, sum, shard[k]));
    there[k] += forget ? (size_t)-1 : 1;
  }
  for (size_t k = 0; k < SHARDS; k++)
    for (; there[k] > 0; there[k]--)
      ASSERT_OK(context, entropic_statistics_subtract(context, sum, shard[k]));
  held_bytes after = bytes_of_statistics(context, sum);
  assert_same_bytes(after, before);
  entropic_bytes_free(before.bytes);
  entropic_bytes_free(after.bytes);
  for (size_t k = 0; k < SHARDS; k++)
    entropic_statistics_free(shard[k]);
  entropic_statistics_free(sum);
  entropic_model_free(model);
  sheet_stop(&s);
}

static double deviation_of(const double *values, size_t count) {
  double mean = 0, sum = 0;
  for (size_t i = 0; i < count; i++)
    mean += values[i] / (double)count;
  for (size_t i = 0; i < count; i++)
    sum += (values[i] - mean) * (values[i] - mean);
  return sqrt(sum / (double)count);
}

/* A model that does not keep statistics can be the design as well; what is solved predicts as it does. */
static void solved_as_fitted(void **state) {
  (void)state;
  for (size_t i = 0; i < COLLECTINGS; i++) {
    const collecting *c = &collectings[i];
    sheet s = collecting_sheet(c, ROWS, 8), others = collecting_sheet(c, 80, 9);
    ent_fit_options options = collecting_options(c);
    options.keep_statistics = false;
    entropic_model *fitted = fit_sheet(context, &s, c->task, &options), *solved = NULL;
    assert_null(fitted->totals);
    assert_int_equal(entropic_model_statistics_bytes(fitted), 0);
    size_t order[ROWS], scores = fitted->scores;
    for (size_t r = 0; r < ROWS; r++)
      order[r] = r;
    entropic_statistics *statistics = collected_of(context, fitted, &s, order, ROWS);
    ASSERT_OK(context, entropic_statistics_solve(context, statistics, NULL, &solved));
    assert_int_equal(ent_model_describe(solved).rows, ROWS);
    assert_int_equal(ent_model_describe(solved).validation, ENTROPIC_VALIDATION_NONE);
    assert_true(solved->lambda == fitted->lambda);
    assert_null(solved->totals);
    double *a = calloc(others.rows * scores, sizeof *a), *b = calloc(others.rows * scores, sizeof *b);
    double *x = calloc(others.rows * c->inputs, sizeof *x);
    for (size_t r = 0; r < others.rows; r++)
      memcpy(x + r * c->inputs, sheet_row(&others, r), c->inputs * sizeof *x);
    ent_scaler_fill_own(fitted->main.scaler, x, others.rows);
    ASSERT_OK(context, ent_model_scores(context, fitted, x, others.rows, c->inputs, a));
    ASSERT_OK(context, ent_model_scores(context, solved, x, others.rows, c->inputs, b));
    double most = 0, deviation = deviation_of(a, others.rows * scores);
    for (size_t k = 0; k < others.rows * scores; k++)
      most = fmax(most, fabs(a[k] - b[k]));
    assert_true(deviation > 0);
    assert_true(most <= 1e-7 * deviation);
    free(a);
    free(b);
    free(x);
    entropic_statistics_free(statistics);
    entropic_model_free(fitted);
    entropic_model_free(solved);
    sheet_stop(&s);
    sheet_stop(&others);
  }
}

/* Lambda: that of the design, a number, or by generalised cross-validation. */
static void lambdas(void **state) {
  (void)state;
  const collecting *c = collecting_named("members");
  sheet s = collecting_sheet(c, ROWS, 10);
  entropic_model *model = collecting_fit(context, c, &s), *same = NULL, *given = NULL, *chosen = NULL;
  entropic_statistics *statistics = NULL;
  entropic_parameters *set = NULL;
  ASSERT_OK(context, entropic_statistics_of_model(context, model, &statistics));
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_SOLVE, &set));
  ASSERT_OK(context, entropic_parameters_set(context, set, "keep-statistics", "yes"));
  ASSERT_OK(context, entropic_statistics_solve(context, statistics, set, &same));
  ASSERT_OK(context, entropic_parameters_set(context, set, "lambda", "0.25"));
  ASSERT_OK(context, entropic_statistics_solve(context, statistics, set, &given));
  ASSERT_OK(context, entropic_parameters_set(context, set, "lambda", "auto"));
  ASSERT_OK(context, entropic_statistics_solve(context, statistics, set, &chosen));
  assert_memory_equal(same->main.weights, model->main.weights, model->main.features * sizeof *model->main.weights);
  assert_true(same->lambda == model->lambda && given->lambda == 0.25);
  assert_true(chosen->lambda > 0 && chosen->lambda < 0.1);
  assert_true(given->frozen->members[1].lambda == 0.25);
  assert_true(error_on(context, chosen, &s) < error_on(context, given, &s));
  assert_true(entropic_model_statistics_bytes(same) > 16 * 15 * 15 / 2);
  char one[ENTROPIC_RECEIPT_SIZE], other[ENTROPIC_RECEIPT_SIZE];
  ASSERT_OK(context, entropic_model_receipt(context, model, one));
  ASSERT_OK(context, entropic_model_receipt(context, same, other));
  assert_string_equal(one, other);
  ASSERT_OK(context, entropic_model_receipt(context, given, other)); /* lambda is frozen with the design */
  assert_string_not_equal(one, other);
  entropic_parameters_free(set);
  entropic_statistics_free(statistics);
  entropic_model_free(same);
  entropic_model_free(given);
  entropic_model_free(chosen);
  entropic_model_free(model);
  sheet_stop(&s);
}

/* A whole weight is as many rows; also of a model of no features. */
static void whole_weights(void **state) {
  (void)state;
  sheet s = sheet_start(40, 2, 1, WITH_WEIGHTS, 12), twice = sheet_start(80, 2, 1, WITH_WEIGHTS, 12);
  for (size_t r = 0; r < 40; r++) {
    sheet_row(&s, r)[3] = 2;
    for (size_t k = 0; k < 2; k++) {
      memcpy(sheet_row(&twice, 2 * r + k), sheet_row(&s, r), s.columns * sizeof *s.values);
      sheet_row(&twice, 2 * r + k)[3] = 1;
    }
  }
  ent_fit_options options = fixed_options(1e-3, 12);
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  size_t order[80];
  for (size_t r = 0; r < 80; r++)
    order[r] = r;
  entropic_statistics *one = collected_of(context, model, &s, order, 40);
  entropic_statistics *other = collected_of(context, model, &twice, order, 80);
  assert_true(fixed_equal(one->design.model->totals, other->design.model->totals));
  entropic_statistics_info info;
  ASSERT_OK(context, entropic_statistics_describe(context, one, &info, sizeof info));
  assert_int_equal(info.rows, 40);
  assert_int_equal(info.features, 12);
  assert_int_equal(info.members, 1);
  assert_int_equal(info.integers, 15 * 16 / 2);
  entropic_statistics_free(one);
  entropic_statistics_free(other);
  entropic_model_free(model);
  sheet_stop(&s);
  sheet_stop(&twice);
}

/* Noise: the fit finds nothing to learn, and its mean can be updated nonetheless. */
static void constant_models(void **state) {
  (void)state;
  sheet s = sheet_start(60, 2, 1, PLAIN, 13), others = sheet_start(30, 2, 1, PLAIN, 14);
  entropic_random random = entropic_random_start(1, 1);
  for (size_t r = 0; r < 60; r++)
    sheet_y(&s, r)[0] = entropic_random_normal(&random);
  ent_fit_options options = ent_fit_options_default();
  options.keep_statistics = true;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  assert_int_equal(model->main.features, 0);
  change_by_sheet(context, model, &others, false);
  double sum = 0;
  for (size_t r = 0; r < 60; r++)
    sum += sheet_y(&s, r)[0];
  for (size_t r = 0; r < 30; r++)
    sum += sheet_y(&others, r)[0];
  assert_close(model->offsets[0], sum / 90, 1e-12);
  entropic_model_free(model);
  sheet_stop(&s);
  sheet_stop(&others);
}

/* scores[rows x scores] of the rows of a sheet. */
static double *scores_of(const entropic_model *model, const sheet *s) {
  double *x = calloc(s->rows * s->inputs, sizeof *x), *scores = calloc(s->rows * model->scores, sizeof *scores);
  for (size_t r = 0; r < s->rows; r++)
    memcpy(x + r * s->inputs, sheet_row(s, r), s->inputs * sizeof *x);
  ent_scaler_fill_own(model->main.scaler, x, s->rows);
  ASSERT_OK(context, ent_model_scores(context, model, x, s->rows, s->inputs, scores));
  free(x);
  return scores;
}

static void refit_by_sheet(entropic_model *model, const sheet *s, double *rows) {
  entropic_report *report = NULL;
  double converged;
  sheet_reader reader = read_sheet(context, model, s);
  ASSERT_OK(context, entropic_model_refit(context, model, reader.reader, &report));
  assert_true(entropic_report_number(report, "rows", rows));
  assert_true(entropic_report_number(report, "converged", &converged) && converged == 1);
  entropic_report_free(report);
  sheet_reader_stop(&reader);
}

/* Weights found anew from the same rows are those of the fit, wherever they begin, for every loss; those of other rows are
 * the same from both beginnings. */
static void refits(void **state) {
  (void)state;
  static const entropic_loss losses[] = {ENTROPIC_LOSS_SQUARED, ENTROPIC_LOSS_LOGISTIC, ENTROPIC_LOSS_HINGE};
  for (size_t i = 0; i < COUNT(losses); i++)
    for (size_t classes = 2; classes <= 4; classes += 2) {
      const collecting *c = collecting_named(classes == 2 ? "two classes" : "four classes");
      sheet s = collecting_sheet(c, ROWS, 20), others = collecting_sheet(c, 90, 21);
      ent_fit_options options = fixed_options(1e-2, 12);
      options.loss = losses[i];
      entropic_model *model = fit_sheet(context, &s, c->task, &options), *moved = NULL;
      held_bytes bytes = bytes_of_model(context, model);
      ASSERT_OK(context, entropic_model_load_memory(context, bytes.bytes, bytes.count, &moved));
      for (size_t k = 0; k < moved->scores * moved->main.features; k++)
        moved->main.weights[k] += k / moved->main.features % 2 == 0 ? 0.3 : -0.3; /* of several classes they sum to 0 */
      double *fitted = scores_of(model, &others), number;
      refit_by_sheet(moved, &s, &number);
      assert_true(number == ROWS);
      double *again = scores_of(moved, &others);
      for (size_t k = 0; k < others.rows * model->scores; k++)
        assert_close(again[k], fitted[k], 1e-4);
      assert_int_equal(ent_model_describe(moved).validation, ENTROPIC_VALIDATION_NONE);
      refit_by_sheet(moved, &others, &number);
      refit_by_sheet(model, &others, &number);
      assert_int_equal(ent_model_describe(model).rows, 90);
      double *one = scores_of(model, &s), *other = scores_of(moved, &s), most = 0, *before = scores_of(moved, &others);
      for (size_t k = 0; k < s.rows * model->scores; k++)
        assert_close(one[k], other[k], 1e-4);
      for (size_t k = 0; k < others.rows * model->scores; k++)
        most = fmax(most, fabs(before[k] - fitted[k]));
      assert_true(most > 1e-2); /* the rows matter */
      free(fitted);
      free(again);
      free(one);
      free(other);
      free(before);
      entropic_bytes_free(bytes.bytes);
      entropic_model_free(model);
      entropic_model_free(moved);
      sheet_stop(&s);
      sheet_stop(&others);
    }
}

SUITE(model_statistics) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders_and_shards),
                                     cmocka_unit_test(blocks_and_codes),
                                     cmocka_unit_test(updates_are_forgotten),
                                     cmocka_unit_test(any_rows_can_be_forgotten),
                                     cmocka_unit_test(nothing_drifts),
                                     cmocka_unit_test(solved_as_fitted),
                                     cmocka_unit_test(lambdas),
                                     cmocka_unit_test(whole_weights),
                                     cmocka_unit_test(constant_models),
                                     cmocka_unit_test(refits)};
  return cmocka_run_group_tests_name("model_statistics", tests, start, stop);
}

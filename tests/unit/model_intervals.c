/* Intervals: quantiles against ranks, residuals against refits without the rows, the spread, ends, sets and files. */
#include "unit/collecting.h"

#include "base/portable.h"
#include "fit/interval_factor.h"
#include "fit/interval_spread.h"
#include "fit/outer.h"

#include "unit/fixture.h"
#include "unit/outputs.h"

enum { ROWS = 240, PARTS = 5, INPUTS = 3 };

/* Lambda alone is chosen, and scaling knows nothing of the rows: a fit of fewer rows is one of these alone. */
static ent_fit_options open_lambda(void) {
  ent_fit_options options = fixed_options(ENT_LAMBDA_AUTO, 12);
  options.scaling = ENTROPIC_SCALING_NONE;
  return options;
}

static entropic_model *fit_open(const sheet *s, entropic_task task) {
  ent_fit_options options = open_lambda();
  entropic_model *model = fit_sheet(context, s, task, &options);
  assert_true(ent_model_interval_rows(model) > 0);
  return model;
}

/* ---- Quantiles ---- */

static void quantiles_are_ranks(void **state) {
  (void)state;
  static const size_t counts[] = {1, 20, 255, 256, 1000};
  for (size_t c = 0; c < COUNT(counts); c++) {
    size_t n = counts[c];
    ent_weighted *values = calloc(n, sizeof *values);
    double quantiles[ENT_QUANTILES];
    for (size_t i = 0; i < n; i++)
      values[i] = (ent_weighted){(double)((i * 7919) % n + 1), 1}; /* 7919 is prime: each of 1 to n once */
    ent_quantiles_of(values, n, n, quantiles);
    for (size_t i = 0; i < ENT_QUANTILES; i++) {
      double rank = ceil(ent_quantile_level(i) * (double)(n + 1) - 1e-9);
      assert_close(quantiles[i], fmin(fmax(rank, 1), (double)n), 0);
    }
    assert_close(quantiles[ENT_QUANTILES - 1], (double)n, 0);
    free(values);
  }
}

static void weights_are_shares(void **state) {
  (void)state;
  ent_weighted values[] = {{3, 0.5}, {1, 6}, {2, 3.5}};
  double quantiles[ENT_QUANTILES];
  ent_quantiles_of(values, COUNT(values), COUNT(values), quantiles);
  for (size_t i = 0; i < ENT_QUANTILES; i++) {
    double share = ent_quantile_level(i) * (1 + 1.0 / 3);
    assert_close(quantiles[i], share <= 0.6 ? 1 : share <= 0.95 ? 2 : 3, 0);
  }
}

static void levels_between_are_linear(void **state) {
  (void)state;
  double quantiles[ENT_QUANTILES];
  for (size_t i = 0; i < ENT_QUANTILES; i++)
    quantiles[i] = exp(3 * ent_quantile_level(i));
  for (size_t i = 0; i < ENT_QUANTILES; i++)
    assert_close(ent_quantile_at(quantiles, ent_quantile_level(i)), quantiles[i], 1e-12 * quantiles[i]);
  for (size_t i = 1; i < ENT_QUANTILES; i++) {
    double middle = 0.5 * (ent_quantile_level(i - 1) + ent_quantile_level(i));
    assert_close(ent_quantile_at(quantiles, middle), 0.5 * (quantiles[i - 1] + quantiles[i]), 1e-10);
  }
  assert_close(ent_quantile_at(quantiles, 0.5 * ent_quantile_level(0)), 0.5 * quantiles[0], 1e-12);
  assert_close(ent_quantile_at(quantiles, 1), quantiles[ENT_QUANTILES - 1], 0);
}

/* ---- Residuals ---- */

/* Half widths of all rows are the quantile of residuals of models that were fitted without the part of a row. */
static void residuals_are_of_rows_left_out(void **state) {
  (void)state;
  sheet s = sheet_start(ROWS, INPUTS, 1, PLAIN, 1);
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options options = open_lambda();
  size_t part_of[ROWS], parts = options.folds;
  ASSERT_OK(context, ent_outer_deal(context, data, options.seed, part_of, &parts));
  assert_int_equal(parts, PARTS);
  ent_weighted residuals[ROWS];
  for (size_t part = 0, at = 0; part < PARTS; part++) {
    size_t inside[ROWS], outside[ROWS], in_count = 0, out_count = 0;
    for (size_t r = 0; r < ROWS; r++)
      if (part_of[r] == part)
        outside[out_count++] = r;
      else
        inside[in_count++] = r;
    sheet others = sheet_some(&s, inside, in_count), left_out = sheet_some(&s, outside, out_count);
    entropic_model *model = fit_sheet(context, &others, ENTROPIC_TASK_REGRESSION, &options);
    double *predictions = predict_sheet(context, model, &left_out);
    for (size_t r = 0; r < out_count; r++)
      residuals[at++] = (ent_weighted){fabs(predictions[r] - sheet_y(&left_out, r)[0]), 1};
    free(predictions);
    entropic_model_free(model);
    sheet_stop(&others);
    sheet_stop(&left_out);
  }
  double quantiles[ENT_QUANTILES];
  ent_quantiles_of(residuals, ROWS, ROWS, quantiles);
  entropic_model *model = fit_open(&s, ENTROPIC_TASK_REGRESSION);
  assert_int_equal(ent_model_interval_rows(model), ROWS);
  assert_int_equal(model->intervals->target[0].spread.count, 0);
  for (size_t i = 0; i < ENT_QUANTILES; i++) {
    double kept = model->intervals->target[0].quantiles[i];
    assert_true(kept >= quantiles[i]); /* rounded up */
    assert_close(kept / quantiles[i], 1, 1.1e-5);
  }
  double *p = predict_sheet(context, model, &s), lower[ROWS], upper[ROWS];
  ASSERT_OK(context, predict_intervals(context, model, 0.9, s.values, ROWS, s.columns, lower, upper));
  double q = ent_quantile_at(model->intervals->target[0].quantiles, 0.9);
  for (size_t r = 0; r < ROWS; r++) {
    assert_close(upper[r] - p[r], q, 1e-9);
    assert_close(p[r] - lower[r], q, 1e-9);
  }
  free(p);
  entropic_model_free(model);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

/* The mean of members: every row is predicted once, by the path of the member whose fold it is in. */
static void residuals_of_members(void **state) {
  (void)state;
  sheet s = sheet_start(ROWS, INPUTS, 1, PLAIN, 2);
  entropic_dataset *data = dataset_of(context, &s, ENTROPIC_TASK_REGRESSION);
  ent_fit_options options = ent_fit_options_default();
  ent_fit fit;
  ent_fitted fitted;
  size_t seen[ROWS] = {0};
  double squares = 0, model_squares = 0, errors = 0;
  options.ensemble = PARTS; /* no simpler form is taken then */
  ASSERT_OK(context, ent_fit_prepare(context, data, NULL, &options, &fit));
  ASSERT_OK(context, ent_outer_fit(context, &fit, &fitted));
  const ent_held_predictions *held = &fitted.outcome.held;
  assert_int_equal(held->rows, ROWS);
  assert_int_equal(fitted.outcome.member_count, PARTS);
  for (size_t i = 0; i < ROWS; i++) {
    double off = held->predictions[i] - fit.y[held->numbers[i]];
    assert_int_equal(seen[held->numbers[i]]++, 0);
    assert_int_equal(fit.fold_of[held->numbers[i]], i * PARTS / ROWS);
    squares += off * off / ROWS;
  }
  errors = fitted.outcome.errors[0];
  assert_true(squares <= 1.0001 * errors && squares >= 0.9 * errors); /* the step of least error, not the one taken */
  double *factors = NULL;
  ASSERT_OK(context, ent_interval_factors(context, &fit, &fitted, &factors));
  assert_true(factors[0] > 0.5 && factors[0] < 2 && factors[0] != 1);
  assert_true(fitted.outer.inner.rows > ROWS / 2);
  double expected = ldexp(factors[0] * sqrt(squares), fit.unit[0]);
  ent_delete(factors);
  ent_fit_clear(&fit);
  ent_fitted_clear(&fitted);
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  assert_int_equal(ent_model_interval_rows(model), ROWS);
  assert_int_equal(model->intervals->target[0].spread.count, 0);
  assert_close(model->intervals->target[0].deviation, expected, 1e-3 * expected); /* but for clamping */
  model_squares = pow(error_on(context, model, &s), 2);
  assert_true(model_squares < pow(model->intervals->target[0].deviation, 2)); /* these rows were learnt from */
  entropic_model_free(model);
  entropic_dataset_free(data);
  sheet_stop(&s);
}

/* ---- The spread ---- */

enum { SPREAD_ROWS = 1000 };

typedef struct spread_case {
  double residuals[SPREAD_ROWS], weights[SPREAD_ROWS], scores[SPREAD_ROWS], spreads[SPREAD_ROWS];
  size_t fold_of[SPREAD_ROWS], numbers[SPREAD_ROWS];
  sheet sheet;
  entropic_dataset *data;
  entropic_model *model;
  ent_spread spread;
} spread_case;

/* Residuals are normal, of deviation 1 + slope x_input; the scores are another input. */
static spread_case *spread_of(double slope, size_t input, uint64_t seed) {
  spread_case *c = calloc(1, sizeof *c);
  assert_non_null(c);
  c->sheet = sheet_start(SPREAD_ROWS, INPUTS, 1, PLAIN, seed);
  c->data = dataset_of(context, &c->sheet, ENTROPIC_TASK_REGRESSION);
  c->model = fit_open(&c->sheet, ENTROPIC_TASK_REGRESSION);
  entropic_random random = entropic_random_start(seed, 5);
  for (size_t r = 0; r < SPREAD_ROWS; r++) {
    const double *x = sheet_row(&c->sheet, r);
    c->residuals[r] = fabs(entropic_random_normal(&random)) * (1 + slope * x[input]);
    c->scores[r] = x[0];
    c->weights[r] = 1;
    c->numbers[r] = r;
    c->fold_of[r] = r % ENT_SPREAD_FOLDS;
  }
  ent_spread_rows rows = {.count = SPREAD_ROWS,
                          .residuals = c->residuals,
                          .weights = c->weights,
                          .fold_of = c->fold_of,
                          .scores = c->scores,
                          .model = c->model,
                          .data = c->data,
                          .numbers = c->numbers};
  ASSERT_OK(context, ent_spread_find(context, &rows, &c->spread, c->spreads));
  return c;
}

static void spread_stop(spread_case *c) {
  entropic_model_free(c->model);
  entropic_dataset_free(c->data);
  sheet_stop(&c->sheet);
  free(c);
}

static void spread_that_is_constant_stays_so(void **state) {
  (void)state;
  size_t found = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    spread_case *c = spread_of(0, 1, seed);
    found += c->spread.count > 0;
    for (size_t r = 0; r < SPREAD_ROWS && c->spread.count == 0; r++)
      assert_close(c->spreads[r], 1, 0);
    spread_stop(c);
  }
  assert_true(found <= 1);
}

static void spread_by_an_input_is_found(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    spread_case *c = spread_of(4, 1, seed);
    assert_true(c->spread.count >= 1);
    assert_int_equal(c->spread.factors[0].axis, 1);
    double low[INPUTS] = {0.5, 0.1, 0.5}, high[INPUTS] = {0.5, 0.9, 0.5};
    double ratio = ent_spread_at(c->model, &c->spread, high, 0.5) / ent_spread_at(c->model, &c->spread, low, 0.5);
    assert_true(ratio >= 2.2 && ratio <= 4.5); /* 4.6/1.4 = 3.3 */
    spread_stop(c);
  }
}

static void spread_is_linear_between_knots(void **state) {
  (void)state;
  const ent_spread_factor factor = {.axis = 0, .knots = 3, .at = {0, 1, 3}, .factor = {1, 2, 6}, .missing = 0.5};
  assert_close(ent_spread_factor_at(&factor, -7), 1, 0);
  assert_close(ent_spread_factor_at(&factor, 0.25), 1.25, 1e-15);
  assert_close(ent_spread_factor_at(&factor, 1), 2, 0);
  assert_close(ent_spread_factor_at(&factor, 2), 4, 1e-15);
  assert_close(ent_spread_factor_at(&factor, 9), 6, 0);
  assert_close(ent_spread_factor_at(&factor, NAN), 0.5, 0);
}

/* ---- Ends ---- */

/* A root target: ends are squares of the ends of the root, the prediction is within, and bounds hold. */
static void ends_of_a_root_target(void **state) {
  (void)state;
  sheet s = sheet_start(ROWS, INPUTS, 1, PLAIN, 3);
  entropic_model *model = fit_open(&s, ENTROPIC_TASK_REGRESSION);
  const double *x = sheet_row(&s, 0);
  model->intervals->target[0].spread.count = 0;
  static const double signs[] = {1, -1};
  for (size_t i = 0; i < COUNT(signs); i++) {
    double sign = signs[i];
    model->link = (ent_link){.number = ENT_LINK_ROOT, .sign = sign, .origin = 10, .bias = 0.25};
    double open = 10 + sign * (4 + 0.25); /* the root is 2 */
    ent_ends ends = ent_interval_ends(model, 0, 0.5, x, open);
    assert_close(sign > 0 ? ends.lower : ends.upper, 10 + sign * 1.5 * 1.5, 1e-12);
    assert_close(sign > 0 ? ends.upper : ends.lower, 10 + sign * 2.5 * 2.5, 1e-12);
    ends = ent_interval_ends(model, 0, 3, x, open); /* the root is not below 0 */
    assert_close(sign > 0 ? ends.lower : ends.upper, 10, 1e-12);
    ends = ent_interval_ends(model, 0, 0, x, open); /* the prediction, beside the square of the root */
    assert_close(fabs(ends.upper - ends.lower), 0.25, 1e-12);
    model->intervals->target[0].deviation = 0.5;
    assert_close(ent_interval_deviation(model, 0, x, open), 0.5 * sqrt(16 + 2 * 0.25), 1e-12);
  }
  model->link = (ent_link){0};
  model->bounds = calloc(2, sizeof *model->bounds); /* not from the library: freed here */
  model->bounds[0] = 1;
  model->bounds[1] = 2;
  ent_ends ends = ent_interval_ends(model, 0, 5, x, 1.5);
  assert_true(ends.lower == 1 && ends.upper == 2);
  ends = ent_interval_ends(model, 0, 0.1, x, 7);
  assert_true(ends.lower == 2 && ends.upper == 2);
  free(model->bounds);
  model->bounds = NULL;
  entropic_model_free(model);
  sheet_stop(&s);
}

/* ---- Classes ---- */

static void sets_have_the_likely_classes(void **state) {
  (void)state;
  enum { CLASSES = 3 };
  sheet s = sheet_start(ROWS, INPUTS, 1, PLAIN, 4);
  sheet_classes(&s, CLASSES);
  entropic_model *model = fit_open(&s, ENTROPIC_TASK_CLASSIFICATION);
  double p[ROWS * CLASSES], previous = 0, q;
  unsigned char sets[ROWS * CLASSES];
  ASSERT_OK(context, entropic_model_probabilities(context, model, s.values, ROWS, s.columns, p));
  static const double levels[] = {0.3, 0.8, 0.9, 0.99};
  for (size_t i = 0; i < COUNT(levels); i++) {
    ASSERT_OK(context, predict_class_sets(context, model, levels[i], s.values, ROWS, s.columns, sets));
    q = ent_quantile_at(model->intervals->target[0].quantiles, levels[i]);
    double covered = 0;
    for (size_t r = 0; r < ROWS; r++) {
      size_t best = 0;
      for (size_t c = 1; c < CLASSES; c++)
        best = p[r * CLASSES + c] > p[r * CLASSES + best] ? c : best;
      for (size_t c = 0; c < CLASSES; c++)
        assert_int_equal(sets[r * CLASSES + c], c == best || 1 - p[r * CLASSES + c] <= q);
      covered += sets[r * CLASSES + (size_t)sheet_y(&s, r)[0]];
    }
    assert_true(covered / ROWS >= previous && covered / ROWS >= levels[i] - 0.05);
    previous = covered / ROWS;
  }
  double lower[ROWS], upper[ROWS];
  assert_int_equal(predict_intervals(context, model, 0.9, s.values, ROWS, s.columns, lower, upper),
                   ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(predict_deviations(context, model, s.values, ROWS, s.columns, lower), ENTROPIC_BAD_ARGUMENT);
  entropic_model_free(model);
  sheet_stop(&s);
}

/* ---- Files, and models without intervals ---- */

static void files_keep_intervals(void **state) {
  (void)state;
  sheet s = sheet_start(600, INPUTS, 2, PLAIN, 6);
  for (size_t r = 0; r < s.rows; r++) /* a spread for the first target */
    sheet_y(&s, r)[0] += (r % 2 == 0 ? 1 : -1) * 3 * sheet_row(&s, r)[1] * sheet_row(&s, r)[1];
  entropic_model *model = fit_open(&s, ENTROPIC_TASK_REGRESSION), *again = NULL;
  assert_true(model->intervals->target[0].spread.count > 0);
  held_bytes bytes = bytes_of_model(context, model);
  ASSERT_OK(context, entropic_model_load_memory(context, bytes.bytes, bytes.count, &again));
  enum { SOME = 50 };
  double a[4][SOME * 2], b[4][SOME * 2];
  ASSERT_OK(context, predict_intervals(context, model, 0.8, s.values, SOME, s.columns, a[0], a[1]));
  ASSERT_OK(context, predict_intervals(context, again, 0.8, s.values, SOME, s.columns, b[0], b[1]));
  ASSERT_OK(context, predict_deviations(context, model, s.values, SOME, s.columns, a[2]));
  ASSERT_OK(context, predict_deviations(context, again, s.values, SOME, s.columns, b[2]));
  for (size_t i = 0; i < 3; i++)
    assert_memory_equal(a[i], b[i], sizeof a[i]);
  held_bytes second = bytes_of_model(context, again);
  assert_int_equal(bytes.count, second.count);
  assert_memory_equal(bytes.bytes, second.bytes, bytes.count);
  entropic_bytes_free(bytes.bytes);
  entropic_bytes_free(second.bytes);
  entropic_model_free(again);
  entropic_model_free(model);
  sheet_stop(&s);
}

static void refusals_say_why(void **state) {
  (void)state;
  sheet s = sheet_start(ROWS, INPUTS, 1, PLAIN, 7);
  entropic_model *model = fit_open(&s, ENTROPIC_TASK_REGRESSION);
  double lower = 5, upper = 5;
  static const double levels[] = {0, -1, 1, 2, NAN, 0.999};
  for (size_t i = 0; i < COUNT(levels); i++) {
    assert_int_equal(predict_intervals(context, model, levels[i], s.values, 1, s.columns, &lower, &upper),
                     ENTROPIC_BAD_ARGUMENT);
    assert_non_null(strstr(entropic_context_message(context), "level"));
    assert_true(lower == 5 && upper == 5);
  }
  assert_non_null(strstr(entropic_context_message(context), "240 rows"));
  unsigned char set;
  assert_int_equal(predict_class_sets(context, model, 0.9, s.values, 1, s.columns, &set), ENTROPIC_BAD_ARGUMENT);
  ent_model_drop_intervals(model);
  assert_int_equal(ent_model_interval_rows(model), 0);
  assert_int_equal(ent_model_interval_rows(NULL), 0);
  assert_int_equal(predict_intervals(context, model, 0.9, s.values, 1, s.columns, &lower, &upper),
                   ENTROPIC_BAD_ARGUMENT);
  assert_non_null(strstr(entropic_context_message(context), "no intervals"));
  entropic_model_free(model);
  sheet_stop(&s);
}

static void changed_rows_drop_them(void **state) {
  (void)state;
  sheet s = sheet_start(ROWS, INPUTS, 1, PLAIN, 8), more = sheet_start(20, INPUTS, 1, PLAIN, 9);
  ent_fit_options options = open_lambda();
  options.keep_statistics = true;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  entropic_model *solved = NULL;
  entropic_statistics *statistics = NULL;
  assert_int_equal(ent_model_interval_rows(model), ROWS);
  ASSERT_OK(context, entropic_statistics_of_model(context, model, &statistics));
  assert_int_equal(ent_model_interval_rows(entropic_frozen_design_model(entropic_statistics_design(statistics))), 0);
  ASSERT_OK(context, entropic_statistics_solve(context, statistics, NULL, &solved));
  assert_int_equal(ent_model_interval_rows(solved), 0);
  change_by_sheet(context, model, &more, false);
  assert_int_equal(ent_model_interval_rows(model), 0);
  entropic_model_free(solved);
  entropic_statistics_free(statistics);
  entropic_model_free(model);
  sheet_stop(&s);
  sheet_stop(&more);
}

/* Coverage and width of the report are those of the intervals. */
static void score_has_coverage(void **state) {
  (void)state;
  sheet s = sheet_start(ROWS, INPUTS, 1, WITH_WEIGHTS, 10);
  entropic_model *model = fit_open(&s, ENTROPIC_TASK_REGRESSION);
  double lower[ROWS], upper[ROWS], weight = 0, covered = 0, width = 0, value = 0;
  ASSERT_OK(context, predict_intervals(context, model, 0.8, s.values, ROWS, s.columns, lower, upper));
  for (size_t r = 0; r < ROWS; r++) {
    double y = sheet_y(&s, r)[0], w = sheet_y(&s, r)[1];
    weight += w;
    covered += y >= lower[r] && y <= upper[r] ? w : 0;
    width += w * (upper[r] - lower[r]);
  }
  sheet_reader reader = read_sheet(context, model, &s);
  entropic_report *report = NULL;
  assert_int_equal(entropic_model_score_intervals(context, model, reader.reader, 0, &report), ENTROPIC_BAD_ARGUMENT);
  ASSERT_OK(context, entropic_model_score_intervals(context, model, reader.reader, 0.8, &report));
  assert_true(entropic_report_number(report, "coverage", &value));
  assert_close(value, covered / weight, 1e-12);
  assert_true(value > 0.7 && value < 1);
  assert_true(entropic_report_number(report, "width", &value));
  assert_close(value, width / weight, 1e-9);
  entropic_report_free(report);
  sheet_reader_stop(&reader);
  entropic_model_free(model);
  sheet_stop(&s);
}

SUITE(model_intervals) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantiles_are_ranks),         cmocka_unit_test(weights_are_shares),
      cmocka_unit_test(levels_between_are_linear),   cmocka_unit_test(residuals_are_of_rows_left_out),
      cmocka_unit_test(residuals_of_members),        cmocka_unit_test(spread_that_is_constant_stays_so),
      cmocka_unit_test(spread_by_an_input_is_found), cmocka_unit_test(spread_is_linear_between_knots),
      cmocka_unit_test(ends_of_a_root_target),       cmocka_unit_test(sets_have_the_likely_classes),
      cmocka_unit_test(files_keep_intervals),        cmocka_unit_test(refusals_say_why),
      cmocka_unit_test(changed_rows_drop_them),      cmocka_unit_test(score_has_coverage),
  };
  return cmocka_run_group_tests_name("model_intervals", tests, start, stop);
}

/* Effects at points, from inside: they add up to scores, their variances to that of the score; scalers backwards; samples of
 * rows; packed scales; the page as a file. What the page shows is tested by tests/browser/explain.py. */
#define _GNU_SOURCE
#include "unit/collecting.h"

#include <sys/stat.h>

#include "explain/grid.h"
#include "explain/higher.h"
#include "explain/input_distribution.h"
#include "page/explain_page.h"

enum { ROWS = 300 };

static entropic_model *fit_named(entropic_context *context, const char *name, size_t order, size_t features) {
  const collecting *c = collecting_named(name);
  sheet s = collecting_sheet(c, ROWS, 1);
  ent_fit_options options = collecting_options(c);
  options.max_order = order;
  options.features = features;
  entropic_model *model = fit_sheet(context, &s, c->task, &options);
  sheet_stop(&s);
  return model;
}

/* Point p of each input, for all p: base, main effects and pairs add up to the score where there is nothing else. */
static void add_up_to_scores(const char *name) {
  entropic_context *context = context_with(1);
  entropic_model *model = fit_named(context, name, 2, 40);
  entropic_explanation *x = NULL;
  ent_effect_grid *grid = NULL;
  ASSERT_OK(context, entropic_explain(context, model, NULL, &x));
  ASSERT_OK(context, ent_effect_grid_create(context, x, 16, 24, &grid));
  const ent_effects *e = x->effects;
  size_t inputs = model->schema.inputs, compared = 0;
  double *row = calloc(inputs, sizeof *row), effects[64 * 64], scores[8];
  assert_true(e->used > 1 && x->shares->pair_count > 0 && model->scores <= 8 && grid->most <= 64);
  for (size_t p = 0; p < grid->most; p++) {
    size_t at[16] = {0};
    for (size_t i = 0; i < e->used; i++) {
      size_t all = ent_effect_points_all(&grid->points[i]);
      at[i] = p < all ? p : all - 1; /* the last one is missing, where there is such a point */
      row[e->inputs[i]] = grid->points[i].scaled[at[i]];
      if (isnan(grid->points[i].at[at[i]]))
        row[e->inputs[i]] = NAN;
    }
    ASSERT_OK(context, ent_model_scores(context, model, row, 1, inputs, scores));
    for (size_t k = 0; k < model->scores; k++, compared++) {
      double sum = e->base[k];
      for (size_t i = 0; i < e->used; i++) {
        ent_effect_grid_main(grid, i, k, effects);
        sum += effects[at[i]];
      }
      for (size_t q = 0; q < x->shares->pair_count; q++) {
        const ent_pair_effect *pair = &x->shares->pairs[q];
        ASSERT_OK(NULL, ent_effect_grid_pair(NULL, grid, q, k, effects));
        sum += effects[at[pair->a] * ent_effect_points_all(&grid->points[pair->b]) + at[pair->b]];
      }
      assert_true(fabs(sum - scores[k]) <= 1e-10 * (1 + fabs(scores[k])));
    }
  }
  assert_true(compared >= 17);
  free(row);
  ent_effect_grid_free(grid);
  ent_effect_grid_free(NULL);
  entropic_explanation_free(x);
  entropic_model_free(model);
  entropic_context_free(context);
}

static void effects_add_up(void **state) {
  (void)state;
  add_up_to_scores("numbers");
  add_up_to_scores("missing");
  add_up_to_scores("four classes");
}

static void variances_add_up(void **state) {
  (void)state;
  static const char *const names[] = {"numbers", "two classes", "four classes"};
  size_t sets = 0;
  for (size_t n = 0; n < COUNT(names); n++) {
    entropic_context *context = context_with(1);
    entropic_model *model = fit_named(context, names[n], 0, 150);
    entropic_explanation *x = NULL;
    ent_higher_effects *higher = NULL;
    ASSERT_OK(context, entropic_explain(context, model, NULL, &x));
    ASSERT_OK(context, ent_higher_effects_create(context, x->effects, &higher));
    assert_false(higher->left_out);
    sets += higher->count;
    size_t used = x->effects->used, scores = model->scores;
    for (size_t k = 0; k < scores; k++) {
      double sum = 0;
      for (size_t i = 0; i < used; i++)
        sum += x->shares->first[k * used + i];
      for (size_t p = 0; p < x->shares->pair_count; p++)
        sum += x->shares->pairs[p].variances[k];
      for (size_t s = 0; s < higher->count; s++) {
        assert_true(higher->sets[s].order >= 3);
        assert_true(s == 0 || higher->sets[s].total <= higher->sets[s - 1].total);
        sum += higher->sets[s].variances[k];
      }
      assert_true(fabs(sum - x->shares->variances[k]) <= 1e-10 * x->shares->variances[k]);
    }
    ent_higher_effects_free(higher);
    ent_higher_effects_free(NULL);
    entropic_explanation_free(x);
    entropic_model_free(model);
    entropic_context_free(context);
  }
  assert_true(sets >= 2);
}

/* Shares of the points of an input add up to 1, a missing one among them, where all are known. */
static void shares_of_points(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  const collecting *c = collecting_named("missing");
  sheet s = collecting_sheet(c, ROWS, 1);
  for (size_t r = 0; r < ROWS; r++)
    for (size_t i = 0; i < s.inputs; i++)
      sheet_row(&s, r)[i] = floor(8 * sheet_row(&s, r)[i]) / 8; /* NaN stays */
  ent_fit_options options = collecting_options(c);
  entropic_model *model = fit_sheet(context, &s, c->task, &options);
  entropic_explanation *x = NULL;
  ent_effect_grid *grid = NULL;
  size_t distinct = 0, missing = 0;
  ASSERT_OK(context, entropic_explain(context, model, NULL, &x));
  ASSERT_OK(context, ent_effect_grid_create(context, x, 16, 24, &grid));
  for (size_t i = 0; i < x->effects->used; i++) {
    const ent_effect_points *points = &grid->points[i];
    double sum = 0;
    for (size_t p = 0; p < ent_effect_points_all(points); p++)
      sum += points->shares[p];
    distinct += points->distinct;
    missing += points->missing && fabs(points->shares[points->count] - 1.0 / 3) <= 1e-12;
    assert_true(fabs(sum - 1) <= 1e-12);
  }
  assert_true(distinct == x->effects->used && missing == 1);
  ent_effect_grid_free(grid);
  entropic_explanation_free(x);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

/* Values that are scaled come back, and ranks are what scalers learnt. */
static void scalers_backwards(void **state) {
  (void)state;
  static const entropic_scaling scalings[] = {ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_BLEND,
                                              ENTROPIC_SCALING_MINMAX, ENTROPIC_SCALING_NONE};
  static const double values[] = {0.5, 0.125, 0.5, 0.75, 1, 0, 0.25, 0.5}; /* 0.5 three times of eight */
  for (size_t s = 0; s < COUNT(scalings); s++) {
    entropic_context *context = context_with(1);
    entropic_scaler *scaler = NULL;
    ASSERT_OK(context, entropic_scaler_create(context, scalings[s], values, COUNT(values), 1, 1, &scaler));
    const ent_scale *scale = &scaler->scales[0];
    for (size_t i = 0; i < COUNT(values); i++) {
      double scaled;
      ent_scaler_apply(scaler, &values[i], 1, 1, &scaled);
      assert_true(fabs(ent_scale_invert(scale, scaled) - values[i]) <= 1e-15);
    }
    bool ranks = scalings[s] == ENTROPIC_SCALING_QUANTILE || scalings[s] == ENTROPIC_SCALING_BLEND;
    assert_int_equal(ent_scale_knows_ranks(scaler, 0), ranks);
    double rank = ent_scale_rank(scaler, 0, 0.5);
    if (ranks)
      assert_true(fabs(rank - 4.5 / 8) <= 1e-15 && ent_scale_rank(scaler, 0, -1) == 0 &&
                  ent_scale_rank(scaler, 0, 2) == 1);
    else
      assert_true(isnan(rank));
    entropic_scaler_free(scaler);
    entropic_context_free(context);
  }
}

/* Of many rows as many even as odd ones are kept, and the first ones as well as the last. */
static void samples(void **state) {
  (void)state;
  enum { MANY = 40000 };
  entropic_context *context = context_with(1);
  entropic_model *model = fit_named(context, "numbers", 0, 10);
  sheet s = sheet_start(MANY, 3, 1, PLAIN, 2);
  entropic_table *table = table_of(context, &s);
  entropic_row_reader *reader = NULL;
  ent_row_sample sample = {0};
  ASSERT_OK(context, entropic_row_reader_open_table(context, model, table, 0, &reader));
  ASSERT_OK(context, ent_row_sample_read(context, model, reader, &sample));
  size_t even = 0;
  assert_int_equal(sample.seen, MANY);
  assert_true(sample.count > MANY / 8 && sample.count <= 16384);
  for (size_t i = 0; i < sample.count; i++) {
    even += sample.numbers[i] % 2 == 0;
    assert_true(i == 0 || sample.numbers[i] > sample.numbers[i - 1]);
    assert_memory_equal(sample.x + i * 3, sheet_row(&s, sample.numbers[i]), 3 * sizeof(double));
  }
  assert_true(fabs((double)even / (double)sample.count - 0.5) <= 0.03);
  assert_true(sample.numbers[0] < 8 && sample.numbers[sample.count - 1] >= MANY - 8);
  ent_row_sample_clear(&sample);
  assert_null(sample.x);
  entropic_row_reader_free(reader);
  entropic_table_free(table);
  sheet_stop(&s);
  entropic_model_free(model);
  entropic_context_free(context);
}

/* A module whose tables have another form is left as it is. */
static void packing(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  entropic_model *model = fit_named(context, "numbers", 0, 10);
  entropic_explanation *x = NULL;
  ASSERT_OK(context, entropic_explain(context, model, NULL, &x));
  static const char other[] = "const knots = [1, 2];\n";
  static const char tables[] = "a();\nconst knots = new Float64Array([\n  1, 2]);\nb();\n"
                               "const heights = new Float64Array([\n  0, 1]);\nc();\n"
                               "const check = {\n  count: 2,\n  rows: [\n    1, 2],\n};\nd();\n";
  ent_text text = {.context = context};
  ent_explain_pack(&text, x->effects, other);
  assert_int_equal(text.status, ENTROPIC_OK);
  assert_string_equal(text.bytes, other);
  ent_text_free(&text);
  ent_explain_pack(&text, x->effects, tables);
  assert_int_equal(text.status, ENTROPIC_OK);
  assert_non_null(strstr(text.bytes, "\na();\nconst knots = unpackKnots(packed.knots);\nb();\n"));
  assert_non_null(strstr(text.bytes, "const heights = unpackHeights(packed.heights, knots);\nc();\n"
                                     "const check = null;\nd();\n"));
  assert_null(strstr(text.bytes, "Float64Array([\n"));
  ent_text_free(&text);
  for (size_t i = 0; i <= 3; i++) {
    static const char *const encoded[] = {"", "Zg==", "Zm8=", "Zm9v"}; /* RFC 4648 */
    ent_text_base64(&text, (const uint8_t *)"foo", i);
    assert_string_equal(text.bytes == NULL ? "" : text.bytes, encoded[i]);
    ent_text_free(&text);
  }
  entropic_explanation_free(x);
  entropic_model_free(model);
  entropic_context_free(context);
}

static void pages(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  entropic_model *model = fit_named(context, "missing", 0, 20);
  entropic_explanation *x = NULL;
  struct stat file;
  ASSERT_OK(context, entropic_explain(context, model, NULL, &x));
  assert_int_equal(entropic_explanation_html(context, NULL, NULL, "title", "p.html"), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_explanation_html(context, x, NULL, NULL, "p.html"), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_explanation_html(context, x, NULL, "title", NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_not_equal(stat("p.html", &file), 0);
  ASSERT_OK(context, entropic_explanation_html(context, x, NULL, "title", "p.html"));
  assert_int_equal(stat("p.html", &file), 0);
  assert_true(file.st_size > 50000 && file.st_size < 1000000);
  assert_int_equal(entropic_explanation_html(context, x, NULL, "title", "none/p.html"), ENTROPIC_SYSTEM);
  remove("p.html");
  entropic_explanation_free(x);
  entropic_model_free(model);
  entropic_context_free(context);
}

SUITE(explain_grid) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(effects_add_up),
                                     cmocka_unit_test(variances_add_up),
                                     cmocka_unit_test(shares_of_points),
                                     cmocka_unit_test(scalers_backwards),
                                     cmocka_unit_test(samples),
                                     cmocka_unit_test(packing),
                                     cmocka_unit_test(pages)};
  return cmocka_run_group_tests_name("explain_grid", tests, NULL, NULL);
}

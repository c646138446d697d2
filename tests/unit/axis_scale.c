/* Scaling inside the library: searches against a plain one, missing values, categories, scalers from stored parts. */
#include "axis/scaler.h"
#include "unit/tests.h"

static double draw(entropic_random *random, int shape) {
  double normal = entropic_random_normal(random);
  return shape == 0 ? normal : shape == 1 ? floor(normal * 20) : exp(normal * 30);
}

/* One value by one plain search, written out. */
static double plain(const ent_scale *scale, double x) {
  const double *at = scale->at, *height = scale->height;
  size_t last = scale->knots - 1, low = 0;
  if (isnan(x) || last == 0)
    return isnan(x) ? x : 0.5;
  if (x < at[0] || x > at[last])
    return x > at[last];
  if (x == at[last])
    return height[last];
  while (x >= at[low + 1])
    low++;
  double part = (x - at[low]) / (at[low + 1] - at[low]);
  return fmin(height[low] + (height[low + 1] - height[low]) * part, height[low + 1]);
}

/* Every number of knots and every size of a block, at knots, beside them, between and beyond them. */
static void searches_equal_a_plain_one(void **state) {
  (void)state;
  static double values[4000], x[4000], scaled[4000], filled[4000];
  static const size_t rows[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 100, 511, 512, 513, 1023, 1024, 1025, 4000};
  for (size_t s = 0; s < COUNT(rows); s++)
    for (int shape = 0; shape < 3; shape++)
      for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_BLEND; scaling++) {
        if (scaling == ENTROPIC_SCALING_NONE)
          continue;
        entropic_random random = entropic_random_start(70, s * 3 + (size_t)shape);
        entropic_scaler *scaler = NULL;
        for (size_t i = 0; i < rows[s]; i++)
          values[i] = draw(&random, shape);
        assert_int_equal(entropic_scaler_create(NULL, (entropic_scaling)scaling, values, rows[s], 1, 1, &scaler),
                         ENTROPIC_OK);
        size_t count = 1 + (size_t)entropic_random_below(&random, 4000);
        for (size_t i = 0; i < count; i++) {
          double value = values[entropic_random_below(&random, rows[s])];
          static const double strange[] = {NAN, INFINITY, -INFINITY, -0.0, 1e308, -1e308};
          uint64_t kind = entropic_random_below(&random, 16);
          x[i] = kind < 4    ? value
                 : kind == 4 ? nextafter(value, INFINITY)
                 : kind == 5 ? nextafter(value, -INFINITY)
                 : kind == 6 ? strange[entropic_random_below(&random, 6)]
                             : draw(&random, shape);
        }
        ent_scaler_apply(scaler, x, count, 1, scaled);
        ent_scaler_fill(scaler, x, count, 1, filled);
        for (size_t i = 0; i < count; i++) {
          double expected = plain(&scaler->scales[0], x[i]);
          assert_true(isnan(expected) ? isnan(scaled[i]) : scaled[i] == expected);
          assert_true(filled[i] == (isnan(expected) ? 0.5 : expected));
        }
        entropic_scaler_free(scaler);
      }
}

/* What a missing number leaves out is as if its row were not there. */
static void gaps_are_left_out(void **state) {
  (void)state;
  enum { ROWS = 3000 };
  static double values[2 * ROWS], present[ROWS], scaled[2 * ROWS], alone[ROWS];
  entropic_random random = entropic_random_start(71, 0);
  for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_BLEND; scaling++)
    for (int shape = 0; shape < 3; shape++) {
      size_t count = 0;
      for (size_t r = 0; r < ROWS; r++) {
        bool gap = entropic_random_below(&random, 3) == 0 || r == 0;
        values[2 * r] = gap ? NAN : draw(&random, shape);
        values[2 * r + 1] = draw(&random, shape);
        if (!gap)
          present[count++] = values[2 * r];
      }
      entropic_scaler *both = NULL, *one = NULL;
      assert_int_equal(ent_scaler_learn(NULL, (entropic_scaling)scaling, values, ROWS, 2, 2, NULL, &both), ENTROPIC_OK);
      assert_int_equal(entropic_scaler_create(NULL, (entropic_scaling)scaling, present, count, 1, 1, &one),
                       ENTROPIC_OK);
      ent_scaler_apply(one, present, count, 1, alone);
      for (int kept = 0; kept < 2; kept++) {
        both->scales[0].missing = kept != 0;
        ent_scaler_fill(both, values, ROWS, 2, scaled);
        size_t next = 0;
        for (size_t r = 0; r < ROWS; r++)
          if (isnan(values[2 * r]))
            assert_true(kept ? isnan(scaled[2 * r]) : scaled[2 * r] == 0.5);
          else
            assert_true(scaled[2 * r] == alone[next++]);
        assert_int_equal(next, count);
      }
      entropic_scaler_free(both);
      entropic_scaler_free(one);
    }
}

/* Numbers, a category without and one with a cell for missing values, and the cells of the category axis. */
static void categories(void **state) {
  (void)state;
  const ent_scale_category kinds[3] = {
      {.categories = 0, .missing = true}, {.categories = 3, .missing = false}, {.categories = 3, .missing = true}};
  const double learnt[2 * 3] = {1, 0, NAN, NAN, NAN, 2};
  static const double codes[] = {0, 1, 2, 3, -1, 0.5, 1e300, -0.0, NAN, INFINITY, -INFINITY, 2.9999999999999996};
  static const size_t cells[] = {0, 1, 2, 3, 3, 3, 3, 0, 3, 3, 3, 3};
  enum { CODES = COUNT(codes) };
  double x[CODES * 3], scaled[CODES * 3];
  for (size_t i = 0; i < CODES; i++)
    x[3 * i] = x[3 * i + 1] = x[3 * i + 2] = codes[i];
  entropic_axis_options axes[2] = {ent_axis_options_default(), ent_axis_options_default()};
  axes[0].family = axes[1].family = ENTROPIC_FAMILY_CATEGORY;
  axes[0].categories = 3;
  axes[1].categories = 4; /* the fourth for what is missing */
  entropic_kernel *kernel = NULL;
  assert_int_equal(ent_kernel_create(NULL, axes, 2, 2, &kernel), ENTROPIC_OK);
  for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_BLEND; scaling++) {
    entropic_scaler *scaler = NULL;
    assert_int_equal(ent_scaler_learn(NULL, (entropic_scaling)scaling, learnt, 2, 3, 3, kinds, &scaler), ENTROPIC_OK);
    for (int fill = 0; fill < 2; fill++) {
      (fill ? ent_scaler_fill : ent_scaler_apply)(scaler, x, CODES, 3, scaled);
      for (size_t i = 0; i < CODES; i++) {
        assert_true(!isnan(codes[i]) == !isnan(scaled[3 * i])); /* missing stays missing */
        assert_true(scaled[3 * i + 1] == ((double)cells[i] + 0.5) / 4);
        size_t cell = isnan(codes[i]) ? 3 : cells[i] == 3 ? 4 : cells[i];
        assert_true(scaled[3 * i + 2] == ((double)cell + 0.5) / 5);
        for (size_t axis = 0; axis < 2; axis++) {
          uint64_t atom;
          double value;
          assert_int_equal(entropic_kernel_atom(NULL, kernel, axis, 1, scaled[3 * i + 1 + axis], &atom, &value),
                           ENTROPIC_OK);
          size_t expected = axis == 0 ? cells[i] : cell;
          assert_true(expected < axes[axis].categories ? value == 0.5 && atom == expected : value == 0);
        }
      }
    }
    entropic_scaler_free(scaler);
  }
  entropic_kernel_free(kernel);
}

static void what_cannot_be_learnt_from(void **state) {
  (void)state;
  const ent_scale_category kinds[2] = {{.categories = 0, .missing = false}, {.categories = 4, .missing = true}};
  const double missing[4] = {NAN, NAN, NAN, NAN}, infinite[4] = {1, 2, NAN, -INFINITY};
  entropic_scaler *scaler = NULL;
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_BLEND; scaling++) {
    assert_int_equal(ent_scaler_learn(context, (entropic_scaling)scaling, missing, 2, 2, 2, kinds, &scaler),
                     ENTROPIC_BAD_DATA);
    assert_message(context, "input 1: all 2 values are missing");
    for (int with_kinds = 0; with_kinds < 2; with_kinds++) {
      assert_int_equal(
          ent_scaler_learn(context, (entropic_scaling)scaling, infinite, 2, 2, 2, with_kinds ? kinds : NULL, &scaler),
          ENTROPIC_BAD_DATA);
      assert_message(context, "row 2, input 2: found -inf");
    }
  }
  assert_null(scaler);
  /* a category that is always missing is no trouble */
  assert_int_equal(ent_scaler_learn(context, ENTROPIC_SCALING_QUANTILE, missing, 2, 1, 1, kinds + 1, &scaler),
                   ENTROPIC_OK);
  entropic_scaler_free(scaler);
  entropic_context_free(context);
}

/* How many distinct numbers there were, whatever the scaling, missing ones aside. */
static void distinct_numbers(void **state) {
  (void)state;
  enum { ROWS = 500, INPUTS = 7 };
  static double values[ROWS * INPUTS];
  static const size_t counts[INPUTS] = {1, 2, 8, 32, 33, 34, 500}, expected[INPUTS] = {1, 2, 8, 32, 33, 33, 33};
  ent_scale_category kinds[INPUTS] = {{0}};
  for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_BLEND; scaling++)
    for (int missing = 0; missing < 2; missing++) {
      for (size_t r = 0; r < ROWS; r++)
        for (size_t i = 0; i < INPUTS; i++) {
          double value = (double)(r * 7919 % counts[i]) - 3; /* zeros of both signs among them */
          values[r * INPUTS + i] = missing && r % 5 == 0 && counts[i] < 100 ? NAN : value == 0 && r % 2 ? -0.0 : value;
        }
      kinds[INPUTS - 1].categories = missing ? 500 : 0;
      entropic_scaler *scaler = NULL;
      assert_int_equal(ent_scaler_learn(NULL, (entropic_scaling)scaling, values, ROWS, INPUTS, INPUTS, kinds, &scaler),
                       ENTROPIC_OK);
      for (size_t i = 0; i < INPUTS; i++)
        assert_int_equal(ent_scaler_distinct(scaler, i), kinds[i].categories > 0 ? 0 : expected[i]);
      entropic_scaler_free(scaler);
    }
}

/* A scaler put together from another's parts does the same. */
static void stored_parts(void **state) {
  (void)state;
  enum { ROWS = 2000 };
  static double values[ROWS * 4], scaled[ROWS * 4], again[ROWS * 4];
  const ent_scale_category kinds[4] = {{.categories = 0, .missing = false},
                                       {.categories = 5, .missing = true},
                                       {.categories = 0, .missing = false},
                                       {.categories = 7, .missing = false}};
  entropic_random random = entropic_random_start(72, 0);
  for (size_t i = 0; i < ROWS * 4; i++)
    values[i] = i % 4 == 2 ? 3 : floor(draw(&random, 0) * (i % 4 == 0 ? 1e4 : 3));
  for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_BLEND; scaling++) {
    entropic_scaler *learnt = NULL, *made = NULL;
    assert_int_equal(ent_scaler_learn(NULL, (entropic_scaling)scaling, values, ROWS, 4, 4, kinds, &learnt),
                     ENTROPIC_OK);
    assert_int_equal(ent_scaler_start(NULL, (entropic_scaling)scaling, 4, &made), ENTROPIC_OK);
    for (int twice = 0; twice < 2; twice++)
      for (size_t i = 0; i < 4; i++) {
        const ent_scale *scale = &learnt->scales[i];
        assert_int_equal(ent_scaler_set(NULL, made, i,
                                        &(ent_scale_parts){scale->at, scale->height, scale->knots, scale->categories,
                                                           kinds[i].missing, false}),
                         ENTROPIC_OK);
      }
    ent_scaler_fill(learnt, values, ROWS, 4, scaled);
    ent_scaler_fill(made, values, ROWS, 4, again);
    assert_memory_equal(scaled, again, sizeof scaled);
    entropic_scaler_free(learnt);
    entropic_scaler_free(made);
  }
}

/* At a knot the height is the knot's, also where a step from the knot before would round to another. */
static void knots_have_their_heights(void **state) {
  (void)state;
  double at[100], height[100], scaled[100];
  size_t rounded = 0;
  entropic_random random = entropic_random_start(73, 0);
  for (int round = 0; round < 100; round++) {
    for (size_t i = 0; i < 100; i++) {
      at[i] = (double)i * 0.1 - 3;
      height[i] = ldexp(1 + entropic_random_uniform(&random), 2 * (int)i - 200);
      rounded += i > 0 && height[i - 1] + (height[i] - height[i - 1]) < height[i];
    }
    entropic_scaler *scaler = NULL;
    assert_int_equal(ent_scaler_start(NULL, ENTROPIC_SCALING_QUANTILE, 1, &scaler), ENTROPIC_OK);
    assert_int_equal(ent_scaler_set(NULL, scaler, 0, &(ent_scale_parts){at, height, 100, 0, false, false}),
                     ENTROPIC_OK);
    ent_scaler_apply(scaler, at, 100, 1, scaled);
    assert_memory_equal(scaled, height, sizeof height);
    entropic_scaler_free(scaler);
  }
  assert_true(rounded > 10);
}

typedef struct wrong {
  entropic_scaling scaling;
  double at[3], height[3];
  size_t knots, categories;
  bool missing;
  const char *message;
} wrong;

static void wrong_parts_are_refused(void **state) {
  (void)state;
  static const wrong all[] = {
      {ENTROPIC_SCALING_QUANTILE, {0}, {0}, 0, 0, false, "0 knots, expected 1 to 1024 for scaling quantile"},
      {ENTROPIC_SCALING_MINMAX, {0}, {0}, 0, 0, false, "0 knots, expected 1 to 2"},
      {ENTROPIC_SCALING_BLEND, {0}, {0}, 0, 0, false, "0 knots, expected 1 to 1024 for scaling blend"},
      {ENTROPIC_SCALING_MINMAX, {1, 2, 3}, {0, 0.5, 1}, 3, 0, false, "3 knots, expected 1 to 2"},
      {ENTROPIC_SCALING_NONE, {1}, {0.5}, 1, 0, false, "1 knots, expected 0 to 0"},
      {ENTROPIC_SCALING_QUANTILE, {1, NAN}, {0.25, 0.75}, 2, 0, false, "knot 2 is at nan"},
      {ENTROPIC_SCALING_QUANTILE, {-INFINITY, 1}, {0.25, 0.75}, 2, 0, false, "knot 1 is at -inf"},
      {ENTROPIC_SCALING_QUANTILE, {1, 2, INFINITY}, {0.25, 0.5, 0.75}, 3, 0, false, "knot 3 is at inf"},
      {ENTROPIC_SCALING_QUANTILE, {2, 2}, {0.25, 0.75}, 2, 0, false, "knot 2 is at 2"},
      {ENTROPIC_SCALING_QUANTILE, {0.0, -0.0}, {0.25, 0.75}, 2, 0, false, "knot 2 is at -0"},
      {ENTROPIC_SCALING_QUANTILE, {2, 1}, {0.25, 0.75}, 2, 0, false, "knot 2 is at 1"},
      {ENTROPIC_SCALING_QUANTILE, {1, 2}, {0.75, 0.25}, 2, 0, false, "knot 2 has height 0.25, expected 0.75 to 1"},
      {ENTROPIC_SCALING_QUANTILE, {1, 2}, {-0.1, 0.25}, 2, 0, false, "knot 1 has height -0.1"},
      {ENTROPIC_SCALING_QUANTILE, {1, 2}, {0.5, 1.5}, 2, 0, false, "knot 2 has height 1.5"},
      {ENTROPIC_SCALING_QUANTILE, {1, 2}, {NAN, 0.5}, 2, 0, false, "knot 1 has height nan"},
      {ENTROPIC_SCALING_QUANTILE, {1, 2}, {0.5, NAN}, 2, 0, false, "knot 2 has height nan"},
      {ENTROPIC_SCALING_QUANTILE, {1}, {0.25}, 1, 0, false, "single knot has height 0.25"},
      {ENTROPIC_SCALING_MINMAX, {1}, {0}, 1, 0, false, "single knot has height 0"},
      {ENTROPIC_SCALING_MINMAX, {1, 2}, {0, 0.5}, 2, 0, false, "heights are 0 and 0.5"},
      {ENTROPIC_SCALING_MINMAX, {1, 2}, {0.5, 1}, 2, 0, false, "heights are 0.5 and 1"},
      {ENTROPIC_SCALING_QUANTILE, {1}, {0.5}, 1, 3, false, "1 knots, but a category has none"},
      {ENTROPIC_SCALING_NONE, {0}, {0}, 0, ((size_t)1 << 24) + 1, false, "16777217 categories"},
      {ENTROPIC_SCALING_NONE, {0}, {0}, 0, (size_t)1 << 24, true, "16777216 categories"},
      {ENTROPIC_SCALING_NONE, {0}, {0}, 0, SIZE_MAX, true, "categories"},
  };
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  for (size_t i = 0; i < COUNT(all); i++) {
    const wrong *w = &all[i];
    entropic_scaler *scaler = NULL;
    assert_int_equal(ent_scaler_start(context, w->scaling, 3, &scaler), ENTROPIC_OK);
    assert_int_equal(ent_scaler_set(context, scaler, 1,
                                    &(ent_scale_parts){w->at, w->height, w->knots, w->categories, w->missing, false}),
                     ENTROPIC_BAD_DATA);
    assert_message(context, "input 2: ");
    assert_message(context, w->message);
    assert_true(scaler->scales[1].knots == 0 && scaler->scales[1].categories == 0);
    assert_int_equal(ent_scaler_set(context, scaler, 3, &(ent_scale_parts){NULL, NULL, 0, 2, false, false}),
                     ENTROPIC_BAD_DATA);
    assert_message(context, "input 4: ");
    assert_int_equal(
        ent_scaler_set(context, scaler, 0, &(ent_scale_parts){NULL, NULL, 0, (size_t)1 << 24, false, false}),
        ENTROPIC_OK);
    entropic_scaler_free(scaler);
  }
  static double at[1025], height[1025];
  for (size_t i = 0; i < 1025; i++) {
    at[i] = (double)i;
    height[i] = ((double)i + 0.5) / 1025;
  }
  entropic_scaler *scaler = NULL;
  assert_int_equal(ent_scaler_start(context, ENTROPIC_SCALING_QUANTILE, 1, &scaler), ENTROPIC_OK);
  assert_int_equal(ent_scaler_set(context, scaler, 0, &(ent_scale_parts){at, height, 1025, 0, false, false}),
                   ENTROPIC_BAD_DATA);
  assert_int_equal(ent_scaler_set(context, scaler, 0, &(ent_scale_parts){at, height, 1024, 0, false, false}),
                   ENTROPIC_OK);
  entropic_scaler_free(scaler);
  scaler = NULL;
  assert_int_equal(ent_scaler_start(context, (entropic_scaling)5, 1, &scaler), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_scaler_start(context, ENTROPIC_SCALING_AUTO, 1, &scaler), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_scaler_start(context, ENTROPIC_SCALING_NONE, 0, &scaler), ENTROPIC_BAD_ARGUMENT);
  assert_null(scaler);
  entropic_context_free(context);
}

static void names(void **state) {
  (void)state;
  assert_string_equal(entropic_scaling_name(ENTROPIC_SCALING_QUANTILE), "quantile");
  assert_string_equal(entropic_scaling_name(ENTROPIC_SCALING_MINMAX), "minmax");
  assert_string_equal(entropic_scaling_name(ENTROPIC_SCALING_NONE), "none");
  assert_string_equal(entropic_scaling_name(ENTROPIC_SCALING_BLEND), "blend");
  assert_string_equal(entropic_scaling_name(ENTROPIC_SCALING_AUTO), "auto");
  assert_null(entropic_scaling_name((entropic_scaling)5));
  assert_null(entropic_scaling_name((entropic_scaling)-1));
}

SUITE(axis_scale) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(searches_equal_a_plain_one),
      cmocka_unit_test(gaps_are_left_out),
      cmocka_unit_test(categories),
      cmocka_unit_test(what_cannot_be_learnt_from),
      cmocka_unit_test(distinct_numbers),
      cmocka_unit_test(stored_parts),
      cmocka_unit_test(wrong_parts_are_refused),
      cmocka_unit_test(names),
      cmocka_unit_test(knots_have_their_heights),
  };
  return cmocka_run_group_tests_name("axis_scale", tests, NULL, NULL);
}

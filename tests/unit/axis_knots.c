/* Knots between values: none of them is a value of few rows, and each value stays within its step of the distribution. */
#include "unit/tests.h"

#include <float.h>

#include "axis/scaler.h"

#define ROWS 400

static void ends_go_outward(void **state) {
  (void)state;
  static const struct {
    double end, least, most;
    int direction;
    double expected;
  } cases[] = {
      {0, 0, 1, -1, -0.01},
      {1, 0, 1, 1, 1.01},
      {0.12345, 0.12345, 1, -1, 0.123},
      {17, 17, 90, -1, 16.9},
      {90, 17, 90, 1, 90.1},
      {-3.14159, -3.14159, 5, -1, -3.15},
      {1234567, 0, 1234567, 1, 1.24e6},
      {5, 5, 5, -1, 4.99},
      {0.5, 0.5, 2e9, -1, 0},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    double found = ent_knot_outward(cases[i].end, cases[i].least, cases[i].most, cases[i].direction);
    assert_true(fabs(found - cases[i].expected) <= 1e-15 * fabs(cases[i].expected));
  }
  /* Where doubles end, and where they are dense. */
  static const double extremes[] = {-DBL_MAX,     -1e300, -DBL_MIN, -DBL_TRUE_MIN, 0,
                                    DBL_TRUE_MIN, 1e-300, 1,        1e300,         DBL_MAX};
  for (size_t i = 0; i + 1 < COUNT(extremes); i++)
    for (size_t k = i + 1; k < COUNT(extremes); k++) {
      double low = ent_knot_outward(extremes[i], extremes[i], extremes[k], -1);
      double high = ent_knot_outward(extremes[k], extremes[i], extremes[k], 1);
      assert_true(isfinite(low) && (low < extremes[i] || extremes[i] == -DBL_MAX));
      assert_true(isfinite(high) && (high > extremes[k] || extremes[k] == DBL_MAX));
    }
}

static entropic_scaler *learn(entropic_scaling scaling, const double *values, size_t rows, const double *weights) {
  const ent_scale_rows from = {{values, 1, NULL}, rows, 1, NULL, weights, true};
  entropic_scaler *scaler = NULL;
  assert_int_equal(ent_scaler_learn_rows(NULL, scaling, &from, &scaler), ENTROPIC_OK);
  return scaler;
}

/* Of kind 0 all values differ, of 1 they are whole numbers, of 2 mostly zero, of 3 five values of many rows. */
static void draw(int kind, double *values) {
  uint64_t state = 7 + (uint64_t)kind;
  for (size_t r = 0; r < ROWS; r++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double uniform = (double)(state >> 11) * 0x1p-53;
    values[r] = kind == 0   ? uniform
                : kind == 1 ? floor(900 * uniform)
                : kind == 2 ? fmax(uniform - 0.6, 0)
                            : floor(5 * uniform);
  }
}

static size_t count_of(const double *values, double value) {
  size_t count = 0;
  for (size_t r = 0; r < ROWS; r++)
    count += values[r] == value;
  return count;
}

static void no_knot_is_a_value_of_few_rows(void **state) {
  (void)state;
  static const entropic_scaling scalings[] = {ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_BLEND,
                                              ENTROPIC_SCALING_MINMAX};
  double values[ROWS], weights[ROWS];
  for (int kind = 0; kind < 4; kind++)
    for (size_t s = 0; s < 2 * COUNT(scalings); s++) {
      draw(kind, values);
      for (size_t r = 0; r < ROWS; r++)
        weights[r] = 0.5 + (double)(r % 7);
      entropic_scaler *scaler = learn(scalings[s / 2], values, ROWS, s % 2 ? weights : NULL);
      const ent_scale *scale = &scaler->scales[0];
      assert_true(scale->knots >= 2);
      for (size_t k = 0; k < scale->knots; k++) {
        size_t rows = count_of(values, scale->at[k]);
        assert_true(rows == 0 || rows >= ENT_COMMON_ROWS);
        assert_true(k == 0 || (scale->at[k] > scale->at[k - 1] && scale->height[k] >= scale->height[k - 1]));
      }
      assert_true(kind != 3 || scale->knots == (scalings[s / 2] == ENTROPIC_SCALING_MINMAX ? 2 : 5));
      for (size_t r = 0; r < ROWS; r++)
        assert_true(values[r] >= scale->at[0] && values[r] <= scale->at[scale->knots - 1]);
      entropic_scaler_free(scaler);
    }
}

/* Scaled, a value lies between the shares of rows below it and up to it; one that many rows share is at its mid-rank. */
static void values_stay_in_their_step(void **state) {
  (void)state;
  double values[ROWS], scaled[ROWS];
  for (int kind = 0; kind < 4; kind++) {
    draw(kind, values);
    entropic_scaler *scaler = learn(ENTROPIC_SCALING_QUANTILE, values, ROWS, NULL);
    ent_scaler_apply(scaler, values, ROWS, 1, scaled);
    for (size_t r = 0; r < ROWS; r++) {
      double below = 0, equal = 0;
      for (size_t i = 0; i < ROWS; i++) {
        below += values[i] < values[r];
        equal += values[i] == values[r];
      }
      assert_true(scaled[r] >= below / ROWS - 1e-12 && scaled[r] <= (below + equal) / ROWS + 1e-12);
      if (equal >= ENT_COMMON_ROWS)
        assert_true(fabs(scaled[r] - (below + equal / 2) / ROWS) <= 1e-12);
    }
    entropic_scaler_free(scaler);
  }
}

/* The same by repeated rows and by weights; derived scalers are those learnt. */
static void other_ways_agree(void **state) {
  (void)state;
  static const entropic_scaling scalings[] = {ENTROPIC_SCALING_BLEND, ENTROPIC_SCALING_MINMAX};
  double values[ROWS];
  for (int kind = 0; kind < 4; kind++) {
    draw(kind, values);
    entropic_scaler *ranks = learn(ENTROPIC_SCALING_QUANTILE, values, ROWS, NULL), *derived = NULL;
    const ent_scale_rows rows = {{values, 1, NULL}, ROWS, 1, NULL, NULL, false};
    for (size_t s = 0; s < COUNT(scalings); s++) {
      entropic_scaler *learnt = learn(scalings[s], values, ROWS, NULL);
      assert_int_equal(ent_scaler_derive_rows(NULL, ranks, scalings[s], &rows, &derived), ENTROPIC_OK);
      const ent_scale *a = &learnt->scales[0], *b = &derived->scales[0];
      assert_int_equal(a->knots, b->knots);
      assert_memory_equal(a->at, b->at, 2 * a->knots * sizeof *a->at);
      entropic_scaler_free(learnt);
      entropic_scaler_free(derived);
    }
    entropic_scaler_free(ranks);
  }
}

/* Neighbours without a number between them, and a range beyond that of doubles. */
static void extreme_values(void **state) {
  (void)state;
  const double dense[] = {1, 1 + DBL_EPSILON, 1 + 2 * DBL_EPSILON, 1 + 3 * DBL_EPSILON};
  const double wide[] = {-DBL_MAX, -1, 1, DBL_MAX};
  const double *const all[] = {dense, wide};
  for (size_t i = 0; i < COUNT(all); i++) {
    entropic_scaler *scaler = learn(ENTROPIC_SCALING_QUANTILE, all[i], 4, NULL);
    double scaled[4];
    ent_scaler_apply(scaler, all[i], 4, 1, scaled);
    for (size_t r = 0; r < 4; r++)
      assert_true(scaled[r] >= 0 && scaled[r] <= 1 && (r == 0 || scaled[r] > scaled[r - 1]));
    entropic_scaler_free(scaler);
  }
}

SUITE(axis_knots) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_go_outward),
      cmocka_unit_test(no_knot_is_a_value_of_few_rows),
      cmocka_unit_test(values_stay_in_their_step),
      cmocka_unit_test(other_ways_agree),
      cmocka_unit_test(extreme_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

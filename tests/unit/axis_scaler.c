/* Scaling to [0,1]. */
#include "unit/tests.h"

#include "axis/scaler.h"

static entropic_scaler *learn(entropic_scaling scaling, const double *values, size_t rows, size_t inputs) {
  entropic_scaler *scaler = NULL;
  assert_int_equal(entropic_scaler_create(NULL, scaling, values, rows, inputs, inputs, &scaler), ENTROPIC_OK);
  assert_non_null(scaler);
  return scaler;
}

static double scale(const entropic_scaler *scaler, double x) {
  double scaled = -99;
  ent_scaler_apply(scaler, &x, 1, 1, &scaled);
  return scaled;
}

static void quantiles_are_mid_ranks(void **state) {
  (void)state;
  /* Ranks: 1 once, 2 three times, 5 twice; and -0 is the same as 0. */
  const double values[] = {5, 2, 1, 2, 5, 2, 0.0, -0.0};
  entropic_scaler *scaler = learn(ENTROPIC_SCALING_QUANTILE, values, 8, 1);
  assert_true(scale(scaler, 0) == 1.0 / 8);
  assert_true(scale(scaler, -0.0) == 1.0 / 8);
  assert_true(scale(scaler, 1) == 2.5 / 8);
  assert_true(scale(scaler, 2) == 4.5 / 8);
  assert_true(scale(scaler, 5) == 7.0 / 8);
  assert_close(scale(scaler, 0.5), (1.0 + 2.5) / 16, 1e-16);
  assert_close(scale(scaler, 3), (4.5 + (7 - 4.5) / 3) / 8, 1e-15);
  assert_true(scale(scaler, nextafter(0, -1)) == 0);
  assert_true(scale(scaler, -1e300) == 0);
  assert_true(scale(scaler, -INFINITY) == 0);
  assert_true(scale(scaler, nextafter(5, 6)) == 1);
  assert_true(scale(scaler, INFINITY) == 1);
  assert_true(isnan(scale(scaler, NAN)));
  entropic_scaler_free(scaler);
}

static void minmax_is_linear(void **state) {
  (void)state;
  const double values[] = {3, -1, 7};
  entropic_scaler *scaler = learn(ENTROPIC_SCALING_MINMAX, values, 3, 1);
  assert_true(scale(scaler, -1) == 0);
  assert_true(scale(scaler, 7) == 1);
  assert_true(scale(scaler, 3) == 0.5);
  assert_true(scale(scaler, 1) == 0.25);
  assert_true(scale(scaler, -2) == 0);
  assert_true(scale(scaler, 8) == 1);
  assert_true(scale(scaler, INFINITY) == 1);
  assert_true(isnan(scale(scaler, NAN)));
  entropic_scaler_free(scaler);
}

/* Half of it the mid-ranks, half the range, whatever the sample. */
static void blends_are_means(void **state) {
  (void)state;
  static const size_t sizes[] = {2, 3, 10, 1024, 1025, 5000};
  static double values[5000];
  const double few[] = {5, 2, 1, 2, 5, 2, 0.0, -0.0};
  entropic_scaler *known = learn(ENTROPIC_SCALING_BLEND, few, 8, 1);
  assert_true(scale(known, 0) == 1.0 / 16);
  assert_close(scale(known, 1), (2.5 / 8 + 0.2) / 2, 1e-16);
  assert_close(scale(known, 3), ((4.5 + (7 - 4.5) / 3) / 8 + 0.6) / 2, 1e-15);
  assert_true(scale(known, 5) == (7.0 / 8 + 1) / 2);
  assert_true(scale(known, nextafter(0, -1)) == 0 && scale(known, nextafter(5, 6)) == 1);
  assert_true(isnan(scale(known, NAN)));
  entropic_scaler_free(known);
  for (size_t s = 0; s < COUNT(sizes); s++)
    for (int shape = 0; shape < 3; shape++) {
      entropic_random random = entropic_random_start(32, s);
      for (size_t i = 0; i < sizes[s]; i++)
        values[i] = shape == 0 ? entropic_random_uniform(&random) : exp(5 * shape * entropic_random_normal(&random));
      entropic_scaler *blend = learn(ENTROPIC_SCALING_BLEND, values, sizes[s], 1);
      entropic_scaler *ranks = learn(ENTROPIC_SCALING_QUANTILE, values, sizes[s], 1);
      entropic_scaler *range = learn(ENTROPIC_SCALING_MINMAX, values, sizes[s], 1);
      for (size_t i = 0; i < sizes[s]; i++) {
        double x = values[i] + (i % 2 == 0 ? 0 : (values[i / 2] - values[i]) / 3);
        assert_close(scale(blend, x), (scale(ranks, x) + scale(range, x)) / 2, 1e-12);
      }
      entropic_scaler_free(blend);
      entropic_scaler_free(ranks);
      entropic_scaler_free(range);
    }
}

static void none_changes_nothing(void **state) {
  (void)state;
  const double values[] = {3, 3, 3};
  entropic_scaler *scaler = learn(ENTROPIC_SCALING_NONE, values, 3, 1);
  assert_true(scale(scaler, 3) == 3);
  assert_true(scale(scaler, -1e300) == -1e300);
  assert_true(scale(scaler, INFINITY) == INFINITY);
  assert_true(isnan(scale(scaler, NAN)));
  entropic_scaler_free(scaler);
}

static void constants_become_one_half(void **state) {
  (void)state;
  const double values[] = {3, 3, 3};
  for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_BLEND; scaling++)
    for (size_t rows = 1; scaling != ENTROPIC_SCALING_NONE && rows <= 3; rows++) {
      entropic_scaler *scaler = learn((entropic_scaling)scaling, values, rows, 1);
      assert_true(scale(scaler, 3) == 0.5);
      assert_true(scale(scaler, 4) == 0.5);
      assert_true(scale(scaler, -INFINITY) == 0.5);
      assert_true(isnan(scale(scaler, NAN)));
      entropic_scaler_free(scaler);
    }
}

static void extremes_do_not_overflow(void **state) {
  (void)state;
  const double large = 0x1.fffffffffffffp1023, tiny = 0x1p-1074;
  const double wide[] = {-large, large}, narrow[] = {0, 4 * tiny};
  static const entropic_scaling scalings[] = {ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_MINMAX,
                                              ENTROPIC_SCALING_BLEND};
  for (size_t i = 0; i < COUNT(scalings); i++) {
    entropic_scaling scaling = scalings[i];
    double edge = i == 0 ? 0.25 : i == 1 ? 0 : 0.125;
    entropic_scaler *scaler = learn(scaling, wide, 2, 1);
    assert_true(scale(scaler, -large) == edge);
    assert_true(scale(scaler, large) == 1 - edge);
    assert_true(scale(scaler, 0) == 0.5);
    assert_close(scale(scaler, large / 2), edge + (1 - 2 * edge) * 0.75, 1e-15);
    entropic_scaler_free(scaler);
    scaler = learn(scaling, narrow, 2, 1);
    assert_true(scale(scaler, 2 * tiny) == 0.5);
    assert_close(scale(scaler, tiny), edge + (1 - 2 * edge) * 0.25, 1e-15);
    entropic_scaler_free(scaler);
  }
}

/* Samples of several shapes; the last two have heavy ties among many values. */
static void fill(double *values, size_t rows, int shape) {
  entropic_random random = entropic_random_start(31, (uint64_t)shape);
  for (size_t i = 0; i < rows; i++) {
    double u = entropic_random_uniform(&random), normal = entropic_random_normal(&random);
    switch (shape) {
    case 0:
      values[i] = u;
      break;
    case 1:
      values[i] = normal * 1e-200;
      break;
    case 2:
      values[i] = entropic_random_cauchy(&random) * 1e100;
      break;
    case 3:
      values[i] = floor(normal * 3);
      break;
    case 4:
      values[i] = u < 0.6 ? 0 : normal;
      break;
    default:
      values[i] = floor(normal * (u < 0.5 ? 1 : 1000));
      break;
    }
  }
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

#define SHAPES 6
#define MANY 30000

static void quantiles_follow_the_empirical_distribution(void **state) {
  (void)state;
  static double values[MANY];
  static const size_t sizes[] = {2, 10, 1024, 1025, 2000, MANY};
  for (int shape = 0; shape < SHAPES; shape++)
    for (size_t s = 0; s < COUNT(sizes); s++) {
      size_t rows = sizes[s], distinct = 0;
      fill(values, rows, shape);
      entropic_scaler *scaler = learn(ENTROPIC_SCALING_QUANTILE, values, rows, 1);
      qsort(values, rows, sizeof *values, ascending);
      for (size_t i = 0; i < rows; i++)
        distinct += i == 0 || values[i] != values[i - 1];
      double tolerance = distinct <= 1024 ? 0 : 1.0 / 511;
      for (size_t first = 0, end; first < rows; first = end) {
        for (end = first; end < rows && values[end] == values[first];)
          end++;
        double height = 0.5 * (double)(first + end) / (double)rows;
        int outer = first == 0 || end == rows;
        assert_close(scale(scaler, values[first]), height, outer ? 0 : tolerance);
      }
      entropic_scaler_free(scaler);
    }
}

/* For continuous data the knots are close to as many as they may be: errors well below those of 511 intervals. */
static void knots_are_not_wasted(void **state) {
  (void)state;
  static double values[MANY];
  for (size_t i = 0; i < MANY; i++)
    values[i] = pow((double)i / MANY, 8);
  entropic_scaler *scaler = learn(ENTROPIC_SCALING_QUANTILE, values, MANY, 1);
  double worst = 0;
  for (size_t i = 200; i < MANY; i++)
    worst = larger(worst, fabs(scale(scaler, values[i]) - ((double)i + 0.5) / MANY));
  /* Between knots d apart in height the curve x^(1/8) leaves its chord by at most (7/64) d^2 / height or so. */
  assert_true(worst <= 7.0 / 64 * 64 / (1000.0 * 1000.0) / (200.0 / MANY));
  entropic_scaler_free(scaler);
}

static void maps_are_monotone_and_continuous(void **state) {
  (void)state;
  static double values[MANY];
  for (int shape = 0; shape < SHAPES; shape++)
    for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_BLEND; scaling++) {
      if (scaling == ENTROPIC_SCALING_NONE)
        continue;
      fill(values, MANY, shape);
      entropic_scaler *scaler = learn((entropic_scaling)scaling, values, MANY, 1);
      qsort(values, MANY, sizeof *values, ascending);
      double last = 0;
      for (size_t i = 0; i < MANY; i++) {
        double around[3] = {nextafter(values[i], -INFINITY), values[i], nextafter(values[i], INFINITY)}, scaled[3];
        ent_scaler_apply(scaler, around, 3, 1, scaled);
        assert_true(last <= scaled[1] || i == 0);
        assert_true(scaled[0] <= scaled[1] && scaled[1] <= scaled[2]);
        assert_true(scaled[0] >= 0 && scaled[2] <= 1);
        if (values[i] > values[0])
          assert_close(scaled[0], scaled[1], 1e-9);
        if (values[i] < values[MANY - 1])
          assert_close(scaled[2], scaled[1], 1e-9);
        last = scaled[1];
      }
      entropic_scaler_free(scaler);
    }
}

static void inputs_strides_and_threads(void **state) {
  (void)state;
  enum { rows = 500, inputs = 3, stride = 5 };
  double values[rows * stride], dense[rows * inputs], one[rows], scaled[rows * inputs], alone[rows];
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  for (int input = 0; input < stride; input++) {
    fill(one, rows, input);
    for (int row = 0; row < rows; row++)
      values[row * stride + input] = input < inputs ? one[row] : NAN; /* what lies in the gaps is not looked at */
  }
  for (int threads = 1; threads <= 4; threads++) {
    entropic_scaler *scaler = NULL;
    assert_int_equal(entropic_context_set_threads(context, threads), ENTROPIC_OK);
    assert_int_equal(entropic_scaler_create(context, ENTROPIC_SCALING_QUANTILE, values, rows, inputs, stride, &scaler),
                     ENTROPIC_OK);
    ent_scaler_apply(scaler, values, rows, stride, scaled);
    for (int input = 0; input < inputs; input++) {
      for (int row = 0; row < rows; row++)
        one[row] = dense[row * inputs + input] = values[row * stride + input];
      entropic_scaler *single = learn(ENTROPIC_SCALING_QUANTILE, one, rows, 1);
      ent_scaler_apply(single, one, rows, 1, alone);
      for (int row = 0; row < rows; row++)
        assert_true(scaled[row * inputs + input] == alone[row]);
      entropic_scaler_free(single);
    }
    ent_scaler_apply(scaler, dense, rows, inputs, dense); /* in place */
    assert_memory_equal(dense, scaled, sizeof scaled);
    entropic_scaler_free(scaler);
  }
  entropic_context_free(context);
}

static void bad_arguments_and_values_are_refused(void **state) {
  (void)state;
  double values[] = {1, 2, 3, 4, 5, 6};
  entropic_scaler *scaler = NULL;
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
#define REFUSED(scaling, data, rows, inputs, stride, word)                                                             \
  assert_int_equal(entropic_scaler_create(context, scaling, data, rows, inputs, stride, &scaler),                      \
                   ENTROPIC_BAD_ARGUMENT);                                                                             \
  assert_message(context, word)
  REFUSED(ENTROPIC_SCALING_QUANTILE, NULL, 2, 3, 3, "values");
  REFUSED(ENTROPIC_SCALING_QUANTILE, values, 0, 3, 3, "rows");
  REFUSED(ENTROPIC_SCALING_QUANTILE, values, 2, 0, 3, "inputs");
  REFUSED(ENTROPIC_SCALING_QUANTILE, values, 2, 3, 2, "stride");
  REFUSED((entropic_scaling)7, values, 2, 3, 3, "scaling");
#undef REFUSED
  assert_int_equal(entropic_scaler_create(context, ENTROPIC_SCALING_NONE, values, 2, 3, 3, NULL),
                   ENTROPIC_BAD_ARGUMENT);
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  static const char *const words[] = {"nan", "inf", "-inf"};
  for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_BLEND; scaling++)
    for (size_t i = 0; i < COUNT(bad); i++) {
      values[4] = bad[i];
      assert_int_equal(entropic_scaler_create(context, (entropic_scaling)scaling, values, 2, 3, 3, &scaler),
                       ENTROPIC_BAD_DATA);
      assert_message(context, "row 2, input 2");
      assert_message(context, words[i]);
    }
  assert_null(scaler);
  entropic_scaler_free(NULL);
  entropic_context_free(context);
}

/* The same bits as learnt scalers have, the sign of a zero among them. */
static void derived_scalers_are_the_learnt_ones(void **state) {
  (void)state;
  enum { ROWS = 3000, INPUTS = 5 };
  static double values[ROWS * INPUTS];
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  entropic_random random = entropic_random_start(4, 0);
  for (size_t r = 0; r < ROWS; r++) {
    double *row = values + r * INPUTS;
    row[0] = entropic_random_uniform(&random) - 0.5;
    row[1] = r % 3 == 0 ? -0.0 : (double)(r % 7);
    row[2] = r % 5 == 0 ? NAN : floor(20 * entropic_random_uniform(&random));
    row[3] = (double)(r % 4);
    row[4] = r % 2 == 0 ? -0.0 : 0.0;
  }
  const ent_scale_category kinds[INPUTS] = {{.categories = 0, .missing = false},
                                            {.categories = 0, .missing = false},
                                            {.categories = 0, .missing = true},
                                            {.categories = 4, .missing = false},
                                            {.categories = 0, .missing = false}};
  static const entropic_scaling scalings[] = {ENTROPIC_SCALING_BLEND, ENTROPIC_SCALING_MINMAX};
  entropic_scaler *ranks = NULL;
  assert_int_equal(ent_scaler_learn(context, ENTROPIC_SCALING_QUANTILE, values, ROWS, INPUTS, INPUTS, kinds, &ranks),
                   ENTROPIC_OK);
  for (size_t k = 0; k < COUNT(scalings); k++) {
    entropic_scaler *learnt = NULL, *derived = NULL;
    const ent_scale_rows rows = {{values, INPUTS, NULL}, ROWS, INPUTS, NULL, NULL, false};
    assert_int_equal(ent_scaler_learn(context, scalings[k], values, ROWS, INPUTS, INPUTS, kinds, &learnt), ENTROPIC_OK);
    assert_int_equal(ent_scaler_derive_rows(context, ranks, scalings[k], &rows, &derived), ENTROPIC_OK);
    for (size_t i = 0; i < INPUTS; i++) {
      const ent_scale *a = &learnt->scales[i], *b = &derived->scales[i];
      assert_int_equal(a->categories, b->categories);
      assert_int_equal(a->cells, b->cells);
      assert_int_equal(a->missing, b->missing);
      assert_int_equal(a->distinct, b->distinct);
      assert_int_equal(a->knots, b->knots);
      if (a->knots > 0)
        assert_memory_equal(a->at, b->at, 2 * a->knots * sizeof *a->at);
    }
    entropic_scaler_free(learnt);
    entropic_scaler_free(derived);
  }
  entropic_scaler_free(ranks);
  entropic_context_free(context);
}

/* A row of weight 3 counts as three rows do. */
static void weights_count_as_repeated_rows(void **state) {
  (void)state;
  enum { ROWS = 2500, MOST = 3 * ROWS };
  static double values[ROWS], weights[ROWS], repeated[MOST];
  entropic_random random = entropic_random_start(5, 2);
  size_t rows = 0;
  for (size_t r = 0; r < ROWS; r++) {
    values[r] = r % 17 == 0 ? NAN : r % 5 == 0 ? -0.0 : floor(900 * entropic_random_normal(&random));
    weights[r] = (double)(1 + entropic_random_below(&random, 3));
    for (size_t k = 0; k < (size_t)weights[r]; k++)
      repeated[rows++] = values[r];
  }
  static const entropic_scaling scalings[] = {ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_BLEND,
                                              ENTROPIC_SCALING_MINMAX};
  for (size_t k = 0; k < COUNT(scalings); k++) {
    entropic_scaler *weighted = NULL, *plain = NULL;
    const ent_scale_rows from = {{values, 1, NULL}, ROWS, 1, NULL, weights, false};
    assert_int_equal(ent_scaler_learn_rows(NULL, scalings[k], &from, &weighted), ENTROPIC_OK);
    assert_int_equal(ent_scaler_learn(NULL, scalings[k], repeated, rows, 1, 1, NULL, &plain), ENTROPIC_OK);
    const ent_scale *a = &weighted->scales[0], *b = &plain->scales[0];
    assert_int_equal(a->knots, b->knots);
    assert_memory_equal(a->at, b->at, 2 * a->knots * sizeof *a->at);
    entropic_scaler_free(weighted);
    entropic_scaler_free(plain);
  }
}

/* To a text and back: the same bits. A text that is cut off is refused. */
static void scalers_come_back_from_text(void **state) {
  (void)state;
  enum { ROWS = 1500, INPUTS = 3 };
  static double values[ROWS * INPUTS], one[ROWS * INPUTS], other[ROWS * INPUTS];
  entropic_random random = entropic_random_start(6, 2);
  for (size_t i = 0; i < ROWS * INPUTS; i++)
    values[i] = i % INPUTS == 2 ? 7 : entropic_random_cauchy(&random);
  for (int scaling = ENTROPIC_SCALING_QUANTILE; scaling <= ENTROPIC_SCALING_BLEND; scaling++) {
    entropic_scaler *scaler = learn((entropic_scaling)scaling, values, ROWS, INPUTS), *again = NULL;
    unsigned char *bytes = NULL;
    size_t count = 0;
    assert_int_equal(entropic_scaler_save_memory(NULL, scaler, &bytes, &count), ENTROPIC_OK);
    assert_int_equal(entropic_scaler_load_memory(NULL, bytes, count, &again), ENTROPIC_OK);
    ent_scaler_apply(scaler, values, ROWS, INPUTS, one);
    ent_scaler_apply(again, values, ROWS, INPUTS, other);
    assert_memory_equal(one, other, sizeof one);
    entropic_scaler_free(again);
    entropic_scaler_free(scaler);
    for (size_t cut = 0; cut < count; cut += cut < 100 ? 1 : 997) {
      again = (entropic_scaler *)values;
      assert_int_equal(entropic_scaler_load_memory(NULL, bytes, cut, &again), ENTROPIC_BAD_DATA);
      assert_ptr_equal(again, values);
    }
    entropic_bytes_free(bytes);
  }
}

static void damaged_texts_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } wrong[] = {{"entropic scaler 2\nscaling none\ninputs 1\n0\n", "entropic scaler 1"},
               {"entropic scaler 1\nscaling some\ninputs 1\n0\n", "name of a scaling"},
               {"entropic scaler 1\nscaling none\ninputs 0\n", "number of inputs"},
               {"entropic scaler 1\nscaling none\ninputs 9999999\n0\n", "line for each input"},
               {"entropic scaler 1\nscaling none\ninputs 1\n0\n0\n", "no more than"},
               {"entropic scaler 1\nscaling quantile\ninputs 1\n9999 1 0.5\n", "number of knots"},
               {"entropic scaler 1\nscaling quantile\ninputs 1\n2 1 0.2 x 0.5\n", "value and height"},
               {"entropic scaler 1\nscaling quantile\ninputs 1\n2 2 0.2 1 0.5\n", "knot"},
               {"entropic scaler 1\nscaling quantile\ninputs 1\n2 1 0.5 2 0.2\n", "height"},
               {"entropic scaler 1\nscaling quantile\ninputs 1\n2 1 nan 2 0.2\n", "height"}};
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  for (size_t i = 0; i < COUNT(wrong); i++) {
    entropic_scaler *scaler = NULL;
    assert_int_equal(entropic_scaler_load_memory(context, wrong[i].text, strlen(wrong[i].text), &scaler),
                     ENTROPIC_BAD_DATA);
    if (strstr(entropic_context_message(context), wrong[i].said) == NULL)
      fail_msg("'%s' is not in: %s", wrong[i].said, entropic_context_message(context));
  }
  entropic_context_free(context);
}

SUITE(axis_scaler) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantiles_are_mid_ranks),
      cmocka_unit_test(minmax_is_linear),
      cmocka_unit_test(blends_are_means),
      cmocka_unit_test(none_changes_nothing),
      cmocka_unit_test(constants_become_one_half),
      cmocka_unit_test(extremes_do_not_overflow),
      cmocka_unit_test(quantiles_follow_the_empirical_distribution),
      cmocka_unit_test(knots_are_not_wasted),
      cmocka_unit_test(maps_are_monotone_and_continuous),
      cmocka_unit_test(inputs_strides_and_threads),
      cmocka_unit_test(weights_count_as_repeated_rows),
      cmocka_unit_test(scalers_come_back_from_text),
      cmocka_unit_test(damaged_texts_are_refused),
      cmocka_unit_test(derived_scalers_are_the_learnt_ones),
      cmocka_unit_test(bad_arguments_and_values_are_refused),
  };
  return cmocka_run_group_tests_name("axis_scaler", tests, NULL, NULL);
}

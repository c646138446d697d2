/* The generated tables: functions against a second way to write them, ranges, rows, noise. */
#include "unit/tests.h"

#define ROWS 20000

/* The same functions once more, in another form and with more digits. */
static long double friedman1(const double *x) {
  long double pi = acosl(-1), square = (long double)x[2] * x[2] - x[2] + 0.25L;
  return 10 * sinl(pi * x[0] * x[1]) + 20 * square + 10.0L * x[3] + 5.0L * x[4];
}

static long double friedman2(const double *x) {
  long double w = x[1];
  return hypotl(x[0], (w * w * x[2] * x[3] - 1) / (w * x[3]));
}

static long double friedman3(const double *x) {
  long double w = x[1], rest = (w * w * x[2] * x[3] - 1) / (w * x[3]);
  return 2 * atanl(rest / (x[0] + hypotl(x[0], rest)));
}

static long double ishigami(const double *x) {
  return sinl(x[0]) + 3.5L * (1 - cosl(2.0L * x[1])) + 0.1L * powl(x[2], 4) * sinl(x[0]);
}

static long double borehole(const double *x) {
  long double rw = x[0], tu = x[2], tl = x[4], logarithm = logl(x[1]) - logl(rw);
  long double resistance = logarithm / tu + 2.0L * x[6] / (rw * rw * x[7]) + logarithm / tl;
  return 2 * acosl(-1) * ((long double)x[3] - x[5]) / resistance;
}

static long double piston(const double *x) {
  long double mass = x[0], surface = x[1], v0 = x[2], k = x[3], p0 = x[4], ratio = (long double)x[5] / x[6];
  long double a = p0 * surface + 19.62L * mass - k * v0 / surface, b = k * p0 * v0 * ratio;
  /* The volume is the positive root of k/S V^2 + a V - S p0 v0 ratio = 0, written without a difference. */
  long double volume = 2 * surface * p0 * v0 * ratio / (a + sqrtl(a * a + 4 * b));
  return 2 * acosl(-1) / sqrtl((k + surface * surface * p0 * v0 * ratio / (volume * volume)) / mass);
}

static long double otl(const double *x) {
  long double vb1 = 12 / (1 + (long double)x[0] / x[1]), load = x[5] * ((long double)x[4] + 9),
              share = 1 / (1 + x[2] / load);
  return (vb1 + 0.74L) * share + 11.35L * (1 - share) + 0.74L * x[2] / x[3] * share;
}

static long double wing(const double *x) {
  long double logarithm = logl(0.036L) + 0.758L * logl(x[0]) + 0.0035L * logl(x[1]) + 0.6L * logl(x[2]) +
                          0.006L * logl(x[4]) + 0.04L * logl(x[5]) - 0.3L * logl(100 * x[6]) +
                          0.49L * (logl(x[7]) + logl(x[8])) - 0.9L * logl(cosl(x[3] * acosl(-1) / 180));
  return expl(logarithm) + (long double)x[0] * x[9];
}

typedef struct expected_generator {
  const char *name;
  size_t inputs;
  long double (*function)(const double *);
  double ranges[10][2];
} expected_generator;

static const expected_generator expected[] = {
    {"friedman1", 10, friedman1, {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},
    {"friedman2", 4, friedman2, {{0, 100}, {125.66370614359172, 1759.2918860102841}, {0, 1}, {1, 11}}},
    {"friedman3", 4, friedman3, {{0, 100}, {125.66370614359172, 1759.2918860102841}, {0, 1}, {1, 11}}},
    {"ishigami",
     3,
     ishigami,
     {{-3.141592653589793, 3.141592653589793},
      {-3.141592653589793, 3.141592653589793},
      {-3.141592653589793, 3.141592653589793}}},
    {"borehole",
     8,
     borehole,
     {{0.05, 0.15}, {100, 50000}, {63070, 115600}, {990, 1110}, {63.1, 116}, {700, 820}, {1120, 1680}, {9855, 12045}}},
    {"piston",
     7,
     piston,
     {{30, 60}, {0.005, 0.02}, {0.002, 0.01}, {1000, 5000}, {90000, 110000}, {290, 296}, {340, 360}}},
    {"otl", 6, otl, {{50, 150}, {25, 70}, {0.5, 3}, {1.2, 2.5}, {0.25, 1.2}, {50, 300}}},
    {"wing",
     10,
     wing,
     {{150, 200},
      {220, 300},
      {6, 10},
      {-10, 10},
      {16, 45},
      {0.5, 1},
      {0.08, 0.18},
      {2.5, 6},
      {1700, 2500},
      {0.025, 0.08}}},
};

/* What to expect of a generator of the library, by its name. */
static const expected_generator *expected_of(const entropic_generator *generator) {
  for (size_t i = 0; i < COUNT(expected); i++)
    if (strcmp(expected[i].name, generator->name) == 0)
      return &expected[i];
  print_error("nothing is said here of the generator %s\n", generator->name);
  fail();
  return NULL;
}

static double values[ROWS * 11], others[ROWS * 11];

static void generators_are_listed(void **state) {
  (void)state;
  assert_null(entropic_generator_get(entropic_generator_count()));
  assert_null(entropic_generator_find("friedman4"));
  assert_null(entropic_generator_find(NULL));
  for (size_t i = 0; i < COUNT(expected); i++)
    assert_non_null(entropic_generator_find(expected[i].name));
  for (size_t i = 0; i < entropic_generator_count(); i++) {
    const entropic_generator *generator = entropic_generator_get(i);
    assert_ptr_equal(entropic_generator_find(generator->name), generator);
    assert_int_equal(generator->inputs, expected_of(generator)->inputs);
    assert_true(strlen(generator->description) > 10);
    assert_null(strchr(generator->description, '\n'));
  }
}

static void values_agree_with_a_second_form(void **state) {
  (void)state;
  for (size_t i = 0; i < entropic_generator_count(); i++) {
    const entropic_generator *generator = entropic_generator_get(i);
    const expected_generator *known = expected_of(generator);
    size_t width = known->inputs + 1;
    assert_int_equal(entropic_generate(NULL, generator, 0, ROWS, 0, 77, values), ENTROPIC_OK);
    for (size_t row = 0; row < ROWS; row++) {
      const double *x = values + row * width;
      double y = (double)known->function(x);
      assert_close(x[width - 1], y, 1e-12 * (1 + fabs(y)));
    }
  }
}

/* Every input fills its range, evenly: mean and variance. */
static void inputs_fill_their_ranges(void **state) {
  (void)state;
  for (size_t i = 0; i < entropic_generator_count(); i++) {
    const entropic_generator *generator = entropic_generator_get(i);
    const expected_generator *known = expected_of(generator);
    size_t width = known->inputs + 1;
    assert_int_equal(entropic_generate(NULL, generator, 0, ROWS, 0, 5, values), ENTROPIC_OK);
    for (size_t input = 0; input + 1 < width; input++) {
      const double *range = known->ranges[input];
      double sum = 0, squares = 0;
      for (size_t row = 0; row < ROWS; row++) {
        double x = values[row * width + input], u = (x - range[0]) / (range[1] - range[0]);
        assert_true(x >= range[0] && x <= range[1]);
        sum += u / ROWS;
        squares += u * u / ROWS;
      }
      assert_close(sum, 0.5, 4.5 * sqrt(1.0 / 12 / ROWS));
      assert_close(squares, 1.0 / 3, 4.5 * sqrt(4.0 / 45 / ROWS));
    }
  }
}

/* Moments that are known in closed form. */
static void ishigami_has_its_mean_and_variance(void **state) {
  (void)state;
  double pi = acos(-1), sum = 0, squares = 0;
  assert_int_equal(entropic_generate(NULL, entropic_generator_find("ishigami"), 0, ROWS, 0, 1, values), ENTROPIC_OK);
  for (size_t row = 0; row < ROWS; row++) {
    double y = values[4 * row + 3];
    sum += y / ROWS;
    squares += y * y / ROWS;
  }
  double variance = 0.5 + 0.1 * pow(pi, 4) / 5 + 0.01 * pow(pi, 8) / 18 + 49.0 / 8;
  assert_close(sum, 3.5, 4 * sqrt(variance / ROWS));
  assert_close(squares - sum * sum, variance, 0.05 * variance);
}

static void rows_do_not_depend_on_their_number_or_on_threads(void **state) {
  (void)state;
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  for (size_t i = 0; i < entropic_generator_count(); i++) {
    const entropic_generator *generator = entropic_generator_get(i);
    size_t width = generator->inputs + 1;
    assert_int_equal(entropic_context_set_threads(context, 1), ENTROPIC_OK);
    assert_int_equal(entropic_generate(context, generator, 0, ROWS, 0.5, 9, values), ENTROPIC_OK);
    assert_int_equal(entropic_context_set_threads(context, 5), ENTROPIC_OK);
    assert_int_equal(entropic_generate(context, generator, 0, ROWS, 0.5, 9, others), ENTROPIC_OK);
    assert_memory_equal(values, others, ROWS * width * sizeof(double));
    assert_int_equal(entropic_generate(context, generator, 0, 4097, 0.5, 9, others), ENTROPIC_OK);
    assert_memory_equal(values, others, 4097 * width * sizeof(double));
    assert_int_equal(entropic_generate(context, generator, 100, 10, 0.5, 9, others), ENTROPIC_OK); /* a piece */
    assert_memory_equal(others, values + 100 * (generator->inputs + 1), 10 * (generator->inputs + 1) * sizeof *values);
    assert_int_equal(entropic_generate(context, generator, 0, 10, 0.5, 10, others), ENTROPIC_OK);
    for (size_t j = 0; j < 10 * width; j++)
      assert_true(values[j] != others[j]);
  }
  entropic_context_free(context);
}

static void noise_is_added_and_nothing_else_changes(void **state) {
  (void)state;
  const entropic_generator *generator = entropic_generator_find("friedman1");
  assert_int_equal(entropic_generate(NULL, generator, 0, ROWS, 0, 3, values), ENTROPIC_OK);
  assert_int_equal(entropic_generate(NULL, generator, 0, ROWS, 2.5, 3, others), ENTROPIC_OK);
  double sum = 0, squares = 0;
  for (size_t row = 0; row < ROWS; row++) {
    assert_memory_equal(values + 11 * row, others + 11 * row, 10 * sizeof(double));
    double noise = others[11 * row + 10] - values[11 * row + 10];
    sum += noise / ROWS;
    squares += noise * noise / ROWS;
  }
  assert_close(sum, 0, 4 * 2.5 / sqrt(ROWS));
  assert_close(sqrt(squares), 2.5, 4 * 2.5 / sqrt(2.0 * ROWS));
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  const entropic_generator *generator = entropic_generator_get(0);
  entropic_generator copy = *generator, strange = {"none", 1, ""};
  assert_int_equal(entropic_generate(context, NULL, 0, 1, 0, 0, values), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "generator");
  assert_int_equal(entropic_generate(context, &strange, 0, 1, 0, 0, values), ENTROPIC_BAD_ARGUMENT);
  static const double noises[] = {-1, NAN, INFINITY};
  for (size_t i = 0; i < COUNT(noises); i++) {
    values[0] = 123;
    assert_int_equal(entropic_generate(context, generator, 0, 1, noises[i], 0, values), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "noise");
    assert_true(values[0] == 123);
  }
  assert_int_equal(entropic_generate(context, generator, 0, 1, 0, 0, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_generate(context, generator, 0, 0, 0, 0, NULL), ENTROPIC_OK);
  assert_int_equal(entropic_generate(context, &copy, 0, 1, 0, 0, values), ENTROPIC_OK);
  assert_true(values[0] != 123);
  entropic_context_free(context);
}

SUITE(data_generate) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(generators_are_listed),
      cmocka_unit_test(values_agree_with_a_second_form),
      cmocka_unit_test(inputs_fill_their_ranges),
      cmocka_unit_test(ishigami_has_its_mean_and_variance),
      cmocka_unit_test(rows_do_not_depend_on_their_number_or_on_threads),
      cmocka_unit_test(noise_is_added_and_nothing_else_changes),
      cmocka_unit_test(bad_arguments_are_refused),
  };
  return cmocka_run_group_tests_name("data_generate", tests, NULL, NULL);
}

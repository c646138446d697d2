/* Random kitchen sinks and orthogonal random features: cosines, kernels on average, bits. */
#include "unit/randoms.h"

#include <float.h>

#include "base/threads.h"

static const ent_wide_code *codes[3];
static size_t code_count;

static int find_codes(void **state) {
  (void)state;
  code_count = wide_codes(codes);
  return 0;
}

/* One input of 1 and frequencies that are the angles in turns. */
static void cosines_are_exact(void **state) {
  (void)state;
  const long double two_pi = 6.283185307179586476925286766559L;
  entropic_random random = entropic_random_start(3, 0);
  double strip[ENT_STRIP], phases[ENT_PANEL] = {0}, scales[ENT_PANEL], g[ENT_PANEL], out[ENT_PANEL * ENT_STRIP];
  const double special[] = {0, 0.25, -0.25, 0.5, -0.5, 0.75, 1, 1e5, 0x1p51 + 0.5, 0x1p52 + 1, 0x1p60, 1e300, 0x1p-60};
  double most = 0;
  for (size_t f = 0; f < ENT_PANEL; f++)
    scales[f] = 1;
  for (size_t r = 0; r < ENT_STRIP; r++)
    strip[r] = 1;
  for (size_t trial = 0; trial < 20000; trial++) {
    for (size_t f = 0; f < ENT_PANEL; f++) {
      double size = pow(10, 12 * entropic_random_uniform(&random) - 4);
      g[f] = trial * ENT_PANEL + f < COUNT(special) ? special[trial * ENT_PANEL + f]
                                                    : size * (entropic_random_uniform(&random) - 0.5);
    }
    for (size_t c = trial % 100 == 0 ? 0 : code_count - 1; c < code_count; c++) {
      codes[c]->waves(strip, 1, &(ent_wave_panel){g, phases, scales}, out, ENT_STRIP);
      for (size_t f = 0; f < ENT_PANEL; f++) {
        double rest = g[f] - rint(g[f]); /* exact */
        double error =
            fabs((double)((long double)out[f * ENT_STRIP + trial % ENT_STRIP] - cosl(two_pi * (long double)rest)));
        most = larger(most, error);
      }
    }
  }
  assert_true(most <= 6e-16);
}

static void all_codes_have_the_same_bits(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(4, 0);
  for (size_t inputs = 1; inputs <= 40; inputs += 13) {
    double strip[40 * ENT_STRIP], g[40 * ENT_PANEL], phases[ENT_PANEL], scales[ENT_PANEL], point[40];
    for (size_t i = 0; i < inputs * ENT_STRIP; i++)
      strip[i] = entropic_random_uniform(&random);
    for (size_t i = 0; i < inputs * ENT_PANEL; i++)
      g[i] = entropic_random_cauchy(&random);
    for (size_t i = 0; i < ENT_PANEL; i++) {
      phases[i] = entropic_random_uniform(&random);
      scales[i] = entropic_random_uniform(&random);
    }
    for (size_t i = 0; i < inputs; i++)
      point[i] = entropic_random_uniform(&random);
    double results[3][5][ENT_PANEL * ENT_STRIP];
    memset(results, 0, sizeof results);
    for (size_t c = 0; c < code_count; c++) {
      codes[c]->waves(strip, inputs, &(ent_wave_panel){g, phases, scales}, results[c][0], ENT_STRIP);
      memcpy(results[c][1], results[c][0], sizeof results[c][1]);
      codes[c]->products(strip, inputs, g, results[c][1]);
      codes[c]->distances(strip, inputs, point, results[c][2]);
      codes[c]->squares(strip, inputs, point, results[c][3]);
      codes[c]->sobolev(strip, inputs, point, 0.7, results[c][4]);
      assert_memory_equal(results[c], results[0], sizeof results[0]);
    }
    /* And they are what they should be. */
    for (size_t r = 0; r < ENT_STRIP; r++) {
      double total = results[0][0][2 * ENT_STRIP + r], apart = 0, square = 0, least = 1;
      for (size_t i = 0; i < inputs; i++) {
        double x = strip[i * ENT_STRIP + r];
        total += g[i * ENT_PANEL + 2] * x;
        apart += fabs(x - point[i]);
        square += (x - point[i]) * (x - point[i]);
        least *= 1 + 0.7 * fmin(x, point[i]);
      }
      assert_close(results[0][1][2 * ENT_STRIP + r], total, 1e-9);
      assert_close(results[0][2][r], apart, 1e-13);
      assert_close(results[0][3][r], square, 1e-13);
      assert_close(results[0][4][r], least, 1e-13 * least);
    }
  }
}

/* Rows are transposed by every code alike, and none overlooks a value that is not from 0 to 1, wherever it stands. */
static void strips_are_turned_and_looked_at(void **state) {
  (void)state;
  enum { INPUTS = 7, STRIDE = 9 }; /* some inputs are transposed together, some alone */
  const double bad[] = {NAN, -NAN, INFINITY, -INFINITY, nextafter(1, 2), 1e300, -1, -DBL_MIN, -5e-324, -1e300};
  double x[ENT_STRIP * STRIDE], strip[INPUTS * ENT_STRIP];
  entropic_random random = entropic_random_start(5, 0);
  for (size_t i = 0; i < ENT_STRIP * STRIDE; i++)
    x[i] = i % STRIDE < INPUTS ? entropic_random_uniform(&random) : NAN; /* which no one looks at */
  x[0] = x[3 * STRIDE + 5] = 0;
  x[1] = x[9 * STRIDE + 6] = 1;
  x[2] = 5e-324;
  for (size_t c = 0; c < code_count; c++) {
    assert_true(codes[c]->load(x, INPUTS, STRIDE, strip));
    for (size_t r = 0; r < ENT_STRIP; r++)
      for (size_t i = 0; i < INPUTS; i++)
        assert_true(strip[i * ENT_STRIP + r] == x[r * STRIDE + i]);
    for (size_t k = 0; k < ENT_STRIP * INPUTS; k++)
      for (size_t b = 0; b < COUNT(bad); b++) {
        double *place = &x[k / INPUTS * STRIDE + k % INPUTS], good = *place;
        *place = bad[b];
        assert_false(codes[c]->load(x, INPUTS, STRIDE, strip));
        *place = good;
      }
  }
}

#define SEEDS 200
#define POINTS 5

/* The estimates of the kernel between points 2k and 2k + 1 for many seeds: mean, and variance of one. */
static void estimate(ent_random_options options, const double *x, size_t inputs, double *means, double *variances) {
  double sums[POINTS] = {0}, squares[POINTS] = {0};
  for (size_t seed = 0; seed < SEEDS; seed++) {
    options.seed = 1000 + seed;
    ent_random_map *map = make_random(&options, inputs, NULL, 1);
    double *z = lift_densely(map, x, 2 * POINTS);
    for (size_t p = 0; p < POINTS; p++) {
      double value = inner_product(z, 2 * POINTS, options.features, 2 * p, 2 * p + 1);
      sums[p] += value;
      squares[p] += value * value;
    }
    free(z);
    ent_random_free(map);
  }
  for (size_t p = 0; p < POINTS; p++) {
    means[p] = sums[p] / SEEDS;
    variances[p] = (squares[p] - sums[p] * means[p]) / (SEEDS - 1);
  }
}

/* Pairs at several distances. */
static double *pairs(size_t inputs) {
  double *x = uniform_rows(2 * POINTS, inputs, 9);
  for (size_t p = 0; p < POINTS; p++)
    for (size_t i = 0; i < inputs; i++)
      x[(2 * p + 1) * inputs + i] =
          x[2 * p * inputs + i] + (x[(2 * p + 1) * inputs + i] - x[2 * p * inputs + i]) * (double)p / 4;
  return x;
}

static void kernels_are_right_on_average(void **state) {
  (void)state;
  const size_t inputs = 6;
  double *x = pairs(inputs), means[POINTS], variances[POINTS];
  const struct {
    ent_random_method method;
    ent_random_kernel kernel;
    double sigma;
  } cases[] = {{ENT_RANDOM_RKS, ENT_RANDOM_LAPLACE, 0.5},
               {ENT_RANDOM_RKS, ENT_RANDOM_GAUSS, 1.5},
               {ENT_RANDOM_ORF, ENT_RANDOM_GAUSS, 1.5},
               {ENT_RANDOM_QMC, ENT_RANDOM_GAUSS, 1.5},
               {ENT_RANDOM_QMC, ENT_RANDOM_LAPLACE, 0.5}};
  const size_t sizes[] = {40, 1000}; /* not multiples of the inputs: ORF's last block is cut; many see small errors */
  for (size_t c = 0; c < 2 * COUNT(cases); c++) {
    ent_random_options options = ent_random_options_default();
    options.method = cases[c / 2].method;
    options.kernel = cases[c / 2].kernel;
    options.sigma = cases[c / 2].sigma;
    options.features = sizes[c % 2];
    estimate(options, x, inputs, means, variances);
    for (size_t p = 0; p < POINTS; p++) {
      double expected =
          (double)plain_kernel(options.kernel, options.sigma, x + 2 * p * inputs, x + (2 * p + 1) * inputs, inputs);
      assert_true(variances[p] > 0);
      assert_close(means[p], expected, 4 * sqrt(variances[p] / SEEDS));
    }
  }
  free(x);
}

static void orthogonal_features_vary_less(void **state) {
  (void)state;
  const size_t inputs = 8;
  double *x = pairs(inputs), means[POINTS], plain[POINTS], orthogonal[POINTS], sums[2] = {0};
  ent_random_options options = ent_random_options_default();
  options.sigma = 1.5;
  options.features = 64;
  estimate(options, x, inputs, means, plain);
  options.method = ENT_RANDOM_ORF;
  estimate(options, x, inputs, means, orthogonal);
  for (size_t p = 1; p < POINTS; p++) {
    sums[0] += plain[p];
    sums[1] += orthogonal[p];
  }
  assert_true(sums[1] < 0.95 * sums[0]);
  free(x);
}

/* In few dimensions; less so where the frequencies have heavy tails, which a wave's many turns make random again. */
static void even_points_vary_less(void **state) {
  (void)state;
  const size_t inputs = 2;
  double *x = pairs(inputs), means[POINTS], plain[POINTS], even[POINTS];
  for (int kernel = ENT_RANDOM_LAPLACE; kernel <= ENT_RANDOM_GAUSS; kernel++) {
    ent_random_options options = ent_random_options_default();
    options.kernel = (ent_random_kernel)kernel;
    options.features = 200;
    estimate(options, x, inputs, means, plain);
    options.method = ENT_RANDOM_QMC;
    estimate(options, x, inputs, means, even);
    for (size_t p = 0; p < POINTS; p++)
      assert_true(even[p] < (kernel == ENT_RANDOM_LAPLACE ? 0.8 : 0.5) * plain[p]);
  }
  free(x);
}

static void quantiles_are_where_they_should_be(void **state) {
  (void)state;
  assert_true(fabs(ent_normal_quantile(0.5)) <= 1e-16);
  for (double p = 0x1p-53; p < 0.5; p *= 1.07) { // NOLINT(cert-flp30-c)
    double x = ent_normal_quantile(p),
           apart = (double)(0.5L * erfcl(-(long double)x * sqrtl(0.5L)) / (long double)p) - 1;
    assert_true(fabs(apart) <= 1e-14 * (1 + x * x)); /* an error of one rounding in x is one of x^2 in p */
    assert_close(ent_normal_quantile(1 - p), -ent_normal_quantile(1 - (1 - p)), 1e-14);
  }
}

static void frequencies_of_a_block_are_orthogonal(void **state) {
  (void)state;
  for (size_t inputs = 1; inputs <= 50; inputs += 7) {
    ent_random_options options = ent_random_options_default();
    options.method = ENT_RANDOM_ORF;
    options.features = 3 * inputs - inputs / 2;
    ent_random_map *map = make_random(&options, inputs, NULL, 2);
    double squares = 0;
    for (size_t a = 0; a < options.features; a++) {
      double own = 0;
      for (size_t i = 0; i < inputs; i++)
        own += *ent_frequency(map, a, i) * *ent_frequency(map, a, i);
      squares += own;
      for (size_t b = a / inputs * inputs; b < a; b++) {
        double sum = 0;
        for (size_t i = 0; i < inputs; i++)
          sum += *ent_frequency(map, a, i) * *ent_frequency(map, b, i);
        assert_close(sum, 0, 1e-14 * (double)inputs);
      }
    }
    double mean = squares / (double)options.features * 4 * M_PI * M_PI; /* of chi^2: D +- sqrt(2 D / features) */
    assert_close(mean, inputs, 4 * sqrt(2.0 * (double)inputs / (double)options.features));
    ent_random_free(map);
  }
}

/* Haar: the first entry of Q has both signs, and its square the mean 1/D. */
static void orthogonal_blocks_are_uniform(void **state) {
  (void)state;
  const size_t inputs = 4, seeds = 400;
  double squares = 0, positive = 0;
  for (size_t seed = 0; seed < seeds; seed++) {
    ent_random_options options = ent_random_options_default();
    options.method = ENT_RANDOM_ORF;
    options.features = inputs;
    options.seed = seed;
    ent_random_map *map = make_random(&options, inputs, NULL, 1);
    double first = *ent_frequency(map, inputs - 1, inputs - 1), own = 0;
    for (size_t i = 0; i < inputs; i++)
      own += *ent_frequency(map, inputs - 1, i) * *ent_frequency(map, inputs - 1, i);
    squares += first * first / own;
    positive += first > 0;
    ent_random_free(map);
  }
  assert_close(positive / (double)seeds, 0.5, 4 * 0.5 / sqrt((double)seeds));
  assert_close(squares / (double)seeds, 0.25, 4 * 0.25 / sqrt((double)seeds));
}

/* Dense or sparse, whole or in parts, on any code: the same bits. */
static void rows_may_be_cut_anywhere(void **state) {
  (void)state;
  const size_t rows = 101, inputs = 5, features = 131; /* SORF: two blocks and a cut one */
  const ent_random_method methods[] = {ENT_RANDOM_RKS, ENT_RANDOM_ORF, ENT_RANDOM_SORF};
  double *x = uniform_rows(rows, inputs, 2), *part = new_numbers(rows * features),
         *values = new_numbers(rows * features);
  size_t starts[102];
  int32_t *columns = calloc(rows * features, sizeof *columns);
  for (size_t m = 0; m < COUNT(methods); m++) {
    ent_random_options options = ent_random_options_default();
    options.method = methods[m];
    options.features = features;
    ent_random_map *map = make_random(&options, inputs, NULL, 1), *again = make_random(&options, inputs, NULL, 3);
    ent_map face = ent_map_of_random(again);
    assert_int_equal(face.features, features);
    assert_int_equal(face.nonzeros, features);
    assert_int_equal(face.inputs, inputs);
    double *z = lift_densely(map, x, rows);
    void *scratch = NULL;
    assert_int_equal(face.calls->scratch_create(NULL, face.self, &scratch), ENTROPIC_OK);
    for (size_t c = 0; c < code_count; c++) {
      again->code = codes[c];
      for (size_t first = 0, size = 1; first < rows; first += size, size = 2 * size + 1) {
        size = size < rows - first ? size : rows - first;
        assert_int_equal(
            face.calls->dense(NULL, face.self, scratch, x + first * inputs, size, inputs, part + first, rows),
            ENTROPIC_OK);
      }
      assert_memory_equal(part, z, rows * features * sizeof *z);
      memset(part, 0, rows * features * sizeof *part);
    }
    assert_int_equal(face.calls->sparse(NULL, face.self, scratch, x, rows, inputs, starts, columns, values),
                     ENTROPIC_OK);
    for (size_t r = 0; r <= rows; r++)
      assert_int_equal(starts[r], r * features);
    for (size_t r = 0; r < rows; r++)
      for (size_t j = 0; j < features; j++) {
        assert_int_equal(columns[r * features + j], j);
        assert_memory_equal(&values[r * features + j], &z[j * rows + r], sizeof *z);
      }
    face.calls->scratch_free(scratch);
    ent_random_free(map);
    ent_random_free(again);
    free(z);
  }
  free(x);
  free(part);
  free(values);
  free(columns);
}

/* Against sqrt(2/M) cos(2 pi (g.x + b)) in long double; what is outside counts as the nearer end. */
static void features_are_what_they_should_be(void **state) {
  (void)state;
  const size_t rows = 40, inputs = 3;
  double *x = uniform_rows(rows, inputs, 5);
  x[0] = -3;
  x[inputs] = 7;
  ent_random_options options = ent_random_options_default();
  options.kernel = ENT_RANDOM_LAPLACE;
  options.features = 50;
  ent_random_map *map = make_random(&options, inputs, NULL, 1);
  double *z = lift_densely(map, x, rows);
  for (size_t r = 0; r < rows; r++)
    for (size_t j = 0; j < options.features; j++) {
      long double turns = (long double)map->phases[j], size = 1;
      for (size_t i = 0; i < inputs; i++) {
        long double term = (long double)*ent_frequency(map, j, i) * (long double)fmin(1, fmax(0, x[r * inputs + i]));
        turns += term;
        size += fabsl(term);
      }
      turns -= rintl(turns);
      assert_close(z[j * rows + r], sqrtl(2.0L / 50) * cosl(2 * acosl(-1) * turns), 1e-15 + 2e-16 * (double)size);
    }
  char text[100];
  ent_map face = ent_map_of_random(map);
  face.calls->describe(face.self, text, sizeof text);
  assert_string_equal(text, "50 RKS features of 3 inputs, laplace kernel, sigma 1, seed 1");
  free(z);
  free(x);
  ent_random_free(map);
}

SUITE(baselines_waves) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cosines_are_exact),
      cmocka_unit_test(all_codes_have_the_same_bits),
      cmocka_unit_test(strips_are_turned_and_looked_at),
      cmocka_unit_test(kernels_are_right_on_average),
      cmocka_unit_test(orthogonal_features_vary_less),
      cmocka_unit_test(even_points_vary_less),
      cmocka_unit_test(quantiles_are_where_they_should_be),
      cmocka_unit_test(frequencies_of_a_block_are_orthogonal),
      cmocka_unit_test(orthogonal_blocks_are_uniform),
      cmocka_unit_test(rows_may_be_cut_anywhere),
      cmocka_unit_test(features_are_what_they_should_be),
  };
  return cmocka_run_group_tests_name("random_waves", tests, find_codes, NULL);
}

/* Structured orthogonal random features: the fast transforms against dense matrices, the kernel, the bits of the loops. */
#include "unit/randoms.h"
#include "baselines/map.h"

static const ent_wide_code *codes[3];
static size_t code_count;

static int find_codes(void **state) {
  (void)state;
  code_count = wide_codes(codes);
  return 0;
}

static ent_random_options options_of(size_t features) {
  ent_random_options options = ent_random_options_default();
  options.method = ENT_RANDOM_SORF;
  options.features = features;
  options.sigma = 1.5;
  return options;
}

/* An entry of the Walsh-Hadamard matrix, not normalised. */
static double hadamard_entry(size_t row, size_t column) {
  return __builtin_popcountll((unsigned long long)(row & column)) % 2 == 0 ? 1 : -1;
}

/* sqrt(d) H D1 H D2 H D3 of a block by its definition: w[row * order + column]. */
static double *dense_block(const ent_random_map *map, size_t block) {
  size_t n = map->order;
  const double *signs = map->signs + block * 3 * n;
  double *w = new_numbers(n * n), *next = new_numbers(n * n);
  for (size_t i = 0; i < n; i++)
    w[i * n + i] = sqrt((double)n);
  for (size_t d = 3; d-- > 0;) {
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
          sum += hadamard_entry(i, k) * signs[d * n + k] * w[k * n + j];
        next[i * n + j] = sum / sqrt((double)n);
      }
    memcpy(w, next, n * n * sizeof *w);
  }
  free(next);
  return w;
}

static void transforms_have_the_same_bits_and_are_right(void **state) {
  (void)state;
  enum { MOST = 256 };
  static double values[3][MOST * ENT_STRIP], start[MOST * ENT_STRIP], signs[MOST];
  entropic_random random = entropic_random_start(8, 0);
  for (size_t n = 4; n <= MOST; n *= 2) {
    for (size_t i = 0; i < n * ENT_STRIP; i++)
      start[i] = entropic_random_normal(&random);
    for (size_t i = 0; i < n; i++)
      signs[i] = entropic_random_below(&random, 2) == 0 ? 1 : -1;
    for (size_t c = 0; c < code_count; c++) {
      memcpy(values[c], start, n * ENT_STRIP * sizeof *start);
      codes[c]->hadamard(values[c], n, signs);
      assert_memory_equal(values[c], values[0], n * ENT_STRIP * sizeof *start);
    }
    for (size_t i = 0; i < n; i++)
      for (size_t r = 0; r < ENT_STRIP; r += 5) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
          sum += hadamard_entry(i, k) * signs[k] * start[k * ENT_STRIP + r];
        assert_close(values[0][i * ENT_STRIP + r], sum, 1e-12 * (double)n);
      }
  }
}

static void cosines_have_the_same_bits_and_are_right(void **state) {
  (void)state;
  enum { COUNT_OF = 11, STRIDE = 40 };
  double values[COUNT_OF * ENT_STRIP], phases[COUNT_OF], scales[COUNT_OF], g = 0.3, out[3][COUNT_OF * STRIDE];
  entropic_random random = entropic_random_start(9, 0);
  for (size_t i = 0; i < COUNT_OF * ENT_STRIP; i++)
    values[i] = 20 * entropic_random_normal(&random);
  for (size_t f = 0; f < COUNT_OF; f++) {
    phases[f] = entropic_random_uniform(&random);
    scales[f] = 1 + entropic_random_uniform(&random);
  }
  memset(out, 0, sizeof out);
  for (size_t c = 0; c < code_count; c++) {
    codes[c]->cosines(values, COUNT_OF, &(ent_wave_panel){&g, phases, scales}, out[c], STRIDE);
    assert_memory_equal(out[c], out[0], sizeof out[0]);
  }
  for (size_t f = 0; f < COUNT_OF; f++)
    for (size_t r = 0; r < STRIDE; r++)
      assert_close(out[0][f * STRIDE + r],
                   r < ENT_STRIP ? scales[f] * cos(2 * M_PI * (phases[f] + g * values[f * ENT_STRIP + r])) : 0, 1e-13);
}

/* sqrt(2/M) cos(sigma w.x + 2 pi b), the frequencies from matrices that are multiplied out. The last block is cut. */
static void features_are_those_of_the_dense_product(void **state) {
  (void)state;
  const size_t sizes[] = {1, 3, 64, 65, 81, 500}, rows = 37;
  for (size_t s = 0; s < COUNT(sizes); s++) {
    size_t inputs = sizes[s], order = inputs <= 64 ? 64 : inputs <= 128 ? 128 : 512, features = order + 5;
    double *x = uniform_rows(rows, inputs, 12 + s);
    x[0] = -2; /* counts as 0 */
    ent_random_options options = options_of(features);
    ent_random_map *map = make_random(&options, inputs, NULL, 1);
    assert_int_equal(map->order, order);
    double *z = lift_densely(map, x, rows);
    x[0] = 0;
    for (size_t block = 0; block < 2; block++) {
      double *w = dense_block(map, block);
      for (size_t j = block * order; j < features && j < (block + 1) * order; j++)
        for (size_t r = 0; r < rows; r++) {
          double sum = 2 * M_PI * map->phases[j];
          for (size_t i = 0; i < inputs; i++)
            sum += options.sigma * w[j % order * order + i] * x[r * inputs + i];
          assert_close(z[j * rows + r], sqrt(2 / (double)features) * cos(sum), 1e-12);
        }
      free(w);
    }
    free(z);
    free(x);
    ent_random_free(map);
  }
}

static void rows_of_a_block_are_orthogonal(void **state) {
  (void)state;
  ent_random_options options = options_of(200);
  ent_random_map *map = make_random(&options, 100, NULL, 1);
  size_t n = map->order, positive = 0;
  for (size_t block = 0; block < 2; block++) {
    double *w = dense_block(map, block);
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b <= a; b++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
          sum += w[a * n + i] * w[b * n + i];
        assert_close(sum, a == b ? (double)n : 0, 1e-10);
      }
    free(w);
  }
  for (size_t i = 0; i < 6 * n; i++) {
    assert_true(fabs(map->signs[i]) == 1);
    positive += map->signs[i] > 0;
  }
  assert_close((double)positive, 3.0 * (double)n, 4 * sqrt(1.5 * (double)n));
  ent_random_free(map);
}

/* The mean squared error of the kernel over pairs of rows and over seeds. */
static double kernel_error(ent_random_method method, size_t inputs, size_t features) {
  const size_t rows = 16, seeds = 30, pairs = rows * (rows - 1) / 2;
  double *x = uniform_rows(rows, inputs, 6), sum = 0;
  ent_random_options options = options_of(features);
  options.method = method;
  options.sigma = 3 / sqrt((double)inputs);
  for (size_t seed = 0; seed < seeds; seed++) {
    options.seed = 50 + seed;
    ent_random_map *map = make_random(&options, inputs, NULL, 1);
    double *z = lift_densely(map, x, rows);
    for (size_t a = 0; a < rows; a++)
      for (size_t b = 0; b < a; b++) {
        double kernel = (double)plain_kernel(ENT_RANDOM_GAUSS, options.sigma, x + a * inputs, x + b * inputs, inputs);
        double error = inner_product(z, rows, features, a, b) - kernel;
        sum += error * error;
      }
    free(z);
    ent_random_free(map);
  }
  free(x);
  return sum / (double)(seeds * pairs);
}

/* As ORF: in proportion to 1/M, and of about its size. */
static void errors_fall_as_those_of_orthogonal_features(void **state) {
  (void)state;
  const size_t sizes[] = {1, 8, 81};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    double few = kernel_error(ENT_RANDOM_SORF, sizes[s], 128), many = kernel_error(ENT_RANDOM_SORF, sizes[s], 1024);
    double rival = kernel_error(ENT_RANDOM_ORF, sizes[s], 1024);
    assert_true(many < few / 5 && many > few / 13);
    assert_true(many < 1.3 * rival && many > 0.5 * rival);
  }
}

static void they_say_what_they_are(void **state) {
  (void)state;
  ent_random_options options = options_of(131);
  ent_random_map *map = make_random(&options, 5, NULL, 3);
  ent_map face = ent_map_of_random(map);
  char text[200];
  assert_int_equal(face.features, 131);
  assert_int_equal(face.nonzeros, 131);
  assert_null(map->chosen);
  face.calls->describe(face.self, text, sizeof text);
  assert_string_equal(text, "131 SORF features of 5 inputs, gauss kernel, sigma 1.5, seed 1");
  ent_random_free(map);
}

SUITE(baselines_sorf) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transforms_have_the_same_bits_and_are_right),
      cmocka_unit_test(cosines_have_the_same_bits_and_are_right),
      cmocka_unit_test(features_are_those_of_the_dense_product),
      cmocka_unit_test(rows_of_a_block_are_orthogonal),
      cmocka_unit_test(errors_fall_as_those_of_orthogonal_features),
      cmocka_unit_test(they_say_what_they_are),
  };
  return cmocka_run_group_tests_name("random_sorf", tests, find_codes, NULL);
}

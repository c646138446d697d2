/* Nystroem features: the kernel from landmarks; which rows these are. */
#include "unit/randoms.h"
#include "baselines/map.h"

#define ROWS 150
#define INPUTS 3

static double *x;

static int make_data(void **state) {
  (void)state;
  x = uniform_rows(ROWS, INPUTS, 41);
  return 0;
}

static int free_data(void **state) {
  (void)state;
  free(x);
  return 0;
}

static ent_random_data all_data(void) {
  return (ent_random_data){.x = x, .rows = ROWS, .stride = INPUTS};
}

static ent_random_options options_of(ent_random_kernel kernel, size_t features, ent_random_landmarks landmarks) {
  ent_random_options options = ent_random_options_default();
  options.method = ENT_RANDOM_NYSTROEM;
  options.kernel = kernel;
  options.sigma = kernel == ENT_RANDOM_GAUSS ? 3 : 1.3;
  options.features = features;
  options.landmarks = landmarks;
  return options;
}

/* The next kernel of the library; -1 stands before the first, and behind the last there is none. */
static bool next_kernel(ent_random_kernel *kernel) {
  *kernel = (ent_random_kernel)((int)*kernel + 1);
  return ent_random_kernel_name(*kernel) != NULL;
}

static const ent_random_kernel before_all = (ent_random_kernel)-1;

static void all_rows_as_landmarks_give_the_kernel(void **state) {
  (void)state;
  ent_random_data data = all_data();
  for (ent_random_kernel kernel = before_all; next_kernel(&kernel);)
    for (int landmarks = ENT_LANDMARKS_UNIFORM; landmarks <= ENT_LANDMARKS_RPC; landmarks++) {
      ent_random_options options = options_of(kernel, ROWS, (ent_random_landmarks)landmarks);
      ent_random_map *map = make_random(&options, INPUTS, &data, 2);
      double *z = lift_densely(map, x, ROWS);
      for (size_t a = 0; a < ROWS; a++)
        for (size_t b = 0; b <= a; b++)
          assert_close(inner_product(z, ROWS, ROWS, a, b),
                       plain_kernel(options.kernel, options.sigma, x + a * INPUTS, x + b * INPUTS, INPUTS), 1e-8);
      assert_true(map->jitter > 0 && map->jitter < 1e-9);
      free(z);
      ent_random_free(map);
    }
}

/* z(x).z(y) = k(x)' (K + jitter I)^-1 k(y), the equations solved by elimination without pivots. */
static void few_landmarks_project(void **state) {
  (void)state;
  const size_t n = 20;
  ent_random_data data = all_data();
  for (ent_random_kernel kernel = before_all; next_kernel(&kernel);) {
    ent_random_options options = options_of(kernel, n, ENT_LANDMARKS_SPREAD);
    ent_random_map *map = make_random(&options, INPUTS, &data, 1);
    const size_t *chosen = map->chosen;
    double *z = lift_densely(map, x, ROWS);
    for (size_t pair = 0; pair < 30; pair++) {
      const double *a = x + pair * INPUTS, *b = x + (149 - pair) * INPUTS;
      long double matrix[20][21], left[20], sum = 0;
      for (size_t i = 0; i < n; i++) {
        const double *own = x + chosen[i] * INPUTS;
        for (size_t j = 0; j < n; j++)
          matrix[i][j] = plain_kernel(options.kernel, options.sigma, own, x + chosen[j] * INPUTS, INPUTS) +
                         (i == j ? (long double)map->jitter : 0);
        matrix[i][n] = plain_kernel(options.kernel, options.sigma, own, b, INPUTS);
        left[i] = plain_kernel(options.kernel, options.sigma, own, a, INPUTS);
      }
      for (size_t i = 0; i < n; i++)
        for (size_t r = i + 1; r < n; r++) {
          long double factor = matrix[r][i] / matrix[i][i];
          for (size_t j = i; j <= n; j++)
            matrix[r][j] -= factor * matrix[i][j];
        }
      for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
          matrix[i][n] -= matrix[i][j] * matrix[j][n];
        matrix[i][n] /= matrix[i][i];
        sum += left[i] * matrix[i][n];
      }
      assert_close(inner_product(z, ROWS, n, pair, 149 - pair), sum, 1e-9);
    }
    free(z);
    ent_random_free(map);
  }
}

static void landmarks_are_distinct_rows_of_some_weight(void **state) {
  (void)state;
  double weights[ROWS];
  for (size_t r = 0; r < ROWS; r++)
    weights[r] = r % 3 == 0;
  ent_random_data data = all_data();
  data.weights = weights;
  for (int landmarks = ENT_LANDMARKS_UNIFORM; landmarks <= ENT_LANDMARKS_RPC; landmarks++) {
    ent_random_options options = options_of(ENT_RANDOM_LAPLACE, 50, (ent_random_landmarks)landmarks);
    ent_random_map *map = make_random(&options, INPUTS, &data, 1);
    bool taken[ROWS] = {false};
    for (size_t i = 0; i < 50; i++) {
      size_t row = map->chosen[i];
      assert_true(row < ROWS && row % 3 == 0 && !taken[row]);
      taken[row] = true;
    }
    ent_random_free(map);
    options.features = 51;
    entropic_context *context = context_with(1);
    ent_random_map *none = NULL;
    assert_int_equal(ent_random_create(context, &options, INPUTS, &data, &none), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "features: 51 landmarks; there are 50 rows");
    assert_null(none);
    entropic_context_free(context);
  }
}

/* Two heaps far apart and two landmarks: spread ones are nearly always one in each. With 2100 rows there are several
 * blocks. */
static void spread_landmarks_are_far_apart(void **state) {
  (void)state;
  const size_t rows = 2100;
  double *heaps = uniform_rows(rows, 2, 5);
  size_t apart[2] = {0};
  for (size_t i = 0; i < 2 * rows; i++)
    heaps[i] = heaps[i] / 100 + (i / 2 % 2 == 0 ? 0 : 0.9);
  ent_random_data data = {.x = heaps, .rows = rows, .stride = 2};
  for (int landmarks = 0; landmarks < 2; landmarks++)
    for (uint64_t seed = 0; seed < 60; seed++) {
      ent_random_options options = options_of(ENT_RANDOM_GAUSS, 2, (ent_random_landmarks)landmarks);
      options.seed = seed;
      ent_random_map *map = make_random(&options, 2, &data, 1 + (int)(seed % 3));
      apart[landmarks] += map->chosen[0] % 2 != map->chosen[1] % 2;
      ent_random_free(map);
    }
  assert_true(apart[ENT_LANDMARKS_SPREAD] == 60);
  assert_true(apart[ENT_LANDMARKS_UNIFORM] > 10 && apart[ENT_LANDMARKS_UNIFORM] < 50);
  free(heaps);
}

/* Probabilities in proportion to squared distances: from a row at 0, one at 0.3 and one at 0.4 are 9 to 16. */
static void spread_landmarks_have_the_right_probabilities(void **state) {
  (void)state;
  const double three[] = {0, 0.3, 0.4};
  ent_random_data data = {.x = three, .rows = 3, .stride = 1};
  double from_zero = 0, near = 0;
  for (uint64_t seed = 0; seed < 2000; seed++) {
    ent_random_options options = options_of(ENT_RANDOM_LAPLACE, 2, ENT_LANDMARKS_SPREAD);
    options.seed = seed;
    ent_random_map *map = make_random(&options, 1, &data, 1);
    const size_t *chosen = map->chosen;
    from_zero += chosen[0] == 0;
    near += chosen[0] == 0 && chosen[1] == 1;
    ent_random_free(map);
  }
  assert_close(from_zero / 2000, 1.0 / 3, 4 * sqrt(2.0 / 9 / 2000));
  assert_close(near / from_zero, 9.0 / 25, 4 * sqrt(9.0 * 16 / 625 / from_zero));
}

/* Rows that are all the same make a matrix of rank 1; the jitter grows until it will do. */
static void equal_rows_need_jitter(void **state) {
  (void)state;
  double same[40];
  for (size_t i = 0; i < 40; i++)
    same[i] = 0.25;
  ent_random_data data = {.x = same, .rows = 40, .stride = 1};
  for (int landmarks = 0; landmarks <= ENT_LANDMARKS_RPC; landmarks++) {
    ent_random_options options = options_of(ENT_RANDOM_SOBOLEV, 40, (ent_random_landmarks)landmarks);
    ent_random_map *map = make_random(&options, 1, &data, 1);
    double *z = lift_densely(map, same, 1);
    assert_close(inner_product(z, 1, 40, 0, 0), 1 + 1.3 * 0.25, 1e-8);
    free(z);
    ent_random_free(map);
  }
}

static void bits_do_not_depend_on_threads_or_cuts(void **state) {
  (void)state;
  ent_random_data data = all_data();
  for (int landmarks = 0; landmarks <= ENT_LANDMARKS_RPC; landmarks++) {
    ent_random_options options = options_of(ENT_RANDOM_LAPLACE, 70, (ent_random_landmarks)landmarks);
    ent_random_map *map = make_random(&options, INPUTS, &data, 1), *other = make_random(&options, INPUTS, &data, 3);
    double *z = lift_densely(map, x, ROWS), *again = new_numbers(ROWS * 70), values[7 * 70];
    ent_map face = ent_map_of_random(other);
    void *scratch = NULL;
    size_t starts[8];
    int32_t columns[7 * 70];
    assert_int_equal(face.calls->scratch_create(NULL, face.self, &scratch), ENTROPIC_OK);
    for (size_t first = 0; first < ROWS; first += 7) {
      size_t rows = ROWS - first < 7 ? ROWS - first : 7;
      assert_int_equal(
          face.calls->dense(NULL, face.self, scratch, x + first * INPUTS, rows, INPUTS, again + first, ROWS),
          ENTROPIC_OK);
      assert_int_equal(
          face.calls->sparse(NULL, face.self, scratch, x + first * INPUTS, rows, INPUTS, starts, columns, values),
          ENTROPIC_OK);
      for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < 70; j++)
          assert_memory_equal(&values[r * 70 + j], &z[j * ROWS + first + r], sizeof *z);
    }
    assert_memory_equal(again, z, ROWS * 70 * sizeof *z);
    face.calls->scratch_free(scratch);
    free(z);
    free(again);
    ent_random_free(map);
    ent_random_free(other);
  }
}

SUITE(baselines_nystroem) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_rows_as_landmarks_give_the_kernel),         cmocka_unit_test(few_landmarks_project),
      cmocka_unit_test(landmarks_are_distinct_rows_of_some_weight),    cmocka_unit_test(spread_landmarks_are_far_apart),
      cmocka_unit_test(spread_landmarks_have_the_right_probabilities), cmocka_unit_test(equal_rows_need_jitter),
      cmocka_unit_test(bits_do_not_depend_on_threads_or_cuts),
  };
  return cmocka_run_group_tests_name("random_nystroem", tests, make_data, free_data);
}

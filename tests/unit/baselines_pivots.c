/* Landmarks by randomly pivoted Cholesky: their distribution, what they leave of the kernel, and awkward rows. */
#include "unit/randoms.h"
#include "baselines/map.h"

static ent_random_options options_of(ent_random_kernel kernel, double sigma, size_t features) {
  ent_random_options options = ent_random_options_default();
  options.method = ENT_RANDOM_NYSTROEM;
  options.kernel = kernel;
  options.sigma = sigma;
  options.features = features;
  options.landmarks = ENT_LANDMARKS_RPC;
  return options;
}

/* The trace of the residual of the kernel after the landmarks, over the rows: k(x,x) - z(x).z(x). */
static double trace_left(const ent_random_options *options, const ent_random_data *data, size_t inputs) {
  ent_random_map *map = make_random(options, inputs, data, 2);
  double *z = lift_densely(map, data->x, data->rows), sum = 0;
  for (size_t r = 0; r < data->rows; r++) {
    const double *row = data->x + r * inputs;
    sum += (double)plain_kernel(options->kernel, options->sigma, row, row, inputs) -
           inner_product(z, data->rows, options->features, r, r);
  }
  free(z);
  ent_random_free(map);
  return sum;
}

#define POINTS 6
#define PIVOTS 3

/* The probability of every sequence of pivots, by the definition: residuals after each pivot. */
static void sequence_probabilities(double residual[POINTS][POINTS], size_t depth, size_t code, double probability,
                                   double *probabilities) {
  double trace = 0;
  if (depth == PIVOTS) {
    probabilities[code] = probability;
    return;
  }
  for (size_t i = 0; i < POINTS; i++)
    trace += residual[i][i];
  for (size_t p = 0; p < POINTS; p++) {
    double next[POINTS][POINTS];
    if (residual[p][p] < 1e-12)
      continue;
    for (size_t i = 0; i < POINTS; i++)
      for (size_t j = 0; j < POINTS; j++)
        next[i][j] = residual[i][j] - residual[i][p] * residual[p][j] / residual[p][p];
    sequence_probabilities(next, depth + 1, code * POINTS + p, probability * residual[p][p] / trace, probabilities);
  }
}

/* Chi-square over all sequences of three pivots among six points, some close together. */
static void sequences_have_the_right_probabilities(void **state) {
  (void)state;
  enum { SEQUENCES = POINTS * POINTS * POINTS };
  const size_t seeds = in_a_hurry() ? 2000 : 6000;
  const double x[POINTS] = {0, 0.05, 0.5, 0.52, 0.7, 1};
  const ent_random_data data = {.x = x, .rows = POINTS, .stride = 1};
  for (int kernel = ENT_RANDOM_LAPLACE; kernel <= ENT_RANDOM_SOBOLEV; kernel++) {
    double matrix[POINTS][POINTS], expected[SEQUENCES] = {0}, seen[SEQUENCES] = {0}, square = 0, rare[2] = {0};
    double cells = 0;
    ent_random_options options = options_of((ent_random_kernel)kernel, 2, PIVOTS);
    for (size_t i = 0; i < POINTS; i++)
      for (size_t j = 0; j < POINTS; j++)
        matrix[i][j] = (double)plain_kernel(options.kernel, options.sigma, x + i, x + j, 1);
    sequence_probabilities(matrix, 0, 0, 1, expected);
    for (uint64_t seed = 0; seed < seeds; seed++) {
      options.seed = seed;
      ent_random_map *map = make_random(&options, 1, &data, 1);
      const size_t *chosen = map->chosen;
      seen[(chosen[0] * POINTS + chosen[1]) * POINTS + chosen[2]]++;
      ent_random_free(map);
    }
    for (size_t s = 0; s < SEQUENCES; s++) {
      double mean = (double)seeds * expected[s], apart = seen[s] - mean;
      if (mean < 10) { /* together */
        rare[0] += seen[s];
        rare[1] += mean;
        continue;
      }
      square += apart * apart / mean;
      cells++;
    }
    assert_true(cells > 20);
    assert_true(fabs(rare[0] - rare[1]) <= 4 * sqrt(rare[1]) + 1);
    assert_close(square, cells, 4 * sqrt(2 * cells)); /* neither too far off nor too good */
  }
}

/* Many rows in one cluster, few in the others: uniform landmarks miss these. */
static void little_is_left_of_clusters(void **state) {
  (void)state;
  const size_t rows = 1500, inputs = 4;
  double *x = uniform_rows(rows, inputs, 15);
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < inputs; i++)
      x[r * inputs + i] =
          0.02 * x[r * inputs + i] + (r % 50 != 0 ? 0 : (double)(r / 50 * 7 % 11 * (i + 1) % 10) / 10.5);
  const ent_random_data data = {.x = x, .rows = rows, .stride = inputs};
  for (int kernel = ENT_RANDOM_LAPLACE; kernel <= ENT_RANDOM_GAUSS; kernel++) {
    double left[3] = {0};
    for (uint64_t seed = 1; seed <= 5; seed++)
      for (int landmarks = ENT_LANDMARKS_UNIFORM; landmarks <= ENT_LANDMARKS_RPC; landmarks += ENT_LANDMARKS_RPC) {
        ent_random_options options = options_of((ent_random_kernel)kernel, kernel == ENT_RANDOM_GAUSS ? 8 : 1, 40);
        options.landmarks = (ent_random_landmarks)landmarks;
        options.seed = seed;
        left[landmarks] += trace_left(&options, &data, inputs);
      }
    assert_true(left[ENT_LANDMARKS_RPC] < left[ENT_LANDMARKS_UNIFORM] / (kernel == ENT_RANDOM_GAUSS ? 10 : 1.5));
  }
  free(x);
}

static void copies_are_not_taken_again(void **state) {
  (void)state;
  enum { DISTINCT = 90, COPIES = 5, ROWS = DISTINCT * COPIES };
  double *points = uniform_rows(DISTINCT, 2, 16), x[ROWS * 2];
  for (size_t r = 0; r < ROWS; r++)
    memcpy(x + 2 * r, points + r % DISTINCT * 2, 2 * sizeof *x);
  const ent_random_data data = {.x = x, .rows = ROWS, .stride = 2};
  for (int kernel = ENT_RANDOM_LAPLACE; kernel <= ENT_RANDOM_SOBOLEV; kernel += 2) {
    ent_random_options options = options_of((ent_random_kernel)kernel, 3, DISTINCT + 40);
    ent_random_map *map = make_random(&options, 2, &data, 2);
    bool point_taken[DISTINCT] = {false}, taken[ROWS] = {false};
    for (size_t m = 0; m < options.features; m++) {
      size_t row = map->chosen[m];
      assert_true(row < ROWS && !taken[row]);
      taken[row] = true;
      assert_true(m >= DISTINCT || !point_taken[row % DISTINCT]); /* beyond, nothing is left: any row */
      point_taken[row % DISTINCT] = true;
    }
    for (size_t p = 0; p < DISTINCT; p++)
      assert_true(point_taken[p]);
    ent_random_free(map);
  }
  free(points);
}

/* A row of weight 0 has no effect, whatever it holds; threads have none either. Several tiles and blocks. */
static void bits_depend_on_nothing_else(void **state) {
  (void)state;
  enum { ROWS = 1100, INPUTS = 3, LANDMARKS = 400 };
  double *x = uniform_rows(ROWS, INPUTS, 17), weights[ROWS];
  ent_random_data data = {.x = x, .rows = ROWS, .stride = INPUTS, .weights = weights};
  ent_random_options options = options_of(ENT_RANDOM_LAPLACE, 1, LANDMARKS);
  for (size_t r = 0; r < ROWS; r++)
    weights[r] = (double)(r % 4);
  size_t first[LANDMARKS];
  for (int threads = 1; threads <= 4; threads++) {
    ent_random_map *map = make_random(&options, INPUTS, &data, threads);
    const size_t *chosen = map->chosen;
    if (threads == 1)
      memcpy(first, chosen, sizeof first);
    assert_memory_equal(chosen, first, sizeof first);
    for (size_t m = 0; m < LANDMARKS; m++)
      assert_true(chosen[m] % 4 != 0);
    for (size_t r = 0; r < ROWS; r += 4)
      x[r * INPUTS] = NAN;
    ent_random_free(map);
  }
  options.seed = 2;
  ent_random_map *other = make_random(&options, INPUTS, &data, 1);
  assert_memory_not_equal(other->chosen, first, sizeof first);
  ent_random_free(other);
  free(x);
}

/* A row of many more pivots than a block proposes is still a factor: the landmarks give the kernel back. */
static void many_pivots_leave_nothing(void **state) {
  (void)state;
  const size_t rows = 700;
  double *x = uniform_rows(rows, 2, 18);
  const ent_random_data data = {.x = x, .rows = rows, .stride = 2};
  ent_random_options options = options_of(ENT_RANDOM_GAUSS, 2, 300); /* of numerical rank below 100 */
  assert_true(fabs(trace_left(&options, &data, 2)) <= 1e-8);
  options.features = 60;
  double pivots = trace_left(&options, &data, 2);
  options.landmarks = ENT_LANDMARKS_UNIFORM;
  assert_true(pivots < trace_left(&options, &data, 2) / 5);
  free(x);
}

SUITE(baselines_pivots) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sequences_have_the_right_probabilities),
      cmocka_unit_test(little_is_left_of_clusters),
      cmocka_unit_test(copies_are_not_taken_again),
      cmocka_unit_test(bits_depend_on_nothing_else),
      cmocka_unit_test(many_pivots_leave_nothing),
  };
  return cmocka_run_group_tests_name("random_pivots", tests, NULL, NULL);
}

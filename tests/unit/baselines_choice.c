/* Features chosen with targets: LKRF's weights, EERF's choice, the alignments of both. */
#include "unit/randoms.h"
#include "baselines/map.h"

/* The weights are a distribution within the bound, and satisfy the conditions of the optimum: c q = v - eta where q > 0,
 * v <= eta where q = 0, c >= 0, and c = 0 unless the bound is reached. */
static void check_optimum(const double *v, size_t count, double rho, const double *q) {
  double sum = 0, divergence = 0, low = INFINITY, largest = 0, above_zero = 0;
  size_t top = 0, bottom = 0;
  for (size_t i = 0; i < count; i++) {
    assert_true(q[i] >= 0 && q[i] <= 1);
    sum += q[i];
    divergence += ((double)count * q[i] - 1) * ((double)count * q[i] - 1) / (double)count;
    largest = fmax(largest, v[i]);
    top = v[i] > v[top] ? i : top;
    if (q[i] > 0 && v[i] < low) {
      low = v[i];
      bottom = i;
    }
    above_zero += q[i] > 0;
  }
  assert_close(sum, 1, 1e-12);
  assert_true(divergence <= rho * (1 + 1e-10) + 1e-10);
  if (low == largest) { /* all on the largest, evenly */
    for (size_t i = 0; i < count; i++)
      assert_close(q[i], v[i] == largest ? 1 / above_zero : 0, 1e-15);
    return;
  }
  assert_close(divergence, rho, 1e-9 * (1 + rho));
  if (q[top] - q[bottom] <= 1e-12) /* too flat to tell more */
    return;
  double c = (v[top] - v[bottom]) / (q[top] - q[bottom]), eta = v[top] - c * q[top];
  assert_true(c >= 0);
  for (size_t i = 0; i < count; i++)
    if (q[i] > 0)
      assert_close(q[i], (v[i] - eta) / c, 1e-10);
    else
      assert_true((v[i] - eta) / c <= 1e-10);
}

static void weights_are_optimal(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(21, 0);
  const double rhos[] = {0, 1e-14, 1e-6, 0.1, 1, 4, 9, 50, 1e6};
  for (size_t trial = 0; trial < 300; trial++) {
    size_t count = 1 + (size_t)entropic_random_below(&random, trial < 200 ? 12 : 300);
    double v[300], q[300], scale = pow(10, 20 * entropic_random_uniform(&random) - 15);
    for (size_t i = 0; i < count; i++) {
      double value = entropic_random_normal(&random);
      value = trial % 3 == 0 ? rint(2 * value) : value; /* many ties, some at 0 */
      v[i] = scale * value * value;
    }
    for (size_t r = 0; r < COUNT(rhos); r++) {
      assert_int_equal(ent_alignment_weights(NULL, v, count, rhos[r], q), ENTROPIC_OK);
      check_optimum(v, count, rhos[r], q);
    }
  }
}

static void weights_in_degenerate_cases(void **state) {
  (void)state;
  const double equal[] = {3, 3, 3, 3}, zero[4] = {0}, two[] = {1, 5, 5, 2}, one[] = {1, 5, 3, 2};
  double q[4];
  assert_int_equal(ent_alignment_weights(NULL, equal, 4, 2, q), ENTROPIC_OK);
  for (size_t i = 0; i < 4; i++)
    assert_true(q[i] == 0.25);
  assert_int_equal(ent_alignment_weights(NULL, zero, 4, 2, q), ENTROPIC_OK);
  for (size_t i = 0; i < 4; i++)
    assert_true(q[i] == 0.25);
  assert_int_equal(ent_alignment_weights(NULL, two, 4, 100, q), ENTROPIC_OK);
  assert_true(q[0] == 0 && q[1] == 0.5 && q[2] == 0.5 && q[3] == 0);
  assert_int_equal(ent_alignment_weights(NULL, two, 4, 1, q), ENTROPIC_OK); /* just enough for the two */
  assert_true(q[0] == 0 && q[1] == 0.5 && q[2] == 0.5 && q[3] == 0);
  assert_int_equal(ent_alignment_weights(NULL, one, 4, 3, q), ENTROPIC_OK);
  assert_true(q[0] == 0 && q[1] == 1 && q[2] == 0 && q[3] == 0);
  assert_int_equal(ent_alignment_weights(NULL, one, 4, 0, q), ENTROPIC_OK);
  for (size_t i = 0; i < 4; i++)
    assert_true(q[i] == 0.25);
  assert_int_equal(ent_alignment_weights(NULL, one, 1, 9, q), ENTROPIC_OK);
  assert_true(q[0] == 1);
  /* By hand: v = 0, 1, n = 2: sum q^2 = (1 + rho)/2 with q = 1/2 -+ d gives d = sqrt(rho)/2. */
  assert_int_equal(ent_alignment_weights(NULL, (double[]){0, 1}, 2, 0.25, q), ENTROPIC_OK);
  assert_close(q[0], 0.25, 1e-15);
  assert_close(q[1], 0.75, 1e-15);
}

#define ROWS 210
#define INPUTS 3
#define TARGETS 2

static double *x, y[ROWS * TARGETS], row_weights[ROWS];

static int make_data(void **state) {
  (void)state;
  x = uniform_rows(ROWS, INPUTS, 31);
  for (size_t r = 0; r < ROWS; r++) {
    y[r * TARGETS] = 1e6 + sin(9 * x[r * INPUTS]) + x[r * INPUTS + 1];
    y[r * TARGETS + 1] = x[r * INPUTS + 2] > 0.5;
    row_weights[r] = r % 5 == 0 ? 0 : 1 + (double)(r % 3);
  }
  return 0;
}

static int free_data(void **state) {
  (void)state;
  free(x);
  return 0;
}

static ent_random_data all_data(void) {
  return (ent_random_data){
      .x = x, .rows = ROWS, .stride = INPUTS, .y = y, .targets = TARGETS, .y_stride = TARGETS, .weights = row_weights};
}

static ent_random_options options_of(ent_random_method method) {
  ent_random_options options = ent_random_options_default();
  options.method = method;
  options.kernel = ENT_RANDOM_LAPLACE;
  options.sigma = 2;
  options.features = 25;
  return options;
}

/* Candidates are the features of RKS with the same seed; their alignments in long double. */
static void plain_alignments(const ent_random_options *options, const ent_random_data *data, long double *v) {
  ent_random_options candidates = *options;
  candidates.method = ENT_RANDOM_RKS;
  candidates.features = options->features * options->candidates;
  ent_random_map *map = make_random(&candidates, INPUTS, NULL, 1);
  double *z = lift_densely(map, data->x, data->rows);
  for (size_t j = 0; j < candidates.features; j++) {
    v[j] = 0;
    for (size_t t = 0; t < data->targets; t++) {
      long double weight = 0, mean = 0, sum = 0;
      for (size_t r = 0; r < data->rows; r++) {
        long double w = data->weights == NULL ? 1 : (long double)data->weights[r];
        weight += w;
        mean += w * (long double)data->y[r * data->y_stride + t];
      }
      for (size_t r = 0; r < data->rows; r++) {
        long double w = data->weights == NULL ? 1 : (long double)data->weights[r];
        sum += w * ((long double)data->y[r * data->y_stride + t] - mean / weight) * (long double)z[j * data->rows + r];
      }
      v[j] += sum / weight * (sum / weight);
    }
  }
  free(z);
  ent_random_free(map);
}

static void alignments_and_choices(void **state) {
  (void)state;
  for (int method = ENT_RANDOM_LKRF; method <= ENT_RANDOM_EERF; method++)
    for (int weighted = 0; weighted < 2; weighted++) {
      ent_random_options options = options_of((ent_random_method)method);
      ent_random_data data = all_data();
      size_t count = options.features * options.candidates;
      data.weights = weighted ? row_weights : NULL;
      long double v[250];
      ent_random_map *map = make_random(&options, INPUTS, &data, 2);
      plain_alignments(&options, &data, v);
      const double *found = map->alignments, *q = map->weights;
      const size_t *chosen = map->chosen;
      double largest = 0;
      for (size_t j = 0; j < count; j++)
        largest = larger(largest, found[j]);
      for (size_t j = 0; j < count; j++)
        assert_close(found[j], v[j], 1e-9 * largest);
      if (method == ENT_RANDOM_LKRF)
        check_optimum(found, count, 9, q);
      else
        assert_null(q);
      const double *score = method == ENT_RANDOM_LKRF ? q : found;
      bool taken[250] = {false};
      for (size_t j = 0; j < options.features; j++) {
        assert_false(taken[chosen[j]]);
        taken[chosen[j]] = true;
        assert_true(j == 0 || score[chosen[j]] < score[chosen[j - 1]] ||
                    (score[chosen[j]] == score[chosen[j - 1]] && chosen[j] > chosen[j - 1]));
      }
      size_t last = chosen[options.features - 1];
      for (size_t j = 0; j < count; j++)
        assert_true(taken[j] || score[j] < score[last] || (score[j] == score[last] && j > last));
      ent_random_free(map);
    }
}

/* What is kept are the candidates chosen, with LKRF's weights in their scales. */
static void features_are_the_chosen_candidates(void **state) {
  (void)state;
  ent_random_data data = all_data();
  for (int method = ENT_RANDOM_LKRF; method <= ENT_RANDOM_EERF; method++) {
    ent_random_options options = options_of((ent_random_method)method), candidates = options;
    candidates.method = ENT_RANDOM_RKS;
    candidates.features *= options.candidates;
    ent_random_map *map = make_random(&options, INPUTS, &data, 1), *all = make_random(&candidates, INPUTS, NULL, 1);
    double *z = lift_densely(map, x, ROWS), *z_all = lift_densely(all, x, ROWS), sum = 0;
    const size_t *chosen = map->chosen;
    const double *q = map->weights;
    for (size_t j = 0; j < options.features && q != NULL; j++)
      sum += q[chosen[j]];
    for (size_t j = 0; j < options.features; j++) {
      double factor = q == NULL ? 1 : (double)options.features * q[chosen[j]] / sum;
      for (size_t r = 0; r < ROWS; r++)
        assert_close(z[j * ROWS + r], z_all[chosen[j] * ROWS + r] * sqrt((double)options.candidates * factor), 1e-15);
    }
    free(z);
    free(z_all);
    ent_random_free(map);
    ent_random_free(all);
  }
}

/* Targets that do not vary say nothing: the first candidates, all alike, RKS itself. */
static void constant_targets_give_kitchen_sinks(void **state) {
  (void)state;
  ent_random_data data = all_data();
  const double constant[ROWS] = {0};
  data.y = constant;
  data.targets = data.y_stride = 1;
  ent_random_options plain = options_of(ENT_RANDOM_RKS);
  ent_random_map *expected = make_random(&plain, INPUTS, NULL, 1);
  double *z_expected = lift_densely(expected, x, ROWS);
  for (int method = ENT_RANDOM_LKRF; method <= ENT_RANDOM_EERF; method++) {
    ent_random_options options = options_of((ent_random_method)method);
    ent_random_map *map = make_random(&options, INPUTS, &data, 1);
    double *z = lift_densely(map, x, ROWS);
    for (size_t i = 0; i < ROWS * options.features; i++)
      assert_close(z[i], z_expected[i], 1e-15);
    free(z);
    ent_random_free(map);
  }
  free(z_expected);
  ent_random_free(expected);
}

static void threads_make_no_difference(void **state) {
  (void)state;
  ent_random_data data = all_data();
  for (int method = ENT_RANDOM_LKRF; method <= ENT_RANDOM_EERF; method++) {
    ent_random_options options = options_of((ent_random_method)method);
    ent_random_map *first = make_random(&options, INPUTS, &data, 1);
    double *z = lift_densely(first, x, ROWS);
    for (int threads = 2; threads <= 5; threads++) {
      ent_random_map *other = make_random(&options, INPUTS, &data, threads);
      double *again = lift_densely(other, x, ROWS);
      assert_memory_equal(again, z, ROWS * options.features * sizeof *z);
      assert_memory_equal(other->alignments, first->alignments, options.features * options.candidates * sizeof *z);
      free(again);
      ent_random_free(other);
    }
    free(z);
    ent_random_free(first);
  }
}

SUITE(baselines_choice) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_are_optimal),
      cmocka_unit_test(weights_in_degenerate_cases),
      cmocka_unit_test(alignments_and_choices),
      cmocka_unit_test(features_are_the_chosen_candidates),
      cmocka_unit_test(constant_targets_give_kitchen_sinks),
      cmocka_unit_test(threads_make_no_difference),
  };
  return cmocka_run_group_tests_name("random_choice", tests, make_data, free_data);
}

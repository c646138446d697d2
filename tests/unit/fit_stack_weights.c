/* Weights of a stack, against a grid of all weights and a loss computed another way. */
#include "unit/learning.h"

#include "fit/stack_weights.h"

enum { ROWS = 240, PARTS = 4, GRID = 16, MOST_SCORES = 3 };

typedef struct stack_table {
  size_t scores, classes;
  double y[ROWS * MOST_SCORES], scale[MOST_SCORES], weights[ROWS], variances[ROWS * MOST_SCORES];
  double candidates[ENT_STACK_CANDIDATES][ROWS * MOST_SCORES];
  size_t numbers[ROWS], part_of[ROWS];
} stack_table;

static double noise(entropic_random *random) {
  return 2 * entropic_random_uniform(random) - 1;
}

/* Candidates of more and more noise about the truth; the first is constant. classes 0: numbers. */
static void fill(stack_table *t, size_t classes, size_t scores, uint64_t seed) {
  static const double sizes[ENT_STACK_CANDIDATES] = {0, 0.9, 0.5, 0.6};
  entropic_random random = entropic_random_start(seed, 3);
  *t = (stack_table){.scores = scores, .classes = classes};
  for (size_t k = 0; k < scores; k++)
    t->scale[k] = 1 + (double)k;
  for (size_t r = 0; r < ROWS; r++) {
    t->numbers[r] = (r * 7) % ROWS; /* rows of a data set in another order */
    t->part_of[r] = r % PARTS;
    t->weights[r] = 0.5 + entropic_random_uniform(&random);
    double truth[MOST_SCORES];
    for (size_t k = 0; k < scores; k++) {
      truth[k] = 2 * noise(&random);
      t->variances[r * scores + k] = 0.1 * entropic_random_uniform(&random);
      for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++)
        t->candidates[c][r * scores + k] = c == 0 ? 0.1 : truth[k] + sizes[c] * noise(&random);
    }
    size_t best = 0;
    for (size_t k = 1; k < scores; k++)
      best = truth[k] > truth[best] ? k : best;
    for (size_t k = 0; k < scores && classes == 0; k++)
      t->y[t->numbers[r] * scores + k] = truth[k];
    if (classes > 0)
      t->y[t->numbers[r]] = scores == 1 ? truth[0] + noise(&random) > 0 : (double)best;
  }
}

static ent_stack_rows rows_of_table(const stack_table *t, bool linear) {
  ent_stack_rows rows = {.rows = ROWS,
                         .scores = t->scores,
                         .classes = t->classes,
                         .y = t->y,
                         .scale = t->scale,
                         .numbers = t->numbers,
                         .weights = t->weights,
                         .part_of = t->part_of,
                         .averaged = ENT_STACK_AVERAGED,
                         .variances = t->variances};
  for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++)
    rows.candidate[c] = c == 1 && !linear ? NULL : t->candidates[c];
  return rows;
}

/* The loss of some weights less what the mean is worth, from the definitions; rows of one part do not count. */
static double plain_loss(const stack_table *t, const double *w, size_t without) {
  long double sum = 0, weight = 0;
  for (size_t r = 0; r < ROWS; r++) {
    long double mix[MOST_SCORES] = {0}, p[MOST_SCORES], all = 0, loss = 0, worth = 0;
    if (t->part_of[r] == without)
      continue;
    for (size_t k = 0; k < t->scores; k++)
      for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++)
        mix[k] += (long double)w[c] * (long double)t->candidates[c][r * t->scores + k];
    const double *y = t->y + t->numbers[r] * (t->classes == 0 ? t->scores : 1);
    if (t->classes > 0 && t->scores == 1) {
      long double chance = 1 / (1 + expl(-mix[0]));
      loss = -logl(y[0] > 0.5 ? chance : 1 - chance);
      worth = chance * (1 - chance) / 2 * (long double)t->variances[r];
    }
    for (size_t k = 0; k < t->scores && t->classes > 0 && t->scores > 1; k++)
      all += p[k] = expl(mix[k]);
    for (size_t k = 0; k < t->scores && t->classes > 0 && t->scores > 1; k++) {
      loss -= (size_t)y[0] == k ? logl(p[k] / all) : 0;
      worth += p[k] / all * (1 - p[k] / all) / 2 * (long double)t->variances[r * t->scores + k];
    }
    for (size_t k = 0; k < t->scores && t->classes == 0; k++) {
      loss += (mix[k] - (long double)y[k]) * (mix[k] - (long double)y[k]) / (long double)t->scale[k] / t->scores;
      worth += (long double)t->variances[r * t->scores + k] / (long double)t->scale[k] / t->scores;
    }
    sum += (long double)t->weights[r] * (loss - (long double)(w[2] * w[2]) * worth);
    weight += (long double)t->weights[r];
  }
  return (double)(sum / weight);
}

/* What is made small: the loss, and 20 rows' worth of the best candidate's loss for the distance from equal weights. */
static double plain_objective(const stack_table *t, const double *w, size_t without, bool linear) {
  double least = INFINITY, rows = 0, distance = 0, equal = linear ? 1.0 / 3 : 0.5;
  for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++) {
    double alone[ENT_STACK_CANDIDATES] = {0}, own = c == 0 || (c == 1 && !linear) ? 0 : equal;
    alone[c] = 1;
    distance += (w[c] - own) * (w[c] - own);
    if (c != 1 || linear)
      least = fmin(least, plain_loss(t, alone, without));
  }
  for (size_t r = 0; r < ROWS; r++)
    rows += t->part_of[r] != without;
  return plain_loss(t, w, without) + fmax(least, 0) * 20 / (rows + 20) * distance;
}

/* The least value of the objective on a grid of weights. */
static double least_on_grid(const stack_table *t, size_t without, bool linear) {
  double least = INFINITY;
  for (int a = 0; a <= GRID; a++)
    for (int b = 0; a + b <= GRID; b++)
      for (int c = 0; a + b + c <= GRID; c++) {
        const double w[] = {(double)a / GRID, (double)b / GRID, (double)c / GRID, (double)(GRID - a - b - c) / GRID};
        if (b == 0 || linear)
          least = fmin(least, plain_objective(t, w, without, linear));
      }
  return least;
}

static void weights_are_the_best(void **state) {
  (void)state;
  static const size_t kinds[][2] = {{0, 1}, {0, 2}, {2, 1}, {3, 3}};
  stack_table *t = calloc(1, sizeof *t);
  for (size_t kind = 0; kind < COUNT(kinds); kind++)
    for (int linear = 0; linear < 2; linear++)
      for (size_t without = 1; without <= PARTS; without += PARTS - 1) {
        double w[ENT_STACK_CANDIDATES], sum = 0;
        fill(t, kinds[kind][0], kinds[kind][1], 11 + kind);
        const ent_stack_rows rows = rows_of_table(t, linear);
        size_t part = without == PARTS ? ENT_STACK_ALL_PARTS : without;
        assert_int_equal(ent_stack_weigh(NULL, &rows, part, w), ENTROPIC_OK);
        for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++) {
          assert_true(w[c] >= 0 && w[c] * 256 == floor(w[c] * 256));
          sum += w[c];
        }
        assert_true(sum == 1);
        assert_true(linear || w[1] == 0);
        double found = plain_objective(t, w, part, linear);
        assert_true(found <= least_on_grid(t, part, linear) + 2e-4); /* weights are rounded */
      }
  free(t);
}

/* Rows of the part that is left out change nothing, and those of others do. */
static void a_part_is_left_out(void **state) {
  (void)state;
  stack_table *t = calloc(1, sizeof *t);
  double before[ENT_STACK_CANDIDATES], after[ENT_STACK_CANDIDATES];
  fill(t, 2, 1, 5);
  const ent_stack_rows rows = rows_of_table(t, true);
  assert_int_equal(ent_stack_weigh(NULL, &rows, 2, before), ENTROPIC_OK);
  for (size_t r = 0; r < ROWS; r++)
    for (size_t c = 1; c < ENT_STACK_CANDIDATES && t->part_of[r] == 2; c++)
      t->candidates[c][r] = c == 1 ? 50 : -50;
  assert_int_equal(ent_stack_weigh(NULL, &rows, 2, after), ENTROPIC_OK);
  assert_memory_equal(before, after, sizeof before);
  assert_int_equal(ent_stack_weigh(NULL, &rows, 1, after), ENTROPIC_OK);
  assert_memory_not_equal(before, after, sizeof before);
  free(t);
}

/* Candidates that know nothing of the target get nothing beside the constant. */
static void noise_gets_little(void **state) {
  (void)state;
  stack_table *t = calloc(1, sizeof *t);
  double w[ENT_STACK_CANDIDATES];
  fill(t, 0, 1, 8);
  entropic_random random = entropic_random_start(77, 0);
  for (size_t r = 0; r < ROWS; r++) {
    t->y[r] = noise(&random);
    t->variances[r] = 0;
  }
  for (size_t r = 0; r < ROWS; r++)
    t->candidates[0][r] = 0;
  const ent_stack_rows rows = rows_of_table(t, true);
  assert_int_equal(ent_stack_weigh(NULL, &rows, ENT_STACK_ALL_PARTS, w), ENTROPIC_OK);
  assert_true(w[0] >= 0.8);
  free(t);
}

SUITE(fit_stack_weights) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_are_the_best),
      cmocka_unit_test(a_part_is_left_out),
      cmocka_unit_test(noise_gets_little),
  };
  return cmocka_run_group_tests_name("fit_stack_weights", tests, NULL, NULL);
}

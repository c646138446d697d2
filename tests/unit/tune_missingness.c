/* Weights of rows with missing values: planted factors are found again, and weights follow from them. */
#include "unit/validation_splits.h"

#include "solve/measure.h"
#include "tune/missingness.h"

#include "unit/fixture.h"

enum { ROWS = 6000, INPUTS = 5 };
static const double planted[INPUTS] = {1, 4, 1.5, 1, 9}; /* the fourth is never missing, the last one rarely */
static const double shares[INPUTS] = {0.2, 0.2, 0.3, 0, 0.001};

typedef struct table {
  double *x, *squares, *weights;
  ent_block rows;
} table;

/* Squares of normal noise whose variance is the product of the factors of the missing inputs. */
static void table_start(table *t, bool noise) {
  *t = (table){.x = calloc(ROWS * INPUTS, sizeof(double)),
               .squares = calloc(ROWS, sizeof(double)),
               .weights = calloc(ROWS, sizeof(double))};
  entropic_random random = entropic_random_start(7, 1);
  for (size_t r = 0; r < ROWS; r++) {
    double variance = 0.3, normal = entropic_random_normal(&random);
    t->weights[r] = 0.5 + entropic_random_uniform(&random);
    for (size_t i = 0; i < INPUTS; i++) {
      bool gap = entropic_random_uniform(&random) < shares[i];
      t->x[r * INPUTS + i] = gap ? NAN : 0.5;
      variance *= gap ? planted[i] : 1;
    }
    t->squares[r] = variance * (noise ? normal * normal : 1);
  }
  t->rows = (ent_block){.rows = ROWS, .x = t->x, .x_stride = INPUTS, .weights = t->weights};
}

static void table_free(table *t) {
  free(t->x);
  free(t->squares);
  free(t->weights);
}

/* What the factors say of a row without a unit. */
static double said_of(const table *t, size_t row, const double *factors) {
  double said = 1;
  for (size_t i = 0; i < INPUTS; i++)
    said *= isnan(t->x[row * INPUTS + i]) ? factors[i] : 1;
  return said;
}

/* The slope of what the factors make as good as they can: the logarithm of the likelihood of gamma distributed squares,
 * and of twenty rows of average weight that say the factor of one input is 1. */
static double slope(const table *t, const double *factors, size_t input, double unit) {
  double weight = ent_weight_sum(&t->rows), sum = 20 * weight / ROWS * (1 / factors[input] - 1);
  for (size_t r = 0; r < ROWS; r++)
    if (isnan(t->x[r * INPUTS + input]))
      sum += t->weights[r] * (t->squares[r] / (unit * said_of(t, r, factors)) - 1);
  return sum;
}

static void finds_factors(void **state) {
  (void)state;
  double factors[INPUTS];
  for (int noise = 0; noise < 2; noise++) {
    table t;
    table_start(&t, noise);
    ASSERT_OK(context, ent_missingness_factors(context, &t.rows, INPUTS, t.squares, factors));
    for (size_t i = 0; i < 3; i++)
      assert_true(fabs(log(factors[i] / planted[i])) < (noise ? 0.15 : 0.06));
    assert_true(factors[3] == 1);
    assert_true(factors[4] > 1 && factors[4] < 6); /* six rows or so against twenty */
    double unit = 0;
    for (size_t r = 0; r < ROWS; r++)
      unit += t.weights[r] * t.squares[r] / said_of(&t, r, factors);
    unit /= ent_weight_sum(&t.rows);
    for (size_t i = 0; i < INPUTS; i++)
      assert_true(factors[i] == 1 ? slope(&t, factors, i, unit) < 1e-6 : fabs(slope(&t, factors, i, unit)) < 1e-5);
    table_free(&t);
  }
}

static void nothing_left(void **state) {
  (void)state;
  table t;
  double factors[INPUTS];
  table_start(&t, false);
  memset(t.squares, 0, ROWS * sizeof *t.squares);
  ASSERT_OK(context, ent_missingness_factors(context, &t.rows, INPUTS, t.squares, factors));
  for (size_t i = 0; i < INPUTS; i++)
    assert_true(factors[i] == 1);
  table_free(&t);
}

static void weighs(void **state) {
  (void)state;
  table t;
  table_start(&t, false);
  double *weights = calloc(ROWS, sizeof *weights), sum = 0, rate = NAN;
  ent_missingness_apply(&t.rows, INPUTS, planted, weights);
  for (size_t r = 0; r < ROWS; r++) {
    double own = weights[r] * said_of(&t, r, planted) / t.weights[r];
    rate = r == 0 ? own : rate;
    assert_true(fabs(own - rate) < 1e-12);
    sum += weights[r];
  }
  assert_true(fabs(sum - ent_weight_sum(&t.rows)) < 1e-9);
  free(weights);
  table_free(&t);
}

SUITE(tune_missingness) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(finds_factors), cmocka_unit_test(nothing_left),
                                     cmocka_unit_test(weighs)};
  return cmocka_run_group_tests_name("tune_missingness", tests, start, stop);
}

/* Fixed-point statistics: their definition, sums and differences, doubles, and refusals. */
#include "unit/fixed_rows.h"

#include "unit/fixture.h"

static void the_exponent_is_that_of_the_next_power_of_two(void **state) {
  (void)state;
  static const struct {
    double sup;
    int exponent;
  } cases[] = {{1, 0},    {-1, 0}, {1.0000001, 1}, {0.5, -1}, {0.50001, 0},
               {0.3, -1}, {3, 2},  {4, 2},         {0, 0},    {1e-300, -996}};
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_int_equal(ent_fixed_exponent(cases[i].sup), cases[i].exponent);
  assert_true(ent_fixed_exponent(INFINITY) > ENT_FIXED_MOST_EXPONENT);
  assert_true(ent_fixed_exponent(NAN) > ENT_FIXED_MOST_EXPONENT);
}

/* q of a column of a row, by other functions than the library uses. */
static int64_t integer_at(const fixed_rows *p, int bits, size_t row, size_t column) {
  double root = sqrt(p->weights[row]), value = 1;
  if (column < p->features)
    value = p->z[row % p->table.rows * p->features + column];
  else if (column > p->features)
    value = p->y[row * p->targets + column - p->features - 1] - p->shift[column - p->features - 1];
  return (int64_t)rint(scalbn(value * root, bits - p->exponents[column]));
}

static void plain_rows_equal_their_definition(void **state) {
  (void)state;
  fixed_rows p;
  fixed_rows_start(&p, 97, 97, 21, 2, -1);
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    ent_fixed *fixed = plain_fixed(context, &p, (ent_grade)grade, 0, p.rows);
    size_t size = p.features + 1 + p.targets, rows = 0;
    int bits = grade == ENT_GRADE_ORDER_FREE ? 23 : 45;
    for (size_t r = 0; r < p.rows; r++)
      rows += p.weights[r] > 0;
    assert_int_equal(fixed->size, size);
    assert_int_equal(fixed->rows, rows);
    for (size_t j = 0; j < size; j++)
      for (size_t i = 0; i <= j; i++) {
        ent_int128 sum = 0;
        for (size_t r = 0; r < p.rows; r++)
          sum += (ent_int128)integer_at(&p, bits, r, i) * integer_at(&p, bits, r, j);
        assert_true(fixed->totals[ent_fixed_index(i, j)] == sum);
      }
    ent_fixed_free(fixed);
  }
  fixed_rows_stop(&p);
}

/* Compressed rows are the same as dense ones. */
static void plain_rows_may_be_compressed(void **state) {
  (void)state;
  fixed_rows p;
  fixed_rows_start(&p, 40, 40, 30, 1, -1);
  size_t starts[41];
  int32_t *columns = calloc(40 * 30, sizeof *columns);
  double *values = calloc(40 * 30, sizeof *values);
  table_sparse(NULL, &p.table, NULL, p.x, p.rows, 1, starts, columns, values);
  ent_lifted lifted = {
      .block = p.memory.all, .features = p.features, .starts = starts, .columns = columns, .values = values};
  ent_fixed *dense = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, p.rows);
  ent_fixed *compressed = no_fixed_rows(context, &p, ENT_GRADE_EXACT);
  ASSERT_OK(context, fixed_add_plainly(context, compressed, &lifted));
  assert_same_bytes(dense, compressed);
  ent_fixed_free(dense);
  ent_fixed_free(compressed);
  free(columns);
  free(values);
  fixed_rows_stop(&p);
}

/* Numbers 0 .. count - 1 in random order. */
static void shuffle(size_t *numbers, size_t count, entropic_random *random) {
  for (size_t i = 0; i < count; i++)
    numbers[i] = i;
  for (size_t i = count; i-- > 1;) {
    size_t other = (size_t)(entropic_random_uniform(random) * (double)(i + 1)), swap = numbers[i];
    numbers[i] = numbers[other];
    numbers[other] = swap;
  }
}

static void shards_add_up_in_any_order(void **state) {
  (void)state;
  fixed_rows p;
  fixed_rows_start(&p, 640, 640, 13, 1, -1);
  entropic_random random = entropic_random_start(3, 0);
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    ent_fixed *whole = plain_fixed(context, &p, (ent_grade)grade, 0, p.rows);
    for (size_t shards = 1; shards <= 64; shards++) {
      size_t order[64];
      shuffle(order, shards, &random);
      ent_fixed *sum = no_fixed_rows(context, &p, (ent_grade)grade);
      for (size_t k = 0; k < shards; k++) {
        size_t first = p.rows * order[k] / shards, end = p.rows * (order[k] + 1) / shards;
        ent_fixed *shard = plain_fixed(context, &p, (ent_grade)grade, first, end - first);
        ASSERT_OK(context, ent_fixed_add(context, sum, shard));
        ent_fixed_free(shard);
      }
      assert_same_bytes(sum, whole);
      ent_fixed_free(sum);
    }
    ent_fixed_free(whole);
  }
  fixed_rows_stop(&p);
}

static void subtracting_gives_back_the_bytes_before(void **state) {
  (void)state;
  fixed_rows p;
  fixed_rows_start(&p, 200, 200, 17, 2, -1);
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    ent_fixed *before = plain_fixed(context, &p, (ent_grade)grade, 0, 150);
    ent_fixed *sum = plain_fixed(context, &p, (ent_grade)grade, 0, 150);
    ent_fixed *rest = plain_fixed(context, &p, (ent_grade)grade, 150, 50);
    ASSERT_OK(context, ent_fixed_add(context, sum, rest));
    assert_false(fixed_equal(sum, before));
    ASSERT_OK(context, ent_fixed_subtract(context, sum, rest));
    assert_same_bytes(sum, before);
    ASSERT_OK(context, ent_fixed_subtract(context, sum, before));
    ent_fixed *none = no_fixed_rows(context, &p, (ent_grade)grade);
    assert_same_bytes(sum, none);
    ent_fixed_free(none);
    ent_fixed_free(before);
    ent_fixed_free(sum);
    ent_fixed_free(rest);
  }
  fixed_rows_stop(&p);
}

static void rows_that_were_never_added_are_refused(void **state) {
  (void)state;
  fixed_rows p;
  fixed_rows_start(&p, 60, 60, 9, 1, 1);
  ent_fixed *sum = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, 10);
  ent_fixed *copy = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, 10);
  ent_fixed *more = plain_fixed(context, &p, ENT_GRADE_EXACT, 10, 50);
  assert_int_equal(ent_fixed_subtract(context, sum, more), ENTROPIC_BAD_DATA);
  assert_message(context, "never added");
  assert_same_bytes(sum, copy);
  more->rows = 1; /* few rows, but large ones */
  assert_int_equal(ent_fixed_subtract(context, sum, more), ENTROPIC_BAD_DATA);
  assert_message(context, "the sum of squares of column 1 would become negative");
  assert_same_bytes(sum, copy);
  ent_fixed_free(sum);
  ent_fixed_free(copy);
  ent_fixed_free(more);
  fixed_rows_stop(&p);
}

/* Column c of [Z, 1, Y - shift] at a row, without its weight; one target. */
static double column_at(const fixed_rows *p, size_t row, size_t column) {
  return column < p->features ? p->z[row * p->features + column] : column == p->features ? 1 : p->y[row] - p->shift[0];
}

static void doubles_are_accurate(void **state) {
  (void)state;
  static const double tolerances[ENT_GRADE_COUNT] = {1e-8, 1e-12};
  fixed_rows p;
  fixed_rows_start(&p, 2000, 2000, 20, 1, 0.6);
  for (size_t j = 0; j < p.features + 2; j++) {
    double sup = 0;
    for (size_t r = 0; r < p.rows; r++)
      sup = larger(sup, fabs(column_at(&p, r, j) * sqrt(p.weights[r])));
    p.exponents[j] = ent_fixed_exponent(sup);
  }
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    ent_fixed *fixed = plain_fixed(context, &p, (ent_grade)grade, 0, p.rows);
    for (size_t j = 0; j < fixed->size; j++)
      for (size_t i = 0; i <= j; i++) {
        long double sum = 0;
        for (size_t r = 0; r < p.rows; r++)
          sum += (long double)p.weights[r] * (long double)column_at(&p, r, i) * (long double)column_at(&p, r, j);
        assert_close(fixed_product(fixed, i, j), sum,
                     tolerances[grade] * sqrt(fixed_product(fixed, i, i)) * sqrt(fixed_product(fixed, j, j)));
      }
    ent_fixed_free(fixed);
  }
  fixed_rows_stop(&p);
}

static void values_beyond_their_scale_are_refused(void **state) {
  (void)state;
  static const double wrong[] = {0.2500001, -0.26, INFINITY, NAN};
  fixed_rows p;
  fixed_rows_start(&p, 30, 30, 6, 2, -1);
  for (size_t r = 0; r < p.rows; r++)
    p.weights[r] = 1;
  ent_fixed *before = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, 10),
            *fixed = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, 10);
  double z[6 * 20];
  for (size_t i = 0; i < COUNT(wrong); i++) {
    ent_lifted lifted = lifted_rows(&p, 10, 20, z);
    z[5 * 20 + 7] = wrong[i]; /* feature 6 has the scale 2^-2 */
    assert_int_equal(fixed_add_plainly(context, fixed, &lifted), ENTROPIC_BAD_DATA);
    assert_message(context, "row 18, feature 6: ");
    assert_message(context, "2^-2");
    assert_same_bytes(fixed, before);
  }
  ent_lifted lifted = lifted_rows(&p, 10, 20, z);
  p.y[14 * 2 + 1] = 100;
  assert_int_equal(fixed_add_plainly(context, fixed, &lifted), ENTROPIC_BAD_DATA);
  assert_message(context, "row 15, target 2: ");
  p.weights[11] = 4.0001;
  assert_int_equal(fixed_add_plainly(context, fixed, &lifted), ENTROPIC_BAD_DATA);
  assert_message(context, "row 12");
  z[0 * 20 + 2] = 0.25; /* at the scale is fine */
  p.weights[11] = 4;
  p.y[14 * 2 + 1] = 0;
  memset(z + 20 * 0, 0, sizeof z);
  ASSERT_OK(context, fixed_add_plainly(context, fixed, &lifted));
  ent_fixed_free(before);
  ent_fixed_free(fixed);
  fixed_rows_stop(&p);
}

static void what_does_not_go_together_is_refused(void **state) {
  (void)state;
  fixed_rows p, q;
  fixed_rows_start(&p, 10, 10, 3, 1, 1);
  fixed_rows_start(&q, 10, 10, 3, 1, 1);
  ent_fixed *a = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, 10), *b = NULL;
  q.exponents[1]++;
  b = plain_fixed(context, &q, ENT_GRADE_EXACT, 0, 10);
  assert_int_equal(ent_fixed_add(context, a, b), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "expected the same features");
  assert_int_equal(ent_fixed_subtract(context, a, b), ENTROPIC_BAD_ARGUMENT);
  assert_false(fixed_equal(a, b));
  ent_fixed_free(b);
  b = plain_fixed(context, &p, ENT_GRADE_ORDER_FREE, 0, 10);
  assert_int_equal(ent_fixed_add(context, a, b), ENTROPIC_BAD_ARGUMENT);
  ent_fixed_free(b);
  q.exponents[1]--;
  q.shift[0] += 1;
  b = plain_fixed(context, &q, ENT_GRADE_EXACT, 0, 10);
  assert_int_equal(ent_fixed_add(context, a, b), ENTROPIC_BAD_ARGUMENT);
  ent_fixed_free(b);
  b = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, 10);
  b->rows = ENT_FIXED_MOST_ROWS;
  assert_int_equal(ent_fixed_add(context, a, b), ENTROPIC_TOO_LARGE);
  ent_lifted lifted = {.block = {.rows = 1}, .features = 4, .z = p.z, .ld = 1};
  assert_int_equal(fixed_add_plainly(context, a, &lifted), ENTROPIC_BAD_ARGUMENT);
  lifted.features = 3;
  assert_int_equal(fixed_add_plainly(context, a, &lifted), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "without targets");
  ent_fixed_free(a);
  ent_fixed_free(b);
  fixed_rows_stop(&p);
  fixed_rows_stop(&q);
}

static void shapes_out_of_range_are_refused(void **state) {
  (void)state;
  int exponents[] = {0, 0, 0};
  double shift[] = {0};
  ent_fixed *fixed = NULL;
  ent_fixed_shape shape = {.features = 1, .targets = 1, .exponents = exponents, .shift = shift};
  for (int sign = -1; sign <= 1; sign += 2) {
    exponents[2] = sign * (ENT_FIXED_MOST_EXPONENT + 1);
    assert_int_equal(ent_fixed_create(context, &shape, &fixed), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "column 3: a scale of 2^");
  }
  exponents[2] = ENT_FIXED_MOST_EXPONENT;
  shift[0] = NAN;
  assert_int_equal(ent_fixed_create(context, &shape, &fixed), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "target 1: a shift of");
  shape.grade = (ent_grade)2;
  assert_int_equal(ent_fixed_create(context, &shape, &fixed), ENTROPIC_BAD_ARGUMENT);
  shape = (ent_fixed_shape){.features = SIZE_MAX, .exponents = exponents};
  assert_int_equal(ent_fixed_create(context, &shape, &fixed), ENTROPIC_TOO_LARGE);
  shape = (ent_fixed_shape){.features = 1};
  assert_int_equal(ent_fixed_create(context, &shape, &fixed), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_fixed_create(context, NULL, &fixed), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_fixed_add(context, NULL, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_null(fixed);
  ent_fixed_free(NULL);
}

SUITE(solve_fixed) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_exponent_is_that_of_the_next_power_of_two),
                                     cmocka_unit_test(plain_rows_equal_their_definition),
                                     cmocka_unit_test(plain_rows_may_be_compressed),
                                     cmocka_unit_test(shards_add_up_in_any_order),
                                     cmocka_unit_test(subtracting_gives_back_the_bytes_before),
                                     cmocka_unit_test(rows_that_were_never_added_are_refused),
                                     cmocka_unit_test(doubles_are_accurate),
                                     cmocka_unit_test(values_beyond_their_scale_are_refused),
                                     cmocka_unit_test(what_does_not_go_together_is_refused),
                                     cmocka_unit_test(shapes_out_of_range_are_refused)};
  return cmocka_run_group_tests(tests, start, stop);
}

/* Sufficient statistics against their definition; sums, shifts, folds, threads and refusals. */
#include "unit/learning.h"

#include "sums/fixed_code.h"

/* Column c of [Z, 1, Y - shift] at a row. */
static long double column_at(const problem *p, const ent_statistics *s, size_t row, size_t c) {
  if (c < p->features)
    return (long double)p->z[row * p->features + c];
  if (c == p->features)
    return 1;
  size_t t = c - p->features - 1;
  return (long double)p->y[row * p->targets + t] - (long double)s->shift[t];
}

/* What rounding to fixed point may change a value of each column by: half a unit. [size] */
static void half_units(const problem *p, const ent_statistics *s, ent_grade grade, double *half) {
  int *exponents = calloc(p->features + 1, sizeof *exponents);
  double weight = 0, bits = grade == ENT_GRADE_EXACT ? 45 : 23;
  for (size_t r = 0; r < p->rows; r++)
    weight = larger(weight, p->weights[r]);
  double root = weight > 0 ? ceil(log2(weight) / 2) : 0;
  p->map.calls->exponents(p->map.self, exponents);
  for (size_t j = 0; j < p->features; j++)
    half[j] = exp2(exponents[j] + root - bits - 1);
  half[p->features] = p->memory.all.weights == NULL ? 0 : exp2(root - bits - 1);
  for (size_t t = 0; t < p->targets; t++) {
    double most = 0;
    for (size_t r = 0; r < p->rows; r++)
      most = larger(most, fabs(p->y[r * p->targets + t] - s->shift[t]) * sqrt(p->weights[r]));
    half[p->features + 1 + t] = most * exp2(-2 * bits - 1); /* two slices */
  }
  free(exponents);
}

static void assert_statistics(const problem *p, const ent_statistics *s, row_filter counts, ent_grade grade) {
  size_t rows = 0;
  double *half = calloc(s->size, sizeof *half);
  half_units(p, s, grade, half);
  for (size_t r = 0; r < p->rows; r++)
    if (counts(r))
      rows += p->weights[r] > 0;
  assert_true(s->weight == ent_product(s, p->features, p->features));
  assert_int_equal(s->rows, rows);
  for (size_t b = 0; b < s->size; b++)
    for (size_t a = 0; a <= b; a++) {
      long double sum = 0, most = 0;
      for (size_t r = 0; r < p->rows; r++)
        if (counts(r)) {
          long double root = sqrtl((long double)p->weights[r]);
          long double of_a = root * column_at(p, s, r, a), of_b = root * column_at(p, s, r, b);
          sum += of_a * of_b;
          most += fabsl(of_a) * (long double)half[b] + (fabsl(of_b) + (long double)half[b]) * (long double)half[a] +
                  1e-15L * fabsl(of_a * of_b);
        }
      assert_close(ent_product(s, a, b), sum, (double)most + 1e-300);
    }
  free(half);
}

static void equal_their_definition(void **state) {
  (void)state;
  static const double shift[] = {5.5, -3};
  const size_t rows[] = {1, 255, 257, 257 + rounds(571)};
  for (size_t i = 0; i < COUNT(rows); i++)
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++)
      for (int kind = ALL_ONE; kind <= WEIGHTED; kind++) {
        problem p = problem_start(rows[i], 3, 70, 0, 2, (problem_kind)kind);
        ent_statistics *s = statistics_of(&p, 2, (ent_grade)grade, kind == WEIGHTED ? shift : NULL);
        assert_statistics(&p, s, every_row, (ent_grade)grade);
        ent_statistics_free(s);
        problem_stop(&p);
      }
}

/* One target in a thousand rows is 10,000 deviations away; with one target, and with so many that most have one slice. */
static void heavy_tails_keep_their_accuracy(void **state) {
  (void)state;
  for (size_t targets = 1; targets <= 6; targets += 5)
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
      problem p = problem_start(1000, 2, 20, 0, targets, ALL_ONE);
      p.y[617 * targets] = -1e4;
      ent_statistics *s = statistics_of(&p, 1, (ent_grade)grade, NULL);
      assert_statistics(&p, s, every_row, (ent_grade)grade);
      ent_statistics_free(s);
      problem_stop(&p);
    }
}

/* With few rows that have nearly all of the weight, order-free statistics are exact ones. */
static void heavy_weights_keep_their_accuracy(void **state) {
  (void)state;
  problem p = problem_start(1000, 2, 20, 0, 1, WEIGHTED);
  p.weights[331] = 1e9;
  ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_ORDER_FREE, NULL);
  assert_statistics(&p, s, every_row, ENT_GRADE_EXACT);
  ent_statistics_free(s);
  problem_stop(&p);
}

/* More rows than sums of 64 bits can take. */
static void many_rows(void **state) {
  (void)state;
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    problem p = problem_start(70001, 2, 5, 0, 1, WEIGHTED);
    ent_statistics *s = statistics_of(&p, 2, (ent_grade)grade, NULL);
    assert_statistics(&p, s, every_row, (ent_grade)grade);
    ent_statistics_free(s);
    problem_stop(&p);
  }
}

/* Statistics of the rows in another order, by other code, blocks, thresholds and threads. */
static ent_statistics *collected_by(problem *p, int threads, const ent_collect_options *options, const double *shift) {
  entropic_context *own = context_with(threads);
  ent_statistics *s = NULL;
  ASSERT_OK(own, ent_statistics_create(own, p->features, p->targets, shift, &s));
  ASSERT_OK(own, ent_statistics_collect_by(own, s, &p->map, rows_of(p), options));
  entropic_context_free(own);
  return s;
}

static void assert_same_statistics(const ent_statistics *a, const ent_statistics *b) {
  assert_int_equal(a->size, b->size);
  assert_int_equal(a->rows, b->rows);
  assert_memory_equal(&a->weight, &b->weight, sizeof a->weight);
  for (size_t j = 0; j < a->size; j++)
    assert_memory_equal(a->gram + j * a->size, b->gram + j * a->size, (j + 1) * sizeof *a->gram);
}

static void swap_rows(problem *p, size_t a, size_t b) {
  double *arrays[] = {p->x, p->y, p->weights, p->z};
  size_t widths[] = {p->inputs, p->targets, 1, p->features};
  for (size_t k = 0; k < COUNT(arrays); k++)
    for (size_t i = 0; i < widths[k]; i++) {
      double kept = arrays[k][a * widths[k] + i];
      arrays[k][a * widths[k] + i] = arrays[k][b * widths[k] + i];
      arrays[k][b * widths[k] + i] = kept;
    }
}

/* Dense rows and sparse ones, few targets and many. */
static const struct {
  size_t inputs, features, nonzeros, targets;
} shapes[] = {{4, 300, 0, 2}, {1, 0, 9, 1}, {3, 0, 40, 5}};

static void same_bytes_however_they_are_collected(void **state) {
  (void)state;
  static const double thresholds[][2] = {{0.75, 1 / 32.}, {0, 0}, {2, 0}, {2, 2}, {0.3, 0.1}};
  entropic_random random = entropic_random_start(5, 1);
  for (size_t i = 0; i < COUNT(shapes); i++)
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
      problem p = problem_start(1 + rounds(2000), shapes[i].inputs, shapes[i].features, shapes[i].nonzeros,
                                shapes[i].targets, WEIGHTED);
      ent_statistics *expected = statistics_of(&p, 1, (ent_grade)grade, NULL);
      const ent_fixed_code *codes[ENT_FIXED_MOST_CODES];
      size_t count = ent_fixed_codes((ent_grade)grade, codes);
      for (size_t k = 0; k < 16; k++) {
        ent_fixed_options fixed = {.full = thresholds[k % 5][0],
                                   .dense = thresholds[k % 5][1],
                                   .block_rows = 1 + (size_t)(entropic_random_uniform(&random) * 512),
                                   .code = codes[k % count]};
        ent_collect_options options = {.grade = (ent_grade)grade, .fixed = &fixed};
        for (size_t r = p.rows; r-- > 1 && k > 4;)
          swap_rows(&p, r, (size_t)(entropic_random_uniform(&random) * (double)(r + 1)));
        ent_statistics *s = collected_by(&p, 1 + (int)k % 8, &options, NULL);
        assert_same_statistics(s, expected);
        ent_statistics_free(s);
      }
      ent_statistics_free(expected);
      problem_stop(&p);
    }
}

static bool first_rows(size_t row) {
  return row < 200;
}

static bool last_rows(size_t row) {
  return row >= 200;
}

/* Statistics of p's rows from..to. */
static ent_statistics *statistics_of_part(problem *p, size_t from, size_t to, const double *shift) {
  ent_memory_rows memory = p->memory;
  memory.all.rows = to - from;
  memory.all.x += from * p->inputs;
  memory.all.y += from * p->targets;
  memory.all.weights += from;
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_statistics *s = NULL;
  assert_int_equal(ent_statistics_create(NULL, p->features, p->targets, shift, &s), ENTROPIC_OK);
  assert_int_equal(ent_statistics_collect(NULL, s, &p->map, &rows, ENT_GRADE_EXACT), ENTROPIC_OK);
  return s;
}

static void merge_and_forget(void **state) {
  (void)state;
  static const double shift_a[] = {5, 1}, shift_b[] = {7, -100};
  problem p = problem_start(300, 3, 40, 0, 2, WEIGHTED);
  ent_statistics *first = statistics_of_part(&p, 0, 200, shift_a), *last = statistics_of_part(&p, 200, 300, shift_a);
  ent_statistics *other = statistics_of_part(&p, 200, 300, shift_b);
  assert_statistics(&p, first, first_rows, ENT_GRADE_EXACT);
  assert_statistics(&p, last, last_rows, ENT_GRADE_EXACT);
  assert_int_equal(ent_statistics_add(NULL, first, 1, last), ENTROPIC_OK);
  assert_statistics(&p, first, every_row, ENT_GRADE_EXACT);
  assert_int_equal(ent_statistics_add(NULL, first, -1, last), ENTROPIC_OK);
  assert_int_equal(first->rows, 200 - 29);
  ent_statistics *fresh = statistics_of_part(&p, 0, 200, shift_a);
  for (size_t i = 0; i < fresh->size * fresh->size; i++)
    assert_close(first->gram[i], fresh->gram[i], 1e-10);
  /* Another shift of the targets: as if it had been the same. */
  assert_int_equal(ent_statistics_add(NULL, fresh, 1, other), ENTROPIC_OK);
  assert_int_equal(ent_statistics_add(NULL, first, 1, last), ENTROPIC_OK);
  for (size_t i = 0; i < fresh->size * fresh->size; i++)
    assert_close(fresh->gram[i], first->gram[i], 1e-8);
  ent_statistics_free(first);
  ent_statistics_free(last);
  ent_statistics_free(other);
  ent_statistics_free(fresh);
  problem_stop(&p);
}

static size_t by_thirds(void *user, size_t row) {
  size_t *calls = user;
  (*calls)++;
  return row % 4; /* rows of the fourth kind belong to no fold */
}

static bool fold_0(size_t row) {
  return row % 4 == 0;
}
static bool fold_1(size_t row) {
  return row % 4 == 1;
}
static bool fold_2(size_t row) {
  return row % 4 == 2;
}

static void folds(void **state) {
  (void)state;
  static const row_filter filters[] = {fold_0, fold_1, fold_2};
  problem p = problem_start(1000, 3, 30, 0, 1, WEIGHTED);
  ent_statistics *parts[3];
  for (size_t k = 0; k < 3; k++)
    assert_int_equal(ent_statistics_create(NULL, p.features, 1, NULL, &parts[k]), ENTROPIC_OK);
  size_t calls = 0;
  assert_int_equal(ent_statistics_collect_folds(
                       NULL,
                       &(ent_statistics_folds){.statistics = parts, .count = 3, .fold = by_thirds, .user = &calls},
                       &p.map, rows_of(&p), &(ent_collect_options){.grade = ENT_GRADE_ORDER_FREE}),
                   ENTROPIC_OK);
  assert_int_equal(calls, 1000);
  for (size_t k = 0; k < COUNT(filters); k++) {
    assert_statistics(&p, parts[k], filters[k], ENT_GRADE_ORDER_FREE);
    ent_statistics_free(parts[k]);
  }
  problem_stop(&p);
}

static size_t by_halves(void *user, size_t row) {
  size_t *count = user;
  return row * 7 % *count;
}

/* The total is the integer sum of the folds: the same bytes as a collection of all rows. The folds fill more than one block
 * each, and sums of all rows may be more than 64 bits can take. */
static void totals_of_folds(void **state) {
  (void)state;
  static const double shift[] = {5.25};
  const size_t rows[] = {100, rounds(5000), 70001};
  for (size_t i = 0; i < COUNT(rows); i++)
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++)
      for (size_t count = 1; count <= 5; count += 4) {
        problem p = problem_start(rows[i], 2, i == 1 ? 60 : 5, 0, 1, WEIGHTED);
        ent_statistics *parts[5], *total = NULL, *all = statistics_of(&p, 1, (ent_grade)grade, shift), *sum = NULL;
        for (size_t k = 0; k < count; k++)
          assert_int_equal(ent_statistics_create(NULL, p.features, 1, shift, &parts[k]), ENTROPIC_OK);
        assert_int_equal(ent_statistics_create(NULL, p.features, 1, shift, &total), ENTROPIC_OK);
        assert_int_equal(ent_statistics_create(NULL, p.features, 1, shift, &sum), ENTROPIC_OK);
        ent_statistics_folds folds = {
            .statistics = parts, .count = count, .fold = by_halves, .user = &count, .total = total};
        ent_collect_options options = {.grade = (ent_grade)grade};
        assert_int_equal(ent_statistics_collect_folds(NULL, &folds, &p.map, rows_of(&p), &options), ENTROPIC_OK);
        assert_same_statistics(total, all);
        for (size_t k = 0; k < count; k++) {
          assert_int_equal(ent_statistics_add(NULL, sum, 1, parts[k]), ENTROPIC_OK);
          ent_statistics_free(parts[k]);
        }
        assert_int_equal(sum->rows, all->rows);
        for (size_t b = 0; b < all->size; b++)
          for (size_t a = 0; a <= b; a++)
            assert_close(ent_product(sum, a, b), ent_product(all, a, b), 1e-10 * (double)p.rows);
        ent_statistics_free(total);
        ent_statistics_free(all);
        ent_statistics_free(sum);
        problem_stop(&p);
      }
}

static void refuse_what_is_wrong(void **state) {
  (void)state;
  entropic_context *context = context_with(2);
  problem p = problem_start(400, 3, 20, 0, 2, WEIGHTED);
  ent_statistics *s = NULL, *other = NULL;
  ASSERT_OK(context, ent_statistics_create(context, p.features, 2, NULL, &s));
  ASSERT_OK(context, ent_statistics_create(context, p.features, 1, NULL, &other));
  assert_int_equal(ent_statistics_collect(context, other, &p.map, rows_of(&p), ENT_GRADE_EXACT), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "do not match");
  assert_int_equal(ent_statistics_add(context, s, 1, other), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "do not match");
  struct {
    double *place, value;
    const char *message;
  } wrong[] = {{&p.x[301 * 3 + 1], NAN, "row 302, column 2"},
               {&p.x[5 * 3], INFINITY, "row 6, column 1"},
               {&p.y[399 * 2 + 1], NAN, "row 400, target 2"},
               {&p.weights[17], -1, "row 18: the weight -1"},
               {&p.weights[18], NAN, "row 19: the weight"},
               {&p.weights[0], INFINITY, "row 1: the weight inf"},
               {&p.y[7 * 2], 1e200, "target 1 can be as large as 2^"},
               {&p.weights[9], 1e308, "a row has the weight 1e+308; expected at most"}};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    double before = *wrong[i].place;
    *wrong[i].place = wrong[i].value;
    assert_int_equal(ent_statistics_collect(context, s, &p.map, rows_of(&p), ENT_GRADE_EXACT), ENTROPIC_BAD_DATA);
    assert_message(context, wrong[i].message);
    for (size_t k = 0; k < s->size * s->size; k++)
      assert_true(s->gram[k] == 0);
    assert_true(s->weight == 0 && s->rows == 0);
    *wrong[i].place = before;
  }
  assert_int_equal(ent_statistics_create(context, SIZE_MAX / 2, 1, NULL, &s), ENTROPIC_NO_MEMORY);
  ent_statistics_free(s);
  ent_statistics_free(other);
  ent_statistics_free(NULL);
  problem_stop(&p);
  entropic_context_free(context);
}

static void maps_describe_themselves(void **state) {
  (void)state;
  problem p = problem_start(1, 3, 20, 0, 1, ALL_ONE);
  char text[100], cut[10];
  p.map.calls->describe(p.map.self, text, sizeof text);
  assert_non_null(strstr(text, "20 entropic optimal features of 3 inputs"));
  p.map.calls->describe(p.map.self, cut, sizeof cut);
  assert_int_equal(strlen(cut), 9);
  problem_stop(&p);
}

/* All but the products among features that are known already. */
static void extended_equals_collected(void **state) {
  (void)state;
  entropic_context *context = context_with(2);
  for (size_t i = 0; i < COUNT(shapes); i++)
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
      problem p = problem_start(900, shapes[i].inputs, shapes[i].features, shapes[i].nonzeros, shapes[i].targets,
                                i == 0 ? WEIGHTED : ALL_ONE);
      ent_statistics *all = statistics_of(&p, 2, (ent_grade)grade, NULL);
      const size_t known[] = {0, 1, 47, 48, 65, p.features / 2, p.features - 1, p.features};
      for (size_t k = 0; k < COUNT(known); k++) {
        ent_statistics *s = NULL;
        ASSERT_OK(context, ent_statistics_create(context, p.features, p.targets, NULL, &s));
        ASSERT_OK(context, ent_statistics_extend(context, s, known[k], &p.map, rows_of(&p), (ent_grade)grade));
        assert_memory_equal(&s->weight, &all->weight, sizeof s->weight);
        assert_int_equal(s->rows, all->rows);
        for (size_t b = known[k]; b < s->size; b++)
          assert_memory_equal(s->gram + b * s->size, all->gram + b * s->size, (b + 1) * sizeof *s->gram);
        ent_statistics_free(s);
      }
      ent_statistics_free(all);
      problem_stop(&p);
    }
  entropic_context_free(context);
}

static size_t tiles;

static void count_tile(const void *a, const void *b, const ent_fixed_extent *extent, size_t rows, int64_t *sums,
                       int64_t *high) {
  tiles++;
  ent_fixed_narrow_reference.tile(a, b, extent, rows, sums, high);
}

/* Two panels of known features and three of others and the rest: three of 15 pairs are not multiplied. */
static void known_products_are_not_computed(void **state) {
  (void)state;
  ent_fixed_code counting = ent_fixed_narrow_reference;
  counting.tile = count_tile;
  problem p = problem_start(100, 4, 200, 0, 1, ALL_ONE);
  assert_true(p.features > 192 && p.features + 3 <= 240);
  for (size_t known = 0; known <= 96; known += 96) {
    ent_fixed_options fixed = {.full = 0, .dense = 0, .block_rows = 200, .code = &counting};
    ent_collect_options options = {.known = known, .fixed = &fixed};
    tiles = 0;
    ent_statistics_free(collected_by(&p, 1, &options, NULL));
    assert_int_equal(tiles, known == 0 ? 15 : 12);
  }
  problem_stop(&p);
}

SUITE(solve_statistics) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_their_definition),
      cmocka_unit_test(heavy_tails_keep_their_accuracy),
      cmocka_unit_test(heavy_weights_keep_their_accuracy),
      cmocka_unit_test(many_rows),
      cmocka_unit_test(same_bytes_however_they_are_collected),
      cmocka_unit_test(extended_equals_collected),
      cmocka_unit_test(known_products_are_not_computed),
      cmocka_unit_test(merge_and_forget),
      cmocka_unit_test(folds),
      cmocka_unit_test(totals_of_folds),
      cmocka_unit_test(refuse_what_is_wrong),
      cmocka_unit_test(maps_describe_themselves),
  };
  return cmocka_run_group_tests_name("learn_statistics", tests, NULL, NULL);
}

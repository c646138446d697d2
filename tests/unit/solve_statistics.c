/* Sufficient statistics against their definition; sums, shifts, folds, threads and refusals. */
#include "unit/learning.h"

/* Column c of [Z, 1, Y - shift] at a row. */
static long double column_at(const problem *p, const ent_statistics *s, size_t row, size_t c) {
  if (c < p->features)
    return (long double)p->z[row * p->features + c];
  if (c == p->features)
    return 1;
  size_t t = c - p->features - 1;
  return (long double)p->y[row * p->targets + t] - (long double)s->shift[t];
}

static void assert_statistics(const problem *p, const ent_statistics *s, row_filter counts) {
  long double weight = 0;
  size_t rows = 0;
  for (size_t r = 0; r < p->rows; r++)
    if (counts(r)) {
      weight += (long double)p->weights[r];
      rows += p->weights[r] > 0;
    }
  assert_close(s->weight, weight, 1e-12 * (double)weight);
  assert_int_equal(s->rows, rows);
  for (size_t b = 0; b < s->size; b++)
    for (size_t a = 0; a <= b; a++) {
      long double sum = 0, size = 0;
      for (size_t r = 0; r < p->rows; r++)
        if (counts(r)) {
          long double term = (long double)p->weights[r] * column_at(p, s, r, a) * column_at(p, s, r, b);
          sum += term;
          size += fabsl(term);
        }
      assert_close(ent_product(s, a, b), sum, 1e-14 * (double)size + 1e-300);
    }
}

static void equal_their_definition(void **state) {
  (void)state;
  static const double shift[] = {5.5, -3};
  const size_t rows[] = {1, 255, 257, 257 + rounds(571)};
  for (size_t i = 0; i < COUNT(rows); i++)
    for (int path = ENT_GRAM_DENSE; path <= ENT_GRAM_BLAS; path++)
      for (int kind = ALL_ONE; kind <= WEIGHTED; kind++) {
        problem p = problem_start(rows[i], 3, 70, 0, 2, (problem_kind)kind);
        ent_statistics *s = statistics_of(&p, 2, (ent_gram_method)path, kind == WEIGHTED ? shift : NULL);
        assert_statistics(&p, s, every_row);
        ent_statistics_free(s);
        problem_stop(&p);
      }
}

/* Rows that are truly sparse, in more than one stripe, tile and block. */
static void sparse_equals_dense(void **state) {
  (void)state;
  problem p = problem_start(rounds(9000), 1, 0, 13, 1, WEIGHTED);
  assert_true(p.features > 1000);
  ent_statistics *dense = statistics_of(&p, 2, ENT_GRAM_DENSE, NULL);
  ent_statistics *sparse = statistics_of(&p, 2, ENT_GRAM_SPARSE, NULL);
  for (size_t b = 0; b < dense->size; b++)
    for (size_t a = 0; a <= b; a++)
      assert_close(ent_product(sparse, a, b), ent_product(dense, a, b), 1e-12 * (1 + fabs(ent_product(dense, a, b))));
  assert_int_equal(ent_gram_method_choice(&p.map, 1), ENT_GRAM_SPARSE);
  ent_statistics_free(dense);
  ent_statistics_free(sparse);
  problem_stop(&p);
  p = problem_start(10, 10, 300, 0, 1, ALL_ONE);
  assert_int_equal(ent_gram_method_choice(&p.map, 1), ENT_GRAM_DENSE);
  problem_stop(&p);
}

static void same_bits_on_all_threads(void **state) {
  (void)state;
  problem p = problem_start(rounds(9001), 4, 20 + rounds(280), 0, 2, WEIGHTED);
  for (int path = ENT_GRAM_DENSE; path <= ENT_GRAM_BLAS; path++) {
    ent_statistics *one = statistics_of(&p, 1, (ent_gram_method)path, NULL);
    for (int threads = 2; threads <= 8; threads++) {
      ent_statistics *many = statistics_of(&p, threads, (ent_gram_method)path, NULL);
      assert_memory_equal(many->gram, one->gram, one->size * one->size * sizeof *one->gram);
      assert_memory_equal(&many->weight, &one->weight, sizeof one->weight);
      ent_statistics_free(many);
    }
    ent_statistics_free(one);
  }
  problem_stop(&p);
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
  assert_int_equal(ent_statistics_collect(NULL, s, &p->map, &rows, ENT_GRAM_AUTO), ENTROPIC_OK);
  return s;
}

static void merge_and_forget(void **state) {
  (void)state;
  static const double shift_a[] = {5, 1}, shift_b[] = {7, -100};
  problem p = problem_start(300, 3, 40, 0, 2, WEIGHTED);
  ent_statistics *first = statistics_of_part(&p, 0, 200, shift_a), *last = statistics_of_part(&p, 200, 300, shift_a);
  ent_statistics *other = statistics_of_part(&p, 200, 300, shift_b);
  assert_statistics(&p, first, first_rows);
  assert_statistics(&p, last, last_rows);
  assert_int_equal(ent_statistics_add(NULL, first, 1, last), ENTROPIC_OK);
  assert_statistics(&p, first, every_row);
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
                       &p.map, rows_of(&p), ENT_GRAM_AUTO),
                   ENTROPIC_OK);
  assert_int_equal(calls, 1000);
  for (size_t k = 0; k < COUNT(filters); k++) {
    assert_statistics(&p, parts[k], filters[k]);
    ent_statistics_free(parts[k]);
  }
  problem_stop(&p);
}

/* Folds that fill more than one block each. */
static void folds_of_many_rows(void **state) {
  (void)state;
  problem p = problem_start(4 * rounds(5000), 2, 20, 0, 1, ALL_ONE);
  ent_statistics *parts[2], *all = statistics_of(&p, 1, ENT_GRAM_AUTO, NULL);
  for (size_t k = 0; k < 2; k++)
    assert_int_equal(ent_statistics_create(NULL, p.features, 1, NULL, &parts[k]), ENTROPIC_OK);
  size_t calls = 0;
  assert_int_equal(ent_statistics_collect_folds(
                       NULL,
                       &(ent_statistics_folds){.statistics = parts, .count = 2, .fold = by_thirds, .user = &calls},
                       &p.map, rows_of(&p), ENT_GRAM_AUTO),
                   ENTROPIC_OK);
  assert_int_equal(parts[0]->rows + parts[1]->rows, p.rows / 2);
  assert_statistics(&p, parts[1], fold_1);
  assert_true(all->weight == (double)p.rows);
  ent_statistics_free(parts[0]);
  ent_statistics_free(parts[1]);
  ent_statistics_free(all);
  problem_stop(&p);
}

static void refuse_what_is_wrong(void **state) {
  (void)state;
  entropic_context *context = context_with(2);
  problem p = problem_start(400, 3, 20, 0, 2, WEIGHTED);
  ent_statistics *s = NULL, *other = NULL;
  ASSERT_OK(context, ent_statistics_create(context, p.features, 2, NULL, &s));
  ASSERT_OK(context, ent_statistics_create(context, p.features, 1, NULL, &other));
  assert_int_equal(ent_statistics_collect(context, other, &p.map, rows_of(&p), ENT_GRAM_AUTO), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "do not go together");
  assert_int_equal(ent_statistics_add(context, s, 1, other), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "do not go with");
  struct {
    double *place, value;
    const char *message;
  } wrong[] = {{&p.x[301 * 3 + 1], NAN, "row 302, column 2"}, {&p.x[5 * 3], INFINITY, "row 6, column 1"},
               {&p.y[399 * 2 + 1], NAN, "row 400, target 2"}, {&p.weights[17], -1, "row 18: the weight -1"},
               {&p.weights[18], NAN, "row 19: the weight"},   {&p.weights[0], INFINITY, "row 1: the weight inf"}};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    double before = *wrong[i].place;
    *wrong[i].place = wrong[i].value;
    assert_int_equal(ent_statistics_collect(context, s, &p.map, rows_of(&p), ENT_GRAM_AUTO), ENTROPIC_BAD_DATA);
    assert_message(context, wrong[i].message);
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
  static const double shift[] = {5.5, -3};
  static const size_t features[] = {70, 300};
  entropic_context *context = context_with(2);
  for (size_t i = 0; i < COUNT(features); i++)
    for (int path = ENT_GRAM_AUTO; path <= ENT_GRAM_BLAS; path++)
      for (int kind = ALL_ONE; kind <= WEIGHTED; kind++) {
        problem p = problem_start(900, 3, features[i], 0, 2, (problem_kind)kind);
        ent_statistics *all = statistics_of(&p, 2, (ent_gram_method)path, shift);
        const size_t known[] = {0, 1, 17, 64, 65, p.features - 1, p.features};
        for (size_t k = 0; k < COUNT(known); k++) {
          ent_statistics *s = NULL;
          ASSERT_OK(context, ent_statistics_create(context, p.features, p.targets, shift, &s));
          ASSERT_OK(context, ent_statistics_extend(context, s, known[k], &p.map, rows_of(&p), (ent_gram_method)path));
          assert_close(s->weight, all->weight, 1e-13 * all->weight);
          assert_int_equal(s->rows, all->rows);
          for (size_t b = known[k]; b < s->size; b++)
            for (size_t a = 0; a <= b; a++)
              assert_close(ent_product(s, a, b), ent_product(all, a, b), 1e-11 * (1 + fabs(ent_product(all, a, b))));
          ent_statistics_free(s);
        }
        ent_statistics_free(all);
        problem_stop(&p);
      }
  entropic_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_their_definition),   cmocka_unit_test(sparse_equals_dense),
      cmocka_unit_test(same_bits_on_all_threads), cmocka_unit_test(extended_equals_collected),
      cmocka_unit_test(merge_and_forget),         cmocka_unit_test(folds),
      cmocka_unit_test(folds_of_many_rows),       cmocka_unit_test(refuse_what_is_wrong),
      cmocka_unit_test(maps_describe_themselves),
  };
  return cmocka_run_group_tests_name("learn_statistics", tests, NULL, NULL);
}

/* Collected fixed-point statistics: the same bytes for every code, layout, block, order of rows, and number of threads. */
#include "unit/fixed_rows.h"

#include "base/progress.h"
#include "unit/learning.h"

#include "unit/fixture.h"

/* Every code, each with some thresholds, against the definition. */
static void check_codes(fixed_rows *p, ent_grade grade, size_t block_rows) {
  static const double thresholds[][2] = {{2, 2}, {0, 0}, {2, 0}, {0.7, 0.04}, {0.3, 0.3}, {0.9, 0.2}};
  const ent_fixed_code *codes[ENT_FIXED_MOST_CODES];
  size_t count = ent_fixed_codes(grade, codes);
  ent_fixed *expected = plain_fixed(context, p, grade, 0, p->rows);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < COUNT(thresholds); k++) {
      ent_fixed_options options = {
          .full = thresholds[k][0], .dense = thresholds[k][1], .block_rows = block_rows, .code = codes[i]};
      ent_fixed *fixed = collected(context, p, grade, &options);
      assert_same_bytes(fixed, expected);
      ent_fixed_free(fixed);
    }
  ent_fixed_free(expected);
}

static void all_codes_and_layouts_give_the_same_bytes(void **state) {
  (void)state;
  static const size_t columns[] = {0, 1, 46, 47, 150, 200}, blocks[] = {1, 37, 128, 512};
  static const size_t rows[] = {0, 1, 127, 129, 600};
  for (size_t c = 0; c < COUNT(columns); c++)
    for (size_t n = 0; n < COUNT(rows); n++)
      for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
        fixed_rows p;
        fixed_rows_start(&p, rows[n], rows[n] + 1, columns[c], c % 3, -1);
        if (n % 2 == 0)
          lift_compressed(&p);
        check_codes(&p, (ent_grade)grade, blocks[(c + n) % COUNT(blocks)]);
        fixed_rows_stop(&p);
      }
}

static void any_density_gives_the_same_bytes(void **state) {
  (void)state;
  static const double densities[] = {0, 0.002, 0.02, 0.1, 0.45, 1};
  for (size_t i = 0; i < COUNT(densities); i++)
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
      fixed_rows p;
      fixed_rows_start(&p, 300, 300, 120, 1, densities[i]);
      lift_compressed(&p);
      check_codes(&p, (ent_grade)grade, 100 + 50 * i);
      fixed_rows_stop(&p);
    }
}

static void any_order_of_rows_gives_the_same_bytes(void **state) {
  (void)state;
  fixed_rows p;
  fixed_rows_start(&p, 1100, 1100, 130, 1, -1);
  p.memory.all.weights = NULL; /* rows are told apart by x alone, so targets must go with them */
  entropic_random random = entropic_random_start(9, 9);
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    ent_fixed *expected = collected(context, &p, (ent_grade)grade, NULL);
    for (int order = 0; order < 20; order++) {
      for (size_t i = p.rows; i-- > 1;) {
        size_t other = (size_t)(entropic_random_uniform(&random) * (double)(i + 1));
        double x = p.x[i], y = p.y[i];
        p.x[i] = p.x[other];
        p.y[i] = p.y[other];
        p.x[other] = x;
        p.y[other] = y;
      }
      ent_fixed *fixed = collected(context, &p, (ent_grade)grade, NULL);
      assert_same_bytes(fixed, expected);
      ent_fixed_free(fixed);
    }
    ent_fixed_free(expected);
  }
  fixed_rows_stop(&p);
}

static void any_number_of_threads_gives_the_same_bytes(void **state) {
  (void)state;
  fixed_rows p;
  fixed_rows_start(&p, 5000, 700, 210, 2, -1);
  lift_compressed(&p);
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    ent_fixed *expected = plain_fixed(context, &p, (ent_grade)grade, 0, p.rows);
    for (int threads = 1; threads <= 8; threads *= 2)
      for (size_t block_rows = 100; block_rows <= 500; block_rows += 200) {
        entropic_context *own = context_with(threads);
        ent_fixed_options options = ent_fixed_options_default((ent_grade)grade);
        options.block_rows = block_rows;
        options.dense = 0.1;
        ent_fixed *fixed = collected(own, &p, (ent_grade)grade, &options);
        assert_same_bytes(fixed, expected);
        ent_fixed_free(fixed);
        entropic_context_free(own);
      }
    ent_fixed_free(expected);
  }
  fixed_rows_stop(&p);
}

/* Shards collected by different codes, merged in turn, then forgotten again. */
static void shards_of_different_codes_go_together(void **state) {
  (void)state;
  fixed_rows p;
  fixed_rows_start(&p, 900, 900, 60, 1, -1);
  const ent_fixed_code *codes[ENT_FIXED_MOST_CODES];
  size_t count = ent_fixed_codes(ENT_GRADE_EXACT, codes);
  ent_fixed *expected = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, p.rows);
  ent_fixed *sum = no_fixed_rows(context, &p, ENT_GRADE_EXACT), *none = no_fixed_rows(context, &p, ENT_GRADE_EXACT);
  ent_memory_rows all = p.memory;
  for (int sign = 1; sign >= -1; sign -= 2) {
    for (size_t k = 0; k < 9; k++) {
      ent_fixed_options options = ent_fixed_options_default(ENT_GRADE_EXACT);
      options.code = codes[(k + (sign < 0)) % count];
      p.memory.all.rows = 100;
      p.memory.all.x = all.all.x + 100 * k;
      p.memory.all.y = all.all.y + 100 * k;
      p.memory.all.weights = all.all.weights + 100 * k;
      ent_fixed *shard = collected(context, &p, ENT_GRADE_EXACT, &options);
      ASSERT_OK(context, sign > 0 ? ent_fixed_add(context, sum, shard) : ent_fixed_subtract(context, sum, shard));
      ent_fixed_free(shard);
    }
    assert_same_bytes(sum, sign > 0 ? expected : none);
  }
  ent_fixed_free(expected);
  ent_fixed_free(sum);
  ent_fixed_free(none);
  fixed_rows_stop(&p);
}

/* All values at the scale, plus or minus: sums are as large as they can be, over up to 2^20 rows. */
static void nothing_overflows(void **state) {
  (void)state;
  const size_t features = 50;
  const ent_fixed_code *codes[ENT_FIXED_MOST_CODES];
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++)
    for (size_t i = 0, count = ent_fixed_codes((ent_grade)grade, codes); i < count; i++)
      for (int way = ENT_FIXED_TILE; way <= ENT_FIXED_SCATTER; way++) {
        if (i > 0 && rounds(100) < 100 && strstr(codes[i]->name, "reference") != NULL)
          continue;
        /* Sums are flushed after 2^16 rows, so a few more are enough where it would take long. */
        bool short_way = i > 0 || way == ENT_FIXED_SCATTER || rounds(100) < 100;
        const size_t rows = short_way ? ENT_FIXED_SUM_ROWS + 777 : (size_t)1 << 20;
        fixed_rows p;
        fixed_rows_start(&p, rows, 1, features, 0, 1);
        p.memory.all.weights = NULL;
        p.memory.all.y = NULL;
        p.exponents[features] = 0;
        for (size_t j = 0; j < features; j++)
          p.z[j] = (j % 3 == 1 ? -1 : 1) * ldexp(1, p.exponents[j]);
        ent_fixed_options options = ent_fixed_options_default((ent_grade)grade);
        options.code = codes[i];
        options.full = way == ENT_FIXED_TILE ? 0 : 2;
        options.dense = way == ENT_FIXED_SCATTER ? 2 : 0;
        ent_fixed *fixed = collected(context, &p, (ent_grade)grade, &options);
        ent_int128 unit = (ent_int128)1 << (2 * ent_grade_bits((ent_grade)grade));
        for (size_t b = 0; b <= features; b++)
          for (size_t a = 0; a <= b; a++) {
            bool same = (a % 3 == 1 && a < features) == (b % 3 == 1 && b < features);
            assert_true(fixed->totals[ent_fixed_index(a, b)] == (same ? unit : -unit) * (ent_int128)rows);
          }
        assert_int_equal(fixed->rows, rows);
        ent_fixed_free(fixed);
        fixed_rows_stop(&p);
      }
}

/* Panels, lists and sums for the loops alone. */
enum { ROWS = ENT_FIXED_BLOCK_ROWS, PANEL = ENT_FIXED_PANEL };
static _Alignas(64) int32_t narrow_panel[ROWS * PANEL], narrow_list[ROWS];
static _Alignas(64) double double_panel[ROWS * PANEL];
static _Alignas(64) uint64_t wide_panel[ROWS * PANEL], wide_list[ROWS];
static _Alignas(64) int64_t low_sums[PANEL * PANEL], high_sums[PANEL * PANEL];

static ent_int128 sum_at(size_t i) {
  return (ent_int128)high_sums[i] * ((ent_int128)1 << ENT_FIXED_LOW_BITS) + low_sums[i];
}

/* Every word of the panel is `word`, every non-zero of the list `value`, negative or not. */
static void check_code(const ent_fixed_code *code, bool negative, int64_t word, int64_t value) {
  static uint16_t offsets[ROWS];
  for (size_t r = 0; r < ROWS; r++)
    offsets[r] = (uint16_t)(r * PANEL);
  const uint32_t counts[] = {negative ? 0 : ROWS}, negatives[] = {negative ? ROWS : 0};
  ent_fixed_lists lists = {.values = code->wide ? (const void *)wide_list : narrow_list,
                           .offsets = offsets,
                           .stride = ROWS,
                           .counts = counts,
                           .negatives = negatives};
  memset(low_sums, 0, sizeof low_sums);
  memset(high_sums, 0, sizeof high_sums);
  code->axpy(&lists, 1, code->wide ? (const void *)wide_panel : narrow_panel, low_sums, high_sums);
  for (size_t i = 0; i < PANEL * PANEL; i++) {
    ent_int128 sum = (ent_int128)word * (negative ? -value : value) * ROWS;
    assert_true(sum_at(i) == (i < PANEL ? sum : 0));
    assert_true(!code->wide || (low_sums[i] >= 0 && low_sums[i] < INT64_C(1) << ENT_FIXED_LOW_BITS));
  }
  memset(low_sums, 0, sizeof low_sums);
  memset(high_sums, 0, sizeof high_sums);
  const void *panel = code->wide ? (const void *)wide_panel : double_panel;
  code->tile(panel, panel, &(ent_fixed_extent){PANEL, PANEL, false}, ROWS, low_sums, high_sums);
  for (size_t i = 0; i < PANEL * PANEL; i++)
    assert_true(sum_at(i) == (ent_int128)word * word * ROWS);
}

/* The largest words, and those that are smaller by 1: their products are odd, so that every bit of the sums counts. */
static void codes_take_the_largest_words(void **state) {
  (void)state;
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    const ent_fixed_code *codes[ENT_FIXED_MOST_CODES];
    for (size_t i = 0, count = ent_fixed_codes((ent_grade)grade, codes); i < count; i++)
      for (int less = 0; less <= 1; less++) {
        bool wide_code = codes[i]->wide;
        int64_t word = wide_code ? (INT64_C(1) << 46) - less : less - (1 << 23);
        int64_t value = wide_code ? (INT64_C(1) << 45) - less : (1 << 23) - less;
        for (size_t k = 0; k < ROWS * PANEL; k++) {
          narrow_panel[k] = (int32_t)word;
          double_panel[k] = (double)word;
          wide_panel[k] = (uint64_t)word;
        }
        for (size_t r = 0; r < ROWS; r++) {
          narrow_list[r] = (int32_t)value;
          wide_list[r] = (uint64_t)value;
        }
        check_code(codes[i], false, word, value);
        if (wide_code)
          check_code(codes[i], true, word, value);
      }
  }
}

/* A feature beyond its scale, in each way to pack it: full columns, lists, dense and compressed rows. */
static void features_beyond_their_scale_are_refused(void **state) {
  (void)state;
  static const double wrong[] = {0.5000001, -0.51, INFINITY, NAN}, thresholds[][2] = {{0, 0}, {2, 0}, {2, 2}};
  fixed_rows p;
  fixed_rows_start(&p, 300, 300, 60, 1, 0.3);
  p.memory.all.weights = NULL;
  for (int compressed = 0; compressed <= 1; compressed++) {
    if (compressed)
      lift_compressed(&p);
    p.map.nonzeros += (size_t)compressed; /* for the wrong ones */
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
      const ent_fixed_code *codes[ENT_FIXED_MOST_CODES];
      for (size_t i = 0, count = ent_fixed_codes((ent_grade)grade, codes); i < count; i++)
        for (size_t k = 0; k < COUNT(thresholds) * COUNT(wrong); k++) {
          ent_fixed_options options = {
              .full = thresholds[k % 3][0], .dense = thresholds[k % 3][1], .block_rows = 200, .code = codes[i]};
          ent_fixed *fixed = no_fixed_rows(context, &p, (ent_grade)grade),
                    *none = no_fixed_rows(context, &p, (ent_grade)grade);
          double *value = &p.z[282 * p.features + 16], kept[9]; /* its scale is 2^-1 */
          for (size_t r = 0; r < COUNT(kept); r++) {
            kept[r] = value[r * p.features];
            value[r * p.features] = wrong[k / 3];
          }
          p.source = ent_rows_of_memory(&p.memory);
          assert_int_equal(ent_fixed_collect(context, fixed, &p.map, &p.source, &options), ENTROPIC_BAD_DATA);
          assert_message(context, "row 283, feature 17: ");
          assert_same_bytes(fixed, none);
          for (size_t r = 0; r < COUNT(kept); r++)
            value[r * p.features] = kept[r];
          ent_fixed_free(fixed);
          ent_fixed_free(none);
        }
    }
  }
  fixed_rows_stop(&p);
}

/* A value beyond its scale late in the rows: a message, and statistics as they were. */
static void a_failure_leaves_the_statistics_as_they_were(void **state) {
  (void)state;
  const size_t rows = 67000;
  fixed_rows p;
  fixed_rows_start(&p, rows, 300, 10, 1, 0.5);
  for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
    ent_fixed *fixed = plain_fixed(context, &p, (ent_grade)grade, 0, 20);
    ent_fixed *before = plain_fixed(context, &p, (ent_grade)grade, 0, 20);
    double kept = p.y[rows - 3];
    p.y[rows - 3] = 1e9;
    p.weights[rows - 3] = 1;
    p.source = ent_rows_of_memory(&p.memory);
    assert_int_equal(ent_fixed_collect(context, fixed, &p.map, &p.source, NULL), ENTROPIC_BAD_DATA);
    assert_message(context, "row 66998, target 1: ");
    assert_same_bytes(fixed, before);
    p.y[rows - 3] = kept;
    ASSERT_OK(context, ent_fixed_collect(context, fixed, &p.map, &p.source, NULL)); /* flushed once on the way */
    ent_fixed *all = plain_fixed(context, &p, (ent_grade)grade, 0, rows);
    ASSERT_OK(context, ent_fixed_subtract(context, fixed, before));
    assert_same_bytes(fixed, all);
    ent_fixed_free(all);
    ent_fixed_free(fixed);
    ent_fixed_free(before);
  }
  fixed_rows_stop(&p);
}

/* Says stop at the poll that it has been told to. */
static int stop_at(void *user, const char *stage, double done) {
  (void)stage, (void)done;
  size_t *polls = user;
  return *polls == 0 || --*polls == 0;
}

/* Cancelled at any poll, the statistics are as they were. */
static void cancelling_leaves_the_statistics_as_they_were(void **state) {
  (void)state;
  fixed_rows p;
  fixed_rows_start(&p, 900, 900, 60, 1, -1);
  entropic_context *own = context_with(1);
  ent_fixed *before = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, 9),
            *fixed = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, 9);
  entropic_status status = ENTROPIC_CANCELLED;
  size_t cancelled = 0;
  for (size_t at = 1; status == ENTROPIC_CANCELLED; at++) {
    size_t polls = at;
    ent_call call;
    assert_int_equal(entropic_context_set_progress(own, stop_at, &polls), ENTROPIC_OK);
    ent_call_begin(own, "collecting", &call);
    call.period = 0;
    ent_call_stay(&call);
    p.source = ent_rows_of_memory(&p.memory);
    status = ent_fixed_collect(own, fixed, &p.map, &p.source, NULL);
    ent_call_end(own);
    if (status != ENTROPIC_CANCELLED)
      continue;
    assert_same_bytes(fixed, before);
    cancelled++;
  }
  assert_int_equal(status, ENTROPIC_OK);
  assert_true(cancelled > 5);
  ASSERT_OK(context, ent_fixed_subtract(context, fixed, before));
  ent_fixed *all = plain_fixed(context, &p, ENT_GRADE_EXACT, 0, p.rows);
  assert_same_bytes(fixed, all);
  ent_fixed_free(all);
  ent_fixed_free(before);
  ent_fixed_free(fixed);
  entropic_context_free(own);
  fixed_rows_stop(&p);
}

/* Rows of a real lift, dense ones and compressed ones: close to statistics in doubles. */
static void lifted_rows_agree_with_doubles(void **state) {
  (void)state;
  static const double tolerances[ENT_GRADE_COUNT] = {1e-7, 1e-13};
  for (size_t nonzeros = 0; nonzeros <= 13; nonzeros += 13)
    for (int grade = 0; grade < ENT_GRADE_COUNT; grade++) {
      problem p = problem_start(1500, nonzeros > 0 ? 1 : 3, 70, nonzeros, 1, WEIGHTED);
      ent_statistics *expected = statistics_of(&p, 1, ENT_GRADE_EXACT, NULL);
      ent_fixed *fixed = NULL;
      int *exponents = calloc(p.features + 2, sizeof *exponents);
      for (size_t j = 0; j < p.features + 2; j++)
        exponents[j] = j > p.features ? 5 : 2;
      ent_fixed_shape shape = {.grade = (ent_grade)grade, .features = p.features, .targets = 1, .exponents = exponents};
      ASSERT_OK(context, ent_fixed_create(context, &shape, &fixed));
      ASSERT_OK(context, ent_fixed_collect(context, fixed, &p.map, rows_of(&p), NULL));
      assert_int_equal(fixed->rows, expected->rows);
      assert_close(fixed_product(fixed, p.features, p.features), expected->weight,
                   tolerances[grade] * expected->weight);
      for (size_t j = 0; j < fixed->size; j++)
        for (size_t i = 0; i <= j; i++) {
          double unit = ldexp(1, exponents[i] + exponents[j]) * (double)p.rows;
          assert_close(fixed_product(fixed, i, j), ent_product(expected, i, j), tolerances[grade] * unit);
        }
      free(exponents);
      ent_fixed_free(fixed);
      ent_statistics_free(expected);
      problem_stop(&p);
    }
}

static void wrong_arguments_are_refused(void **state) {
  (void)state;
  fixed_rows p;
  fixed_rows_start(&p, 20, 20, 4, 1, 1);
  ent_fixed *fixed = no_fixed_rows(context, &p, ENT_GRADE_EXACT);
  p.source = ent_rows_of_memory(&p.memory);
  ent_fixed_options options = ent_fixed_options_default(ENT_GRADE_EXACT);
  options.block_rows = 0;
  assert_int_equal(ent_fixed_collect(context, fixed, &p.map, &p.source, &options), ENTROPIC_BAD_ARGUMENT);
  options.block_rows = ENT_FIXED_BLOCK_ROWS + 1;
  assert_int_equal(ent_fixed_collect(context, fixed, &p.map, &p.source, &options), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "expected 1 to");
  options = ent_fixed_options_default(ENT_GRADE_ORDER_FREE);
  options.code = &ent_fixed_wide_reference;
  ent_fixed *narrow = no_fixed_rows(context, &p, ENT_GRADE_ORDER_FREE);
  assert_int_equal(ent_fixed_collect(context, narrow, &p.map, &p.source, &options), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "wide reference");
  p.map.features = 5;
  assert_int_equal(ent_fixed_collect(context, fixed, &p.map, &p.source, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "do not match");
  assert_int_equal(ent_fixed_collect(context, NULL, &p.map, &p.source, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_fixed_collect(context, fixed, NULL, &p.source, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_fixed_collect(context, fixed, &p.map, NULL, NULL), ENTROPIC_BAD_ARGUMENT);
  ent_fixed_free(fixed);
  ent_fixed_free(narrow);
  fixed_rows_stop(&p);
}

SUITE(solve_fixed_collect) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_codes_and_layouts_give_the_same_bytes),
                                     cmocka_unit_test(any_density_gives_the_same_bytes),
                                     cmocka_unit_test(any_order_of_rows_gives_the_same_bytes),
                                     cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
                                     cmocka_unit_test(shards_of_different_codes_go_together),
                                     cmocka_unit_test(nothing_overflows),
                                     cmocka_unit_test(codes_take_the_largest_words),
                                     cmocka_unit_test(features_beyond_their_scale_are_refused),
                                     cmocka_unit_test(a_failure_leaves_the_statistics_as_they_were),
                                     cmocka_unit_test(cancelling_leaves_the_statistics_as_they_were),
                                     cmocka_unit_test(lifted_rows_agree_with_doubles),
                                     cmocka_unit_test(wrong_arguments_are_refused)};
  return cmocka_run_group_tests(tests, start, stop);
}

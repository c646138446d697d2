/* Held-out test rows: shares of classes on both sides, groups, and chances of rows. */
#include "compare/holdout.h"

#include "unit/fixture.h"

#define SHARE 0.2
#define MOST_CLASSES 40

/* Holds out, checks that every row is on one side, ascending, and marks the test rows. */
static bool *hold_out(const ent_fold_options *split, double share, uint64_t seed, size_t *test_rows) {
  size_t *numbers = calloc(split->rows, sizeof *numbers), train = SIZE_MAX;
  bool *test = calloc(split->rows, sizeof *test), *seen = calloc(split->rows, sizeof *seen);
  ASSERT_OK(context, ent_holdout(context, split, share, seed, numbers, &train));
  assert_true(train <= split->rows);
  for (size_t i = 0; i < split->rows; i++) {
    assert_true(numbers[i] < split->rows && !seen[numbers[i]]);
    assert_true(i == 0 || i == train || numbers[i] > numbers[i - 1]);
    seen[numbers[i]] = true;
    test[numbers[i]] = i >= train;
  }
  *test_rows = split->rows - train;
  free(numbers);
  free(seen);
  return test;
}

/* Rows and test rows of each class. */
static void count_classes(const ent_fold_options *split, const bool *test, size_t *all, size_t *tested) {
  memset(all, 0, MOST_CLASSES * sizeof *all);
  memset(tested, 0, MOST_CLASSES * sizeof *tested);
  for (size_t r = 0; r < split->rows; r++) {
    all[(size_t)split->labels[r]]++;
    tested[(size_t)split->labels[r]] += test[r];
  }
}

/* Labels as tables have them: sorted, in turn, at random, or most of them alike. */
typedef enum label_order { SORTED, IN_TURN, AT_RANDOM, MOSTLY_ALIKE, LABEL_ORDERS } label_order;

static void fill_labels(label_order order, size_t rows, size_t classes, double *labels, entropic_random *random) {
  for (size_t r = 0; r < rows; r++)
    labels[r] = order == SORTED      ? floor((double)(r * classes) / (double)rows)
                : order == IN_TURN   ? (double)(r % classes)
                : order == AT_RANDOM ? (double)entropic_random_below(random, classes)
                                     : floor((double)classes * pow(entropic_random_uniform(random), 6));
}

/* On either side, of every class and of all: what its share is, rounded up or down. */
static void classes_have_their_share(void **state) {
  (void)state;
  static const size_t sizes[] = {5, 6, 7, 10, 23, 50, 99, 400, 999, 1000, 1001, 5000};
  static const double shares[] = {0.2, 0.1, 0.5, 1.0 / 3, 0.75};
  entropic_random random = entropic_random_start(1, 0);
  double *labels = calloc(5000, sizeof *labels);
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (size_t order = 0; order < LABEL_ORDERS; order++)
      for (size_t round = 0; round < 10; round++) {
        size_t rows = sizes[i], classes = round < 4 ? 2 : 2 + round * 4, test_rows, all[MOST_CLASSES],
               tested[MOST_CLASSES];
        double share = shares[round % 5];
        fill_labels((label_order)order, rows, classes, labels, &random);
        ent_fold_options split = {.rows = rows, .labels = labels, .classes = classes};
        bool *test = hold_out(&split, share, round, &test_rows);
        count_classes(&split, test, all, tested);
        for (size_t c = 0; c < classes; c++)
          assert_true(fabs((double)tested[c] - share * (double)all[c]) < 1);
        assert_true(fabs((double)test_rows - share * (double)rows) < 1);
        assert_true(test_rows >= 1 && test_rows < rows);
        free(test);
      }
  free(labels);
}

/* Every row is tested on as often as any other, wherever it stands and whatever its class. */
static void every_row_has_the_same_chance(void **state) {
  (void)state;
  enum { ROWS = 23, CLASSES = 5, RUNS = 4000 };
  static const double labels[ROWS] = {4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 0};
  for (int classes = 0; classes < 2; classes++) {
    ent_fold_options split = {.rows = ROWS, .labels = classes ? labels : NULL, .classes = classes ? CLASSES : 0};
    size_t often[ROWS] = {0}, test_rows;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
      bool *test = hold_out(&split, SHARE, seed, &test_rows);
      for (size_t r = 0; r < ROWS; r++)
        often[r] += test[r];
      free(test);
    }
    double deviation = sqrt(RUNS * SHARE * (1 - SHARE));
    for (size_t r = 0; r < ROWS; r++)
      assert_true(fabs((double)often[r] - RUNS * SHARE) <= 4 * deviation);
  }
}

/* Which rows of a class are tested on has nothing to do with the order of rows: neighbours are not taken together. */
static void seeds_decide(void **state) {
  (void)state;
  enum { ROWS = 1000 };
  double labels[ROWS];
  for (size_t r = 0; r < ROWS; r++)
    labels[r] = (double)(r % 2);
  ent_fold_options split = {.rows = ROWS, .labels = labels, .classes = 2};
  size_t rows, same = 0, pairs = 0;
  bool *first = hold_out(&split, SHARE, 7, &rows), *again = hold_out(&split, SHARE, 7, &rows);
  bool *other = hold_out(&split, SHARE, 8, &rows);
  assert_memory_equal(first, again, ROWS * sizeof *first);
  for (size_t r = 0; r < ROWS; r++) {
    same += first[r] && other[r];
    pairs += first[r] && r > 0 && first[r - 1];
  }
  assert_in_range(same, 20, 60); /* 40, give or take */
  assert_in_range(pairs, 20, 60);
  free(first);
  free(again);
  free(other);
}

/* One group for every `most` rows, of sizes 1 to most; pure: of one class each. */
static size_t fill_groups(size_t rows, size_t classes, size_t most, bool pure, double *labels, double *groups) {
  entropic_random random = entropic_random_start(rows, most);
  size_t count = 0;
  for (size_t r = 0; r < rows; count++) {
    size_t size = 1 + (size_t)entropic_random_below(&random, most);
    double label = (double)entropic_random_below(&random, classes);
    for (size_t i = 0; i < size && r < rows; i++, r++) {
      groups[r] = (double)count;
      labels[r] = pure ? label : (double)entropic_random_below(&random, classes);
    }
  }
  return count;
}

static void groups_stay_together(void **state) {
  (void)state;
  enum { ROWS = 600 };
  static const size_t most[] = {1, 2, 7, 30};
  double labels[ROWS], groups[ROWS];
  for (size_t i = 0; i < COUNT(most); i++)
    for (int pure = 0; pure < 2; pure++)
      for (size_t classes = 1; classes < 5; classes++)
        for (uint64_t seed = 0; seed < 5; seed++) {
          size_t all[MOST_CLASSES], tested[MOST_CLASSES], rows;
          size_t count = fill_groups(ROWS, classes, most[i], pure, labels, groups);
          ent_fold_options split = {.rows = ROWS, .labels = labels, .classes = classes, .groups = groups};
          bool *test = hold_out(&split, SHARE, seed, &rows), *again = hold_out(&split, SHARE, seed, &rows);
          assert_memory_equal(test, again, ROWS * sizeof *test);
          for (size_t r = 1; r < ROWS; r++)
            assert_true(groups[r] != groups[r - 1] || test[r] == test[r - 1]);
          count_classes(&split, test, all, tested);
          /* A group is taken as long as it brings its class nearer: half of one may be too few or too many. */
          double slack = pure || classes == 1 ? 0.5 * (double)most[i] : 0.1 * ROWS * SHARE + (double)most[i];
          for (size_t c = 0; c < classes; c++)
            assert_true(fabs((double)tested[c] - SHARE * (double)all[c]) <= slack + 1e-9);
          assert_true(count > 1 && rows > 0 && rows < ROWS);
          free(test);
          free(again);
        }
}

/* Where every group is too large, the one that is least so is tested on; of one group nothing is left to train on. */
static void large_groups(void **state) {
  (void)state;
  double groups[40] = {0};
  ent_fold_options split = {.rows = 40, .groups = groups};
  size_t rows;
  free(hold_out(&split, SHARE, 1, &rows));
  assert_int_equal(rows, 40);
  for (size_t r = 0; r < 40; r++)
    groups[r] = r < 18 ? 2 : 0; /* there is none of number 1 */
  for (uint64_t seed = 0; seed < 5; seed++) {
    bool *test = hold_out(&split, SHARE, seed, &rows);
    assert_int_equal(rows, 18);
    assert_true(test[0] && !test[39]);
    free(test);
  }
}

/* Tables too small for the share still have a row on either side, if they have two. */
static void tiny_tables(void **state) {
  (void)state;
  static const double labels[] = {0, 1, 0, 1};
  for (size_t rows = 2; rows <= 4; rows++)
    for (uint64_t seed = 0; seed < 50; seed++) {
      ent_fold_options split = {.rows = rows, .labels = labels, .classes = 2};
      size_t test_rows;
      free(hold_out(&split, 0.01, seed, &test_rows));
      assert_int_equal(test_rows, 1);
      free(hold_out(&split, 0.99, seed, &test_rows));
      assert_int_equal(test_rows, rows - 1);
    }
}

SUITE(compare_holdout) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(classes_have_their_share),
      cmocka_unit_test(every_row_has_the_same_chance),
      cmocka_unit_test(seeds_decide),
      cmocka_unit_test(groups_stay_together),
      cmocka_unit_test(large_groups),
      cmocka_unit_test(tiny_tables),
  };
  return cmocka_run_group_tests_name("compare_holdout", tests, start, stop);
}

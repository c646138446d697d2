/* Folds: how rows and groups are dealt out, subsets of rows, and statistics of the first features alone. */
#include "unit/learning.h"

#include "tune/folds.h"
#include "tune/row_subset.h"

#include "unit/fixture.h"

#define MOST_CLASSES 12
#define MOST_FOLDS 120

/* Deals, and checks what holds for every deal: numbers are in range and no fold is empty. */
static size_t *deal(const ent_fold_options *split, uint64_t seed, size_t wanted, size_t *folds) {
  size_t *fold_of = calloc(split->rows + 1, sizeof *fold_of), filled[MOST_FOLDS] = {0};
  *folds = wanted;
  ASSERT_OK(context, ent_folds_deal(context, split, seed, fold_of, folds));
  assert_in_range(*folds, 1, wanted);
  for (size_t r = 0; r < split->rows; r++) {
    assert_in_range(fold_of[r], 0, *folds - 1);
    filled[fold_of[r]]++;
  }
  for (size_t k = 0; k < *folds; k++)
    assert_true(filled[k] > 0);
  return fold_of;
}

/* The largest difference between folds in the number of rows of a class; any class if it is MOST_CLASSES. */
static size_t unevenness(const ent_fold_options *split, const size_t *fold_of, size_t folds, size_t class) {
  size_t counts[MOST_FOLDS] = {0}, least = SIZE_MAX, most = 0;
  for (size_t r = 0; r < split->rows; r++)
    counts[fold_of[r]] += class == MOST_CLASSES || (size_t)split->labels[r] == class;
  for (size_t k = 0; k < folds; k++) {
    least = counts[k] < least ? counts[k] : least;
    most = counts[k] > most ? counts[k] : most;
  }
  return most - least;
}

static void rows_are_spread_evenly(void **state) {
  (void)state;
  static const size_t rows[] = {2, 3, 5, 10, 11, 99, 100, 1234};
  static const size_t wanted[] = {2, 3, 5, 10, 100};
  for (size_t i = 0; i < COUNT(rows); i++)
    for (size_t j = 0; j < COUNT(wanted); j++) {
      ent_fold_options split = {.rows = rows[i]};
      size_t folds, *fold_of = deal(&split, 7, wanted[j], &folds);
      assert_int_equal(folds, rows[i] < wanted[j] ? rows[i] : wanted[j]);
      assert_true(unevenness(&split, fold_of, folds, MOST_CLASSES) <= 1);
      free(fold_of);
    }
}

static void classes_are_spread_evenly(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(3, 0);
  for (size_t round = 0; round < 40; round++) {
    size_t rows = 1 + (size_t)entropic_random_below(&random, 400);
    size_t classes = 2 + (size_t)entropic_random_below(&random, MOST_CLASSES - 2);
    double *labels = calloc(rows, sizeof *labels);
    for (size_t r = 0; r < rows; r++) /* some classes are rare, some do not occur */
      labels[r] = floor((double)classes * pow(entropic_random_uniform(&random), 4));
    ent_fold_options split = {.rows = rows, .labels = labels, .classes = classes};
    size_t folds, *fold_of = deal(&split, round, 2 + round % 9, &folds);
    for (size_t c = 0; c <= MOST_CLASSES; c++)
      assert_true(unevenness(&split, fold_of, folds, c) <= 1);
    free(fold_of);
    free(labels);
  }
}

/* The first folds may be all that is validated on: which classes are in them is chance, not their order. Here a class has
 * fewer rows than there are folds, and each fold in its turn has the same share of every class. */
static void first_folds_are_like_the_others(void **state) {
  (void)state;
  enum { ROWS = 60, CLASSES = 4, FOLDS = 40, RUNS = 2000, FIRST = 5 };
  double labels[ROWS], found[CLASSES] = {0}, all[CLASSES] = {0};
  for (size_t r = 0; r < ROWS; r++) {
    labels[r] = r < 30 ? 0 : r < 48 ? 1 : r < 57 ? 2 : 3;
    all[(size_t)labels[r]]++;
  }
  ent_fold_options split = {.rows = ROWS, .labels = labels, .classes = CLASSES};
  for (uint64_t seed = 0; seed < RUNS; seed++) {
    size_t folds, *fold_of = deal(&split, seed, FOLDS, &folds);
    for (size_t r = 0; r < ROWS; r++)
      found[(size_t)labels[r]] += fold_of[r] < FIRST;
    free(fold_of);
  }
  for (size_t c = 0; c < CLASSES; c++) {
    double expected = all[c] * FIRST / FOLDS * RUNS;
    assert_true(fabs(found[c] - expected) <= 4 * sqrt(expected));
  }
}

static void groups_stay_together(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(4, 0);
  for (size_t round = 0; round < 40; round++) {
    size_t rows = 20 + (size_t)entropic_random_below(&random, 500), most = 1 + (size_t)round / 2, groups = 0;
    double *labels = calloc(rows, sizeof *labels), *of = calloc(rows, sizeof *of);
    size_t sizes[64] = {0}, place[64], largest = 0, filled[MOST_FOLDS] = {0};
    for (size_t r = 0; r < rows; r++) { /* numbered in the order in which they appear, as data sets do it */
      size_t group = (size_t)entropic_random_below(&random, most);
      group = group > groups ? groups : group;
      groups += group == groups;
      of[r] = (double)group;
      largest = ++sizes[group] > largest ? sizes[group] : largest;
      labels[r] = (double)(r % 3);
    }
    ent_fold_options split = {.rows = rows, .labels = round % 2 == 0 ? labels : NULL, .classes = 3, .groups = of};
    size_t wanted = 2 + round % 7, folds, *fold_of = deal(&split, round, wanted, &folds);
    assert_int_equal(folds, groups < wanted ? groups : wanted);
    memset(place, -1, sizeof place);
    for (size_t r = 0; r < rows; r++) {
      size_t *at = &place[(size_t)of[r]];
      assert_true(*at == SIZE_MAX || *at == fold_of[r]);
      *at = fold_of[r];
      filled[fold_of[r]]++;
    }
    /* Each went where there was least: the fullest fold was at most the emptiest before its last group came. */
    for (size_t k = 0; k < folds; k++)
      for (size_t l = 0; l < folds; l++)
        assert_true(filled[k] <= filled[l] + largest);
    free(fold_of);
    free(labels);
    free(of);
  }
}

static void nothing_to_split(void **state) {
  (void)state;
  static const double zeros[50] = {0};
  ent_fold_options one_row = {.rows = 1}, one_group = {.rows = 50, .groups = zeros};
  ent_fold_options one_class = {.rows = 1, .labels = zeros, .classes = 2};
  size_t folds;
  free(deal(&one_row, 1, 5, &folds));
  assert_int_equal(folds, 1);
  free(deal(&one_group, 1, 5, &folds));
  assert_int_equal(folds, 1);
  free(deal(&one_class, 1, 5, &folds));
  assert_int_equal(folds, 1);
}

static void seeds_decide(void **state) {
  (void)state;
  double labels[200], groups[200];
  for (size_t r = 0; r < 200; r++) {
    labels[r] = (double)(r % 3);
    groups[r] = floor((double)r / 4);
  }
  ent_fold_options splits[] = {{.rows = 200},
                               {.rows = 200, .labels = labels, .classes = 3},
                               {.rows = 200, .labels = labels, .classes = 3, .groups = groups}};
  for (size_t i = 0; i < COUNT(splits); i++) {
    size_t folds, *first = deal(&splits[i], 1, 5, &folds), *same = deal(&splits[i], 1, 5, &folds);
    size_t *other = deal(&splits[i], 2, 5, &folds), moved = 0;
    assert_memory_equal(first, same, 200 * sizeof *first);
    for (size_t r = 0; r < 200; r++)
      moved += first[r] != other[r];
    assert_in_range(moved, 100, 190); /* 160 of 200, give or take */
    free(first);
    free(same);
    free(other);
  }
}

/* Some of the rows are dealt as if there were no others, which get no fold. */
static void some_rows_are_dealt(void **state) {
  (void)state;
  enum { ROWS = 150 };
  double labels[ROWS], groups[ROWS], own_labels[ROWS], own_groups[ROWS];
  size_t numbers[ROWS], fold_of[ROWS], renamed[ROWS], count = 0, next = 0;
  memset(renamed, -1, sizeof renamed);
  for (size_t r = 0; r < ROWS; r++) {
    labels[r] = (double)(r % 7 % 3);
    groups[r] = floor((double)r / 5);
    if (r / 5 % 4 == 1) /* whole groups are left out */
      continue;
    size_t *name = &renamed[r / 5];
    *name = *name == SIZE_MAX ? next++ : *name;
    own_labels[count] = labels[r];
    own_groups[count] = (double)*name;
    numbers[count++] = r;
  }
  for (int stratified = 0; stratified < 2; stratified++)
    for (int grouped = 0; grouped < 2; grouped++) {
      ent_fold_options all = {.rows = ROWS, .classes = 3}, own = {.rows = count, .classes = 3};
      all.labels = stratified ? labels : NULL;
      all.groups = grouped ? groups : NULL;
      own.labels = stratified ? own_labels : NULL;
      own.groups = grouped ? own_groups : NULL;
      size_t folds, some = 4, *expected = deal(&own, 9, 4, &folds);
      ASSERT_OK(context, ent_folds_deal_some(context, &all, (ent_row_list){numbers, count}, 9, fold_of, &some));
      assert_int_equal(some, folds);
      for (size_t r = 0, i = 0; r < ROWS; r++)
        if (i < count && numbers[i] == r)
          assert_int_equal(fold_of[r], expected[i++]);
        else
          assert_true(fold_of[r] == ENT_NO_FOLD);
      for (size_t c = 0; c <= MOST_CLASSES && stratified && !grouped; c++)
        assert_true(unevenness(&own, expected, folds, c) <= 1);
      free(expected);
    }
  size_t two = 5; /* rows of two groups: no more folds than that */
  ent_fold_options by_groups = {.rows = ROWS, .groups = groups};
  ent_row_list four = {(const size_t[]){0, 20, 21, 1}, 4};
  ASSERT_OK(context, ent_folds_deal_some(context, &by_groups, four, 9, fold_of, &two));
  assert_int_equal(two, 2);
  assert_true(fold_of[0] == fold_of[1] && fold_of[20] == fold_of[21] && fold_of[0] != fold_of[20]);
  assert_true(fold_of[2] == ENT_NO_FOLD && fold_of[22] == ENT_NO_FOLD);
}

static void fold_rows_are_listed(void **state) {
  (void)state;
  static const size_t fold_of[] = {1, 0, 2, 1, 1, 0};
  size_t numbers[6];
  assert_int_equal(ent_fold_rows(fold_of, 6, 1, numbers), 3);
  assert_memory_equal(numbers, ((const size_t[]){0, 3, 4}), 3 * sizeof *numbers);
  assert_int_equal(ent_fold_rows(fold_of, 6, 7, numbers), 0);
}

/* Reads all rows of a subset in blocks of so many and compares them with what the numbers say. */
static void check_subset(ent_row_subset *subset, size_t most) {
  ent_rows rows = ent_rows_of_subset(subset);
  size_t seen = 0;
  assert_int_equal(rows.inputs, subset->from.inputs);
  assert_int_equal(rows.targets, subset->from.targets);
  ASSERT_OK(context, rows.rewind(context, rows.self));
  for (;;) {
    ent_block block;
    ASSERT_OK(context, ent_rows_take(context, &rows, most, &block));
    assert_int_equal(block.rows, subset->count - seen < most ? subset->count - seen : most);
    if (block.rows == 0)
      break;
    assert_int_equal(block.first, seen);
    assert_true((block.weights == NULL) == (subset->from.all.weights == NULL));
    for (size_t r = 0; r < block.rows; r++) {
      size_t row = subset->numbers[seen + r];
      assert_memory_equal(block.x + r * block.x_stride, subset->from.all.x + row * subset->from.all.x_stride,
                          subset->from.inputs * sizeof(double));
      for (size_t t = 0; subset->from.all.y != NULL && t < subset->from.targets; t++)
        assert_true(block.y[r * block.y_stride + t] == subset->from.all.y[row * subset->from.all.y_stride + t]);
      assert_true(ent_weight(&block, r) == ent_weight(&subset->from.all, row));
    }
    seen += block.rows;
  }
  assert_int_equal(seen, subset->count);
}

/* All rows at once are those that the source hands out; without numbers they are the rows themselves, not copied. */
static void check_loaded(ent_row_subset *subset) {
  ent_block block, all;
  ent_rows rows = ent_rows_of_subset(subset);
  double *x = calloc(subset->count * 4 + 1, sizeof *x);
  ASSERT_OK(context, rows.rewind(context, rows.self));
  ASSERT_OK(context, rows.next(context, rows.self, subset->count, &block));
  for (size_t r = 0; r < block.rows; r++)
    memcpy(x + r * 4, block.x + r * block.x_stride, 4 * sizeof *x);
  ASSERT_OK(context, ent_row_subset_load(context, subset, &all));
  assert_int_equal(all.rows, subset->count);
  assert_memory_equal(all.x, x, subset->count * 4 * sizeof *x);
  free(x);
  ent_row_subset every = {.from = {.all = subset->from.all, .inputs = 4, .targets = 2}, .count = subset->from.all.rows};
  ASSERT_OK(context, ent_row_subset_load(context, &every, &all));
  assert_int_equal(all.rows, subset->from.all.rows);
  assert_true(all.x == subset->from.all.x && all.weights == subset->from.all.weights);
  rows = ent_rows_of_subset(&every);
  ASSERT_OK(context, rows.next(context, rows.self, 7, &block));
  assert_true(block.x == all.x && block.rows == 7);
  ent_row_subset_clear(&every);
}

static void subsets_equal_indexing(void **state) {
  (void)state;
  static const size_t blocks[] = {1, 2, 3, 7, 36, 37, 38, 1000};
  double x[50 * 5], y[50 * 3], weights[50];
  size_t numbers[37];
  for (size_t i = 0; i < 250; i++)
    x[i] = (double)i / 250;
  for (size_t i = 0; i < 150; i++)
    y[i] = (double)i - 70;
  for (size_t i = 0; i < 50; i++)
    weights[i] = (double)(i % 4);
  for (size_t i = 0; i < 37; i++)
    numbers[i] = i * 29 % 50; /* not ascending, some twice */
  for (int weighted = 0; weighted < 2; weighted++)
    for (size_t i = 0; i < COUNT(blocks); i++) {
      /* Fewer inputs and targets than there are in a row. */
      ent_row_subset subset = {
          .from = {.all = {.rows = 50, .x = x, .x_stride = 5, .y = y, .y_stride = 3}, .inputs = 4, .targets = 2},
          .numbers = numbers,
          .count = 37};
      subset.from.all.weights = weighted ? weights : NULL;
      check_subset(&subset, blocks[i]);
      check_subset(&subset, 5); /* again, smaller and larger */
      check_subset(&subset, 2000);
      check_loaded(&subset);
      subset.count = 0;
      check_subset(&subset, blocks[i]);
      ent_row_subset_clear(&subset);
      assert_null(subset.from.scaled);
      ent_row_subset_clear(&subset);
    }
}

/* The first features of a larger design are those of a smaller one, so the heads of its statistics are its own. */
static void head_equals_fewer_features(void **state) {
  (void)state;
  static const double shift[] = {5, 4};
  static const size_t sizes[] = {1, 2, 17, 39, 40};
  problem large = problem_start(120, 3, 40, 0, 2, WEIGHTED);
  ent_statistics *all = statistics_of(&large, 1, ENT_GRADE_EXACT, shift);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    problem small = problem_start(120, 3, sizes[i], 0, 2, WEIGHTED);
    ent_statistics *own = statistics_of(&small, 1, ENT_GRADE_EXACT, shift), *head = NULL;
    ASSERT_OK(context, ent_statistics_head(context, all, sizes[i], &head));
    assert_int_equal(head->features, sizes[i]);
    assert_int_equal(head->targets, 2);
    assert_int_equal(head->size, own->size);
    assert_int_equal(head->rows, own->rows);
    assert_true(head->weight == own->weight);
    assert_memory_equal(head->shift, shift, sizeof shift);
    for (size_t b = 0; b < own->size; b++)
      for (size_t a = 0; a <= b; a++)
        assert_close(ent_product(head, a, b), ent_product(own, a, b), 1e-12 * (1 + fabs(ent_product(own, a, b))));
    ent_statistics_free(head);
    ent_statistics_free(own);
    problem_stop(&small);
  }
  ent_statistics_free(all);
  problem_stop(&large);
}

SUITE(tune_folds) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_spread_evenly),
                                     cmocka_unit_test(classes_are_spread_evenly),
                                     cmocka_unit_test(first_folds_are_like_the_others),
                                     cmocka_unit_test(groups_stay_together),
                                     cmocka_unit_test(nothing_to_split),
                                     cmocka_unit_test(seeds_decide),
                                     cmocka_unit_test(some_rows_are_dealt),
                                     cmocka_unit_test(fold_rows_are_listed),
                                     cmocka_unit_test(subsets_equal_indexing),
                                     cmocka_unit_test(head_equals_fewer_features)};
  return cmocka_run_group_tests_name("tune_folds", tests, start_two_threads, stop);
}

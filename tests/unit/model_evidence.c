/* The permutation test of whether there is anything to learn. */
#include "unit/fitting.h"

#include "fit/outer.h"

#include "unit/fixture.h"

/* What the targets of a table to look for evidence in are made of. */
typedef enum making { BY_NOTHING, BY_A_NUMBER, BY_A_CATEGORY, BY_WEAK_NUMBERS } making;

/* Normal inputs, of which x2 is a category, x3 has missing values; the target (the last of several) as it is made. */
static sheet draw_dependent(making by, size_t targets, size_t classes, uint64_t seed) {
  sheet s = sheet_start(80, 6, targets, PLAIN, seed);
  entropic_random random = entropic_random_start(seed, 5);
  static const double of_category[] = {1.5, -1.5, 1.5, -1.5};
  s.categorical = "x2";
  for (size_t r = 0; r < s.rows; r++) {
    double *x = sheet_row(&s, r), *y = sheet_y(&s, r), sum = 0;
    for (size_t i = 0; i < s.inputs; i++)
      x[i] = entropic_random_normal(&random);
    x[1] = (double)entropic_random_below(&random, 4);
    for (size_t i = 0; i < s.inputs; i++)
      sum += i == 1 ? 0 : x[i];
    for (size_t t = 0; t < targets; t++)
      y[t] = entropic_random_normal(&random);
    y[targets - 1] += by == BY_A_NUMBER       ? 1.5 * x[0]
                      : by == BY_A_CATEGORY   ? of_category[(size_t)x[1]]
                      : by == BY_WEAK_NUMBERS ? sum
                                              : 0;
    if (r % 9 == 4)
      x[2] = NAN;
    if (classes > 0)
      y[0] = r < classes ? (double)r : y[0] < -0.5 ? 0 : y[0] < 0.5 || classes == 2 ? 1 : 2;
  }
  return s;
}

static bool evident(const sheet *s, entropic_task task) {
  entropic_dataset *data = dataset_of(context, s, task);
  ent_fit_options options = ent_fit_options_default();
  ent_fit fit;
  bool found = false, again = true;
  ASSERT_OK(context, ent_fit_prepare(context, data, NULL, &options, &fit));
  ASSERT_OK(context, ent_evidence(context, &fit, &found));
  ASSERT_OK(context, ent_evidence(context, &fit, &again));
  assert_int_equal(found, again);
  ent_fit_clear(&fit);
  entropic_dataset_free(data);
  return found;
}

/* In how many of so many tables evidence is found. */
static size_t count_evident(making by, size_t targets, size_t classes, size_t tables) {
  size_t count = 0;
  for (size_t seed = 0; seed < tables; seed++) {
    sheet s = draw_dependent(by, targets, classes, 100 + seed);
    count += evident(&s, classes > 0 ? ENTROPIC_TASK_CLASSIFICATION : ENTROPIC_TASK_REGRESSION);
    sheet_stop(&s);
  }
  return count;
}

static void evidence_of_something(void **state) {
  (void)state;
  static const size_t shapes[][2] = {{1, 0}, {2, 0}, {1, 2}, {1, 3}}; /* targets, classes */
  for (size_t i = 0; i < COUNT(shapes); i++)
    for (int by = BY_A_NUMBER; by <= BY_WEAK_NUMBERS; by++)
      assert_in_range(count_evident((making)by, shapes[i][0], shapes[i][1], 10), 9, 10);
}

/* By chance in 2 of 500 at most. */
static void evidence_of_nothing(void **state) {
  (void)state;
  size_t tables = getenv("ENTROPIC_TEST_QUICK") == NULL ? 200 : 20;
  assert_in_range(count_evident(BY_NOTHING, 1, 0, tables), 0, 4);
  assert_in_range(count_evident(BY_NOTHING, 2, 0, tables), 0, 4);
  assert_in_range(count_evident(BY_NOTHING, 1, 2, tables), 0, 4);
  assert_in_range(count_evident(BY_NOTHING, 1, 3, tables), 0, 4);
}

/* Tables of groups, small ones and large ones, whose rows are nearly alike; the target of a group depends on its inputs by
 * this slope. */
static size_t count_evident_groups(size_t groups, double slope, size_t tables) {
  size_t count = 0;
  for (size_t seed = 0; seed < tables; seed++) {
    sheet s = sheet_start(10 * groups, 4, 1, WITH_GROUPS, seed);
    entropic_random random = entropic_random_start(seed, 77);
    size_t last = groups, first = 0;
    for (size_t r = 0; r < s.rows; r++) {
      double *row = sheet_row(&s, r), part = ((double)r + 0.5) / (double)s.rows;
      size_t group = (size_t)floor((double)groups * part * sqrt(part));
      if (group != last) {
        first = r;
        row[4] = slope * row[0] + entropic_random_normal(&random);
      }
      last = group;
      for (size_t i = 0; i < 5; i++)
        row[i] = sheet_row(&s, first)[i] + (r == first ? 0 : 0.01 * entropic_random_normal(&random));
      row[5] = (double)group;
    }
    count += evident(&s, ENTROPIC_TASK_REGRESSION);
    sheet_stop(&s);
  }
  return count;
}

/* Rows of groups cannot be permuted one by one: groups can. */
static void evidence_of_groups(void **state) {
  (void)state;
  size_t tables = getenv("ENTROPIC_TEST_QUICK") == NULL ? 100 : 20;
  assert_in_range(count_evident_groups(40, 0, tables), 0, 3);
  assert_in_range(count_evident_groups(40, 4, 10), 8, 10);
  assert_in_range(count_evident_groups(3, 4, 10), 0, 0); /* there are but six orders */
}

SUITE(model_evidence) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(evidence_of_something), cmocka_unit_test(evidence_of_nothing),
                                     cmocka_unit_test(evidence_of_groups)};
  return cmocka_run_group_tests_name("model_evidence", tests, start, stop);
}

/* Target means: the sums against a plain computation, what a row may see of targets, and rows that are new. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dataset/target_means.h"

#include "unit/fixture.h"

enum { ROWS = 700, INPUTS = 3, FIRST_LEVELS = 40, SECOND_LEVELS = 15, MOST_INPUTS = 100 };

/* A data set of two categories and a number between them; what a test wants besides it sets itself. */
typedef struct table {
  entropic_dataset data;
  ent_input inputs[INPUTS];
  double x[ROWS * INPUTS], y[ROWS], weights[ROWS], groups[ROWS], time[ROWS];
  bool active[ROWS];
  ent_means_rows rows;
} table;

static char target_name[] = "y", *target_names[] = {target_name};

static void table_start(table *t, bool classes) {
  memset(t, 0, sizeof *t);
  entropic_random random = entropic_random_start(11, 1);
  for (size_t r = 0; r < ROWS; r++) {
    double *x = t->x + r * INPUTS;
    x[0] = floor(FIRST_LEVELS * entropic_random_uniform(&random));
    x[1] = entropic_random_uniform(&random);
    x[2] = floor(SECOND_LEVELS * entropic_random_uniform(&random));
    t->y[r] = classes ? (double)(entropic_random_uniform(&random) < 0.05 + 0.012 * x[0] + 0.03 * x[2])
                      : 0.3 * x[0] + x[2] + entropic_random_normal(&random);
    t->weights[r] = 0.25 * (1 + floor(4 * entropic_random_uniform(&random)));
    t->groups[r] = floor((double)r / 7);
    t->time[r] = floor(50 * entropic_random_uniform(&random));
    t->active[r] = r % 10 != 3;
  }
  t->x[5 * INPUTS] = NAN;          /* missing */
  t->x[6 * INPUTS] = FIRST_LEVELS; /* a category not seen */
  static char names[INPUTS][2] = {"a", "b", "c"};
  for (size_t i = 0; i < INPUTS; i++)
    t->inputs[i].name = names[i];
  t->inputs[0].categories = FIRST_LEVELS;
  t->inputs[2].categories = SECOND_LEVELS;
  t->data = (entropic_dataset){.rows = ROWS, .x = t->x, .y = t->y};
  t->data.schema = (ent_schema){
      .inputs = INPUTS, .input = t->inputs, .targets = 1, .target = target_names, .classes = classes ? 2 : 0};
  t->rows = (ent_means_rows){.data = &t->data, .most = MOST_INPUTS};
}

/* Rows of the same categories in the inputs of a set; false where one is not known. */
static bool is_same(const table *t, const ent_mean_set *set, size_t a, size_t b) {
  for (int i = 0; i < 2 && set->of[i] != ENT_NO_INPUT; i++) {
    double code = t->x[a * INPUTS + set->of[i]];
    if (!(code < (double)set->levels[i]) || !(code == t->x[b * INPUTS + set->of[i]]))
      return false;
  }
  return true;
}

static double weight_of(const table *t, size_t row) {
  return t->data.weights == NULL ? 1 : t->weights[row];
}

/* The mean and the amount of a row in a set: `seen` says which other rows count. */
static void expect(const table *t, const ent_mean_set *set, size_t row, const bool *seen, double *mean,
                   double *amount) {
  double sum = 0, weight = 0, all = 0, all_weight = 0, rows = 0;
  for (size_t r = 0; r < ROWS; r++) {
    double w = t->rows.active == NULL || t->active[r] ? weight_of(t, r) : 0;
    all += w * t->y[r];
    all_weight += w;
    rows += w > 0;
    if (w > 0 && seen[r] && is_same(t, set, row, r)) {
      sum += w * t->y[r];
      weight += w;
    }
  }
  double unit = all_weight / rows, prior = ENT_MEANS_PRIOR * unit;
  *mean = (sum + prior * all / all_weight) / (weight + prior);
  *amount = log(1 + weight / unit);
}

/* All values are those of the rows that each sees. Which these are: all rows but those of its own part. */
static void check_values(table *t, const uint64_t *part, bool forward) {
  ent_target_means *means;
  double **values;
  bool *seen = calloc(ROWS, sizeof *seen);
  ASSERT_OK(context, ent_means_make(context, &t->rows, &means, &values));
  assert_int_equal(means->set_count, 3); /* both, and their pair */
  assert_int_equal(means->input_count, 5);
  assert_int_equal(means->singles, 4);
  for (size_t s = 0; s < means->set_count; s++)
    for (size_t r = 0; r < ROWS; r++) {
      double mean, amount;
      bool own = t->rows.active == NULL || t->active[r];
      for (size_t i = 0; i < ROWS; i++)
        seen[i] = !own || (forward ? part[i] < part[r] : part[i] != part[r]);
      expect(t, &means->sets[s], r, seen, &mean, &amount);
      assert_true(fabs(values[s][2 * r] - mean) <= 1e-12 * (1 + fabs(mean)));
      assert_true(fabs(values[s][2 * r + 1] - amount) <= 1e-12);
    }
  ent_means_free_values(values, means->set_count);
  ent_means_free(means);
  free(seen);
}

static void set_parts(const table *t, uint64_t *part) {
  for (size_t r = 0; r < ROWS; r++) {
    double number = t->data.groups == NULL ? (double)r : t->groups[r];
    part[r] = t->data.time != NULL ? (uint64_t)t->time[r] : ent_means_fold((uint64_t)number);
  }
}

/* With and without weights, rows that take no part, groups and time. */
static void follow_the_formula(void **state) {
  (void)state;
  uint64_t part[ROWS];
  table *t = malloc(sizeof *t);
  for (int kind = 0; kind < 24; kind++) {
    table_start(t, kind % 2 == 1);
    t->data.weights = kind / 2 % 2 == 1 ? t->weights : NULL;
    t->rows.active = kind / 4 % 2 == 1 ? t->active : NULL;
    t->data.groups = kind / 8 == 1 ? t->groups : NULL;
    t->data.time = kind / 8 == 2 ? t->time : NULL;
    set_parts(t, part);
    check_values(t, part, t->data.time != NULL);
  }
  free(t);
}

/* Every fold has its share of the rows, and groups stay together. */
static void folds_are_even(void **state) {
  (void)state;
  size_t counts[ENT_MEANS_FOLDS] = {0};
  for (uint64_t r = 0; r < 10000; r++)
    counts[ent_means_fold(r)]++;
  for (size_t f = 0; f < ENT_MEANS_FOLDS; f++)
    assert_true(counts[f] > 1850 && counts[f] < 2150);
}

/* New rows get the means of all; missing and unseen categories the overall mean and an amount of 0. */
static void fill_new_rows(void **state) {
  (void)state;
  ent_target_means *means;
  double **values, x[4][INPUTS + 5] = {{3, 0.5, 4}, {NAN, 0.5, 4}, {FIRST_LEVELS, 0.5, 4}, {3, 0.5, NAN}};
  bool seen[ROWS];
  table *t = malloc(sizeof *t);
  table_start(t, false);
  ASSERT_OK(context, ent_means_make(context, &t->rows, &means, &values));
  memset(seen, 1, sizeof seen);
  t->x[0] = 3; /* the first row is the new one; its own target counts where it was made with these categories */
  t->x[2] = 4;
  ent_means_free_values(values, means->set_count);
  ent_means_free(means);
  ASSERT_OK(context, ent_means_make(context, &t->rows, &means, &values));
  ent_means_fill(means, x[0], 4, INPUTS + 5);
  for (size_t i = 0; i < means->input_count; i++) {
    double mean, amount;
    expect(t, &means->sets[means->inputs[i].set], 0, seen, &mean, &amount);
    assert_int_equal(means->inputs[i].input, INPUTS + i);
    assert_true(fabs(x[0][INPUTS + i] - (means->inputs[i].column == 1 ? amount : mean)) <= 1e-12 * (1 + fabs(mean)));
  }
  for (size_t r = 1; r < 4; r++) {
    size_t first = r == 3 ? INPUTS + 2 : INPUTS; /* the inputs of the category that is not known */
    assert_true(x[r][first] == means->overall[0] && x[r][first + 1] == 0);
    assert_true(x[r][INPUTS + 4] == means->overall[0]); /* nor is the pair */
  }
  ent_means_free_values(values, means->set_count);
  ent_means_free(means);
  free(t);
}

/* No target of its own, nor of its fold, moves the value of a row but by the overall mean. */
static void rows_do_not_see_themselves(void **state) {
  (void)state;
  ent_target_means *means;
  double **values;
  table *t = malloc(sizeof *t);
  table_start(t, false);
  for (size_t r = 0; r < ROWS; r++)
    t->x[r * INPUTS] = (double)(r % 2 == 0 ? 0 : r % FIRST_LEVELS);
  t->x[1 * INPUTS] = 39; /* codes of one row: their value is the overall mean exactly */
  for (size_t r = 2; r < ROWS; r++)
    t->x[r * INPUTS] = t->x[r * INPUTS] == 39 ? 38 : t->x[r * INPUTS];
  ASSERT_OK(context, ent_means_make(context, &t->rows, &means, &values));
  assert_true(values[0][2] == means->overall[0] && values[0][3] == 0);
  ent_means_free_values(values, means->set_count);
  ent_means_free(means);
  free(t);
}

/* The bytes do not depend on threads, and targets of any size have means. */
static void same_bytes(void **state) {
  (void)state;
  ent_target_means *first, *means;
  double **values, **others;
  table *t = malloc(sizeof *t);
  for (int size = -300; size <= 300; size += 300) {
    table_start(t, false);
    for (size_t r = 0; r < ROWS; r++)
      t->y[r] *= pow(10, size);
    ASSERT_OK(context, ent_means_make(context, &t->rows, &first, &values));
    assert_true(isfinite(first->overall[0]) && first->overall[0] != 0);
    for (int threads = 2; threads <= 8; threads++) {
      entropic_context *with = context_with(threads);
      ASSERT_OK(with, ent_means_make(with, &t->rows, &means, &others));
      assert_int_equal(means->set_count, first->set_count);
      for (size_t s = 0; s < means->set_count; s++) {
        assert_memory_equal(values[s], others[s], 2 * ROWS * sizeof(double));
        assert_int_equal(means->sets[s].count, first->sets[s].count);
        assert_memory_equal(means->sets[s].means, first->sets[s].means, means->sets[s].count * sizeof(double));
      }
      ent_means_free_values(others, means->set_count);
      ent_means_free(means);
      entropic_context_free(with);
    }
    ent_means_free_values(values, first->set_count);
    ent_means_free(first);
  }
  free(t);
}

/* Fewer inputs than all: first pairs are left out, then there are none. */
static void keep_within_the_room(void **state) {
  (void)state;
  ent_target_means *means;
  double **values;
  table *t = malloc(sizeof *t);
  table_start(t, false);
  for (size_t most = 3; most <= 5; most++) {
    t->rows.most = most;
    ASSERT_OK(context, ent_means_make(context, &t->rows, &means, &values));
    assert_true((means == NULL) == (most == 3));
    if (means == NULL)
      continue;
    assert_int_equal(means->input_count, most);
    ent_means_free_values(values, means->set_count);
    ent_means_free(means);
  }
  free(t);
}

SUITE(dataset_target_means) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(follow_the_formula), cmocka_unit_test(folds_are_even),
                                     cmocka_unit_test(fill_new_rows),      cmocka_unit_test(rows_do_not_see_themselves),
                                     cmocka_unit_test(same_bytes),         cmocka_unit_test(keep_within_the_room)};
  return cmocka_run_group_tests_name("dataset_target_means", tests, start, stop);
}

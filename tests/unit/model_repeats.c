/* Rows that repeat another one: when a notice tells of them. */
#include "unit/fitting.h"

#include "unit/fixture.h"

/* Whether there is a notice, which begins with `expected`. */
static bool is_told(const sheet *s, entropic_task task, const char *expected) {
  entropic_dataset *dataset = dataset_of(context, s, task);
  bool told = false;
  const char *text;
  for (size_t i = 0; (text = entropic_dataset_notice(dataset, i)) != NULL; i++)
    told |= strncmp(text, expected, strlen(expected)) == 0;
  entropic_dataset_free(dataset);
  return told;
}

static bool tells_repeats(size_t repeats, int with, const char *expected) {
  sheet s = sheet_start(100, 3, 1, with, 1);
  for (size_t i = 0; i < repeats; i++)
    memcpy(sheet_row(&s, s.rows - 1 - i), sheet_row(&s, i), s.columns * sizeof(double));
  bool told = is_told(&s, ENTROPIC_TASK_REGRESSION, expected);
  sheet_stop(&s);
  return told;
}

static void many_are_told(void **state) {
  (void)state;
  assert_true(tells_repeats(5, PLAIN, "5 of 100 rows are copies of other rows, target included"));
  assert_true(tells_repeats(50, PLAIN, "50 of 100 rows are copies of other rows"));
  assert_true(tells_repeats(50, WITH_WEIGHTS, "50 of 100 rows are copies of other rows"));
}

/* Copies with another target: measurements of the same thing. */
static void alike_inputs_are_told(void **state) {
  (void)state;
  sheet s = sheet_start(100, 3, 1, PLAIN, 1);
  for (size_t r = 60; r < s.rows; r++) {
    double target = sheet_y(&s, r)[0];
    memcpy(sheet_row(&s, r), sheet_row(&s, r - 60), s.columns * sizeof(double));
    sheet_y(&s, r)[0] = target;
  }
  assert_true(is_told(&s, ENTROPIC_TASK_REGRESSION, "40 of 100 rows have the same inputs as another row"));
  for (size_t r = 0; r < s.rows; r++) /* few values of each input, as in a design: alike by chance */
    for (size_t i = 0; i < s.inputs; i++)
      sheet_row(&s, r)[i] = floor(2.99 * sheet_row(&s, r)[i]);
  assert_false(is_told(&s, ENTROPIC_TASK_REGRESSION, ""));
  sheet_stop(&s);
}

static void others_are_not(void **state) {
  (void)state;
  assert_false(tells_repeats(4, PLAIN, ""));        /* few */
  assert_false(tells_repeats(50, WITH_GROUPS, "")); /* kept together */
  for (size_t column = 0; column < 3; column++) {   /* some input differs */
    sheet s = sheet_start(100, 3, 1, PLAIN, 1);
    for (size_t r = 50; r < s.rows; r++) {
      memcpy(sheet_row(&s, r), sheet_row(&s, r - 50), s.columns * sizeof(double));
      sheet_row(&s, r)[column] += 0.001;
    }
    assert_false(is_told(&s, ENTROPIC_TASK_REGRESSION, ""));
    sheet_stop(&s);
  }
  sheet s = sheet_start(100, 3, 1, PLAIN, 1); /* few values: alike by chance */
  sheet_classes(&s, 3);
  for (size_t r = 0; r < s.rows; r++)
    for (size_t i = 0; i < s.inputs; i++)
      sheet_row(&s, r)[i] = floor(2.99 * sheet_row(&s, r)[i]);
  assert_false(is_told(&s, ENTROPIC_TASK_CLASSIFICATION, ""));
  sheet_stop(&s);
}

SUITE(model_repeats) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(many_are_told), cmocka_unit_test(alike_inputs_are_told),
                                     cmocka_unit_test(others_are_not)};
  return cmocka_run_group_tests_name("model_repeats", tests, start, stop);
}

/* The distance between texts, for suggestions. */
#include "unit/tests.h"

static size_t distance(const char *a, const char *b) {
  return entropic_edit_distance(a, strlen(a), b, strlen(b));
}

static void edits_are_counted(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    size_t distance;
  } cases[] = {
      {"", "", 0},
      {"", "abc", 3},
      {"abc", "", 3},
      {"target", "target", 0},
      {"target", "TaRgEt", 0},
      {"target", "tagret", 1},
      {"target", "targets", 1},
      {"target", "arget", 1},
      {"target", "largest", 2},
      {"kitten", "sitting", 3},
      {"abcd", "badc", 2},
      {"ca", "abc", 3},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_int_equal(distance(cases[i].a, cases[i].b), cases[i].distance);
    assert_int_equal(distance(cases[i].b, cases[i].a), cases[i].distance);
  }
  assert_int_equal(entropic_edit_distance("abcx", 3, "abcy", 3), 0);
}

static void long_texts_are_not_compared(void **state) {
  (void)state;
  char text[ENTROPIC_EDIT_LENGTH + 2];
  memset(text, 'a', sizeof text);
  assert_int_equal(entropic_edit_distance(text, ENTROPIC_EDIT_LENGTH, text, ENTROPIC_EDIT_LENGTH), 0);
  assert_int_equal(entropic_edit_distance(text, ENTROPIC_EDIT_LENGTH, "", 0), ENTROPIC_EDIT_LENGTH);
  assert_true(entropic_edit_distance(text, ENTROPIC_EDIT_LENGTH + 1, text, 1) == SIZE_MAX);
  assert_true(entropic_edit_distance(text, 1, text, ENTROPIC_EDIT_LENGTH + 1) == SIZE_MAX);
  assert_true(entropic_edit_distance(NULL, 0, text, 1) == SIZE_MAX);
}

SUITE(base_edit_distance) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(edits_are_counted),
                                     cmocka_unit_test(long_texts_are_not_compared)};
  return cmocka_run_group_tests_name("base_edit_distance", tests, NULL, NULL);
}

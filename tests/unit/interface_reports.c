/* Reports: the text is JSON whatever goes in, and values come back by their paths. */
#include "unit/fixture.h"

#define JSON(report, expected) assert_string_equal(entropic_report_json(report), expected)

static entropic_report *fresh(void) {
  entropic_report *report = NULL;
  ASSERT_OK(context, entropic_report_create(context, &report));
  return report;
}

static void text_is_complete_after_every_step(void **state) {
  (void)state;
  entropic_report *report = fresh();
  JSON(report, "{}");
  assert_int_equal(entropic_report_add_number(report, "a", 0.1), ENTROPIC_OK);
  JSON(report, "{\"a\": 0.1}");
  assert_int_equal(entropic_report_open_object(report, "b"), ENTROPIC_OK);
  JSON(report, "{\"a\": 0.1, \"b\": {}}");
  assert_int_equal(entropic_report_open_list(report, "c"), ENTROPIC_OK);
  assert_int_equal(entropic_report_add_integer(report, NULL, UINT64_MAX), ENTROPIC_OK);
  JSON(report, "{\"a\": 0.1, \"b\": {\"c\": [18446744073709551615]}}");
  assert_int_equal(entropic_report_add_flag(report, NULL, 1), ENTROPIC_OK);
  assert_int_equal(entropic_report_close(report), ENTROPIC_OK);
  assert_int_equal(entropic_report_add_flag(report, "d", 0), ENTROPIC_OK);
  assert_int_equal(entropic_report_close(report), ENTROPIC_OK);
  assert_int_equal(entropic_report_close(report), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_report_add_text(report, "e", NULL), ENTROPIC_OK);
  assert_int_equal(entropic_report_add_number(report, "f", NAN), ENTROPIC_OK);
  assert_int_equal(entropic_report_add_number(report, "g", -INFINITY), ENTROPIC_OK);
  JSON(report, "{\"a\": 0.1, \"b\": {\"c\": [18446744073709551615, true], \"d\": false}, \"e\": null, \"f\": null, "
               "\"g\": null}");
  assert_int_equal(entropic_report_add_number(report, NULL, 1), ENTROPIC_BAD_ARGUMENT);
  entropic_report_free(report);
  entropic_report_free(NULL);
}

static void texts_are_escaped(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"plain", "\"plain\""},
                                         {"a\"b\\c", "\"a\\\"b\\\\c\""},
                                         {"\n\t\x01\x7f", "\"\\u000a\\u0009\\u0001\\u007f\""},
                                         {"\xc3\xa4", "\"\xc3\xa4\""},
                                         {"\xff"
                                          "a",
                                          "\"\xef\xbf\xbd"
                                          "a\""},
                                         {"", "\"\""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    entropic_report *report = fresh();
    char expected[128], text[32];
    assert_int_equal(entropic_report_add_text(report, "t", cases[i][0]), ENTROPIC_OK);
    snprintf(expected, sizeof expected, "{\"t\": %s}", cases[i][1]);
    JSON(report, expected);
    size_t length = entropic_report_text(report, "t", text, sizeof text);
    if (strchr(cases[i][0], '\xff') == NULL) {
      assert_string_equal(text, cases[i][0]);
      assert_int_equal(length, strlen(cases[i][0]));
    }
    entropic_report_free(report);
  }
}

static void values_by_path(void **state) {
  (void)state;
  entropic_report *report = fresh();
  double value = -1;
  char text[5];
  entropic_report_add_text(report, "name, \"]}", "a{b, c}");
  entropic_report_open_list(report, "path");
  for (int i = 0; i < 12; i++) {
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "word", "long word");
    entropic_report_add_number(report, "error", i / 4.0);
    entropic_report_close(report);
  }
  entropic_report_close(report);
  entropic_report_open_object(report, "none");
  entropic_report_close(report);
  entropic_report_add_flag(report, "yes", 1);
  entropic_report_add_number(report, "gone", NAN);
  assert_int_equal(entropic_report_number(report, "path.11.error", &value), 1);
  assert_true(value == 2.75);
  assert_int_equal(entropic_report_number(report, "yes", &value), 1);
  assert_true(value == 1);
  static const char *const absent[] = {"gone",
                                       "path",
                                       "path.12.error",
                                       "path.x.error",
                                       "path.0.word",
                                       "none.a",
                                       "no",
                                       "yes.a",
                                       "path.0",
                                       "",
                                       "path.00000000000001.error",
                                       "name"};
  for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
    assert_int_equal(entropic_report_number(report, absent[i], &value), 0);
  assert_true(value == 1);
  assert_int_equal(entropic_report_text(report, "path.3.word", text, sizeof text), 9);
  assert_string_equal(text, "long");
  assert_int_equal(entropic_report_text(report, "path.3.error", text, sizeof text), 0);
  assert_string_equal(text, "");
  assert_int_equal(entropic_report_size(report, "path"), 12);
  assert_int_equal(entropic_report_size(report, "path.3"), 2);
  assert_int_equal(entropic_report_size(report, "none"), 0);
  assert_int_equal(entropic_report_size(report, ""), 5);
  assert_int_equal(entropic_report_size(report, "yes"), 0);
  entropic_report_free(report);
}

static void depth_is_limited(void **state) {
  (void)state;
  entropic_report *report = fresh();
  int opened = 0;
  while (opened < 100 && entropic_report_open_list(report, "a") == ENTROPIC_OK)
    opened++;
  assert_true(opened > 4 && opened < 100);
  entropic_report_add_integer(report, "a", 5);
  char *end = strchr(entropic_report_json(report), '5');
  assert_int_equal(strlen(end), 1 + opened + 1);
  entropic_report_free(report);
}

SUITE(interface_reports) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(text_is_complete_after_every_step),
                                     cmocka_unit_test(texts_are_escaped), cmocka_unit_test(values_by_path),
                                     cmocka_unit_test(depth_is_limited)};
  return cmocka_run_group_tests(tests, start, stop);
}

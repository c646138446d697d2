/* The writer of JSON. */
#include "unit/tests.h"

#include <math.h>

#include "base/json.h"

static void assert_written(ent_text *text, const char *expected) {
  assert_int_equal(text->status, ENTROPIC_OK);
  assert_string_equal(text->bytes, expected);
  ent_text_free(text);
}

static void escapes_for_programs_and_for_pages(void **state) {
  (void)state;
  static const char hostile[] = "a\"\\</script>&\n\x7f\xff\xc3\xb6\xe2\x80\xae";
  ent_text text = {0};
  ent_json json = {.text = &text};
  ent_json_add_text(&json, NULL, hostile);
  assert_written(&text, "\"a\\\"\\\\</script>&\\u000a\\u007f\xef\xbf\xbd\xc3\xb6\xe2\x80\xae\"");
  json = (ent_json){.text = &text, .in_page = true};
  ent_json_add_text(&json, NULL, hostile);
  assert_written(&text, "\"a\\u0022\\u005c\\u003c/script\\u003e\\u0026\\u000a\\u007f\xef\xbf\xbd\xc3\xb6\\u202e\"");
}

static void write_some(ent_json *json) {
  ent_json_open_object(json, NULL);
  ent_json_add_number(json, "a\"", 0.1);
  ent_json_add_numbers(json, "b", (double[]){NAN, -INFINITY, -1e300}, 3);
  ent_json_line(json);
  ent_json_open_list(json, "c");
  for (size_t i = 0; i < 2; i++) {
    ent_json_line(json);
    ent_json_add_flag(json, "not used", i == 0);
  }
  ent_json_add_text(json, NULL, NULL);
  ent_json_open_object(json, NULL);
  ent_json_close(json);
  ent_json_close(json);
  ent_json_add_integer(json, "d", UINT64_MAX);
  ent_json_add_plain(json, "e", "{}");
  ent_json_close(json);
}

static void lays_out_values(void **state) {
  (void)state;
  ent_text text = {0};
  ent_json json = {.text = &text};
  write_some(&json);
  assert_written(&text, "{\"a\\\"\": 0.1, \"b\": [null, null, -1e+300],\n\"c\": [\ntrue,\nfalse, null, {}], "
                        "\"d\": 18446744073709551615, \"e\": {}}");
  json = (ent_json){.text = &text, .compact = true};
  write_some(&json);
  assert_written(&text, "{\"a\\\"\":0.1,\"b\":[null,null,-1e+300],\n\"c\":[true,\nfalse,null,{}],"
                        "\"d\":18446744073709551615,\"e\":{}}");
}

SUITE(base_json) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(escapes_for_programs_and_for_pages),
                                     cmocka_unit_test(lays_out_values)};
  return cmocka_run_group_tests_name("base_json", tests, NULL, NULL);
}

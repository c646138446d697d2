/* Reading JSON: values, escapes, and what is refused, with its line and column. */
#include "unit/learning.h"

#include "study/json.h"

static entropic_context *context;

static int start(void **state) {
  context = context_with(1);
  return make_folder(state);
}

static int stop(void **state) {
  entropic_context_free(context);
  return remove_folder(state);
}

static ent_json_document *document_of(const char *text) {
  ent_json_document *document = NULL;
  ASSERT_OK(context, ent_json_read(context, "made.json", text, strlen(text), &document));
  return document;
}

static void values(void **state) {
  (void)state;
  ent_json_document *document = document_of(" {\"a\" : [1, -2.5e3,null ,true,false, \"x\"], \"b\":{}, \"c\": [ ],"
                                            "\"d\": {\"e\": 0.1}}\n");
  const ent_json_value *root = ent_json_root(document), *a = ent_json_get(root, "a");
  assert_true(root->kind == ENT_JSON_OBJECT && root->count == 4 && a->count == 6);
  double numbers[4] = {0, 0, 0, 7};
  assert_int_equal(ent_json_numbers(a, numbers, 3), 6);
  assert_true(numbers[0] == 1 && numbers[1] == -2500 && isnan(numbers[2]) && numbers[3] == 7);
  static const ent_json_kind kinds[] = {ENT_JSON_NUMBER, ENT_JSON_NUMBER, ENT_JSON_NULL,
                                        ENT_JSON_TRUE,   ENT_JSON_FALSE,  ENT_JSON_STRING};
  size_t i = 0;
  for (const ent_json_value *at = ent_json_first(a); at != NULL; at = at->next)
    assert_int_equal(at->kind, kinds[i++]);
  assert_true(ent_json_get(root, "b")->count == 0 && ent_json_first(ent_json_get(root, "c")) == NULL);
  assert_true(ent_json_number(ent_json_get(ent_json_get(root, "d"), "e")) == 0.1);
  assert_null(ent_json_get(root, "z"));
  assert_null(ent_json_get(a, "a"));
  assert_null(ent_json_get(NULL, "a"));
  assert_null(ent_json_string(a));
  assert_true(isnan(ent_json_number(NULL)) && isnan(ent_json_number(a)) && ent_json_numbers(NULL, numbers, 3) == 0);
  ent_json_free(document);
  ent_json_free(NULL);
}

static void strings(void **state) {
  (void)state;
  ent_json_document *document =
      document_of("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\", \"é€😀\", \"\"]");
  const ent_json_value *at = ent_json_first(ent_json_root(document));
  assert_string_equal(ent_json_string(at), "\"\\/\b\f\n\r\t");
  assert_string_equal(ent_json_string(at->next), "Aé€😀");
  assert_string_equal(ent_json_string(at->next->next), "é€😀");
  assert_string_equal(ent_json_string(at->next->next->next), "");
  ent_json_free(document);
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {{"", "line 1, column 1: found the end, expected a value"},
               {"{\"a\": 1,\n \"b\" 2}", "line 2, column 6: found '2}', expected ':'"},
               {"{\"a\\nb\": 1,\n \"b\" 2}", "line 2, column 6"},
               {"[1, 2", "expected ',' or ']'"},
               {"[1 2]", "line 1, column 4: found '2]', expected ',' or ']'"},
               {"{\"a\": 1,}", "expected a key in quotes"},
               {"{a: 1}", "expected a key in quotes"},
               {"[1,]", "expected a value"},
               {"1 2", "line 1, column 3: found '2', expected the end"},
               {"[01]", "expected a value"},
               {"[+1]", "expected a value"},
               {"[.5]", "expected a value"},
               {"[1.]", "expected a value"},
               {"[1e]", "expected a value"},
               {"[nan]", "expected a value"},
               {"[Infinity]", "expected a value"},
               {"[1e999]", "expected a value"},
               {"\"a", "expected a closing quote"},
               {"\"a\tb\"", "expected UTF-8 without control characters"},
               {"\"\xff\"", "expected UTF-8 without control characters"},
               {"\"\\x\"", "after a backslash"},
               {"\"\\u12g4\"", "four hexadecimal digits"},
               {"\"\\ud83d\"", "expected a character before it"},
               {"\"\\ud83d\\u0041\"", "the second of two surrogates"},
               {"\"\\u0000\"", "expected a character before it"},
               {"tru", "expected a value"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    ent_json_document *document = NULL;
    entropic_status status = ent_json_read(context, "made.json", cases[i].text, strlen(cases[i].text), &document);
    if (status != ENTROPIC_BAD_DATA || document != NULL)
      fail_msg("%s is not refused", cases[i].text);
    assert_message(context, cases[i].message);
    assert_message(context, "made.json, line ");
  }
}

/* 64 levels are read, 65 are not. */
static void depth(void **state) {
  (void)state;
  for (size_t levels = 64; levels <= 65; levels++) {
    char text[140] = "";
    memset(text, '[', levels);
    text[levels] = '1';
    memset(text + levels + 1, ']', levels);
    ent_json_document *document = NULL;
    entropic_status status = ent_json_read(context, "deep", text, strlen(text), &document);
    assert_int_equal(status, levels == 64 ? ENTROPIC_OK : ENTROPIC_BAD_DATA);
    ent_json_free(document);
  }
}

static void files(void **state) {
  const char *path = in_folder(state, "a.json");
  ent_json_document *document = NULL;
  write_file(path, "[1, 2, 3]\n", 10);
  ASSERT_OK(context, ent_json_load(context, path, &document));
  assert_int_equal(ent_json_root(document)->count, 3);
  ent_json_free(document);
  document = NULL;
  assert_int_equal(ent_json_load(context, in_folder(state, "none.json"), &document), ENTROPIC_SYSTEM);
  assert_message(context, "none.json");
  assert_int_equal(ent_json_load(context, *state, &document), ENTROPIC_BAD_DATA);
  assert_null(document);
}

SUITE(study_json) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(strings), cmocka_unit_test(refused),
                                     cmocka_unit_test(depth), cmocka_unit_test(files)};
  return cmocka_run_group_tests_name("study_json", tests, start, stop);
}

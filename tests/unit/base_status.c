/* Statuses, contexts and memory. */
#include "unit/tests.h"

#include "base/memory.h"
#include "base/text.h"

static void version_is_the_headers(void **state) {
  (void)state;
  char expected[64];
  snprintf(expected, sizeof expected, "%d.%d.%d", ENTROPIC_VERSION_MAJOR, ENTROPIC_VERSION_MINOR,
           ENTROPIC_VERSION_PATCH);
  assert_string_equal(entropic_version(), expected);
}

static void statuses_have_names_and_texts(void **state) {
  (void)state;
#define CHECK(name, number, text)                                                                                      \
  assert_int_equal(ENTROPIC_##name, number);                                                                           \
  assert_string_equal(entropic_status_name(ENTROPIC_##name), #name);                                                   \
  assert_string_equal(entropic_status_text(ENTROPIC_##name), text);
  ENTROPIC_STATUS_MAP(CHECK)
#undef CHECK
  assert_string_equal(entropic_status_name((entropic_status)99), "UNKNOWN");
  assert_string_equal(entropic_status_text((entropic_status)99), "unknown status");
}

static void context_keeps_the_last_message(void **state) {
  (void)state;
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  assert_string_equal(entropic_context_message(context), "");
  assert_int_equal(ent_fail(context, ENTROPIC_BAD_DATA, "line %d", 7), ENTROPIC_BAD_DATA);
  assert_string_equal(entropic_context_message(context), "line 7");
  assert_int_equal(ent_fail(context, ENTROPIC_SYSTEM, "file: %s", context->message), ENTROPIC_SYSTEM);
  assert_string_equal(entropic_context_message(context), "file: line 7");
  entropic_context_free(context);
  entropic_context_free(NULL);
  assert_string_equal(entropic_context_message(NULL), "");
  assert_int_equal(ent_fail(NULL, ENTROPIC_BAD_DATA, "lost"), ENTROPIC_BAD_DATA);
}

static void long_messages_are_cut(void **state) {
  (void)state;
  entropic_context context = {.threads = 0};
  char text[3 * ENT_MESSAGE_SIZE];
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  ent_fail(&context, ENTROPIC_BAD_DATA, "%s", text);
  assert_int_equal(strlen(context.message), ENT_MESSAGE_SIZE - 1);
}

static void threads_are_checked(void **state) {
  (void)state;
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  assert_int_equal(ent_context_threads(context), 0);
  assert_int_equal(entropic_context_set_threads(context, 3), ENTROPIC_OK);
  assert_int_equal(entropic_context_set_threads(context, -1), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "threads is -1");
  assert_int_equal(ent_context_threads(context), 3);
  assert_int_equal(entropic_context_set_threads(context, 0), ENTROPIC_OK);
  assert_int_equal(ent_context_threads(context), 0);
  assert_int_equal(entropic_context_set_threads(NULL, 1), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_context_threads(NULL), 0);
  entropic_context_free(context);
}

static void sizes_are_checked(void **state) {
  (void)state;
  size_t result = 5;
  assert_true(ent_multiply(SIZE_MAX / 3, 3, &result));
  assert_int_equal(result, SIZE_MAX / 3 * 3);
  assert_false(ent_multiply(SIZE_MAX / 2, 3, &result));
  assert_int_equal(result, SIZE_MAX / 3 * 3);
  assert_true(ent_add(SIZE_MAX - 1, 1, &result));
  assert_int_equal(result, SIZE_MAX);
  assert_false(ent_add(SIZE_MAX, 1, &result));
  assert_int_equal(result, SIZE_MAX);
}

static void memory_is_zeroed_and_aligned(void **state) {
  (void)state;
  for (size_t count = 0; count < 200; count += 13) {
    unsigned char *memory = ent_new(NULL, count, 3);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 64, 0);
    for (size_t i = 0; i < 3 * count; i++)
      assert_int_equal(memory[i], 0);
    memset(memory, 0xff, 3 * count);
    ent_delete(memory);
  }
  ent_delete(NULL);
}

static void raw_memory_is_aligned(void **state) {
  (void)state;
  entropic_context context = {.threads = 0};
  for (size_t count = 0; count < 200; count += 13) {
    unsigned char *memory = ent_new_raw(&context, count, 5, 3);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 64, 0);
    memset(memory, 0xff, 15 * count); /* all of it may be written: the sanitizer watches */
    ent_delete(memory);
  }
  assert_null(ent_new_raw(&context, SIZE_MAX / 2, 3, 1));
  assert_message(&context, "out of memory");
  context.message[0] = '\0';
  assert_null(ent_new_raw(&context, SIZE_MAX / 8, 1, 8));
  assert_message(&context, "out of memory");
}

static void impossible_sizes_are_refused(void **state) {
  (void)state;
  entropic_context context = {.threads = 0};
  assert_null(ent_new(&context, SIZE_MAX, 8));
  assert_message(&context, "out of memory");
  context.message[0] = '\0';
  assert_null(ent_new(&context, SIZE_MAX, 1));
  assert_message(&context, "out of memory");
  context.message[0] = '\0';
  assert_null(ent_new(&context, SIZE_MAX / 4, 1));
  assert_message(&context, "out of memory");
  for (size_t less = 0; less < 300; less++) { /* what is added for the alignment must not wrap around */
    context.message[0] = '\0';
    assert_null(ent_new(&context, SIZE_MAX - less, 1));
    assert_message(&context, "out of memory");
  }
}

static void growing_keeps_what_was_there(void **state) {
  (void)state;
  size_t capacity = 0;
  int *numbers = NULL;
  int moves = 0;
  for (int i = 0; i < 1000; i++) {
    size_t before = capacity;
    numbers = ent_grow(NULL, numbers, &capacity, (size_t)i + 1, sizeof *numbers);
    assert_non_null(numbers);
    assert_true(capacity >= (size_t)i + 1);
    if (capacity != before) {
      moves++;
      assert_true(capacity >= before + before / 2);
    }
    numbers[i] = i;
  }
  assert_true(moves < 10);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(numbers[i], i);
  size_t before = capacity;
  assert_null(ent_grow(NULL, numbers, &capacity, SIZE_MAX / 2, sizeof *numbers));
  assert_int_equal(capacity, before);
  assert_int_equal(numbers[999], 999);
  ent_delete(numbers);
}

static void text_is_made_fit_for_messages(void **state) {
  (void)state;
  static const struct {
    const char *text, *shown;
  } cases[] = {
      {"", ""},
      {"plain 'text'", "plain 'text'"},
      {"a\tb\n\x7f\\", "a\\x09b\\x0a\\x7f\\x5c"},
      {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
      {"\xff\xc3", "\\xff\\xc3"},                            /* no UTF-8; cut short */
      {"\xc3(", "\\xc3("},                                   /* a wrong second byte */
      {"\xc0\xaf\xe0\x80\xaf", "\\xc0\\xaf\\xe0\\x80\\xaf"}, /* longer than need be */
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},                   /* half a surrogate pair */
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},          /* past the last character */
      {"\xc2\x85", "\\xc2\\x85"},                            /* a control character */
      {"\xe2\x80\xae", "\\xe2\\x80\\xae"},                   /* would turn the text around */
  };
  char shown[ENT_SHOW_SIZE];
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_string_equal(ent_show(cases[i].text, strlen(cases[i].text), shown), cases[i].shown);
  char text[100];
  memset(text, 1, sizeof text);
  ent_show(text, sizeof text, shown);
  assert_int_equal(strlen(shown), 40 * 4 + 3);
  assert_string_equal(shown + 40 * 4, "...");
  assert_string_equal(ent_show("a\0b", 3, shown), "a\\x00b");
  memset(text, 'y', 40);
  ent_show(text, 40, shown);
  assert_int_equal(strlen(shown), 40);
}

SUITE(base_status) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version_is_the_headers),
      cmocka_unit_test(statuses_have_names_and_texts),
      cmocka_unit_test(context_keeps_the_last_message),
      cmocka_unit_test(long_messages_are_cut),
      cmocka_unit_test(threads_are_checked),
      cmocka_unit_test(sizes_are_checked),
      cmocka_unit_test(memory_is_zeroed_and_aligned),
      cmocka_unit_test(raw_memory_is_aligned),
      cmocka_unit_test(impossible_sizes_are_refused),
      cmocka_unit_test(growing_keeps_what_was_there),
      cmocka_unit_test(text_is_made_fit_for_messages),
  };
  return cmocka_run_group_tests_name("base_status", tests, NULL, NULL);
}

/* Text that grows, what is escaped in it, and numbers for people. */
#include "unit/reporting.h"

#include <locale.h>

static void grows(void **state) {
  (void)state;
  ent_text text = {0};
  assert_text(&text, "");
  size_t length = 0;
  for (int i = 0; i < 3000; i++) {
    ent_text_format(&text, "%d,", i);
    length += i < 10 ? 2 : i < 100 ? 3 : i < 1000 ? 4 : 5;
  }
  assert_int_equal(text.length, length);
  assert_int_equal(strlen(text.bytes), length);
  const char *p = text.bytes;
  for (int i = 0; i < 3000; i++, p++)
    assert_int_equal(strtol(p, (char **)&p, 10), i);
  ent_text_free(&text);
  assert_null(text.bytes);
  assert_int_equal(text.length, 0);
}

static void assert_escaped(const char *unsafe, const char *expected) {
  ent_text text = {0};
  ent_text_escape(&text, unsafe);
  assert_text(&text, expected);
  ent_text_free(&text);
}

static void escapes_hostile_text(void **state) {
  (void)state;
  assert_escaped(NULL, "");
  assert_escaped("plain \xc3\xb6 \xe2\x82\xac \xf0\x9f\x98\x80", "plain \xc3\xb6 \xe2\x82\xac \xf0\x9f\x98\x80");
  assert_escaped("<script>alert('1')</script>", "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;");
  assert_escaped("\" onload=\"x&y", "&quot; onload=&quot;x&amp;y");
  assert_escaped("a\x01\x1f\x7f"
                 "b\tc\nd",
                 "ab c d");
  assert_escaped("\xc2\x80\xc2\x9fx", "x"); /* more control characters */
  assert_escaped("a\xe2\x80\xae"
                 "b\xe2\x81\xa6",
                 "ab"); /* marks that turn text around */
  assert_escaped("\xff", "\xef\xbf\xbd");
  assert_escaped("\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd");                 /* a slash written too long */
  assert_escaped("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* half of a pair */
  assert_escaped("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  assert_escaped("\xc3<", "\xef\xbf\xbd&lt;"); /* cut off: the next byte is looked at anew */
  assert_escaped("\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd");
  assert_escaped("\xef\xbf\xbf", "\xef\xbf\xbd"); /* U+FFFF, which XML forbids */
  ent_text text = {0};
  ent_text_escape_bytes(&text, "a\0<", 3);
  assert_text(&text, "a&lt;");
  ent_text_free(&text);
}

static void assert_prose(const char *unsafe, const char *expected) {
  ent_text text = {0};
  ent_text_prose(&text, unsafe);
  assert_text(&text, expected);
  ent_text_free(&text);
}

static void marks_code_in_sentences(void **state) {
  (void)state;
  assert_prose(NULL, "");
  assert_prose("", "");
  assert_prose("a < b", "a &lt; b");
  assert_prose("Run `entropic paper`.", "Run <code>entropic paper</code>.");
  assert_prose("`a``b`", "<code>a</code><code>b</code>");
  assert_prose("`<b>` & `\xff`", "<code>&lt;b&gt;</code> &amp; <code>\xef\xbf\xbd</code>");
  assert_prose("one ` alone", "one ` alone");
  assert_prose("`a` and ` alone", "<code>a</code> and ` alone");
  assert_prose("nothing in `` them", "nothing in `` them");
  assert_prose("`` `a` `", "`` <code>a</code> `");
}

/* Whatever the bytes are, nothing that means something in HTML is left, and all of it is UTF-8. */
static void escapes_any_bytes(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(5, 0);
  for (int round = 0; round < 2000; round++) {
    char bytes[24];
    size_t count = entropic_random_below(&random, sizeof bytes);
    for (size_t i = 0; i < count; i++)
      bytes[i] = (char)(entropic_random_below(&random, 3) == 0 ? "<>&\"'\xc3\xe2\x80"[entropic_random_below(&random, 8)]
                                                               : (char)entropic_random_below(&random, 256));
    ent_text text = {0};
    ent_text_add(&text, "<a b=\"");
    ent_text_escape_bytes(&text, bytes, count);
    ent_text_add(&text, "\">");
    ent_text_escape_bytes(&text, bytes, count);
    ent_text_add(&text, "</a>");
    assert_null(find_flaw(text.bytes));
    assert_int_equal(count_of(text.bytes, "<"), 2);
    assert_int_equal(count_of(text.bytes, "\""), 2);
    assert_int_not_equal(mbstowcs(NULL, text.bytes, 0), (size_t)-1); /* as the C library reads UTF-8 */
    ent_text_free(&text);
  }
}

static void writes_places(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *expected;
  } cases[] = {{0, "0"},       {-0.001, "0"},   {1.5, "1.5"},     {1.25, "1.25"}, {-0.05, "-0.05"},
               {10.004, "10"}, {99.999, "100"}, {-12.3, "-12.3"}, {7.05, "7.05"}, {0.1 + 0.2, "0.3"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    ent_text text = {0};
    ent_text_place(&text, cases[i].value);
    assert_text(&text, cases[i].expected);
    ent_text_free(&text);
  }
}

#define MINUS "\xe2\x88\x92"

static void shows_numbers(void **state) {
  (void)state;
  char shown[ENT_SHOWN_NUMBER];
  assert_string_equal(ent_show_number(0.0125, 4, shown), "0.01250");
  assert_string_equal(ent_show_number(1234.4, 4, shown), "1234");
  assert_string_equal(ent_show_number(123456, 3, shown), "123,000");
  assert_string_equal(ent_show_number(1234567, 3, shown), "1,230,000");
  assert_string_equal(ent_show_number(999999.7, 6, shown), "1,000,000");
  assert_string_equal(ent_show_number(-1.25e-7, 3, shown), MINUS "1.25e-7");
  assert_string_equal(ent_show_number(0.00012, 2, shown), "0.00012");
  assert_string_equal(ent_show_number(9.99e-5, 2, shown), "0.00010");
  assert_string_equal(ent_show_number(0.05, 0, shown), "0.05");
  assert_string_equal(ent_show_number(100, 0, shown), "100");
  assert_string_equal(ent_show_number(1e-6, 0, shown), "1e-6");
  assert_string_equal(ent_show_number(5e-324, 0, shown), "5e-324");
  assert_string_equal(ent_show_number(-1.7976931348623157e308, 17, shown), MINUS "1.7976931348623157e308");
  assert_string_equal(ent_show_number(1, 100, shown), "1.0000000000000000");
  assert_string_equal(ent_show_number(0, 5, shown), "0");
  assert_string_equal(ent_show_number(-0.0, 5, shown), "0");
  assert_string_equal(ent_show_number(NAN, 5, shown), "\xe2\x80\x93");
  assert_string_equal(ent_show_number(INFINITY, 5, shown), "\xe2\x88\x9e");
  assert_string_equal(ent_show_number(-INFINITY, 5, shown), MINUS "\xe2\x88\x9e");
  assert_string_equal(ent_show_number(31234, 2, shown), "31,000");
  assert_string_equal(ent_show_number(-31234, 5, shown), MINUS "31,234");
  assert_string_equal(ent_show_number(312, 2, shown), "310");
  assert_string_equal(ent_show_number(9999.6, 4, shown), "10,000");
  assert_string_equal(ent_show_number(20640, 0, shown), "20,640");
  assert_string_equal(ent_show_number(2.5e9, 2, shown), "2.5e9");
  assert_string_equal(ent_show_fixed(-1234.567, 2, shown), MINUS "1234.57");
  assert_string_equal(ent_show_fixed(1234567.891, 1, shown), "1,234,567.9");
  assert_string_equal(ent_show_fixed(-0.001, 2, shown), "0.00");
  assert_string_equal(ent_show_fixed(2.5, 0, shown), "2");
  assert_string_equal(ent_show_fixed(3, -1, shown), "3");
  assert_string_equal(ent_show_fixed(1e20, 2, shown), "1.000e20");
  assert_string_equal(ent_show_fixed(NAN, 2, shown), "\xe2\x80\x93");
}

/* Numbers shown with 17 digits read back as they were. */
static void shown_numbers_read_back(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(6, 0);
  for (int i = 0; i < 5000; i++) {
    double value = exp(40 * entropic_random_normal(&random)), back = 0;
    char shown[ENT_SHOWN_NUMBER];
    for (int digits = 0; digits <= 17; digits += 17) {
      char *to = shown;
      ent_show_number(value, digits, shown);
      for (const char *from = shown; *from != '\0'; from++)
        if (*from != ',')
          *to++ = *from;
      *to = '\0';
      assert_int_equal(entropic_parse_double(shown, strlen(shown), &back), ENTROPIC_OK);
      assert_true(back == value);
    }
  }
}

static void locale_does_not_matter(void **state) {
  if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL) {
    skip();
    return;
  }
  char comma[16];
  snprintf(comma, sizeof comma, "%.1f", 0.5);
  assert_string_equal(comma, "0,5");
  shows_numbers(state);
  writes_places(state);
  setlocale(LC_NUMERIC, "C");
}

static void saves(void **state) {
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  const char *path = in_folder(state, "text");
  ent_text text = {.context = context};
  assert_int_equal(ent_text_save(&text, path), ENTROPIC_OK);
  ent_text_add(&text, "some words");
  assert_int_equal(ent_text_save(&text, path), ENTROPIC_OK);
  char *bytes = read_whole(path, NULL);
  assert_string_equal(bytes, "some words");
  free(bytes);
  assert_int_equal(ent_text_save(&text, in_folder(state, "no/such/folder")), ENTROPIC_SYSTEM);
  assert_message(context, "no/such/folder");
  text.status = ENTROPIC_NO_MEMORY;
  ent_text_add(&text, "more");
  assert_string_equal(text.bytes, "some words");
  assert_int_equal(ent_text_save(&text, in_folder(state, "other")), ENTROPIC_NO_MEMORY);
  assert_int_equal(access(in_folder(state, "other"), F_OK), -1);
  ent_text_free(&text);
  entropic_context_free(context);
}

SUITE(page_text) {
  setlocale(LC_CTYPE, "C.UTF-8");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grows),
      cmocka_unit_test(escapes_hostile_text),
      cmocka_unit_test(marks_code_in_sentences),
      cmocka_unit_test(escapes_any_bytes),
      cmocka_unit_test(writes_places),
      cmocka_unit_test(shows_numbers),
      cmocka_unit_test(shown_numbers_read_back),
      cmocka_unit_test(locale_does_not_matter),
      cmocka_unit_test_setup_teardown(saves, make_folder, remove_folder),
  };
  return cmocka_run_group_tests_name("report_text", tests, NULL, NULL);
}

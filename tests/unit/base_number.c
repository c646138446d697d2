/* Reading and writing numbers. */
#include "unit/tests.h"

#include <ctype.h>
#include <locale.h>

#include "base/powers.h"
#include "base/text.h"

static entropic_status parse(const char *text, double *value) {
  return entropic_parse_double(text, strlen(text), value);
}

static void assert_reads(const char *text, double expected) {
  double value = -99;
  assert_int_equal(parse(text, &value), ENTROPIC_OK);
  if (memcmp(&value, &expected, sizeof value) != 0)
    fail_msg("'%s' reads as %a, expected %a", text, value, expected);
}

static void assert_refuses(const char *text, entropic_status status) {
  double value = -99;
  entropic_status actual = parse(text, &value);
  if (actual != status)
    fail_msg("'%s' gives %s, expected %s", text, entropic_status_name(actual), entropic_status_name(status));
  assert_true(value == -99);
}

static void assert_writes(double value, const char *expected) {
  char text[ENTROPIC_NUMBER_SIZE];
  assert_int_equal(entropic_format_double(value, text), strlen(expected));
  assert_string_equal(text, expected);
}

static void numbers_are_read(void **state) {
  (void)state;
  assert_reads("0", 0.0);
  assert_reads("-0", -0.0);
  assert_reads("-0.000e99999999999999999999", -0.0);
  assert_reads("+1", 1.0);
  assert_reads("1.", 1.0);
  assert_reads(".5", 0.5);
  assert_reads("-.5E1", -5.0);
  assert_reads("0000000000000000000000000000001", 1.0);
  assert_reads("1.00000000000000000000000000000000000000", 1.0);
  assert_reads("0.1", 0.1);
  assert_reads("123456789012345678", 123456789012345678.0);
  assert_reads("9007199254740993", 9007199254740992.0); /* half-way: to even */
  assert_reads("9007199254740993.0000000000000000000000000000001", 9007199254740994.0);
  assert_reads("1e22", 1e22);
  assert_reads("1e23", 1e23);
  assert_reads("1e-22", 1e-22);
  assert_reads("8.41e+21", 8.41e21);
  assert_reads("1.7976931348623157e308", 0x1.fffffffffffffp1023);
  assert_reads("17976931348623157"
               "0000000000000000000000000e267",
               0x1.fffffffffffffp1023);
  assert_reads("2.2250738585072011e-308", 0x0.fffffffffffffp-1022);
  assert_reads("4.9406564584124654e-324", 0x1p-1074);
  assert_reads("2.4703282292062327e-324", 0.0); /* just below half of the smallest */
  assert_reads("2.4703282292062328e-324", 0x1p-1074);
  assert_reads("1e-400", 0.0);
  assert_reads("1e-99999999999999999999", 0.0);
  assert_reads("inf", INFINITY);
  assert_reads("-Infinity", -INFINITY);
  assert_reads("+INF", INFINITY);
  double value = 0;
  assert_int_equal(parse("NaN", &value), ENTROPIC_OK);
  assert_true(isnan(value));
}

static void other_texts_are_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"",     "+",     "-",     ".",   "e5", "1e",      "1e+",       "--1",
                                    "+-1",  "1..2",  "1.2.3", " 1",  "1 ", "1\n",     "0x10",      "1e5.",
                                    "1,5",  "1_000", "1f",    "abc", "in", "infinit", "infinityx", "nan(1)",
                                    "nano", "1e5e5", "\t1",   "1d5", "٣"};
  for (size_t i = 0; i < COUNT(bad); i++)
    assert_refuses(bad[i], ENTROPIC_BAD_DATA);
  assert_refuses("1e999", ENTROPIC_TOO_LARGE);
  assert_refuses("-1e309", ENTROPIC_TOO_LARGE);
  assert_refuses("1.7976931348623159e308", ENTROPIC_TOO_LARGE);
  assert_refuses("1e99999999999999999999", ENTROPIC_TOO_LARGE);
  double value = 3;
  assert_int_equal(entropic_parse_double("1\0", 2, &value), ENTROPIC_BAD_DATA);
  assert_int_equal(entropic_parse_double(NULL, 0, &value), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_parse_double("1", 1, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_parse_double("12345", 2, &value), ENTROPIC_OK); /* not a byte beyond the length */
  assert_true(value == 12);
}

/* 1 + 2^-53 lies half-way between two doubles and takes 54 digits; one more digit, however far out, decides. */
static void far_digits_decide(void **state) {
  (void)state;
  char text[3000] = "1.00000000000000011102230246251565404236316680908203125";
  assert_reads(text, 1.0);
  size_t length = strlen(text);
  memset(text + length, '0', 2000);
  assert_reads(text, 1.0);
  text[length + 2000] = '1';
  assert_reads(text, 1 + 0x1p-52);
  memset(text, '9', 400);
  text[400] = '\0';
  assert_refuses(text, ENTROPIC_TOO_LARGE);
  strcpy(text + 400, "e-400");
  assert_reads(text, 1.0);
  memset(text, '0', 1000);
  text[1] = '.';
  strcpy(text + 1000, "125e1000");
  assert_reads(text, 12.5);
}

static void numbers_are_written(void **state) {
  (void)state;
  assert_writes(0.0, "0");
  assert_writes(-0.0, "-0");
  assert_writes(1, "1");
  assert_writes(-123456, "-123456");
  assert_writes(0.1, "0.1");
  assert_writes(-2.5, "-2.5");
  assert_writes(1.0 / 3, "0.3333333333333333");
  assert_writes(0.0001, "0.0001");
  assert_writes(0.00001, "1e-05");
  assert_writes(1e-300, "1e-300");
  assert_writes(1.5e22, "1.5e+22");
  assert_writes(100, "100");
  assert_writes(1e15, "1000000000000000");
  assert_writes(9007199254740992, "9007199254740992");
  assert_writes(9007199254740994, "9007199254740994");
  assert_writes(1e16, "1e+16");
  assert_writes(123456789012345680, "1.2345678901234568e+17");
  assert_writes(1e23, "1e+23");
  assert_writes(0x1p-44, "5.684341886080802e-14"); /* 17 digits by rounding, 16 by looking on the wider side */
  assert_writes(0x1p-1074, "5e-324");
  assert_writes(0x1p-1022, "2.2250738585072014e-308");
  assert_writes(0x1.fffffffffffffp1023, "1.7976931348623157e+308");
  assert_writes(-0x1.fffffffffffffp1023, "-1.7976931348623157e+308");
  assert_writes(NAN, "nan");
  assert_writes(-NAN, "nan");
  assert_writes(INFINITY, "inf");
  assert_writes(-INFINITY, "-inf");
}

/* Reads back, also by the C library, and no shorter form of printf does. */
static void assert_round_trip(double value) {
  char text[ENTROPIC_NUMBER_SIZE], shorter[64];
  double back = 0;
  size_t length = entropic_format_double(value, text);
  assert_true(length < ENTROPIC_NUMBER_SIZE && text[length] == '\0');
  assert_int_equal(entropic_parse_double(text, length, &back), ENTROPIC_OK);
  if (memcmp(&back, &value, sizeof value) != 0 || strtod(text, NULL) != value)
    fail_msg("%a is written as %s", value, text);
  int digits = 0, zeros = 0;
  for (const char *p = text; *p != '\0' && *p != 'e'; p++)
    if (*p >= '0' && *p <= '9' && (digits > 0 || *p != '0')) {
      digits++;
      zeros = *p == '0' ? zeros + 1 : 0;
    }
  digits -= zeros;
  if (digits > 1) {
    snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
    if (strtod(shorter, NULL) == value)
      fail_msg("%a is written as %s, though %s would do", value, text, shorter);
  }
}

static void random_bits_survive(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(2024, 0);
  for (int i = 0; i < 100000; i++) {
    uint64_t bits = entropic_random_bits(&random);
    if (i % 10 == 0)
      bits &= UINT64_MAX >> 12; /* a number below the normal range */
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value))
      assert_round_trip(value);
    assert_round_trip(round(entropic_random_normal(&random) * 1e4) / pow(10, i % 12));
    assert_round_trip(entropic_random_uniform(&random));
  }
}

static void neighbours_of_powers_survive(void **state) {
  (void)state;
  for (int e = -1074; e <= 1023; e++) {
    double value = ldexp(1, e);
    assert_round_trip(value);
    assert_round_trip(-nextafter(value, 0));
    assert_round_trip(nextafter(value, INFINITY));
  }
  for (int e = -323; e <= 308; e++) {
    char text[16];
    double value = 0;
    snprintf(text, sizeof text, "1e%d", e);
    assert_int_equal(parse(text, &value), ENTROPIC_OK);
    assert_true(value == strtod(text, NULL));
    assert_round_trip(value);
    assert_round_trip(nextafter(value, 0));
    assert_round_trip(nextafter(value, INFINITY));
  }
}

/* Random texts of all lengths, against the C library. */
static void random_texts_read_as_by_strtod(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(2025, 0);
  for (int i = 0; i < 100000; i++) {
    char text[64];
    int count = 1 + (int)entropic_random_below(&random, 24), dot = (int)entropic_random_below(&random, 25), at = 0;
    for (int j = 0; j < count; j++) {
      if (j == dot)
        text[at++] = '.';
      text[at++] = (char)('0' + entropic_random_below(&random, 10));
    }
    snprintf(text + at, sizeof text - (size_t)at, "e%d",
             (int)entropic_random_below(&random, i % 2 ? 60 : 660) - (i % 2 ? 30 : 330));
    double expected = strtod(text, NULL), value = 0;
    entropic_status status = parse(text, &value);
    assert_int_equal(status, isinf(expected) ? ENTROPIC_TOO_LARGE : ENTROPIC_OK);
    if (status == ENTROPIC_OK && value != expected)
      fail_msg("%s reads as %a, expected %a", text, value, expected);
  }
}

static void powers_of_ten_are_right(void **state) {
  (void)state;
  assert_true(ent_power_of_ten(0).high == UINT64_C(1) << 63 && ent_power_of_ten(0).low == 0);
  assert_true(ent_power_of_ten(1).high == UINT64_C(0xa) << 60 && ent_power_of_ten(1).low == 0);
  assert_true(ent_power_of_ten(-1).high == UINT64_C(0xcccccccccccccccc));
  assert_true(ent_power_of_ten(-1).low == UINT64_C(0xcccccccccccccccd));
  for (int e = ENT_POWER_MIN; e <= ENT_POWER_MAX; e++) {
    ent_power power = ent_power_of_ten(e);
    assert_true(power.high >> 63);
    if (e >= -300 && e <= 308) {
      char text[16];
      int exponent;
      snprintf(text, sizeof text, "1e%d", e);
      assert_close((double)power.high * 0x1p-64, frexp(strtod(text, NULL), &exponent), 0x1p-53);
    }
  }
}

/* In a locale with a decimal comma the texts stay the same. */
static void locale_does_not_matter(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8", "de_DE",       "it_IT.UTF-8",
                                      "es_ES.UTF-8", "nl_NL.UTF-8", "pt_BR.UTF-8", "ru_RU.UTF-8", "sv_SE.UTF-8"};
  const char *set = NULL;
  for (size_t i = 0; i < COUNT(names) && set == NULL; i++)
    set = setlocale(LC_ALL, names[i]);
  if (set == NULL || strcmp(localeconv()->decimal_point, ",") != 0) {
    setlocale(LC_ALL, "C");
    print_message("no locale with a decimal comma is installed\n");
    skip();
  }
  double exact = 0, fast = 0;
  entropic_status exact_status = parse("0.12345678901234567890123", &exact), fast_status = parse("1.5", &fast);
  double comma = 7;
  entropic_status comma_status = parse("0,12345678901234567890123", &comma);
  char text[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(-1234.5, text);
  setlocale(LC_ALL, "C");
  assert_int_equal(exact_status, ENTROPIC_OK);
  assert_true(exact == 0.12345678901234567890123);
  assert_int_equal(fast_status, ENTROPIC_OK);
  assert_true(fast == 1.5);
  assert_int_equal(comma_status, ENTROPIC_BAD_DATA);
  assert_string_equal(text, "-1234.5");
}

/* Where the small letter of I is none of A to Z, words stay the same all the same. */
static void letters_do_not_depend_on_the_locale(void **state) {
  (void)state;
  if (setlocale(LC_ALL, "tr_TR.ISO-8859-9") == NULL || tolower('I') == 'i') {
    setlocale(LC_ALL, "C");
    print_message("no Turkish locale is installed\n");
    skip();
  }
  double infinity = 0, nan = 0;
  entropic_status infinite_status = parse("-INFINITY", &infinity), nan_status = parse("NAN", &nan);
  bool same = ent_same_word("NIL", 3, "nil"), other = ent_same_word("n\xfdl", 3, "NIL");
  setlocale(LC_ALL, "C");
  assert_int_equal(infinite_status, ENTROPIC_OK);
  assert_true(infinity == -INFINITY);
  assert_int_equal(nan_status, ENTROPIC_OK);
  assert_true(isnan(nan));
  assert_true(same && !other);
}

static void words_are_compared(void **state) {
  (void)state;
  assert_true(ent_same_word("", 0, ""));
  assert_true(ent_same_word("nAn", 3, "NaN"));
  assert_true(ent_same_word("nan?", 3, "NAN"));
  assert_false(ent_same_word("nan", 3, "na"));
  assert_false(ent_same_word("na", 2, "nan"));
  assert_false(ent_same_word("na\0", 3, "na"));
  for (int a = 0; a < 256; a++)
    for (int b = 1; b < 256; b++) {
      bool letters = (a ^ b) == 32 && (a | 32) >= 'a' && (a | 32) <= 'z';
      assert_int_equal(ent_same_word((char[]){(char)a}, 1, (char[]){(char)b, 0}), a == b || letters);
    }
}

SUITE(base_number) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_compared),
      cmocka_unit_test(letters_do_not_depend_on_the_locale),
      cmocka_unit_test(numbers_are_read),
      cmocka_unit_test(other_texts_are_refused),
      cmocka_unit_test(far_digits_decide),
      cmocka_unit_test(numbers_are_written),
      cmocka_unit_test(random_bits_survive),
      cmocka_unit_test(neighbours_of_powers_survive),
      cmocka_unit_test(random_texts_read_as_by_strtod),
      cmocka_unit_test(powers_of_ten_are_right),
      cmocka_unit_test(locale_does_not_matter),
  };
  return cmocka_run_group_tests_name("base_number", tests, NULL, NULL);
}

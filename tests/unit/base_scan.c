/* The short way of reading numbers: what it reads is what entropic_parse_double reads, to the last bit. */
#include "unit/tests.h"

#include "base/scan.h"

/* Reads text with a byte behind it that ends it; 1 if the short way took it. */
static int agrees(const char *text) {
  char padded[160] = {0};
  size_t length = strlen(text);
  assert_true(length < 100);
  memcpy(padded, text, length);
  padded[length] = ',';
  double fast = 0, slow = 0;
  const char *end = ent_scan_double(padded, '.', ent_powers_of_ten(), &fast);
  if (end == NULL)
    return 0;
  if (end != padded + length || entropic_parse_double(text, length, &slow) != ENTROPIC_OK ||
      memcmp(&fast, &slow, sizeof fast) != 0)
    fail_msg("'%s' is read as %.17g up to byte %td, expected %.17g", text, fast, end - padded, slow);
  return 1;
}

static void plain_numbers_are_taken(void **state) {
  (void)state;
  static const char *const texts[] = {
      "0",
      "-0",
      "1",
      "-1",
      "7.",
      ".5",
      "-.25",
      "12345678",
      "123456789",
      "0.1",
      "3.14159265358979",
      "-17.25e3",
      "1E5",
      "1e-5",
      "1e+22",
      "1e23",
      "9007199254740992",
      "9007199254740993",
      "9007199254740995",
      "2.2250738585072014e-308",
      "1.7976931348623157e308",
      "0.3333333333333333",
      "123456789012345678",
      "1234567890123456789",
      "0000000000000000012",
      "8.5e-200",
      "99999999.99999999",
      "12345678.12345678",
      "1234567.1234567",
  };
  int taken = 0;
  for (size_t i = 0; i < COUNT(texts); i++)
    taken += agrees(texts[i]);
  assert_true(taken >= 22); /* the rest lie too close to the middle between two doubles, or to their ends */
}

static void others_are_left(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      "-",
                                      ".",
                                      "+1",
                                      "x",
                                      "e5",
                                      "-.",
                                      "1e",
                                      "1e+",
                                      "1e12345",
                                      "nan",
                                      "inf",
                                      "12345678901234567890",
                                      "0.00000000000000000001",
                                      "1e999",
                                      "1e-400",
                                      "1e-330"};
  for (size_t i = 0; i < COUNT(texts); i++) {
    char padded[160] = {0};
    double value;
    snprintf(padded, sizeof padded, "%s,", texts[i]);
    assert_null(ent_scan_double(padded, '.', ent_powers_of_ten(), &value));
  }
}

static void a_number_ends_where_it_ends(void **state) {
  (void)state;
  static const struct {
    const char *text;
    char point;
    size_t length;
    double value;
  } cases[] = {{"12,5;7", ',', 4, 12.5}, {"12,5;7", '.', 2, 12},          {"1.5.6", '.', 3, 1.5},
               {"1-2", '.', 1, 1},       {"12345678x", '.', 8, 12345678}, {"1.2345678x", '.', 9, 1.2345678},
               {"5\n", '.', 1, 5},       {"1e5e6", '.', 3, 1e5}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    char padded[160] = {0};
    double value = 0;
    memcpy(padded, cases[i].text, strlen(cases[i].text));
    const char *end = ent_scan_double(padded, cases[i].point, ent_powers_of_ten(), &value);
    assert_ptr_equal(end, padded + cases[i].length);
    assert_true(value == cases[i].value);
  }
}

static void random_numbers_agree(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(5, 1);
  int taken = 0;
  const int count = 200000;
  for (int i = 0; i < count; i++) {
    char text[100];
    uint64_t bits = entropic_random_bits(&random), kind = entropic_random_bits(&random);
    int digits = (int)(kind >> 8 & 0xff);
    double any, x = entropic_random_normal(&random);
    memcpy(&any, &bits, sizeof any);
    switch (kind % 5) {
    case 0:
      snprintf(text, sizeof text, "%.*g", digits % 18 + 1, any);
      break;
    case 1:
      snprintf(text, sizeof text, "%.*f", digits % 17, 1000 * x);
      break;
    case 2:
      snprintf(text, sizeof text, "%lld", (long long)bits >> digits % 64);
      break;
    case 3:
      snprintf(text, sizeof text, "%llue%d", (unsigned long long)(bits % UINT64_C(10000000000000000000)),
               (int)(kind >> 16 & 0x1ff) - 256);
      break;
    default:
      entropic_format_double(x, text);
    }
    taken += agrees(text);
  }
  assert_true(taken >= count * 9 / 10);
}

SUITE(base_scan) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_numbers_are_taken),
      cmocka_unit_test(others_are_left),
      cmocka_unit_test(a_number_ends_where_it_ends),
      cmocka_unit_test(random_numbers_agree),
  };
  return cmocka_run_group_tests_name("base_scan", tests, NULL, NULL);
}

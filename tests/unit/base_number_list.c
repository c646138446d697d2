/* Numbers that are written together: the bytes of those that are written one by one. */
#include "unit/tests.h"

#include "base/sixteen.h"

#define MOST ((size_t)40) /* more than go through a step together */

static void assert_writes_as_one_by_one(const double *values, size_t count) {
  char list[MOST * ENTROPIC_NUMBER_SIZE + 1], one[MOST * ENTROPIC_NUMBER_SIZE];
  size_t expected = 0;
  list[count * ENTROPIC_NUMBER_SIZE] = '#';
  for (size_t i = 0; i < count; i++) {
    expected += entropic_format_double(values[i], one + expected);
    one[expected++] = ',';
  }
  size_t length = entropic_format_list(values, count, list);
  if (length != expected - 1 || memcmp(list, one, length) != 0)
    fail_msg("written as %.*s, expected %.*s", (int)length, list, (int)expected - 1, one);
  assert_true(list[count * ENTROPIC_NUMBER_SIZE] == '#');
}

/* Of all sizes, with few digits or many, and what is no finite number. */
static double any_value(entropic_random *random, int i) {
  double uniform = entropic_random_uniform(random);
  uint64_t bits = entropic_random_bits(random);
  double any;
  memcpy(&any, &bits, sizeof any);
  switch (i % 12) {
  case 0:
    return any;
  case 1:
    return uniform;
  case 2:
    return 20 * (uniform - 0.5);
  case 3:
    return round(1e4 * uniform) / 100;
  case 4:
    return ldexp(uniform, (int)(bits % 80) - 30);
  case 5:
    return nextafter(round(1e5 * uniform) / 1000, i % 2 ? 0 : INFINITY);
  case 6:
    return ldexp(1, (int)(bits % 2098) - 1074);
  case 7:
    return (double)(int64_t)(bits >> (bits % 64));
  case 8:
    return (float)uniform;
  case 9:
    return round(uniform * 1e12) / 1e10 + 0.5;
  case 10:
    return ldexp((double)(bits >> 12), -1074);
  default:
    return i % 36 == 11 ? NAN : i % 36 == 23 ? -INFINITY : -0.0;
  }
}

static void lists_are_written_as_their_numbers(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(2026, 0);
  int lists = quick_tests() ? 2000 : 20000, at = 0;
  for (int i = 0; i < lists; i++) {
    double values[MOST];
    size_t count = 1 + (size_t)entropic_random_below(&random, MOST);
    for (size_t j = 0; j < count; j++)
      values[j] = any_value(&random, at++);
    assert_writes_as_one_by_one(values, count);
  }
}

/* Decimals at and beside the middle of two doubles, where a comparison may be too close for two multiplications. */
static void close_decimals_are_written_as_their_numbers(void **state) {
  (void)state;
  for (int e = -60; e <= 60; e++)
    for (int digits = 1; digits < 200; digits++) {
      double near = digits * pow(10, e);
      double values[] = {nextafter(near, 0), near, nextafter(near, INFINITY), near / 2, -near / 4, near * 8};
      assert_writes_as_one_by_one(values, COUNT(values));
    }
  /* Halves of large numbers: the digit behind the last one that is written is exactly 5. */
  for (uint64_t i = 0; i < 2000; i++) {
    double large = (double)((UINT64_C(1) << 50) + 7919 * i), values[] = {large + 0.5, large + 0.25, 8 * large + 1};
    assert_writes_as_one_by_one(values, COUNT(values));
  }
}

static void empty_lists_have_no_text(void **state) {
  (void)state;
  double value = 1.5;
  char text[ENTROPIC_NUMBER_SIZE] = "#";
  assert_int_equal(entropic_format_list(&value, 0, text), 0);
  assert_int_equal(entropic_format_list(NULL, 1, text), 0);
  assert_int_equal(entropic_format_list(&value, 1, NULL), 0);
  assert_true(text[0] == '#');
}

static void assert_sixteen(uint32_t high, uint32_t low) {
  char expected[17], plain[16], fast[16];
  snprintf(expected, sizeof expected, "%08u%08u", high, low);
  int zeros = 0;
  while (zeros < 16 && expected[15 - zeros] == '0')
    zeros++;
  assert_int_equal(ent_write_sixteen_reference(high, low, plain), zeros);
  assert_int_equal(ent_write_sixteen(high, low, fast), zeros);
  assert_memory_equal(plain, expected, 16);
  assert_memory_equal(fast, expected, 16);
}

static void sixteen_digits_are_written(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(2027, 0);
  assert_sixteen(0, 0);
  assert_sixteen(99999999, 99999999);
  for (uint32_t power = 1; power < 100000000; power *= 10) {
    assert_sixteen(power, 0);
    assert_sixteen(0, power);
    assert_sixteen(power - 1, 100000000 - power);
  }
  for (uint32_t i = 0; i < 10000; i++) /* each quotient of each step */
    assert_sixteen(10000 * i + 9999, i);
  for (int i = 0; i < 20000; i++)
    assert_sixteen((uint32_t)entropic_random_below(&random, 100000000),
                   (uint32_t)entropic_random_below(&random, 100000000));
}

SUITE(base_number_list) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_are_written_as_their_numbers),
      cmocka_unit_test(close_decimals_are_written_as_their_numbers),
      cmocka_unit_test(empty_lists_have_no_text),
      cmocka_unit_test(sixteen_digits_are_written),
  };
  return cmocka_run_group_tests_name("base_number_list", tests, NULL, NULL);
}

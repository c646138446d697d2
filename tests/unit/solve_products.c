/* Products of columns: every code has the bits of the definition. */
#include "unit/tests.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "solve/products.h"

#define MOST_COLUMNS 23
#define MOST_ROWS 72

static const ent_products_code *codes[3];
static size_t code_count;

static int find_codes(void **state) {
  (void)state;
  codes[code_count++] = &ent_products_reference;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    codes[code_count++] = &ent_products_avx2;
  if (__builtin_cpu_supports("avx512f"))
    codes[code_count++] = &ent_products_avx512;
#endif
  return 0;
}

/* Eight lanes, rows in turn, then halves to halves: as products.h has it. */
static double product(const double *a, const double *b, size_t rows) {
  double lanes[8] = {0};
  for (size_t r = 0; r < rows; r++)
    lanes[r % 8] = fma(a[r], b[r], lanes[r % 8]);
  double evens = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6]), odds = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7]);
  return evens + odds;
}

/* Columns a from `first` on and b from 0 on, in one matrix; out keeps what was there. */
static void check(const ent_products_code *code, const double *z, size_t ld, size_t rows, size_t first, size_t height,
                  size_t width) {
  double out[MOST_COLUMNS * (MOST_COLUMNS + 2)];
  size_t out_ld = MOST_COLUMNS + 2;
  for (size_t i = 0; i < MOST_COLUMNS * out_ld; i++)
    out[i] = 0.1 * (double)i;
  code->add(z + first * ld, height, z, width, ld, rows, out, out_ld);
  for (size_t j = 0; j < MOST_COLUMNS; j++)
    for (size_t i = 0; i < out_ld; i++) {
      double expected = 0.1 * (double)(j * out_ld + i);
      bool wanted = i < height && j < width && (first > 0 || i <= j);
      if (wanted)
        expected += product(z + (first + i) * ld, z + j * ld, rows);
      assert_true(out[j * out_ld + i] == expected);
    }
}

static void codes_have_the_bits_of_the_definition(void **state) {
  (void)state;
  static const size_t row_counts[] = {0, 8, 16, MOST_ROWS};
  size_t ld = MOST_ROWS + 8;
  double *z = calloc(2 * MOST_COLUMNS * ld, sizeof *z);
  entropic_random random = entropic_random_start(5, 0);
  for (size_t i = 0; i < 2 * MOST_COLUMNS * ld; i++)
    z[i] = entropic_random_normal(&random);
  for (size_t k = 0; k < code_count; k++)
    for (size_t n = 0; n < COUNT(row_counts); n++)
      for (size_t height = 0; height <= MOST_COLUMNS; height++) {
        check(codes[k], z, ld, row_counts[n], 0, height, height);
        for (size_t width = 0; width <= 12; width++)
          check(codes[k], z, ld, row_counts[n], MOST_COLUMNS, height, width);
      }
  free(z);
}

static void the_best_is_one_of_them(void **state) {
  (void)state;
  const ent_products_code *best = ent_products_best();
  assert_true(best == (code_count == 1 ? NULL : codes[code_count - 1]));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(codes_have_the_bits_of_the_definition),
                                     cmocka_unit_test(the_best_is_one_of_them)};
  return cmocka_run_group_tests(tests, find_codes, NULL);
}

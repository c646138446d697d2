/* Dense linear algebra: every code has the bits of the plain loops, and these are as exact as they should be. */
#include "unit/tests.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "base/blas.h"
#include "base/dense.h"
#include "base/processor.h"

static const ent_dense_code *codes[ENT_DENSE_MOST_CODES];
static size_t code_count;
static ent_dense *dense;

/* Whether a process that is asked for this code uses it. A process finds out once, so each case has its own. */
static bool uses_code(const char *asked, const char *expected) {
  pid_t child = fork();
  if (child == 0) {
    bool same = setenv("ENTROPIC_PROCESSOR", asked, 1) == 0 && strcmp(ent_dense_best()->name, expected) == 0;
    _exit(same ? 0 : 1);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool asked_for_reference, asked_for_avx2, asked_for_nonsense;

static int find_codes(void **state) {
  (void)state;
  const char *best = "reference", *avx2 = "reference";
#if defined(__x86_64__)
  avx2 = __builtin_cpu_supports("avx2") ? "avx2" : "reference";
  best = __builtin_cpu_supports("avx512f") ? "avx512" : avx2;
#endif
  asked_for_reference = uses_code("reference", "reference");
  asked_for_avx2 = uses_code("avx2", avx2);
  asked_for_nonsense = uses_code("nonsense", best);
  code_count = ent_dense_codes(codes);
  return ent_dense_create(NULL, 1, SIZE_MAX, &dense) == ENTROPIC_OK ? 0 : -1;
}

static int forget_codes(void **state) {
  (void)state;
  ent_dense_free(dense);
  return 0;
}

static double *numbers(size_t count, uint64_t seed) {
  double *made = malloc((count + 1) * sizeof *made);
  entropic_random random = entropic_random_start(seed, 0);
  for (size_t i = 0; i < count; i++)
    made[i] = entropic_random_normal(&random);
  return made;
}

static double *copy_of(const double *from, size_t count) {
  double *made = malloc((count + 1) * sizeof *made);
  memcpy(made, from, count * sizeof *made);
  return made;
}

/* Element by element as the same doubles; NaN is never the same. */
static void assert_same(const double *actual, const double *expected, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(actual[i] == expected[i])) {
      print_error("element %zu is %.17g, expected %.17g\n", i, actual[i], expected[i]);
      fail();
    }
}

/* A positive definite matrix, full, columns ld apart. */
static double *positive_matrix(size_t n, size_t ld, uint64_t seed) {
  double *a = numbers(ld * n, seed);
  for (size_t j = 0; j < n; j++)
    a[j * ld + j] = fabs(a[j * ld + j]) + 2 * (double)n;
  return a;
}

/* ---- Products ---- */

static double at(const ent_operand *m, size_t i, size_t j) {
  size_t row = m->symmetric && i > j ? j : i, column = m->symmetric && i > j ? i : j;
  return m->at[(ptrdiff_t)row * m->row + (ptrdiff_t)column * m->column];
}

static void multiply_plainly(const ent_product_task *task) {
  for (size_t j = 0; j < task->columns; j++)
    for (size_t i = 0; i < task->rows && (!task->upper || i <= j); i++) {
      double *c = &task->c[j * task->ld + i];
      for (size_t k = 0; k < task->depth; k++) {
        double product = at(&task->a, i, k) * at(&task->b, k, j);
        *c = task->subtract ? *c - product : *c + product;
      }
    }
}

static void check_product(ent_product_task task) {
  size_t size = task.ld * (task.columns > 0 ? task.columns : 1);
  double *start = numbers(size, 9), *expected = copy_of(start, size), *actual = NULL;
  task.c = expected;
  multiply_plainly(&task);
  for (size_t i = 0; i < code_count; i++) {
    actual = copy_of(start, size);
    task.c = actual;
    ent_dense_multiply(&(ent_dense){codes[i], dense->room}, &task);
    assert_same(actual, expected, size);
    free(actual);
  }
  free(start);
  free(expected);
}

enum { MOST = 300 };

/* Operands of every kind: as they are, transposed, backwards, and symmetric. */
static ent_operand operand_of(const double *m, int kind) {
  static const ent_operand kinds[] = {{.row = 1, .column = MOST},
                                      {.row = MOST, .column = 1},
                                      {.row = -1, .column = MOST},
                                      {.row = MOST, .column = -1},
                                      {.row = 1, .column = MOST, .symmetric = true}};
  ent_operand made = kinds[kind];
  made.at = m;
  if (made.row < 0 || made.column < 0)
    made.at += MOST - 1;
  return made;
}

static void products_have_the_bits_of_plain_loops(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 1, 3, 8, 23, 25, 130, 261};
  static const size_t widths[] = {0, 1, 3, 4, 9, 50};
  double *a = numbers(MOST * MOST, 1), *b = numbers(MOST * MOST, 2);
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (size_t j = 0; j < COUNT(widths); j++)
      for (size_t k = 0; k < COUNT(sizes); k++)
        for (int kind = 0; kind < 5; kind++) {
          if (quick_tests() && (i + j + k + (size_t)kind) % 7 > 0)
            continue;
          check_product((ent_product_task){.rows = sizes[i],
                                           .columns = widths[j],
                                           .depth = sizes[k],
                                           .a = operand_of(a, kind),
                                           .b = operand_of(b, (kind + (int)k) % 5),
                                           .ld = sizes[i] + j % 3,
                                           .subtract = (i + j + k) % 2 == 0});
        }
  free(a);
  free(b);
}

static void upper_triangles_leave_the_rest(void **state) {
  (void)state;
  double *a = numbers(MOST * MOST, 3);
  for (size_t n = 1; n <= 260; n += n < 60 ? 1 : 37)
    for (size_t depth = 1; depth < 140; depth *= 5)
      check_product((ent_product_task){.rows = n,
                                       .columns = n,
                                       .depth = depth,
                                       .a = {.at = a, .row = MOST, .column = 1},
                                       .b = {.at = a, .row = 1, .column = MOST},
                                       .ld = n + 1,
                                       .subtract = n % 2 == 0,
                                       .upper = true});
  free(a);
}

/* Columns above ENT_DENSE_ROWS from the first panel on: none is left out. */
static void wide_upper_triangles(void **state) {
  (void)state;
  double *a = numbers(MOST * 600, 4);
  check_product((ent_product_task){.rows = 500,
                                   .columns = 600,
                                   .depth = 9,
                                   .a = {.at = a, .row = MOST, .column = 1},
                                   .b = {.at = a, .row = 1, .column = MOST},
                                   .ld = 501,
                                   .upper = true});
  free(a);
}

static void dots_have_eight_sums(void **state) {
  (void)state;
  enum { ROWS = 45, COLUMNS = 11, LD = 47 };
  double *a = numbers(LD * COLUMNS, 5), *x = numbers(ROWS, 6);
  for (size_t rows = 0; rows <= ROWS; rows++)
    for (size_t columns = 0; columns <= COLUMNS; columns++)
      for (size_t c = 0; c < code_count; c++) {
        double out[COLUMNS + 1];
        for (size_t j = 0; j <= COLUMNS; j++)
          out[j] = 0.1 * (double)j;
        ent_dense_dots(&(ent_dense){codes[c], dense->room}, &(ent_dots_task){a, LD, rows, columns, x, out});
        for (size_t j = 0; j <= COLUMNS; j++) {
          double sums[8] = {0}, expected = 0.1 * (double)j;
          for (size_t r = 0; r < rows; r++)
            sums[r % 8] += a[j % COLUMNS * LD + r] * x[r];
          double evens = (sums[0] + sums[4]) + (sums[2] + sums[6]), odds = (sums[1] + sums[5]) + (sums[3] + sums[7]);
          assert_true(out[j] == (j < columns ? expected + (evens + odds) : expected));
        }
      }
  free(a);
  free(x);
}

/* ---- Triangular systems ---- */

static void solve_plainly(const ent_triangle_task *task) {
  for (size_t c = 0; c < task->columns; c++) {
    double *x = task->b + c * task->ld;
    for (size_t step = 0; step < task->n; step++) {
      size_t i = task->transpose ? step : task->n - 1 - step;
      for (size_t other = 0; other < step; other++) {
        size_t k = task->transpose ? other : task->n - 1 - other;
        x[i] -= (task->transpose ? task->u[i * task->u_ld + k] : task->u[k * task->u_ld + i]) * x[k];
      }
      x[i] *= 1 / task->u[i * task->u_ld + i];
    }
  }
}

static void check_solve(size_t n, size_t columns, bool transpose) {
  size_t u_ld = n + 2, ld = n + 1, size = ld * columns;
  double *u = positive_matrix(n, u_ld, n), *start = numbers(size, 7), *expected = copy_of(start, size);
  ent_triangle_task task = {
      .u = u, .n = n, .u_ld = u_ld, .b = expected, .columns = columns, .ld = ld, .transpose = transpose};
  solve_plainly(&task);
  for (size_t i = 0; i < code_count; i++) {
    double *actual = copy_of(start, size);
    task.b = actual;
    ent_dense_solve(&(ent_dense){codes[i], dense->room}, &task);
    assert_same(actual, expected, size);
    free(actual);
  }
  free(u);
  free(start);
  free(expected);
}

static void triangles_have_the_bits_of_plain_loops(void **state) {
  (void)state;
  static const size_t columns[] = {0, 1, 3, 4, 7, 24, 31};
  for (size_t n = 0; n <= 200; n += n < 40 ? 1 : 19)
    for (size_t c = 0; c < COUNT(columns); c++) {
      check_solve(n, columns[c], false);
      check_solve(n, columns[c], true);
    }
}

/* More rows than a strip has. */
static void large_triangles(void **state) {
  (void)state;
  for (int transpose = 0; transpose < 2; transpose++) {
    check_solve(1400, 1, transpose);
    check_solve(1400, 5, transpose);
  }
}

/* ---- Factors ---- */

static bool factor_plainly(double *a, size_t ld, size_t n) {
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i <= j; i++) {
      double *u = &a[j * ld + i];
      for (size_t k = 0; k < i; k++)
        *u -= a[i * ld + k] * a[j * ld + k];
      *u = i == j ? sqrt(*u) : *u * (1 / a[i * ld + i]);
      if (i == j && !(*u > 0))
        return false;
    }
  return true;
}

static void factors_have_the_bits_of_plain_loops(void **state) {
  (void)state;
  for (size_t n = 0; n <= 240; n += n < 120 ? 1 : 40) {
    size_t ld = n + n % 3, size = ld * n;
    double *start = positive_matrix(n, ld, n), *expected = copy_of(start, size);
    assert_true(factor_plainly(expected, ld, n));
    for (size_t i = 0; i < code_count; i++) {
      double *actual = copy_of(start, size);
      assert_true(ent_dense_factor(&(ent_dense){codes[i], dense->room}, actual, ld, n));
      assert_same(actual, expected, size);
      free(actual);
    }
    free(start);
    free(expected);
  }
}

/* U'U is the matrix, in long doubles, and the factor is as close to LAPACK's as rounding allows. */
static void factors_are_exact(void **state) {
  (void)state;
  void (*dpotrf)(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_length) = NULL;
  const ent_blas *blas = NULL;
  assert_int_equal(ent_blas_get(NULL, &blas), ENTROPIC_OK);
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
  assert_non_null(library);
  *(void **)&dpotrf = dlsym(library, "dpotrf_");
  assert_true(dpotrf != NULL);
  for (size_t n = 1; n <= 200; n += n < 30 ? 1 : 17) {
    double *a = positive_matrix(n, n, 11), *u = copy_of(a, n * n), *lapack = copy_of(a, n * n);
    int size = (int)n, info = 1;
    assert_true(ent_dense_factor(dense, u, n, n));
    dpotrf("U", &size, lapack, &size, &info, 1);
    assert_int_equal(info, 0);
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i <= j; i++) {
        long double sum = 0;
        for (size_t k = 0; k <= i; k++)
          sum += (long double)u[i * n + k] * (long double)u[j * n + k];
        assert_close(sum, a[j * n + i], 1e-15 * (double)n * (double)n);
        assert_close(u[j * n + i], lapack[j * n + i], 1e-14 * sqrt((double)n));
      }
    free(a);
    free(u);
    free(lapack);
  }
  dlclose(library);
}

/* Rooms for small matrices are small; what is beyond them is not touched, or the address sanitizer would tell. */
static void small_rooms_suffice(void **state) {
  (void)state;
  for (size_t n = 1; n <= 260; n += n < 40 ? 1 : 20) {
    ent_dense *own = NULL;
    double *a = positive_matrix(n, n, 14), *u = copy_of(a, n * n), *b = numbers(n * n, 15), *x = copy_of(b, n * n);
    assert_int_equal(ent_dense_create(NULL, 1, n, &own), ENTROPIC_OK);
    assert_true(ent_dense_factor(own, u, n, n) && ent_dense_factor(dense, a, n, n));
    assert_same(u, a, n * n);
    for (int transpose = 0; transpose < 2; transpose++) {
      ent_triangle_task task = {.u = a, .n = n, .u_ld = n, .b = x, .columns = n, .ld = n, .transpose = transpose};
      ent_dense_solve(own, &task);
      task.b = b;
      ent_dense_solve(dense, &task);
      assert_same(x, b, n * n);
    }
    ent_dense_free(own);
    free(a);
    free(u);
    free(b);
    free(x);
  }
}

/* Matrices without a factor are reported, wherever the flaw is. */
static void flaws_are_found(void **state) {
  (void)state;
  static const double flaws[] = {0, -1, -HUGE_VAL, HUGE_VAL, NAN};
  for (size_t n = 1; n <= 100; n += 11)
    for (size_t at = 0; at < n; at += 5)
      for (size_t f = 0; f < COUNT(flaws); f++)
        for (size_t i = 0; i < code_count; i++) {
          double *a = positive_matrix(n, n, 12);
          a[at * n + at] = flaws[f];
          assert_false(ent_dense_factor(&(ent_dense){codes[i], dense->room}, a, n, n));
          free(a);
        }
  double *a = positive_matrix(60, 60, 13);
  a[50 * 60 + 20] = NAN;
  assert_false(ent_dense_factor(dense, a, 60, 60));
  free(a);
}

/* ---- Codes ---- */

static void the_processor_chooses_the_code(void **state) {
  (void)state;
  assert_ptr_equal(ent_dense_best(), codes[0]);
  assert_ptr_equal(codes[code_count - 1], &ent_dense_reference);
  assert_int_equal(code_count, 1 + (int)ent_processor_has_avx2() + (int)ent_processor_has_avx512());
  for (size_t i = 0; i < code_count; i++) {
    assert_true(codes[i]->rows <= ENT_DENSE_MOST_ROWS && codes[i]->columns <= ENT_DENSE_MOST_COLUMNS);
    assert_int_equal(ENT_DENSE_ROWS % codes[i]->rows, 0);
  }
#if defined(__x86_64__)
  if (getenv("ENTROPIC_PROCESSOR") == NULL)
    assert_int_equal(ent_processor_has_avx2(), __builtin_cpu_supports("avx2") != 0);
#endif
}

static void the_environment_may_ask_for_less(void **state) {
  (void)state;
  assert_true(asked_for_reference);
  assert_true(asked_for_avx2);
  assert_true(asked_for_nonsense);
}

SUITE(base_dense) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_have_the_bits_of_plain_loops),
      cmocka_unit_test(upper_triangles_leave_the_rest),
      cmocka_unit_test(wide_upper_triangles),
      cmocka_unit_test(dots_have_eight_sums),
      cmocka_unit_test(triangles_have_the_bits_of_plain_loops),
      cmocka_unit_test(large_triangles),
      cmocka_unit_test(factors_have_the_bits_of_plain_loops),
      cmocka_unit_test(factors_are_exact),
      cmocka_unit_test(small_rooms_suffice),
      cmocka_unit_test(flaws_are_found),
      cmocka_unit_test(the_processor_chooses_the_code),
      cmocka_unit_test(the_environment_may_ask_for_less),
  };
  return cmocka_run_group_tests_name("base_dense", tests, find_codes, forget_codes);
}

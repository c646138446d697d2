/* OpenBLAS is loaded once, with code that fits the processor, and the environment is as it was. */
#include "unit/lifting.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/threads.h"
#include "base/blas.h"
#include "base/factor.h"

static entropic_status get(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  return ent_blas_get(context, &((const ent_blas **)shared)[task]);
}

static entropic_status nothing(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context, (void)shared, (void)task, (void)worker;
  return ENTROPIC_OK;
}

static void code_fits_the_processor(void **state) {
  (void)state;
  const char *class_validation = getenv("OPENBLAS_CORETYPE");
  const ent_blas *blas = NULL;
  /* Threads that have come and gone make no difference. */
  entropic_context *context = context_with(3);
  ASSERT_OK(context, ent_parallel(context, 3, nothing, NULL));
  entropic_context_free(context);
  assert_int_equal(ent_blas_get(NULL, &blas), ENTROPIC_OK);
  if (class_validation == NULL)
    assert_null(getenv("OPENBLAS_CORETYPE"));
  else
    assert_string_equal(getenv("OPENBLAS_CORETYPE"), class_validation);
  assert_non_null(blas->core);
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
  __builtin_cpu_init();
  if (class_validation == NULL && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    assert_string_not_equal(blas->core, "Prescott");
#endif
}

static void all_threads_get_the_same(void **state) {
  (void)state;
  const ent_blas *found[20] = {NULL};
  entropic_context *context = context_with(8);
  ASSERT_OK(context, ent_parallel(context, 20, get, found));
  for (size_t i = 0; i < 20; i++)
    assert_ptr_equal(found[i], found[0]);
  assert_non_null(found[0]);
  entropic_context_free(context);
}

#define SIDE 40

typedef struct products {
  const ent_blas *blas;
  double a[SIDE * SIDE], expected[SIDE * SIDE], values[SIDE];
} products;

/* Small calls, so that many meet. */
static entropic_status multiply_often(entropic_context *context, void *shared, size_t task, int worker) {
  (void)task, (void)worker;
  const products *p = shared;
  double c[SIDE * SIDE];
  for (int i = 0; i < 300; i++) {
    p->blas->dgemm(ENT_COL_MAJOR, ENT_TRANS, ENT_NO_TRANS, SIDE, SIDE, SIDE, 1, p->a, SIDE, p->a, SIDE, 0, c, SIDE);
    p->blas->dtrsm(ENT_COL_MAJOR, ENT_LEFT, ENT_UPPER, ENT_TRANS, ENT_NON_UNIT, SIDE, SIDE, 1, p->a, SIDE, c, SIDE);
    if (memcmp(c, p->expected, sizeof c) != 0)
      return ent_fail(context, ENTROPIC_SYSTEM, "threads disturb each other");
  }
  return ENTROPIC_OK;
}

static entropic_status eigen_often(entropic_context *context, void *shared, size_t task, int worker) {
  (void)task, (void)worker;
  const products *p = shared;
  double values[SIDE], copy[SIDE * SIDE];
  for (int i = 0; i < 50; i++) {
    memcpy(copy, p->a, sizeof copy);
    entropic_status status = ent_eigen(context, copy, SIDE, values);
    if (status != ENTROPIC_OK || memcmp(values, p->values, sizeof values) != 0)
      return ent_fail(context, ENTROPIC_SYSTEM, "threads disturb each other");
  }
  return ENTROPIC_OK;
}

/* Directly, if the build allows it, and throttled. */
static void threads_do_not_disturb_each_other(void **state) {
  (void)state;
  const ent_blas *direct = NULL;
  products p = {.blas = NULL};
  entropic_random random = entropic_random_start(5, 0);
  assert_int_equal(ent_blas_get(NULL, &direct), ENTROPIC_OK);
  ent_blas throttled = ent_blas_throttled(direct);
  for (size_t i = 0; i < SIDE * SIDE; i++)
    p.a[i] = entropic_random_uniform(&random) + (i % (SIDE + 1) == 0 ? SIDE : 0);
  double copy[SIDE * SIDE];
  memcpy(copy, p.a, sizeof copy);
  assert_int_equal(ent_eigen(NULL, copy, SIDE, p.values), ENTROPIC_OK);
  entropic_context *context = context_with(6);
  const ent_blas *tables[2] = {direct, &throttled};
  for (int t = 0; t < 2; t++) {
    p.blas = tables[t];
    p.blas->dgemm(ENT_COL_MAJOR, ENT_TRANS, ENT_NO_TRANS, SIDE, SIDE, SIDE, 1, p.a, SIDE, p.a, SIDE, 0, p.expected,
                  SIDE);
    p.blas->dtrsm(ENT_COL_MAJOR, ENT_LEFT, ENT_UPPER, ENT_TRANS, ENT_NON_UNIT, SIDE, SIDE, 1, p.a, SIDE, p.expected,
                  SIDE);
    ASSERT_OK(context, ent_parallel(context, 12, multiply_often, &p));
  }
  ASSERT_OK(context, ent_parallel(context, 12, eigen_often, &p));
  entropic_context_free(context);
}

/* One call after the other, each on what the ones before have left: none of them may be given anything else. */
static void call_the_others(const ent_blas *blas, const double *a, double *c, double *values) {
  enum { WORK = 1 + 6 * SIDE + 2 * SIDE * SIDE, WHOLE = 3 + 5 * SIDE };
  static double work[WORK];
  static int whole[WHOLE];
  double e[SIDE];
  int side = SIDE, work_size = WORK, whole_size = WHOLE, part = SIDE - 3, info[2] = {1, 1};
  blas->dsyrk(ENT_COL_MAJOR, ENT_UPPER, ENT_TRANS, SIDE - 1, SIDE - 2, 0.5, a, SIDE, 0.25, c, SIDE);
  memcpy(e, c, sizeof e);
  blas->dsyevd("V", "U", &part, c, &side, values, work, &work_size, whole, &whole_size, &info[0], 1, 1);
  blas->dstedc("I", &part, values, e, c, &side, work, &work_size, whole, &whole_size, &info[1], 1);
  assert_int_equal(info[0], 0);
  assert_int_equal(info[1], 0);
}

static void throttled_calls_are_the_same_calls(void **state) {
  (void)state;
  const ent_blas *direct = NULL;
  assert_int_equal(ent_blas_get(NULL, &direct), ENTROPIC_OK);
  ent_blas throttled = ent_blas_throttled(direct);
  assert_string_equal(throttled.core, direct->core);
  double a[SIDE * SIDE], c[2][SIDE * SIDE], values[2][SIDE];
  entropic_random random = entropic_random_start(6, 0);
  for (size_t i = 0; i < SIDE * SIDE; i++)
    a[i] = c[0][i] = c[1][i] = entropic_random_normal(&random);
  call_the_others(direct, a, c[0], values[0]);
  call_the_others(&throttled, a, c[1], values[1]);
  assert_memory_equal(c[0], c[1], sizeof c[0]);
  assert_memory_equal(values[0], values[1], (SIDE - 3) * sizeof values[0][0]);
  assert_memory_not_equal(a, c[0], sizeof a);
}

typedef void (*reduce_call)(const char *uplo, const int *n, double *a, const int *lda, double *d, double *e,
                            double *tau, double *work, const int *lwork, int *info, size_t uplo_length);
typedef void (*apply_call)(const char *side, const char *uplo, const char *trans, const int *m, const int *n,
                           const double *a, const int *lda, const double *tau, double *c, const int *ldc, double *work,
                           const int *lwork, int *info, size_t side_length, size_t uplo_length, size_t trans_length);

static void assert_all_close(const double *actual, const double *expected, size_t count, double tolerance) {
  for (size_t i = 0; i < count; i++)
    assert_close(actual[i], expected[i], tolerance);
}

/* Q T Q' is the matrix that was reduced, of which `a` has the upper triangle: entry by entry, to rounding. */
static void assert_reduced(const ent_tridiagonal *t, const double *a) {
  size_t n = t->n;
  double *reduced = calloc(n * n, sizeof *reduced), *transposed = calloc(n * n, sizeof *reduced);
  for (size_t j = 0; j < n; j++) {
    reduced[j * n + j] = t->d[j];
    if (j + 1 < n)
      reduced[j * n + j + 1] = reduced[(j + 1) * n + j] = t->e[j];
  }
  assert_int_equal(ent_tridiagonal_apply(NULL, t, false, reduced, n), ENTROPIC_OK);
  for (size_t i = 0; i < n * n; i++)
    transposed[i % n * n + i / n] = reduced[i];
  assert_int_equal(ent_tridiagonal_apply(NULL, t, false, transposed, n), ENTROPIC_OK);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i <= j; i++)
      assert_close(transposed[j * n + i], a[j * n + i], 1e-14 * (double)n);
  free(reduced);
  free(transposed);
}

/* Our own reduction is exact to rounding, and does what LAPACK's does. Two ways to round make tridiagonal forms that differ
 * by more than rounding, the more the further the reduction has got, and by how much depends on the processor's kernels. */
static void check_tridiagonal(reduce_call reduce, apply_call apply, size_t n) {
  enum { COLUMNS = 3 };
  const int size = (int)n, columns = COLUMNS, lwork = (int)(64 * n + 65 * 64);
  const double alike = 1e-11 * (double)n;
  double *expected = calloc(n * n, sizeof *expected), *work = calloc((size_t)lwork, sizeof *work);
  double *b = calloc(n * COLUMNS, sizeof *b), *c = calloc(n * COLUMNS, sizeof *c), *a = calloc(n * n, sizeof *a);
  double *vectors[2] = {calloc(3 * n, sizeof *work), calloc(3 * n, sizeof *work)};
  ent_tridiagonal t = {.n = n, .a = calloc(n * n, sizeof *t.a)};
  entropic_random random = entropic_random_start(7, n);
  int info = 1;
  for (size_t i = 0; i < n * n; i++)
    a[i] = expected[i] = t.a[i] = entropic_random_normal(&random);
  t.d = vectors[0], t.e = t.d + n, t.tau = t.e + n;
  reduce("U", &size, expected, &size, vectors[1], vectors[1] + n, vectors[1] + 2 * n, work, &lwork, &info, 1);
  assert_int_equal(info, 0);
  assert_int_equal(ent_tridiagonal_reduce(NULL, &t), ENTROPIC_OK);
  assert_reduced(&t, a);
  assert_all_close(t.a, expected, n * n, alike);
  assert_all_close(vectors[0], vectors[1], 3 * n - 1, alike);
  for (int transpose = 0; transpose < 2; transpose++) {
    for (size_t i = 0; i < n * COLUMNS; i++)
      b[i] = c[i] = entropic_random_normal(&random);
    apply("L", "U", transpose ? "T" : "N", &size, &columns, expected, &size, vectors[1] + 2 * n, c, &size, work, &lwork,
          &info, 1, 1, 1);
    assert_int_equal(ent_tridiagonal_apply(NULL, &t, transpose, b, COLUMNS), ENTROPIC_OK);
    assert_all_close(b, c, n * COLUMNS, alike);
  }
  double *const all[] = {expected, work, b, c, a, vectors[0], vectors[1], t.a};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
}

static void tridiagonal_forms_are_those_of_lapack(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 31, 32, 33, 34, 64, 65, 97, 130, 600};
  const ent_blas *blas = NULL;
  reduce_call reduce = NULL;
  apply_call apply = NULL;
  assert_int_equal(ent_blas_get(NULL, &blas), ENTROPIC_OK);
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
  assert_non_null(library);
  *(void **)&reduce = dlsym(library, "dsytrd_");
  *(void **)&apply = dlsym(library, "dormtr_");
  assert_true(reduce != NULL && apply != NULL);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    check_tridiagonal(reduce, apply, sizes[i]);
  dlclose(library);
}

typedef void (*eigen_call)(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
                           double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t jobz_length,
                           size_t uplo_length);

static void check_eigen(eigen_call eigen, size_t n) {
  const int size = (int)n, lwork = (int)(1 + 6 * n + 2 * n * n), liwork = (int)(3 + 5 * n);
  double *a = calloc(n * n, sizeof *a), *expected = calloc(n * n, sizeof *a), *work = calloc((size_t)lwork, sizeof *a);
  double *values[2] = {calloc(n, sizeof *a), calloc(n, sizeof *a)};
  int *iwork = calloc((size_t)liwork, sizeof *iwork), info = 1;
  entropic_random random = entropic_random_start(8, n);
  for (size_t i = 0; i < n * n; i++)
    a[i] = expected[i] = entropic_random_normal(&random);
  eigen("V", "U", &size, expected, &size, values[1], work, &lwork, iwork, &liwork, &info, 1, 1);
  assert_int_equal(info, 0);
  assert_int_equal(ent_eigen(NULL, a, n, values[0]), ENTROPIC_OK);
  assert_all_close(values[0], values[1], n, 1e-12 * (double)n);
  for (size_t k = 0; k < n; k++) { /* signs of eigenvectors are free */
    double sign = a[k * n] * expected[k * n] < 0 ? -1 : 1;
    for (size_t i = 0; i < n; i++)
      assert_close(a[k * n + i], sign * expected[k * n + i], 1e-9);
  }
  free(a);
  free(expected);
  free(work);
  free(values[0]);
  free(values[1]);
  free(iwork);
}

/* Elements whose squares are beyond the range of doubles. */
static void check_range(double unit) {
  enum { ROWS = 150 };
  static double a[ROWS * ROWS], values[ROWS];
  for (size_t i = 0; i < ROWS * ROWS; i++)
    a[i] = i % (ROWS + 1) == 0 ? 2 * unit : unit; /* one eigenvalue of ROWS + 1, the others 1 */
  assert_int_equal(ent_eigen(NULL, a, ROWS, values), ENTROPIC_OK);
  for (size_t i = 0; i < ROWS; i++)
    assert_true(fabs(values[i] / unit - (i + 1 < ROWS ? 1 : ROWS + 1)) < 1e-10);
}

static void eigenvalues_are_those_of_lapack(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 34, 128, 129, 160, 400};
  eigen_call eigen = NULL;
  const ent_blas *blas = NULL;
  assert_int_equal(ent_blas_get(NULL, &blas), ENTROPIC_OK);
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
  assert_non_null(library);
  *(void **)&eigen = dlsym(library, "dsyevd_");
  assert_true(eigen != NULL);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    check_eigen(eigen, sizes[i]);
  dlclose(library);
  check_range(1e-200);
  check_range(1);
  check_range(1e200);
}

static void sizes_beyond_its_integers(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  int size = -1;
  assert_int_equal(ent_blas_size(context, (size_t)INT32_MAX + 1, &size), ENTROPIC_TOO_LARGE);
  assert_message(context, "too large for BLAS");
  assert_int_equal(size, -1);
  ASSERT_OK(context, ent_blas_size(context, INT32_MAX, &size));
  assert_int_equal(size, INT32_MAX);
  entropic_context_free(context);
}

/* Bytes of address space in use. */
static size_t address_space(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%lu", &pages), 1);
  fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* A work buffer is as large as we think: no larger than what there was room for, or OpenBLAS would hang where there is
 * less. In a process of its own, where none is mapped yet. */
static void buffers_are_as_large_as_expected(void **state) {
  (void)state;
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* its threads map buffers too */
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    void *(*take)(int) = NULL;
    if (library == NULL || (*(void **)&take = dlsym(library, "blas_memory_alloc"), take == NULL))
      _exit(0);
    size_t most = 0;
    for (int i = 0; i < 3; i++) {
      size_t before = address_space();
      if (take(0) == NULL)
        _exit(2);
      most = address_space() - before > most ? address_space() - before : most;
    }
    _exit(most <= ENT_BLAS_BUFFER ? 0 : 1);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

/* As if no more were to be had: what there is stays in use, and the work goes on. */
static void little_room(void **state) {
  (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  skip(); /* these have all the address space for themselves */
#else
  const ent_blas *blas = NULL;
  struct rlimit old, little, now;
  entropic_context *context = context_with(1);
  ASSERT_OK(context, ent_blas_get(context, &blas));
  assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
  little = (struct rlimit){address_space() + ((size_t)32 << 20), old.rlim_max};
  assert_true(ent_can_map(ENT_BLAS_BUFFER));
  assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
  assert_int_equal(getrlimit(RLIMIT_AS, &now), 0);
  if (now.rlim_cur != little.rlim_cur) {
    entropic_context_free(context);
    skip(); /* an emulator that ignores the limit */
  }
  bool room = ent_can_map(ENT_BLAS_BUFFER);
  entropic_context_set_threads(context, 200);
  entropic_status status = ent_blas_get(context, &blas), loading = ent_blas_can_load(context, 1);
  assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
  assert_false(room);
  assert_int_equal(status, ENTROPIC_OK);
  assert_non_null(blas);
  assert_int_equal(loading, ENTROPIC_NO_MEMORY);
  assert_message(context, "OpenBLAS needs 48 MB more of address space; the limit of this process");
  entropic_context_free(context);
#endif
}

static int buffer_calls;

static void count_call(void) {
  buffer_calls++;
}

/* A build that hides its buffers gets one by a call, once. This comes before any other buffer is mapped. */
static void buffers_may_be_hidden(void **state) {
  (void)state;
  ent_blas_buffers hidden = {.use = count_call, .concurrent = true};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(ent_blas_map_buffers(NULL, &hidden), ENTROPIC_OK);
    assert_int_equal(buffer_calls, 1);
  }
}

static int times_made;

static void make(void) {
  times_made++;
}

static void once(void **state) {
  (void)state;
  static ent_once flag;
  for (int i = 0; i < 3; i++)
    ent_do_once(&flag, make);
  assert_int_equal(times_made, 1);
}

SUITE(base_blas) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffers_are_as_large_as_expected),
      cmocka_unit_test(buffers_may_be_hidden),
      cmocka_unit_test(code_fits_the_processor),
      cmocka_unit_test(all_threads_get_the_same),
      cmocka_unit_test(threads_do_not_disturb_each_other),
      cmocka_unit_test(throttled_calls_are_the_same_calls),
      cmocka_unit_test(tridiagonal_forms_are_those_of_lapack),
      cmocka_unit_test(eigenvalues_are_those_of_lapack),
      cmocka_unit_test(sizes_beyond_its_integers),
      cmocka_unit_test(once),
      cmocka_unit_test(little_room),
  };
  return cmocka_run_group_tests_name("base_blas", tests, NULL, NULL);
}

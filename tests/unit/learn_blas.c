/* OpenBLAS is loaded once, with code that fits the processor, and the environment is as it was. */
#include "unit/lifting.h"

#include "base/threads.h"
#include "learn/blas.h"

static entropic_status get(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  return ent_blas_get(context, &((const ent_blas **)shared)[task]);
}

static void code_fits_the_processor(void **state) {
  (void)state;
  const char *told = getenv("OPENBLAS_CORETYPE");
  const ent_blas *blas = NULL;
  assert_int_equal(ent_blas_get(NULL, &blas), ENTROPIC_OK);
  if (told == NULL)
    assert_null(getenv("OPENBLAS_CORETYPE"));
  else
    assert_string_equal(getenv("OPENBLAS_CORETYPE"), told);
  assert_non_null(blas->core);
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
  __builtin_cpu_init();
  if (told == NULL && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
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

static void sizes_beyond_its_integers(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  int size = -1;
  assert_int_equal(ent_blas_size(context, (size_t)INT32_MAX + 1, &size), ENTROPIC_TOO_LARGE);
  assert_message(context, "more than BLAS can take");
  assert_int_equal(size, -1);
  ASSERT_OK(context, ent_blas_size(context, INT32_MAX, &size));
  assert_int_equal(size, INT32_MAX);
  entropic_context_free(context);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(code_fits_the_processor),
      cmocka_unit_test(all_threads_get_the_same),
      cmocka_unit_test(sizes_beyond_its_integers),
      cmocka_unit_test(once),
  };
  return cmocka_run_group_tests_name("learn_blas", tests, NULL, NULL);
}

/* Lifts and workspaces as handles: what they hold, what they are called, and many threads on one lift. */
#include "lift/lift.h"
#include "unit/lifting.h"

#include <pthread.h>

#define INPUTS 8
#define FEATURES 300
#define ROWS 333

static entropic_lift *lift_of(entropic_family family, entropic_lift_code code) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = family;
  axis.omega = 3;
  entropic_design *design = design_of_axis(axis, INPUTS, FEATURES);
  entropic_lift *lift = make_lift(design, code);
  entropic_design_free(design);
  return lift;
}

/* Kernel and design are gone (also those of a custom kernel, which has tables of its own), the lift lives. */
static void a_lift_outlives_its_design(void **state) {
  (void)state;
  for (const ref_family *family = NULL; (family = ref_next(family, REF_ALL)) != NULL;) {
    double omega = 2;
    entropic_axis_options axis = ref_options(family, &omega, ENTROPIC_BASIS_FULL, 5);
    entropic_design *design = design_of_axis(axis, 3, 50), *twin = design_of_axis(axis, 3, 50);
    entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
    entropic_design_free(design);
    entropic_workspace *workspace = make_workspace(lift);
    naive all = naive_start(twin);
    double x[] = {0.3, 0.71, 0.2}, z[50];
    assert_int_equal(entropic_lift_dense(NULL, lift, workspace, x, 1, 3, z, 1), ENTROPIC_OK);
    assert_row(&all, x, z, 1, family->name);
    naive_stop(&all);
    entropic_lift_free(lift);
    entropic_workspace_free(workspace); /* the lift may go first */
    entropic_design_free(twin);
  }
  entropic_lift_free(NULL);
  entropic_workspace_free(NULL);
}

static void codes_have_names(void **state) {
  (void)state;
  entropic_lift *reference = lift_of(ENTROPIC_FAMILY_CENTRED, ENTROPIC_LIFT_CODE_REFERENCE);
  entropic_lift *avx2 = lift_of(ENTROPIC_FAMILY_CENTRED, ENTROPIC_LIFT_CODE_AVX2);
  entropic_lift *best = lift_of(ENTROPIC_FAMILY_CENTRED, ENTROPIC_LIFT_CODE_BEST);
  const char *most = "reference", *middle = "reference";
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    most = middle = "avx2";
  if (__builtin_cpu_supports("avx512f"))
    most = "avx512";
#endif
  assert_string_equal(reference->code->name, "reference");
  assert_string_equal(avx2->code->name, middle);
  assert_string_equal(best->code->name, most);
  entropic_lift_free(reference);
  entropic_lift_free(avx2);
  entropic_lift_free(best);
}

/* One thread's share. */
typedef struct share {
  const entropic_lift *lift;
  const double *x, *expected;
  pthread_t thread;
  int failures;
} share;

static void *lift_over_and_over(void *argument) {
  share *mine = argument;
  size_t width = entropic_lift_nonzeros(mine->lift);
  entropic_context *context = NULL;
  entropic_workspace *workspace = NULL;
  double *z = calloc(FEATURES * ROWS, sizeof *z), *values = calloc(width * ROWS, sizeof *values);
  size_t *starts = calloc(ROWS + 1, sizeof *starts);
  int32_t *columns = calloc(width * ROWS, sizeof *columns);
  mine->failures += entropic_context_create(&context) != ENTROPIC_OK;
  mine->failures += entropic_workspace_create(context, mine->lift, &workspace) != ENTROPIC_OK;
  for (size_t i = 0; i < rounds(20) + 1 && mine->failures == 0; i++) {
    mine->failures +=
        entropic_lift_dense(context, mine->lift, workspace, mine->x, ROWS, INPUTS, z, ROWS) != ENTROPIC_OK;
    mine->failures += memcmp(z, mine->expected, FEATURES * ROWS * sizeof *z) != 0;
    mine->failures += entropic_lift_sparse(context, mine->lift, workspace, mine->x, ROWS, INPUTS, starts, columns,
                                           values) != ENTROPIC_OK;
    for (size_t r = 0; r < ROWS; r++)
      for (size_t k = starts[r]; k < starts[r + 1]; k++)
        mine->failures += values[k] != mine->expected[(size_t)columns[k] * ROWS + r];
  }
  entropic_workspace_free(workspace);
  entropic_context_free(context);
  free(z);
  free(values);
  free(starts);
  free(columns);
  return NULL;
}

static void one_lift_on_four_threads(void **state) {
  (void)state;
  static const entropic_family families[] = {ENTROPIC_FAMILY_CENTRED, ENTROPIC_FAMILY_LAPLACE,
                                             ENTROPIC_FAMILY_BROWNIAN};
  for (size_t f = 0; f < COUNT(families); f++) {
    entropic_lift *lift = lift_of(families[f], ENTROPIC_LIFT_CODE_BEST);
    entropic_workspace *workspace = make_workspace(lift);
    entropic_random random = entropic_random_start(41, f);
    double *x = make_rows(&random, ROWS, INPUTS, INPUTS), *z = calloc(FEATURES * ROWS, sizeof *z);
    assert_int_equal(entropic_lift_dense(NULL, lift, workspace, x, ROWS, INPUTS, z, ROWS), ENTROPIC_OK);
    share shares[4];
    for (size_t i = 0; i < 4; i++) {
      shares[i] = (share){.lift = lift, .x = x, .expected = z};
      assert_int_equal(pthread_create(&shares[i].thread, NULL, lift_over_and_over, &shares[i]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
      assert_int_equal(pthread_join(shares[i].thread, NULL), 0);
      assert_int_equal(shares[i].failures, 0);
    }
    entropic_workspace_free(workspace);
    entropic_lift_free(lift);
    free(x);
    free(z);
  }
}

SUITE(lift_handles) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lift_outlives_its_design),
      cmocka_unit_test(codes_have_names),
      cmocka_unit_test(one_lift_on_four_threads),
  };
  return cmocka_run_group_tests_name("lift_handles", tests, NULL, NULL);
}

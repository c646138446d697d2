/* All rows at once, on any number of threads. */
#include "unit/lifting.h"

#define INPUTS 6
#define MOST_ROWS 5000
#define STRIDE 7

static const int threads[] = {1, 2, 3, 8};

/* What the rows are lifted with. */
typedef struct bench {
  entropic_lift *lift;
  double *x;
} bench;

static bench bench_start(entropic_family family, size_t features) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = family;
  axis.omega = 5;
  entropic_design *design = design_of_axis(axis, INPUTS, features);
  entropic_random random = entropic_random_start(40, 0);
  bench made = {.lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST), .x = make_rows(&random, MOST_ROWS, INPUTS, STRIDE)};
  entropic_design_free(design);
  return made;
}

static void bench_stop(bench *at) {
  entropic_lift_free(at->lift);
  free(at->x);
}

static void assert_like_sparse(const bench *at, size_t rows, const entropic_csr *csr) {
  size_t width = entropic_lift_nonzeros(at->lift);
  size_t *starts = calloc(rows + 1, sizeof *starts);
  int32_t *columns = calloc(rows * width + 1, sizeof *columns);
  double *values = calloc(rows * width + 1, sizeof *values);
  entropic_workspace *workspace = make_workspace(at->lift);
  assert_int_equal(entropic_lift_sparse(NULL, at->lift, workspace, at->x, rows, STRIDE, starts, columns, values),
                   ENTROPIC_OK);
  assert_int_equal(csr->rows, rows);
  assert_int_equal(csr->columns, entropic_lift_features(at->lift));
  assert_memory_equal(csr->starts, starts, (rows + 1) * sizeof *starts);
  if (starts[rows] > 0) {
    assert_memory_equal(csr->indices, columns, starts[rows] * sizeof *columns);
    assert_memory_equal(csr->values, values, starts[rows] * sizeof *values);
  }
  entropic_workspace_free(workspace);
  free(starts);
  free(columns);
  free(values);
}

static void same_bits_on_all_threads(void **state) {
  (void)state;
  static const size_t rows[] = {0, 1, 31, 1023, 1024, 1025, 2048, 2100, MOST_ROWS};
  static const entropic_family families[] = {ENTROPIC_FAMILY_CENTRED, ENTROPIC_FAMILY_BROWNIAN, ENTROPIC_FAMILY_BRIDGE,
                                             ENTROPIC_FAMILY_LAPLACE};
  for (size_t f = 0; f < 4; f += in_a_hurry() ? 2 : 1) {
    bench at = bench_start(families[f], 200);
    for (size_t t = 0; t < 4; t += in_a_hurry() ? 2 : 1)
      for (size_t r = 0; r < COUNT(rows); r++) {
        entropic_context *context = context_with(threads[t]);
        entropic_csr *csr = NULL;
        ASSERT_OK(context, entropic_lift_csr(context, at.lift, at.x, rows[r], STRIDE, &csr));
        assert_like_sparse(&at, rows[r], csr);
        entropic_csr_free(csr);
        entropic_context_free(context);
      }
    entropic_csr *csr = NULL;
    assert_int_equal(entropic_lift_csr(NULL, at.lift, at.x, MOST_ROWS, STRIDE, &csr), ENTROPIC_OK);
    assert_like_sparse(&at, MOST_ROWS, csr);
    entropic_csr_free(csr);
    bench_stop(&at);
  }
}

/* Rows are counted through all blocks; of several bad ones the first is named, whichever thread is faster. */
static void bad_rows(void **state) {
  (void)state;
  static const size_t rows[] = {4999, 4990, 3000, 1024, 1023, 0};
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  static char mark;
  bench at = bench_start(ENTROPIC_FAMILY_CENTRED, 100);
  for (size_t r = 0; r < COUNT(rows); r++) {
    size_t column = r % INPUTS;
    at.x[rows[r] * STRIDE + column] = bad[r % 3]; /* those before stay */
    char place[80];
    snprintf(place, sizeof place, "row %zu, column %zu: ", rows[r] + 1, column + 1);
    for (size_t again = 0; again < rounds(5); again++)
      for (size_t t = 0; t < COUNT(threads); t++) {
        entropic_context *context = context_with(threads[t]);
        entropic_csr *csr = (void *)&mark;
        assert_int_equal(entropic_lift_csr(context, at.lift, at.x, MOST_ROWS, STRIDE, &csr), ENTROPIC_BAD_DATA);
        assert_ptr_equal(csr, &mark);
        assert_message(context, place);
        entropic_context_free(context);
      }
  }
  bench_stop(&at);
}

/* More rows than memory has room for; x is never looked at. */
static void impossible_sizes(void **state) {
  (void)state;
  static const size_t rows[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 4, SIZE_MAX / 8, (size_t)1 << 50};
  static char mark;
  bench at = bench_start(ENTROPIC_FAMILY_CENTRED, 10);
  for (size_t i = 0; i < COUNT(rows); i++) {
    entropic_context *context = context_with(3);
    entropic_csr *csr = (void *)&mark;
    assert_int_equal(entropic_lift_csr(context, at.lift, at.x, rows[i], STRIDE, &csr), ENTROPIC_NO_MEMORY);
    assert_ptr_equal(csr, &mark);
    assert_message(context, "memory");
    entropic_context_free(context);
  }
  bench_stop(&at);
  entropic_csr_free(NULL);
}

/* A non-zero is the product of the atoms that its feature is said to have. */
static void atoms_of_features(void **state) {
  (void)state;
  entropic_axis_options axis = ent_axis_options_default();
  axis.omega = 5;
  entropic_design *design = design_of_axis(axis, INPUTS, 3000);
  const entropic_kernel *kernel = entropic_design_kernel(design);
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  entropic_random random = entropic_random_start(41, 0);
  entropic_csr *csr = NULL;
  size_t several = 0;
  double *x = make_rows(&random, 50, INPUTS, INPUTS);
  assert_int_equal(entropic_lift_csr(NULL, lift, x, 50, INPUTS, &csr), ENTROPIC_OK);
  for (size_t r = 0; r < 50; r++)
    for (size_t i = csr->starts[r]; i < csr->starts[r + 1]; i++) {
      size_t column = (size_t)csr->indices[i], g = 0;
      while (group_of(design, g).first_feature + group_of(design, g).features <= column)
        g++;
      entropic_group group = group_of(design, g);
      uint64_t number = column - group.first_feature, atom;
      double value;
      number = group.members == NULL ? number : group.members[number];
      for (size_t t = 0; t < group.terms_count; t++) {
        size_t input = group.terms[t].input;
        double at = x[r * INPUTS + input];
        assert_int_equal(entropic_kernel_atom(NULL, kernel, input, group.terms[t].level, at, &atom, &value),
                         ENTROPIC_OK);
        assert_true(entropic_design_atom(design, &group, t, number) == atom);
        several += atom > 0 && group.terms_count > 1;
      }
      assert_true(entropic_design_atom(design, &group, group.terms_count, number) == 0);
    }
  assert_true(several > 100);
  entropic_csr_free(csr);
  entropic_lift_free(lift);
  entropic_design_free(design);
  free(x);
}

SUITE(lift_csr) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_bits_on_all_threads),
      cmocka_unit_test(bad_rows),
      cmocka_unit_test(impossible_sizes),
      cmocka_unit_test(atoms_of_features),
  };
  return cmocka_run_group_tests_name("lift_csr", tests, NULL, NULL);
}

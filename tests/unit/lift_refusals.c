/* What the lift refuses: numbers that are none, and arguments that do not fit. */
#include "unit/lifting.h"

#define INPUTS 9
#define ROWS 70 /* two tiles and a part of a third */

static const entropic_lift_code codes[] = {ENTROPIC_LIFT_CODE_REFERENCE, ENTROPIC_LIFT_CODE_AVX2,
                                           ENTROPIC_LIFT_CODE_BEST};

/* Groups that use all inputs; only two of them; none. */
static const char *const designs[] = {
    "entropic design 1\ncriterion l2\ninputs 9\naxis 9 centred full omega 1 level 5 smooth 0 unit 0\nbase 9 1\n"
    "groups 10 exhausted 0\n0\n1 1:2\n1 2:3\n1 3:4\n1 4:2\n1 5:3\n1 6:4\n1 7:5\n1 8:2\n1 9:3\n",
    "entropic design 1\ncriterion l2\ninputs 9\naxis 9 centred full omega 1 level 5 smooth 0 unit 0\nbase 9 1\n"
    "groups 3 exhausted 0\n0\n1 3:5\n1 3:5 8:3\n",
    "entropic design 1\ncriterion l2\ninputs 9\naxis 9 centred full omega 1 level 5 smooth 0 unit 0\nbase 9 1\n"
    "groups 1 exhausted 0\n0\n",
};

/* A lift and room for its results. */
typedef struct bench {
  entropic_context *context;
  entropic_lift *lift;
  entropic_workspace *workspace;
  double *x, *z, *values;
  size_t *starts;
  int32_t *columns;
} bench;

static bench bench_start(void **state, const char *text, entropic_lift_code code) {
  bench made = {.context = context_with(1)};
  entropic_design *design = design_of_text(in_folder(state, "design"), text);
  made.lift = make_lift(design, code);
  made.workspace = make_workspace(made.lift);
  entropic_design_free(design);
  made.x = calloc(ROWS * INPUTS, sizeof *made.x);
  made.z = calloc(ROWS * entropic_lift_features(made.lift), sizeof *made.z);
  made.starts = calloc(ROWS + 1, sizeof *made.starts);
  made.columns = calloc(ROWS * entropic_lift_nonzeros(made.lift), sizeof *made.columns);
  made.values = calloc(ROWS * entropic_lift_nonzeros(made.lift), sizeof *made.values);
  for (size_t i = 0; i < ROWS * INPUTS; i++)
    made.x[i] = (double)(i % 101) / 100;
  return made;
}

static void bench_stop(bench *at) {
  entropic_workspace_free(at->workspace);
  entropic_lift_free(at->lift);
  entropic_context_free(at->context);
  free(at->x);
  free(at->z);
  free(at->starts);
  free(at->columns);
  free(at->values);
}

static entropic_status dense(bench *at, size_t rows, size_t stride, size_t ld) {
  return entropic_lift_dense(at->context, at->lift, at->workspace, at->x, rows, stride, at->z, ld);
}

static entropic_status sparse(bench *at, size_t rows, size_t stride) {
  return entropic_lift_sparse(at->context, at->lift, at->workspace, at->x, rows, stride, at->starts, at->columns,
                              at->values);
}

static void assert_refused(bench *at, size_t row, size_t column) {
  char place[80];
  snprintf(place, sizeof place, "row %zu, column %zu: ", row + 1, column + 1);
  assert_int_equal(dense(at, ROWS, INPUTS, ROWS), ENTROPIC_BAD_DATA);
  assert_message(at->context, place);
  assert_message(at->context, isnan(at->x[row * INPUTS + column]) ? "nan" : "inf");
  assert_int_equal(sparse(at, ROWS, INPUTS), ENTROPIC_BAD_DATA);
  assert_message(at->context, place);
}

/* One bad number at each place of the block. */
static void every_place(void **state) {
  static const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};
  size_t step = in_a_hurry() ? 7 : 1;
  for (size_t d = 0; d < COUNT(designs); d++)
    for (size_t c = 0; c < COUNT(codes); c++) {
      bench at = bench_start(state, designs[d], codes[c]);
      assert_int_equal(dense(&at, ROWS, INPUTS, ROWS), ENTROPIC_OK);
      for (size_t i = 0; i < ROWS * INPUTS; i += step)
        for (size_t b = 0; b < COUNT(bad); b++) {
          double before = at.x[i];
          at.x[i] = bad[b];
          assert_refused(&at, i / INPUTS, i % INPUTS);
          at.x[i] = before;
        }
      assert_int_equal(sparse(&at, ROWS, INPUTS), ENTROPIC_OK);
      bench_stop(&at);
    }
}

/* Of several the first, by row and then by column, and whatever else is strange about the rows. */
static void the_first_one(void **state) {
  for (size_t d = 0; d < COUNT(designs); d++) {
    bench at = bench_start(state, designs[d], ENTROPIC_LIFT_CODE_BEST);
    for (size_t i = 0; i < 40; i++)
      at.x[i] = i % 2 ? 1e-310 : -5;
    at.x[66 * INPUTS + 8] = NAN;
    at.x[66 * INPUTS + 2] = INFINITY;
    assert_refused(&at, 66, 2);
    at.x[40 * INPUTS + 7] = -INFINITY;
    at.x[40 * INPUTS + 8] = NAN;
    assert_refused(&at, 40, 7);
    at.x[0] = NAN;
    assert_refused(&at, 0, 0);
    bench_stop(&at);
  }
}

/* Sums of so large numbers would be infinite: that must not make them look so. */
static void large_numbers_are_numbers(void **state) {
  for (size_t d = 0; d < COUNT(designs); d++)
    for (size_t c = 0; c < COUNT(codes); c++) {
      bench at = bench_start(state, designs[d], codes[c]);
      for (size_t i = 0; i < ROWS * INPUTS; i++)
        at.x[i] = i % 3 == 0 ? -0x1.fffffffffffffp1023 : 0x1.fffffffffffffp1023;
      assert_int_equal(dense(&at, ROWS, INPUTS, ROWS), ENTROPIC_OK);
      assert_int_equal(sparse(&at, ROWS, INPUTS), ENTROPIC_OK);
      bench_stop(&at);
    }
}

static void sizes_that_do_not_fit(void **state) {
  bench at = bench_start(state, designs[0], ENTROPIC_LIFT_CODE_BEST);
  assert_int_equal(dense(&at, 10, INPUTS - 1, 10), ENTROPIC_BAD_ARGUMENT);
  assert_message(at.context, "stride");
  assert_message(at.context, "8");
  assert_int_equal(dense(&at, 10, INPUTS, 9), ENTROPIC_BAD_ARGUMENT);
  assert_message(at.context, "ld");
  assert_message(at.context, "10");
  assert_int_equal(sparse(&at, 10, INPUTS - 1), ENTROPIC_BAD_ARGUMENT);
  assert_message(at.context, "stride");
  assert_message(at.context, "8");
  static char mark;
  entropic_csr *csr = (void *)&mark;
  for (int threads = 1; threads <= 3; threads++) {
    entropic_context_set_threads(at.context, threads);
    assert_int_equal(entropic_lift_csr(at.context, at.lift, at.x, 10, INPUTS - 1, &csr), ENTROPIC_BAD_ARGUMENT);
    assert_ptr_equal(csr, &mark);
    assert_message(at.context, "stride");
  }
  assert_int_equal(entropic_lift_dense(NULL, at.lift, at.workspace, at.x, 1, 0, at.z, 1), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_lift_sparse(NULL, at.lift, at.workspace, at.x, 1, 0, at.starts, at.columns, at.values),
                   ENTROPIC_BAD_ARGUMENT);
  bench_stop(&at);
}

static void no_rows(void **state) {
  bench at = bench_start(state, designs[0], ENTROPIC_LIFT_CODE_BEST);
  at.starts[0] = 77;
  at.z[0] = 77;
  assert_int_equal(dense(&at, 0, INPUTS, 0), ENTROPIC_OK);
  assert_int_equal(sparse(&at, 0, INPUTS), ENTROPIC_OK);
  assert_int_equal(at.starts[0], 0);
  assert_true(at.z[0] == 77);
  bench_stop(&at);
}

static void unknown_codes(void **state) {
  entropic_design *design = design_of_text(in_folder(state, "design"), designs[0]);
  entropic_context *context = context_with(1);
  static char mark;
  static const int unknown[] = {3, -1, 77};
  for (size_t i = 0; i < COUNT(unknown); i++) {
    entropic_lift *lift = (void *)&mark;
    char number[16];
    snprintf(number, sizeof number, "code: %d", unknown[i]);
    assert_int_equal(entropic_lift_create_by(context, design, (entropic_lift_code)unknown[i], &lift),
                     ENTROPIC_BAD_ARGUMENT);
    assert_message(context, number);
    assert_ptr_equal(lift, &mark);
  }
  entropic_context_free(context);
  entropic_design_free(design);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

SUITE(lift_refusals) {
  const struct CMUnitTest tests[] = {
      TEST(every_place), TEST(the_first_one),         TEST(large_numbers_are_numbers),
      TEST(no_rows),     TEST(sizes_that_do_not_fit), TEST(unknown_codes),
  };
  return cmocka_run_group_tests_name("lift_refusals", tests, NULL, NULL);
}

/* Rows whose products leave the range of double on the way, though the results do not. */
#include "unit/lift_checks.h"

#include "lift/lift.h"

static entropic_axis_options axis_of(entropic_family family, double omega, int max_level) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = family;
  axis.omega = omega;
  axis.max_level = max_level;
  return axis;
}

/* A lift with all it takes to use it. */
typedef struct bench {
  entropic_design *design;
  entropic_lift *lift;
  entropic_workspace *workspace;
  naive all;
  double *z;
} bench;

static bench bench_start(entropic_design *design, entropic_lift_code code) {
  bench made = {.design = design, .lift = make_lift(design, code), .all = naive_start(design)};
  made.workspace = make_workspace(made.lift);
  made.z = calloc(made.all.features, sizeof *made.z);
  assert_non_null(made.z);
  return made;
}

static void bench_stop(bench *at) {
  naive_stop(&at->all);
  entropic_workspace_free(at->workspace);
  entropic_lift_free(at->lift);
  entropic_design_free(at->design);
  free(at->z);
}

static void lift_one(bench *at, const double *x) {
  assert_int_equal(entropic_lift_dense(NULL, at->lift, at->workspace, x, 1, at->all.inputs, at->z, 1), ENTROPIC_OK);
}

/* Is the row computed anew? */
static bool is_rare(bench *at, const double *x) {
  ent_tile tile;
  ent_lift_rows row = {.x = x, .count = 1, .stride = at->all.inputs};
  assert_int_equal(ent_tile_start(NULL, at->lift, at->workspace, &row, 0, &tile), ENTROPIC_OK);
  assert_int_equal(tile.rare & ~UINT32_C(1), 0);
  return tile.rare != 0;
}

static void which_lifts_are_careful(void **state) {
  (void)state;
  static const struct {
    entropic_family family;
    double omega;
    size_t inputs;
    bool careful;
  } cases[] = {
      {ENTROPIC_FAMILY_CENTRED, 1, 10, false},   {ENTROPIC_FAMILY_CENTRED, 1000, 3, true},
      {ENTROPIC_FAMILY_SOBOLEV, 0.5, 50, false}, {ENTROPIC_FAMILY_LAPLACE, 1, 3, false},
      {ENTROPIC_FAMILY_LAPLACE, 50, 32, true},   {ENTROPIC_FAMILY_LAPLACE, 2000, 1, true},
      {ENTROPIC_FAMILY_COSH, 1, 5, false},       {ENTROPIC_FAMILY_BROWNIAN, 1, 1, true},
      {ENTROPIC_FAMILY_BRIDGE, 1, 2, true},      {ENTROPIC_FAMILY_COSH, 2000, 2, true},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    bench at = bench_start(design_of_axis(axis_of(cases[i].family, cases[i].omega, 4), cases[i].inputs, 20),
                           ENTROPIC_LIFT_CODE_BEST);
    if (at.lift->careful != cases[i].careful)
      fail_msg("%s, omega %g, %zu inputs: careful is %d", entropic_family_name(cases[i].family), cases[i].omega,
               cases[i].inputs, at.lift->careful);
    bench_stop(&at);
  }
}

/* Without bases that vanish, only positive inputs below 2^-60 call for care. */
static void tiny_inputs(void **state) {
  (void)state;
  static const struct {
    double x;
    bool rare;
  } cases[] = {{0, false},       {-0.0, false},    {-1e-300, false},
               {5e-324, true},   {1e-310, true},   {0x1p-61, true},
               {0x1p-60, false}, {0x1p-59, false}, {0x1.fffffffffffffp-61, true},
               {1, false},       {1e-200, true},   {2, false}};
  static const entropic_lift_code codes[] = {ENTROPIC_LIFT_CODE_REFERENCE, ENTROPIC_LIFT_CODE_AVX2,
                                             ENTROPIC_LIFT_CODE_BEST};
  for (size_t c = 0; c < COUNT(codes); c++)
    for (int f = 0; f < 2; f++) {
      entropic_family family = f == 0 ? ENTROPIC_FAMILY_SOBOLEV : ENTROPIC_FAMILY_LAPLACE;
      bench at = bench_start(design_of_axis(axis_of(family, 2, 8), 6, 500), codes[c]);
      assert_false(at.lift->careful);
      for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t input = 0; input < 6; input++) {
          double x[6] = {0.1, 0.2, 0.7, 0.4, 0.6, 0.55};
          x[input] = cases[i].x;
          assert_int_equal(is_rare(&at, x), cases[i].rare);
          lift_one(&at, x);
          assert_row(&at.all, x, at.z, 1, "tiny inputs");
        }
      /* Products of three of the least doubles there are. */
      double x[6] = {5e-324, 5e-324, 0x1p-400, 0x1p-400, 0.5, 0.3};
      lift_one(&at, x);
      assert_row(&at.all, x, at.z, 1, "several tiny inputs");
      bench_stop(&at);
    }
}

/* brownian's base is 0 at 0, hat 1 at both ends; laplace's underflows far from both for a large omega. */
static void bases_that_vanish(void **state) {
  (void)state;
  static const struct {
    entropic_family family;
    entropic_basis basis;
    double omega;
  } cases[] = {
      {ENTROPIC_FAMILY_BROWNIAN, ENTROPIC_BASIS_FULL, 3},     {ENTROPIC_FAMILY_BRIDGE, ENTROPIC_BASIS_FULL, 1},
      {ENTROPIC_FAMILY_SOBOLEV, ENTROPIC_BASIS_INTERIOR, 20}, {ENTROPIC_FAMILY_LAPLACE, ENTROPIC_BASIS_FULL, 2000},
      {ENTROPIC_FAMILY_COSH, ENTROPIC_BASIS_FULL, 5000},      {ENTROPIC_FAMILY_LAPLACE, ENTROPIC_BASIS_FULL, 1390},
      {ENTROPIC_FAMILY_LAPLACE, ENTROPIC_BASIS_FULL, 1e4},    {ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_FULL, 1e4}};
  static const double values[] = {0, 1, 0.5, 0.25, 1e-9, 0x1p-52, 0.3, 0.49, 0.9999, 5e-324, 0x1p-61, 0.999999999999};
  entropic_random random = entropic_random_start(60, 0);
  for (size_t c = 0; c < COUNT(cases); c++)
    for (size_t inputs = 1; inputs <= 9; inputs += 4) {
      entropic_axis_options axis = axis_of(cases[c].family, cases[c].omega, 6);
      axis.basis = cases[c].basis;
      bench at = bench_start(design_of_axis(axis, inputs, 200), ENTROPIC_LIFT_CODE_BEST);
      for (size_t i = 0; i < 300; i++) {
        double x[9];
        for (size_t k = 0; k < inputs; k++)
          x[k] = i < 12 ? values[i] : values[entropic_random_below(&random, 12)];
        lift_one(&at, x);
        assert_row(&at.all, x, at.z, 1, entropic_family_name(cases[c].family));
      }
      check_lift(at.design, &random, 64, 100000, entropic_family_name(cases[c].family));
      bench_stop(&at);
    }
}

/* A line as the base, and the constant 1 as a term instead of it: the base is 0 where the feature is not. */
static void a_base_of_zero_that_is_replaced(void **state) {
  entropic_design *design = design_of_text(
      in_folder(state, "design"),
      "entropic design 1\ncriterion l2\ninputs 2\naxis 2 centred full omega 4 level 5 smooth 3 unit 0\nbase 2 2\n"
      "groups 5 exhausted 0\n0\n0 1:1\n0 1:1 2:1\n0 2:3\n0 1:6 2:1\n");
  bench at = bench_start(design, ENTROPIC_LIFT_CODE_BEST);
  double x[] = {0.5, 0.75};
  assert_true(is_rare(&at, x));
  lift_one(&at, x);
  assert_true(at.z[0] == 0);
  assert_true(at.z[1] == 0.5); /* 1 times sqrt(4) 0.25 */
  assert_true(at.z[2] == 1);
  assert_true(at.z[3] == 0);
  assert_row(&at.all, x, at.z, 1, "a base of zero");
  double middle[] = {0.5, 0.5};
  lift_one(&at, middle);
  assert_true(at.z[1] == 0);
  assert_true(at.z[2] == 1);
  bench_stop(&at);
}

/* Where base and term are both 0 the quick way has 0/0, so only the careful one knows that nothing is to be stored. */
static void zeros_that_only_care_finds(void **state) {
  entropic_design *design = design_of_text(
      in_folder(state, "design"),
      "entropic design 1\ncriterion l2\ninputs 1\naxis 1 brownian full omega 4 level 5 smooth 0 unit 0\nbase 1 1\n"
      "groups 2 exhausted 0\n0 1:2\n0 1:3\n");
  bench at = bench_start(design, ENTROPIC_LIFT_CODE_BEST);
  for (size_t rows = 1; rows <= 40; rows++)
    for (size_t zero = 0; zero < rows; zero++) {
      double x[40], values[80];
      size_t starts[41];
      int32_t columns[80];
      for (size_t r = 0; r < rows; r++)
        x[r] = r == zero ? 0 : 0.3;
      assert_int_equal(entropic_lift_sparse(NULL, at.lift, at.workspace, x, rows, 1, starts, columns, values),
                       ENTROPIC_OK);
      for (size_t r = 0; r < rows; r++)
        assert_int_equal(starts[r + 1] - starts[r], r == zero ? 0 : 2);
    }
  bench_stop(&at);
}

/* Exponents are looked at, not zeros: those are harmless unless a base vanishes where another atom of its input does not. */
static void zeros_are_not_rare(void **state) {
  (void)state;
  bench at = bench_start(design_of_axis(axis_of(ENTROPIC_FAMILY_BROWNIAN, 2, 6), 3, 100), ENTROPIC_LIFT_CODE_BEST);
  assert_true(at.lift->careful);
  assert_false(is_rare(&at, (double[]){0.5, 0.25, 1}));
  assert_false(
      is_rare(&at, (double[]){0.5, 0, 1})); /* on a face all atoms of the input vanish, and so do all features */
  assert_true(is_rare(&at, (double[]){0.5, 5e-324, 1}));
  bench_stop(&at);
}

/* Thirty factors of 2^-43, then a hundred of 2^6.6, or the other way about: the product of the small ones is below all
 * doubles, that of all is not. */
static void underflow_on_the_way(void **state) {
  (void)state;
  enum { SMALL = 30, INPUTS = 130 };
  bench at =
      bench_start(design_of_axis(axis_of(ENTROPIC_FAMILY_BROWNIAN, 1e4, 3), INPUTS, 400), ENTROPIC_LIFT_CODE_BEST);
  entropic_random random = entropic_random_start(61, 0);
  for (int order = 0; order < 3; order++)
    for (int depth = 40; depth <= 64; depth += 3) { /* from normal results to none */
      double x[INPUTS];
      for (size_t i = 0; i < INPUTS; i++) {
        bool small = order == 0 ? i < SMALL : order == 1 ? i >= INPUTS - SMALL : i % 4 == 0 && i / 4 < SMALL;
        x[i] = small ? ldexp(1 + entropic_random_uniform(&random), -depth) : 1 - entropic_random_uniform(&random) / 64;
      }
      assert_true(is_rare(&at, x));
      lift_one(&at, x);
      if (depth == 40)
        assert_true(at.z[0] > 0x1p-700 && at.z[0] < 0x1p-300);
      assert_row(&at.all, x, at.z, 1, "underflow on the way");
    }
  bench_stop(&at);
}

/* cosh's base never vanishes, but is small in the middle and large at the ends: only the sum of exponents tells. */
static void underflow_of_bases_that_never_vanish(void **state) {
  (void)state;
  enum { INPUTS = 1400, SMALL = 570 };
  bench at = bench_start(design_of_axis(axis_of(ENTROPIC_FAMILY_COSH, 5, 3), INPUTS, 60), ENTROPIC_LIFT_CODE_BEST);
  assert_false(at.lift->factors[at.lift->bases[0]].level->vanishes);
  assert_true(at.lift->careful);
  entropic_random random = entropic_random_start(65, 0);
  double *x = calloc(INPUTS, sizeof *x);
  for (int order = 0; order < 2; order++) {
    for (size_t i = 0; i < INPUTS; i++) {
      bool small = order == 0 ? i < SMALL : i >= INPUTS - SMALL;
      x[i] = small ? 0.48 + entropic_random_uniform(&random) / 25 : entropic_random_uniform(&random) / 100;
    }
    assert_true(is_rare(&at, x));
    lift_one(&at, x);
    assert_true(at.z[0] > 0x1p-900 && at.z[0] < 0x1p-300);
    assert_row(&at.all, x, at.z, 1, "underflow of bases");
  }
  free(x);
  bench_stop(&at);
}

/* Results from the smallest normal numbers down to the least double and 0. */
static void results_below_normal(void **state) {
  (void)state;
  bench at = bench_start(design_of_axis(axis_of(ENTROPIC_FAMILY_BROWNIAN, 1, 2), 2, 10), ENTROPIC_LIFT_CODE_BEST);
  entropic_random random = entropic_random_start(62, 0);
  size_t below = 0, zero = 0;
  for (size_t i = 0; i < rounds(5000); i++) {
    double x[2];
    x[0] = ldexp(1 + entropic_random_uniform(&random), -500 - (int)entropic_random_below(&random, 70));
    x[1] = ldexp(1 + entropic_random_uniform(&random), -500 - (int)entropic_random_below(&random, 20));
    lift_one(&at, x);
    assert_row(&at.all, x, at.z, 1, "below normal");
    below += at.z[0] > 0 && at.z[0] < 0x1p-1022;
    zero += at.z[0] == 0;
  }
  assert_true(below > 10);
  assert_true(zero > 1);
  bench_stop(&at);
}

/* Being careful, or not, makes no difference to ordinary rows beyond rounding. */
static void forced_on_and_off(void **state) {
  (void)state;
  static const struct {
    entropic_family family;
    double omega;
    size_t inputs;
  } cases[] = {{ENTROPIC_FAMILY_CENTRED, 1, 8},  {ENTROPIC_FAMILY_LAPLACE, 2, 5},   {ENTROPIC_FAMILY_LAPLACE, 50, 32},
               {ENTROPIC_FAMILY_BROWNIAN, 2, 4}, {ENTROPIC_FAMILY_CENTRED, 500, 3}, {ENTROPIC_FAMILY_COSH, 8, 3}};
  entropic_random random = entropic_random_start(63, 0);
  for (size_t c = 0; c < COUNT(cases); c++) {
    entropic_design *design = design_of_axis(axis_of(cases[c].family, cases[c].omega, 8), cases[c].inputs, 300);
    bench at = bench_start(design, ENTROPIC_LIFT_CODE_BEST);
    bool planned = at.lift->careful;
    for (size_t i = 0; i < 200; i++) {
      double x[32], z[300];
      for (size_t k = 0; k < cases[c].inputs; k++)
        x[k] = i % 2 ? entropic_random_uniform(&random) * 0.2 : 0.3 + entropic_random_uniform(&random) / 2;
      lift_one(&at, x);
      assert_row(&at.all, x, at.z, 1, "as planned");
      memcpy(z, at.z, 300 * sizeof *z);
      bool rare = is_rare(&at, x);
      at.lift->careful = !planned;
      lift_one(&at, x);
      bool rare_now = is_rare(&at, x);
      at.lift->careful = planned;
      if (!rare && !rare_now)
        assert_memory_equal(z, at.z, 300 * sizeof *z);
      if (!rare)
        assert_row(&at.all, x, at.z, 1, "the other way");
    }
    bench_stop(&at);
  }
}

/* Rare rows among others, in every place of a tile: none touches its neighbours. */
static void rare_rows_among_others(void **state) {
  (void)state;
  entropic_design *design = design_of_axis(axis_of(ENTROPIC_FAMILY_CENTRED, 2, 8), 4, 200);
  bench at = bench_start(design, ENTROPIC_LIFT_CODE_BEST);
  enum { ROWS = 75 };
  double x[ROWS * 4], ordinary[ROWS * 200], z[ROWS * 200];
  entropic_random random = entropic_random_start(64, 0);
  for (size_t i = 0; i < ROWS * 4; i++)
    x[i] = 0.01 + 0.98 * entropic_random_uniform(&random);
  assert_int_equal(entropic_lift_dense(NULL, at.lift, at.workspace, x, ROWS, 4, ordinary, ROWS), ENTROPIC_OK);
  for (size_t row = 0; row < ROWS; row++) {
    double before = x[row * 4 + row % 4];
    x[row * 4 + row % 4] = 1e-30;
    assert_int_equal(entropic_lift_dense(NULL, at.lift, at.workspace, x, ROWS, 4, z, ROWS), ENTROPIC_OK);
    assert_row(&at.all, x + row * 4, z + row, ROWS, "a rare row");
    for (size_t column = 0; column < 200; column++)
      z[column * ROWS + row] = ordinary[column * ROWS + row];
    assert_memory_equal(z, ordinary, sizeof z);
    x[row * 4 + row % 4] = before;
  }
  bench_stop(&at);
}

SUITE(lift_extended_range) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(which_lifts_are_careful),
      cmocka_unit_test(tiny_inputs),
      cmocka_unit_test(bases_that_vanish),
      cmocka_unit_test_setup_teardown(a_base_of_zero_that_is_replaced, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(zeros_that_only_care_finds, make_folder, remove_folder),
      cmocka_unit_test(zeros_are_not_rare),
      cmocka_unit_test(underflow_on_the_way),
      cmocka_unit_test(underflow_of_bases_that_never_vanish),
      cmocka_unit_test(results_below_normal),
      cmocka_unit_test(forced_on_and_off),
      cmocka_unit_test(rare_rows_among_others),
  };
  return cmocka_run_group_tests_name("lift_extended_range", tests, NULL, NULL);
}

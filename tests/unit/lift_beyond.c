/* Lines that go on outside [0,1], and scalers that let them. */
#include "unit/lift_checks.h"

#include "axis/scaler.h"
#include "design/design.h"
#include "lift/lift.h"

/* Of input 1 the line and hats, of input 2 the line; products of both lines, and with hats. */
#define TEXT                                                                                                           \
  "entropic design 1\ncriterion l2\ninputs 3\naxis 3 centred full omega 2 level 6 smooth 3 unit 0\nbase 3 1\n"         \
  "groups 9 exhausted 0\n0\n0 1:2\n0 2:2\n0 1:3\n0 1:5\n0 3:2\n0 1:6\n0 1:2 2:2\n0 1:2 3:6\n"
enum { INPUTS = 3, LINE_1 = 1, LINE_2 = 2, ROWS = 200 };

static double limited(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

/* Rows inside, tiny, on the ends, outside and far outside. */
static void draw(double *x, double *clamped) {
  static const double some[] = {0, 1, -0.25, 1.75, -1, 2, -7, 1e6, 1e-70, -1e-70, 0.5};
  entropic_random random = entropic_random_start(4, 0);
  for (size_t i = 0; i < ROWS * INPUTS; i++) {
    size_t which = (size_t)entropic_random_below(&random, 2 * COUNT(some));
    x[i] = which < COUNT(some) ? some[which] : entropic_random_uniform(&random);
    clamped[i] = limited(x[i], 0, 1);
  }
}

/* Lines of inputs that go on have their values outside; all other features those at the ends, to the bit. */
static void only_the_line_goes_on(void **state) {
  static const entropic_lift_code codes[] = {ENTROPIC_LIFT_CODE_REFERENCE, ENTROPIC_LIFT_CODE_AVX2,
                                             ENTROPIC_LIFT_CODE_BEST};
  entropic_design *design = design_of_text(in_folder(state, "design"), TEXT),
                  *plain = design_of_text(in_folder(state, "plain"), TEXT);
  assert_int_equal(ent_design_go_beyond(NULL, design, 0), ENTROPIC_OK);
  double x[ROWS * INPUTS], clamped[ROWS * INPUTS], scale = design->kernel->axes[0]->levels[1].scale;
  draw(x, clamped);
  size_t features = entropic_design_features(design);
  double *z = calloc(features * ROWS, sizeof *z), *ends = calloc(features * ROWS, sizeof *ends);
  for (size_t c = 0; c < COUNT(codes); c++) {
    entropic_lift *lift = make_lift(design, codes[c]), *other = make_lift(plain, codes[c]);
    entropic_workspace *workspace = make_workspace(lift), *room = make_workspace(other);
    ASSERT_OK(NULL, entropic_lift_dense(NULL, lift, workspace, x, ROWS, INPUTS, z, ROWS));
    ASSERT_OK(NULL, entropic_lift_dense(NULL, other, room, clamped, ROWS, INPUTS, ends, ROWS));
    for (size_t r = 0; r < ROWS; r++)
      for (size_t f = 0; f < features; f++) {
        double wanted = f == LINE_1 ? scale * (limited(x[r * INPUTS], -1, 2) - 0.5) : ends[f * ROWS + r];
        if (!(z[f * ROWS + r] == wanted))
          fail_msg("code %zu, row %zu, feature %zu: %g, expected %g", c, r, f, z[f * ROWS + r], wanted);
      }
    entropic_workspace_free(workspace);
    entropic_workspace_free(room);
    entropic_lift_free(lift);
    entropic_lift_free(other);
  }
  free(z);
  free(ends);
  entropic_design_free(design);
  entropic_design_free(plain);
}

/* Scores of tiles and of single rows have the same bits. */
static void single_rows_are_those_of_tiles(void **state) {
  entropic_design *design = design_of_text(in_folder(state, "design"), TEXT);
  assert_int_equal(ent_design_go_beyond(NULL, design, 0), ENTROPIC_OK);
  assert_int_equal(ent_design_go_beyond(NULL, design, 1), ENTROPIC_OK);
  double x[ROWS * INPUTS], clamped[ROWS * INPUTS], scores[ROWS], offset = 0.25, one;
  double sums[ENT_TILE] __attribute__((aligned(64)));
  draw(x, clamped);
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  entropic_workspace *workspace = make_workspace(lift);
  double *weights = calloc(lift->features, sizeof *weights), *room = calloc(ent_lift_row_room(lift), sizeof *room);
  for (size_t f = 0; f < lift->features; f++)
    weights[f] = 1 / (1 + (double)f);
  ent_lift_linear functions = {weights, &offset, 1, sums};
  ent_lift_rows rows = {x, ROWS, INPUTS, 0};
  ASSERT_OK(NULL, ent_lift_scores(NULL, lift, workspace, &rows, &functions, scores));
  size_t compared = 0;
  for (size_t r = 0; r < ROWS; r++)
    if (ent_lift_row(lift, x + r * INPUTS, &functions, room, &one)) {
      assert_true(one == scores[r]);
      compared++;
    }
  assert_true(compared > ROWS / 2);
  free(weights);
  free(room);
  entropic_workspace_free(workspace);
  entropic_lift_free(lift);
  entropic_design_free(design);
}

/* Exponents hold what lines become outside. */
static void exponents_hold_lines(void **state) {
  entropic_design *design = design_of_text(in_folder(state, "design"), TEXT);
  entropic_lift *before = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  assert_int_equal(ent_design_go_beyond(NULL, design, 0), ENTROPIC_OK);
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  int *inside = calloc(lift->features, sizeof *inside), *outside = calloc(lift->features, sizeof *outside);
  ent_lift_exponents(before, inside);
  ent_lift_exponents(lift, outside);
  double scale = design->kernel->axes[0]->levels[1].scale;
  assert_true(ldexp(1, outside[LINE_1]) >= scale * 1.5);
  assert_true(ldexp(1, inside[LINE_1]) < scale * 1.5); /* the test can fail */
  for (size_t f = 0; f < lift->features; f++)
    assert_true(f == LINE_1 || outside[f] == inside[f]);
  free(inside);
  free(outside);
  entropic_lift_free(lift);
  entropic_lift_free(before);
  entropic_design_free(design);
}

static void what_has_no_line_is_refused(void **state) {
  entropic_design *design =
      design_of_text(in_folder(state, "design"),
                     "entropic design 1\ncriterion l2\ninputs 2\naxis 2 centred full omega 2 level 6 smooth 0 "
                     "unit 0\nbase 2 1\ngroups 2 exhausted 0\n0 1:3\n0 1:2 2:2\n");
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(ent_design_go_beyond(NULL, design, i), ENTROPIC_BAD_ARGUMENT);
  assert_null(design->beyond);
  entropic_design_free(design);
}

/* Scaled values go on in units of the input, by at most one range. */
static void scalers_go_on(void **state) {
  (void)state;
  static const struct {
    entropic_scaling scaling;
    double slope;
  } cases[] = {{ENTROPIC_SCALING_MINMAX, 1}, {ENTROPIC_SCALING_BLEND, 0.5}};
  const double values[] = {-1, 0, 3, 3, 9}, x[] = {-1.5, -11, -1e300, 9, 10, 19, 20, 1e300, -1, 3, NAN};
  const double off[] = {-0.05, -1, -1, NAN, 0.1, 1, 1, 1, NAN, NAN, NAN};
  for (size_t c = 0; c < COUNT(cases); c++) {
    entropic_scaler *scaler = NULL, *plain = NULL;
    ASSERT_OK(NULL, entropic_scaler_create(NULL, cases[c].scaling, values, COUNT(values), 1, 1, &scaler));
    ASSERT_OK(NULL, entropic_scaler_create(NULL, cases[c].scaling, values, COUNT(values), 1, 1, &plain));
    ASSERT_OK(NULL, ent_scaler_go_beyond(NULL, scaler, 0));
    for (size_t i = 0; i < COUNT(x); i++) {
      double found, inside;
      ent_scaler_fill(scaler, &x[i], 1, 1, &found);
      ent_scaler_fill(plain, &x[i], 1, 1, &inside);
      if (isnan(off[i]))
        assert_true(found == inside);
      else
        assert_near(found, (off[i] > 0 ? 1 : 0) + cases[c].slope * off[i], 1e-15, "case %zu, value %zu", c, i);
    }
    entropic_scaler_free(scaler);
    entropic_scaler_free(plain);
  }
  entropic_scaler *ranks = NULL;
  ASSERT_OK(NULL, entropic_scaler_create(NULL, ENTROPIC_SCALING_QUANTILE, values, COUNT(values), 1, 1, &ranks));
  assert_int_equal(ent_scaler_go_beyond(NULL, ranks, 0), ENTROPIC_BAD_ARGUMENT);
  entropic_scaler_free(ranks);
}

SUITE(lift_beyond) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_the_line_goes_on, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(single_rows_are_those_of_tiles, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(exponents_hold_lines, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(what_has_no_line_is_refused, make_folder, remove_folder),
      cmocka_unit_test(scalers_go_on),
  };
  return cmocka_run_group_tests_name("lift_beyond", tests, NULL, NULL);
}

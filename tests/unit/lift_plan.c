/* Every kind of step and of lookup, forced: the plan must use it, and the rows must be right. */
#include "unit/lift_checks.h"

#include "lift/lift.h"

static size_t nodes_of_lookup(const entropic_lift *lift, ent_lookup lookup) {
  size_t count = 0;
  for (size_t i = 0; i < lift->node_count; i++)
    count += lift->nodes[i].emit != ENT_NONE && lift->nodes[i].lookup == lookup;
  return count;
}

static size_t nodes_of_step(const entropic_lift *lift, ent_lift_step step) {
  size_t count = 0;
  for (size_t i = 0; i < lift->node_count; i++)
    count += lift->nodes[i].emit != ENT_NONE && lift->nodes[i].step == step;
  return count;
}

#define CENTRED(inputs)                                                                                                \
  "entropic design 1\ncriterion l2\ninputs " inputs "\naxis " inputs                                                   \
  " centred full omega 2 level 14 smooth 0 unit 0\nbase " inputs " 1\n"
#define LAPLACE(inputs)                                                                                                \
  "entropic design 1\ncriterion l2\ninputs " inputs "\naxis " inputs                                                   \
  " laplace full omega 2 level 14 smooth 0 unit 0\nbase " inputs " 1\n"

/* A design file and the nodes its plan must have. Levels: 1 and 2 the boundary atoms, 2 + l the hats of level l. */
typedef struct plan_case {
  const char *text;
  ent_lookup lookup;
  size_t lookups;
  ent_lift_step step;
  size_t steps;
} plan_case;

static const plan_case cases[] = {
    /* The constant, a line, the first hat. */
    {CENTRED("1") "groups 1 exhausted 0\n0\n", ENT_LOOKUP_ONE, 1, ENT_STEP_PRODUCT, 1},
    {CENTRED("3") "groups 3 exhausted 0\n0 1:2\n0 2:2\n0 3:2\n", ENT_LOOKUP_ONE, 3, ENT_STEP_LINE, 3},
    {CENTRED("3") "groups 3 exhausted 0\n0 1:3\n0 2:3\n0 3:3\n", ENT_LOOKUP_ONE, 3, ENT_STEP_HAT, 3},
    /* A line on which others build is no longer computed in place. */
    {CENTRED("2") "groups 2 exhausted 0\n0 1:2\n0 1:2 2:2\n", ENT_LOOKUP_ONE, 2, ENT_STEP_LINE, 0},
    {CENTRED("2") "groups 2 exhausted 0\n0 1:2\n0 1:2 2:2\n", ENT_LOOKUP_ONE, 2, ENT_STEP_PRODUCT, 2},
    /* Nor is anything under bases that are not 1. */
    {LAPLACE("2") "groups 2 exhausted 0\n0 1:2\n0 2:2\n", ENT_LOOKUP_ONE, 2, ENT_STEP_PRODUCT, 2},
    {LAPLACE("3") "groups 2 exhausted 0\n0 1:2 2:2\n0 1:2 2:2 3:2\n", ENT_LOOKUP_ONE, 2, ENT_STEP_FEW, 1},
    /* Few hats of one factor likewise, also the first of them alone; not if others build on them. */
    {CENTRED("2") "groups 2 exhausted 0\n0 1:4\n0 2:5\n", ENT_LOOKUP_RANGE, 2, ENT_STEP_HATS, 2},
    {CENTRED("2") "groups 2 exhausted 0\n0 1:4 = 1\n0 2:5 = 1 2 3\n", ENT_LOOKUP_RANGE, 2, ENT_STEP_HATS, 2},
    {CENTRED("2") "groups 2 exhausted 0\n0 1:4\n0 1:4 2:2\n", ENT_LOOKUP_RANGE, 2, ENT_STEP_HATS, 0},
    {CENTRED("2") "groups 2 exhausted 0\n0 1:4\n0 1:4 2:2\n", ENT_LOOKUP_RANGE, 2, ENT_STEP_SPREAD, 1},
    {CENTRED("2") "groups 2 exhausted 0\n0 2:5\n0 1:2 2:5\n", ENT_LOOKUP_RANGE, 2, ENT_STEP_HATS, 0},
    /* Whole groups of a few more columns: of one factor, and of products. */
    {CENTRED("2") "groups 2 exhausted 0\n0 1:6\n0 2:6\n", ENT_LOOKUP_RANGE, 2, ENT_STEP_SPREAD, 2},
    {CENTRED("2") "groups 1 exhausted 0\n0 1:4 2:3\n", ENT_LOOKUP_RANGE, 1, ENT_STEP_FEW, 1},
    {CENTRED("2") "groups 2 exhausted 0\n0 1:4 2:4\n0 1:5 2:4\n", ENT_LOOKUP_RANGE, 2, ENT_STEP_FEW, 2},
    {LAPLACE("1") "groups 1 exhausted 0\n0 1:6\n", ENT_LOOKUP_RANGE, 1, ENT_STEP_FEW, 1},
    /* Exactly as many columns as few are, and one more (of 16, cut). */
    {CENTRED("1") "groups 1 exhausted 0\n0 1:7 = 1 2 3 4 5 6 7 8\n", ENT_LOOKUP_RANGE, 1, ENT_STEP_SPREAD, 1},
    {CENTRED("1") "groups 1 exhausted 0\n0 1:7 = 1 2 3 4 5 6 7 8 9\n", ENT_LOOKUP_RANGE, 1, ENT_STEP_ANY, 1},
    {CENTRED("1") "groups 1 exhausted 0\n0 1:7\n", ENT_LOOKUP_RANGE, 1, ENT_STEP_ANY, 1},
    {CENTRED("2") "groups 1 exhausted 0\n0 1:9 2:8\n", ENT_LOOKUP_RANGE, 1, ENT_STEP_ANY, 1},
    /* All members, written out. */
    {CENTRED("1") "groups 1 exhausted 0\n0 1:4 = 1 2\n", ENT_LOOKUP_RANGE, 1, ENT_STEP_HATS, 1},
    {CENTRED("1") "groups 1 exhausted 0\n0 1:3 = 1\n", ENT_LOOKUP_ONE, 1, ENT_STEP_HAT, 1},
    /* Members here and there: a table while there are few atoms, otherwise a list. */
    {CENTRED("1") "groups 1 exhausted 0\n0 1:4 = 2\n", ENT_LOOKUP_TABLE, 1, ENT_STEP_ANY, 1},
    {CENTRED("1") "groups 1 exhausted 0\n0 1:9 = 1 7 9 11 64\n", ENT_LOOKUP_TABLE, 1, ENT_STEP_ANY, 1},
    {CENTRED("2") "groups 2 exhausted 0\n0 1:5 2:5 = 2 5 16\n0 2:6 = 8\n", ENT_LOOKUP_TABLE, 2, ENT_STEP_ANY, 2},
    {CENTRED("1") "groups 1 exhausted 0\n0 1:10 = 1 128\n", ENT_LOOKUP_LIST, 1, ENT_STEP_ANY, 1},
    {CENTRED("2") "groups 1 exhausted 0\n0 1:16 2:4 = 2 5 77 3000 16384\n", ENT_LOOKUP_LIST, 1, ENT_STEP_ANY, 1},
    {LAPLACE("2") "groups 1 exhausted 0\n0 1:10 2:4 = 2 5 77 200 256\n", ENT_LOOKUP_LIST, 1, ENT_STEP_ANY, 1},
};

/* Few and far members would hardly ever be met by random rows: aim at them. */
static void aim(entropic_random *random, const entropic_design *design, const char *what) {
  naive all = naive_start(design);
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  entropic_workspace *workspace = make_workspace(lift);
  double *z = calloc(all.features, sizeof *z), *x = calloc(all.inputs, sizeof *x);
  for (size_t g = 0; g < all.groups; g++) {
    const entropic_group *group = &all.group[g];
    for (size_t k = 0; k < group->features; k++) {
      uint64_t rest = group->members == NULL ? k : group->members[k];
      for (size_t i = 0; i < all.inputs; i++)
        x[i] = entropic_random_uniform(random);
      for (size_t t = group->terms_count; t-- > 0;) {
        uint64_t atoms = level_of(all.kernel, group->terms[t].input, group->terms[t].level).atoms;
        x[group->terms[t].input] =
            ((double)(rest % atoms) + 0.01 + 0.47 * entropic_random_uniform(random)) / (double)atoms;
        rest /= atoms;
      }
      assert_int_equal(entropic_lift_dense(NULL, lift, workspace, x, 1, all.inputs, z, 1), ENTROPIC_OK);
      assert_true(z[group->first_feature + k] != 0);
      assert_row(&all, x, z, 1, what);
    }
  }
  free(z);
  free(x);
  entropic_workspace_free(workspace);
  entropic_lift_free(lift);
  naive_stop(&all);
}

static void every_step_and_lookup(void **state) {
  entropic_random random = entropic_random_start(50, 0);
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_design *design = design_of_text(in_folder(state, "design"), cases[i].text);
    entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_REFERENCE);
    size_t lookups = nodes_of_lookup(lift, cases[i].lookup), steps = nodes_of_step(lift, cases[i].step);
    if (lookups != cases[i].lookups || steps != cases[i].steps)
      fail_msg("case %zu: %zu nodes of lookup %d, %zu of step %d", i, lookups, cases[i].lookup, steps, cases[i].step);
    assert_false(lift->careful);
    assert_false(lift->unsorted);
    check_lift(design, &random, 100, 100000, cases[i].text);
    aim(&random, design, cases[i].text);
    entropic_lift_free(lift);
    entropic_design_free(design);
  }
}

/* Nodes of one step next to each other are one run; a jump of columns (here a group that was written by an earlier node's
 * place in the order) ends it. */
static void runs(void **state) {
  entropic_design *design = design_of_text(
      in_folder(state, "design"), CENTRED("4") "groups 7 exhausted 0\n0\n0 1:2\n0 2:2\n0 3:3\n0 4:3\n0 1:4\n0 2:4\n");
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_REFERENCE);
  static const ent_run expected[] = {
      {0, 1, ENT_STEP_PRODUCT}, {1, 2, ENT_STEP_LINE}, {3, 2, ENT_STEP_HAT}, {5, 2, ENT_STEP_HATS}};
  assert_int_equal(lift->run_count, 4);
  for (size_t i = 0; i < COUNT(expected); i++) {
    assert_int_equal(lift->runs[i].first_node, expected[i].first_node);
    assert_int_equal(lift->runs[i].nodes, expected[i].nodes);
    assert_int_equal(lift->runs[i].step, expected[i].step);
  }
  entropic_random random = entropic_random_start(51, 0);
  check_lift(design, &random, 70, 100000, "runs");
  entropic_lift_free(lift);
  entropic_design_free(design);
}

/* Atoms of three terms: those of the first two are kept for the third. A node that only leads on keeps them as well. */
static void atoms_on_which_others_build(void **state) {
  static const char *const texts[] = {
      CENTRED("3") "groups 2 exhausted 0\n0 1:4 2:5\n0 1:4 2:5 3:4\n",
      CENTRED("3") "groups 1 exhausted 0\n0 1:4 2:5 3:4\n",
      CENTRED("3") "groups 2 exhausted 0\n0 1:4 2:2\n0 1:4 2:2 3:4\n",
      LAPLACE("3") "groups 2 exhausted 0\n0 1:4 2:5 3:4\n0 1:4 2:5\n",
  };
  entropic_random random = entropic_random_start(52, 0);
  for (size_t i = 0; i < COUNT(texts); i++) {
    entropic_design *design = design_of_text(in_folder(state, "design"), texts[i]);
    entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_REFERENCE);
    size_t combining = 0, leading = 0;
    for (size_t n = 0; n < lift->node_count; n++) {
      combining += lift->nodes[n].factor != ENT_NONE;
      leading += lift->nodes[n].emit == ENT_NONE;
    }
    assert_int_equal(combining, i == 2 ? 1 : 2);
    assert_int_equal(leading, i == 1 ? 1 : i == 3 ? 2 : 0);
    check_lift(design, &random, 70, 100000, texts[i]);
    entropic_lift_free(lift);
    entropic_design_free(design);
  }
}

/* All that happens, happens near 1: only there are deep atoms worth having. */
static double steep(double x, void *user) {
  (void)user;
  return exp(50 * x);
}

/* A custom kernel's levels come atom by atom, in many groups of the same terms, which one node writes. */
static void merged_groups(void **state) {
  (void)state;
  double omega = 3;
  entropic_random random = entropic_random_start(53, 0);
  bool table = false, list = false;
  static const size_t sizes[] = {5, 60, 200, 60};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    entropic_axis_options axis = ref_options(ref_named("custom of its own"), &omega, ENTROPIC_BASIS_FULL, 12);
    if (i == 3)
      axis.p = steep;
    entropic_design *design = design_of_axis(axis, i == 3 ? 1 : 2, sizes[i]);
    entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_REFERENCE);
    table = table || nodes_of_lookup(lift, ENT_LOOKUP_TABLE) > 0;
    list = list || nodes_of_lookup(lift, ENT_LOOKUP_LIST) > 0;
    assert_int_equal(lift->unsorted, i > 0);
    if (i > 0)
      assert_true(lift->emit_count < entropic_design_groups(design));
    check_lift(design, &random, 70, 300000, "merged groups");
    aim(&random, design, "merged groups");
    entropic_lift_free(lift);
    entropic_design_free(design);
  }
  assert_true(table);
  assert_true(list);
}

/* The paper's features, drawn at random from deep levels; and a group cut where the features run out. */
static void drawn_and_cut_groups(void **state) {
  (void)state;
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = ENTROPIC_FAMILY_LAPLACE;
  axis.basis = ENTROPIC_BASIS_INTERIOR;
  axis.unit_height = 1;
  axis.omega = 1;
  entropic_kernel *kernel = make_kernel(&axis, 1, 2);
  entropic_design_options options = ent_design_options_default();
  options.select = ENTROPIC_SELECT_PAPER;
  options.features = 1030; /* |S_8| = 1793 > 1030 > |S_7| = 769 */
  entropic_design *design = NULL;
  assert_int_equal(ent_design_create(NULL, kernel, &options, &design), ENTROPIC_OK);
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_REFERENCE);
  assert_true(nodes_of_lookup(lift, ENT_LOOKUP_TABLE) > 10);
  entropic_random random = entropic_random_start(54, 0);
  check_lift(design, &random, 100, 1000000, "drawn groups");
  aim(&random, design, "drawn groups");
  entropic_lift_free(lift);
  entropic_design_free(design);
  entropic_kernel_free(kernel);

  axis = ent_axis_options_default();
  design = design_of_axis(axis, 1, 2 + 1 + 2 + 4 + 8 + 16 + 5);
  lift = make_lift(design, ENTROPIC_LIFT_CODE_REFERENCE);
  const ent_node *last = &lift->nodes[lift->node_count - 1];
  assert_int_equal(last->lookup, ENT_LOOKUP_RANGE);
  assert_int_equal(last->count, 5);
  check_lift(design, &random, 100, 1000000, "cut group");
  aim(&random, design, "cut group");
  entropic_lift_free(lift);
  entropic_design_free(design);
}

/* More groups than wait together to be turned into rows, with all kinds among them. */
static void many_chunks(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(55, 0);
  for (size_t inputs = 3; inputs <= 70; inputs = 2 * inputs - 1) {
    entropic_axis_options axis = ent_axis_options_default();
    entropic_design *design = design_of_axis(axis, inputs, 900);
    assert_true(inputs < 9 || entropic_design_nonzeros(design) > 2 * ENT_CHUNK);
    check_lift(design, &random, 67, 300000, "many groups");
    entropic_design_free(design);
  }
}

/* Every feature comes to at least half of its bound: on a grid that has all nodes and both ends. */
static void bounds_are_close(void **state) {
  (void)state;
  enum { INPUTS = 3, POINTS = 17, ROWS = POINTS * POINTS * POINTS, FEATURES = 300 };
  entropic_axis_options axis = ent_axis_options_default();
  axis.omega = 1.7;
  axis.max_level = 4;
  axis.smooth = 3;
  entropic_design *design = design_of_axis(axis, INPUTS, FEATURES);
  entropic_lift *lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  entropic_workspace *workspace = make_workspace(lift);
  double *x = malloc(ROWS * INPUTS * sizeof *x), *z = malloc((size_t)ROWS * FEATURES * sizeof *z);
  int exponents[FEATURES];
  for (size_t r = 0; r < ROWS; r++)
    for (size_t i = 0, rest = r; i < INPUTS; i++, rest /= POINTS)
      x[r * INPUTS + i] = (double)(rest % POINTS) / (POINTS - 1);
  assert_int_equal(entropic_lift_dense(NULL, lift, workspace, x, ROWS, INPUTS, z, ROWS), ENTROPIC_OK);
  ent_lift_exponents(lift, exponents);
  for (size_t j = 0; j < FEATURES; j++) {
    double most = 0;
    for (size_t r = 0; r < ROWS; r++)
      most = fmax(most, fabs(z[j * ROWS + r]));
    assert_true(most <= ldexp(1 + 1e-12, exponents[j]));
    assert_true(most >= ldexp(0.5 - 1e-12, exponents[j]));
  }
  free(x);
  free(z);
  entropic_workspace_free(workspace);
  entropic_lift_free(lift);
  entropic_design_free(design);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

SUITE(lift_plan) {
  const struct CMUnitTest tests[] = {
      TEST(every_step_and_lookup),
      TEST(runs),
      TEST(atoms_on_which_others_build),
      TEST(merged_groups),
      TEST(drawn_and_cut_groups),
      TEST(many_chunks),
      TEST(bounds_are_close),
  };
  return cmocka_run_group_tests_name("lift_plan", tests, NULL, NULL);
}

/* Each public function of the lift, with each of its allocations failing in turn: it says so, leaks nothing, touches no
 * output, and works once there is memory again. */
#include "unit/lifting.h"

#include "fault/failing_malloc.h"

#define INPUTS 4

/* What each run gets, made beforehand. */
typedef struct setting {
  entropic_context *context;
  entropic_design *design;
  entropic_lift *lift;
  double *x;
  size_t rows;
  int threads;
} setting;

static entropic_status create_lift(void *argument) {
  setting *at = argument;
  entropic_lift *lift = untouched();
  entropic_status status = entropic_lift_create(at->context, at->design, &lift);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, lift);
  assert_int_equal(entropic_lift_features(lift), entropic_design_features(at->design));
  entropic_lift_free(lift);
  lift = untouched();
  status = entropic_lift_create_by(at->context, at->design, ENTROPIC_LIFT_CODE_REFERENCE, &lift);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, lift);
  entropic_lift_free(lift);
  return ENTROPIC_OK;
}

static entropic_status create_workspace(void *argument) {
  setting *at = argument;
  entropic_workspace *workspace = untouched();
  entropic_status status = entropic_workspace_create(at->context, at->lift, &workspace);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, workspace);
  entropic_workspace_free(workspace);
  return ENTROPIC_OK;
}

static entropic_status lift_all(void *argument) {
  setting *at = argument;
  entropic_csr *csr = untouched();
  entropic_context_set_threads(at->context, at->threads);
  entropic_status status = entropic_lift_csr(at->context, at->lift, at->x, at->rows, INPUTS, &csr);
  if (status != ENTROPIC_OK)
    return check_failed(status, at->context, csr);
  assert_int_equal(csr->rows, at->rows);
  entropic_csr_free(csr);
  return ENTROPIC_OK;
}

static setting setting_start(entropic_design *design, size_t rows) {
  entropic_random random = entropic_random_start(70, 0);
  setting made = {.context = context_with(1), .design = design, .rows = rows};
  made.lift = make_lift(design, ENTROPIC_LIFT_CODE_BEST);
  made.x = make_rows(&random, rows, INPUTS, INPUTS);
  return made;
}

static void setting_stop(setting *at) {
  entropic_lift_free(at->lift);
  entropic_design_free(at->design);
  entropic_context_free(at->context);
  free(at->x);
}

/* Members that need a table and a list, groups without their parents, bases that are not 1: the plan has one of each. */
static const char *const full_plan =
    "entropic design 1\ncriterion l2\ninputs 4\naxis 2 centred full omega 2 level 14 smooth 0 unit 0\n"
    "axis 2 laplace full omega 2 level 9 smooth 0 unit 0\nbase 4 1\n"
    "groups 8 exhausted 0\n0 1:4 2:4 3:4\n0\n0 1:4\n0 1:9 = 2 7\n0 2:12 = 1 5 99\n0 3:5 4:4\n0 1:2 3:6\n0 4:2\n";

static entropic_design *custom_design(size_t features) {
  static double omega = 3;
  entropic_axis_options axis = ref_options(ref_named("custom of its own"), &omega, ENTROPIC_BASIS_FULL, 6);
  return design_of_axis(axis, INPUTS, features);
}

static void lifts(void **state) {
  const struct {
    entropic_design *design;
    long more_than; /* allocations */
  } designs[] = {{design_of_text(in_folder(state, "design"), full_plan), 20},
                 {custom_design(300), 20},
                 {design_of_axis(ent_axis_options_default(), INPUTS, 1), 10},
                 {design_of_axis(ent_axis_options_default(), INPUTS, 500), 20}};
  for (size_t i = 0; i < COUNT(designs); i++) {
    setting at = setting_start(designs[i].design, 1);
    long asked = expect_each_allocation_failure(create_lift, &at);
    assert_true(asked > designs[i].more_than);
    assert_true(expect_each_allocation_failure(create_workspace, &at) >= 10);
    setting_stop(&at);
  }
}

static void blocks_on_threads(void **state) {
  static const size_t rows[] = {0, 10, 3000};
  for (size_t i = 0; i < COUNT(rows); i++) {
    setting at = setting_start(design_of_text(in_folder(state, "design"), full_plan), rows[i]);
    for (at.threads = 1; at.threads <= 3; at.threads++)
      assert_true(expect_each_allocation_failure(lift_all, &at) >= (rows[i] == 0 ? 6 : 17));
    setting_stop(&at);
  }
}

/* The calls that turn blocks of rows ask for no memory at all. */
static void blocks_need_no_memory(void **state) {
  enum { ROWS = 70 };
  setting at = setting_start(design_of_text(in_folder(state, "design"), full_plan), ROWS);
  entropic_workspace *workspace = make_workspace(at.lift);
  size_t width = entropic_lift_nonzeros(at.lift), features = entropic_lift_features(at.lift);
  double *z = calloc(features * ROWS, sizeof *z), *values = calloc(width * ROWS, sizeof *values);
  size_t *starts = calloc(ROWS + 1, sizeof *starts);
  int32_t *columns = calloc(width * ROWS, sizeof *columns);
  failing_malloc_after(0);
  entropic_status dense = entropic_lift_dense(at.context, at.lift, workspace, at.x, ROWS, INPUTS, z, ROWS);
  entropic_status sparse =
      entropic_lift_sparse(at.context, at.lift, workspace, at.x, ROWS, INPUTS, starts, columns, values);
  at.x[5] = NAN;
  entropic_status refused = entropic_lift_dense(at.context, at.lift, workspace, at.x, ROWS, INPUTS, z, ROWS);
  long asked = failing_malloc_count();
  failing_malloc_after(-1);
  assert_int_equal(dense, ENTROPIC_OK);
  assert_int_equal(sparse, ENTROPIC_OK);
  assert_int_equal(refused, ENTROPIC_BAD_DATA);
  assert_message(at.context, "row 2, column 2");
  assert_int_equal(asked, 0);
  entropic_workspace_free(workspace);
  free(z);
  free(values);
  free(starts);
  free(columns);
  setting_stop(&at);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

SUITE(lift_faults) {
  const struct CMUnitTest tests[] = {
      TEST(lifts),
      TEST(blocks_on_threads),
      TEST(blocks_need_no_memory),
  };
  return cmocka_run_group_tests_name("lift_faults", tests, NULL, NULL);
}

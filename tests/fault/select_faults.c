/* Feature selection with each of its allocations failing in turn: it says so, leaks nothing, touches no output, and works
 * once there is memory again. */
#include "unit/selecting.h"

#include "select/average.h"
#include "select/selection_loss.h"

#include "fault/fixture.h"

/* ---- The pool of a wide table ---- */

enum { POOL_ROWS = 60, POOL_INPUTS = 2 };

typedef struct pool_setting {
  entropic_kernel *kernel;
  double x[POOL_ROWS * POOL_INPUTS];
} pool_setting;

static entropic_status open_pool(void *argument) {
  const pool_setting *at = argument;
  const bool near[] = {false, true};
  ent_level_cache *cache = NULL;
  ent_candidate_pool *candidates = untouched();
  entropic_status status = ent_level_cache_create(context, at->kernel, at->x, POOL_ROWS, POOL_INPUTS, &cache);
  if (status != ENTROPIC_OK)
    return failed(status);
  status = ent_candidate_pool_open(context, cache, &(ent_pool_limits){.max_order = 2}, &candidates);
  if (status != ENTROPIC_OK) {
    ent_level_cache_free(cache);
    return check_failed(status, context, candidates);
  }
  status = ent_candidate_pool_focus(context, candidates, near, 10);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_candidate_pool_select(context, candidates, 0, 0, 1);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_candidate_pool_grow(context, candidates, 2);
done:
  ent_candidate_pool_free(candidates);
  ent_level_cache_free(cache);
  return failed(status);
}

static void pools(void **state) {
  (void)state;
  pool_setting at;
  entropic_random random = entropic_random_start(3, 1);
  entropic_axis_options axis = ent_axis_options_default();
  axis.max_level = 1;
  at.kernel = make_kernel(&axis, 1, POOL_INPUTS);
  for (size_t i = 0; i < POOL_ROWS * POOL_INPUTS; i++)
    at.x[i] = entropic_random_uniform(&random);
  assert_true(expect_each_allocation_failure(open_pool, &at) > 30);
  entropic_kernel_free(at.kernel);
}

/* ---- Paths ---- */

typedef struct path_setting {
  ground g;
  entropic_kernel *kernel;
  ent_path_task task;
  ent_selection_loss selection_loss;
} path_setting;

/* Few levels, so that there are few allocations. */
static void path_start(path_setting *at, size_t features) {
  entropic_axis_options axes[MIXED_INPUTS];
  mixed_axes(3, axes);
  for (size_t i = 0; i < MIXED_INPUTS; i++)
    axes[i].max_level = axes[i].max_level < 1 ? axes[i].max_level : 1;
  mixed_ground(&at->g, 60, 30, 1, true);
  at->kernel = make_kernel(axes, MIXED_INPUTS, MIXED_INPUTS);
  at->task = task_of(&at->g, features);
  at->task.limits.max_order = 2;
}

static void path_stop(path_setting *at) {
  entropic_kernel_free(at->kernel);
  ground_stop(&at->g);
}

/* A path, and its features lifted. On failure the selection is empty: there is nothing to clear. */
static entropic_status make_path(void *argument) {
  const path_setting *at = argument;
  ent_selection selection;
  ent_lifting lifting;
  entropic_status status = ent_select_by_loss(context, at->kernel, at->selection_loss, &at->task, &selection);
  if (status != ENTROPIC_OK) {
    assert_null(selection.selected);
    assert_null(selection.candidates);
    return failed(status);
  }
  status = ent_selection_lifting(context, &selection, selection.count, &lifting);
  ent_selection_clear(&selection);
  if (status != ENTROPIC_OK)
    return failed(status);
  ent_lifting_clear(&lifting);
  return ENTROPIC_OK;
}

static void paths(void **state) {
  (void)state;
  path_setting at;
  path_start(&at, 60);
  at.selection_loss = ENT_BY_SQUARES;
  assert_true(expect_allocation_failures(make_path, &at, 3) > 100);
  path_stop(&at);
}

/* Two classes that are easily told apart: both losses make a path. */
static void paths_by_loss(void **state) {
  (void)state;
  path_setting at;
  path_start(&at, 5);
  for (size_t r = 0; r < 90; r++)
    at.g.y[r] = at.g.x[r * MIXED_INPUTS] > 0.5 ? 1 : -1;
  at.task.data.classes = true;
  at.task.lambda = 1e-2;
  at.selection_loss = ENT_BY_BETTER;
  assert_true(expect_allocation_failures(make_path, &at, 3) > 100);
  path_stop(&at);
}

/* ---- Averages ---- */

static entropic_status average(void *argument) {
  const ent_member *members = argument;
  ent_member mean;
  entropic_status status = ent_average(context, members, 2, &mean, NULL);
  if (status != ENTROPIC_OK) {
    assert_null(mean.weights);
    assert_null(mean.lifting.design);
    return failed(status);
  }
  ent_member_clear(&mean);
  return ENTROPIC_OK;
}

static void averages(void **state) {
  (void)state;
  entropic_axis_options axes[MIXED_INPUTS];
  ent_member members[2] = {0};
  mixed_axes(1, axes);
  ent_features features = {.axes = axes, .inputs = MIXED_INPUTS, .design = ent_design_options_default()};
  for (size_t m = 0; m < 2; m++) {
    ASSERT_OK(context, ent_features_make(context, &features, 0, 10 + 7 * m, &members[m].lifting));
    members[m].scores = 1;
    members[m].weights = ent_new(context, members[m].lifting.map.features, sizeof *members[m].weights);
    members[m].offsets = ent_new(context, 1, sizeof *members[m].offsets);
  }
  assert_true(expect_each_allocation_failure(average, members) > 10);
  for (size_t m = 0; m < 2; m++)
    ent_member_clear(&members[m]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

SUITE(select_faults) {
  const struct CMUnitTest tests[] = {TEST(pools), TEST(paths), TEST(paths_by_loss), TEST(averages)};
  return cmocka_run_group_tests_name("select_faults", tests, NULL, NULL);
}

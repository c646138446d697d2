/* Model files: what is saved comes back, and equal models are equal bytes. */
#include <fcntl.h>

#include "unit/saving.h"

static void round_trips(void **state) {
  for (size_t i = 0; i < MODEL_PLANS; i++)
    for (uint64_t seed = 0; seed < 4; seed++)
      there_and_back(state, &model_plans[i], plan_model(&model_plans[i], seed));
}

static void newest_round_trips(void **state) {
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    model_plan plan = model_plans[i];
    there_and_back(state, &plan, plan_newest(&plan, i));
    plan.inputs += 3; /* now some of these are not used */
    plan.features = 6;
    there_and_back(state, &plan, plan_newest(&plan, i));
    if (plan.solver != ENTROPIC_SOLVER_EXACT)
      there_and_back(state, &plan, plan_constant(&plan, i));
  }
}

static void random_round_trips(void **state) {
  entropic_random random = entropic_random_start(5, 5);
  for (unsigned i = 0; i < rounds(60); i++) {
    model_plan plan = model_plans[entropic_random_below(&random, MODEL_PLANS)];
    plan.scaling = (entropic_scaling)(ENTROPIC_SCALING_QUANTILE + entropic_random_below(&random, 3));
    plan.family = ref_random(&random, REF_BUILT_IN)->family;
    plan.inputs = 1 + entropic_random_below(&random, 8);
    plan.outputs = plan.root != 0 ? 1 : 2 + entropic_random_below(&random, 4);
    plan.features = 1 + entropic_random_below(&random, 300);
    plan.categories = entropic_random_below(&random, 2) == 1;
    there_and_back(state, &plan, plan_model(&plan, i));
  }
}

/* Designs that the other tests do not come to: paper's features, smooth atoms, cut groups by data, many inputs. */
static void designs(void **state) {
  enum { PAPER, SMOOTH, CUT_BY_DATA, MANY_INPUTS, KINDS };
  for (int kind = 0; kind < KINDS; kind++) {
    model_plan plan = {.task = ENTROPIC_TASK_REGRESSION,
                       .loss = ENTROPIC_LOSS_SQUARED,
                       .solver = ENTROPIC_SOLVER_DIRECT,
                       .scaling = ENTROPIC_SCALING_NONE,
                       .family = ENTROPIC_FAMILY_CENTRED,
                       .inputs = kind == MANY_INPUTS ? 200 : 4,
                       .outputs = 1,
                       .features = 20};
    entropic_model *model = plan_model(&plan, 1);
    entropic_axis_options axis = ent_axis_options_default();
    entropic_design_options options = ent_design_options_default();
    options.features = 150;
    double *sample = plan_rows(&plan, 40, 1, false);
    if (kind == PAPER) {
      axis.basis = ENTROPIC_BASIS_INTERIOR;
      axis.unit_height = 1;
      options.select = ENTROPIC_SELECT_PAPER;
    } else if (kind == SMOOTH) {
      axis.smooth = 3;
      axis.max_level = 5;
      options.criterion = ENTROPIC_CRITERION_SUP;
    } else {
      options.sample = sample;
      options.sample_rows = 40;
      options.criterion = ENTROPIC_CRITERION_DATA;
      options.max_order = 2;
    }
    entropic_kernel_free(model->main.kernel);
    entropic_design_free(model->main.design);
    entropic_lift_free(model->main.lift);
    ent_delete(model->main.weights);
    model->main.kernel = make_kernel(&axis, 1, plan.inputs);
    for (size_t i = 0; i < plan.inputs; i++)
      model->main.scaler->scales[i].missing = false; /* as this kernel has no atom for it */
    model->main.design = make_design(model->main.kernel, &options);
    model->main.lift = make_lift(model->main.design, ENTROPIC_LIFT_CODE_BEST);
    model->main.features = entropic_design_features(model->main.design);
    model->main.weights = plan_numbers(model->main.features, 3);
    there_and_back(state, &plan, model);
    free(sample);
  }
}

/* A file says the oldest version that has all that is in it, and has nothing that its version does not know. */
static void versions(void **state) {
  entropic_context *context = context_with(1);
  for (size_t i = 0; i < MODEL_PLANS; i++) {
    const model_plan *plan = &model_plans[i];
    entropic_model *model = plan_model(plan, 1), *loaded = NULL;
    bool newer = plan->scaling == ENTROPIC_SCALING_BLEND, root = plan->root != 0;
    for (size_t input = 0; input < plan->inputs; input++)
      newer |= plan_keeps_missing(plan, input);
    saved file = save(state, model, "version");
    assert_int_equal(file.bytes[8], root ? 3 : newer ? 2 : 1);
    file.bytes[8] = root || !newer ? 2 : 1;
    seal(file.bytes, file.count);
    assert_int_equal(load_bytes(state, context, file.bytes, file.count, &loaded),
                     newer || root ? ENTROPIC_BAD_DATA : ENTROPIC_OK);
    if (root)
      assert_message(context, "found more bytes, expected the end of section INFO");
    else if (newer)
      assert_message(context, plan->scaling == ENTROPIC_SCALING_BLEND
                                  ? "found 3, expected a kind of scaling, 0 to 2"
                                  : "expected whether hats have height 1 and missing values an atom, 0 to 1");
    else
      entropic_model_free(loaded);
    free(file.bytes);
    entropic_model_free(model);
  }
  entropic_context_free(context);
}

static void what_cannot_be_saved(void **state) {
  entropic_context *context = context_with(1);
  entropic_model *model = plan_model(plan_named("direct"), 1);
  const char *path = in_folder(state, "none");
  double omega = 1;
  model->main.weights[3] = INFINITY;
  assert_int_equal(entropic_model_save(context, model, path), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "not finite");
  model->main.weights[3] = 1;
  entropic_kernel_free(model->main.kernel);
  entropic_axis_options axis = ref_options(ref_named("custom as sobolev"), &omega, ENTROPIC_BASIS_FULL, 4);
  model->main.kernel = make_kernel(&axis, 1, 3);
  assert_int_equal(entropic_model_save(context, model, path), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "custom kernel");
  assert_int_not_equal(access(path, F_OK), 0);
  entropic_model *none = model;
  assert_int_equal(entropic_model_load(context, path, &none), ENTROPIC_SYSTEM);
  assert_message(context, "cannot read");
  assert_int_equal(entropic_model_load(context, *state, &none), ENTROPIC_SYSTEM); /* a folder */
  assert_int_equal(entropic_model_save(context, model, "/nowhere/model"), ENTROPIC_BAD_ARGUMENT);
  assert_ptr_equal(none, model);
  entropic_model_free(model);
  model = plan_model(plan_named("direct"), 1);
  assert_int_equal(entropic_model_save(context, model, "/nowhere/model"), ENTROPIC_SYSTEM);
  entropic_model_free(model);
  entropic_context_free(context);
}

/* "-" is standard input, here a pipe that hands out a few bytes at a time. */
static void standard_input(void **state) {
  entropic_model *model = plan_model(small_plan("exact"), 1);
  saved file = save(state, model, "small");
  int ends[2], kept = dup(STDIN_FILENO);
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(write(ends[1], file.bytes, file.count), file.count); /* fits into the pipe */
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  entropic_model *loaded = load("-"), *none = NULL;
  entropic_context *context = context_with(1);
  assert_int_equal(entropic_model_load(context, "-", &none), ENTROPIC_BAD_DATA); /* nothing is left */
  assert_message(context, "standard input: not an Entropic model");
  assert_null(none);
  dup2(kept, STDIN_FILENO);
  close(kept);
  assert_same_model(model, loaded);
  entropic_context_free(context);
  entropic_model_free(loaded);
  entropic_model_free(model);
  free(file.bytes);
}

SUITE(model_file) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trips),        cmocka_unit_test(newest_round_trips),
                                     cmocka_unit_test(random_round_trips), cmocka_unit_test(designs),
                                     cmocka_unit_test(versions),           cmocka_unit_test(what_cannot_be_saved),
                                     cmocka_unit_test(standard_input)};
  return cmocka_run_group_tests_name("model_file", tests, make_quick_folder, remove_folder);
}

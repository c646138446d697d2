/* Every function of models with each of its allocations failing in turn: it says so, leaks nothing, touches no output,
 * and works once there is memory again. */
#include "unit/modelling.h"
#include "unit/outputs.h"

#include "explain/effects.h"
#include "fault/failing_malloc.h"
#include "model/joint.h"

typedef struct setting {
  entropic_context *context;
  const model_plan *plan;
  entropic_model *model;
  double *x;
  char path[64];
} setting;

static setting at;

static entropic_status copy_schema(void *argument) {
  (void)argument;
  ent_schema copy;
  memset(&copy, 0xff, sizeof copy);
  entropic_status status = ent_schema_copy(at.context, &at.model->schema, &copy);
  if (status != ENTROPIC_OK) {
    assert_null(copy.input);
    assert_int_equal(copy.inputs + copy.targets + copy.classes, 0);
    return check_failed(status, at.context, untouched());
  }
  ent_schema_clear(&copy);
  return ENTROPIC_OK;
}

static entropic_status save(void *argument) {
  (void)argument;
  entropic_status status = entropic_model_save(at.context, at.model, at.path);
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

/* Over a file that nobody has changed. */
static entropic_status save_over(void *argument) {
  (void)argument;
  unsigned char *bytes = NULL;
  size_t count = 0;
  entropic_status status = entropic_model_save_memory(at.context, at.model, &bytes, &count);
  if (status == ENTROPIC_OK)
    status = entropic_model_save_over(at.context, at.model, at.path, bytes, count);
  entropic_bytes_free(bytes);
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

static entropic_status load(void *argument) {
  (void)argument;
  entropic_model *model = untouched();
  entropic_status status = entropic_model_load(at.context, at.path, &model);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, model);
  entropic_model_free(model);
  return ENTROPIC_OK;
}

static entropic_status predict(void *argument) {
  (void)argument;
  double out[600 * 4], scores[600 * 4];
  entropic_status status = entropic_model_predict(at.context, at.model, at.x, 600, at.plan->inputs, out);
  if (status == ENTROPIC_OK && at.model->schema.classes > 0)
    status = entropic_model_probabilities(at.context, at.model, at.x, 600, at.plan->inputs, out);
  if (status == ENTROPIC_OK)
    status = predict_scores(at.context, at.model, at.x, 600, at.plan->inputs, out);
  entropic_data_warnings warnings = {0};
  entropic_outputs all = no_outputs();
  all.scores = scores;
  all.predictions = out;
  all.warnings = &warnings;
  all.warnings_size = sizeof warnings;
  if (status == ENTROPIC_OK)
    status = entropic_predict(at.context, at.model, at.x, 600, at.plan->inputs, &all);
  assert_true(status == ENTROPIC_OK || warnings.missing + warnings.outside == 0);
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

/* Takes over the model. */
static void each_allocation(void **state, const model_plan *plan, entropic_model *model) {
  at = (setting){.context = context_with(1), .plan = plan, .model = model};
  at.x = plan_rows(at.plan, 600, 1, true);
  snprintf(at.path, sizeof at.path, "%s", in_folder(state, "model"));
  assert_true(expect_each_allocation_failure(copy_schema, NULL) > 3);
  assert_true(expect_each_allocation_failure(save, NULL) > 0);
  assert_true(expect_each_allocation_failure(save_over, NULL) > 0);
  assert_true(expect_each_allocation_failure(load, NULL) > 15);
  for (int threads = 1; threads <= 3; threads++) {
    entropic_context_set_threads(at.context, threads);
    assert_true(expect_each_allocation_failure(predict, NULL) > 3);
  }
  free(at.x);
  entropic_model_free(at.model);
  entropic_context_free(at.context);
}

/* Each allocation of what is done with a model of each kind. */
static void each_kind(void **state) {
  for (size_t i = 0; i < MODEL_PLANS; i++)
    each_allocation(state, &model_plans[i], plan_model(&model_plans[i], i));
}

/* The same with inputs that are not used, with bounds, and without features. */
static void each_newest_kind(void **state) {
  for (size_t i = 0; i < MODEL_PLANS; i += 3) {
    model_plan plan = model_plans[i];
    plan.inputs += 2;
    plan.features = 6;
    each_allocation(state, &plan, plan_newest(&plan, i));
    if (plan.solver != ENTROPIC_SOLVER_EXACT)
      each_allocation(state, &plan, plan_constant(&plan, i));
  }
}

/* Learns the marginals of a model. */
static entropic_status learn(void *argument) {
  const double *scaled = argument;
  ent_marginals *made = untouched();
  entropic_status status = ent_model_marginals(at.context, at.model, scaled, 20, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  ent_marginals_free(made);
  return ENTROPIC_OK;
}

/* The effects of rows, by the model's own marginals. */
static entropic_status split(void *argument) {
  const double *scaled = argument;
  double effects[20 * 4];
  ent_effects *made = untouched();
  entropic_status status = ent_effects_create(at.context, at.model, at.model->marginals, &made);
  if (status != ENTROPIC_OK)
    return check_failed(status, at.context, made);
  status = ent_effects_rows(at.context, made, scaled, 20, ent_model_width(at.model), effects);
  ent_effects_free(made);
  return status == ENTROPIC_OK ? status : check_failed(status, at.context, untouched());
}

/* Sums of components: of features, whose marginals are kept, and with centres. */
static void components(void **state) {
  for (int centres = 0; centres <= 1; centres++) {
    model_plan plans[2] = {*plan_named("direct"), *plan_named("direct")};
    plans[1].scaling = ENTROPIC_SCALING_MINMAX;
    plans[1].family = ENTROPIC_FAMILY_LAPLACE;
    plans[1].features = 12;
    if (centres)
      plans[1].solver = ENTROPIC_SOLVER_EXACT;
    entropic_model *model = plan_sum(plans, 2, 5);
    double *x = plan_rows(plans, 20, 1, false), *scaled = calloc(20 * ent_model_width(model), sizeof *scaled);
    ent_model_scale(model, x, 20, plans[0].inputs, scaled);
    at = (setting){.context = context_with(1), .plan = plans, .model = model};
    if (!centres) {
      assert_true(expect_each_allocation_failure(learn, scaled) > 10);
      ASSERT_OK(at.context, ent_model_marginals(at.context, model, scaled, 20, &model->marginals));
      assert_true(expect_each_allocation_failure(split, scaled) > 10);
    }
    free(x);
    free(scaled);
    entropic_context_free(at.context);
    each_allocation(state, plans, model);
  }
}

/* With custom kernels as text, of both forms. */
static void custom_text(void **state) {
  const model_plan *plan = plan_named("direct");
  entropic_axis_options axes[3];
  for (int i = 0; i < 3; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].family = ENTROPIC_FAMILY_CUSTOM;
    axes[i].max_level = 4;
    axes[i].p_text = i == 1 ? NULL : "1 + w*x^2 + x";
    axes[i].q_text = i == 1 ? NULL : "2 - x";
    axes[i].alpha_text = i == 1 ? "1 + x" : NULL;
    axes[i].beta_text = i == 1 ? "-w" : NULL;
    axes[i].left_text = axes[i].right_text = i == 1 ? "1,0" : NULL;
  }
  entropic_model *model = plan_model(plan, 1);
  entropic_design_options options = ent_design_options_default();
  options.features = plan->features;
  entropic_lift_free(model->main.lift);
  entropic_design_free(model->main.design);
  entropic_kernel_free(model->main.kernel);
  model->main.kernel = make_kernel(axes, 3, 3);
  model->main.design = make_design(model->main.kernel, &options);
  model->main.lift = make_lift(model->main.design, ENTROPIC_LIFT_CODE_BEST);
  for (size_t i = 0; i < 3; i++)
    model->main.scaler->scales[i].missing = false; /* what has no atom becomes 1/2 */
  each_allocation(state, plan, model);
}

SUITE(model_faults) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_kind), cmocka_unit_test(each_newest_kind),
                                     cmocka_unit_test(components), cmocka_unit_test(custom_text)};
  return cmocka_run_group_tests_name("model_faults", tests, make_folder, remove_folder);
}

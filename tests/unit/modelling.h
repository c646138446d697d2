/* Models put together by hand: of every task, loss, solver and scaling, with numbers, categories and missing values. */
#ifndef MODELLING_H
#define MODELLING_H

#include "unit/lifting.h"

#include "base/memory.h"
#include "lift/lift.h"
#include "model/model.h"

typedef struct model_plan {
  const char *name;
  entropic_task task;
  entropic_loss loss;
  entropic_solver solver;
  entropic_scaling scaling;
  entropic_family family;
  size_t inputs;
  size_t outputs; /* targets or classes */
  size_t features;
  bool categories; /* every third input is one, from the second on; every other of them has missing values */
  int root;        /* 1, -1: what is learnt is the root of the target, from below or from above */
} model_plan;

static const model_plan model_plans[] = {
    {"direct", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT, ENTROPIC_SCALING_QUANTILE,
     ENTROPIC_FAMILY_CENTRED, 3, 1, 40, false, 0},
    {"dual, categories", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DUAL, ENTROPIC_SCALING_MINMAX,
     ENTROPIC_FAMILY_SOBOLEV, 6, 3, 150, true, 0},
    {"exact, laplace", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_EXACT, ENTROPIC_SCALING_NONE,
     ENTROPIC_FAMILY_LAPLACE, 4, 2, 25, true, 0},
    {"two classes, iterative", ENTROPIC_TASK_CLASSIFICATION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_ITERATIVE,
     ENTROPIC_SCALING_QUANTILE, ENTROPIC_FAMILY_LAPLACE, 5, 2, 60, false, 0},
    {"two classes, logistic", ENTROPIC_TASK_CLASSIFICATION, ENTROPIC_LOSS_LOGISTIC, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_SCALING_QUANTILE, ENTROPIC_FAMILY_COSH, 2, 2, 31, true, 0},
    {"three classes, exact", ENTROPIC_TASK_CLASSIFICATION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_EXACT,
     ENTROPIC_SCALING_QUANTILE, ENTROPIC_FAMILY_CENTRED, 5, 3, 40, true, 0},
    {"four classes, logistic", ENTROPIC_TASK_CLASSIFICATION, ENTROPIC_LOSS_LOGISTIC, ENTROPIC_SOLVER_ITERATIVE,
     ENTROPIC_SCALING_NONE, ENTROPIC_FAMILY_BRIDGE, 3, 4, 50, false, 0},
    {"one input", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT, ENTROPIC_SCALING_QUANTILE,
     ENTROPIC_FAMILY_BROWNIAN, 1, 1, 9, false, 0},
    {"blend", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT, ENTROPIC_SCALING_BLEND,
     ENTROPIC_FAMILY_CENTRED, 4, 1, 45, true, 0},
    {"root from below", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_SCALING_MINMAX, ENTROPIC_FAMILY_CENTRED, 2, 1, 20, false, 1},
    {"root from above", ENTROPIC_TASK_REGRESSION, ENTROPIC_LOSS_SQUARED, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_SCALING_QUANTILE, ENTROPIC_FAMILY_SOBOLEV, 3, 1, 30, true, -1},
};
#define MODEL_PLANS COUNT(model_plans)

/* The one of that name, which must be there. */
static inline const model_plan *plan_named_in(const model_plan *plans, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(plans[i].name, name) == 0)
      return &plans[i];
  print_error("there is no plan of a model called %s\n", name);
  fail();
  return NULL;
}

static inline const model_plan *plan_named(const char *name) {
  return plan_named_in(model_plans, MODEL_PLANS, name);
}

static inline bool plan_is_category(const model_plan *plan, size_t input) {
  return plan->categories && input % 3 == 1;
}

/* Whether it is a number with an atom for missing values. */
static inline bool plan_keeps_missing(const model_plan *plan, size_t input) {
  return entropic_family_has(plan->family, ENTROPIC_TRAIT_MISSING) && !plan_is_category(plan, input) && input % 2 == 1;
}

static inline char *plan_name(const char *format, size_t number) {
  char text[64];
  int length = snprintf(text, sizeof text, format, number);
  char *name = ent_new_text(NULL, text, (size_t)length);
  assert_non_null(name);
  return name;
}

static inline char **plan_names(const char *format, size_t count) {
  char **names = ent_new(NULL, count, sizeof *names);
  assert_non_null(names);
  for (size_t i = 0; i < count; i++)
    names[i] = plan_name(format, i + 1);
  return names;
}

static inline void plan_schema(const model_plan *plan, ent_schema *schema) {
  bool classes = plan->task == ENTROPIC_TASK_CLASSIFICATION;
  *schema = (ent_schema){.task = plan->task, .inputs = plan->inputs};
  schema->input = ent_new(NULL, plan->inputs, sizeof *schema->input);
  for (size_t i = 0; i < plan->inputs; i++) {
    ent_input *input = &schema->input[i];
    input->name = plan_name("input \"%zu\" \xc3\xa9", i + 1);
    input->missing = i % 2 == 1;
    if (plan_is_category(plan, i)) {
      input->categories = i + 2;
      input->category = plan_names("category %zu", i + 2);
    }
  }
  schema->targets = classes ? 1 : plan->outputs;
  schema->target = plan_names("target %zu", schema->targets);
  schema->classes = classes ? plan->outputs : 0;
  schema->class_name = classes ? plan_names("%zu", schema->classes) : NULL;
}

/* Rows as they might come: also beyond what the scaler has seen, categories never seen, missing values. */
static inline double *plan_rows(const model_plan *plan, size_t rows, uint64_t seed, bool odd) {
  double *x = calloc(rows * plan->inputs + 1, sizeof *x);
  assert_non_null(x);
  entropic_random random = entropic_random_start(seed, rows);
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < plan->inputs; i++) {
      double *value = &x[r * plan->inputs + i];
      if (plan_is_category(plan, i))
        *value = (double)entropic_random_below(&random, i + 2 + (odd ? 2 : 0));
      else if (plan->scaling == ENTROPIC_SCALING_NONE)
        *value = entropic_random_uniform(&random);
      else
        *value = (odd ? 1.5 : 1) * entropic_random_normal(&random) * (double)(i + 1);
      if (odd && entropic_random_below(&random, 10) == 0)
        *value = NAN;
    }
  return x;
}

static inline entropic_kernel *plan_kernel(const model_plan *plan, const ent_schema *schema) {
  entropic_axis_options *axes = calloc(plan->inputs, sizeof *axes);
  for (size_t i = 0; i < plan->inputs; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].family = plan->family;
    axes[i].omega = 0.5 + floor((double)i / 2); /* the same for neighbours */
    axes[i].missing = plan_keeps_missing(plan, i);
    if (plan_is_category(plan, i))
      axes[i] = category_options(ent_input_atoms(&schema->input[i]), axes[i].omega);
  }
  entropic_kernel *kernel = make_kernel(axes, plan->inputs, plan->inputs);
  free(axes);
  return kernel;
}

static inline double *plan_numbers(size_t count, uint64_t seed) {
  double *numbers = ent_new(NULL, count, sizeof *numbers);
  assert_non_null(numbers);
  entropic_random random = entropic_random_start(seed, count);
  for (size_t i = 0; i < count; i++)
    numbers[i] = entropic_random_normal(&random);
  return numbers;
}

/* What it has learnt is drawn at random: it need not be of any use. */
static inline entropic_model *plan_model(const model_plan *plan, uint64_t seed) {
  entropic_context *context = context_with(1);
  entropic_model *model = ent_new(NULL, 1, sizeof *model);
  plan_schema(plan, &model->schema);
  ent_scale_category *kinds = calloc(plan->inputs, sizeof *kinds);
  for (size_t i = 0; i < plan->inputs; i++)
    if (plan_is_category(plan, i) || plan_keeps_missing(plan, i))
      kinds[i] = (ent_scale_category){.categories = model->schema.input[i].categories,
                                      .missing = model->schema.input[i].missing};
  double *x = plan_rows(plan, plan->features, seed, false);
  for (size_t i = 0; i < plan->features * plan->inputs; i++)
    if (plan_keeps_missing(plan, i % plan->inputs) && i / plan->inputs % 5 == 1)
      x[i] = NAN;
  ASSERT_OK(context, ent_scaler_learn(context, plan->scaling, x, plan->features, plan->inputs, plan->inputs, kinds,
                                      &model->main.scaler));
  model->main.kernel = plan_kernel(plan, &model->schema);
  model->loss = plan->loss;
  model->solver = plan->solver;
  model->scores = plan->task == ENTROPIC_TASK_CLASSIFICATION && plan->outputs == 2 ? 1 : plan->outputs;
  model->main.features = plan->features;
  if (plan->solver == ENTROPIC_SOLVER_EXACT) {
    model->main.centres = ent_new(NULL, plan->features * plan->inputs, sizeof *model->main.centres);
    ent_scaler_fill(model->main.scaler, x, plan->features, plan->inputs, model->main.centres);
  } else {
    entropic_design_options options = ent_design_options_default();
    options.features = plan->features;
    model->main.design = make_design(model->main.kernel, &options);
    model->main.lift = make_lift(model->main.design, ENTROPIC_LIFT_CODE_BEST);
    model->main.features = entropic_design_features(model->main.design);
  }
  model->main.weights = plan_numbers(model->scores * model->main.features, seed + 1);
  model->offsets = plan_numbers(model->scores, seed + 2);
  model->link = ent_link_for(model->schema.classes);
  if (plan->root != 0)
    model->link = (ent_link){.number = ENT_LINK_ROOT,
                             .inverse_temperature = 1,
                             .sign = plan->root,
                             .origin = 1e3 - 2.5,
                             .bias = plan->root > 0 ? 0.25 : 0};
  model->link.inverse_temperature =
      plan->task == ENTROPIC_TASK_CLASSIFICATION && plan->loss == ENTROPIC_LOSS_SQUARED ? 2.5 : 1;
  model->nonzeros = 12.25;
  model->rows = 1000 + seed;
  model->lambda = 1e-3;
  model->converged = seed % 2 == 0;
  model->seed = UINT64_MAX - seed;
  model->validation = (entropic_validation)(seed % 4);
  model->folds = seed % 2 == 1 ? 5 : 0;
  model->validation_rows = seed % 4 == 0 ? 0 : 321;
  model->validation_error = seed % 4 == 0 ? NAN : 0.125;
  model->validation_loss = NAN;
  free(kinds);
  free(x);
  entropic_context_free(context);
  return model;
}

/* The same as fits make it: inputs that are not used are dropped, numbers have bounds that some predictions pass. */
static inline entropic_model *plan_newest(const model_plan *plan, uint64_t seed) {
  entropic_model *model = plan_model(plan, seed);
  assert_int_equal(ent_model_drop_unused(NULL, model), ENTROPIC_OK);
  const char *marks = seed % 2 == 0 ? "" : "-999,none";
  model->schema.missing_marks = ent_new_text(NULL, marks, strlen(marks));
  assert_non_null(model->schema.missing_marks);
  if (plan->task == ENTROPIC_TASK_CLASSIFICATION)
    return model;
  enum { TRIED = 40 };
  double *x = plan_rows(plan, TRIED, seed, false), *y = calloc(TRIED * plan->outputs, sizeof *y);
  assert_int_equal(entropic_model_predict(NULL, model, x, TRIED, plan->inputs, y), ENTROPIC_OK);
  model->bounds = ent_new(NULL, 2 * plan->outputs, sizeof *model->bounds);
  assert_non_null(model->bounds);
  for (size_t t = 0; t < plan->outputs; t++) {
    double least = y[t], most = y[t];
    for (size_t r = 1; r < TRIED; r++) {
      least = fmin(least, y[r * plan->outputs + t]);
      most = fmax(most, y[r * plan->outputs + t]);
    }
    model->bounds[2 * t] = t == 1 ? -INFINITY : 0.75 * least + 0.25 * most;
    model->bounds[2 * t + 1] = t == 2 ? INFINITY : 0.25 * least + 0.75 * most;
  }
  free(x);
  free(y);
  return model;
}

/* The sum of models by these plans, which differ in scaling, kernel, solver and features alone. */
static inline entropic_model *plan_sum(const model_plan *plans, size_t count, uint64_t seed) {
  entropic_model *sum = plan_model(&plans[0], seed);
  for (size_t i = 1; i < count; i++) {
    entropic_model *part = plan_model(&plans[i], seed + i);
    assert_int_equal(ent_model_add_component(NULL, sum, &part->main), ENTROPIC_OK);
    assert_null(part->main.weights);
    entropic_model_free(part);
  }
  return sum;
}

/* The same without features. */
static inline entropic_model *plan_constant(const model_plan *plan, uint64_t seed) {
  entropic_model *model = plan_newest(plan, seed);
  entropic_axis_options axis = ent_axis_options_default();
  assert_true(plan->solver != ENTROPIC_SOLVER_EXACT);
  entropic_lift_free(model->main.lift);
  entropic_design_free(model->main.design);
  entropic_kernel_free(model->main.kernel);
  model->main.kernel = make_kernel(&axis, 1, plan->inputs);
  model->main.design = ent_design_new(NULL, model->main.kernel, ENT_CRITERION_RESIDUAL);
  assert_non_null(model->main.design);
  assert_int_equal(ent_design_finish(NULL, model->main.design), ENTROPIC_OK);
  model->main.lift = make_lift(model->main.design, ENTROPIC_LIFT_CODE_BEST);
  model->main.features = 0;
  assert_int_equal(ent_model_drop_unused(NULL, model), ENTROPIC_OK);
  return model;
}

#endif

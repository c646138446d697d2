/* The options of a fit by parameters. */
#include "fit/options.h"

#include <math.h>

#include "design/by_parameters.h"
#include "loss/loss.h"

/* Names by number, for each choice. */
static const char *task_name(int number) {
  return entropic_task_name((entropic_task)number);
}
static const char *loss_name(int number) {
  return ent_loss_name((entropic_loss)number);
}
static const char *solver_name(int number) {
  return ent_solver_name((entropic_solver)number);
}
static const char *select_name(int number) {
  return ent_select_name((entropic_select)number);
}
static const char *class_weight_name(int number) {
  return ent_class_weight_name((entropic_class_weight)number);
}
static const char *target_scale_name(int number) {
  return ent_target_scale_name((entropic_target_scale)number);
}
static const char *scaling_name(int number) {
  return entropic_scaling_name((entropic_scaling)number);
}

static const char *effort_name(int number) {
  static const char *const names[] = {"fast", "default", "best"};
  return (size_t)number < sizeof names / sizeof *names ? names[number] : NULL;
}

entropic_task ent_task_by(const entropic_parameters *parameters) {
  return (entropic_task)ent_parameters_choice(parameters, "task", task_name, 0, ENTROPIC_TASK_AUTO);
}

entropic_scaling ent_scaling_by(const entropic_parameters *parameters, entropic_scaling fallback) {
  return (entropic_scaling)ent_parameters_choice(parameters, "scale", scaling_name, 0, (int)fallback);
}

/* The loss that is given; NULL if that is open. */
static const ent_loss *given_loss(const entropic_parameters *parameters) {
  return ent_loss_of((entropic_loss)ent_parameters_choice(parameters, "loss", loss_name, 0, ENTROPIC_LOSS_AUTO));
}

static bool has_no_statistics(const entropic_parameters *parameters) {
  const ent_loss *loss = given_loss(parameters);
  return loss != NULL && !(loss->traits & ENT_LOSS_STATISTICS);
}

/* Parameters that speak of features, which the exact kernel does not have. */
static entropic_status check_exact(entropic_context *context, const entropic_parameters *parameters) {
  static const char *const refused[] = {"features",  "nonzeros", "criterion", "max-level",
                                        "max-order", "only",     "without"};
  char one[ENT_SPELLING_SIZE], other[ENT_SPELLING_SIZE];
  if (!ent_parameters_is(parameters, "solver", "exact"))
    return ENTROPIC_OK;
  ent_parameters_spelling(parameters, "solver", one);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (ent_parameters_is_set(parameters, refused[i]))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                      "%s exact and %s cannot be combined: the exact solver has no features", one,
                      ent_parameters_spelling(parameters, refused[i], other));
  if (ent_parameters_is(parameters, "select", "paper"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "%s exact and %s paper cannot be combined: the exact solver has no features", one,
                    ent_parameters_spelling(parameters, "select", other));
  if (has_no_statistics(parameters))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "%s exact and %s %s cannot be combined: the exact solver needs the squared loss", one,
                    ent_parameters_spelling(parameters, "loss", other), ent_parameters_text(parameters, "loss"));
  return ENTROPIC_OK;
}

/* What has no statistics to keep. */
static entropic_status check_kept(entropic_context *context, const entropic_parameters *parameters) {
  char one[ENT_SPELLING_SIZE], other[ENT_SPELLING_SIZE];
  if (!ent_parameters_flag(parameters, "keep-statistics"))
    return ENTROPIC_OK;
  ent_parameters_spelling(parameters, "keep-statistics", one);
  if (has_no_statistics(parameters))
    return ent_fail(
        context, ENTROPIC_BAD_ARGUMENT,
        "%s is for the squared loss: a model of the %s loss keeps no statistics of its rows; expected %s squared", one,
        ent_parameters_text(parameters, "loss"), ent_parameters_spelling(parameters, "loss", other));
  if (ent_parameters_is(parameters, "solver", "exact"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "%s exact and %s cannot be combined: the exact solver has no features",
                    ent_parameters_spelling(parameters, "solver", other), one);
  return ENTROPIC_OK;
}

entropic_status ent_fit_check(entropic_context *context, const entropic_parameters *parameters) {
  char one[ENT_SPELLING_SIZE], other[ENT_SPELLING_SIZE];
  entropic_status status = check_exact(context, parameters);
  if (status != ENTROPIC_OK)
    return status;
  status = check_kept(context, parameters);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_design_check(context, parameters);
  if (status != ENTROPIC_OK)
    return status;
  if (ent_parameters_is_set(parameters, "groups") && ent_parameters_is_set(parameters, "time"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s and %s cannot be combined: each decides how rows are split",
                    ent_parameters_spelling(parameters, "groups", one),
                    ent_parameters_spelling(parameters, "time", other));
  if (ent_parameters_is_set(parameters, "spool") && ent_parameters_integer(parameters, "memory", 0) == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s needs %s: rows are spooled only where memory is bounded",
                    ent_parameters_spelling(parameters, "spool", one),
                    ent_parameters_spelling(parameters, "memory", other));
  const ent_loss *loss = given_loss(parameters);
  if (loss != NULL && !(loss->traits & ENT_LOSS_NUMBERS) && ent_parameters_is(parameters, "task", "regression"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "%s %s and %s regression cannot be combined: the loss is for classes",
                    ent_parameters_spelling(parameters, "loss", one), ent_parameters_text(parameters, "loss"),
                    ent_parameters_spelling(parameters, "task", other));
  if (loss != NULL && !(loss->traits & ENT_LOSS_CLASSES) && ent_parameters_is(parameters, "task", "classification"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "%s %s and %s classification cannot be combined: the loss is for numbers",
                    ent_parameters_spelling(parameters, "loss", one), ent_parameters_text(parameters, "loss"),
                    ent_parameters_spelling(parameters, "task", other));
  return ENTROPIC_OK;
}

entropic_status ent_fit_check_task(entropic_context *context, const entropic_parameters *parameters,
                                   entropic_task task) {
  char one[ENT_SPELLING_SIZE];
  const ent_loss *loss = given_loss(parameters);
  bool classes = task == ENTROPIC_TASK_CLASSIFICATION;
  if (loss != NULL && !(loss->traits & (classes ? ENT_LOSS_CLASSES : ENT_LOSS_NUMBERS)))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s is for %s, and the target is %s",
                    ent_parameters_spelling(parameters, "loss", one), loss->name, classes ? "numbers" : "classes",
                    classes ? "classes" : "a number");
  if (classes)
    return ENTROPIC_OK;
  if (ent_parameters_is(parameters, "class-weight", "balanced"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s balanced is for classes, and the target is a number",
                    ent_parameters_spelling(parameters, "class-weight", one));
  return ENTROPIC_OK;
}

entropic_status ent_fit_options_by(entropic_context *context, const entropic_parameters *parameters, size_t inputs,
                                   double *room, ent_fit_options *options) {
  const entropic_parameters *p = parameters;
  ent_fit_options o = ent_fit_options_default();
  o.loss = (entropic_loss)ent_parameters_choice(p, "loss", loss_name, 0, (int)o.loss);
  o.solver = (entropic_solver)ent_parameters_choice(p, "solver", solver_name, 0, (int)o.solver);
  o.select = (entropic_select)ent_parameters_choice(p, "select", select_name, 0, (int)o.select);
  o.class_weight =
      (entropic_class_weight)ent_parameters_choice(p, "class-weight", class_weight_name, 0, (int)o.class_weight);
  o.target_scale =
      (entropic_target_scale)ent_parameters_choice(p, "target-scale", target_scale_name, 0, (int)o.target_scale);
  o.effort = (ent_effort)ent_parameters_choice(p, "effort", effort_name, 0, (int)o.effort);
  o.rows_in_model = !ent_parameters_is(p, "rows-in-model", "no");
  o.criterion = (entropic_criterion)ent_parameters_choice(p, "criterion", ent_criterion_name, 0, (int)o.criterion);
  o.scaling = ent_scaling_by(p, o.scaling);
  o.ensemble = (size_t)ent_parameters_integer(p, "ensemble", o.ensemble);
  o.seconds = ent_parameters_number(p, "seconds", o.seconds);
  o.axis = ent_axis_by(p);
  if (!ent_parameters_is_set(p, "smooth"))
    o.axis.smooth = ENT_SMOOTH_AUTO;
  o.lambda =
      ent_parameters_is(p, "lambda", "theory") ? ENT_LAMBDA_THEORY : ent_parameters_number(p, "lambda", o.lambda);
  o.features = ent_parameters_is(p, "features", "theory") ? ENT_FEATURES_THEORY
                                                          : (size_t)ent_parameters_integer(p, "features", o.features);
  o.nonzeros = (size_t)ent_parameters_integer(p, "nonzeros", o.nonzeros);
  o.max_order = (size_t)ent_parameters_integer(p, "max-order", o.max_order);
  o.seed = ent_parameters_integer(p, "seed", o.seed);
  o.folds = (size_t)ent_parameters_integer(p, "folds", o.folds);
  o.unrestricted = !ent_parameters_is(p, "unrestricted", "no");
  o.target_means = !ent_parameters_is(p, "target-means", "no");
  o.keep_statistics = ent_parameters_flag(p, "keep-statistics");
  if (o.keep_statistics && o.loss == ENTROPIC_LOSS_AUTO)
    o.loss = ent_loss_first(ENT_LOSS_STATISTICS);
  o.omegas = room;
  *options = o;
  return ent_omegas_by(context, p, inputs, room, &options->omega_count);
}

entropic_status entropic_parameters_check(entropic_context *context, const entropic_parameters *parameters) {
  ENT_NEED(context, parameters);
  if (parameters->purpose == ENTROPIC_PURPOSE_FIT)
    return ent_fit_check(context, parameters);
  if (parameters->purpose == ENTROPIC_PURPOSE_COMPARE)
    return ent_design_check(context, parameters);
  if (parameters->purpose != ENTROPIC_PURPOSE_DESIGN && parameters->purpose != ENTROPIC_PURPOSE_COLLECT)
    return ENTROPIC_OK;
  entropic_design_options options;
  entropic_status status = ent_design_columns_check(context, parameters);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_design_check(context, parameters);
  return status != ENTROPIC_OK ? status : ent_design_options_by(context, parameters, &options);
}

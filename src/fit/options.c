/* Options of a fit: their defaults, and whether they go with the data. */
#include <math.h>

#include "fit/prepare.h"
#include "model/format.h"

#define MOST_FOLDS ((size_t)100)
#define LEAST_ROWS ((size_t)10) /* to select features by */

ent_fit_options ent_fit_options_default(void) {
  entropic_design_options design = ent_design_options_default();
  entropic_axis_options axis = ent_axis_options_default();
  axis.smooth = ENT_SMOOTH_AUTO;
  return (ent_fit_options){.axis = axis,
                           .scaling = ENTROPIC_SCALING_AUTO,
                           .lambda = ENT_LAMBDA_AUTO,
                           .criterion = design.criterion,
                           .effort = ENT_EFFORT_DEFAULT,
                           .rows_in_model = true,
                           .unrestricted = true,
                           .target_means = true,
                           .seed = 1,
                           .folds = 5};
}

static entropic_status check_numbers(entropic_context *context, const ent_fit_options *o, size_t inputs) {
  bool special = o->lambda == ENT_LAMBDA_AUTO || o->lambda == ENT_LAMBDA_THEORY;
  if (!special && !(o->lambda >= 0 && isfinite(o->lambda)))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "lambda is %g, expected a finite number, not negative", o->lambda);
  if (o->folds < 2 || o->folds > MOST_FOLDS)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "folds is %zu, expected 2 to %zu", o->folds, MOST_FOLDS);
  if (o->features != 0 && o->nonzeros != 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "features and nonzeros cannot be combined");
  if (o->omega_count > 1 && o->omega_count != inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "there are %zu omegas, expected 1 or one for each of the %zu inputs", o->omega_count, inputs);
  if (o->omega_count > 0 && o->omegas == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "omegas is NULL");
  if (entropic_family_has(o->axis.family, ENTROPIC_TRAIT_CATEGORIES) ||
      entropic_family_has(o->axis.family, ENTROPIC_TRAIT_PERIODIC))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "axis.family is %s, expected a kernel of numbers",
                    entropic_family_name(o->axis.family));
  return ENTROPIC_OK;
}

/* Whether features can be chosen from the data, with what else is asked for. */
static bool takes_residual(const ent_fit_options *o) {
  bool constant = entropic_family_has(o->axis.family, ENTROPIC_TRAIT_CONSTANT);
  bool direct = o->solver == ENTROPIC_SOLVER_AUTO || o->solver == ENTROPIC_SOLVER_DIRECT;
  return constant && direct && o->axis.basis == ENTROPIC_BASIS_FULL && !o->axis.unit_height &&
         o->select != ENTROPIC_SELECT_PAPER && o->criterion == ENTROPIC_CRITERION_L2 && o->nonzeros == 0;
}

/* What terms cannot be given for: the others would stay. */
static entropic_status check_restriction(entropic_context *context, const ent_fit_options *o) {
  bool constant = entropic_family_has(o->axis.family, ENTROPIC_TRAIT_CONSTANT);
  if (o->restriction == NULL)
    return ENTROPIC_OK;
  if (o->solver == ENTROPIC_SOLVER_EXACT)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the exact solver has no features to restrict to terms");
  if (!constant || o->axis.basis != ENTROPIC_BASIS_FULL || o->select == ENTROPIC_SELECT_PAPER)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "terms need a kernel with the constant, such as centred or sobolev, and its full basis: otherwise "
                    "every feature of %s depends on every input",
                    o->select == ENTROPIC_SELECT_PAPER ? "the paper's choice" : entropic_family_name(o->axis.family));
  return ENTROPIC_OK;
}

static entropic_status check_select(entropic_context *context, const entropic_dataset *train,
                                    const entropic_dataset *valid, const ent_fit_options *o) {
  if (ent_select_name(o->select) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "select is %d, expected one of entropic_select", (int)o->select);
  if (!(o->seconds >= 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "seconds is %g, expected 0 or more", o->seconds);
  if (ent_target_scale_name(o->target_scale) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "target_scale is %d, expected one of entropic_target_scale",
                    (int)o->target_scale);
  bool root = o->target_scale == ENTROPIC_TARGET_SCALE_ROOT;
  if (root && (train->schema.targets != 1 || train->schema.task == ENTROPIC_TASK_CLASSIFICATION))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the target scale root is for a single number, there are %s",
                    train->schema.task == ENTROPIC_TASK_CLASSIFICATION ? "classes" : "several targets");
  if (root && (o->select == ENTROPIC_SELECT_ENTROPY || !takes_residual(o)))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the target scale root needs features selected by residual");
  if (o->select != ENTROPIC_SELECT_RESIDUAL && !root)
    return ENTROPIC_OK;
  if (!takes_residual(o))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "selection by residual needs the centred or sobolev kernel with its full basis, the solver auto or "
                    "direct, and no criterion or number of non-zeros");
  if (valid == NULL && train->rows < LEAST_ROWS)
    return ent_fail(context, ENTROPIC_BAD_DATA, "there are %zu rows, expected at least %zu to select features by",
                    train->rows, LEAST_ROWS);
  return ENTROPIC_OK;
}

/* A loss that was asked for. */
static entropic_status check_loss(entropic_context *context, const entropic_dataset *train, const ent_fit_options *o) {
  bool classes = train->schema.task == ENTROPIC_TASK_CLASSIFICATION;
  entropic_status status = ent_loss_check(context, o->loss);
  if (status != ENTROPIC_OK)
    return status;
  const ent_loss *loss = ent_loss_of(o->loss);
  if (loss->since > ENT_MODEL_VERSION)
    return ent_fail(context, ENTROPIC_SYSTEM, "the loss '%s' is of model files of version %u, the newest is %u",
                    loss->name, (unsigned)loss->since, (unsigned)ENT_MODEL_VERSION);
  if (!(loss->traits & (classes ? ENT_LOSS_CLASSES : ENT_LOSS_NUMBERS)))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the %s loss is for %s, the target is %s", loss->name,
                    classes ? "numbers" : "classes", classes ? "classes" : "a number");
  if (classes || loss->traits & ENT_LOSS_STATISTICS)
    return ENTROPIC_OK;
  const ent_link link = {.number = loss->link};
  status = ent_link_check_targets(context, ent_link_of(&link), &link, train->y, train->rows, train->schema.targets);
  if (status != ENTROPIC_OK)
    return status;
  if (train->schema.targets != 1)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the %s loss is for a single number, there are %zu targets",
                    loss->name, train->schema.targets);
  if (o->target_scale == ENTROPIC_TARGET_SCALE_ROOT)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the target scale root is for the squared loss, not for %s",
                    loss->name);
  return ENTROPIC_OK;
}

entropic_status ent_fit_check_options(entropic_context *context, const entropic_dataset *train,
                                      const entropic_dataset *valid, const ent_fit_options *o) {
  bool classes = train->schema.task == ENTROPIC_TASK_CLASSIFICATION;
  entropic_status status = o->loss == ENTROPIC_LOSS_AUTO ? ENTROPIC_OK : check_loss(context, train, o);
  if (status != ENTROPIC_OK)
    return status;
  if (ent_solver_name(o->solver) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "solver is %d, expected one of entropic_solver", (int)o->solver);
  if (ent_class_weight_name(o->class_weight) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "class_weight is %d, expected one of entropic_class_weight",
                    (int)o->class_weight);
  if (o->class_weight == ENTROPIC_CLASS_WEIGHT_BALANCED && !classes)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "balanced weights are for classes, the target is a number");
  bool squared = o->loss == ENTROPIC_LOSS_AUTO || ent_loss_has(o->loss, ENT_LOSS_STATISTICS);
  if (o->keep_statistics && !squared)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "a model of the %s loss has no statistics to keep: expected the squared loss",
                    ent_loss_name(o->loss));
  if (o->keep_statistics && o->solver == ENTROPIC_SOLVER_EXACT)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the exact solver has no features to keep statistics of");
  if (o->solver == ENTROPIC_SOLVER_EXACT && !squared)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the exact solver is for the squared loss only");
  if (o->solver == ENTROPIC_SOLVER_EXACT && (o->features != 0 || o->nonzeros != 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the exact solver has no features to count");
  if (o->solver == ENTROPIC_SOLVER_EXACT && o->axis.smooth > 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the exact solver takes the kernel without smooth atoms");
  if (valid != NULL &&
      (valid->schema.inputs != train->schema.inputs || valid->schema.task != train->schema.task ||
       valid->schema.targets != train->schema.targets || valid->schema.classes != train->schema.classes))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "valid does not have the inputs and targets of train");
  status = check_restriction(context, o);
  if (status != ENTROPIC_OK)
    return status;
  status = check_select(context, train, valid, o);
  return status != ENTROPIC_OK ? status : check_numbers(context, o, train->schema.inputs);
}

bool ent_fit_selects(const entropic_dataset *train, const entropic_dataset *valid, const ent_fit_options *o) {
  return takes_residual(o) && o->select != ENTROPIC_SELECT_ENTROPY && (valid != NULL || train->rows >= LEAST_ROWS);
}

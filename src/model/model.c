/* Models: release, and what the public interface says of them. */
#include <math.h>

#include "base/portable.h"
#include "design/design.h"
#include "lift/lift.h"
#include "model/frozen.h"
#include "model/intervals.h"
#include "model/marginals.h"
#include "model/member_effects.h"
#include "model/model.h"

#define FIGURE_DIGITS 6 /* that are kept of validation errors */
#define NAME_IN(names, number) ((size_t)(number) < sizeof(names) / sizeof(names)[0] ? (names)[number] : NULL)

const char *entropic_task_name(entropic_task task) {
  static const char *const names[] = {[ENTROPIC_TASK_AUTO] = "auto",
                                      [ENTROPIC_TASK_REGRESSION] = "regression",
                                      [ENTROPIC_TASK_CLASSIFICATION] = "classification"};
  return NAME_IN(names, task);
}

const char *ent_solver_name(entropic_solver solver) {
  static const char *const names[] = {[ENTROPIC_SOLVER_AUTO] = "auto",
                                      [ENTROPIC_SOLVER_DIRECT] = "direct",
                                      [ENTROPIC_SOLVER_DUAL] = "dual",
                                      [ENTROPIC_SOLVER_ITERATIVE] = "iterative",
                                      [ENTROPIC_SOLVER_EXACT] = "exact"};
  return NAME_IN(names, solver);
}

const char *ent_class_weight_name(entropic_class_weight weight) {
  static const char *const names[] = {
      [ENTROPIC_CLASS_WEIGHT_NONE] = "none", [ENTROPIC_CLASS_WEIGHT_BALANCED] = "balanced"};
  return NAME_IN(names, weight);
}

const char *ent_target_scale_name(entropic_target_scale scale) {
  static const char *const names[] = {[ENTROPIC_TARGET_SCALE_AUTO] = "auto",
                                      [ENTROPIC_TARGET_SCALE_PLAIN] = "plain",
                                      [ENTROPIC_TARGET_SCALE_ROOT] = "root"};
  return NAME_IN(names, scale);
}

const char *ent_select_name(entropic_select select) {
  static const char *const names[] = {[ENTROPIC_SELECT_AUTO] = "auto",
                                      [ENTROPIC_SELECT_ENTROPY] = "entropy",
                                      [ENTROPIC_SELECT_RESIDUAL] = "residual",
                                      [ENTROPIC_SELECT_PAPER] = "paper"};
  return NAME_IN(names, select);
}

void ent_component_clear(ent_component *component) {
  entropic_scaler_free(component->scaler);
  entropic_kernel_free(component->kernel);
  entropic_design_free(component->design);
  entropic_lift_free(component->lift);
  ent_delete(component->centres);
  ent_delete(component->weights);
  *component = (ent_component){0};
}

size_t ent_model_features(const entropic_model *model) {
  size_t features = 0;
  for (size_t c = 0; c < ent_model_components(model); c++)
    features += ent_model_component(model, c)->features;
  return features;
}

size_t ent_model_centres(const entropic_model *model) {
  size_t centres = 0;
  for (size_t c = 0; c < ent_model_components(model); c++)
    centres += ent_model_component(model, c)->design == NULL ? ent_model_component(model, c)->features : 0;
  return centres;
}

bool ent_model_has_features(const entropic_model *model) {
  bool any = false;
  for (size_t c = 0; c < ent_model_components(model); c++)
    any = any || ent_model_component(model, c)->design != NULL;
  return any;
}

entropic_status ent_model_add_component(entropic_context *context, entropic_model *model, ent_component *component) {
  ent_component *grown = ent_new(context, model->more_count + 1, sizeof *grown);
  if (grown == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t c = 0; c < model->more_count; c++)
    grown[c] = model->more[c];
  grown[model->more_count++] = *component;
  ent_delete(model->more);
  model->more = grown;
  *component = (ent_component){0};
  return ENTROPIC_OK;
}

void ent_model_scale(const entropic_model *model, const double *x, size_t rows, size_t stride, double *scaled) {
  for (size_t c = 0; c < ent_model_components(model); c++)
    ent_scaler_fill_wide(ent_model_component(model, c)->scaler, x, rows, stride, scaled + c * model->schema.inputs,
                         ent_model_width(model));
}

void entropic_model_free(entropic_model *model) {
  if (model == NULL)
    return;
  ent_schema_clear(&model->schema);
  ent_means_free(model->means);
  ent_component_clear(&model->main);
  for (size_t c = 0; c < model->more_count; c++)
    ent_component_clear(&model->more[c]);
  ent_delete(model->more);
  ent_marginals_free(model->marginals);
  ent_delete(model->offsets);
  ent_delete(model->bounds);
  ent_intervals_free(model->intervals);
  ent_member_effects_free(model->member_effects);
  ent_frozen_free(model->frozen);
  ent_fixed_free(model->totals);
  ent_delete(model);
}

/* Whether a component depends on an input. The kernel itself is a product over all inputs. */
static bool depends_on(const ent_component *component, size_t input) {
  const entropic_lift *lift = component->lift;
  bool found = lift == NULL;
  for (size_t i = 0; !found && i < lift->column_count && lift->column_input[i] <= input; i++)
    found = lift->column_input[i] == input;
  return found;
}

entropic_status ent_model_drop_unused(entropic_context *context, entropic_model *model) {
  bool *needed = ent_new(context, model->schema.inputs, sizeof *needed);
  if (needed == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < model->schema.inputs; i++)
    for (size_t c = 0; c < ent_model_components(model) && !needed[i]; c++)
      needed[i] = depends_on(ent_model_component(model, c), i);
  ent_means_add_needed(model->means, needed);
  for (size_t i = 0; i < model->schema.inputs; i++) {
    if (needed[i])
      continue;
    ent_input_drop(&model->schema.input[i]);
    for (size_t c = 0; c < ent_model_components(model); c++)
      ent_scaler_ignore(ent_model_component(model, c)->scaler, i);
  }
  ent_delete(needed);
  return ENTROPIC_OK;
}

entropic_status ent_component_go_beyond(entropic_context *context, ent_component *component, size_t input) {
  entropic_status status = ent_design_go_beyond(context, component->design, input);
  return status != ENTROPIC_OK ? status : ent_scaler_go_beyond(context, component->scaler, input);
}

double ent_component_beyond_slope(const ent_component *component, size_t input, size_t score) {
  const entropic_design *design = component->design;
  if (design == NULL || design->beyond == NULL || !design->beyond[input])
    return 0;
  const ent_group *group = &design->groups[ent_design_line(design, input)];
  double scale = component->kernel->axes[input]->levels[design->terms[group->first_term].level].scale;
  return scale * component->weights[score * component->features + group->first_feature];
}

size_t ent_model_used(const entropic_model *model) {
  size_t used = 0;
  for (size_t i = 0; i < model->schema.inputs; i++)
    used += !model->schema.input[i].unused;
  return used;
}

entropic_model_info ent_model_describe(const entropic_model *model) {
  bool selected = model->main.design != NULL && model->main.design->criterion == ENT_CRITERION_RESIDUAL;
  return (entropic_model_info){.task = model->schema.task,
                               .loss = model->loss,
                               .solver = model->solver,
                               .scaling = model->main.scaler->scaling,
                               .select = selected ? ENTROPIC_SELECT_RESIDUAL : ENTROPIC_SELECT_ENTROPY,
                               .target_scale = ent_link_of(&model->link)->scale,
                               .target_origin = model->link.origin,
                               .target_sign = model->link.sign,
                               .retransformation_bias = model->link.bias,
                               .inputs = model->schema.inputs,
                               .inputs_used = ent_model_used(model),
                               .targets = model->schema.targets,
                               .classes = model->schema.classes,
                               .scores = model->scores,
                               .features = ent_model_features(model),
                               .nonzeros = model->nonzeros,
                               .rows = model->rows,
                               .lambda = model->lambda,
                               .converged = model->converged,
                               .seed = model->seed,
                               .validation = model->validation,
                               .folds = model->folds,
                               .validation_rows = model->validation_rows,
                               .validation_error = model->validation_error,
                               .validation_loss = model->validation_loss,
                               .components = ent_model_components(model),
                               .interval_rows = ent_model_interval_rows(model),
                               .effect_members = ent_model_effect_members(model),
                               .contained_rows = ent_model_centres(model)};
}

void ent_model_set_figures(entropic_model *model, double error, double loss) {
  model->validation_error = ent_round_digits(error, FIGURE_DIGITS);
  model->validation_loss = ent_round_digits(loss, FIGURE_DIGITS);
}

entropic_status ent_model_input(entropic_context *context, const entropic_model *model, size_t input,
                                entropic_input_info *info) {
  const ent_schema *schema = &model->schema;
  if (input >= schema->inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "input: %zu; the model has inputs 0 to %zu", input,
                    schema->inputs - 1);
  const ent_input *found = &schema->input[input];
  *info = (entropic_input_info){.name = found->name,
                                .categories = found->categories,
                                .missing = found->missing,
                                .date = found->date,
                                .category = found->categories > 0 || found->was_category,
                                .used = !found->unused,
                                .part = found->derived ? "category" : ent_part_name(found->part)};
  return ENTROPIC_OK;
}

entropic_status entropic_model_fill_means(entropic_context *context, const entropic_model *model, double *x,
                                          size_t rows, size_t stride) {
  ENT_NEED(context, model);
  ENT_NEED(context, x);
  if (stride < model->schema.inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride is %zu, expected at least %zu, the number of inputs",
                    stride, model->schema.inputs);
  ent_means_fill(model->means, x, rows, stride);
  return ENTROPIC_OK;
}

double entropic_date_part(double days, const char *part) {
  for (int i = ENT_PART_WHOLE; part != NULL && i <= ENT_PART_HOUR; i++)
    if (strcmp(part, ent_part_name((ent_date_part)i)) == 0)
      return ent_part_value((ent_date_part)i, days);
  return NAN;
}

const char *entropic_model_category(const entropic_model *model, size_t input, size_t code) {
  if (model == NULL)
    return NULL;
  const ent_schema *schema = &model->schema;
  return input < schema->inputs && code < schema->input[input].categories ? schema->input[input].category[code] : NULL;
}

const char *entropic_model_target(const entropic_model *model, size_t target) {
  if (model == NULL)
    return NULL;
  return target < model->schema.targets ? model->schema.target[target] : NULL;
}

const char *entropic_model_class(const entropic_model *model, size_t number) {
  if (model == NULL)
    return NULL;
  return number < model->schema.classes ? model->schema.class_name[number] : NULL;
}

int entropic_model_range(const entropic_model *model, size_t target, double *lower, double *upper) {
  if (model == NULL || lower == NULL || upper == NULL)
    return 0;
  double least, most;
  if (target >= model->schema.targets)
    return 0;
  ent_link_ends(&model->link, &least, &most);
  if (model->bounds == NULL && isinf(least) && isinf(most))
    return 0;
  double low = model->bounds == NULL ? -INFINITY : model->bounds[2 * target];
  double high = model->bounds == NULL ? INFINITY : model->bounds[2 * target + 1];
  *lower = fmin(fmax(low, least), high);
  *upper = fmax(fmin(high, most), low);
  return 1;
}

const entropic_kernel *entropic_model_kernel(const entropic_model *model) {
  if (model == NULL)
    return NULL;
  return model->main.kernel;
}

const entropic_design *entropic_model_design(const entropic_model *model) {
  if (model == NULL)
    return NULL;
  return model->main.design;
}

const double *entropic_model_weights(const entropic_model *model, size_t score, double *offset) {
  if (model == NULL)
    return NULL;
  if (score >= model->scores)
    return NULL;
  if (offset != NULL)
    *offset = model->offsets[score];
  return model->main.weights + score * model->main.features;
}

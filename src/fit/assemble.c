/* The model out of what a fit has found: see fit.h. */
#include <math.h>

#include "axis/scaler.h"
#include "base/memory.h"
#include "fit/wide.h"
#include "model/format.h"
#include "model/joint.h"
#include "model/marginals.h"
#include "model/member_effects.h"
#include "sums/pass.h"

/* Adds up the non-zeros of a block in its lane. */
static entropic_status count_block(entropic_context *context, void *shared, size_t lane, const ent_lifted *lifted) {
  (void)context;
  size_t *count = (size_t *)shared + lane, rows = lifted->block.rows;
  if (lifted->z == NULL)
    *count += lifted->starts[rows];
  for (size_t i = 0; lifted->z != NULL && i < lifted->features; i++)
    for (size_t r = 0; r < rows; r++)
      *count += lifted->z[i * lifted->ld + r] != 0;
  return ENTROPIC_OK;
}

entropic_status ent_fit_count_nonzeros(entropic_context *context, const ent_fit *fit, const ent_map *map,
                                       double *mean) {
  size_t counts[ENT_LANES] = {0};
  ent_memory_rows memory = {.all = fit->splits.train, .inputs = fit->inputs, .targets = fit->scores};
  ent_rows rows = ent_rows_of_memory(&memory);
  ent_pass *pass = NULL;
  entropic_status status = ent_pass_create(context, map, &pass);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_pass_run(context, pass, &rows, count_block, counts);
  ent_pass_free(pass);
  ent_memory_rows_clear(&memory);
  double sum = 0;
  for (size_t i = 0; i < ENT_LANES; i++)
    sum += (double)counts[i];
  *mean = sum / (double)fit->train->rows;
  return status;
}

/* The same of all components, each of which scales the rows its own way. */
static entropic_status set_joint_marginals(entropic_context *context, const ent_fit *fit, entropic_model *model) {
  const ent_inputs from = ent_dataset_inputs(fit->train);
  size_t rows = fit->train->rows;
  double *x = ent_new_matrix(context, rows, fit->inputs, sizeof *x);
  double *scaled = ent_new_matrix(context, rows, ent_model_width(model), sizeof *scaled);
  entropic_status status = x == NULL || scaled == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK) {
    ent_inputs_read(&from, fit->inputs, 0, rows, x);
    ent_model_scale(model, x, rows, fit->inputs, scaled);
    status = ent_model_marginals(context, model, scaled, rows, &model->marginals);
  }
  ent_delete(x);
  ent_delete(scaled);
  return status;
}

/* The marginals of the atoms over the training rows. */
static entropic_status set_marginals(entropic_context *context, const ent_fit *fit, entropic_model *model) {
  if (model->main.design == NULL)
    return ENTROPIC_OK;
  if (model->more_count > 0)
    return set_joint_marginals(context, fit, model);
  ent_memory_rows memory = {.all = fit->splits.train, .inputs = fit->inputs, .targets = fit->scores};
  ent_rows rows = ent_rows_of_memory(&memory);
  entropic_status status =
      ent_marginals_of_rows(context, model->main.design, &rows, fit->splits.train.rows, &model->marginals);
  ent_memory_rows_clear(&memory);
  return status;
}

/* The unit of a score, as a power of two. */
static int unit_of(const ent_fit *fit, const ent_link *link, size_t score) {
  return ent_link_unit(link, fit->unit[score]);
}

/* The main effects of members, where the model is the mean of several. */
static entropic_status set_member_effects(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                                          entropic_model *model) {
  if (outcome->members == NULL || outcome->member_count < 2 || outcome->member_count > ENT_MOST_MEMBERS)
    return ENTROPIC_OK;
  int *units = ent_new(context, fit->scores, sizeof *units);
  if (units == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t k = 0; k < fit->scores; k++)
    units[k] = unit_of(fit, &model->link, k);
  entropic_status status = ent_member_effects_create(context, outcome->members, outcome->member_count, units,
                                                     model->marginals, &model->member_effects);
  ent_delete(units);
  return status;
}

/* Back to the units of the data, whose powers are even: so roots have units too. */
static void restore_units(const ent_fit *fit, ent_learnt *learnt, ent_link *link) {
  for (size_t k = 0; k < fit->scores; k++) {
    int unit = unit_of(fit, link, k);
    for (size_t i = 0; i < learnt->features; i++)
      learnt->weights[k * learnt->features + i] = ldexp(learnt->weights[k * learnt->features + i], unit);
    learnt->offsets[k] = ldexp(learnt->offsets[k], unit);
  }
  ent_link_restore_units(link, fit->unit[0]);
}

static entropic_status check_finite(entropic_context *context, const ent_learnt *learnt) {
  double sum = 0; /* NaN if anything is not finite */
  for (size_t i = 0; i < learnt->scores * learnt->features; i++)
    sum += 0 * learnt->weights[i];
  for (size_t i = 0; i < learnt->scores; i++)
    sum += 0 * learnt->offsets[i];
  if (sum == 0)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "the weights are outside the range of a double; expected smaller targets "
                  "or a larger lambda");
}

static void set_validation(const ent_fit *fit, const ent_fit_outcome *outcome,
                           const ent_class_validation *class_validation, entropic_model *model) {
  model->validation = outcome->validation;
  bool folds = model->validation == ENTROPIC_VALIDATION_FOLDS || model->validation == ENTROPIC_VALIDATION_PART;
  model->folds = folds ? fit->folds : model->validation == ENTROPIC_VALIDATION_FORWARD ? outcome->parts : 0;
  model->validation_rows = outcome->validation_rows;
  double error = NAN, loss = NAN;
  if (model->validation != ENTROPIC_VALIDATION_NONE && ent_schema_has_classes(&fit->train->schema)) {
    error = class_validation->error;
    loss = class_validation->loss;
  } else if (model->validation != ENTROPIC_VALIDATION_NONE) {
    error = 0;
    for (size_t k = 0; k < fit->scores; k++)
      error += ldexp(sqrt(outcome->errors[k]), fit->unit[k]) / (double)fit->scores;
  }
  ent_model_set_figures(model, error, loss);
}

static void move_parts(ent_fit *fit, ent_fit_outcome *outcome, entropic_model *model) {
  ent_learnt *learnt = &outcome->learnt;
  for (size_t v = 0; v < ENT_VIEWS; v++)
    if (fit->scalers[v] == fit->scaler)
      fit->scalers[v] = NULL;
  model->main.scaler = fit->scaler;
  if (outcome->kernel != NULL) {
    model->main.kernel = outcome->kernel;
    outcome->kernel = NULL;
    model->nonzeros = (double)learnt->features;
    /* The weights are the dual's own; what the model keeps of it is theirs and the points. */
    model->main.weights = learnt->dual->coefficients;
    model->main.centres = learnt->dual->x;
    learnt->dual->coefficients = learnt->dual->x = NULL;
  } else {
    model->main.kernel = ent_kernel_hold(entropic_design_kernel(outcome->lifting.design));
    model->main.design = outcome->lifting.design;
    model->main.lift = outcome->lifting.lift;
    outcome->lifting = (ent_lifting){0};
    model->main.weights = learnt->weights;
  }
  model->offsets = learnt->offsets;
  learnt->weights = learnt->offsets = NULL;
}

/* A safety net: the range of each target in the training rows, and half of it more on each side, rounded outward if rows may be forgotten. A
 * target that never changes, or whose range is beyond that of numbers, has none. */
static entropic_status set_bounds(entropic_context *context, const entropic_dataset *train, bool rounded,
                                  entropic_model *model) {
  size_t targets = train->schema.targets, bounded = 0;
  model->bounds = ent_new(context, 2 * targets, sizeof *model->bounds);
  if (model->bounds == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t t = 0; t < targets; t++) {
    double least = INFINITY, most = -INFINITY;
    for (size_t r = 0; r < train->rows; r++) {
      least = fmin(least, train->y[r * targets + t]);
      most = fmax(most, train->y[r * targets + t]);
    }
    if (train->all_rows != NULL) {
      least = fmin(least, train->all_rows->least[t]);
      most = fmax(most, train->all_rows->most[t]);
    }
    double half = 0.5 * (most - least);
    bool usable = half > 0 && isfinite(least - 1.1 * half) && isfinite(most + 1.1 * half);
    bounded += usable;
    model->bounds[2 * t] = !usable    ? -INFINITY
                           : !rounded ? least - half
                                      : ent_knot_outward(least - half, least, most, -1);
    model->bounds[2 * t + 1] = !usable    ? INFINITY
                               : !rounded ? most + half
                                          : ent_knot_outward(most + half, least, most, 1);
  }
  if (bounded == 0) {
    ent_delete(model->bounds);
    model->bounds = NULL;
  }
  return ENTROPIC_OK;
}

/* Adds components in the units of the data, with their non-zeros. */
static entropic_status add_components(entropic_context *context, const ent_fit *fit, ent_component_list *more,
                                      entropic_model *model) {
  for (size_t c = 0; more != NULL && c < more->count; c++) {
    ent_component *component = &more->components[c];
    for (size_t k = 0; k < fit->scores; k++)
      for (size_t i = 0; i < component->features; i++)
        component->weights[k * component->features + i] =
            ldexp(component->weights[k * component->features + i], unit_of(fit, &model->link, k));
    model->nonzeros += more->nonzeros[c];
    entropic_status status = ent_model_add_component(context, model, component);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Inputs in use, and the target means that they are made by. */
static entropic_status take_means(entropic_context *context, const ent_fit *fit, entropic_model *model) {
  ent_target_means *means = fit->wide == NULL || !fit->wide->taken ? NULL : fit->wide->means, *selected;
  model->means = ent_means_share(means);
  entropic_status status = ent_model_drop_unused(context, model);
  if (status != ENTROPIC_OK || means == NULL)
    return status;
  status = ent_means_select(context, means, &model->schema, &selected);
  if (status != ENTROPIC_OK) {
    ent_means_free(selected);
    return status;
  }
  ent_means_free(model->means);
  model->means = selected;
  return ENTROPIC_OK;
}

entropic_status ent_fit_assemble(entropic_context *context, ent_fit *fit, ent_fit_outcome *outcome,
                                 const ent_class_validation *class_validation, entropic_loss loss,
                                 ent_component_list *more, entropic_model *model) {
  ent_learnt *learnt = &outcome->learnt;
  entropic_status status = ent_schema_copy(context, &fit->train->schema, &model->schema);
  if (status != ENTROPIC_OK)
    return status;
  if (fit->features.restriction != NULL)
    status = ent_schema_set_terms(context, fit->features.restriction->texts, &model->schema);
  if (status != ENTROPIC_OK)
    return status;
  restore_units(fit, learnt, &outcome->link);
  status = check_finite(context, learnt);
  if (status != ENTROPIC_OK)
    return status;
  if (outcome->kernel == NULL)
    status = ent_fit_count_nonzeros(context, fit, &outcome->lifting.map, &model->nonzeros);
  if (status != ENTROPIC_OK)
    return status;
  model->loss = loss;
  model->loss_parameter = ldexp(outcome->loss_parameter, fit->unit[0]);
  model->solver = outcome->solver;
  model->scores = learnt->scores;
  model->main.features = learnt->features;
  model->link = ent_schema_has_classes(&model->schema) ? ent_link_for(model->schema.classes) : outcome->link;
  model->link.inverse_temperature = class_validation->inverse_temperature;
  model->rows = fit->train->rows;
  model->lambda = outcome->lambda;
  model->converged = outcome->report.ended == NULL;
  model->seed = fit->options->seed;
  set_validation(fit, outcome, class_validation, model);
  move_parts(fit, outcome, model);
  status = add_components(context, fit, more, model);
  if (status != ENTROPIC_OK)
    return status;
  status = set_marginals(context, fit, model);
  if (status != ENTROPIC_OK)
    return status;
  status = set_member_effects(context, fit, outcome, model);
  if (status != ENTROPIC_OK)
    return status;
  status = take_means(context, fit, model);
  if (status != ENTROPIC_OK)
    return status;
  bool selected = model->main.design != NULL && model->main.design->criterion == ENT_CRITERION_RESIDUAL;
  if (selected && model->main.features > 0 && !ent_schema_has_classes(&model->schema))
    return set_bounds(context, fit->train, fit->options->keep_statistics, model);
  return ENTROPIC_OK;
}

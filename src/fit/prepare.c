/* What a fit starts from: axes, folds, and the grid to search. */
#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "tune/folds.h"
#include "tune/recipe.h"
#include "tune/rules.h"
#include "fit/prepare.h"
#include "fit/wide.h"

#define REFIT_VALUES 4e6 /* rows x features x scores up to which every fold is worth a refit */

static const double omega_grid[] = ENT_OMEGAS_ASCENDING;
static const size_t size_grid[] = {ENT_SIZES};
/* Powers of the root of 10, from 1 down to 1e-9. */
static const double lambda_grid[] = {1,      0.31622776601683794,    0.1,   0.03162277660168379,
                                     0.01,   0.0031622776601683794,  0.001, 0.00031622776601683794,
                                     0.0001, 3.1622776601683795e-05, 1e-05, 3.1622776601683795e-06,
                                     1e-06,  3.1622776601683795e-07, 1e-07, 3.1622776601683795e-08,
                                     1e-08,  3.1622776601683795e-09, 1e-09};

/* Where nothing can be validated. */
static const double plain_omega[] = {1}, plain_lambda[] = {0.001};
static const size_t plain_size[] = {200};

static const double no_omega[] = {0};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Fewer levels for inputs of few values where features are selected. */
static void trim_levels(const ent_fit *fit, size_t input, entropic_axis_options *axis) {
  if (axis->smooth == ENT_SMOOTH_AUTO)
    axis->smooth = fit->residual && entropic_family_has(axis->family, ENTROPIC_TRAIT_SMOOTH) ? ENT_SELECT_SMOOTH : 0;
  if (fit->residual)
    ent_select_trim(axis, ent_scaler_distinct(fit->scaler, input));
}

entropic_status ent_fit_prepare_axes(entropic_context *context, ent_fit *fit) {
  const ent_fit_options *o = fit->options;
  fit->axes = ent_new(context, fit->inputs, sizeof *fit->axes);
  if (fit->axes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < fit->inputs; i++) {
    const ent_input *input = &fit->train->schema.input[i];
    fit->axes[i] = o->axis;
    fit->axes[i].categories = 0;
    if (ent_part_is_made(input->part)) { /* what comes round has one kernel, whatever that of numbers is */
      fit->axes[i] = ent_axis_options_default();
      fit->axes[i].family = ENTROPIC_FAMILY_PERIODIC;
      fit->axes[i].max_level = o->axis.max_level;
      fit->axes[i].smooth = o->axis.smooth;
    }
    fit->axes[i].missing = ent_fit_keeps_missing(fit, i);
    trim_levels(fit, i, &fit->axes[i]);
    if (input->categories > 0) {
      fit->axes[i] = ent_axis_options_default();
      fit->axes[i].family = ENTROPIC_FAMILY_CATEGORY;
      fit->axes[i].categories = ent_input_atoms(input);
    }
    fit->axes[i].omega = o->omega_count == 0 ? 1 : o->omegas[o->omega_count == 1 ? 0 : i];
  }
  fit->features = (ent_features){.axes = fit->axes, .inputs = fit->inputs, .restriction = o->restriction};
  entropic_design_options *design = &fit->features.design;
  *design = ent_design_options_default();
  design->select = o->select == ENTROPIC_SELECT_PAPER ? ENTROPIC_SELECT_PAPER : ENTROPIC_SELECT_ENTROPY;
  design->criterion = o->criterion;
  design->nonzeros = o->nonzeros;
  design->max_order = o->max_order;
  design->seed = o->seed;
  if (o->criterion == ENTROPIC_CRITERION_DATA) {
    fit->sample = ent_new_matrix(context, fit->train->rows, fit->inputs, sizeof *fit->sample);
    if (fit->sample == NULL)
      return ENTROPIC_NO_MEMORY;
    design->sample = fit->sample;
    design->sample_rows = fit->train->rows;
    return ent_fit_scale_rows(context, fit->scaler, fit->train, fit->sample);
  }
  return ENTROPIC_OK;
}

entropic_status ent_fit_deal(entropic_context *context, ent_fit *fit) {
  const entropic_dataset *d = fit->train;
  ent_delete(fit->fold_of);
  fit->splits.fold_of = fit->fold_of = ent_new(context, d->rows, sizeof *fit->fold_of);
  if (fit->fold_of == NULL)
    return ENTROPIC_NO_MEMORY;
  fit->folds = fit->options->folds;
  ent_fold_options split = {.rows = d->rows,
                            .labels = ent_schema_has_classes(&d->schema) ? d->y : NULL,
                            .classes = d->schema.classes,
                            .groups = d->groups,
                            .time = d->time};
  entropic_status status = ent_folds_deal(context, &split, fit->options->seed, fit->fold_of, &fit->folds);
  fit->splits.folds = fit->folds;
  return status;
}

void ent_fit_prepare_grid(ent_fit *fit) {
  const ent_fit_options *o = fit->options;
  ent_grid *grid = &fit->grid;
  double rows = (double)fit->train->rows;
  bool all = fit->can_validate, categories = false;
  for (size_t i = 0; i < fit->inputs; i++)
    categories |= fit->train->schema.input[i].categories > 0;
  bool without = !(ent_axis_traits(&o->axis) & ENTROPIC_TRAIT_OMEGA);
  if (o->omega_count > 0 || (without && !categories))
    *grid = (ent_grid){.omegas = no_omega, .omega_count = 1};
  else
    *grid = (ent_grid){.omegas = all ? omega_grid : plain_omega, .omega_count = all ? COUNT(omega_grid) : 1};
  fit->size = o->features == ENT_FEATURES_THEORY ? (size_t)ceil(pow(rows, 0.25)) : o->features;
  grid->sizes = &fit->size;
  grid->size_count = 1;
  if (o->features == 0 && o->nonzeros == 0) {
    grid->sizes = all ? size_grid : plain_size;
    while (all && grid->size_count < COUNT(size_grid) && size_grid[grid->size_count] <= 2 * fit->train->rows)
      grid->size_count++;
  }
  fit->lambda = o->lambda == ENT_LAMBDA_THEORY ? 1 / sqrt(rows) : o->lambda;
  grid->lambdas = &fit->lambda;
  grid->lambda_count = 1;
  if (o->lambda == ENT_LAMBDA_AUTO) {
    grid->lambdas = all ? lambda_grid : plain_lambda;
    grid->lambda_count = all ? COUNT(lambda_grid) : 1;
  }
}

static void prepare_splits(ent_fit *fit) {
  const entropic_dataset *train = fit->train, *valid = fit->valid;
  ent_block rows = {.rows = train->rows,
                    .x = fit->views[0].x,
                    .scaler = fit->views[0].scaler,
                    .columns = fit->views[0].columns,
                    .x_stride = fit->inputs,
                    .y = fit->y,
                    .y_stride = fit->scores,
                    .weights = fit->weights != NULL ? fit->weights : train->weights};
  for (size_t i = 0; i < fit->inputs; i++)
    rows.missing |= fit->axes[i].missing != 0;
  fit->splits = (ent_validation_splits){.train = rows,
                                        .inputs = fit->inputs,
                                        .targets = fit->scores,
                                        .fold_of = fit->fold_of,
                                        .folds = fit->folds,
                                        .forward = train->time != NULL,
                                        .scale = fit->scale,
                                        .seed = fit->options->seed};
  if (valid != NULL) {
    fit->valid_block = rows;
    fit->valid_block.rows = valid->rows;
    fit->valid_block.x = fit->views[0].valid_x;
    fit->valid_block.columns = fit->views[0].valid_columns;
    fit->valid_block.y = fit->valid_y;
    fit->valid_block.weights = fit->weights != NULL ? fit->valid_weights : valid->weights;
    fit->splits.valid = &fit->valid_block;
  }
}

entropic_status ent_fit_prepare(entropic_context *context, const entropic_dataset *train, const entropic_dataset *valid,
                                const ent_fit_options *options, ent_fit *fit) {
  *fit = (ent_fit){.train = train, .valid = valid, .options = options};
  double start = ent_seconds();
  entropic_status status = ent_fit_check_options(context, train, valid, options);
  if (status != ENTROPIC_OK)
    return status;
  fit->inputs = train->schema.inputs;
  fit->residual = ent_fit_selects(train, valid, options);
  fit->scores =
      ent_schema_has_classes(&train->schema) ? ent_class_scores(train->schema.classes) : train->schema.targets;
  status = ent_fit_prepare_rows(context, fit);
  if (status != ENTROPIC_OK)
    goto fail;
  if (options->class_weight == ENTROPIC_CLASS_WEIGHT_BALANCED)
    status = ent_fit_balance_classes(context, fit);
  if (status != ENTROPIC_OK)
    goto fail;
  status = ent_fit_prepare_axes(context, fit);
  if (status != ENTROPIC_OK)
    goto fail;
  status = ent_fit_deal(context, fit);
  if (status != ENTROPIC_OK)
    goto fail;
  fit->can_validate = valid != NULL || ent_fit_can_split(fit, fit->folds);
  bool asked = options->select == ENTROPIC_SELECT_RESIDUAL || options->target_scale == ENTROPIC_TARGET_SCALE_ROOT;
  if (asked && !fit->can_validate) {
    status =
        ent_fail(context, ENTROPIC_BAD_DATA, "all rows are of one %s, so none can be held out to select features by",
                 train->time != NULL ? "time" : "group");
    goto fail;
  }
  ent_fit_prepare_grid(fit);
  prepare_splits(fit);
  fit->splits.deadline = options->seconds > 0 ? start + options->seconds : 0;
  return ENTROPIC_OK;
fail:
  ent_fit_clear(fit);
  return status;
}

void ent_fit_clear(ent_fit *fit) {
  ent_fit_narrow(fit);
  ent_fit_clear_inputs(fit);
  ent_delete(fit->sample);
  ent_delete(fit->own_y);
  ent_delete(fit->own_valid_y);
  ent_delete(fit->weights);
  ent_delete(fit->valid_weights);
  ent_delete(fit->class_weight);
  ent_delete(fit->scale);
  ent_delete(fit->unit);
  ent_delete(fit->fold_of);
  *fit = (ent_fit){0};
}

size_t ent_fit_parts(const ent_fit *fit, size_t features) {
  double values = (double)fit->train->rows * (double)features * (double)fit->scores;
  return fit->valid != NULL || values > REFIT_VALUES ? 1 : fit->folds;
}

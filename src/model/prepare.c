/* What a fit starts from: options checked, rows scaled, targets as numbers, folds, and the grid to search. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "tune/folds.h"
#include "tune/recipe.h"
#include "model/fit.h"

#define KEPT_VALUES 4194304.0 /* scaled values of one view: a table of more is not kept scaled */
#define MOST_FOLDS ((size_t)100)
#define PLAIN_EXPONENT 100      /* of targets: their squares, and sums of these, are far from the ends of the range */
#define LEAST_ROWS ((size_t)10) /* to select features by */
#define LINEAR_MOST ((size_t)3000) /* features of the linear form, or rows if they are fewer */
#define REFIT_VALUES 4e6           /* rows x features x scores up to which every fold is worth a refit */

static const double omega_grid[] = {0.1, 0.3, 1, 3, 10};
static const size_t size_grid[] = {50, 100, 200, 350, 600, 1000, 1400, 2000};
/* Powers of the root of 10, from 1 down to 1e-9. */
static const double lambda_grid[] = {1,      0.31622776601683794,    0.1,   0.03162277660168379,
                                     0.01,   0.0031622776601683794,  0.001, 0.00031622776601683794,
                                     0.0001, 3.1622776601683795e-05, 1e-05, 3.1622776601683795e-06,
                                     1e-06,  3.1622776601683795e-07, 1e-07, 3.1622776601683795e-08,
                                     1e-08,  3.1622776601683795e-09, 1e-09};

/* Where nothing can be tried. */
static const double plain_omega[] = {1}, plain_lambda[] = {0.001};
static const size_t plain_size[] = {200};

static const double no_omega[] = {0};

#define COUNT(list) (sizeof(list) / sizeof *(list))

entropic_fit_options entropic_fit_options_default(void) {
  entropic_design_options design = entropic_design_options_default();
  entropic_axis_options axis = entropic_axis_options_default();
  axis.smooth = ENTROPIC_SMOOTH_AUTO;
  return (entropic_fit_options){.axis = axis,
                                .scaling = ENTROPIC_SCALE_AUTO,
                                .lambda = ENTROPIC_LAMBDA_AUTO,
                                .choice = design.choice,
                                .criterion = design.criterion,
                                .seed = 1,
                                .folds = 5};
}

static entropic_status check_numbers(entropic_context *context, const entropic_fit_options *o, size_t inputs) {
  bool special = o->lambda == ENTROPIC_LAMBDA_AUTO || o->lambda == ENTROPIC_LAMBDA_THEORY;
  if (!special && !(o->lambda >= 0 && isfinite(o->lambda)))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "lambda is %g, expected a finite number, not negative", o->lambda);
  if (o->folds < 2 || o->folds > MOST_FOLDS)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "folds is %zu, expected 2 to %zu", o->folds, MOST_FOLDS);
  if (o->features != 0 && o->nonzeros != 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "features and nonzeros are both set, expected one of them");
  if (o->omega_count > 1 && o->omega_count != inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "there are %zu omegas, expected 1 or one for each of the %zu inputs", o->omega_count, inputs);
  if (o->omega_count > 0 && o->omegas == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "omegas is NULL");
  if (entropic_family_has(o->axis.family, ENTROPIC_TRAIT_CATEGORIES))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "axis.family is %s, expected a kernel of numbers",
                    entropic_family_name(o->axis.family));
  return ENTROPIC_OK;
}

/* Whether features can be chosen from the data, with what else is asked for. */
static bool takes_residual(const entropic_fit_options *o) {
  bool constant = entropic_family_has(o->axis.family, ENTROPIC_TRAIT_CONSTANT);
  bool direct = o->solver == ENTROPIC_SOLVER_AUTO || o->solver == ENTROPIC_SOLVER_DIRECT;
  return constant && direct && o->axis.basis == ENTROPIC_FULL && !o->axis.unit_height && o->choice == ENTROPIC_BEST &&
         o->criterion == ENTROPIC_L2 && o->nonzeros == 0;
}

static entropic_status check_select(entropic_context *context, const entropic_dataset *train,
                                    const entropic_dataset *valid, const entropic_fit_options *o) {
  if (entropic_select_name(o->select) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "select is %d, expected one of entropic_select", (int)o->select);
  if (!(o->seconds >= 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "seconds is %g, expected 0 or more", o->seconds);
  if (entropic_target_scale_name(o->target_scale) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "target_scale is %d, expected one of entropic_target_scale",
                    (int)o->target_scale);
  bool root = o->target_scale == ENTROPIC_TARGET_ROOT;
  if (root && (train->schema.targets != 1 || train->schema.task == ENTROPIC_CLASSIFICATION))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the target scale root is for a single number, there are %s",
                    train->schema.task == ENTROPIC_CLASSIFICATION ? "classes" : "several targets");
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

static entropic_status check_options(entropic_context *context, const entropic_dataset *train,
                                     const entropic_dataset *valid, const entropic_fit_options *o) {
  bool classes = train->schema.task == ENTROPIC_CLASSIFICATION;
  if (entropic_loss_name(o->loss) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "loss is %d, expected one of entropic_loss", (int)o->loss);
  if (entropic_solver_name(o->solver) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "solver is %d, expected one of entropic_solver", (int)o->solver);
  bool of_classes = o->loss == ENTROPIC_LOGISTIC || o->loss == ENTROPIC_HINGE;
  if (of_classes && !classes)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the %s loss is for classes, the target is a number",
                    entropic_loss_name(o->loss));
  if (entropic_class_weight_name(o->class_weight) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "class_weight is %d, expected one of entropic_class_weight",
                    (int)o->class_weight);
  if (o->class_weight == ENTROPIC_CLASS_WEIGHT_BALANCED && !classes)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "balanced weights are for classes, the target is a number");
  if (o->solver == ENTROPIC_SOLVER_EXACT && of_classes)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the exact solver is for the squared loss only");
  if (o->solver == ENTROPIC_SOLVER_EXACT && (o->features != 0 || o->nonzeros != 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the exact solver has no features to count");
  if (o->solver == ENTROPIC_SOLVER_EXACT && o->axis.smooth > 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the exact solver takes the kernel without smooth atoms");
  if (valid != NULL &&
      (valid->schema.inputs != train->schema.inputs || valid->schema.task != train->schema.task ||
       valid->schema.targets != train->schema.targets || valid->schema.classes != train->schema.classes))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "valid does not have the inputs and targets of train");
  entropic_status status = check_select(context, train, valid, o);
  return status != ENTROPIC_OK ? status : check_numbers(context, o, train->schema.inputs);
}

/* Units in which no target is above 1: even powers of 2, whose roots are powers too. Targets that are neither large nor
 * small are left as they are. */
static void set_units(const entropic_dataset *data, int *unit) {
  for (size_t k = 0; k < data->schema.targets && data->schema.classes == 0; k++) {
    double most = 0;
    for (size_t r = 0; r < data->rows; r++)
      most = fmax(most, fabs(data->y[r * data->schema.targets + k]));
    frexp(most, &unit[k]);
    unit[k] += unit[k] % 2 != 0;
    if (abs(unit[k]) <= PLAIN_EXPONENT)
      unit[k] = 0;
  }
}

/* Whether targets are learnt as the data set has them. */
static bool has_plain_targets(const entropic_dataset *data, const int *unit) {
  bool plain = data->schema.classes == 0;
  for (size_t k = 0; k < data->schema.targets && plain; k++)
    plain = unit[k] == 0;
  return plain;
}

/* Targets in their units, those of the data set or *own; classes as -1 and 1. */
static entropic_status set_targets(entropic_context *context, const ent_fit *fit, const entropic_dataset *data,
                                   double **own, const double **targets) {
  size_t scores = fit->scores;
  const int *unit = fit->unit;
  *targets = data->y;
  if (has_plain_targets(data, unit))
    return ENTROPIC_OK;
  double *y = ent_new_matrix(context, data->rows, scores, sizeof *y);
  if (y == NULL)
    return ENTROPIC_NO_MEMORY;
  *targets = *own = y;
  for (size_t r = 0; r < data->rows; r++)
    for (size_t k = 0; k < scores; k++) {
      if (data->schema.classes == 0)
        y[r * scores + k] = ldexp(data->y[r * data->schema.targets + k], -unit[k]);
      else
        y[r * scores + k] = (size_t)data->y[r] == (scores == 1 ? 1 : k) ? 1 : -1;
    }
  return ENTROPIC_OK;
}

static void set_scale(ent_fit *fit) {
  const entropic_dataset *d = fit->train;
  for (size_t k = 0; k < fit->scores; k++) {
    double mean = 0, square = 0, weight = 0;
    for (size_t r = 0; r < d->rows; r++) { /* Welford's update: no cancellation */
      double w = d->weights == NULL ? 1 : d->weights[r], off = fit->y[r * fit->scores + k] - mean;
      weight += w;
      mean += w / weight * off;
      square += w * off * (fit->y[r * fit->scores + k] - mean);
    }
    fit->scale[k] = d->schema.classes > 0 || !(square > 0) ? 1 : square / weight;
  }
}

/* The weights of rows times those of their classes, which are factors[classes]. */
static double *weigh_rows(entropic_context *context, const entropic_dataset *data, const double *factors) {
  double *weights = ent_new(context, data->rows, sizeof *weights);
  for (size_t r = 0; r < data->rows && weights != NULL; r++)
    weights[r] = (data->weights == NULL ? 1 : data->weights[r]) * factors[(size_t)data->y[r]];
  return weights;
}

/* Classes of few rows count more: in sum every class the same, and all rows together as much as before. */
static entropic_status balance_classes(entropic_context *context, ent_fit *fit) {
  const entropic_dataset *train = fit->train;
  size_t classes = train->schema.classes;
  double *factors = ent_new(context, classes, sizeof *factors);
  if (factors == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < train->rows; r++)
    factors[(size_t)train->y[r]]++;
  for (size_t k = 0; k < classes; k++) /* there may be none, where the classes are those of another data set */
    factors[k] = (double)train->rows / ((double)classes * fmax(factors[k], 1));
  fit->weights = weigh_rows(context, train, factors);
  fit->valid_weights = fit->valid == NULL ? NULL : weigh_rows(context, fit->valid, factors);
  ent_delete(factors);
  return fit->weights == NULL || (fit->valid != NULL && fit->valid_weights == NULL) ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* Whether missing values of an input are known as such: by an atom of their own. Other numbers become the middle. */
static bool keeps_missing(const ent_fit *fit, size_t input) {
  const ent_input *kind = &fit->train->schema.input[input];
  return kind->missing && (kind->categories > 0 || ent_takes_missing(&fit->options->axis));
}

static entropic_status learn_scaler(entropic_context *context, const ent_fit *fit, entropic_scaling scaling,
                                    entropic_scaler **scaler) {
  const entropic_dataset *train = fit->train;
  size_t inputs = fit->inputs;
  ent_scale_category *kinds = ent_new(context, inputs, sizeof *kinds);
  if (kinds == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < inputs; i++)
    kinds[i] = (ent_scale_category){train->schema.input[i].categories, keeps_missing(fit, i)};
  const ent_scale_rows from = {ent_dataset_inputs(train), train->rows, inputs, kinds};
  entropic_status status = ent_scaler_learn_rows(context, scaling, &from, scaler);
  ent_delete(kinds);
  return status;
}

/* From ranks to units: the second is tried against the first, the third if the second was better. */
static const entropic_scaling scaling_candidates[ENT_VIEWS] = {ENTROPIC_SCALE_QUANTILE, ENTROPIC_SCALE_BLEND,
                                                               ENTROPIC_SCALE_MINMAX};

/* The values are sorted once: the other candidates follow from the first. */
static entropic_status learn_scalers(entropic_context *context, ent_fit *fit) {
  const entropic_dataset *train = fit->train;
  entropic_scaling scaling = fit->options->scaling;
  const ent_scale_rows from = {ent_dataset_inputs(train), train->rows, fit->inputs, NULL};
  bool open = scaling == ENTROPIC_SCALE_AUTO;
  entropic_status status = learn_scaler(context, fit, open ? scaling_candidates[0] : scaling, &fit->scalers[0]);
  if (status != ENTROPIC_OK)
    return status;
  fit->view_count = 1;
  while (open && fit->residual && fit->view_count < ENT_VIEWS) {
    status = ent_scaler_derive_rows(context, fit->scalers[0], scaling_candidates[fit->view_count], &from,
                                    &fit->scalers[fit->view_count]);
    if (status != ENTROPIC_OK)
      return status;
    fit->view_count++;
  }
  return ENTROPIC_OK;
}

/* Scales all rows of a data set. */
static void scale_rows(const entropic_scaler *scaler, const entropic_dataset *data, double *scaled) {
  const ent_inputs from = ent_dataset_inputs(data);
  size_t inputs = data->schema.inputs;
  for (size_t first = 0; first < data->rows; first += ENT_CURSOR_ROWS) {
    size_t rows = data->rows - first < ENT_CURSOR_ROWS ? data->rows - first : ENT_CURSOR_ROWS;
    ent_inputs_read(&from, inputs, first, rows, scaled + first * inputs);
    ent_scaler_fill_own(scaler, scaled + first * inputs, rows);
  }
}

/* Scales the rows of a data set once and for all. */
static entropic_status keep_scaled(entropic_context *context, const entropic_scaler *scaler,
                                   const entropic_dataset *data, double **scaled, const double **x) {
  size_t inputs = data->schema.inputs;
  *scaled = ent_new_matrix(context, data->rows, inputs, sizeof **scaled);
  if (*scaled == NULL)
    return ENTROPIC_NO_MEMORY;
  scale_rows(scaler, data, *scaled);
  *x = *scaled;
  return ENTROPIC_OK;
}

/* Small tables are scaled once: selection reads the same rows many times. Large ones are scaled as they are read. */
static entropic_status prepare_views(entropic_context *context, ent_fit *fit) {
  const entropic_dataset *train = fit->train, *valid = fit->valid;
  bool small = (double)(train->rows + (valid == NULL ? 0 : valid->rows)) * (double)fit->inputs <= KEPT_VALUES;
  for (size_t v = 0; v < fit->view_count; v++) {
    ent_view *view = &fit->views[v];
    *view = (ent_view){.x = train->x,
                       .valid_x = valid == NULL ? NULL : valid->x,
                       .scaler = fit->scalers[v],
                       .columns = train->columns,
                       .valid_columns = valid == NULL ? NULL : valid->columns};
    if (!small)
      continue;
    entropic_status status = keep_scaled(context, fit->scalers[v], train, &fit->scaled[v][0], &view->x);
    if (status != ENTROPIC_OK)
      return status;
    if (valid != NULL)
      status = keep_scaled(context, fit->scalers[v], valid, &fit->scaled[v][1], &view->valid_x);
    if (status != ENTROPIC_OK)
      return status;
    view->scaler = NULL;
    view->columns = view->valid_columns = NULL;
  }
  return ENTROPIC_OK;
}

void ent_fit_use(ent_fit *fit, size_t view) {
  fit->scaler = fit->scalers[view];
  fit->trials.train.x = fit->views[view].x;
  fit->valid_block.x = fit->views[view].valid_x;
  fit->trials.train.scaler = fit->valid_block.scaler = fit->views[view].scaler;
  fit->trials.train.columns = fit->views[view].columns;
  fit->valid_block.columns = fit->views[view].valid_columns;
}

/* Rows and targets of both data sets. */
static entropic_status prepare_rows(entropic_context *context, ent_fit *fit) {
  const entropic_dataset *train = fit->train, *valid = fit->valid;
  entropic_status status = learn_scalers(context, fit);
  if (status != ENTROPIC_OK)
    return status;
  status = prepare_views(context, fit);
  if (status != ENTROPIC_OK)
    return status;
  ent_fit_use(fit, 0);
  fit->scale = ent_new(context, fit->scores, sizeof *fit->scale);
  fit->unit = ent_new(context, fit->scores, sizeof *fit->unit);
  if (fit->scale == NULL || fit->unit == NULL)
    return ENTROPIC_NO_MEMORY;
  set_units(train, fit->unit);
  status = set_targets(context, fit, train, &fit->own_y, &fit->y);
  if (status != ENTROPIC_OK)
    return status;
  set_scale(fit);
  return valid == NULL ? ENTROPIC_OK : set_targets(context, fit, valid, &fit->own_valid_y, &fit->valid_y);
}

/* Fewer levels for inputs of few values where features are selected. */
static void trim_levels(const ent_fit *fit, size_t input, entropic_axis_options *axis) {
  if (axis->smooth == ENTROPIC_SMOOTH_AUTO)
    axis->smooth = fit->residual && entropic_family_has(axis->family, ENTROPIC_TRAIT_SMOOTH) ? ENT_SELECT_SMOOTH : 0;
  if (fit->residual)
    ent_select_trim(axis, ent_scaler_distinct(fit->scaler, input));
}

static entropic_status prepare_axes(entropic_context *context, ent_fit *fit) {
  const entropic_fit_options *o = fit->options;
  fit->axes = ent_new(context, fit->inputs, sizeof *fit->axes);
  if (fit->axes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < fit->inputs; i++) {
    const ent_input *input = &fit->train->schema.input[i];
    fit->axes[i] = o->axis;
    fit->axes[i].categories = 0;
    fit->axes[i].missing = keeps_missing(fit, i);
    trim_levels(fit, i, &fit->axes[i]);
    if (input->categories > 0) {
      fit->axes[i] = entropic_axis_options_default();
      fit->axes[i].family = ENTROPIC_CATEGORY;
      fit->axes[i].categories = ent_input_atoms(input);
    }
    fit->axes[i].omega = o->omega_count == 0 ? 1 : o->omegas[o->omega_count == 1 ? 0 : i];
  }
  fit->features = (ent_features){.axes = fit->axes, .inputs = fit->inputs};
  entropic_design_options *design = &fit->features.design;
  *design = entropic_design_options_default();
  design->choice = o->choice;
  design->criterion = o->criterion;
  design->nonzeros = o->nonzeros;
  design->max_order = o->max_order;
  design->seed = o->seed;
  if (o->criterion == ENTROPIC_DATA) {
    fit->sample = ent_new_matrix(context, fit->train->rows, fit->inputs, sizeof *fit->sample);
    if (fit->sample == NULL)
      return ENTROPIC_NO_MEMORY;
    scale_rows(fit->scaler, fit->train, fit->sample);
    design->sample = fit->sample;
    design->sample_rows = fit->train->rows;
  }
  return ENTROPIC_OK;
}

entropic_status ent_fit_deal(entropic_context *context, ent_fit *fit) {
  const entropic_dataset *d = fit->train;
  ent_delete(fit->fold_of);
  fit->trials.fold_of = fit->fold_of = ent_new(context, d->rows, sizeof *fit->fold_of);
  if (fit->fold_of == NULL)
    return ENTROPIC_NO_MEMORY;
  fit->folds = fit->options->folds;
  ent_fold_options split = {.rows = d->rows,
                            .labels = d->schema.classes > 0 ? d->y : NULL,
                            .classes = d->schema.classes,
                            .groups = d->groups,
                            .time = d->time};
  entropic_status status = ent_folds_deal(context, &split, fit->options->seed, fit->fold_of, &fit->folds);
  fit->trials.folds = fit->folds;
  return status;
}

void ent_fit_prepare_grid(ent_fit *fit) {
  const entropic_fit_options *o = fit->options;
  ent_grid *grid = &fit->grid;
  double rows = (double)fit->train->rows;
  bool all = fit->can_validate, categories = false;
  for (size_t i = 0; i < fit->inputs; i++)
    categories |= fit->train->schema.input[i].categories > 0;
  bool without = !entropic_family_has(o->axis.family, ENTROPIC_TRAIT_OMEGA);
  if (o->omega_count > 0 || (without && !categories))
    *grid = (ent_grid){.omegas = no_omega, .omega_count = 1};
  else
    *grid = (ent_grid){.omegas = all ? omega_grid : plain_omega, .omega_count = all ? COUNT(omega_grid) : 1};
  fit->size = o->features == ENTROPIC_FEATURES_THEORY ? (size_t)ceil(pow(rows, 0.25)) : o->features;
  grid->sizes = &fit->size;
  grid->size_count = 1;
  if (o->features == 0 && o->nonzeros == 0) {
    grid->sizes = all ? size_grid : plain_size;
    while (all && grid->size_count < COUNT(size_grid) && size_grid[grid->size_count] <= 2 * fit->train->rows)
      grid->size_count++;
  }
  fit->lambda = o->lambda == ENTROPIC_LAMBDA_THEORY ? 1 / sqrt(rows) : o->lambda;
  grid->lambdas = &fit->lambda;
  grid->lambda_count = 1;
  if (o->lambda == ENTROPIC_LAMBDA_AUTO) {
    grid->lambdas = all ? lambda_grid : plain_lambda;
    grid->lambda_count = all ? COUNT(lambda_grid) : 1;
  }
}

static void prepare_trials(ent_fit *fit) {
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
  fit->trials = (ent_trials){.train = rows,
                             .inputs = fit->inputs,
                             .targets = fit->scores,
                             .fold_of = fit->fold_of,
                             .folds = fit->folds,
                             .forward = train->time != NULL,
                             .scale = fit->scale,
                             .seed = fit->options->seed,
                             .progress = fit->options->progress,
                             .user = fit->options->user};
  if (valid != NULL) {
    fit->valid_block = rows;
    fit->valid_block.rows = valid->rows;
    fit->valid_block.x = fit->views[0].valid_x;
    fit->valid_block.columns = fit->views[0].valid_columns;
    fit->valid_block.y = fit->valid_y;
    fit->valid_block.weights = fit->weights != NULL ? fit->valid_weights : valid->weights;
    fit->trials.valid = &fit->valid_block;
  }
}

entropic_status ent_fit_prepare(entropic_context *context, const entropic_dataset *train, const entropic_dataset *valid,
                                const entropic_fit_options *options, ent_fit *fit) {
  *fit = (ent_fit){.train = train, .valid = valid, .options = options};
  double start = ent_seconds();
  entropic_status status = check_options(context, train, valid, options);
  if (status != ENTROPIC_OK)
    return status;
  fit->inputs = train->schema.inputs;
  fit->residual = takes_residual(options) && options->select != ENTROPIC_SELECT_ENTROPY &&
                  (valid != NULL || train->rows >= LEAST_ROWS);
  fit->scores = train->schema.classes > 0 ? ent_class_scores(train->schema.classes) : train->schema.targets;
  status = prepare_rows(context, fit);
  if (status != ENTROPIC_OK)
    goto fail;
  if (options->class_weight == ENTROPIC_CLASS_WEIGHT_BALANCED)
    status = balance_classes(context, fit);
  if (status != ENTROPIC_OK)
    goto fail;
  status = prepare_axes(context, fit);
  if (status != ENTROPIC_OK)
    goto fail;
  status = ent_fit_deal(context, fit);
  if (status != ENTROPIC_OK)
    goto fail;
  fit->can_validate = valid != NULL || ent_fit_can_split(fit, fit->folds);
  bool asked = options->select == ENTROPIC_SELECT_RESIDUAL || options->target_scale == ENTROPIC_TARGET_ROOT;
  if (asked && !fit->can_validate) {
    status = ent_fail(context, ENTROPIC_BAD_DATA,
                      "all rows are of one %s, so that none can be held out; expected some to select features by",
                      train->time != NULL ? "time" : "group");
    goto fail;
  }
  ent_fit_prepare_grid(fit);
  prepare_trials(fit);
  fit->trials.deadline = options->seconds > 0 ? start + options->seconds : 0;
  return ENTROPIC_OK;
fail:
  ent_fit_clear(fit);
  return status;
}

entropic_status ent_linear_start(entropic_context *context, const ent_fit *from, ent_linear_fit *linear,
                                 bool *possible) {
  *linear = (ent_linear_fit){.fit = *from, .options = *from->options};
  *possible = false;
  ent_fit *fit = &linear->fit;
  linear->axes = ent_new(context, fit->inputs, sizeof *linear->axes);
  if (linear->axes == NULL)
    return ENTROPIC_NO_MEMORY;
  fit->size = ent_linear_axes(from, linear->axes);
  size_t smaller = fit->size < fit->train->rows ? fit->size : fit->train->rows;
  *possible = smaller <= LINEAR_MOST;
  linear->options.select = ENTROPIC_SELECT_ENTROPY;
  linear->options.solver = ENTROPIC_SOLVER_AUTO;
  linear->options.target_scale = ENTROPIC_TARGET_PLAIN;
  fit->options = &linear->options;
  fit->residual = false;
  fit->axes = linear->axes;
  fit->features =
      (ent_features){.axes = linear->axes, .inputs = fit->inputs, .design = entropic_design_options_default()};
  fit->features.design.max_order = 1;
  fit->grid = (ent_grid){.omegas = no_omega,
                         .omega_count = 1,
                         .sizes = &fit->size,
                         .size_count = 1,
                         .lambdas = lambda_grid,
                         .lambda_count = COUNT(lambda_grid)};
  fit->trials.valid = from->trials.valid == NULL ? NULL : &fit->valid_block;
  fit->trials.progress = NULL;
  ent_fit_use(fit, fit->view_count > 1 ? 1 : 0); /* ranks and units together, where that is open */
  return ENTROPIC_OK;
}

void ent_linear_clear(ent_linear_fit *linear) {
  ent_delete(linear->axes);
  *linear = (ent_linear_fit){0};
}

void ent_fit_clear(ent_fit *fit) {
  for (size_t v = 0; v < ENT_VIEWS; v++) {
    entropic_scaler_free(fit->scalers[v]);
    ent_delete(fit->scaled[v][0]);
    ent_delete(fit->scaled[v][1]);
  }
  ent_delete(fit->sample);
  ent_delete(fit->own_y);
  ent_delete(fit->own_valid_y);
  ent_delete(fit->weights);
  ent_delete(fit->valid_weights);
  ent_delete(fit->scale);
  ent_delete(fit->unit);
  ent_delete(fit->axes);
  ent_delete(fit->fold_of);
  *fit = (ent_fit){0};
}

size_t ent_fit_parts(const ent_fit *fit, size_t features) {
  double values = (double)fit->train->rows * (double)features * (double)fit->scores;
  return fit->valid != NULL || values > REFIT_VALUES ? 1 : fit->folds;
}

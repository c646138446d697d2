/* Rows of a fit: scaled inputs, targets as numbers, weights of classes. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/residency.h"
#include "base/threads.h"
#include "fit/prepare.h"

#define KEPT_VALUES 4194304.0 /* scaled values of one view: a table of more is not kept scaled */
#define KEPT_SHARE 0.25       /* of the bound on memory, if there is one: what all views may take */
#define PLAIN_EXPONENT 100    /* of targets: their squares, and sums of these, are far from the ends of the range */

/* Units in which no target is above 1: even powers of 2, whose roots are powers too. Targets that are neither large nor
 * small are left as they are. */
static void set_units(const entropic_dataset *data, int *unit) {
  for (size_t k = 0; k < data->schema.targets && !ent_schema_has_classes(&data->schema); k++) {
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
  bool plain = !ent_schema_has_classes(&data->schema);
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
      if (!ent_schema_has_classes(&data->schema))
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
    fit->scale[k] = ent_schema_has_classes(&d->schema) || !(square > 0) ? 1 : square / weight;
  }
}

/* The weights of rows times those of their classes, which are factors[classes]. */
static double *weigh_rows(entropic_context *context, const entropic_dataset *data, const double *factors) {
  double *weights = ent_new(context, data->rows, sizeof *weights);
  for (size_t r = 0; r < data->rows && weights != NULL; r++)
    weights[r] = (data->weights == NULL ? 1 : data->weights[r]) * factors[(size_t)data->y[r]];
  return weights;
}

entropic_status ent_fit_balance_classes(entropic_context *context, ent_fit *fit) {
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
  fit->class_weight = factors;
  return fit->weights == NULL || (fit->valid != NULL && fit->valid_weights == NULL) ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

bool ent_fit_keeps_missing(const ent_fit *fit, size_t input) {
  const ent_input *kind = &fit->train->schema.input[input];
  return kind->missing &&
         (kind->categories > 0 || ent_part_is_made(kind->part) || ent_takes_missing(&fit->options->axis));
}

static entropic_status learn_scaler(entropic_context *context, const ent_fit *fit, entropic_scaling scaling,
                                    entropic_scaler **scaler) {
  const entropic_dataset *train = fit->train;
  size_t inputs = fit->inputs;
  ent_scale_category *kinds = ent_new(context, inputs, sizeof *kinds);
  if (kinds == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < inputs; i++) {
    const ent_input *input = &train->schema.input[i];
    kinds[i] = (ent_scale_category){.categories = input->categories, .missing = ent_fit_keeps_missing(fit, i)};
    kinds[i].fixed = ent_part_ends(input->part, kinds[i].ends);
  }
  const ent_scale_rows from = {ent_dataset_inputs(train),    train->rows, inputs, kinds, train->weights,
                               fit->options->keep_statistics};
  entropic_status status = ent_scaler_learn_rows(context, scaling, &from, scaler);
  ent_delete(kinds);
  return status;
}

/* From ranks to units: the second is compared with the first, and the third with the second if that was better. */
static const entropic_scaling scaling_candidates[ENT_VIEWS] = {ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_BLEND,
                                                               ENTROPIC_SCALING_MINMAX};

/* The values are sorted once: the other candidates follow from the first. */
static entropic_status learn_scalers(entropic_context *context, ent_fit *fit) {
  const entropic_dataset *train = fit->train;
  entropic_scaling scaling = fit->options->scaling;
  const ent_scale_rows from = {ent_dataset_inputs(train),    train->rows, fit->inputs, NULL, NULL,
                               fit->options->keep_statistics};
  bool open = scaling == ENTROPIC_SCALING_AUTO;
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
  fit->plain = fit->view_count;
  for (size_t v = 0; v < fit->view_count; v++)
    if (fit->scalers[v]->scaling == ENTROPIC_SCALING_MINMAX)
      fit->plain = v;
  if (fit->plain < fit->view_count)
    return ENTROPIC_OK;
  return learn_scaler(context, fit, ENTROPIC_SCALING_MINMAX, &fit->scalers[fit->plain]);
}

/* Rows of a data set that are scaled. */
typedef struct ent_scaling_rows {
  const entropic_scaler *scaler;
  const entropic_dataset *data;
  double *scaled;
} ent_scaling_rows;

static entropic_status scale_some(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_scaling_rows *job = shared;
  const ent_inputs from = ent_dataset_inputs(job->data);
  size_t inputs = job->data->schema.inputs, first = task * ENT_CURSOR_ROWS, left = job->data->rows - first;
  size_t rows = left < ENT_CURSOR_ROWS ? left : ENT_CURSOR_ROWS;
  (void)context;
  (void)worker;
  ent_inputs_read(&from, inputs, first, rows, job->scaled + first * inputs);
  ent_scaler_fill_own(job->scaler, job->scaled + first * inputs, rows);
  return ENTROPIC_OK;
}

entropic_status ent_fit_scale_rows(entropic_context *context, const entropic_scaler *scaler,
                                   const entropic_dataset *data, double *scaled) {
  ent_scaling_rows job = {scaler, data, scaled};
  return ent_parallel(context, (data->rows + ENT_CURSOR_ROWS - 1) / ENT_CURSOR_ROWS, scale_some, &job);
}

/* Scales the rows of a data set once and for all. */
static entropic_status keep_scaled(entropic_context *context, const entropic_scaler *scaler,
                                   const entropic_dataset *data, double **scaled, const double **x) {
  size_t inputs = data->schema.inputs;
  *scaled = ent_new_matrix(context, data->rows, inputs, sizeof **scaled);
  if (*scaled == NULL)
    return ENTROPIC_NO_MEMORY;
  *x = *scaled;
  return ent_fit_scale_rows(context, scaler, data, *scaled);
}

/* Small tables are scaled once: selection reads the same rows many times. Large ones are scaled as they are read, and so are
 * all for a view that only the linear form has. */
static entropic_status prepare_views(entropic_context *context, ent_fit *fit) {
  const entropic_dataset *train = fit->train, *valid = fit->valid;
  double values = (double)(train->rows + (valid == NULL ? 0 : valid->rows)) * (double)fit->inputs;
  double bytes = values * sizeof(double) * (double)fit->view_count;
  bool small = values <= KEPT_VALUES && bytes <= KEPT_SHARE * (double)ent_residency_bound();
  for (size_t v = 0; v < ENT_VIEWS; v++) {
    ent_view *view = &fit->views[v];
    *view = (ent_view){.x = train->x,
                       .valid_x = valid == NULL ? NULL : valid->x,
                       .scaler = fit->scalers[v],
                       .columns = train->columns,
                       .valid_columns = valid == NULL ? NULL : valid->columns};
    if (!small || v >= fit->view_count)
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
  if (fit->scalers[view] != NULL) /* otherwise a model has taken it over, and it is the one in use */
    fit->scaler = fit->scalers[view];
  fit->splits.train.x = fit->views[view].x;
  fit->valid_block.x = fit->views[view].valid_x;
  fit->splits.train.scaler = fit->valid_block.scaler = fit->views[view].scaler;
  fit->splits.train.columns = fit->views[view].columns;
  fit->valid_block.columns = fit->views[view].valid_columns;
}

entropic_status ent_fit_prepare_inputs(entropic_context *context, ent_fit *fit) {
  entropic_status status = learn_scalers(context, fit);
  return status != ENTROPIC_OK ? status : prepare_views(context, fit);
}

void ent_fit_clear_inputs(ent_fit *fit) {
  for (size_t v = 0; v < ENT_VIEWS; v++) {
    entropic_scaler_free(fit->scalers[v]);
    ent_delete(fit->scaled[v][0]);
    ent_delete(fit->scaled[v][1]);
  }
  ent_delete(fit->axes);
}

entropic_status ent_fit_prepare_rows(entropic_context *context, ent_fit *fit) {
  const entropic_dataset *train = fit->train, *valid = fit->valid;
  entropic_status status = ent_fit_prepare_inputs(context, fit);
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

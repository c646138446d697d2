/* The linear form of a model: see linear.h. */
#include "fit/linear.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define LINEAR_MOST ((size_t)3000)  /* features, or rows if they are fewer */
#define SPREAD_ROWS ((size_t)20000) /* about so many rows say how much an input varies */
#define LEAST_VARIANCE 1e-6         /* of a scaled input, as far as lambda follows it */
#define INDICATOR 4                 /* for 1 / variance of two values: that of both equally often */
#define MOST_OMEGA 2                /* with less than 4 the constant stays the first level of an axis */
#define OMEGA_BITS 6                /* that an omega keeps: it need not be exact */

/* Powers of the root of 10, from 100 down to 1e-9. */
static const double lambda_grid[ENT_LINEAR_LAMBDAS] = {
    100,    31.622776601683793,     10,    3.1622776601683795,     1,     0.31622776601683794,
    0.1,    0.03162277660168379,    0.01,  0.0031622776601683794,  0.001, 0.00031622776601683794,
    0.0001, 3.1622776601683795e-05, 1e-05, 3.1622776601683795e-06, 1e-06, 3.1622776601683795e-07,
    1e-07,  3.1622776601683795e-08, 1e-08, 3.1622776601683795e-09, 1e-09};
static const double no_omega[] = {0};

/* Sums of one input: Welford's update. */
typedef struct ent_linear_spread {
  double count, mean, squares;
} ent_linear_spread;

static void add_value(ent_linear_spread *spread, double value) {
  if (isnan(value))
    return;
  double off = value - spread->mean;
  spread->mean += off / ++spread->count;
  spread->squares += off * (value - spread->mean);
}

/* 1 / the variance of an input, to few bits; indicators have one that does not depend on how rare they are. */
static double precision_of(const ent_linear_spread *spread, bool indicator) {
  int exponent;
  double variance = spread->count > 0 ? spread->squares / spread->count : 0;
  if (indicator || !(variance > 0))
    return INDICATOR;
  double mantissa = frexp(1 / fmax(variance, LEAST_VARIANCE), &exponent);
  return ldexp(floor(ldexp(mantissa, OMEGA_BITS) + 0.5), exponent - OMEGA_BITS);
}

/* Omegas in proportion to these, so that lines vary as much as one another, and lambdas in proportion to omegas. */
static void set_omegas(const ent_fit *fit, const ent_linear_spread *spreads, ent_linear_fit *linear) {
  double most = INDICATOR, unit = 1;
  for (size_t i = 0; i < fit->inputs; i++) {
    entropic_axis_options *axis = &linear->axes[i];
    bool indicator = axis->family != ENTROPIC_FAMILY_CENTRED || ent_scaler_distinct(linear->fit.scaler, i) == 2;
    axis->omega = precision_of(&spreads[i], indicator);
    most = fmax(most, axis->omega);
  }
  while (most * unit > MOST_OMEGA)
    unit /= 2;
  for (size_t i = 0; i < fit->inputs; i++)
    linear->axes[i].omega *= unit;
  for (size_t i = 0; i < ENT_LINEAR_LAMBDAS; i++)
    linear->lambdas[i] = lambda_grid[i] * unit;
}

/* How much the inputs vary under the scaling of the linear fit. */
static entropic_status weigh_inputs(entropic_context *context, const ent_fit *fit, ent_linear_fit *linear) {
  const ent_inputs from = ent_dataset_inputs(fit->train);
  size_t inputs = fit->inputs, rows = fit->train->rows, step = (rows - 1) / SPREAD_ROWS + 1;
  ent_linear_spread *spreads = ent_new(context, inputs, sizeof *spreads);
  double *row = ent_new(context, inputs, sizeof *row);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (spreads == NULL || row == NULL)
    goto done;
  for (size_t r = 0; r < rows; r += step) {
    ent_inputs_gather(&from, inputs, &r, 1, row);
    ent_scaler_fill_own(linear->fit.scaler, row, 1);
    for (size_t i = 0; i < inputs; i++)
      add_value(&spreads[i], row[i]);
  }
  set_omegas(fit, spreads, linear);
  status = ENTROPIC_OK;
done:
  ent_delete(spreads);
  ent_delete(row);
  return status;
}

/* Axes with nothing but lines, the waves of what comes round, and the categories; how many features that makes of the inputs
 * that may be used. */
static size_t set_axes(const ent_fit *fit, entropic_axis_options *axes) {
  size_t features = 1;
  for (size_t i = 0; i < fit->inputs; i++) {
    size_t times = ent_restriction_has(fit->features.restriction, i) ? 1 : 0;
    axes[i] = fit->axes[i];
    if (entropic_family_has(axes[i].family, ENTROPIC_TRAIT_CATEGORIES)) {
      features += times * axes[i].categories;
      continue;
    }
    bool periodic = entropic_family_has(axes[i].family, ENTROPIC_TRAIT_PERIODIC);
    axes[i] = ent_axis_options_default();
    axes[i].family = periodic ? ENTROPIC_FAMILY_PERIODIC : ENTROPIC_FAMILY_CENTRED;
    axes[i].smooth = periodic ? 3 : 0; /* a sine and a cosine */
    axes[i].max_level = 0;
    axes[i].missing = fit->axes[i].missing;
    features += times * ((axes[i].missing ? 1u : 0u) + (periodic ? 2u : 1u));
  }
  return features;
}

entropic_status ent_linear_start(entropic_context *context, const ent_fit *from, ent_linear_kind kind,
                                 ent_linear_fit *linear, bool *possible) {
  *linear = (ent_linear_fit){.fit = *from, .options = *from->options};
  *possible = false;
  ent_fit *fit = &linear->fit;
  linear->axes = ent_new(context, fit->inputs, sizeof *linear->axes);
  if (linear->axes == NULL)
    return ENTROPIC_NO_MEMORY;
  fit->size = set_axes(from, linear->axes);
  size_t smaller = fit->size < fit->train->rows ? fit->size : fit->train->rows;
  *possible = smaller <= LINEAR_MOST;
  linear->options.select = ENTROPIC_SELECT_ENTROPY;
  linear->options.solver = ENTROPIC_SOLVER_AUTO;
  linear->options.target_scale = ENTROPIC_TARGET_SCALE_PLAIN;
  fit->options = &linear->options;
  fit->residual = false;
  fit->axes = linear->axes;
  fit->features = (ent_features){.axes = linear->axes,
                                 .inputs = fit->inputs,
                                 .design = ent_design_options_default(),
                                 .restriction = from->features.restriction};
  fit->features.design.max_order = 1;
  fit->grid = (ent_grid){.omegas = no_omega,
                         .omega_count = 1,
                         .sizes = &fit->size,
                         .size_count = 1,
                         .lambdas = linear->lambdas,
                         .lambda_count = ENT_LINEAR_LAMBDAS};
  fit->splits.valid = from->splits.valid == NULL ? NULL : &fit->valid_block;
  ent_fit_use(fit, kind.view);
  if (kind.standardised)
    return weigh_inputs(context, from, linear);
  memcpy(linear->lambdas, lambda_grid, sizeof lambda_grid);
  return ENTROPIC_OK;
}

void ent_linear_clear(ent_linear_fit *linear) {
  ent_delete(linear->axes);
  *linear = (ent_linear_fit){0};
}

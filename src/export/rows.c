/* Rows to test an export with: values within the training range, missing, beyond it, categories that were not seen, drawn
 * from a fixed sequence; and what the model says of them. */
#include <math.h>

#include "base/memory.h"
#include "export/parts.h"
#include "model/outputs.h"

#define ROWS ((size_t)12)
#define MOST_NUMBERS ((size_t)20000) /* of all rows together, but for a few rows in any case */
#define FEW_ROWS ((size_t)4)
#define CLOSE 1e-3 /* probabilities of the two likeliest classes: rounding could choose the other */

/* What the first rows are made of. */
enum { ROW_MISSING = 1, ROW_BELOW = 2, ROW_ABOVE = 3 };

/* Between two knots, where they are far apart among some neighbours: rounding to float moves nothing there. */
static double inner_value(const ent_scale *scale, entropic_random *random) {
  size_t pieces = scale->knots - 1, best = (size_t)entropic_random_below(random, pieces);
  for (size_t i = best; i < best + 8 && i < pieces; i++)
    if (scale->at[i + 1] / 2 - scale->at[i] / 2 > scale->at[best + 1] / 2 - scale->at[best] / 2)
      best = i;
  return scale->at[best] / 2 + scale->at[best + 1] / 2;
}

static double number_value(const ent_scale *scale, size_t row, entropic_random *random) {
  double ends[2] = {0, 1}, draw = entropic_random_uniform(random);
  if (scale->knots > 0) {
    ends[0] = scale->at[0];
    ends[1] = scale->at[scale->knots - 1];
  }
  double beyond = ends[1] / 8 - ends[0] / 8 + 1;
  if (row == ROW_BELOW || row == ROW_ABOVE) {
    double value = row == ROW_BELOW ? ends[0] - beyond : ends[1] + beyond;
    return isfinite(value) ? value : ends[row == ROW_ABOVE];
  }
  return scale->knots > 1 ? inner_value(scale, random) : scale->knots == 1 ? ends[0] : draw;
}

static double value_of(const ent_scale *scale, size_t row, entropic_random *random) {
  bool missing = entropic_random_below(random, 8) == 0 && row > ROW_ABOVE;
  if (missing || row == ROW_MISSING)
    return NAN;
  if (scale->categories == 0)
    return number_value(scale, row, random);
  return row == ROW_ABOVE ? (double)scale->categories : (double)entropic_random_below(random, scale->categories);
}

/* Values of the inputs in use, and rows of all inputs for the model. */
static void draw_rows(const ent_export_parts *parts, bool single, double *used, double *all) {
  entropic_random random = entropic_random_start(1, 0);
  size_t count = parts->effects->used, inputs = parts->model->schema.inputs;
  for (size_t r = 0; r < parts->check.rows; r++)
    for (size_t i = 0; i < count; i++) {
      double value = value_of(ent_export_scale(parts, i), r, &random);
      used[r * count + i] = all[r * inputs + ent_export_input(parts, i)] = single ? (double)(float)value : value;
    }
}

/* Classes that are too close to call are left open. */
static void open_close_classes(const entropic_model *model, ent_export_rows *check) {
  size_t classes = model->schema.classes;
  for (size_t r = 0; r < check->rows; r++) {
    double best = 0, second = 0;
    for (size_t k = 0; k < classes; k++) {
      double chance = check->probabilities[r * classes + k];
      second = chance > best ? best : fmax(second, chance);
      best = fmax(best, chance);
    }
    if (!(best - second > CLOSE))
      check->predictions[r] = NAN;
  }
}

/* Levels of intervals, of which the last is the highest that there is. */
static double level_of(const entropic_model *model, size_t row) {
  const double levels[] = {0.9, 0.5, 0.8, ent_highest_level(model->intervals->rows)};
  return levels[row % (sizeof levels / sizeof *levels)];
}

/* The set of a row. Where rounding could decide, it is left open. */
static entropic_status answer_set(entropic_context *context, const ent_export_parts *parts, size_t row, const double *x,
                                  unsigned char *set) {
  const entropic_model *model = parts->model;
  const ent_export_rows *check = &parts->check;
  size_t classes = model->schema.classes;
  double level = check->levels[row], q = ent_quantile_at(model->intervals->target[0].quantiles, level);
  const ent_lift_rows own = {.x = x, .count = 1, .stride = model->schema.inputs};
  const ent_outputs out = {.level = level, .class_sets = set};
  entropic_status status = ent_model_outputs(context, model, &own, &out);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t k = 0; k < classes; k++) {
    double off = fabs(1 - check->probabilities[row * classes + k] - q);
    bool known = check->predictions[row] == (double)k || (!isnan(check->predictions[row]) && off > CLOSE);
    check->sets[row * classes + k] = known ? set[k] : NAN;
  }
  return ENTROPIC_OK;
}

/* Intervals or sets; predictions and probabilities are there. */
static entropic_status answer_intervals(entropic_context *context, const ent_export_parts *parts, const double *all) {
  const entropic_model *model = parts->model;
  const ent_export_rows *check = &parts->check;
  size_t inputs = model->schema.inputs, targets = model->schema.targets, classes = model->schema.classes;
  unsigned char *set = ent_new(context, classes, sizeof *set);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (set == NULL)
    goto done;
  for (size_t r = 0; r < check->rows; r++) {
    const double *x = all + r * inputs;
    double *lower = check->intervals + r * 2 * targets, level = check->levels[r] = level_of(model, r);
    const ent_lift_rows own = {.x = x, .count = 1, .stride = inputs};
    const ent_outputs out = {.level = level, .lower = lower, .upper = lower + targets};
    status = classes > 0 ? answer_set(context, parts, r, x, set) : ent_model_outputs(context, model, &own, &out);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(set);
  return status;
}

/* Adds the sizes of what a component of centres adds to the score of a row. */
static double measure_centres(const ent_sections *sections, const double *x, size_t score) {
  const ent_component *component = sections->component;
  double sum = 0;
  for (size_t j = 0; j < sections->centres; j++)
    sum += fabs(component->weights[score * sections->centres + j] *
                entropic_kernel_value(component->kernel, x, component->centres + j * component->kernel->inputs));
  return sum;
}

/* How large the parts of scores are. */
static entropic_status measure(entropic_context *context, ent_export_parts *parts, const double *scaled) {
  const ent_effects *e = parts->effects;
  const entropic_model *model = parts->model;
  double *values = ent_new_matrix(context, parts->slots, ENT_EFFECT_ROWS, sizeof *values);
  if (values == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_effects_values(e, scaled, parts->check.rows, ent_model_width(model), values);
  for (size_t r = 0; r < parts->check.rows; r++)
    for (size_t k = 0; k < model->scores; k++) {
      double sum = fabs(model->offsets[k]);
      for (size_t f = 0; f < parts->effects->features; f++) {
        double product = parts->effects->weights[k * parts->effects->features + f];
        for (size_t i = e->starts[f]; i < e->starts[f + 1]; i++)
          product *= values[ent_export_slot(parts, e->factors[i]) * ENT_EFFECT_ROWS + r] +
                     ent_effect_factor_mean(e, e->factors[i]);
        sum += fabs(product);
      }
      for (size_t c = 0; c < e->part_count; c++)
        if (e->parts[c].sections != NULL)
          sum +=
              measure_centres(e->parts[c].sections, scaled + r * ent_model_width(model) + c * model->schema.inputs, k);
      parts->check.magnitude = fmax(parts->check.magnitude, sum);
    }
  ent_delete(values);
  return ENTROPIC_OK;
}

static entropic_status answer(entropic_context *context, const ent_export_parts *parts, const double *all,
                              double *scaled) {
  const entropic_model *model = parts->model;
  const ent_export_rows *check = &parts->check;
  size_t rows = check->rows, inputs = model->schema.inputs, width = ent_model_width(model);
  entropic_status status = entropic_model_predict(context, model, all, rows, inputs, check->predictions);
  if (status != ENTROPIC_OK)
    return status;
  if (ent_schema_has_classes(&model->schema))
    status = entropic_model_probabilities(context, model, all, rows, inputs, check->probabilities);
  if (status != ENTROPIC_OK)
    return status;
  ent_model_scale(model, all, rows, inputs, scaled);
  status = ent_model_scores(context, model, scaled, rows, width, check->scores);
  if (status != ENTROPIC_OK || !parts->has_effects)
    return status;
  return ent_effects_rows(context, parts->effects, scaled, rows, width, check->effects);
}

entropic_status ent_export_rows_make(entropic_context *context, ent_export_parts *parts, bool single) {
  const entropic_model *model = parts->model;
  ent_export_rows *check = &parts->check;
  size_t used = parts->effects->used, inputs = model->schema.inputs, classes = model->schema.classes;
  size_t effects = parts->has_effects ? model->scores * (1 + used) : 0,
         ends = classes > 0 ? 0 : 2 * model->schema.targets,
         width = used + model->scores + 2 * classes + ends + effects;
  check->rows = width * ROWS > MOST_NUMBERS ? MOST_NUMBERS / width : ROWS;
  check->rows = check->rows < FEW_ROWS ? FEW_ROWS : check->rows;
  double *all = ent_new_matrix(context, check->rows, inputs, sizeof *all);
  double *scaled = ent_new_matrix(context, check->rows, ent_model_width(model), sizeof *scaled);
  check->x = ent_new_matrix(context, check->rows, used, sizeof *check->x);
  check->scores = ent_new_matrix(context, check->rows, model->scores, sizeof *check->scores);
  check->predictions = ent_new_matrix(context, check->rows, model->schema.targets, sizeof *check->predictions);
  check->probabilities = ent_new_matrix(context, check->rows, classes, sizeof *check->probabilities);
  check->effects = ent_new_matrix(context, check->rows, effects, sizeof *check->effects);
  check->levels = ent_new(context, check->rows, sizeof *check->levels);
  check->intervals = ent_new_matrix(context, check->rows, ends, sizeof *check->intervals);
  check->sets = ent_new_matrix(context, check->rows, classes, sizeof *check->sets);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (all == NULL || scaled == NULL || check->x == NULL || check->scores == NULL || check->predictions == NULL ||
      check->probabilities == NULL || check->effects == NULL || check->levels == NULL || check->intervals == NULL ||
      check->sets == NULL)
    goto done;
  draw_rows(parts, single, check->x, all);
  status = answer(context, parts, all, scaled);
  if (status != ENTROPIC_OK)
    goto done;
  status = measure(context, parts, scaled);
  if (status != ENTROPIC_OK)
    goto done;
  if (classes > 0)
    open_close_classes(model, check);
  if (model->intervals != NULL)
    status = answer_intervals(context, parts, all);
done:
  ent_delete(all);
  ent_delete(scaled);
  return status;
}

void ent_export_rows_clear(ent_export_rows *rows) {
  ent_delete(rows->x);
  ent_delete(rows->scores);
  ent_delete(rows->predictions);
  ent_delete(rows->probabilities);
  ent_delete(rows->effects);
  ent_delete(rows->levels);
  ent_delete(rows->intervals);
  ent_delete(rows->sets);
  *rows = (ent_export_rows){0};
}
